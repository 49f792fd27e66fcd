"""Units that lines count in, in the languages that documents are read in."""

import re

from app.service.catalog.names import folded
from app.service.catalog.product_words import singular

# Each line is one unit under all its names; the first stands for all.
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
_NAMES = {word: names.split()[0] for names in _UNITS for word in names.split()}
# What is counted one by one says nothing about what it is.
_NEUTRAL = frozenset(
    word
    for words in (
        "unit each ea piece pc pcs stuck stk unite unidad einheit eenheid stuks pieza pza c62 h87 x item qty",
        "quantity menge quantite cantidad aantal number count anzahl nombre",
    )
    for word in words.split()
)
_SAYS_NOTHING = frozenset(
    ("named", "active", "per", "full", "concurrent", "paid", "of", "the", "de", "pro", "je", "par", "por")
)
_TIMES = frozenset({"month", "year", "day", "hour"})
# Codes of electronic invoices have digits: `H87` is a piece.
_WORD = re.compile(r"[^\W\d_]+\d*|\d+(?:[.,]\d+)*")

SERVICE_UNITS = frozenset({"day", "hour", "project"})
"""Units of work."""


def unit_words(unit: str) -> frozenset[str]:
    """A unit's words, one for all its names; empty for one that says nothing: `named users` is `user`. Of
    `employee / month` only the first part counts something."""
    words = [_NAMES.get(singular(word)) or _NAMES.get(word) or singular(word) for word in _plain(unit)]
    while len(words) > 1 and words[-1] in {"month", "year"}:
        words.pop()
    return frozenset(word for word in words if word not in _SAYS_NOTHING | _NEUTRAL)


def units_agree(one: str | None, other: str | None) -> bool:
    """Whether two units may be the same: they share a word, or one of them says nothing."""
    words, others = unit_words(one or ""), unit_words(other or "")
    return not words or not others or bool(words & others)


def is_per(unit: str | None) -> str | None:
    """`month` or `year` where a unit says what its price is for: `user / month`."""
    words = [_NAMES.get(singular(word)) or word for word in _plain(unit or "")]
    return words[-1] if len(words) > 1 and words[-1] in {"month", "year"} else None


def _plain(unit: str) -> list[str]:
    return _WORD.findall(folded(unit))
