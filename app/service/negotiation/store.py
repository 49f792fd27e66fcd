"""Reads and writes the rows of negotiations. Changes to a negotiation itself go through its session, which
emits the events."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection, Executable, RowMapping, Select

from app.contract.comments import Owner
from app.contract.negotiation import FINAL_STATUSES, EscalationQuery, NegotiationQuery
from app.contract.page import PageRequest
from app.service.access.caller import Caller
from app.service.database.letters import SUPPLIER_LETTERS
from app.service.database.rows import read_page, read_row
from app.service.database.tables import (
    attachment,
    entry,
    escalation,
    file,
    letter,
    negotiation,
    product,
    scope,
    summary,
    timer,
)
from app.service.database.visibility import counted
from app.service.http.problems import require
from app.service.ids import new_id
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.rows import (
    AttachmentRow,
    EntryRow,
    EscalationRow,
    ListedEscalationRow,
    MailRow,
    NegotiationRow,
    SummaryRow,
    TimerRow,
)


def find_negotiation(
    connection: Connection, organisation_id: str, negotiation_id: str
) -> NegotiationRow | None:
    """Return the negotiation; None unless this organisation owns it."""
    row = _first(
        connection,
        sa.select(negotiation).where(
            negotiation.c.id == negotiation_id, negotiation.c.organisation_id == organisation_id
        ),
    )
    return NegotiationRow.from_row(row) if row else None


def save_owners(connection: Connection, negotiation_id: str, owners: Sequence[Owner]) -> None:
    """Store who looks after a negotiation. That is no news of it, so its time of change stays."""
    stored = [one.wire() for one in owners] or None
    connection.execute(negotiation.update().where(negotiation.c.id == negotiation_id).values(owners=stored))


def find_any_negotiation(connection: Connection, negotiation_id: str) -> NegotiationRow | None:
    """Return the negotiation whoever owns it, for background work."""
    row = _first(connection, sa.select(negotiation).where(negotiation.c.id == negotiation_id))
    return NegotiationRow.from_row(row) if row else None


def lock_negotiations(connection: Connection, negotiation_ids: Collection[str]) -> dict[str, NegotiationRow]:
    """Lock the negotiations for this transaction and return them by their ids. SQLite has one writing
    transaction at a time anyway; PostgreSQL locks in the order of the ids, so that no two transactions wait
    for each other."""
    query = (
        sa.select(negotiation)
        .where(negotiation.c.id.in_(negotiation_ids))
        .order_by(negotiation.c.id)
        .with_for_update()
    )
    rows = [NegotiationRow.from_row(row) for row in _all(connection, query)]
    return {row.id: row for row in rows}


def list_negotiations(
    connection: Connection, organisation_id: str, query: NegotiationQuery, page: PageRequest
) -> tuple[int, list[NegotiationRow]]:
    """Return how many negotiations there are, and one page of them, newest first."""
    conditions = [counted(negotiation.c, organisation_id)]
    if status := query.get("status"):
        conditions.append(negotiation.c.status == status)
    if company_id := query.get("company_id"):
        conditions.append(negotiation.c.company_id == company_id)
    newest_first = negotiation.c.created_at.desc(), negotiation.c.id.desc()
    listing = sa.select(negotiation).where(*conditions).order_by(*newest_first)
    total, rows = read_page(connection, listing, page)
    return total, [NegotiationRow.from_row(row) for row in rows.mappings()]


def load_agreed_negotiations(connection: Connection, organisation_id: str) -> list[NegotiationRow]:
    """Return every agreed negotiation of an organisation that counts, in the order in which they were
    created."""
    return _load_counted(connection, organisation_id, negotiation.c.status == "complete")


def load_negotiations_under_way(
    connection: Connection, organisation_id: str, negotiation_ids: Collection[str] | None = None
) -> list[NegotiationRow]:
    """Return every negotiation of an organisation that counts and has not ended, in the same order; those
    alone where ids are given."""
    condition = negotiation.c.status.not_in(FINAL_STATUSES)
    if negotiation_ids is not None:
        condition &= negotiation.c.id.in_(negotiation_ids)
    return _load_counted(connection, organisation_id, condition)


def _load_counted(
    connection: Connection, organisation_id: str, condition: sa.ColumnElement[bool]
) -> list[NegotiationRow]:
    query = (
        sa.select(negotiation)
        .where(
            negotiation.c.organisation_id == organisation_id,
            condition,
            counted(negotiation.c, organisation_id),
        )
        .order_by(negotiation.c.created_at, negotiation.c.id)
    )
    return [NegotiationRow.from_row(row) for row in _all(connection, query)]


def load_offers(connection: Connection, negotiation_ids: Iterable[str]) -> dict[str, list[Offer]]:
    """Return the valid offers of each negotiation in the order in which they happened: a corrected one as its
    newest correction has it, withdrawn ones left out."""
    # Not the whole content, which holds payloads of any length.
    rows = connection.execute(
        sa.select(
            entry.c.negotiation_id,
            entry.c.id,
            entry.c.kind,
            entry.c.happened_at,
            entry.c.content["corrects"].label("corrects"),
            entry.c.content["offer"].label("offer"),
        )
        .where(entry.c.negotiation_id.in_(list(negotiation_ids)), entry.c.kind.in_(("quote", "correction")))
        .order_by(entry.c.happened_at, entry.c.id)
    ).all()
    corrections: dict[str, Any] = {}
    for row in sorted((row for row in rows if row.kind == "correction"), key=lambda row: row.id):
        corrections[row.corrects] = row
    offers: dict[str, list[Offer]] = {}
    for row in rows:
        if row.kind != "quote":
            continue
        newest = corrections.get(row.id, row)
        record: Mapping[str, Any] | None = newest.offer
        if record is not None:
            offer = replace(Offer.of_entry(newest.id, row.happened_at, record), first_entry_id=row.id)
            offers.setdefault(row.negotiation_id, []).append(offer)
    return offers


class CounterMade(NamedTuple):
    """An offer of the buyer, and the entry of the supplier's offer that it `answers`: None where there was
    none, or it was made before that was stored."""

    amount: Decimal
    answers: str | None


def load_counters(connection: Connection, negotiation_id: str) -> list[CounterMade]:
    """Return the buyer's own offers, in the order in which they were decided."""
    counters = connection.execute(
        sa.select(entry.c.content["counter"].label("amount"), entry.c.content["answers"].label("answers"))
        .where(entry.c.negotiation_id == negotiation_id, entry.c.kind == "decision")
        .order_by(entry.c.id)
    )
    return [CounterMade(Decimal(str(one.amount)), one.answers) for one in counters if one.amount is not None]


