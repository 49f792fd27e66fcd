from decimal import Decimal

from app.contract.negotiation import Timeline
from app.contract.strategy import Lever, Position, StrategyShown
from components.negotiations.negotiation_state import draw_strategy
from tests.components.fixtures import make_id


def example() -> None:
    draw_strategy(
        StrategyShown(
            opening=Position(amount=Decimal(41_200), reason="A tenth pay less.", purchases=31),
            target=Position(amount=Decimal(45_100), reason="The budget.", purchases=0, origin="typed"),
            walk_away=Position(amount=Decimal(50_200), reason="Six in ten pay less.", purchases=31),
            coverage="The estimate covers 92 % of this quote (3 of 4 lines).",
            levers=[
                Lever(kind="volume", statement="120 users is above most.", purchases=18, tightens=True),
                Lever(
                    kind="uplift",
                    statement="7 % a year from year two.",
                    purchases=0,
                    tightens=False,
                    worth=Decimal(3_157),
                    basis="7 % of the yearly recurring price.",
                ),
            ],
        ),
        "USD",
        Timeline(
            negotiation_id=make_id(200),
            status="active",
            engagement_type="strategy_only",
            contact_name="Kim Lee",
            contact_email="kim@example.com",
            strategy=StrategyShown(levers=[]),
            quantity=Decimal(120),
            term_months=12,
            entries=[],
            documents=[],
            mails=[],
            participants=[],
        ),
    )
    draw_strategy(StrategyShown(unavailable="Nothing comparable is on record.", levers=[]), "USD")
