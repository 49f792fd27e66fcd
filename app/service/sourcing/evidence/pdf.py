"""The evidence of a requirement as a PDF with tags for readers (PDF/UA-1), the titles of tables on every
sheet. `evidence.typ` lays it out."""

import json
from collections.abc import Sequence
from pathlib import Path

import typst

from app.contract.dates import format_day
from app.service.sourcing.evidence.content import Evidence, Table, clean_text, list_sections

_LAYOUT = (Path(__file__).parent / "evidence.typ").read_bytes()
_ACCESSIBLE = "ua-1"
_NARROWEST, _WIDEST = 5, 90
"""The width of a column, in characters of its longest and its usual text."""
_UNDRAWN = (
    "Some letters here cannot be drawn with the fonts of this service: copied from this document they are"
    " right, and the workbook and the page to print have them too."
)


def draw_evidence(evidence: Evidence) -> bytes:
    """Return the document. Letters that no font here has are in its text, which then says so."""
    try:
        return _compile(evidence, accessible=True)
    except typst.TypstError:
        # The standard refuses what cannot be drawn.
        return _compile(evidence, accessible=False)


def _compile(evidence: Evidence, *, accessible: bool) -> bytes:
    document = {
        "title": clean_text(evidence.matrix.requirement.name),
        "sentences": [
            f"Evidence of a comparison of quotes, made on {format_day(evidence.made_at.date())}.",
            *([] if accessible else [_UNDRAWN]),
        ],
        "sections": [
            {
                "title": section.title,
                "sentences": list(section.sentences),
                "tables": [_lay_out(table) for table in section.tables if table.rows],
            }
            for section in list_sections(evidence)
        ],
    }
    return typst.compile(  # pyrefly: ignore[no-matching-overload]
        _LAYOUT,
        sys_inputs={"document": json.dumps(document)},
        timestamp=evidence.made_at.replace(microsecond=0),
        pdf_standards=[_ACCESSIBLE] if accessible else [],
    )


def _lay_out(table: Table) -> dict[str, object]:
    columns = list(zip(table.headings, *table.rows, strict=True))
    return {
        "headings": list(table.headings),
        "rows": [list(row) for row in table.rows],
        "figures": sorted(table.figures),
        "widths": [_measure_width(column) for column in columns],
    }


def _measure_width(texts: Sequence[str]) -> float:
    """A column is as wide as its usual text, and holds the longest word of its heading."""
    usual = sum(map(len, texts)) / len(texts)
    word = max((len(one) for one in texts[0].split()), default=0)
    return min(max(usual, word, _NARROWEST), _WIDEST)
