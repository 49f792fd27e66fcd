"""Where a document comes from, as far as that decides how its dates and signs are read."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from app.service.documents.lexicon.further_languages import COUNTRIES, OF_A_STATE
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import either
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
    "AUD": r"\b(?:NSW|VIC|QLD|TAS|ACT) {1,2}\d{4}\b|\bABN\b|(?<!\()\bPty\b",
    "CAD": r"\b(?:ON|QC|BC|AB|MB|NS),? {1,2}[A-Z]\d[A-Z] ?\d[A-Z]\d\b|\bHST\b"
    r"|\b(?:PST|QST) ?\(?\d|\bULC\b|\bRT ?00\d\d\b",
    "CHF": r"\bCHE-\d",
    "JPY": r"\bK\.K\.|\btokyo\b",
    "INR": r"\bGSTIN\b|\b(?:[CSI]|UT)[ .-]?GST\b",
    "MYR": r"\bSDN\.? ?BHD\b|\bselangor\b|\bjohor\b|\bkuala lumpur\b",
    "SEK": r"\bsverige\b|\bSE ?\d{10}01\b|\bSE\d\d(?: ?\d{4}){5}\b|\+46[ (\d]|\b0046 "
    r"|\bAB\b(?! ?[A-Z]?\d)|\bbankgiro\b|\bplusgiro\b|\borg\w*\.?[ -]?n(?:umme)?r\.?:? ?\d{6}-\d{4}\b",
    "DKK": r"\bdanmark\b|\bkobenhavn\b|\bkøbenhavn\b|\baarhus\b|\bodense\b"
    r"|\bCVR\b|\bDK[ -]?\d\d(?: ?\d\d){3}\b|\bDK\d\d(?: ?\d{4}){3} ?\d\d\b"
    r"|\+45[ (\d]|\b0045 |\bApS\b|\bA/S\b",
    "NOK": r"\bnorge\b|\boslo\b|\bbergen\b|\btrondheim\b|\bstavanger\b"
    r"|\bMVA\b|\bNO\d\d(?: ?\d{4}){2} ?\d{3}\b|\+47[ (\d]|\b0047 ",
    "ISK": r"\bÍsland\b|\bkennitala\b|\behf\b|\bIS\d\d(?: ?\d{4}){5} ?\d\d\b|\+354[ (\d]|\b00354 ",
    "PLN": r"\bpolska\b|\bsp\. z o\.o\.",
    "ARS": r"\bargentina\b|\bbuenos aires\b|\bCUIT\b|\bAFIP\b|\bIIBB\b|\bCAE\b",
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
    "CNY": r"人民币|统一社会信用代码",
    "HUF": r"\bmagyarorszag\b|\bbudapest\b|\bKft\b",
    "CZK": r"\bceska republika\b|\bs\.r\.o\.",
    "RON": r"\bromania\b|\bCUI\b|\bbucuresti\b|\bcluj\b|\bCIF:? ?RO ?\d{6,10}\b|\bRO\d\d ?[A-Z]{4}\b"
    r"|\bJ\d\d?/\d+/\d{4}\b",
}
_NAMES = (WORDS.countries, COUNTRIES)
_HOMES = {
    currency: re.compile(
        "|".join(
            [*(either(one[currency]) for one in _NAMES if currency in one), _MARKS.get(currency, "(?!)")]
        ),
        re.MULTILINE,
    )
    for currency in dict.fromkeys((*_MARKS, *COUNTRIES, *WORDS.countries))  # of equal votes the first counts
}
# Legal forms and tax names, whatever their case.
_BY_FORM = {
    "MYR": r"\bsdn\.? ?bhd\b|\bringgit\b|\bsst\b",
    "INR": r"\bpvt\.? ltd\b|\blakhs?\b",
    "SGD": r"\bpte\.? ltd\b",
    "AUD": r"\bpty\.? ltd\b",
}
_NEIGHBOURS = {"INR": ("PKR", "NPR", "LKR", "BDT", "MUR")}
"""Currencies of countries with the same forms, which more than these tells."""


# What is of the United States alone where the sign is `$`.
_WITH_DOLLARS_OF_USA = re.compile(rf"\bL\.?L\.?C\b|\bU\.S\.|\b(?:{_STATES}) {either(OF_A_STATE)}\b")


def find_pointed(text: str) -> frozenset[str]:
    """The currencies of the countries that anything on a page with the sign of several points to."""
    return frozenset({*_find_marks(text), *(["USD"] if _WITH_DOLLARS_OF_USA.search(text) else ())})


_MARKS_BEYOND_DOUBT = 2
"""Different addresses, tax numbers, legal forms, and the language."""


def find_home_currency(text: str) -> str | None:
    """The currency of the country that addresses, tax numbers and legal forms point to most often."""
    marks = _find_marks(text)
    return max(marks, key=lambda currency: len(marks[currency]), default=None)


def is_home_beyond_doubt(text: str, currency: str | None, language: str | None) -> bool:
    """Whether several things tell the country of a currency, and none tells another."""
    marks = _find_marks(text)
    told = len({*marks.get(currency or "", ())}) + (find_currency_of_language(language, text) == currency)
    return told >= _MARKS_BEYOND_DOUBT and marks.keys() <= {currency}


@lru_cache(maxsize=16)
def _find_marks(text: str) -> Mapping[str, Sequence[str]]:
    """What points to the country of each currency, folded; only those to which anything does."""
    marks: defaultdict[str, list[str]] = defaultdict(list)
    lowered = fold(text)
    for currency, pattern in _HOMES.items():
        for shown in (text, lowered):
            marks[currency] += (fold(found.group()) for found in pattern.finditer(shown))
    for currency, form in _BY_FORM.items():
        if not any(marks[one] for one in _NEIGHBOURS.get(currency, ())):
            marks[currency] += re.findall(form, lowered)
    return {currency: found for currency, found in marks.items() if found}


DOLLARS = frozenset(["USD", "AUD", "CAD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP"])
"""The currencies whose sign is `$`."""
CROWNS: Mapping[str, str] = {"SEK": "sv", "NOK": "nb", "DKK": "da", "ISK": "is"}
"""The currencies whose sign is `kr`, and the language of each."""


_OF_LANGUAGE: Mapping[str, tuple[str, str]] = {
    "ja": ("JPY", "."), "ko": ("KRW", "."), "th": ("THB", "."), "uk": ("UAH", "[іїє]"), "vi": ("VND", "."),
    "zh": ("CNY", "."), "pl": ("PLN", "[ąęłńśźż]"), "cs": ("CZK", "[ěřů]"), "hu": ("HUF", "[őű]"),
    "ro": ("RON", "[șțăţ]"), "tr": ("TRY", "[ğış]"),
}  # fmt: skip


def find_currency_of_language(language: str | None, text: str) -> str | None:
    """The currency of the country where a language is mostly written, of one that looks like no other or
    shows letters of its own."""
    currency, letters = _OF_LANGUAGE.get(language or "", (None, "."))
    return currency if re.search(letters, text) else None


def find_crowns(text: str, languages: Collection[str]) -> tuple[str, ...]:
    """The currencies that `kr` may stand for, going by the languages that a document may be in and by its
    countries, tax and registration numbers, bank accounts, telephone numbers and legal forms; the likeliest
    first."""
    votes = Counter({currency: 1 for currency, own in CROWNS.items() if own in languages})
    lowered = fold(text)
    for currency in CROWNS:
        votes[currency] += len(_HOMES[currency].findall(text)) + len(_HOMES[currency].findall(lowered))
    return tuple(currency for currency, count in votes.most_common() if count)


def writes_month_first(home_currency: str | None, currency: str | None, language: str | None) -> bool:
    """Whether numeric dates have the month first, as only the United States write them."""
    if language not in (None, "en"):
        return False
    return home_currency == "USD" or (home_currency is None and currency in ("USD", None))
