"""The database fails: a full disk or a lost connection at every write, a server that is away or hangs."""

import itertools
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.schema import migrate
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.background.test_full_disk import fill, small_disk
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.http.test_bounds import find_failures, find_parameter_failures
from tests.service.running_service import create_one_of_everything
from tests.service.service_behind_proxy import service_behind_proxy
from tests.service.store_faults import count_rows
from tests.service.test_one_transaction import break_at_statements
from tests.service.write_calls import START, Call, make, with_planned_negotiation, write_calls

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(900)]

__all__ = ["small_disk"]

CALLS = 300
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
    assert find_parameter_failures(api, existing) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_at_the_end_of_any_call_leaves_nothing(name: str, small_disk: Path) -> None:
    """The file system is full, so that the transaction fails where it is written: at its commit."""
    app = create_service(
        Settings(data_dir=small_disk / "data", rate_limit=0, secret_key=SecretStr(VAULT_KEY))
    )
    context = CONTEXT.get(app)
    migrate(context.database)
    with TestClient(app, raise_server_exceptions=False) as api:
        api.headers["Authorization"] = f"Bearer {key_for(context)}"
        existing = create_one_of_everything(context, api, small_disk)
        call = write_calls(with_planned_negotiation(context, api, existing))[name]
        before = count_rows(context)
        ballast = fill(small_disk)
        failed = make(api, call("word"), "word")
        for _ in range(200):  # the database's own room is used up first
            if failed.status_code == 503:
                break
            before = count_rows(context)
            failed = make(api, call(uuid4().hex), uuid4().hex)
        assert failed.status_code == 503, failed.text
        assert "nothing was changed" in failed.json()["detail"]
        assert count_rows(context) == before
        ballast.unlink()
        assert make(api, call("last"), "last").status_code < 500
        after = count_rows(context)
        assert make(api, call("last"), "last").status_code < 500
        assert count_rows(context) == after


def test_a_database_that_fails_again_and_again_takes_each_call_once(
    postgres_database: str, tmp_path: Path
) -> None:
    """Callers repeat what failed with the same Idempotency-Key while connections are refused, cut and held up
    and a commit's answer is lost."""
    with service_behind_proxy(postgres_database, tmp_path / "data") as behind:
        api, proxy, context = behind.api, behind.proxy, behind.context
        failures: Counter[str] = Counter()

        def repeat(number: int) -> str:
            while True:
                call: Call = ("/v1/negotiation/start", {"json": {**START, "supplier": {"name": "Works"}}})
                answer = make(api, call, f"call {number}")
                if answer.status_code == 201:
                    return answer.json()["negotiationId"]
                assert answer.status_code in {409, 429, 503}, answer.text
                failures[answer.json()["detail"]] += 1
                time.sleep(0.05)

        with ThreadPoolExecutor(6) as pool:
            ids = [pool.submit(repeat, number) for number in range(CALLS)]
            ways = itertools.cycle([proxy.cut, proxy.refuse, proxy.cut_before_next_answer, proxy.stall])
            while not all(one.done() for one in ids):
                next(ways)()
                time.sleep(1)
                proxy.flow()
                if not proxy.is_accepting:
                    proxy.accept()
                time.sleep(0.5)
        made = {one.result() for one in ids}
        assert failures, "the database never failed"
        assert len(made) == CALLS
        assert count_rows(context)["negotiation"] == CALLS
        assert api.get("/v1/health").json()["services"][0]["status"] == "ok"
