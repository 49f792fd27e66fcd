"""Rows of negotiations and of what belongs to them. Changes go through `session.py`, which tells of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.contract.negotiation import EscalationQuery, NegotiationQuery
from app.contract.page import PageRequest
from app.service.database.tables.catalog import product
from app.service.database.tables.files import file
from app.service.database.tables.negotiation import (
    attachment,
    entry,
    escalation,
    mail,
    negotiation,
    summary,
    timer,
)
from app.service.database.tables.scopes import scope
from app.service.ids import new_id
from app.service.negotiation.amounts import parse_amount
from app.service.negotiation.offers.offer import Offer


def find_negotiation(connection: Connection, organisation_id: str, negotiation_id: str) -> Row[Any] | None:
    """The negotiation, if this organisation owns it."""
    return connection.execute(
        sa.select(negotiation).where(
            negotiation.c.id == negotiation_id, negotiation.c.organisation_id == organisation_id
        )
    ).first()


def find_any_negotiation(connection: Connection, negotiation_id: str) -> Row[Any] | None:
    """The negotiation, whoever owns it: for background work."""
    return connection.execute(sa.select(negotiation).where(negotiation.c.id == negotiation_id)).first()


def lock_negotiations(connection: Connection, negotiation_ids: Collection[str]) -> dict[str, Row[Any]]:
    """The negotiations by their ids, for this transaction alone. SQLite's writing transactions are alone
    anyway; PostgreSQL's lock in the order of the ids, so that no two wait for each other."""
    rows = connection.execute(
        sa.select(negotiation)
        .where(negotiation.c.id.in_(negotiation_ids))
        .order_by(negotiation.c.id)
        .with_for_update()
    )
    return {row.id: row for row in rows}


def list_negotiations(
    connection: Connection, organisation_id: str, query: NegotiationQuery, page: PageRequest
) -> tuple[int, Sequence[Row[Any]]]:
    """How many there are, and one page of them, newest first."""
    wanted = [negotiation.c.organisation_id == organisation_id]
    if status := query.get("status"):
        wanted.append(negotiation.c.status == status)
    if company_id := query.get("company_id"):
        wanted.append(negotiation.c.company_id == company_id)
    total = connection.scalar(sa.select(sa.func.count()).select_from(negotiation).where(*wanted))
    listing = (
        sa.select(negotiation)
        .where(*wanted)
        .order_by(negotiation.c.created_at.desc(), negotiation.c.id.desc())
        .limit(page.limit)
        .offset(page.offset)
    )
    return total or 0, connection.execute(listing).all()


def list_agreed_negotiations(connection: Connection, organisation_id: str) -> Sequence[Row[Any]]:
    """Every agreed negotiation of an organisation, in the order in which they were made."""
    return connection.execute(
        sa.select(negotiation)
        .where(negotiation.c.organisation_id == organisation_id, negotiation.c.status == "complete")
        .order_by(negotiation.c.created_at, negotiation.c.id)
    ).all()


def load_offers(connection: Connection, negotiation_ids: Iterable[str]) -> dict[str, list[Offer]]:
    """The offers of each negotiation as they stand, in the order in which they happened: corrected ones as
    the newest correction has them, withdrawn ones left out."""
    rows = connection.execute(
        sa.select(entry.c.negotiation_id, entry.c.id, entry.c.kind, entry.c.happened_at, entry.c.content)
        .where(entry.c.negotiation_id.in_(list(negotiation_ids)), entry.c.kind.in_(("quote", "correction")))
        .order_by(entry.c.happened_at, entry.c.id)
    ).all()
    corrections: dict[str, Any] = {}
    for row in sorted((row for row in rows if row.kind == "correction"), key=lambda row: row.id):
        corrections[row.content["corrects"]] = row
    found: dict[str, list[Offer]] = {}
    for row in rows:
        if row.kind != "quote":
            continue
        newest = corrections.get(row.id, row)
        record: Mapping[str, Any] | None = newest.content["offer"]
        if record is not None:
            offer = replace(Offer.from_record(newest.id, row.happened_at, record), first_entry_id=row.id)
            found.setdefault(row.negotiation_id, []).append(offer)
    return found


def load_counter_amounts(connection: Connection, negotiation_id: str) -> list[Decimal]:
    """The buyer's own offers, in the order in which they were decided."""
    decided = connection.scalars(
        sa.select(entry.c.content)
        .where(entry.c.negotiation_id == negotiation_id, entry.c.kind == "decision")
        .order_by(entry.c.id)
    )
    return [parse_amount(content["counter"]) for content in decided if "counter" in content]


