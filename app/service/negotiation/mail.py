"""Writes letters to the supplier where the service leads the negotiation: as rows, in the transaction of
their cause. A worker sends them; without a mail server or an address, a letter waits for a person to copy and
send it.

A letter is filled with the product, its quantity and edition, the offer that is answered, one reason and a
date. None of them shows the supplier the buyer's target or walk-away.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Literal

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.dates import format_day
from app.contract.money import (
    format_count,
    format_exact_money,
    format_exact_quantity,
    join_words,
    on_one_line,
)
from app.contract.negotiation import Figures
from app.service.access.audit import LETTER_FAILED, LETTER_SENT
from app.service.background.mail_queue import DueMail, MailAttempt, make_due_mail, send_mails, withdraw_mails
from app.service.context import Context
from app.service.database.letters import SUPPLIER_LETTERS
from app.service.database.tables import letter, negotiation
from app.service.ids import new_id
from app.service.negotiation import store
from app.service.negotiation.offers.offered_terms import find_offered_terms
from app.service.negotiation.offers.scope_requirements import load_requirements, read_chosen_options
from app.service.negotiation.rows import EscalationRow, MailRow
from app.service.negotiation.session import executive_summaries
from app.service.negotiation.session.negotiation_session import NegotiationSession, change_negotiation
from app.service.negotiation.session.states import MoveRefused
from app.service.scopes.quote_store import load_quote
from app.service.scopes.store import ScopeProduct, load_products
from app.service.scopes.terms import StoredProductTerm, as_number
from app.settings import Settings

_MailKind = Literal["opening", "counter", "change", "reminder", "acceptance", "refusal", "withdrawal"]
_WITHOUT_OFFER: Mapping[_MailKind, _MailKind] = {"counter": "opening", "refusal": "withdrawal"}
"""What is written instead of a letter that answers an offer, to a supplier who has made none."""

_BUILT_IN_TEMPLATES = Path(__file__).with_name("mail_templates")


@dataclass(frozen=True, slots=True)
class _Letter:
    subject: str
    body: str


def fill_template(
    kind: _MailKind, fields: Mapping[str, str], custom_templates: Path | None = None
) -> _Letter:
    """Fill in a template. Its first line is `Subject: …`. A file of the same name in the folder
    `custom_templates` replaces ours; an unknown `$word` stays as it is."""
    text = _read_template(kind, custom_templates)
    head, _, body = text.partition("\n")
    subject = Template(head.removeprefix("Subject:").strip()).safe_substitute(fields)
    # A header is one line, whatever a name holds.
    return _Letter(" ".join(subject.split()), Template(body).safe_substitute(fields).strip() + "\n")


def _read_template(kind: _MailKind, custom_templates: Path | None) -> str:
    if custom_templates is not None:
        try:
            return (custom_templates / f"{kind}.txt").read_text(encoding="utf-8")
        except FileNotFoundError:
            pass
    return _read_built_in(kind)


@lru_cache
def _read_built_in(kind: _MailKind) -> str:
    return (_BUILT_IN_TEMPLATES / f"{kind}.txt").read_text(encoding="utf-8")


def queue_mail(
    session: NegotiationSession,
    settings: Settings,
    kind: _MailKind,
    *,
    amount: Decimal | None = None,
    request: str = "",
) -> None:
    """Queue a letter, if the service leads this negotiation. `amount` is what is offered for the whole,
    `request` what the supplier is asked to change."""
    if not session.is_led_by_service:
        return
    supplier = session.row.supplier
    fields = {**_build_mail_fields(session, amount), "request": request}
    template = kind if session.offers else _WITHOUT_OFFER.get(kind, kind)
    text = fill_template(template, fields, settings.data_dir / "mail-templates")
    recipient = supplier.get("contactEmail")
    is_sent_by_service = settings.smtp_url is not None and recipient is not None
    withdraw_unsent_mail(session)
    session.connection.execute(
        letter.insert().values(
            id=new_id(),
            organisation_id=session.organisation_id,
            kind=SUPPLIER_LETTERS.name,
            object_kind="negotiation",
            object_id=session.id,
            reason=kind,
            status="queued" if is_sent_by_service else "draft",
            recipient=recipient,
            subject=text.subject,
            body=text.body,
            attempts=0,
            next_at=session.now if is_sent_by_service else None,
            created_at=session.now,
        )
    )
    if is_sent_by_service:
        session.mark_changed()
        return
    figures = (
        Figures()
        if amount is None
        else Figures(opening=amount)
        if kind == "opening"
        else Figures(counter=amount)
    )
    session.add_summary(executive_summaries.summarise_draft_letter(amount, session.currency, figures))


def withdraw_unsent_mail(session: NegotiationSession, *, except_kinds: Sequence[_MailKind] = ()) -> None:
    """Withdraw the letters that have not left, whether or not an attempt was made: they are out of date once
    there is something newer to say."""
    outdated = store.to_supplier_of(session.id), letter.c.reason.not_in(except_kinds)
    withdraw_mails(session.connection, sa.and_(*outdated))


def mark_sent(session: NegotiationSession, mail_id: str) -> MailRow | None:
    """Mark a draft as sent by a person; return its row, None when there is no such letter. One that was
    marked before stays as it was. Raises MoveRefused for a letter that the mail server has sent or will
    send."""
    row = store.find_mail(session.connection, session.id, mail_id)
    if row is None or row.status == "sent":
        return row
    if row.status not in {"draft", "failed"}:
        raise MoveRefused("This letter is queued: the mail server will send it.")
    session.connection.execute(
        letter.update().where(letter.c.id == mail_id).values(status="sent", sent_at=session.now, next_at=None)
    )
    text = f"“{row.subject}” was marked as sent."
    session.add_entry("mail", {"mailId": mail_id, "text": text, "byHand": True})
    return store.find_mail(session.connection, session.id, mail_id)


def send_due_mail(context: Context) -> int:
    """Send the letters that are due; return how many were sent."""
    with context.database.reading() as connection:
        due = _load_due_mail(connection, context.clock())

    def record(attempt: MailAttempt) -> None:
        now = context.clock()
        with change_negotiation(context, due[attempt.mail], now) as (connection, session):
            if attempt.save(connection) and session is not None and attempt.is_last:
                how = "was sent" if attempt.error is None else f"could not be sent: {attempt.error}"
                text = f"“{attempt.mail.subject}” {how}."
                session.add_entry("mail", {"mailId": attempt.mail.id, "text": text})
                session.record_outcome(LETTER_SENT if attempt.error is None else LETTER_FAILED)

    return send_mails(context, SUPPLIER_LETTERS, due, record)


def _load_due_mail(connection: Connection, now: datetime) -> dict[DueMail, str]:
    """Return the letters that are due, each with the id of its negotiation. Replies go to the buyer."""
    due = SUPPLIER_LETTERS.select_due(now).add_columns(negotiation.c.contact_email)
    rows = connection.execute(due.join(negotiation, negotiation.c.id == letter.c.object_id))
    return {
        make_due_mail(row, row.subject, row.body, reply_to=row.contact_email): row.object_id for row in rows
    }


_UNKNOWN_CONTACT = "Sir or Madam"
_ANSWER_TIME = timedelta(days=7)
_MAX_NAMED_PRODUCTS = 3


def _build_mail_fields(session: NegotiationSession, amount: Decimal | None) -> dict[str, str]:
    """Return every field that a template may name. `amount` is what is offered for the whole, if anything."""
    supplier = session.row.supplier
    offered = "" if amount is None else format_exact_money(amount, session.currency or "")
    months, product, reason = (
        _describe_term_length(session),
        _describe_products(session, _find_terms_in_question(session)),
        _give_reason(session, amount),
    )
    whole_term = " for the whole term" if months else ""
    return {
        "supplier_contact": on_one_line(supplier.get("contactName") or _UNKNOWN_CONTACT),
        "contact_name": on_one_line(session.row.contact_name),
        "contact_email": session.row.contact_email,
        "product": product,
        "bought": f"{product} for {months}" if months else product,
        "your_offer": _name_offer(session),
        "amount": "" if amount is None else format_exact_quantity(amount),
        "currency": session.currency or "",
        "price": offered,
        "whole_term": whole_term,
        "price_sentence": f"Our budget is {offered} before tax{whole_term}. {reason}"
        if amount is not None
        else f"Please quote your best price before tax{whole_term}.",
        "reason": reason,
        "answer_by": format_day(_answer_deadline(session)),
    }


def phrase_request(session: NegotiationSession, escalation: EscalationRow | None, note: str | None) -> str:
    """Say what the supplier is asked to change: the buyer's own note, else what the decision was about."""
    if note:
        return note
    reason = escalation.reason if escalation is not None else None
    if escalation is not None and reason == "contract_clause":
        return f"{escalation.description} Please remove or cap this."
    if reason == "quote_expiring":
        return "Please extend the validity of your offer."
    if reason == "scope_mismatch":
        scope = session.find_scope_with_products()
        months = _describe_scope_months(session)
        term = f" for {months}" if months else ""
        asked = _describe_products(session, scope.product_terms if scope is not None else ())
        return f"Please quote what we asked for: {asked}{term}."
    return "Please improve your price."


