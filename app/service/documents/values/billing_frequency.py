"""How often bills come: at once, or every month, quarter or year."""

import re
from collections.abc import Sequence

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase, preceded_by

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
    rf"\d+\s*(?:{WORDS.durations.days}|{WORDS.durations.months})"
)


def find_billing_frequency(sentences: Sequence[str]) -> str | None:
    """How often the sentences say that bills come; they are in lower case, without accents."""
    votes: list[tuple[float, str]] = []
    for order, sentence in enumerate(sentences):
        for label in _LABEL.finditer(sentence):
            near = sentence[label.start() : label.end() + 60]
            before = sentence[max(0, label.start() - 40) : label.start()]
            for billing, pattern in _BILLING.items():
                found = pattern.search(near)
                if found and not _SPAN_OF_DAYS.search(near[: found.end()]):
                    strength = 2.0 if label.start() == 0 or _STRONG_LABEL.match(label.group()) else 1.0
                    votes.append((strength - order / 1000 - found.start() / 100, billing))
                elif (found := pattern.search(before)) and not _SPAN_OF_DAYS.search(before):
                    votes.append((0.4 - order / 1000 - (len(before) - found.end()) / 100, billing))
    return max(votes)[1] if votes else None
