"""A new user calls the service in five lines of Python, as the client's README shows them."""

import sys

import pytest

from app import parley_client
from tests.client import records
from tests.client.package import first_steps
from tests.client.scripted import Says, ScriptedService

ADDRESS = "http://127.0.0.1:8000"


@pytest.mark.parametrize("code", first_steps())
def test_the_first_steps_are_five_lines_that_run_as_they_stand(
    service: ScriptedService, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    monkeypatch.setitem(sys.modules, "parley_client", parley_client)
    assert len([line for line in code.splitlines() if line.strip()]) <= 5
    assert code.count(ADDRESS) == 1
    company = records.company_in_list(name="Acme Software", realPurchaseCount=42)
    service.script(Says(200, records.page([company], limit=100)))
    exec(code.replace(ADDRESS, service.address), {})
    assert "Acme Software" in capsys.readouterr().out
    assert service.received[0].query["name"] == "soft"
