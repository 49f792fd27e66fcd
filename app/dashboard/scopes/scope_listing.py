"""The list of scopes with its filters, the choice of one by part of its name, and what changes of one."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from app.client import ApiError
from app.contract.page import MAX_LIMIT
from app.contract.scope import Scope
from app.contract.scope_list import WAITING_STATUSES, ListedScope, ScopeChange, ScopePage
from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.api.cached_read import cached_read
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, TextFilter
from app.dashboard.kit.form import Form
from app.dashboard.negotiations.board import count_open_escalations
from app.dashboard.sample_data import draw_sample_notice
from components.agreements.agreement_facts import format_value
from components.elements.form_fields import Field, FoundOptions, draw_search_choice
from components.formatting import escape_markdown, format_local_time, to_symbol
from components.negotiations.negotiation_state import describe_state
from components.scopes import (
    ARCHIVED_LABEL,
    STATUS_LABELS,
    WAITING_WORDS,
    describe_term,
    draw_recent_scopes,
    get_listed_currency,
    make_scope_title,
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


def draw_scope_choice(
    deployment: Deployment, key: str, parameter: str, *, taken: Collection[str] = ()
) -> None:
    """Draw the search for a scope but for those that are `taken`; the address names the chosen one by the
    parameter."""
    find = partial(find_scopes, deployment, priced_only=False)
    choose = partial(st.query_params.__setitem__, parameter)
    draw_search_choice(find, "quote", taken, key=key, on_choose=choose)


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
    return [one for one in scopes.values() if not (isinstance(one, ListedScope) and one.archived_at)]


# The names and not the scopes: to name a hundred scopes in each run of a page takes longer than the page.
@cached_read(queries.OWN_SECONDS)
def _search_scopes(deployment: Deployment, text: str, priced_only: bool) -> FoundOptions:
    page = queries.load_scopes(deployment, name=text or None, archived=False, limit=MAX_FOUND)
    names = {scope.id: name_scope(scope) for scope in page.data if _offers(scope, priced_only)}
    return FoundOptions(names, page.pagination.total if len(page.data) == MAX_FOUND else len(names))


def name_scope(scope: Scope) -> str:
    """Return the name that the scope was given, else that of its products, with its terms and when it was
    made: `Ledger Cloud (Renewal, 12 months, quoted USD 52,400; 3 Nov 2026, 14:05)`."""
    terms = ", ".join(describe_term(term, get_listed_currency(scope)) for term in scope.scope_terms)
    title = scope.name if isinstance(scope, ListedScope) and scope.name else make_scope_title(scope)
    made = format_local_time(scope.created_on)
    return f"{title} ({terms}; {made})" if terms else f"{title} ({made})"


ARCHIVED = ARCHIVED_LABEL[0]
STATUSES: Mapping[str, Mapping[str, Any]] = {
    "Any status": {"archived": False},
    "Being read": {"archived": False, "status": "reading"},
    "No quote read": {"archived": False, "status": "unreadable"},
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
        draw=partial(_draw_scopes, deployment),
        filters=(NAME_FILTER, STATUS_FILTER, SOURCE_FILTER) if finds_by_name else (SOURCE_FILTER,),
        empty=partial(_make_empty, deployment, finds_by_name, show_status),
    )
    listing.show()


def _draw_scopes(deployment: Deployment, page: ScopePage) -> None:
    draw_sample_notice(deployment, [scope.id for scope in page.data])
    draw_recent_scopes(page.data)


def _draw_waiting(show_status: Callable[[str], None], page: ScopePage) -> None:
    """Draw how many scopes wait, as buttons that show these alone."""
    totals = {count.status: count.total for count in page.statuses}
    waiting = [status for status in WAITING_STATUSES if totals.get(status)]
    if not waiting or STATUS_FILTER.chosen != STATUS_FILTER.everything:
        return
    with st.container(horizontal=True, gap="small"):
        for status in waiting:
            st.button(
                f"{totals[status]:,} {WAITING_WORDS[status][totals[status] != 1]}",
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


_OUTCOMES = (
    ("agreement", "Open the contract", "contract"),
    ("negotiation", "Open the negotiation", "handshake"),
    ("scope", "Open the later version", "arrow_forward"),
)


def draw_outcome(deployment: Deployment, scope: Scope) -> bool:
    """Draw the ways to what was made of the scope: a contract, a negotiation or a later version, the first
    as the next step and with its state. Return False where it is none of them."""
    made = {"scope": scope.next_scope_id}
    if isinstance(scope, ListedScope):
        made |= {"agreement": scope.agreement_id, "negotiation": scope.negotiation_id}
    ways = [(page, label, icon, ident) for page, label, icon in _OUTCOMES if (ident := made.get(page))]
    if not ways:
        return False
    with st.container(horizontal=True, vertical_alignment="center"):
        page, label, icon, ident = ways[0]
        if st.button(label, type="primary", icon=to_symbol(icon), key=f"outcome-{ident}"):
            navigation.open_page(page, id=ident)
        if page == "agreement":
            with failure_panel("The contract of this quote"):
                agreed = queries.load_agreement(deployment, ident)
                if value := format_value(agreed, agreed.total_value):
                    st.caption(f"Agreed at {escape_markdown(value)} before tax.", width="content")
        if page == "negotiation":
            with failure_panel("The negotiation of this quote"):
                one = queries.load_negotiation(deployment, ident)
                st.caption(describe_state(one.status, count_open_escalations(one)), width="content")
                if renewed := _find_renewed(deployment, scope, ident):
                    navigation.draw_link(
                        "agreement", "The contract that it renews", icon="contract", id=renewed
                    )
        if page == "scope":
            st.caption(escape_markdown(describe_confirmation(deployment, scope.id)), width="content")
        for page, label, icon, ident in ways[1:]:
            navigation.draw_link(page, label, icon=icon, id=ident)
    return True


def describe_confirmation(deployment: Deployment, scope_id: str) -> str:
    """Return who confirmed the document of a scope last, and when; "" where the deployment does not say."""
    if queries.has_operation(deployment, "GET /v1/scope/{}/history"):
        with suppress(ApiError):
            entries = queries.load_history(deployment, "scope", scope_id, limit=MAX_LIMIT).data
            if done := next((one for one in entries if one.operation == "scopeDocuments.confirm"), None):
                who = f"The key “{done.actor}”" if done.actor_kind == "key" else done.actor or "Somebody"
                return f"{who} confirmed it on {format_local_time(done.at)}."
    return ""


def _find_renewed(deployment: Deployment, scope: Scope, negotiation_id: str) -> str | None:
    if not any(term.purchase_type == "renewal" for term in scope.scope_terms):
        return None
    if not queries.has_operation(deployment, "GET /v1/negotiation/{}/timeline"):
        return None
    return queries.load_timeline(deployment, negotiation_id).renews_agreement_id


def can_put_on_record(deployment: Deployment, scope: Scope) -> bool:
    """Return whether the scope is of a document that somebody confirmed, can be an agreement and is none."""
    return (
        bool(scope.product_terms)
        and scope.next_scope_id is None
        and not (isinstance(scope, ListedScope) and scope.agreement_id is not None)
        and scope.source != "document"
        and queries.has_operation(deployment, "POST /v1/agreements/from-document")
        and queries.find_document_reading(deployment, scope.id) is not None
    )


def draw_agreement_button(
    deployment: Deployment, scope: Scope, label: str, *, name: str, is_next_step: bool = False
) -> None:
    """Draw the button, which opens the agreement. `name` is its own where a page has several."""
    write_button(
        deployment,
        label,
        name=f"{name}-{scope.id}",
        what="Saving the contract",
        write=lambda client, key: client.agreements.from_document(scope.id, idempotency_key=key),
        on_success=lambda made: navigation.open_page("agreement", id=made.id),
        icon="contract",
        type="primary" if is_next_step else "secondary",
        help="Saves it as a contract with its dates, so that no deadline is missed",
    )


def draw_changes(deployment: Deployment, scope: ListedScope) -> None:
    """Draw the buttons that rename and archive the scope."""
    if not queries.has_operation(deployment, "PATCH /v1/scope/{}"):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        if not deployment.read_only:
            _draw_name_form(deployment, scope)
        if scope.archived_at is None:
            _draw_archive_button(deployment, scope, archived=True)
    if scope.archived_at is not None:
        since = format_local_time(scope.archived_at)
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":material/archive: **Archived** since {since}. It is left out of lists and choices, and "
                "nothing of it waits for you."
            )
            _draw_archive_button(deployment, scope, archived=False)


def _draw_name_form(deployment: Deployment, scope: ListedScope) -> None:
    form = Form(
        deployment,
        f"rename-{scope.id}",
        ScopeChange,
        (
            Field(
                "name",
                "Name of this quote",
                help="Without a name the quote is called after its supplier and products.",
            ),
        ),
        record={"name": scope.name},
        changes="quote",
    )
    with form.draw_popover("Rename", icon="edit"):
        form.draw()
        form.draw_button(
            "Save name",
            send=lambda client, change, _: client.scopes.update(
                scope.id, name=change.name, without_name=change.name is None
            ),
            what="Renaming the quote",
        )


def _draw_archive_button(deployment: Deployment, scope: ListedScope, *, archived: bool) -> None:
    write_button(
        deployment,
        "Archive" if archived else "Restore",
        name=f"{'archive' if archived else 'restore'}-{scope.id}",
        what="Archiving the quote" if archived else "Restoring the quote",
        write=lambda client, _: client.scopes.update(scope.id, archived=archived),
        icon="archive" if archived else "unarchive",
        type="tertiary" if archived else "secondary",
        help="Leaves it out of lists and choices. Nothing is deleted or stopped, and it can be restored."
        if archived
        else None,
    )
