"""Find anything from every page, and what one can begin: the start page offers the same shortcuts."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from app.client import ApiError
from app.contract.overview import MIN_SEARCH_LENGTH, SearchHit
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components import formatting
from components.formatting import escape_markdown


@dataclass(frozen=True)
class StartAction:
    """Something to begin: the operation that it needs, and the page where it is done, on the tab of its label
    where `has_tab`. `words` are others that people search it by."""

    operation: str
    label: str
    icon: str
    page: str
    words: str
    has_tab: bool = False

    @property
    def query(self) -> Mapping[str, str]:
        """That of the page."""
        return {f"{self.page}-tab": self.label} if self.has_tab else {}


ACTIONS = (
    StartAction(
        "POST /v1/scope/from-document", "New quote", "upload_file", "scopes", "upload drop document offer"
    ),
    StartAction("POST /v1/scope", "New request", "edit_note", "scopes", "scope form buy", has_tab=True),
    StartAction(
        "POST /v1/imports", "Import purchases", "table_view", "imports", "upload file orders contracts rates"
    ),
    StartAction(
        "POST /v1/requirements",
        "New comparison",
        "view_column",
        "requirements",
        "compare quotes suppliers award",
        has_tab=True,
    ),
    StartAction("GET /v1/scope", "Compare estimates", "bar_chart", "estimates", "price scopes"),
    StartAction(
        "POST /v1/negotiation/start",
        "Start a negotiation",
        "handshake",
        "negotiations",
        "new negotiate",
        has_tab=True,
    ),
    StartAction("POST /v1/agreements", "Add a contract", "contract", "new_agreement", "new agreement"),
    StartAction(
        "POST /v1/webhooks", "Register a webhook", "webhook", "webhooks", "new events endpoint", has_tab=True
    ),
)


def draw_start_actions(deployment: Deployment, text: str = "") -> bool:
    """Draw links to what the deployment offers, those that `text` may mean. Return whether there is any."""
    found = [
        one for one in ACTIONS if matches(one, text) and queries.has_operation(deployment, one.operation)
    ]
    for one in found:
        navigation.draw_link(one.page, one.label, icon=one.icon, **one.query)
    return bool(found)


def matches(action: StartAction, text: str) -> bool:
    """Say whether each word of `text` begins a word of the action."""
    known = f"{action.label} {action.words}".casefold().split()
    return all(any(word.startswith(part) for word in known) for part in text.casefold().split())


SHORTCUT = "Mod+K"
"""Ctrl+K, and Cmd+K on a Mac."""

GROUPS = {
    "supplier": ("Suppliers", "apartment"),
    "product": ("Products", "deployed_code"),
    "scope": ("Quotes", "request_quote"),
    "negotiation": ("Negotiations", "handshake"),
    "agreement": ("Contracts", "contract"),
    "document": ("Documents", "description"),
}
"""The title and the icon of each kind; one that has no page here is left out."""

_FOCUS = """<script>
{
  let tries = 0;
  const timer = setInterval(() => {
    const field = document.querySelector(".st-key-find-anything-words input");
    field?.focus();
    if ((field && field === document.activeElement && tries > 2) || ++tries > 60) clearInterval(timer);
  }, 50);
}
</script>"""
"""The dialog takes the focus while it opens, and its field is what one types into: so until it has it."""


def draw_search_button(deployment: Deployment) -> None:
    """Draw the button, where the deployment can search; nothing where it does not answer."""
    try:
        can_search = queries.has_operation(deployment, "GET /v1/search")
    except ApiError:
        return
    if can_search and st.button(
        "Find anything", key="find-anything", icon=":material/search:", shortcut=SHORTCUT, width="stretch"
    ):
        _draw_dialog(deployment)


@st.dialog("Find anything", width="medium", icon=":material/search:")
def _draw_dialog(deployment: Deployment) -> None:
    words = st.text_input(
        "Name or number",
        key="find-anything-words",
        type="search",
        live=True,
        max_chars=200,
        placeholder="A supplier, product, quote, contract … or what to do: new quote, import purchases",
    )
    st.html(_FOCUS, unsafe_allow_javascript=True)
    text = (words or "").strip()
    with failure_panel("The search", in_dialog=True):
        has_actions = draw_start_actions(deployment, text)
        if sum(letter.isalnum() for letter in text) < MIN_SEARCH_LENGTH:
            st.caption(f"Type at least {MIN_SEARCH_LENGTH} letters or digits of a name or a number.")
            return
        groups = [one for one in queries.search(deployment, text).groups if one.kind in GROUPS]
        if not groups and not has_actions:
            st.markdown(f"Nothing matches “{escape_markdown(text)}”.")
            st.caption("Each word is looked for at the beginning of the words of a name. Try fewer of them.")
        for group in groups:
            title, icon = GROUPS[group.kind]
            st.markdown(f"**{title}**{f' · first {len(group.hits)}' if group.more else ''}")
            for hit in group.hits:
                page, query = _find_page(group.kind, hit)
                parts = [
                    "Archived" if hit.archived else None,
                    hit.detail,
                    formatting.format_local_time(hit.created_at) if hit.created_at else None,
                ]
                note = " · ".join(part for part in parts if part)
                navigation.draw_link_with_note(page, hit.name, note, icon=icon, **query)


def _find_page(kind: str, hit: SearchHit) -> tuple[str, dict[str, str]]:
    """Return the page that shows the record, and its query."""
    if kind == "document":
        if hit.negotiation_id:
            return "negotiation", {"id": hit.negotiation_id, "negotiation-tab": "Background"}
        return "scope", {"id": hit.scope_id or hit.id}
    return ("company" if kind == "supplier" else kind), {"id": hit.id}