def load_product_names(connection: Connection, scope_ids: Iterable[str]) -> dict[str, list[str]]:
    """Return the different names of the products of each scope, in the scope's order."""
    scopes = connection.execute(
        sa.select(scope.c.id, scope.c.product_terms).where(scope.c.id.in_(set(scope_ids)))
    ).all()
    product_ids = {row.id: [term["productId"] for term in row.product_terms] for row in scopes}
    every_id = {each for ids in product_ids.values() for each in ids}
    names = {
        row[0]: row[1]
        for row in connection.execute(
            sa.select(product.c.id, product.c.name).where(product.c.id.in_(every_id))
        )
    }
    return {
        scope_id: list(dict.fromkeys(names[each] for each in ids if each in names))
        for scope_id, ids in product_ids.items()
    }


def find_entry(connection: Connection, negotiation_id: str, entry_id: str) -> EntryRow | None:
    """Return one entry of a negotiation's timeline."""
    row = _first(
        connection,
        sa.select(entry).where(entry.c.id == entry_id, entry.c.negotiation_id == negotiation_id),
    )
    return read_row(EntryRow, row) if row else None


def find_update(
    connection: Connection, negotiation_id: str, source: str, external_id: str
) -> EntryRow | None:
    """Return the entry of the external update that came before from this source under this id."""
    row = _first(
        connection,
        sa.select(entry).where(
            entry.c.negotiation_id == negotiation_id,
            entry.c.source == source,
            entry.c.external_id == external_id,
        ),
    )
    return read_row(EntryRow, row) if row else None


