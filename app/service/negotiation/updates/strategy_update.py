"""Sets the numbers that a person typed: they stay until a person or new evidence changes them."""

from collections.abc import Sequence
from decimal import Decimal

from app.service.http.problems import ApiProblem, InvalidField
from app.service.negotiation.entry_contents import NumbersChange
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.negotiation.strategy.strategy import (
    POSITION_NAMES,
    NumbersOutOfOrder,
    PositionName,
    apply_typed_numbers,
    describe_changes,
)
from app.service.negotiation.updates.update_payloads import StrategyPayload

POINTERS: dict[PositionName, str] = {
    "opening": "/payload/opening",
    "target": "/payload/target",
    "walk_away": "/payload/walkAway",
}


def set_typed_numbers(session: NegotiationSession, typed: StrategyPayload, currency: str) -> NumbersChange:
    """Set the numbers; return what the timeline entry adds. Raises ApiProblem 422 with pointers when they are
    not opening ≤ target ≤ walk-away; nothing is changed then."""
    given: dict[PositionName, Decimal] = {
        name: amount for name in POSITION_NAMES if (amount := getattr(typed, name)) is not None
    }
    before = session.strategy
    if not given:
        raise _wrong(POSITION_NAMES, "Enter at least one of the three numbers.")
    try:
        after = apply_typed_numbers(before, given, typed.note, currency)
    except NumbersOutOfOrder as error:
        raise _wrong(error.names, str(error)) from None
    if session.currency is None:
        session.update(currency=currency)
    session.update(strategy=after, next_offer=None)
    old = before.numbers if before else None
    changed = describe_changes(old, after.numbers, currency) or "the numbers as they were"
    return {"from": old, "to": after.numbers, "text": f"{changed[:1].upper()}{changed[1:]}: {typed.note}"}


def _wrong(names: Sequence[PositionName], why: str) -> ApiProblem:
    return ApiProblem(
        422,
        f"The numbers are out of order. {why}",
        errors=[InvalidField(POINTERS[name], why) for name in names],
    )
