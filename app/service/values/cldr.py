"""The words of fifty languages from CLDR: months, weekdays, spans of time, units and currencies.

`uv run --group dev python -m tests.cldr` writes the table; it is loaded when the first word is looked up.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypedDict


class CldrWords(TypedDict):
    """Folded word -> what it names in any of the languages; more than one where languages differ."""

    months: Mapping[str, Sequence[int]]
    """1 to 12."""
    weekdays: Mapping[str, Sequence[int]]
    """0 for Monday to 6."""
    spans: Mapping[str, Sequence[str]]
    """hour, day, week, month, quarter and year."""
    units: Mapping[str, Sequence[str]]
    """Codes of UN/ECE Recommendation 20."""
    currencies: Mapping[str, Sequence[str]]
    """ISO 4217 code -> the signs that the languages of its countries write."""
    currency_names: Mapping[str, Sequence[str]]


@cache
def load_cldr() -> CldrWords:
    """Return the table."""
    return json.loads(Path(__file__).with_name("cldr.json").read_text(encoding="utf-8"))
