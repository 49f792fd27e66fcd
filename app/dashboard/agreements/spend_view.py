"""What is spent by agreements, with the grouping and the year in the address."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.contract.spend import SpendBy
from app.dashboard.agreements.portfolio_files import make_spend_rows
from app.dashboard.agreements.table_downloads import draw_table_downloads
from app.dashboard.api import portfolio_queries
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import SessionValue
from components.agreements.spend_report import draw_spend_groups, draw_spend_total
from components.elements.empty_state import draw_empty_state
from components.formatting.counts import format_count

GROUPINGS: dict[str, SpendBy] = {
    "Supplier": "supplier",
    "Category": "category",
    "Owner": "owner",
    "Cost centre": "costCenter",
    "Month": "month",
}
GROUPING = SessionValue("spend-by", "Supplier")
YEAR = SessionValue("spend-year", "")
YEARS_BACK, YEARS_AHEAD = 4, 2


def draw_spend(deployment: Deployment) -> None:
    """Draw the choices, and for each currency the sums, the chart and the table. Needs `GET /v1/spend`."""
    this_year = datetime.now(UTC).year
    years = [str(year) for year in range(this_year - YEARS_BACK, this_year + YEARS_AHEAD + 1)]
    with st.grid(2, min_column_width=200):
        name = st.selectbox("By", list(GROUPINGS), key=GROUPING.key, bind="query-params")
        YEAR.get_or_set(str(this_year))
        year = st.selectbox("Year", years, key=YEAR.key, bind="query-params")
    report = portfolio_queries.load_spend(
        deployment, by=GROUPINGS[name], first=f"{year}-01", last=f"{year}-12"
    )
    if not report.sums:
        draw_empty_state(
            f"No spend in {year}",
            f"{format_count(report.left_out, 'agreement')} without a price, dates or a currency."
            if report.left_out
            else "Contracts with a price, dates and a currency are added up here.",
            icon="payments",
        )
        return
    for total in report.sums:
        if len(report.sums) > 1:
            st.subheader(total.currency)
        draw_spend_total(total)
        groups = [one for one in report.groups if one.currency == total.currency]
        draw_spend_groups(groups, name, key=f"spend-{total.currency}", over_time=report.by == "month")
    draw_table_downloads(
        partial(make_spend_rows, report.groups, name), name=f"spend-{year}", key="spend-download"
    )
    left_out = (
        f" {format_count(report.left_out, 'agreement')} without a price, dates or a currency left out."
        if report.left_out
        else ""
    )
    st.caption(
        "Before tax. The price of a term is spread over its days; what is paid once counts on the first."
        f" Later terms are assumed at the price on record, as if nobody acted.{left_out}"
    )
