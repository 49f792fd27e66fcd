"""Price estimates of a scope: `/v1/pricing`."""

from decimal import Decimal

from app.client.reply import record
from app.client.request import Call
from app.client.resources.resource import Resource
from app.contract.pricing import (
    AdvancedEstimate,
    BasicEstimate,
    PreviewedEstimate,
    PriceCalibration,
    PriceExplanation,
    PricePreview,
)

_basic = record(BasicEstimate)
_advanced = record(AdvancedEstimate)
_previewed = record(PreviewedEstimate)
_explanation = record(PriceExplanation)
_calibration = record(PriceCalibration)


class Pricing(Resource):
    """The total before tax of the whole scope for its term."""

    def basic(self, scope_id: str) -> BasicEstimate:
        """Three percentiles. Unprocessable when nothing can be estimated."""
        return self._ask(Call("GET", "/v1/pricing/basic/{}", (scope_id,), _basic))

    def advanced(self, scope_id: str) -> AdvancedEstimate:
        """17 percentiles, each product's part and the purchases behind them. Unprocessable when nothing can
        be estimated."""
        return self._ask(Call("GET", "/v1/pricing/advanced/{}", (scope_id,), _advanced))

    # Additions of ours: a deployment may lack them, see `openapi.offered_operations`.

    def preview(self, preview: PricePreview, *, idempotency_key: str | None = None) -> PreviewedEstimate:
        """The estimate of a scope that is not stored, without the purchases that it excludes, and what moved
        it. Unprocessable when nothing can be estimated."""
        return self._ask(
            Call(
                "POST",
                "/v1/pricing/preview",
                (),
                _previewed,
                json=preview.wire(),
                idempotency_key=idempotency_key,
            )
        )

    def explanation(self, scope_id: str, *, quoted: Decimal | None = None) -> PriceExplanation:
        """What moved a scope's estimate, how strong and how recent the evidence is, and the verdict on what
        is `quoted`: a total before tax, or without it the scope's own price."""
        query = {"quoted": None if quoted is None else f"{quoted:f}"}
        return self._ask(Call("GET", "/v1/pricing/explanation/{}", (scope_id,), _explanation, query=query))

    def calibration(self, *, sample: bool | None = None) -> PriceCalibration:
        """How right the estimates were on past purchases: on real ones or the sample data, as `sample` says,
        and without it on real ones where there are any. NotFound before anything was measured."""
        query = {"sample": sample}
        return self._ask(Call("GET", "/v1/pricing/calibration", (), _calibration, query=query))
