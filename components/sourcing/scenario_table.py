"""The scenarios that were tried, side by side."""

from collections.abc import Mapping, Sequence

from app.contract.sourcing import Requirement, Scenario
from components.elements.record_table import (
    LEFT,
    Cell,
    ColouredWord,
    RecordColumn,
    RecordRow,
    draw_record_table,
)
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.sourcing.scenario_result import format_amount
from components.sourcing.scenario_words import describe_constraints, describe_state, name_scenario

_MOST_NAMES = 3


def draw_scenario_table(
    scenarios: Sequence[Scenario],
    requirement: Requirement,
    names: Mapping[str, str],
    query: Mapping[str, str],
) -> None:
    """Draw a row for each scenario, which opens it; `query` is the address of the page, `names` are those of
    the quotes by id."""
    draw_record_table(
        [
            RecordRow("comparison", {**query, "scenario": one.id}, _make_cells(one, requirement, names))
            for one in scenarios
        ],
        alt=f"{format_count(len(scenarios), 'scenario')}, the newest first",
        columns={
            "Scenario": LEFT,
            "Constraints": LEFT,
            "Total": RecordColumn("right", "Discounts are taken off."),
            "State": LEFT,
            "Gap": RecordColumn("right", "The part of the total that might still be saved."),
            "Goes to": LEFT,
            "Not awarded": RecordColumn("right", "Lines without an award."),
            "Tried": LEFT,
        },
        optional=("Not awarded", "Gap"),
    )


def _make_cells(one: Scenario, requirement: Requirement, names: Mapping[str, str]) -> dict[str, Cell]:
    awarded = list(dict.fromkeys(names.get(line.quote_id, line.supplier_name) for line in one.award))
    more = f" and {len(awarded) - _MOST_NAMES:,} more" if len(awarded) > _MOST_NAMES else ""
    return {
        "Scenario": name_scenario(one),
        "Constraints": describe_constraints(one, names),
        "Total": None if one.total is None else format_amount(one.total, requirement.currency),
        "State": ColouredWord(*describe_state(one)),
        "Gap": f"{one.gap:.2f} %" if one.gap else None,
        "Goes to": ", ".join(awarded[:_MOST_NAMES]) + more,
        "Not awarded": len(one.open_lines) or None,
        "Tried": format_local_time(one.created_at, get_reader_zone()),
    }
