"""What to do next about a quoted price: ask for less, accept it, or compare it with another quote. Pure."""

from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from app.contract.price_level import PriceLevel
from app.contract.pricing import NextStep

ROUNDING_TOLERANCE = Decimal("0.01")
"""Two significant digits are enough where they change the amount by no more than this share; less than that
is not worth asking for."""


def find_next_step(
    level: PriceLevel | None, quoted: Decimal, *, opening: Decimal, target: Decimal
) -> NextStep:
    """Return what to do about `quoted`, which stands at this level; None is a withheld verdict. `opening` and
    `target` are for the same."""
    if level == "low":
        return NextStep(action="accept", amount=quoted)
    if level is None:
        return NextStep(action="compare")
    asked = find_first_ask(quoted, opening=opening, target=target)
    if asked < quoted * (1 - ROUNDING_TOLERANCE):
        return NextStep(action="ask", amount=asked)
    return NextStep(action="compare") if quoted < target else NextStep(action="accept", amount=quoted)


def find_first_ask(quoted: Decimal, *, opening: Decimal, target: Decimal) -> Decimal:
    """Return what a buyer asks for first: the opening, rounded, and at most the target or what is quoted."""
    return round_as_people_do(opening, at_most=min(target, quoted))


def round_as_people_do(amount: Decimal, *, at_most: Decimal | None = None) -> Decimal:
    """Round the amount, which is above zero, to two or three significant digits, below or at `at_most`."""
    near = _round_to_digits(amount, 2, ROUND_HALF_EVEN)
    if abs(near - amount) > amount * ROUNDING_TOLERANCE:
        near = _round_to_digits(amount, 3, ROUND_HALF_EVEN)
    if at_most is not None and near > at_most:
        near = _round_to_digits(min(amount, at_most), 3, ROUND_FLOOR)
    return near


def _round_to_digits(amount: Decimal, digits: int, rounding: str) -> Decimal:
    step = Decimal(1).scaleb(amount.adjusted() - digits + 1)
    return Decimal(f"{(amount / step).to_integral_value(rounding) * step:f}")
