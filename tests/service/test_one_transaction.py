"""A call's effects and its stored response are one transaction: a fault in the middle leaves nothing, and the
call made again with the same Idempotency-Key takes effect once."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from tests.service.running_service import create_one_of_everything
from tests.service.store_faults import count_rows, fault_at
from tests.service.write_calls import make, with_planned_negotiation, write_calls

pytestmark = pytest.mark.both_stores

NO_FAULT_LEFT = 100
CHANGES_ROWS_ONLY = {"rotation", "redelivery"}
QUICK = ("attachment",)


@pytest.fixture
def existing(context: Context, api: TestClient, tmp_path: Path) -> dict[str, Any]:
    return with_planned_negotiation(context, api, create_one_of_everything(context, api, tmp_path))


@pytest.mark.parametrize("name", QUICK)
def test_a_fault_at_any_statement_leaves_nothing(
    name: str, context: Context, api: TestClient, existing: dict[str, Any]
) -> None:
    # To end a connection takes PostgreSQL longer than to fill a disk; the campaign ends it at each statement.
    break_at_statements(name, context, api, existing, step=1 if context.database.is_sqlite else 4)


def break_at_statements(
    name: str, context: Context, api: TestClient, existing: dict[str, Any], step: int = 1
) -> None:
    """Makes the call once for each of its statements, with a fault there, and then without."""
    call = write_calls(existing)[name]
    for number in range(1 if context.database.is_sqlite else 0, NO_FAULT_LEFT, step):
        word = f"word{number}"
        before = count_rows(context)
        with fault_at(context, number) as met:
            failed = make(api, call(word), word)
        if not met:
            assert number > 2
            return
        assert failed.status_code == 503, (met, failed.text)
        assert failed.headers["retry-after"]
        if number:
            assert "nothing was changed" in failed.json()["detail"]
        else:
            assert "may be stored or not" in failed.json()["detail"]
            assert "nothing was changed" not in failed.text
        left = count_rows(context)
        if not number:
            left["files"] = before["files"]  # one that may belong to stored rows is not deleted
        assert left == before, met

        before = count_rows(context)
        done = make(api, call(word), word)
        assert done.status_code == (409 if name == "refused update" else done.status_code) < 500, done.text
        after = count_rows(context)
        assert after != before or name in CHANGES_ROWS_ONLY, met
        again = make(api, call(word), word)
        assert again.status_code == done.status_code
        assert again.content == done.content or done.status_code == 409
        assert count_rows(context) == after, met
    pytest.fail("the call never ended without meeting the fault")
