"""Builds the records of a negotiation that go over the wire."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from pydantic.alias_generators import to_camel

from app.contract.negotiation import (
    Escalation,
    Figures,
    ListedNegotiation,
    NegotiationDocument,
    NegotiationMail,
    NegotiationParticipant,
    SummaryScope,
    SummarySupplier,
    Timeline,
    TimelineEntry,
)
from app.contract.page import Pagination
from app.contract.savings import SavingsMeasure
from app.contract.strategy import Lever, Position, PreviousPrice, StrategyShown
from app.contract.values import wire_instant
from app.service.negotiation.offers import savings
from app.service.negotiation.offers.offer import Offer, find_best_amount
from app.service.negotiation.offers.savings import Savings
from app.service.negotiation.offers.scope_requirements import ScopeRequirements
from app.service.negotiation.rows import (
    AttachmentRow,
    EntryRow,
    EscalationRow,
    ListedEscalationRow,
    MailRow,
    NegotiationRow,
    SummaryRow,
    SupplierRecord,
)
from app.service.negotiation.strategy import strategy as numbers
from app.service.scopes.store import ScopeProduct, StoredScope
from app.service.scopes.wire import scope_term_record

FIGURES = {name: to_camel(name) for name in Figures.model_fields}
"""The names of a summary's figures on the wire, by our names."""


def build_escalation(row: EscalationRow) -> Escalation:
    """Build one escalation, with its description."""
    record = _escalation(row, _options([option.to_record() for option in row.options]))
    return Escalation.model_validate({**record, "description": row.description})


def _escalation(row: EscalationRow | ListedEscalationRow, options: list[dict[str, Any]]) -> dict[str, Any]:
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
        {**option, "amount": _number(option["amount"])} if "amount" in option else option for option in stored
    ]


@lru_cache(maxsize=1024)
def _parse_options(stored: str) -> list[dict[str, Any]]:
    # Most escalations of a negotiation offer the same.
    return _options(json.loads(stored))


def build_summary(
    row: NegotiationRow,
    *,
    dashboard_url: str,
    escalations: Sequence[ListedEscalationRow],
    summaries: Sequence[SummaryRow],
    scope: StoredScope | None,
    products: Mapping[str, ScopeProduct],
) -> dict[str, Any]:
    """Build a `NegotiationSummary` as JSON types: with hundreds of updates, making the record and then its
    JSON takes several times as long. `escalations` (with their options as JSON) and `summaries` are newest
    first."""
    return {
        "id": row.id,
        "status": row.status,
        "createdAt": wire_instant(row.created_at),
        "updatedAt": wire_instant(row.updated_at),
        "url": f"{dashboard_url}/negotiation?id={row.id}",
        "escalations": [_escalation(one, _parse_options(one.options)) for one in escalations],
        "supplier": build_supplier(row).wire(),
        "executiveSummaries": [
            {
                "createdAt": wire_instant(one.created_at),
                "title": one.title,
                "text": one.text,
                "figures": {FIGURES[name]: _number(value) for name, value in one.figures.items()},
            }
            for one in summaries
        ],
        "scope": build_scope(scope, products).wire() if scope is not None else {},
    }


def _number(stored: str) -> int | float:
    value = float(stored)
    return int(value) if value.is_integer() and abs(value) < 10**15 else value


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


def build_listed_negotiation(
    row: NegotiationRow,
    offers: Sequence[Offer],
    *,
    now: datetime,
    open_escalations: int,
    drafts: int,
    product_names: list[str] | None,
    act_by: date | None,
) -> ListedNegotiation:
    """Build one negotiation of a list. `offers` are in the order in which they happened; `drafts` counts
    letters that wait for a person; `act_by` is by when the agreement that it renews must be decided on."""
    agreement = row.agreement
    main = agreement.savings if agreement else None
    strategy = row.strategy
    return ListedNegotiation.build_from(
        row,
        supplier=build_supplier(row),
        product_names=product_names,
        open_escalations=open_escalations,
        first_quoted=offers[0].amount if offers else None,
        quoted=offers[-1].amount if offers else None,
        best_offer=find_best_amount(offers, now),
        target=strategy.target.amount if strategy else None,
        walk_away=strategy.walk_away.amount if strategy else None,
        agreed=agreement.amount if agreement else None,
        savings=main.saved if main else None,
        savings_rate=main.rate if main else None,
        measures=build_measures(agreement.measures if agreement else ()),
        drafts=drafts,
        renews_agreement_id=row.agreement_id,
        act_by=act_by,
        owners=[*row.owners] or None,
    )


def build_measures(measures: Sequence[Savings]) -> list[SavingsMeasure]:
    """Build what was saved against each baseline."""
    return [SavingsMeasure.build_from(one) for one in measures]


def build_timeline(
    row: NegotiationRow,
    *,
    offers: Sequence[Offer],
    bought: ScopeRequirements | None,
    previous: savings.Baseline | None,
    now: datetime,
    entries: Sequence[EntryRow],
    corrections: Mapping[str, bool],
    pagination: Pagination,
    documents: Sequence[AttachmentRow],
    mails: Sequence[MailRow],
    act_by: date | None,
) -> Timeline:
    """Build the timeline. `offers` are in the order in which they happened; `bought` is what the scope asks
    for, `previous` what the organisation last paid for it; `corrections` are the ids of the entries that were
    corrected, and whether they were withdrawn."""
    return Timeline.build_from(
        row,
        negotiation_id=row.id,
        renews_agreement_id=row.agreement_id,
        act_by=act_by,
        owners=[*row.owners] or None,
        strategy=build_strategy(row),
        best_offer=find_best_amount(offers, now),
        measures=build_measures(row.agreement.measures if row.agreement else ()),
        unmeasured=row.agreement.unmeasured if row.agreement else None,
        quantity=bought.quantity if bought else None,
        term_months=bought.term_length if bought else None,
        previous=PreviousPrice(amount=previous.amount, basis=previous.basis) if previous else None,
        entries=[_build_entry(one, corrections.get(one.id)) for one in entries],
        pagination=pagination,
        documents=[NegotiationDocument.build_from(one, status=one.reading_status) for one in documents],
        participants=[
            NegotiationParticipant(name=one["name"], email=one["email"], role=one.get("role"))
            for one in row.participants
        ],
        mails=[build_mail(one) for one in mails],
    )


def build_mail(row: MailRow) -> NegotiationMail:
    return NegotiationMail.build_from(row, status="queued" if row.status == "sending" else row.status)


def build_strategy(row: NegotiationRow) -> StrategyShown:
    strategy = row.strategy
    return StrategyShown(
        opening=_build_position(strategy.opening) if strategy else None,
        target=_build_position(strategy.target) if strategy else None,
        walk_away=_build_position(strategy.walk_away) if strategy else None,
        median=strategy.median if strategy else None,
        unavailable=None if strategy else row.unavailable,
        coverage=row.coverage,
        levers=[Lever.build_from(lever) for lever in row.levers],
    )


def _build_position(position: numbers.StrategyPosition) -> Position:
    return Position.build_from(position)


def _build_entry(row: EntryRow, withdrawn: bool | None) -> TimelineEntry:
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
