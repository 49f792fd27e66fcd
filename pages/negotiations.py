"""All negotiations, and the three steps that start one."""

from collections.abc import Sequence

import streamlit as st

from app.client import ActingClient
from app.contract.negotiation import NegotiationStatus, StartedNegotiation
from app.contract.page import MAX_LIMIT
from app.contract.scope import Scope
from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.catalog.supplier_choice import choose_supplier
from app.dashboard.failure_panel import failure_panel
from app.dashboard.negotiations.reporting import report_update
from app.dashboard.signing_in import identity
from components.elements.attention_list import AttentionItem, draw_attention_list
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.pagination_bar import draw_pagination_bar, read_page_offset
from components.formatting import datetimes
from components.formatting.counts import format_count
from components.formatting.escape_markdown import escape_markdown
from components.negotiations import external_updates
from components.negotiations.negotiation_board import COLUMNS, draw_negotiation_board
from components.negotiations.negotiation_card import NegotiationCard, format_sums, make_card
from components.negotiations.negotiation_start import (
    ENGAGEMENTS,
    NegotiationSubject,
    draw_own_numbers_form,
    draw_people_form,
    read_people_form,
    validate_start,
)
from components.negotiations.negotiation_state import STATE_STYLES
from components.negotiations.negotiation_table import draw_negotiation_table
from components.scopes.scope_card import describe_term, make_scope_title

BOARD, ALL, START = "Board", "All negotiations", "Start one"
SCOPE, FILE, SUPPLIER = "A scope", "A quote file", "A supplier"
PAGE = 25
FOLLOW_SECONDS = 5.0
MOST_WAITING = 5
"""Their questions are read one by one."""
KEY = "start"
STATES: dict[str, NegotiationStatus | None] = {
    "Any state": None,
    "Planning": "planning",
    "Ready to open": "pending",
    "Under way": "active",
    "Agreed": "complete",
    "Cancelled": "cancelled",
}

deployment = identity.require_deployment()


def open_negotiation(ident: str) -> None:
    recently_opened.remember(deployment, "negotiation", ident)
    navigation.open_page("negotiation", id=ident)


# --- board ---


def board_tab() -> None:
    with failure_panel("The board"):
        if queries.has_operation(deployment, "GET /v1/negotiation"):
            board()
        else:
            opened_before()


def board() -> None:
    """The newest of each state, what they amount to, and what waits."""
    cards, totals = on_the_board()
    st.fragment(follow, run_every=FOLLOW_SECONDS)(cards)
    if not cards:
        nothing_yet()
        return
    figures(cards)
    waiting(cards)
    st.subheader("By state", anchor=False)
    chosen = draw_negotiation_board(cards, totals, key="board", on_show_all=show_all)
    if chosen:
        open_negotiation(chosen)


def on_the_board() -> tuple[list[NegotiationCard], dict[str, int]]:
    """The newest of each state, and how many there are."""
    totals: dict[str, int] = {}
    cards: list[NegotiationCard] = []
    for status in COLUMNS:
        found = queries.load_negotiations(deployment, status=status, limit=MAX_LIMIT)
        totals[status] = found.pagination.total
        cards += map(make_card, found.data)
    return cards, totals


def follow(seen: list[NegotiationCard]) -> None:
    """Look again, and draw the whole page anew when something is not as it was `seen`."""
    changed = False
    with failure_panel("Following the negotiations"):
        for status in COLUMNS:
            queries.load_negotiations.clear(deployment, status=status, limit=MAX_LIMIT)
        changed = on_the_board()[0] != seen
    if changed:
        for read in (queries.load_escalations, queries.load_savings):
            read.clear()
        st.rerun()


def figures(cards: Sequence[NegotiationCard]) -> None:
    with st.container(horizontal=True, gap="large"):
        st.metric(
            "At stake",
            format_sums((one.currency, one.at_stake) for one in cards) or "—",
            help="The newest quotes, or the targets where there is none, of what is not over yet.",
            width="content",
        )
        if queries.has_operation(deployment, "GET /v1/negotiation/savings"):
            saved = queries.load_savings(deployment).total
            st.metric(
                "Saved so far",
                format_sums((one.currency, one.savings) for one in saved) or "—",
                help="Against the first offers, or the median estimates where there was none. The report has"
                " the other yardsticks.",
                width="content",
            )
        st.metric("For you to decide", f"{sum(one.open_decisions for one in cards):,}", width="content")
    if queries.has_operation(deployment, "GET /v1/negotiation/savings"):
        navigation.draw_link("savings", "The savings report", icon=":material/savings:")


