"""Events outside the negotiation's own records, as updates that the service accepts.

Each kind has a JSON Schema of its own, whose `$id` names the kind.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel

from app.contract.negotiation import ExternalUpdate
from app.contract.values import CURRENCY_PATTERN

SOURCE = "parley-dashboard"

Kind = Literal["quote", "message", "decision", "agreement", "strategy", "correction", "cancellation"]
_MONEY: dict[str, object] = {"type": "number", "exclusiveMinimum": 0}
_DATE: dict[str, object] = {"type": "string", "format": "date"}
_TEXT: dict[str, object] = {"type": "string"}
_PROPERTIES: dict[str, dict[str, object]] = {
    "amount": _MONEY,
    "opening": _MONEY,
    "target": _MONEY,
    "walkAway": _MONEY,
    "validUntil": _DATE,
    "signedAt": _DATE,
    "currency": {"type": "string", "pattern": CURRENCY_PATTERN},
    "termLength": {"type": "integer", "minimum": 1},
    "withdrawn": {"const": True},
}
"""The schemas of fields by their names on the wire; the others are texts."""
_REQUIRED: dict[Kind, list[str]] = {
    "quote": ["amount", "currency"],
    "message": ["from", "text"],
    "decision": ["decision"],
    "agreement": ["amount", "currency"],
    "strategy": ["note"],
    "correction": ["externalId"],
    "cancellation": [],
}


class Report(BaseModel):
    """What happened, and when; at the first try to send it where that is None."""

    kind: Kind
    payload: dict[str, Any]
    happened_at: datetime | None = None

    def make_update(self, tried_at: datetime, external_id: str) -> ExternalUpdate:
        """Return the update of what was tried first at that time; a repetition is recognised by its id."""
        return ExternalUpdate(
            timestamp=self.happened_at or tried_at,
            external_id=external_id,
            source=SOURCE,
            payload_schema={
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": f"urn:svc:{self.kind}:1",
                "type": "object",
                "properties": {name: _PROPERTIES.get(name, _TEXT) for name in self.payload},
                "required": _REQUIRED[self.kind],
            },
            payload=self.payload,
        )


def report(kind: Kind, **fields: Any) -> Report:
    """Return the report of a kind with these fields by their names on the wire; empty ones are left out.
    Amounts are totals before tax for the whole term; `strategy` has new values for some of the three numbers,
    and `correction` names an offer by the id of its entry on the timeline."""
    payload = {name: _to_json(value) for name, value in fields.items() if value not in (None, "")}
    return Report(kind=kind, payload=payload)


def _to_json(value: Any) -> Any:
    match value:
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case date():
            return value.isoformat()
        case _:
            return value
