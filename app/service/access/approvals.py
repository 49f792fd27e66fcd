"""Two persons: calls that an organisation wants approved by another person than who makes them.

An operation says in `RULES` that it may need a second person, and its endpoint notes what it decides. The
guard runs the call, so that whoever makes it learns at once what is wrong with it. Where the organisation
asks for a second person, everything is rolled back, and the call is stored instead, to be carried out when
somebody approves it."""

import hashlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.access import has_role
from app.contract.approvals import DAYS_TO_APPROVE, ApprovalKind, ApprovalRules, ApprovalRulesChange
from app.contract.money import format_exact_money
from app.service.access.audit import Actor, Entry, read_actor, write_entry
from app.service.access.caller import Caller
from app.service.access.keys import is_in_use, key_role
from app.service.access.quotas import lock_organisation
from app.service.access.roles import RULES, Rule
from app.service.context import Context
from app.service.database.dialect import upsert
from app.service.database.letters import NAMING_LETTERS
from app.service.database.rows import count_rows
from app.service.database.tables import (
    api_key,
    approval,
    approval_rules,
    audit_entry,
    membership,
    user_account,
)
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem
from app.service.ids import new_id
from app.settings import Settings

COLUMNS = approval.c
MOST_WAITING = 100
"""Of an organisation."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a call decides, as the second person is shown it. `amount` is a total before tax, and `worth` the
    same in the currency of the deployment, None where it cannot be converted."""

    kind: ApprovalKind
    name: str
    details: Sequence[str] = ()
    amount: Decimal | None = None
    currency: str | None = None
    worth: Decimal | None = None

    def to_record(self) -> dict[str, Any]:
        """Return the JSON object that the row stores, equal for what is equal to who reads it."""
        amount = None if self.amount is None else f"{self.amount.normalize():f}"
        record = {"name": self.name, "details": [*self.details], "amount": amount, "currency": self.currency}
        return {key: value for key, value in record.items() if value is not None}


_NOTED: ContextVar[list[Decision] | None] = ContextVar("decisions", default=None)


def note_decision(decision: Decision) -> None:
    """Note what the call decides that is under way. An endpoint of an operation that may need a second person
    does so once everything else is done; elsewhere it means nothing."""
    noted = _NOTED.get()
    if noted is not None:
        noted.append(decision)


@contextmanager
def noting_decisions() -> Generator[list[Decision]]:
    """What is noted while the block runs."""
    noted: list[Decision] = []
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


