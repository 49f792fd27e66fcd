"""A scenario: what the award costs, whether that is proven, who gets what, and what it rests on."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.sourcing import Requirement, Scenario, SingleSupplier
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.table import draw_table, to_number
from components.formatting.counts import format_count
from components.formatting.escape_markdown import escape_markdown
from components.formatting.shortening import shorten_text
from components.sourcing.scenario_words import describe_constraints, name_scenario

_LONGEST_TEXT = 200
_MOST_SENTENCES = 6


def draw_scenario_result(
    scenario: Scenario, requirement: Requirement, names: Mapping[str, str], *, key: str
) -> None:
    """Draw the scenario; `names` are those of the quotes by id."""
    st.markdown(f"**{name_scenario(scenario)}**  \n{escape_markdown(describe_constraints(scenario, names))}")
    if scenario.outdated:
        st.warning(
            "It rests on an earlier state of the quotes and cannot be decided: find the award again.",
            icon=":material/history:",
        )
        _draw_list("", scenario.outdated)
    _draw_status(scenario, requirement.currency)
    if scenario.total is not None:
        draw_metric_row(_make_metrics(scenario, requirement.currency))
    descriptions = {line.id: line.description for line in requirement.lines}
    if scenario.award:
        _draw_award(scenario, requirement, descriptions, names, key=key)
    if scenario.open_lines and scenario.status != "solving":
        _draw_list(
            f"Not awarded: {format_count(len(scenario.open_lines), 'line')}",
            [descriptions.get(one, one) for one in scenario.open_lines],
        )
    _draw_costs(scenario, requirement.currency)
    _draw_list("Not considered", [f"{one.what}: {one.why}" for one in scenario.excluded])
    _draw_list("What this assumes", scenario.assumptions)


def format_amount(amount: object, currency: str) -> str:
    """Return an amount to the cent."""
    return f"{currency} {amount:,.2f}"


def _draw_status(scenario: Scenario, currency: str) -> None:
    bound = "" if scenario.bound is None else format_amount(scenario.bound, currency)
    gap = "" if scenario.gap is None else f" At most {scenario.gap:.2f} % above the cheapest possible."
    match scenario.status:
        case "optimal" if scenario.objective == "by_hand":
            st.success("The cheapest possible: no other award costs less.", icon=":material/verified:")
        case "optimal":
            st.success(
                "The cheapest possible under these conditions."
                if scenario.objective != "earliest"
                else "The soonest possible: no award is delivered sooner, and none as soon costs less.",
                icon=":material/verified:",
            )
        case "gap":
            best = "An award by hand." if scenario.objective == "by_hand" else "The best that was found."
            least = f" None costs less than {bound}." if bound else ""
            st.warning(f"{best}{least}{gap}", icon=":material/help:")
        case "infeasible":
            st.error(
                "This award breaks a rule:" if scenario.award else "No award keeps to all of this together:",
                icon=":material/block:",
            )
            _draw_list("", scenario.contradiction)
        case _:
            st.info("It is being solved.", icon=":material/hourglass_top:")


def _make_metrics(scenario: Scenario, currency: str) -> list[Metric]:
    suppliers = {one.quote_id for one in scenario.award}
    metrics = [Metric("Total", format_amount(scenario.total, currency), "Discounts are taken off.")]
    if scenario.discount:
        metrics.append(Metric("Discounts", format_amount(scenario.discount, currency)))
    if scenario.bound is not None and scenario.status == "gap":
        metrics.append(
            Metric("No award is below", format_amount(scenario.bound, currency), "The bound of the search.")
        )
    single = scenario.single_supplier
    if single is not None:
        metrics.append(_make_single_metric(single, currency))
    return [*metrics, Metric("Suppliers", f"{len(suppliers):,}"), Metric("Lines", f"{len(scenario.award):,}")]


def _make_single_metric(single: SingleSupplier, currency: str) -> Metric:
    """Return what the split saves against the best single supplier, or why nobody can say."""
    label = "Saved by the split"
    if single.supplier_name is None:
        return Metric(label, "—", "No supplier alone can have all that must be had.")
    best = f"{single.supplier_name} alone would cost {format_amount(single.total, currency)}"
    if single.saving is None:
        return Metric(label, "—", f"{best}, and covers other lines.")
    proof = "." if single.proven else ", as far as is known."
    share = "" if not single.total else f" ({single.saving / single.total * 100:.1f} %)"
    return Metric(label, f"{format_amount(single.saving, currency)}{share}", f"{best}{proof}")


def _draw_award(
    scenario: Scenario,
    requirement: Requirement,
    descriptions: Mapping[str, str],
    names: Mapping[str, str],
    *,
    key: str,
) -> None:
    draw_table(
        [
            {
                "Line": shorten_text(
                    descriptions.get(one.requirement_line_id or "", "Comes with its bundle"), _LONGEST_TEXT
                ),
                "Goes to": names.get(one.quote_id, one.supplier_name),
                "Amount": to_number(one.amount),
            }
            for one in scenario.award
        ],
        key=f"{key}-award",
        alt=f"The award: {format_count(len(scenario.award), 'line')}",
        columns={
            "Line": st.column_config.TextColumn(width="large"),
            "Goes to": st.column_config.TextColumn(width="medium"),
            "Amount": st.column_config.NumberColumn(
                format=f"{requirement.currency} %,.2f", help="Before discounts."
            ),
        },
    )


def _draw_costs(scenario: Scenario, currency: str) -> None:
    costs: list[str] = []
    for one in scenario.costs:
        known = "" if one.proven else " at least, as far as is known"
        costs.append(
            f"{one.constraint}: without it, more lines would be covered."
            if one.amount is None
            else f"{one.constraint}: costs {format_amount(one.amount, currency)}{known}."
        )
    _draw_list("What constraints cost", costs)


def _draw_list(title: str, sentences: Sequence[str]) -> None:
    """Draw the first ones, and behind a click the others."""
    if not sentences:
        return
    head = f"**{escape_markdown(title)}**\n\n" if title else ""
    st.markdown(head + _join(sentences[:_MOST_SENTENCES]))
    if rest := sentences[_MOST_SENTENCES:]:
        with st.expander(f"{len(rest):,} more"):
            st.markdown(_join(rest))


def _join(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {escape_markdown(one)}" for one in sentences)
