"""The words by which a line says which part of the term it is for."""

import re

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.values.dates import find_dates
from app.service.documents.values.durations import MONTHS

_TIME = WORDS.durations
_TO = rf"(?:[-–—]|{WORDS.dates.until})"
# `months 13-24`, `Monat 1 bis 12`.
MONTHS_OF_TERM = re.compile(
    rf"(?<![a-z])(?:{MONTHS}|{_TIME.month})\.? ?(?P<begin>\d{{1,3}}) ?{_TO} ?m?(?P<end>\d{{1,3}})(?!\d)"
)
YEAR_IN_NAME = re.compile(rf"\W*\b(?:{_TIME.year}|y) ?(\d{{1,2}})\b\W*")
_PARTS_IN_TEXT = [re.compile(one.pattern, re.IGNORECASE) for one in (YEAR_IN_NAME, MONTHS_OF_TERM)]


def remove_part(description: str) -> str:
    """The words of a line without those that say its part of the term: `Platform` of `Platform, year 2` and
    of `Platform, months 13-24`."""
    words = description
    for part in _PARTS_IN_TEXT:
        words = part.sub(" ", words).strip()
    days = find_dates(words)
    if len(days) > 1:
        words = f"{words[: days[0].start]} {words[days[-1].end :]}"
    return words.strip(" ,;:-–—()")
