"""Scenarios: the quotes of a requirement as an award problem (what can be compared, and what is left out and
why), solved for an objective, in amounts and sentences.

A scenario keeps the state of the quotes that it was solved on, and says what of it is another by now. Only
what an award depends on is in it: a doubt that is confirmed counts, what was proposed and is confirmed
does not.
"""

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Any

from app.contract.dates import format_day
from app.contract.money import format_count
from app.contract.sourcing import (
    NO_AWARD_FOUND,
    AwardedLine,
    ConstraintCost,
    ExcludedThing,
    NewScenario,
    Requirement,
    ScenarioConstraints,
    SingleSupplier,
    SourcingQuote,
    SourcingQuoteLine,
)
from app.service.catalog.names import shorten
from app.service.http.problems import bad_request
from app.service.sourcing.amounts import build_charge, from_cents, spread_over_term, to_cents
from app.service.sourcing.award.problem import (
    Discount,
    Line,
    Offer,
    Problem,
    Quote,
    Rule,
    RuleKind,
    amount_of,
    find_broken_rules,
    list_covered_lines,
    list_rules,
    total_of,
)
from app.service.sourcing.award.solving import Award, find_award, find_contradiction, find_rule_costs
from app.service.sourcing.columns import Cell, Column, Rate, explain_exclusion, explain_other_term
from app.service.sourcing.line_units import UNKNOWN_TAX, remove_tax


@dataclass(frozen=True, slots=True)
class AwardTask:
    """A problem, the names behind its ids, and what was left out of it. Amounts are in cents."""

    requirement: Requirement
    problem: Problem
    suppliers: Mapping[str, str]
    """By the id of the quote."""
    excluded: Sequence[ExcludedThing]
    rates: Sequence[str]
    """The exchange rates behind the amounts, a sentence for each."""


def build_task(
    requirement: Requirement, columns: Sequence[Column], constraints: ScenarioConstraints, today: date
) -> AwardTask:
    """Build the award problem of what can be compared; the rest is listed with its reason."""
    quotes: list[Quote] = []
    excluded: list[ExcludedThing] = []
    for column in columns:
        reason = explain_exclusion(column, today)
        if reason is None and column.rate is not None:
            broken: Mapping[str | None, str] = {}
            if constraints.whole_bundles:
                broken = _explain_broken_bundles(requirement, column)
            quotes.append(_build_quote(requirement, column, column.rate, broken))
            excluded += [
                ExcludedThing(what=_name_line(column, cell.line), why=broken[cell.line.bundle_id])
                for cells in column.cells.values()
                for cell in cells
                if cell.comparable and cell.line.bundle_id in broken
            ]
            excluded += [
                ExcludedThing(what=_name_line(column, cell.line), why=cell.reason)
                for cells in column.cells.values()
                for cell in cells
                if cell.reason is not None
            ]
        else:
            excluded.append(ExcludedThing(what=column.quote.supplier_name, why=reason or ""))
    lines = [Line(line.id, line.must_have) for line in requirement.lines]
    return AwardTask(
        requirement,
        Problem(lines, quotes, constraints),
        {column.quote.id: column.quote.supplier_name for column in columns},
        excluded,
        _list_rates(requirement, columns),
    )


def _list_rates(requirement: Requirement, columns: Sequence[Column]) -> list[str]:
    rates = {column.quote.currency: column.rate for column in columns if column.rate is not None}
    return [
        f"{currency} 1 is {requirement.currency} {rate.value.normalize():f},"
        f" the rate on {format_day(rate.day)}."
        for currency, rate in rates.items()
        if currency != requirement.currency
    ]


def _name_line(column: Column, line: SourcingQuoteLine) -> str:
    return f"{column.quote.supplier_name}: {line.description[:100]}"


def _explain_broken_bundles(requirement: Requirement, column: Column) -> Mapping[str | None, str]:
    """Why bundles cannot be awarded whole: of something in them nobody knows what it costs."""
    reasons = [
        *((cell.line, cell.reason) for cells in column.cells.values() for cell in cells),
        *((line, _explain_extra(requirement, line)) for line in column.unaligned),
    ]
    return {
        line.bundle_id: f"“{shorten(line.description, _SHOWN_NAME)}” comes with it. {reason}"
        for line, reason in reasons
        if line.bundle_id is not None and reason is not None and not line.alternate
    }


