"""What one can begin: the shortcuts of the start page, and the actions that the search offers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment


@dataclass(frozen=True)
class StartAction:
    """Something to begin: the operation that it needs, and the page where it is done. `words` are others that
    people search it by."""

    operation: str
    label: str
    icon: str
    page: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    words: str = ""


ACTIONS = (
    StartAction(
        "POST /v1/scope/from-document",
        "New quote",
        "upload_file",
        "scopes",
        words="upload drop document offer",
    ),
    StartAction(
        "POST /v1/scope",
        "New request",
        "edit_note",
        "scopes",
        {"scopes-tab": "New request"},
        "scope form buy",
    ),
    StartAction(
        "POST /v1/imports",
        "Import purchases",
        "table_view",
        "imports",
        words="upload file orders contracts rates",
    ),
    StartAction(
        "POST /v1/requirements",
        "New comparison",
        "view_column",
        "requirements",
        {"requirements-tab": "New comparison"},
        "compare quotes suppliers award",
    ),
    StartAction("GET /v1/scope", "Compare estimates", "bar_chart", "estimates", words="price scopes"),
    StartAction(
        "POST /v1/negotiation/start",
        "Start a negotiation",
        "handshake",
        "negotiations",
        {"negotiations-tab": "Start a negotiation"},
        "new negotiate",
    ),
    StartAction("POST /v1/agreements", "Add a contract", "contract", "new_agreement", words="new agreement"),
    StartAction(
        "POST /v1/webhooks",
        "Register a webhook",
        "webhook",
        "webhooks",
        {"webhooks-tab": "Register a webhook"},
        "new events endpoint",
    ),
)


def draw_start_actions(deployment: Deployment, text: str = "") -> bool:
    """Draw links to what the deployment offers, those that `text` may mean. Return whether there is any."""
    found = [
        one for one in ACTIONS if matches(one, text) and queries.has_operation(deployment, one.operation)
    ]
    for one in found:
        navigation.draw_link(one.page, one.label, icon=f":material/{one.icon}:", **one.query)
    return bool(found)


def matches(action: StartAction, text: str) -> bool:
    """Say whether each word of `text` begins a word of the action."""
    known = f"{action.label} {action.words}".casefold().split()
    return all(any(word.startswith(part) for word in known) for part in text.casefold().split())
