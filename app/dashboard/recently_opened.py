"""The scopes and negotiations that somebody made or opened in this browser session, the latest first.

On a deployment that cannot list them this is the only way back to them.
"""

from typing import Literal

from app.dashboard.deployment import Deployment
from app.dashboard.session_values import opened_records

Kind = Literal["scope", "negotiation"]

LIMIT = 50


def remember(deployment: Deployment, kind: Kind, record_id: str) -> None:
    """Put the record first."""
    opened = opened_records(deployment, kind)
    opened.set([record_id, *(each for each in opened.get() if each != record_id)][:LIMIT])


def list_ids(deployment: Deployment, kind: Kind) -> list[str]:
    """Return the ids, the latest first."""
    return list(opened_records(deployment, kind).get())
