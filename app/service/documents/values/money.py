"""Amounts of money and other figures in running text, and the currency of a document."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from app.service.documents.lexicon.country_words import (
    CURRENCY_NAMES,
    OF_RUSSIA,
)
from app.service.documents.lexicon.further_languages import DEPOSITS, SHARE_CAPITAL
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import LETTER, either
from app.service.documents.values.locale import DOLLARS
from app.service.values.amount_units import NAMES_CURRENCY
from app.service.values.currencies import (
    CODES_IN_TEXT,
    CURRENCY_IN_TEXT,
    IN_CAPITALS,
    LIKELIEST,
    SIGNS,
    SIGNS_IN_TEXT,
    WORD_CODES,
    WORDS_AS_SIGNS,
    list_codes,
    list_possible,
)
from app.service.values.dates import match_any
from app.service.values.folding import fold
from app.service.values.numbers import DecimalMark
from app.service.values.numbers_in_text import NUMBER, parse_number
from app.service.values.units import SCALES

_NAMES = {
    code: re.compile(
        either(" | ".join(one[code] for one in (WORDS.currencies, CURRENCY_NAMES) if code in one)),
        re.IGNORECASE,
    )
    for code in (WORDS.currencies.keys() | CURRENCY_NAMES) - {"$"}
}
_DOLLAR = re.compile(either(WORDS.currencies["$"]), re.IGNORECASE)
_RAND = r"(?<![a-z\d])(?-i:R)(?=\d{1,3}(?:(?:[ \u00a0,]\d{3})+(?:[.,]\d\d)?|[.,]\d\d)(?![\d.,]))"
_UNIT_OF_MONEY = rf"(?:(?<![a-z\d]){CURRENCY_IN_TEXT}(?![a-z])|{_RAND})"
_MINUS = r"[-−–‐]"
_NO_RANGE = r"(?!\s?[\w$€£])"
_MINUS_BEFORE_MONEY = (
    rf"(?:\s|(?<=[.,]\d\d{_MINUS}))(?:{match_any(CODES_IN_TEXT, any_case=True)}\b|[$€£])(?!\s?\d)"
)
"""What follows the minus of `9,00- EUR`; `a 9-EUR ticket` has none."""
_CLOSED_BY_DASH = frozenset("¥￥")
"""Signs with which a dash ends an amount, so that nothing can be written behind it: `¥642,400-`."""
_SCALES = {factor: re.compile(either(words), re.IGNORECASE) for factor, words in SCALES.items()}
SCALE = either(" | ".join(sorted(" | ".join(SCALES.values()).split(" | "), key=len, reverse=True)))
"""Thousands, millions: words that multiply an amount of money."""
_LETTERS_OF_SCALE = {"k": 1_000, "m": 1_000_000}
"""Those that stand at the figure: `€150k`."""
_SCALED = (
    rf"(?:\s?(?P<scale>{SCALE})(?![a-z])\.?(?:\sd[ei'’](?=\s?{CURRENCY_IN_TEXT}))?"
    rf"|(?P<letter>[km])(?:(?={CURRENCY_IN_TEXT})|(?!\w)))"
)
"""`2.5 million`, `2,5 millions d'euros`, `150k`; the letters are none in a word or in `m²`."""
FIGURE = re.compile(
    r"(?![a-z](?<=[a-z\d][a-z]))"  # within a word nothing begins
    rf"(?P<open>\()?\s?(?P<sign>{_MINUS}|\+|[△▲](?=[\d¥￥]))?\s?(?:(?P<before>{_UNIT_OF_MONEY})\s?(?P<sign2>{_MINUS}|[△▲])?\s?)?"
    rf"(?P<number>{NUMBER.pattern})"
    r"(?:[.,] ?[-–—]{1,2}(?![\w-]))?"  # `9.480,- €`: no cents
    rf"(?P<trailing>{_MINUS}(?:{_NO_RANGE}|(?={_MINUS_BEFORE_MONEY})))?{_SCALED}?"
    rf"(?:(?<=[\d–—-])(?P<glued>{CURRENCY_IN_TEXT})(?![a-z\d])"
    rf"|\s?(?P<after>%|(?:(?<=\d[km])|(?<![a-z])){CURRENCY_IN_TEXT}(?![a-z])(?!\s?\d)))?"
    rf"(?P<last>(?<=[\w$€£]){_MINUS}{_NO_RANGE})?(?P<close>\s?\))?"
    rf"(?P<credit>\s?cr\b)?",
    re.IGNORECASE,
)

_RATE_OF_EXCHANGE = re.compile(
    rf"\b1 ?{CURRENCY_IN_TEXT} ?= ?[\d.,]+ ?{CURRENCY_IN_TEXT}(?![a-z])", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_NOTHING_BUT_A_NUMBER = re.compile(r"[1-9]\d{0,8}(?:[.,]\d{1,2})?")
_LONGEST_NAME, _MANY_WORDS = 12, 5
_GOES_ON = re.compile(r"[xX]\d|[/_:]\d|-[\dA-Za-z]")
"""What follows a number that is part of a code or a date: `24x7`, `3/2024`, `12-A`."""
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
"""Letters of scripts that set no space between a word and the amount behind it: `合计570,000元`."""
_GLUED_LETTERS = re.compile(r"[A-Za-z]{2,}\.?")
_BEFORE_NUMBER = re.compile(r"[^\w]{0,3}[A-Za-z]?[^\w]{0,2}")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text with what stands around it. `currency` is an ISO code, `$` or `kr` where the
    sign alone does not decide, and `measured` says that letters of no currency are glued to it: `63CBM`."""

    value: Decimal
    start: int
    end: int
    currency: str | None = None
    percent: bool = False
    decimals: int = 0
    measured: bool = False

    @property
    def may_be_money(self) -> bool:
        return not (self.percent or self.measured)


