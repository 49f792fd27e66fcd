"""What scenarios, their states and their constraints are called."""

from collections.abc import Mapping
from typing import Literal

from app.contract.sourcing import Scenario
from components.formatting.counts import format_count

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
    if scenario.gap is not None and scenario.status == "gap":
        word = f"at most {scenario.gap:.2f} % above the cheapest"
    return (f"{word} before a change", "gray") if scenario.outdated else (word, colour)


def name_scenario(scenario: Scenario) -> str:
    """Return what its objective is called."""
    return OBJECTIVES.get(scenario.objective, scenario.objective)
