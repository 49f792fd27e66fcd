"""Amounts of money and other figures in running text, and the currency of a document."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import either
from app.service.documents.values.legal_references import blank_legal_references
from app.service.documents.values.locale import CROWNS
from app.service.values.currencies import CODES_IN_TEXT, CURRENCY_IN_TEXT, SIGNS_IN_TEXT
from app.service.values.numbers import DecimalMark
from app.service.values.numbers_in_text import NUMBER, parse_number
from app.service.values.scales import SCALES

_NAMES = {
    code: re.compile(either(names), re.IGNORECASE) for code, names in WORDS.currencies.items() if code != "$"
}
_DOLLAR = re.compile(either(WORDS.currencies["$"]), re.IGNORECASE)
_CODE = "|".join(sorted(CODES_IN_TEXT))
_UNIT_OF_MONEY = rf"(?<![a-z])(?:{CURRENCY_IN_TEXT})(?![a-z])"
_MINUS = r"[-−–‐]"
_NO_RANGE = r"(?!\s?[\w$€£])"
_MINUS_BEFORE_MONEY = rf"(?:\s|(?<=[.,]\d\d{_MINUS}))(?:(?:{_CODE})\b|[$€£])(?!\s?\d)"
"""What follows the minus of `9,00- EUR`; `a 9-EUR ticket` has none."""
_SCALES = {factor: re.compile(either(words), re.IGNORECASE) for factor, words in SCALES.items()}
SCALE = either(" | ".join(sorted(" | ".join(SCALES.values()).split(" | "), key=len, reverse=True)))
"""Thousands, millions: words that multiply an amount of money."""
_LETTERS_OF_SCALE = {"k": 1_000, "m": 1_000_000}
"""Those that stand at the figure: `€150k`."""
_SCALED = (
    rf"(?:\s?(?P<scale>{SCALE})(?![a-z])\.?(?:\sd[ei'’](?=\s?(?:{CURRENCY_IN_TEXT})))?"
    rf"|(?P<letter>[km])(?:(?={CURRENCY_IN_TEXT})|(?!\w)))"
)
"""`2.5 million`, `2,5 millions d'euros`, `150k`; the letters are none in a word or in `m²`."""
FIGURE = re.compile(
    rf"(?P<open>\()?\s?(?P<sign>{_MINUS}|\+)?\s?(?P<before>{_UNIT_OF_MONEY})?\s?(?P<sign2>{_MINUS})?\s?"
    rf"(?P<number>{NUMBER.pattern})"
    rf"(?P<trailing>{_MINUS}(?:{_NO_RANGE}|(?={_MINUS_BEFORE_MONEY})))?{_SCALED}?\s?"
    rf"(?P<after>%|(?:(?<=\d[km])|(?<![a-z]))(?:{CURRENCY_IN_TEXT})(?![a-z])(?!\s?\d))?"
    rf"(?P<last>(?<=[\w$€£]){_MINUS}{_NO_RANGE})?(?P<close>\s?\))?"
    rf"(?P<credit>\s?cr\b)?",
    re.IGNORECASE,
)

_DIGIT = re.compile(r"\d")
_GOES_ON = re.compile(r"[xX]\d|[/_:]\d|-[\dA-Za-z]")
"""What follows a number that is part of a code or a date: `24x7`, `3/2024`, `12-A`."""
_BEFORE_NUMBER = re.compile(r"[^\w]{0,3}[A-Za-z]?[^\w]{0,2}")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text with what stands around it. `currency` is an ISO code, `$` or `kr` where the
    sign alone does not decide."""

    value: Decimal
    start: int
    end: int
    currency: str | None = None
    percent: bool = False
    decimals: int = 0


def find_figures(text: str, number_format: DecimalMark | None) -> tuple[Figure, ...]:
    """The free-standing numbers of a text; digits inside of words, codes and dates are none."""
    return _find_figures(text, number_format) if _DIGIT.search(text) else ()


