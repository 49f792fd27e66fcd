"""The currency of which a heading or a number format is."""

import re
from functools import lru_cache

from app.service.values.currencies import WORD_CODES, WORDS_AS_SIGNS, agree, list_codes, read_currency
from app.service.values.tax import find_tax

_WORD = re.compile(r"[^\W\d_]+[$€£¥.]?|[$€£¥₹₩₽₺₴₱₫₪฿₦₡₲₸]+[^\W\d_]*|[^\W\d_]+/\.?", re.UNICODE)
_BRACKETED = re.compile(r"[(\[]\s*([^()\[\]]{1,12}?)\s*[)\]]")
_FORMAT_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-(?:([0-9A-Fa-f]{1,8})|[^\]]*))?\]")
_QUOTED = re.compile(r'"([^"]*)"')
_ESCAPED = re.compile(r"\\(.)")
_SCALED = re.compile(r"[0#?],+(?![0#?,])")
_BARE_SIGN = re.compile(r"[$€£¥₹₩₽₺₴₱₫₪฿₦]|R\$|Kč|zł")
_LOCALE_CURRENCIES = {
    0x0409: "USD", 0x1009: "CAD", 0x0C0C: "CAD", 0x0C09: "AUD", 0x1409: "NZD", 0x4809: "SGD", 0x3C09: "HKD",
    0x0C04: "HKD", 0x0404: "TWD", 0x080A: "MXN", 0x2C0A: "ARS", 0x340A: "CLP", 0x240A: "COP", 0x380A: "UYU",
    0x041D: "SEK", 0x0414: "NOK", 0x0814: "NOK", 0x0406: "DKK", 0x040F: "ISK", 0x0411: "JPY", 0x0804: "CNY",
    0x4009: "INR", 0x0439: "INR", 0x0420: "PKR", 0x045B: "LKR", 0x0461: "NPR", 0x0418: "RON", 0x0818: "MDL",
    0x0809: "GBP",
}  # fmt: skip
"""The currency by the number of a Windows locale, where several countries write its sign. Excel puts it
behind the sign: `[$$-1009]` is the Canadian dollar."""


_SIMPLIFIED = re.compile("[价额单总汇购发净币货费实应]")
"""Letters of headings that are written so where 元 is that of China."""


@lru_cache(maxsize=1024)
def find_heading_currency(heading: str) -> str | None:
    """Return the currency that a heading names, `EUR` of `Preço (€)` and `Net value in DC (GBP)`: a code of
    ISO 4217 or an ambiguous sign such as `$`. None where it names none, or two."""
    bracketed = [read_currency(inner) for inner in _BRACKETED.findall(heading)]
    found = [one for one in bracketed if one]
    if not found:
        words = _WORD.findall(heading)
        told = [word for at, word in enumerate(words) if not _is_plain_word(word, heading, at)]
        found = [currency for word in told if (currency := _read_word(word))]
    if not found:
        return None
    closest: str | None = found[0]
    for other in found[1:]:
        closest = closest and agree(closest, other)
    return "CNY" if closest == "元" and _SIMPLIFIED.search(heading) else closest


def _is_plain_word(word: str, heading: str, at: int) -> bool:
    """`ALL items` and `TRY AGAIN` name no currency; `Price MAD` does."""
    return word.lower() in WORD_CODES and (heading.isupper() or at == 0)


def _read_word(word: str) -> str | None:
    if word.lower() in WORDS_AS_SIGNS:
        return None
    if len(word) == 3 and word.isascii() and word.isalpha():
        return (
            word
            if word in list_codes()
            else word.upper()
            if word.upper() in _TRADED and word.islower()
            else None
        )
    if word.isascii() and word.isalpha() and word.lower() not in ("euro", "euros"):
        return None
    return read_currency(word)


_TRADED = frozenset({"EUR", "USD", "GBP", "CHF"})


@lru_cache(maxsize=1024)
def find_format_currency(number_format: str) -> str | None:
    """Return the currency that a number format of a workbook shows beside its numbers: `EUR` of `[$€-407]
    #,##0.00`, `CAD` of `[$$-1009]#,##0.00`, `kr` of `#,##0.00 "kr"`. None where it shows none: `[$-409]` is a
    language."""
    found: list[str] = []
    for sign, locale in _FORMAT_CURRENCY.findall(number_format):
        currency = read_currency(sign)
        if currency is None:
            continue
        told = _LOCALE_CURRENCIES.get(int(locale, 16) & 0xFFFF) if locale else None
        found.append((told and agree(currency, told)) or currency)
    rest, literals = _list_literals(number_format)
    found += [currency for literal in literals if (currency := read_currency(literal.strip(" -()")))]
    found += [
        currency for sign in _BARE_SIGN.findall(_QUOTED.sub(" ", rest)) if (currency := read_currency(sign))
    ]
    closest: str | None = found[0] if found else None
    for other in found[1:]:
        closest = closest and agree(closest, other)
    return closest


@lru_cache(maxsize=1024)
def find_format_words(number_format: str) -> str:
    """Return the words that a number format shows beside its numbers, without currency and remarks about tax:
    `kg` of `0" kg"`, `/100 pcs` of `0.00"/100 pcs"`. A format that shows thousands or millions of its number
    has a word for them, which is none of these."""
    section = number_format.split(";")[0]
    if _SCALED.search(section):
        return ""
    literals = (literal.strip() for literal in _list_literals(section)[1])
    words = (one for one in literals if not read_currency(one.strip(" -()")) and not find_tax(one))
    return " ".join(word for word in words if any(map(str.isalnum, word)))


def _list_literals(number_format: str) -> tuple[str, list[str]]:
    """Return a format without its currency, colours, conditions and fillers, and the texts in it."""
    rest = re.sub(r"\[[^\]]*\]|[_*].", " ", _FORMAT_CURRENCY.sub(" ", number_format))
    return rest, [*_QUOTED.findall(rest), "".join(_ESCAPED.findall(_QUOTED.sub(" ", rest)))]
