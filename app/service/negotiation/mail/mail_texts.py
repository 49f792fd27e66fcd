"""What a letter to the supplier says: the product, its quantity and edition, the offer that is answered, one
reason and a date. Nothing in it tells the supplier the buyer's target or walk-away."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Row

from app.service.negotiation.amounts import in_words
from app.service.negotiation.assessment.offer_benchmark import (
    chosen_options,
    known_products,
    quantity_ids,
    scope_as_it_is,
    scope_row,
)
from app.service.negotiation.session.negotiation_session import Case
from app.service.scopes.quote_store import quote_behind
from app.service.scopes.store import ScopeProduct
from app.service.scopes.terms import ProductTerm, as_number

NOBODY = "Sir or Madam"
ANSWER_WITHIN = timedelta(days=7)
NAMED_PRODUCTS = 3
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)


def words_for(case: Case, amount: Decimal | None) -> dict[str, str]:
    """Everything that a template may name. `amount` is what is offered for the whole, if anything."""
    supplier = case.row.supplier
    offered = "" if amount is None else in_words(amount)
    months, product, reason = _months(case), product_in_words(case), _reason(case, amount)
    return {
        "supplier_contact": one_line(supplier.get("contactName") or NOBODY),
        "contact_name": one_line(case.row.contact_name),
        "contact_email": case.row.contact_email,
        "product": product,
        "bought": f"{product} for {months}" if months else product,
        "your_offer": _offer_in_words(case),
        "amount": offered,
        "currency": case.currency or "",
        "price_sentence": f"Our budget is {offered} {case.currency} before tax for the whole term. {reason}"
        if amount is not None
        else "Please quote your best price before tax for the whole term.",
        "reason": reason,
        "answer_by": day_in_words(_answer_by(case)),
    }


def request_about(case: Case, decided: Row[Any] | None, note: str | None) -> str:
    """What the supplier is asked to change: the buyer's own words, else what the decision was about."""
    if note:
        return note
    reason = decided.reason if decided is not None else None
    if decided is not None and reason == "contract_clause":
        return f"{decided.description} Please strike this or cap it."
    if reason == "quote_expiring":
        return "Please extend the time for which your offer is valid."
    if reason == "scope_mismatch":
        months = _months(case)
        return (
            f"Please quote what we asked for: {product_in_words(case)}{f' for {months}' if months else ''}."
        )
    return "Please improve your price."


def product_in_words(case: Case) -> str:
    """Such as “Suite 365 (Users: 10; Edition: Pro)”; the first few of several products. What the catalog does
    not know goes by the words of the quote."""
    scope = scope_row(case)
    if scope is None:
        return _named(_words_of_quote(case)) or "what we discussed"
    terms = scope.product_terms
    products = known_products(case.connection, case.organisation_id, [term.product_id for term in terms])
    return _named([_term_in_words(term, products.get(term.product_id)) for term in terms])


def _named(products: Sequence[str]) -> str:
    named = list(products[:NAMED_PRODUCTS])
    more = len(products) - len(named)
    if more:
        named.append("1 more product" if more == 1 else f"{more} more products")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}" if named else ""


def _words_of_quote(case: Case) -> list[str]:
    """The lines of the quote behind the scope that ask for money."""
    row = scope_as_it_is(case)
    quote = quote_behind(case.connection, row) if row is not None else None
    lines = [line for line in (quote.lines if quote else ()) if line.role == "product"]
    costing = [line for line in lines if line.amount is None or line.amount > 0]
    return list(dict.fromkeys(one_line(line.description) for line in costing))


def _term_in_words(term: ProductTerm, known: ScopeProduct | None) -> str:
    if known is None:
        return "a product"
    values = term.values
    counted = quantity_ids(known)
    options = chosen_options(term, known)
    told: list[str] = []
    for dimension in known.dimensions:
        value = values.get(dimension["id"])
        if dimension["id"] in counted and value is not None:
            quantity = as_number(value) or Decimal(0)
            told.append(f"{dimension['name']}: {in_words(quantity)}")
        elif (option := options.get(dimension["id"])) is not None and option.words != "no":
            told.append(f"{option.name}: {option.words}")
    return one_line(f"{known.name} ({'; '.join(told)})" if told else known.name)


def _offer_in_words(case: Case) -> str:
    newest = case.offers[-1] if case.offers else None
    return f"your offer {one_line(newest.number)}" if newest and newest.number else "your offer"


def _reason(case: Case, amount: Decimal | None) -> str:
    """One reason that is true and gives nothing away."""
    if amount is None:
        return ""
    if any(lever["kind"] == "competitor" and lever["tightens"] for lever in case.levers):
        return "Comparable products of other suppliers cost less."
    median = case.strategy.median if case.strategy else None
    newest = case.offers[-1] if case.offers else None
    if median is not None and newest is not None and newest.fits and newest.amount > median:
        return "By our estimate comparable purchases usually cost less than your offer."
    return "This is what we have planned for it."


def _answer_by(case: Case) -> date:
    """A week from now, or the last day of the offer where that is sooner."""
    day = (case.now + ANSWER_WITHIN).date()
    until = case.offers[-1].valid_until if case.offers else None
    return until if until is not None and case.now.date() <= until < day else day


def _months(case: Case) -> str:
    """The term that is talked about: that of the newest offer where it is for another one."""
    newest = case.offers[-1] if case.offers else None
    if newest is not None and newest.term_length and not newest.fits:
        return _in_months(newest.term_length)
    return _scope_months(case)


def _scope_months(case: Case) -> str:
    scope = scope_as_it_is(case)
    return _in_months(scope.months) if scope is not None else ""


def _in_months(months: int) -> str:
    return "" if not months else "1 month" if months == 1 else f"{months} months"


def day_in_words(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def one_line(name: str) -> str:
    return " ".join(name.split())
