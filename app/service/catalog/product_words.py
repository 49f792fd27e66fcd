"""The words of a product's wording: which of them tell products apart, which say nothing about the product.

A wording is compared by its words, whatever their order. An edition, a plan or a number decides: a product in
another edition is another product, however alike the rest is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from app.service.catalog.names import folded

# Each edition under its names in the languages that documents are read in; the first stands for all.
_EDITIONS = (
    "starter start einsteiger debutant beginner",
    "basic basis basique basico base grundversion",
    "free gratis gratuit kostenlos",
    "lite light leicht leger",
    "personal individual persoonlijk",
    "standard estandar standaard",
    "essential essentials essentiel essentiels essenziale esencial essentieel",
    "team teams equipo equipe",
    "professional pro professionnel profesional professioneel professionell",
    "business entreprises zakelijk empresarial geschaftlich",
    "enterprise unternehmen entreprise empresa onderneming corporate",
    "advanced avance avanzado geavanceerd erweitert",
    "plus",
    "premium",
    "premier",
    "ultimate",
    "unlimited illimite ilimitado onbeperkt unbegrenzt",
    "growth",
    "scale",
    "core",
    "expert",
    "elite",
    "express",
    "developer entwickler",
    "community",
    "bronze",
    "silver",
    "gold",
    "platinum platin platine",
    "diamond",
)
EDITIONS = {word: names.split()[0] for names in _EDITIONS for word in names.split()}

# Where something is sold or run.
_REGIONS = (
    "emea apac americas latam eu europe europa us usa uk ch dach benelux asia africa global worldwide",
    "north south east west",
)
REGIONS = frozenset(word for words in _REGIONS for word in words.split())

# Words that say how something is bought, not what.
_HOW_IT_IS_BOUGHT = (
    # how it is licensed
    "licence license licenses licences lizenz lizenzen licentie licencia abonnement subscription suscripcion",
    "abo saas software named fee fees",
    # how it is counted
    "user seat nutzer benutzer utilisateur gebruiker usuario each unit units per je par por",
    # for how long
    "annual yearly monthly quarterly year month annually term renewal prepaid upfront jahrlich monatlich",
    "jahr monat annuel mensuel an mois jaarlijks maandelijks jaar maand anual mensual ano mes day days",
    # what kind of choice it is
    "edition plan tier level version ausgabe stufe formule versie editie edicion nivel",
    # words between words
    "for the of and a an with in to on fur und mit der die das von zu pour et de la le les du avec voor en",
    "met van het y con para el los las incl including inclusive x",
)
_GENERIC = frozenset(word for words in _HOW_IT_IS_BOUGHT for word in words.split())

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_SPOT = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|(?<=\w)\+")
_COUNTED = frozenset(
    word
    for words in (
        "named user users nutzer benutzer monat jahr stuck lizenz arbeitsplatz",
        "person mitarbeiter host tag einheit gerat platz",
    )
    for word in words.split()
)
_PER = re.compile(rf"\bpro (?=(?:{'|'.join(sorted(_COUNTED))})\b)")
_SPAN_OF_TIME = re.compile(
    r"\b\d{1,3}[ -]?(?:months?|monate?n?|mois|maand(?:en)?|mes(?:es)?|years?|jahre?n?|ans?|jaar|anos?)\b"
)
_DATE = re.compile(r"\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b")
_PART = re.compile(r"\s*(?:[\n;:|•,(]|\s[-–—]\s)\s*")


def words_in(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())


def words_of(text: str) -> list[str]:
    """All telling words of a wording in their order, in the singular, editions under one name."""
    return list(_words(text))


@lru_cache(maxsize=65_536)
def word_set(text: str) -> frozenset[str]:
    """The telling words of a wording; all its words where none is: a product may be called `Seats`."""
    return frozenset(_words(text)) or all_words(text)


@lru_cache(maxsize=65_536)
def all_words(text: str) -> frozenset[str]:
    """Every word of a wording, in the singular, editions under one name."""
    return frozenset(_canonical(word) for word in plain_words(text))


def prefixes(text: str) -> list[str]:
    """The wording's beginnings that can be a name, the shortest first, the last all of it: `Desk Pro, 5 GB`
    may be a `Desk Pro` with a remark."""
    ends = [found.start() for found in _PART.finditer(text) if text[: found.start()].strip()]
    return [*(text[:end] for end in ends), text]


def deciding(words: Iterable[str]) -> frozenset[str]:
    """Those that make it another product: editions, regions, numbers."""
    return frozenset(word for word in words if is_edition(word) or word in REGIONS or word[0].isdigit())


def is_edition(word: str) -> bool:
    """Whether a word of `words_of` names an edition."""
    return EDITIONS.get(word) == word


def singular(word: str) -> str:
    """`seats` as `seat`; enough to compare words, right or not."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plain_words(text: str) -> list[str]:
    """All words of a text, folded, `Business+` as `business plus`."""
    return _WORD.findall(_folded(text))


@dataclass(frozen=True)
class SpottedWord:
    """A word of a text, in the singular and an edition under its first name, and where it stands there."""

    word: str
    start: int
    end: int


def spotted(text: str) -> list[SpottedWord]:
    """Every word of a text in its order. `pro` before what is counted is no edition: `10 € pro Nutzer`."""
    found = [
        (folded(word[0]).replace("+", "plus"), word.start(), word.end()) for word in _SPOT.finditer(text)
    ]
    return [
        SpottedWord(
            "per"
            if word == "pro" and at + 1 < len(found) and found[at + 1][0] in _COUNTED
            else _canonical(word),
            start,
            end,
        )
        for at, (word, start, end) in enumerate(found)
    ]


def _canonical(word: str) -> str:
    return EDITIONS.get(word) or singular(word)


def _words(text: str) -> Iterator[str]:
    plain = _DATE.sub(" ", _SPAN_OF_TIME.sub(" ", _PER.sub("per ", _folded(text))))
    for word in _WORD.findall(plain):
        if word in EDITIONS or (word not in _GENERIC and singular(word) not in _GENERIC):
            yield _canonical(word)


def _folded(text: str) -> str:
    return re.sub(r"(?<=\w)\+", " plus ", folded(text).replace("_", " ").replace("add-on", "addon"))
