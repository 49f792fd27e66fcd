"""The updates that the forms of a negotiation amount to, or what is wrong with what was entered."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time
from decimal import Decimal
from itertools import pairwise

from app.contract.money import format_money
from app.contract.negotiation import ExternalUpdate, TimelineEntry
from app.contract.strategy import StrategyShown
from app.dashboard.kit.form import CheckedForm
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


def validate_update(kind: Kind, typed: Fields, currency: str, now: datetime) -> CheckedForm[MakeUpdate]:
    """Return the update, or the faults. `typed` holds amount, currency, on, term, until, note, sender, text,
    reason. `currency` is that of the negotiation, "" where it has none yet; `now` is the reader's time."""
    faults = _find_update_faults(kind, typed, currency, now.date())
    if faults:
        return CheckedForm(None, faults)
    total, day = get_amount(typed, "amount") or Decimal(0), get_date(typed, "on")
    given_currency = get_text(typed, "currency").upper()
    term, until, note = get_months(typed, "term"), get_date(typed, "until"), get_text(typed, "note")

    def make(envelope: Envelope) -> ExternalUpdate:
        if kind == "message":
            return external_updates.message(envelope, get_text(typed, "sender"), get_text(typed, "text"))
        if kind == "cancellation":
            return external_updates.cancellation(envelope, get_text(typed, "reason"))
        if day is not None and day < now.date():
            envelope = replace(envelope, happened_at=datetime.combine(day, time(12), now.tzinfo))
        if kind == "counter":
            return external_updates.decision(envelope, None, "counter", total, note)
        if kind == "agreement":
            return external_updates.agreement(
                envelope, total, given_currency, term_length=term, signed_on=day
            )
        return external_updates.offer(
            envelope, total, given_currency, term_length=term, valid_until=until, note=note
        )

    return CheckedForm(make, {})


def _find_update_faults(kind: Kind, typed: Fields, currency: str, today: date) -> dict[str, str]:
    if kind == "message":
        needed = ("sender", "text")
        return {field: "This field is required." for field in needed if not get_text(typed, field)}
    if kind == "cancellation":
        return {}
    day, until = get_date(typed, "on"), get_date(typed, "until")
    faults: dict[str, str] = {}
    if not is_valid_amount(get_amount(typed, "amount")):
        faults["amount"] = AMOUNT_FAULT
    if kind != "counter" and (fault := _find_currency_fault(get_text(typed, "currency").upper(), currency)):
        faults["currency"] = fault
    if day is not None and day > today:
        faults["on"] = "This day has not come yet."
    if kind == "offer" and until is not None and until < (day or today):
        faults["until"] = "The offer would have ended before it was made."
    return faults


def _find_currency_fault(given: str, expected: str) -> str | None:
    if len(given) != 3 or not given.isascii() or not given.isalpha():
        return "Enter a three-letter code such as USD."
    if expected and given != expected:
        return f"This negotiation is in {expected}. Enter the amount in {expected}."
    return None


def validate_correction(typed: Fields, offers: Sequence[TimelineEntry]) -> CheckedForm[MakeUpdate]:
    """Return the update, or the faults. `typed` holds offer (id of its entry), what, amount, term, until,
    note; `offers` are those that can be corrected, as they stand."""
    offer = next((one for one in offers if one.id == get_text(typed, "offer")), None)
    if offer is None:
        return CheckedForm(None, {"offer": "Choose an offer."})
    note = get_text(typed, "note")
    faults: dict[str, str] = {} if note else {"note": "Enter a reason for the record."}
    withdrawn = typed.get("what") == WITHDRAW
    amount, term, until = get_amount(typed, "amount"), get_months(typed, "term"), get_date(typed, "until")
    if withdrawn:
        amount = term = until = None
    elif amount is None and term is None and until is None:
        faults["amount"] = "Enter the correct values of the offer."
    elif amount is not None and not is_valid_amount(amount):
        faults["amount"] = AMOUNT_FAULT
    elif amount == offer.amount and term is None and until is None:
        faults["amount"] = "The offer has this amount already."
    if faults:
        return CheckedForm(None, faults)
    return CheckedForm(
        lambda envelope: external_updates.correction(
            envelope,
            offer.id,
            withdrawn=withdrawn,
            amount=amount,
            term_length=term,
            valid_until=until,
            note=note,
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
