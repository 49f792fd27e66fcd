"""The strategy of a negotiation, and the form that changes it."""

from decimal import Decimal

import streamlit as st

from app.contract.money import format_money
from app.contract.strategy import Lever, Position, StrategyShown
from components.formatting.counts import format_count, format_total_per_unit
from components.formatting.texts import escape_markdown

ORIGIN_STYLES = {
    "estimate": ("from the estimate", "blue"),
    "quote": ("from the quote", "orange"),
    "typed": ("entered by you", "violet"),
}


def draw_strategy(
    strategy: StrategyShown, currency: str, *, quantity: Decimal | None = None, months: int | None = None
) -> None:
    """Draw each number with its origin, reason and number of purchases, or why there is none. With a
    `quantity` and a term, also each price per unit and month."""
    positions = [
        ("Opening", strategy.opening),
        ("Target", strategy.target),
        ("Walk-away", strategy.walk_away),
    ]
    known = [(name, position) for name, position in positions if position is not None]
    if strategy.unavailable:
        st.info(escape_markdown(strategy.unavailable), icon=":material/help:")
    if strategy.coverage:
        st.info(escape_markdown(strategy.coverage), icon=":material/pie_chart:")
    if known:
        for column, (name, position) in zip(st.columns(len(known), border=True), known, strict=True):
            with column:
                _draw_position(name, position, currency)
                if quantity:
                    st.caption(
                        escape_markdown(
                            format_total_per_unit(position.amount, quantity, months, None, currency)
                        )
                    )
        st.caption("Offers do not change these numbers; only you or new evidence can.")
    if strategy.levers:
        st.markdown("**Levers**")
        for lever in strategy.levers:
            st.markdown(f"- {_describe_lever(lever, currency)}")


def _draw_position(name: str, position: Position, currency: str) -> None:
    st.metric(name, format_money(position.amount, currency))
    word, colour = ORIGIN_STYLES.get(position.origin, (position.origin, "gray"))
    st.markdown(f":{colour}-badge[{escape_markdown(word)}]")
    evidence = "" if position.origin == "typed" else f" ({_describe_evidence(position.purchases)})"
    st.caption(f"{escape_markdown(position.reason)}{evidence}")


def _describe_lever(lever: Lever, currency: str) -> str:
    mark = " :green-badge[applies now]" if lever.tightens else ""
    basis = escape_markdown(lever.basis or "")
    worth = f" {basis}" if basis else ""
    if lever.worth is not None:
        amount = escape_markdown(format_money(lever.worth, currency))
        worth = f" Worth **{amount}**: {basis}" if basis else f" Worth **{amount}**."
    return f"{escape_markdown(lever.statement)}{worth} :gray[({_describe_evidence(lever.purchases)})]{mark}"


def _describe_evidence(purchases: int) -> str:
    if not purchases:
        return "read in the document"
    return format_count(purchases, "purchase")


NUMBER_LABELS = {"opening": "Opening", "target": "Target", "walk_away": "Walk-away"}
