"""Prices the lines of agreements with the estimator of scopes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_FLOOR, Decimal
from functools import cache, partial
from itertools import groupby

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreement_market import MarketLine
from app.contract.agreements import AgreementLine
from app.contract.pricing import MIN_COVERED_PERCENT, NextStep
from app.service.agreements.line_amounts import (
    NOT_KNOWN,
    count_term_months,
    find_discounted_share,
    list_line_amounts,
    match_terms,
)
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.database.engine import Database
from app.service.database.rows import batched
from app.service.database.tables import scope
from app.service.pricing.catalog_product import load_products
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution, sum_distributions
from app.service.pricing.explanation_wire import build_line_term, read_stated, to_next_step
from app.service.pricing.quote_comparison import build_priced_line
from app.service.pricing.scope_estimate import PricedProduct, ProductEstimator
from app.service.pricing.verdict import judge_line, judge_total
from app.service.pricing.wire import round_money
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, find_months_of_part
from app.service.values.currencies import list_codes
from app.service.values.rounding import round_to_cents

_HUNDRED = Decimal(100)
_MAX_MONTHS = 1_200
_SCOPES_AT_ONCE, _LINES_AT_ONCE = 500, 1_000


@dataclass(frozen=True, slots=True)
class AgreementPrices:
    """The lines of an agreement against the market. `compared` is how many per cent of what they cost was
    compared with enough purchases, `estimate` the median and `saving` what is paid above it for those; None
    where nothing was compared. `next_step` is what to do about all of them, None where too little was
    compared."""

    lines: Sequence[MarketLine]
    amount: Decimal | None
    compared: Decimal
    estimate: Decimal | None
    saving: Decimal | None
    next_step: NextStep | None = None

    @property
    def certainty(self) -> str:
        if not self.compared:
            return "thin"
        return "strong" if self.compared >= MIN_COVERED_PERCENT else "partial"


@dataclass(frozen=True, slots=True)
class _PricedLine:
    """A line that can be priced: `at` is its position in its agreement."""

    agreement_id: str
    at: int
    line: AgreementLine
    product_id: str
    quantity: Decimal
    amount: Decimal
    months: int | None
    stated: Mapping[str, Decimal | str | None]
    """The values of the product's dimensions that the scope states which was agreed for."""


def price_agreements(
    database: Database, organisation_id: str, agreements: Sequence[StoredAgreement], today: date
) -> dict[str, AgreementPrices]:
    """Price the lines of agreements of an organisation today. Lines are taken in the order of their products,
    so that the purchases of a product are read once; no transaction lasts longer than some of them."""
    priced: dict[tuple[str, int], MarketLine] = {}
    judged: dict[tuple[str, int], PriceDistribution] = {}
    prepared: list[tuple[str, _PricedLine]] = []
    with database.reading() as connection:
        scopes = _load_scopes(connection, [one.agreed.scope_id for one in agreements if one.agreed.scope_id])
    for one in agreements:
        whole, terms = scopes.get(one.agreed.scope_id or "", (0, ()))
        lines = one.agreed.lines or ()
        share, amounts = find_discounted_share(one.agreed), list_line_amounts(one.agreed)
        if amounts == [None] and one.agreed.total_value is not None:  # it is all that is paid for
            is_once = all(line.recurring is False for line in lines)
            amounts = [one.agreed.total_value - (0 if is_once else one.agreed.one_time_value or 0)]
        matched = zip(lines, match_terms(lines, terms), amounts, strict=True)
        for at, (line, term, amount) in enumerate(matched):
            ready = _prepare(one, at, line, amount, share, term, whole)
            if isinstance(ready, _PricedLine):
                assert one.agreed.currency is not None
                prepared.append((one.agreed.currency, ready))
            else:
                priced[one.id, at] = ready
    prepared.sort(key=lambda each: (each[0], each[1].product_id))
    for currency, some in groupby(prepared, key=lambda each: each[0]):
        for lines in batched((ready for _, ready in some), _LINES_AT_ONCE):
            with database.reading() as connection:
                for ready, (result, price) in zip(
                    lines, _price_lines(connection, organisation_id, currency, lines, today), strict=True
                ):
                    priced[ready.agreement_id, ready.at] = result
                    if price is not None:
                        judged[ready.agreement_id, ready.at] = price
    return {
        one.id: summarise(
            [priced[one.id, at] for at in places],
            [judged[one.id, at] for at in places if (one.id, at) in judged],
        )
        for one in agreements
        for places in [range(len(one.agreed.lines or ()))]
    }


def summarise(lines: Sequence[MarketLine], judged: Sequence[PriceDistribution] = ()) -> AgreementPrices:
    """Add up the lines of an agreement; `judged` are the prices of those that have a verdict."""
    amounts = [line.amount for line in lines if line.amount is not None]
    amount = sum(amounts, Decimal(0)) if amounts else None
    sound = [line for line in lines if line.position not in (None, "withheld")]
    covered = sum((line.amount or Decimal(0) for line in sound), Decimal(0))
    # Of a line without an amount nobody knows how much of the whole it is.
    unknown = any(line.amount is None for line in lines)
    share = _HUNDRED * covered / amount if amount else Decimal(0)
    compared = min(share, Decimal(MIN_COVERED_PERCENT - 1)) if unknown else share
    is_strong = compared >= MIN_COVERED_PERCENT and amount is not None
    step = _find_next_step(lines, judged, covered, amount - covered) if is_strong and amount else None
    return AgreementPrices(
        lines=lines,
        amount=amount,
        # Rounded down: 100 % is all of it, and what is too little for a strong one stays so.
        compared=max(compared, Decimal(1)).quantize(Decimal(1), ROUND_FLOOR) if compared else compared,
        estimate=sum((line.median or Decimal(0) for line in sound), Decimal(0)) if sound else None,
        saving=sum((line.saving or Decimal(0) for line in sound), Decimal(0)) if sound else None,
        next_step=step,
    )