def was_refused(connection: Connection, negotiation_id: str, digest: str) -> bool:
    """Return whether an update with this content was refused before: its sender tries again."""
    query = sa.select(entry.c.id).where(
        entry.c.negotiation_id == negotiation_id,
        entry.c.kind == "refused",
        entry.c.content_digest == digest,
    )
    return connection.scalar(query) is not None


def load_summaries(connection: Connection, negotiation_id: str) -> list[SummaryRow]:
    """Return the executive summaries, newest first."""
    query = (
        sa.select(summary.c.created_at, summary.c.title, summary.c.text, summary.c.figures)
        .where(summary.c.negotiation_id == negotiation_id)
        .order_by(summary.c.created_at.desc(), summary.c.id.desc())
    )
    return [read_row(SummaryRow, row) for row in _all(connection, query)]


def load_listed_escalations(connection: Connection, negotiation_id: str) -> list[ListedEscalationRow]:
    """Return all escalations as a summary lists them, newest first."""
    left_out = {"description", "offer_entry_id", "options"}
    columns = [column for column in escalation.c if column.name not in left_out]
    query = (
        sa.select(*columns, sa.cast(escalation.c.options, sa.Text).label("options"))
        .where(escalation.c.negotiation_id == negotiation_id)
        .order_by(escalation.c.created_at.desc(), escalation.c.id.desc())
    )
    return [read_row(ListedEscalationRow, row) for row in _all(connection, query)]


def load_open_escalations(
    connection: Connection, negotiation_ids: Collection[str]
) -> dict[str, list[EscalationRow]]:
    """Return the escalations of each negotiation that need a decision, newest first."""
    query = (
        sa.select(escalation)
        .where(escalation.c.negotiation_id.in_(negotiation_ids), escalation.c.status == "open")
        .order_by(escalation.c.created_at.desc(), escalation.c.id.desc())
    )
    escalations: dict[str, list[EscalationRow]] = {}
    for row in _all(connection, query):
        each = EscalationRow.from_row(row)
        escalations.setdefault(each.negotiation_id, []).append(each)
    return escalations


def was_escalated(connection: Connection, negotiation_id: str, reason: str, offer_entry_id: str) -> bool:
    """Return whether an escalation about this offer is open or was decided. An expired one does not count."""
    same = sa.select(escalation.c.id).where(
        escalation.c.negotiation_id == negotiation_id,
        escalation.c.reason == reason,
        escalation.c.offer_entry_id == offer_entry_id,
        escalation.c.status != "expired",
    )
    return connection.scalar(same.limit(1)) is not None


def list_escalations(
    connection: Connection, negotiation_id: str, query: EscalationQuery, page: PageRequest
) -> tuple[int, list[EscalationRow]]:
    """Return how many escalations there are, and one page of them, newest first."""
    conditions = [escalation.c.negotiation_id == negotiation_id]
    if status := query.get("status"):
        conditions.append(escalation.c.status == status)
    newest_first = escalation.c.created_at.desc(), escalation.c.id.desc()
    listing = sa.select(escalation).where(*conditions).order_by(*newest_first)
    total, rows = read_page(connection, listing, page)
    return total, [EscalationRow.from_row(row) for row in rows.mappings()]


def find_escalation(connection: Connection, negotiation_id: str, escalation_id: str) -> EscalationRow | None:
    row = _first(
        connection,
        sa.select(escalation).where(
            escalation.c.id == escalation_id, escalation.c.negotiation_id == negotiation_id
        ),
    )
    return EscalationRow.from_row(row) if row else None


def count_open_escalations(connection: Connection, negotiation_ids: Iterable[str]) -> dict[str, int]:
    """Return how many escalations of each negotiation need a decision."""
    rows = connection.execute(
        sa.select(escalation.c.negotiation_id, sa.func.count())
        .where(escalation.c.negotiation_id.in_(list(negotiation_ids)), escalation.c.status == "open")
        .group_by(escalation.c.negotiation_id)
    )
    return {row[0]: row[1] for row in rows}


def count_draft_mails(connection: Connection, negotiation_ids: Iterable[str]) -> dict[str, int]:
    """Return how many letters of each negotiation wait for a person to send them."""
    rows = connection.execute(
        sa.select(letter.c.object_id, sa.func.count())
        .where(letter.c.object_id.in_(list(negotiation_ids)), letter.c.status == "draft")
        .group_by(letter.c.object_id)
    )
    return {row[0]: row[1] for row in rows}


