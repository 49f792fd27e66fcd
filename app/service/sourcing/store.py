"""Requirements, quotes and scenarios in the database: an organisation's own, and nobody else's."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection, RowMapping

from app.contract.page import PageRequest
from app.contract.sourcing import Requirement, Scenario, SourcingQuote
from app.service.database.rows import count_rows, read_page
from app.service.database.tables import requirement, scenario, sourcing_quote
from app.service.database.visibility import counted, owned_by
from app.service.http.problems import require
from app.service.sourcing.scenarios import Basis

_REQUIREMENT_COLUMNS = ("id", "name", "quote_count", "created_at", "updated_at")
_QUOTE_COLUMNS = ("id", "requirement_id", "created_at")
_SCENARIO_COLUMNS = (*_QUOTE_COLUMNS, "outdated")
"""What is not in the content of a record."""
_COUNTED = (
    sa.select(sa.func.count())
    .select_from(sourcing_quote)
    .where(sourcing_quote.c.requirement_id == requirement.c.id)
    .scalar_subquery()
    .label("quote_count")
)


def insert_requirement(
    connection: Connection, organisation_id: str, one: Requirement, *, sample: bool
) -> None:
    connection.execute(
        requirement.insert().values(
            id=one.id,
            organisation_id=organisation_id,
            name=one.name,
            content=_write(one, _REQUIREMENT_COLUMNS),
            created_at=one.created_at,
            updated_at=one.updated_at,
            sample=sample,
        )
    )


def update_requirement(connection: Connection, one: Requirement, now: datetime) -> None:
    connection.execute(
        requirement.update()
        .where(requirement.c.id == one.id)
        .values(
            name=one.name,
            content=_write(one, _REQUIREMENT_COLUMNS),
            updated_at=now,
        )
    )


def is_sample(connection: Connection, requirement_id: str) -> bool:
    return bool(connection.scalar(sa.select(requirement.c.sample).where(requirement.c.id == requirement_id)))


def count_requirements(connection: Connection, organisation_id: str) -> int:
    return count_rows(connection, requirement, counted(requirement.c, organisation_id))


def list_requirements(
    connection: Connection, organisation_id: str, page: PageRequest
) -> tuple[list[Requirement], int]:
    """Return a page of requirements, the newest first, and how many there are."""
    listing = (
        sa.select(requirement, _COUNTED)
        .where(counted(requirement.c, organisation_id))
        .order_by(requirement.c.id.desc())
    )
    total, rows = read_page(connection, listing, page)
    return [_read(Requirement, row, _REQUIREMENT_COLUMNS) for row in rows.mappings()], total


def find_requirement(connection: Connection, organisation_id: str, requirement_id: str) -> Requirement:
    """Return a requirement. Raises ApiProblem 404 for one that the organisation does not have."""
    row = require(
        connection.execute(
            sa.select(requirement, _COUNTED).where(
                requirement.c.id == requirement_id, owned_by(requirement.c, organisation_id)
            )
        )
        .mappings()
        .first(),
        "requirement",
    )
    return _read(Requirement, row, _REQUIREMENT_COLUMNS)


def insert_quote(connection: Connection, quote: SourcingQuote) -> None:
    connection.execute(
        sourcing_quote.insert().values(
            id=quote.id,
            requirement_id=quote.requirement_id,
            scope_id=quote.scope_id,
            content=_write(quote, _QUOTE_COLUMNS),
            created_at=quote.created_at,
        )
    )


def update_quote(connection: Connection, quote: SourcingQuote) -> None:
    content = _write(quote, _QUOTE_COLUMNS)
    connection.execute(sourcing_quote.update().where(sourcing_quote.c.id == quote.id).values(content=content))


def delete_quote(connection: Connection, quote_id: str) -> None:
    connection.execute(sourcing_quote.delete().where(sourcing_quote.c.id == quote_id))


def list_quotes(connection: Connection, requirement_id: str) -> list[SourcingQuote]:
    """Return the quotes of a requirement, the first that came first."""
    rows = connection.execute(
        sa.select(sourcing_quote)
        .where(sourcing_quote.c.requirement_id == requirement_id)
        .order_by(sourcing_quote.c.id)
    ).mappings()
    return [_read(SourcingQuote, row, _QUOTE_COLUMNS) for row in rows]


def find_quotes_being_read(connection: Connection, scope_id: str) -> list[tuple[str, str, str]]:
    """Return the organisation, the requirement and the id of each quote that waits for the reading of a
    scope's document."""
    rows = connection.execute(
        sa.select(
            requirement.c.organisation_id, requirement.c.id, sourcing_quote.c.id, sourcing_quote.c.content
        )
        .join(requirement, requirement.c.id == sourcing_quote.c.requirement_id)
        .where(sourcing_quote.c.scope_id == scope_id)
    )
    return [(row[0], row[1], row[2]) for row in rows if row[3].get("status") == "reading"]