def _find_terms_in_question(session: NegotiationSession) -> Sequence[StoredProductTerm]:
    """Return what the newest offer is for where that is something else than the scope, else what the scope
    asks for; none where no product of it is known."""
    scope = session.find_scope_with_products()
    if scope is None:
        return ()
    newest = session.offers[-1] if session.offers else None
    if newest is None or newest.fits_scope:
        return scope.product_terms
    offered = find_offered_terms(session.connection, newest, scope)
    return [StoredProductTerm(key) for key in newest.quantities] if offered is None else offered


def _describe_products(session: NegotiationSession, terms: Sequence[StoredProductTerm]) -> str:
    """Such as “Suite 365 (Users: 10; Edition: Pro)”; the first few of several products. A product that the
    catalog does not know is named as in the quote."""
    if not terms:
        return _join_names(_quote_line_names(session)) or "what we discussed"
    products = load_products(session.connection, [term.product_id for term in terms], session.organisation_id)
    return _join_names([_describe_term(term, products.get(term.product_id)) for term in terms])


def _join_names(products: Sequence[str]) -> str:
    named = list(products[:_MAX_NAMED_PRODUCTS])
    more = len(products) - len(named)
    if more:
        named.append(format_count(more, "more product"))
    return join_words(named)


def _quote_line_names(session: NegotiationSession) -> list[str]:
    """Return the names of the lines that cost money, in the quote behind the scope."""
    row = session.find_scope()
    quote = load_quote(session.connection, row) if row is not None else None
    lines = [line for line in (quote.lines if quote else ()) if line.role == "product"]
    costing = [line for line in lines if line.amount is None or line.amount > 0]
    return list(dict.fromkeys(on_one_line(line.description) for line in costing))


