"""Units of measure by UN/ECE Recommendation 20, in words, signs and codes, how they convert, and
words behind a figure that multiply it: thousand, million, lakh, 万.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache

from app.service.values.cldr import load_cldr
from app.service.values.folding import fold_text

_ONE = Decimal(1)
_DIMENSIONS: Mapping[str, Mapping[str, str]] = {
    "count": {"C62": "1", "CEN": "100", "MIL": "1000", "DZN": "12", "GRO": "144"},
    "mass": {"KGM": "1", "GRM": "0.001", "MGM": "0.000001", "TNE": "1000", "LBR": "0.45359237",
             "ONZ": "0.028349523125"},
    "length": {"MTR": "1", "CMT": "0.01", "MMT": "0.001", "KMT": "1000", "INH": "0.0254", "FOT": "0.3048",
               "YRD": "0.9144", "SMI": "1609.344"},
    "area": {"MTK": "1", "CMK": "0.0001", "HAR": "10000", "FTK": "0.09290304"},
    "volume": {"LTR": "1", "MLT": "0.001", "CLT": "0.01", "DLT": "0.1", "HLT": "100", "MTQ": "1000",
               "CMQ": "0.001"},
    "energy": {"KWH": "1", "MWH": "1000"},
    "hours": {"HUR": "1", "MIN": "1"},
    "days": {"DAY": "1", "WEE": "7"},
    "months": {"MON": "1", "QAN": "3", "ANN": "12"},
}  # fmt: skip
"""How many of the first unit of a dimension one unit is. A day has no hours here, and a month no days: nobody
said how many. A pair, a set and a pack have no dimension, for what is in them differs."""
_FACTORS = {
    code: (dimension, Fraction(factor) if code != "MIN" else Fraction(1, 60))
    for dimension, units in _DIMENSIONS.items()
    for code, factor in units.items()
}
_WORDS: Mapping[str, str] = {
    "C62": "ea each h87 pce pc pcs piece pieces unit units item items nos no number count qty und x st stk"
    " stck stuck stueck pz pza pzas pezzo pezzi pieza piezas un uni unid unidad unidades unidade"
    " unite unites u piece(s) pc(s) unit(s) stuks stuk eenheid eenheden szt sztuka sztuki sztuk ks"
    " kus kusu kusy db darab buc bucata bucati adet ad kpl kappale styck stycken шт штук штука бр τεμ"
    " τεμαχιο 个 個 件 台 本 枚 개 chiec cai buah unt einheit einheiten",
    "CEN": "hundred hundert cent centaine cien ciento cento honderd cem 100pcs",
    "MIL": "thousand tausend mille",
    "DZN": "dozen dozens dutzend dz douzaine douzaines docena docenas dozzina dozijn duzia doz",
    "GRO": "gross",
    "PR": "pair pairs paar paire paires par pares paio paia",
    "SET": "sets satz kit kits jeu jeux juego",
    "PK": "pack packs pkg package packages packet packets paket pakete paquet paquets paquete paquetes"
    " pacco pacchetto pacchetti pacote pakket pak packung packungen pck xpk",
    "BX": "box boxes karton kartons carton cartons ctn ct boite boites caja cajas scatola scatole caixa"
    " doos xbx kar",
    "BG": "bag bags sachet sachets beutel sack sacke sac sacs bolsa bolsas sacco sacchi saco sacos zak zakken"
    " xbg",
    "RO": "roll rolls rolle rollen rouleau rouleaux rollo rollos rotolo rotoli rolo rolos rol xro rl",
    "PF": "pallet pallets palette paletten palettes palet palets bancale pal xpx",
    "HUR": "h hr uren hod",
    "DAY": "d personentag personentage manntag manntage mandays manday",
    "MON": "mo mos mnt",
    "ANN": "annum p.a",
    "KGM": "kgs kilos",
    "GRM": "g",
    "TNE": "t",
    "MTR": "m lfm lfdm lm",
    "MTK": "m2 m^2 qm sqm",
    "FTK": "ft2 sqft",
    "MTQ": "m3 m^3 cbm",
    "LTR": "l lt ltrs",
    "LS": "lumpsum pauschal pauschale psch forfait",
}
"""What CLDR leaves out."""
_OF_MANY = re.compile(
    r"(?:(?P<pack>[^\W\d]+\.?) (?:of|a|à|zu|mit|de|da|van|por|x"
    r"|/)? ?)?(?P<times>[0-9]{1,3}(?:[.,' ][0-9]{3})+|[0-9]{1,6}(?:[.,][0-9]{1,2})?) ?"
    r"(?P<unit>[^\W\d].*)?"
)
_PER = re.compile(r"(?:per|pro|je|por|par|za|/) ?(?=[0-9])", re.IGNORECASE)
_GROUPED = re.compile(r"[0-9]{1,3}(?:[.,' ][0-9]{3})+")
PACKS = frozenset({"PK", "BX", "BG", "SET", "RO", "PF"})
"""Units of which nobody knows how much is in one."""

MAX_ROUNDING = Fraction(1, 100)
"""Up to this share of it, a quantity that was converted is the one that is stated: whoever wrote 45.4 kg, or
45, for 100 lb has rounded. Pieces are counted, and not rounded."""

PIECE = "C62"
"""The unit of a number that counts single things."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What one unit of a price or a quantity is: so many of a unit of measure. A pack of 100 is 100 C62."""

    code: str
    times: Decimal = _ONE


