"""Who a sentence says makes an agreement: `between X and Y`, `X, ... (the "Supplier")`."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Paragraph
from app.service.documents.lexicon.party_words import (
    BEFORE_NAME,
    BETWEEN,
    CALLED_BUYER,
    CAPITALS,
    FOR_BY,
    PAIR,
    QUOTES_TO,
    ROLE,
)
from app.service.documents.values.company_names import COMPANY
from app.service.values.folding import fold

_BLANK = re.compile(r"[.…_]{5}")
_DAY_BEFORE = re.compile(r"^[^,]{0,40}\b(?:19|20)\d\d(?!\d)[^,]{0,20}, (?=[^,]*\D{8})")
"""The day on which a contract is made, before those who make it: `On 14 March 2025, the Municipality of`."""
_BEHIND_OTHER = re.compile(rf"^\W.*, [^\W\d_{CAPITALS}]{{1,4}} (?=[{CAPITALS}])")
"""What is still said of the first of the two: `, reg. no. 7, and Example Ltd`."""
_LONGEST_TEXT = 2_000
"""Letters of a paragraph in which its parties are named."""
_MOST_LINES_ABOVE = 4
"""Lines of a name and its address above what a contract calls it."""


class AgreedParties(NamedTuple):
    """Supplier and buyer, where they are named, and whether the text calls each of them by what he is."""

    supplier: str
    buyer: str
    cell: Cell
    defined: bool = False


def find_agreed_parties(rows: Sequence[Row], paragraphs: Sequence[Paragraph]) -> Iterator[AgreedParties]:
    """Supplier and buyer, from the surest kind of sentence to the others."""
    texts = [
        *((one.lines[0], one.text[:_LONGEST_TEXT]) for one in paragraphs),
        *((cell, cell.text[:_LONGEST_TEXT]) for row in rows for cell in row.cells(1.5)),
    ]
    yield from _defined_parties(texts)
    for cell, text in texts:
        for pattern in (BETWEEN, *QUOTES_TO, PAIR, FOR_BY):
            found = pattern.search(text)
            if found and (pattern in (BETWEEN, *QUOTES_TO) or COMPANY.match(found["one"])):
                one, two = (
                    _company_at(text, found.start("one")) or found["one"],
                    _company_at(text, found.start("two")) or found["two"],
                )
                named = CALLED_BUYER.search(fold(text[found.end("one") : found.start("two")]))
                if named:
                    one, two = two, one
                yield AgreedParties(one.strip(" ,"), two.strip(" ,"), cell)


def _defined_parties(texts: Sequence[tuple[Cell, str]]) -> Iterator[AgreedParties]:
    """The names for which a contract defines the words supplier and customer, in a sentence or on the lines
    below the name and its address."""
    sellers: list[tuple[str, Cell]] = []
    buyers: list[tuple[str, Cell]] = []
    above: list[str] = []
    for cell, text in texts:
        begin = 0
        for role in ROLE.finditer(fold(text)):
            clause = _cut_before_name(_DAY_BEFORE.sub("", text[begin : role.start()]))
            if not _begins_name(clause):
                lines = above[-_MOST_LINES_ABOVE:]
                is_blank = any(map(_BLANK.search, lines))  # to be filled in
                clause = "" if is_blank else f"{next(filter(_begins_name, lines), clause)},"
            name = re.split(r",| \(|\s+of\b", clause)[0].strip()
            if _begins_name(name) and 2 <= len(name) <= 70 and len(clause) > len(name):
                (buyers if role["buyer"] else sellers).append((_company_at(clause, 0) or name, cell))
            begin = role.end()
            above = []
        if not begin:
            named = _cut_before_name(text)
            above = [*above, text] if named == text else [named]
    if sellers and buyers:
        yield AgreedParties(sellers[0][0], buyers[0][0], sellers[0][1], defined=True)


def _begins_name(text: str) -> bool:
    """Whether a text begins with a capital, perhaps behind a quotation mark: `„Example“ Ltd`."""
    return text.lstrip("„“”\"«»‚‘’'")[:1].isupper()


def _cut_before_name(clause: str) -> str:
    """A clause from the name on, without the words before it."""
    while (rest := BEFORE_NAME.sub("", clause).lstrip(" :(")) != clause:
        clause = rest
    return clause if _begins_name(clause) else _BEHIND_OTHER.sub("", clause)


def _company_at(text: str, start: int) -> str | None:
    company = COMPANY.match(text, start)
    return company.group().strip(" ,") if company else None
