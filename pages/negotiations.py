"""All negotiations: the board, the list, and the form that starts one."""

from functools import partial

import streamlit as st

from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.negotiations.board import draw_board, draw_waiting, list_negotiation
from app.dashboard.negotiations.start_form import draw_start_form
from app.dashboard.signing_in import identity
from components.elements.page_header import draw_page_header
from components.elements.tabs import open_tab
from components.negotiations.board import draw_negotiation_table

BOARD, ALL, START = "Board", "All negotiations", "Start a negotiation"
TABS = "negotiations-tab"
STATES = ChoiceFilter(
    "State",
    "negotiations-state",
    {
        "Any state": None,
        "Planning": "planning",
        "Ready to open": "pending",
        "Under way": "active",
        "Agreed": "complete",
        "Cancelled": "cancelled",
    },
    "status",
    "buttons",
)

deployment = identity.require_deployment()


def open_negotiation(negotiation_id: str) -> None:
    recently_opened.remember(deployment, "negotiation", negotiation_id)
    navigation.open_page("negotiation", id=negotiation_id)


def show_all(status: str) -> None:
    """Open the list of the negotiations in a state; called before the next run."""
    open_tab(ALL, key=TABS)
    listing.choose(STATES, next(name for name, each in STATES.choices.items() if each == status))


def draw_board_tab() -> None:
    if queries.has_operation(deployment, "GET /v1/negotiation"):
        draw_board(
            deployment, on_open=open_negotiation, on_show_all=show_all, draw_nothing_yet=draw_nothing_yet
        )
    else:
        draw_opened_before()


def draw_opened_before() -> None:
    """Draw what this session knows of, for a deployment that does not list negotiations."""
    st.caption(
        "This workspace does not list negotiations. These are the ones that you started or opened in this"
        " session."
    )
    opened = recently_opened.load_opened(deployment, "negotiation", queries.load_negotiation)
    if cards := [list_negotiation(one) for one in opened]:
        draw_waiting(deployment, cards, on_open=open_negotiation)
        draw_negotiation_table(cards)
    else:
        draw_nothing_yet()
    navigation.draw_open_by_id("negotiation", "Negotiation ID")


def make_empty() -> Empty:
    can_start = queries.has_operation(deployment, "POST /v1/negotiation/start")
    return Empty(
        "No negotiations yet",
        "Start one from a quote, a file or a supplier. You get opening, target and walk-away prices based "
        "on past purchases, and a record of every offer."
        if can_start
        else "Negotiations of your organisation appear here, with a record of every offer.",
        "handshake",
        "Start a negotiation" if can_start else None,
        partial(open_tab, START, key=TABS),
    )


def draw_nothing_yet() -> None:
    make_empty().draw("first")


listing = FilteredList(
    key="negotiations-page",
    noun="negotiation",
    load=partial(queries.load_negotiations, deployment),
    draw=lambda page: draw_negotiation_table(page.data),
    filters=(STATES,),
    empty=make_empty,
)
draw_page_header("Negotiations", caption="From a quote to a better price, with every step on record.")
draw_offered_tabs(
    deployment,
    {
        BOARD: Tab(draw_board_tab, what="The board"),
        ALL: Tab(listing.show, "GET /v1/negotiation"),
        START: Tab(
            lambda: draw_start_form(
                deployment, on_started=lambda started: open_negotiation(started.negotiation_id)
            ),
            "POST /v1/negotiation/start",
        ),
    },
    key=TABS,
    default=START if {"scope", "about"} & set(st.query_params) else BOARD,
)
