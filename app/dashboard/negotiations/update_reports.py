"""What a reader reports of a negotiation: an event, a correction, other numbers, a file; as updates that the
service accepts. Each kind has a JSON Schema of its own, whose `$id` names the kind.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Any, Literal, get_args

import streamlit as st
from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from app.client import ScopedClient
from app.contract.money import format_money
from app.contract.negotiation import (
    FINAL_STATUSES,
    AttachedFile,
    ExecutiveSummary,
    ExternalUpdate,
    Figures,
    NegotiationMail,
    NegotiationSummary,
    Timeline,
    TimelineEntry,
)
from app.contract.strategy import StrategyShown
from app.contract.values import CURRENCY_PATTERN
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import Write, write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm, Form
from app.dashboard.session_values import first_try_at, upload_count
from components.elements.form_fields import (
    AMOUNT_FAULT,
    Field,
    Fields,
    draw_document_upload,
    get_amount,
    get_text,
    is_valid_amount,
    mark_required,
)
from components.formatting import format_local_time, get_reader_zone
from components.negotiations.negotiation_state import NUMBER_LABELS
from components.negotiations.timeline import TimelinePoint

SOURCE = "parley-dashboard"

ReportKind = Literal["quote", "message", "decision", "agreement", "strategy", "correction", "cancellation"]
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
_REQUIRED: dict[ReportKind, list[str]] = {
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

    kind: ReportKind
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


def report(kind: ReportKind, **fields: Any) -> Report:
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


Kind = Literal["offer", "counter", "message", "agreement", "cancellation"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LABELS: dict[Kind, str] = {
    "offer": "Supplier's offer",
    "counter": "Our counter-offer",
    "message": "Message",
    "agreement": "Agreed price",
    "cancellation": "Cancellation",
}
_FIELDS_IN_A_ROW: dict[Kind, tuple[str, ...]] = {
    "offer": ("amount", "currency", "term", "on", "until"),
    "counter": ("amount", "on"),
    "agreement": ("amount", "currency", "term", "on"),
}
_FIELDS_BELOW: dict[Kind, tuple[str, ...]] = {
    "offer": ("note",),
    "counter": ("note",),
    "message": ("sender", "text"),
    "cancellation": ("reason",),
}
_CAPTIONS: dict[Kind, str] = {
    "counter": "For what you offered. Where Parley writes to the supplier, a letter with it is prepared.",
    "agreement": "An agreed price completes the negotiation; its savings are final.",
    "cancellation": "A cancellation is final.",
}
CORRECT, WITHDRAW = "Correct the offer", "Withdraw the offer"
_AMOUNT_HELP = "Before tax, for the whole term."
_TERM = Field("term", "Term in months", kind="number", least=1, most=1200)
_UNTIL = Field("until", "Valid until", kind="day")
_REASON = Field("note", mark_required("Reason"), most=2000)


def list_points_of_summaries(summaries: Sequence[ExecutiveSummary]) -> list[TimelinePoint]:
    """Return the points of the summaries, oldest first, for a deployment without a timeline."""
    return [(one.created_at, one.figures) for one in reversed(summaries) if one.created_at is not None]


_FIGURES = {"quote": "quoted", "decision": "counter", "agreement": "agreed"}


def list_points_of_entries(entries: Sequence[TimelineEntry]) -> list[TimelinePoint]:
    """Return the points of a timeline, oldest first: the offers of both sides when they were made, numbers
    when they took effect."""
    stated = [*list_valid_offers(entries), *(entry for entry in entries if entry.kind != "quote")]
    offers = [
        (entry.happened_at, Figures.model_validate({_FIGURES[entry.kind]: entry.amount}))
        for entry in stated
        if entry.happened_at is not None and entry.kind in _FIGURES and entry.amount is not None
    ]
    numbers = [
        (entry.recorded_at, Figures(opening=entry.opening, target=entry.target, walk_away=entry.walk_away))
        for entry in sorted(entries, key=attrgetter("id"))
        if entry.recorded_at is not None and entry.target is not None
    ]
    # An entry that was recorded before another has the lower id; equal instants keep that order.
    return sorted(offers + numbers, key=itemgetter(0))


def list_valid_offers(entries: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """Return the offers that were not withdrawn, in their order, each with its latest correction."""
    corrected: dict[str, TimelineEntry] = {}
    for entry in sorted(entries, key=attrgetter("id")):
        if entry.kind == "correction" and entry.corrects:
            corrected[entry.corrects] = entry
    offers: list[TimelineEntry] = []
    for entry in entries:
        if entry.kind == "quote" and entry.status != "withdrawn":
            newest = corrected.get(entry.id, entry)
            # What it corrects of the term and the last day stands in its payload.
            payload = {**(entry.payload or {}), **(newest.payload or {})}
            changed = {"amount": newest.amount, "currency": newest.currency, "payload": payload}
            offers.append(entry.model_copy(update=changed))
    return offers


REPORT_OPERATION = "POST /v1/negotiation/{}/external-update"


def write_update(negotiation_id: str, made: Report) -> Write[None]:
    """Return the write that sends a report. Its instant and its id stay the same over all tries: the service
    refuses an id or an idempotency key that comes back with other content."""

    def write(client: ScopedClient, idempotency_key: str) -> None:
        now = datetime.now(UTC)
        update = made.make_update(first_try_at(idempotency_key).get_or_set(now) or now, idempotency_key)
        client.negotiations.external_update(negotiation_id, update, idempotency_key=idempotency_key)

    return write


def draw_report_button(
    negotiation_id: str,
    label: str,
    form: Form[Report],
    check: Callable[[], CheckedForm[Report]],
    *,
    what: str,
    success: str,
    type: Literal["primary", "secondary"] = "secondary",
) -> None:
    """Draw the button that sends what `check` makes of the form. Afterwards the reader is told `success`."""
    form.draw_button(
        label,
        check=check,
        send=lambda client, made, key: write_update(negotiation_id, made)(client, key),
        what=what,
        on_success=lambda _: st.toast(success, icon=":material/check:"),
        type=type,
    )


def validate_update(
    kind: Kind, typed: Mapping[str, Any], currency: str, now: datetime
) -> CheckedForm[Report]:
    """Return the update, or the faults. `typed` holds amount, currency, on, term, until, note, sender, text,
    reason. `currency` is that of the negotiation, "" where it has none yet; `now` is the reader's time."""
    faults = _find_update_faults(kind, typed, currency, now.date())
    if faults:
        return CheckedForm(None, faults)
    amount, day, term = get_amount(typed, "amount"), typed.get("on"), typed.get("term")
    note, currency = get_text(typed, "note"), get_text(typed, "currency").upper()
    match kind:
        case "message":
            return CheckedForm(
                report(kind, **{"from": get_text(typed, "sender"), "text": get_text(typed, "text")}), {}
            )
        case "cancellation":
            return CheckedForm(report(kind, reason=get_text(typed, "reason")), {})
        case "counter":
            made = report("decision", decision="counter", amount=amount, note=note)
        case "agreement":
            made = report(kind, amount=amount, currency=currency, termLength=term, signedAt=day)
        case "offer":
            until = typed.get("until")
            made = report(
                "quote", amount=amount, currency=currency, termLength=term, validUntil=until, note=note
            )
    if day is not None and day < now.date():
        made = made.model_copy(update={"happened_at": datetime.combine(day, time(12), now.tzinfo)})
    return CheckedForm(made, {})


