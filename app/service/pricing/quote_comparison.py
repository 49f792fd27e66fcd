"""Compares a quote with the estimates of its products: how much they cover, and the verdicts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from app.contract.dates import format_day
from app.contract.money import format_money
from app.contract.pricing import MIN_COVERED_PERCENT
from app.service.charges.schedule import Schedule
from app.service.pricing.estimator.distribution import PriceDistribution
from app.service.pricing.scope_estimate import PricedProduct, PricedScope
from app.service.pricing.verdict import (
    PricedLine,
    Verdict,
    find_doubts,
    judge_line,
    judge_lines,
)
from app.service.scopes.quote import (
    GIVES_BACK,
    QuoteCoverage,
    ScopeQuote,
    compute_coverage,
    describe_coverage,
)
from app.service.scopes.schedule import MINIMUM, build_schedule, read_stated_prices
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm

_ROUNDING = 0.005


@dataclass(frozen=True)
class ScopeVerdicts:
    """The verdicts on a quote. `lines` has the verdict on each product term with a price of its own and
    `amounts` that price, both by the term's position. `whole` is the verdict on all that is covered, None
    where nothing is quoted; `on_the_whole` says whether it counts for the whole quote. `parts` has, where
    there are both, what is paid repeatedly (True) and once (False): the quoted and the median amount. `rest`
    is quoted for what is not covered."""

    coverage: QuoteCoverage | None = None
    whole: Verdict | None = None
    on_the_whole: bool = True
    lines: Mapping[int, Verdict] = field(default_factory=dict[int, Verdict])
    amounts: Mapping[int, float] = field(default_factory=dict[int, float])
    parts: Sequence[tuple[bool, float, float]] = ()
    rest: float = 0.0


def judge_scope(
    scope: PricedScope,
    list_totals: Mapping[int, float],
    *,
    quote: ScopeQuote | None,
    scope_terms: Sequence[StoredScopeTerm],
    product_terms: Sequence[StoredProductTerm],
    quoted: float | None,
    today: date,
) -> ScopeVerdicts:
    """Judge the `quote` that the scope was read from, or without one the scope's own prices; `quoted` is a
    total that a person typed. `list_totals` has the cost at the published list price by the position of a
    product term."""
    judged_quote = quote or read_stated_prices(
        scope_terms,
        product_terms,
        currency=scope.currency,
        names=[part.product.name for part in scope.products],
    )
    counted = {part.product.id: part.product.quantity_dimension_id for part in scope.products}
    schedule = build_schedule(judged_quote, scope_terms, product_terms, counted=counted)
    if quoted is None and judged_quote.corrected_total:
        quoted = float(judged_quote.corrected_total)
    priced = {at: part for at, part in enumerate(scope.products) if isinstance(part.price, PriceDistribution)}
    coverage = compute_coverage(judged_quote, priced.keys())
    asked = schedule.total()
    # Where a line states no amount, the total is its price too.
    whole = float(coverage.quoted if asked.covers.missing else asked.value)
    amounts = _sum_amounts(schedule, priced.keys())
    lines = {
        at: _priced_line(part, judged_quote, at, amounts.get(at), list_totals.get(at))
        for at, part in priced.items()
    }
    shown_coverage = None if quote is None else coverage
    verdicts = {at: one for at, line in lines.items() if (one := judge_line(line, today)) is not None}
    if not (whole > 0 or quoted):
        return ScopeVerdicts(shown_coverage)
    gives_back = [GIVES_BACK] if quoted is None and judged_quote.gives_back else []
    if doubts := (*dict.fromkeys((*judged_quote.doubts, *gives_back)),):
        withheld = Verdict(doubts, quoted or whole)
        verdicts = {at: replace(withheld, amount=amounts[at]) for at in verdicts}
        return ScopeVerdicts(shown_coverage, withheld, True, verdicts, amounts)
    paid_for_covered = sum(amounts.values())
    unpriced = _name_unpriced(scope, judged_quote, coverage, quoted)
    amount, notes = _comparable_amount(judged_quote, coverage, unpriced, quoted, whole, paid_for_covered)
    for one in schedule.adjustments:
        what = "minimum commitment" if one.what == MINIMUM else "discount on the total"
        notes.append(f"The {what} is spread over the lines.")
    if quoted is None and judged_quote.valid_until is not None and judged_quote.valid_until < today:
        day = format_day(judged_quote.valid_until)
        notes.append(f"The quote was valid until {day}: ask whether its price still holds.")
    if amount is None:
        withheld = Verdict(tuple(notes), quoted or whole)
        return ScopeVerdicts(shown_coverage, withheld, True, verdicts, amounts)
    on_the_whole = coverage.share is None or 100 * coverage.share >= MIN_COVERED_PERCENT
    verdict = judge_lines(list(lines.values()), amount, today)
    if len(lines) == 1:  # the whole that is judged is this line
        only = next(iter(lines))
        verdicts, amounts = {only: verdict}, {only: amount}
    verdict = replace(verdict, reasons=(*verdict.reasons, *notes))
    rest = 0.0 if coverage.unpriced else max((quoted or whole) - amount, 0.0)
    parts = _split_by_recurrence(list(lines.values()))
    return ScopeVerdicts(shown_coverage, verdict, on_the_whole, verdicts, amounts, parts, rest)


def find_estimate_doubts(part: PricedProduct, today: date) -> list[str]:
    """Why the estimate of a product cannot judge any quote, as sentences."""
    return find_doubts(build_priced_line(part, None, None), today)


def _sum_amounts(schedule: Schedule, priced: Collection[int]) -> dict[int, float]:
    """What is quoted for each product term, by its position, after the discounts; none for a term with a line
    without an amount."""
    amounts: dict[int, float] = {}
    for at in priced:
        own = [number for number, charge in enumerate(schedule.charges) if charge.line == at]
        total = schedule.total(only=own)
        if total.value > 0 and not total.covers.missing:
            amounts[at] = float(total.value)
    return amounts


def _priced_line(
    part: PricedProduct, quote: ScopeQuote, at: int, amount: float | None, list_total: float | None
) -> PricedLine:
    own = [line for line in quote.lines if line.term == at]
    paid = {line.recurring for line in own}
    built = build_priced_line(part, amount, paid.pop() if len(paid) == 1 else None, list_total)
    return replace(
        built,
        is_part_unproved=any(line.is_part_unproved for line in own),
        is_term_assumed=quote.is_term_assumed,
    )


def build_priced_line(
    part: PricedProduct, amount: float | None, recurring: bool | None, list_total: float | None = None
) -> PricedLine:
    """Build what is judged of a product that has a price; `amount` is what is asked for it."""
    # Only what is priced is judged, and what is priced has a quantity.
    assert isinstance(part.price, PriceDistribution)
    assert part.query.quantity is not None
    shown = part.price.comparables
    weight = sum(one.weight for one in shown) or 1.0
    return PricedLine(
        name=part.product.name,
        price=part.price,
        amount=amount,
        recurring=recurring,
        quantity=part.query.quantity,
        months=part.query.term_months,
        unknown=[dimension.name for dimension in part.unknown],
        converted=sum(one.weight for one in shown if one.id in part.converted_ids) / weight,
        list_total=list_total,
    )


def _name_unpriced(
    scope: PricedScope, quote: ScopeQuote, coverage: QuoteCoverage, quoted: float | None
) -> Sequence[str]:
    """Name what has an estimate and no price. The quote's total is the price of all its lines, and one that a
    person typed that of all products of the scope."""
    names: list[str] = []
    if quoted is None:
        on_quote = {scope.products[line.term].product.id for line in quote.lines if line.term is not None}
        names += [product.name for product, _ in scope.priced if product.id not in on_quote]
    if coverage.uncovered or not (quoted or quote.net_total):
        names += [line.description for line in coverage.unpriced]
    return list(dict.fromkeys(names))


def _comparable_amount(
    quote: ScopeQuote,
    coverage: QuoteCoverage,
    unpriced: Sequence[str],
    quoted: float | None,
    whole: float,
    paid_for_covered: float,
) -> tuple[float | None, list[str]]:
    """The amount to compare with the estimates, None where it cannot be determined, and notes on it for a
    person. `unpriced` names what has an estimate and no price; `whole` is the quote's total, `quoted` one
    that a person typed instead."""
    if unknown := [line.description for line in coverage.uncovered if line.amount is None]:
        return None, [
            f"The quote gives no separate price for {', '.join(unknown)}, and no estimate covers it."
        ]
    if unpriced:
        return None, [f"The quote gives no price for {', '.join(unpriced)}."]
    if coverage.unpriced:  # the total is that of the estimates
        return float(quote.net_total or 0) if quoted is None else quoted, []
    names = ", ".join(line.description for line in coverage.uncovered) or "charges outside the lines"
    if not coverage.covered_lines and (coverage.uncovered or whole > 0):
        return None, [f"No estimate covers any of the quoted lines: {names}."]
    uncovered_amount = whole - paid_for_covered
    if coverage.share is None or uncovered_amount <= _ROUNDING:
        return whole if quoted is None else quoted, []
    notes = [describe_coverage(coverage)]
    if quoted is None:
        return paid_for_covered, notes
    notes.append(
        f"{format_money(uncovered_amount, quote.currency)} for items that are not covered ({names})"
        " is deducted from the quoted total."
    )
    if quoted - uncovered_amount <= _ROUNDING:
        return None, [*notes, "Nothing remains of the total for the lines that are covered."]
    return quoted - uncovered_amount, notes


def _split_by_recurrence(lines: Sequence[PricedLine]) -> Sequence[tuple[bool, float, float]]:
    if any(line.amount is None for line in lines) or len({line.price.recurring for line in lines}) < 2:
        return ()
    return [
        (
            recurring,
            sum(line.amount or 0.0 for line in lines if line.price.recurring == recurring),
            sum(line.price.quantile(0.5) for line in lines if line.price.recurring == recurring),
        )
        for recurring in (True, False)
    ]