def _select_attachments() -> Select[Any]:
    described = (file.c.filename, file.c.media_type, file.c.sha256, file.c.organisation_id)
    return sa.select(attachment, *described).join(file, file.c.id == attachment.c.file_id)


def load_attachments(connection: Connection, negotiation_id: str) -> list[AttachmentRow]:
    """Return the attached files, in the order in which they came."""
    query = (
        _select_attachments()
        .where(attachment.c.negotiation_id == negotiation_id)
        .order_by(attachment.c.created_at, attachment.c.id)
    )
    return [read_row(AttachmentRow, row) for row in _all(connection, query)]


def find_attachment(connection: Connection, attachment_id: str) -> AttachmentRow | None:
    row = _first(connection, _select_attachments().where(attachment.c.id == attachment_id))
    return read_row(AttachmentRow, row) if row else None


def to_supplier_of(negotiation_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(letter.c.kind == SUPPLIER_LETTERS.name, letter.c.object_id == negotiation_id)


def load_mails(connection: Connection, negotiation_id: str) -> list[MailRow]:
    query = sa.select(letter).where(to_supplier_of(negotiation_id))
    ordered = query.order_by(letter.c.created_at, letter.c.id)
    return [read_row(MailRow, row) for row in _all(connection, ordered)]


def find_mail(connection: Connection, negotiation_id: str, mail_id: str) -> MailRow | None:
    query = sa.select(letter).where(to_supplier_of(negotiation_id), letter.c.id == mail_id)
    row = _first(connection, query)
    return read_row(MailRow, row) if row else None


def set_timer(
    connection: Connection,
    negotiation_id: str,
    kind: str,
    due_at: datetime,
    content: Mapping[str, str] | None = None,
) -> None:
    """Set the negotiation's one timer of this kind to `due_at`."""
    delete_timers(connection, negotiation_id, kind)
    connection.execute(
        timer.insert().values(
            id=new_id(),
            negotiation_id=negotiation_id,
            kind=kind,
            due_at=due_at,
            content=dict(content or {}),
        )
    )


def delete_timers(connection: Connection, negotiation_id: str, *kinds: str) -> None:
    """Delete the negotiation's timers of these kinds; without `kinds`, all of them."""
    query = sa.delete(timer).where(timer.c.negotiation_id == negotiation_id)
    connection.execute(query.where(timer.c.kind.in_(kinds)) if kinds else query)


def load_due_timers(
    connection: Connection, now: datetime, limit: int, after: TimerRow | None = None
) -> list[TimerRow]:
    """Return the due timers that come after `after`, the longest overdue first."""
    due = sa.select(timer).where(timer.c.due_at <= now)
    if after is not None:
        later = (timer.c.due_at == after.due_at) & (timer.c.id > after.id)
        due = due.where((timer.c.due_at > after.due_at) | later)
    query = due.order_by(timer.c.due_at, timer.c.id).limit(limit)
    return [read_row(TimerRow, row) for row in _all(connection, query)]


def take_timers(connection: Connection, timer_ids: Iterable[str], now: datetime) -> list[TimerRow]:
    """Delete those of the timers that are still due and return them. The caller has locked their
    negotiations, as for every change to a timer, so no other transaction fires them too."""
    query = (
        sa.select(timer)
        .where(timer.c.id.in_(list(timer_ids)), timer.c.due_at <= now)
        .order_by(timer.c.due_at, timer.c.id)
    )
    rows = [read_row(TimerRow, row) for row in _all(connection, query)]
    connection.execute(sa.delete(timer).where(timer.c.id.in_([row.id for row in rows])))
    return rows


def _first(connection: Connection, query: Executable) -> RowMapping | None:
    return connection.execute(query).mappings().first()


def _all(connection: Connection, query: Executable) -> Sequence[RowMapping]:
    return connection.execute(query).mappings().all()


def require_negotiation(connection: Connection, caller: Caller, negotiation_id: str) -> NegotiationRow:
    """Return the caller's negotiation. Raises ApiProblem 404 where there is none of that id."""
    return require(find_negotiation(connection, caller.organisation_id, negotiation_id), "negotiation")
