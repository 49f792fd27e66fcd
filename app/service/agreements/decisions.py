"""Decisions on what becomes of an agreement when its current term ends: who took them, when and why."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import AgreementDecision, Decision, NewDecision
from app.contract.dates import format_day
from app.service.agreements.dates.position import Position
from app.service.agreements.store import (
    find_agreement,
    link_predecessor,
    require_possible,
    save_agreed,
    update_agreement,
)
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.database.tables.agreements import agreement, agreement_decision
from app.service.http.problems import bad_request
from app.service.ids import new_id


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
    if new.next_agreement_id == one.id:
        raise bad_request("/nextAgreementId", "An agreement cannot take its own place.")
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
        last = format_day(position.act_by)
        raise bad_request("/until", f"The last day to act is {last}: it cannot be put off beyond that.")


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
