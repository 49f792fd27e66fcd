"""Events outside the negotiation's own records, as updates that the service accepts.

Each kind has a JSON Schema of its own, whose `$id` names the kind.
"""

from collections.abc import Callable, Mapping
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
        {
            "amount": _MONEY,
            "currency": _CURRENCY,
            "termLength": _MONTHS,
            "validUntil": _DATE,
            "note": _TEXT,
        },
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


def offer(
    envelope: Envelope,
    amount: Decimal,
    currency: str,
    *,
    term_length: int | None = None,
    valid_until: date | None = None,
    note: str = "",
) -> ExternalUpdate:
    """Build the supplier's offer: a total before tax for the whole term."""
    return _make_update(
        envelope,
        "urn:svc:quote:1",
        amount=amount,
        currency=currency,
        termLength=term_length,
        validUntil=valid_until,
        note=note,
    )


def message(envelope: Envelope, sender: str, text: str) -> ExternalUpdate:
    """Build a message that somebody wrote or said."""
    return _make_update(envelope, "urn:svc:message:1", **{"from": sender, "text": text})


def decision(
    envelope: Envelope, escalation_id: str | None, word: str, amount: Decimal | None = None, note: str = ""
) -> ExternalUpdate:
    """Build a person's decision; `amount` is the next offer of a counter."""
    return _make_update(
        envelope, "urn:svc:decision:1", escalationId=escalation_id, decision=word, note=note, amount=amount
    )


def agreement(
    envelope: Envelope,
    amount: Decimal,
    currency: str,
    *,
    term_length: int | None = None,
    signed_on: date | None = None,
) -> ExternalUpdate:
    """Build the agreed price, which completes the negotiation."""
    return _make_update(
        envelope,
        "urn:svc:agreement:1",
        amount=amount,
        currency=currency,
        termLength=term_length,
        signedAt=signed_on,
    )


def numbers(
    envelope: Envelope, amounts: Mapping[str, Decimal], *, note: str, currency: str = ""
) -> ExternalUpdate:
    """Build new values for those of `opening`, `target` and `walk_away` that are given."""
    names = {"opening": "opening", "target": "target", "walk_away": "walkAway"}
    typed = {names[name]: amount for name, amount in amounts.items()}
    return _make_update(envelope, "urn:svc:strategy:1", **typed, currency=currency, note=note)


def correction(
    envelope: Envelope,
    offer_id: str,
    *,
    withdrawn: bool = False,
    amount: Decimal | None = None,
    term_length: int | None = None,
    valid_until: date | None = None,
    note: str = "",
) -> ExternalUpdate:
    """Build a correction or withdrawal of an offer, named by the id of its entry on the timeline."""
    return _make_update(
        envelope,
        "urn:svc:correction:1",
        externalId=offer_id,
        withdrawn=True if withdrawn else None,
        termLength=term_length,
        amount=amount,
        validUntil=valid_until,
        note=note,
    )


def cancellation(envelope: Envelope, reason: str = "") -> ExternalUpdate:
    """Build the end without an agreed price."""
    return _make_update(envelope, "urn:svc:cancellation:1", reason=reason)


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
