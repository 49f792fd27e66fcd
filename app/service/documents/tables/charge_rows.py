"""Charges between the lines and the sums: freight, handling, fees."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import LabelledSum, Totals
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import LETTER, phrase
from app.service.documents.lexicon.vocabulary import DISCOUNT, total_kind
from app.service.documents.tables import certainty
from app.service.documents.tables.inline_calculations import NUMBERED
from app.service.documents.tables.line_items import build_amount_alone
from app.service.documents.tables.row_figures import list_rows_of
from app.service.documents.tables.surplus_lines import sum_all
from app.service.values.folding import fold
from app.service.values.rounding import is_close
from app.service.values.tax import TAX_NAMES, TAX_WORD

_ROLES = WORDS.line_roles
_OF_TAX = re.compile(rf"{TAX_WORD}|%|(?<![a-z])(?:{TAX_NAMES}|{WORDS.totals.tax})")
_CHARGES = tuple(map(phrase, (_ROLES.shipping, _ROLES.charge)))


def add_charges(
    items: Sequence[LineItem], totals: Totals, rows: Sequence[Row], sums: Sequence[LabelledSum]
) -> tuple[Sequence[LineItem], Totals]:
    """The lines with the charges printed below them, or things of any name there, where these are what the
    total, less the tax, holds beyond them, and the sums, in which a charge is no discount below zero any
    more. Where the total is only that of the lines, a later one that holds the charges too is the total of
    the document."""
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
    missing = net + discount - sum(amounts, Decimal(0))
    if missing > 0 and (further := _find_further_lines(rows, first, missing)):
        return (*items, *further), replace(totals, net=net, discount=discount)
    added, taken = _read_changes(rows[first:], net)
    if added and taken and is_close(sum(amounts, sum_all(added)) - taken, net):
        return (*items, *added), replace(totals, net=net, discount=taken)
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


def _read_changes(rows: Sequence[Row], net: Decimal) -> tuple[list[LineItem], Decimal]:
    """What is added to the lines down to the row that states the net, and how much is taken off."""
    added: list[LineItem] = []
    taken = Decimal(0)
    for row in rows:
        if any(one.value == net for one in row.figures):
            return added, taken
        line = _read_charge(row, in_text=True)
        if line is not None and line.amount is not None:
            is_less = line.amount < 0 or DISCOUNT.search(fold(row.text))
            taken += abs(line.amount) if is_less else 0
            added += [] if is_less else [line]
    return [], taken


def _find_further_lines(rows: Sequence[Row], first: int, missing: Decimal) -> list[LineItem]:
    """The one thing between the lines and their first sum that costs what is `missing`, whatever its name, or
    all things between two sums, some of them charges, that do."""
    parts: list[list[LineItem]] = [[]]
    for row in rows[first:]:
        if any(total_kind(fold(cell.text)) not in (None, "other") for cell in row.cells()):
            parts.append([])
        elif (line := _read_charge(row, in_text=True)) and not _OF_TAX.search(fold(row.text)):
            parts[-1].append(line)

    def is_whole(lines: Sequence[LineItem]) -> bool:
        named = any(_names_charge(one.description or "") for one in lines)
        return len(lines) > 1 and named and sum_all(lines) == missing

    alone = [one for one in parts[0] if one.amount == missing]
    whole = [one for one in parts if is_whole(one)][:1]
    found = alone if len(alone) == 1 else [line for one in whole for line in one]
    return [
        replace(line, provenance={name: one.doubted() for name, one in line.provenance.items()})
        for line in found
    ]


def _names_charge(label: str) -> bool:
    return any(one.search(fold(label)) for one in _CHARGES)


def _read_charge(row: Row, *, in_text: bool = False) -> LineItem | None:
    """The charge of a row that holds a name, which is not that of a sum, and an amount, beside it or, where
    that is asked for, behind it."""
    *names, last = row.cells()
    numbered = NUMBERED.match(last.text) if not names else None
    begin = numbered.end() if numbered else 0
    figures = [one for cell in (*names, last) for one in cell.figures if not one.percent and one.end > begin]
    if len(figures) != 1 or figures[0] not in last.figures or not figures[0].value:
        return None
    if in_text and not names and figures[0].currency and figures[0].end == len(last.text):
        name = last.text[begin : figures[0].start]
    else:
        name = next((cell.text for cell in names if LETTER.search(fold(cell.text))), "")
    if not LETTER.search(name) or total_kind(fold(name)) not in (None, "other"):
        return None
    return _build_charge(name, figures[0].value, last)


def _build_charge(name: str, amount: Decimal, cell: Cell) -> LineItem:
    place = cell.locate(certainty.ADD_UP_WITHOUT_HEADER, verified=True)
    charge = build_amount_alone(name.strip(" :"), amount, place)
    return replace(charge, provenance={"amount": place, "unit_price": place})
