"""The one-time link: `parley up` makes a key for the dashboard and hands both over by environment.

`PARLEY_DASHBOARD_LINK_TOKEN`: what stands behind `/?link=`. `PARLEY_DASHBOARD_LINK_KEY`: the API key that it
signs in with, at `PARLEY_PUBLIC_URL`. Without both there is no link.
"""

import os

from app.dashboard.deployment import Deployment
from app.dashboard.signing_in.sessions import OneTimeLink
from app.settings import Settings

TOKEN_VARIABLE = "PARLEY_DASHBOARD_LINK_TOKEN"
KEY_VARIABLE = "PARLEY_DASHBOARD_LINK_KEY"


def read_link(settings: Settings) -> OneTimeLink | None:
    """The link of this process. Both variables are taken out, so that no later child inherits them."""
    token = os.environ.pop(TOKEN_VARIABLE, "")
    key = os.environ.pop(KEY_VARIABLE, "")
    if not token or not key:
        return None
    return OneTimeLink(token, Deployment(settings.public_url, key), settings.data_dir / "dashboard.link")


def link_address(dashboard_url: str, token: str) -> str:
    """What `parley up` prints and opens."""
    return f"{dashboard_url.rstrip('/')}/?link={token}"