def _explain_extra(requirement: Requirement, line: SourcingQuoteLine) -> str | None:
    """Why nobody knows what a line costs that answers none; None where it is known."""
    return UNKNOWN_TAX if remove_tax(line) is None else explain_other_term(requirement, line)


def _build_quote(
    requirement: Requirement, column: Column, rate: Rate, broken: Collection[str | None]
) -> Quote:
    quote = column.quote
    offers = [
        _build_offer(cell)
        for cells in column.cells.values()
        for cell in cells
        if cell.comparable and cell.line.bundle_id not in broken
    ]
    bundles = {offer.bundle for offer in offers} - {None}
    # What comes with a bundle is paid for too, though no line of the requirement asks for it.
    extras = [
        Offer(line.id, None, _amount_of_extra(requirement, before_tax, rate), line.bundle_id)
        for line in column.unaligned
        if line.bundle_id in bundles and (before_tax := remove_tax(line)) is not None
    ]
    return Quote(
        quote.id,
        quote.company_id or quote.supplier_name.casefold(),
        [*offers, *extras],
        minimum_order=to_cents((quote.minimum_order or Decimal(0)) * rate.value),
        discounts=convert_discounts(quote, rate),
        lead_time_days=quote.lead_time_days,
    )


def convert_discounts(quote: SourcingQuote, rate: Rate) -> list[Discount]:
    """Return a quote's volume discounts, their steps in cents of the requirement's currency."""
    return [Discount(to_cents(one.from_amount * rate.value), one.percent) for one in quote.discounts or ()]


def _build_offer(cell: Cell) -> Offer:
    return Offer(
        cell.line.id, cell.line.requirement_line_id, to_cents(cell.amount or Decimal(0)), cell.line.bundle_id
    )


def _amount_of_extra(requirement: Requirement, line: SourcingQuoteLine, rate: Rate) -> int:
    charge = build_charge(line, line.quantity, requirement, rate.value)
    return to_cents(spread_over_term(charge, requirement.term_months).amount)


_ASSUMPTIONS: tuple[str, ...] = (
    "A line goes whole to one supplier, for the quantity of the requirement and the whole term.",
    "Minimum orders and the steps of volume discounts count what is awarded before discounts.",
    "Taxes, delivery and later price rises are not in the amounts.",
)
_HUNDRED = Decimal(100)


def solve_scenario(task: AwardTask, request: NewScenario, seconds: float) -> dict[str, Any]:
    """Return the fields of `contract.sourcing.Scenario` that the solution gives, in about so many seconds;
    its explanation takes as long again at most. Raises ApiProblem 400 for an award by hand that cannot be."""
    began = time.monotonic()
    assumptions = [*_ASSUMPTIONS, *task.rates]
    if request.objective == "by_hand":
        award, broken = _judge_by_hand(task.problem, request.award or (), seconds)
        return _describe(task, award, [], broken, assumptions)
    if request.objective == "earliest":
        task, award, sentence = _find_earliest(task, seconds)
        assumptions.append(sentence)
    else:
        if request.objective == "cheapest_single":
            task = replace(task, problem=_limit_suppliers(task.problem, 1))
        award = find_award(task.problem, seconds)
    left = max(0.2, seconds - (time.monotonic() - began))
    until = time.monotonic() + left
    costs = find_rule_costs(task.problem, award, left) if award.total is not None else []
    contradiction = find_contradiction(task.problem, left) if award.status == "infeasible" else []
    described = [
        ConstraintCost(
            constraint=_describe_rule(task, one.rule),
            amount=None if one.amount is None else from_cents(one.amount),
            proven=one.proven,
        )
        for one in costs
    ]
    solution = _describe(task, award, described, contradiction, assumptions)
    if request.objective == "cheapest_split":
        solution["single_supplier"] = _find_single_supplier(task, award, max(0.2, until - time.monotonic()))
    return solution


