"""Several quotes, one decision."""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from app.agents.lookup import is_id
from app.agents.tool import (
    SUPPLIER_TEXT,
    AgentCaller,
    Arguments,
    Link,
    QuotedText,
    Refusal,
    Tool,
    ToolAnswer,
    cut,
    fit,
    looks,
    quote,
)
from app.contract.model import Wire
from app.contract.sourcing import (
    NO_AWARD_FOUND,
    Matrix,
    MatrixLine,
    MatrixQuote,
    NewScenario,
    Objective,
    Scenario,
    ScenarioConstraints,
)
from app.contract.values import Number

SOLVE_SECONDS = 20.0
SHOWN_QUOTES = 6
_MOST_NAMED = 2

RequirementName = Annotated[
    str, Field(min_length=2, max_length=250, description="The requirement's id, or words of its name.")
]
Suppliers = Annotated[list[Annotated[str, Field(max_length=250)]], Field(max_length=20)]


class NamedRequirement(Arguments):
    requirement: RequirementName


class ComparedQuote(Wire):
    """A quote. Its total is of its comparable lines, discounts taken off, in the currency of the table."""

    key: str = Field(description="What the lines name the quote by.")
    supplier: QuotedText
    total: Number | None = Field(None, description="Absent where nothing of it can be compared.")
    rank: int | None = Field(
        None, description="Among the totals of all lines; absent for one that does not compare."
    )
    discount: Number | None = None
    present_value: Number | None = None
    lines_answered: int
    must_haves_open: int
    valid_until: date | None = None
    expired: bool | None = None


class ComparedLine(Wire):
    """A line of the requirement: what each quote asks for it, by the quote's key."""

    words: QuotedText
    must_have: bool
    amounts: dict[str, Number]
    lowest: list[str] | None = None
    not_comparable: dict[str, str] | None = None
    gaps: list[str] | None = None


class ComparedQuotes(Wire):
    """The table of a requirement, with the quotes that answer it best."""

    summary: str
    requirement_id: str
    note: str = SUPPLIER_TEXT
    currency: str
    term_months: int
    ranking: QuotedText = Field(description="Who costs the least, and who cannot be ranked and why.")
    quotes: list[ComparedQuote]
    quotes_not_shown: int = 0
    lines: list[ComparedLine]
    lines_not_shown: int = 0


async def _compare(caller: AgentCaller, given: NamedRequirement) -> ToolAnswer:
    matrix = await caller.client.requirements.matrix(await _find_requirement(caller, given.requirement))
    needed = matrix.requirement
    best_first = sorted(matrix.quotes, key=_find_place)
    source = f"requirement {needed.name}"

    def show(quotes: int) -> ToolAnswer:
        best = best_first[:quotes]
        keys = {one.quote_id: chr(ord("A") + place) for place, one in enumerate(best)}
        lines = [_to_line(line, keys, source) for line in matrix.lines]

        def answer(shown: int) -> ToolAnswer:
            record = ComparedQuotes(
                summary=_summarise(matrix),
                requirement_id=needed.id,
                currency=needed.currency,
                term_months=needed.term_months,
                ranking=quote(matrix.ranking, source, length=300),
                quotes=[_to_quote(one, keys) for one in best],
                quotes_not_shown=len(best_first) - len(best),
                lines=lines[:shown],
                lines_not_shown=len(lines) - shown,
            )
            return ToolAnswer(record, [Link("requirement", needed.id, needed.name)])

        return fit(answer, len(lines))

    # A table of many quotes shows fewer of them rather than more than a model reads.
    return fit(show, min(SHOWN_QUOTES, len(best_first)))


def _find_place(one: MatrixQuote) -> tuple[float, float, int]:
    """Where a quote stands: by all lines, by those that must be had, and by how many it answers."""
    must_haves = one.must_haves or one.whole_term
    return one.whole_term.rank or math.inf, must_haves.rank or math.inf, -one.lines_answered


def _summarise(matrix: Matrix) -> str:
    if not matrix.quotes:
        return "No quote answers this requirement yet."
    assumed = cut(f"{matrix.statement.partition('. ')[0].rstrip('.')}.", 150)
    of_all = [(one.supplier_name, one.whole_term) for one in matrix.quotes]
    of_needed = [(one.supplier_name, one.must_haves) for one in matrix.quotes if one.must_haves is not None]
    for totals, lines in ((of_all, "every line"), (of_needed, "every line that must be had")):
        ranked = [(name, total) for name, total in totals if total.rank is not None]
        lowest = [(name, total) for name, total in ranked if total.rank == 1]
        if not lowest:
            continue
        amount = f"{lowest[0][1].amount:,.2f} {matrix.requirement.currency}"
        names = " and ".join(repr(cut(name, 40)) for name, _ in lowest[:_MOST_NAMED])
        if len(lowest) > _MOST_NAMED:
            names += f" and {len(lowest) - _MOST_NAMED} more"
        if len(lowest) > 1:
            return f"{names} answer {lines} for the least, {amount} each. {assumed}"
        if len(ranked) == 1:
            return f"{names} is the only one that answers {lines}, for {amount}. {assumed}"
        return f"{names} answers {lines} for the least, {amount}. {assumed}"
    return f"No quote that answers every line, or those that must be had, can be ranked. {assumed}"


