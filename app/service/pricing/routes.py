"""Price estimates of scopes. They change with every purchase on record, so no answer may be cached."""

from collections.abc import Collection, Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Query
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.pricing import (
    AdvancedEstimate,
    BasicEstimate,
    PreviewedEstimate,
    PriceExplanation,
    PricePreview,
    ProductPrices,
)
from app.contract.values import NOT_VANISHING, Id
from app.service.access.caller import Caller
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute, read_only
from app.service.catalog.wire import Record
from app.service.context import Context
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension, operation
from app.service.http.problems import ApiProblem, not_found
from app.service.http.responses import NO_STORE, json_response
from app.service.pricing.catalog_product import load_products as load_catalog_products
from app.service.pricing.estimator.distribution import PriceDistribution, ScopePrice
from app.service.pricing.explanation_wire import explain_scope
from app.service.pricing.past_purchases import load_purchase_counts, load_purchase_details
from app.service.pricing.product_prices import load_product_prices
from app.service.pricing.rates.store import load_rates
from app.service.pricing.scope_estimate import (
    PricedScope,
    ScopeTooLarge,
    estimate_scope,
    explain_missing_price,
)
from app.service.pricing.wire import collect_comparable_ids, to_advanced_estimate, to_basic_estimate
from app.service.scopes.quote_store import load_quote
from app.service.scopes.store import (
    StoredScope,
    find_followed_scope,
    find_scope,
    follow_parts,
    load_products,
)
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, check_product_terms

router = APIRouter(prefix="/v1/pricing", tags=["Pricing"], route_class=GuardedRoute)

PRICING_FAILED = "Pricing failed"
MAX_PROCESSOR_SECONDS = 10.0
"""What one estimate may cost. 200 products take 0.6 seconds where 20,000 purchases are on record."""

ScopeId = Annotated[Id, Path(alias="scopeId")]


@router.get(
    "/basic/{scopeId}",
    **operation("basicEstimates.read", "Estimate a scope in three percentiles", BasicEstimate, 404, 422),
)
@counts_as(WorkKind.PRICING)
def basic(scope_id: ScopeId, context: ContextDep, caller: CallerDep) -> Response:
    """Returns three percentiles of the whole scope's price for its term, before tax."""
    with context.database.reading() as connection:
        _, _, total = _price_stored_scope(context, connection, caller, scope_id)
    return json_response(to_basic_estimate(total, context.clock()), headers=NO_STORE)


@router.get(
    "/advanced/{scopeId}",
    **operation(
        "advancedEstimates.read",
        "Estimate a scope in 17 percentiles, with the evidence",
        AdvancedEstimate,
        404,
        422,
    ),
)
@counts_as(WorkKind.PRICING)
def advanced(scope_id: ScopeId, context: ContextDep, caller: CallerDep) -> Response:
    """Returns 17 percentiles, the estimate of each product and the purchases they are based on."""
    with context.database.reading() as connection:
        _, scope, total = _price_stored_scope(context, connection, caller, scope_id)
        return json_response(
            _load_advanced_estimate(context, connection, caller, scope, total), headers=NO_STORE
        )


@router.get(
    "/explanation/{scopeId}",
    **extension("explanations.read", "Explain the estimate of a scope", PriceExplanation, 404, 422),
)
@counts_as(WorkKind.PRICING)
def explain(
    scope_id: ScopeId,
    context: ContextDep,
    caller: CallerDep,
    quoted: Annotated[float | None, Query(gt=0, lt=1e12, allow_inf_nan=False), NOT_VANISHING] = None,
) -> Response:
    """Returns the causes that changed the estimate, how strong and recent its evidence is, how much of the
    scope's quote it covers, and the verdict on the quoted price: the total in `quoted`, before tax and for
    the whole term, else the scope's own price."""
    with context.database.reading() as connection:
        row, scope, _ = _price_stored_scope(context, connection, caller, scope_id)
        explained = explain_scope(
            connection,
            caller.organisation_id,
            scope,
            scope_terms=row.scope_terms,
            product_terms=row.product_terms,
            now=context.clock(),
            own_scopes={scope_id, row.document_scope_id or scope_id},
            quote=load_quote(connection, row),
            quoted=quoted,
        )
    return json_response(explained, headers=NO_STORE)


@router.get(
    "/products/{productId}",
    **extension("productPrices.read", "Read what a product was bought for", ProductPrices, 404),
)
def read_product_prices(
    product_id: Annotated[Id, Path(alias="productId")], context: ContextDep, caller: CallerDep
) -> Response:
    """Returns the range of the price of one unit in the latest purchases of a product, by unit and period,
    with the number of purchases behind each. A range of too few purchases is withheld."""
    with context.database.reading() as connection:
        product = load_catalog_products(connection, [product_id], caller.organisation_id).get(product_id)
        if product is None:
            raise not_found("product")
        prices = load_product_prices(
            connection,
            caller.organisation_id,
            product,
            currency=product.currency or context.settings.currency,
            rates=load_rates(connection, caller.organisation_id),
            now=context.clock(),
        )
    return json_response(prices, headers=NO_STORE)