def _find_update_faults(kind: Kind, typed: Mapping[str, Any], currency: str, today: date) -> dict[str, str]:
    if kind == "message":
        needed = ("sender", "text")
        return {field: "This field is required." for field in needed if not get_text(typed, field)}
    if kind == "cancellation":
        return {}
    day, until = typed.get("on"), typed.get("until")
    faults: dict[str, str] = {}
    if not is_valid_amount(get_amount(typed, "amount")):
        faults["amount"] = AMOUNT_FAULT
    if kind != "counter" and (fault := _find_currency_fault(get_text(typed, "currency").upper(), currency)):
        faults["currency"] = fault
    if day is not None and day > today:
        faults["on"] = "This day has not come yet."
    if kind == "offer" and until is not None and until < (day or today):
        faults["until"] = "The offer would have ended before it was made."
    return faults


def _find_currency_fault(given: str, expected: str) -> str | None:
    if len(given) != 3 or not given.isascii() or not given.isalpha():
        return "Enter a three-letter code such as USD."
    if expected and given != expected:
        return f"This negotiation is in {expected}. Enter the amount in {expected}."
    return None


def validate_correction(typed: Mapping[str, Any], offers: Sequence[TimelineEntry]) -> CheckedForm[Report]:
    """Return the update, or the faults. `typed` holds offer (id of its entry), what, amount, term, until,
    note; `offers` are those that can be corrected, as they stand."""
    offer = next((one for one in offers if one.id == get_text(typed, "offer")), None)
    if offer is None:
        return CheckedForm(None, {"offer": "Choose an offer."})
    note = get_text(typed, "note")
    faults: dict[str, str] = {} if note else {"note": "Enter a reason for the record."}
    withdrawn = typed.get("what") == WITHDRAW
    amount, term, until = get_amount(typed, "amount"), typed.get("term"), typed.get("until")
    if withdrawn:
        amount = term = until = None
    elif amount is None and term is None and until is None:
        faults["amount"] = "Enter the correct values of the offer."
    elif amount is not None and not is_valid_amount(amount):
        faults["amount"] = AMOUNT_FAULT
    elif amount == offer.amount and term is None and until is None:
        faults["amount"] = "The offer has this amount already."
    if faults:
        return CheckedForm(None, faults)
    return CheckedForm(
        report(
            "correction",
            externalId=offer.id,
            withdrawn=withdrawn or None,
            amount=amount,
            termLength=term,
            validUntil=until,
            note=note,
        ),
        {},
    )


