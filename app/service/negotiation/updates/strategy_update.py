"""Numbers that a person typed: they stand until a person or new evidence changes them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from app.service.http.problems import ApiProblem, Wrong
from app.service.negotiation.session.negotiation_session import Case
from app.service.negotiation.strategy.strategy import ORDER, Name, OutOfOrder, changes, with_typed
from app.service.negotiation.updates.update_payloads import NumbersTyped

POINTERS: dict[Name, str] = {
    "opening": "/payload/opening",
    "target": "/payload/target",
    "walk_away": "/payload/walkAway",
}


def type_numbers(case: Case, typed: NumbersTyped, currency: str) -> dict[str, Any]:
    """Sets the numbers; returns what the timeline keeps of it. Raises ApiProblem 422 with pointers when they
    are not opening ≤ target ≤ walk-away; nothing is changed then."""
    given: dict[Name, Decimal] = {
        name: amount for name in ORDER if (amount := getattr(typed, name)) is not None
    }
    before = case.strategy
    if not given:
        raise _wrong(ORDER, "At least one of the three numbers is needed.")
    try:
        after = with_typed(before, given, typed.note, currency)
    except OutOfOrder as error:
        raise _wrong(error.names, str(error)) from None
    if case.currency is None:
        case.set(currency=currency)
    case.set(strategy=after.record(), next_offer=None)
    old = before.numbers if before else None
    what = changes(old, after.numbers, currency) or "the numbers as they were"
    return {"from": old, "to": after.numbers, "text": f"{what[:1].upper()}{what[1:]}: {typed.note}"}


def _wrong(names: Sequence[Name], why: str) -> ApiProblem:
    return ApiProblem(
        422, f"The numbers are not in order. {why}", errors=[Wrong(POINTERS[name], why) for name in names]
    )
