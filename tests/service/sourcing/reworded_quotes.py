"""Quotes of one requirement in the words of five suppliers, with lines that answer nothing and look-alikes.

Each supplier has a way to write: another order of words, other words for the same thing, abbreviations, an
article number, a note. The product knows none of these rules. A look-alike differs in what is bought: another
size, edition, colour or model.
"""

from dataclasses import dataclass
from decimal import Decimal
from random import Random

KINDS = (
    ("laptop", "notebook", ("14 inch", "16 inch"), ("16 GB", "32 GB")),
    ("monitor", "display", ("24 inch", "27 inch"), ("full HD", "4K")),
    ("docking station", "dock", ("USB-C", "Thunderbolt"), ("90 W", "180 W")),
    ("office chair", "swivel chair", ("mesh", "leather"), ("black", "grey")),
    ("desk", "work table", ("120 cm", "160 cm"), ("oak", "white")),
    ("printer", "laser printer", ("A4", "A3"), ("mono", "colour")),
    ("toner cartridge", "toner", ("black", "cyan"), ("2,500 pages", "6,000 pages")),
    ("network switch", "switch", ("24 ports", "48 ports"), ("1 Gbit", "10 Gbit")),
    ("access point", "wireless access point", ("indoor", "outdoor"), ("Wi-Fi 6", "Wi-Fi 7")),
    ("server", "rack server", ("1U", "2U"), ("64 GB", "256 GB")),
    ("headset", "headphones with microphone", ("wired", "wireless"), ("mono", "stereo")),
    ("keyboard", "keyboard unit", ("German", "English"), ("wired", "wireless")),
    (
        "antivirus licence",
        "endpoint protection licence",
        ("12 months", "36 months"),
        ("standard", "advanced"),
    ),
    ("backup software", "backup suite", ("basic", "enterprise"), ("10 hosts", "50 hosts")),
    ("support contract", "maintenance contract", ("8x5", "24x7"), ("bronze", "gold")),
)
STRAYS = (
    *("delivery and unpacking", "pallet surcharge", "training day on site", "project management"),
    *("disposal of old devices", "cable set 3 m", "wall mount", "extended travel zone", "handling fee"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line, and the place of the line of the requirement that it answers, if any."""

    text: str
    quantity: Decimal
    answers: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """What is needed: a kind with its two properties."""

    kind: int
    first: int
    second: int
    quantity: int


def make_case(seed: int, *, strays: int, lookalikes: bool) -> tuple[list[Line], list[Line]]:
    """Return the lines of a requirement and those of a quote. With `lookalikes`, half of the partners are
    replaced by lines that differ in one property."""
    random = Random(seed)
    everything = [
        (kind, first, second) for kind in range(len(KINDS)) for first in (0, 1) for second in (0, 1)
    ]
    items = [Item(*one, random.choice((1, 5, 10, 25, 40))) for one in random.sample(everything, 30)]
    needed = [Line(_write(item, 0), Decimal(item.quantity)) for item in items]
    supplier = seed % 5 + 1
    replaced = set(random.sample(range(30), 15)) if lookalikes else set[int]()
    taken = {(one.kind, one.first, one.second) for one in items}
    quoted: list[Line] = []
    for place, item in enumerate(items):
        other = _find_lookalike(item, taken) if place in replaced else None
        text = _write(other or item, supplier)
        quoted.append(Line(text, Decimal(item.quantity), place if other is None else None))
    quoted += [Line(text, Decimal(1)) for text in random.sample(STRAYS, strays)]
    random.shuffle(quoted)
    return needed, quoted


def _find_lookalike(item: Item, taken: set[tuple[int, int, int]]) -> Item | None:
    """The same kind with another property that is not needed; None where all are."""
    others = ((item.kind, 1 - item.first, item.second), (item.kind, item.first, 1 - item.second))
    free = [one for one in others if one not in taken]
    return Item(*free[0], item.quantity) if free else None


def _write(item: Item, supplier: int) -> str:
    name, synonym, firsts, seconds = KINDS[item.kind]
    first, second = firsts[item.first], seconds[item.second]
    number = 1000 + item.kind * 37 + item.first * 11 + item.second * 5
    match supplier:
        case 0:
            return f"{name.capitalize()}, {first}, {second}"
        case 1:
            return f"{synonym.title()} {first} / {second}"
        case 2:
            return f"Art. {number * 7} {second} {first} {name}"
        case 3:
            short = first.replace(" inch", '"').replace(" months", " mo").replace(" ports", "-port")
            return f"{name.upper()} {short} {second.upper()} (as requested)"
        case 4:
            return f"Model X{number}: {synonym}, {second}, {first}, incl. 2 years warranty"
        case _:
            return f"{first} {name}, {second.replace(' ', '')}"
