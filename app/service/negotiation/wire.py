"""Builds the records of a negotiation that go over the wire."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from pydantic.alias_generators import to_camel

from app.contract.negotiation import (
    Escalation,
    Figures,
    NegotiationMail,
    SummaryScope,
    SummarySupplier,
    TimelineEntry,
)
from app.contract.savings import SavingsMeasure
from app.contract.strategy import Lever, Position, PreviousPrice, StrategyShown
from app.contract.values import json_number, wire_instant
from app.service.negotiation.offers.savings import AgreedPrice, Savings
from app.service.negotiation.rows import (
    EntryRow,
    EscalationRow,
    ListedEscalationRow,
    MailRow,
    NegotiationRow,
    SupplierRecord,
)
from app.service.scopes.store import ScopeProduct, StoredScope
from app.service.scopes.wire import scope_term_record

FIGURES = {name: to_camel(name) for name in Figures.model_fields}
"""The names of a summary's figures on the wire, by our names."""


def build_escalation(row: EscalationRow) -> Escalation:
    record = build_escalation_record(row, _options([option.to_record() for option in row.options]))
    return Escalation.model_validate({**record, "description": row.description})


def build_escalation_record(
    row: EscalationRow | ListedEscalationRow, options: list[dict[str, Any]]
) -> dict[str, Any]:
    """Build an escalation without its description, as JSON types."""
    created_at = wire_instant(row.created_at)
    record = {
        "id": row.id,
        "negotiationId": row.negotiation_id,
        "reason": row.reason,
        "status": row.status,
        "title": row.title,
        "options": options,
        "createdAt": created_at,
        "updatedAt": created_at if row.updated_at == row.created_at else wire_instant(row.updated_at),
    }
    if row.recommended is not None:
        record["recommended"] = row.recommended
    if row.due_at is not None:
        record["dueAt"] = wire_instant(row.due_at)
    if row.resolved_at is not None:
        record["resolvedAt"] = wire_instant(row.resolved_at)
    if row.resolution is not None:
        record["resolution"] = row.resolution
    return record


def _options(stored: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**option, "amount": json_number(Decimal(option["amount"]))} if "amount" in option else option
        for option in stored
    ]


@lru_cache(maxsize=1024)
def parse_options(stored: str) -> list[dict[str, Any]]:
    """Read options stored as JSON. Most escalations of a negotiation offer the same."""
    return _options(json.loads(stored))


def build_supplier(row: NegotiationRow) -> SummarySupplier:
    """Build what is known of the supplier; other keys that came are stored and not shown."""
    return SummarySupplier.model_validate(
        {key: value for key, value in row.supplier.items() if key in SupplierRecord.__annotations__}
    )


def build_scope(scope: StoredScope, products: Mapping[str, ScopeProduct]) -> SummaryScope:
    return SummaryScope(
        id=scope.id,
        scope_terms=[scope_term_record(term) for term in scope.scope_terms],
        product_names=list(
            dict.fromkeys(
                products[term.product_id].name for term in scope.product_terms if term.product_id in products
            )
        ),
    )


def build_measures(measures: Sequence[Savings]) -> list[SavingsMeasure]:
    """Build what was saved against each baseline."""
    return [SavingsMeasure.build_from(one) for one in measures]


def find_measured_price(agreed: AgreedPrice) -> PreviousPrice | None:
    """Return the previous price that an agreed one was measured against."""
    found = next((one for one in agreed.measures if one.against == "previous_price"), None)
    return None if found is None else PreviousPrice(amount=found.baseline, basis=found.basis)


def build_mail(row: MailRow) -> NegotiationMail:
    return NegotiationMail.build_from(row, status="queued" if row.status == "sending" else row.status)


def build_strategy(row: NegotiationRow) -> StrategyShown:
    strategy = row.strategy
    return StrategyShown(
        opening=Position.build_from(strategy.opening) if strategy else None,
        target=Position.build_from(strategy.target) if strategy else None,
        walk_away=Position.build_from(strategy.walk_away) if strategy else None,
        median=strategy.median if strategy else None,
        unavailable=None if strategy else row.unavailable,
        coverage=row.coverage,
        levers=[Lever.build_from(lever) for lever in row.levers],
    )


def build_entry(row: EntryRow, withdrawn: bool | None) -> TimelineEntry:
    """Build an entry of the timeline. `withdrawn` says what its correction did; None where it has none."""
    content: Mapping[str, Any] = row.content
    offer: Mapping[str, Any] = content.get("offer") or {}
    payload: dict[str, Any] | None = content.get("payload")
    amount: object = offer.get("amount", content.get("counter"))
    if amount is None and row.kind == "agreement" and payload is not None:
        amount = payload["amount"]
    currency: str | None = offer.get("currency")
    if currency is None and row.kind == "agreement" and payload is not None:
        currency = payload["currency"]
    in_force: Mapping[str, Any] | None = row.numbers
    return TimelineEntry.build_from(
        row,
        text=_entry_text(row.kind, content),
        amount=Decimal(str(amount)) if amount is not None else None,
        currency=currency,
        payload=payload,
        opening=Decimal(str(in_force["opening"])) if in_force else None,
        target=Decimal(str(in_force["target"])) if in_force else None,
        walk_away=Decimal(str(in_force["walkAway"])) if in_force else None,
        status=None if withdrawn is None else "withdrawn" if withdrawn else "corrected",
        corrects=content.get("corrects"),
    )


def _entry_text(kind: str, content: Mapping[str, Any]) -> str | None:
    if kind == "state":
        return f"{content['from']} → {content['to']}: {content['because']}"
    if kind == "message":
        text: str = content["payload"]["text"]
        return text
    given = content.get("text")
    return given if isinstance(given, str) else None
