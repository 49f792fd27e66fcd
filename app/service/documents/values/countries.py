"""What tells of a country in any language: its name or that of a town in an address, calling codes, domains
and bank accounts. Names and currencies are from CLDR."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import cast

from babel import Locale
from babel.core import get_global
from babel.numbers import get_territory_currencies

from app.service.values.folding import fold

_LANGUAGES = ("en", "de", "fr", "nl", "es", "it", "pt", "sv", "da", "nb", "fi", "pl", "cs", "ja", "zh")
_LETTERS_OF_CODE = 3
_CALLING_CODES = (
    "20 EG 27 ZA 30 GR 31 NL 32 BE 33 FR 34 ES 36 HU 39 IT 40 RO 41 CH 43 AT 44 GB 45 DK 46 SE 47 NO"
    " 48 PL 49 DE 51 PE 52 MX 54 AR 55 BR 56 CL 57 CO 58 VE 60 MY 61 AU 62 ID 63 PH 64 NZ 65 SG 66 TH"
    " 81 JP 82 KR 84 VN 86 CN 90 TR 91 IN 92 PK 94 LK 98 IR 211 SS 212 MA 213 DZ 216 TN 221 SN 225 CI"
    " 226 BF 228 TG 229 BJ 230 MU 233 GH 234 NG 237 CM 241 GA 243 CD 244 AO 250 RW 251 ET 254 KE 255 TZ"
    " 256 UG 258 MZ 260 ZM 263 ZW 264 NA 265 MW 266 LS 267 BW 351 PT 352 LU 353 IE 354 IS 355 AL 356 MT"
    " 357 CY 358 FI 359 BG 370 LT 371 LV 372 EE 373 MD 374 AM 375 BY 380 UA 381 RS 382 ME 385 HR 386 SI"
    " 387 BA 389 MK 420 CZ 421 SK 501 BZ 502 GT 503 SV 504 HN 505 NI 506 CR 507 PA 591 BO 592 GY 593 EC"
    " 595 PY 597 SR 598 UY 673 BN 675 PG 679 FJ 852 HK 853 MO 855 KH 880 BD 886 TW 960 MV 961 LB 962 JO"
    " 965 KW 966 SA 968 OM 971 AE 972 IL 973 BH 974 QA 977 NP 992 TJ 994 AZ 995 GE 996 KG 998 UZ"
)
_COUNTRY_OF_CODE = dict(re.findall(r"(\d+) ([A-Z]+)", _CALLING_CODES))
_CALLED = re.compile(
    rf"(?<![\w+])\+({'|'.join(_COUNTRY_OF_CODE)})(?=[ .()/-]?\(?\d)(?:[ .()/-]{{0,2}}\d){{6,12}}(?!\d)"
)
_DOMAIN = re.compile(
    r"(?:@[\w.-]+|\bwww\.[\w.-]+|\b[\w-]+\.(?:com?|org|net|gov|ac))\.([a-z]{2})(?![\w.@-]*\w)"
)
_OF_ANYBODY = frozenset(
    ["ai", "cc", "co", "fm", "gg", "io", "is", "la", "ly", "me", "sh", "to", "tv", "vc", "ws"]
)
"""Domains of countries that everybody has."""
_RENAMED = {"uk": "GB", "EL": "GR"}
_ACCOUNT = re.compile(r"\b([A-Z]{2})\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_TAX_NUMBER = re.compile(
    r"\b(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)"
    r"(?: ?U)? ?(?:\d[ .]?){7,11}(?:[A-Z]{1,2}|B\d\d)?\b"
)
_PART_OF_ADDRESS = re.compile(
    r"(?:^|[,;-] ?|\d )([^\W\d_a-z][^,;\d()]{4,30}?|[^\W\d_a-zA-Z]{2,4})(?= ?(?:$|[,;.(\d]| - ))"
)
_ALSO_OTHER_NAMES = frozenset(
    ["antigua", "center", "chad", "cordoba", "easter", "georgia", "jersey", "jordan", "macedonia", "merida"]
)
"""Names of states, persons, cloth and towns elsewhere too."""


def find_countries(line: str) -> set[str]:
    """The currencies of the countries that calling codes, domains, accounts and names in a line point to."""
    named = [one for one in _DOMAIN.findall(line) if one not in _OF_ANYBODY]
    named += [*(_COUNTRY_OF_CODE[one] for one in _CALLED.findall(line)), *_ACCOUNT.findall(line)]
    found = {_find_currency(_RENAMED.get(one, one.upper())) for one in (*named, *_TAX_NUMBER.findall(line))}
    found |= {_list_places().get(fold(one), "") for one in _PART_OF_ADDRESS.findall(line)}
    return found - {""}


@cache
def _find_currency(territory: str) -> str:
    """The currency of a country; nothing where there is no such country."""
    return next(iter(get_territory_currencies(territory)), "")


@cache
def _list_places() -> Mapping[str, str]:
    """By the name of a country, or of a town that a time zone is called after, the currency there."""
    towns = get_global("zone_territories")
    places = {fold(zone.rpartition("/")[2].replace("_", " ")): towns[zone] for zone in towns}
    places |= {name: code for name, code in _list_territories() if code.isalpha()}
    return {name: _find_currency(code) for name, code in places.items() if name not in _ALSO_OTHER_NAMES}


def is_country(text: str) -> bool:
    """Whether a text is but the name of a country or its code of three letters: `Belgium`, `DNK`."""
    bare = fold(text).strip(" .,;-()")
    return bare in _list_names() or (len(bare) == _LETTERS_OF_CODE and bare.upper() in _list_codes())


@cache
def _list_names() -> frozenset[str]:
    return frozenset(name for name, _ in _list_territories())


def _list_territories() -> Iterator[tuple[str, str]]:
    """The names of countries and regions, folded, with their codes."""
    for one in _LANGUAGES:
        for code, name in cast(Mapping[str, str], Locale.parse(one).territories).items():
            yield fold(name), code


@cache
def _list_codes() -> frozenset[str]:
    return frozenset(code for code in get_global("territory_aliases") if len(code) == _LETTERS_OF_CODE)
