"""Clauses in running text: term, renewal, uplift, notice, payment terms, billing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from app.service.charges.schedule import MAX_TERM_MONTHS
from app.service.documents.extraction import NoticeUnit, Provenance
from app.service.documents.fields.candidates import Candidate, best
from app.service.documents.fields.clause_figures import clause_text
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.further_languages import (
    AFTER_SPAN,
    DAYS_IN_TEXT,
    TERM_IS,
    TERMS,
    fold_phrases,
)
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.lexicon.vocabulary import PAYMENT_FORMS
from app.service.documents.values.billing_frequency import find_billing_frequencies
from app.service.documents.values.durations import MONTHS_OR_YEARS, SPAN, count_days, count_months
from app.service.values.folding import fold
from app.service.values.periods import names_calendar_end, read_span

_WORDS = WORDS.clauses
_PERCENT = re.compile(rf"(?P<percent>\d+(?:[.,]\d+)?)\s?(?:%|{_WORDS.percent})")

_WEIGHTS = {
    "later in the text": -0.001, "label of the term": 3.0, "words after a term": 2.0,
    "words before a term": 1.0, "the term passes": 1.0, "about renewal": -2.5, "form of payment": -1000.0,
    "payable at once": -1000000.0, "does not renew": 1000.0, "renews": 1.0, "rise at renewal": 1000.0,
    "words before a notice": 2.0, "words after a notice": 2.0, "notice of renewal": 1.0, "offer holds": 1.0,
}  # fmt: skip
_LEAST_FOR_NOTICE = 2.0
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
        place = {"later in the text": self.order * _WEIGHTS["later in the text"]}
        return Candidate(value, {**reasons, **place}, self.sentence.provenance)

    def supports(self, value: ValueT, *reasons: str) -> Candidate[ValueT]:
        return self.candidate(value, {reason: _WEIGHTS[reason] for reason in reasons})


def read_clauses(sentences: Iterable[Sentence]) -> Clauses:
    """All clauses of a document, given its sentences and label pairs."""
    statements = [
        _Statement(clause_text(sentence.text), sentence, order) for order, sentence in enumerate(sentences)
    ]
    term = best(_term_candidates(statements))
    payment = best(_payment_candidates(statements))
    renewal = best(_renewal_candidates(statements))
    uplift = best(_uplift_candidates(statements))
    notice = best(_notice_candidates(statements))
    billing = best(_billing_candidates(statements))
    validity = best(_validity_candidates(statements))
    found = {
        "term_months": term, "payment_terms_days": payment, "auto_renew": renewal,
        "renewal_uplift_percent": uplift, "notice_days": notice, "billing": billing,
        "validity_days": validity,
    }  # fmt: skip
    return Clauses(
        term.value if term else None,
        payment.value if payment else None,
        renewal.value if renewal else None,
        uplift.value.percent if uplift else None,
        notice.value if notice else None,
        billing.value if billing else None,
        validity.value if validity else None,
        uplift.value.is_cap if uplift else None,
        {name: one.provenance for name, one in found.items() if one},
        term_doubts=() if term else tuple(dict.fromkeys(_describe_impossible_terms(statements))),
    )


_RENEWAL = re.compile(_WORDS.renewal)
_LONGEST_TERM = 120
"""Months of a term that no label names: a right or a warranty may last longer."""
_TERM_LABEL = phrase(_WORDS.term)
_TERM_AFTER = phrase(_WORDS.term_after)
_TERM_BEFORE = re.compile(rf"{_WORDS.term_prepositions}(?: {_WORDS.term_fillers})*[ :(]*$")
# `The subscription ends after twelve months`, `Nach 36 Monaten verlängert sich der Vertrag`
_TERM_PASSES = re.compile(rf"(?P<ends>{_WORDS.ends_verb} )?{_WORDS.after} $")
# `After the initial term this agreement renews for 12 months`
_AFTER_TERM = re.compile(rf"\b{_WORDS.after_term}\b")
_RENEWAL_TERM = re.compile(_WORDS.renewal_term)
_OTHER_SPANS = re.compile(_WORDS.other_spans)
_RATE_BEFORE = re.compile(rf"(?:[%€$£]|{_WORDS.percent}) ?$")  # `3% a year`
# `Term (months): 12`: the unit stands with the label.
_TERM_IN_UNIT = re.compile(
    rf"[^:]{{0,30}}{_WORDS.term_noun}[^:\w]{{0,4}}(?:[a-z]{{2}} )?{MONTHS_OR_YEARS}[^:\w]{{0,4}}:"
    r" ?(?P<count>\d{1,3})(?P<digits>)(?P<half>)$"
)


_TERM_ELSEWHERE = re.compile(
    rf"[\W\d]*{fold_phrases(TERMS)}\s*(?:[:：–-]|{fold_phrases(TERM_IS)})?\s*"
    rf"(?P<span>\d{{1,3}}\s?[^\d\s.,;(（。、]+?){fold_phrases(AFTER_SPAN)}*\s*(?:[.,;(（。、]|$)"
)
"""`契約期間: 24ヶ月`, alone with its label."""


def _describe_impossible_terms(statements: Sequence[_Statement]) -> Iterator[str]:
    """Say which terms are stated that no deal has."""
    for statement in statements:
        spans = [_TERM_IN_UNIT.match(statement.text), *SPAN.finditer(statement.text)]
        for found in filter(None, spans):
            months = count_months(found)
            is_term = found.re is _TERM_IN_UNIT or "label of the term" in _reasons_for_term(
                statement.text, found
            )
            if months is not None and is_term and not 1 <= months <= MAX_TERM_MONTHS:
                yield f"The document states a term of {months:,} months, which no deal has: state the term."


def _term_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[int]]:
    for statement in statements:
        elsewhere = _TERM_ELSEWHERE.match(statement.text)
        span = read_span(elsewhere["span"]) if elsewhere else None
        if span is not None and 1 <= (span.months or 0) <= MAX_TERM_MONTHS:
            yield statement.supports(span.months or 0, "label of the term")
        in_unit = _TERM_IN_UNIT.match(statement.text)
        if in_unit and 1 <= (months := count_months(in_unit) or 0) <= MAX_TERM_MONTHS:
            yield statement.supports(months, "label of the term")
        for found in SPAN.finditer(statement.text):
            months = count_months(found)
            reasons = _reasons_for_term(statement.text, found)
            longest = MAX_TERM_MONTHS if "label of the term" in reasons else _LONGEST_TERM
            if months and 1 <= months <= longest and sum(_WEIGHTS[reason] for reason in reasons) > 0:
                yield statement.supports(months, *reasons)


def _reasons_for_term(sentence: str, found: re.Match[str]) -> list[str]:
    """What speaks for and against a span of time as the term of the agreement."""
    before, after = sentence[: found.start()], sentence[found.end() : found.end() + 45]
    if _OTHER_SPANS.search(sentence[max(0, found.start() - 80) : found.end() + 20]):
        return []
    near = before[-45:]
    if _RATE_BEFORE.search(near):
        return []
    passes = _TERM_PASSES.search(near)
    if passes and (passes["ends"] or _RENEWAL.search(after)):
        return ["the term passes"]
    if _AFTER_TERM.search(before[-100:]) and _RENEWAL.search(sentence):
        return []
    reasons: list[str] = []
    if _TERM_LABEL.search(near):
        reasons.append("label of the term")
    elif _TERM_AFTER.match(after.lstrip(" -'")):
        reasons.append("words after a term")
    elif _TERM_BEFORE.search(near):
        reasons.append("words before a term")
    if reasons and _RENEWAL.search(near) and not _RENEWAL_TERM.search(near):
        reasons.append("about renewal")
    return reasons


_OTHER_DEADLINES = re.compile(rf"{_WORDS.other_deadlines}(?!.*\b{_WORDS.payable}\b)")
_PAYABLE_AT_ONCE = re.compile(_WORDS.payable_at_once)


def _payment_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[int]]:
    """The days of payment, by the form of the sentence: an earlier form goes before a later one."""
    for statement in statements:
        for rank, form in enumerate(PAYMENT_FORMS):
            found = form.search(statement.text)
            if (
                found
                and 0 < int(found["days"]) <= 180
                and not _OTHER_DEADLINES.search(statement.text[max(0, found.start() - 40) : found.end()])
            ):
                weight = rank * _WEIGHTS["form of payment"]
                yield statement.candidate(int(found["days"]), {"form of payment": weight})
        if _PAYABLE_AT_ONCE.search(statement.text):
            yield statement.supports(0, "payable at once")


_TO_RENEW = _WORDS.renewal_noun
_NO_RENEWAL = re.compile(
    rf"{_WORDS.renews_not}|{_WORDS.without} (?:{_WORDS.automatic} )?{_TO_RENEW}"
    rf"|{_TO_RENEW}(?: {_WORDS.automatic})? ?: ?{_WORDS.no}(?! ?\w)"
    rf"|{_TO_RENEW} {_WORDS.only}\b"
)
_YES_RENEWAL = re.compile(_WORDS.renews)
_ENDS = re.compile(_WORDS.ends)


def _renewal_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[bool]]:
    """Whether the agreement renews itself: one sentence that says no outweighs all others."""
    for statement in statements:
        if not _RENEWAL.search(statement.text) and not _ENDS.search(statement.text):
            continue
        if _NO_RENEWAL.search(statement.text):
            yield statement.supports(False, "does not renew")
        elif _YES_RENEWAL.search(statement.text):
            yield statement.supports(True, "renews")


_RISE = re.compile(_WORDS.rise)
_PRICES = re.compile(_WORDS.price)
_NO_RISE = re.compile(_WORDS.no_rise)
# A rise from one year of the term to the next is none at renewal.
_WITHIN_TERM = re.compile(rf" {_WORDS.within_year} ?\d")
# What makes a percentage the most that a price may rise by: before it, or after it.
_CAP_BEFORE = re.compile(_WORDS.cap_before)
_CAP_AFTER = re.compile(rf"[ ,(]*{_WORDS.cap_after}")
# `The greater of 3 % and the index` is no limit, whatever else is.
_FLOOR = re.compile(_WORDS.floor)
_CAP_REACH = 90
"""Letters before a percentage in which the words of a cap are looked for."""


@dataclass(frozen=True)
class _Uplift:
    """By how much prices rise at renewal; `is_cap` is True where that is a limit, else None."""

    percent: Decimal
    is_cap: bool | None


def _uplift_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[_Uplift]]:
    for statement in statements:
        sentence = statement.text
        if not _RISE.search(sentence) or not _PRICES.search(sentence) or _NO_RISE.search(sentence):
            continue
        reasons = ["rise at renewal"] if _RENEWAL.search(sentence) else []
        for found in _PERCENT.finditer(sentence):
            if not _WITHIN_TERM.match(sentence[found.end() :]):
                percent = Decimal(found["percent"].replace(",", "."))
                yield statement.supports(_Uplift(percent, _is_cap(sentence, found)), *reasons)


def _is_cap(sentence: str, percent: re.Match[str]) -> bool | None:
    before = sentence[max(0, percent.start() - _CAP_REACH) : percent.start()]
    if _FLOOR.search(before):
        return None
    capped = _CAP_BEFORE.search(before) or _CAP_AFTER.match(sentence[percent.end() :])
    return True if capped else None


_NOTICE = re.compile(_WORDS.notice)
_NOTICE_BEFORE = re.compile(rf"{_WORDS.notice_before}$")
_NOTICE_AFTER = re.compile(rf"(?:'s|[')])*\s?{_WORDS.notice_after}")
_OTHER_NOTICE = re.compile(_WORDS.other_notice)
_SHOWN_OF_NOTICE = 160


def _notice_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[int]]:
    for statement in statements:
        sentence = statement.text
        if not _NOTICE.search(sentence) or _OTHER_NOTICE.search(sentence):
            continue
        renews = _RENEWAL.search(sentence)
        for found in SPAN.finditer(sentence):
            before, after = (
                sentence[max(0, found.start() - 30) : found.start()].rstrip(),
                sentence[found.end() : found.end() + 30].lstrip(),
            )
            reasons = [
                reason
                for reason, holds in (
                    ("words before a notice", _NOTICE_BEFORE.search(before)),
                    ("words after a notice", _NOTICE_AFTER.match(after)),
                    ("notice of renewal", renews),
                )
                if holds
            ]
            enough = sum(_WEIGHTS[reason] for reason in reasons) >= _LEAST_FOR_NOTICE
            if enough and 1 <= count_days(found) <= 365:
                yield statement.supports(count_days(found), *reasons)


def _billing_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[str]]:
    for statement in statements:
        for frequency, reasons in find_billing_frequencies(statement.text):
            yield statement.candidate(frequency, reasons)


_HOLDS = re.compile(rf"(?:^(?:\d{{1,2}}[.)、] ?)?|\b{_WORDS.offer}\b.{{0,40}}?\b){_WORDS.holds}[ :]*$")
_DAYS_ELSEWHERE = re.compile(rf"(?<!\d)(?P<days>\d{{1,3}}) ?{fold_phrases(DAYS_IN_TEXT)}(?!\w)")
"""Days in languages whose sentences no model reads."""
_HOLDS_REACH = 160
"""Letters before a span in which an offer and what says that it holds stand."""
_OFFERED = re.compile(rf"\b{_WORDS.offer}\b")
_HOLDS_AFTER = re.compile(rf" {_WORDS.holds_after}")


def _validity_candidates(statements: Sequence[_Statement]) -> Iterator[Candidate[int]]:
    """For how many days an offer holds: `This quote is valid for 30 days`."""
    for statement in statements:
        spans = [(one, count_days(one)) for one in SPAN.finditer(statement.text)]
        spans += [(one, int(one["days"])) for one in _DAYS_ELSEWHERE.finditer(statement.text)]
        for found, days in spans:
            bound = _HOLDS_AFTER.match(statement.text, found.end()) and _OFFERED.search(
                statement.text, 0, found.start()
            )
            before = statement.text[max(0, found.start() - _HOLDS_REACH) : found.start()]
            if (bound or _HOLDS.search(before)) and 1 <= days <= 366:
                yield statement.supports(days, "offer holds")


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
