"""Price estimates of scopes. They change with every purchase on record, so no answer may be kept."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.catalog import PricingDimension
from app.contract.pricing import (
    AdvancedEstimate,
    BasicEstimate,
    PreviewedEstimate,
    PriceCalibration,
    PriceExplanation,
    PricePreview,
)
from app.contract.values import Id
from app.service.access.caller import Caller
from app.service.access.guard import CallerHere, GuardedRoute, changes_nothing
from app.service.answers import NO_STORE, answer
from app.service.context import Context
from app.service.here import Here
from app.service.openapi import problems
from app.service.pricing.distribution import NotEstimable
from app.service.pricing.estimating import PricedScope, estimate_scope
from app.service.pricing.learnt import stored_backtest
from app.service.pricing.scope import ScopePrice
from app.service.pricing.store import purchase_counts, purchase_rows
from app.service.pricing.wire import advanced_estimate, basic_estimate, comparable_ids, explanation
from app.service.problems import ApiProblem, not_found
from app.service.scopes.store import check_scope_terms, currency_after, products_of, scope_of
from app.service.scopes.terms import check_product_terms

router = APIRouter(prefix="/v1/pricing", tags=["Pricing"], route_class=GuardedRoute)

PRICING_FAILED = "Pricing failed"

ScopeId = Annotated[Id, Path(alias="scopeId")]


@router.get("/basic/{scopeId}", response_model=BasicEstimate, responses=problems(404, 422))
def basic(scope_id: ScopeId, here: Here, caller: CallerHere) -> Response:
    """Three percentiles of the whole scope's price for its term."""
    with here.database.reading() as connection:
        _, total = _priced(here, connection, caller, scope_id)
    return answer(basic_estimate(total, here.clock()), headers=NO_STORE)


@router.get("/advanced/{scopeId}", response_model=AdvancedEstimate, responses=problems(404, 422))
def advanced(scope_id: ScopeId, here: Here, caller: CallerHere) -> Response:
    """17 percentiles, each product's part and the purchases behind them."""
    with here.database.reading() as connection:
        scope, total = _priced(here, connection, caller, scope_id)
        return answer(_advanced(here, connection, caller, scope, total), headers=NO_STORE)


@router.get(
    "/explanation/{scopeId}",
    response_model=PriceExplanation,
    responses=problems(404, 422),
    tags=["extensions"],
)
def explain(scope_id: ScopeId, here: Here, caller: CallerHere) -> Response:
    """What moved the estimate, how strong the evidence is and how recent."""
    with here.database.reading() as connection:
        scope, _ = _priced(here, connection, caller, scope_id)
        rows = purchase_rows(connection, comparable_ids(scope))
    return answer(explanation(scope, rows, here.clock()), headers=NO_STORE)


@router.get("/calibration", response_model=PriceCalibration, responses=problems(404), tags=["extensions"])
def calibration(here: Here, caller: CallerHere) -> Response:
    """How right the estimates were on past purchases: the stored backtest."""
    with here.database.reading() as connection:
        found = stored_backtest(connection)
    if found is None:
        raise not_found("backtest")
    return answer(found, headers=NO_STORE)


@router.post("/preview", response_model=PreviewedEstimate, responses=problems(422), tags=["extensions"])
@changes_nothing
def preview(body: PricePreview, here: Here, caller: CallerHere) -> Response:
    """The estimate of a scope that is not stored, with purchases left out: what if. It is in the currency of
    the previous scope where one is named."""
    with here.database.reading() as connection:
        products = products_of(
            connection, (term.product_id for term in body.product_terms), caller.organisation_id
        )
        dimensions = {
            key: [PricingDimension.model_validate(one) for one in product.dimensions]
            for key, product in products.items()
        }
        wrong = check_scope_terms(body.scope_terms) + check_product_terms(body.product_terms, dimensions)
        if wrong:
            raise ApiProblem(400, "The scope is not valid.", errors=wrong)
        scope, total = _estimate(
            here,
            connection,
            caller,
            [term.wire() for term in body.scope_terms],
            [term.wire() for term in body.product_terms],
            currency_after(
                connection,
                caller.organisation_id,
                body.previous_scope_id,
                otherwise=here.settings.currency,
            ),
            body.exclude,
        )
        estimate = _advanced(here, connection, caller, scope, total)
        explained = explanation(scope, purchase_rows(connection, comparable_ids(scope)), here.clock())
    return answer(PreviewedEstimate(**dict(estimate), products=explained.products), headers=NO_STORE)


def _priced(
    here: Context, connection: Connection, caller: Caller, scope_id: str
) -> tuple[PricedScope, ScopePrice]:
    row = scope_of(connection, caller.organisation_id, scope_id)
    if row is None:
        raise not_found("scope")
    if not row.product_terms:
        waits = row.document_status in {"pending", "processing"}
        reason = "its document is still being read" if waits else "it names no product of the catalog"
        raise ApiProblem(422, f"The scope cannot be priced: {reason}.", title=PRICING_FAILED)
    return _estimate(here, connection, caller, row.scope_terms, row.product_terms, row.currency)


def _estimate(
    here: Context,
    connection: Connection,
    caller: Caller,
    scope_terms: Sequence[Mapping[str, Any]],
    product_terms: Sequence[Mapping[str, Any]],
    currency: str,
    exclude: Collection[str] = (),
) -> tuple[PricedScope, ScopePrice]:
    """Raises ApiProblem 422 when nothing of the scope can be estimated."""
    scope = estimate_scope(
        connection,
        organisation_id=caller.organisation_id,
        scope_terms=scope_terms,
        product_terms=product_terms,
        currency=currency,
        today=here.clock().date(),
        exclude=exclude,
    )
    if scope.total is None:
        reasons = dict.fromkeys(
            f"{part.product.name}: {part.price.reason}"
            for part in scope.products
            if isinstance(part.price, NotEstimable)
        )
        raise ApiProblem(422, f"Nothing can be estimated. {'; '.join(reasons)}.", title=PRICING_FAILED)
    return scope, scope.total


def _advanced(
    here: Context, connection: Connection, caller: Caller, scope: PricedScope, total: ScopePrice
) -> AdvancedEstimate:
    now = here.clock()
    companies = {part.product.company_id for part in scope.products}
    counts = purchase_counts(connection, caller.organisation_id, companies, now.date())
    return advanced_estimate(scope, total, purchase_rows(connection, comparable_ids(scope)), counts, now)
