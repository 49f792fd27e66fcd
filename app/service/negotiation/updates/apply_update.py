"""What an external update does to a negotiation: all of it, or nothing. Refusals come before any change."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Row

from app.contract.negotiation import ExternalUpdate
from app.service.background.tasks import enqueue
from app.service.http.problems import ApiProblem, Wrong, invalid
from app.service.negotiation import store
from app.service.negotiation.agreements.agreed_purchases import KEEP_PURCHASE
from app.service.negotiation.agreements.previous_price import previous_price
from app.service.negotiation.agreements.savings import main_of, savings_of
from app.service.negotiation.amounts import kept
from app.service.negotiation.assessment.offer_assessment import (
    counter_at_hand,
    numbers_changed,
    record_offer,
    supplier_spoke,
)
from app.service.negotiation.assessment.offer_benchmark import scope_row
from app.service.negotiation.mail.mail_texts import request_about
from app.service.negotiation.mail.outgoing_mail import drop_unsent, write_to_supplier
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.session import executive_summaries, states
from app.service.negotiation.session.negotiation_session import Case
from app.service.negotiation.session.states import UpdateKind
from app.service.negotiation.updates.offer_correction import correct_offer
from app.service.negotiation.updates.strategy_update import type_numbers
from app.service.negotiation.updates.update_payloads import (
    Agreement,
    Cancellation,
    Correction,
    DecisionTaken,
    Known,
    Message,
    NumbersTyped,
    Quote,
    pointer,
)
from app.service.scopes.store import products_of
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Arrival:
    """An update that passed all checks but those that need the negotiation."""

    update: ExternalUpdate
    kind: UpdateKind
    payload: Known | None
    digest: str
    end_user: Mapping[str, str] | None


def apply(case: Case, settings: Settings, arrival: Arrival) -> None:
    """Raises MoveRefused when the state refuses the update, ApiProblem for what is wrong with it; nothing is
    changed then."""
    payload = arrival.payload
    go_ahead = isinstance(payload, DecisionTaken) and payload.decision == "go_ahead"
    decided = _escalation_decided(case, payload) if isinstance(payload, DecisionTaken) else None
    # The go-ahead to do without a scope makes the strategy ready as it is; it does not start the talks.
    without_scope = go_ahead and case.status == "planning" and _asks_for_scope(decided)
    after = (
        states.moved(case.status, "pending")
        if without_scope
        else states.after_update(case.status, arrival.kind, go_ahead=go_ahead)
    )
    if isinstance(payload, Quote | Agreement):
        _require_currency(case, payload.currency)
    if isinstance(payload, NumbersTyped) and payload.currency is not None:
        _require_currency(case, payload.currency)
    if isinstance(payload, Quote):
        _require_products(case, payload)
        _quoted(case, arrival, payload)
    elif isinstance(payload, DecisionTaken):
        _decide(case, settings, arrival, payload, decided)
        if without_scope:
            case.set(unavailable="The buyer goes on without a scope.")
            case.summarise(executive_summaries.planned_without_numbers())
    elif isinstance(payload, Agreement):
        _agree(case, arrival, payload)
    elif isinstance(payload, NumbersTyped):
        told = type_numbers(case, payload, payload.currency or case.currency or settings.currency)
        _record(case, arrival, told)
        numbers_changed(case)
    elif isinstance(payload, Correction):
        correct_offer(case, payload, arrival.update.source, _content(arrival), _stamps(arrival))
    else:
        _record(case, arrival, {})
        if isinstance(payload, Message):
            supplier_spoke(case)
        elif isinstance(payload, Cancellation):
            case.summarise(executive_summaries.cancelled())
    case.move(after)
    if case.status in states.FINAL:
        _end(case)
    elif without_scope:
        case.wait_for_supplier()


def _quoted(case: Case, arrival: Arrival, quote: Quote) -> None:
    quantities: dict[str, Decimal | None] = {}
    for line in quote.lines or ():
        if line.product_id is not None:
            earlier = quantities.get(line.product_id)
            quantities[line.product_id] = (
                line.quantity if earlier is None or line.quantity is None else earlier + line.quantity
            )
    offer = Offer(
        entry_id="",
        happened_at=arrival.update.timestamp,
        amount=quote.amount,
        currency=quote.currency,
        term_length=quote.term_length,
        valid_until=quote.valid_until,
        quantities=quantities,
    )
    supplier_spoke(case)
    record_offer(case, offer, _content(arrival), **_stamps(arrival))


def _escalation_decided(case: Case, taken: DecisionTaken) -> Row[Any] | None:
    """The escalation that a decision is about: the one that it names, else the only open one that has this
    option."""
    if taken.escalation_id is None:
        fitting = [
            row
            for row in case.open_escalations()
            if any(option["decision"] == taken.decision for option in row.options)
        ]
        return fitting[0] if len(fitting) == 1 else None
    row = store.escalation_of(case.connection, case.id, taken.escalation_id)
    if row is None:
        raise invalid("/payload/escalationId", "There is no such escalation in this negotiation.")
    if row.status != "open":
        raise states.MoveRefused(f"This escalation is {row.status} already.")
    return row


def _asks_for_scope(decided: Row[Any] | None) -> bool:
    return decided is not None and decided.reason == "scope_needed"


def _decide(
    case: Case, settings: Settings, arrival: Arrival, taken: DecisionTaken, decided: Row[Any] | None
) -> None:
    amount = _counter_amount(case, taken, decided) if taken.decision == "counter" else None
    content = {"escalationId": decided.id} if decided is not None else {}
    if amount is not None:
        content["counter"] = kept(amount)
    _record(case, arrival, content)
    if decided is not None:
        case.resolve(decided, taken.decision)
    if taken.decision == "counter":
        if amount is not None and case.currency is not None:
            case.set(next_offer=kept(amount))
            case.summarise(executive_summaries.countered(amount, case.currency))
            write_to_supplier(case, settings, "counter", amount=amount)
        else:
            request = request_about(case, decided, taken.note)
            write_to_supplier(case, settings, "change", request=request)
    elif taken.decision == "accept" and (decided is None or decided.reason != "contract_clause"):
        case.summarise(executive_summaries.accepted(case.offers[-1] if case.offers else None))
        write_to_supplier(case, settings, "acceptance")
    elif taken.decision == "walk_away":
        case.summarise(executive_summaries.walked_away())
        write_to_supplier(case, settings, "refusal")
    elif decided is not None and decided.reason == "supplier_silent" and taken.decision == "go_ahead":
        write_to_supplier(case, settings, "reminder")
    if case.status in {"pending", "active"} and taken.decision in {"counter", "go_ahead"}:
        case.wait_for_supplier()


def _counter_amount(case: Case, taken: DecisionTaken, decided: Row[Any] | None) -> Decimal | None:
    """The buyer's amount, else that of the option. None for a request about something else than the price."""
    if taken.amount is not None:
        return taken.amount
    if decided is None:
        counter = counter_at_hand(case)
        if counter is not None:
            return counter.amount
        raise ApiProblem(
            422,
            "A counter offer needs an amount.",
            errors=[Wrong("/payload/amount", "There are no numbers to take it from.")],
        )
    for option in decided.options:
        if option["decision"] == "counter" and "amount" in option:
            return Decimal(option["amount"])
    return None


