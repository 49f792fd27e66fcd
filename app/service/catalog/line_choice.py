"""Choose which of some products a line means. Pure.

A product is chosen by words only where nothing speaks against it: every word of the product is in the line,
and every word of the line's name is the product's, an option of one of its dimensions or its supplier's. A
product that is only similar is a candidate, and a person is asked.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from app.contract.money import join_words
from app.service.catalog.names import item_key, name_key
from app.service.catalog.product_words import (
    all_words,
    is_edition,
    list_prefixes,
    select_deciding,
    telling_words,
)

MIN_NUMBER_LENGTH = 4
"""Shorter item numbers, such as the position in the document, mean nothing without the supplier."""
MIN_SIMILARITY_SAME_NUMBER = 40.0
"""Below this similarity the names are of different things, and an equal number is chance."""
MIN_SPELLING_SIMILARITY = 88.0
"""Similarity from which two words are spellings of one word."""
LONG_WORDING_WORDS = 6
"""A name of so many words may differ in one that decides nothing: orders shorten long names."""
DIFFERENT_NUMBERS_PENALTY = 25.0
"""Subtracted when two names contain different numbers: 30 tests are not 100 tests."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True)
class ProductWording:
    """A product under its name, or under one of the names that purchases have for it."""

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
class ChosenProduct:
    """The chosen product: `score` in per cent, and `matched_by`, what it was found by."""

    product_id: str
    score: float
    matched_by: str


@dataclass(frozen=True)
class WordingFit:
    """How well a product's name fits a line. `deciding_words` are those that only one of them has;
    `name_length` is the length of the line's beginning that was taken for the name."""

    choice: ProductWording
    deciding_words: frozenset[str]
    other_word_count: int
    words: frozenset[str]
    name_length: int

    @property
    def is_complete(self) -> bool:
        """Whether no word is left over on either side."""
        return not self.deciding_words and not self.other_word_count


OptionWords = Callable[[str], Collection[str]]
"""The words of the options and names of a product's dimensions, by product id."""


def find_best_fit(
    line: str, choice: ProductWording, options: Collection[str], supplier: Collection[str]
) -> WordingFit:
    """Return the best fit of any beginning of the line with the product's name. `supplier` are the words of
    the seller's name, which a line may repeat and a product's name may leave out."""
    fits = [_fit_beginning(beginning, line, choice, options, supplier) for beginning in list_prefixes(line)]
    return min(fits, key=lambda one: (len(one.deciding_words), one.other_word_count, one.name_length))


def choose_product(
    line: LineWords, choices: Iterable[ProductWording], options: OptionWords, supplier: Collection[str]
) -> tuple[ChosenProduct | None, list[str]]:
    """Choose the product of one supplier that the line means by its words; else return the ids of the
    products that fit equally well."""
    if not line.description:
        return None, []
    near = [choice for choice in choices if _shares_most_words(line.description, choice, supplier)]
    fits = [find_best_fit(line.description, choice, options(choice.product_id), supplier) for choice in near]
    exact = [one for one in fits if one.is_complete]
    # `Desk Pro` means the product of that name, not the `Desk` that has an edition `Pro`, where both are.
    longest = [one for one in exact if not any(one.words < other.words for other in exact)]
    first = min((one.name_length for one in longest), default=0)
    longest_fits = {one.choice.product_id: one for one in longest if one.name_length == first}
    if len(longest_fits) == 1:
        [only] = longest_fits.values()
        alike = similarity(name_key(line.description[: only.name_length]), name_key(only.choice.wording))
        return ChosenProduct(only.choice.product_id, round(max(alike, 84.0), 1), "wording"), []
    return None, list(longest_fits)


