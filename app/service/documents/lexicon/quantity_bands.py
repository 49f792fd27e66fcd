"""For how many units a price holds: `1-99`, `100+`, `ab 100 Stück`, `up to 24 users`."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from app.service.documents.lexicon.further_languages import AND_UP, fold_phrases
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import DIFFERENT_TEXTS, phrase
from app.service.values.folding import fold

_WORDS = WORDS.columns
_NUMBER = r"(?:\d{1,3}(?:[., '’]\d{3})+|\d{1,7})(?![.,]\d)"
_UNIT = r"(?: ?(?:[^\W\d_]|[()./]){1,14}){0,2}"
_BEFORE = rf"(?:(?:{_WORDS.price}|{_WORDS.unit_price}|{_WORDS.quantity})(?: {_WORDS.price_for})?[ :]*)?"
_AND_UP = f"(?:{_WORDS.tier_and_up}|{fold_phrases(AND_UP)})"
_UNTIL = rf"(?:[-–—]|\.\.\.?|(?<= )(?:{WORDS.dates.until}|a)(?= ))"
_BAND = re.compile(
    rf"{_BEFORE}(?:"
    rf"(?P<low>{_NUMBER})(?P<unit1>{_UNIT}) ?{_UNTIL} ?(?P<high>{_NUMBER})(?P<unit2>{_UNIT})"
    rf"|(?P<open>{_NUMBER})(?P<unit3>{_UNIT}) ?(?:\+|{_AND_UP}|[-–—]$)(?P<unit4>{_UNIT})"
    rf"|(?P<more>>|{_WORDS.tier_over}(?= )) ?(?P<above>{_NUMBER})(?P<unit5>{_UNIT})"
    rf"|(?:{_WORDS.tier_up_to}(?= )|[<≤]=?) ?(?P<until>{_NUMBER})(?P<unit6>{_UNIT})"
    rf"|(?:{_WORDS.tier_from}(?= )|[>≥]=?|@) ?(?P<start>{_NUMBER})(?P<unit7>{_UNIT})"
    rf"|(?P<bare>{_NUMBER})(?P<unit8>{_UNIT})"
    r")"
)
_ANY_UNIT = tuple(f"unit{number}" for number in range(1, 9))
_BOUND = re.compile(rf"(?<![a-z])(?:{_WORDS.tier_from})$")
_NAMES_STEPS = phrase(rf"(?:{_WORDS.tier_from}|{_WORDS.tier_steps})")


@dataclass(frozen=True, slots=True)
class QuantityBand:
    """The quantities for which a price holds. `explicit` says that words or signs tell so, not a number
    alone."""

    start: Decimal
    end: Decimal | None
    unit: str | None
    explicit: bool


@lru_cache(maxsize=DIFFERENT_TEXTS)
def read_band(text: str) -> QuantityBand | None:
    """Return the band that is all of a text; None where it is none."""
    found = _BAND.fullmatch(fold(text).strip(" :"))
    if found is None:
        return None
    unit = next((one.strip(" ()./") for name in _ANY_UNIT if (one := found[name] or "").strip(" ()./")), None)
    one = Decimal(1)
    if found["low"]:
        start, end = _read(found["low"]), _read(found["high"])
        return QuantityBand(start, end, unit, explicit=True) if start < end else None
    if found["until"]:
        return QuantityBand(one, _read(found["until"]), unit, explicit=True)
    if found["above"]:
        return QuantityBand(_read(found["above"]) + one, None, unit, explicit=True)
    if found["bare"]:
        start = _read(found["bare"])
        return QuantityBand(start, None, unit, explicit=False) if start > 0 else None
    return QuantityBand(_read(found["open"] or found["start"]), None, unit, explicit=True)


def names_steps(header: str) -> bool:
    """Whether a header says that the quantities below it are those from which prices hold: `From qty`."""
    return _NAMES_STEPS.search(fold(header)) is not None


def _read(number: str) -> Decimal:
    return Decimal(re.sub(r"\D", "", number))


def names_bound(before: str) -> bool:
    """Whether the words before a figure call it the bound of others: `prices starting at`, `up to`."""
    return _BOUND.search(fold(before)) is not None
