"""Charges between the lines and the sums: freight, handling, fees."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.layout.rows import Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.tables import certainty
from app.service.documents.tables.row_figures import list_rows_of
from app.service.values.folding import fold
from app.service.values.rounding import is_close

_ROLES = WORDS.line_roles
_CHARGES = tuple(map(phrase, (_ROLES.shipping, _ROLES.charge)))


def add_charges(
    items: Sequence[LineItem], totals: Totals, rows: Sequence[Row]
) -> tuple[Sequence[LineItem], Totals]:
    """The lines with the charges printed below them, where these are what the total, less the tax, holds
    beyond them, and the sums, in which a charge is no discount below zero any more."""
    amounts = [item.amount for item in items if item.amount is not None and not item.optional]
    net = totals.net if totals.total is None else totals.total - (totals.tax or 0)
    own = (row for item in reversed(items) for row in reversed([*list_rows_of(item, rows)]))
    last = next(own, None)
    if net is None or last is None:
        return items, totals
    discount = max(totals.discount, Decimal(0))
    charges = [line for row in rows[rows.index(last) + 1 :] if (line := _read_charge(row))]
    added = [one.amount for one in charges if one.amount is not None]
    if not added or not is_close(sum((*amounts, *added), Decimal(0)), net + discount):
        return items, totals
    return (*items, *charges), replace(totals, net=net, discount=discount)


def _read_charge(row: Row) -> LineItem | None:
    """The charge of a row that holds a name and an amount."""
    name, *others = row.cells()
    named, *beside = ([one for one in cell.figures if not one.percent] for cell in (name, *others))
    figures = [one for found in beside for one in found]
    if named or len(figures) != 1 or not any(one.search(fold(name.text)) for one in _CHARGES):
        return None
    amount = figures[0].value
    place = others[-1].locate(certainty.ADD_UP_WITHOUT_HEADER, verified=True)
    return LineItem(
        description=name.text.strip(" :"),
        quantity=Decimal(1),
        unit_price=amount,
        amount=amount,
        provenance={"amount": place, "unit_price": place},
    )
