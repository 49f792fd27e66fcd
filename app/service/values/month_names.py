"""The names of months and weekdays in fifty languages, folded."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from app.service.text_folding import remove_accents
from app.service.values.cldr import load_cldr

_MORE: Mapping[int, str] = {
    1: "janv jänn jänner genn gen. ene styc led",
    2: "febr fev feb. únor ún",
    3: "mrz maer maerz märz mär mart mars",
    4: "avr aprl",
    5: "mai. mag",
    6: "juni. jun.",
    7: "juil. juill jul.",
    8: "aout août ag. agos",
    9: "sept set sett setiembre",
    10: "okt. ott",
    11: "nov.",
    12: "déc dec. dez dic",
}
"""Abbreviations and spellings that people write and CLDR leaves out."""
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


def find_weekdays(name: str) -> frozenset[int]:
    """Return the weekdays that a name means in any language, 0 for Monday."""
    return frozenset(load_cldr()["weekdays"].get(_fold_month(name), ()))
