"""The sections of a lexicon that turn the lines of a quote into a scope. Matched against folded text, except
for those of `EntryWords`."""

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


@dataclass(frozen=True, kw_only=True)
class EntryWords:
    """Words around a product's name in a line, which are no part of it. Matched as printed, in any case."""

    periods: str = ""
    """Units of time after a number: `12 months`."""
    frequencies: str = ""
    before_period: str = ""
    """`for` in `Desk for 12 months`."""
    after_period: str = ""
    """`term` in `Desk, 12 months term`."""
    named: str = ""
    """`named` in `Desk, 120 named users`."""
    counted: str = ""
    """What is counted before the name: `10 seats Desk`."""
    of: str = ""
    """`of` in `10 seats of Desk`."""
    editions: str = ""
    """`Edition` in `Desk - Growth Edition`."""
    price_periods: str = ""
    """The period of a price in its unit: `user / mo`."""
