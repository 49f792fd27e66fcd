"""The three numbers with their reasons, and the facts that help."""

from decimal import Decimal

import streamlit as st

from app.contract.negotiation import Lever, Position, StrategyShown
from components import specimens
from components.money import money, quantity
from components.plain import plain


def draw_strategy(strategy: StrategyShown, currency: str) -> None:
    """Each number with why it is what it is and the purchases behind it; why there are none, otherwise."""
    positions = [
        ("Opening", strategy.opening),
        ("Target", strategy.target),
        ("Walk-away", strategy.walk_away),
    ]
    known = [(name, position) for name, position in positions if position is not None]
    if strategy.unavailable:
        st.info(plain(strategy.unavailable), icon=":material/help:")
    if known:
        for column, (name, position) in zip(st.columns(len(known), border=True), known, strict=True):
            with column:
                _draw_position(name, position, currency)
    if strategy.levers:
        st.markdown("**Levers**")
        for lever in strategy.levers:
            st.markdown(f"- {_in_words(lever)}")


def _draw_position(name: str, position: Position, currency: str) -> None:
    st.metric(name, money(position.amount, currency))
    st.caption(f"{plain(position.reason)} ({_evidence(position.purchases)})")


def _in_words(lever: Lever) -> str:
    mark = " :green-badge[tightens the target]" if lever.tightens else ""
    return f"{plain(lever.statement)} :gray[({_evidence(lever.purchases)})]{mark}"


def _evidence(purchases: int) -> str:
    if not purchases:
        return "read in the document"
    return "1 purchase" if purchases == 1 else f"{quantity(purchases)} purchases"


def example() -> None:
    draw_strategy(
        StrategyShown(
            opening=Position(amount=Decimal(41_200), reason="A tenth pay less.", purchases=31),
            target=Position(amount=Decimal(45_100), reason="A quarter pay less.", purchases=31),
            walk_away=Position(amount=Decimal(50_200), reason="Six in ten pay less.", purchases=31),
            levers=[
                Lever(kind="volume", statement="120 users is above most.", purchases=18, tightens=True),
                Lever(kind="uplift", statement="7 % a year from year two.", purchases=0, tightens=False),
            ],
        ),
        "USD",
    )
    draw_strategy(
        StrategyShown(unavailable="Nothing comparable is on record.", levers=[]), specimens.CURRENCY
    )
