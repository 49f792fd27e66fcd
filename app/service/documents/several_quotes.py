"""Several quotes in one file: where each begins, and what they have in common."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import groupby
from typing import Any

from app.service.documents.extraction import Extraction, Kind, LineItem
from app.service.documents.fields.identity import find_kind, find_stated_number
from app.service.documents.layout.document import Document
from app.service.documents.layout.pages import Page
from app.service.documents.layout.rows import Row

MOST_QUOTES = 20
"""Quotes of a file; one that seems to hold more is read as one document."""

_HEAD_ROWS = 40
"""Rows from the top of a page in which its document's number stands."""
_KINDS: frozenset[Kind] = frozenset({"quote", "order_form", "order", "invoice"})
_SUMS = ("net_total", "tax_total", "total")
_OF_THE_FILE = frozenset(
    {"file", "pages", "warnings", "term_doubts", "line_items", "line_currencies", "provenance", "quotes"}
)


def split_quotes(document: Document) -> list[tuple[Page, ...]]:
    """The pages of each quote; one part where the file holds one. A page on which a document of the same kind
    with another number begins is the first of the next quote."""
    pages = tuple(document.pages)
    starts = _find_starts(document.rows) if len(pages) > 1 else []
    if not 1 < len(starts) <= MOST_QUOTES:
        return [pages]
    # What stands before the first number, as a cover, belongs to the first quote.
    groups = groupby(pages, key=lambda page: sum(page.number >= start for start in starts[1:]))
    return [tuple(part) for _, part in groups]


def _find_starts(rows: Sequence[Row]) -> list[int]:
    """The pages on which a document with another number begins; none where they are of several kinds: a quote
    and its order form are one document."""
    heads = {page: head for page, head in _read_heads(rows).items() if head[1] is not None}
    if len({kind for kind, _ in heads.values()}) != 1:
        return []
    starts: list[int] = []
    last: str | None = None
    for page, (_, number) in sorted(heads.items()):
        if number != last:
            starts.append(page)
        last = number
    return starts


def _read_heads(rows: Sequence[Row]) -> Mapping[int, tuple[Kind, str | None]]:
    """The kind and the number that stand at the head of each page, by its number."""
    heads: dict[int, tuple[Kind, str | None]] = {}
    for number, below in groupby(rows, key=lambda row: row.page):
        head = [row for row, _ in zip(below, range(_HEAD_ROWS), strict=False)]
        kind = find_kind(head)
        heads[number] = kind, find_stated_number(head, kind) if kind in _KINDS else None
    return heads


def join_quotes(whole: Extraction, quotes: Sequence[Extraction]) -> Extraction:
    """The reading of the file: all lines, and what the quotes have in common; no sum is one of all. It is
    `whole`, the reading as one document, where a quote has no lines or no total of its own. Which lines are
    bought is not known, so each is as doubtful as the choice."""
    if len(quotes) < 2 or not all(map(_is_complete, quotes)):
        return whole
    first = quotes[0]
    common = dict(_list_common_values(quotes))
    provenance = {name: place for name, place in first.provenance.items() if common.get(name) is not None}
    warnings = [warning for quote in quotes for warning in quote.warnings]
    return replace(
        whole,
        **common,
        line_items=tuple(_doubted(item) for quote in quotes for item in quote.line_items),
        provenance=provenance,
        warnings=tuple(dict.fromkeys((describe_quotes(quotes), *warnings))),
        term_doubts=tuple(dict.fromkeys(doubt for quote in quotes for doubt in quote.term_doubts)),
        quotes=tuple(quotes),
    )


def _doubted(item: LineItem) -> LineItem:
    return replace(item, provenance={name: place.doubted() for name, place in item.provenance.items()})


def _is_complete(quote: Extraction) -> bool:
    return bool(quote.line_items) and (quote.total is not None or quote.net_total is not None)


def _list_common_values(quotes: Sequence[Extraction]) -> Iterator[tuple[str, Any]]:
    """Each field with the value that all quotes have, else None."""
    for one in fields(Extraction):
        if one.name in _OF_THE_FILE:
            continue
        values = {getattr(quote, one.name) for quote in quotes}
        yield one.name, values.pop() if len(values) == 1 and one.name not in _SUMS else None


def describe_quotes(quotes: Sequence[Extraction]) -> str:
    """The sentence that says how many quotes a file holds, and which."""
    numbers = [quote.document_number for quote in quotes if quote.document_number]
    named = f": {', '.join(numbers)}" if len(numbers) == len(quotes) else ""
    return f"The file holds {len(quotes)} quotes{named}. Each is read by itself, and no sum is one of all."
