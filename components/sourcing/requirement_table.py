"""A table of requirements: what is to be bought, and how many quotes answer it."""

from collections.abc import Sequence

from app.contract.sourcing import Requirement
from components.elements.record_table import LEFT, RIGHT, Cell, RecordRow, draw_record_table
from components.formatting.counts import format_count, format_date
from components.formatting.terms import format_months


def draw_requirement_table(requirements: Sequence[Requirement]) -> None:
    """Draw the requirements in their order."""
    draw_record_table(
        [RecordRow("comparison", {"id": one.id}, _make_cells(one)) for one in requirements],
        alt=f"{format_count(len(requirements), 'requirement')}, the newest first",
        columns={
            "Requirement": LEFT,
            "Quotes": RIGHT,
            "Lines": RIGHT,
            "Term": LEFT,
            "Currency": LEFT,
            "Needed by": RIGHT,
            "Stated on": RIGHT,
        },
        optional=("Needed by",),
    )


def _make_cells(one: Requirement) -> dict[str, Cell]:
    return {
        "Requirement": one.name,
        "Quotes": one.quote_count,
        "Lines": len(one.lines),
        "Term": format_months(one.term_months),
        "Currency": one.currency,
        "Needed by": format_date(one.needed_by) if one.needed_by else None,
        "Stated on": format_date(one.created_at.date()) if one.created_at else None,
    }
