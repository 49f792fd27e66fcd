"""Agreements in the database: an organisation's own, and nobody else's."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, RowMapping

from app.contract.agreements import AgreementDecision, AgreementLine, Decision, NewAgreement, NewDecision
from app.contract.dates import format_day
from app.service.access.caller import RecordOrigin
from app.service.access.quotas import lock_organisation, require_room
from app.service.agreements.checks import check_agreement
from app.service.agreements.dates.position import Position
from app.service.agreements.learning.decided_purchases import move_decisions
from app.service.agreements.stored_agreement import (
    DateRow,
    StoredAgreement,
    build_columns,
    build_identity_key,
    read_agreed,
)
from app.service.agreements.stored_positions import store_positions
from app.service.agreements.working_calendar import load_working_days
from app.service.database.rows import batched, count_rows, read_row
from app.service.database.tables import agreement, agreement_decision, company, file, product, scope
from app.service.database.visibility import owned_by, visible_to
from app.service.http.problems import ApiProblem, InvalidField, bad_request, require
from app.service.ids import new_id
from app.service.purchases.agreement_lines import request_learning, request_prices
from app.service.scopes.scope_documents import find_document_number
from app.service.values.folding import fold_text

MAX_SEARCH_TEXT = 800
IDS_AT_ONCE = 500
_IN_A_CIRCLE = "An agreement cannot take its own place, or that of one that follows it."


def require_possible(
    connection: Connection,
    organisation_id: str,
    agreed: NewAgreement,
    *,
    on_record: Sequence[AgreementLine] | None = (),
    agreement_id: str | None = None,
) -> None:
    """Raise ApiProblem 400, which names each place, for an agreement that cannot be, or that refers to what
    the organisation does not have. The products of lines that are `on_record` already may be gone since. One
    that has an `agreement_id` follows neither itself nor what follows it."""
    wrong = check_agreement(agreed, load_working_days(connection, organisation_id))
    wrong += [
        InvalidField(pointer, detail)
        for pointer, detail, query in _list_references(organisation_id, agreed)
        if connection.scalar(query) is None
    ]
    products = list_product_ids(agreed.lines) - list_product_ids(on_record)
    query = sa.select(product.c.id).where(product.c.id.in_(products), visible_to(product.c, organisation_id))
    unknown = products.difference(connection.scalars(query)) if products else products
    wrong += [
        InvalidField(f"/lines/{at}/productId", "There is no such product.")
        for at, line in enumerate(agreed.lines or ())
        if line.product_id in unknown
    ]
    if agreement_id is not None and _comes_after(connection, agreed.previous_agreement_id, agreement_id):
        wrong.append(InvalidField("/previousAgreementId", _IN_A_CIRCLE))
    if wrong:
        raise ApiProblem(400, "The agreement is not valid.", errors=wrong)


def _comes_after(connection: Connection, one: str | None, other: str) -> bool:
    """Whether an agreement is the other, or follows it, with any number of others between them."""
    seen: set[str] = set()
    while one is not None and one not in seen:
        if one == other:
            return True
        seen.add(one)
        before = sa.select(agreement.c.previous_agreement_id).where(agreement.c.id == one)
        one = connection.scalar(before)
    return False


def list_product_ids(lines: Sequence[AgreementLine] | None) -> set[str]:
    return {line.product_id for line in lines or () if line.product_id is not None}


def _list_references(
    organisation_id: str, agreed: NewAgreement
) -> list[tuple[str, str, sa.Select[tuple[str]]]]:
    """Return the place of each id, what to say where it names nothing, and the query that finds it."""
    listed: list[tuple[str, str, sa.Select[tuple[str]]]] = []
    if agreed.company_id is not None:
        query = sa.select(company.c.id).where(
            company.c.id == agreed.company_id, visible_to(company.c, organisation_id)
        )
        listed.append(("/companyId", "There is no such company.", query))
    owned = (
        ("/scopeId", "scope", scope, agreed.scope_id),
        ("/fileId", "file", file, agreed.file_id),
        ("/previousAgreementId", "agreement", agreement, agreed.previous_agreement_id),
    )
    for pointer, name, table, record_id in owned:
        if record_id is not None:
            query = sa.select(table.c.id).where(table.c.id == record_id, owned_by(table.c, organisation_id))
            listed.append((pointer, f"There is no such {name}.", query))
    return listed


def insert_agreement(
    connection: Connection,
    agreed: NewAgreement,
    origin: RecordOrigin,
    *,
    max_agreements: int,
    evidence: Mapping[str, Any] | None = None,
    negotiation_id: str | None = None,
) -> str:
    """Write an agreement that is possible, and return its id. Raises ApiProblem 409 when the organisation has
    as many as it may."""
    organisation_id, now = origin.organisation_id, origin.now
    lock_organisation(connection, organisation_id)
    owned = owned_by(agreement.c, organisation_id)
    require_room(
        count_rows(connection, agreement, owned),
        max_agreements,
        things="agreements",
        setting="PARLEY_MAX_AGREEMENTS",
        way_out="Undo an import of them",
    )
    agreement_id = new_id()
    connection.execute(
        agreement.insert().values(
            id=agreement_id,
            organisation_id=organisation_id,
            **_complete(connection, agreed),
            evidence=evidence or {},
            negotiation_id=negotiation_id,
            end_user=origin.end_user,
            sample=origin.sample or _follows_sample(connection, agreed),
            created_at=now,
            updated_at=now,
        )
    )
    follow_insertion(connection, organisation_id, [agreement_id], now)
    link_predecessor(connection, organisation_id, agreed.previous_agreement_id, agreement_id, now)
    return agreement_id


def follow_insertion(
    connection: Connection, organisation_id: str, ids: Collection[str], now: datetime
) -> None:
    """Store where new agreements stand, and ask for what the background computes of them."""
    store_positions(connection, organisation_id, now.date(), agreement.c.id.in_(ids))
    request_prices(connection, organisation_id, now)
    request_learning(connection, organisation_id, now)


def _follows_sample(connection: Connection, agreed: NewAgreement) -> bool:
    """Say whether an agreement is of a scope, or takes the place of an agreement, that is sample data."""
    named = ((scope, agreed.scope_id), (agreement, agreed.previous_agreement_id))
    return any(
        connection.scalar(sa.select(table.c.sample).where(table.c.id == record_id))
        for table, record_id in named
        if record_id is not None
    )


def save_agreed(
    connection: Connection,
    one: StoredAgreement,
    agreed: NewAgreement,
    now: datetime,
    *,
    evidence: Mapping[str, Any] | None = None,
) -> None:
    """Store what was changed of an agreement, with the `evidence` for its values where they were read anew: a
    value that a person changed is no longer that of the document."""
    move_decisions(connection, one.id, one.agreed.lines or (), agreed.lines or ())
    before, after = one.agreed.wire(), agreed.wire()
    if evidence is None:
        evidence = {name: seen for name, seen in one.evidence.items() if before.get(name) == after.get(name)}
    update_agreement(connection, one, now, **_complete(connection, agreed), evidence=evidence, learned=False)
    request_learning(connection, one.organisation_id, now)
    of_successor = ("previous_agreement_id", "term_start")
    if any(getattr(agreed, name) != getattr(one.agreed, name) for name in of_successor):
        link_predecessor(connection, one.organisation_id, agreed.previous_agreement_id, one.id, now)


def update_agreement(connection: Connection, one: StoredAgreement, now: datetime, **values: Any) -> None:
    """Write columns of an agreement, and where it stands from then on."""
    is_row = agreement.c.id == one.id
    connection.execute(agreement.update().where(is_row).values(**values, updated_at=now))
    store_positions(connection, one.organisation_id, now.date(), is_row)
    request_prices(connection, one.organisation_id, now)


def link_predecessor(
    connection: Connection, organisation_id: str, previous_id: str | None, next_id: str, now: datetime
) -> None:
    """Store at an agreement which one follows it and when that begins, and at no other."""
    left = [one for one in list_followed(connection, organisation_id, next_id) if one != previous_id]
    link_other_successors(connection, organisation_id, left, now)
    if previous_id is not None:
        is_previous = sa.and_(owned_by(agreement.c, organisation_id), agreement.c.id == previous_id)
        _link(connection, is_previous, agreement.c.id == next_id)
        store_positions(connection, organisation_id, now.date(), is_previous)


def list_followed(connection: Connection, organisation_id: str, next_id: str) -> list[str]:
    """Return the ids of the agreements that one follows."""
    owned = owned_by(agreement.c, organisation_id)
    return [
        *connection.scalars(sa.select(agreement.c.id).where(owned, agreement.c.next_agreement_id == next_id))
    ]


def link_other_successors(
    connection: Connection, organisation_id: str, ids: Collection[str], now: datetime
) -> None:
    """Store at agreements that one follows no more which other one does: the newest that says so, if any."""
    for one in ids:
        _link(connection, agreement.c.id == one, agreement.c.previous_agreement_id == one)
    if ids:
        store_positions(connection, organisation_id, now.date(), agreement.c.id.in_(ids))


def _link(
    connection: Connection, is_before: sa.ColumnElement[bool], is_after: sa.ColumnElement[bool]
) -> None:
    newest = agreement.c.created_at.desc(), agreement.c.id.desc()
    after = sa.select(agreement.c.id, agreement.c.term_start).where(is_after).order_by(*newest).limit(1)
    next_id, start = connection.execute(after).one_or_none() or (None, None)
    connection.execute(
        agreement.update().where(is_before).values(next_agreement_id=next_id, next_start=start)
    )


def _complete(connection: Connection, agreed: NewAgreement) -> dict[str, Any]:
    """Return the columns of what was agreed, with the name of a supplier that the catalog knows."""
    if agreed.company_id is not None:
        name = connection.scalar(sa.select(company.c.name).where(company.c.id == agreed.company_id))
        agreed = agreed.model_copy(update={"supplier_name": name})
    number = find_document_number(connection, agreed.scope_id) if agreed.scope_id else None
    return build_row(agreed, number)


def rename_suppliers(
    connection: Connection, organisation_id: str | None, company_ids: Collection[str]
) -> None:
    """Give the agreements with these companies the names that those have now: of an organisation, or of all.
    A file that has an agreement by the former name is still known again."""
    for some in batched(sorted(company_ids), IDS_AT_ONCE):
        query = (
            sa.select(agreement)
            .join(company, company.c.id == agreement.c.company_id)
            .where(
                agreement.c.company_id.in_(some),
                agreement.c.supplier_name.is_distinct_from(company.c.name),
                *([owned_by(agreement.c, organisation_id)] if organisation_id is not None else []),
            )
        )
        for row in connection.execute(query).mappings().all():
            columns = _complete(connection, read_agreed(row))
            named = {name: columns[name] for name in ("supplier_name", "search_text")}
            connection.execute(agreement.update().where(agreement.c.id == row["id"]).values(**named))


def build_row(agreed: NewAgreement, document_number: str | None = None) -> dict[str, Any]:
    """Return the columns of what was agreed, and those that it is found by. The supplier's name is the
    catalog's where that knows it."""
    words = " ".join(filter(None, (agreed.name, agreed.supplier_name, agreed.reference, document_number)))
    # A number is also found in one piece: Q-2024-17 as q202417.
    pieces = [re.sub(r"[\W_]+", "", word) for word in words.split() if re.search(r"\d", word)]
    text = fold_text(" ".join([words, *pieces]))[:MAX_SEARCH_TEXT]
    return {**build_columns(agreed), "search_text": text, "identity_key": build_identity_key(agreed)}