def _find_single_supplier(task: AwardTask, award: Award, seconds: float) -> SingleSupplier | None:
    """The best award to one supplier, against which a split among several is judged; None beside another."""
    if award.total is None or len(_list_awarded(task.problem, award)) < 2:
        return None
    single = find_award(_limit_suppliers(task.problem, 1), seconds)
    proven = single.status != "gap" and award.status == "optimal"
    if single.total is None:
        return SingleSupplier(proven=proven)
    same = list_covered_lines(task.problem, single.offers) == list_covered_lines(task.problem, award.offers)
    return SingleSupplier(
        supplier_name=task.suppliers[_list_awarded(task.problem, single)[0].id],
        total=from_cents(single.total),
        saving=from_cents(single.total - award.total) if same else None,
        proven=proven,
    )


def _list_awarded(problem: Problem, award: Award) -> list[Quote]:
    """The first awarded quote of each supplier."""
    awarded: dict[str, Quote] = {}
    for quote in problem.quotes:
        if any(offer.id in award.offers for offer in quote.offers):
            awarded.setdefault(quote.supplier, quote)
    return list(awarded.values())


def _limit_suppliers(problem: Problem, most: int) -> Problem:
    return replace(problem, constraints=problem.constraints.model_copy(update={"max_suppliers": most}))


def _judge_by_hand(problem: Problem, award: Collection[str], seconds: float) -> tuple[Award, list[Rule]]:
    """The award that a person made, measured against the best one, and the rules that it does not keep."""
    known = {offer.id for quote in problem.quotes for offer in quote.offers}
    for place, one in enumerate(award):
        if one not in known:
            raise bad_request(f"/award/{place}", "There is no such line that can be compared.")
    offers = frozenset(award)
    try:
        broken = find_broken_rules(problem, offers, list_rules(problem))
    except ValueError as fault:
        raise bad_request("/award", str(fault)) from None
    total = total_of(problem, offers)
    if broken:
        return Award("infeasible", offers, total), broken
    best = find_award(problem, seconds)
    bound = min(total, best.bound or 0)
    # An award that leaves open what another covers may cost less than the best.
    is_best = best.status == "optimal" and best.total == total
    return Award("optimal" if is_best else "gap", offers, total, bound), []


def _find_earliest(task: AwardTask, seconds: float) -> tuple[AwardTask, Award, str]:
    """The cheapest of the awards that are delivered first, by the longest lead time among their quotes."""
    problem = task.problem
    unknown = [quote for quote in problem.quotes if quote.lead_time_days is None]
    excluded = [
        ExcludedThing(what=task.suppliers[quote.id], why="The quote states no lead time.")
        for quote in unknown
    ]
    task = replace(task, excluded=[*task.excluded, *excluded])
    times = sorted({quote.lead_time_days for quote in problem.quotes if quote.lead_time_days is not None})
    until = time.monotonic() + seconds
    award, is_proven = Award("infeasible"), True
    for days in times:
        quotes = [
            one for one in problem.quotes if one.lead_time_days is not None and one.lead_time_days <= days
        ]
        task = replace(task, problem=replace(problem, quotes=quotes))
        award = find_award(task.problem, max(0.1, until - time.monotonic()))
        if award.total is not None:
            within = format_count(days, "day")
            # Of a sooner one that was not found in time nobody knows whether there is one.
            award = award if is_proven else replace(award, status="gap", bound=None)
            return task, award, f"Delivered within {within}, the longest lead time of an awarded quote."
        is_proven &= award.status == "infeasible"
    if award.status == "gap":
        return task, award, NO_AWARD_FOUND
    return task, award, "No award of quotes that state a lead time covers what must be had."


def _describe(
    task: AwardTask,
    award: Award,
    costs: list[ConstraintCost],
    contradiction: list[Rule],
    assumptions: list[str],
) -> dict[str, Any]:
    quotes = task.problem.quotes
    awarded = [
        AwardedLine(
            requirement_line_id=offer.line,
            quote_line_id=offer.id,
            quote_id=quote.id,
            supplier_name=task.suppliers[quote.id],
            amount=from_cents(offer.amount),
        )
        for quote in quotes
        for offer in quote.offers
        if offer.id in award.offers
    ]
    covered = {one.requirement_line_id for one in awarded}
    places = {line.id: place for place, line in enumerate(task.requirement.lines)}
    awarded.sort(key=lambda one: places.get(one.requirement_line_id or "", len(places)))
    before = sum(amount_of(quote, award.offers) for quote in quotes)
    return {
        "status": award.status,
        "total": None if award.total is None else from_cents(award.total),
        "discount": None if award.total is None else from_cents(before - award.total),
        "bound": None if award.bound is None else from_cents(award.bound),
        "gap": None if award.gap is None else (Decimal(award.gap) * _HUNDRED).quantize(Decimal("0.01")),
        "award": awarded,
        "open_lines": [line.id for line in task.requirement.lines if line.id not in covered],
        "excluded": list(task.excluded),
        "costs": costs,
        "contradiction": [_describe_rule(task, rule) for rule in contradiction],
        "assumptions": assumptions,
    }


