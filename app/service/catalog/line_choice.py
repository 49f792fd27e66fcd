"""Which of some products a line means: pure, so that each rule can be tested on its own.

A product is chosen by the words of the line only where nothing decides against it: every word of the product
stands in the line, and every word of the line's name is the product's, an option of one of its dimensions or
its supplier's. What is merely alike is a candidate, and somebody is asked.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from app.service.catalog.names import item_key, name_key
from app.service.catalog.product_words import all_words, deciding, is_edition, prefixes, word_set

SHORTEST_NUMBER = 4
"""Item numbers of fewer signs, such as the place in the document, say nothing without the supplier."""
NUMBER_AND_WORDS = 40.0
"""Below that the wordings are of different things, and the same number is chance."""
SAME_WORD = 88.0
"""Likeness from which two words are one in two spellings."""
LONG_WORDING = 6
"""A wording of so many words may differ in one that decides nothing: orders shorten long names."""
OTHER_NUMBERS = 25.0
"""What is taken off when two wordings name different numbers: 30 tests are not 100 tests."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True)
class Choice:
    """A product that a line may mean, in one of its wordings."""

    product_id: str
    company_id: str
    wording: str
    item_key: str | None


@dataclass(frozen=True)
class LineWords:
    """What a line says about its product."""

    description: str
    item_id: str | None = None


@dataclass(frozen=True)
class Best:
    """The product found: `score` in per cent, and what it was found by."""

    product_id: str
    score: float
    matched_by: str


@dataclass(frozen=True)
class Fit:
    """How a wording fits a line. `against` are deciding words of one that the other lacks; `name_length` is
    that of the line's beginning that was taken for its name."""

    choice: Choice
    against: frozenset[str]
    other_words: int
    words: frozenset[str]
    name_length: int

    @property
    def fits(self) -> bool:
        """Whether nothing is left over on either side."""
        return not self.against and not self.other_words


OptionWords = Callable[[str], Collection[str]]
"""The words of the options and names of a product's dimensions, by product id."""


def fit(line: str, choice: Choice, options: Collection[str], supplier: Collection[str]) -> Fit:
    """The best that any beginning of the line does as the name of the choice. `supplier` are the words of its
    seller's name, which a line may repeat and a product's name may leave out."""
    fits = [_fit(beginning, line, choice, options, supplier) for beginning in prefixes(line)]
    return min(fits, key=lambda one: (len(one.against), one.other_words, one.name_length))


def choose(
    line: LineWords, choices: Iterable[Choice], options: OptionWords, supplier: Collection[str]
) -> tuple[Best | None, list[str]]:
    """The product among those of one supplier that the line means, by the words; else the ids of the products
    that it may mean equally well."""
    if not line.description:
        return None, []
    near = [choice for choice in choices if _has_most(line.description, choice, supplier)]
    fits = [fit(line.description, choice, options(choice.product_id), supplier) for choice in near]
    exact = [one for one in fits if one.fits]
    # `Desk Pro` means the product of that name, not the `Desk` that has an edition `Pro`, where both are.
    longest = [one for one in exact if not any(one.words < other.words for other in exact)]
    first = min((one.name_length for one in longest), default=0)
    found = {one.choice.product_id: one for one in longest if one.name_length == first}
    if len(found) == 1:
        [only] = found.values()
        return Best(only.choice.product_id, _score(line.description, only), "wording"), []
    return None, list(found)


def numbered(line: LineWords, choices: Iterable[Choice], supplier: str | None) -> Best | None:
    """The product with the line's item number: the supplier's own, else a telling one of any supplier whose
    words are not quite others."""
    if not line.item_id or not (number := item_key(line.item_id)):
        return None
    same = [choice for choice in choices if choice.item_key == number]
    own = [choice for choice in same if choice.company_id == supplier]
    telling = own or [choice for choice in same if _tells(number, line, choice)]
    products = {choice.product_id for choice in telling}
    if len(products) == 1:
        return Best(telling[0].product_id, 100.0 if own else 95.0, "item number")
    if not own:
        return None
    best = max(own, key=lambda choice: likeness(name_key(line.description), name_key(choice.wording)))
    return Best(best.product_id, 90.0, "item number and wording")


def likeness(one: str, other: str) -> float:
    """How alike two folded wordings are, 0 to 100: half for the order of words left aside, half for what
    they have in common, less where they name different numbers."""
    if one == other:
        return 100.0
    score = (fuzz.token_sort_ratio(one, other) + fuzz.token_set_ratio(one, other)) / 2
    numbers, others = set(_NUMBER.findall(one)), set(_NUMBER.findall(other))
    return score - OTHER_NUMBERS if numbers and others and not numbers & others else score


def why_not(line: str, one: Fit) -> str:
    """In words, what keeps a product from being the line's."""
    said, wording = word_set(line), word_set(one.choice.wording)
    in_line = sorted(one.against & (said - wording))
    in_product = sorted(one.against & (wording - said))
    if in_line and in_product:
        return f"The line says {_listed(in_line)}, the product {_listed(in_product)}."
    if in_line:
        return f"The line says {_listed(in_line)}, which the product does not."
    if in_product:
        return f"The product is {_listed(in_product)}, which the line does not say."
    return "Its words are like the line's." if one.other_words else "It has the line's words."


def _fit(name: str, line: str, choice: Choice, options: Collection[str], supplier: Collection[str]) -> Fit:
    wording, seller = word_set(choice.wording), frozenset(supplier)
    said = word_set(name) | (all_words(name) & wording)
    needed = wording if wording <= seller else wording - seller
    missing = _without_spellings(needed - said, said - needed)
    extra = _without_spellings(said - wording - seller, needed - said) - set(options)
    # An edition that stands anywhere in the line decides, a number or a region where the name is.
    stray = {word for word in word_set(line) if is_edition(word)} - wording - set(options) - seller
    against = deciding(missing) | deciding(extra) | stray
    others = len(missing - against) + len(extra - against)
    if others == 1 and len(needed) >= LONG_WORDING:
        others = 0
    return Fit(choice, against, others, wording, len(name))


def _without_spellings(words: Collection[str], others: Collection[str]) -> frozenset[str]:
    """Those that are not one of the others in another spelling; short and deciding words have only one."""
    return frozenset(
        word
        for word in words
        if len(word) < 5
        or deciding([word])
        or not any(fuzz.ratio(word, other) >= SAME_WORD for other in others)
    )


def _has_most(line: str, choice: Choice, supplier: Collection[str]) -> bool:
    """Whether the line shares enough words with a choice to look closer; its options are not known yet."""
    wording = word_set(choice.wording)
    needed = wording - set(supplier) or wording
    said = word_set(line) | all_words(line)
    return len(_without_spellings(needed - said, said)) <= (1 if len(needed) >= LONG_WORDING else 0)


def _score(line: str, one: Fit) -> float:
    alike = likeness(name_key(line[: one.name_length]), name_key(one.choice.wording))
    return round(max(alike, 84.0), 1)


def _tells(number: str, line: LineWords, choice: Choice) -> bool:
    if len(number) < SHORTEST_NUMBER or not any(sign.isdigit() for sign in number):
        return False
    alike = likeness(name_key(line.description), name_key(choice.wording))
    return not line.description or alike >= NUMBER_AND_WORDS


def _listed(words: Sequence[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
