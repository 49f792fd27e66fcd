"""The pages, their addresses and how to link to them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from app.dashboard.server import configuration

FOLDER = configuration.ROOT / "pages"


@dataclass(frozen=True)
class Entry:
    """A page: the file's name is its address. A hidden one is reached by a link, with `?id=`."""

    name: str
    title: str
    icon: str
    help: str
    hidden: bool = False

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.py"


SECTIONS: dict[str, tuple[Entry, ...]] = {
    "": (Entry("overview", "Overview", "space_dashboard", "What needs attention, and quick ways in."),),
    "Prices": (
        Entry("catalog", "Catalog", "storefront", "Suppliers and what they sell."),
        Entry("company", "Company", "apartment", "One supplier.", hidden=True),
        Entry(
            "product", "Product", "deployed_code", "One product and what its price depends on.", hidden=True
        ),
        Entry("scopes", "Scopes", "request_quote", "What is to be bought: by form or from a quote."),
        Entry("scope", "Scope", "description", "One scope.", hidden=True),
        Entry("estimates", "Estimates", "bar_chart", "What a scope should cost, next to what was asked."),
    ),
    "Deals": (
        Entry("negotiations", "Negotiations", "handshake", "Start one and follow all."),
        Entry("negotiation", "Negotiation", "forum", "One negotiation.", hidden=True),
        Entry("savings", "Savings", "savings", "What was quoted, aimed at, agreed and saved."),
    ),
    "Connections": (
        Entry("webhooks", "Webhooks", "webhook", "Where events are sent, and every delivery."),
        Entry("webhook", "Webhook", "webhook", "One webhook and its deliveries.", hidden=True),
        Entry("deployment", "Deployment", "dns", "Health, what the interface offers, calls made."),
    ),
}


@cache
def entries() -> dict[str, Entry]:
    """Every page whose file is there, by name. Looked up once: each run of a page asks many times."""
    return {entry.name: entry for section in SECTIONS.values() for entry in section if entry.file.is_file()}


def navigate() -> st.Page:
    """Register the pages and return the one that the address asks for. An unknown address is the overview."""
    there = entries()
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
    listed = entries()
    for section, of_section in SECTIONS.items():
        shown = [entry for entry in of_section if entry.name in listed and not entry.hidden]
        if section and shown:
            st.caption(section)
        for entry in shown:
            st.page_link(path(entry.name), icon=f":material/{entry.icon}:", width="stretch")


def there(name: str) -> bool:
    """Whether the page `name` can be linked to."""
    return name in entries()


def path(name: str) -> str:
    """The page `name` as `st.page_link` and `st.switch_page` take it."""
    return str(FOLDER / f"{name}.py")


def href(name: str, **query: str) -> str:
    """The address of the page `name`, for a link in a table: relative, so that it holds under any prefix."""
    return f"./{name}?{urlencode(query)}" if query else f"./{name}"


def link(name: str, label: str, *, icon: str | None = None, **query: str) -> None:
    """Draw a link to the page `name` with `query`; nothing when there is no such page."""
    if there(name):
        st.page_link(path(name), label=label, icon=icon, query_params=query or None)


def go(name: str, **query: str) -> None:
    """Leave for the page `name` with `query`. Ends the run."""
    st.switch_page(path(name), query_params=query or None)


def asked_id() -> str | None:
    """The record that the address asks for (`?id=`), None when it names none."""
    return st.query_params.get("id") or None
