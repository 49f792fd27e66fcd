"""The award of a requirement: its facts, and how scenarios award each line."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.sourcing import Requirement, Scenario
from app.contract.sourcing_award import Award, AwardedQuote
from components.elements.record_table import LEFT, RIGHT, Cell, RecordRow, draw_record_table
from components.elements.table import Row, draw_table
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.texts import escape_markdown, shorten_text
from components.sourcing.scenarios import format_amount, name_scenario

_LONGEST_TEXT = 200


def draw_award_comparison(
    scenarios: Sequence[Scenario], requirement: Requirement, names: Mapping[str, str], *, key: str
) -> None:
    """Draw a column for each scenario that awards something; `names` are those of the quotes by id."""
    awarding = [one for one in scenarios if one.award and one.status != "infeasible"]
    titles = [f"{number}. {name_scenario(one)}" for number, one in enumerate(awarding, 1)]
    goes_to = [
        {line.requirement_line_id: names.get(line.quote_id, line.supplier_name) for line in one.award}
        for one in awarding
    ]
    rows: list[Row] = [
        {
            "Line": shorten_text(line.description, _LONGEST_TEXT),
            **{title: award.get(line.id) for title, award in zip(titles, goes_to, strict=True)},
        }
        for line in requirement.lines
    ]
    draw_table(
        rows,
        key=key,
        alt=f"Who gets each line in {format_count(len(awarding), 'scenario')}",
        columns={
            "Line": st.column_config.TextColumn(width="large", pinned=True),
            **{title: st.column_config.TextColumn(width="medium") for title in titles},
        },
    )


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
