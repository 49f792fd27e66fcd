"""The award of a requirement: its facts, and how scenarios award each line."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.sourcing import Requirement, RequirementLine, Scenario
from app.contract.sourcing_award import Award
from components.elements.record_table import Column, draw_record_table
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.texts import escape_markdown, shorten_text
from components.sourcing.scenarios import format_amount, name_scenario

_LONGEST_TEXT = 200


def draw_award_comparison(
    scenarios: Sequence[Scenario], requirement: Requirement, names: Mapping[str, str]
) -> None:
    """Draw a column for each scenario that awards something; `names` are those of the quotes by id."""
    awarding = [one for one in scenarios if one.award and one.status != "infeasible"]

    def goes_to(scenario: Scenario) -> Column[RequirementLine]:
        award = {
            one.requirement_line_id: names.get(one.quote_id, one.supplier_name) for one in scenario.award
        }
        return Column(lambda line: award.get(line.id))

    draw_record_table(
        requirement.lines,
        {
            "Line": Column(lambda line: shorten_text(line.description, _LONGEST_TEXT)),
            **{f"{number}. {name_scenario(one)}": goes_to(one) for number, one in enumerate(awarding, 1)},
        },
        alt=f"Who gets each line in {format_count(len(awarding), 'scenario')}",
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
        award.quotes,
        {
            "Supplier": Column(lambda one: one.supplier_name),
            "Made of it": Column(lambda one: "a negotiation" if one.negotiation_id else "a contract"),
            "Lines": Column(lambda one: len(one.quote_lines), "right"),
            "Discount": Column(
                lambda one: format_amount(one.discount, currency) if one.discount else None,
                "right",
                optional=True,
            ),
            "Amount": Column(lambda one: format_amount(one.amount, currency), "right"),
            "Not known": Column(lambda one: " ".join(one.notes) or None, optional=True),
        },
        link=lambda one: (
            "negotiation" if one.negotiation_id else "agreement",
            {"id": one.negotiation_id or one.agreement_id or ""},
        ),
        alt=f"The award: {format_count(len(award.quotes), 'supplier')}",
    )
