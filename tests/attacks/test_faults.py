"""The database fails: a full disk or a lost connection at every write, a server that is away or hangs."""

from collections import defaultdict
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from tests.service.http.test_bounds import find_failures
from tests.service.running_service import create_one_of_everything
from tests.service.test_one_transaction import break_at_statements
from tests.service.write_calls import with_planned_negotiation, write_calls

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(900)]

NAMES = sorted(write_calls(defaultdict(str)))


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_at_any_statement_of_any_call_leaves_nothing(
    name: str, context: Context, api: TestClient, tmp_path: Path
) -> None:
    existing = with_planned_negotiation(context, api, create_one_of_everything(context, api, tmp_path))
    break_at_statements(name, context, api, existing)


def test_no_hostile_value_in_any_body_is_an_error_of_either_store(
    context: Context, api: TestClient, tmp_path: Path
) -> None:
    existing = create_one_of_everything(context, api, tmp_path)
    assert find_failures(api, existing) == []