def find_figures(text: str, number_format: DecimalMark | None) -> tuple[Figure, ...]:
    """The free-standing numbers of a text; digits inside of words, codes and dates are none."""
    return _find_figures(text, number_format) if _DIGIT.search(text) else ()


@lru_cache(maxsize=8192)
def _find_figures(text: str, number_format: DecimalMark | None) -> tuple[Figure, ...]:
    if _NOTHING_BUT_A_NUMBER.fullmatch(text):
        value = parse_number(text, number_format)
        if value is None:
            return ()
        return (Figure(value, 0, len(text), decimals=_count_printed_decimals(text, value)),)
    figures: list[Figure] = []
    text = blank_legal_references(text)
    for found in FIGURE.finditer(text):
        start, end = found.start("number"), found.end("number")
        if not _stands_free(text, found):
            continue
        value = parse_number(found["number"], number_format)
        if value is None:
            continue
        closed = found["before"] in _CLOSED_BY_DASH
        signs = (found[name] for name in ("sign2", "credit", *(() if closed else ("trailing", "last"))))
        after, scale = found["after"] or found["glued"], found["scale"] or found["letter"]
        in_brackets = found["open"] and found["close"] and not scale and not _is_aside(text, found)
        negative = _is_minus(text, found) or any(signs) or in_brackets
        currency = _choose_likeliest(
            _currency_of_sign(found["before"]) or _currency_of_sign(after if after != "%" else None)
        )
        decimals = _count_printed_decimals(text[start:end], value)
        stop = found.end()
        if currency is None and after is None and (worded := _WORD_BEHIND_MONEY.match(text, start)):
            currency, stop = _choose_likeliest(SIGNS[worded["after"].lower()]), worded.end()
        if scale and currency:
            value, decimals = value * _find_factor(found), 0
        elif scale:
            stop = end  # `10m` is a length
        letters = _GLUED_LETTERS.match(text, end)
        measured = currency is None and letters is not None and letters.group().lower() not in SIGNS
        value = -value if negative else value
        figures.append(Figure(value, found.start(), stop, currency, after == "%", decimals, measured))
    return tuple(figures)


