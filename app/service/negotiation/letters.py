"""Writes to the supplier where the service leads: in the transaction of what caused it, as a row. A worker
sends it; without a mail server, or without an address, it waits in the summary for a person to send."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import sqlalchemy as sa

from app.contract.negotiation import Figures
from app.service.database.tables.negotiation import mail
from app.service.ids import new_id
from app.service.negotiation import summaries
from app.service.negotiation.amounts import in_words
from app.service.negotiation.case import Case
from app.service.negotiation.mail import MailKind, letter
from app.settings import Settings

NOBODY = "Sir or Madam"


def edited_templates(settings: Settings) -> Path:
    """Where a person's own templates lie."""
    return settings.data_dir / "mail-templates"


def write_to_supplier(
    case: Case, settings: Settings, kind: MailKind, *, amount: Decimal | None = None, request: str = ""
) -> None:
    """Queues a message, if the service leads this negotiation. `amount` is what is offered for the whole."""
    if not case.led_by_us:
        return
    supplier = case.row.supplier
    offered = "" if amount is None else in_words(amount)
    words = {
        "supplier_contact": _one_line(supplier.get("contactName") or NOBODY),
        "contact_name": _one_line(case.row.contact_name),
        "contact_email": case.row.contact_email,
        "amount": offered,
        "currency": case.currency or "",
        "price_sentence": f"Our budget is {offered} {case.currency} before tax for the whole term."
        if amount is not None
        else "Please quote your best price before tax for the whole term.",
        "request": request,
    }
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
    case.summarise(summaries.message_waits(summary_text(kind, amount, case.currency), figures))


def summary_text(kind: MailKind, amount: Decimal | None, currency: str | None) -> str:
    """The draft without other people's names and addresses, which have numbers of their own. The whole of it
    stands on the timeline."""
    plain = {
        "supplier_contact": NOBODY,
        "contact_name": "",
        "contact_email": "our address",
        "amount": "" if amount is None else in_words(amount),
        "currency": currency or "",
        "price_sentence": f"Our budget is {in_words(amount)} {currency} before tax for the whole term."
        if amount is not None
        else "Please quote your best price before tax for the whole term.",
        "request": "See the timeline.",
    }
    return letter(kind, plain).body.strip()


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


def _one_line(name: str) -> str:
    return " ".join(name.split())