def _agree(case: Case, arrival: Arrival, agreement: Agreement) -> None:
    scope = scope_row(case)
    previous = previous_price(case.connection, case.organisation_id, scope, case.now) if scope else None
    measures = savings_of(agreement.amount, case.offers, case.strategy, previous)
    main = main_of(measures)
    _record(case, arrival, {})
    signed: datetime = arrival.update.timestamp
    if isinstance(agreement.signed_at, datetime):
        signed = agreement.signed_at
    elif agreement.signed_at is not None:
        at = agreement.signed_at
        signed = datetime(at.year, at.month, at.day, tzinfo=UTC)
    case.set(
        currency=agreement.currency,
        agreement={
            "amount": kept(agreement.amount),
            "signedAt": signed.isoformat(),
            "termLength": agreement.term_length,
            "savings": main.record() if main else None,
            "measures": [one.record() for one in measures],
            "target": kept(case.strategy.target.amount) if case.strategy else None,
        },
    )
    case.summarise(executive_summaries.agreed(agreement.amount, agreement.currency, main))
    if case.row.scope_id is not None:
        # Writing it completes the catalog's products, which is no work for the caller's transaction.
        enqueue(case.connection, kind=KEEP_PURCHASE, subject_id=case.id, now=case.now)


def _end(case: Case) -> None:
    """Nothing waits any more but the last word to the supplier."""
    case.expire(case.open_escalations())
    store.drop_timers(case.connection, case.id)
    drop_unsent(case, but=("acceptance", "refusal"))


def _require_currency(case: Case, currency: str) -> None:
    if case.currency is not None and currency != case.currency:
        raise ApiProblem(
            422,
            "The amount is in another currency than the negotiation.",
            errors=[Wrong("/payload/currency", f"must be {case.currency}")],
        )


def _require_products(case: Case, quote: Quote) -> None:
    named = {
        line.product_id: index for index, line in enumerate(quote.lines or ()) if line.product_id is not None
    }
    known = products_of(case.connection, named.keys(), case.organisation_id)
    wrong = [
        Wrong(pointer(["payload", "lines", index, "productId"]), "There is no such product.")
        for key, index in named.items()
        if key not in known
    ]
    if wrong:
        raise ApiProblem(400, "The request is not valid.", errors=wrong)


def _content(arrival: Arrival) -> dict[str, Any]:
    schema_id = arrival.update.payload_schema.get("$id")
    return {"payload": arrival.update.payload, **({"schema": schema_id} if schema_id is not None else {})}


def _stamps(arrival: Arrival) -> dict[str, Any]:
    return {
        "source": arrival.update.source,
        "external_id": arrival.update.external_id,
        "digest": arrival.digest,
        "end_user": arrival.end_user,
    }


def _record(case: Case, arrival: Arrival, more: Mapping[str, Any]) -> str:
    return case.record(
        arrival.kind,
        {**_content(arrival), **more},
        happened_at=arrival.update.timestamp,
        **_stamps(arrival),
    )
