"""What a page or a tab needs: where the deployment or the role lacks it, it is left out, or it says why."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.navigation import PageEntry
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs
from components.formatting import to_symbol


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
    draw_empty_state(title, reason, icon)
    return True


@dataclass(frozen=True)
class Tab:
    """A part of a page, drawn when it is opened, and the operation that it needs. `what` is named where it
    fails."""

    draw: Callable[[], object]
    needs: str = ""
    what: str = ""

    def open(self) -> None:
        """Draw it."""
        with failure_panel(self.what) if self.what else nullcontext():
            self.draw()


def draw_page_button(
    deployment: Deployment,
    label: str,
    page: str,
    *,
    icon: str,
    key: str,
    needs: str = "",
    type: Literal["primary", "secondary"] = "secondary",
    help: str | None = None,
    **query: str,
) -> None:
    """Draw the button that opens a page with `query`, where the deployment offers what that needs."""
    if (not needs or queries.has_operation(deployment, needs)) and st.button(
        label, key=key, icon=to_symbol(icon), type=type, help=help
    ):
        navigation.open_page(page, **query)


def list_offered(deployment: Deployment, tabs: Mapping[str, Tab]) -> dict[str, Callable[[], object]]:
    """Return what draws those of the tabs that the deployment can fill."""
    return {
        name: tab.open
        for name, tab in tabs.items()
        if not tab.needs or queries.has_operation(deployment, tab.needs)
    }


def draw_offered_tabs(
    deployment: Deployment, tabs: Mapping[str, Tab], *, key: str, default: str | None = None
) -> None:
    """Draw the tabs that `list_offered` returns, as `draw_tabs` does."""
    offered = list_offered(deployment, tabs)
    draw_tabs(offered, key=key, default=default if default in offered else None)
