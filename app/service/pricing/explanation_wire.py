"""Turns the evidence behind an estimate, the quote and the verdict on it into the explanation of the
interface."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Connection

from app.contract.catalog import CheckboxField, PricingDimension
from app.contract.pricing import (
    Accuracy,
    ListPrice,
    NextStep,
    PriceComparable,
    PriceExplanation,
    PriceFactor,
    PriceVerdict,
    ProductExplanation,
    QuotedPrice,
    UnknownDimension,
    VerdictPart,
    Widening,
)
from app.contract.scope import Coverage, UncoveredLine
from app.service.access.capacity import giving_way
from app.service.background.tasks import find_due
from app.service.catalog.line_match import LineMatch
from app.service.documents.extraction import Extraction, LineItem
from app.service.pricing.calibration_store import MeasuredAccuracy, load_accuracy
from app.service.pricing.catalog_product import CatalogProduct
from app.service.pricing.estimator.distribution import Comparable, Level, NotEstimable, PriceDistribution
from app.service.pricing.estimator.explanation import displayed_level
from app.service.pricing.estimator.newness import MIN_WIDENED, explain_widening
from app.service.pricing.next_step import find_next_step
from app.service.pricing.past_purchases import PurchaseDetails, load_purchase_details
from app.service.pricing.price_references import (
    EarlierQuote,
    PublishedPrice,
    find_list_price,
    load_quoted_prices,
)
from app.service.pricing.quote_comparison import ScopeVerdicts, judge_scope
from app.service.pricing.scope_estimate import PricedProduct, PricedScope
from app.service.pricing.verdict import MAX_RATIO_TO_LIST, MIN_RATIO_TO_LIST, Verdict, format_percent
from app.service.pricing.wire import collect_comparable_ids, round_money, round_to_step
from app.service.purchase_records import UNIT_COLUMN
from app.service.purchases.attributes import format_option
from app.service.purchases.importing import ALL_PURCHASES, LEARN_TASK
from app.service.scopes.line_dimensions import read_dimensions
from app.service.scopes.quote import QuoteCoverage, QuoteLine, ScopeQuote
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, TermDimension


def explain_scope(
    connection: Connection,
    organisation_id: str,
    scope: PricedScope,
    *,
    scope_terms: Sequence[StoredScopeTerm],
    product_terms: Sequence[StoredProductTerm],
    now: datetime,
    own_scopes: Collection[str],
    quote: ScopeQuote | None = None,
    quoted: float | None = None,
) -> PriceExplanation:
    """Explain a priced scope. Prices quoted in `own_scopes`, which are the scope itself and the one with its
    document, are left out of the other quotes. `quote` is the document behind it, `quoted` a total that
    somebody typed."""
    list_prices = {
        at: (found, found.unit_price * part.price.multiple)
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
                before=now.date(),
            )
        )
    }
    purchases = load_purchase_details(connection, collect_comparable_ids(scope))
    earlier_quotes = load_quoted_prices(
        connection, organisation_id, {part.product.id for part in scope.products}, own_scopes
    )
    accuracies = {
        sample: load_accuracy(connection, sample=sample)
        for sample in {part.product.company_sample for part in scope.products}
    }
    learning_due = find_due(connection, kind=LEARN_TASK, subject_id=ALL_PURCHASES)
    judged = judge_scope(
        scope,
        {at: total for at, (_, total) in list_prices.items()},
        quote=quote,
        scope_terms=scope_terms,
        product_terms=product_terms,
        quoted=quoted,
        today=now.date(),
    )
    is_term_assumed = any(one.term_assumed for one in scope_terms) or (
        quote is not None and quote.is_term_assumed
    )
    return PriceExplanation(
        currency=scope.currency,
        timestamp=now,
        products=[
            _to_product_explanation(
                part,
                part.price,
                purchases,
                list_prices[at][0] if at in list_prices else None,
                earlier_quotes[part.product.id],
                judged.amounts.get(at),
                judged.lines.get(at),
                accuracies[part.product.company_sample],
                None if part.product.company_sample else learning_due,
                is_term_assumed=is_term_assumed,
            )
            for at, part in enumerate(giving_way(scope.products))
            if isinstance(part.price, PriceDistribution)
        ],
        coverage=None if judged.coverage is None else to_coverage(judged.coverage, scope.products),
        verdict=None if judged.whole is None else _to_whole_verdict(judged, judged.whole),
    )


def _to_product_explanation(
    part: PricedProduct,
    price: PriceDistribution,
    purchases: Mapping[str, PurchaseDetails],
    list_price: PublishedPrice | None,
    earlier_quotes: Sequence[EarlierQuote],
    quoted_amount: float | None,
    verdict: Verdict | None,
    accuracy: MeasuredAccuracy,
    learning_due: datetime | None,
    *,
    is_term_assumed: bool,
) -> ProductExplanation:
    product = part.product
    assert part.query.quantity is not None  # what is priced has one
    # What is asked for a time that nobody has said is no price of a month.
    has_unit_price = quoted_amount is not None and not (price.recurring and is_term_assumed)
    like_for_like = [one for one in price.comparables if one.like_for_like]
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
        comparables=[
            _to_comparable(one, purchases[one.id], part) for one in price.comparables if one.id in purchases
        ],
        sample=product.company_sample,
        like_for_like=len(like_for_like),
        newest_like_for_like=max((one.purchase_date for one in like_for_like), default=None),
        unit=part.query.unit,
        quantity=round_to_step(part.query.quantity, "0.0001"),
        months=Decimal(part.query.term_months) if price.recurring and part.query.term_months else None,
        quoted_amount=None if quoted_amount is None else round_money(quoted_amount),
        quoted_unit_price=round_money((quoted_amount or 0) / price.multiple) if has_unit_price else None,
        list_price=None if list_price is None else _to_list_price(list_price, price),
        unknown_dimensions=[UnknownDimension(id=one.id, name=one.name) for one in part.unknown],
        quoted=[_to_quoted_price(quote.assume(recurring=price.recurring)) for quote in earlier_quotes],
        accuracy=_to_accuracy(accuracy, product.company_id, price.level),
        widening=_to_widening(price),
        learnt_on=price.learnt_on,
        learning_due=learning_due,
        verdict=None if verdict is None else _to_verdict(verdict),
    )


def _to_comparable(one: Comparable, purchase: PurchaseDetails, part: PricedProduct) -> PriceComparable:
    dimensions = {dimension.id: dimension for dimension in part.product.dimensions}
    shown = {
        column: dimensions[key]
        for key, column in part.product.dimension_source.items()
        if key in dimensions and column != UNIT_COLUMN
    }
    return PriceComparable(
        id=one.id,
        purchase_date=one.purchase_date,
        quantity=round_to_step(purchase.quantity, "0.0001"),
        term_months=Decimal(purchase.term_months or 0),
        unit_price=round_money(one.unit_price),
        weight=round_to_step(one.weight, "0.0001"),
        similarity=Decimal(one.similarity),
        parts={name: Decimal(share) for name, share in one.parts.items()},
        discount=_discount_percent(purchase),
        converted_from=purchase.currency if one.id in part.converted_ids else None,
        relation=one.relation,
        own=one.id in part.own_ids,
        other_pack=one.other_pack,
        supplier=purchase.supplier,
        product_name=purchase.text,
        attributes={
            shown[column].name: _format_value(shown[column], value)
            for column, value in purchase.attributes.items()
            if column in shown
        },
        unit=purchase.unit,
        paid=round_money(purchase.unit_price),
        paid_currency=purchase.currency,
        price_period=purchase.price_period,
    )


def _format_value(dimension: PricingDimension, value: str | float) -> str:
    """A value as a person reads it; of a checkbox, whether it is set."""
    if isinstance(dimension.form_field, CheckboxField):
        return "yes" if value else "no"
    return format_option(value)


def _discount_percent(purchase: PurchaseDetails) -> Decimal | None:
    """Per cent off the list price; None where there is none, or where more than it was paid."""
    if not purchase.list_price or purchase.unit_price > purchase.list_price:
        return None
    return round_to_step(100 * (1 - purchase.unit_price / purchase.list_price), "0.1")


def _to_list_price(listed: PublishedPrice, price: PriceDistribution) -> ListPrice:
    share = price.unit_price(0.5) / listed.unit_price
    if share > MAX_RATIO_TO_LIST:
        reason = (
            f"The median price paid is {format_percent(share - 1)} above it: probably not for the same thing."
        )
    elif share > 1.005:
        reason = f"The median price paid is {format_percent(share - 1)} above it: purchases may include more."
    elif share >= 0.995:
        reason = "It equals the median price paid."
    else:
        reason = f"The median price paid is {format_percent(1 - share)} below it"
        reason += ": probably not for the same thing." if share < MIN_RATIO_TO_LIST else "."
    return ListPrice(
        unit_price=round_money(listed.unit_price),
        total=round_money(listed.unit_price * price.multiple),
        quantity=None if listed.quantity is None else round_to_step(listed.quantity, "0.0001"),
        stated_on=listed.stated_on,
        source="price_list" if listed.scope_id else "catalog" if listed.stated_on is None else "purchase",
        scope_id=listed.scope_id,
        reason=reason,
    )


def _to_quoted_price(quote: EarlierQuote) -> QuotedPrice:
    return QuotedPrice(
        scope_id=quote.scope_id,
        quoted_on=quote.quoted_on,
        quantity=round_to_step(quote.quantity, "0.0001"),
        term_months=None if quote.term_months is None else Decimal(quote.term_months),
        amount=round_money(quote.amount),
        unit_price=round_money(quote.unit_price),
        currency=quote.currency,
    )


def _to_accuracy(measured: MeasuredAccuracy, company_id: str, level: Level) -> Accuracy:
    basis, figures = measured.most_specific(company_id, level)
    if figures is None or figures.mdape is None:
        return Accuracy(basis="not_measured")
    return Accuracy(
        basis=basis,
        n=figures.n,
        mdape=round_to_step(figures.mdape, "0.0001"),
        coverage80=round_to_step(figures.coverage80, "0.0001"),
        verdicts=measured.verdicts,
        wrong_verdicts=measured.wrong_verdicts,
    )


def _to_widening(price: PriceDistribution) -> Widening | None:
    if price.widened < MIN_WIDENED:
        return None
    return Widening(
        newness=price.newness,
        by=round_to_step(price.widened, "0.0001"),
        reason=explain_widening(price.newness, price.widened),
    )


def _to_verdict(judged: Verdict, *, on_the_whole: bool = True, rest: float = 0.0) -> PriceVerdict:
    """The verdict of the interface. `rest` is quoted for what it does not cover, and stays so."""
    return PriceVerdict(
        word=judged.word,
        price_level=judged.level,
        reasons=list(judged.reasons),
        basis="whole" if on_the_whole else "covered_lines",
        judged_amount=round_money(judged.amount),
        target=None if judged.target is None else round_money(judged.target + rest),
        to_target=None if judged.target is None else round_money(judged.amount) - round_money(judged.target),
        median=None if judged.median is None else round_money(judged.median),
        next_step=to_next_step(judged, rest),
    )


def to_next_step(judged: Verdict, rest: float = 0.0) -> NextStep:
    """What to do after a verdict, with the amount; `rest` is quoted for what it does not cover."""
    return find_next_step(
        judged.level,
        round_money(judged.amount + rest),
        opening=round_money((judged.opening or 0.0) + rest),
        target=round_money((judged.target or 0.0) + rest),
    )


def _to_whole_verdict(judged: ScopeVerdicts, whole: Verdict) -> PriceVerdict:
    rest = judged.rest if judged.on_the_whole else 0.0
    verdict = _to_verdict(whole, on_the_whole=judged.on_the_whole, rest=rest)
    if whole.word == "withheld":
        return verdict
    parts = [
        VerdictPart(recurring=recurring, judged_amount=round_money(amount), median=round_money(median))
        for recurring, amount, median in judged.parts
    ]
    return verdict.model_copy(update={"parts": parts})


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
            for line in found.uncovered
        ],
    )


def _explain_uncovered(line: QuoteLine, products: Sequence[PricedProduct]) -> str:
    if line.role == "not_product":
        return "It is not a product."
    if line.role == "left_aside":
        return "It was left out."
    if line.term is None or line.term >= len(products):
        return "It is not matched to a product in the catalog."
    price = products[line.term].price
    return f"No estimate: {price.reason}." if isinstance(price, NotEstimable) else ""


def build_line_term(
    product: CatalogProduct, quantity: Decimal, stated: Mapping[str, Decimal | str | None]
) -> StoredProductTerm:
    """Return the term of a line that names a product, with the dimensions of `stated`, by their ids."""
    return StoredProductTerm(
        product.id,
        [
            TermDimension(one.id, quantity if one.id == product.quantity_dimension_id else stated.get(one.id))
            for one in product.dimensions
            if one.id == product.quantity_dimension_id or one.id in stated or one.form_field.required
        ],
    )


def read_stated(
    product: CatalogProduct, description: str, unit: str | None
) -> Mapping[str, Decimal | str | None]:
    """Return the dimensions that the description of a line states, by their ids, read as in a document."""
    # How many are bought changes none of them, only that some are.
    item = LineItem(description=description, quantity=Decimal(1), unit=unit)
    match = LineMatch(
        product.id, product.name, 100.0, "id", product.dimensions, product.quantity_dimension_id
    )
    read = read_dimensions(item, match, Extraction(file=""))
    return {one.id: one.value for one in read if one.source == "read"}