def ends_with_money(text: str) -> bool:
    """Whether the last thing that a text says is an amount of money with its currency."""
    last = find_figures(text, None)[-1:]
    return any(one.currency and not text[one.end :].strip(" .,;") for one in last)


_GOES_ON_IN_WORDS = re.compile(r", ?[^\W\d]")


def _is_aside(text: str, found: re.Match[str]) -> bool:
    """Whether brackets within a sentence, or behind the name of a currency, say a sum again or tell of which
    one is spoken: `nine thousand dollars ($9,000)`, `plus tax ($900), in total ...`."""
    is_within = text.count(" ", 0, found.start()) >= _MANY_WORDS and LETTER.search(text, found.end())
    if is_within or _GOES_ON_IN_WORDS.match(text, found.end()):
        return True
    before = text[: found.start("open")].rstrip()[-_LONGEST_NAME:]
    return any(one.search(before) for one in (_DOLLAR, *_NAMES.values()))


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
    is_amount = (found["glued"] or found["after"]) not in (None, "%") and _UNSPACED.match(before) is not None
    if before and (before.isalnum() or before in "/_#.-:") and not is_amount:
        return False
    if found["before"] and found["before"].isalpha():
        if found["number"].isdigit() and re.match(rf"{_MINUS}\d", text[found.end("before") :]):
            return False  # a code: RS-01
        if (
            found["before"].upper() not in CODES_IN_TEXT
            and after[:1].isalpha()
            and not (found["after"] or found["glued"])
        ):
            return False  # a code: KR3M
    return bool(found["trailing"]) or not _GOES_ON.match(after)


def _is_minus(text: str, found: re.Match[str]) -> bool:
    """Whether the sign before a number is a minus; after words or brackets and before a space a dash."""
    if found["sign"] in (None, "+"):
        return False
    dash = text[found.end("sign") :][:1].isspace() and re.search(r"[\w)\]%]\s*$", text[: found.start("sign")])
    return not dash


