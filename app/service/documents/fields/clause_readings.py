"""The clauses of a document as the model reads them, sentence by sentence."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from app.service.documents.extraction import Provenance
from app.service.documents.fields.clause_figures import ClauseFigure, clause_text, find_figures
from app.service.documents.fields.clause_model import read_sentence
from app.service.documents.layout.sentences import Sentence
from app.service.values.dates import DayOrder

ClauseValue: TypeAlias = int | bool | str | Decimal | date

_MOST_SENTENCES = 4000
"""How many sentences of a document are read: a price list of 20,000 rows has more, and no clauses there."""
_LONGEST_TERM = 120
_LONGEST_NOTICE = 366
_LONGEST_PAYMENT = 180
_LARGEST_RISE = 50
"""Percent; what is more is the part of the price that is left."""
_WORDS = re.compile(r"[^\W\d_]{3}")
_BILLING_LABEL = "billing"
"""The label below which the model reads a word by itself."""
_FULL_STOP = 2
"""Letters beside a word on its line from which on it stands in running text."""


@dataclass(frozen=True)
class ClauseReading:
    """A value that a sentence states, and the probability that it does. `is_cap` belongs to a change of
    prices; `ambiguous` says that a date can be read in two ways."""

    value: ClauseValue
    probability: float
    sentence: Sentence
    is_cap: bool = False
    ambiguous: bool = False

    @property
    def has_figure(self) -> bool:
        """Whether the sentence prints the value, or says it in words: `annual`, `payable at once`."""
        return not isinstance(self.value, bool | str) and self.value != 0

    @property
    def provenance(self) -> Provenance:
        return self.sentence.provenance


ClauseReadings: TypeAlias = Mapping[str, tuple[ClauseReading, ...]]
"""By the name of a field the readings of every value that it may have, the most probable first: also of
those that a sentence states of something else."""


def _months(figure: ClauseFigure) -> int | None:
    return _months_of_renewal(figure) if figure.kind != "pace" else None


def _months_of_renewal(figure: ClauseFigure) -> int | None:
    return figure.months if figure.months and figure.months <= _LONGEST_TERM else None


def _days(most: int) -> Callable[[ClauseFigure], int | None]:
    return lambda figure: figure.days if figure.days and figure.days <= most else None


def _percent(figure: ClauseFigure) -> Decimal | None:
    return figure.percent if figure.percent is not None and figure.percent <= _LARGEST_RISE else None


def _day(figure: ClauseFigure) -> date | None:
    return figure.day


_FIGURES: Mapping[str, tuple[tuple[str, ...], Callable[[ClauseFigure], ClauseValue | None]]] = {
    "term_months": (("term",), _months),
    "renewal_months": (("renewal",), _months_of_renewal),
    "notice_days": (("notice",), _days(_LONGEST_NOTICE)),
    "payment_terms_days": (("payment",), _days(_LONGEST_PAYMENT)),
    "validity_days": (("validity",), _days(_LONGEST_NOTICE)),
    "renewal_uplift_percent": (("cap", "rise"), _percent),
    "valid_until": (("until",), _day),
    "start_date": (("start",), _day),
    "end_date": (("end",), _day),
}
"""The classes of figures that state each field, and the value of such a figure."""
_STATEMENTS: Mapping[str, tuple[str, Mapping[str, ClauseValue]]] = {
    "auto_renew": ("renewal", {"renews": True, "does not renew": False}),
    "billing": ("billing", {name: name for name in ("annual", "monthly", "quarterly", "upfront")}),
    "payment_terms_days": ("payment", {"at once": 0}),
}
"""What sentences say of a field without a figure."""


def read_clause_sentences(sentences: Iterable[Sentence], order: DayOrder = "day first") -> ClauseReadings:
    """What the sentences state, each value once with its most probable reading."""
    found: dict[str, dict[ClauseValue, ClauseReading]] = {}
    texts: set[str] = set()
    for sentence in sentences:
        text = clause_text(sentence.text)
        if text in texts or not _WORDS.search(text):
            continue
        texts.add(text)
        if len(texts) > _MOST_SENTENCES:
            break
        for name, reading in _list_readings(text, sentence, order):
            best = found.setdefault(name, {}).get(reading.value)
            if best is None or reading.probability > best.probability:
                found[name][reading.value] = reading
    return {
        name: tuple(sorted(values.values(), key=lambda one: -one.probability))
        for name, values in found.items()
    }


def _list_readings(text: str, sentence: Sentence, order: DayOrder) -> Iterator[tuple[str, ClauseReading]]:
    read = read_sentence(text, find_figures(text, order))
    for one in read.figures:
        chances = one.probabilities
        for name, (clauses, value_of) in _FIGURES.items():
            if (value := value_of(one.figure)) is not None:
                probability = sum(chances[clause] for clause in clauses)
                is_cap = chances["cap"] > chances["rise"]
                yield name, ClauseReading(value, probability, sentence, is_cap, one.figure.ambiguous)
    if " " not in text:
        yield from _read_word(text, sentence)
        return
    for name, (statement, values) in _STATEMENTS.items():
        for answer, value in values.items():
            yield name, ClauseReading(value, read.statements[statement][answer], sentence)


def _read_word(text: str, sentence: Sentence) -> Iterator[tuple[str, ClauseReading]]:
    """What a word by itself states: `Annual.` in running text says how bills come, `Renewal` is a heading."""
    if len(sentence.lines[0].text) - len(text) >= _FULL_STOP:
        chances = read_sentence(f"{_BILLING_LABEL}: {text}", ()).statements["billing"]
        for answer, value in _STATEMENTS["billing"][1].items():
            yield "billing", ClauseReading(value, chances[answer], sentence)