def _describe_term(term: StoredProductTerm, product: ScopeProduct | None) -> str:
    if product is None:
        return "a product"
    values = term.values
    options = read_chosen_options(term, product)
    parts: list[str] = []
    for dimension in product.dimensions:
        value = values.get(dimension.id)
        if dimension.id == product.quantity_dimension_id and value is not None:
            quantity = as_number(value) or Decimal(0)
            parts.append(f"{dimension.name}: {format_exact_quantity(quantity)}")
        elif (option := options.get(dimension.id)) is not None and option.label != "no":
            parts.append(f"{option.name}: {option.label}")
    return on_one_line(f"{product.name} ({'; '.join(parts)})" if parts else product.name)


def _name_offer(session: NegotiationSession) -> str:
    newest = session.offers[-1] if session.offers else None
    return (
        f"your offer {on_one_line(newest.document_number)}"
        if newest and newest.document_number
        else "your offer"
    )


def _give_reason(session: NegotiationSession, amount: Decimal | None) -> str:
    """Return one reason that is true and does not show the numbers of the buyer."""
    if amount is None:
        return ""
    if any(lever.kind == "competitor" and lever.tightens for lever in session.row.levers):
        return "Comparable products from other suppliers cost less."
    median = session.strategy.median if session.strategy else None
    newest = session.offers[-1] if session.offers else None
    if median is not None and newest is not None and newest.fits_scope and newest.amount > median:
        return "By our estimate, more than half of comparable purchases cost less than your offer."
    return "This is the amount that we have planned."


def _answer_deadline(session: NegotiationSession) -> date:
    """Return a week from now, or the last day of the offer where that is sooner."""
    day = (session.now + _ANSWER_TIME).date()
    until = session.offers[-1].valid_until if session.offers else None
    return until if until is not None and session.now.date() <= until < day else day


def _describe_term_length(session: NegotiationSession) -> str:
    """Return the term in question: that of the newest offer where it is for another one than the scope."""
    newest = session.offers[-1] if session.offers else None
    if newest is not None and newest.term_length and not newest.fits_scope:
        return _format_months(newest.term_length)
    return _describe_scope_months(session)


def _describe_scope_months(session: NegotiationSession) -> str:
    if (scope := session.find_scope_with_products()) is not None:
        return _format_months(load_requirements(session.connection, scope).term_length or 0)
    scope = session.find_scope()
    return _format_months(scope.stated_months or 0) if scope is not None else ""


def _format_months(months: int) -> str:
    return format_count(months, "month") if months else ""