def find_entry(connection: Connection, negotiation_id: str, entry_id: str) -> Row[Any] | None:
    """One entry of a negotiation's timeline."""
    return connection.execute(
        sa.select(entry).where(entry.c.id == entry_id, entry.c.negotiation_id == negotiation_id)
    ).first()


def load_product_names(connection: Connection, scope_ids: Iterable[str]) -> dict[str, list[str]]:
    """The names of what each scope is for, in its order."""
    scopes = connection.execute(
        sa.select(scope.c.id, scope.c.product_terms).where(scope.c.id.in_(set(scope_ids)))
    ).all()
    products = {row.id: [term["productId"] for term in row.product_terms] for row in scopes}
    wanted = {each for of_scope in products.values() for each in of_scope}
    names = {
        row[0]: row[1]
        for row in connection.execute(sa.select(product.c.id, product.c.name).where(product.c.id.in_(wanted)))
    }
    return {
        scope_id: [names[each] for each in of_scope if each in names]
        for scope_id, of_scope in products.items()
    }


def load_entries(connection: Connection, negotiation_id: str) -> Sequence[Row[Any]]:
    """The timeline, in the order in which it happened."""
    return connection.execute(
        sa.select(entry)
        .where(entry.c.negotiation_id == negotiation_id)
        .order_by(entry.c.happened_at, entry.c.id)
    ).all()


def find_update(
    connection: Connection, negotiation_id: str, source: str, external_id: str
) -> Row[Any] | None:
    """The external update that came under this id before."""
    return connection.execute(
        sa.select(entry).where(
            entry.c.negotiation_id == negotiation_id,
            entry.c.source == source,
            entry.c.external_id == external_id,
        )
    ).first()


def was_refused(connection: Connection, negotiation_id: str, digest: str) -> bool:
    """Whether this very update was refused before: its sender tries again."""
    return (
        connection.scalar(
            sa.select(entry.c.id).where(
                entry.c.negotiation_id == negotiation_id,
                entry.c.kind == "refused",
                entry.c.content_digest == digest,
            )
        )
        is not None
    )


def load_summaries(connection: Connection, negotiation_id: str) -> Sequence[Row[Any]]:
    """Executive summaries as they are shown, newest first."""
    shown = [summary.c[name] for name in ("created_at", "title", "text", "figures")]
    return connection.execute(
        sa.select(*shown)
        .where(summary.c.negotiation_id == negotiation_id)
        .order_by(summary.c.created_at.desc(), summary.c.id.desc())
    ).all()


def load_escalations(connection: Connection, negotiation_id: str) -> Sequence[Row[Any]]:
    """Escalations without their descriptions, their options as JSON, newest first."""
    unshown = {"description", "offer_entry_id", "options"}
    shown = [column for column in escalation.c if column.name not in unshown]
    return connection.execute(
        sa.select(*shown, sa.cast(escalation.c.options, sa.Text).label("options"))
        .where(escalation.c.negotiation_id == negotiation_id)
        .order_by(escalation.c.created_at.desc(), escalation.c.id.desc())
    ).all()


def load_open_escalations(
    connection: Connection, negotiation_ids: Collection[str]
) -> dict[str, list[Row[Any]]]:
    """What waits for a decision in each negotiation, newest first."""
    rows = connection.execute(
        sa.select(escalation)
        .where(escalation.c.negotiation_id.in_(negotiation_ids), escalation.c.status == "open")
        .order_by(escalation.c.created_at.desc(), escalation.c.id.desc())
    )
    found: dict[str, list[Row[Any]]] = {}
    for row in rows:
        found.setdefault(row.negotiation_id, []).append(row)
    return found


def was_escalated(connection: Connection, negotiation_id: str, reason: str, offer_entry_id: str) -> bool:
    """Whether this is asked about an offer, or was decided. What expired may be asked again."""
    same = sa.select(escalation.c.id).where(
        escalation.c.negotiation_id == negotiation_id,
        escalation.c.reason == reason,
        escalation.c.offer_entry_id == offer_entry_id,
        escalation.c.status != "expired",
    )
    return connection.scalar(same.limit(1)) is not None


def list_escalations(
    connection: Connection, negotiation_id: str, query: EscalationQuery, page: PageRequest
) -> tuple[int, Sequence[Row[Any]]]:
    """How many escalations there are, and one page of them, newest first."""
    wanted = [escalation.c.negotiation_id == negotiation_id]
    if status := query.get("status"):
        wanted.append(escalation.c.status == status)
    total = connection.scalar(sa.select(sa.func.count()).select_from(escalation).where(*wanted))
    listing = (
        sa.select(escalation)
        .where(*wanted)
        .order_by(escalation.c.created_at.desc(), escalation.c.id.desc())
        .limit(page.limit)
        .offset(page.offset)
    )
    return total or 0, connection.execute(listing).all()


