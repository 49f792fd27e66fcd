"""Units of lines, in the languages of documents."""

import re

from app.service.catalog.names import fold_text
from app.service.catalog.product_words import to_singular

# Each line has all names of one unit; the first is the one we use.
_UNITS = (
    "user seat license licence nutzer benutzer utilisateur gebruiker usuario lizenz licencia licentie platz"
    " plaats arbeitsplatz plaza poste subscriber",
    "employee mitarbeiter employe medewerker empleado salarie",
    "member membre mitglied lid miembro",
    "agent agente",
    "host server serveur servidor",
    "device gerat appareil apparaat dispositivo endpoint",
    "account konto compte cuenta",
    "pack package paket paquet paquete pakket bundle block box pallet lot",
    "day tag jour dag dia manntag personentag",
    "hour stunde heure uur hora hur std",
    "month monat mois maand mes",
    "year jahr annee an jaar ano",
    "project projekt projet proyecto",
    "site standort vestiging sitio",
)
_UNIT_NAMES = {word: names.split()[0] for names in _UNITS for word in names.split()}
# Words for counting single things; they say nothing about what is counted.
_COUNT_WORDS = frozenset(
    word
    for words in (
        "unit each ea piece pc pcs stuck stk unite unidad einheit eenheid stuks pieza pza c62 h87 x item qty",
        "quantity menge quantite cantidad aantal number count anzahl nombre",
    )
    for word in words.split()
)
_FILLER_WORDS = frozenset(
    ("named", "active", "per", "full", "concurrent", "paid", "of", "the", "de", "pro", "je", "par", "por")
)
_TIMES = frozenset({"month", "year", "day", "hour"})
# Codes of electronic invoices have digits: `H87` is a piece.
_WORD = re.compile(r"[^\W\d_]+\d*|\d+(?:[.,]\d+)*")

SERVICE_UNITS = frozenset({"day", "hour", "project"})
"""Units of work."""


def unit_words(unit: str) -> frozenset[str]:
    """Return a unit's words, each under its main name; empty for a unit that says nothing. `named users` is
    `user`, and of `employee / month` only `employee` is counted."""
    words = [
        _UNIT_NAMES.get(to_singular(word)) or _UNIT_NAMES.get(word) or to_singular(word)
        for word in _split_words(unit)
    ]
    while len(words) > 1 and words[-1] in {"month", "year"}:
        words.pop()
    return frozenset(word for word in words if word not in _FILLER_WORDS | _COUNT_WORDS)


def units_agree(one: str | None, other: str | None) -> bool:
    """Return whether two units may be the same: they share a word, or one of them says nothing."""
    words, others = unit_words(one or ""), unit_words(other or "")
    return not words or not others or bool(words & others)


def find_period(unit: str | None) -> str | None:
    """Return `month` or `year` where a unit names the period of its price: `user / month`."""
    words = [_UNIT_NAMES.get(to_singular(word)) or word for word in _split_words(unit or "")]
    return words[-1] if len(words) > 1 and words[-1] in {"month", "year"} else None


def _split_words(unit: str) -> list[str]:
    return _WORD.findall(fold_text(unit))
