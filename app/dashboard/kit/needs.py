"""What a page or a tab needs: where the deployment or the role lacks it, it is left out, or it says why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.navigation import PageEntry
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs


def draw_what_is_lacking(deployment: Deployment, entry: PageEntry) -> bool:
    """Draw why there is nothing on a page, and return whether that is so."""
    title, reason, icon = *entry.lacks, "cloud_off"
    if not entry.needs or queries.has_operation(deployment, entry.needs):
        if not entry.for_admins or deployment.is_admin:
            return False
        title, icon = "Admins and owners see this page", "lock"
        role = f"You have the role {deployment.role}. " if deployment.role else ""
        reason = f"{role}Ask an admin of your organisation for what you need of it."
    draw_page_header(entry.title, caption=entry.help)
    draw_empty_state(title, reason, icon=icon)
    return True


@dataclass(frozen=True)
class Tab:
    """A part of a page, drawn when it is opened, and the operation that it needs."""

    draw: Callable[[], object]
    needs: str = ""


def draw_offered_tabs(
    deployment: Deployment, tabs: Mapping[str, Tab], *, key: str, default: str | None = None
) -> None:
    """Draw those of the tabs that the deployment can fill, as `draw_tabs` does."""
    offered = {
        name: tab.draw
        for name, tab in tabs.items()
        if not tab.needs or queries.has_operation(deployment, tab.needs)
    }
    draw_tabs(offered, key=key, default=default if default in offered else None)