def validate_numbers(typed: Fields, now: StrategyShown, currency: str) -> CheckedForm[Report]:
    """Return the update, or the faults. The numbers that were entered are compared with those that stay as
    they are `now`. `typed` holds opening, target, walk_away, note."""
    faults: dict[str, str] = {}
    given = {name: amount for name in NUMBER_LABELS if (amount := get_amount(typed, name)) is not None}
    for name, amount in given.items():
        if not is_valid_amount(amount):
            faults[name] = AMOUNT_FAULT
    note = get_text(typed, "note")
    if not note:
        faults["note"] = "Enter a reason for the record."
    if not given:
        faults["target"] = "Enter at least one of the three numbers."
    known = {name: position.amount for name in NUMBER_LABELS if (position := getattr(now, name)) is not None}
    order = {name: amount for name in NUMBER_LABELS if (amount := {**known, **given}.get(name)) is not None}
    names = list(order)
    for lower, upper in pairwise(names):
        if order[lower] > order[upper]:
            wrong = lower if lower in given else upper
            faults.setdefault(
                wrong,
                f"{NUMBER_LABELS[lower]} {format_money(order[lower], currency)} is above"
                f" {NUMBER_LABELS[upper].lower()} {format_money(order[upper], currency)}.",
            )
    if faults:
        return CheckedForm(None, faults)
    wire = {to_camel(name): amount for name, amount in given.items()}
    return CheckedForm(report("strategy", **wire, note=note, currency=currency), {})


def draw_update_reports(
    deployment: Deployment, negotiation: NegotiationSummary, timeline: Timeline | None, currency: str
) -> None:
    if negotiation.status in FINAL_STATUSES:
        _draw_closed(deployment, negotiation)
        return
    event, file = st.columns([3, 2], gap="large")
    with event:
        st.markdown("**An offer, a message or the outcome**")
        known_currency = timeline.currency if timeline else None
        _draw_update_form(deployment, negotiation.id, currency, known_currency or "")
        if timeline:
            draw_offer_corrections(deployment, negotiation.id, list_valid_offers(timeline.entries), currency)
    with file:
        st.markdown("**A file, such as a new quote**")
        _draw_attachment(deployment, negotiation.id)


