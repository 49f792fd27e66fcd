"""A document laid out for reading."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.service.documents.layout.bounds import Omissions, bound_words
from app.service.documents.layout.pages import Page
from app.service.documents.layout.rows import Row, lay_out_rows
from app.service.documents.layout.sentences import Paragraph, Sentence, find_paragraphs, find_sentences
from app.service.documents.lexicon.field_codes import without_field_codes
from app.service.documents.values.locale import find_home_currency


@dataclass(frozen=True)
class Document:
    """The pages of a document with their rows, sentences and paragraphs in reading order.

    The numbers of its rows are read in its number format. `home_currency` is the ISO 4217 code of the
    country that its addresses, tax numbers and legal forms point to; None when they point nowhere.
    """

    pages: Sequence[Page]
    rows: Sequence[Row]
    text: str
    sentences: Sequence[Sentence]
    paragraphs: Sequence[Paragraph]
    home_currency: str | None
    omissions: tuple[str, ...] = ()
    """Sentences about what was left out of the reading."""


def lay_out(pages: Iterable[Page]) -> Document:
    """Return the document of these pages."""
    omissions = Omissions()
    pages = tuple(without_field_codes(page) for page in bound_words(pages, omissions))
    rows = lay_out_rows(pages, omissions)
    text = "\n".join(row.text for row in rows)
    return Document(
        pages=pages,
        rows=rows,
        text=text,
        sentences=find_sentences(rows),
        paragraphs=find_paragraphs(rows),
        home_currency=find_home_currency(text),
        omissions=tuple(omissions),
    )
