"""The requirement of the story, the three quotes that answer it, and the awards that were tried.

The best supplier of all lines is not the best of each: a split is cheaper, and costs a second contract.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.contract.sourcing import Objective, Recurrence
from app.service.sample.suppliers import ProductKind


@dataclass(frozen=True)
class NeededLine:
    """What is needed. `kind` is the product of the supplier that has the contract today."""

    description: str
    quantity: int
    unit: str
    must_have: bool = True
    kind: ProductKind | None = None


@dataclass(frozen=True)
class QuotedLine:
    """What a supplier asks for the line of that place; without a place it is found by its text, or answers
    nothing."""

    place: int | None
    text: str
    quantity: int
    price: float
    recurring: Recurrence = "month"
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class QuotePlan:
    """A quote; `valid_days` and the lead time count from the day on which the story began."""

    supplier: str
    in_catalog: bool
    valid_days: int
    lines: Sequence[QuotedLine]
    more: Mapping[str, Any]


@dataclass(frozen=True)
class ScenarioPlan:
    """An award to find. `keeps` are the suppliers that get something; `by_hand` names who gets each line."""

    objective: Objective
    keeps: Sequence[str] = ()
    by_hand: Sequence[str] = ()


NAME, TERM_MONTHS, NEEDED_IN_DAYS, DISCOUNT_RATE = "Help desk for two years", 24, 75, 6
INCUMBENT, CHALLENGER, NEWCOMER = "Junforge Cloud", "Marwick Cloud", "Ambertide Service Partners"
"""The supplier of today, another of the catalog, and one that is known by its name alone."""

LINES: Sequence[NeededLine] = (
    NeededLine("Help desk seats, Professional edition", 120, "users", kind="seats"),
    NeededLine("Reporting and analytics", 120, "users", kind="addon"),
    NeededLine("Telephone channel", 40, "lines"),
    NeededLine("Onboarding by a consultant", 10, "days", kind="services"),
    NeededLine("Migration of old tickets", 1, "project", must_have=False),
)

QUOTES: Sequence[QuotePlan] = (
    QuotePlan(
        INCUMBENT,
        in_catalog=True,
        valid_days=45,
        lines=(
            QuotedLine(0, "Junforge Desk Professional", 120, 38.9),
            QuotedLine(1, "Junforge Desk Analytics", 120, 9.2),
            QuotedLine(2, "Junforge Voice, per line", 40, 21),
            QuotedLine(3, "Junforge Onboarding, consultant", 10, 1_420, "once"),
            QuotedLine(4, "Data migration", 1, 6_500, "once"),
        ),
        more={
            "leadTimeDays": 10,
            "paymentTermsDays": 30,
            "discounts": [{"fromAmount": 150_000, "percent": 4}],
        },
    ),
    QuotePlan(
        CHALLENGER,
        in_catalog=True,
        valid_days=20,
        lines=(
            QuotedLine(
                0,
                "Marwick Desk Professional",
                120,
                37.8,
                more={"breaks": [{"fromQuantity": 100, "unitPrice": 34.4}]},
            ),
            QuotedLine(1, "Marwick Desk Analytics", 120, 11.5),
            QuotedLine(2, "Telephone channel", 40, 24),
            QuotedLine(3, "Onboarding package, consultant days", 10, 1_650, "once"),
            QuotedLine(None, "Migration of tickets, remote", 1, 5_200, "once"),
        ),
        more={"leadTimeDays": 30, "paymentTermsDays": 45, "minimumOrder": 40_000},
    ),
    QuotePlan(
        NEWCOMER,
        in_catalog=False,
        valid_days=60,
        lines=(
            QuotedLine(0, "Service desk agents, full edition", 120, 41.5),
            QuotedLine(None, "Reporting and analytics", 120, 7.9),
            QuotedLine(None, "Telephone channel", 40, 15.5),
            QuotedLine(None, "Onboarding by a senior consultant", 10, 1_180, "once"),
            QuotedLine(4, "Migration of tickets", 1, 4_900, "once"),
            QuotedLine(None, "Priority hotline at night", 1, 650),
        ),
        more={"leadTimeDays": 21, "paymentTermsDays": 30},
    ),
)

SCENARIOS: Sequence[ScenarioPlan] = (
    ScenarioPlan("by_hand", by_hand=(INCUMBENT, INCUMBENT, NEWCOMER, NEWCOMER, NEWCOMER)),
    ScenarioPlan("earliest"),
    ScenarioPlan("cheapest_single", keeps=(INCUMBENT, CHALLENGER)),
    ScenarioPlan("cheapest_split", keeps=(INCUMBENT,)),
    ScenarioPlan("cheapest_single"),
    ScenarioPlan("cheapest_split"),
)
"""One of each objective, one with a constraint that costs something, and one that cannot be; the newest is
shown first."""
