"""Award a requirement: make a negotiation or an agreement for each quote that gets something, at once or not
at all, and keep who decided and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from sqlalchemy import Connection

from app.contract.agreements import AgreementLine, NewAgreement
from app.contract.dates import format_day
from app.contract.money import format_count, format_exact_money
from app.contract.negotiation import NegotiationScope, NegotiationSupplier, StartNegotiation
from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm
from app.contract.sourcing import Requirement, RequirementLine, Scenario, ScenarioConstraints, SourcingQuote
from app.contract.sourcing_award import Award, AwardedQuote, NewAward
from app.service.access.approvals import Decision
from app.service.access.caller import Caller
from app.service.agreements.dates.working_days import ONE_DAY
from app.service.agreements.store import insert_agreement, require_possible
from app.service.charges.months import add_months
from app.service.comments.people import name_decider
from app.service.context import Context
from app.service.http.problems import ApiProblem, InvalidField
from app.service.negotiation.negotiation_start import start_negotiation
from app.service.scopes.store import ScopeProduct, create_scope, find_scope, load_products
from app.service.sourcing.amounts import from_cents
from app.service.sourcing.award.problem import amount_of, discount_of
from app.service.sourcing.jobs import load_columns
from app.service.sourcing.market import ReadLine, find_products, read_lines
from app.service.sourcing.quotes import load_scope
from app.service.sourcing.scenarios import AwardTask, build_task, describe_basis, list_changes
from app.service.sourcing.scope_lines import asks_the_same
from app.service.sourcing.store import is_sample, load_bases, update_requirement
from app.service.values.rounding import round_to_cents

_CHANGED = "The quotes or the rates have changed since the scenario was solved: solve it again."


_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class _Part:
    """What one quote is awarded. `lines` are its awarded lines with their amounts before discounts,
    `products` what each is, by its id, as far as that is known, `read` what its document says of it."""

    quote: SourcingQuote
    lines: Sequence[tuple[str, str | None, Decimal]]
    amount: Decimal
    discount: Decimal
    products: Mapping[str, str] = field(default_factory=dict[str, str])
    read: Mapping[str, ReadLine] = field(default_factory=dict[str, ReadLine])

    def find_span(self, line_id: str, whole: int) -> tuple[int | None, int | None]:
        """After how many of the `whole` months a line begins, and for how many it is, where its document
        prices it for a part of them; None for both where that is for all, or for a longer term."""
        read = self.read.get(line_id)
        if read is None or (read.first_month or 0) + (read.months or 0) > whole:
            return None, None
        return read.first_month, read.months


def check_award(body: NewAward) -> None:
    """Raise ApiProblem 400, which names each place, for an award that says too little."""
    wrong: list[InvalidField] = []
    if (body.scenario_id is None) == (body.award is None):
        wrong.append(InvalidField("/scenarioId", "Name a scenario, or the lines that are awarded by hand."))
    if body.make == "negotiations":
        wrong += [
            InvalidField(pointer, "A negotiation needs the person on our side.")
            for pointer, value in (
                ("/contactName", body.contact_name),
                ("/contactEmail", body.contact_email),
            )
            if value is None
        ]
    if wrong:
        raise ApiProblem(400, "The award is not valid.", errors=wrong)


def award_requirement(
    connection: Connection,
    context: Context,
    caller: Caller,
    requirement: Requirement,
    scenario: Scenario,
    body: NewAward,
) -> Award:
    """Award what a scenario says, and return the award. Raises ApiProblem 409 where the scenario is no award
    that stands: it is being solved, cannot be, or a quote was added, removed or changed, has expired, or has
    another rate since it was solved."""
    if scenario.status not in ("optimal", "gap") or not scenario.award:
        kept = f": {'; '.join(scenario.contradiction)}." if scenario.contradiction else "."
        raise ApiProblem(409, f"The scenario is {scenario.status} and nothing can be awarded by it{kept}")
    now = context.clock()
    # What is made of a sample requirement is sample data as well.
    caller = replace(caller, sample=caller.sample or is_sample(connection, requirement.id))
    columns = load_columns(connection, caller.organisation_id, requirement, now.date())
    # Of a scenario that says nothing of the quotes it rests on, the amounts alone are compared.
    basis = load_bases(connection, [scenario.id]).get(scenario.id, {})
    if basis and (changes := list_changes(basis, describe_basis(columns, now.date()))):
        raise ApiProblem(409, " ".join([_CHANGED, *changes[:3]]))
    task = build_task(requirement, columns, ScenarioConstraints(), now.date())
    own = read_lines(connection, caller.organisation_id, columns)
    named = find_products(requirement, columns, own)
    parts = [
        replace(part, products=_name_products(part, own, named), read=own)
        for part in _divide(task, scenario, {column.quote.id: column.quote for column in columns})
    ]
    made = [
        _make(connection, context, caller, requirement, scenario, part, body)
        for part in sorted(parts, key=lambda one: one.quote.id)
    ]
    award = Award(
        scenario_id=scenario.id,
        make=body.make,
        decided_by=body.decided_by or name_decider(connection, caller),
        decided_at=now,
        reason=body.reason,
        total=sum((one.amount for one in made), Decimal(0)),
        quotes=made,
    )
    awarded = requirement.model_copy(update={"status": "awarded", "award": award})
    update_requirement(connection, awarded, now)
    return award


def describe_decision(requirement: Requirement, award: Award) -> Decision:
    """Return what the award decides, for a second person."""
    details = [
        f"{one.supplier_name} gets {format_exact_money(one.amount, requirement.currency)}."
        for one in award.quotes
    ]
    details.append(
        "Agreements are put on record." if award.make == "agreements" else "Negotiations are started."
    )
    details.append(f"Reason: {award.reason}")
    return Decision("award", requirement.name, details, award.total, requirement.currency)


def _divide(task: AwardTask, scenario: Scenario, quotes: Mapping[str, SourcingQuote]) -> list[_Part]:
    """Split a scenario by quotes, as the quotes are now. Raises ApiProblem 409 where they say something else
    by now."""
    known = {offer.id: from_cents(offer.amount) for quote in task.problem.quotes for offer in quote.offers}
    if any(known.get(line.quote_line_id) != line.amount for line in scenario.award):
        left_out = [one.why for one in task.excluded if one.what in {a.supplier_name for a in scenario.award}]
        raise ApiProblem(409, " ".join([_CHANGED, *left_out[:3]]))
    offers = {line.quote_line_id for line in scenario.award}
    parts: list[_Part] = []
    for quote in task.problem.quotes:
        amount = amount_of(quote, offers)
        lines = [
            (line.quote_line_id, line.requirement_line_id, Decimal(line.amount))
            for line in scenario.award
            if line.quote_id == quote.id
        ]
        if lines:
            discount = discount_of(quote, amount)
            net = from_cents(amount - discount)
            parts.append(_Part(quotes[quote.id], lines, net, from_cents(discount)))
    if sum((part.amount for part in parts), Decimal(0)) != scenario.total:
        raise ApiProblem(409, _CHANGED)
    return parts


def _name_products(
    part: _Part, own: Mapping[str, ReadLine], named: Mapping[str, str | None]
) -> Mapping[str, str]:
    """Return what each awarded line is: what its own document names, else what the line of the requirement
    is, of which `named` has the products."""
    known = {
        line_id: own[line_id].product_id if line_id in own else named.get(answered or "")
        for line_id, answered, _ in part.lines
    }
    return {line_id: product_id for line_id, product_id in known.items() if product_id is not None}


def _make(
    connection: Connection,
    context: Context,
    caller: Caller,
    requirement: Requirement,
    scenario: Scenario,
    part: _Part,
    body: NewAward,
) -> AwardedQuote:
    """Make the negotiation or the agreement of what one quote is awarded."""
    quote, notes = part.quote, list[str]()
    lines = [line_id for line_id, _, _ in part.lines]
    whole = quote.scope_id if {line.id for line in quote.lines} <= set(lines) else None
    if quote.company_id is None:
        notes.append(
            f"{quote.supplier_name} is known by its name alone and is no company of the catalog, so nothing"
            " is known of its market."
        )
    if quote.currency != requirement.currency:
        notes.append(f"It was quoted in {quote.currency}; amounts are converted to {requirement.currency}.")
    if part.discount:
        taken_off = format_exact_money(part.discount, requirement.currency)
        notes.append(f"A volume discount of {taken_off} is in its total and not in its lines.")
    negotiation_id = agreement_id = None
    if body.make == "negotiations":
        whole = whole if _is_what_is_needed(connection, caller, requirement, quote) else None
        scope = _find_scope(connection, context, caller, requirement, part, whole)
        if scope is None:
            notes.append("Its lines are no scope, so the negotiation asks for one before it can be planned.")
        elif whole is None:
            notes.append("Its scope was made of the products that are awarded.")
        start = StartNegotiation(
            supplier=NegotiationSupplier(company_id=quote.company_id, name=quote.supplier_name),
            contact_name=body.contact_name or "",
            contact_email=body.contact_email or "",
            engagement_type=body.engagement_type,
            scope=scope,
            metadata={
                "requirementId": requirement.id,
                "scenarioId": scenario.id,
                "quoteId": quote.id,
                "amount": float(part.amount),
                "currency": requirement.currency,
            },
        )
        negotiation_id = start_negotiation(connection, context, caller, start)
    else:
        first_day = body.term_start or requirement.needed_by
        agreed = _draft_agreement(requirement, part, whole, first_day)
        require_possible(connection, caller.organisation_id, agreed, on_record=agreed.lines)
        agreement_id = insert_agreement(
            connection,
            agreed,
            caller.make_origin(context.clock()),
            max_agreements=context.settings.max_agreements,
        )
        notes.append(_describe_term(requirement, body, first_day))
    return AwardedQuote(
        quote_id=quote.id,
        supplier_name=quote.supplier_name,
        company_id=quote.company_id,
        quote_lines=lines,
        amount=part.amount,
        discount=part.discount,
        scope_id=whole,
        negotiation_id=negotiation_id,
        agreement_id=agreement_id,
        notes=notes,
    )


def _is_what_is_needed(
    connection: Connection, caller: Caller, requirement: Requirement, quote: SourcingQuote
) -> bool:
    """Whether the scope of a quote is for the term and the quantities of the requirement: a price of a month
    or year, and steps of a price, are compared for others too. And whether it asks what the quote does, which
    a person may have corrected since."""
    needed = {line.id: line.quantity for line in requirement.lines}
    steps = [line for line in quote.lines if line.breaks]
    scope = find_scope(connection, caller.organisation_id, quote.scope_id or "")
    if scope is None or scope.stated_months not in (None, requirement.term_months):
        return False
    quoted = load_scope(connection, caller.organisation_id, scope.id)
    return asks_the_same(quote, quoted, requirement.term_months) and all(
        line.quantity == needed.get(line.requirement_line_id or "") for line in steps
    )


def _find_scope(
    connection: Connection,
    context: Context,
    caller: Caller,
    requirement: Requirement,
    part: _Part,
    whole: str | None,
) -> NegotiationScope | None:
    """The scope of a quote that is awarded whole, else a new one of the products that are awarded; None where
    some line names no product of which a quantity is all that must be known."""
    if whole is not None:
        return NegotiationScope(scope_id=whole)
    needed = {line.id: line for line in requirement.lines}
    products = load_products(connection, part.products.values(), caller.organisation_id)
    terms = [
        _build_term(
            needed.get(answered or ""),
            amount,
            products.get(part.products.get(line_id, "")),
            *part.find_span(line_id, requirement.term_months),
        )
        for line_id, answered, amount in part.lines
    ]
    built = [term for term in terms if term is not None]
    if len(built) != len(terms):
        return None
    whole_term = NewScopeTerm(
        term_length=requirement.term_months, purchase_type="new_purchase", final_price=part.amount
    )
    scope_id = create_scope(
        connection,
        caller.make_origin(context.clock()),
        scope_terms=[whole_term],
        product_terms=built,
        currency=requirement.currency,
    )
    return NegotiationScope(scope_id=scope_id)


def _build_term(
    line: RequirementLine | None,
    amount: Decimal,
    known: ScopeProduct | None,
    first_month: int | None,
    months: int | None,
) -> NewProductTerm | None:
    if line is None or known is None:
        return None
    required = [one for one in known.dimensions if one.form_field.required]
    if len(required) != 1 or required[0].form_field.type != "number":
        return None
    dimension = DimensionValue(id=required[0].id, value=line.quantity)
    return NewProductTerm(
        product_id=known.id,
        pricing_dimensions=[dimension],
        final_price=amount,
        first_month=first_month,
        months=months,
    )


def _describe_term(requirement: Requirement, body: NewAward, first_day: date | None) -> str:
    months = format_count(requirement.term_months, "month")
    if first_day is None:
        return (
            f"It runs for {months}, and on which day it begins was not known: its first day, its last and its"
            " renewal were listed as missing."
        )
    why = "" if body.term_start is not None else ", the day by which it is needed"
    begins = f"It begins on {format_day(first_day)}{why}, and runs for {months}."
    return f"{begins} Its renewal was not known yet: it was listed as missing."


def _draft_agreement(
    requirement: Requirement, part: _Part, whole: str | None, first_day: date | None
) -> NewAgreement:
    """The agreement on what a quote is awarded, for the term of the requirement where its first day is
    known."""
    quote = part.quote
    needed = {line.id: line for line in requirement.lines}
    quoted = {line.id: line for line in quote.lines}
    lines: list[AgreementLine] = []
    for line_id, requirement_line_id, amount in part.lines:
        line, answered = quoted[line_id], needed.get(requirement_line_id or "")
        first_month, months = part.find_span(line_id, requirement.term_months)
        lines.append(
            AgreementLine(
                product_id=part.products.get(line_id),
                description=line.description,
                quantity=line.quantity if answered is None else answered.quantity,
                unit=line.unit if answered is None else answered.unit,
                amount=amount,
                recurring={"once": False, "month": True, "year": True}.get(line.recurring),
                first_month=first_month,
                months=months,
            )
        )
    once = sum((line.amount or _ZERO for line in lines if line.recurring is False), _ZERO)
    return NewAgreement(
        name=f"{requirement.name[:300]}: {quote.supplier_name[:150]}",
        company_id=quote.company_id,
        supplier_name=quote.supplier_name,
        currency=requirement.currency,
        term_start=first_day,
        term_end=None if first_day is None else add_months(first_day, requirement.term_months) - ONE_DAY,
        total_value=part.amount,
        # The discount is taken off everything alike.
        one_time_value=round_to_cents(once * part.amount / (part.amount + part.discount)) if once else None,
        payment_terms_days=quote.payment_terms_days,
        scope_id=whole,
        lines=lines,
    )
