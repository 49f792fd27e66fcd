"""What a second opinion is asked about a document, and what it may answer: words of its pages, by id.

The id of a word is its number in the order in which the whole document is read, so that a later reading of
the same file finds the same word.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from app.service.documents.extraction import TotalName

MOST_PAGES = 3
MOST_WORDS = 2_500
"""Of all pages that are sent for one document."""
MOST_LETTERS = 20_000
MOST_LINES = 200
"""Lines that an answer may name."""
MOST_NAMED_WORDS = 60
"""Words that an answer may name for one value."""

WordIds: TypeAlias = tuple[int, ...]
LinePart: TypeAlias = Literal["description", "quantity", "unit_price", "amount"]
LINE_PARTS: tuple[LinePart, ...] = ("description", "quantity", "unit_price", "amount")


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word with how far from the left of its page it begins."""

    id: int
    text: Annotated[str, Field(max_length=250)]
    left: int


@dataclass(frozen=True, slots=True)
class AskedPage:
    """The words of a page, row by row."""

    number: int
    rows: tuple[tuple[AskedWord, ...], ...]

    @property
    def words(self) -> Iterator[AskedWord]:
        for row in self.rows:
            yield from row


@dataclass(frozen=True, slots=True)
class Question:
    """What is doubtful of a document: some of its sums, its lines, or both. No `pages` where those concerned
    hold more words than are sent."""

    sums: tuple[TotalName, ...]
    lines: bool
    pages: tuple[AskedPage, ...]

    @property
    def word_count(self) -> int:
        return sum(1 for page in self.pages for _ in page.words)

    @property
    def letter_count(self) -> int:
        return sum(len(word.text) for page in self.pages for word in page.words)

    @property
    def is_within_limits(self) -> bool:
        """Whether it is as large as a question may be: it comes from the process that read the file."""
        return (
            len(self.pages) <= MOST_PAGES
            and self.word_count <= MOST_WORDS
            and self.letter_count <= MOST_LETTERS
        )


@dataclass(frozen=True, slots=True)
class NamedLine:
    """The words of one line of a document; none for what the line does not show."""

    description: WordIds = ()
    quantity: WordIds = ()
    unit_price: WordIds = ()
    amount: WordIds = ()


@dataclass(frozen=True, slots=True)
class NamedWords:
    """The words that a second opinion named: for each sum that it was asked for, none where the page shows no
    such sum, and for each line."""

    net_total: WordIds = ()
    tax_total: WordIds = ()
    total: WordIds = ()
    lines: tuple[NamedLine, ...] = ()

    def words_of(self, name: TotalName) -> WordIds:
        return {"net_total": self.net_total, "tax_total": self.tax_total, "total": self.total}[name]
