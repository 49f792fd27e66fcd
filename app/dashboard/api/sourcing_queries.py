"""Cached reads of requirements and their quotes, which a deployment may lack: ask `queries.has_operation`
first."""

from collections.abc import Sequence

from app.contract.page import MAX_LIMIT, ListPage
from app.contract.sourcing import Matrix, Requirement, Scenario, SourcingQuote
from app.dashboard.api.cached_read import OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for
from app.dashboard.deployment import Deployment


@cached_read(OWN_SECONDS, max_entries=500)
def load_requirements(deployment: Deployment, *, limit: int, offset: int = 0) -> ListPage[Requirement]:
    """Load a page of the requirements. Needs `GET /v1/requirements`."""
    return client_for(deployment).requirements.list(limit=limit, offset=offset)


@cached_read(OWN_SECONDS, max_entries=500)
def load_requirement(deployment: Deployment, requirement_id: str) -> Requirement:
    """Load one requirement with its lines. Needs `GET /v1/requirements/{}`."""
    return client_for(deployment).requirements.get(requirement_id)


@cached_read(OWN_SECONDS, max_entries=50)
def load_matrix(deployment: Deployment, requirement_id: str) -> Matrix:
    """Load the table of a requirement. Needs `GET /v1/requirements/{}/matrix`."""
    return client_for(deployment).requirements.matrix(requirement_id)


@cached_read(OWN_SECONDS, max_entries=50)
def load_quotes(deployment: Deployment, requirement_id: str) -> Sequence[SourcingQuote]:
    """Load all quotes of a requirement: it has fewer than a page holds. Needs
    `GET /v1/requirements/{}/quotes`."""
    return client_for(deployment).requirements.list_quotes(requirement_id, limit=MAX_LIMIT).data


@cached_read(OWN_SECONDS, max_entries=50)
def load_scenarios(
    deployment: Deployment, requirement_id: str, limit: int, offset: int
) -> ListPage[Scenario]:
    """Load a page of the scenarios of a requirement. Needs `GET /v1/requirements/{}/scenarios`."""
    return client_for(deployment).requirements.list_scenarios(requirement_id, limit=limit, offset=offset)


@cached_read(OWN_SECONDS, max_entries=50)
def load_scenario(deployment: Deployment, requirement_id: str, scenario_id: str) -> Scenario:
    """Load one scenario. Needs `GET /v1/requirements/{}/scenarios/{}`."""
    return client_for(deployment).requirements.get_scenario(requirement_id, scenario_id)


READS = (load_requirements, load_requirement, load_matrix, load_quotes, load_scenarios, load_scenario)
"""What a write may change."""
