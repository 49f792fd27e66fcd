"""What a row of a table counts in, and for how many units together its price is stated."""

import re
from decimal import Decimal

from app.service.documents.tables.column_roles import ColumnRoles
from app.service.documents.tables.detection import Table, TableRow
from app.service.values.price_basis import find_price_count


def list_text_columns(table: Table, roles: ColumnRoles) -> list[int]:
    return [index for index in range(len(table.columns)) if index not in roles.columns_of_figures()]


def read_unit(table: Table, roles: ColumnRoles, row: TableRow) -> str | None:
    """The unit, without the number of units that its price is for: `pcs` of `per 1,000 pcs`."""
    text = _read_unit_text(table, roles, row)
    if text is None or (stated := find_price_count(text)) is None:
        return text
    return f"{text[: stated.start]} {text[stated.end :]}".strip() or None


def _read_unit_text(table: Table, roles: ColumnRoles, row: TableRow) -> str | None:
    for index in list_text_columns(table, roles):
        if table.columns[index].best_meaning in ("unit", "basis") and re.search(r"[^\W\d]", row.text(index)):
            return row.text(index)
    quantity = row.figure(roles.quantity)
    if quantity:
        rest = row.text(roles.quantity)[quantity.end :].strip(" .()")
        return rest or None
    return None


def list_bases(table: Table, roles: ColumnRoles, row: TableRow) -> list[Decimal]:
    """For how many units together the price of a row may be stated, where that is not one: as its column of
    bases, its own words, those of its unit, or the header of the prices say."""
    own = row.value(roles.basis)
    if own is not None:
        return [own] if own > 1 else []
    header = table.columns[roles.unit_price].header if roles.unit_price is not None else ""
    texts = [row.text(roles.unit_price), _read_unit_text(table, roles, row) or "", header]
    stated = [found.count for text in texts if (found := find_price_count(text)) is not None]
    return stated[:1]
