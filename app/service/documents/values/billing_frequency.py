"""How often bills come: at once, or every month, quarter or year."""

import re
from collections.abc import Iterator, Mapping

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase, preceded_by
from app.service.documents.values.durations import DAYS, MONTHS

_BILLING = {
    "upfront": re.compile(WORDS.billing.upfront),
    "quarterly": re.compile(WORDS.billing.quarterly),
    "monthly": re.compile(WORDS.billing.monthly),
    "annual": re.compile(WORDS.billing.annual),
}
_LABEL = phrase(WORDS.billing.label)
_STRONG_LABEL = re.compile(WORDS.billing.strong_label)
# `30 days` or `12 months` is when to pay or for how long; `every 3 months` is how often.
_SPAN_OF_DAYS = re.compile(
    rf"(?<!\d)(?!{preceded_by(WORDS.durations.every)})"
    rf"\d*[\d¼½¾]\s*(?:{DAYS}|{MONTHS})"
)


_WEIGHTS = {"bills alone": 2.0, "bills": 1.0, "before the bills": 0.4}
_PER_LETTER = -0.01
_REACH_AFTER, _REACH_BEFORE = 60, 40
"""Letters after and before a word about bills in which a frequency stands."""


def names_bills(text: str) -> bool:
    """Whether a text (folded) is about bills or payments."""
    return _LABEL.search(text) is not None


def find_billing_frequencies(sentence: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    """How often a sentence (plain text) says that bills come, with what speaks for each."""
    for label in _LABEL.finditer(sentence):
        near = sentence[label.start() : label.end() + _REACH_AFTER]
        before = sentence[max(0, label.start() - _REACH_BEFORE) : label.start()]
        for billing, pattern in _BILLING.items():
            found = pattern.search(near)
            if found and not _SPAN_OF_DAYS.search(near[: found.end()]):
                alone = label.start() == 0 or _STRONG_LABEL.match(label.group())
                yield billing, _reasons("bills alone" if alone else "bills", found.start())
            elif (found := pattern.search(before)) and not _SPAN_OF_DAYS.search(before):
                yield billing, _reasons("before the bills", len(before) - found.end())


def _reasons(reason: str, distance: int) -> dict[str, float]:
    return {reason: _WEIGHTS[reason], "distance": _PER_LETTER * distance}
