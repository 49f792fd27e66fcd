"""Events outside the negotiation's own records, as updates that the service accepts.

Each kind has a JSON Schema of its own, whose `$id` names the kind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from app.contract.negotiation import ExternalUpdate
from app.contract.values import CURRENCY_PATTERN

SOURCE = "parley-dashboard"

_Schema = dict[str, object]

_MONEY: _Schema = {"type": "number", "exclusiveMinimum": 0}
_CURRENCY: _Schema = {"type": "string", "pattern": CURRENCY_PATTERN}
_MONTHS: _Schema = {"type": "integer", "minimum": 1}
_DATE: _Schema = {"type": "string", "format": "date"}
_TEXT: _Schema = {"type": "string"}

_FIELDS: dict[str, tuple[dict[str, _Schema], list[str]]] = {
    "urn:svc:quote:1": (
        {"amount": _MONEY, "currency": _CURRENCY, "termLength": _MONTHS, "validUntil": _DATE, "note": _TEXT},
        ["amount", "currency"],
    ),
    "urn:svc:message:1": ({"from": _TEXT, "text": _TEXT}, ["from", "text"]),
    "urn:svc:decision:1": (
        {"escalationId": _TEXT, "decision": _TEXT, "amount": _MONEY, "note": _TEXT},
        ["decision"],
    ),
    "urn:svc:agreement:1": (
        {"amount": _MONEY, "currency": _CURRENCY, "termLength": _MONTHS, "signedAt": _DATE},
        ["amount", "currency"],
    ),
    "urn:svc:strategy:1": (
        {"opening": _MONEY, "target": _MONEY, "walkAway": _MONEY, "currency": _CURRENCY, "note": _TEXT},
        ["note"],
    ),
    "urn:svc:correction:1": (
        {
            "externalId": _TEXT,
            "withdrawn": {"const": True},
            "amount": _MONEY,
            "termLength": _MONTHS,
            "validUntil": _DATE,
            "note": _TEXT,
        },
        ["externalId"],
    ),
    "urn:svc:cancellation:1": ({"reason": _TEXT}, []),
}


@dataclass(frozen=True)
class Envelope:
    """When the event happened, and the id by which a repetition is recognised."""

    happened_at: datetime
    external_id: str


MakeUpdate = Callable[[Envelope], ExternalUpdate]


def report(kind: str, **fields: Any) -> MakeUpdate:
    """Return what makes the update of a kind, such as `quote`, with these fields by their names on the wire;
    empty ones are left out. Amounts are totals before tax for the whole term; `strategy` has new values for
    some of the three numbers, and `correction` names an offer by the id of its entry on the timeline."""
    return lambda envelope: _make_update(envelope, f"urn:svc:{kind}:1", **fields)


def _make_update(envelope: Envelope, ident: str, **fields: Any) -> ExternalUpdate:
    properties, required = _FIELDS[ident]
    return ExternalUpdate(
        timestamp=envelope.happened_at,
        external_id=envelope.external_id,
        source=SOURCE,
        payload_schema={
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": ident,
            "type": "object",
            "properties": properties,
            "required": required,
        },
        payload={name: _to_json(value) for name, value in fields.items() if value not in (None, "")},
    )


def _to_json(value: Any) -> Any:
    match value:
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case date():
            return value.isoformat()
        case _:
            return value
