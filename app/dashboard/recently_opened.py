"""The scopes and negotiations that somebody made or opened in this browser session, the latest first.

On a deployment that cannot list them this is the only way back to them.
"""

from collections.abc import Callable
from typing import Literal, TypeVar

from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import opened_records

Kind = Literal["scope", "negotiation"]

Record = TypeVar("Record")

LIMIT = 50
MOST_LISTED = 25


def remember(deployment: Deployment, kind: Kind, record_id: str) -> None:
    """Put the record first."""
    opened = opened_records(deployment, kind)
    opened.set([record_id, *(each for each in opened.get() if each != record_id)][:LIMIT])


def list_ids(deployment: Deployment, kind: Kind) -> list[str]:
    """Return the ids, the latest first."""
    return list(opened_records(deployment, kind).get())


def load_opened(
    deployment: Deployment, kind: Kind, load: Callable[[Deployment, str], Record]
) -> list[Record]:
    """Load the latest ones, and draw a panel for each that fails."""
    found: list[Record] = []
    for record_id in list_ids(deployment, kind)[:MOST_LISTED]:
        with failure_panel(f"The {kind} {record_id}", key=record_id):
            found.append(load(deployment, record_id))
    return found