def _to_quote(one: MatrixQuote, keys: Mapping[str, str]) -> ComparedQuote:
    return ComparedQuote(
        key=keys[one.quote_id],
        supplier=quote(one.supplier_name, "quote", length=40),
        total=one.whole_term.amount,
        rank=one.whole_term.rank,
        discount=one.discount or None,
        present_value=one.present_value,
        lines_answered=one.lines_answered,
        must_haves_open=len(one.must_haves_open),
        valid_until=one.valid_until,
        expired=True if one.expired else None,
    )


def _to_line(line: MatrixLine, keys: Mapping[str, str], source: str) -> ComparedLine:
    shown = [cell for cell in line.cells if cell.quote_id in keys]
    compared = [cell for cell in shown if cell.comparable]
    amounts: dict[str, Decimal] = {}
    for cell in compared:
        if cell.amount is not None:
            # The first one of a quote is its cheapest, which is in its total.
            amounts.setdefault(keys[cell.quote_id], cell.amount)
    others = {
        keys[cell.quote_id]: cut(cell.reason or "another kind of offer", 80)
        for cell in shown
        if not cell.comparable
    }
    return ComparedLine(
        words=quote(line.line.description, source, length=80),
        must_have=line.line.must_have is not False,
        amounts=amounts,
        lowest=[*dict.fromkeys(keys[cell.quote_id] for cell in compared if cell.lowest)] or None,
        not_comparable=others or None,
        gaps=[keys[one] for one in line.gaps if one in keys] or None,
    )


class Award(Arguments):
    requirement: RequirementName
    objective: Annotated[Objective, Field(description="by_hand is for people: it is refused here.")] = (
        "cheapest_split"
    )
    max_suppliers: Annotated[int | None, Field(ge=1, le=20)] = None
    max_share_percent: Annotated[
        Decimal | None, Field(gt=0, le=100, description="The largest part that one supplier may have.")
    ] = None
    keep_suppliers: Annotated[Suppliers, Field(description="Who must be awarded something.")] = Field(
        default_factory=list[str]
    )
    exclude_suppliers: Annotated[Suppliers, Field(description="Who is left out.")] = Field(
        default_factory=list[str]
    )
    whole_bundles: bool = False


class AwardedPart(Wire):
    """What one supplier would be awarded; the amount is before volume discounts."""

    supplier: QuotedText
    lines: int
    amount: Number


class ConstraintPrice(Wire):
    """What a constraint costs; without an amount, more lines would be covered without it."""

    constraint: str
    amount: Number | None = None
    proven: bool


class AwardScenario(Wire):
    """An award and what it costs. It is a scenario on record and awards nothing: a person does."""

    summary: str
    scenario_id: str
    requirement_id: str
    note: str = SUPPLIER_TEXT
    status: str = Field(description="optimal: proven; gap: the best known; infeasible; solving")
    currency: str
    total: Number | None = None
    discount: Number | None = Field(None, description="What volume discounts take off the awarded amounts.")
    bound: Number | None = None
    gap_percent: Number | None = None
    award: list[AwardedPart]
    open_lines: int
    costs: list[ConstraintPrice] | None = None
    contradiction: list[str] | None = None
    excluded: list[str] | None = None
    assumptions: list[str] | None = None


