"""What was done to a scope, a negotiation or an agreement, in sentences. Pure."""

import re
from collections.abc import Sequence
from datetime import date

from app.contract.dates import format_day
from app.service.catalog.names import shorten

DONE = {
    "scopes.create": "made this scope by hand",
    "scopes.createFromDocument": "made this scope from a document",
    "scopes.update": "changed",
    "scopeDocuments.confirm": "confirmed the document; that made a follow-up scope",
    "listPrices.take": "changed which prices of this list are list prices of the catalog",
    "negotiations.start": "started this negotiation",
    "negotiations.update": "changed",
    "updates.create": "reported an update of this negotiation",
    "attachments.create": "attached a file",
    "strategies.recalculate": "calculated the strategy again",
    "mails.markSent": "marked a letter as sent",
    "agreements.create": "put this agreement on record",
    "agreements.createFromDocument": "put this agreement on record from a confirmed document",
    "agreements.update": "changed",
    "agreementDecisions.create": "decided what becomes of this agreement",
    "agreementRenewals.create": "started the renewal",
    "agreementPurchases.decide": "decided whether a purchase is that of a line",
    "service.recordAgreement": "put this agreement on record when its price was agreed",
    "service.renewAgreement": "noted that this agreement was renewed by negotiation",
    "service.recordPurchases": "brought the purchases of this agreement up to date with its lines",
    "service.recalculateStrategy": "calculated the strategy again after an offer was corrected",
    "scopeComments.delete": "deleted a comment",
    "negotiationComments.delete": "deleted a comment",
    "agreementComments.delete": "deleted a comment",
}
"""What who calls an operation has done. Where it is `changed`, the names of the fields follow."""

MAX_QUOTED = 200


def tell_change(actor: str, action: str, summary: str, fields: Sequence[str]) -> str:
    """Tell of an entry of the audit log. A newer version may have written one of an action that this one does
    not know: its own summary says what it is."""
    done = DONE.get(action)
    if done is None:
        return f"{actor}: {summary}."
    if done == "changed":
        done = f"changed {_join([_say_field(name) for name in fields])}" if fields else "changed nothing"
    return f"{actor} {done}."


def tell_comment(actor: str, text: str | None) -> str:
    """Tell of a comment; its text is None once it was deleted."""
    if text is None:
        return f"{actor} wrote a comment that was deleted later."
    return f"{actor} commented: “{shorten(' '.join(text.split()), MAX_QUOTED)}”"


def tell_reading(status: str, filename: str, error: str | None) -> str:
    """Tell how the reading of a scope's document ended."""
    if status == "completed":
        return f"Parley read the document “{filename}” in the background."
    return f"Parley could not read the document “{filename}” in the background. {error or ''}".strip()


def tell_entry(kind: str, text: str | None) -> str:
    """Tell of an entry of a negotiation's timeline that the background made."""
    if text is None:
        return "Parley made the strategy in the background."
    known = {
        "planned": "Parley tried to make the strategy in the background",
        "purchase": "Parley recorded the agreed price in the background",
        "attachment": "Parley read an attached file in the background",
    }
    return f"{known.get(kind, 'Parley worked on the letters in the background')}: {text}"


def tell_alert(name: str) -> str:
    """Tell of a date of an agreement that was reported; `name` is the event with its day."""
    event, _, day = name.partition(" ")
    known = {
        "ended": "its end on",
        "renewed": "its renewal on",
        "missed": "the missed deadline of",
        "approaching": "the deadline of",
    }
    found = re.search(r"\d{4}-\d\d-\d\d", day)
    when = format_day(date.fromisoformat(found[0])) if found else day
    return f"Parley reported {known.get(event, 'the date')} {when} in the background."


def _say_field(name: str) -> str:
    return "the " + re.sub(r"(?<=[a-z])([A-Z])", lambda found: f" {found[1].lower()}", name)


def _join(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
