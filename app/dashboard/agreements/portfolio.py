"""All agreements together: against the market, what is spent by them, and what was paid over time."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.contract.agreement_market import AgreementMarket, AgreementMarketPage
from app.contract.agreement_purchases import AgreementPurchase, PurchaseDecision, RecordedPurchase
from app.contract.agreements import find_last_day
from app.contract.spend import SpendBy, SpendGroup
from app.dashboard.api import queries
from app.dashboard.api.queries import client_for
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import Empty, FilteredList, FlagFilter, TextFilter
from app.dashboard.sample_data import find_sample_ids
from app.dashboard.session_values import SessionValue
from app.dashboard.spreadsheets import Cell, Table, draw_table_downloads
from components.agreements.portfolio import (
    describe_decision,
    describe_doubt,
    draw_learned_lines,
    draw_market_sums,
    draw_market_table,
    draw_price_history,
    draw_spend_groups,
    draw_spend_total,
)
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_heading
from components.elements.table import to_number
from components.formatting import format_count, format_date


def make_market_rows(agreements: Iterable[AgreementMarket]) -> Table:
    """Return a row for each line of each agreement. Amounts of the agreement are in its first row alone, so
    that a sum counts them once."""
    return [row for one in agreements for row in _make_market_rows(one)]


def _make_market_rows(one: AgreementMarket) -> list[dict[str, Cell]]:
    converted, last_day = one.saving_converted, find_last_day(one.status, one.act_by)
    whole: dict[str, Cell] = {
        "Contract": one.name,
        "Supplier": one.supplier_name,
        "Last day to act": last_day.isoformat() if last_day else None,
        "Currency": one.currency,
        "Price": to_number(one.amount),
        "Compared in %": to_number(one.compared),
        "Possible saving": to_number(one.saving),
        "Converted saving": to_number(converted.amount) if converted else None,
        "Converted into": converted.currency if converted else None,
        "Rate": to_number(converted.rate) if converted else None,
        "Rate of": converted.rate_day.isoformat() if converted else None,
        "If nobody acts": to_number(one.renewal.amount),
        "Why": one.renewal.statement,
        "Priced at": one.priced_at.isoformat() if one.priced_at else None,
    }
    named = {name: whole[name] for name in ("Contract", "Supplier", "Currency")}
    lines: list[dict[str, Cell]] = [
        {
            "Line": line.description,
            "Line price": to_number(line.amount),
            "Line median": to_number(line.median),
            "Line saving": to_number(line.saving),
            "Purchases": line.purchases,
            "Latest purchase": line.newest.isoformat() if line.newest else None,
            "Rests on": line.statement,
        }
        for line in one.lines
    ]
    return [{**(named if at else whole), **line} for at, line in enumerate(lines)] or [whole]


def make_spend_rows(groups: Sequence[SpendGroup], name: str) -> Table:
    """Return a row for each group; `name` is what they are grouped by."""
    return [
        {
            name: one.name,
            "Currency": one.currency,
            "Contracts": one.agreements,
            "Recurring": float(one.recurring),
            "Of that assumed": float(one.assumed),
            "One-time": float(one.one_time),
        }
        for one in groups
    ]


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
        load=partial(queries.load_market, deployment),
        draw_above=_draw_waiting,
        draw=_draw_market_page,
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


def _draw_market_page(page: AgreementMarketPage) -> None:
    draw_market_sums(page.sums)
    priced = [one.priced_at for one in page.data if one.priced_at is not None]
    since = f", priced on {format_date(min(priced).date())} or later" if priced else ""
    st.caption(
        f"Amounts are before tax, for the whole term{since}."
        " First come those where most can be saved, soonest. Thin evidence gives no saving."
    )
    draw_market_table(page.data, datetime.now(UTC).date())


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
    report = queries.load_spend(deployment, by=GROUPINGS[name], first=f"{year}-01", last=f"{year}-12")
    if not report.sums:
        draw_empty_state(
            f"No spend in {year}",
            f"{format_count(report.left_out, 'contract')} without a price, dates or a currency."
            if report.left_out
            else "Contracts with a price, dates and a currency are added up here.",
            "payments",
        )
        return
    for total in report.sums:
        if len(report.sums) > 1:
            draw_heading(total.currency)
        draw_spend_total(total)
        groups = [one for one in report.groups if one.currency == total.currency]
        draw_spend_groups(groups, name, key=f"spend-{total.currency}", over_time=report.by == "month")
    draw_table_downloads(
        partial(make_spend_rows, report.groups, name), name=f"spend-{year}", key="spend-download"
    )
    left_out = (
        f" {format_count(report.left_out, 'contract')} without a price, dates or a currency left out."
        if report.left_out
        else ""
    )
    st.caption(
        "Before tax. The price of a term is spread over its days; what is paid once counts on the first."
        f" Later terms are assumed at the price on record, as if nobody acted.{left_out}"
    )


def draw_same_purchases(
    deployment: Deployment, agreement_id: str, lines: Sequence[AgreementPurchase]
) -> None:
    """Draw each doubt with a button for both answers, and each answer with one for the other."""
    can_decide = queries.has_operation(deployment, "POST /v1/agreements/{}/purchases/decision")
    for line in lines:
        for each in line.alike:
            st.warning(describe_doubt(line, each), icon=":material/content_copy:")
            if can_decide:
                with st.container(horizontal=True):
                    _draw_answer(deployment, agreement_id, line, each, same=True)
                    _draw_answer(deployment, agreement_id, line, each, same=False)
        for decided in line.decided or ():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(describe_decision(line, decided))
                if can_decide:
                    _draw_answer(deployment, agreement_id, line, decided.purchase, same=not decided.same)


def _draw_answer(
    deployment: Deployment, agreement_id: str, line: AgreementPurchase, one: RecordedPurchase, *, same: bool
) -> None:
    decision = PurchaseDecision(line=line.line, purchase_id=one.id, same=same)
    write_button(
        deployment,
        "It is the same" if same else "They are two",
        name=f"same-{same}-{agreement_id}-{line.line}-{one.id}",
        what="Storing the answer",
        write=lambda client, key: client.renewals.decide_purchase(
            agreement_id, decision, idempotency_key=key
        ),
        icon="join" if same else "call_split",
    )


HISTORY_OPERATION = "GET /v1/price-history"


def draw_price_history_tab(
    deployment: Deployment, *, agreement_id: str | None = None, company_id: str | None = None
) -> None:
    """Draw the history of an agreement or of a supplier, or say where it comes from."""
    with failure_panel("The prices paid over time"):
        if agreement_id is not None and queries.has_operation(deployment, "GET /v1/agreements/{}/purchases"):
            lines = queries.load_agreement_purchases(deployment, agreement_id)
            if agreement_id in find_sample_ids(deployment):
                st.caption("This contract is sample data: no line of it becomes a purchase.")
            else:
                draw_learned_lines(lines)
                draw_same_purchases(deployment, agreement_id, lines)
        history = queries.load_price_history(deployment, agreement_id=agreement_id, company_id=company_id)
        if history.lines or history.doubts:
            draw_price_history(history, key="price-history")
        else:
            draw_empty_state(
                "No purchases of yours yet",
                "Lines of contracts with a product, a quantity and a price become purchases, as do imported"
                " orders.",
                "show_chart",
            )
