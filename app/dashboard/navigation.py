"""The pages, their addresses and how to link to them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from app.dashboard.server import configuration

FOLDER = configuration.ROOT / "pages"


@dataclass(frozen=True)
class PageEntry:
    """A page: the file's name is its address. A hidden one is reached by a link, with `?id=`."""

    name: str
    title: str
    icon: str
    help: str
    hidden: bool = False

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.py"


SECTIONS: dict[str, tuple[PageEntry, ...]] = {
    "": (PageEntry("overview", "Overview", "space_dashboard", "What needs attention, and quick ways in."),),
    "Prices": (
        PageEntry("catalog", "Catalog", "storefront", "Suppliers and what they sell."),
        PageEntry("company", "Company", "apartment", "One supplier.", hidden=True),
        PageEntry(
            "product", "Product", "deployed_code", "One product and what its price depends on.", hidden=True
        ),
        PageEntry("scopes", "Scopes", "request_quote", "What is to be bought: by form or from a quote."),
        PageEntry("scope", "Scope", "description", "One scope.", hidden=True),
        PageEntry("estimates", "Estimates", "bar_chart", "What a scope should cost, next to what was asked."),
    ),
    "Deals": (
        PageEntry("negotiations", "Negotiations", "handshake", "Start one and follow all."),
        PageEntry("negotiation", "Negotiation", "forum", "One negotiation.", hidden=True),
        PageEntry("savings", "Savings", "savings", "What was quoted, aimed at, agreed and saved."),
    ),
    "Connections": (
        PageEntry("webhooks", "Webhooks", "webhook", "Where events are sent, and every delivery."),
        PageEntry("webhook", "Webhook", "webhook", "One webhook and its deliveries.", hidden=True),
        PageEntry("deployment", "Deployment", "dns", "Health, what the interface offers, calls made."),
    ),
}


@cache
def page_entries() -> dict[str, PageEntry]:
    """Every page whose file is there, by name. Looked up once: each run of a page asks many times."""
    return {entry.name: entry for section in SECTIONS.values() for entry in section if entry.file.is_file()}


def register_pages() -> st.Page:
    """Register the pages and return the one that the address asks for. An unknown address is the overview."""
    there = page_entries()
    return st.navigation(
        {
            section: [
                st.Page(
                    entry.file,
                    title=entry.title,
                    icon=f":material/{entry.icon}:",
                    url_path=entry.name,
                    default=entry.name == "overview",
                    visibility="hidden" if entry.hidden else "visible",
                    help=entry.help,
                )
                for entry in listed
                if entry.name in there
            ]
            for section, listed in SECTIONS.items()
            if any(entry.name in there for entry in listed)
        },
        # The built-in menu puts sections into a list that is none (axe: list, listitem).
        position="hidden",
    )


def draw_menu() -> None:
    """The pages that are not hidden, section by section, in the sidebar."""
    listed = page_entries()
    for section, of_section in SECTIONS.items():
        shown = [entry for entry in of_section if entry.name in listed and not entry.hidden]
        if section and shown:
            st.caption(section)
        for entry in shown:
            st.page_link(page_path(entry.name), icon=f":material/{entry.icon}:", width="stretch")


def has_page(name: str) -> bool:
    """Whether the page `name` can be linked to."""
    return name in page_entries()


def page_path(name: str) -> str:
    """The page `name` as `st.page_link` and `st.switch_page` take it."""
    return str(FOLDER / f"{name}.py")


def relative_address(name: str, **query: str) -> str:
    """The address of the page `name`, for a link in a table: relative, so that it holds under any prefix."""
    return f"./{name}?{urlencode(query)}" if query else f"./{name}"


def draw_link(name: str, label: str, *, icon: str | None = None, **query: str) -> None:
    """Draw a link to the page `name` with `query`; nothing when there is no such page."""
    if has_page(name):
        st.page_link(page_path(name), label=label, icon=icon, query_params=query or None)


def open_page(name: str, **query: str) -> None:
    """Leave for the page `name` with `query`. Ends the run."""
    st.switch_page(page_path(name), query_params=query or None)


def requested_id() -> str | None:
    """The record that the address asks for (`?id=`), None when it names none."""
    return st.query_params.get("id") or None


def draw_open_by_id(name: str, label: str) -> None:
    """Draw a field for an id and a button that opens the page `name` for it."""
    with st.form("open-by-id", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        record_id = st.text_input(label, key=f"{name}-id", width=380)
        if st.form_submit_button("Open") and record_id and record_id.strip():
            open_page(name, id=record_id.strip())
