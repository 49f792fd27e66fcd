"""The board of negotiations, their figures, and the savings report as files."""

from collections.abc import Callable, Sequence
from datetime import UTC

import streamlit as st

from app.contract.negotiation import (
    ExecutiveSummary,
    Figures,
    ListedNegotiation,
    NegotiationSummary,
    Timeline,
)
from app.contract.page import MAX_LIMIT
from app.contract.savings import AgreedNegotiation, SavingsReport, SavingsSum
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.negotiations.update_reports import list_valid_offers
from app.dashboard.sample_data import draw_sample_notice, find_uncounted_ids
from app.dashboard.scopes.scope_creation import find_scope_currency
from app.dashboard.spreadsheets import Cell, Table, write_xlsx
from components.elements.empty_state import draw_attention_item
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.page_header import draw_heading
from components.elements.table import to_number
from components.formatting import NO_VALUE, format_count
from components.negotiations.board import (
    COLUMNS,
    draw_negotiation_board,
    format_sums,
    get_at_stake,
    name_supplier,
)
from components.savings import BASELINE_NAMES


def list_negotiation(one: NegotiationSummary) -> ListedNegotiation:
    """Return a negotiation that was read by itself as a list has it, as far as its summaries say."""
    return ListedNegotiation.model_validate(
        {
            **dict(get_latest_figures(one.executive_summaries)),
            **dict(one),
            "engagement_type": "",
            "product_names": one.scope.product_names,
            "open_escalations": count_open_escalations(one),
        }
    )


def count_open_escalations(negotiation: NegotiationSummary) -> int:
    """Return how many decisions are open."""
    return sum(escalation.status == "open" for escalation in negotiation.escalations)


FOLLOW_SECONDS = 5.0
MAX_WAITING = 5
"""Of how many negotiations the open decisions are listed: each costs a call."""
SAVINGS_OPERATION = "GET /v1/negotiation/savings"


def draw_board(
    deployment: Deployment,
    *,
    on_open: Callable[[str], None],
    on_show_all: Callable[[str], None],
    draw_nothing_yet: Callable[[], None],
) -> None:
    """Draw the board, and again whenever something on it changes. `on_open` gets the id of the negotiation
    that was clicked, `on_show_all` the state whose whole list was asked for."""
    cards, totals = load_cards(deployment)
    st.fragment(_follow_cards, run_every=FOLLOW_SECONDS)(deployment, cards)
    if not cards:
        draw_nothing_yet()
        return
    uncounted = find_uncounted_ids(deployment)
    draw_sample_notice(deployment, [card.id for card in cards])
    left_out = sum(totals.values()) - len(cards)
    note = f"of the newest {len(cards):,}" if left_out else ""
    _draw_totals(deployment, [card for card in cards if card.id not in uncounted], note)
    draw_waiting(deployment, cards, on_open=on_open)
    draw_heading("By state")
    chosen = draw_negotiation_board(cards, totals, key="board", on_show_all=on_show_all)
    if chosen:
        on_open(chosen)


def load_cards(deployment: Deployment) -> tuple[list[ListedNegotiation], dict[str, int]]:
    """Return the newest negotiations of each state, and how many there are of each."""
    totals: dict[str, int] = {}
    cards: list[ListedNegotiation] = []
    for status in COLUMNS:
        page = queries.load_negotiations(deployment, status=status, limit=MAX_LIMIT)
        totals[status] = page.pagination.total
        cards += page.data
    return cards, totals


def _follow_cards(deployment: Deployment, known: list[ListedNegotiation]) -> None:
    """Load the cards again, and draw the whole page anew if they differ from the `known` ones."""
    with failure_panel("Following the negotiations"):
        for status in COLUMNS:
            queries.load_negotiations.clear(deployment, status=status, limit=MAX_LIMIT)
        if load_cards(deployment)[0] != known:
            for load in (queries.load_escalations, queries.load_savings):
                load.clear()
            st.rerun()


def _draw_totals(deployment: Deployment, cards: Sequence[ListedNegotiation], note: str) -> None:
    has_savings = queries.has_operation(deployment, SAVINGS_OPERATION)
    metrics = [
        Metric(
            "At stake",
            format_sums((card.currency, get_at_stake(card)) for card in cards) or NO_VALUE,
            "The latest quotes of negotiations under way, or their targets where there is no quote.",
            note,
        )
    ]
    if has_savings:
        totals = queries.load_savings(deployment).total
        metrics.append(
            Metric(
                "Saved so far",
                format_sums((total.currency, total.savings) for total in totals) or NO_VALUE,
                "Against the first offers, or the median estimates where there was no offer. The report also"
                " measures against the target and the previous price.",
            )
        )
    decisions = sum(card.open_escalations for card in cards)
    draw_metric_row([*metrics, Metric("Open decisions", f"{decisions:,}", note=note)])
    if has_savings:
        navigation.draw_link("savings", "The savings report", icon="savings")


