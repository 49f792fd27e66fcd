"""The charges of a quote's lines: for which part of the term each is priced, and what it costs over the term.
Pure."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from app.contract.scope import GUESSED_TERM_MONTHS
from app.service.catalog.names import name_key
from app.service.charges.charge import (
    MONTHS_PER,
    NO_CURRENCY,
    PER_OF_MONTHS,
    Charge,
    ChargeFault,
    smallest_amount,
    to_decimal,
)
from app.service.charges.months import MONTHS_PER_YEAR, count_months_of_years
from app.service.charges.schedule import MAX_TERM_MONTHS, Adjustment, Schedule, find_readings
from app.service.documents.extraction import Extraction, LineItem
from app.service.scopes.units import find_period


@dataclass(frozen=True)
class WholeTerm:
    """The term in months, and the charge of each line. `unproved` are the lines that may be for another part
    of the term than their charge, by their index: neither their words nor the document's sums tell. `doubts`
    are those of the warnings by which the term may be another; `is_assumed` says that nothing in the document
    says how long it is."""

    months: int
    charges: Sequence[Charge]
    unproved: frozenset[int] = frozenset()
    warnings: Sequence[str] = ()
    doubts: Sequence[str] = ()
    is_assumed: bool = False

    @property
    def grows(self) -> bool:
        """Whether the whole term costs more than the document prints."""
        return any(one.price and one.amount != one.price for one in self.charges)

    def amount(self, index: int, amount: Decimal | None) -> Decimal | None:
        """Return an amount of the line at `index` for the whole term."""
        if amount is None:
            return None
        whole = replace(self.charges[index], price=Fraction(amount)).amount
        return None if whole is None else to_decimal(whole)

    def find_part(self, index: int) -> tuple[int | None, int | None]:
        """Return after how many months of the term the line begins, and for how many it runs; None where that
        is all of it, and of what is paid once."""
        charge = self.charges[index]
        if charge.kind == "one_time" or charge.start_month is None or charge.months is None:
            return None, None
        whole = (charge.start_month, charge.months) == (0, self.months)
        return (None, None) if whole else (int(charge.start_month), int(charge.months))

    def net_total(self, document: Extraction) -> Decimal | None:
        """Return what is paid before tax for the whole term: the document's total, and what it lacks of the
        least that is to be paid; None where it holds a tax of an unknown rate."""
        total = self._find_total(document)
        return None if total is None else total + (self.find_shortfall(document) or 0)

    def find_shortfall(self, document: Extraction) -> Decimal | None:
        """Return what is paid beyond the document's total because it commits to a minimum; None where it does
        not, and where the total is not known."""
        total, minimum = self._find_total(document), document.minimum_total
        if total is None or minimum is None:
            return None
        lines = Schedule(self.charges, document.currency or NO_CURRENCY, self.months)
        difference = Fraction(total) - Fraction(lines.total().value)
        try:
            whole = replace(lines, adjustments=[Adjustment("Total", amount=difference)] if difference else ())
            return to_decimal(whole.find_shortfall(Fraction(minimum), document.minimum_months))
        except ChargeFault:
            return None

    def _find_total(self, document: Extraction) -> Decimal | None:
        net = document.net_total
        if any(line.has_unknown_tax for line in document.line_items) and not document.tax_total:
            return None
        if net is None and document.total is not None:
            net = document.total - (document.tax_total or 0)
        if net is None:
            return None
        counted = [
            (charge.price, charge.amount)
            for line, charge in zip(document.line_items, self.charges, strict=True)
            if not line.optional and line.amount_before_tax is not None
        ]
        whole = sum((amount or 0 for _, amount in counted), Fraction(0))
        if abs(whole - Fraction(net)) <= len(counted) * smallest_amount(document.currency or NO_CURRENCY):
            return net  # it is printed for the whole term
        return net + to_decimal(whole - sum((price or 0 for price, _ in counted), Fraction(0)))


def compute_whole_term(
    document: Extraction, recurring: Sequence[bool | None], matched: Sequence[bool] | None = None
) -> WholeTerm:
    """Compute the charges; `recurring` and `matched`, whether the product is known, are parallel to the
    lines. That a term is assumed is said where something is paid by time, or a known product may be. A line
    that says for which part of the term it is counts for that part. A price for a month or a year counts for
    each of the term, unless lines of the same thing follow each other: where the sums do not tell, that is
    likelier, and it is asked."""
    lines = document.line_items
    periods = [_find_period(line) if lasts else None for line, lasts in zip(lines, recurring, strict=True)]
    currency = document.currency or NO_CURRENCY
    months, unstated = _find_term(document, {period for period in periods if period is not None})
    doubts = [*document.term_doubts, *(unstated if document.term_months is not None else ())]
    known = [True] * len(lines) if matched is None else matched
    lasts = any(one or (one is None and is_known) for one, is_known in zip(recurring, known, strict=True))
    is_once = document.term_months is None and bool(recurring) and not lasts
    warnings = [*document.term_doubts, *(() if is_once else unstated)]
    times = Counter(_name(line) for line in lines if not line.optional)
    charges = [
        _build_charge(line, _is_yearly(lasts, times[_name(line)], months), period, months, currency)
        for line, lasts, period in zip(lines, recurring, periods, strict=True)
    ]
    sums = [Fraction(document.net_total)] if document.net_total is not None else []
    readings = find_readings(charges, term_months=months, currency=currency, tax="unknown", sums=sums)
    chosen = readings[-1].schedule.charges  # lines in a row, where they may be
    unproved = frozenset(
        index
        for index, charge in enumerate(chosen)
        if any(one.schedule.charges[index] != charge for one in readings)
    )
    grown = {
        period
        for charge, period in zip(chosen, periods, strict=True)
        if charge.price and charge.amount != charge.price and period
    }
    warnings += [
        f"Lines priced for {_format_months(period)} are counted for the whole term of"
        f" {_format_months(months)}."
        for period in sorted(grown)
    ]
    if unproved:
        warnings.append(
            f"{len(unproved)} lines of the same thing are read as following each other within the term of"
            f" {_format_months(months)}: the document does not say when each begins."
        )
    is_assumed = document.term_months is None and not any(charge.per in MONTHS_PER for charge in charges)
    is_assumed = is_assumed and not any(line.first_month is not None for line in lines)
    return WholeTerm(months, chosen, unproved, warnings, doubts, is_assumed)


def _find_term(document: Extraction, periods: Set[int]) -> tuple[int, list[str]]:
    """The term in months, with a sentence on one that the document does not state."""
    end = max(
        (
            line.first_month + (line.span_months or 0)
            for line in document.line_items
            if line.first_month is not None
        ),
        default=0,
    )
    stated = document.term_months
    if stated is not None and stated >= end:
        return min(max(stated, 1), MAX_TERM_MONTHS), []
    unsaid = "leaves the term open" if document.term_doubts else "states no term"
    if end:
        unsaid = unsaid if stated is None else f"states a term of {_format_months(stated)}"
        months = min(end, MAX_TERM_MONTHS)
        return months, [f"The document {unsaid}; its lines run for {_format_months(months)}."]
    if len(periods) == 1:
        [months] = periods
        return months, [f"The document {unsaid}; its prices are for {_format_months(months)}."]
    assumed = f"{GUESSED_TERM_MONTHS} months are assumed for what is paid by time"
    return GUESSED_TERM_MONTHS, [f"The document {unsaid}; {assumed}."]


def _build_charge(
    line: LineItem, recurring: bool | None, period: int | None, term: int, currency: str
) -> Charge:
    """The charge of a line. When it begins is open where it is paid again and states no part of the term."""
    price = line.amount if line.amount_before_tax is None else line.amount_before_tax
    charge = Charge(
        what=_name(line),
        currency=currency,
        kind=None if recurring is None else "recurring" if recurring else "one_time",
        price=None if price is None else Fraction(price),
        status="optional" if line.optional else "credit" if price is not None and price < 0 else "firm",
    )
    if not recurring:
        is_once = recurring is False
        return replace(
            charge,
            per="once" if is_once else "term",
            start_month=line.first_month or 0,
            months=None if is_once else line.span_months or term,
        )
    per = PER_OF_MONTHS.get(period or 0) if (period or 0) < (line.span_months or term) else None
    if line.first_month is None:
        return replace(charge, per=per)
    return replace(charge, per=per or "term", start_month=line.first_month, months=line.span_months)


def _is_yearly(lasts: bool | None, times: int, term: int) -> bool | None:
    """Whether a thing is likely paid again that is listed once for each year of the term; else as stated."""
    return True if lasts is None and count_months_of_years(times) == term > MONTHS_PER_YEAR else lasts


def _name(line: LineItem) -> str:
    return name_key(line.description or "")


def _find_period(line: LineItem) -> int | None:
    """Return the months that the line's amount is for; None where it does not say."""
    if line.period_months is not None:
        return line.period_months
    per = find_period(line.unit)
    if per is None or line.quantity is None or line.unit_price is None or line.amount is None:
        return None
    for_one_period = abs(line.quantity * line.unit_price - line.amount) < Decimal("0.05")
    return MONTHS_PER[per] if for_one_period else None


def _format_months(count: int) -> str:
    return "one month" if count == 1 else f"{count} months"
