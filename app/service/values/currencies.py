"""Currencies by code, sign and name: ISO 4217, the signs and names of CLDR, and what people write besides."""

import re
from collections import defaultdict
from collections.abc import Collection
from functools import cache, lru_cache

from app.service.values.cldr import load_cldr
from app.service.values.dates import match_any
from app.service.values.folding import fold_text

SIGNS = {
    "us$": "USD", "u.s.$": "USD", "$us": "USD", "usd$": "USD", "u$s": "USD", "a$": "AUD", "au$": "AUD",
    "aud$": "AUD", "c$": "CAD", "ca$": "CAD", "cdn$": "CAD", "can$": "CAD", "cad$": "CAD", "nz$": "NZD",
    "s$": "SGD", "sg$": "SGD", "hk$": "HKD", "nt$": "TWD", "r$": "BRL", "mx$": "MXN", "mex$": "MXN",
    "$": "$", "dollar": "$", "dollars": "$", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "£": "GBP", "¥": "¥", "￥": "¥", "cn¥": "CNY", "rmb": "CNY", "rmb¥": "CNY", "jp¥": "JPY", "円": "JPY",
    "元": "元", "圆": "CNY", "圓": "TWD", "臺幣": "TWD", "台币": "TWD", "台幣": "TWD", "新臺幣": "TWD",
    "日元": "JPY", "日圆": "JPY", "日圓": "JPY", "港币": "HKD", "港幣": "HKD", "港元": "HKD", "美金": "USD",
    "₹": "INR", "rs": "Rs", "rs.": "Rs", "rupees": "Rs", "rm": "MYR", "₩": "KRW", "￦": "KRW",
    "원": "KRW", "₽": "RUB",
    "руб": "RUB", "руб.": "RUB", "рублей": "RUB", "р.": "RUB", "rub": "RUB", "zł": "PLN", "zl": "PLN",
    "kč": "CZK",
    "ft": "HUF", "ft.": "HUF", "kr": "kr", "kr.": "kr", ":-": "kr", "skr": "SEK", "nkr": "NOK", "dkr": "DKK",
    "sfr": "CHF", "sfr.": "CHF", "fr.": "CHF", "chf.": "CHF", "₪": "ILS", "nis": "ILS", "₺": "TRY",
    "ש\"ח": "ILS", "ש״ח": "ILS", "uf": "CLF",
    "tl": "TRY",
    "฿": "THB", "บาท": "THB", "baht": "THB", "₫": "VND", "đ": "VND", "vnđ": "VND", "₱": "PHP", "php": "PHP",
    "₦": "NGN", "₴": "UAH", "грн": "UAH", "грн.": "UAH", "rp": "IDR", "rp.": "IDR", "r": "ZAR", "лв": "BGN",
    "лв.": "BGN", "lei": "lei", "din": "RSD", "din.": "RSD", "₸": "KZT", "тг": "KZT", "тг.": "KZT",
    "тенге": "KZT", "рсд": "RSD",
    "bs": "Bs",
    "bs.": "Bs", "s/": "PEN", "s/.": "PEN", "b/.": "PAB", "₡": "CRC", "₲": "PYG", "gs": "PYG", "gs.": "PYG",
    "₵": "GHS", "gh₵": "GHS", "gh¢": "GHS", "dh": "dh", "dhs": "dh", "dhs.": "dh", "qr": "QAR",
    "s.r.": "SAR", "ر.س": "SAR", "د.إ": "AED",
    "ريال": "riyal", "﷼": "riyal", "درهم": "dh", "جنيه": "EGP", "ج.م": "EGP", "ج.م.": "EGP", "ریال": "IRR",
    "fcfa": "CFA", "cfa": "CFA", "₾": "GEL", "֏": "AMD", "₼": "AZN", "₮": "MNT", "៛": "KHR", "₭": "LAK",
    "৳": "BDT",
    "kd": "KWD", "k.d.": "KWD", "د.ك": "KWD", "kz": "AOA",
    "ksh": "KES", "ksh.": "KES", "kshs": "KES", "tsh": "TZS", "ush": "UGX",
}  # fmt: skip
"""What signs, short names and words beside an amount stand for, in small letters. A short word of CLDR that
is also a unit or a word, as `km` or `da`, is no sign."""
_MAY_BE = {
    "kr": frozenset({"SEK", "NOK", "DKK", "ISK"}),
    "¥": frozenset({"JPY", "CNY"}),
    "元": frozenset({"CNY", "TWD", "HKD", "MOP"}),
    "Rs": frozenset({"INR", "PKR", "LKR", "NPR", "MUR", "SCR"}),
    "lei": frozenset({"RON", "MDL"}),
    "dh": frozenset({"AED", "MAD"}),
    "riyal": frozenset({"SAR", "QAR", "OMR", "YER", "IRR"}),
    "Bs": frozenset({"BOB", "VES"}),
    "CFA": frozenset({"XOF", "XAF"}),
    "GBP": frozenset({"GBP", "GIP", "FKP", "SHP"}),
    "CAD": frozenset({"CAD", "NIO"}),
}
_LETTERS = re.compile(r"[a-z.]{1,2}")
_CODE = re.compile(r"[A-Za-z]{3}")
_WORDS = (
    "all try top mad cup gel bob lak mop mur pen ron lek nad tnd fim ang dem cop bam cad inr std stn"
    " kmf lbp lit ltl"
)
WORD_CODES = frozenset(_WORDS.split())
"""Codes that are words or abbreviations of something else where they are written small."""

