"""The fields that a letter to the supplier is filled with: the product, its quantity and edition, the offer
that is answered, one reason and a date. None of them shows the supplier the buyer's target or walk-away."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from app.contract.dates import format_day
from app.contract.money import format_exact_money, format_exact_quantity
from app.service.negotiation.offers.scope_requirements import read_chosen_options
from app.service.negotiation.rows import EscalationRow
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.scopes.quote_store import load_quote
from app.service.scopes.store import ScopeProduct, load_products
from app.service.scopes.terms import StoredProductTerm, as_number

UNKNOWN_CONTACT = "Sir or Madam"
ANSWER_TIME = timedelta(days=7)
MAX_NAMED_PRODUCTS = 3


def build_mail_fields(session: NegotiationSession, amount: Decimal | None) -> dict[str, str]:
    """Return every field that a template may name. `amount` is what is offered for the whole, if anything."""
    supplier = session.row.supplier
    offered = "" if amount is None else format_exact_money(amount, session.currency or "")
    months, product, reason = (
        _describe_term_length(session),
        describe_products(session),
        _give_reason(session, amount),
    )
    return {
        "supplier_contact": collapse_whitespace(supplier.get("contactName") or UNKNOWN_CONTACT),
        "contact_name": collapse_whitespace(session.row.contact_name),
        "contact_email": session.row.contact_email,
        "product": product,
        "bought": f"{product} for {months}" if months else product,
        "your_offer": _name_offer(session),
        "amount": "" if amount is None else format_exact_quantity(amount),
        "currency": session.currency or "",
        "price": offered,
        "price_sentence": f"Our budget is {offered} before tax for the whole term. {reason}"
        if amount is not None
        else "Please quote your best price before tax for the whole term.",
        "reason": reason,
        "answer_by": format_day(_answer_deadline(session)),
    }


def phrase_request(session: NegotiationSession, escalation: EscalationRow | None, note: str | None) -> str:
    """Say what the supplier is asked to change: the buyer's own note, else what the decision was about."""
    if note:
        return note
    reason = escalation.reason if escalation is not None else None
    if escalation is not None and reason == "contract_clause":
        return f"{escalation.description} Please remove or cap this."
    if reason == "quote_expiring":
        return "Please extend the validity of your offer."
    if reason == "scope_mismatch":
        months = _describe_term_length(session)
        term = f" for {months}" if months else ""
        return f"Please quote what we asked for: {describe_products(session)}{term}."
    return "Please improve your price."


def describe_products(session: NegotiationSession) -> str:
    """Such as “Suite 365 (Users: 10; Edition: Pro)”; the first few of several products. A product that the
    catalog does not know is named as in the quote."""
    scope = session.find_scope_with_products()
    if scope is None:
        return _join_names(_quote_line_names(session)) or "what we discussed"
    terms = scope.product_terms
    products = load_products(session.connection, [term.product_id for term in terms], session.organisation_id)
    return _join_names([_describe_term(term, products.get(term.product_id)) for term in terms])


def _join_names(products: Sequence[str]) -> str:
    named = list(products[:MAX_NAMED_PRODUCTS])
    more = len(products) - len(named)
    if more:
        named.append("1 more product" if more == 1 else f"{more} more products")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}" if named else ""


def _quote_line_names(session: NegotiationSession) -> list[str]:
    """Return the names of the lines that cost money, in the quote behind the scope."""
    row = session.find_scope()
    quote = load_quote(session.connection, row) if row is not None else None
    lines = [line for line in (quote.lines if quote else ()) if line.role == "product"]
    costing = [line for line in lines if line.amount is None or line.amount > 0]
    return list(dict.fromkeys(collapse_whitespace(line.description) for line in costing))


def _describe_term(term: StoredProductTerm, product: ScopeProduct | None) -> str:
    if product is None:
        return "a product"
    values = term.values
    options = read_chosen_options(term, product)
    parts: list[str] = []
    for dimension in product.dimensions:
        value = values.get(dimension.id)
        if dimension.id == product.quantity_dimension_id and value is not None:
            quantity = as_number(value) or Decimal(0)
            parts.append(f"{dimension.name}: {format_exact_quantity(quantity)}")
        elif (option := options.get(dimension.id)) is not None and option.label != "no":
            parts.append(f"{option.name}: {option.label}")
    return collapse_whitespace(f"{product.name} ({'; '.join(parts)})" if parts else product.name)


def _name_offer(session: NegotiationSession) -> str:
    newest = session.offers[-1] if session.offers else None
    return (
        f"your offer {collapse_whitespace(newest.document_number)}"
        if newest and newest.document_number
        else "your offer"
    )


def _give_reason(session: NegotiationSession, amount: Decimal | None) -> str:
    """Return one reason that is true and does not show the numbers of the buyer."""
    if amount is None:
        return ""
    if any(lever.kind == "competitor" and lever.tightens for lever in session.row.levers):
        return "Comparable products from other suppliers cost less."
    median = session.strategy.median if session.strategy else None
    newest = session.offers[-1] if session.offers else None
    if median is not None and newest is not None and newest.fits_scope and newest.amount > median:
        return "By our estimate, more than half of comparable purchases cost less than your offer."
    return "This is the amount that we have planned."


def _answer_deadline(session: NegotiationSession) -> date:
    """Return a week from now, or the last day of the offer where that is sooner."""
    day = (session.now + ANSWER_TIME).date()
    until = session.offers[-1].valid_until if session.offers else None
    return until if until is not None and session.now.date() <= until < day else day


def _describe_term_length(session: NegotiationSession) -> str:
    """Return the term in question: that of the newest offer where it is for another one than the scope."""
    newest = session.offers[-1] if session.offers else None
    if newest is not None and newest.term_length and not newest.fits_scope:
        return _format_months(newest.term_length)
    scope = session.find_scope()
    return _format_months(scope.months) if scope is not None else ""


def _format_months(months: int) -> str:
    return "" if not months else "1 month" if months == 1 else f"{months} months"


def collapse_whitespace(name: str) -> str:
    return " ".join(name.split())
