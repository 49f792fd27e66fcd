"""When this browser showed the dashboard before, so that a page can say what changed since then.

The browser remembers it, in a cookie for each deployment and person: a key that only reads has it too, and so
has a deployment without our extensions. It holds two moments and no more: when the visit before this one
ended, and when the dashboard was last on screen. After half an hour off screen a new visit begins.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256

import streamlit as st

from app.dashboard.deployment import Deployment
from app.dashboard.session_values import last_visit

BREAK_SECONDS = 1800
"""How long the dashboard is off screen until the next look at it is a new visit."""
YEAR_SECONDS = 365 * 86400

_MOMENTS = re.compile(r"([0-9]{1,11})\.([0-9]{1,11})")
"""In seconds since 1970."""

_SCRIPT = """
if (window.parleyVisit !== "{name}") {{
  window.parleyVisit = "{name}";
  const now = () => Math.floor(Date.now() / 1000);
  const kept = document.cookie.split("; ").find((one) => one.startsWith("{name}="));
  const [before, latest] = (kept ? kept.split("=")[1] : "0.0").split(".").map(Number);
  const ended = latest && now() - latest > {break_seconds} ? latest : before;
  const remember = () => {{
    if (document.visibilityState === "visible" && window.parleyVisit === "{name}")
      document.cookie = `{name}=${{ended}}.${{now()}}; path=/; max-age={year_seconds}; samesite=lax`;
  }};
  remember();
  setInterval(remember, 60000);
}}
"""


def build_visit_script(deployment: Deployment) -> str:
    """Return the script by which the browser remembers that the dashboard is on screen."""
    find_last_visit(deployment)
    return _SCRIPT.format(
        name=cookie_name(deployment), break_seconds=BREAK_SECONDS, year_seconds=YEAR_SECONDS
    )


def cookie_name(deployment: Deployment) -> str:
    """The cookie of a deployment and person. Not of the key: `parley up` makes a new one at each start."""
    who = (deployment.base_url, deployment.end_user, deployment.end_user_email)
    return f"parley-visit-{sha256(repr(who).encode()).hexdigest()[:16]}"


def read_last_visit(cookies: Mapping[str, str], name: str, now: datetime) -> datetime | None:
    """Read what the browser sent when the page was loaded."""
    kept = _MOMENTS.fullmatch(cookies.get(name, ""))
    if kept is None:
        return None
    before, latest = int(kept[1]), int(kept[2])
    seconds = latest if now.timestamp() - latest > BREAK_SECONDS else before
    return datetime.fromtimestamp(seconds, UTC) if 0 < seconds <= now.timestamp() else None


def find_last_visit(deployment: Deployment) -> datetime | None:
    """Return when the visit before this one ended; None where this is the first one."""
    # The cookie changes while the page is open, and what counts is what it held at the beginning.
    name = cookie_name(deployment)
    return last_visit(name).get_or_set(read_last_visit(st.context.cookies, name, datetime.now(UTC)))
