"""The updates that the forms of a negotiation amount to, or what is wrong with what was entered."""

from decimal import Decimal
from itertools import pairwise

from app.contract.money import format_money
from app.contract.negotiation import ExternalUpdate
from app.contract.strategy import StrategyShown
from app.dashboard.api.form_button import CheckedForm
from app.dashboard.negotiations import external_updates
from app.dashboard.negotiations.external_updates import Envelope, MakeUpdate
from components.elements.form_fields import (
    AMOUNT_FAULT,
    Fields,
    get_amount,
    get_date,
    get_months,
    get_text,
    is_valid_amount,
)
from components.negotiations.offer_correction import WITHDRAW
from components.negotiations.strategy_form import NUMBER_LABELS
from components.negotiations.update_form import Kind


def validate_update(kind: Kind, typed: Fields) -> CheckedForm[MakeUpdate]:
    """Return the update, or the faults. `typed` holds amount, currency, term, until, note, sender, text,
    reason."""
    faults: dict[str, str] = {}
    amount = get_amount(typed, "amount")
    currency = get_text(typed, "currency").upper()
    if kind in {"offer", "agreement"}:
        if not is_valid_amount(amount):
            faults["amount"] = AMOUNT_FAULT
        if len(currency) != 3 or not currency.isascii() or not currency.isalpha():
            faults["currency"] = "Enter a three-letter code such as USD."
    if kind == "message":
        for field in ("sender", "text"):
            if not get_text(typed, field):
                faults[field] = "This field is required."
    if faults:
        return CheckedForm(None, faults)
    total = amount or Decimal(0)
    term, until = get_months(typed, "term"), get_date(typed, "until")

    def make(envelope: Envelope) -> ExternalUpdate:
        if kind == "offer":
            note = get_text(typed, "note")
            return external_updates.offer(
                envelope, total, currency, term_length=term, valid_until=until, note=note
            )
        if kind == "agreement":
            return external_updates.agreement(envelope, total, currency, term_length=term)
        if kind == "message":
            return external_updates.message(envelope, get_text(typed, "sender"), get_text(typed, "text"))
        return external_updates.cancellation(envelope, get_text(typed, "reason"))

    return CheckedForm(make, {})


def validate_correction(typed: Fields) -> CheckedForm[MakeUpdate]:
    """Return the update, or the faults. `typed` holds offer (id of its entry), what, amount, term, until,
    note."""
    offer = get_text(typed, "offer")
    if not offer:
        return CheckedForm(None, {"offer": "Choose an offer."})
    note = get_text(typed, "note")
    if typed.get("what") == WITHDRAW:
        return CheckedForm(
            lambda envelope: external_updates.correction(envelope, offer, withdrawn=True, note=note), {}
        )
    amount, term, until = get_amount(typed, "amount"), get_months(typed, "term"), get_date(typed, "until")
    if amount is None and term is None and until is None:
        return CheckedForm(None, {"amount": "Enter the correct values of the offer."})
    if amount is not None and not is_valid_amount(amount):
        return CheckedForm(None, {"amount": AMOUNT_FAULT})
    return CheckedForm(
        lambda envelope: external_updates.correction(
            envelope, offer, amount=amount, term_length=term, valid_until=until, note=note
        ),
        {},
    )


def validate_numbers(typed: Fields, now: StrategyShown, currency: str) -> CheckedForm[MakeUpdate]:
    """Return the update, or the faults. The numbers that were entered are compared with those that stay as
    they are `now`. `typed` holds opening, target, walk_away, note."""
    faults: dict[str, str] = {}
    given = {name: amount for name in NUMBER_LABELS if (amount := get_amount(typed, name)) is not None}
    for name, amount in given.items():
        if not is_valid_amount(amount):
            faults[name] = AMOUNT_FAULT
    note = get_text(typed, "note")
    if not note:
        faults["note"] = "Enter a reason for the record."
    if not given:
        faults["target"] = "Enter at least one of the three numbers."
    known = {name: position.amount for name in NUMBER_LABELS if (position := getattr(now, name)) is not None}
    order = {name: amount for name in NUMBER_LABELS if (amount := {**known, **given}.get(name)) is not None}
    names = list(order)
    for lower, upper in pairwise(names):
        if order[lower] > order[upper]:
            wrong = lower if lower in given else upper
            faults.setdefault(
                wrong,
                f"{NUMBER_LABELS[lower]} {format_money(order[lower], currency)} is above"
                f" {NUMBER_LABELS[upper].lower()} {format_money(order[upper], currency)}.",
            )
    if faults:
        return CheckedForm(None, faults)
    return CheckedForm(
        lambda envelope: external_updates.numbers(envelope, given, note=note, currency=currency), {}
    )