@lru_cache(maxsize=8192)
def _find_figures(text: str, number_format: DecimalMark | None) -> tuple[Figure, ...]:
    figures: list[Figure] = []
    text = blank_legal_references(text)
    for found in FIGURE.finditer(text):
        start, end = found.start("number"), found.end("number")
        if not _stands_free(text, found):
            continue
        value = parse_number(found["number"], number_format)
        if value is None:
            continue
        signs = (found[name] for name in ("sign2", "trailing", "last", "credit"))
        after, scale = found["after"], found["scale"] or found["letter"]
        in_brackets = found["open"] and found["close"] and not scale
        negative = _is_minus(text, found) or any(signs) or in_brackets
        currency = _currency_of_sign(found["before"]) or _currency_of_sign(after if after != "%" else None)
        decimals = _count_printed_decimals(text[start:end], value)
        stop = found.end()
        if scale and currency:
            value, decimals = value * _find_factor(found), 0
        elif scale:
            stop = end  # `10m` is a length
        figures.append(
            Figure(-value if negative else value, found.start(), stop, currency, after == "%", decimals)
        )
    return tuple(figures)


def _find_factor(found: re.Match[str]) -> int:
    """How often the scale of an amount of money multiplies it."""
    if found["letter"]:
        return _LETTERS_OF_SCALE[found["letter"].lower()]
    return next(factor for factor, words in _SCALES.items() if words.fullmatch(found["scale"]))


def _stands_free(text: str, found: re.Match[str]) -> bool:
    first = found.start("before") if found["before"] else found.start("number")
    signed = found["sign"] == "+" or _is_minus(text, found)
    if signed or found["open"]:
        first = found.start("open") if found["open"] else found.start("sign")
    before = text[first - 1 : first] if first else ""
    after = text[found.end("number") : found.end("number") + 2]
    if before and (before.isalnum() or before in "/_#.-:"):
        return False
    if found["before"] and found["before"].isalpha():
        if re.match(rf"{_MINUS}\d", text[found.end("before") :]):
            return False  # a code: RS-01
        if found["before"].upper() not in CODES_IN_TEXT and after[:1].isalpha() and not found["after"]:
            return False  # a code: KR3M
    return bool(found["trailing"]) or not _GOES_ON.match(after)


def _is_minus(text: str, found: re.Match[str]) -> bool:
    """Whether the sign before a number is a minus; after words and before a space it is a dash."""
    if found["sign"] in (None, "+"):
        return False
    dash = text[found.end("sign") :][:1].isspace() and re.search(r"\w\s*$", text[: found.start("sign")])
    return not dash