def find_agreement(
    connection: Connection, organisation_id: str, agreement_id: str, *, to_change: bool = False
) -> StoredAgreement | None:
    """Return one of the organisation's agreements. One that is to be changed is locked, so that of two
    changes at once neither undoes a part of the other."""
    query = _SELECT.where(agreement.c.id == agreement_id, owned_by(agreement.c, organisation_id))
    row = connection.execute(query.with_for_update() if to_change else query).mappings().first()
    return None if row is None else _read(row)


def require_agreement(
    connection: Connection, organisation_id: str, agreement_id: str, *, to_change: bool = False
) -> StoredAgreement:
    """Do the same. Raises ApiProblem 404 where there is none of that id."""
    return require(
        find_agreement(connection, organisation_id, agreement_id, to_change=to_change), "agreement"
    )


def find_agreement_of(
    connection: Connection, column: sa.Column[Any], record_id: str, *conditions: sa.ColumnElement[bool]
) -> str | None:
    """Return the id of the agreement that was made of a scope or negotiation."""
    return connection.scalar(sa.select(agreement.c.id).where(column == record_id, *conditions).limit(1))


def load_agreements(connection: Connection, ids: Collection[str]) -> dict[str, StoredAgreement]:
    loaded: dict[str, StoredAgreement] = {}
    for some in batched(ids, IDS_AT_ONCE):
        rows = connection.execute(_SELECT.where(agreement.c.id.in_(some))).mappings()
        loaded |= {row["id"]: _read(row) for row in rows}
    return loaded


