"""Clauses in running text: term, renewal, uplift, notice, payment terms, billing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.values.billing_frequency import find_billing_frequency
from app.service.documents.values.durations import MONTHS_OR_YEARS, SPAN, count_days, count_months
from app.service.documents.values.folding import fold

_WORDS = WORDS.clauses
_PERCENT = re.compile(rf"(?P<percent>\d+(?:[.,]\d+)?)\s?(?:%|{_WORDS.percent})")


@dataclass(frozen=True)
class Clauses:
    """What the text agrees on. Percentages are plain numbers, 5 for 5 %."""

    term_months: int | None = None
    payment_terms_days: int | None = None
    auto_renew: bool | None = None
    renewal_uplift_percent: Decimal | None = None
    notice_days: int | None = None
    billing: str | None = None
    validity_days: int | None = None
    renewal_uplift_is_cap: bool | None = None
    """True where the percentage limits the rise, which protects the buyer; None where it is the rise."""


def read_clauses(sentences: Iterable[str]) -> Clauses:
    """All clauses of a document, given its sentences and label pairs."""
    said = [_spoken(sentence) for sentence in sentences]
    return Clauses(
        _term(said),
        _payment(said),
        _renews(said),
        _uplift(said),
        _notice(said),
        find_billing_frequency(said),
        _validity(said),
        _caps_uplift(said),
    )


def where_said(clauses: Clauses, sentences: Sequence[str]) -> dict[str, int]:
    """For each clause the index of the first sentence that says so by itself."""
    readers = {
        "term_months": _term, "payment_terms_days": _payment, "auto_renew": _renews,
        "renewal_uplift_percent": _uplift, "notice_days": _notice, "billing": find_billing_frequency,
        "validity_days": _validity,
    }  # fmt: skip
    said = [_spoken(sentence) for sentence in sentences]
    found: dict[str, int] = {}
    for name, reader in readers.items():
        value = getattr(clauses, name)
        saying = (index for index, one in enumerate(said) if reader([one]) == value)
        if value is not None and (index := next(saying, None)) is not None:
            found[name] = index
    return found


def _spoken(sentence: str) -> str:
    return re.sub(r"\s+", " ", fold(sentence)).replace("ß", "ss").replace("’", "'")


_RENEWAL = re.compile(_WORDS.renewal)
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
    r" ?(?P<count>\d{1,3})(?P<digits>)$"
)


def _term(said: Sequence[str]) -> int | None:
    votes: list[tuple[float, int]] = []
    for order, sentence in enumerate(said):
        if in_unit := _TERM_IN_UNIT.match(sentence):
            votes.append((3.0 - order / 1000, count_months(in_unit) or 0))
        for found in SPAN.finditer(sentence):
            months = count_months(found)
            if not months or not 1 <= months <= 120:
                continue
            if _OTHER_SPANS.search(sentence[max(0, found.start() - 80) : found.end() + 20]):
                continue
            before, after = (
                sentence[max(0, found.start() - 45) : found.start()],
                sentence[found.end() : found.end() + 45],
            )
            if _RATE_BEFORE.search(before):
                continue
            score = 0.0
            if _TERM_LABEL.search(before):
                score = 3.0
            elif _TERM_AFTER.match(after.lstrip(" -'")):
                score = 2.0
            elif _TERM_BEFORE.search(before):
                score = 1.0
            if score and _RENEWAL.search(before) and not _RENEWAL_TERM.search(before):
                score -= 2.5
            if _AFTER_TERM.search(sentence[max(0, found.start() - 100) : found.start()]) and _RENEWAL.search(
                sentence
            ):
                score = 0.0
            passes = _TERM_PASSES.search(before)
            if passes and (passes["ends"] or _RENEWAL.search(after)):
                score = 1.0
            if score > 0:
                votes.append((score - order / 1000, months))
    return max(votes)[1] if votes else None


_PAYMENT_FORMS = tuple(re.compile(form) for form in _WORDS.payment_forms)
_OTHER_DEADLINES = re.compile(rf"{_WORDS.other_deadlines}(?!.*\b{_WORDS.payable}\b)")
_PAYABLE_AT_ONCE = re.compile(_WORDS.payable_at_once)


def _payment(said: Sequence[str]) -> int | None:
    for form in _PAYMENT_FORMS:
        for sentence in said:
            found = form.search(sentence)
            if (
                found
                and 0 < int(found["days"]) <= 180
                and not _OTHER_DEADLINES.search(sentence[max(0, found.start() - 40) : found.end()])
            ):
                return int(found["days"])
    return 0 if any(_PAYABLE_AT_ONCE.search(sentence) for sentence in said) else None


_TO_RENEW = _WORDS.renewal_noun
_NO_RENEWAL = re.compile(
    rf"{_WORDS.renews_not}|{_WORDS.without} (?:{_WORDS.automatic} )?{_TO_RENEW}"
    rf"|{_TO_RENEW}(?: {_WORDS.automatic})? ?: ?{_WORDS.no}(?! ?\w)"
    rf"|{_TO_RENEW} {_WORDS.only}\b"
)
_YES_RENEWAL = re.compile(_WORDS.renews)
_ENDS = re.compile(_WORDS.ends)


def _renews(said: Sequence[str]) -> bool | None:
    about = [sentence for sentence in said if _RENEWAL.search(sentence) or _ENDS.search(sentence)]
    if any(_NO_RENEWAL.search(sentence) for sentence in about):
        return False
    return True if any(_YES_RENEWAL.search(sentence) for sentence in about) else None


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


def _caps_uplift(said: Sequence[str]) -> bool | None:
    """True where the percentage at renewal is stated as a limit."""
    found = _uplift_in(said)
    if found is None:
        return None
    sentence, percent = found
    before = sentence[max(0, percent.start() - _CAP_REACH) : percent.start()]
    if _FLOOR.search(before):
        return None
    capped = _CAP_BEFORE.search(before) or _CAP_AFTER.match(sentence[percent.end() :])
    return True if capped else None


def _uplift(said: Sequence[str]) -> Decimal | None:
    found = _uplift_in(said)
    return Decimal(found[1]["percent"].replace(",", ".")) if found else None


def _uplift_in(said: Sequence[str]) -> tuple[str, re.Match[str]] | None:
    """The sentence that says by how much prices rise at renewal, and the percentage in it."""
    for needs_renewal in (True, False):
        for sentence in said:
            if not _RISE.search(sentence) or not _PRICES.search(sentence) or _NO_RISE.search(sentence):
                continue
            if needs_renewal and not _RENEWAL.search(sentence):
                continue
            for found in _PERCENT.finditer(sentence):
                if _WITHIN_TERM.match(sentence[found.end() :]):
                    continue
                return sentence, found
    return None


_NOTICE = re.compile(_WORDS.notice)
_NOTICE_BEFORE = re.compile(rf"{_WORDS.notice_before}$")
_NOTICE_AFTER = re.compile(rf"(?:'s|[')])*\s?{_WORDS.notice_after}")
_OTHER_NOTICE = re.compile(_WORDS.other_notice)


def _notice(said: Sequence[str]) -> int | None:
    votes: list[tuple[float, int]] = []
    for order, sentence in enumerate(said):
        if not _NOTICE.search(sentence) or _OTHER_NOTICE.search(sentence):
            continue
        for found in SPAN.finditer(sentence):
            before, after = (
                sentence[max(0, found.start() - 30) : found.start()].rstrip(),
                sentence[found.end() : found.end() + 30].lstrip(),
            )
            score = 2.0 * bool(_NOTICE_BEFORE.search(before)) + 2.0 * bool(_NOTICE_AFTER.match(after))
            score += 1.0 if _RENEWAL.search(sentence) else 0.0
            if score >= 2.0 and 1 <= count_days(found) <= 365:
                votes.append((score - order / 1000, count_days(found)))
    return max(votes)[1] if votes else None


_HOLDS = re.compile(rf"(?:^|\b{_WORDS.offer}\b.{{0,40}}?\b){_WORDS.holds}[ :]*$")
_OFFERED = re.compile(rf"\b{_WORDS.offer}\b")
_HOLDS_AFTER = re.compile(rf" {_WORDS.holds_after}")


def _validity(said: Sequence[str]) -> int | None:
    """For how many days an offer holds: `This quote is valid for 30 days`."""
    for sentence in said:
        for found in SPAN.finditer(sentence):
            before, after = sentence[: found.start()], sentence[found.end() :]
            bound = _OFFERED.search(before) and _HOLDS_AFTER.match(after)
            if (bound or _HOLDS.search(before)) and 1 <= count_days(found) <= 366:
                return count_days(found)
    return None
