"""What needs attention, what was created last, and shortcuts."""

import streamlit as st

from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.signing_in import identity
from components.elements.attention_list import AttentionItem, draw_attention_list
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.sample_badge import draw_sample_banner, is_sample
from components.formatting import datetimes
from components.formatting.counts import format_count
from components.scopes.recent_scopes import draw_recent_scopes

deployment = identity.require_deployment()

MAX_WEBHOOKS = 5
"""Of how many webhooks the failed deliveries are counted: each costs a call."""


def has_operation(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


def list_waiting_negotiations() -> list[AttentionItem]:
    """Return an item for each negotiation that waits for a decision or for a letter to be sent."""
    if not has_operation("GET /v1/negotiation"):
        return []
    items: list[AttentionItem] = []
    for negotiation in queries.load_negotiations(deployment, limit=50).data:
        name = negotiation.supplier.name or "A negotiation"
        if negotiation.drafts:
            letters = format_count(negotiation.drafts, "letter waits", "letters wait")
            address = (("id", negotiation.id), ("tab", "Files and people"))
            items.append(
                AttentionItem(
                    name, f"{letters} to be copied and sent by you.", "negotiation", address, "blue"
                )
            )
        if negotiation.open_escalations:
            decisions = format_count(negotiation.open_escalations, "decision waits", "decisions wait")
            items.append(
                AttentionItem(
                    name, f"{decisions} for you.", "negotiation", (("id", negotiation.id),), "orange"
                )
            )
    return items


def list_failing_webhooks() -> list[AttentionItem]:
    """Return an item for each webhook with deliveries that failed for good."""
    if not has_operation("GET /v1/webhooks/{}/events/{}/attempts"):
        return []
    items: list[AttentionItem] = []
    for webhook in queries.load_webhooks(deployment)[:MAX_WEBHOOKS]:
        failed = queries.load_webhook_events(deployment, webhook.id, status="failed", limit=25)
        if failed.data:
            count = f"{len(failed.data)}{' or more' if failed.more else ''}"
            items.append(
                AttentionItem(
                    webhook.url, f"Failed deliveries: {count}.", "webhooks", (("id", webhook.id),), "red"
                )
            )
    return items


def draw_attention() -> None:
    st.subheader("Needs attention", anchor=False)
    with failure_panel("The list of what needs attention"):
        items = list_waiting_negotiations() + list_failing_webhooks()
        if not items:
            draw_empty_state(
                "Nothing waits for you", "There is no open decision and no failing webhook.", icon="task_alt"
            )
            return
        opened = draw_attention_list(items, key="attention")
        if opened:
            navigation.open_page(opened.page, **dict(opened.query))


def draw_scopes() -> None:
    if not has_operation("GET /v1/scope"):
        return
    st.subheader("Recent scopes", anchor=False)
    with failure_panel("The recent scopes"):
        scopes = queries.load_scopes(deployment, limit=8)
        if scopes.data:
            opened = draw_recent_scopes(scopes.data, zone=datetimes.get_reader_zone(), key="recent-scopes")
            if opened:
                navigation.open_page("scope", id=opened.id)
        elif draw_empty_state(
            "No scopes yet",
            "A scope describes a purchase; its price is estimated from what others paid.",
            icon="request_quote",
            action="Upload a quote",
            key="first-scope",
        ):
            navigation.open_page("scopes")


def draw_shortcuts() -> None:
    st.subheader("Find a supplier", anchor=False)
    with st.form("find-supplier", border=False):
        text = st.text_input(
            "Name or domain",
            key="wanted",
            placeholder="Part of a name, or a domain",
            icon=":material/search:",
        )
        if st.form_submit_button("Search the catalog", width="stretch"):
            navigation.open_page("catalog", **({"q": text.strip()} if text.strip() else {}))
    st.subheader("Start", anchor=False)
    if has_operation("POST /v1/scope/from-document"):
        navigation.draw_link("scopes", "Upload a quote or describe a purchase", icon=":material/upload_file:")
    navigation.draw_link("estimates", "Compare estimates", icon=":material/bar_chart:")
    if has_operation("POST /v1/negotiation/start"):
        navigation.draw_link("negotiations", "Start a negotiation", icon=":material/handshake:")
    if has_operation("POST /v1/webhooks"):
        navigation.draw_link("webhooks", "Register a webhook", icon=":material/webhook:")
    navigation.draw_link("deployment", "Check the deployment", icon=":material/dns:")


draw_page_header("Overview", caption="What a purchase should cost, and how your negotiations are going.")
with failure_panel("The catalog"):
    first = queries.load_companies(deployment, limit=25)
    if any(is_sample(company.domain, company.description) for company in first.data):
        draw_sample_banner()
# A grid and not columns: in a narrow window the shortcuts move under the rest instead of being cut.
grid = st.grid(3, min_column_width=280, gap=("small", "large"))
with grid.cell(column_span=2):
    draw_attention()
    draw_scopes()
with grid.cell(), failure_panel("The shortcuts"):
    draw_shortcuts()
