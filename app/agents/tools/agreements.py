"""What was agreed, and by when somebody must act."""

from datetime import date
from typing import Annotated

from pydantic import Field

from app.agents.lookup import find_id
from app.agents.tool import (
    SUPPLIER_TEXT,
    AgentCaller,
    Arguments,
    Link,
    QuotedText,
    Tool,
    ToolAnswer,
    cut,
    fit,
    quote,
)
from app.contract.agreements import DEFAULT_WITHIN, MAX_WITHIN, Agreement, find_last_day
from app.contract.model import Wire
from app.contract.money import format_count
from app.contract.values import Number

MARKET = "GET /v1/market"


class Horizon(Arguments):
    within_days: Annotated[int, Field(ge=0, le=MAX_WITHIN, description="How many days ahead to look.")] = (
        DEFAULT_WITHIN
    )
    skip: Annotated[int, Field(ge=0, description="How many to leave out that you have seen.")] = 0


class DueAgreement(Wire):
    """An agreement, and by when somebody must act, where that is known."""

    agreement_id: str
    name: str
    supplier: str | None = None
    status: str
    stage: str
    act_by: date | None = None
    current_term_end: date | None = None
    annualized_value: Number | None = None
    currency: str | None = None
    owner: str | None = None


class DueAgreements(Wire):
    """The agreements on which somebody must act, the most urgent first."""

    summary: str
    agreements: list[DueAgreement]
    not_shown: int = 0


async def _list_renewals(caller: AgentCaller, given: Horizon) -> ToolAnswer:
    page = await caller.client.agreements.renewals(limit=20, offset=given.skip, within=given.within_days)
    due = [_to_due(one) for one in page.data]
    total = page.pagination.total
    within = format_count(given.within_days, "day")

    def answer(shown: int) -> ToolAnswer:
        record = DueAgreements(
            summary=(
                f"Somebody must act on {total} within {within}, or should have. get_agreement"
                " has the reasons of each date; skip those that you have seen."
                if total
                else f"Nothing is to be decided within {within}."
            ),
            agreements=due[:shown],
            not_shown=total - shown,
        )
        return ToolAnswer(
            record, [Link("agreement", one.agreement_id, one.name) for one in due[: min(shown, 3)]]
        )

    return fit(answer, len(due))


def _to_due(one: Agreement) -> DueAgreement:
    return DueAgreement.build_from(
        one,
        agreement_id=one.id,
        name=cut(one.name, 60),
        act_by=find_last_day(one.status, one.act_by),
        supplier=cut(one.supplier_name, 40) if one.supplier_name else None,
        owner=cut(one.owners[0].name, 40) if one.owners else None,
    )


class NamedAgreement(Arguments):
    agreement: Annotated[
        str, Field(min_length=2, max_length=250, description="The agreement's id, or its name.")
    ]


class AgreedLine(Wire):
    """A line of an agreement."""

    words: QuotedText
    quantity: Number | None = None
    amount: Number | None = None


class ReadField(Wire):
    """Where a value of the agreement was read in its document."""

    field: str
    words: QuotedText


class Market(Wire):
    """The agreement against what its lines would cost today."""

    compared_percent: Number
    certainty: str
    amount: Number | None = None
    estimate: Number | None = None
    saving: Number | None = None


class AgreementDetails(DueAgreement):
    """An agreement: its dates with how they were computed, what is not known of it, and where its price
    stands today."""

    summary: str
    note: str = SUPPLIER_TEXT
    renewal_type: str | None = None
    notice_deadline: date | None = None
    notice_given_on: date | None = None
    total_value: Number | None = None
    missing: list[str]
    negotiation_id: str | None = None
    market: Market | None = None
    lines: list[AgreedLine] | None = None
    lines_not_shown: int | None = None
    read_in_document: list[ReadField] | None = None


async def _get(caller: AgentCaller, given: NamedAgreement) -> ToolAnswer:
    one = await caller.client.agreements.get(await find_id(caller, "agreement", given.agreement))
    market = await _find_market(caller, one)
    source = f"agreement {one.name}"
    lines = [
        AgreedLine(words=quote(line.description, source), quantity=line.quantity, amount=line.amount)
        for line in one.lines or ()
    ]
    evidence = [
        ReadField(field=name, words=quote(read.text, f"document of {source}", page=read.page))
        for name, read in one.evidence.items()
        if read.text
    ]

    def answer(shown: int) -> ToolAnswer:
        record = AgreementDetails(
            **dict(_to_due(one)),
            summary=cut(one.statement, 600),
            renewal_type=one.renewal_type,
            notice_deadline=one.notice_deadline,
            notice_given_on=one.notice_given_on,
            total_value=one.total_value,
            missing=one.missing[:12],
            negotiation_id=one.negotiation_id,
            market=market,
            lines=lines[:shown] or None,
            lines_not_shown=len(lines) - shown if len(lines) > shown else None,
            read_in_document=evidence[: min(shown, 4)] or None,
        )
        links = [Link("agreement", one.id, one.name)]
        return ToolAnswer(
            record, [*links, *([Link("scope", one.scope_id, "Its scope")] if one.scope_id else [])]
        )

    return fit(answer, max(len(lines), 4))


async def _find_market(caller: AgentCaller, one: Agreement) -> Market | None:
    if MARKET not in caller.deployment.offered:
        return None
    page = await caller.client.agreements.market(limit=1, agreement_id=one.id)
    found = next((each for each in page.data if each.agreement_id == one.id), None)
    return None if found is None else Market.build_from(found, compared_percent=found.compared)


LIST_RENEWALS = Tool(
    name="list_renewals",
    title="List renewals",
    description="Lists the agreements on which somebody must act soon, the most urgent first, with by when.",
    arguments=Horizon,
    answers=DueAgreements,
    run=_list_renewals,
    operations=frozenset({"GET /v1/renewals"}),
)
GET_AGREEMENT = Tool(
    name="get_agreement",
    title="Get an agreement",
    description=(
        "Reads an agreement: its dates and how they were computed, what is not known of it, its lines, and"
        " where its price stands against the market."
    ),
    arguments=NamedAgreement,
    answers=AgreementDetails,
    run=_get,
    operations=frozenset({"GET /v1/search", "GET /v1/agreements/{}"}),
)
