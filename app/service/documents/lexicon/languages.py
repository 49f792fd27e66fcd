"""The languages that documents are read in, and their words together.

A new language is a file beside this one that fills a `Lexicon`, and one line in `LANGUAGES`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from app.service.documents.lexicon.calendars import CALENDARS, Calendar
from app.service.documents.lexicon.de import DE
from app.service.documents.lexicon.en import EN
from app.service.documents.lexicon.es import ES
from app.service.documents.lexicon.fr import FR
from app.service.documents.lexicon.it import IT
from app.service.documents.lexicon.lexicon import Lexicon
from app.service.documents.lexicon.nl import NL
from app.service.documents.lexicon.phrases import either
from app.service.documents.lexicon.pt import PT

LANGUAGES: tuple[Lexicon, ...] = (
    EN,
    DE,
    FR,
    NL,
    ES,
    IT,
    PT,
)

T = TypeVar("T")


def _joined(values: Sequence[T]) -> T:
    """The values of one field, or of one section, in several languages as one value."""
    first: Any = values[0]
    joined: object
    if is_dataclass(first) and not isinstance(first, type):
        each = {one.name: [getattr(value, one.name) for value in values] for one in fields(first)}
        joined = replace(first, **{name: _joined(words) for name, words in each.items()})
    elif isinstance(first, str):
        joined = either(" | ".join(cast(Sequence[str], values)))
    elif isinstance(first, Mapping):
        joined = _joined_lists(cast(Sequence[Mapping[Any, str]], values))
    else:
        joined = tuple(word for words in cast(Sequence[tuple[str, ...]], values) for word in words)
    return cast(T, joined)


def _joined_lists(mappings: Sequence[Mapping[Any, str]]) -> dict[Any, str]:
    keys = dict.fromkeys(key for mapping in mappings for key in mapping)
    return {key: " | ".join(mapping[key] for mapping in mappings if key in mapping) for key in keys}


def _with_calendars(words: Lexicon, calendars: Sequence[Calendar]) -> Lexicon:
    """The words with the spans of time of languages of which nothing else is known."""
    time = words.durations
    units = {
        "days": [time.days, *(one.days for one in calendars)],
        "weeks": [time.weeks, *(one.weeks for one in calendars)],
        "months": [time.months, *(one.span_months for one in calendars)],
        "years": [time.years, *(one.years for one in calendars)],
    }
    groups: dict[str, Any] = {name: either(" | ".join(each)) for name, each in units.items()}
    numbers = _joined_lists([time.numbers, *(one.numbers for one in calendars)])
    return replace(words, durations=replace(time, numbers=numbers, **groups))


WORDS = _with_calendars(_joined(LANGUAGES), CALENDARS)
"""The words of all languages: each `str` is a group of a regular expression, each value of a mapping a
list parted by ` | `."""