def _find_next_step(
    lines: Sequence[MarketLine], judged: Sequence[PriceDistribution], covered: Decimal, rest: Decimal
) -> NextStep | None:
    """What to do about all lines: `covered` is paid for those with these prices, `rest` for the others."""
    if len(lines) == 1 or not judged:
        return lines[0].next_step if lines else None
    return to_next_step(judge_total(float(covered), sum_distributions(judged)), float(rest))


def _load_scopes(
    connection: Connection, scope_ids: Collection[str]
) -> dict[str, tuple[int, Sequence[StoredProductTerm]]]:
    """Return the whole months of scopes and the terms of their products, by the scope's id."""
    found: dict[str, tuple[int, Sequence[StoredProductTerm]]] = {}
    for some in batched(scope_ids, _SCOPES_AT_ONCE):
        columns = scope.c.id, scope.c.scope_terms, scope.c.product_terms
        for scope_id, parts, bought in connection.execute(sa.select(*columns).where(scope.c.id.in_(some))):
            whole = sum(StoredScopeTerm.from_record(part).months for part in parts)
            found[scope_id] = whole, [StoredProductTerm.from_record(one) for one in bought]
    return found


def _prepare(
    one: StoredAgreement,
    at: int,
    line: AgreementLine,
    price: Decimal | None,
    share: Decimal | None,
    term: StoredProductTerm | None,
    whole: int,
) -> _PricedLine | MarketLine:
    """Return what is needed to price a line, or the line with the reason why it cannot be compared. `share`
    is what is paid of its `price`, `term` what the scope that was agreed for states of it, `whole` the months
    of that scope."""
    amount = None if price is None or share is None else round_to_cents(price * share)
    part = line.months or (find_months_of_part(term, whole) if term is not None else None)
    months = part or count_term_months(one.agreed)
    months = None if months is None else min(months, _MAX_MONTHS)
    reasons = (
        (
            line.product_id is None,
            "Its product is not in the catalog, so there is nothing to compare it with.",
        ),
        (not line.quantity, "The quantity is not known."),
        (share is None, NOT_KNOWN),
        (not amount, "What it costs for the term is not known."),
        (one.agreed.currency not in list_codes(), "The currency is not known."),
        (months is None and line.recurring is not False, "The length of the term is not known."),
    )
    for holds, sentence in reasons:
        if holds:
            return MarketLine(
                description=line.description, product_id=line.product_id, amount=amount, statement=sentence
            )
    assert line.product_id is not None
    assert line.quantity is not None
    assert amount is not None
    stated = term.values if term is not None else {}
    return _PricedLine(one.id, at, line, line.product_id, line.quantity, amount, months, stated)


def _price_lines(
    connection: Connection, organisation_id: str, currency: str, lines: Sequence[_PricedLine], today: date
) -> Iterator[tuple[MarketLine, PriceDistribution | None]]:
    products = load_products(connection, {line.product_id for line in lines}, organisation_id)
    estimator = ProductEstimator(connection, organisation_id, currency, today)
    for product_id, of_product in groupby(lines, key=lambda line: line.product_id):
        some, product = list(of_product), products.get(product_id)
        if product is None:
            gone = "Its product is no longer in the catalog."
            yield from ((_describe(line, {}, gone), None) for line in some)
            continue
        read = cache(partial(read_stated, product))
        terms = [
            (
                build_line_term(
                    product, one.quantity, {**read(one.line.description, one.line.unit), **one.stated}
                ),
                [StoredScopeTerm(one.months or 0, "renewal")],
            )
            for one in some
        ]
        parts = estimator.estimate_terms(product, terms)
        yield from (_judge(part, line, today) for part, line in zip(parts, some, strict=True))


def _judge(
    part: PricedProduct, line: _PricedLine, today: date
) -> tuple[MarketLine, PriceDistribution | None]:
    """The line against the market, with its price where there is a verdict."""
    if isinstance(part.price, NotEstimable):
        return _describe(line, {}, f"It cannot be estimated: {part.price.reason}."), None
    verdict = judge_line(build_priced_line(part, float(line.amount), line.line.recurring), today)
    assert verdict is not None  # it has an amount
    low, median, high = (round_money(price) for price in part.price.quantiles((0.25, 0.5, 0.75)))
    found: Mapping[str, object] = {
        "percentile25": low,
        "median": median,
        "percentile75": high,
        "position": verdict.word,
        "price_level": verdict.level,
        "next_step": to_next_step(verdict),
        "purchases": len(part.price.comparables),
        "newest": part.price.newest,
    }
    if verdict.word == "withheld":
        return _describe(line, found, verdict.reasons[0]), None
    found = {**found, "saving": max(line.amount - median, Decimal(0))}
    return _describe(line, found, verdict.reasons[0]), replace(part.price, comparables=())


def _describe(line: _PricedLine, found: Mapping[str, object], statement: str) -> MarketLine:
    return MarketLine.model_validate(
        {
            "description": line.line.description,
            "product_id": line.product_id,
            "amount": line.amount,
            "statement": statement,
            **found,
        }
    )
