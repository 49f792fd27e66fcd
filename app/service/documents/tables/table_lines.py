"""The line items of tables: which rows are lines, and which rows of text belong to each."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.lexicon.column_words import column_scores
from app.service.documents.lexicon.phrases import LETTER
from app.service.documents.lexicon.vocabulary import CARRIED, DISCOUNT, OPTIONAL, total_kind
from app.service.documents.tables.bundle_parts import Place, is_bundle
from app.service.documents.tables.column_figures import is_summed
from app.service.documents.tables.column_roles import ColumnRoles
from app.service.documents.tables.detection import Table, TableRow, holds_figure
from app.service.documents.tables.line_items import (
    Line,
    build_line_item,
    find_description_column,
    is_included,
    read_discount_below,
)
from app.service.documents.tables.role_assignment import assign_roles
from app.service.documents.tables.side_by_side import split_side_by_side
from app.service.values.folding import fold
from app.service.values.rounding import adds_up, is_product

_LONGEST_LABEL = 8  # words that the label of a sum may have
_NEXT_ROWS = 50  # in which the line after a discount is looked for
_MOST_SUMMED = 500  # lines above a sum without a label; a document may have many rows that look like one


def read_table_lines(tables: Sequence[Table], term_months: int | None = None) -> list[LineItem]:
    """The line items of all tables that are tables of lines."""
    built: list[tuple[LineItem, str | None]] = []
    for table in tables:
        roles = assign_roles(table)
        if not _has_prices(table, roles):
            continue
        for line in _find_lines(table, roles):
            item = build_line_item(table, roles, line, term_months)
            header = _find_header_of_period(table, roles)
            built += [(one, header) for one in split_side_by_side(table, roles, line.row, item)]
    return _without_single_months(built)


def find_unpriced_rows(tables: Sequence[Table]) -> dict[Place, Sequence[LineItem]]:
    """The rows that state what and how many and no price, by the place of the amount of the line above."""
    found: dict[Place, Sequence[LineItem]] = {}
    for table in tables:
        roles = assign_roles(table)
        if not _has_prices(table, roles) or roles.quantity is None or roles.amount is None:
            continue
        for line in _find_lines(table, roles):
            item = build_line_item(table, roles, line, None)
            before = line.before if is_bundle(item.description or "") else ()
            after = line.after if line.row.figure(roles.quantity) else ()
            priced = (roles.unit_price, roles.amount)
            unpriced = (
                row for row in (*before, *after) if all(_names_no_price(row.text(at)) for at in priced)
            )
            parts = _count_rows(table, roles, unpriced)
            place = item.provenance.get("amount")
            if place is not None and parts:
                found[place.page, place.box] = parts
    return found


def read_unpriced_lines(tables: Sequence[Table]) -> list[LineItem]:
    """The lines of tables that say what and how many and have no column of money, as deliveries do."""
    lines: list[LineItem] = []
    for table in tables:
        roles = assign_roles(table)
        if roles.quantity is not None and roles.amount is None and roles.price is None:
            lines += _count_rows(table, roles, (row for row in table.rows if row.value(roles.quantity)))
    return lines


def _count_rows(table: Table, roles: ColumnRoles, rows: Iterable[TableRow]) -> list[LineItem]:
    """The lines of those of the rows that say what and how many, without a price."""
    described, counted = find_description_column(table, roles), ColumnRoles(quantity=roles.quantity)
    return [
        build_line_item(table, counted, Line(row), None)
        for row in rows
        if row.figure(roles.quantity) and re.search(r"[^\W\d]{2}", row.text(described))
    ]


def _names_no_price(text: str) -> bool:
    """Whether a cell is empty or says that a bundle holds the price; `on request` says neither."""
    return not text or (is_bundle(text) and not LETTER.sub("", text).strip(" .-–:()"))


def _find_header_of_period(table: Table, roles: ColumnRoles) -> str | None:
    """The header that tells how often all prices of a table are charged; None where each row does."""
    if roles.unit_price is None or roles.months is not None or roles.years is not None:
        return None
    return table.columns[roles.unit_price].header


def _without_single_months(built: Sequence[tuple[LineItem, str | None]]) -> list[LineItem]:
    """The lines, each with the header of its price: where that charges others for months, what is charged for
    one is paid once."""
    charged = {header for item, header in built if header is not None and (item.period_months or 0) > 1}
    return [
        replace(item, period_months=None) if item.period_months == 1 and header in charged else item
        for item, header in built
    ]


def _has_prices(table: Table, roles: ColumnRoles) -> bool:
    """Whether the table prices anything; a column of prices alone must be named as one."""
    if roles.amount is not None:
        return True
    if roles.side_by_side:
        return True
    priced = roles.price
    if priced is None:
        return False
    named = [table.columns[one].scores for one in (priced, roles.list_price) if one is not None]
    strongest = max(scores.get(name, 0.0) for scores in named for name in ("unit_price", "list_price"))
    return roles.quantity is not None or strongest >= _NAMED


_NAMED = 2.0
_FEWEST_ALIKE, _FEWEST_FILLED = 2, 4
"""Lines that fill the same columns, and columns."""


def _find_lines(table: Table, roles: ColumnRoles) -> list[Line]:
    optional = bool(OPTIONAL.search(fold(table.title)))
    lines: list[Line] = []
    loose: list[TableRow] = []
    closed, summed, last_sum = False, 0, None
    above: TableRow | None = None
    cents = _shows_cents(table, roles)
    described, are_named_above = find_description_column(table, roles), False
    summed_alone = roles.amount is not None and roles.price is None and is_summed(table, roles.amount)
    for order, row in enumerate(table.rows):
        named = above is not None and _describes_next_row(above, row, roles)
        above, summed_up = row, _is_header_of_sums(above) if above else False
        taken = read_discount_below(row, lines[-1], roles) if lines and not closed else None
        if taken is not None:
            lines[-1].discounts.append(taken)
        elif summed_up or (
            _is_total(row, table, roles)
            and not _is_entry_of_list(row, table, roles, lines)
            # Several columns of words are those of a line, whatever its name: `Base coat`.
            and not (_fills_same_columns(row, lines) and len(_list_words(row)) > 1)
            and (closed or not _is_discount_among_lines(table, order, roles, cents=cents))
        ):
            closed = True
            loose = []
        elif _is_sum_of_lines(row, lines, summed, roles):
            summed, last_sum = len(lines), row.value(roles.amount)
            loose = []
        elif last_sum is not None and _continues_sum(row, roles, last_sum):
            continue
        elif _is_line(row, roles, named=named, cents=cents) and not (
            summed_alone and _says_more(row, roles.amount)
        ):
            offered = closed and any(map(_mentions_option, loose))
            if closed and not (offered or _begins_part(row, roles)):
                continue
            optional = optional or offered
            closed, last_sum = False, None
            alone = _is_priced_alone(row, roles) or any(map(_mentions_option, loose))
            lines.append(Line(row, before=loose, optional=optional or alone))
            loose = []
            are_named_above = are_named_above or _is_named_above(lines[-1], described)
        elif closed or (summed_alone and roles.amount in row.cells):
            # Words stand over the first line of the next part.
            loose += [row] if closed and not row.anchor else []
        elif _mentions_option(row) and not (are_named_above and loose):
            optional, loose = True, list[TableRow]()
        elif lines and _is_near(lines[-1], row) and not (are_named_above and row.text(described)):
            lines[-1].after.append(row)
        else:
            loose.append(row)
    return lines


def _is_named_above(line: Line, described: int | None) -> bool:
    """Whether the words of a line stand above its figures, which have none beside them."""
    named = any(LETTER.search(row.text(described)) for row in line.before)
    return named and not LETTER.search(line.row.text(described))


def _is_priced_alone(row: TableRow, roles: ColumnRoles) -> bool:
    """Whether a word for the price stands where the amount would, beside both: `rate only`."""
    is_named = "unit_price" in column_scores(fold(row.text(roles.amount))) and not row.figure(roles.amount)
    return bool(is_named and row.value(roles.quantity) and row.value(roles.unit_price))


def _is_sum_of_lines(row: TableRow, lines: Sequence[Line], summed: int, roles: ColumnRoles) -> bool:
    """Whether a row with an amount alone, or one named a total, is the sum of the lines after the first
    `summed`."""
    amount = row.figure(roles.amount)
    counted = any(row.figure(index) for index in (roles.quantity, roles.unit_price))
    if _fills_same_columns(row, lines) and not any(total_kind(fold(text)) for text in _list_words(row)):
        return False  # it costs as much as those before it together
    label = " ".join(cell.text for cell in row.cells.values() if not holds_figure(cell))
    is_named = len(label.split()) == 1 and total_kind(fold(label)) == "gross"
    if amount is None or (counted and not is_named):
        return False
    if not (1 if is_named else 2) <= len(lines) - summed <= _MOST_SUMMED:
        return False
    amounts = [one.value for line in lines[summed:] if (one := line.row.figure(roles.amount))]
    return adds_up(amounts, amount.value)


def _continues_sum(row: TableRow, roles: ColumnRoles, last_sum: Decimal) -> bool:
    """Whether a row takes something off the sum above it, a retention or what was invoiced before, or states
    it again."""
    amount, price = (row.figure(index) for index in (roles.amount, roles.unit_price))
    return bool(amount and not price and (amount.value < 0 or amount.value == last_sum))


def _mentions_option(row: TableRow) -> bool:
    return bool(OPTIONAL.search(fold(row.row.text))) and len(row.row.words) <= 10


def _describes_next_row(above: TableRow, row: TableRow, roles: ColumnRoles) -> bool:
    """Whether the row above is text that belongs to the figures below it."""
    near = row.row.page == above.row.page and row.row.box.top - above.row.box.bottom < 1.1 * row.row.size
    text = not above.anchor or roles.columns_of_figures.isdisjoint(above.cells)
    return near and text and not any(one.currency or one.decimals == 2 for one in above.row.figures)


def _is_near(line: Line, row: TableRow) -> bool:
    last = line.after[-1] if line.after else line.row
    if last.row.page != row.row.page:
        return False
    return row.row.box.top - last.row.box.bottom < 1.1 * row.row.size


def _is_entry_of_list(row: TableRow, table: Table, roles: ColumnRoles, lines: Sequence[Line]) -> bool:
    """Whether a row is one of the list by a date, or a number and a quantity: `04-06  Room tax`."""
    quantity = row.figure(roles.quantity)
    counted = quantity is not None and not quantity.percent
    naming = ("date", "position", "item_id") if counted else ("date",)
    return any(
        column.best_meaning in naming and index in row.cells and index in lines[0].row.cells
        for index, column in enumerate(table.columns)
        if lines and (row.anchor or counted)
    )


def _is_discount_among_lines(table: Table, order: int, roles: ColumnRoles, *, cents: bool) -> bool:
    """Whether a discount stands among the lines, so that a complete line follows, or a charge where the
    descriptions of the lines stand, as the discount does."""
    row = table.rows[order]
    following = next(
        (other for other in table.rows[order + 1 : order + 1 + _NEXT_ROWS] if other.anchor), None
    )
    return (
        row.figure(roles.amount) is not None
        and bool(DISCOUNT.search(fold(row.row.text)))
        and following is not None
        and _is_line(following, roles, named=False, cents=cents)
        and (
            _is_complete(following, roles)
            or all(_stands_with_lines(one, table, roles) for one in (row, following))
        )
        and not _is_total(following, table, roles)
    )


def _stands_with_lines(row: TableRow, table: Table, roles: ColumnRoles) -> bool:
    """Whether a row with an amount, or a price in a table of rates, stands where the descriptions of the
    lines do, and so is one of them."""
    index = find_description_column(table, roles)
    if index is None or index not in row.cells:
        return False
    edges = [other.cells[index].box.x0 for other in table.rows if other.anchor and index in other.cells]
    is_priced = row.figure(roles.price if roles.amount is None else roles.amount) is not None
    return is_priced and bool(edges) and abs(row.cells[index].box.x0 - min(edges)) < 2


def _fills_same_columns(row: TableRow, lines: Sequence[Line]) -> bool:
    """Whether a row fills all the columns that the lines fill, which are many: it is one of them."""
    last = lines[-_FEWEST_ALIKE:]
    is_alike = len(last) == _FEWEST_ALIKE and all(row.cells.keys() == one.row.cells.keys() for one in last)
    return is_alike and len(row.cells) >= _FEWEST_FILLED


def _list_words(row: TableRow) -> list[str]:
    return [one.text for one in row.cells.values() if LETTER.search(one.text) and not holds_figure(one)]


def _is_total(row: TableRow, table: Table, roles: ColumnRoles) -> bool:
    if row.figure(roles.quantity) and row.figure(roles.unit_price):
        return False
    if CARRIED.search(fold(row.row.text)):
        return True
    texts = [cell.text for cell in row.cells.values() if not holds_figure(cell)]
    label = " ".join(texts)
    if len(label.split()) > _LONGEST_LABEL:
        label = texts[-1]  # of a sum beside a text that has nothing to do with it
    kind = total_kind(fold(label))
    if kind == "other" and not row.row.figures:
        return False  # `7-year retention` says what is sold
    if kind is None or len(label.split()) > _LONGEST_LABEL:
        return False
    return (
        kind != "other"
        or DISCOUNT.search(fold(row.row.text)) is not None
        or not _stands_with_lines(row, table, roles)
    )


def _is_header_of_sums(row: TableRow) -> bool:
    """Whether a row is the header over a strip of sums: `Net | VAT % | VAT | Total`."""
    kinds = sum(total_kind(fold(cell.text)) is not None for cell in row.cells.values())
    return kinds > 2 and not row.row.figures


def _is_line(row: TableRow, roles: ColumnRoles, *, named: bool, cents: bool) -> bool:
    """Whether a row of figures is a line; `named` says that its description stands above it, `cents` that
    the sums of its table show cents or a currency."""
    has_text = any(
        index not in roles.columns_of_figures and re.search(r"[^\W\d]{2}", cell.text)
        for index, cell in row.cells.items()
    )
    amount = any(_is_money(row, index) for index in (roles.amount, *roles.otherwise_paid))
    price = _is_money(row, roles.price)
    if cents and amount != price and not row.figure(roles.quantity) and _is_whole(row, roles):
        return False  # the number of a page or an order
    if amount and (price or has_text or (named and row.figure(roles.quantity))):
        return True
    if roles.amount is None and price and (has_text or (named and row.figure(roles.quantity))):
        return True
    return (has_text or named) and (is_included(row, roles) or _is_priced_alone(row, roles))


def _shows_cents(table: Table, roles: ColumnRoles) -> bool:
    """Whether most rows of figures show cents or a currency. A sheet shows whole amounts without cents."""
    anchors = [row for row in table.rows if row.anchor]
    printed = bool(table.rows) and table.rows[0].row.words[0].cell is None
    return printed and sum(_is_whole(row, roles) for row in anchors) * 2 < len(anchors)


def _says_more(row: TableRow, index: int | None) -> bool:
    """Whether words around a figure say what it is: `$120 for the first year only`."""
    cell = row.cells.get(index) if index is not None else None
    return cell is not None and bool(cell.figures) and not cell.is_figure


def _is_whole(row: TableRow, roles: ColumnRoles) -> bool:
    """Whether the amount and price of a row are whole numbers without a currency, if there are any."""
    shown = (row.figure(index) for index in (roles.amount, roles.unit_price, *roles.otherwise_paid))
    return not any(one.currency or one.decimals for one in shown if one)


def _is_money(row: TableRow, index: int | None) -> bool:
    text, sums = row.text(index), [one.value for one in row.figures(index) if one.currency]
    is_range = len(sums) > 1 and sums[1] > sums[0]  # `$900 to $1,800`
    return bool(text) and len(text) <= 32 and row.is_figure(index) and not is_range


def _begins_part(row: TableRow, roles: ColumnRoles) -> bool:
    """Whether a row behind a sum is a line: it is complete, and has words or multiplies."""
    quantity, price, amount = (row.value(one) for one in (roles.quantity, roles.unit_price, roles.amount))
    multiplies = quantity and price and amount and is_product(quantity, price, Decimal(1), amount)
    return _is_complete(row, roles) and bool(multiplies or re.search(r"[^\W\d]{2}", row.row.text))


def _is_complete(row: TableRow, roles: ColumnRoles) -> bool:
    quantity, price, amount = (
        row.figure(index) for index in (roles.quantity, roles.unit_price, roles.amount)
    )
    if (quantity and quantity.percent) or (price and price.percent):
        return False  # a rate of tax before what it is taken from
    return bool(quantity and price and (amount or roles.amount is None))
