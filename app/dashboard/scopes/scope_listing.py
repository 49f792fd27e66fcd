"""The list of scopes with its filters, and the choice of one by part of its name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from app.contract.page import MAX_LIMIT
from app.contract.scope import Scope
from app.contract.scope_list import WAITING_STATUSES, ListedScope, ScopePage
from app.dashboard import recently_opened
from app.dashboard.api import queries
from app.dashboard.api.cached_read import cached_read
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, TextFilter
from app.dashboard.sample_data import draw_sample_notice
from components.elements.search_choice import FoundOptions
from components.formatting.datetimes import get_reader_zone
from components.scopes.scope_card import describe_term, get_listed_currency, make_scope_title
from components.scopes.scope_list import (
    ARCHIVED_LABEL,
    STATUS_LABELS,
    describe_waiting,
    draw_recent_scopes,
    is_archived,
)

MAX_FOUND = 50
NAME_PARAMETER = "GET /v1/scope?name"


def find_scopes(deployment: Deployment, text: str, *, priced_only: bool = True) -> FoundOptions:
    """Find the scopes with `text` in their name or that of their supplier or document, the newest first; the
    newest without a text; with `priced_only` those that can be estimated. Archived ones are left out. Where
    the deployment cannot search, those that it lists or that were opened in this session."""
    if NAME_PARAMETER in queries.load_parameters(deployment):
        return _search_scopes(deployment, text, priced_only)
    names = {
        scope.id: name_scope(scope) for scope in _load_known_scopes(deployment) if _offers(scope, priced_only)
    }
    found = {ident: name for ident, name in names.items() if text.casefold() in name.casefold()}
    return FoundOptions(found, len(found))


def _offers(scope: Scope, priced_only: bool) -> bool:
    return bool(scope.product_terms) or not priced_only


def _load_known_scopes(deployment: Deployment) -> list[Scope]:
    """Return the newest scopes where the deployment lists them, and those opened in this session. One that
    cannot be loaded becomes a panel."""
    scopes: dict[str, Scope] = {}
    if queries.has_operation(deployment, "GET /v1/scope"):
        scopes = {scope.id: scope for scope in queries.load_scopes(deployment, limit=MAX_LIMIT).data}
    for scope_id in recently_opened.list_ids(deployment, "scope"):
        if scope_id not in scopes:
            with failure_panel(f"The scope {scope_id}", key=f"known-{scope_id}"):
                scopes[scope_id] = queries.load_scope(deployment, scope_id)
    return [scope for scope in scopes.values() if not is_archived(scope)]


# The names and not the scopes: to name a hundred scopes in each run of a page takes longer than the page.
@cached_read(queries.OWN_SECONDS)
def _search_scopes(deployment: Deployment, text: str, priced_only: bool) -> FoundOptions:
    page = queries.load_scopes(deployment, name=text or None, archived=False, limit=MAX_FOUND)
    names = {scope.id: name_scope(scope) for scope in page.data if _offers(scope, priced_only)}
    return FoundOptions(names, page.pagination.total if len(page.data) == MAX_FOUND else len(names))


def name_scope(scope: Scope) -> str:
    """Return the name that the scope was given, else that of its products, with terms and the last digits of
    its id: `Ledger Cloud (Renewal, 12 months, quoted USD 52,400) …a1b2`."""
    terms = ", ".join(describe_term(term, get_listed_currency(scope)) for term in scope.scope_terms)
    title = scope.name if isinstance(scope, ListedScope) and scope.name else make_scope_title(scope)
    return f"{title} ({terms}) …{scope.id[-4:]}" if terms else f"{title} …{scope.id[-4:]}"


ARCHIVED = ARCHIVED_LABEL[0]
STATUSES: Mapping[str, Mapping[str, Any]] = {
    "Any status": {"archived": False},
    "Being read": {"archived": False, "status": "reading"},
    "Could not be read": {"archived": False, "status": "unreadable"},
    "Waiting for review": {"archived": False, "status": "review"},
    "Ready": {"archived": False, "status": "ready"},
    "In negotiation": {"archived": False, "status": "in_negotiation"},
    "Agreed": {"archived": False, "status": "agreed"},
    "Replaced": {"archived": False, "status": "replaced"},
    ARCHIVED: {"archived": True},
}
"""What the status filter offers. Archived scopes are in no other choice."""
NAME_FILTER = TextFilter("Name, supplier or file", "scope-name")
STATUS_FILTER = ChoiceFilter("Status", "scope-status", STATUSES)
SOURCE_FILTER = ChoiceFilter(
    "Source", "source", {"Any source": None, "By hand": "manual", "From a document": "document"}, "source"
)


def draw_scope_listing(deployment: Deployment) -> None:
    """Draw the filters, what waits, and one page of the scopes. Needs `GET /v1/scope`."""
    finds_by_name = queries.has_operation(deployment, "PATCH /v1/scope/{}")

    def show_status(label: str) -> None:
        listing.choose(STATUS_FILTER, label)

    listing = FilteredList(
        key="scopes-page",
        noun="quote",
        load=partial(queries.load_scopes, deployment),
        draw_above=partial(_draw_waiting, show_status),
        draw=partial(_draw_page, deployment),
        filters=(NAME_FILTER, STATUS_FILTER, SOURCE_FILTER) if finds_by_name else (SOURCE_FILTER,),
        empty=partial(_make_empty, deployment, finds_by_name, show_status),
    )
    listing.show()


def _draw_page(deployment: Deployment, page: ScopePage) -> None:
    draw_sample_notice(deployment, [scope.id for scope in page.data])
    draw_recent_scopes(page.data, zone=get_reader_zone())


def _draw_waiting(show_status: Callable[[str], None], page: ScopePage) -> None:
    """Draw how many scopes wait, as buttons that show these alone."""
    totals = {count.status: count.total for count in page.statuses}
    waiting = [status for status in WAITING_STATUSES if totals.get(status)]
    if not waiting or STATUS_FILTER.chosen != STATUS_FILTER.everything:
        return
    with st.container(horizontal=True, gap="small"):
        for status in waiting:
            st.button(
                describe_waiting(status, totals[status]),
                key=f"waiting-{status}",
                type="tertiary",
                icon=":material/filter_alt:",
                on_click=show_status,
                args=(STATUS_LABELS[status][0],),
            )


def _make_empty(deployment: Deployment, finds_by_name: bool, show_status: Callable[[str], None]) -> Empty:
    can_create = queries.has_operation(deployment, "POST /v1/scope")
    way = "Create a new one: upload a supplier's quote, or describe the purchase in a form."
    if finds_by_name and queries.load_scopes(deployment, archived=True, limit=1).pagination.total:
        return Empty(
            "All quotes are archived",
            way if can_create else "They are found by their status.",
            "archive",
            "Show archived quotes",
            partial(show_status, ARCHIVED),
        )
    return Empty(
        "No quotes yet",
        way.replace("a new one", "one") if can_create else "Quotes of your organisation appear here.",
        "request_quote",
    )
