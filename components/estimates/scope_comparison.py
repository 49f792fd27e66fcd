"""Estimates of several quotes side by side, and of the products of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import streamlit as st

from app.contract.catalog import LearningDataSample
from app.contract.money import format_money, format_quantity
from app.contract.pricing import Percentiles, ProductEstimate
from components.elements.figure import (
    ACCENT,
    BAD,
    GOOD,
    MUTED,
    WARN,
    Figure,
    PlotlyObject,
    draw_figure,
    make_money_axis,
    make_trace,
)
from components.elements.record_table import Column, draw_record_table
from components.formatting import (
    NO_VALUE,
    describe_unit,
    escape_markdown,
    format_count,
    format_known_money,
    format_months,
    format_total_per_unit,
    name_percentile,
    shorten_text,
)

_COLOURS = (ACCENT, WARN, "#8a63c7", GOOD, MUTED)


def assign_colours(purchases: Sequence[LearningDataSample]) -> dict[str, str]:
    """Return a colour for each product name, in the order in which they come."""
    names = dict.fromkeys(map(join_product_names, purchases))
    return {name: _COLOURS[at % len(_COLOURS)] for at, name in enumerate(names)}


def join_product_names(purchase: LearningDataSample) -> str:
    """Return the names of the products of a purchase."""
    return ", ".join(purchase.product_names)


_FAILURES = {
    "pricing_failed": "no comparable purchases",
    "validation_failed": "its quantities do not fit the product",
}


def draw_product_breakdown(parts: Sequence[ProductEstimate], currency: str) -> None:
    """Draw the estimated products as a table and the others as sentences. The parts need not add up to the
    total."""
    priced = [
        (part, part.estimate) for part in parts if part.status == "success" and part.estimate is not None
    ]
    if priced:
        amounts = {
            name_percentile(percent): Column[tuple[ProductEstimate, Percentiles]](
                lambda one, percent=percent: format_money(one[1].at(percent), currency), "right"
            )
            for percent in (25, 50, 75)
        }
        draw_record_table(
            priced,
            {
                "Product": Column(lambda one: one[0].name),
                **amounts,
                "Note": Column(
                    lambda one: "usual quantities assumed" if one[0].defaulted else None, optional=True
                ),
            },
            link=lambda one: ("product", {"id": one[0].product_id}),
            alt="What each product should cost",
        )
        if len(parts) > 1:
            st.caption(
                "The parts need not add up to the total: products bought together are priced together."
            )
    for part in parts:
        if part.status != "success" or part.estimate is None:
            why = _FAILURES.get(part.code or "", part.code or "no estimate")
            message = f" {escape_markdown(part.message)}" if part.message else ""
            st.warning(
                f"**{escape_markdown(part.name)}**: {escape_markdown(why)}.{message}", icon=":material/error:"
            )


_NAME_LENGTH = 36


@dataclass(frozen=True)
class ComparedScope:
    """A scope to compare. `edition` are its other dimensions in words; `quantity` is in `unit`; `months` are
    None where the price is paid once, and a guess where `is_term_assumed`. Quantity and unit are None for
    several products."""

    id: str
    name: str
    estimate: Percentiles
    currency: str
    edition: str = ""
    quantity: Decimal | None = None
    unit: str | None = None
    months: Decimal | None = None
    quote: Decimal | None = None
    is_term_assumed: bool = False

    @property
    def comparable_quote(self) -> Decimal | None:
        """The quote, unless it is for a time that nobody has said."""
        return None if self.months is not None and self.is_term_assumed else self.quote

    @property
    def term(self) -> str:
        """`12 months`, or `once`; a dash where nobody has said it."""
        if self.months is None:
            return "once"
        return NO_VALUE if self.is_term_assumed else format_months(self.months)

    def per_unit(self, amount: Decimal) -> Decimal:
        """Return the share of one unit, and one month where the price is paid for a time."""
        return amount / (self.quantity or 1) / (self.months or 1)

    def describe_quantity(self) -> str | None:
        """Return `20 users`; None for several products."""
        return (
            None if self.quantity is None else f"{format_quantity(self.quantity)} {self.unit or ''}".strip()
        )

    def format_per_unit(self, amount: Decimal | None) -> str | None:
        """Return `USD 12.50 per user and month`; None for several products."""
        if amount is None or self.quantity is None:
            return None
        return format_total_per_unit(amount, self.quantity, self.months, self.unit, self.currency)


def explain_difference(scopes: Sequence[ComparedScope]) -> str | None:
    """Return why the prices per unit and month of these scopes cannot be compared; None where they can."""
    several = [one.name for one in scopes if one.quantity is None]
    if several:
        return f"{_join(several)} {'has' if len(several) == 1 else 'have'} no single quantity"
    currencies = sorted({one.currency for one in scopes})
    if len(currencies) > 1:
        return f"the estimates are in {_join(currencies)}"
    if len({(one.unit or "").casefold() for one in scopes}) > 1:
        units = dict.fromkeys(one.unit or "unit" for one in scopes)
        return f"the quantities count {_join(list(units))}"
    if len({one.months is None for one in scopes}) > 1:
        return "some are paid for a time and others once"
    return None


def draw_scope_comparison(scopes: Sequence[ComparedScope], *, key: str) -> None:
    """Draw the table, and the chart or why the scopes cannot be compared."""
    draw_record_table(
        list(enumerate(scopes, 1)),
        {
            "Request": Column(lambda one: f"{one[0]}. {one[1].name}"),
            "Edition": Column(lambda one: one[1].edition or None, optional=True),
            "Quantity": Column(lambda one: one[1].describe_quantity(), "right", optional=True),
            "Term": Column(lambda one: one[1].term),
            "Median": Column(
                lambda one: format_money(one[1].estimate.percentile50, one[1].currency), "right"
            ),
            "Median per unit": Column(
                lambda one: one[1].format_per_unit(one[1].estimate.percentile50), optional=True
            ),
            "Quote": Column(
                lambda one: format_known_money(one[1].quote, one[1].currency), "right", optional=True
            ),
            "Quote per unit": Column(
                lambda one: one[1].format_per_unit(one[1].comparable_quote), optional=True
            ),
        },
        link=lambda one: ("quote", {"id": one[1].id}),
        alt=f"Comparison of {format_count(len(scopes), 'quote')}",
    )
    reason = explain_difference(scopes)
    if reason:
        st.info(f"Not comparable per unit: {escape_markdown(reason)}.", icon=":material/balance:")
        return
    draw_figure(
        make_comparison_figure(scopes), key=key, alt=describe_comparison(scopes), height=90 + 56 * len(scopes)
    )
    st.caption("The line holds eight in ten purchases, the bar the middle half. The diamond is the quote.")


def describe_comparison(scopes: Sequence[ComparedScope]) -> str:
    """Return a description of the chart for readers who cannot see it."""
    medians = (f"{one.name} median {one.format_per_unit(one.estimate.percentile50)}" for one in scopes)
    return f"Price ranges on one scale: {'; '.join(medians)}."


def make_comparison_figure(scopes: Sequence[ComparedScope]) -> Figure:
    """Return the chart: a range for each scope, the first at the top."""
    labels = [f"{at}. {shorten_text(one.name, _NAME_LENGTH)}" for at, one in enumerate(scopes, 1)]
    data: list[PlotlyObject] = []
    for label, one in zip(labels, scopes, strict=True):
        for low, high, width in ((10, 90, 3), (25, 75, 13)):
            data.append(
                _make_trace(one, label, [one.estimate.at(low), one.estimate.at(high)])
                | {"mode": "lines", "line": {"color": ACCENT, "width": width}}
            )
        data.append(
            _make_trace(one, label, [one.estimate.percentile50])
            | {
                "mode": "markers",
                "marker": {"symbol": "line-ns", "size": 22, "line": {"width": 3, "color": ACCENT}},
            }
        )
        if one.comparable_quote is not None:
            data.append(
                _make_trace(one, label, [one.comparable_quote])
                | {"mode": "markers", "marker": {"symbol": "diamond", "size": 13, "color": BAD}}
            )
    first = scopes[0]
    unit = describe_unit(first.unit, recurring=first.months is not None)
    return {
        "data": data,
        "layout": {
            "xaxis": make_money_axis(first.currency, unit) | {"rangemode": "tozero"},
            "yaxis": {
                "type": "category",
                "categoryorder": "array",
                "categoryarray": labels[::-1],
                "automargin": True,
                "fixedrange": True,
            },
        },
    }


def _make_trace(one: ComparedScope, label: str, amounts: Sequence[Decimal]) -> PlotlyObject:
    texts = [one.format_per_unit(amount) or "" for amount in amounts]
    return make_trace(map(one.per_unit, amounts), [label] * len(amounts), texts)


def _join(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
