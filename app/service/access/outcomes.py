"""What the service does by itself, in the audit log: the outcomes of work in the background, which no call
makes at that moment. An entry is written in the transaction of its outcome, so it is there once however often
the work is tried, and names who asked for the work where that is certain."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.audit import ObjectKind
from app.service.access.audit import MAX_TEXT, NAMES, SERVICE, Entry, make_row, write_entries
from app.service.database.tables.access import organisation
from app.service.database.tables.people import audit_entry
from app.service.database.visibility import owned_by

_MOST_ASKED = 20
"""Entries that are looked at for who asked; where they are of several people, it is not certain."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A kind of outcome. `asked_by` are the operations that ask for the work."""

    action: str
    summary: str
    object_kind: ObjectKind
    asked_by: Sequence[str] = ()


_FROM_DOCUMENT = ("scopes.createFromDocument",)
DOCUMENT_READ = Outcome("service.readDocument", "Read a document into a scope", "scope", _FROM_DOCUMENT)
DOCUMENT_FAILED = Outcome(
    "service.failDocument", "Give up a document that could not be read", "scope", _FROM_DOCUMENT
)
SECOND_OPINION_ASKED = Outcome(
    "service.askSecondOpinion",
    "Send pages of a document for a second opinion",
    "scope",
    _FROM_DOCUMENT,
)
_QUOTE = ("requirements.addQuote",)
QUOTE_READ = Outcome(
    "service.readQuote", "Read a quote of a requirement from its file", "requirement", _QUOTE
)
QUOTE_FAILED = Outcome(
    "service.failQuote", "Give up a quote whose file could not be read", "requirement", _QUOTE
)
_SCENARIO = ("requirements.createScenario",)
SCENARIO_SOLVED = Outcome("service.solveScenario", "Finish a scenario of an award", "requirement", _SCENARIO)
SCENARIO_STOPPED = Outcome(
    "service.stopScenario", "Give up a scenario, with the award that was found", "requirement", _SCENARIO
)
_START = ("negotiations.start",)
STRATEGY_MADE = Outcome("service.makeStrategy", "Make the strategy of a negotiation", "negotiation", _START)
STRATEGY_FAILED = Outcome(
    "service.failStrategy", "Ask a person, since no strategy could be made", "negotiation", _START
)
SCOPE_NEEDED = Outcome(
    "service.askForScope", "Ask a person for the scope of a negotiation", "negotiation", _START
)
STRATEGY_RECALCULATED = Outcome(
    "service.recalculateStrategy",
    "Calculate the strategy again after an offer was corrected",
    "negotiation",
    ("updates.create",),
)
_ATTACH = ("attachments.create",)
ATTACHMENT_READ = Outcome("service.readAttachment", "Read an attached file", "negotiation", _ATTACH)
ATTACHMENT_FAILED = Outcome(
    "service.failAttachment", "Give up an attached file that could not be read", "negotiation", _ATTACH
)
SUPPLIER_SILENT = Outcome(
    "service.escalateSilence", "Ask a person about a supplier who does not answer", "negotiation"
)
QUOTE_EXPIRING = Outcome(
    "service.escalateExpiry", "Ask a person about a quote that is about to expire", "negotiation"
)
LETTER_SENT = Outcome("service.sendLetter", "Send a letter to a supplier", "negotiation")
LETTER_FAILED = Outcome("service.failLetter", "Give up a letter that could not be sent", "negotiation")
_AGREE = ("updates.create", "negotiations.update")
PRICE_RECORDED = Outcome(
    "service.recordPrice", "Put an agreed price on record as purchases", "negotiation", _AGREE
)
PRICE_FAILED = Outcome(
    "service.failPrice", "Give up an agreed price that could not be put on record", "negotiation", _AGREE
)
AGREEMENT_RECORDED = Outcome(
    "service.recordAgreement", "Put a negotiated price on record as an agreement", "agreement", _AGREE
)
AGREEMENT_RENEWED = Outcome(
    "service.renewAgreement", "Note that an agreement was renewed by negotiation", "agreement", _AGREE
)
DEADLINE_REPORTED = Outcome("service.reportDeadline", "Report a date of an agreement", "agreement")
PURCHASES_CHANGED = Outcome(
    "service.recordPurchases", "Bring the purchases of an agreement up to date with its lines", "agreement"
)
PURCHASES_TAKEN_BACK = Outcome(
    "service.takeBackPurchases",
    "Take back the purchases of a deleted agreement",
    "agreement",
    ("agreements.delete",),
)
IMPORT_COMPLETED = Outcome("service.completeImport", "Finish an import", "import", ("imports.confirm",))
IMPORT_REFUSED = Outcome(
    "service.refuseImport", "Refuse a file that could not be checked", "import", ("imports.create",)
)
IMPORT_FAILED = Outcome(
    "service.failImport", "Give up an import, and take back what it brought", "import", ("imports.confirm",)
)
_WITHDRAW = ("imports.withdraw",)
IMPORT_UNDONE = Outcome("service.undoImport", "Take back what an import brought", "import", _WITHDRAW)
IMPORT_CANCELLED = Outcome(
    "service.cancelImport",
    "Cancel an import in its middle, and take back what it brought",
    "import",
    _WITHDRAW,
)
IMPORT_UNCONFIRMED = Outcome("service.forgetImport", "Cancel an import that nobody confirmed", "import", ())
WEBHOOK_TURNED_OFF = Outcome(
    "service.turnOffWebhook", "Turn off a webhook whose endpoint takes no events", "webhook"
)
PRICES_LEARNT = Outcome(
    "service.learnPrices", "Learn from all purchases anew how to estimate prices", "deployment"
)