def find_by_item_number(
    line: LineWords, choices: Iterable[ProductWording], supplier: str | None
) -> ChosenProduct | None:
    """Find the product with the line's item number: the supplier's own, else that of any supplier where the
    number is distinctive and the words are similar."""
    if not line.item_id or not (number := item_key(line.item_id)):
        return None
    same = [choice for choice in choices if choice.item_key == number]
    own = [choice for choice in same if choice.company_id == supplier]
    telling = own or [choice for choice in same if _is_distinctive(number, line, choice)]
    products = {choice.product_id for choice in telling}
    if len(products) == 1:
        return ChosenProduct(telling[0].product_id, 100.0 if own else 95.0, "item number")
    if not own:
        return None
    best = max(own, key=lambda choice: similarity(name_key(line.description), name_key(choice.wording)))
    return ChosenProduct(best.product_id, 90.0, "item number and wording")


def similarity(one: str, other: str) -> float:
    """Return how similar two folded names are, 0 to 100: the mean of comparing their sorted words and their
    common words, less where they contain different numbers."""
    if one == other:
        return 100.0
    score = (fuzz.token_sort_ratio(one, other) + fuzz.token_set_ratio(one, other)) / 2
    numbers, others = set(_NUMBER.findall(one)), set(_NUMBER.findall(other))
    return score - DIFFERENT_NUMBERS_PENALTY if numbers and others and not numbers & others else score


def describe_difference(line: str, one: WordingFit) -> str:
    """Say in a sentence how a product differs from the line."""
    line_words, wording = telling_words(line), telling_words(one.choice.wording)
    in_line = sorted(one.deciding_words & (line_words - wording))
    in_product = sorted(one.deciding_words & (wording - line_words))
    if in_line and in_product:
        return f"The line says {_quote_words(in_line)}, the product {_quote_words(in_product)}."
    if in_line:
        return f"The line says {_quote_words(in_line)}, which the product does not."
    if in_product:
        return f"The product is {_quote_words(in_product)}, which the line does not say."
    return "Its name is similar to the line." if one.other_word_count else "Its name matches the line."


def _fit_beginning(
    name: str, line: str, choice: ProductWording, options: Collection[str], supplier: Collection[str]
) -> WordingFit:
    wording, seller = telling_words(choice.wording), frozenset(supplier)
    name_words = telling_words(name) | (all_words(name) & wording)
    needed = wording if wording <= seller else wording - seller
    missing = _remove_misspelt(needed - name_words, name_words - needed)
    extra = _remove_misspelt(name_words - wording - seller, needed - name_words) - set(options)
    # An edition counts anywhere in the line, a number or a region only in the name.
    stray = {word for word in telling_words(line) if is_edition(word)} - wording - set(options) - seller
    against = select_deciding(missing) | select_deciding(extra) | stray
    others = len(missing - against) + len(extra - against)
    if others == 1 and len(needed) >= LONG_WORDING_WORDS:
        others = 0
    return WordingFit(choice, against, others, wording, len(name))


def _remove_misspelt(words: Collection[str], others: Collection[str]) -> frozenset[str]:
    """Return the words that are not another spelling of one of the others; short and deciding words must be
    equal."""
    return frozenset(
        word
        for word in words
        if len(word) < 5
        or select_deciding([word])
        or not any(fuzz.ratio(word, other) >= MIN_SPELLING_SIMILARITY for other in others)
    )


def _shares_most_words(line: str, choice: ProductWording, supplier: Collection[str]) -> bool:
    """Return whether the line shares enough words with a name to load the product's options."""
    wording = telling_words(choice.wording)
    needed = wording - set(supplier) or wording
    line_words = telling_words(line) | all_words(line)
    return len(_remove_misspelt(needed - line_words, line_words)) <= (
        1 if len(needed) >= LONG_WORDING_WORDS else 0
    )


def _is_distinctive(number: str, line: LineWords, choice: ProductWording) -> bool:
    if len(number) < MIN_NUMBER_LENGTH or not any(sign.isdigit() for sign in number):
        return False
    alike = similarity(name_key(line.description), name_key(choice.wording))
    return not line.description or alike >= MIN_SIMILARITY_SAME_NUMBER


def _quote_words(words: Sequence[str]) -> str:
    return join_words([f"“{word}”" for word in words])
