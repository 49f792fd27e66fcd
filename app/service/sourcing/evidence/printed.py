"""The evidence of a requirement as a PDF with tags for readers (PDF/UA-1), which `evidence.typ` lays out, and
as HTML that prints; the titles of tables are on every sheet."""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

import typst

from app.contract.dates import format_day
from app.service.sourcing.evidence.content import Evidence, Section, Table, clean_text, list_sections

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


_STYLE = """
@page { size: A4 landscape; margin: 12mm; }
body {
  font: 10pt/1.35 system-ui, sans-serif; color: #111; background: #fff;
  margin: 2rem auto; max-width: 75rem; padding: 0 1rem;
}
h1 { font-size: 16pt; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 12pt; margin: 1.4rem 0 .4rem; break-after: avoid; }
table { border-collapse: collapse; width: 100%; margin: .4rem 0; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td {
  border: 1px solid #bbb; padding: .2rem .4rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere;
}
th { background: #eee; min-width: 4.2rem; }
td.figure, th.figure { text-align: right; font-variant-numeric: tabular-nums; }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 8pt; } }
"""
_FIGURE = ' class="figure"'


def print_evidence(evidence: Evidence) -> bytes:
    """Return the document. It loads nothing and runs nothing."""
    name = escape(clean_text(evidence.matrix.requirement.name))
    sections = "".join(_print_section(one) for one in list_sections(evidence))
    made = f"Evidence of a comparison of quotes, made on {format_day(evidence.made_at.date())}."
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{name}</h1><p>{made}</p>{sections}</body></html>"
    ).encode()


def _print_section(section: Section) -> str:
    sentences = "".join(f"<p>{escape(one)}</p>" for one in section.sentences)
    return f"<h2>{escape(section.title)}</h2>{sentences}{''.join(map(_print_table, section.tables))}"


def _print_table(table: Table) -> str:
    def draw(tag: str, texts: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{_FIGURE if at in table.figures else ''}>{escape(text)}</{tag}>"
            for at, text in enumerate(texts)
        )

    rows = "".join(f"<tr>{draw('td', row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{draw('th', table.headings)}</tr></thead><tbody>{rows}</tbody></table>"