def _draw_closed(deployment: Deployment, negotiation: NegotiationSummary) -> None:
    if negotiation.status != "complete":
        st.caption("This negotiation was cancelled; no more updates can be logged.")
        return
    st.caption(
        "This negotiation is complete: what was agreed, saved and put on record as a purchase rests on its "
        "offers as they stand. If one of them was wrong, start a new negotiation and record them there."
    )
    if queries.has_operation(deployment, "POST /v1/negotiation/start"):
        query = {"scope": negotiation.scope.id} if negotiation.scope.id else {"about": "A supplier"}
        navigation.draw_link("negotiations", "Start a new negotiation", icon="handshake", **query)


def _make_update_form(
    deployment: Deployment, negotiation_id: str, currency: str
) -> tuple[Kind, Form[Report]]:
    """Return what is reported and its form. Each negotiation has its own: what was typed for one supplier
    must not stand in the form of another."""
    key = f"update-{negotiation_id}"
    chosen = st.session_state.get(f"{key}/kind")
    kind: Kind = chosen if chosen in KINDS else "offer"
    amount = f"Amount ({currency})" if kind == "counter" and currency else "Amount"
    day = "Signed on" if kind == "agreement" else "Made on"
    fields = (
        Field("kind", "What happened", kind="radio", words=LABELS, default="offer"),
        Field("amount", mark_required(amount), kind="amount", help=_AMOUNT_HELP),
        Field("currency", mark_required("Currency"), most=3, default=currency),
        _TERM,
        Field("on", day, kind="day", help="Leave it empty for today."),
        _UNTIL,
        Field("note", "Note", most=2000),
        Field("sender", "From", most=200),
        Field("text", "Text", kind="area", most=20_000),
        Field("reason", "Reason", most=2000),
    )
    return kind, Form(deployment, key, Report, fields)


@st.fragment
def _draw_update_form(
    deployment: Deployment, negotiation_id: str, currency: str, known_currency: str
) -> None:
    """Draw the form. `currency` is proposed, `known_currency` the one that the negotiation is in."""
    _, form = _make_update_form(deployment, negotiation_id, currency)
    form.begin()
    form.draw_fields(("kind",))
    kind, form = _make_update_form(deployment, negotiation_id, currency)
    if kind in _FIELDS_IN_A_ROW:
        with st.grid(4, min_column_width=150):
            form.draw_fields(_FIELDS_IN_A_ROW[kind])
    if kind in _FIELDS_BELOW:
        form.draw_fields(_FIELDS_BELOW[kind])
    if kind in _CAPTIONS:
        st.caption(_CAPTIONS[kind])
    form.keep_draft()
    draw_report_button(
        negotiation_id,
        "Save",
        form,
        lambda: validate_update(kind, form.read(), known_currency, datetime.now(get_reader_zone())),
        what="The update",
        success="Saved.",
        type="primary",
    )


def _draw_attachment(deployment: Deployment, negotiation_id: str) -> None:
    uploader = f"file-{negotiation_id}"
    uploads = upload_count(uploader)
    file = draw_document_upload("File", key=f"{uploader}-{uploads.get()}")

    def attach(client: ScopedClient, idempotency_key: str) -> AttachedFile:
        assert file is not None
        return client.negotiations.attach_upload(
            negotiation_id,
            file.getvalue(),
            filename=file.name,
            mime_type=file.type,
            idempotency_key=idempotency_key,
        )

    def empty_uploader(_: AttachedFile) -> None:
        uploads.set(uploads.get() + 1)
        st.toast(
            "Attached. A quote in it becomes an offer once it has been read.", icon=":material/attach_file:"
        )

    write_button(
        deployment,
        "Attach the file",
        name=f"attach-{file.file_id if file else ''}",
        what="Attaching the file",
        write=attach,
        on_success=empty_uploader,
        icon="attach_file",
        disabled=file is None,
    )


