"""The pages, their addresses and links to them. A new page is a file in `pages/` and an entry here."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from app.dashboard.server import configuration
from components.elements.side_menu import draw_side_menu
from components.formatting import escape_markdown, to_symbol

FOLDER = configuration.ROOT / "pages"


@dataclass(frozen=True)
class PageEntry:
    """A page: the name of its file is its address, where it has no other. `parent` is the page whose place in
    the menu it is shown under; it is opened by a link."""

    name: str
    title: str
    icon: str
    help: str
    parent: str = ""
    address: str = ""
    for_admins: bool = False
    """Whether it is of use to admins and owners alone; the service decides what they may do."""
    needs: str = ""
    """The operation without which the page is empty; `lacks` says so, and what there is instead."""
    lacks: tuple[str, str] = ("", "")

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.py"

    @property
    def path(self) -> str:
        return self.address or self.name


START = PageEntry("overview", "Home", "space_dashboard", "What waits for you, and what changed.")

PAGES = (
    START,
    PageEntry(
        "scopes", "Quotes", "request_quote", "What you plan to buy, from a quote or a form.", address="quotes"
    ),
    PageEntry("scope", "Quote", "description", "One quote or request.", "scopes", "quote"),
    PageEntry(
        "requirements",
        "Compare",
        "view_column",
        "Several quotes for one need, side by side.",
        address="compare",
        needs="GET /v1/requirements",
        lacks=("This workspace does not compare quotes", "The Estimates page compares quotes."),
    ),
    PageEntry(
        "requirement", "Comparison", "view_column", "One need and its quotes.", "requirements", "comparison"
    ),
    PageEntry("estimates", "Estimates", "bar_chart", "What up to four quotes should cost.", "requirements"),
    PageEntry("negotiations", "Negotiations", "handshake", "Start negotiations and follow them."),
    PageEntry("negotiation", "Negotiation", "forum", "One negotiation.", "negotiations"),
    PageEntry(
        "agreements",
        "Contracts",
        "contract",
        "What was agreed, and what must be done.",
        address="contracts",
        needs="GET /v1/agreements",
        lacks=("This workspace keeps no contracts", "Negotiations show what was agreed."),
    ),
    PageEntry("agreement", "Contract", "contract", "One contract.", "agreements", "contract"),
    PageEntry(
        "new_agreement", "New contract", "add", "Put a contract on record.", "agreements", "new_contract"
    ),
    PageEntry(
        "savings",
        "Savings",
        "savings",
        "What was quoted, targeted, agreed and saved.",
        needs="GET /v1/negotiation/savings",
        lacks=("This workspace has no savings report", "Each negotiation shows what it saved."),
    ),
    PageEntry("catalog", "Catalog", "storefront", "Suppliers, what they sell, and what was paid."),
    PageEntry("company", "Supplier", "apartment", "One supplier.", "catalog"),
    PageEntry("product", "Product", "deployed_code", "One product and what its price depends on.", "catalog"),
    PageEntry("imports", "Import", "upload_file", "What you paid before, from files.", "catalog"),
    PageEntry("import_file", "Import", "upload_file", "One imported file.", "catalog"),
    PageEntry("webhooks", "Webhooks", "webhook", "Where events are sent, and every delivery."),
    PageEntry("webhook", "Webhook", "webhook", "One webhook and its deliveries.", "webhooks"),
    PageEntry("settings", "Settings", "settings", "People and keys, approvals, working days, system status."),
    PageEntry(
        "people",
        "People and keys",
        "group",
        "Who may use your organisation's data, and the history of who changed what.",
        "settings",
        for_admins=True,
        needs="GET /v1/audit",
        lacks=("This workspace keeps no list of people", "Its operator manages who may use it."),
    ),
    PageEntry(
        "approvals",
        "Approvals",
        "how_to_reg",
        "What another person than who asked for it must approve.",
        "settings",
        needs="GET /v1/approvals",
        lacks=("This workspace asks for no second person", "Who has the role for something does it alone."),
    ),
    PageEntry(
        "working_days",
        "Working days and mail",
        "calendar_month",
        "On which days you work, and who gets mail about deadlines.",
        "settings",
        needs="PATCH /v1/working-days",
        lacks=("This workspace knows no working days", "It keeps no contracts with deadlines."),
    ),
    PageEntry(
        "deployment",
        "System status",
        "dns",
        "The state of the service, its interface, recent calls, and the second opinion.",
        "settings",
    ),
    PageEntry("not_found", "Page not found", "search_off", "An address that is of no page.", "overview"),
)
_BY_NAME = {entry.name: entry for entry in PAGES}

MOVED = {entry.name: entry.address for entry in PAGES if entry.address}
"""Addresses of before, and those that they lead to."""
MOVED_TABS = {
    ("agreements-tab", "Next twelve months"): (("act-within", "12 months"),),
    ("agreements-tab", "All agreements"): (("agreements-tab", "All"),),
    ("agreements-tab", "Missing details"): (("agreements-tab", "All"), ("agreement-missing", "true")),
    ("agreements-tab", "Against the market"): (("agreements-tab", "Benchmark"),),
    ("scopes-tab", "All scopes"): (("scopes-tab", "All quotes"),),
    ("scopes-tab", "From a form"): (("scopes-tab", "New request"),),
    ("requirements-tab", "All requirements"): (("requirements-tab", "All comparisons"),),
    ("requirements-tab", "New requirement"): (("requirements-tab", "New comparison"),),
    ("requirement-tab", "Alignment"): (("requirement-tab", "Matching"),),
}
"""Tabs of before, as in addresses, and what leads to the same today."""


def list_addresses() -> list[str]:
    """Return the addresses of all pages."""
    return [entry.path for entry in PAGES]


def register_pages() -> st.Page:
    """Register the pages and return the one of the address: the start page for an unknown address."""
    # Copies, since Streamlit marks the one that is run.
    return st.navigation([copy(page) for page in _make_pages()], position="hidden")


@cache
def _make_pages() -> Sequence[st.Page]:
    # The start page is at "/". It is registered by its name as well, for those who type `/overview`.
    return [
        st.Page(
            entry.file,
            title=entry.title,
            icon=f":material/{entry.icon}:",
            url_path=path,
            default=not path,
            help=entry.help,
        )
        for entry, path in [(START, ""), *((entry, entry.path) for entry in PAGES)]
    ]


def find_entry(shown: st.Page) -> PageEntry:
    """Return the entry of the page of the address."""
    return next((entry for entry in PAGES if entry.path == shown.url_path), START)


def draw_menu(shown: st.Page, below: Sequence[str]) -> None:
    """Draw links to the pages of the menu, and the lines `below`; `shown` is the page of the address."""
    current = find_entry(shown)
    links = [(_link(entry), entry.title, entry.icon) for entry in PAGES if not entry.parent]
    draw_side_menu(links, _link(_BY_NAME[current.parent or current.name]), below)


def _link(entry: PageEntry) -> str:
    return "./" if entry is START else entry.path


def page_path(name: str) -> str:
    """Return the page `name` in the form that `st.page_link` and `st.switch_page` take."""
    return str(FOLDER / f"{name}.py")


def draw_link(name: str, label: str, *, icon: str | None = None, **query: str) -> None:
    """Draw a link to the page `name` with `query`; `icon` is the name of a Material symbol."""
    st.page_link(page_path(name), label=label, icon=to_symbol(icon), query_params=query or None)


def draw_link_with_note(name: str, label: str, note: str, *, icon: str | None = None, **query: str) -> None:
    """Draw a link with a note in it."""
    behind = f" :small[:gray[{escape_markdown(note)}]]" if note else ""
    draw_link(name, f"{escape_markdown(label)}{behind}", icon=icon, **query)


def open_page(name: str, **query: str) -> None:
    """Open the page `name` with `query`. This ends the run."""
    st.switch_page(page_path(name), query_params=query or None)


def draw_open_by_id(name: str, label: str) -> None:
    """Draw a field for an id and a button that opens the page `name` for it."""
    with st.form("open-by-id", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        record_id = st.text_input(label, key=f"{name}-id", width=380)
        if st.form_submit_button("Open") and record_id and record_id.strip():
            open_page(name, id=record_id.strip())
