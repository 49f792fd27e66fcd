"""The languages that documents are read in, and their words together.

A new language is a file beside this one that fills a `Lexicon`, and one line in `LANGUAGES`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from app.service.documents.lexicon.de import DE
from app.service.documents.lexicon.en import EN
from app.service.documents.lexicon.es import ES
from app.service.documents.lexicon.fr import FR
from app.service.documents.lexicon.further_languages import (
    ANSWERS,
    COLUMNS,
    DATES,
    DAYS_IN_TEXT,
    HOLDS,
    HOLDS_AFTER,
    NUMBER_LABELS,
    NUMBERS,
    OF_ANOTHER,
    ONCE,
    OPTIONS,
    OWN_NUMBERS,
    PAYMENTS,
    TITLES,
    TOTALS,
    WEAK_DATES,
    fold_phrases,
)
from app.service.documents.lexicon.it import IT
from app.service.documents.lexicon.lexicon import Lexicon
from app.service.documents.lexicon.nl import NL
from app.service.documents.lexicon.phrases import either
from app.service.documents.lexicon.pt import PT

LANGUAGES: tuple[Lexicon, ...] = (EN, DE, FR, NL, ES, IT, PT)

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


def _join_all() -> Lexicon:
    words = _joined(LANGUAGES)
    numbers = _joined_lists([words.durations.numbers, NUMBERS])
    number = either(f"{words.documents.number} | {fold_phrases(NUMBER_LABELS)}")
    paid, days = fold_phrases(PAYMENTS), rf"(?P<days>\d{{1,3}}) ?{fold_phrases(DAYS_IN_TEXT)}"
    payment, days_first = rf"{paid}[^.%\d]{{0,40}}?{days}(?!\w)", rf"(?<!\d){days} ?{paid}"
    return replace(
        words,
        clauses=_with_phrases(
            replace(words.clauses, payment_forms=(*words.clauses.payment_forms, payment, days_first)),
            {"holds": HOLDS, "holds_after": HOLDS_AFTER, "offer": TITLES["quote"]},
        ),
        durations=replace(words.durations, numbers=numbers),
        documents=_with_phrases(
            replace(words.documents, number=number),
            {
                "order": ANSWERS,
                "order_answer_title": ANSWERS,
                "of_another": OF_ANOTHER,
                "own_number": OWN_NUMBERS,
            },
        ),
        dates=replace(
            _with_phrases(words.dates, DATES),
            weak_document_words=(*words.dates.weak_document_words, *WEAK_DATES),
        ),
        columns=_with_phrases(words.columns, COLUMNS),
        totals=_with_phrases(words.totals, TOTALS),
        lines=_with_phrases(words.lines, {"once": ONCE, "optional": OPTIONS}),
    )


def _with_phrases(words: T, further: Mapping[str, str]) -> T:
    """The words of a section, and beside them those of languages of which little is known."""
    section: Any = words
    named = {name: either(f"{getattr(section, name)} | {fold_phrases(one)}") for name, one in further.items()}
    return cast(T, replace(section, **named))


WORDS = _join_all()
"""The words of all languages: each `str` is a group of a regular expression, each value of a mapping a
list parted by ` | `."""
