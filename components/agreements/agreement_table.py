"""A table of agreements."""

from collections.abc import Sequence

from app.contract.agreements import Agreement
from components.agreements.agreement_words import format_last_day, format_value, label_stage, label_status
from components.elements.record_table import LEFT, RIGHT, Cell, ColouredWord, RecordRow, draw_record_table
from components.formatting.counts import format_count, format_date


def draw_agreement_table(agreements: Sequence[Agreement]) -> None:
    """Draw the agreements in their order."""
    draw_record_table(
        [RecordRow("contract", {"id": one.id}, _make_cells(one)) for one in agreements],
        alt=f"{format_count(len(agreements), 'agreement')}, by the day by which to act",
        columns={
            "Contract": LEFT,
            "Supplier": LEFT,
            "Last day to act": RIGHT,
            "Term ends": RIGHT,
            "Status": LEFT,
            "Decision": LEFT,
            "Per year": RIGHT,
            "Missing": RIGHT,
        },
        optional=("Missing",),
    )


def _make_cells(one: Agreement) -> dict[str, Cell]:
    return {
        "Contract": one.name,
        "Supplier": one.supplier_name,
        "Last day to act": format_last_day(one),
        "Term ends": format_date(one.current_term_end),
        "Status": ColouredWord(*label_status(one.status)),
        "Decision": f"put off to {format_date(one.put_off_until)}"
        if one.put_off_until and one.action
        else label_stage(one.stage),
        "Per year": format_value(one, one.annualized_value),
        "Missing": len(one.missing) or None,
    }
