"""Charges between the lines and the sums: freight, handling, fees."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import LabelledSum, Totals
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import LETTER, phrase
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables import certainty
from app.service.documents.tables.line_items import build_amount_alone
from app.service.documents.tables.row_figures import list_rows_of
from app.service.documents.tables.surplus_lines import sum_all
from app.service.values.folding import fold
from app.service.values.rounding import is_close

_ROLES = WORDS.line_roles
_CHARGES = tuple(map(phrase, (_ROLES.shipping, _ROLES.charge)))


def add_charges(
    items: Sequence[LineItem], totals: Totals, rows: Sequence[Row], sums: Sequence[LabelledSum]
) -> tuple[Sequence[LineItem], Totals]:
    """The lines with the charges printed below them, where these are what the total, less the tax, holds
    beyond them, and the sums, in which a charge is no discount below zero any more. Where the total is only
    that of the lines, a later one that holds the charges too is the total of the document."""
    amounts = [item.amount for item in items if item.amount is not None and not item.optional]
    net = totals.net if totals.total is None else totals.total - (totals.tax or 0)
    own = (row for item in reversed(items) for row in reversed([*list_rows_of(item, rows)]))
    last = next(own, None)
    if net is None or last is None:
        return items, totals
    discount = max(totals.discount, Decimal(0))
    first = rows.index(last) + 1
    charges = [
        line for row in rows[first:] if _names_charge(row.cells()[0].text) and (line := _read_charge(row))
    ]
    charges = charges or [
        _build_charge(one.label, one.value, one.cell)
        for one in sums  # in boxes below their labels
        if one.kind == "other" and one.value and one.order >= first and _names_charge(one.label)
    ]
    if charges and is_close(sum(amounts, sum_all(charges)), net + discount):
        return (*items, *charges), replace(totals, net=net, discount=discount)
    if charges and totals.tax and is_close(sum(amounts, sum_all(charges)), totals.total or net):
        return (*items, *charges), totals  # all prices are with tax
    if not totals.tax and not totals.discount and is_close(sum(amounts, Decimal(0)), net):
        for one in sums:
            if one.kind in ("gross", "due") and one.order > first:
                between = [line for row in rows[first : one.order] if (line := _read_charge(row))]
                if one.value != net and is_close(sum(amounts, sum_all(between)), one.value):
                    places = dict.fromkeys(("net_total", "total"), one.cell.locate(1.0))
                    provenance = {**totals.provenance, **places}
                    whole = replace(totals, net=one.value, total=one.value, provenance=provenance)
                    return (*items, *between), whole
    return items, totals


def _names_charge(label: str) -> bool:
    return any(one.search(fold(label)) for one in _CHARGES)


def _read_charge(row: Row) -> LineItem | None:
    """The charge of a row that holds a name, which is not that of a sum, and an amount."""
    *names, last = row.cells()
    name = next((cell for cell in names if LETTER.search(fold(cell.text))), last)
    figures = [one for cell in (*names, last) for one in cell.figures if not one.percent]
    alone = len(figures) == 1 and figures[0] in last.figures and name is not last
    if not alone or total_kind(fold(name.text)) not in (None, "other"):
        return None
    return _build_charge(name.text, figures[0].value, last) if figures[0].value else None


def _build_charge(name: str, amount: Decimal, cell: Cell) -> LineItem:
    place = cell.locate(certainty.ADD_UP_WITHOUT_HEADER, verified=True)
    charge = build_amount_alone(name.strip(" :"), amount, place)
    return replace(charge, provenance={"amount": place, "unit_price": place})
