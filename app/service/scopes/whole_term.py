"""Compute the amounts of a quote's lines for the whole term from those per billing period. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.service.catalog.names import name_key
from app.service.documents.extraction import Extraction, LineItem
from app.service.scopes.units import find_period

ASSUMED_TERM_MONTHS = 12
BILLED_MONTHS = frozenset({1, 3, 6, 12})
"""Billing periods in months; any other period is the rest of a term."""
MONTHS_OF_YEAR = 12
MONTHS_PER_PERIOD = {"month": 1, "year": MONTHS_OF_YEAR}


@dataclass(frozen=True)
class WholeTerm:
    """The term in months, and the factor of each line's amount for the whole term."""

    months: int
    factors: Sequence[Decimal]
    warnings: Sequence[str] = ()

    @property
    def grows(self) -> bool:
        """Whether the whole term costs more than the document prints."""
        return any(factor != 1 for factor in self.factors)

    def amount(self, index: int, amount: Decimal | None) -> Decimal | None:
        """Return an amount of the line at `index` for the whole term."""
        return None if amount is None else amount * self.factors[index]

    def net_total(self, document: Extraction) -> Decimal | None:
        """Return the document's total before tax, for the whole term; None where it holds a tax of an
        unknown rate."""
        net = document.net_total
        if any(line.has_unknown_tax for line in document.line_items) and not document.tax_total:
            return None
        if net is None and document.total is not None:
            net = document.total - (document.tax_total or 0)
        if net is None:
            return None
        grown = (
            amount * (factor - 1)
            for line, factor in zip(document.line_items, self.factors, strict=True)
            if factor != 1 and (amount := line.amount_before_tax) is not None and not line.optional
        )
        return net + sum(grown, Decimal(0))


def compute_whole_term(document: Extraction, recurring: Sequence[bool | None]) -> WholeTerm:
    """Compute the factors; `recurring` is parallel to the lines. A line for one year of the term counts for
    that year; a product that is listed several times is priced for the whole term already."""
    lines = document.line_items
    years_end = max((line.first_month + MONTHS_OF_YEAR for line in lines if line.first_month), default=0)
    periods = [_find_period(line) if lasts else None for line, lasts in zip(lines, recurring, strict=True)]
    stated = {period for period in periods if period is not None}
    warnings: list[str] = []
    if document.term_months is not None:
        months = document.term_months
    elif years_end:
        months = years_end
        years = f"its lines are priced by year for {_format_months(months)}"
        warnings.append(f"The document states no term; {years}.")
    elif len(stated) == 1:
        [months] = stated
        warnings.append(f"The document states no term; its prices are for {_format_months(months)}.")
    else:
        months = ASSUMED_TERM_MONTHS
        warnings.append(f"The document states no term; {ASSUMED_TERM_MONTHS} months are assumed.")
    months = min(max(months, 1), 1200)
    names = Counter(
        name_key(line.description or "") for line, period in zip(lines, periods, strict=True) if period
    )
    ramped = not years_end and any(count > 1 for count in names.values())
    spans = [months if line.first_month is None else min(months, MONTHS_OF_YEAR) for line in lines]
    factors = [
        Decimal(span) / period if period in BILLED_MONTHS and period < span and not ramped else Decimal(1)
        for span, period in ((span, period or span) for span, period in zip(spans, periods, strict=True))
    ]
    grown = {period for period, factor in zip(periods, factors, strict=True) if factor != 1 and period}
    term = _format_months(months)
    warnings += [
        f"Lines priced for {_format_months(period)} are counted for the whole term of {term}."
        for period in sorted(grown)
    ]
    return WholeTerm(months, factors, warnings)


def find_own_months(line: LineItem) -> int | None:
    """Return the months that a line for one year of the term is bought for; None for any other line, and for
    what is paid once."""
    return None if line.first_month is None or line.period_months is None else MONTHS_OF_YEAR


def _find_period(line: LineItem) -> int | None:
    """Return the months that the line's amount is for; None where it does not say."""
    if line.period_months is not None:
        return line.period_months
    per = find_period(line.unit)
    if per is None or line.quantity is None or line.unit_price is None or line.amount is None:
        return None
    for_one_period = abs(line.quantity * line.unit_price - line.amount) < Decimal("0.05")
    return MONTHS_PER_PERIOD[per] if for_one_period else None


def _format_months(count: int) -> str:
    return "one month" if count == 1 else f"{count} months"
