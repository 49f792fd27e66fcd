"""The requirement of the story, the three quotes that answer it, and the awards that were tried.

The best supplier of all lines is not the best of each: a split is cheaper, and costs a second contract.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from app.client import ScopedClient
from app.contract.sourcing import (
    NewRequirement,
    NewScenario,
    NewSourcingQuote,
    Objective,
    Recurrence,
    Requirement,
    SourcingQuote,
)
from app.service.sample.quotes import find_product
from app.service.sample.suppliers import ProductKind, SampleSupplier


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


_FindSupplier = Callable[[str], SampleSupplier]


def tell_requirement(client: ScopedClient, begun: date, currency: str, find_supplier: _FindSupplier) -> None:
    """Make the requirement, its quotes and their scenarios; dates count from the day on which the story
    began."""
    stated = NewRequirement.model_validate(_describe_need(begun, currency, find_supplier(INCUMBENT)))
    requirement = client.requirements.create(stated, idempotency_key="sample-requirement")
    quotes: dict[str, SourcingQuote] = {}
    for number, plan in enumerate(QUOTES, 1):
        body = {
            "supplierName": plan.supplier,
            "currency": requirement.currency,
            "validUntil": (begun + timedelta(days=plan.valid_days)).isoformat(),
            "lines": [_describe_line(line, requirement) for line in plan.lines],
            **plan.more,
        }
        if plan.in_catalog:
            body["companyId"] = find_supplier(plan.supplier).row["id"]
        quotes[plan.supplier] = client.requirements.add_quote(
            requirement.id,
            NewSourcingQuote.model_validate(body),
            idempotency_key=f"sample-requirement-quote-{number}",
        )
    for number, tried in enumerate(SCENARIOS, 1):
        client.requirements.create_scenario(
            requirement.id,
            NewScenario.model_validate(_describe_scenario(tried, requirement, quotes)),
            idempotency_key=f"sample-scenario-{number}",
        )


def _describe_need(begun: date, currency: str, incumbent: SampleSupplier) -> dict[str, Any]:
    lines: list[dict[str, Any]] = []
    for line in LINES:
        body = {
            "description": line.description,
            "quantity": line.quantity,
            "unit": line.unit,
            "mustHave": line.must_have,
        }
        if line.kind is not None:
            body["productId"] = find_product(incumbent, line.kind).row["id"]
        lines.append(body)
    return {
        "name": NAME,
        "currency": currency,
        "termMonths": TERM_MONTHS,
        "neededBy": (begun + timedelta(days=NEEDED_IN_DAYS)).isoformat(),
        "discountRate": DISCOUNT_RATE,
        "lines": lines,
    }


def _describe_line(line: QuotedLine, requirement: Requirement) -> dict[str, Any]:
    body: dict[str, Any] = {
        "description": line.text,
        "quantity": line.quantity,
        "unitPrice": line.price,
        "recurring": line.recurring,
        **line.more,
    }
    if line.place is not None:
        body["requirementLineId"] = requirement.lines[line.place].id
    return body


def _describe_scenario(
    plan: ScenarioPlan, requirement: Requirement, quotes: Mapping[str, SourcingQuote]
) -> dict[str, Any]:
    body: dict[str, Any] = {"objective": plan.objective}
    if plan.keeps:
        body["constraints"] = {"keepQuotes": [quotes[supplier].id for supplier in plan.keeps]}
    if plan.by_hand:
        answers = {
            (supplier, line.requirement_line_id): line.id
            for supplier, quote in quotes.items()
            for line in quote.lines
        }
        body["award"] = [
            answers[supplier, line.id] for line, supplier in zip(requirement.lines, plan.by_hand, strict=True)
        ]
    return body