def insert_scenario(connection: Connection, one: Scenario, basis: Basis) -> None:
    connection.execute(
        scenario.insert().values(
            id=one.id,
            requirement_id=one.requirement_id,
            content=_write(one, _SCENARIO_COLUMNS),
            basis=basis,
            created_at=one.created_at,
        )
    )


def update_scenario(connection: Connection, one: Scenario, basis: Basis | None = None) -> None:
    """Store a scenario; without a `basis` it rests on what it rested on before."""
    values: dict[str, object] = {"content": _write(one, _SCENARIO_COLUMNS)}
    if basis is not None:
        values["basis"] = basis
    connection.execute(scenario.update().where(scenario.c.id == one.id).values(values))


def load_bases(connection: Connection, scenario_ids: Collection[str]) -> dict[str, Basis]:
    """Return the state of the quotes that each scenario rests on, where it is known."""
    rows = connection.execute(
        sa.select(scenario.c.id, scenario.c.basis).where(scenario.c.id.in_(scenario_ids))
    )
    return {row.id: row.basis for row in rows if row.basis is not None}


def list_bases(connection: Connection, requirement_id: str) -> list[tuple[str, Basis]]:
    """Return the id of each scenario of a requirement that says what it rests on, and this, the newest
    first."""
    rows = connection.execute(
        sa.select(scenario.c.id, scenario.c.basis)
        .where(scenario.c.requirement_id == requirement_id)
        .order_by(scenario.c.id.desc())
    )
    return [(row.id, row.basis) for row in rows if row.basis is not None]


def list_scenarios(
    connection: Connection, requirement_id: str, page: PageRequest
) -> tuple[list[Scenario], int]:
    """Return a page of scenarios, the newest first, and how many there are."""
    of_requirement = scenario.c.requirement_id == requirement_id
    listing = sa.select(scenario).where(of_requirement).order_by(scenario.c.id.desc())
    total, rows = read_page(connection, listing, page)
    return [_read(Scenario, row, _SCENARIO_COLUMNS) for row in rows.mappings()], total


def find_scenario(connection: Connection, requirement_id: str, scenario_id: str) -> Scenario:
    """Return a scenario of a requirement. Raises ApiProblem 404."""
    row = require(
        connection.execute(
            sa.select(scenario).where(
                scenario.c.id == scenario_id, scenario.c.requirement_id == requirement_id
            )
        )
        .mappings()
        .first(),
        "scenario",
    )
    return _read(Scenario, row, _SCENARIO_COLUMNS)


def find_organisation_of_scenario(connection: Connection, scenario_id: str) -> tuple[str, str] | None:
    """Return the organisation and the requirement of a scenario; None where it is gone."""
    row = connection.execute(
        sa.select(requirement.c.organisation_id, requirement.c.id)
        .join(scenario, scenario.c.requirement_id == requirement.c.id)
        .where(scenario.c.id == scenario_id)
    ).first()
    return None if row is None else (row[0], row[1])


_Record = TypeVar("_Record", Requirement, SourcingQuote, Scenario)


def _write(one: Requirement | SourcingQuote | Scenario, columns: Collection[str]) -> dict[str, Any]:
    """The record as JSON without what has a column of its own."""
    return one.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={*columns})


def _read(record: type[_Record], row: RowMapping, columns: Collection[str]) -> _Record:
    """The record of a row: its content, and what has a column of its own."""
    return record.model_validate({**row["content"], **{name: row[name] for name in columns if name in row}})