def waiting(cards: Sequence[NegotiationCard]) -> None:
    """The decisions that wait, by name."""
    of_whom = [one for one in cards if one.open_decisions]
    if not of_whom:
        return
    st.subheader("Waits for your decision", anchor=False)
    matters: list[AttentionItem] = []
    for one in of_whom[:MOST_WAITING]:
        open_ones = queries.load_escalations(deployment, one.id, status="open")
        why = " · ".join(escalation.title for escalation in open_ones)
        what = f"{one.supplier}: {one.products}" if one.products else one.supplier
        matters.append(AttentionItem(what, why, "negotiation", (("id", one.id),)))
    opened = draw_attention_list(matters, key="waiting")
    if len(of_whom) > len(matters):
        more = format_count(len(of_whom) - len(matters), "more negotiation waits", "more negotiations wait")
        st.caption(f"{more}: they stand first in their columns.")
    if opened:
        open_negotiation(dict(opened.query)["id"])


def show_all(status: str) -> None:
    """Turn to the list of a state; called before the next run."""
    st.session_state["negotiations-tab"] = ALL
    st.session_state["state"] = next(name for name, each in STATES.items() if each == status)


# --- all ---


def list_tab() -> None:
    with failure_panel("The list of negotiations"):
        listed()


def listed() -> None:
    state = st.radio(
        "State",
        list(STATES),
        horizontal=True,
        key="state",
        bind="query-params",
        label_visibility="collapsed",
    )
    status = STATES.get(state)
    found = queries.load_negotiations(
        deployment, status=status, limit=PAGE, offset=read_page_offset("page", PAGE)
    )
    if found.data:
        show([make_card(one) for one in found.data])
        draw_pagination_bar(found.pagination, "page", "negotiation")
    elif found.pagination.total:
        draw_empty_state("No negotiations on this page", "The list is shorter than that.", icon="last_page")
    elif status:
        word = STATE_STYLES[status][0]
        draw_empty_state(f"None is {word}", "Choose another state to see the others.", icon="filter_alt_off")
    else:
        nothing_yet()


