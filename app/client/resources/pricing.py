"""Price estimates of a scope: `/v1/pricing`."""

from decimal import Decimal

from ...contract.pricing import (
    AdvancedEstimate,
    BasicEstimate,
    PreviewedEstimate,
    PriceExplanation,
    PricePreview,
    ProductPrices,
)
from ..request import Call
from .resource import DispatcherT, Resource, get, operation, post


class Pricing(Resource[DispatcherT]):
    """The total before tax of the whole scope for its term."""

    @operation
    def basic(self, scope_id: str) -> Call[BasicEstimate]:
        """Three percentiles. Unprocessable when nothing can be estimated."""
        return get("/v1/pricing/basic/{}", BasicEstimate, scope_id)

    @operation
    def advanced(self, scope_id: str) -> Call[AdvancedEstimate]:
        """17 percentiles, each product's part and the purchases behind them. Unprocessable when nothing can
        be estimated."""
        return get("/v1/pricing/advanced/{}", AdvancedEstimate, scope_id)

    # Extensions: a deployment may lack them, see `openapi.offered_operations`.

    @operation
    def preview(
        self, preview: PricePreview, *, idempotency_key: str | None = None
    ) -> Call[PreviewedEstimate]:
        """The estimate and explanation of a scope that is not stored, without the purchases that it excludes.
        Unprocessable when nothing can be estimated."""
        return post("/v1/pricing/preview", PreviewedEstimate, body=preview, key=idempotency_key)

    @operation
    def explanation(self, scope_id: str, *, quoted: Decimal | None = None) -> Call[PriceExplanation]:
        """What moved a scope's estimate, how strong and how recent the evidence is, and the verdict on the
        `quoted` total before tax, or without it on the scope's own price."""
        query = {"quoted": None if quoted is None else f"{quoted:f}"}
        return get("/v1/pricing/explanation/{}", PriceExplanation, scope_id, query=query)

    @operation
    def product(self, product_id: str) -> Call[ProductPrices]:
        """What one unit of a product cost in its latest purchases, by unit and period. NotFound if there
        is no such product."""
        return get("/v1/pricing/products/{}", ProductPrices, product_id)
