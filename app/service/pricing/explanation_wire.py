"""What an estimate rests on, what is quoted and the verdict on it, as the records of the interface."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row

from app.contract.pricing import (
    Accuracy,
    ListPrice,
    PriceComparable,
    PriceExplanation,
    PriceFactor,
    PriceVerdict,
    ProductExplanation,
    QuotedPrice,
    UnknownDimension,
    VerdictPart,
)
from app.contract.scope import Coverage, UncoveredLine
from app.service.pricing.backtest.figures import MIN_SUPPLIER_PURCHASES
from app.service.pricing.calibration_store import load_accuracy
from app.service.pricing.estimator.distribution import Comparable, NotEstimable, PriceDistribution
from app.service.pricing.estimator.relations import displayed_level
from app.service.pricing.price_references import PublishedPrice, find_list_price, load_quoted_prices
from app.service.pricing.quote_comparison import ScopeVerdicts, judge_scope
from app.service.pricing.scope_estimate import PricedProduct, PricedScope
from app.service.pricing.store import load_purchase_details
from app.service.pricing.verdict import MAX_RATIO_TO_LIST, MIN_RATIO_TO_LIST, Verdict, format_percent
from app.service.pricing.wire import collect_comparable_ids, round_money, round_to_step
from app.service.purchase_records.records import UNIT
from app.service.purchases.attributes import option_label
from app.service.scopes.quote import QuoteCoverage, QuoteLine, ScopeQuote
from app.service.scopes.terms import ProductTerm, ScopeTerm


def build_explanation(
    connection: Connection,
    organisation_id: str,
    scope: PricedScope,
    *,
    scope_terms: Sequence[ScopeTerm],
    product_terms: Sequence[ProductTerm],
    now: datetime,
    quote: ScopeQuote | None = None,
    quoted: float | None = None,
    own_scopes: Collection[str] = (),
) -> PriceExplanation:
    """Of a priced scope. `quote` is the document behind it, `quoted` a total that somebody typed; prices
    quoted in `own_scopes`, itself and the one with its document, are no evidence beside it."""
    today = now.date()
    listed = {
        at: found
        for at, part in enumerate(scope.products)
        if isinstance(part.price, PriceDistribution)
        and (
            found := find_list_price(
                connection,
                organisation_id,
                part.product,
                part.query,
                scope.rates,
                recurring=part.price.recurring,
                before=today,
            )
        )
    }
    judged = judge_scope(
        scope,
        {at: one.unit_price * _periods_and_quantity(scope.products[at]) for at, one in listed.items()},
        quote=quote,
        scope_terms=scope_terms,
        product_terms=product_terms,
        quoted=quoted,
        today=today,
    )
    rows = load_purchase_details(connection, collect_comparable_ids(scope))
    asked_elsewhere = load_quoted_prices(
        connection, organisation_id, {part.product.id for part in scope.products}, own_scopes
    )
    measured = {
        sample: load_accuracy(connection, sample=sample)
        for sample in {bool(part.product.company_sample) for part in scope.products}
    }
    return PriceExplanation(
        currency=scope.currency,
        timestamp=now,
        products=[
            _to_product_explanation(
                part,
                part.price,
                rows,
                listed.get(at),
                asked_elsewhere[part.product.id],
                judged.amounts.get(at),
                judged.lines.get(at),
                measured[bool(part.product.company_sample)],
            )
            for at, part in enumerate(scope.products)
            if isinstance(part.price, PriceDistribution)
        ],
        coverage=None if judged.coverage is None else to_coverage(judged.coverage, scope.products),
        verdict=None if judged.whole is None else _to_whole_verdict(judged, judged.whole),
    )


def _periods_and_quantity(part: PricedProduct) -> float:
    assert isinstance(part.price, PriceDistribution)
    return part.price.multiple


def _to_product_explanation(
    part: PricedProduct,
    price: PriceDistribution,
    rows: Mapping[str, Row[Any]],
    listed: PublishedPrice | None,
    quoted: Sequence[Row[Any]],
    amount: float | None,
    judged: Verdict | None,
    measured: Mapping[str, Any],
) -> ProductExplanation:
    product = part.product
    alike = [one for one in price.comparables if one.like_for_like]
    return ProductExplanation(
        product_id=product.id,
        name=product.name,
        level=displayed_level(price.level, price.comparables),
        best_similarity=Decimal(price.best_similarity),
        purchases=price.purchases,
        effective_purchases=round_to_step(price.effective_purchases, "0.1"),
        newest=price.newest,
        unit_price=round_money(price.unit_price(0.5)),
        recurring=price.recurring,
        factors=[
            PriceFactor(name=factor.name, effect=round_to_step(factor.effect, "0.0001"))
            for factor in price.factors
        ],
        comparables=[_to_comparable(one, rows[one.id], part) for one in price.comparables if one.id in rows],
        sample=product.company_sample,
        like_for_like=len(alike),
        newest_like_for_like=max((one.purchase_date for one in alike), default=None),
        unit=part.query.unit,
        quantity=round_to_step(part.query.quantity, "0.0001"),
        months=Decimal(part.query.term_months) if price.recurring and part.query.term_months else None,
        quoted_amount=None if amount is None else round_money(amount),
        quoted_unit_price=None if amount is None else round_money(amount / price.multiple),
        list_price=None if listed is None else _to_list_price(listed, price),
        unknown_dimensions=[UnknownDimension(id=one["id"], name=one["name"]) for one in part.unknown],
        quoted=[_to_quoted_price(row) for row in quoted],
        accuracy=_to_accuracy(measured, product.company_id, price.level),
        verdict=None if judged is None else _to_verdict(judged),
    )


def _to_comparable(one: Comparable, row: Row[Any], part: PricedProduct) -> PriceComparable:
    dimensions = {one["id"]: one for one in part.product.dimensions}
    shown = {
        column: dimensions[key]
        for key, column in part.product.dimension_source.items()
        if key in dimensions and column != UNIT
    }
    return PriceComparable(
        id=one.id,
        purchase_date=one.purchase_date,
        quantity=round_to_step(row.quantity, "0.0001"),
        term_months=Decimal(row.term_months or 0),
        unit_price=round_money(one.unit_price),
        weight=round_to_step(one.weight, "0.0001"),
        similarity=Decimal(one.similarity),
        parts={name: Decimal(share) for name, share in one.parts.items()},
        discount=_discount_percent(row),
        converted_from=row.currency if one.id in part.converted else None,
        relation=one.relation,
        own=one.id in part.own,
        supplier=row.supplier,
        product_name=row.wording,
        attributes={
            shown[column]["name"]: _format_value(shown[column], value)
            for column, value in row.attributes.items()
            if column in shown
        },
        unit=row.unit,
        paid=round_money(row.unit_price),
        paid_currency=row.currency,
        price_period=row.price_period,
    )


def _format_value(dimension: Mapping[str, Any], value: str | float) -> str:
    """A value as a person reads it: of a tick, whether it is set."""
    if dimension["formField"]["type"] == "checkbox":
        return "yes" if value else "no"
    return option_label(value)


def _discount_percent(row: Row[Any]) -> Decimal | None:
    """Per cent off the list price; None where none is known or more than it was paid."""
    if not row.list_price or row.unit_price > row.list_price:
        return None
    return round_to_step(100 * (1 - row.unit_price / row.list_price), "0.1")


def _to_list_price(listed: PublishedPrice, price: PriceDistribution) -> ListPrice:
    share = price.unit_price(0.5) / listed.unit_price
    if share > MAX_RATIO_TO_LIST:
        reason = (
            f"The median paid is {format_percent(share - 1)} above it, so the two are hardly the same thing."
        )
    elif share > 1.005:
        reason = (
            f"The median paid is {format_percent(share - 1)} above it: purchases may cover more than it does."
        )
    elif share >= 0.995:
        reason = "It is what is usually paid."
    else:
        which = (
            "so the two are hardly the same thing" if share < MIN_RATIO_TO_LIST else "as past purchases were"
        )
        reason = f"The median paid is {format_percent(1 - share)} below it, {which}."
    return ListPrice(
        unit_price=round_money(listed.unit_price),
        total=round_money(listed.unit_price * price.multiple),
        quantity=None if listed.quantity is None else round_to_step(listed.quantity, "0.0001"),
        stated_on=listed.stated_on,
        source="catalog" if listed.stated_on is None else "purchase",
        reason=reason,
    )


def _to_quoted_price(row: Row[Any]) -> QuotedPrice:
    return QuotedPrice(
        scope_id=row.scope_id,
        quoted_on=row.quoted_on,
        quantity=round_to_step(row.quantity, "0.0001"),
        term_months=None if row.term_months is None else Decimal(row.term_months),
        amount=round_money(row.amount),
        unit_price=round_money(row.amount / ((row.quantity or 1) * (row.term_months or 1))),
        currency=row.currency,
    )


def _to_accuracy(measured: Mapping[str, Any], company_id: str, level: str) -> Accuracy:
    """Of the supplier where enough was measured, else of the level, else of all."""
    levels = {one["level"]: one for one in measured.get("by_similarity", ())}
    for basis, figures in (
        ("supplier", measured.get("by_supplier", {}).get(company_id)),
        ("level", levels.get(level)),
        ("all", measured or None),
    ):
        if figures and figures["n"] >= MIN_SUPPLIER_PURCHASES and figures.get("mdape") is not None:
            return Accuracy(
                basis=basis,
                n=figures["n"],
                mdape=round_to_step(figures["mdape"], "0.0001"),
                coverage80=round_to_step(figures["coverage80"], "0.0001"),
            )
    return Accuracy(basis="not_measured")


def _to_verdict(judged: Verdict, *, on_the_whole: bool = True) -> PriceVerdict:
    return PriceVerdict(
        word=judged.word,
        reasons=list(judged.reasons),
        basis="whole" if on_the_whole else "covered_lines",
        judged_amount=round_money(judged.amount),
        target=None if judged.target is None else round_money(judged.target),
        to_target=None if judged.target is None else round_money(judged.amount) - round_money(judged.target),
        median=None if judged.median is None else round_money(judged.median),
    )


def _to_whole_verdict(judged: ScopeVerdicts, whole: Verdict) -> PriceVerdict:
    found = _to_verdict(whole, on_the_whole=judged.on_the_whole)
    if whole.word != "withheld":
        found.parts = [
            VerdictPart(recurring=recurring, judged_amount=round_money(amount), median=round_money(median))
            for recurring, amount, median in judged.parts
        ]
    return found


def to_coverage(found: QuoteCoverage, products: Sequence[PricedProduct]) -> Coverage:
    """How much of a quote the estimates of its products cover, with why the rest is not."""
    return Coverage(
        share=None if found.share is None else round_to_step(float(found.share), "0.0001"),
        covered_amount=found.covered,
        quoted_amount=found.quoted,
        lines=found.lines,
        lines_covered=found.covered_lines,
        uncovered=[
            UncoveredLine(
                description=line.description, amount=line.amount, why=_explain_uncovered(line, products)
            )
            for line in found.aside
        ],
    )


def _explain_uncovered(line: QuoteLine, products: Sequence[PricedProduct]) -> str:
    if line.role == "not_product":
        return "It is no product."
    if line.role == "left_aside":
        return "It was left aside."
    if line.term is None or line.term >= len(products):
        return "It is matched to no product of the catalog."
    price = products[line.term].price
    return f"Nothing can be estimated: {price.reason}." if isinstance(price, NotEstimable) else ""
