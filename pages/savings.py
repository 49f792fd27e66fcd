"""What agreed prices saved: quoted, target and agreed by supplier, month and category."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from app.contract.savings import SavingsReport, SavingsSum
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import Empty
from app.dashboard.negotiations.board import make_sum_rows, write_workbook
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.signing_in import identity
from app.dashboard.spreadsheets import CSV, XLSX, draw_download, write_csv
from components.elements.page_header import draw_heading, draw_page_header
from components.formatting import format_count
from components.savings import (
    draw_agreed_prices,
    draw_savings_by_month,
    draw_savings_sums,
    draw_savings_total,
)

GROUPS = ("Supplier", "Month", "Category")

deployment = identity.require_deployment()


def grouped(report: SavingsReport, group: str) -> list[SavingsSum]:
    sums = {"Supplier": report.by_supplier, "Month": report.by_month}
    return sums.get(group, report.by_category)


def of_currency(sums: Sequence[SavingsSum], currency: str) -> list[SavingsSum]:
    return [one for one in sums if one.currency == currency]


def choose(label: str, options: Sequence[str], key: str) -> str:
    """One of the options, kept in the address; the first for an address that names none of them."""
    chosen = st.radio(label, options, horizontal=True, key=key, bind="query-params")
    return chosen if chosen in options else options[0]


def downloads(report: SavingsReport, shown: Sequence[SavingsSum], group: str) -> None:
    with st.container(horizontal=True):
        draw_download(
            "Download this table (CSV)",
            lambda: write_csv(make_sum_rows(shown, group)),
            f"savings-by-{group.lower()}.csv",
            CSV,
            key="csv",
        )
        draw_download(
            "Download the report (XLSX)", partial(write_workbook, report), "savings.xlsx", XLSX, key="xlsx"
        )


NOTHING_YET = Empty(
    "No agreed prices yet",
    "A negotiation appears here once its price is agreed.",
    "savings",
    "Open negotiations",
    page="negotiations",
)


def measured(report: SavingsReport) -> None:
    """Totals, months and groups, in one currency: money of two is never added."""
    currencies = sorted({one.currency for one in report.total})
    currency = choose("Currency", currencies, "currency") if len(currencies) > 1 else currencies[0]
    for total in of_currency(report.total, currency):
        draw_savings_total(total)
    months = of_currency(report.by_month, currency)
    if len(months) > 1:
        draw_savings_by_month(months, key="months")
    group = choose("Group by", GROUPS, "by")
    shown = of_currency(grouped(report, group), currency)
    draw_savings_sums(shown, group)
    downloads(report, shown, group)


def draw(report: SavingsReport) -> None:
    if not report.negotiations:
        NOTHING_YET.draw("to-negotiations")
        return
    if report.total:
        measured(report)
    draw_heading("Agreed prices")
    st.caption("Open one to see its offers, what it is measured against, and the purchases behind that.")
    unmeasured = sum(one.savings is None for one in report.negotiations)
    if unmeasured:
        had = format_count(unmeasured, "agreed price has", "agreed prices have")
        st.caption(f"{had} no offer or estimate for its term to compare with, and no part in the totals.")
    draw_agreed_prices(report.negotiations)


draw_page_header(
    "Savings",
    caption="Before tax, for the whole term. Measured against the first offer, or the median estimate where "
    "there was none.",
)
with failure_panel("The savings report"):
    report = queries.load_savings(deployment)
    draw_sample_notice(deployment, [one.negotiation_id for one in report.negotiations])
    draw(report)
