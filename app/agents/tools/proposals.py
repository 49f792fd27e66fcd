"""A decision that a person is to take: an agent may say what it would do, and why."""

import hashlib
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field

from app.agents.lookup import find_id
from app.agents.tool import AgentCaller, Arguments, Link, Refusal, Tool, ToolAnswer, cut
from app.client import Conflict
from app.contract.model import Wire
from app.contract.money import format_exact_quantity
from app.contract.negotiation import FINAL_STATUSES, Escalation, ExternalUpdate

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:parley:proposal:1",
    "type": "object",
    "required": ["decision", "reason"],
    "properties": {
        "decision": {"type": "string"},
        "reason": {"type": "string"},
        "amount": {"type": "number"},
        "escalationId": {"type": "string"},
    },
}
"""No update that a negotiation acts on: it is kept as a note."""

COMMENT = "POST /v1/agreements/{}/comments"

ProposedWord = Literal["accept", "counter", "walk_away", "go_ahead", "renew", "end", "renegotiate", "wait"]


class Proposal(Arguments):
    negotiation: Annotated[
        str | None, Field(max_length=250, description="The negotiation's id, or its supplier's name.")
    ] = None
    agreement: Annotated[str | None, Field(max_length=250, description="Or the agreement's id or name.")] = (
        None
    )
    decision: ProposedWord
    amount: Annotated[
        Decimal | None, Field(gt=0, lt=10**12, description="The total before tax that a counter-offer names.")
    ] = None
    reason: Annotated[str, Field(min_length=10, max_length=1_500, description="Why, with the figures.")]


class MadeProposal(Wire):
    """A proposal on a negotiation's timeline or among an agreement's comments, and where a person decides."""

    summary: str
    negotiation_id: str | None = None
    agreement_id: str | None = None
    decide_at: str = Field(description="Where a person decides, in the dashboard.")
    answers_escalation: str | None = None


async def _propose(caller: AgentCaller, given: Proposal) -> ToolAnswer:
    if (given.negotiation is None) == (given.agreement is None):
        raise Refusal("Name a negotiation or an agreement, one of both, and call again.")
    if (given.decision == "counter") != (given.amount is not None):
        raise Refusal("Give an amount with a counter-offer, and with nothing else.")
    if given.agreement is not None:
        # The negotiation that an agreement names has ended with it.
        return await _comment(caller, await find_id(caller, "agreement", given.agreement), given)
    return await _propose_in(caller, await find_id(caller, "negotiation", given.negotiation or ""), given)


async def _propose_in(caller: AgentCaller, negotiation_id: str, given: Proposal) -> ToolAnswer:
    summary = await caller.client.negotiations.summary(negotiation_id)
    if summary.status in FINAL_STATUSES:
        raise Refusal(f"This negotiation is {summary.status}, so there is nothing left to decide.")
    fitting = [
        one
        for one in summary.escalations
        if one.status == "open" and any(option.decision == given.decision for option in one.options)
    ]
    escalation = fitting[0] if len(fitting) == 1 else None
    await _put_on_record(caller, negotiation_id, given, escalation)
    made = MadeProposal(
        summary="The proposal is on the negotiation's timeline. Nothing is decided or sent: people do that.",
        negotiation_id=negotiation_id,
        decide_at=summary.url,
        answers_escalation=cut(escalation.title, 120) if escalation else None,
    )
    return ToolAnswer(made)


async def _comment(caller: AgentCaller, agreement_id: str, given: Proposal) -> ToolAnswer:
    if COMMENT not in caller.deployment.offered:
        raise Refusal("Agreements have no comments here. Ask a person to decide on the agreement's page.")
    text = _phrase(given)
    key = f"agent-proposal-{hashlib.sha256(f'{agreement_id} {text}'.encode()).hexdigest()}"
    await caller.client.comments.create("agreement", agreement_id, text, idempotency_key=key)
    made = MadeProposal(
        summary="The proposal is among the agreement's comments. Nothing is decided or sent: people do that.",
        agreement_id=agreement_id,
        decide_at=f"{caller.dashboard_url}/agreement?id={agreement_id}"
        if caller.dashboard_url
        else "the agreement's page",
    )
    return ToolAnswer(made, [Link("agreement", agreement_id, "The agreement")])


async def _put_on_record(
    caller: AgentCaller, negotiation_id: str, given: Proposal, escalation: Escalation | None
) -> None:
    payload: dict[str, Any] = {"decision": given.decision, "reason": _phrase(given)}
    if given.amount is not None:
        payload["amount"] = float(given.amount)
    if escalation is not None:
        payload["escalationId"] = escalation.id
    digest = hashlib.sha256(repr(sorted(payload.items())).encode()).hexdigest()
    update = ExternalUpdate(
        timestamp=datetime.now(UTC),
        external_id=f"proposal-{digest[:32]}",
        source=cut(f"agent with the key {caller.access.key_name}", 200),
        payload_schema=SCHEMA,
        payload=payload,
    )
    try:
        await caller.client.negotiations.external_update(negotiation_id, update)
    except Conflict as conflict:
        # The same proposal was made before.
        if "externalId" not in str(conflict):
            raise


def _phrase(given: Proposal) -> str:
    amount = f" at {format_exact_quantity(given.amount)}" if given.amount is not None else ""
    words = given.decision.replace("_", " ")
    return f"Proposed by an agent, not decided: {words}{amount}. {cut(given.reason, 1_500)}"


PROPOSE_DECISION = Tool(
    name="propose_decision",
    title="Propose a decision",
    description=(
        "Puts a proposed decision with its reason on the timeline of a negotiation, or on an agreement, for a"
        " person to decide in the dashboard. It decides nothing and sends nothing."
    ),
    arguments=Proposal,
    answers=MadeProposal,
    run=_propose,
    operations=frozenset(
        {
            "GET /v1/search",
            "GET /v1/negotiation/{}/summary",
            "POST /v1/negotiation/{}/external-update",
        }
    ),
    changes=True,
)
