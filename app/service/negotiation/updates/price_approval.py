"""A price that is agreed, for a second person where the organisation wants one above an amount."""

from decimal import Decimal

from app.service.access.approvals import Decision, note_decision
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.pricing.rates.store import load_rates
from app.settings import Settings


def note_price(
    session: NegotiationSession, settings: Settings, amount: Decimal | None, currency: str | None, how: str
) -> None:
    """Note what is agreed, a total before tax, with what it is worth in the currency of the deployment."""
    supplier = session.row.supplier.get("name") or "A supplier"
    worth = None
    if amount is not None and currency is not None:
        rates = load_rates(session.connection, session.organisation_id)
        today = session.now.date()
        if rates.rate_day(currency, settings.currency, today) is not None:
            worth = amount * Decimal(rates.factor(currency, settings.currency, today))
    note_decision(Decision("price", supplier, [how], amount, currency, worth))
