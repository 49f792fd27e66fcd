"""The payloads of external updates whose schema's `$id` we know."""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from app.contract.model import Part
from app.contract.negotiation import Decision
from app.contract.values import (
    MAX_AMOUNT,
    NOT_VANISHING,
    CurrencyCode,
    Date,
    Id,
    Instant,
    Months,
    Number,
    Text,
)
from app.service.http.error_responses import find_invalid_fields
from app.service.http.problems import ApiProblem
from app.service.negotiation.session.states import UpdateKind

PositiveAmount = Annotated[Number, Field(gt=0, lt=MAX_AMOUNT), NOT_VANISHING]
"""Above 0, finite, below 10^12."""
LineNumber = Annotated[Number, Field(gt=-MAX_AMOUNT, lt=MAX_AMOUNT), NOT_VANISHING]
"""A line may be free, or a credit."""
LongText = Annotated[Text, Field(max_length=20_000)]


class QuoteLinePayload(Part):
    product_id: Id | None = None
    description: LongText | None = None
    quantity: LineNumber | None = None
    unit_price: LineNumber | None = None
    amount: LineNumber | None = None


class QuotePayload(Part):
    """`amount` is the total before tax for the whole term."""

    amount: PositiveAmount
    currency: CurrencyCode
    term_length: Months | None = None
    valid_until: Date | None = None
    lines: Annotated[list[QuoteLinePayload], Field(max_length=1000)] | None = None
    note: LongText | None = None


class MessagePayload(Part):
    sender: Annotated[Text, Field(alias="from", max_length=500)]
    text: LongText


class DecisionPayload(Part):
    escalation_id: Id | None = None
    decision: Decision
    amount: PositiveAmount | None = None
    note: LongText | None = None


class AgreementPayload(Part):
    amount: PositiveAmount
    currency: CurrencyCode
    term_length: Months | None = None
    signed_at: Instant | Date | None = None


class StrategyPayload(Part):
    """A person sets one or more of the three numbers, and says why. `currency` is needed only where the
    negotiation has none yet and the currency of the deployment is not meant."""

    opening: PositiveAmount | None = None
    target: PositiveAmount | None = None
    walk_away: PositiveAmount | None = None
    currency: CurrencyCode | None = None
    note: Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1, max_length=2000)]


class CorrectionPayload(Part):
    """An offer was wrong. `external_id` is that of the offer, from the same source, or the id of its entry on
    the timeline. Either the offer is `withdrawn`, or the given fields replace its own."""

    external_id: Annotated[Text, Field(min_length=1, max_length=500)]
    withdrawn: Literal[True] | None = None
    amount: PositiveAmount | None = None
    term_length: Months | None = None
    valid_until: Date | None = None
    note: LongText | None = None


class CancellationPayload(Part):
    reason: LongText | None = None


KnownPayload = (
    QuotePayload
    | MessagePayload
    | DecisionPayload
    | AgreementPayload
    | StrategyPayload
    | CorrectionPayload
    | CancellationPayload
)

PAYLOADS_BY_SCHEMA_ID: dict[str, tuple[UpdateKind, type[KnownPayload]]] = {
    "urn:svc:quote:1": ("quote", QuotePayload),
    "urn:svc:message:1": ("message", MessagePayload),
    "urn:svc:decision:1": ("decision", DecisionPayload),
    "urn:svc:agreement:1": ("agreement", AgreementPayload),
    "urn:svc:strategy:1": ("strategy", StrategyPayload),
    "urn:svc:correction:1": ("correction", CorrectionPayload),
    "urn:svc:cancellation:1": ("cancellation", CancellationPayload),
}

Model = TypeVar("Model", bound=Part)


def parse_payload(schema: dict[str, Any], payload: dict[str, Any]) -> tuple[UpdateKind, KnownPayload | None]:
    """Return the kind of an update, by its schema's `$id`, and its payload; a note without a payload for an
    unknown one. Raises ApiProblem 422 with pointers when the payload does not fit the `$id`."""
    name = schema.get("$id")
    known = PAYLOADS_BY_SCHEMA_ID.get(name.removesuffix("#")) if isinstance(name, str) else None
    if known is None:
        return "note", None
    kind, model = known
    return kind, _validate(model, payload)


def _validate(model: type[Model], payload: dict[str, Any]) -> Model:
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        places: list[ErrorDetails] = [
            {**found, "loc": ("body", "payload", *found["loc"])} for found in error.errors()
        ]
        wrong = find_invalid_fields(places)
        raise ApiProblem(
            422, "The payload does not match what its schema's $id names.", errors=wrong
        ) from None
