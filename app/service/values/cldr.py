"""The words of fifty languages from CLDR: months, weekdays, spans of time, units and currencies.

`uv run --group dev python -m tests.cldr` writes the table; it is loaded when the first word is looked up.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TypedDict

from app.service.values.folding import remove_accents


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


_MORE: Mapping[int, str] = {
    1: "jänn jänner genn styc",
    2: "ún",
    3: "mrz maer maerz märz mär",
    4: "aprl",
    8: "agos",
    9: "sett",
}
"""Abbreviations and spellings that people write and CLDR leaves out."""
_SHORT = (
    "abr ago aou aout apr aug avr cze dec des dez dic ene feb febr fev fevr gen genn giu giug gru ian"
    " iul iun jan janv juil juin jul juli july jun june juni kwi lip lis lug lut luty mag mai maio maj"
    " maja mar mars mart marz may mayo mei mrt mrz nov oct okt ott out paz peb sep sept set sett sie"
    " sty wrz ocak ekim zari"
)
_SHORT_IN_TEXT = frozenset(_SHORT.split())
"""Short names that are no other words in running text, as `pro`, `led` and `mac` are."""
_LONGEST_SHORT = 4
_SHORT_WEEKDAYS = frozenset({"mon", "tue", "tues", "wed", "thu", "thur", "fri", "sat", "sun"})
_LAST_WORD = re.compile(r"(?<![^\W_])([^\W\d_]+(?:-[^\W\d_]+)?)[.,]*\s*$")
_IN_HEBREW = "\u05d1"
"""Stands before a month without a space."""
_UMLAUTS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"))


def _fold_month(name: str) -> str:
    return remove_accents(name).strip(" .")


@cache
def _months_by_name() -> Mapping[str, frozenset[int]]:
    found = {name: frozenset(months) for name, months in load_cldr()["months"].items()}
    for month, names in _MORE.items():
        for name in _spell(names.split()):
            word = _fold_month(name)
            found[word] = found.get(word, frozenset()) | {month}
    return found


def _spell(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        yield name
        for umlaut, letters in _UMLAUTS:
            if umlaut in name:
                yield name.replace(umlaut, letters)


@lru_cache(maxsize=2048)
def find_months(name: str) -> frozenset[int]:
    """Return the months that a name means in any language, none where it is no month; `listopad` is October
    in Croatian and November in Polish and Czech."""
    word = _fold_month(name)
    return _months_by_name().get(word) or _months_by_name().get(word.removeprefix(_IN_HEBREW), frozenset())


@cache
def list_months_in_text() -> Mapping[str, int]:
    """Return the names by which a sentence may call a month, folded, and their months; of one that differs
    between languages, that of Polish and Czech."""
    found = {
        name: max(months)
        for name, months in _months_by_name().items()
        if name.isalpha() and (len(name) > _LONGEST_SHORT or not name.isascii() or name in _SHORT_IN_TEXT)
    }
    return found | {f"{name[:-1]}ς": month for name, month in found.items() if name.endswith("σ")}


def find_weekdays(name: str) -> frozenset[int]:
    """Return the weekdays that a name means in any language, 0 for Monday."""
    return frozenset(load_cldr()["weekdays"].get(_fold_month(name), ()))


def cut_weekday(text: str) -> str:
    """Return a folded text without the weekday that it ends in: `due on friday,` is `due on`."""
    last = _LAST_WORD.search(text)
    if last is None or (len(last[1]) <= _LONGEST_SHORT and last[1] not in _SHORT_WEEKDAYS):
        return text
    return text[: last.start()] if find_weekdays(last[1]) else text
