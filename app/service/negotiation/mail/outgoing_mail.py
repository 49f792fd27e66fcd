"""Writes letters to the supplier where the service leads the negotiation: as rows, in the transaction of
their cause. A worker sends them; without a mail server or an address, a letter waits for a person to copy and
send it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Literal

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.negotiation import Figures
from app.service.access.audit import LETTER_FAILED, LETTER_SENT
from app.service.background.mail_queue import DueMail, MailAttempt, make_due_mail, send_mails, withdraw_mails
from app.service.context import Context
from app.service.database.letters import SUPPLIER_LETTERS
from app.service.database.tables.letters import letter
from app.service.database.tables.negotiation import negotiation
from app.service.ids import new_id
from app.service.negotiation import store
from app.service.negotiation.mail.mail_texts import build_mail_fields
from app.service.negotiation.rows import MailRow
from app.service.negotiation.session import executive_summaries
from app.service.negotiation.session.negotiation_session import NegotiationSession, open_session
from app.service.negotiation.session.states import MoveRefused
from app.settings import Settings

_MailKind = Literal["opening", "counter", "change", "reminder", "acceptance", "refusal"]

_BUILT_IN_TEMPLATES = Path(__file__).with_name("templates")


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


def custom_template_folder(settings: Settings) -> Path:
    """Return the folder of the user's own templates."""
    return settings.data_dir / "mail-templates"


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
    fields = {**build_mail_fields(session, amount), "request": request}
    text = fill_template(kind, fields, custom_template_folder(settings))
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
    session.add_entry("mail", {"mailId": mail_id, "text": f"“{row.subject}” was marked as sent."})
    return store.find_mail(session.connection, session.id, mail_id)


def send_due_mail(context: Context) -> int:
    """Send the letters that are due; return how many were sent. The worker calls it together with the
    timers."""
    with context.database.reading() as connection:
        due = _load_due_mail(connection, context.clock())

    def record(attempt: MailAttempt) -> None:
        now = context.clock()
        with (
            context.database.writing() as connection,
            open_session(context, connection, due[attempt.mail], now) as session,
        ):
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
