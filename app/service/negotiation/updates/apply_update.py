"""Applies an external update to a negotiation: all of it, or nothing. Refusals come before any change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from app.contract.negotiation import FINAL_STATUSES, ExternalUpdate
from app.service.access.approvals import Decision, note_decision
from app.service.http.problems import ApiProblem, InvalidField, bad_request
from app.service.negotiation import store
from app.service.negotiation.agreed_prices import SAVE_AGREED_PURCHASE
from app.service.negotiation.assessment import (
    note_supplier_contact,
    reassess_with_new_numbers,
    record_offer,
    suggest_next_offer,
)
from app.service.negotiation.mail import phrase_request, queue_mail, withdraw_unsent_mail
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.offers.offered_terms import find_offered_scope, is_for_other_products
from app.service.negotiation.offers.savings import (
    AgreedPrice,
    explain_unmeasured,
    find_negotiated_months,
    list_baselines,
    measure_savings,
)
from app.service.negotiation.previous_price import find_previous_price, find_renewed_price
from app.service.negotiation.rows import (
    EntryContent,
    EscalationRow,
)
from app.service.negotiation.session import escalation_drafts, executive_summaries, states
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.negotiation.session.states import UpdateKind
from app.service.negotiation.strategy.strategy import (
    POSITION_NAMES,
    NumbersOutOfOrder,
    PositionName,
    apply_typed_numbers,
    describe_changes,
)
from app.service.negotiation.updates.offer_correction import correct_offer
from app.service.negotiation.updates.update_payloads import (
    AgreementPayload,
    CancellationPayload,
    CorrectionPayload,
    DecisionPayload,
    KnownPayload,
    MessagePayload,
    QuotePayload,
    StrategyPayload,
)
from app.service.pricing.rates.store import load_rates
from app.service.scopes.store import load_products
from app.settings import Settings


def note_price(
    session: NegotiationSession, settings: Settings, amount: Decimal | None, currency: str | None, how: str
) -> None:
    """Note what is agreed, a total before tax, with what it is worth in the currency of the deployment."""
    supplier = session.row.supplier.get("name") or "A supplier"
    worth = None
    if amount is not None and currency is not None:
        rates = load_rates(session.connection, session.organisation_id)
        today = session.now.date()
        if rates.rate_day(currency, settings.currency, today) is not None:
            worth = amount * Decimal(rates.factor(currency, settings.currency, today))
    note_decision(Decision("price", supplier, [how], amount, currency, worth))


@dataclass(frozen=True, slots=True)
class IncomingUpdate:
    """An update that passed every check except those that need the negotiation."""

    update: ExternalUpdate
    kind: UpdateKind
    payload: KnownPayload | None
    digest: str
    end_user: Mapping[str, str] | None


def apply_update(session: NegotiationSession, settings: Settings, incoming: IncomingUpdate) -> None:
    """Apply the update. Raises MoveRefused when the state refuses it, ApiProblem for an error in it; nothing
    is changed then."""
    payload = incoming.payload
    go_ahead = isinstance(payload, DecisionPayload) and payload.decision == "go_ahead"
    escalation = _find_decided_escalation(session, payload) if isinstance(payload, DecisionPayload) else None
    # The go-ahead to do without a scope makes the strategy ready as it is; it does not start the talks.
    without_scope = go_ahead and session.status == "planning" and _asks_for_scope(escalation)
    next_status = (
        states.check_move(session.status, "pending")
        if without_scope
        else states.next_status(session.status, incoming.kind, go_ahead=go_ahead)
    )
    if (
        isinstance(payload, QuotePayload | AgreementPayload | StrategyPayload)
        and payload.currency is not None
    ):
        _require_currency(session, payload.currency)
    if isinstance(payload, QuotePayload):
        _require_products(session, payload)
        _apply_quote(session, incoming, payload)
    elif isinstance(payload, DecisionPayload):
        _apply_decision(session, settings, incoming, payload, escalation)
        if without_scope:
            session.update(unavailable="The buyer continues without a scope.")
            session.add_summary(executive_summaries.MISSING_NUMBERS)
    elif isinstance(payload, AgreementPayload):
        _apply_agreement(session, incoming, payload)
        note_price(session, settings, payload.amount, payload.currency, "It records the price as agreed.")
    elif isinstance(payload, StrategyPayload):
        changes = _set_typed_numbers(
            session, payload, payload.currency or session.currency or settings.currency
        )
        numbers: EntryContent = {**_update_content(incoming), **changes}
        _add_entry(session, incoming, numbers)
        reassess_with_new_numbers(session)
    elif isinstance(payload, CorrectionPayload):
        correct_offer(
            session, payload, incoming.update.source, _update_content(incoming), _entry_origin(incoming)
        )
    else:
        _add_entry(session, incoming, _update_content(incoming))
        if isinstance(payload, MessagePayload):
            note_supplier_contact(session)
        elif isinstance(payload, CancellationPayload):
            session.add_summary(executive_summaries.CANCELLATION)
    session.move(next_status)
    if session.status in FINAL_STATUSES:
        _end_negotiation(session)
    elif without_scope:
        session.restart_silence_timer()


def _apply_quote(session: NegotiationSession, arrival: IncomingUpdate, quote: QuotePayload) -> None:
    quantities: dict[str, Decimal | None] = {}
    for line in quote.lines or ():
        if line.product_id is not None:
            earlier = quantities.get(line.product_id, Decimal(0))
            quantities[line.product_id] = (
                None if earlier is None or line.quantity is None else earlier + line.quantity
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
    note_supplier_contact(session)
    record_offer(session, offer, {**_update_content(arrival)}, **_entry_origin(arrival))


def _find_decided_escalation(session: NegotiationSession, taken: DecisionPayload) -> EscalationRow | None:
    """Find the escalation that a decision is about: the one that it names, else the only open one that has
    this option."""
    if taken.escalation_id is None:
        fitting = [
            row
            for row in session.load_open_escalations()
            if any(option.decision == taken.decision for option in row.options)
        ]
        return fitting[0] if len(fitting) == 1 else None
    row = store.find_escalation(session.connection, session.id, taken.escalation_id)
    if row is None:
        raise bad_request("/payload/escalationId", "There is no such escalation in this negotiation.")
    if row.status != "open":
        raise states.MoveRefused(f"This escalation is already {row.status}.")
    return row


def _asks_for_scope(escalation: EscalationRow | None) -> bool:
    return escalation is not None and escalation.reason == "scope_needed"


def _apply_decision(
    session: NegotiationSession,
    settings: Settings,
    arrival: IncomingUpdate,
    taken: DecisionPayload,
    escalation: EscalationRow | None,
) -> None:
    amount = _resolve_counter_amount(session, taken, escalation) if taken.decision == "counter" else None
    asks_supplier = taken.decision == "other" and escalation is not None and _offers_to_ask(escalation)
    content: EntryContent = {**_update_content(arrival)}
    if escalation is not None:
        content["escalationId"] = escalation.id
    if amount is not None:
        content["counter"] = str(amount)
        if session.offers:
            content["answers"] = session.offers[-1].first_entry_id
    _add_entry(session, arrival, content)
    if escalation is not None:
        session.resolve_escalation(escalation, taken.decision)
    if taken.decision == "counter" and amount is not None and session.currency is not None:
        session.update(next_offer=amount)
        session.add_summary(executive_summaries.summarise_counter_offer(amount, session.currency))
        queue_mail(session, settings, "counter", amount=amount)
    elif taken.decision == "counter" or asks_supplier:
        request = phrase_request(session, escalation, taken.note)
        queue_mail(session, settings, "change", request=request)
    elif taken.decision == "accept" and (escalation is None or escalation.reason != "contract_clause"):
        session.add_summary(
            executive_summaries.summarise_acceptance(session.offers[-1] if session.offers else None)
        )
        queue_mail(session, settings, "acceptance")
        accepted = _find_accepted_amount(session, escalation)
        note_price(session, settings, accepted, session.currency, "It accepts the supplier's offer.")
    elif taken.decision == "walk_away":
        session.add_summary(executive_summaries.WALK_AWAY)
        queue_mail(session, settings, "refusal")
    is_waiting = asks_supplier or taken.decision in {"counter", "go_ahead"}
    if session.status in {"pending", "active"} and is_waiting:
        session.restart_silence_timer()


def _offers_to_ask(escalation: EscalationRow) -> bool:
    """Whether what else may be decided is to ask the supplier for an offer that fits the scope."""
    return any(
        option.decision == "other" and option.consequence == escalation_drafts.ASK_FOR_SCOPE
        for option in escalation.options
    )


def _find_accepted_amount(session: NegotiationSession, escalation: EscalationRow | None) -> Decimal | None:
    """Return the most that an acceptance may be about: the newest offer, or that of the option."""
    options = escalation.options if escalation is not None else ()
    amounts = [option.amount for option in options if option.decision == "accept"]
    amounts += [session.offers[-1].amount] if session.offers else []
    return max((amount for amount in amounts if amount is not None), default=None)


def _resolve_counter_amount(
    session: NegotiationSession, taken: DecisionPayload, escalation: EscalationRow | None
) -> Decimal | None:
    """Return the buyer's amount, else that of the option. None for a request about something else than the
    price."""
    if taken.amount is not None:
        return taken.amount
    if escalation is None:
        counter = suggest_next_offer(session)
        if counter is not None:
            return counter.amount
        raise ApiProblem(
            422,
            "A counter offer needs an amount.",
            errors=[InvalidField("/payload/amount", "There are no numbers to take it from.")],
        )
    amounts = (option.amount for option in escalation.options if option.decision == "counter")
    return next((amount for amount in amounts if amount is not None), None)


def _apply_agreement(
    session: NegotiationSession, arrival: IncomingUpdate, agreement: AgreementPayload
) -> None:
    scope = session.find_scope()
    stated = scope.stated_months if scope else None
    offer = _find_agreed_offer(session, agreement.amount)
    of_offer = None if offer is None or offer.term_length == stated else offer.term_length
    months = agreement.term_length or of_offer
    known = session.find_scope_with_products()
    other = offer if offer and known and is_for_other_products(session.connection, offer, known) else None
    bought = find_offered_scope(session.connection, other, known) if other and known else scope
    previous = (
        find_previous_price(
            session.connection,
            session.organisation_id,
            bought,
            agreement.currency,
            months or stated,
            session.now,
        )
        if bought
        else None
    )
    negotiated = find_negotiated_months(session.offers, stated)
    if previous is None and scope is not None and not scope.product_terms and session.row.agreement_id:
        previous = find_renewed_price(
            session.connection,
            session.organisation_id,
            session.row.agreement_id,
            agreement.currency,
            months or stated,
        )
    baselines = list_baselines(session.offers, session.strategy, negotiated, previous)
    comparable = [one for one in baselines if other is None or one is previous]
    measures = measure_savings(agreement.amount, months or negotiated, comparable)
    _add_entry(session, arrival, _update_content(arrival))
    signed: datetime = arrival.update.timestamp
    if isinstance(agreement.signed_at, datetime):
        signed = agreement.signed_at
    elif agreement.signed_at is not None:
        at = agreement.signed_at
        signed = datetime(at.year, at.month, at.day, tzinfo=UTC)
    agreed = AgreedPrice(
        amount=agreement.amount,
        signed_at=signed,
        term_length=months,
        target=next((one.baseline for one in measures if one.against == "target"), None),
        measures=measures,
        unmeasured=explain_unmeasured(months or negotiated, baselines, comparable),
        other_offer=None if other is None else other.first_entry_id,
    )
    session.update(currency=agreement.currency, agreement=agreed)
    session.add_summary(executive_summaries.summarise_agreement(agreed, agreement.currency))
    if session.row.scope_id is not None:
        # Saving it also updates products of the catalog, which takes too long for the caller's transaction.
        session.enqueue_task(SAVE_AGREED_PURCHASE)


def _find_agreed_offer(session: NegotiationSession, amount: Decimal) -> Offer | None:
    """Return the newest offer of this amount, or the one that the buyer last answered with it: what was
    agreed is for the same."""
    answered = next((one.answers for one in reversed(session.counters) if amount == one.amount), None)
    return next(
        (one for one in reversed(session.offers) if amount == one.amount),
        next((one for one in session.offers if one.first_entry_id == answered), None),
    )


def _end_negotiation(session: NegotiationSession) -> None:
    """Close everything that waits, except the last letter to the supplier."""
    session.expire_escalations(session.load_open_escalations())
    store.delete_timers(session.connection, session.id)
    withdraw_unsent_mail(session, except_kinds=("acceptance", "refusal"))


def _require_currency(session: NegotiationSession, currency: str) -> None:
    if session.currency is not None and currency != session.currency:
        raise ApiProblem(
            422,
            "The amount is not in the currency of the negotiation.",
            errors=[InvalidField("/payload/currency", f"must be {session.currency}")],
        )


def _require_products(session: NegotiationSession, quote: QuotePayload) -> None:
    named = {
        line.product_id: index for index, line in enumerate(quote.lines or ()) if line.product_id is not None
    }
    known = load_products(session.connection, named.keys(), session.organisation_id)
    wrong = [
        InvalidField(f"/payload/lines/{index}/productId", "There is no such product.")
        for key, index in named.items()
        if key not in known
    ]
    if wrong:
        raise ApiProblem(400, "The request is not valid.", errors=wrong)


def _update_content(arrival: IncomingUpdate) -> EntryContent:
    schema_id = arrival.update.payload_schema.get("$id")
    content: EntryContent = {"payload": arrival.update.payload}
    if schema_id is not None:
        content["schema"] = schema_id
    return content


def _entry_origin(arrival: IncomingUpdate) -> dict[str, Any]:
    return {
        "source": arrival.update.source,
        "external_id": arrival.update.external_id,
        "digest": arrival.digest,
        "end_user": arrival.end_user,
    }


def _add_entry(session: NegotiationSession, arrival: IncomingUpdate, content: EntryContent) -> str:
    return session.add_entry(
        arrival.kind,
        content,
        happened_at=arrival.update.timestamp,
        **_entry_origin(arrival),
    )


_POINTERS: dict[PositionName, str] = {
    "opening": "/payload/opening",
    "target": "/payload/target",
    "walk_away": "/payload/walkAway",
}


def _set_typed_numbers(session: NegotiationSession, typed: StrategyPayload, currency: str) -> EntryContent:
    """Set the numbers; return what the timeline entry adds. Raises ApiProblem 422 with pointers when they are
    not opening ≤ target ≤ walk-away; nothing is changed then."""
    given: dict[PositionName, Decimal] = {
        name: amount for name in POSITION_NAMES if (amount := getattr(typed, name)) is not None
    }
    before = session.strategy
    if not given:
        raise _wrong(POSITION_NAMES, "Enter at least one of the three numbers.")
    try:
        after = apply_typed_numbers(before, given, typed.note, currency)
    except NumbersOutOfOrder as error:
        raise _wrong(error.names, str(error)) from None
    if session.currency is None:
        session.update(currency=currency)
    session.update(strategy=after, next_offer=None)
    old = before.numbers if before else None
    changed = describe_changes(old, after.numbers, currency) or "the numbers as they were"
    return {"from": old, "to": after.numbers, "text": f"{changed[:1].upper()}{changed[1:]}: {typed.note}"}


def _wrong(names: Sequence[PositionName], why: str) -> ApiProblem:
    return ApiProblem(
        422,
        f"The numbers are out of order. {why}",
        errors=[InvalidField(_POINTERS[name], why) for name in names],
    )
