"""The formats that the service reads are named alike wherever a person or an agent is told of them."""

import re
from collections.abc import Collection
from pathlib import Path

import pytest

from app.agents.failures import NEXT_STEPS
from app.client import UnsupportedMedia
from app.contract.files import DOCUMENT_FORMAT_NAMES, DOCUMENT_FORMATS, TABLE_FORMATS
from app.contract.money import join_words

ROOT = Path(__file__).parents[2]
_WORDS = "|".join(
    re.escape(name) for name in sorted({*DOCUMENT_FORMATS, *TABLE_FORMATS}, key=len, reverse=True)
)
LISTED = re.compile(rf"\b(?:(?:{_WORDS}),\s+)+(?:{_WORDS})(?:,?\s+(?:and|or|nor)\s+(?:{_WORDS}))?")
TOLD = [
    path
    for pattern in ("README.md", "docs/*.md", "app/agents/**/*.py", "app/commands/*.py", "app/contract/*.py",
                    "app/service/**/routes.py", "components/**/*.py", "pages/*.py")
    for path in ROOT.glob(pattern)
    if path != ROOT / "app/contract/files.py"
]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "sentence"),
    [(["PDF"], "PDF"), (["PDF", "CSV"], "PDF or CSV"), (["PDF", "PNG", "CSV"], "PDF, PNG or CSV")],
)
def test_names_are_joined_for_a_sentence(names: list[str], sentence: str) -> None:
    assert join_words(names, "or") == sentence


def test_agents_are_told_of_all_formats() -> None:
    assert DOCUMENT_FORMAT_NAMES in dict(NEXT_STEPS)[UnsupportedMedia]


def test_every_list_of_formats_names_all_of_its_kind() -> None:
    kinds: list[Collection[str]] = [{*DOCUMENT_FORMATS}, {*TABLE_FORMATS}]
    lists = [(path.name, found[0]) for path in TOLD for found in LISTED.finditer(path.read_text("utf-8"))]
    assert len(lists) > 5
    for name, listed in lists:
        names = {*re.findall(_WORDS, listed)}
        assert len(names) < 3 or names in kinds, (name, listed)
