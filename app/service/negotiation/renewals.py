"""Start the renewal of an agreement: the follow-up scope, and the negotiation about it, once.
The scope is what is paid again, for the next term.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import PAST_STATUSES, AgreementLine, NewAgreement
from app.contract.dates import format_day
from app.contract.money import format_count, format_exact_money
from app.contract.negotiation import FINAL_STATUSES, NegotiationScope, NegotiationSupplier, StartNegotiation
from app.contract.renewals import StartRenewal
from app.contract.scope import GUESSED_TERM_MONTHS, DimensionValue, NewProductTerm, NewScopeTerm
from app.service.access.caller import Caller
from app.service.agreements.dates.position import (
    AgreementTerms,
    Position,
    count_months_of_renewal,
    find_next_term,
)
from app.service.agreements.dates.working_days import ONE_DAY
from app.service.agreements.line_amounts import match_terms
from app.service.agreements.market.renewal_cost import find_current_price
from app.service.agreements.store import load_agreements, store_decision
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.agreements.working_calendar import load_working_days
from app.service.charges.months import add_months, count_months
from app.service.comments.people import name_decider
from app.service.context import Context
from app.service.database.tables import entry, negotiation
from app.service.http.problems import ApiProblem, InvalidField
from app.service.negotiation.negotiation_start import start_negotiation
from app.service.negotiation.rows import NegotiationRow
from app.service.pricing.catalog_product import CatalogProduct, load_products
from app.service.pricing.explanation_wire import build_line_term, read_stated
from app.service.scopes.store import StoredScope, create_scope, find_scope, link_scopes
from app.service.scopes.terms import StoredProductTerm, check_product_term

_EARLIER_PART = "it is for an earlier part of the term."


@dataclass(slots=True)
class _RenewalTerms:
    """What the follow-up scope asks for. `left_out` says of each line that it does not have why not;
    `assumed` says what the agreement leaves open."""

    term: NewScopeTerm
    products: list[NewProductTerm] = field(default_factory=list[NewProductTerm])
    left_out: list[str] = field(default_factory=list[str])
    assumed: list[str] = field(default_factory=list[str])


def _build_renewal_terms(
    agreed: NewAgreement,
    dates: AgreementTerms,
    position: Position,
    scope: StoredScope | None,
    products: Mapping[str, CatalogProduct],
) -> _RenewalTerms:
    """Return the terms that follow those of an agreement. `scope` is what it was agreed for, which states the
    choices that no line does; `products` are those of lines and scope, as the organisation sees them."""
    assumed: list[str] = []
    # The term that notice given now would end is the last that is settled.
    settled = position.term_to_end or position.occurrence
    renewal = find_next_term(dates, settled) if settled is not None and settled.renewable else None
    months = _count_months(agreed)
    if renewal is not None:
        months = max(1, round(count_months_of_renewal(dates, renewal)))
    elif months is None:
        months = GUESSED_TERM_MONTHS
        assumed.append(f"The length of the next term is not known: {months} months are assumed.")
    last_day = position.term_end if settled is None else settled.end
    start = None if last_day is None else last_day + ONE_DAY
    end = None if start is None or assumed else add_months(start, months) - ONE_DAY
    term = _build_term(agreed, months, start, end if renewal is None else renewal.end)
    term.term_assumed = bool(assumed) or None
    terms = _RenewalTerms(term, assumed=assumed)
    of_scope = scope.product_terms if scope is not None else ()
    lines = agreed.lines or ()
    known = match_terms(lines, of_scope)
    paid_again = [
        term
        for line, term in zip(lines, known, strict=True)
        if term is not None and line.recurring is not False
    ]
    for line, term in zip(lines, known, strict=True):
        bought = products.get(line.product_id) if line.product_id is not None else None
        if line.recurring is False:
            terms.left_out.append(f"{line.description}: it is paid once.")
        elif bought is None:
            terms.left_out.append(f"{line.description}: it is not matched to a product of the catalog.")
        elif term is not None and _is_followed(term, paid_again):
            terms.left_out.append(f"{line.description}: {_EARLIER_PART}")
        else:
            terms.products.append(_build_product_term(line, bought, term))
    for term in () if lines else of_scope:
        bought = products.get(term.product_id)
        if bought is not None and _is_followed(term, of_scope):
            terms.left_out.append(f"{bought.name}: {_EARLIER_PART}")
        elif bought is not None:
            terms.products.append(_repeat(term))
    return terms


def _describe_price(agreed: NewAgreement, months: int) -> str:
    """Say what the agreement costs today, which is all that is known where it has no line that can be
    priced."""
    price = find_current_price(agreed, months)
    if price is None or agreed.currency is None:
        return "No line of it can be priced, and what it costs today is not known."
    paid = format_exact_money(price, agreed.currency)
    term = format_count(months, "month")
    return f"No line of it can be priced: it is renewed by its value, {paid} for {term} today."


def _count_months(agreed: NewAgreement) -> int | None:
    if agreed.renewal_type in ("auto_renew", "option") and agreed.auto_renewal_term_months is not None:
        return agreed.auto_renewal_term_months
    if agreed.term_start is None or agreed.term_end is None:
        return None
    return count_months(agreed.term_start, agreed.term_end + ONE_DAY)


def _build_term(agreed: NewAgreement, months: int, start: date | None, end: date | None) -> NewScopeTerm:
    renews = {"auto_renew": True, "none": False}.get(agreed.renewal_type or "")
    return NewScopeTerm(
        term_length=months,
        purchase_type="renewal",
        auto_renew=renews,
        start_date=start,
        end_date=end,
    )


def _is_followed(term: StoredProductTerm, others: Iterable[StoredProductTerm]) -> bool:
    """Say whether a product is bought for one year of the term and others for a later one, or the product
    itself between later dates."""
    if term.months is not None and term.first_month is not None:
        years = (other.first_month for other in others if other.months is not None)
        return any(year is not None and year > term.first_month for year in years)
    if term.end_date is None:
        return False
    starts = (other.start_date for other in others if other.product_id == term.product_id)
    return any(start is not None and start > term.end_date for start in starts)


def _build_product_term(
    line: AgreementLine, bought: CatalogProduct, term: StoredProductTerm | None
) -> NewProductTerm:
    """Return the product term of a line: its quantity, the choices of the scope, and those that its words
    state, as where it is compared with the market."""
    if line.quantity is None:
        return _repeat(term or StoredProductTerm(bought.id))
    said = read_stated(bought, line.description, line.unit)
    return _repeat(build_line_term(bought, line.quantity, said if term is None else {**said, **term.values}))


def _repeat(term: StoredProductTerm) -> NewProductTerm:
    values = [DimensionValue(id=one.id, value=one.value) for one in term.dimensions if one.value is not None]
    return NewProductTerm.model_construct(product_id=term.product_id, pricing_dimensions=values)


def find_renewal(connection: Connection, agreement_id: str) -> str | None:
    """Return the id of the negotiation that is to renew an agreement, or has renewed it: the newest one that
    was not cancelled."""
    return connection.scalar(
        sa.select(negotiation.c.id)
        .where(negotiation.c.agreement_id == agreement_id, negotiation.c.status != "cancelled")
        .order_by(negotiation.c.created_at.desc(), negotiation.c.id.desc())
        .limit(1)
    )


def find_days_to_act(
    connection: Connection, organisation_id: str, rows: Collection[NegotiationRow]
) -> dict[str, date | None]:
    """Return by when the agreement must be decided on that each negotiation is to renew, by the negotiation's
    id: in the term in which it started, by the dates that are on record now; once it has ended, as they were
    at its start."""
    found = {row.id: row.act_by for row in rows}
    under_way = (row for row in rows if row.status not in FINAL_STATUSES)
    renewed = {row.id: row for row in under_way if row.agreement_id is not None}
    if not renewed:
        return found
    days = load_working_days(connection, organisation_id)
    agreements = load_agreements(connection, {row.agreement_id or "" for row in renewed.values()})
    for row in renewed.values():
        if one := agreements.get(row.agreement_id or ""):  # it may be gone since
            found[row.id] = one.dates.find_position(row.created_at.date(), days).last_day
    return found


def start_renewal(
    connection: Connection, context: Context, caller: Caller, one: StoredAgreement, body: StartRenewal
) -> str:
    """Start the renewal of an agreement, which is locked, and return the id of its negotiation: about its
    lines that can be priced, or about its value alone. Raises ApiProblem 409 for an agreement that cannot be
    renewed, 400 where nobody is named who negotiates."""
    now = context.clock()
    # What is made of a sample agreement is sample data as well.
    caller = replace(caller, sample=caller.sample or one.sample)
    position = one.dates.find_position(now.date(), load_working_days(connection, one.organisation_id))
    _require_renewable(one, position)
    contact = _find_contact(one.agreed, caller, body)
    before = find_scope(connection, one.organisation_id, one.agreed.scope_id) if one.agreed.scope_id else None
    terms = _build_terms(connection, one, position, before)
    scope_id = create_scope(
        connection,
        caller.make_origin(now),
        scope_terms=[terms.term],
        product_terms=terms.products,
        currency=one.agreed.currency or (before.currency if before else context.settings.currency),
    )
    if before is not None:
        # Its quote is not carried over: what was asked for the last term is not asked for the next.
        link_scopes(connection, one.organisation_id, before.id, scope_id)
    negotiation_id = start_negotiation(
        connection,
        context,
        caller,
        StartNegotiation(
            supplier=_name_supplier(one.agreed, body),
            contact_name=contact[0],
            contact_email=contact[1],
            engagement_type=body.engagement_type,
            scope=NegotiationScope(scope_id=scope_id),
        ),
    )
    connection.execute(
        negotiation.update()
        .where(negotiation.c.id == negotiation_id)
        .values(agreement_id=one.id, act_by=position.last_day)
    )
    text = describe_start(one.agreed.name, position, terms, now.date())
    connection.execute(
        entry.update()
        .where(entry.c.negotiation_id == negotiation_id, entry.c.kind == "started")
        .values(content={"text": text, "leftOut": terms.left_out})
    )
    store_decision(
        connection,
        one,
        "renegotiate",
        note="Its renewal is negotiated.",
        term_end=position.term_end,
        decided_at=now,
        decided_by=name_decider(connection, caller),
    )
    return negotiation_id


def describe_start(name: str, position: Position, terms: _RenewalTerms, today: date) -> str:
    """Say what is renewed and by when it must be decided, also where that day has passed."""
    sentences = [f"The renewal of “{name}”."]
    start, end = terms.term.start_date, terms.term.end_date
    if start is not None and end is not None:
        sentences.append(f"The next term is from {format_day(start)} to {format_day(end)}.")
    if position.last_day is None:
        sentences.append("By when it must be decided is not known.")
    elif position.last_day >= today:
        sentences.append(f"It must be decided by {format_day(position.last_day)}.")
    else:
        sentences.append(
            f"The deadline, {format_day(position.last_day)}, has passed: unless the supplier agrees to"
            " another price, the agreement goes on as its terms say."
        )
    return " ".join([*sentences, *terms.assumed])


def _require_renewable(one: StoredAgreement, position: Position) -> None:
    if one.next_agreement_id is not None:
        raise ApiProblem(
            409,
            f"The agreement {one.next_agreement_id} follows this one already: start the renewal of that one.",
        )
    if position.status in PAST_STATUSES:
        ended = "" if position.ends_on is None else f" on {format_day(position.ends_on)}"
        raise ApiProblem(
            409,
            f"The agreement ended{ended}, so there is nothing to renew: start a negotiation for what is to be"
            " bought now, or correct its dates.",
        )


def _find_contact(agreed: NewAgreement, caller: Caller, body: StartRenewal) -> tuple[str, str]:
    """Return the name and the e-mail address of who negotiates."""
    for owner in agreed.owners or ():
        if owner.email is not None:
            name, email = owner.name, owner.email
            break
    else:
        name, email = caller.end_user.identifier, caller.end_user.email
    name, email = body.contact_name or name, body.contact_email or email
    if email is None:
        raise ApiProblem(
            400,
            "Nobody is named who negotiates: no owner of the agreement has an e-mail address. Give one,"
            " or name an owner with one.",
            errors=[InvalidField("/contactEmail", "is required")],
        )
    return name or email, email


def _name_supplier(agreed: NewAgreement, body: StartRenewal) -> NegotiationSupplier:
    if agreed.company_id is not None:
        return NegotiationSupplier(company_id=agreed.company_id)
    if (name := agreed.supplier_name or body.supplier_name) is not None:
        return NegotiationSupplier(name=name)
    raise ApiProblem(
        400,
        "The agreement names no supplier to negotiate with: give one.",
        errors=[InvalidField("/supplierName", "is required")],
    )


def _build_terms(
    connection: Connection, one: StoredAgreement, position: Position, before: StoredScope | None
) -> _RenewalTerms:
    wanted = {line.product_id for line in one.agreed.lines or () if line.product_id is not None}
    wanted |= before.product_ids if before is not None else set()
    products = load_products(connection, wanted, one.organisation_id)
    terms = _build_renewal_terms(one.agreed, one.dates.terms, position, before, products)
    dimensions_of = {product_id: known.dimensions for product_id, known in products.items()}
    complete: list[NewProductTerm] = []
    for term in terms.products:
        wrong = list(check_product_term(term, dimensions_of, [terms.term], ""))
        if wrong:
            why = " ".join(each.words for each in wrong)
            terms.left_out.append(f"{products[term.product_id].name}: {why}")
        else:
            complete.append(term)
    terms.products = complete
    if not complete:
        terms.assumed.append(_describe_price(one.agreed, int(terms.term.term_length)))
    return terms


def is_missed(act_by: date | None, started: datetime) -> bool:
    """Say whether the deadline had passed when the renewal was started."""
    return act_by is not None and act_by < started.date()
