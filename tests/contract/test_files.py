"""The formats that the service reads are named alike wherever a person or an agent is told of them."""

import re
from collections.abc import Collection
from pathlib import Path

import pytest

from app.agents.failures import NEXT_STEPS
from app.client import UnsupportedMedia
from app.contract.files import DOCUMENT_FORMAT_NAMES, DOCUMENT_FORMATS, TABLE_FORMATS, join_names

ROOT = Path(__file__).parents[2]
_WORDS = "|".join(
    re.escape(name) for name in sorted({*DOCUMENT_FORMATS, *TABLE_FORMATS}, key=len, reverse=True)
)
LISTED = re.compile(rf"\b(?:(?:{_WORDS}),\s+)+(?:{_WORDS})(?:,?\s+(?:and|or|nor)\s+(?:{_WORDS}))?")
TOLD = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "app/commands").glob("*.py"),
        *(ROOT / "app/agents").rglob("*.py"), *(ROOT / "app/service").rglob("routes.py"),
        *(ROOT / "app/contract").glob("*.py"), *(ROOT / "components").rglob("*.py"), *(ROOT / "pages").glob("*.py")]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "sentence"),
    [(["PDF"], "PDF"), (["PDF", "CSV"], "PDF or CSV"), (["PDF", "PNG", "CSV"], "PDF, PNG or CSV")],
)
def test_names_are_joined_for_a_sentence(names: list[str], sentence: str) -> None:
    assert join_names(names) == sentence


def test_agents_are_told_of_all_formats() -> None:
    assert DOCUMENT_FORMAT_NAMES in dict(NEXT_STEPS)[UnsupportedMedia]


def test_every_list_of_formats_names_all_of_its_kind() -> None:
    kinds: list[Collection[str]] = [{*DOCUMENT_FORMATS}, {*TABLE_FORMATS}]
    lists = [(path.name, found[0]) for path in TOLD for found in LISTED.finditer(path.read_text("utf-8"))]
    assert len(lists) > 5
    for name, listed in lists:
        assert {*re.findall(_WORDS, listed)} in kinds, (name, listed)
