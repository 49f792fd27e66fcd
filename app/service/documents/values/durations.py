"""Spans of time in words and figures: `thirty (30) days`, `36 Monate`, `a year`.

Matched against `plain` text.
"""

import re
from datetime import date
from decimal import Decimal

_NUMBER_WORDS = {
    1: "one a an ein eine einem einer einen un une een uno una", 2: "two zwei deux twee dos",
    3: "three drei trois drie tres", 4: "four vier quatre cuatro", 5: "five funf cinq vijf cinco",
    6: "six sechs zes seis", 7: "seven sieben sept zeven siete", 8: "eight acht huit ocho",
    9: "nine neun neuf negen nueve", 10: "ten zehn dix tien diez", 12: "twelve zwolf douze twaalf doce",
    14: "fourteen vierzehn quatorze veertien catorce", 15: "fifteen quinze quince", 18: "eighteen",
    20: "twenty zwanzig vingt twintig veinte", 24: "twenty-four vierundzwanzig",
    30: "thirty dreissig trente dertig treinta", 36: "thirty-six sechsunddreissig",
    45: "forty-five funfundvierzig", 60: "sixty sechzig soixante zestig sesenta",
    90: "ninety neunzig negentig noventa quatre-vingt-dix",
    120: "one-hundred-twenty", 180: "one-hundred-eighty",
}  # fmt: skip
_VALUES = {word: number for number, words in _NUMBER_WORDS.items() for word in words.split()}
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
SPAN = re.compile(
    rf"(?<![\w.,])(?P<count>\d+(?:[.,]\d+)?|{_WORD})(?:\s?\(\s?(?P<digits>\d+)\s?\))?[\s-]*"
    r"(?:calendar |business |full |written |consecutive )?"
    r"(?P<unit>months?|monate?n?|mois|maand(?:en)?|mes(?:es)?|mths?|mos?|years?|yrs?|jahre?n?|ans?"
    r"|annees?|jaar|jaren"
    r"|anos?|days?|tage?n?|jours?|dag(?:en)?|dias?|weeks?|wochen?|semaines?|weken|semanas?)(?![a-z])"
)


def _count(found: re.Match[str]) -> Decimal:
    text = found["digits"] or found["count"]
    return Decimal(_VALUES[text]) if text in _VALUES else Decimal(text.replace(",", "."))


def months_in(found: re.Match[str]) -> int | None:
    """The months of a span of months or years; None for days and weeks."""
    unit, count = found["unit"], _count(found)
    if unit.startswith(("y", "ja", "an")):
        return int(count * 12)
    return int(count) if unit.startswith("m") else None


def days_in(found: re.Match[str]) -> int:
    """The days of a span; a month has 30, as in business."""
    unit, count = found["unit"], _count(found)
    if unit.startswith(("w", "sem")):
        return int(count * 7)
    if unit.startswith("m"):
        return int(count * 30)
    return int(count * 365) if unit.startswith(("y", "ja", "an")) else int(count)


def term_between(start: date, end: date) -> int | None:
    """Whole months from the first to the last day of a service; None when they are no whole months."""
    months = (end.year - start.year) * 12 + end.month - start.month
    days = end.day - start.day
    if days >= 25 or (days < 0 and start.day == 1):
        months += days >= 25
    elif not -2 <= days <= 1 and not (days < 0 and end.day >= 28):
        return None
    return months if 1 <= months <= 120 else None