def _read(row: RowMapping) -> StoredAgreement:
    dates = DateRow(*(row[name] for name in DateRow._fields))
    return read_row(StoredAgreement, row, agreed=read_agreed(row), dates=dates)


_SELECT = sa.select(agreement)


def take_decision(
    connection: Connection,
    one: StoredAgreement,
    position: Position,
    new: NewDecision,
    *,
    now: datetime,
    decided_by: str | None,
) -> None:
    """Store a decision on an agreement whose position is that of today. Raises ApiProblem 400 for a notice
    that cannot be, or an agreement that the organisation does not have."""
    _check(connection, one, position, new, now.date())
    if new.notice_given_on is not None:
        agreed = one.agreed.model_copy(update={"notice_given_on": new.notice_given_on})
        require_possible(connection, one.organisation_id, agreed, on_record=agreed.lines)
        save_agreed(connection, one, agreed, now)
    if new.next_agreement_id is not None:
        connection.execute(
            agreement.update()
            .where(agreement.c.id == new.next_agreement_id)
            .values(previous_agreement_id=one.id, updated_at=now)
        )
        link_predecessor(connection, one.organisation_id, one.id, new.next_agreement_id, now)
    store_decision(
        connection,
        one,
        new.decision,
        note=new.note,
        notice_given_on=new.notice_given_on,
        term_end=position.term_end,
        decided_at=now,
        decided_by=decided_by,
        options_exercised=_count_options(one, position, new),
        until=new.until,
    )


