"""Where a document comes from, as far as that decides how its dates and signs are read."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from app.service.documents.lexicon.country_words import (
    COUNTRIES,
    NATIONAL_TAX,
    OF_A_STATE,
    USAGE_ELSEWHERE,
    USAGE_OF_THE_STATES,
)
from app.service.documents.lexicon.phrases import either
from app.service.documents.values.countries import find_countries
from app.service.values.currencies import list_possible
from app.service.values.folding import fold

_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|"
    "Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|"
    "Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York)|(?:North|South) "
    "(?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|"
    "(?:West )?Virginia|Washington|Wisconsin|Wyoming"
)
# What is no word of a language: postcodes, towns, registers, legal forms.
_MARKS: dict[str, str] = {
    "USD": r"\bRUC\b\D{0,6}\d{10}001\b|, (?!RC|NO)[A-Z]{2},? {1,2}\d{5}(?:-\d{4})?\b"
    r"|\b[A-Z][a-z]+, (?:CT|FL|HI|IA|KS|MI|N[CDHJMVY]|O[HKR]|RI|TX|UT|W[AIVY])$"
    rf"|\b(?:{_STATES}),? \d{{5}}\b"
    r"|, [A-Z][a-z]+(?: [A-Z][a-z]+)? (?:AZ|CT|FL|KS|KY|N[CJMVY]|TX|UT|W[AIV])$"
    r"|\b[A-Z][A-Za-z]+,? (?:A[LKZR]|C[AOT]|DE|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]"
    r"|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]) {1,2}\d{5}\b",
    "GBP": r"\b[A-Z][a-z]+,? {1,2}[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b"
    r"|\bVAT\b.{0,12}GB\d",
    "AUD": r"\b(?:NSW|VIC|QLD|TAS|ACT) {1,2}\d{4}\b|\bABN\b",
    "CAD": r"\b[A-Z]\d[A-Z] \d[A-Z]\d\b|\b(?:ON|QC|BC|AB|MB|NS),? {1,2}[A-Z]\d[A-Z]\d[A-Z]\d\b|\bHST\b"
    r"|\bTVQ\b|\b(?:PST|QST) ?\(?\d|\bULC\b|\b\d{3} ?\d{3} ?\d{3} ?RT ?\d{4}\b",
    "CHF": r"\bCHE-\d|\d['’]\d{3}(?!\d)",
    "JPY": r"\bK\.K\.|\btokyo\b",
    "INR": r"\bGSTIN\b|\b(?:[CSI]|UT)[ .-]?GST\b",
    "SGD": r"\bpte\.? ltd\b",
    "MYR": r"\bsdn\.? ?bhd\b|\bringgit\b|\bsst\b|\bselangor\b|\bjohor\b|\bkuala lumpur\b",
    "SEK": r"\bsverige\b|\bSE ?\d{10}01\b|\b0046 |\bbankgiro\b|\bplusgiro\b"
    r"|\borg\w*\.?[ -]?n(?:umme)?r\.?:? ?\d{6}-\d{4}\b",
    "DKK": r"\bdanmark\b|\bkobenhavn\b|\bkøbenhavn\b|\baarhus\b|\bodense\b"
    r"|\bCVR\b|\bDK[ -]?\d\d(?: ?\d\d){3}\b|\b0045 |\bApS\b|\bA/S\b",
    "NOK": r"\bnorge\b|\boslo\b|\bbergen\b|\btrondheim\b|\bstavanger\b|\bMVA\b|\b0047 ",
    "ISK": r"\bÍsland\b|\bkennitala\b|\behf\b|\b00354 ",
    "PLN": r"\bpolska\b|\bsp\. z o\.o\.",
    "ARS": r"\bargentina\b|\bbuenos aires\b|\bCUIT\b|\bAFIP\b|\bIIBB\b",
    "CLP": r"\bchile\b|\bR\.?U\.?T\.?:? ?\d\d?\.\d{3}\.\d{3}-[\dKk]\b",
    "COP": r"\bcolombia\b|\bNIT\.?:? ?\d{3}\.?\d{3}\.?\d{3}-\d\b",
    "PEN": r"\bperu\b|\bRUC\b\D{0,6}(?:10|15|17|20)\d{9}\b",
    "PYG": r"\bRUC\b\D{0,6}\d{5,8}-\d\b",
    "NIO": r"\bRUC\b\W{0,6}[A-Z]\d{13}\b",
    "PAB": r"\bRUC\b.{0,30}\bDV\b",
    "MXN": r"\bmexico\b|\bRFC\b",
    "BRL": r"\bbrasil\b|\bCNPJ\b",
    "AED": r"\bU\.?A\.?E\b|\bdubai\b|\bsharjah\b|\babu dhabi\b",
    "IDR": r"\bindonesia\b|\bjakarta\b|\bsurabaya\b|\bbandung\b|\bNPWP\b|\bPT\. (?=[A-Z])",
    "VND": r"\bviet ?nam\b",
    "TWD": r"統一編號|新[台臺]幣|[台臺]北|營業稅",
    "CNY": r"人民币|统一社会信用代码|[报单货贸]",
    "HUF": r"\bmagyarorszag\b|\bbudapest\b|\bKft\b",
    "CZK": r"\bceska republika\b",
    "RON": r"\bromania\b|\bCUI\b|\bbucuresti\b|\bcluj\b|\bCIF:? ?RO ?\d{6,10}\b|\bRO\d\d ?[A-Z]{4}\b"
    r"|\bJ\d\d?/\d+/\d{4}\b",
}
_HOMES = {
    currency: re.compile(
        "|".join(
            [*([either(COUNTRIES[currency])] if currency in COUNTRIES else ()), _MARKS.get(currency, "(?!)")]
        ),
        re.MULTILINE,
    )
    for currency in dict.fromkeys((*_MARKS, *COUNTRIES))  # of equal votes the first counts
}
# Forms of companies and words that several countries have: each tells of all of these, a little.
_SHARED: Mapping[str, Sequence[str]] = {
    r"\bAB\b(?! ?[A-Z]?\d)": ("SEK", "EUR"),
    r"\bS\.?r\.?l\b": ("EUR", "RON", "ARS", "DOP", "PEN"),
    r"\bGmbH\b": ("EUR", "CHF"),
    r"\bs\.r\.o\.": ("CZK", "EUR"),
    r"\bLtda\b": ("BRL", "CLP", "COP", "BOB", "PYG"),
    r"\bLda\b": ("EUR", "AOA", "MZN"),
    r"\bS\.L\.": ("EUR",),
    r"\bCAE\b": ("ARS", "UYU"),
    r"(?<!\()\bPty\b": ("AUD", "ZAR", "BWP"),
    r"(?i:\(pty\))": ("ZAR", "BWP"),
    r"(?i:\bpvt\.? ltd\b)": ("INR", "PKR", "NPR", "BDT", "LKR"),
    r"(?i:\blakh\b)": ("INR", "PKR", "NPR", "BDT", "LKR"),
}
_WEIGHT_OF_SHARED, _WEIGHT, _WEIGHT_OF_LANGUAGE = 1, 2, 2
_AT_EACH_END = 500
"""Lines that are weighed."""
_BEYOND_DOUBT = 2
"""What a country must weigh, and be ahead of every other."""


def find_home_currency(text: str) -> str | None:
    """The currency of the country that addresses, tax numbers and legal forms point to most."""
    weights = _weigh_countries(text)
    return max(weights, key=lambda currency: weights[currency], default=None)


def is_home_beyond_doubt(text: str, currency: str | None, language: str | None) -> bool:
    """Whether what tells of the country of a currency, its language too, weighs far more than what tells of
    any other."""
    weights = Counter(_weigh_countries(text))
    of_language = find_currency_of_language(language, text)
    if of_language and language not in _OF_SEVERAL_COUNTRIES:
        weights[of_language] += _WEIGHT_OF_LANGUAGE
    return _is_beyond_doubt(weights, currency or "")


def _is_beyond_doubt(weights: Counter[str], currency: str) -> bool:
    others = max((weight for one, weight in weights.items() if one != currency), default=0)
    return weights[currency] >= _BEYOND_DOUBT + others


def find_dollar(text: str, language: str | None) -> tuple[str, bool]:
    """The currency that `$` stands for on a page, and whether that is beyond doubt. In a country with another
    sign, and in English where the sign may be that of the country, it is the dollar of the United States
    unless the country leaves it to the sign; beside a tax of the country that is not beyond doubt."""
    weights = Counter(_weigh_countries(text))
    home = max(weights, key=lambda currency: weights[currency], default="")
    dollars = Counter(
        {one: weight for one, weight in weights.items() if one in DOLLARS.union(list_possible("$"))}
    )
    if language == "en":
        plain = {one: weight for one, weight in dollars.items() if one in _PLAIN_DOLLARS}
        dollars = Counter(plain) or dollars
    if not dollars:
        is_foreign = bool(home) and _is_beyond_doubt(weights, home) and not re.search(NATIONAL_TAX, text)
        return "USD", is_foreign or _is_of_the_states(text)
    code = max(dollars, key=lambda currency: dollars[currency])
    is_only = max(dollars.values()) == sum(one for one in dollars.values() if one > _WEIGHT_OF_SHARED)
    return code, is_only and dollars[code] >= _BEYOND_DOUBT and (code in _PLAIN_DOLLARS or language != "en")


def _is_of_the_states(text: str) -> bool:
    """Whether a page writes as in the United States and not as elsewhere: a state or a company in law does
    alone, else it takes several, since some Canadians write so too."""
    if _STATE_IN_LAW.search(text):
        return True
    here, elsewhere = (
        sum(bool(one.search(text)) for one in signs) for signs in (_USAGE_OF_THE_STATES, _USAGE_ELSEWHERE)
    )
    return here - elsewhere >= _BEYOND_DOUBT


@lru_cache(maxsize=16)
def _weigh_countries(text: str) -> Mapping[str, int]:
    """What weighs for the country of each currency: every line that tells of it, once. Of equal ones the
    first in the text comes first, and of a line the last, which is the town behind the street. In the middle
    of a very long list nobody is introduced."""
    lines: defaultdict[str, set[str]] = defaultdict(set)
    printed = list(dict.fromkeys(text.split("\n")))
    for line in (*printed[:_AT_EACH_END], *printed[_AT_EACH_END:][-_AT_EACH_END:]):
        lowered = fold(line)
        shown = {
            currency: found.start()
            for currency, pattern in _HOMES.items()
            if (found := pattern.search(line) or pattern.search(lowered))
        }
        # `Norfolk, VA 23510` is no town of another country.
        places = () if shown else sorted(find_countries(line))
        for currency in (*sorted(shown, key=lambda one: -shown[one]), *places):
            lines[currency].add(lowered)
    weights = Counter({currency: _WEIGHT * len(found) for currency, found in lines.items()})
    for pattern, currencies in _SHARED.items():
        if re.search(pattern, text):
            weights.update(dict.fromkeys(currencies, _WEIGHT_OF_SHARED))
    return weights


_STATE_IN_LAW = re.compile(rf"\bL\.?L\.?C\b|\bU\.S\.|\b(?:{_STATES}) {either(OF_A_STATE)}\b")
_USAGE_OF_THE_STATES = [re.compile(one, re.MULTILINE) for one in USAGE_OF_THE_STATES]
_USAGE_ELSEWHERE = [re.compile(one) for one in USAGE_ELSEWHERE]
DOLLARS = frozenset(["USD", "AUD", "CAD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP"])
"""The currencies whose sign is `$`."""
_PLAIN_DOLLARS = frozenset(["USD", "AUD", "CAD", "NZD", "SGD", "HKD"])
"""Those whose countries leave it to the sign in English too."""
CROWNS: Mapping[str, str] = {"SEK": "sv", "NOK": "nb", "DKK": "da", "ISK": "is"}
"""The currencies whose sign is `kr`, and the language of each."""


_OF_LANGUAGE: Mapping[str, tuple[str, str]] = {
    "ja": ("JPY", "."), "ko": ("KRW", "."), "th": ("THB", "."), "uk": ("UAH", "[іїє]"), "vi": ("VND", "."),
    "zh": ("CNY", "."), "pl": ("PLN", "[ąęłńśźż]"), "cs": ("CZK", "[ěřů]"), "hu": ("HUF", "[őű]"),
    "ro": ("RON", "[șțăţ]"), "tr": ("TRY", "[ğış]"), "sk": ("EUR", "[ľĺŕôä]"), "el": ("EUR", "."),
    "de": ("EUR", r"ß|\b\d{5} [A-ZÄÖÜ]"), "it": ("EUR", r"\b\d{5} [A-Z]"),
    "nl": ("EUR", r"\b\d{4} ?[A-Z]{2}\b"), "pt": ("EUR", r"\b\d{4}-\d{3} [A-Z]"),
}  # fmt: skip
_OF_SEVERAL_COUNTRIES = frozenset(["zh", "ro"])
"""Languages that tell the currency of one country, but not beyond doubt."""


def find_currency_of_language(language: str | None, text: str) -> str | None:
    """The currency of the country where a language is mostly written, of one that looks like no other or
    shows letters or postcodes of its own."""
    currency, letters = _OF_LANGUAGE.get(language or "", (None, "."))
    return currency if re.search(letters, text) else None


def find_crowns(text: str, languages: Collection[str]) -> tuple[str, ...]:
    """The currencies that `kr` may stand for, going by the languages that a document may be in and by its
    countries, tax and registration numbers, bank accounts, telephone numbers and legal forms; the likeliest
    first."""
    weights = _weigh_countries(text)
    votes = Counter(
        {currency: weights.get(currency, 0) + (own in languages) for currency, own in CROWNS.items()}
    )
    return tuple(currency for currency, count in votes.most_common() if count)


def writes_month_first(home_currency: str | None, currency: str | None, language: str | None) -> bool:
    """Whether numeric dates have the month first, as only the United States write them."""
    if language not in (None, "en"):
        return False
    return home_currency == "USD" or (home_currency is None and currency in ("USD", None))
