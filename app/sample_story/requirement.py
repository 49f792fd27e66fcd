"""State the requirement of the story, with its quotes and the awards that were tried, each once."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from app.client import ScopedClient
from app.contract.sourcing import NewRequirement, NewScenario, NewSourcingQuote, Requirement, SourcingQuote
from app.sample_story.requirement_plan import (
    DISCOUNT_RATE,
    INCUMBENT,
    LINES,
    NAME,
    NEEDED_IN_DAYS,
    QUOTES,
    SCENARIOS,
    TERM_MONTHS,
    QuotedLine,
    ScenarioPlan,
)
from app.service.sample.quotes import find_product
from app.service.sample.suppliers import SampleSupplier

FindSupplier = Callable[[str], SampleSupplier]


def tell_requirement(client: ScopedClient, begun: date, currency: str, find_supplier: FindSupplier) -> None:
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
