"""Requirements: the list and the facts of one."""

from collections.abc import Sequence

from app.contract.sourcing import Requirement
from components.elements.record_table import LEFT, RIGHT, Cell, RecordRow, draw_record_table
from components.formatting.counts import format_count, format_date, format_months


def describe_requirement(one: Requirement) -> str:
    """Return `2 lines, 3 quotes, in USD for 24 months, present values at 8 % a year`."""
    parts = [
        format_count(len(one.lines), "line"),
        format_count(one.quote_count, "quote"),
        f"in {one.currency} for {format_months(one.term_months)}",
    ]
    if one.needed_by is not None:
        parts.append(f"needed by {format_date(one.needed_by)}")
    if one.discount_rate is not None:
        parts.append(f"present values at {one.discount_rate.normalize():f} % a year")
    return ", ".join(parts)


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
        varying=("Stated on",),
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