def _count_printed_decimals(digits: str, value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 and digits[-1].isdigit() else 0


def _currency_of_sign(sign: str | None) -> str | None:
    if not sign:
        return None
    if sign.lower() == "rm" and sign != "RM":
        return None  # `Rm 614` is a room
    return sign.upper() if sign.upper() in CODES_IN_TEXT else SIGNS_IN_TEXT.get(sign.lower())


def is_figure(text: str, figures: Sequence[Figure]) -> bool:
    """Whether a text with these figures is one number, at most with a currency or a short unit."""
    if len(text) > 32 or len(figures) != 1:
        return False
    rest = (text[: figures[0].start] + " " + text[figures[0].end :]).split()
    return len(rest) <= 3 and is_sign(text[: figures[0].start])


def is_sign(text: str) -> bool:
    """Whether what stands before a number is nothing but a sign; fonts without a currency's glyph print
    a box or a stray letter."""
    return _BEFORE_NUMBER.fullmatch(text.strip()) is not None


_FREE_CODE = re.compile(rf"(?<![A-Za-z0-9\-])(?:{_CODE})(?![A-Za-z0-9]|-\w)")


# How much a mention says about the currency of its document.
_NAMED_IN_WORDS = 3
_CODE_IN_BRACKETS = 3
_BESIDE_A_FIGURE = 2
_CODE_ALONE = 2
_CODE_WITHIN_A_NAME = 1  # `Talisman CAD Network`
_SIGN_ALONE = 1
_BEYOND_DOUBT = 3  # times the mentions of the next currency

_DOLLARS = frozenset(["USD", "AUD", "CAD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP"])
_USUAL_CROWN = "SEK"
_SIGN_ANYWHERE = re.compile(r"(?<![A-Za-z])(?:RM|US\$|A\$|C\$|[€£¥₹])(?![A-Za-z])")


@dataclass(frozen=True)
class DocumentCurrency:
    """The currency of a document.

    `named` says that the page names it beyond doubt. Else `sign` is what the page writes where the sign is of
    several countries, `$` or `kr`; `other` is a currency that the page names too; and where neither is there,
    the page names none, and the currency is that of the country it comes from.
    """

    code: str | None
    named: bool
    sign: str | None = None
    other: str | None = None


def find_document_currency(
    texts: Iterable[str], *, home_currency: str | None, crowns: Sequence[str] = ()
) -> DocumentCurrency:
    """The currency of a document, and whether the page names it beyond doubt.

    `home_currency` is that of the country the document comes from; it decides what a bare `$` is. `crowns`
    are the currencies that `kr` may stand for, the likeliest first; only one that stands alone is beyond
    doubt.
    """
    mentions = Counter[str]()
    for text in map(blank_legal_references, texts):
        _count_beside_figures(text, mentions)
        _count_alone(text, mentions)
    codes = Counter({one: count for one, count in mentions.items() if one in CODES_IN_TEXT})
    if mentions["$"]:
        found = _choose_dollar(codes, home_currency)
        if found:
            return found
    named = next((code for code, _ in codes.most_common() if code in CROWNS), None)
    crown = named or next(iter(crowns), _USUAL_CROWN)
    codes[crown] += mentions["kr"]
    if +codes:
        (best, votes), *rest = (+codes).most_common(2)
        if best == crown and named is None and len(crowns) != 1:
            return DocumentCurrency(best, False, sign="kr")
        if rest and votes < _BEYOND_DOUBT * rest[0][1]:
            return DocumentCurrency(best, False, other=rest[0][0])
        return DocumentCurrency(best, True)
    return DocumentCurrency(home_currency or next(iter(crowns), None), False)


def _choose_dollar(codes: Counter[str], home_currency: str | None) -> DocumentCurrency | None:
    """What a plain `$` stands for, and whether that is beyond doubt; None where other codes decide."""
    if home_currency == "MYR" and not codes["USD"]:
        return DocumentCurrency("MYR", False, sign="$")  # tills print a plain sign
    if any(code.endswith("D") or code in _DOLLARS for code in codes):
        dollar = next((code for code, _ in codes.most_common() if code in _DOLLARS), None)
        return DocumentCurrency(dollar, True) if dollar else None
    if home_currency in _DOLLARS:
        return DocumentCurrency(home_currency, True)
    return DocumentCurrency("USD", False, sign="$")


def _count_beside_figures(text: str, mentions: Counter[str]) -> None:
    for found in FIGURE.finditer(text):
        if _stands_free(text, found):  # else it is the code of a product
            for sign in (found["before"], found["after"]):
                if currency := _currency_of_sign(sign if sign != "%" else None):
                    mentions[currency] += _BESIDE_A_FIGURE


def _count_alone(text: str, mentions: Counter[str]) -> None:
    """Count codes, signs and names of currencies wherever they stand."""
    for found in _FREE_CODE.finditer(text):
        before, after = text[: found.start()], text[found.end() :]
        if before.endswith("(") and after.startswith(")"):
            mentions[found.group()] += _CODE_IN_BRACKETS
        else:
            in_name = re.search(r"[a-z] $", before) and re.match(r" [A-Z][a-z]", after)
            mentions[found.group()] += _CODE_WITHIN_A_NAME if in_name else _CODE_ALONE
    for sign in _SIGN_ANYWHERE.findall(text):
        mentions[SIGNS_IN_TEXT[sign.lower()]] += _SIGN_ALONE
    mentions["$"] += bool(_DOLLAR.search(text))
    for code, name in _NAMES.items():
        if name.search(text):
            mentions[code] += _NAMED_IN_WORDS
