"""What each role may do: every operation that the service describes, called by every role."""

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import get_args

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.contract.access import RANKS, Role
from app.contract.audit import ObjectKind
from app.service.access.roles import RULES
from app.service.context import Context
from app.service.database.tables import metadata
from app.service.http.openapi import load_description
from tests.service.conftest import key_for
from tests.service.running_service import create_one_of_everything
from tests.service.valid_bodies import first_body

FOR_ADMINS = {"webhooks", "events", "inboxes", "secondOpinion", "workingDays", "deadlineMail", "sampleData"}
"""Subjects of which a buyer changes nothing."""


def find_lowest_role(operation: dict[str, object], method: str) -> Role:
    """The role that an operation takes, as a person would state it."""
    subject = str(operation["operationId"]).partition(".")[0]
    if subject in {"audit", "keys", "members"} or operation["operationId"] == "agentCalls.list":
        return "admin"
    if operation["operationId"] == "approvalRules.update":
        return "owner"
    if method in {"get", "head"} or operation.get("x-reads-only"):
        return "reader"
    return "admin" if subject in FOR_ADMINS else "buyer"


@pytest.mark.parametrize("role", RANKS)
def test_every_operation_is_open_to_its_role_and_those_above_it(
    role: Role, api: TestClient, context: Context
) -> None:
    headers = {"Authorization": f"Bearer {key_for(context, role=role)}"}
    refused: set[str] = set()
    expected: set[str] = set()
    for path, operations in load_description(with_inbox=True)["paths"].items():
        for method, operation in operations.items():
            if not operation["security"] or method == "head":
                continue
            place = re.sub(r"\{\w+\}", "00000000-0000-7000-8000-000000000000", path)
            answer = api.request(method, place, json=None if method == "get" else [], headers=headers)
            if answer.status_code == 403:
                refused.add(operation["operationId"])
                assert "role" in answer.json()["detail"] or "only read" in answer.json()["detail"]
            if RANKS.index(find_lowest_role(operation, method)) > RANKS.index(role):
                expected.add(operation["operationId"])
    assert refused == expected
    assert bool(refused) == (role != "owner")


def test_the_audit_log_is_filtered_by_every_kind_of_thing() -> None:
    assert {rule.object_kind for rule in RULES.values()} - {""} <= {*get_args(ObjectKind)}


OF_THE_CALLER = {
    *(
        "user_session",
        "agent_call",
        "idempotent_call",
        "request_count",
        "api_key",
        "audit_entry",
        "audit_link",
    ),
}
"""What a reader's calls leave: their sessions, the record of their calls of tools, the answers to these for a
repeat, when their key was used, and entries of what is accounted for when it is read."""


def test_what_a_reader_may_call_changes_nothing_that_others_see(
    api: TestClient, context: Context, tmp_path: Path
) -> None:
    existing = create_one_of_everything(context, api, tmp_path)
    headers = {"Authorization": f"Bearer {key_for(context, role='reader')}"}
    before = read_rows(context)
    statuses = Counter[int]()
    for path, operations in load_description(with_inbox=True)["paths"].items():
        for method, operation in operations.items():
            if operation["security"] and method != "head":
                place = path.format_map(defaultdict(lambda: "none", existing))
                body = first_body(f"{method.upper()} {path}", existing)
                keyed = headers | {"Idempotency-Key": f"{method} {path}"} if method == "post" else headers
                statuses[api.request(method, place, json=body, headers=keyed).status_code] += 1
    assert statuses[200] > 50
    after = read_rows(context)
    assert {name for name in before if before[name] != after[name]} == set()


def read_rows(context: Context) -> dict[str, list[str]]:
    """The rows of all tables but those of the caller."""
    with context.database.reading() as connection:
        return {
            name: sorted(repr(tuple(row)) for row in connection.execute(sa.select(table)))
            for name, table in metadata.tables.items()
            if name not in OF_THE_CALLER
        }
