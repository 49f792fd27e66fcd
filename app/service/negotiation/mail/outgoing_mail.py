"""Writes to the supplier where the service leads: in the transaction of what caused it, as a row. A worker
sends it; without a mail server, or without an address, it waits for a person to copy and send it."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row

from app.contract.negotiation import Figures
from app.service.database.tables.negotiation import mail
from app.service.ids import new_id
from app.service.negotiation.mail.mail_templates import MailKind, letter
from app.service.negotiation.mail.mail_texts import words_for
from app.service.negotiation.session import executive_summaries
from app.service.negotiation.session.negotiation_session import Case
from app.service.negotiation.session.states import MoveRefused
from app.settings import Settings


def edited_templates(settings: Settings) -> Path:
    """Where a person's own templates lie."""
    return settings.data_dir / "mail-templates"


def write_to_supplier(
    case: Case, settings: Settings, kind: MailKind, *, amount: Decimal | None = None, request: str = ""
) -> None:
    """Queues a message, if the service leads this negotiation. `amount` is what is offered for the whole,
    `request` what the supplier is asked to change."""
    if not case.led_by_us:
        return
    supplier = case.row.supplier
    words = {**words_for(case, amount), "request": request}
    written = letter(kind, words, edited_templates(settings))
    recipient: str | None = supplier.get("contactEmail")
    sent_by_us = settings.smtp_url is not None and recipient is not None
    drop_unsent(case)
    case.connection.execute(
        mail.insert().values(
            id=new_id(),
            negotiation_id=case.id,
            kind=kind,
            status="queued" if sent_by_us else "draft",
            recipient=recipient,
            subject=written.subject,
            body=written.body,
            attempts=0,
            next_at=case.now if sent_by_us else None,
            created_at=case.now,
        )
    )
    if sent_by_us:
        case.touch()
        return
    figures = (
        Figures()
        if amount is None
        else Figures(opening=amount)
        if kind == "opening"
        else Figures(counter=amount)
    )
    case.summarise(executive_summaries.message_waits(amount, case.currency, figures))


def drop_unsent(case: Case, *, but: Sequence[MailKind] = ()) -> None:
    """What waits to be sent is out of date once there is something newer to say."""
    case.connection.execute(
        sa.delete(mail).where(
            mail.c.negotiation_id == case.id,
            mail.c.status.in_(("draft", "queued")),
            mail.c.attempts == 0,
            mail.c.kind.not_in(but),
        )
    )


def mark_sent(case: Case, mail_id: str) -> Row[Any] | None:
    """A person sent this draft; returns its row, None when there is no such letter. Marked before, it stays
    as it was. Raises MoveRefused for a letter that the mail server has or had to send."""
    row = case.connection.execute(
        sa.select(mail).where(mail.c.id == mail_id, mail.c.negotiation_id == case.id)
    ).first()
    if row is None or row.status == "sent":
        return row
    if row.status not in {"draft", "failed"}:
        raise MoveRefused("This letter waits for the mail server, which will send it.")
    case.connection.execute(
        mail.update().where(mail.c.id == mail_id).values(status="sent", sent_at=case.now, next_at=None)
    )
    case.record("mail", {"mailId": mail_id, "text": f"“{row.subject}” was sent by a person."})
    return case.connection.execute(sa.select(mail).where(mail.c.id == mail_id)).one()