def draw_numbers_editor(
    deployment: Deployment, negotiation_id: str, now: StrategyShown, currency: str
) -> None:
    """Draw the form for the reader's own numbers, and the button that calculates them from the evidence."""
    amounts = [
        Field(name, label, kind="amount", help=f"{_AMOUNT_HELP} Leave empty to keep the current number.")
        for name, label in NUMBER_LABELS.items()
    ]
    form = Form(deployment, f"numbers-{negotiation_id}", Report, (*amounts, _REASON))
    with st.expander("Set the numbers yourself", expanded=now.target is None):
        with form.drawing():
            with st.grid(3, min_column_width=150):
                form.draw_fields(NUMBER_LABELS)
            form.draw_fields(("note",))
        draw_report_button(
            negotiation_id,
            "Set the numbers",
            form,
            lambda: validate_numbers(form.read(), now, currency),
            what="Setting the numbers",
            success="The numbers are set.",
            type="primary",
        )
    write_button(
        deployment,
        "Recalculate from the evidence",
        name=f"plan-anew-{negotiation_id}",
        operation="POST /v1/negotiation/{}/strategy",
        what="Recalculating the numbers",
        write=lambda client, key: client.negotiations.plan_anew(negotiation_id, idempotency_key=key),
        icon="refresh",
        help="Use after an import or a second quote. Numbers that you entered are kept.",
    )


def draw_offer_corrections(
    deployment: Deployment, negotiation_id: str, offers: Sequence[TimelineEntry], currency: str
) -> None:
    """Draw the form that corrects or withdraws one of `offers`; nothing when there is none."""
    if not offers:
        return
    amounts = {
        offer.id: format_money(offer.amount, offer.currency or currency)
        for offer in reversed(offers)
        if offer.amount is not None
    }
    days = {offer.id: format_local_time(offer.happened_at) for offer in offers}
    key = f"correction-{negotiation_id}"
    chosen = st.session_state.get(f"{key}/offer")
    fields = (
        Field(
            "offer",
            "Offer",
            kind="choice",
            words={each: f"{amount}, {days[each]}" for each, amount in amounts.items()},
            default=next(iter(amounts), None),
        ),
        Field("what", "Correction", kind="radio", choices=[CORRECT, WITHDRAW], default=CORRECT),
        Field("amount", "Amount", kind="amount", placeholder=amounts.get(chosen or "")),
        _TERM,
        _UNTIL,
        _REASON,
    )
    form = Form(deployment, key, Report, fields)
    with st.expander("Correct an offer"):
        with form.drawing():
            form.draw_fields(("offer", "what"))
            if form.read()["what"] == CORRECT:
                with st.grid(3, min_column_width=150):
                    form.draw_fields(("amount", "term", "until"))
                st.caption(
                    "Fill in what was wrong; what stays empty is kept. The timeline shows both, and"
                    " everything that rests on the offer is calculated again."
                )
            else:
                st.caption("The offer stays on the timeline but no longer counts.")
            form.draw_fields(("note",))
        draw_report_button(
            negotiation_id,
            "Save the correction",
            form,
            lambda: validate_correction(form.read(), offers),
            what="Correcting the offer",
            success="The offer is corrected.",
        )


def draw_sent_button(deployment: Deployment, negotiation_id: str, mail: NegotiationMail) -> None:
    """Draw the button that marks a letter as sent by the reader."""

    write_button(
        deployment,
        "Mark as sent",
        name=f"sent-{mail.id}",
        operation="POST /v1/negotiation/{}/mails/{}/sent",
        what="Marking it as sent",
        write=lambda client, key: client.negotiations.mark_sent(negotiation_id, mail.id, idempotency_key=key),
        icon="mark_email_read",
        type="primary",
    )