@cache
def _codes_by_word() -> dict[str, str]:
    table = load_cldr()
    spans = {"hour": "HUR", "day": "DAY", "week": "WEE", "month": "MON", "quarter": "QAN", "year": "ANN"}
    found = {code.lower(): code for code in _FACTORS}
    found |= {word: spans[of[0]] for word, of in table["spans"].items() if len(of) == 1}
    found |= {word: codes[0] for word, codes in table["units"].items() if len(codes) == 1}
    for code, words in _WORDS.items():
        found |= dict.fromkeys((fold_text(word).strip(".") for word in (code, *words.split())), code)
    return found


@lru_cache(maxsize=2048)
def read_unit(text: str) -> str | None:
    """Return the code of a unit that a text names and nothing else: `KGM` of `kg`, `C62` of `pcs` and
    `Stk.`."""
    word = fold_text(text).strip(" .")
    return _codes_by_word().get(word) if 0 < len(word) <= 30 else None


def count_ones(text: str) -> Decimal | None:
    """Return how many pieces a word for several is: 100 for `hundred`, 12 for `Dutzend`; None for any
    other."""
    dimension, factor = _FACTORS.get(read_unit(text) or "", ("", Fraction(1)))
    return Decimal(int(factor)) if dimension == "count" and factor > 1 else None


def measures_time(text: str) -> bool:
    """Say whether a text is a unit of time."""
    return _FACTORS.get(read_unit(text) or "", ("",))[0] in ("hours", "days", "months")


@lru_cache(maxsize=2048)
def read_measure(text: str) -> Measure | None:
    """Return what `kg`, `100 Stück`, `pack of 100`, `bag of 25 kg`, `per 1,000`, `Tsd. Stück` measure; None
    where the text is no unit, or 1.000 may be one or a thousand of it."""
    code = read_unit(text)
    if code is not None:
        return Measure(code)
    words = re.sub(r"[()]", " ", text).split()
    if len(words) == 2 and (scale := read_scale(words[0])) and (code := read_unit(words[1])):
        return Measure(code, Decimal(scale))
    bare = " ".join(words)
    per = _PER.match(bare)
    found = _OF_MANY.fullmatch(bare[per.end() :] if per else bare)
    if found is None or (found["pack"] and read_unit(found["pack"]) not in PACKS):
        return None
    inner = read_unit(found["unit"]) if found["unit"] else PIECE if found["pack"] or per else None
    if inner is None or not _GROUPED.fullmatch(found["times"]):
        return None if inner is None else Measure(inner, Decimal(found["times"].replace(",", ".")))
    return Measure(inner, Decimal(re.sub(r"[^0-9]", "", found["times"]))) if inner == PIECE else None


def find_factor(one: Measure, other: Measure) -> Fraction | None:
    """Return how many of `other` one of `one` is: 1/1000 for grams in kilograms, 100 for packs of 100 in
    pieces; None where they measure different things, or nobody said how much is in one of them."""
    if one.code == other.code:
        return Fraction(one.times) / Fraction(other.times)
    left, right = _FACTORS.get(one.code), _FACTORS.get(other.code)
    if left is None or right is None or left[0] != right[0]:
        return None
    return Fraction(one.times) * left[1] / (Fraction(other.times) * right[1])


def is_rounded(converted: Fraction, stated: Decimal) -> bool:
    """Return whether a quantity that was converted is the one that is stated, but for its rounding."""
    return abs(converted - Fraction(stated)) <= MAX_ROUNDING * Fraction(stated)


SCALES: Mapping[int, str] = {
    10**3: r"thousands? | tausend | tsd | milliers? | duizend(?:en)? | mil | miles | mila | migliaia"
    r" | milhares"
    r" | тыс | тысяч[аи]? | тис | tys | tis | tusen | tusind | ribu | nghìn | ngàn",
    10**4: r"万 | 萬 | 만",
    10**5: r"la(?:kh|c)s?",
    10**6: r"millions? | million(?:en|er)? | ml?n | mio | mill\wn(?:es)? | milion[eiyů]? | miljoen(?:en)?"
    r" | milh\wo | milh\wes | miljon(?:er)? | miljoonaa? | млн | миллион(?:а|ов)? | milyon | juta | triệu",
    10**7: r"crores?",
    10**8: r"億 | 亿 | 억",
    10**9: r"bn | mrd | mld | milliarden? | milliards? | miliard(?:[iy]|ów)? | miljarder? | miljard(?:en)?"
    r" | mil millones | mil milh\wes | млрд | miliard[ia] | tỷ",
}
"""Phrases parted by ` | ` by the factor. A `billion` is none: it is a thousand times more in most
languages."""
_PATTERNS = [
    (factor, re.compile(rf"(?:{'|'.join(words.split(' | '))})\.?", re.IGNORECASE))
    for factor, words in SCALES.items()
]
_LETTERS = {"k": 10**3, "m": 10**6, "mm": 10**6}


@lru_cache(maxsize=1024)
def read_scale(text: str) -> int | None:
    """Return the factor of a scale word; None where the text is none."""
    return next((factor for factor, pattern in _PATTERNS if pattern.fullmatch(text.strip())), None)


def read_scale_letter(text: str) -> int | None:
    """Return the factor of the letter at a figure of money: `150k`, `2.5M`. Without a currency it may be a
    unit."""
    return _LETTERS.get(text.strip().lower())
