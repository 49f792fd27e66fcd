"""The prices of a quote, or those that a scope states itself, as a schedule of charges. Pure."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from fractions import Fraction

from app.contract.scope import add_stated_prices, find_stated_price
from app.service.charges.charge import Charge, Number
from app.service.charges.months import count_exact_months
from app.service.charges.schedule import MAX_TERM_MONTHS, Adjustment, Schedule
from app.service.scopes.quote import QuoteLine, ScopeQuote
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, find_months_of_part, find_quantity

OTHER_CHARGES, DISCOUNT_ON_WHOLE, MINIMUM = "Other charges", "Discount on the whole", "Minimum commitment"
_ONE_DAY = timedelta(days=1)


def read_stated_prices(
    scope_terms: Sequence[StoredScopeTerm],
    product_terms: Sequence[StoredProductTerm],
    *,
    currency: str,
    names: Sequence[str],
) -> ScopeQuote:
    """Return the prices that a scope states itself, of its products and of the whole, as a quote. `names` are
    parallel to the products. A price follows from a list price with its discount."""
    lines = [
        QuoteLine(index=at, description=name, role="product", amount=find_stated_price(term), term=at)
        for at, (term, name) in enumerate(zip(product_terms, names, strict=True))
    ]
    return ScopeQuote(
        scope_id="",
        filename="",
        sha256=None,
        kind="",
        currency=currency,
        lines=lines,
        net_total=add_stated_prices(scope_terms),
        is_term_assumed=any(term.term_assumed for term in scope_terms),
    )


def build_schedule(
    quote: ScopeQuote,
    scope_terms: Sequence[StoredScopeTerm],
    product_terms: Sequence[StoredProductTerm],
    *,
    counted: Mapping[str, str | None],
) -> Schedule:
    """Return the charges of a quote, before tax: one for each of its lines, in their order, by the position
    of its product term.

    `counted` has the dimension that counts a product's units, by the product's id. A line runs as long as its
    product term does; when it begins is open where that is not proved. Where all lines have an amount, what
    the total lacks is a discount on the whole, and what it has beyond them a charge of its own, or paid for
    them where a minimum is; else both may be part of the lines without an amount, and stay so. A credit is a
    discount on the whole.
    """
    months = sum(one.months for one in scope_terms)
    months = months if 0 < months <= MAX_TERM_MONTHS else None
    terms = [None if line.term is None else product_terms[line.term] for line in quote.lines]
    charges = [
        _build_charge(line, term, scope_terms, months, quote.currency, counted)
        for line, term in zip(quote.lines, terms, strict=True)
    ]
    prices = [one.price for one in charges]
    known = [price for price in prices if price is not None]
    positive = sum((price for price in known if price > 0), Fraction(0))
    total = sum(known, Fraction(0)) if quote.net_total is None else Fraction(quote.net_total)
    adjustments: list[Adjustment] = []
    if len(known) == len(prices) and 0 <= total < positive:
        adjustments = [Adjustment(DISCOUNT_ON_WHOLE, amount=total - positive)]
    elif len(known) == len(prices) and total > positive > 0 and quote.minimum is not None:
        adjustments = [Adjustment(MINIMUM, amount=total - positive)]
    elif len(known) == len(prices) and total > positive:
        charges.append(
            Charge(OTHER_CHARGES, quote.currency, per="term", price=total - positive, months=months)
        )
    return Schedule(charges, quote.currency, months, "before", adjustments)


def _build_charge(
    line: QuoteLine,
    term: StoredProductTerm | None,
    scope_terms: Sequence[StoredScopeTerm],
    months: int | None,
    currency: str,
    counted: Mapping[str, str | None],
) -> Charge:
    is_once = line.recurring is False
    start, own = (0, months) if term is None else _find_span(term, scope_terms, months)
    quantity = None if term is None else find_quantity(term, counted.get(term.product_id))
    return Charge(
        what=line.description,
        currency=currency,
        kind=None if line.recurring is None else "one_time" if is_once else "recurring",
        per="once" if is_once else "term",
        quantity=None if quantity is None else Fraction(quantity),
        price=None if line.amount is None else Fraction(line.amount),
        start_month=None if line.is_part_unproved else start,
        months=None if is_once else own,
        status="credit" if line.amount is not None and line.amount < 0 else "firm",
        line=line.term,
    )


def find_part(
    term: StoredProductTerm, scope_terms: Sequence[StoredScopeTerm]
) -> tuple[int | None, int | None]:
    """After how many months of its scope a product begins that is bought for a part of it, and for how many;
    None for both where that is all of it, or its dates are of no whole months within it."""
    if term.start_date is None or term.end_date is None:
        return term.first_month, term.months
    whole = sum(one.months for one in scope_terms)
    start, own = _find_span(term, scope_terms, whole)
    if start is None or own is None or own == whole or start % 1 or own % 1:
        return None, None
    return int(start), int(own)


def ends_after(scope_terms: Sequence[StoredScopeTerm], term: StoredProductTerm, months: int) -> bool:
    """Return whether a product is bought for a part of its scope that ends after so many months: what of it a
    price for these months is for is not known."""
    first, _ = find_part(term, scope_terms)
    part = find_months_of_part(term, sum(one.months for one in scope_terms))
    return (first or 0) + (part or 0) > months


def _find_span(
    term: StoredProductTerm, scope_terms: Sequence[StoredScopeTerm], months: int | None
) -> tuple[Number | None, Number | None]:
    """When a product begins within the term, and for how many months it is bought. None for what is not
    stated, and for a start outside of the term."""
    start: Number | None = term.first_month or 0
    if term.start_date is not None and term.end_date is not None:
        own = count_exact_months(term.start_date, term.end_date + _ONE_DAY)
        begins = scope_terms[0].start_date if scope_terms else None
        start = None if begins is None else count_exact_months(begins, term.start_date)
    elif term.months is None:
        return 0, months
    else:
        own = term.months
    if own <= 0 or (months is not None and own > months):
        return None, None
    is_within = start is not None and start >= 0 and (months is None or start + own <= months)
    return (start if is_within else None), own