def opened_before() -> None:
    st.caption(
        "This deployment does not list negotiations: "
        "here are those that you started or opened in this session."
    )
    found: list[NegotiationCard] = []
    for ident in recently_opened.list_ids(deployment, "negotiation")[:PAGE]:
        with failure_panel(f"The negotiation {ident}", key=ident):
            found.append(make_card(queries.load_negotiation(deployment, ident)))
    if found:
        waiting(found)
        show(found)
    else:
        nothing_yet()
    with st.form("open-by-id", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        ident = st.text_input("Id of a negotiation", key="negotiation-id", width=380)
        if st.form_submit_button("Open") and ident and ident.strip():
            navigation.open_page("negotiation", id=ident.strip())


def show(cards: Sequence[NegotiationCard]) -> None:
    chosen = draw_negotiation_table(cards, key="negotiations", zone=datetimes.get_reader_zone())
    if chosen:
        open_negotiation(chosen)


def nothing_yet() -> None:
    may_start = queries.has_operation(deployment, "POST /v1/negotiation/start")
    draw_empty_state(
        "No negotiations yet",
        "Start one from a scope, a quote file or a supplier. It sets an opening, a target and a walk-away "
        "figure from past purchases, and follows the offers.",
        icon="handshake",
        action="Start one" if may_start else None,
        on_action=turn_to_start,
        key="first",
    )


def turn_to_start() -> None:
    st.session_state["negotiations-tab"] = START


# --- start ---


def about_scope() -> NegotiationSubject | None:
    """The scope in the address, or one to choose; its supplier comes from its first product."""
    names: dict[str, str] = {}
    if queries.has_operation(deployment, "GET /v1/scope"):
        names = {scope.id: label(scope) for scope in queries.load_scopes(deployment, limit=100).data}
    for ident in [*recently_opened.list_ids(deployment, "scope"), st.query_params.get("scope", "")]:
        if ident and ident not in names:
            names[ident] = label(queries.load_scope(deployment, ident))

    def name_of(ident: str) -> str:
        return names.get(ident, ident)

    def to_address() -> None:
        st.query_params["scope"] = st.session_state["about-scope"] or ""

    asked = st.query_params.get("scope")
    if asked in names and "about-scope" not in st.session_state:
        st.session_state["about-scope"] = asked
    chosen = st.selectbox(
        "Scope",
        list(names),
        index=None,
        format_func=name_of,
        key="about-scope",
        on_change=to_address,
        placeholder="Choose one" if names else "There is no scope yet",
        required=True,
        persist_state="page",
    )
    if chosen is None:
        return None
    scope = queries.load_scope(deployment, chosen)
    if not scope.product_terms:
        supplier = about_supplier()
        return NegotiationSubject(supplier.company_id, supplier.supplier_name, scope.id) if supplier else None
    company = queries.load_product(deployment, scope.product_terms[0].product_id).company
    st.caption(f"Supplier: {escape_markdown(company.name)}")
    return NegotiationSubject(company.id, company.name, scope.id)


def label(scope: Scope) -> str:
    terms = ", ".join(describe_term(term) for term in scope.scope_terms)
    return f"{make_scope_title(scope)} ({terms})" if terms else make_scope_title(scope)


def about_supplier() -> NegotiationSubject | None:
    """A supplier of the catalog, or one that it does not know, by name."""
    chosen, unknown = choose_supplier(deployment, key=KEY)
    if chosen:
        return NegotiationSubject(chosen.id, chosen.name)
    if unknown:
        st.caption(f"“{escape_markdown(unknown)}” is not in the catalog: it is negotiated with by this name.")
        return NegotiationSubject(supplier_name=unknown)
    return None


def start_tab() -> None:
    st.subheader("1. What is it about?", anchor=False)
    kind = st.radio(
        "What it is about",
        [SCOPE, FILE, SUPPLIER],
        horizontal=True,
        key="about",
        bind="query-params",
        label_visibility="collapsed",
    )
    about: NegotiationSubject | None = None
    file = None
    with failure_panel("What it is about"):
        if kind == SCOPE:
            about = about_scope()
        else:
            if kind == FILE:
                file = st.file_uploader("Quote", key="start-file", max_upload_size=50)
            about = about_supplier()
    if about is None or (kind == FILE and file is None):
        st.caption("Choose it to go on.")
        return
    st.subheader("2. Who negotiates?", anchor=False)
    people(about, file.getvalue() if file else None, file.name if file else "")


@st.fragment
def people(about: NegotiationSubject, content: bytes | None, filename: str) -> None:
    """The people, then the button; redrawn alone while one types."""
    state = st.session_state
    draw_people_form(key=KEY, faults=state.get(f"{KEY}.wrong"))
    draw_own_numbers_form(key=KEY, faults=state.get(f"{KEY}.wrong"), is_expanded="numbers" in st.query_params)
    st.subheader("3. Check and start", anchor=False)
    typed = read_people_form(key=KEY)
    engagement = ENGAGEMENTS["svc_led" if typed.get("engagement") == "svc_led" else "strategy_only"]
    what = "the scope" if about.scope_id else f"the quote in {filename}" if content else "a scope to come"
    st.markdown(
        f"With **{escape_markdown(about.supplier_name or 'the supplier')}** about **"
        f"{escape_markdown(what)}**. {engagement[1]}"
    )

    def is_complete() -> bool:
        entered = validate_start(about, read_people_form(key=KEY))
        state[f"{KEY}.wrong"] = entered.faults
        return entered.body is not None

    def start(client: ActingClient, idempotency_key: str) -> StartedNegotiation:
        file_id = None
        if content is not None:
            file_id = client.files.upload(
                content, filename=filename, idempotency_key=f"{idempotency_key}-file"
            ).id
        whole = NegotiationSubject(about.company_id, about.supplier_name, about.scope_id, file_id)
        entered = validate_start(whole, read_people_form(key=KEY))
        if entered.body is None:
            raise RuntimeError("the form changed between the click and the write")
        started = client.negotiations.start(entered.body, idempotency_key=idempotency_key)
        given = {"target": entered.target, "walk_away": entered.budget}
        amounts = {name: amount for name, amount in given.items() if amount is not None}
        if amounts:
            report_update(
                started.negotiation_id,
                lambda made: external_updates.numbers(made, amounts, note="Typed at the start"),
            )(client, f"{idempotency_key}-numbers")
        return started

    def follow(started: StartedNegotiation) -> None:
        open_negotiation(started.negotiation_id)

    if state.get(f"{KEY}.wrong", {}).get(""):
        st.error(escape_markdown(state[f"{KEY}.wrong"][""]), icon=":material/error:")
    write_button(
        deployment,
        "Start the negotiation",
        name=KEY,
        what="Starting the negotiation",
        write=start,
        on_success=follow,
        icon=":material/play_arrow:",
        type="primary",
        is_ready=is_complete,
    )


draw_page_header("Negotiations", caption="From a quote to a better price, with every step on record.")
tabs = [BOARD]
if queries.has_operation(deployment, "GET /v1/negotiation"):
    tabs.append(ALL)
if queries.has_operation(deployment, "POST /v1/negotiation/start"):
    tabs.append(START)
default = START if START in tabs and {"scope", "about"} & set(st.query_params) else BOARD
bodies = {BOARD: board_tab, ALL: list_tab, START: start_tab}
# A name of its own: tabs of one name on two pages share what the browser remembers of them, and one that is
# not open by default here would be written into the address and get between one step back.
for tab, name in zip(
    st.tabs(tabs, default=default, key="negotiations-tab", bind="query-params"), tabs, strict=True
):
    with tab:
        if tab.open:
            bodies[name]()
