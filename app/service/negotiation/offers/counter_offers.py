"""The buyer's next offer: the opening first, then half of the way to the target each time, rounded as people
round. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

ROUNDING_TOLERANCE = Decimal("0.01")
"""Two significant digits are enough where they change the amount by no more than this share."""
STEP_SHARE = Decimal("0.5")
"""The share of the way from the last counter offer to the target."""


@dataclass(frozen=True, slots=True)
class CounterOffer:
    """What to offer next, and the reason in a sentence."""

    amount: Decimal
    reason: str


def suggest_counter_offer(
    previous: Sequence[Decimal], *, opening: Decimal, target: Decimal, offer: Decimal
) -> CounterOffer | None:
    """Suggest the counter offer that follows the `previous` ones, the oldest first. It is never above the
    target and always below the supplier's `offer`; None where no amount is both below the offer and worth
    asking for."""
    ceiling = min(target, offer)
    if not previous:
        amount = round_amount(opening, at_most=ceiling)
        reason = (
            "This is the opening, rounded; it leaves room up to the target."
            if opening < target
            else "This is the opening, rounded, which equals the target."
        )
    elif previous[-1] >= ceiling:
        amount = round_amount(ceiling, at_most=ceiling)
        reason = "This is the target: hold it until the supplier moves."
    else:
        last = previous[-1]
        amount = round_amount(last + (ceiling - last) * STEP_SHARE, at_most=ceiling)
        reason = "This is halfway between your last offer and the target."
        if amount <= last or ceiling - amount <= ceiling * ROUNDING_TOLERANCE:
            amount = round_amount(ceiling, at_most=ceiling)
            reason = "This is the target, which is close to your last offer."
    return CounterOffer(amount, reason) if amount < offer else None


def round_amount(amount: Decimal, *, at_most: Decimal | None = None) -> Decimal:
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
