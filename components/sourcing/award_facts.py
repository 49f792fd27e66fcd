"""What was decided of a requirement: who gets what, who decided and why."""

from collections.abc import Mapping

import streamlit as st

from app.contract.sourcing_award import Award, AwardedQuote
from components.elements.record_table import LEFT, RIGHT, Cell, RecordRow, draw_record_table
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.escape_markdown import escape_markdown
from components.sourcing.scenario_result import format_amount


def draw_award(award: Award, currency: str) -> None:
    """Draw the decision, and a row for each quote that leads to what was made of it."""
    who = f" by {award.decided_by}" if award.decided_by else ""
    when = format_local_time(award.decided_at, get_reader_zone())
    st.success(
        f"**Awarded for {escape_markdown(format_amount(award.total, currency))}**"
        f" {escape_markdown(f'on {when}{who}.')}  \n{escape_markdown(award.reason)}",
        icon=":material/gavel:",
    )
    draw_record_table(
        [_make_row(one, currency) for one in award.quotes],
        alt=f"The award: {format_count(len(award.quotes), 'supplier')}",
        columns={
            "Supplier": LEFT,
            "Made of it": LEFT,
            "Lines": RIGHT,
            "Discount": RIGHT,
            "Amount": RIGHT,
            "Not known": LEFT,
        },
        optional=("Discount", "Not known"),
    )


def _make_row(one: AwardedQuote, currency: str) -> RecordRow:
    cells: Mapping[str, Cell] = {
        "Supplier": one.supplier_name,
        "Made of it": "a negotiation" if one.negotiation_id else "a contract",
        "Lines": len(one.quote_lines),
        "Discount": format_amount(one.discount, currency) if one.discount else None,
        "Amount": format_amount(one.amount, currency),
        "Not known": " ".join(one.notes) or None,
    }
    page = "negotiation" if one.negotiation_id else "agreement"
    return RecordRow(page, {"id": one.negotiation_id or one.agreement_id or ""}, cells)
