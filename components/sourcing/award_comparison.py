"""Who gets each line in the scenarios that were tried."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.sourcing import Requirement, Scenario
from components.elements.table import Row, draw_table
from components.formatting.counts import format_count
from components.formatting.shortening import shorten_text
from components.sourcing.scenario_words import name_scenario

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
