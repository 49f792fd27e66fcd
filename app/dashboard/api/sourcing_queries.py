"""Cached reads of requirements and their quotes, which a deployment may lack: ask `queries.has_operation`
first."""

from collections.abc import Sequence

from app.contract.page import MAX_LIMIT
from app.contract.sourcing import SourcingQuote
from app.dashboard.api.cached_read import OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for, client_read
from app.dashboard.deployment import Deployment

load_requirements = client_read(lambda client: client.requirements.list, OWN_SECONDS, max_entries=500)
load_requirement = client_read(lambda client: client.requirements.get, OWN_SECONDS, max_entries=500)
load_matrix = client_read(lambda client: client.requirements.matrix, OWN_SECONDS, max_entries=50)


@cached_read(OWN_SECONDS, max_entries=50)
def load_quotes(deployment: Deployment, requirement_id: str) -> Sequence[SourcingQuote]:
    """Load all quotes of a requirement: it has fewer than a page holds. Needs
    `GET /v1/requirements/{}/quotes`."""
    return client_for(deployment).requirements.list_quotes(requirement_id, limit=MAX_LIMIT).data


load_scenarios = client_read(lambda client: client.requirements.list_scenarios, OWN_SECONDS, max_entries=50)
load_scenario = client_read(lambda client: client.requirements.get_scenario, OWN_SECONDS, max_entries=50)


READS = (load_requirements, load_requirement, load_matrix, load_quotes, load_scenarios, load_scenario)
"""What a write may change."""
