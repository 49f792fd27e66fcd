"""What each role may do: every operation that the service describes, called by every role."""

import re
from typing import get_args

import pytest
from starlette.testclient import TestClient

from app.contract.access import Role
from app.contract.audit import ObjectKind
from app.service.access.roles import RANKS, RULES
from app.service.context import Context
from app.service.main import build_openapi
from tests.service.conftest import key_for

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


@pytest.mark.parametrize("role", [*RANKS[:-1], pytest.param(RANKS[-1], marks=pytest.mark.both_stores)])
def test_every_operation_is_open_to_its_role_and_those_above_it(
    role: Role, api: TestClient, context: Context
) -> None:
    headers = {"Authorization": f"Bearer {key_for(context, role=role)}"}
    refused: set[str] = set()
    expected: set[str] = set()
    for path, operations in build_openapi(with_inbox=False)["paths"].items():
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
