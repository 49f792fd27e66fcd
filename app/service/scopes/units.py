"""Units of lines, in the languages of documents."""

import re
from typing import Literal

from app.service.catalog.product_words import to_singular
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import either, whole_phrase
from app.service.values.folding import fold_text

_UNIT_NAMES = {
    "hur": "hour",  # a code of electronic invoices
    **{word: name for name, words in WORDS.units.units.items() for word in words.split(" | ")},
}
# Codes of electronic invoices for a single thing.
_SAYS_NOTHING = whole_phrase(either(f"{WORDS.units.counts} | {WORDS.units.fillers} | c62 | h87"))
# Codes of electronic invoices have digits: `H87` is a piece.
_WORD = re.compile(r"[^\W\d_]+\d*|\d+(?:[.,]\d+)*")

SERVICE_UNITS = frozenset({"day", "hour", "project"})
"""Units of work."""


def unit_words(unit: str) -> frozenset[str]:
    """Return a unit's words, each under its main name; empty for a unit that says nothing. `named users` is
    `user`, and of `employee / month` only `employee` is counted."""
    words = [
        _UNIT_NAMES.get(to_singular(word)) or _UNIT_NAMES.get(word) or to_singular(word)
        for word in _split_words(unit)
    ]
    while len(words) > 1 and words[-1] in {"month", "year"}:
        words.pop()
    return frozenset(word for word in words if not _SAYS_NOTHING.match(word))


def units_agree(one: str | None, other: str | None) -> bool:
    """Return whether two units may be the same: they share a word, or one of them says nothing."""
    words, others = unit_words(one or ""), unit_words(other or "")
    return not words or not others or bool(words & others)


def find_period(unit: str | None) -> Literal["month", "year"] | None:
    """Return `month` or `year` where a unit names the period of its price: `user / month`."""
    words = [_UNIT_NAMES.get(to_singular(word)) or word for word in _split_words(unit or "")]
    last = words[-1] if len(words) > 1 else None
    return "month" if last == "month" else "year" if last == "year" else None


def remove_period(unit: str) -> str:
    """Return a unit without the period of its price, in its own words: of `GB per month` only `GB`."""
    if find_period(unit) is None:
        return unit.strip()
    named = [word for word in _WORD.finditer(unit) if unit_words(word[0]) - {"month", "year"}]
    return unit[: named[-1].end()].strip() if named else unit.strip()


def _split_words(unit: str) -> list[str]:
    return _WORD.findall(fold_text(unit))
