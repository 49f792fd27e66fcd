"""Clauses in running text: term, renewal, uplift, notice, payment terms, billing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from app.service.documents.extraction import NoticeUnit, Provenance
from app.service.documents.fields.candidates import Candidate, best
from app.service.documents.fields.clause_figures import clause_text
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.further_languages import HOLDS, TITLES, fold_phrases
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.values.billing_frequency import find_billing_frequencies
from app.service.documents.values.durations import SPAN, count_days, count_months
from app.service.values.folding import fold
from app.service.values.periods import names_calendar_end

_WORDS = WORDS.clauses

_LATER_IN_THE_TEXT, _FORM_OF_PAYMENT, _AT_ONCE = -0.001, -1000.0, -1000000.0
ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class Clauses:
    """What the text agrees on, and where each clause was read. Percentages are plain numbers, 5 for 5 %."""

    term_months: int | None = None
    payment_terms_days: int | None = None
    auto_renew: bool | None = None
    renewal_uplift_percent: Decimal | None = None
    notice_days: int | None = None
    billing: str | None = None
    validity_days: int | None = None
    renewal_uplift_is_cap: bool | None = None
    """True where the percentage limits the rise, which protects the buyer; None where it is the rise."""
    provenance: Mapping[str, Provenance] = field(default_factory=dict[str, Provenance], compare=False)
    renewal_months: int | None = None
    """The length of the term that follows at renewal."""
    warnings: tuple[str, ...] = ()
    """Sentences about clauses that were read in two ways."""
    term_doubts: tuple[str, ...] = ()
    """Why the term is not certain, as sentences."""


@dataclass(frozen=True)
class _Statement:
    """A sentence with its folded text and its number among the sentences."""

    text: str
    sentence: Sentence
    order: int

    def candidate(self, value: ValueT, reasons: Mapping[str, float]) -> Candidate[ValueT]:
        place = {"later in the text": self.order * _LATER_IN_THE_TEXT}
        return Candidate(value, {**reasons, **place}, self.sentence.provenance)


def read_clauses(sentences: Iterable[Sentence]) -> Clauses:
    """The clauses that words tell better than whole sentences do: the days of payment, how often bills come,
    and for how many days an offer holds in languages that the model does not know."""
    statements = [
        _Statement(clause_text(sentence.text), sentence, order) for order, sentence in enumerate(sentences)
    ]
    payment, billing = best(_payment_candidates(statements)), best(_billing_candidates(statements))
    validity = best(_validity_candidates(statements))
    found = {"payment_terms_days": payment, "billing": billing, "validity_days": validity}
    return Clauses(
        payment_terms_days=payment.value if payment else None,
        billing=billing.value if billing else None,
        validity_days=validity.value if validity else None,
        provenance={name: one.provenance for name, one in found.items() if one},
    )


_PAYMENT_FORMS = tuple(re.compile(form) for form in _WORDS.payment_forms)
_OTHER_DEADLINES = re.compile(rf"{_WORDS.other_deadlines}(?!.*\b{_WORDS.payable}\b)")
_PAYABLE_AT_ONCE = re.compile(_WORDS.payable_at_once)


def _payment_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[int]]:
    """The days of payment, by the form of the sentence: an earlier form goes before a later one."""
    for statement in statements:
        for rank, form in enumerate(_PAYMENT_FORMS):
            found = form.search(statement.text)
            if (
                found
                and 0 < int(found["days"]) <= 180
                and not _OTHER_DEADLINES.search(statement.text[max(0, found.start() - 40) : found.end()])
            ):
                yield statement.candidate(int(found["days"]), {"form of payment": rank * _FORM_OF_PAYMENT})
        if _PAYABLE_AT_ONCE.search(statement.text):
            yield statement.candidate(0, {"payable at once": _AT_ONCE})


_NOTICE = re.compile(_WORDS.notice)
_SHOWN_OF_NOTICE = 160


def _billing_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[str]]:
    for statement in statements:
        for frequency, reasons in find_billing_frequencies(statement.text):
            yield statement.candidate(frequency, reasons)


_HOLDS = re.compile(rf"(?:^|\b{fold_phrases(TITLES['quote'])}\b.{{0,40}}?\b){fold_phrases(HOLDS)}[ :]*$")
_HOLDS_REACH = 160
"""Letters before a span in which an offer and what says that it holds stand."""


def _validity_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[int]]:
    for statement in statements:
        for found in SPAN.finditer(statement.text):
            before = statement.text[max(0, found.start() - _HOLDS_REACH) : found.start()]
            if _HOLDS.search(before) and 1 <= (days := count_days(found)) <= 366:
                yield statement.candidate(days, {})


def find_validity_months(sentences: Iterable[Sentence], days: int | None) -> int | None:
    """The months that were read as so many days; None where sentences state them in days."""
    spans = (one for sentence in sentences for one in SPAN.finditer(fold(sentence.text)))
    months = {count_months(one) for one in spans if count_days(one) == days}
    return months.pop() if len(months) == 1 else None


def find_notice_unit(sentences: Iterable[Sentence], notice_days: int | None) -> NoticeUnit | None:
    """Return the unit of the notice period that was read as so many days; a week is seven days. None where no
    sentence about notice states it, or sentences state it in both units."""
    units: set[NoticeUnit] = {
        "month" if found["months"] or found["years"] else "day"
        for _, found in _list_notices(sentences, notice_days)
    }
    return units.pop() if len(units) == 1 else None


def describe_notice_end(sentences: Iterable[Sentence], notice_days: int | None) -> list[str]:
    """Return a sentence where a notice of so many days runs to the end of a month, a quarter or a year: it is
    counted to that of the term."""
    for sentence, _ in _list_notices(sentences, notice_days):
        if names_calendar_end(sentence.text):
            shown = sentence.text.strip()[:_SHOWN_OF_NOTICE]
            return [f"The notice period is counted to the end of the term; the document says: {shown!r}"]
    return []


def _list_notices(
    sentences: Iterable[Sentence], notice_days: int | None
) -> Iterator[tuple[Sentence, re.Match[str]]]:
    """The sentences about notice with each span in them of so many days."""
    for sentence in sentences if notice_days is not None else ():
        text = fold(sentence.text)
        if _NOTICE.search(text):
            yield from ((sentence, one) for one in SPAN.finditer(text) if count_days(one) == notice_days)