class SecondPersonNeeded(Exception):
    """The call is valid, and the organisation wants it approved: nothing of it may be stored."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision


@dataclass(frozen=True)
class AskingCall:
    """A call that may need a second person, with what is stored of it when it does."""

    caller: Caller
    rule: Rule
    operation: str
    summary: str
    method: str
    path: str
    body: bytes
    request_id: str

    def check(self, connection: Connection, noted: Sequence[Decision]) -> None:
        """Raise SecondPersonNeeded where the organisation asks for one."""
        if not noted:
            return
        rules = load_rules(connection, self.caller.organisation_id)
        for decision in noted:
            if rules is not None and _is_asked(rules, decision):
                raise SecondPersonNeeded(decision)

    def store(self, context: Context, decision: Decision) -> ApiProblem:
        """Store the call for the second person, once however often it is sent, and return the answer. Raises
        ApiProblem 409 where there is nobody who could approve it, or too much waits."""
        digest = hashlib.sha256(self.body).hexdigest()
        owner, now = self.caller.organisation_id, context.clock()
        asking = read_actor(self.caller)
        with context.database.writing() as connection:
            lock_organisation(connection, owner)
            found = connection.scalar(
                sa.select(COLUMNS.id).where(
                    *_waiting(owner, now),
                    COLUMNS.operation == self.operation,
                    COLUMNS.path == self.path,
                    COLUMNS.body_digest == digest,
                    COLUMNS.asked_by == asking.id,
                )
            )
            if found is not None:
                return _needs_approval(found, self.rule)
            people = find_approvers(connection, owner, asking, self.rule)
            if not people:
                raise ApiProblem(
                    409,
                    f"Another person with the role {self.rule.role} must approve this, and nobody who could"
                    " has signed in. Nothing was done.",
                )
            if count_rows(connection, approval, *_waiting(owner, now)) >= MOST_WAITING:
                raise ApiProblem(
                    409,
                    f"Another person must approve this, and {MOST_WAITING} calls wait for that already."
                    " Nothing was done: approve or refuse some of them first.",
                )
            made = new_id()
            row = {
                "id": made,
                "organisation_id": owner,
                "kind": decision.kind,
                "operation": self.operation,
                "method": self.method,
                "path": self.path,
                "body": context.vault.seal(self.body),
                "body_digest": digest,
                "decision": decision.to_record(),
                "end_user": self.caller.end_user.record(),
                "asked_kind": asking.kind,
                "asked_by": asking.id,
                "asked_at": now,
                "expires_at": now + timedelta(days=DAYS_TO_APPROVE),
                "status": "waiting",
            }
            connection.execute(approval.insert().values(row))
            entry = Entry(
                organisation_id=owner,
                actor=asking,
                action="approvals.ask",
                summary="Ask a second person to approve a call",
                object_kind="approval",
                object_id=made,
                object_name=self.summary,
                request_id=self.request_id,
            )
            write_entry(connection, entry, now)
            _queue_letters(connection, context.settings, owner, made, people, now)
        return _needs_approval(made, self.rule)


def _needs_approval(approval_id: str, rule: Rule) -> ApiProblem:
    return ApiProblem(
        409,
        f"Your organisation wants this approved by another person with the role {rule.role}. It waits for"
        f" that for {DAYS_TO_APPROVE} days (approval {approval_id}); nothing was done yet.",
        title="Approval Needed",
        approval_id=approval_id,
    )


def _is_asked(rules: ApprovalRules, decision: Decision) -> bool:
    if decision.kind == "price":
        # An amount of another currency than the rule's, and one that nobody can convert, asks.
        return rules.prices_above is not None and (
            decision.worth is None or decision.worth > rules.prices_above
        )
    return {"award": rules.awards, "webhook": rules.webhooks, "rules": True}[decision.kind]


def _waiting(organisation_id: str, now: datetime) -> tuple[sa.ColumnElement[bool], ...]:
    return owned_by(COLUMNS, organisation_id), COLUMNS.status == "waiting", COLUMNS.expires_at > now


def load_rules(connection: Connection, organisation_id: str) -> ApprovalRules | None:
    """Return what the organisation asks a second person for; None where it never said."""
    row = connection.execute(
        sa.select(approval_rules).where(owned_by(approval_rules.c, organisation_id))
    ).first()
    if row is None:
        return None
    return ApprovalRules(
        awards=row.awards,
        webhooks=row.webhooks,
        prices_above=None if row.prices_above is None else Decimal(row.prices_above),
        currency=row.currency,
    )


def change_rules(
    connection: Connection, caller: Caller, change: ApprovalRulesChange, currency: str, now: datetime
) -> ApprovalRules:
    """Change what the organisation asks a second person for. What asks for less than before is a decision
    that needs a second owner, where there is one. Raises ApiProblem 409 where something is asked for that
    nobody could approve."""
    owner = caller.organisation_id
    before = load_rules(connection, owner) or ApprovalRules(awards=False, webhooks=False, currency=currency)
    stated = {name: getattr(change, name) for name in change.model_fields_set}
    after = before.model_copy(update={**stated, "currency": currency})
    _require_people(connection, owner, before, after)
    row = {
        "organisation_id": owner,
        "awards": after.awards,
        "webhooks": after.webhooks,
        "prices_above": None if after.prices_above is None else str(after.prices_above),
        "currency": currency,
        "updated_at": now,
    }
    upsert(connection, approval_rules, [row])
    less = [*_describe_less(before, after)]
    if less and find_approvers(connection, owner, read_actor(caller), RULES["approvalRules.update"]):
        note_decision(Decision("rules", "Ask a second person for less", less))
    return after


def _require_people(
    connection: Connection, organisation_id: str, before: ApprovalRules, after: ApprovalRules
) -> None:
    """Raise ApiProblem 409 where a rule is switched on that nobody could keep."""
    new = [
        ("requirements.award", after.awards and not before.awards),
        ("updates.create", after.prices_above is not None and before.prices_above is None),
        ("webhooks.create", after.webhooks and not before.webhooks),
    ]
    for operation, is_new in new:
        role = RULES[operation].role
        if is_new and len(_load_members(connection, organisation_id, RULES[operation])) < 2:
            raise ApiProblem(
                409,
                f"Fewer than two people with the role {role} have signed in with the identity provider, so"
                " nobody could approve what another one asks for. API keys approve nothing.",
            )


def _describe_less(before: ApprovalRules, after: ApprovalRules) -> Generator[str]:
    if before.awards and not after.awards:
        yield "Awards need no second person any more."
    if before.webhooks and not after.webhooks:
        yield "Webhooks need no second person any more."
    if before.prices_above is None:
        return
    amount = format_exact_money(before.prices_above, before.currency)
    if after.prices_above is None:
        yield f"Agreed prices above {amount} need no second person any more."
    elif before.currency != after.currency or after.prices_above > before.prices_above:
        yield (
            f"Agreed prices need a second person above"
            f" {format_exact_money(after.prices_above, after.currency)} instead of {amount}."
        )


@dataclass(frozen=True, slots=True)
class Approver:
    """A person who may approve what another asked for."""

    id: str
    name: str
    email: str | None


def find_approvers(connection: Connection, organisation_id: str, asking: Actor, rule: Rule) -> list[Approver]:
    """Return the people who may approve what somebody asks for: members with the role that it takes, but for
    who asks, and for who made the API key that asks."""
    own = find_people_behind(connection, organisation_id, asking)
    return [one for one in _load_members(connection, organisation_id, rule) if one.id not in own]


def find_people_behind(connection: Connection, organisation_id: str, asking: Actor) -> set[str]:
    """Return the person who asks: themselves, or who made the key, or the key that made it. Nobody where it
    was made at the command line."""
    seen: set[str] = set()
    while asking.kind == "key" and asking.id not in seen:
        seen.add(asking.id)
        maker = connection.execute(
            sa.select(audit_entry.c.actor_kind, audit_entry.c.actor_id).where(
                owned_by(audit_entry.c, organisation_id),
                audit_entry.c.object_id == asking.id,
                audit_entry.c.action == "keys.create",
            )
        ).first()
        if maker is None:
            return set()
        asking = Actor(maker.actor_kind, maker.actor_id)
    return {asking.id} if asking.kind == "person" else set()


def _load_members(connection: Connection, organisation_id: str, rule: Rule) -> list[Approver]:
    rows = connection.execute(
        sa.select(user_account.c.id, user_account.c.name, user_account.c.email, membership.c.role)
        .join(membership, membership.c.user_id == user_account.c.id)
        .where(owned_by(membership.c, organisation_id))
        .order_by(user_account.c.id)
    )
    return [Approver(row.id, row.name, row.email) for row in rows if has_role(row.role, rule.role)]


def find_role(
    connection: Connection, organisation_id: str, actor: Actor, now: datetime
) -> tuple[Any, bool] | None:
    """Return the role that a person or key has now, and whether what they make is sample data; None where
    they have none any more."""
    if actor.kind == "person":
        query = sa.select(membership.c.role, sa.false()).where(
            owned_by(membership.c, organisation_id), membership.c.user_id == actor.id
        )
    else:
        query = sa.select(key_role(), api_key.c.sample).where(
            owned_by(api_key.c, organisation_id), api_key.c.id == actor.id, is_in_use(now)
        )
    row = connection.execute(query).first()
    return None if row is None else (row[0], bool(row[1]))


def _queue_letters(
    connection: Connection,
    settings: Settings,
    organisation_id: str,
    approval_id: str,
    people: Sequence[Approver],
    now: datetime,
) -> None:
    """Note a letter to everybody who may approve it, where there is a mail server."""
    if settings.smtp_url is None:
        return
    letters = (
        {
            "id": new_id(),
            "organisation_id": organisation_id,
            "object_kind": "approval",
            "object_id": approval_id,
            "named_by": "",
            "recipient_name": one.name,
            "recipient": one.email,
        }
        for one in people
        if one.email
    )
    NAMING_LETTERS.queue(connection, letters, now)
