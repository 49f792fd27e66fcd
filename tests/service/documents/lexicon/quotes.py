"""A quote of a page in any language, as a PDF and as a text document."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder


@dataclass(frozen=True)
class Quote:
    """`head` begins with the supplier's name; `sums` are labels and figures."""

    head: Sequence[str]
    header: Sequence[str]
    lines: Sequence[Sequence[str]]
    sums: Sequence[tuple[str, str]]
    text: Sequence[str]

    def read_pdf(self) -> Extraction:
        content = pdf_builder.quote(self.header, self.lines, self.sums, above=self.head, below=self.text)
        return read_document(content, "quote.pdf")

    def read_text_document(self) -> Extraction:
        blank = [""] * (len(self.header) - 2)
        rows = [self.header, *self.lines, *([label, *blank, value] for label, value in self.sums)]
        return read_document(pdf_builder.docx(self.head, rows, self.text), "quote.docx")