_IN_TEXT = (
    "AED ARS AUD BDT BGN BHD BRL BWP BYN CAD CHF CLP CNY COP CZK DKK DOP DZD EGP EUR GBP GHS GTQ HKD HUF IDR"
    " ILS INR ISK JMD JOD JPY KES KRW KWD KZT LBP LKR MAD MKD MUR MXN MYR MZN NGN NOK NPR NZD OMR PEN PHP PKR"
    " PLN PYG QAR RON RSD RUB SAR SEK SGD THB TRY TTD TWD TZS UAH UGX USD UYU UZS VND XAF XOF ZAR ZMW"
)
CODES_IN_TEXT = frozenset(_IN_TEXT.split())
"""Codes that are currencies in running text too; others are also products (`AMD`), words (`GEL`) or forms of
companies (`PTE`)."""
_AS_WORDS = (
    "r kz ft bs bs. gs gs. qr kd k.d. tl dh dhs dhs. lei din din. ft. s.r. :- р. тг тг. dollar dollars uf"
)
WORDS_AS_SIGNS = frozenset(_AS_WORDS.split())
"""Signs beside the figures of a cell that are words, units or ends of labels in running text."""

IN_CAPITALS = frozenset({"r", "rm", "s/", "s/."})
"""Signs that written small are something else: `Rm 614` is a room, `6,5 % s/ 3.970,00` a share of it."""

SIGNS_IN_TEXT = {sign: currency for sign, currency in SIGNS.items() if sign not in WORDS_AS_SIGNS}
"""What the signs of running text stand for."""
WITHOUT_CENTS = frozenset(
    ["JPY", "KRW", "VND", "IDR", "CLP", "COP", "PYG", "HUF", "ISK", "UGX", "TZS", "XAF", "XOF"]
)
"""Currencies whose amounts are printed in whole units, by ISO 4217 or by custom."""
OF_A_THOUSAND = ("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND")
"""Currencies of a thousand parts."""

LIKELIEST = {
    "¥": "JPY",
    "元": "CNY",
    "Rs": "INR",
    "dh": "AED",
    "riyal": "SAR",
    "lei": "RON",
    "Bs": "BOB",
    "CFA": "XOF",
}
"""The currency that a sign of several countries mostly stands for, but `$` and `kr`, which are judged."""
CURRENCY_IN_TEXT = match_any([*sorted(CODES_IN_TEXT), *sorted(SIGNS_IN_TEXT)], any_case=True)
"""Codes and signs of currencies, in any case."""


@cache
def list_codes() -> frozenset[str]:
    """Return the codes of ISO 4217 that are tender, or were after 1998."""
    return frozenset(load_cldr()["currencies"])


@cache
def _signs_of_cldr() -> dict[str, str]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for code, signs in load_cldr()["currencies"].items():
        for sign in signs:
            found[sign].add(code)
    for name, codes in load_cldr()["currency_names"].items():
        found[name] |= set(codes)
    return {
        sign: next(iter(codes))
        for sign, codes in found.items()
        if len(codes) == 1 and not _LETTERS.fullmatch(sign)
    }


@lru_cache(maxsize=4096)
def read_currency(text: str) -> str | None:
    """Return the currency that a text names and nothing else: an ISO code, a sign of several countries (`$`,
    `kr`, `¥`, `Rs`), or None. A code counts in capitals; written small it must be no word."""
    text = text.strip()
    if not text or len(text) > 40:
        return None
    if _CODE.fullmatch(text) and text.upper() in list_codes():
        if text.isupper() or (text.lower() not in WORD_CODES and (text.islower() or text.istitle())):
            return text.upper()
        return None
    if text.lower() in IN_CAPITALS and not text.isupper():
        return None
    return SIGNS.get(text.lower()) or _signs_of_cldr().get(fold_text(text)) or _read_pair(text)


def _read_pair(text: str) -> str | None:
    """`USD $` and `kr DKK` name one currency."""
    for parted in re.finditer(r"(?<=[A-Z]{3}) ?(?=\W)|(?<=\W) ?(?=[A-Z]{3}$)|(?<=\w) (?=[A-Z]{3}$)", text):
        one, two = text[: parted.start()].strip(), text[parted.end() :].strip()
        if one and two and (first := read_currency(one)) and (second := read_currency(two)):
            return agree(first, second)
    return None


def list_possible(currency: str) -> Collection[str]:
    """Return the codes that a currency as `read_currency` returns it may stand for."""
    if currency == "$":
        return frozenset(code for code, signs in load_cldr()["currencies"].items() if "$" in signs)
    return _MAY_BE.get(currency, frozenset({currency}))


def agree(one: str, other: str) -> str | None:
    """Return the closer of two mentions of a currency, `EUR` of `€` and `EUR`, `DKK` of `kr` and `DKK`; None
    where they cannot mean the same."""
    if one == other:
        return one
    common = set(list_possible(one)) & set(list_possible(other))
    if not common:
        return None
    if len(common) == 1:
        return next(iter(common))
    return one if len(list_possible(one)) < len(list_possible(other)) else other
