"""The agreements against the market, with their filters in the address."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.contract.agreement_market import AgreementMarketPage, MarketQuery
from app.dashboard.agreements.portfolio_files import make_market_rows
from app.dashboard.agreements.table_downloads import draw_table_downloads
from app.dashboard.api import portfolio_queries
from app.dashboard.api.queries import client_for
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.session_values import SessionValue
from components.agreements.market_table import draw_market_sums, draw_market_table
from components.elements.empty_state import draw_empty_state
from components.elements.page_number import go_to_first_page
from components.elements.pagination_bar import draw_pagination_bar
from components.formatting.counts import format_count, format_date

ROWS = 25
PAGE = "market-page"
NAME_FILTER = SessionValue("market-name", "")
SAVING_FILTER = SessionValue("market-saving", False)

open_first_page = partial(go_to_first_page, PAGE)


def draw_market(deployment: Deployment) -> None:
    """Draw the sums, the filters and one page of the agreements. Needs `GET /v1/market`."""
    with st.grid(2, min_column_width=200):
        st.text_input(
            "Name or supplier",
            key=NAME_FILTER.key,
            bind="query-params",
            placeholder="Part of a name",
            icon=":material/search:",
            on_change=open_first_page,
        )
        st.checkbox(
            "Only with a possible saving",
            key=SAVING_FILTER.key,
            bind="query-params",
            on_change=open_first_page,
        )
    page = load_list_page(PAGE, ROWS, partial(_load_page, deployment))
    if page.waiting:
        st.caption(f"{format_count(page.waiting, 'agreement')} still to be priced, in the background.")
    if page.data:
        draw_market_sums(page.sums)
        priced = [one.priced_at for one in page.data if one.priced_at is not None]
        since = f", priced on {format_date(min(priced).date())} or later" if priced else ""
        st.caption(
            f"Amounts are before tax, for the whole term{since}."
            " First come those where most can be saved, soonest. Thin evidence gives no saving."
        )
        draw_market_table(page.data, datetime.now(UTC).date())
        draw_pagination_bar(page.pagination, PAGE, "contract")
        query = _read_filters()
        draw_table_downloads(
            lambda: make_market_rows(client_for(deployment).agreements.iter_market(**query)),
            name="market",
            key="market-download",
        )
    elif NAME_FILTER.get().strip() or SAVING_FILTER.get():
        draw_empty_state(
            "No contracts match", "Choose other filters, or clear them.", icon="filter_alt_off",
            action="Clear the filters", on_action=_clear_filters, key="clear-market-filters",
        )  # fmt: skip
    else:
        draw_empty_state(
            "Nothing to compare yet",
            "Contracts are priced in the background, seconds after they are put on record.",
            icon="compare_arrows",
        )


def _load_page(deployment: Deployment, offset: int) -> AgreementMarketPage:
    return portfolio_queries.load_market(deployment, limit=ROWS, offset=offset, **_read_filters())


def _read_filters() -> MarketQuery:
    return {"name": NAME_FILTER.get().strip() or None, "saving": True if SAVING_FILTER.get() else None}


def _clear_filters() -> None:
    NAME_FILTER.set("")
    SAVING_FILTER.set(False)
    open_first_page()