def find_escalation(connection: Connection, negotiation_id: str, escalation_id: str) -> Row[Any] | None:
    return connection.execute(
        sa.select(escalation).where(
            escalation.c.id == escalation_id, escalation.c.negotiation_id == negotiation_id
        )
    ).first()


def count_open_escalations(connection: Connection, negotiation_ids: Iterable[str]) -> dict[str, int]:
    """How many escalations of each negotiation wait for a decision."""
    rows = connection.execute(
        sa.select(escalation.c.negotiation_id, sa.func.count())
        .where(escalation.c.negotiation_id.in_(list(negotiation_ids)), escalation.c.status == "open")
        .group_by(escalation.c.negotiation_id)
    )
    return {row[0]: row[1] for row in rows}


def count_draft_mails(connection: Connection, negotiation_ids: Iterable[str]) -> dict[str, int]:
    """How many letters of each negotiation wait for a person to send them."""
    rows = connection.execute(
        sa.select(mail.c.negotiation_id, sa.func.count())
        .where(mail.c.negotiation_id.in_(list(negotiation_ids)), mail.c.status == "draft")
        .group_by(mail.c.negotiation_id)
    )
    return {row[0]: row[1] for row in rows}


def load_attachments(connection: Connection, negotiation_id: str) -> Sequence[Row[Any]]:
    """The attached files with their names, in the order in which they came."""
    return connection.execute(
        sa.select(attachment, file.c.filename, file.c.media_type, file.c.sha256)
        .join(file, file.c.id == attachment.c.file_id)
        .where(attachment.c.negotiation_id == negotiation_id)
        .order_by(attachment.c.created_at, attachment.c.id)
    ).all()


def find_attachment(connection: Connection, attachment_id: str) -> Row[Any] | None:
    return connection.execute(
        sa.select(attachment, file.c.filename, file.c.media_type, file.c.sha256, file.c.organisation_id)
        .join(file, file.c.id == attachment.c.file_id)
        .where(attachment.c.id == attachment_id)
    ).first()


def load_mails(connection: Connection, negotiation_id: str) -> Sequence[Row[Any]]:
    return connection.execute(
        sa.select(mail).where(mail.c.negotiation_id == negotiation_id).order_by(mail.c.created_at, mail.c.id)
    ).all()


def set_timer(
    connection: Connection,
    negotiation_id: str,
    kind: str,
    due_at: datetime,
    content: Mapping[str, Any] | None = None,
) -> None:
    """Looks again at `due_at`, instead of when it was to look again for this reason before."""
    drop_timers(connection, negotiation_id, kind)
    connection.execute(
        timer.insert().values(
            id=new_id(),
            negotiation_id=negotiation_id,
            kind=kind,
            due_at=due_at,
            content=dict(content or {}),
        )
    )


def drop_timers(connection: Connection, negotiation_id: str, *kinds: str) -> None:
    """Without `kinds`, all of the negotiation."""
    gone = sa.delete(timer).where(timer.c.negotiation_id == negotiation_id)
    connection.execute(gone.where(timer.c.kind.in_(kinds)) if kinds else gone)


def load_due_timers(
    connection: Connection, now: datetime, limit: int, after: Row[Any] | None = None
) -> Sequence[Row[Any]]:
    """The timers whose time has come, the longest overdue first; those that follow `after`."""
    due = sa.select(timer).where(timer.c.due_at <= now)
    if after is not None:
        later = (timer.c.due_at == after.due_at) & (timer.c.id > after.id)
        due = due.where((timer.c.due_at > after.due_at) | later)
    return connection.execute(due.order_by(timer.c.due_at, timer.c.id).limit(limit)).all()


def take_timers(connection: Connection, timer_ids: Iterable[str], now: datetime) -> Sequence[Row[Any]]:
    """Strikes off those that are still due and returns them. Their negotiations are locked by the caller, as
    for every change to a timer, so no other transaction fires them too."""
    rows = connection.execute(
        sa.select(timer)
        .where(timer.c.id.in_(list(timer_ids)), timer.c.due_at <= now)
        .order_by(timer.c.due_at, timer.c.id)
    ).all()
    connection.execute(sa.delete(timer).where(timer.c.id.in_([row.id for row in rows])))
    return rows
