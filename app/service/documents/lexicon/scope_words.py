"""The sections of a lexicon that turn the lines of a quote into a scope. Matched against folded text."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class UnitWords:
    """Words in the unit of a line."""

    units: Mapping[str, str]
    """Names of each unit, in the singular and in plurals without an s, by its English name."""
    counts: str
    """Words for counting single things; they say nothing about what is counted."""
    fillers: str
    """Words around the name of a unit: `per named user`."""


@dataclass(frozen=True, kw_only=True)
class LineRoleWords:
    """Words by which a line of a quote is told to be no product, or to be paid for a period."""

    shipping: str
    """The shipping of goods; with `shipping_before` and `shipping_after` it must be all of the line."""
    shipping_after: str
    service: str
    """Work that is done once or by the day."""
    charge: str
    rounding: str
    """The beginning of a line."""
    tax: str
    """With a rate it must be all of the line."""
    sum: str
    """The beginning of a line that adds up others."""
    once: str
    recurring: str
    shipping_before: str = ""
    shipping_to: str = ""
    """Before the destination."""
    rate_at: str = ""
    """Between a tax and its rate: `VAT at 20 %`."""
