"""What SECURITY.md and the page of operation promise, where a test can compare it with the product."""

import re
from pathlib import Path

import pytest

from app.service.access.capacity import WorkKind
from app.service.database.tables import metadata
from app.settings import Settings

ROOT = Path(__file__).parent.parent
PROMISES = (ROOT / "SECURITY.md").read_text()
LIMITS = PROMISES.partition("## Limits")[2].partition("\n## ")[0]
IS_LIMIT = re.compile("max_|rate_limit|calls_in_flight|database_timeout|mail_domains")


def test_the_table_of_limits_names_every_setting_that_is_one() -> None:
    named = {*re.findall("PARLEY_([A-Z_]+)", LIMITS)}
    assert named == {one.upper() for one in Settings.model_fields if IS_LIMIT.match(one)}


def test_the_table_of_limits_names_every_kind_of_work_that_has_places() -> None:
    [kinds] = re.findall(r"\| a kind of work \(([^)]*)\)", LIMITS)
    known = {one.name.lower() for one in WorkKind} - {"key", "token", "inbox", "sign_in", "sign_in_start"}
    words = {"reads": "read", "writes": "write", "estimates": "pricing", "schemas": "schema"}
    words |= {"drawings": "drawing", "uploads": "upload"}
    assert {words[one] for one in kinds.split(", ")} == known


@pytest.mark.parametrize("page", ["SECURITY.md", "docs/operation.md", "docs/stored-data.md"])
def test_every_setting_that_a_page_names_is_there(page: str) -> None:
    named = {*re.findall(r"PARLEY_([A-Z][A-Z_]*[A-Z])", (ROOT / page).read_text())}
    of_compose = {*re.findall(r"PARLEY_([A-Z][A-Z_]*[A-Z])", (ROOT / "deploy" / "compose.yaml").read_text())}
    assert named - of_compose <= {one.upper() for one in Settings.model_fields}


def test_the_page_of_what_is_stored_names_every_table() -> None:
    page = (ROOT / "docs" / "stored-data.md").read_text()
    rows = [line.split("|")[2] for line in page.splitlines() if line.startswith("| ")]
    assert {*re.findall("`([a-z_]+)`", " ".join(rows))} - {"drafts"} == {*metadata.tables}