def _describe_rule(task: AwardTask, rule: Rule) -> str:
    """A rule as a sentence without its full stop."""
    given = task.problem.constraints
    supplier = task.suppliers.get(rule.subject or "", "")
    lines = {line.id: line.description for line in task.requirement.lines}
    minimum = {quote.id: quote.minimum_order for quote in task.problem.quotes}
    match rule.kind:
        case RuleKind.MUST_HAVE:
            return f"“{lines.get(rule.subject or '', '')[:100]}” must be had"
        case RuleKind.EXCLUDED_QUOTE:
            return f"Nothing goes to {supplier}"
        case RuleKind.KEPT_QUOTE:
            return f"Something goes to {supplier}"
        case RuleKind.MINIMUM_ORDER:
            amount = from_cents(minimum.get(rule.subject or "", 0))
            return f"{supplier} takes orders from {task.requirement.currency} {amount:,} on"
        case RuleKind.MAX_SUPPLIERS:
            return f"At most {given.max_suppliers} suppliers" if given.max_suppliers != 1 else "One supplier"
        case RuleKind.MAX_SHARE:
            share = (given.max_share or Decimal(0)).normalize()
            return f"No supplier has more than {share:f} % of the amount"
        case RuleKind.WHOLE_BUNDLES:
            return "Bundles are awarded whole"


_DIGEST_LENGTH = 16
_SHOWN_NAME = 60
_TERMS = frozenset(
    {"currency", "validUntil", "paymentTermsDays", "minimumOrder", "leadTimeDays", "discounts"}
)
_LINE = frozenset(
    {
        *("id", "requirementLineId", "alternate", "quantity", "unitPrice", "recurring", "breaks", "bundleId"),
        "termMonths",
        *("unit", "taxIncluded", "taxPercent", "minimumQuantity", "maximumQuantity"),
    }
)

Basis = Mapping[str, Mapping[str, str]]
"""The state of each quote, by its id: `name` is its supplier's, `state` a digest of what it asks, `rate` that
of its currency, and `reason` why nothing of it could be awarded."""


def describe_basis(columns: Sequence[Column], today: date) -> Basis:
    """Return the state of the quotes as they are now."""
    return {
        column.quote.id: {
            "name": column.quote.supplier_name[:_SHOWN_NAME],
            "state": _digest(column.quote),
            "rate": "" if column.rate is None else f"{column.rate.value.normalize():f}",
            "reason": explain_exclusion(column, today) or "",
        }
        for column in columns
    }


def list_changes(before: Basis, now: Basis) -> list[str]:
    """Return what has changed between two states, in sentences; none while they are the same."""
    changes: list[str] = []
    for quote_id, old in before.items():
        new = now.get(quote_id)
        if new is None:
            changes.append(f"The quote of {old['name']} was removed.")
        elif new["state"] != old["state"]:
            changes.append(f"The quote of {new['name']} was changed.")
        elif new["reason"] != old["reason"]:
            changes.append(f"{new['name']}: {new['reason'] or 'The quote can be awarded by now.'}")
        elif new["rate"] != old["rate"]:
            changes.append(f"The exchange rate of the quote of {new['name']} is another.")
    changes += [f"A quote of {new['name']} was added." for one, new in now.items() if one not in before]
    return changes


def _digest(quote: SourcingQuote) -> str:
    record: dict[str, Any] = quote.wire()
    terms = {name: value for name, value in record.items() if name in _TERMS}
    lines = [
        {
            **{name: value for name, value in line.items() if name in _LINE},
            "doubtful": line["alignment"] == "doubtful",
            "free": line["unitPrice"] == 0 and line["alignment"] == "confirmed",
        }
        for line in record["lines"]
    ]
    text = json.dumps([terms, lines], sort_keys=True)
    return sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]
