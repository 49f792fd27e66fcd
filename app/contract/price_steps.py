"""What a supplier takes off for many units or a large order. An extension, see `/v1/openapi`."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from .model import Part
from .values import Amount, Percentage, Positive

MAX_STEPS = 20
BreakKind = Literal["all_units", "incremental"]
"""Whether the price of a step holds for all units, or for those from the step on."""


class PriceBreak(Part):
    """The price of a unit from a quantity on."""

    from_quantity: Positive = Field(description="The quantity from which the price holds.")
    unit_price: Amount
    kind: BreakKind = Field(
        default="all_units",
        description="Whether the price holds for all units or for those from the quantity on.",
    )


def _check_breaks(breaks: list[PriceBreak]) -> list[PriceBreak]:
    if len({one.kind for one in breaks}) > 1:
        raise ValueError("are for all units or incremental, not both")
    if len({one.from_quantity for one in breaks}) < len(breaks):
        raise ValueError("begin at different quantities")
    return breaks


PriceBreaks = Annotated[list[PriceBreak], Field(max_length=MAX_STEPS), AfterValidator(_check_breaks)]


class VolumeDiscount(Part):
    """Per cent off everything that is awarded to the quote, once that amounts to so much before discounts."""

    kind: Literal["volume"] = Field(
        default="volume", description="How it is given: for the volume of the award."
    )
    from_amount: Amount = Field(description="The amount, before discounts, from which it is given.")
    percent: Percentage = Field(description="Per cent that are taken off.")


VolumeDiscounts = Annotated[list[VolumeDiscount], Field(max_length=MAX_STEPS)]
