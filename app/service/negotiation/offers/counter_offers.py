"""The buyer's next offer: the opening first, then half of the way to the target each time, rounded as people
round. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.service.pricing.next_step import ROUNDING_TOLERANCE, find_first_ask, round_as_people_do

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
        amount = find_first_ask(offer, opening=opening, target=target)
        reason = (
            "This is the opening, rounded; it leaves room up to the target."
            if opening < target
            else "This is the opening, rounded, which equals the target."
        )
    elif previous[-1] >= ceiling:
        amount = round_as_people_do(ceiling, at_most=ceiling)
        reason = "This is the target: hold it until the supplier moves."
    else:
        last = previous[-1]
        amount = round_as_people_do(last + (ceiling - last) * STEP_SHARE, at_most=ceiling)
        reason = "This is halfway between your last offer and the target."
        if amount <= last or ceiling - amount <= ceiling * ROUNDING_TOLERANCE:
            amount = round_as_people_do(ceiling, at_most=ceiling)
            reason = "This is the target, which is close to your last offer."
    return CounterOffer(amount, reason) if amount < offer else None
