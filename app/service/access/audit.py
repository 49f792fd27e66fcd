"""The audit log: who changed what. A row is written in the transaction of the change, by the guard of every
operation or with what the service does by itself, and is never changed or deleted. It names the
fields that came, never their values.

What the service does by itself is in it too: the outcomes of work in the background, which no call makes at
that moment. Such an entry is written in the transaction of its outcome, so it is there once however often the
work is tried, and names who asked for the work where that is certain.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.audit import ActorKind, ObjectKind
from app.service.access.caller import Caller
from app.service.access.quotas import count_written
from app.service.context import Context
from app.service.database.tables import api_key, audit_entry, organisation, user_account
from app.service.database.visibility import owned_by
from app.service.ids import new_id

MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes a change: a person or key by its id, the operator at the command line, or the service by
    itself."""

    kind: ActorKind
    id: str


OPERATOR = Actor("command", "")
SERVICE = Actor("service", "")
NAMES = {OPERATOR: "Operator, command line", SERVICE: "Parley, in the background"}
"""What those are called who are no person and no key."""


@dataclass(frozen=True)
class Entry:
    """An entry of the audit log, still to be written."""

    organisation_id: str
    actor: Actor
    action: str
    summary: str
    object_kind: str
    object_id: str | None = None
    object_name: str | None = None
    request_id: str = ""
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])


def read_actor(caller: Caller) -> Actor:
    """Return who makes a call."""
    return Actor("person" if caller.user_id else "key", caller.key_id)


def name_actor(actor: Actor) -> Any:
    """Return what somebody is called now, as a value for a row that is written."""
    if actor in NAMES:
        return NAMES[actor]
    table = user_account if actor.kind == "person" else api_key
    known = sa.select(table.c.name).where(table.c.id == actor.id).scalar_subquery()
    return sa.func.coalesce(known, "")


def read_actor_name() -> sa.ColumnElement[str]:
    """What the actor of an entry is called, in a query of entries: a person as they are called now, since no
    entry holds a person's name, and everybody else as they were called then."""
    person = sa.select(user_account.c.name).where(user_account.c.id == audit_entry.c.actor_id)
    is_person = audit_entry.c.actor_kind == "person"
    return sa.case(
        (is_person, sa.func.coalesce(person.scalar_subquery(), "")), else_=audit_entry.c.actor_name
    )


def write_entry(connection: Connection, entry: Entry, now: datetime) -> None:
    """Add an entry, in the transaction of what it tells of."""
    name = "" if entry.actor.kind == "person" else name_actor(entry.actor)
    connection.execute(audit_entry.insert().values(make_row(entry, name, now)))


def write_session_entry(
    connection: Connection,
    organisation_id: str,
    user_id: str,
    action: str,
    summary: str,
    request_id: str,
    now: datetime,
) -> None:
    """Add what became of a person's session or sign-in, which no guarded call is."""
    actor = Actor("person", user_id)
    entry = Entry(organisation_id, actor, action, summary, "session", request_id=request_id)
    write_entry(connection, entry, now)


def tell_everybody(connection: Connection, action: str, summary: str, now: datetime) -> None:
    """Add what the operator did to the whole deployment to the log of each organisation."""
    for organisation_id in connection.scalars(sa.select(organisation.c.id)).all():
        write_entry(connection, Entry(organisation_id, OPERATOR, action, summary, "deployment"), now)


def make_row(entry: Entry, actor_name: Any, now: datetime) -> dict[str, Any]:
    """The row of an entry, for who writes many rows at once."""
    return {
        "id": new_id(),
        "organisation_id": entry.organisation_id,
        "at": now,
        "actor_kind": entry.actor.kind,
        "actor_id": entry.actor.id,
        "actor_name": actor_name,
        "action": entry.action,
        "summary": entry.summary,
        "object_kind": entry.object_kind,
        "object_id": entry.object_id,
        "object_name": entry.object_name,
        "request_id": entry.request_id[:MAX_TEXT],
        "details": entry.details,
    }


@dataclass(frozen=True)
class Change:
    """A call that may change something, or reads what is to be accounted for, as the audit log will name it
    once it has."""

    caller: Caller
    action: str
    """The id of the operation."""
    summary: str
    object_kind: str
    path_ids: Mapping[str, str]
    """The parameters of the path."""
    fields: Sequence[str]
    """The names of the body's fields."""
    request_id: str
    size: int = 0
    """The bytes of text that are written by it; 0 where they do not count."""

    def record(self, context: Context, response: Response) -> None:
        """Write the entry of a change that was made. A response that refuses has changed nothing. Raises
        ApiProblem 409 where the organisation has no room for what was written."""
        if response.status_code >= 300:
            return
        answer = _read_object(bytes(getattr(response, "body", b"")))
        object_id, object_name = self._find_object(answer)
        made = _text(answer.get("id"))
        details = {
            "ids": dict(self.path_ids),
            "fields": list(self.fields),
            # Of what belongs to the object: what becomes of it later tells by it who asked.
            "made": None if made == object_id else made,
        }
        entry = Entry(
            organisation_id=self.caller.organisation_id,
            actor=read_actor(self.caller),
            action=self.action,
            summary=self.summary,
            object_kind=self.object_kind,
            object_id=object_id,
            object_name=None if self.object_kind == "member" else object_name,
            request_id=self.request_id,
            details={key: value for key, value in details.items() if value},
        )
        with context.database.writing() as connection:
            if self.size:
                count_written(connection, context.settings, self.caller.organisation_id, self.size)
            write_entry(connection, entry, context.clock())

    def _find_object(self, answer: Mapping[str, Any]) -> tuple[str | None, str | None]:
        """The id and name of what was changed: of the path, else of the record in the response."""
        own = f"{self.object_kind}Id"
        object_id = self.path_ids.get(own) or answer.get(own) or answer.get("id")
        object_name = answer.get("name")
        return _text(object_id), _text(object_name)


def _text(value: Any) -> str | None:
    return value[:MAX_TEXT] if isinstance(value, str) else None


def _read_object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def read_field_names(body: bytes) -> list[str]:
    """The names of the fields of a JSON body, at most twenty."""
    return [name[:60] for name in sorted(_read_object(body))[:20]]


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


def write_outcomes(
    connection: Connection, outcomes: Sequence[tuple[Outcome, Subject]], now: datetime
) -> None:
    """Write the entries of outcomes, each with what it happened to, all with one statement."""
    entries = [_make_entry(connection, *one) for one in outcomes]
    if entries:
        connection.execute(
            audit_entry.insert(), [make_row(entry, NAMES[entry.actor], now) for entry in entries]
        )


def record_for_everybody(connection: Connection, outcome: Outcome, now: datetime) -> None:
    """Write an outcome that is no organisation's own into the log of each."""
    every = connection.scalars(sa.select(organisation.c.id).order_by(organisation.c.id)).all()
    write_outcomes(connection, [(outcome, Subject(one, None)) for one in every], now)


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
