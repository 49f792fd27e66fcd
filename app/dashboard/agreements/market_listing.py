"""The agreements against the market, with their filters in the address."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.contract.agreement_market import AgreementMarketPage
from app.dashboard.agreements.portfolio_files import make_market_rows
from app.dashboard.agreements.table_downloads import draw_table_downloads
from app.dashboard.api import portfolio_queries
from app.dashboard.api.queries import client_for
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import Empty, FilteredList, FlagFilter, TextFilter
from components.agreements.market_table import draw_market_sums, draw_market_table
from components.formatting.counts import format_count, format_date


def draw_market(deployment: Deployment) -> None:
    """Draw the sums, the filters and one page of the agreements. Needs `GET /v1/market`."""

    def draw_downloads(_: AgreementMarketPage) -> None:
        query = listing.read_query()
        draw_table_downloads(
            lambda: make_market_rows(client_for(deployment).agreements.iter_market(**query)),
            name="market",
            key="market-download",
        )

    listing = FilteredList(
        key="market-page",
        noun="contract",
        load=partial(portfolio_queries.load_market, deployment),
        draw_above=_draw_waiting,
        draw=_draw_page,
        draw_below=draw_downloads,
        filters=(
            TextFilter("Name or supplier", "market-name"),
            FlagFilter("Only with a possible saving", "market-saving", "saving"),
        ),
        empty=Empty(
            "Nothing to compare yet",
            "Contracts are priced in the background, seconds after they are put on record.",
            "compare_arrows",
        ),
    )
    listing.show()


def _draw_waiting(page: AgreementMarketPage) -> None:
    if page.waiting:
        st.caption(f"{format_count(page.waiting, 'contract')} still to be priced, in the background.")


def _draw_page(page: AgreementMarketPage) -> None:
    draw_market_sums(page.sums)
    priced = [one.priced_at for one in page.data if one.priced_at is not None]
    since = f", priced on {format_date(min(priced).date())} or later" if priced else ""
    st.caption(
        f"Amounts are before tax, for the whole term{since}."
        " First come those where most can be saved, soonest. Thin evidence gives no saving."
    )
    draw_market_table(page.data, datetime.now(UTC).date())