async def _run_scenario(caller: AgentCaller, given: Award) -> ToolAnswer:
    if given.objective == "by_hand":
        raise Refusal("An award by hand is made by a person in the dashboard. Choose another objective.")
    requirements = caller.client.requirements
    requirement_id = await _find_requirement(caller, given.requirement)
    matrix = await requirements.matrix(requirement_id)
    constraints = ScenarioConstraints(
        max_suppliers=given.max_suppliers,
        max_share=given.max_share_percent,
        keep_quotes=_find_quotes(matrix, given.keep_suppliers),
        excluded_quotes=_find_quotes(matrix, given.exclude_suppliers),
        whole_bundles=given.whole_bundles,
    )
    scenario = await requirements.create_scenario(
        requirement_id, NewScenario(objective=given.objective, constraints=constraints)
    )
    async for _ in looks(SOLVE_SECONDS):
        if scenario.status != "solving":
            break
        scenario = await requirements.get_scenario(requirement_id, scenario.id)
    currency = matrix.requirement.currency
    parts = _sum_by_supplier(scenario)

    def answer(shown: int) -> ToolAnswer:
        record = AwardScenario(
            summary=_tell_scenario(scenario, currency),
            scenario_id=scenario.id,
            requirement_id=requirement_id,
            status=scenario.status,
            currency=currency,
            total=scenario.total,
            discount=scenario.discount or None,
            bound=scenario.bound,
            gap_percent=scenario.gap,
            award=parts[:shown],
            open_lines=len(scenario.open_lines),
            costs=[ConstraintPrice.build_from(one) for one in scenario.costs[:6]] or None,
            contradiction=[cut(one, 120) for one in scenario.contradiction[:6]] or None,
            excluded=[cut(f"{one.what}: {one.why}", 120) for one in scenario.excluded[:4]] or None,
            assumptions=[cut(one, 160) for one in scenario.assumptions[:4]] or None,
        )
        return ToolAnswer(record, [Link("requirement", requirement_id, matrix.requirement.name)])

    return fit(answer, len(parts))


def _sum_by_supplier(scenario: Scenario) -> list[AwardedPart]:
    sums: dict[str, list[Decimal]] = {}
    for line in scenario.award:
        sums.setdefault(line.supplier_name, []).append(line.amount)
    return [
        AwardedPart(
            supplier=quote(name, "quote", length=60), lines=len(amounts), amount=sum(amounts, Decimal())
        )
        for name, amounts in sums.items()
    ]


def _tell_scenario(scenario: Scenario, currency: str) -> str:
    total = f"{scenario.total or 0:,.2f} {currency}"
    match scenario.status:
        case "solving":
            return "It is still being solved. A person finds it on the requirement's page."
        case "infeasible":
            return (
                "No award keeps to everything that was asked. Leave out one of the contradicting constraints."
            )
        case "gap" if scenario.total is None:
            return NO_AWARD_FOUND
        case "gap":
            return f"The best award known costs {total}; that it is the least is not proven. A person awards."
        case _ if scenario.objective == "earliest":
            return f"No award is delivered sooner, and none as soon costs less than {total}. A person awards."
        case _:
            return f"The least that such an award can cost is {total}. A person awards."


async def _find_requirement(caller: AgentCaller, said: str) -> str:
    """The id of the one requirement that is meant. Refusal names the candidates where there are several."""
    if is_id(said.strip()):
        return said.strip().lower()
    words = said.casefold().split()
    found = [
        one
        async for one in caller.client.requirements.iter()
        if all(word in one.name.casefold() for word in words)
    ]
    exact = [one for one in found if one.name.casefold() == said.strip().casefold()]
    for choice in (exact, found):
        if len(choice) == 1:
            return choice[0].id
    if not found:
        raise Refusal(
            f"No requirement has all of the words {cut(said, 80)!r}. Ask a person for its name or id."
        )
    named = "; ".join(f"{cut(one.name, 60)}: {one.id}" for one in found[:6])
    raise Refusal(f"Several requirements match. Call again with one of these ids: {named}.")


def _find_quotes(matrix: Matrix, suppliers: Sequence[str]) -> list[str] | None:
    """The quotes of suppliers by their names or the quotes' ids. Refusal for a name that none has."""
    found: list[str] = []
    for said in suppliers:
        wanted = said.strip().casefold()
        ids = [
            one.quote_id for one in matrix.quotes if wanted in {one.quote_id, one.supplier_name.casefold()}
        ]
        if not ids:
            names = "; ".join(cut(one.supplier_name, 40) for one in matrix.quotes[:10])
            raise Refusal(f"No quote is from {cut(said, 60)!r}. The quotes are from: {names}.")
        found += ids
    return found or None


_READING = frozenset({"GET /v1/requirements", "GET /v1/requirements/{}/matrix"})

COMPARE_QUOTES = Tool(
    name="compare_quotes",
    title="Compare quotes",
    description="Compares the quotes that answer a requirement, line by line, with totals that add up.",
    arguments=NamedRequirement,
    answers=ComparedQuotes,
    run=_compare,
    operations=_READING,
)
RUN_AWARD_SCENARIO = Tool(
    name="run_award_scenario",
    title="Run an award scenario",
    description=(
        "Finds whom to award what for the least, or earliest, under constraints, and what each constraint"
        " costs. It puts a scenario on record and awards nothing; asked again while no quote has changed, it"
        " answers with that scenario."
    ),
    arguments=Award,
    answers=AwardScenario,
    run=_run_scenario,
    operations=_READING | {"POST /v1/requirements/{}/scenarios", "GET /v1/requirements/{}/scenarios/{}"},
    changes=True,
)
