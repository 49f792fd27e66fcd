"""Units of measure by UN/ECE Recommendation 20, in words and codes, and how they convert. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from app.service.text_folding import fold_text

_ONE = Decimal(1)
_DIMENSIONS: Mapping[str, Mapping[str, str]] = {
    "count": {"C62": "1", "CEN": "100", "MIL": "1000", "DZN": "12", "GRO": "144"},
    "mass": {"KGM": "1", "GRM": "0.001", "TNE": "1000", "LBR": "0.45359237"},
    "length": {"MTR": "1", "CMT": "0.01", "MMT": "0.001", "KMT": "1000"},
    "area": {"MTK": "1"},
    "volume": {"LTR": "1", "MLT": "0.001", "HLT": "100", "MTQ": "1000"},
    "energy": {"KWH": "1", "MWH": "1000"},
    "hours": {"HUR": "1"},
    "days": {"DAY": "1", "WEE": "7"},
    "months": {"MON": "1", "ANN": "12"},
}
"""How many of the first unit of a dimension one unit is. A day has no hours here: nobody said how many. A box
and a bag have no dimension, for what is in them differs."""
_FACTORS = {
    code: (dimension, Decimal(factor))
    for dimension, units in _DIMENSIONS.items()
    for code, factor in units.items()
}
_WORDS: Mapping[str, str] = {
    "C62": "ea each h87 pce pc pcs piece pieces unit units item items no x st stk stck stuck einheit pz pezzo"
    " pezzi pza pieza piezas un unidad unidades unidade unite unites piece(s) pc(s) unit(s) stuks eenheid szt"
    " ks kpl",
    "CEN": "hundred hundert cent", "MIL": "thousand tausend mille m'",
    "DZN": "dozen dutzend dz douzaine docena",
    "GRO": "gross",
    "PK": "pack packs pk pkg package packages packet packets paket pakete paquet paquets packung packungen"
    " xpk",
    "BX": "box boxes bx karton kartons carton cartons ctn boite boites caja cajas scatola scatole doos xbx",
    "BG": "bag bags beutel sack sacke sac sacs bolsa sacco zak xbg", "RO": "roll rolls rolle rollen xro",
    "SET": "set sets satz kit kits jeu",
    "HUR": "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur",
    "DAY": "day days tag tage tagen personentag personentage manntag manntage jour jours dia dias giorno"
    " giorni dag dagen",
    "WEE": "week weeks woche wochen semaine semaines", "MON": "month months monat monate mois mes mese maand",
    "ANN": "year years jahr jahre an ans annee ano anno jaar",
    "KGM": "kg kgs kilo kilos kilogram kilograms kilogramm", "GRM": "g gram grams gramm",
    "TNE": "t tonne tonnes tonnen to", "LBR": "lb lbs pound pounds",
    "MTR": "m meter meters metre metres lfm metro metri", "CMT": "cm", "MMT": "mm", "KMT": "km",
    "MTK": "m2 qm sqm", "MTQ": "m3 cbm", "LTR": "l ltr liter liters litre litres", "MLT": "ml", "HLT": "hl",
    "KWH": "kwh", "MWH": "mwh",
}  # fmt: skip
_PACKS = frozenset({"PK", "BX", "BG", "SET", "RO"})
_OF_MANY = re.compile(
    r"(?:(?P<pack>[^\W\d]+\.?) (?:(?:of|a|à|zu|mit|de|da|van|por|x|/) )?)?"
    r"(?P<times>[0-9]{1,6}(?:[.,][0-9]{1,2})?) ?(?P<unit>[^\W\d].*)?"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """What one unit of a price or a quantity is: so many of a unit of measure. A pack of 100 is 100 C62."""

    code: str
    times: Decimal = _ONE


@cache
def _codes_by_word() -> dict[str, str]:
    return {
        fold_text(word).strip("."): code for code, words in _WORDS.items() for word in (code, *words.split())
    }


def read_unit(text: str) -> str | None:
    """Return the code of a unit that a text names and nothing else: `KGM` of `kg`, `C62` of `pcs`."""
    return _codes_by_word().get(fold_text(text).strip(" ."))


@lru_cache(maxsize=2048)
def read_measure(text: str) -> Measure | None:
    """Return what `kg`, `100 Stück`, `bag of 25 kg` measure; None where the text is no unit."""
    code = read_unit(text)
    if code is not None:
        return Measure(code)
    found = _OF_MANY.fullmatch(" ".join(text.split()))
    if found is None or (found["pack"] and read_unit(found["pack"]) not in _PACKS):
        return None
    inner = read_unit(found["unit"]) if found["unit"] else "C62" if found["pack"] else None
    return None if inner is None else Measure(inner, Decimal(found["times"].replace(",", ".")))


def find_factor(one: Measure, other: Measure) -> Decimal | None:
    """Return how many of `other` one of `one` is: 0.001 for grams in kilograms, 100 for packs of 100 in
    pieces; None where they measure different things, or nobody said how much is in one of them."""
    if one.code == other.code:
        return one.times / other.times
    left, right = _FACTORS.get(one.code), _FACTORS.get(other.code)
    if left is None or right is None or left[0] != right[0]:
        return None
    return one.times * left[1] / (other.times * right[1])
