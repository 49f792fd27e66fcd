"""Months of the term for which nothing is paid: `The first three months are free of charge`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.contract.money import format_count
from app.service.charges.schedule import Span
from app.service.documents.extraction import LineItem
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.tables.line_parts import MONTHS_OF_TERM
from app.service.documents.values.durations import COUNT, MONTHS, read_count
from app.service.values.folding import fold

_WORDS = WORDS.clauses
_FREE = rf"(?<![a-z])(?:{_WORDS.free})"
_PLACES = rf"{_WORDS.first}|{_WORDS.last}"
_COUNTED = (
    rf"(?<![a-z\d])(?:(?P<before>{_PLACES})[ -])?(?P<count>{COUNT})(?: ?\(\d+\))?[ -]"
    rf"(?:(?P<behind>{_PLACES})[ -])?(?P<between>{_FREE}[ -]?)?(?:{MONTHS})(?![a-z])"
)
_SPAN = re.compile(f"{MONTHS_OF_TERM.pattern}|{_COUNTED}")
_LAST = re.compile(_WORDS.last)
_FREE_BEHIND = re.compile(rf"[^.;!?\d]{{0,30}}{_FREE}(?![a-z])")
_FREE_BEFORE = re.compile(rf"{_FREE}(?:[ :,(-]+[a-z]+){{0,3}}[ :,(-]*$")


@dataclass(frozen=True)
class FreeMonths:
    """So many `months` are free; `start` is after how many months of the term they begin, None where nothing
    says it."""

    start: int | None
    months: int

    def find_paid_part(self, term_months: int) -> Span | None:
        """Return the part of the term that is paid; None where it is not known, or is in two pieces."""
        if self.start == 0 and self.months < term_months:
            return self.months, term_months - self.months
        if self.start and self.start + self.months == term_months:
            return 0, self.start
        return None


def find_free_months(sentences: Sequence[Sentence], term_months: int | None) -> FreeMonths | None:
    """Find them; None where no sentence names any, or several name others."""
    found = {one for sentence in sentences for _, one in _read(fold(sentence.text), term_months)}
    return found.pop() if len(found) == 1 else None


def without_free_months(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences without the words that name free months: they are no term."""
    return [replace(one, text=_take_out(one.text)) for one in sentences]


def describe_free_months(free: FreeMonths | None, items: Sequence[LineItem], term: int | None) -> str | None:
    """Say that months are free where the amounts of the lines do not show it."""
    if free is None or (term and any(one.span_months == term - free.months for one in items)):
        return None
    months = format_count(free.months, "month is", "months are")
    return (
        f"The document says that {months} free, and the amounts of its lines do not show that: check what is"
        " paid for them."
    )


def _read(text: str, term_months: int | None) -> Iterator[tuple[re.Match[str], FreeMonths]]:
    spans = list(_SPAN.finditer(text))
    ends = [*(one.start() for one in spans), len(text)]
    for found, end in zip(spans, ends[1:], strict=True):
        named = found["between"] or _FREE_BEHIND.match(text, found.end(), end)
        if not named and not _FREE_BEFORE.search(text[: found.start()]):
            continue
        if found["begin"]:
            start, months = int(found["begin"]) - 1, int(found["end"]) - int(found["begin"]) + 1
        else:
            months = read_count(found["count"])
            place = found["before"] or found["behind"]
            is_last = bool(place and _LAST.fullmatch(place))
            start = None if not place else 0
            if is_last:
                start = None if term_months is None else term_months - months
        if months > 0 and (start is None or start >= 0):
            yield found, FreeMonths(start, months)


def _take_out(text: str) -> str:
    folded = fold(text)
    if len(folded) != len(text):
        return "" if any(_read(folded, None)) else text
    for found, _ in reversed(list(_read(folded, None))):
        text = f"{text[: found.start()]}{text[found.end() :]}"
    return text
