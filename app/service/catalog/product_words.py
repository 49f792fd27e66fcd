"""The words of a product's name: which tell products apart, and which say nothing about the product.

Names are compared by their words in any order. An edition, a plan or a number decides: a product in another
edition is another product, however similar the rest is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from app.service.values.folding import fold_text

# Each edition with its names in the languages of documents; the first is the one we use.
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

# Regions in which something is sold or run.
_REGIONS = (
    "emea apac americas latam eu europe europa us usa uk ch dach benelux asia africa global worldwide",
    "north south east west",
)
REGIONS = frozenset(word for words in _REGIONS for word in words.split())

# Words about how something is bought, not what.
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
_GENERIC_WORDS = frozenset(word for words in _HOW_IT_IS_BOUGHT for word in words.split())

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_WORD_OR_PLUS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|(?<=\w)\+")
_COUNTED_WORDS = frozenset(
    word
    for words in (
        "named user users nutzer benutzer monat jahr stuck lizenz arbeitsplatz",
        "person mitarbeiter host tag einheit gerat platz",
    )
    for word in words.split()
)
_PER_UNIT = re.compile(rf"\bpro (?=(?:{'|'.join(sorted(_COUNTED_WORDS))})\b)")
_SPAN_OF_TIME = re.compile(
    r"\b\d{1,3}[ -]?(?:months?|monate?n?|mois|maand(?:en)?|mes(?:es)?|years?|jahre?n?|ans?|jaar|anos?)\b"
)
_DATE = re.compile(r"\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b")
_SEPARATOR = re.compile(r"\s*(?:[\n;:|•,(]|\s[-–—]\s)\s*")


def split_words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


@lru_cache(maxsize=65_536)
def telling_words(text: str) -> frozenset[str]:
    """Return the words of a name that identify a product; all words where none does: a product may be called
    `Seats`."""
    return frozenset(_iter_telling_words(text)) or all_words(text)


@lru_cache(maxsize=65_536)
def all_words(text: str) -> frozenset[str]:
    """Return every word of a name, in the singular, editions under one name."""
    return frozenset(_normalise_word(word) for word in plain_words(text))


def list_prefixes(text: str) -> list[str]:
    """Return the beginnings of a text that can be a name, from the shortest to the whole: `Desk Pro, 5 GB`
    may be a `Desk Pro` with a remark."""
    ends = [found.start() for found in _SEPARATOR.finditer(text) if text[: found.start()].strip()]
    return [*(text[:end] for end in ends), text]


def select_deciding(words: Iterable[str]) -> frozenset[str]:
    """Return the words that make it another product: editions, regions, numbers."""
    return frozenset(word for word in words if is_edition(word) or word in REGIONS or word[0].isdigit())


def is_edition(word: str) -> bool:
    """Return whether a normalised word names an edition."""
    return EDITIONS.get(word) == word


def to_singular(word: str) -> str:
    """Return `seats` as `seat`: a simple rule, good enough to compare words."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plain_words(text: str) -> list[str]:
    """Return all words of a text, folded; `Business+` is `business plus`."""
    return _WORD.findall(_fold_wording(text))


@dataclass(frozen=True)
class WordInText:
    """A normalised word and its position in the text."""

    word: str
    start: int
    end: int


@lru_cache(maxsize=8_192)
def find_words(text: str) -> tuple[WordInText, ...]:
    """Return every word of a text in order. `pro` before a counted unit is no edition: `10 € pro Nutzer`.
    The names of products, dimensions and options are asked for again with each line that is read."""
    found = [
        (fold_text(word[0]).replace("+", "plus"), word.start(), word.end())
        for word in _WORD_OR_PLUS.finditer(text)
    ]
    return tuple(
        WordInText(
            "per"
            if word == "pro" and at + 1 < len(found) and found[at + 1][0] in _COUNTED_WORDS
            else _normalise_word(word),
            start,
            end,
        )
        for at, (word, start, end) in enumerate(found)
    )


def _normalise_word(word: str) -> str:
    return EDITIONS.get(word) or to_singular(word)


def _iter_telling_words(text: str) -> Iterator[str]:
    plain = _DATE.sub(" ", _SPAN_OF_TIME.sub(" ", _PER_UNIT.sub("per ", _fold_wording(text))))
    for word in _WORD.findall(plain):
        if word in EDITIONS or (word not in _GENERIC_WORDS and to_singular(word) not in _GENERIC_WORDS):
            yield _normalise_word(word)


def _fold_wording(text: str) -> str:
    return re.sub(r"(?<=\w)\+", " plus ", fold_text(text).replace("_", " ").replace("add-on", "addon"))