class Subject(NamedTuple):
    """What an outcome happened to. `part` is the quote, the scenario or the file that it is about, and
    `asked_of` the thing whose entries say who asked, where that is another one."""

    organisation_id: str
    object_id: str | None
    name: str | None = None
    part: str | None = None
    asked_of: str | None = None


def record_outcome(connection: Connection, outcome: Outcome, subject: Subject, now: datetime) -> None:
    """Write the entry of an outcome, in its transaction."""
    write_outcomes(connection, [(outcome, subject)], now)


def make_outcome_row(
    connection: Connection, outcome: Outcome, subject: Subject, now: datetime
) -> dict[str, Any]:
    """The row of the entry of an outcome, for who collects the rows of a transaction."""
    return make_row(_make_entry(connection, outcome, subject), NAMES[SERVICE], now)


def record_outcomes(
    connection: Connection, outcome: Outcome, subjects: Sequence[Subject], now: datetime
) -> None:
    """Write the entry of the same outcome for each of several things."""
    write_outcomes(connection, [(outcome, subject) for subject in subjects], now)


def write_outcomes(
    connection: Connection, outcomes: Sequence[tuple[Outcome, Subject]], now: datetime
) -> None:
    """Write the entries of outcomes, each with what it happened to, all with one statement."""
    write_entries(connection, [_make_entry(connection, *one) for one in outcomes], now)


def record_for_everybody(connection: Connection, outcome: Outcome, now: datetime) -> None:
    """Write an outcome that is no organisation's own into the log of each."""
    every = connection.scalars(sa.select(organisation.c.id).order_by(organisation.c.id)).all()
    record_outcomes(connection, outcome, [Subject(one, None) for one in every], now)


class _Asking(NamedTuple):
    """A call that may have asked for the work."""

    kind: str
    id: str
    name: str
    request_id: str


def _make_entry(connection: Connection, outcome: Outcome, subject: Subject) -> Entry:
    asking = _find_asking(connection, outcome, subject)
    actors = {one[:3] for one in asking}
    details: dict[str, Any] = {}
    if len(actors) == 1:
        kind, actor_id, name = actors.pop()
        details["askedBy"] = {"kind": kind, "id": actor_id, "name": name}
    return Entry(
        organisation_id=subject.organisation_id,
        actor=SERVICE,
        action=outcome.action,
        summary=outcome.summary,
        object_kind=outcome.object_kind,
        object_id=subject.object_id,
        object_name=None if subject.name is None else subject.name[:MAX_TEXT],
        request_id=asking[0].request_id if len(asking) == 1 else "",
        details=details,
    )


def _find_asking(connection: Connection, outcome: Outcome, subject: Subject) -> list[_Asking]:
    if not outcome.asked_by:
        return []
    columns = audit_entry.c
    conditions: list[sa.ColumnElement[bool]] = [
        owned_by(columns, subject.organisation_id),
        columns.object_id == (subject.asked_of or subject.object_id),
        columns.action.in_(outcome.asked_by),
    ]
    if subject.part is not None:
        conditions.append(columns.details["made"].as_string() == subject.part)
    rows = connection.execute(
        sa.select(columns.actor_kind, columns.actor_id, columns.actor_name, columns.request_id)
        .where(*conditions)
        .order_by(columns.at.desc())
        .limit(_MOST_ASKED)
    )
    return [_Asking(*row) for row in rows]
