"""The pages, their addresses and links to them. A new page is a file in `pages/` and an entry here."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from app.dashboard.server import configuration
from components.elements.side_menu import MenuLink, draw_side_menu
from components.formatting.escape_markdown import escape_markdown

FOLDER = configuration.ROOT / "pages"


@dataclass(frozen=True)
class PageEntry:
    """A page: the name of its file is its address. A hidden page is opened by a link, with `?id=`."""

    name: str
    title: str
    icon: str
    help: str
    hidden: bool = False
    for_admins: bool = False
    """Whether the menu shows it to admins and owners alone; the service decides what they may do."""

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.py"


START = PageEntry(
    "overview", "Overview", "space_dashboard", "What waits for you, what changed, and shortcuts."
)

SECTIONS: dict[str, tuple[PageEntry, ...]] = {
    "": (START,),
    "Prices": (
        PageEntry("catalog", "Catalog", "storefront", "Suppliers and what they sell."),
        PageEntry("company", "Company", "apartment", "One supplier.", hidden=True),
        PageEntry(
            "product", "Product", "deployed_code", "One product and what its price depends on.", hidden=True
        ),
        PageEntry("imports", "Import", "upload_file", "What you paid before, from files."),
        PageEntry("import_file", "Import", "upload_file", "One imported file.", hidden=True),
        PageEntry("scopes", "Quotes", "request_quote", "What you plan to buy, from a quote or a form."),
        PageEntry("scope", "Quote", "description", "One quote.", hidden=True),
        PageEntry(
            "requirements", "Compare quotes", "view_column", "Several quotes for one need, side by side."
        ),
        PageEntry("requirement", "Requirement", "view_column", "One need and its quotes.", hidden=True),
        PageEntry("estimates", "Estimates", "bar_chart", "What it should cost, next to what was quoted."),
    ),
    "Negotiation": (
        PageEntry("negotiations", "Negotiations", "handshake", "Start negotiations and follow them."),
        PageEntry("negotiation", "Negotiation", "forum", "One negotiation.", hidden=True),
        PageEntry("agreements", "Contracts", "contract", "What was agreed, and by when somebody must act."),
        PageEntry("agreement", "Contract", "contract", "One contract.", hidden=True),
        PageEntry("new_agreement", "New contract", "add", "Put a contract on record.", hidden=True),
        PageEntry(
            "working_days",
            "Working days and mail",
            "calendar_month",
            "On which days you work, and who gets mail about deadlines.",
            hidden=True,
        ),
        PageEntry("savings", "Savings", "savings", "What was quoted, targeted, agreed and saved."),
    ),
    "Connections": (
        PageEntry("webhooks", "Webhooks", "webhook", "Where events are sent, and every delivery."),
        PageEntry("webhook", "Webhook", "webhook", "One webhook and its deliveries.", hidden=True),
        PageEntry("not_found", "Page not found", "search_off", "An address that is of no page.", hidden=True),
        PageEntry(
            "people",
            "People and keys",
            "group",
            "Who may use your organisation's data, and who changed what.",
            for_admins=True,
        ),
        PageEntry(
            "deployment", "System status", "dns", "The state of the service, its interface and recent calls."
        ),
    ),
}


def list_page_names() -> list[str]:
    """Return the names of all pages."""
    return [entry.name for section in SECTIONS.values() for entry in section]


def register_pages() -> st.Page:
    """Register the pages and return the one of the address: the start page for an unknown address."""
    entries = [entry for section in SECTIONS.values() for entry in section]
    start = _register(START, url_path="", default=True)
    # The start page is at "/". It is registered by its name as well, for those who type `/overview`.
    others = [_register(entry, url_path=entry.name) for entry in entries]
    return st.navigation([start, *others], position="hidden")


def _register(entry: PageEntry, *, url_path: str, default: bool = False) -> st.Page:
    return st.Page(
        entry.file,
        title=entry.title,
        icon=f":material/{entry.icon}:",
        url_path=url_path,
        default=default,
        help=entry.help,
    )


def draw_menu(shown: st.Page, *, is_admin: bool) -> None:
    """Draw links to the pages that are not hidden, section by section; `shown` is the page of the address."""
    sections = {
        section: [
            MenuLink(_address(entry), entry.title, entry.icon)
            for entry in entries
            if not entry.hidden and (is_admin or not entry.for_admins)
        ]
        for section, entries in SECTIONS.items()
    }
    draw_side_menu(sections, shown.url_path or _address(START))


def _address(entry: PageEntry) -> str:
    return "./" if entry is START else entry.name


def page_path(name: str) -> str:
    """Return the page `name` in the form that `st.page_link` and `st.switch_page` take."""
    return str(FOLDER / f"{name}.py")


def draw_link(name: str, label: str, *, icon: str | None = None, **query: str) -> None:
    """Draw a link to the page `name` with `query`."""
    st.page_link(page_path(name), label=label, icon=icon, query_params=query or None)


def draw_link_with_note(name: str, label: str, note: str, *, icon: str | None = None, **query: str) -> None:
    """Draw a link and a note behind it, below it where the window is narrow: a link itself is cut there."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.page_link(
            page_path(name),
            label=escape_markdown(label),
            icon=icon,
            query_params=query or None,
            width="content",
        )
        if note:
            st.caption(escape_markdown(note), width="content")


def open_page(name: str, **query: str) -> None:
    """Open the page `name` with `query`. This ends the run."""
    st.switch_page(page_path(name), query_params=query or None)


def requested_id() -> str | None:
    """Return the record that the address asks for (`?id=`), None when it names none."""
    return st.query_params.get("id") or None


def draw_open_by_id(name: str, label: str) -> None:
    """Draw a field for an id and a button that opens the page `name` for it."""
    with st.form("open-by-id", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        record_id = st.text_input(label, key=f"{name}-id", width=380)
        if st.form_submit_button("Open") and record_id and record_id.strip():
            open_page(name, id=record_id.strip())