@router.post(
    "/preview",
    **extension("estimates.preview", "Estimate a scope without storing it", PreviewedEstimate, 422),
)
@read_only
@counts_as(WorkKind.PRICING)
def preview(body: PricePreview, context: ContextDep, caller: CallerDep) -> Response:
    """Estimates a scope without storing it, and without the purchases in `exclude`. The estimate is in the
    currency of the previous scope where one is named."""
    with context.database.reading() as connection:
        products = load_products(
            connection, (term.product_id for term in body.product_terms), caller.organisation_id
        )
        dimensions = {key: product.dimensions for key, product in products.items()}
        followed = find_followed_scope(connection, caller.organisation_id, body.previous_scope_id)
        asked = follow_parts(body.product_terms, followed)
        wrong = check_product_terms(asked, dimensions, body.scope_terms)
        if wrong:
            raise ApiProblem(400, "The scope is not valid.", errors=wrong)
        scope_terms = [StoredScopeTerm.from_request(term) for term in body.scope_terms]
        product_terms = [StoredProductTerm.from_request(term) for term in asked]
        scope, total = _estimate_terms(
            context,
            connection,
            caller,
            scope_terms,
            product_terms,
            context.settings.currency if followed is None else followed.currency,
            body.exclude,
        )
        estimate = _load_advanced_estimate(context, connection, caller, scope, total)
        explained = explain_scope(
            connection,
            caller.organisation_id,
            scope,
            scope_terms=scope_terms,
            product_terms=product_terms,
            now=context.clock(),
            own_scopes={body.previous_scope_id or ""},
            quoted=None if body.quoted is None else float(body.quoted),
        )
    previewed = {key: value for key, value in explained.wire().items() if key in ("products", "verdict")}
    return json_response({**estimate, **previewed}, headers=NO_STORE)


def _price_stored_scope(
    context: Context, connection: Connection, caller: Caller, scope_id: str
) -> tuple[StoredScope, PricedScope, ScopePrice]:
    row = _load_priceable_scope(connection, caller, scope_id)
    scope, total = _estimate_terms(
        context, connection, caller, row.scope_terms, row.product_terms, row.currency, own_scopes={row.id}
    )
    return row, scope, total


def _load_priceable_scope(connection: Connection, caller: Caller, scope_id: str) -> StoredScope:
    row = find_scope(connection, caller.organisation_id, scope_id)
    if row is None:
        raise not_found("scope")
    if not row.product_terms:
        why = (
            "No estimate yet: the document is still being read."
            if row.is_being_read
            else "No estimate yet: no line is matched to a product in the catalog. Match the lines in the "
            "review and confirm them."
        )
        raise ApiProblem(422, why, title=PRICING_FAILED)
    return row


def _estimate_terms(
    context: Context,
    connection: Connection,
    caller: Caller,
    scope_terms: Sequence[StoredScopeTerm],
    product_terms: Sequence[StoredProductTerm],
    currency: str,
    exclude: Collection[str] = (),
    own_scopes: Collection[str] = (),
) -> tuple[PricedScope, ScopePrice]:
    """Raises ApiProblem 422 when nothing of the scope can be estimated, or it takes too long."""
    try:
        scope = estimate_scope(
            connection,
            organisation_id=caller.organisation_id,
            scope_terms=scope_terms,
            product_terms=product_terms,
            currency=currency,
            today=context.clock().date(),
            exclude=exclude,
            processor_seconds=MAX_PROCESSOR_SECONDS,
        )
    except ScopeTooLarge as error:
        why = (
            f"The scope is too large to estimate at once: {error.done} of its {error.total} products took "
            f"{MAX_PROCESSOR_SECONDS:g} seconds. Split it into smaller scopes."
        )
        raise ApiProblem(422, why, title=PRICING_FAILED) from None
    for product in scope.products:
        price = product.price
        context.metrics.count_estimate(price.level if isinstance(price, PriceDistribution) else "none")
    if scope.total is None:
        why = explain_missing_price(connection, caller.organisation_id, scope.products, currency, own_scopes)
        raise ApiProblem(422, why, title=PRICING_FAILED)
    return scope, scope.total


def _load_advanced_estimate(
    context: Context, connection: Connection, caller: Caller, scope: PricedScope, total: ScopePrice
) -> Record:
    companies = {part.product.company_id for part in scope.products}
    counts = load_purchase_counts(connection, caller.organisation_id, companies)
    details = load_purchase_details(connection, collect_comparable_ids(scope))
    return to_advanced_estimate(scope, total, details, counts, context.clock())