def _count_printed_decimals(digits: str, value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 and digits[-1].isdigit() else 0


def _currency_of_sign(sign: str | None) -> str | None:
    if not sign:
        return None
    if sign.lower() in IN_CAPITALS and not sign.isupper():
        return None
    return sign.upper() if sign.upper() in CODES_IN_TEXT else SIGNS_IN_TEXT.get(sign.lower())


def _choose_likeliest(sign: str | None) -> str | None:
    """The code of a sign of several countries that one of them mostly prints."""
    return LIKELIEST.get(sign, sign) if sign else None


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


_FREE_CODE = re.compile(r"(?<![\w\-])[A-Z]{3}(?!\w|-\w)")
_MONEY = (
    r"(?:\d{1,3}(?:[.,'’]\d{3})+(?:[.,](?:\d\d|-))?|\d{1,3}(?:\s\d{3})+[.,]\d\d|\d+[.,](?:\d\d|-)"
    r"|\d+(?= ?/[-=]))(?!\d)"
)
_WORD = match_any(sorted(WORDS_AS_SIGNS - {":-", "dollar", "dollars"}), any_case=True)
_MONEY_IN_GROUPS = rf"(?:{_MONEY}|\d{{1,3}}(?:\s\d{{3}})+(?!\d))"
_WORD_BESIDE_MONEY = re.compile(
    rf"(?<![\w$])(?!din)(?P<before>{_WORD})[\s:]{{0,2}}{_MONEY}"
    rf"|(?<![\w.,]){_MONEY_IN_GROUPS}\s?(?P<after>{_WORD})(?![\w$&]|\s\d)",
    re.IGNORECASE,
)
"""Words that are signs only beside what nothing else is written as: cents, groups or `/-`. `DIN 933 500` is a
standard and a quantity, and `nr. 0093 din 02.06.2025` a number and its day."""


_WORD_BEHIND_MONEY = re.compile(
    rf"(?:{_MONEY_IN_GROUPS}\s?|\d+\s(?=[^\W\d]+/[^\W\d]{{3}}))(?!ft|r)(?P<after>(?i:{_WORD}))(?![\w$&]|\s\d)"
)
"""The word behind an amount, or the price of one: `150 lei/visit`; feet and metres are none: `1,250 ft`."""
_CENTS_LAST = re.compile(r"[.,]\d\d$")


def names_money(text: str) -> bool:
    """Whether a text states an amount of money beside a word that is a sign only there: `85.000 Ft`."""
    return _WORD_BESIDE_MONEY.search(text) is not None


# How much a mention says about the currency of its document.
_BEHIND_LABEL = 9
_NAMED_IN_WORDS = 3
_CODE_IN_BRACKETS = 3
_BESIDE_A_FIGURE = 2
_CODE_ALONE = 2
_CODE_WITHIN_A_NAME = 1  # `Talisman CAD Network`
_SIGN_ALONE = 1
_BEYOND_DOUBT = 3  # times the mentions of the next currency
_LEAST = 2  # mentions of what is named beyond doubt

_USUAL_CROWN = "SEK"
_ALSO_WORDS = frozenset(code.upper() for code in WORD_CODES) | {"ARS"}
"""Codes that are abbreviations of something else too: alone they say little."""
_LABEL = re.compile(rf"(?<!\w)(?:{NAMES_CURRENCY.pattern})\w*\W*$")
_BEFORE_A_CODE = re.compile(r"(?:[:(/]|\b(?:in|en|em)):?\s*$", re.IGNORECASE)
_DOLLARS_IN_TEXT = "|".join(
    re.escape(sign.upper()) for sign in SIGNS_IN_TEXT if sign.endswith("$") and sign != "$"
)
_SIGN_ANYWHERE = re.compile(
    rf"(?<![A-Za-z])(?:{_DOLLARS_IN_TEXT}|[€£¥₹₩₽₺₴₱₫₪฿₦₡₲₸₵₾֏₼₮៛₭৳]|K[Ss]hs?)(?![A-Za-z])"
)
_LETTERS_BEHIND_LABEL = re.compile(
    r"(?:[(（\[-]|[^\W\d], ?|\b(?:[Ii]n|en|em) +|\s(?=zł|Kč|грн|руб|Ft\)))"
    r"(元|円|원|RM|Rs\.?|Rp\.?|kr\.?|zł|Kč|Ft|TL|D[Hh][Ss]?\.?|[Ll]ei|KSh\.?|[Ee]ur|грн|руб\.?|лв)(?=[\s)）\].:-]|$)"
)
_OF_RUSSIA = re.compile(rf"\bRU[BR]\b|₽|{either(OF_RUSSIA)}")
_RINGGIT = re.compile(r"(?<![A-Za-z])RM(?![A-Za-z])")
_KANA, _HAN = re.compile(r"[\u3040-\u30ff]"), re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class DocumentCurrency:
    """The currency of a document.

    `named` says that the page names it beyond doubt. Else `sign` is what the page writes where the sign is of
    several countries, as `$`, `kr` or `Rs`; `other` is a currency that the page names too; and where
    neither is there, the page names none, and the currency is that of the country it comes from.
    """

    code: str | None
    named: bool
    sign: str | None = None
    other: str | None = None


def find_document_currency(
    texts: Sequence[str],
    *,
    home_currency: str | None,
    crowns: Sequence[str] = (),
    dollar: DocumentCurrency | None = None,
    is_home_sure: bool = False,
) -> DocumentCurrency:
    """The currency of a document, and whether the page names it beyond doubt.

    `home_currency` is that of the country the document comes from; where `is_home_sure` it is beyond doubt
    that of amounts of which nothing is said. `crowns` are the currencies that `kr` may stand for, the
    likeliest first; only one that stands alone is beyond doubt. `dollar` is what a bare `$` is where the page
    names no dollar.
    """
    mentions = Counter[str]()
    for text in (_RATE_OF_EXCHANGE.sub(" ", blank_legal_references(one)) for one in texts):
        _count_beside_figures(text, mentions, home_currency)
        _count_alone(text, mentions, home_currency)
    if home_currency == "BYN" and not any(map(_OF_RUSSIA.search, texts)):
        mentions["BYN"] += mentions.pop("RUB", 0)  # who sells there calls them roubles too
    of_several = {"$", "kr", *LIKELIEST}
    for code in mentions.keys() - {home_currency, *of_several}:
        if home_currency and home_currency in list_possible(code):
            mentions[home_currency] += mentions.pop(code)  # `C$` in Nicaragua
    codes = Counter({one: count for one, count in mentions.items() if one not in of_several})
    signs = {
        sign: _choose_dollar(codes, dollar)
        if sign == "$"
        else _choose_code(sign, codes, texts, home_currency, crowns, is_home_sure=is_home_sure)
        for sign in mentions
        if sign in of_several and mentions[sign]
    }
    for sign, chosen in signs.items():
        codes[chosen.code or ""] += mentions[sign]
    if not codes:
        return DocumentCurrency(home_currency or next(iter(crowns), None), is_home_sure)
    (best, votes), *rest = codes.most_common(2)
    doubtful = next((one for one in signs.values() if one.code == best and not one.named), None)
    if doubtful:
        return doubtful
    if rest and votes < _BEYOND_DOUBT * rest[0][1]:
        return DocumentCurrency(best, False, other=rest[0][0])
    return DocumentCurrency(best, votes >= _LEAST or best == home_currency)


def _choose_code(
    sign: str,
    codes: Counter[str],
    texts: Sequence[str],
    home_currency: str | None,
    crowns: Sequence[str],
    *,
    is_home_sure: bool,
) -> DocumentCurrency:
    """What a sign of several countries stands for: one of theirs that is named too, or the home currency."""
    possible = list_possible(sign)
    named = next((code for code, _ in codes.most_common() if code in possible), None)
    if named:
        return DocumentCurrency(named, True)
    if sign == "kr":
        return DocumentCurrency(next(iter(crowns), _USUAL_CROWN), len(crowns) == 1, sign=sign)
    if home_currency in possible:
        return DocumentCurrency(home_currency, is_home_sure, sign=sign)
    if sign == "¥":
        kana, han = (any(map(one.search, texts)) for one in (_KANA, _HAN))
        return DocumentCurrency("CNY" if han and not kana else "JPY", kana or han, sign=sign)
    return DocumentCurrency(LIKELIEST[sign], False, sign=sign)


def _choose_dollar(codes: Counter[str], dollar: DocumentCurrency | None) -> DocumentCurrency:
    """What a plain `$` stands for: the dollar that is named too, or that of the country."""
    named = next((code for code, _ in codes.most_common() if code in DOLLARS), None)
    return (
        DocumentCurrency(named, True, sign="$")
        if named
        else dollar or DocumentCurrency("USD", False, sign="$")
    )


def _count_beside_figures(text: str, mentions: Counter[str], home_currency: str | None) -> None:
    if not _DIGIT.search(text):
        return
    for found in FIGURE.finditer(text):
        if _stands_free(text, found):  # else it is the code of a product
            for sign in (found["before"], found["after"] or found["glued"]):
                currency = _currency_of_sign(sign if sign != "%" else None)
                if not currency or not sign:
                    continue
                is_code = sign.isupper() and sign not in CODES_IN_TEXT and found["number"].isdigit()
                if is_code and home_currency != currency:
                    continue  # `RM 1204` is a room, `RS10` an article
                mentions[currency] += _BESIDE_A_FIGURE
    for found in _WORD_BESIDE_MONEY.finditer(text):
        sign = found["before"] or found["after"]
        is_abroad = home_currency and home_currency not in list_possible(SIGNS[sign.lower()])
        if found["before"] and is_abroad and not _CENTS_LAST.search(found.group()):
            continue  # `#2 KD 9,557` is a grade of wood and its length
        small = sign[0].islower() and (found["before"] or len(sign) == 1 or sign == "ft")
        if not small or len(sign) > 2:
            mentions[SIGNS[sign.lower()]] += _BESIDE_A_FIGURE


def _count_alone(text: str, mentions: Counter[str], home_currency: str | None) -> None:
    """Count codes, signs and names of currencies wherever they stand."""
    for found in _FREE_CODE.finditer(text):
        before, after = text[: found.start()], text[found.end() :]
        code = found.group()
        if code not in list_codes():
            continue
        if _LABEL.search(fold(before)):
            mentions[code] += _BEHIND_LABEL
        elif code not in CODES_IN_TEXT:
            continue
        elif before.endswith("(") and after.startswith(")"):
            mentions[code] += _CODE_IN_BRACKETS
        elif code in _ALSO_WORDS and len(text) > len(code) and not _BEFORE_A_CODE.search(before):
            mentions[code] += _CODE_WITHIN_A_NAME
        else:
            in_name = re.search(r"[a-z] $", before) and re.match(r" [A-Z][a-z]", after)
            mentions[code] += _CODE_WITHIN_A_NAME if in_name else _CODE_ALONE
    for sign in _SIGN_ANYWHERE.findall(text):
        mentions[SIGNS_IN_TEXT[sign.lower()]] += _SIGN_ALONE
    for sign in _LETTERS_BEHIND_LABEL.findall(text):
        mentions[SIGNS[sign.lower()]] += _CODE_ALONE
    if home_currency == "MYR":
        mentions["MYR"] += len(_RINGGIT.findall(text))
    mentions["$"] += bool(_DOLLAR.search(text))
    for code, name in _NAMES.items():
        if name.search(text):
            mentions[code] += _NAMED_IN_WORDS


_SIGNS = r"(?:[§$£]\s?){1,2}"
_NUMBER = r"\d{1,4}(?![\d.,]*\d)\s?[a-z]{0,2}\b\.?"
_PART = r"(?:,?\s?(?:[A-Z][a-z]{1,4}|[a-z]{2,4})\.?\s?(?:\d{1,3}[a-z]?|[a-z])\b)"
# Laws in short end in Gesetz, Gesetzbuch, Verordnung or Ordnung: UStG, HGB, UStDV.
_STATUTE = r"\s?(?:(?=\w*[a-z])(?:[A-Z][a-z]{0,4}){1,4}(?:G|GB|DV|VO|V|O)|[A-Z]{1,3}GB)\b"
_REFERENCE = re.compile(
    rf"§\s?§?\s?{_NUMBER}{_PART}*|{_SIGNS}{_NUMBER}{_PART}*{_STATUTE}"
    rf"|\b[Aa]rt\.?\s?\d{{1,4}}[a-z]?,?\s?{_SIGNS}{_NUMBER}{_PART}*"
)
_SIGN = re.compile(r"[§$£]")
_SHARE_CAPITAL = re.compile(
    rf"(?:{either(SHARE_CAPITAL)})\W{{1,3}}[^\d\n]{{0,8}}\d[\d.,' \u00a0]*", re.IGNORECASE
)
_DEPOSIT = re.compile(
    rf"(?<!\w)(?:{either(DEPOSITS)})(?=[^\d\n]{{0,60}}?(?: [^\W\d_]+ |:))[^\d\n]{{1,60}}\d[\d.,' \u00a0]*",
    re.IGNORECASE,
)


def blank_legal_references(text: str) -> str:
    """The text with marks instead of its references to statutes, of the capital of a company and of the
    deposit that a sentence names, as long as it was."""
    text = _DEPOSIT.sub(_blank, _SHARE_CAPITAL.sub(_blank, text))
    return _REFERENCE.sub(_blank, text) if _SIGN.search(text) else text


def _blank(found: re.Match[str]) -> str:
    return "§" * len(found.group())