def draw_waiting(
    deployment: Deployment, cards: Sequence[ListedNegotiation], *, on_open: Callable[[str], None]
) -> None:
    """Draw the negotiations that wait for a decision, with the titles of the decisions."""
    waiting = [card for card in cards if card.open_escalations]
    if not waiting:
        return
    draw_heading("Waiting for your decision")
    for number, card in enumerate(waiting[:MAX_WAITING]):
        escalations = queries.load_escalations(deployment, card.id, status="open")
        titles = " · ".join(escalation.title for escalation in escalations)
        name = ": ".join(filter(None, (name_supplier(card.supplier), ", ".join(card.product_names or ()))))
        if draw_attention_item(name, titles, key=f"waiting-{number}"):
            on_open(card.id)
    if rest := waiting[MAX_WAITING:]:
        more = format_count(len(rest), "more negotiation waits", "more negotiations wait")
        st.caption(f"{more}. Each is at the top of its column.")


def find_currency(deployment: Deployment, negotiation: NegotiationSummary, timeline: Timeline | None) -> str:
    """Return the currency of the timeline, else that of the scope, else ""."""
    if timeline and timeline.currency:
        return timeline.currency
    return find_scope_currency(deployment, negotiation.scope.id) if negotiation.scope.id else ""


def get_latest_figures(summaries: Sequence[ExecutiveSummary]) -> Figures:
    """Return each figure from the newest summary that states it."""
    values: dict[str, object] = {}
    for summary in summaries:
        for name in Figures.model_fields:
            value = getattr(summary.figures, name)
            if value is not None:
                values.setdefault(name, value)
    return Figures.model_validate(values)


def combine_figures(negotiation: NegotiationSummary, timeline: Timeline | None) -> Figures:
    """Return the figures of the summaries, with the quote and the three numbers of the timeline, which are
    newer."""
    figures = get_latest_figures(negotiation.executive_summaries)
    if timeline is None:
        return figures
    offers = list_valid_offers(timeline.entries)
    strategy = timeline.strategy
    positions = {"opening": strategy.opening, "target": strategy.target, "walk_away": strategy.walk_away}
    now = {name: position.amount if position else None for name, position in positions.items()}
    return figures.model_copy(update={"quoted": offers[-1].amount if offers else None, **now})


def write_workbook(report: SavingsReport) -> bytes:
    """Return a workbook with a sheet for each grouping and one with every agreed price, in all currencies."""
    sheets: dict[str, Table] = {
        "By supplier": make_sum_rows(report.by_supplier, "Supplier"),
        "By month": make_sum_rows(report.by_month, "Month"),
        "By category": make_sum_rows(report.by_category, "Category"),
        "Agreed prices": [_agreed_price_row(one) for one in report.negotiations],
    }
    return write_xlsx(sheets)


def make_sum_rows(sums: Sequence[SavingsSum], group: str) -> list[dict[str, Cell]]:
    """Return the sums of one grouping with the columns of the page. `group` is the first column's name."""
    return [
        {
            group: one.name,
            "Currency": one.currency,
            "Agreed prices": one.negotiations,
            "Starting price": float(one.baseline),
            "Target": to_number(one.target),
            "Agreed": float(one.agreed),
            "Saved": float(one.savings),
            "Saved in %": to_number(one.savings_rate),
        }
        for one in sums
    ]


def _agreed_price_row(one: AgreedNegotiation) -> dict[str, Cell]:
    saved = {each.against: each.saved for each in one.measures}
    return {
        "Negotiation": one.negotiation_id,
        "Supplier": one.supplier,
        "Category": one.category,
        "Agreed on": f"{one.agreed_at.astimezone(UTC):%Y-%m-%d}" if one.agreed_at else None,
        "Currency": one.currency,
        "Measured against": one.against,
        "Starting price": to_number(one.baseline),
        "Target": to_number(one.target),
        "Agreed": float(one.agreed),
        "Saved": to_number(one.savings),
        "Saved in %": to_number(one.savings_rate),
        **{f"Saved against {label}": to_number(saved.get(name)) for name, label in BASELINE_NAMES.items()},
        "Not measured": one.unmeasured,
        "Purchases behind the estimate": one.purchases,
    }
