"""Propose the catalog entry that a line would become: its words without those about this purchase. Pure."""

import re

from app.contract.scope import ProposedDimension, ProposedEntry
from app.service.catalog.names import shorten
from app.service.catalog.product_words import find_words, is_edition
from app.service.documents.extraction import LineItem
from app.service.documents.lexicon.languages import WORDS
from app.service.scopes.units import unit_words

EDITION = "Edition"
MAX_NAME_LENGTH = 250

_WORDS = WORDS.entries
_PERIOD = rf"(?:\d{{1,3}}[ -]?{_WORDS.periods}|{_WORDS.frequencies})"
_TAIL = re.compile(
    rf"[\s,;:(\-–—|]+(?:{_WORDS.before_period}\s+)?(?:{_PERIOD}\s*{_WORDS.after_period}?"
    rf"|\d[\d.,]*\s*(?:x\s*)?(?:{_WORDS.named}\s+)?(?P<unit>[^\W\d_]+))[\s)]*$",
    re.IGNORECASE,
)
_HEAD = re.compile(rf"^\s*\d[\d.,]*\s*(?:x|×|{_WORDS.counted})\s+(?:{_WORDS.of}\s+)?", re.IGNORECASE)
_NAMED_EDITION = re.compile(
    rf"(?:\s*[-–—,:|(]\s*|\s+)(?:{_WORDS.editions}\b\s*(?P<colon>:)?\s*(?P<after>[^\W\d_]+\+?)"
    rf"|(?P<before>[^\W\d_]+\+?)\s+{_WORDS.editions}\b)\s*\)?",
    re.IGNORECASE,
)
_PARTED_EDITION = re.compile(r"(?:\s*[,:|(]\s*|\s+[-–—]\s+)(?P<word>[^\W\d_]+\+?)\s*\)?$")
_PRICE_PERIOD = re.compile(rf"\s*/\s*{_WORDS.price_periods}\b")


def propose_entry(line: LineItem) -> ProposedEntry | None:
    """Propose an entry; None for a line without words. An edition that is set apart (`Desk - Growth Edition`,
    `Desk (Team)`) becomes a dimension; one that is part of the name (`Desk Pro`) stays in it."""
    text = (line.description or "").split("\n")[0].strip()
    if not any(sign.isalpha() for sign in text):
        return None
    name = _HEAD.sub("", text)
    name, edition = _split_edition(_remove_tail(name))
    name = _remove_tail(name).strip(" ,;:-–—|(") or text
    return ProposedEntry(
        name=shorten(name, MAX_NAME_LENGTH),
        unit=_read_unit(line),
        dimensions=[ProposedDimension(name=EDITION, option=edition)] if edition else [],
    )


def _remove_tail(name: str) -> str:
    """Remove quantities and periods at the end: `Desk, 120 users, 12 months` is `Desk`."""
    while (match := _TAIL.search(name)) and name[: match.start()].strip():
        unit = match["unit"]
        if unit is not None and not _is_counting_unit(unit):
            break
        name = name[: match.start()]
    return name


def _split_edition(name: str) -> tuple[str, str | None]:
    match = _NAMED_EDITION.search(name)
    if match and name[: match.start()].strip():
        edition = match["after"] or match["before"]
        # `Standard Success Plan` is a plan, not the edition `Success`.
        if match["colon"] or _is_edition_word(edition):
            return name[: match.start()] + name[match.end() :], edition
    match = _PARTED_EDITION.search(name)
    if match and name[: match.start()].strip() and _is_edition_word(match["word"]):
        return name[: match.start()], match["word"]
    return name, None


def _is_edition_word(word: str) -> bool:
    return any(is_edition(one.word) for one in find_words(word))


def _is_counting_unit(unit: str) -> bool:
    """Return whether products are bought by this unit; `8 vCPU` is part of a name."""
    return bool(unit_words(unit) & {"user", "employee", "member", "agent", "host", "device"})


def _read_unit(line: LineItem) -> str | None:
    """Return the unit in the singular, without the period of its price."""
    unit = _PRICE_PERIOD.split(line.unit or "")[0].strip()
    if not unit or not unit_words(unit):
        return None
    if unit.endswith("ies") and len(unit) > 4:
        return f"{unit[:-3]}y"
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") and not unit.endswith("ss") else unit
