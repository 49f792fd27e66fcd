# ruff: noqa: E501
"""Tables to line items: which rows are lines, what belongs to each, what every figure means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from app.service.documents.arithmetic import CENT, decimals_of, is_product, rounded
from app.service.documents.columns import (
    Roles,
    column_figure,
    column_text_is_figure,
    period_factors,
    roles_of,
)
from app.service.documents.dates import plain
from app.service.documents.extraction import Evidence, LineItem
from app.service.documents.money import Figure, find_figures
from app.service.documents.numbers import DecimalMark
from app.service.documents.rows import Cell
from app.service.documents.tables import Table, TableRow
from app.service.documents.vocabulary import LINE_INCLUDED, OPTIONAL, total_kind

_TERMS_IN_MONTHS = (12, 24, 36, 48, 60)


@dataclass
class _Line:
    row: TableRow
    text_rows: list[TableRow] = field(default_factory=list[TableRow])
    before: list[TableRow] = field(default_factory=list[TableRow])
    optional: bool = False


def read_lines(
    tables: Sequence[Table], mark: DecimalMark | None, term_months: int | None = None
) -> list[LineItem]:
    """The line items of all tables that are tables of lines."""
    items: list[LineItem] = []
    for table in tables:
        roles = roles_of(table, mark)
        if roles.unit_price is None and roles.amount is None and roles.list_price is None:
            continue
        for line in _lines(table, roles, mark):
            item = _item(table, roles, line, mark, term_months)
            if item:
                items.append(item)
    return items


def _lines(table: Table, roles: Roles, mark: DecimalMark | None) -> list[_Line]:
    optional = bool(OPTIONAL.search(plain(table.title)))
    lines: list[_Line] = []
    loose: list[TableRow] = []
    closed = False
    for row in table.rows:
        if _is_total(row, roles, mark):
            closed = closed or _ends_table(row)
            loose = []
            continue
        if _is_line(row, table, roles, mark):
            if closed and not _complete(row, roles, mark):
                continue
            closed = False
            lines.append(_Line(row, before=loose, optional=optional))
            loose = []
        elif closed:
            continue
        elif OPTIONAL.search(plain(row.row.text)) and len(row.row.words) <= 10:
            optional, loose = True, []
        elif lines and _near(lines[-1], row):
            lines[-1].text_rows.append(row)
        else:
            loose.append(row)
    return lines


def _near(line: _Line, row: TableRow) -> bool:
    last = line.text_rows[-1] if line.text_rows else line.row
    if last.row.page != row.row.page:
        return False
    return row.row.box.top - last.row.box.bottom < 1.1 * row.row.size


def _is_total(row: TableRow, roles: Roles, mark: DecimalMark | None) -> bool:
    label = _label_text(row, mark)
    kind = total_kind(plain(label))
    if kind is None:
        return False
    price = column_figure(row, roles.unit_price, mark)
    quantity = column_figure(row, roles.quantity, mark)
    if quantity and price:
        return False
    return len(label.split()) <= 8


def _label_text(row: TableRow, mark: DecimalMark | None) -> str:
    return " ".join(cell.text for cell in row.cells.values() if not column_text_is_figure(cell.text, mark))


def _ends_table(row: TableRow) -> bool:
    return True


def _is_line(row: TableRow, table: Table, roles: Roles, mark: DecimalMark | None) -> bool:
    amount = column_figure(row, roles.amount, mark)
    price = column_figure(row, roles.unit_price if roles.unit_price is not None else roles.list_price, mark)
    if amount and not _is_money_cell(row.text(roles.amount or 0), mark):
        amount = None
    if price and roles.unit_price is not None and not _is_money_cell(row.text(roles.unit_price), mark):
        price = None
    has_text = any(
        index not in roles.figures() and re.search(r"[^\W\d]{2}", cell.text)
        for index, cell in row.cells.items()
    )
    if amount and (price or has_text):
        return True
    if roles.amount is None and price and has_text:
        return True
    shown = plain(
        " ".join(row.text(index) for index in (roles.amount, roles.unit_price) if index is not None)
    )
    return (
        bool(shown)
        and has_text
        and bool(LINE_INCLUDED.search(shown) or re.fullmatch(r"[-–—]+( [-–—]+)?", shown.strip()))
    )


def _is_money_cell(text: str, mark: DecimalMark | None) -> bool:
    return column_text_is_figure(text, mark) and len(text) <= 32


def _complete(row: TableRow, roles: Roles, mark: DecimalMark | None) -> bool:
    quantity, price, amount = (
        column_figure(row, index, mark) for index in (roles.quantity, roles.unit_price, roles.amount)
    )
    if roles.unit_price is None:
        return bool(quantity and amount)
    return bool(quantity and price and (amount or roles.amount is None))


def _item(
    table: Table, roles: Roles, line: _Line, mark: DecimalMark | None, term_months: int | None
) -> LineItem | None:
    row = line.row
    quantity = column_figure(row, roles.quantity, mark)
    price = column_figure(row, roles.unit_price, mark)
    list_price = column_figure(row, roles.list_price, mark)
    amount = column_figure(row, roles.amount, mark)
    discount = column_figure(row, roles.discount, mark)
    months, years = column_figure(row, roles.months, mark), column_figure(row, roles.years, mark)
    described = _description(table, roles, line, mark)
    shown = plain(row.row.text)
    included = bool(LINE_INCLUDED.search(shown)) and (not amount or not amount.value)
    item = LineItem(
        description=described,
        quantity=quantity.value if quantity else None,
        unit=_unit(table, roles, row, quantity),
        unit_price=price.value if price else None,
        amount=amount.value if amount else None,
        item_id=_item_id(table, roles, row),
        discount_percent=abs(discount.value) if discount and discount.value else None,
        list_unit_price=list_price.value if list_price else None,
        optional=True if line.optional else None,
        included=True if included else None,
        evidence=_evidence(row, roles),
    )
    if included:
        item = replace(item, amount=Decimal(0), unit_price=Decimal(0), quantity=item.quantity or Decimal(1))
    return _completed(item, period_factors(months, years), months, years)


def _completed(
    item: LineItem, factors: list[Decimal], months: Figure | None, years: Figure | None
) -> LineItem:
    """Fills in what follows from the rest: the net price from list price and discount, a single quantity."""
    if item.unit_price is None and item.list_unit_price is not None:
        net = item.list_unit_price
        if item.discount_percent is not None:
            net = rounded(net * (100 - item.discount_percent) / 100)
        item = replace(item, unit_price=net)
    if item.amount is not None and item.amount < 0 and item.quantity is None:
        item = replace(item, quantity=Decimal(1), unit_price=item.unit_price or item.amount)
    if item.amount is not None and item.quantity and item.unit_price is None:
        item = replace(item, unit_price=rounded(item.amount / item.quantity))
    proven = _proven(item, factors)
    if months and 0 < months.value <= 120 and months.value == months.value.to_integral_value():
        item = replace(item, period_months=int(months.value))
    elif years and 0 < years.value <= 15:
        item = replace(item, period_months=int(years.value * 12))
    evidence = {
        name: replace(seen, sure=proven, confidence=0.98 if proven else min(seen.confidence, 0.7))
        if name in {"quantity", "unit_price", "amount"}
        else seen
        for name, seen in item.evidence.items()
    }
    return replace(item, evidence=evidence)


def _proven(item: LineItem, factors: list[Decimal]) -> bool:
    if item.quantity is None or item.unit_price is None or item.amount is None or not item.amount:
        return False
    return any(is_product(item.quantity, item.unit_price, factor, item.amount) for factor in factors)


def _evidence(row: TableRow, roles: Roles) -> dict[str, Evidence]:
    named = {
        "quantity": roles.quantity, "unit_price": roles.unit_price, "amount": roles.amount,
        "list_unit_price": roles.list_price, "discount_percent": roles.discount,
    }  # fmt: skip
    return {
        name: Evidence(row.row.page, row.cells[index].box, row.cells[index].confidence * 0.85)
        for name, index in named.items()
        if index is not None and index in row.cells
    }


def _text_columns(table: Table, roles: Roles) -> list[int]:
    return [index for index in range(len(table.columns)) if index not in roles.figures()]


def _description_column(table: Table, roles: Roles) -> int | None:
    texts = _text_columns(table, roles)
    named = [index for index in texts if table.columns[index].scores.get("description")]
    if named:
        return max(
            named, key=lambda index: (table.columns[index].scores["description"], _letters(table, index))
        )
    plausible = [
        index for index in texts
        if not set(table.columns[index].scores) & {"item_id", "tax", "position", "unit", "date"}
    ]  # fmt: skip
    return max(plausible or texts, key=lambda index: _letters(table, index), default=None)


def _letters(table: Table, index: int) -> int:
    return sum(letter.isalpha() for row in table.rows[:20] for letter in row.text(index))


def _description(table: Table, roles: Roles, line: _Line, mark: DecimalMark | None) -> str | None:
    index = _description_column(table, roles)
    if index is None:
        return None
    own = line.row.text(index)
    if re.search(r"[^\W\d]", own):
        return own
    for row in (*line.before[::-1], *line.text_rows):
        text = row.text(index)
        if re.search(r"[^\W\d]{2}", text):
            return text
    return own or None


def _item_id(table: Table, roles: Roles, row: TableRow) -> str | None:
    texts = _text_columns(table, roles)
    described = _description_column(table, roles)
    named = [i for i in texts if i != described and table.columns[i].scores.get("item_id")]
    for index in sorted(named, key=lambda i: -table.columns[i].scores["item_id"]):
        if text := row.text(index):
            return text
    return None


def _unit(table: Table, roles: Roles, row: TableRow, quantity: Figure | None) -> str | None:
    for index, column in enumerate(table.columns):
        leading = max(column.scores, key=lambda meaning: column.scores[meaning], default=None)
        if leading == "unit" and index not in roles.figures() and row.text(index):
            return row.text(index)
    if quantity and roles.quantity is not None:
        rest = row.text(roles.quantity)[quantity.end :].strip(" .()")
        return rest or None
    return None


__all__ = ["CENT", "Cell", "decimals_of", "find_figures", "read_lines"]