def store_decision(
    connection: Connection,
    one: StoredAgreement,
    decision: Decision,
    *,
    note: str | None,
    term_end: date | None,
    decided_at: datetime,
    decided_by: str | None,
    notice_given_on: date | None = None,
    options_exercised: int | None = None,
    until: date | None = None,
) -> None:
    """Store the latest decision on an agreement, with the end of the term that it was taken in. To put off
    leaves the decision before it as it is."""
    taken: dict[str, Any] = {"put_off_until": until}
    if decision != "put_off":
        taken |= {"decision": decision, "decided_on": decided_at.date()}
        if options_exercised is not None:
            taken["options_exercised"] = options_exercised
    update_agreement(
        connection,
        one,
        decided_at,
        **taken,
    )
    connection.execute(
        agreement_decision.insert().values(
            id=new_id(),
            agreement_id=one.id,
            decision=decision,
            note=note,
            notice_given_on=notice_given_on,
            term_end=term_end,
            decided_by=decided_by,
            decided_at=decided_at,
        )
    )


def load_decisions(connection: Connection, agreement_id: str) -> list[AgreementDecision]:
    """Return the decisions on an agreement, the newest first."""
    rows: Sequence[Any] = connection.execute(
        sa.select(agreement_decision)
        .where(agreement_decision.c.agreement_id == agreement_id)
        .order_by(agreement_decision.c.decided_at.desc(), agreement_decision.c.id.desc())
    ).all()
    return [AgreementDecision.build_from(row) for row in rows]


def _check(
    connection: Connection, one: StoredAgreement, position: Position, new: NewDecision, today: date
) -> None:
    _check_until(position, new, today)
    if new.notice_given_on is not None and new.decision == "renew":
        raise bad_request("/noticeGivenOn", "Who renews gives no notice; decide end, renegotiate or replace.")
    if new.next_agreement_id is None:
        return
    if new.decision != "replace":
        raise bad_request("/nextAgreementId", "Only the decision replace names the next agreement.")
    if _comes_after(connection, one.id, new.next_agreement_id):
        raise bad_request("/nextAgreementId", _IN_A_CIRCLE)
    if find_agreement(connection, one.organisation_id, new.next_agreement_id) is None:
        raise bad_request("/nextAgreementId", "There is no such agreement.")


def _check_until(position: Position, new: NewDecision, today: date) -> None:
    if new.decision != "put_off":
        if new.until is not None:
            raise bad_request(
                "/until", "Only the decision put_off names the day until which nobody is asked."
            )
        return
    if new.until is None or new.until <= today:
        raise bad_request("/until", "State a day after today until which it is put off.")
    if position.act_by is not None and today <= position.act_by < new.until:
        what = "last day to act is" if position.last_day else "term ends on"
        day = format_day(position.act_by)
        raise bad_request("/until", f"The {what} {day}: it cannot be put off beyond that.")


def _count_options(one: StoredAgreement, position: Position, new: NewDecision) -> int:
    """Return how many options are taken after this decision: that of the current term by the decision to
    renew, and it alone is taken back by another. One that was not taken in time is gone."""
    occurrence = position.occurrence
    exercised = one.dates.options_exercised
    if one.agreed.renewal_type != "option" or occurrence is None or position.status == "expired":
        return exercised
    if new.decision == "renew":
        return occurrence.index + 1 if occurrence.renewable else exercised
    return min(exercised, occurrence.index)
