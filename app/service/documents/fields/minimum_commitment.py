"""The least that is paid, however little is used: `Minimum annual commitment: USD 50,000`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.contract.money import format_money
from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.tables import certainty
from app.service.documents.values.money import Figure
from app.service.values.folding import fold

_TIME = WORDS.durations
_NAMED = re.compile(rf"(?<![a-z])(?:{WORDS.clauses.least_paid})(?![a-z])")
_PERIODS = (
    (12, re.compile(rf"(?<![a-z])(?:{_TIME.yearly}|{_TIME.year})(?![a-z])")),
    (1, re.compile(rf"(?<![a-z])(?:{_TIME.monthly}|{_TIME.month})(?![a-z])")),
    (3, re.compile(rf"(?<![a-z])(?:{WORDS.billing.quarterly})")),
)
_COUNTED = re.compile(r"\d[\s-]*$")
_NEAR = 60
"""How many letters may stand between the words and the sum."""


@dataclass(frozen=True)
class MinimumCommitment:
    """At least `amount` is paid for each `months` of the term, None for all of it. `warning` says where a
    document states several: then none is taken."""

    amount: Decimal | None = None
    months: int | None = None
    provenance: Provenance | None = None
    warning: str | None = None


def find_minimum_commitment(
    sentences: Sequence[Sentence], rows: Sequence[Row], items: Sequence[LineItem]
) -> MinimumCommitment | None:
    """Find it in the sentences and the rows; None where nothing states it, or a line has it as its amount."""
    texts = [
        *((one.text, one.figures, one.provenance) for one in sentences),
        *((one.text, one.figures, one.locate(certainty.STAND_IN_TEXT)) for one in rows),
    ]
    found: dict[tuple[Decimal, int | None], Provenance] = {}
    for text, figures, place in texts:
        for amount, months in _read(fold(text), figures):
            found.setdefault((amount, months), place)
    for amount, months in list(found):
        # A cell says nothing of the period that the whole row names.
        if months is not None:
            found.pop((amount, None), None)
    found = {key: place for key, place in found.items() if all(item.amount != key[0] for item in items)}
    if len(found) > 1:
        amounts = " and ".join(format_money(amount, "") for amount, _ in found)
        return MinimumCommitment(
            warning=f"The least that is to be paid is read as {amounts}: it is counted nowhere."
        )
    return next((MinimumCommitment(*key, place) for key, place in found.items()), None)


def _read(text: str, figures: Sequence[Figure]) -> Iterator[tuple[Decimal, int | None]]:
    """The sums of money beside words for the least that is paid, each with the months that it is for."""
    money = [one for one in figures if one.currency and one.value > 0 and not one.percent]
    for named in _NAMED.finditer(text):
        behind = [one for one in money if 0 <= one.start - named.end() <= _NEAR]
        before = [one for one in money if 0 <= named.start() - one.end <= _NEAR]
        figure = behind[0] if behind else before[-1] if before else None
        if figure is not None:
            around = text[min(named.start(), figure.start) : max(named.end(), figure.end) + _NEAR // 2]
            yield figure.value, _find_months(around)


def _find_months(text: str) -> int | None:
    """The length of the period that is named; a number of years or months is a term, and no period."""
    for months, period in _PERIODS:
        if any(not _COUNTED.search(text[: one.start()]) for one in period.finditer(text)):
            return months
    return None
