"""Where a price stands among comparable purchases: the one rule, and the words that pages, mails, events and
agents use for it."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal, NamedTuple

from .money import format_exact_money
from .values import open_words

PriceLevel = Literal["low", "usual", "high", "very_high"]
PriceLevelWord = Annotated[str, open_words(PriceLevel)]
VerdictKind = Literal["accept", "consider", "negotiate", "withheld"]

MIN_RATIO_TO_MEDIAN = 1.02
"""A price is high only above this multiple of the median: where prices hardly vary, one per cent is nothing
to negotiate about."""
_EXACT = 1e-9
"""A price that is often repeated equals its percentiles, but for the last digits."""


class LevelWords(NamedTuple):
    """How a level is said: the interface's `word`, a `label` on its own, and the beginning of a sentence."""

    word: VerdictKind
    label: str
    phrase: str


LEVEL_WORDS: Mapping[PriceLevel, LevelWords] = {
    "low": LevelWords("accept", "Low price", "A low price"),
    "usual": LevelWords("consider", "Usual price", "A usual price"),
    "high": LevelWords("negotiate", "High price: negotiate", "A high price"),
    "very_high": LevelWords("negotiate", "Very high price: negotiate", "A very high price"),
}
_LEVELS_OF_WORDS: Mapping[str, PriceLevel] = {"accept": "low", "consider": "usual", "negotiate": "high"}
"""What a verdict without a level means."""


def find_price_level(
    amount: float, *, percentile25: float, median: float, percentile75: float, percentile90: float
) -> PriceLevel:
    """Return where an amount stands among what comparable purchases cost; all are totals for the same."""
    if amount < percentile25 * (1 - _EXACT):
        return "low"
    if amount <= max(percentile75 * (1 + _EXACT), MIN_RATIO_TO_MEDIAN * median):
        return "usual"
    return "very_high" if amount > percentile90 else "high"


def format_price_level(level: str | None, word: str) -> str:
    """Return the label of a level, such as `High price: negotiate`, and `No verdict` where it is withheld. A
    deployment that says no level, or one unknown here, says the verdict's `word` at least."""
    if word == "withheld":
        return "No verdict"
    for known, words in LEVEL_WORDS.items():
        if known == (level if level in LEVEL_WORDS else _LEVELS_OF_WORDS.get(word)):
            return words.label
    return word.replace("_", " ").capitalize()


def format_next_step(action: str, amount: Decimal | None, currency: str) -> str:
    """Return what to do about a price: `Ask for USD 41,000`, `Accept USD 52,400`, or `Compare it with another
    quote`."""
    if amount is None or action not in ("ask", "accept"):
        return "Compare it with another quote"
    return f"{'Ask for' if action == 'ask' else 'Accept'} {format_exact_money(amount, currency)}"
