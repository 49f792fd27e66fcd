"""Scenarios on record, and those that take longer than a caller should wait."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection

from app.contract.sourcing import NewScenario, Requirement, Scenario, ScenarioConstraints
from app.service.access.audit import SCENARIO_SOLVED, SCENARIO_STOPPED, Subject, record_outcome
from app.service.access.quotas import lock_organisation
from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.ids import new_id
from app.service.pricing.rates.store import load_rates
from app.service.sourcing.columns import Column, build_column, find_rate
from app.service.sourcing.line_units import find_needed_units
from app.service.sourcing.scenarios import Basis, build_task, describe_basis, list_changes, solve_scenario
from app.service.sourcing.store import (
    find_organisation_of_scenario,
    find_requirement,
    find_scenario,
    list_bases,
    list_quotes,
    load_bases,
    update_scenario,
)

SECONDS_OF_CALLER = 1.0
SECONDS_IN_BACKGROUND = 10.0
_NOT_SOLVED = "Not solved to its end"
"""How the assumption of a scenario begins that was given up. It may be asked for again."""


def load_columns(
    connection: Connection, organisation_id: str, requirement: Requirement, today: date
) -> list[Column]:
    """Return the columns of a requirement's table, converted at the rates that count today."""
    rates = load_rates(connection, organisation_id)
    quotes = list_quotes(connection, requirement.id)
    units = find_needed_units(requirement, quotes)
    return [
        build_column(requirement, quote, find_rate(rates, quote, requirement.currency, today), units)
        for quote in quotes
    ]


def make_scenario(
    requirement: Requirement,
    columns: Sequence[Column],
    request: NewScenario,
    solved: Mapping[str, Any],
    now: datetime,
) -> Scenario:
    """Return a new scenario. One whose time was over is being solved."""
    converted = any(one.rate is not None and one.quote.currency != requirement.currency for one in columns)
    fields: dict[str, Any] = {
        "id": new_id(),
        "requirement_id": requirement.id,
        "objective": request.objective,
        "constraints": request.constraints or ScenarioConstraints(),
        "rates_date": now.date() if converted else None,
        "created_at": now,
        "outdated": [],
        **solved,
    }
    if solved["status"] == "gap" and request.objective != "by_hand":
        fields |= {"status": "solving", "outdated": None}
    return Scenario.model_validate(fields)


def find_repeated(connection: Connection, made: Scenario, basis: Basis) -> Scenario | None:
    """Return the scenario on record that was asked for as `made` was, on quotes that have not changed since
    then; None where there is none."""
    asked = _describe_request(made)
    for scenario_id, earlier in list_bases(connection, made.requirement_id):
        if list_changes(earlier, basis):
            continue
        listed = find_scenario(connection, made.requirement_id, scenario_id)
        given_up = any(one.startswith(_NOT_SOLVED) for one in listed.assumptions)
        if not given_up and _describe_request(listed) == asked:
            return listed.model_copy(update={"outdated": None if listed.status == "solving" else []})
    return None


def _describe_request(one: Scenario) -> dict[str, Any]:
    """What a scenario was asked for, in whatever order its quotes were named. An award by hand is asked for
    by its lines."""
    given = one.constraints
    by_hand = one.award if one.objective == "by_hand" else ()
    return given.model_dump() | {
        "excluded_quotes": {*(given.excluded_quotes or ())},
        "keep_quotes": {*(given.keep_quotes or ())},
        "objective": one.objective,
        "award": {line.quote_line_id for line in by_hand},
    }


def mark_outdated(
    connection: Connection,
    scenarios: Sequence[Scenario],
    load: Callable[[], Sequence[Column]],
    today: date,
) -> list[Scenario]:
    """Return the scenarios with what has changed since each was solved, where that is known. `load` returns
    the columns of their requirement as they are today; it is called where they are needed."""
    bases = load_bases(connection, [one.id for one in scenarios if one.status != "solving"])
    if not bases:
        return list(scenarios)
    now = describe_basis(load(), today)
    return [
        one.model_copy(update={"outdated": list_changes(bases[one.id], now)}) if one.id in bases else one
        for one in scenarios
    ]


def request_solving(connection: Connection, organisation_id: str, scenario_id: str, now: datetime) -> None:
    enqueue_task(
        connection, kind="solve_scenario", subject_id=scenario_id, organisation_id=organisation_id, now=now
    )


def solve_in_background(context: Context, scenario_id: str) -> None:
    """Solve a scenario with more time, on the quotes as they are now; what was solved stays."""
    with context.database.reading() as connection:
        owner = find_organisation_of_scenario(connection, scenario_id)
        if owner is None:
            return
        organisation_id, requirement_id = owner
        made = find_scenario(connection, requirement_id, scenario_id)
        if made.status != "solving":
            return
        requirement = find_requirement(connection, organisation_id, requirement_id)
        today = context.clock().date()
        columns = load_columns(connection, organisation_id, requirement, today)
    request = NewScenario.model_validate({"objective": made.objective, "constraints": made.constraints})
    task = build_task(requirement, columns, made.constraints, today)
    solved = solve_scenario(task, request, SECONDS_IN_BACKGROUND)
    basis = describe_basis(columns, today)
    with context.database.writing() as connection:
        if _is_solving(connection, owner, scenario_id):
            update_scenario(connection, Scenario.model_validate({**made.model_dump(), **solved}), basis)
            subject = Subject(organisation_id, requirement_id, requirement.name, part=scenario_id)
            record_outcome(connection, SCENARIO_SOLVED, subject, context.clock())


def _is_solving(connection: Connection, owner: tuple[str, str], scenario_id: str) -> bool:
    """Whether a scenario still waits, now that nobody else changes it."""
    lock_organisation(connection, owner[0])
    if find_organisation_of_scenario(connection, scenario_id) is None:
        return False
    return find_scenario(connection, owner[1], scenario_id).status == "solving"


def give_up_solving(context: Context, scenario_id: str, reason: str) -> None:
    """Leave a scenario that cannot be solved with the award that is known."""
    with context.database.writing() as connection:
        owner = find_organisation_of_scenario(connection, scenario_id)
        if owner is not None and _is_solving(connection, owner, scenario_id):
            made = find_scenario(connection, owner[1], scenario_id)
            kept = {"status": "gap", "assumptions": [*made.assumptions, f"{_NOT_SOLVED}: {reason}"]}
            update_scenario(connection, made.model_copy(update=kept))
            subject = Subject(*owner, part=scenario_id)
            record_outcome(connection, SCENARIO_STOPPED, subject, context.clock())
