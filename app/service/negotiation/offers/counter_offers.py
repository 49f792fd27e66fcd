"""The buyer's next offer: the opening first, then part of the way to the target each time, rounded as people
round. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from app.service.negotiation.amounts import in_words

CLOSE_ENOUGH = Decimal("0.01")
"""Two significant digits are enough where they change the amount by no more than this share; else three."""
STEP = Decimal("0.5")
"""Of the way from the last counter to the target."""


@dataclass(frozen=True, slots=True)
class Counter:
    """What to offer next, and why in a sentence."""

    amount: Decimal
    why: str


def next_counter(
    made: Sequence[Decimal], *, opening: Decimal, target: Decimal, offer: Decimal
) -> Counter | None:
    """The next counter after those that were `made`, the oldest first. It is never above the target and
    always below the supplier's `offer`; None where no amount is both below the offer and worth asking for."""
    ceiling = min(target, offer)
    if not made:
        amount = rounded(opening, at_most=ceiling)
        why = (
            "This is the opening, rounded: it leaves room up to the target."
            if opening < target
            else "This is the opening, rounded, which is the target as well."
        )
    elif made[-1] >= ceiling:
        amount = rounded(ceiling, at_most=ceiling)
        why = "This is the target: stay there until the supplier moves."
    else:
        last = made[-1]
        amount = rounded(last + (ceiling - last) * STEP, at_most=ceiling)
        why = f"This is half of the way from your last offer of {in_words(last)} to the target."
        if amount <= last or ceiling - amount <= ceiling * CLOSE_ENOUGH:
            amount = rounded(ceiling, at_most=ceiling)
            why = f"This is the target: it is close to your last offer of {in_words(last)}."
    return Counter(amount, why) if amount < offer else None


def rounded(amount: Decimal, *, at_most: Decimal | None = None) -> Decimal:
    """The amount to two or three significant digits, below or at `at_most`. The amount is above zero."""
    near = _to_digits(amount, 2, ROUND_HALF_EVEN)
    if abs(near - amount) > amount * CLOSE_ENOUGH:
        near = _to_digits(amount, 3, ROUND_HALF_EVEN)
    if at_most is not None and near > at_most:
        near = _to_digits(min(amount, at_most), 3, ROUND_FLOOR)
    return near


def _to_digits(amount: Decimal, digits: int, rounding: str) -> Decimal:
    step = Decimal(1).scaleb(amount.adjusted() - digits + 1)
    return Decimal(f"{(amount / step).to_integral_value(rounding) * step:f}")
