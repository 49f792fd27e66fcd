"""Writes the words of CLDR that `app/service/values` reads into one table:
`uv run --group dev python -m tests.cldr`.

Babel takes half a second and 60 MB to load the data of fifty languages, and a process that reads documents
may open no file; the table takes some milliseconds. A test compares it with what Babel says.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from babel import Locale
from babel.core import get_global
from babel.localedata import locale_identifiers

from app.service.values.folding import fold_text

PATH = Path(__file__).parent.parent / "app" / "service" / "values" / "cldr.json"
LANGUAGES = (
    *("af", "ar", "ar_LB", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "de_AT", "el", "en"),
    *("en_GB", "en_AU", "es", "es_PE", "et", "eu", "fa", "fi", "fil", "fr", "fr_CA", "fr_CH", "ga", "gl"),
    *("he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "ko", "lt", "lv", "mk", "ms", "mt"),
    *("nb", "nl", "nn", "pl", "pt", "pt_PT", "ro", "ru", "sk", "sl", "sq", "sr", "sr_Latn", "sv", "sw", "ta"),
    *("th", "tr", "uk", "ur", "uz", "vi", "zh", "zh_Hant"),
)
"""Whose months, days and units are read."""
NAMING = ("en", "de", "fr", "nl", "es", "it", "pt")
"""Whose names of all currencies are read; every language names its own, and the four that all trade in."""
TRADED = ("EUR", "USD", "GBP", "CHF")
SPANS = {
    "hour": "duration-hour", "day": "duration-day", "week": "duration-week", "month": "duration-month",
    "quarter": "duration-quarter", "year": "duration-year",
}  # fmt: skip
UNITS = {
    "KGM": "mass-kilogram", "GRM": "mass-gram", "MGM": "mass-milligram", "TNE": "mass-tonne",
    "LBR": "mass-pound", "ONZ": "mass-ounce", "MTR": "length-meter", "CMT": "length-centimeter",
    "MMT": "length-millimeter", "KMT": "length-kilometer", "INH": "length-inch", "FOT": "length-foot",
    "YRD": "length-yard", "SMI": "length-mile", "LTR": "volume-liter", "MLT": "volume-milliliter",
    "CLT": "volume-centiliter", "DLT": "volume-deciliter", "HLT": "volume-hectoliter",
    "MTQ": "volume-cubic-meter", "CMQ": "volume-cubic-centimeter", "MTK": "area-square-meter",
    "CMK": "area-square-centimeter", "HAR": "area-hectare", "FTK": "area-square-foot",
    "KWH": "energy-kilowatt-hour", "MIN": "duration-minute",
}  # fmt: skip


def build_table() -> dict[str, dict[str, Any]]:
    """Return the words by what they name: folded word -> months, weekdays, spans, units, currencies."""
    locales = [Locale.parse(one) for one in LANGUAGES]
    patterns = [locale._data["unit_patterns"] for locale in locales]  # Babel formats them and lists none
    codes = sorted(_list_codes())
    return {
        "months": _collect(_name_parts(locales, "months")),
        "weekdays": _collect(_name_parts(locales, "days")),
        "spans": _collect(_name_units(patterns, SPANS)),
        "units": _collect(_name_units(patterns, UNITS)),
        "currencies": {code: sorted(_list_signs(code)) for code in codes},
        "currency_names": _collect(_name_currencies(locales, codes)),
    }


def _collect(named: Iterator[tuple[str, Any]]) -> dict[str, list[Any]]:
    found: defaultdict[str, set[Any]] = defaultdict(set)
    for name, value in named:
        word = fold_text(name).replace("\u02bc", "'").replace("\u2019", "'").strip(" .\u200e\u200f")
        if word and not any(letter.isdigit() for letter in word) and len(word) > (1 if word.isascii() else 0):
            found[word].add(value)
    return {word: sorted(found[word]) for word in sorted(found)}


def _name_parts(locales: list[Locale], part: str) -> Iterator[tuple[str, int]]:
    for locale in locales:
        for context in ("format", "stand-alone"):
            for width, names in getattr(locale, part)[context].items():
                if width != "narrow":
                    yield from ((name, number) for number, name in names.items())


def _name_units(patterns: list[Mapping[str, Any]], wanted: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for unit_patterns in patterns:
        for value, unit in wanted.items():
            for width in ("long", "short"):
                forms = unit_patterns.get(unit, {}).get(width, {})
                yield from (
                    (form.replace("{0}", ""), value)
                    for kind, form in forms.items()
                    if kind != "per" and "{0}" in form
                )


def _list_codes() -> set[str]:
    """The codes that are or were tender after 1998, and the digital one of Venezuela, which CLDR lacks."""
    return {"VED"} | {
        code
        for tenders in get_global("territory_currencies").values()
        for code, _, end, tender in tenders
        if (tender or code in ("CLF", "CNH")) and (end is None or date(*end) > date(1999, 1, 1))
    }


def _tenders(locale: Locale) -> set[str]:
    territory = locale.territory or str(get_global("likely_subtags").get(str(locale), "")).split("_")[-1]
    tenders = get_global("territory_currencies").get(territory, ())
    return {code for code, _, end, tender in tenders if end is None and tender}


_LOCALES = [Locale.parse(one) for one in locale_identifiers() if one != "root"]


def _list_signs(code: str) -> set[str]:
    """What the languages of the countries that pay in it write for it, and English; all for those traded
    in."""
    every = code in TRADED
    own = (
        one.currency_symbols.get(code)
        for one in _LOCALES
        if every or code in _tenders(one) or one.language == "en"
    )
    return {fold_text(sign).strip("\u200e\u200f ") for sign in own if sign} - {code.lower()}


def _name_currencies(locales: list[Locale], codes: list[str]) -> Iterator[tuple[str, str]]:
    for locale in locales:
        for code in codes:
            if str(locale) in NAMING or code in TRADED or code in _tenders(locale):
                yield locale.currencies.get(code, code), code
                for name in locale._data["currency_names_plural"].get(code, {}).values():
                    yield name, code


def format_table(table: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table as JSON with a word a line."""

    def section(words: Mapping[str, Any]) -> str:
        lines = (
            f"{json.dumps(word, ensure_ascii=False)}: {json.dumps(words[word], ensure_ascii=False)}"
            for word in words
        )
        return "{\n" + ",\n".join(lines) + "\n}"

    return "{\n" + ",\n".join(f'"{name}": {section(words)}' for name, words in table.items()) + "\n}\n"


if __name__ == "__main__":
    PATH.write_text(format_table(build_table()), encoding="utf-8")
