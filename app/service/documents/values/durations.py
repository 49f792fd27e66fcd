"""Spans of time in words and figures: `thirty (30) days`, `36 Monate`, `a year`.

Matched against folded text.
"""

import re
from decimal import Decimal

from app.service.charges.months import count_months_of_years
from app.service.documents.lexicon.further_languages import PACES as FURTHER_PACES
from app.service.documents.lexicon.further_languages import fold_phrases
from app.service.documents.lexicon.languages import WORDS
from app.service.values.dates import match_any
from app.service.values.periods import match_frequency_in_text, match_span_in_text

_TIME = WORDS.durations
_VALUES = {word: number for number, words in _TIME.numbers.items() for word in words.split(" | ")}
_WORD = match_any(_VALUES)
COUNT = rf"(?:\d{{1,3}}|{_WORD})"
"""A number in figures or in words."""
DAYS, WEEKS, MONTHS, YEARS = map(match_span_in_text, ("day", "week", "month", "year"))
"""The words by which sentences count them."""
MONTHS_OR_YEARS = rf"(?:(?P<months>{MONTHS})|(?P<years>{YEARS}))"
"""The unit of a span that `count_months` reads; its number is `count` or `digits`, and `half` halves it."""
SPAN = re.compile(
    rf"(?<![\w.,])(?:(?P<half>{_TIME.half}) )?(?P<count>\d+(?:[.,]\d+)?|{_WORD}(?=[\s(-]))"
    rf"(?:\s?\(\s?(?:(?P<digits>\d+)|{_WORD})\s?\))?[\s-]*"
    rf"(?:{_TIME.qualifiers} )?"
    rf"(?:{MONTHS_OR_YEARS}|(?P<days>{DAYS})|(?P<weeks>{WEEKS}))(?![a-z])"
)
_PER = rf"(?:/|(?<![a-z]){_TIME.per})\s?(?:\w+\s?(?:/|{_TIME.per}|{_TIME.and_})\s?)?"
MONTHLY, YEARLY = (
    re.compile(rf"{_PER}{one}(?![a-z])|(?<![a-z])(?:{often}|{fold_phrases(FURTHER_PACES[elsewhere])})")
    for one, often, elsewhere in (
        (_TIME.month, _TIME.monthly, "monthly"),
        (_TIME.year, _TIME.yearly, "yearly"),
    )
)
"""Words that say how often something is paid: `per user and month`, `/ month`, `annually`."""
WEEKLY, _QUARTERLY, _HALF_YEARLY = (
    re.compile(rf"{_PER}{match_span_in_text(one)}(?![a-z])|(?<![a-z]){match_frequency_in_text(one)}")
    for one in ("week", "quarter", "half year")
)
PACES = ((1, MONTHLY), (3, _QUARTERLY), (6, _HALF_YEARLY), (12, YEARLY))
"""The same with the months between two payments."""
_GROUPED = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
"""Thousands: nobody counts time in thousandths."""


def read_count(text: str) -> int:
    """The number that `COUNT` found."""
    return _VALUES[text] if text in _VALUES else int(text)


def _count(found: re.Match[str]) -> Decimal:
    text = found["digits"] or found["count"]
    if _GROUPED.fullmatch(text):
        text = re.sub(r"\D", "", text)
    count = Decimal(_VALUES[text]) if text in _VALUES else Decimal(text.replace(",", "."))
    return count / 2 if found["half"] else count


def count_months(found: re.Match[str]) -> int | None:
    """The months of a span of months or years; None for days and weeks."""
    if found["years"]:
        return int(count_months_of_years(_count(found)))
    return int(_count(found)) if found["months"] else None


def count_days(found: re.Match[str]) -> int:
    """The days of a span; a month has 30, as in business."""
    of_unit = 365 if found["years"] else 30 if found["months"] else 7 if found["weeks"] else 1
    return int(_count(found) * of_unit)
