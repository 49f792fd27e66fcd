"""Invented names, numbers and addresses."""

import random
from decimal import Decimal

from tests.reader_training.wording import Wording

_HEADS = (
    "Al",
    "Bren",
    "Cor",
    "Dar",
    "El",
    "Fen",
    "Gal",
    "Hol",
    "Ir",
    "Jun",
    "Kel",
    "Lor",
    "Mar",
    "Nor",
    "Or",
    "Pel",
    "Quin",
    "Ros",
    "Sel",
    "Tor",
    "Ul",
    "Ver",
    "Wil",
    "Xan",
    "Yar",
    "Zel",
)
_MIDDLES = ("", "a", "i", "o", "ba", "de", "li", "mo", "ra", "ti", "vo")
_TAILS = (
    "bank",
    "bert",
    "co",
    "den",
    "dor",
    "field",
    "gate",
    "lin",
    "mex",
    "nova",
    "phor",
    "ra",
    "rix",
    "son",
    "tek",
    "tia",
    "vex",
    "ware",
    "wick",
    "zon",
)
_FIRST = (
    "Anna",
    "Bruno",
    "Clara",
    "David",
    "Elena",
    "Felix",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Karin",
    "Luis",
    "Maria",
    "Nils",
    "Olga",
    "Paul",
    "Rita",
    "Simon",
    "Teresa",
    "Victor",
)


def invented_word(rng: random.Random) -> str:
    return rng.choice(_HEADS) + rng.choice(_MIDDLES) + rng.choice(_TAILS)


def company_name(words: Wording, rng: random.Random) -> str:
    name = invented_word(rng)
    if rng.random() < 0.6:
        name += f" {words.any('places', 'trades')}"
    return f"{name} {words.place('forms')}"


def person_name(rng: random.Random) -> str:
    return f"{rng.choice(_FIRST)} {invented_word(rng)}"


def address(words: Wording, rng: random.Random) -> list[str]:
    """Street and city, and in some the country's own way of a postal code."""
    street, city = words.place("streets"), words.place("cities")
    number = rng.randrange(1, 240)
    code = {
        "en": f"{rng.choice('ABEGLMNS')}{rng.randrange(1, 20)} {rng.randrange(1, 10)}{rng.choice('AB')}D",
        "nl": f"{rng.randrange(1000, 9999)} {rng.choice('ABCD')}{rng.choice('KLM')}",
        "pl": f"{rng.randrange(10, 99)}-{rng.randrange(100, 999)}",
        "pt": f"{rng.randrange(1000, 9999)}-{rng.randrange(100, 999)}",
        "sv": f"{rng.randrange(100, 999)} {rng.randrange(10, 99)}",
        "da": f"{rng.randrange(1000, 9999)}",
    }.get(words.language, f"{rng.randrange(10000, 98999)}")
    if words.language == "fr":
        return [f"{number}, {street}", f"{code} {city}"]
    if words.american:
        return [f"{number} {street}", f"{city} {rng.randrange(10000, 99999)}"]
    if words.language == "en":
        return [f"{number} {street}", f"{city} {code}"]
    return [f"{street} {number}", f"{code} {city}"]


def phone(rng: random.Random) -> str:
    digits = [rng.randrange(10) for _ in range(9)]
    text = "".join(map(str, digits))
    return rng.choice(
        (
            f"+{rng.randrange(20, 60)} {text[:2]} {text[2:5]} {text[5:]}",
            f"0{text[:3]} {text[3:]}",
            f"({text[:3]}) {text[3:6]}-{text[5:9]}",
            f"0{text[:2]}/{text[2:]}",
        )
    )


def tax_number(rng: random.Random) -> str:
    return f"{rng.choice(('DE', 'FR', 'GB', 'ES', 'IT', 'NL', 'PL', ''))}{rng.randrange(10**8, 10**9)}"


def bank_number(rng: random.Random) -> str:
    blocks = " ".join(f"{rng.randrange(10**4):04}" for _ in range(4))
    return f"{rng.choice(('DE', 'FR', 'GB', 'ES', 'NL'))}{rng.randrange(10, 99)} {blocks}"


def document_number(rng: random.Random) -> str:
    year, count = rng.randrange(2019, 2028), rng.randrange(10, 99999)
    return rng.choice(
        (
            f"{rng.choice('ABFQRSX')}-{year}-{count:05}",
            f"{count:06}",
            f"{rng.choice(('QU', 'AN', 'RE', 'PO'))}{count:06}",
            f"{year}/{count:04}",
            f"{rng.choice(('INV', 'ORD', 'OF'))}-{count:05}",
            f"{year}{count:05}",
        )
    )


def sku(rng: random.Random) -> str:
    letters = "".join(rng.choice("ABCDEFGHKLMNPRSTX") for _ in range(rng.randrange(2, 4)))
    count = rng.randrange(10, 99999)
    return rng.choice(
        (
            f"{letters}-{count}",
            f"{letters}{count:05}",
            f"{count:06}",
            f"{letters}.{count % 997:03}.{count % 89}",
            f"{count}-{letters}",
        )
    )


def price(rng: random.Random, low: float, high: float, *, whole: bool = False) -> Decimal:
    """A price on a logarithmic scale, as prices are set: round, ending in 9, or to the cent."""
    value = low * (high / low) ** rng.random()
    if whole:
        return Decimal(max(1, round(value)))
    form = rng.random()
    if form < 0.35:
        return Decimal(max(1, round(value)))
    if form < 0.5:
        return Decimal(max(1, round(value))) - Decimal("0.01")
    if form < 0.7:
        return Decimal(max(1, round(value * 10))) / 10
    return Decimal(max(1, round(value * 100))) / 100
