"""A new user calls the service in five lines of Python."""

import re
import textwrap

import pytest

import app.client
from tests.client import records
from tests.client.scripted import Says, ScriptedService


def example() -> str:
    """The indented lines of the package's docstring."""
    lines = (app.client.__doc__ or "").splitlines()
    return textwrap.dedent("\n".join(line for line in lines if line.startswith("    "))) + "\n"


def test_the_example_is_at_most_five_lines() -> None:
    assert 2 < len(example().splitlines()) <= 5


def test_the_example_runs_as_it_stands(service: ScriptedService, capsys: pytest.CaptureFixture[str]) -> None:
    company = records.company_in_list(name="Acme Software", realPurchaseCount=42)
    service.script(Says(200, records.page([company], limit=100)))
    address = re.compile(r"http://127\.0\.0\.1:8000")
    code, replaced = address.subn(service.address, example())
    assert replaced == 1
    exec(code, {})
    assert capsys.readouterr().out == "Acme Software 42\n"
