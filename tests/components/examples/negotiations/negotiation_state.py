from decimal import Decimal

from app.contract.negotiation import Figures
from components.negotiations.negotiation_state import STATES, draw_figures, draw_negotiation_state


def example() -> None:
    for status in (*STATES, "cancelled"):
        draw_negotiation_state(status, cancelled_state="pending")
    draw_figures(Figures(quoted=Decimal(56_000), target=Decimal(45_100)), "USD")
