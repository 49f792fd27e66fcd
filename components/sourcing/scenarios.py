"""Scenarios of an award: the table, what each comes to, and what was decided."""

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from app.contract.sourcing import NO_AWARD_FOUND, Requirement, RequirementLine, Scenario, SingleSupplier
from app.contract.sourcing_award import Award, AwardedQuote
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.record_table import ColouredWord, Column, draw_record_table
from components.formatting import escape_markdown, format_count, format_local_time, shorten_text

OBJECTIVES: Mapping[str, str] = {
    "cheapest_split": "Cheapest split",
    "cheapest_single": "Cheapest single supplier",
    "earliest": "Earliest delivery",
    "by_hand": "Awarded by hand",
}
EXPLANATIONS: Mapping[str, str] = {
    "cheapest_split": "Each line goes where it makes the whole cheapest.",
    "cheapest_single": "Everything goes to one supplier.",
    "earliest": "The soonest delivery first, then the price.",
    "by_hand": "You say who gets which line.",
}
STATUSES: Mapping[str, tuple[str, Literal["green", "orange", "red", "blue"]]] = {
    "optimal": ("cheapest possible", "green"),
    "gap": ("may be dearer", "orange"),
    "infeasible": ("impossible", "red"),
    "solving": ("being solved", "blue"),
}


def describe_constraints(scenario: Scenario, names: Mapping[str, str]) -> str:
    """Return `At most 2 suppliers, nothing to Acme Cloud`; `names` are those of the quotes by id."""
    given = scenario.constraints
    parts: list[str] = []
    if given.max_suppliers is not None:
        parts.append(f"at most {format_count(given.max_suppliers, 'supplier')}")
    if given.max_share is not None:
        parts.append(f"at most {given.max_share:f} % for one supplier")
    parts += [f"nothing to {names.get(one, 'a removed quote')}" for one in given.excluded_quotes or ()]
    parts += [f"something to {names.get(one, 'a removed quote')}" for one in given.keep_quotes or ()]
    if given.whole_bundles:
        parts.append("whole bundles")
    text = ", ".join(parts) or "no constraints"
    return text[0].upper() + text[1:]


def describe_state(scenario: Scenario) -> tuple[str, str]:
    """Return the word of its state and the colour of that; what rests on an earlier state says so."""
    word, colour = STATUSES.get(scenario.status, (scenario.status, "gray"))
    if scenario.status == "gap" and scenario.total is None:
        word = "none found in time"
    elif scenario.status == "gap" and scenario.gap is not None:
        word = f"at most {scenario.gap:.2f} % can be saved"
    return (f"{word} before a change", "gray") if scenario.outdated else (word, colour)


def name_scenario(scenario: Scenario) -> str:
    """Return what its objective is called."""
    return OBJECTIVES.get(scenario.objective, scenario.objective)


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
        scenarios,
        {
            "Scenario": Column(name_scenario),
            "Constraints": Column(lambda one: describe_constraints(one, names)),
            "Total": Column(
                lambda one: None if one.total is None else format_amount(one.total, requirement.currency),
                "right",
                "Discounts are taken off.",
            ),
            "State": Column(lambda one: ColouredWord(*describe_state(one))),
            "Gap": Column(
                lambda one: f"{one.gap:.2f} %" if one.gap else None,
                "right",
                "The part of the total that might still be saved.",
                optional=True,
            ),
            "Goes to": Column(lambda one: _list_awarded(one, names)),
            "Not awarded": Column(
                lambda one: len(one.open_lines) or None, "right", "Lines without an award.", optional=True
            ),
            "Tried": Column(lambda one: format_local_time(one.created_at), "right"),
        },
        link=lambda one: ("comparison", {**query, "scenario": one.id}),
        alt=f"{format_count(len(scenarios), 'scenario')}, the newest first",
    )


def _list_awarded(one: Scenario, names: Mapping[str, str]) -> str:
    awarded = list(dict.fromkeys(names.get(line.quote_id, line.supplier_name) for line in one.award))
    more = f" and {len(awarded) - _MOST_NAMES:,} more" if len(awarded) > _MOST_NAMES else ""
    return ", ".join(awarded[:_MOST_NAMES]) + more


_LONGEST_TEXT = 200
_MOST_SENTENCES = 6


def draw_scenario_result(scenario: Scenario, requirement: Requirement, names: Mapping[str, str]) -> None:
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
        _draw_award(scenario, requirement.currency, descriptions, names)
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
    least = f" None costs less than {format_amount(scenario.bound, currency)}." if scenario.bound else ""
    gap = "" if scenario.gap is None else f" At most {scenario.gap:.2f} % of it can be saved."
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
        case "gap" if scenario.total is None:
            st.warning(f"{NO_AWARD_FOUND}{least}", icon=":material/help:")
        case "gap":
            best = "An award by hand." if scenario.objective == "by_hand" else "The best that was found."
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
    suppliers = {one.supplier_name.casefold() for one in scenario.award}
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
    scenario: Scenario, currency: str, descriptions: Mapping[str, str], names: Mapping[str, str]
) -> None:
    draw_record_table(
        scenario.award,
        {
            "Line": Column(
                lambda one: shorten_text(
                    descriptions.get(one.requirement_line_id or "", "Comes with its bundle"), _LONGEST_TEXT
                )
            ),
            "Goes to": Column(lambda one: names.get(one.quote_id, one.supplier_name)),
            "Amount": Column(lambda one: format_amount(one.amount, currency), "right", "Before discounts."),
        },
        alt=f"The award: {format_count(len(scenario.award), 'line')}",
        scrolls=True,
    )


def _draw_costs(scenario: Scenario, currency: str) -> None:
    costs: list[str] = []
    for one in scenario.costs:
        known = "" if one.proven else ", as far as is known"
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
    st.markdown(head + _join_sentences(sentences[:_MOST_SENTENCES]))
    if rest := sentences[_MOST_SENTENCES:]:
        with st.expander(f"{len(rest):,} more"):
            st.markdown(_join_sentences(rest))


def _join_sentences(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {escape_markdown(one)}" for one in sentences)


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
        scrolls=True,
    )


def draw_award(award: Award, currency: str) -> None:
    """Draw the decision, and a row for each quote that leads to what was made of it."""
    who = f" by {award.decided_by}" if award.decided_by else ""
    when = format_local_time(award.decided_at)
    st.success(
        f"**Awarded for {escape_markdown(format_amount(award.total, currency))}**"
        f" {escape_markdown(f'on {when}{who}.')}  \n{escape_markdown(award.reason)}",
        icon=":material/gavel:",
    )
    draw_record_table(
        award.quotes,
        {
            "Supplier": Column(lambda one: one.supplier_name),
            "Made of it": Column(_name_made),
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
            ("negotiation" if one.negotiation_id else "agreement", {"id": made})
            if (made := one.negotiation_id or one.agreement_id)
            else None
        ),
        alt=f"The award: {format_count(len(award.quotes), 'supplier')}",
    )


def _name_made(one: AwardedQuote) -> str:
    if one.negotiation_id:
        return "a negotiation"
    return "a contract" if one.agreement_id else "a contract that was deleted"
