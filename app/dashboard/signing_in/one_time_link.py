"""The one-time link: `parley up` makes a key for the dashboard and hands both over by environment.

`PARLEY_DASHBOARD_LINK_TOKEN`: what stands behind `/?link=`. `PARLEY_DASHBOARD_LINK_KEY`: the API key that it
signs in with, at `PARLEY_PUBLIC_URL`. Without both there is no link.
"""

import os
import secrets
from dataclasses import dataclass, field

from app.dashboard.deployment import Deployment
from app.dashboard.signing_in import service_sessions
from app.settings import Settings

TOKEN_VARIABLE = "PARLEY_DASHBOARD_LINK_TOKEN"  # noqa: S105 (the name of a variable)
KEY_VARIABLE = "PARLEY_DASHBOARD_LINK_KEY"


@dataclass(frozen=True)
class OneTimeLink:
    """The link that `parley up` prints: its token signs in once, to `deployment`."""

    token: str = field(repr=False)
    deployment: Deployment

    def use(self, token: str) -> Deployment | None:
        """Return a session of the deployment the first time that the right token is given, in whichever
        process and also after a restart; else None. Raises ApiError."""
        if not secrets.compare_digest(self.token.encode(), token.encode()):
            return None
        is_first = service_sessions.use_ticket(self.deployment, f"link {token}")
        return service_sessions.start_session(self.deployment) if is_first else None


def read_link(settings: Settings) -> OneTimeLink | None:
    """The link of this process. Both variables are taken out, so that no later child inherits them."""
    token = os.environ.pop(TOKEN_VARIABLE, "")
    key = os.environ.pop(KEY_VARIABLE, "")
    return OneTimeLink(token, Deployment(settings.public_url, key)) if token and key else None


def link_address(dashboard_url: str, token: str) -> str:
    """What `parley up` prints and opens."""
    return f"{dashboard_url.rstrip('/')}/?link={token}"
