"""The answer of an estimate: the verdict on a quote, where it stands, and what it rests on."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

import streamlit as st

from app.contract.money import format_money, format_quantity
from app.contract.price_level import format_next_step, format_price_level
from app.contract.pricing import (
    PERCENTILES,
    CompanyPurchaseCount,
    Percentiles,
    PriceVerdict,
    ProductExplanation,
)
from app.contract.scope import Coverage
from components.estimates.sureness import describe_unit_prices
from components.formatting import escape_markdown, format_months, format_units


def rank_price(estimate: Percentiles, price: Decimal) -> str:
    """Return `percentile 52`, interpolated between its neighbours, or `above percentile 90`: outside of the
    17 known percentiles only the side is known. Where several have exactly this price, it is their middle."""
    known = [(percent, estimate.at(percent)) for percent in PERCENTILES]
    if price < known[0][1]:
        return f"below percentile {known[0][0]}"
    if price > known[-1][1]:
        return f"above percentile {known[-1][0]}"
    if equal := [percent for percent, value in known if value == price]:
        return f"percentile {(equal[0] + equal[-1]) / 2:.0f}"
    (low, below), (high, above) = next(pair for pair in pairwise(known) if pair[0][1] < price < pair[1][1])
    return f"percentile {low + float((price - below) / (above - below)) * (high - low):.0f}"


def draw_purchase_count(counts: Sequence[CompanyPurchaseCount]) -> None:
    """Draw one sentence, also where there is no purchase on record."""
    positive = [count for count in counts if count.real_purchase_count > 0]
    if not positive:
        st.caption("No purchases from these suppliers are on record in the past two years.")
        return
    listing = ", ".join(
        f"**{format_quantity(count.real_purchase_count)}** from {escape_markdown(count.company_name)}"
        for count in positive
    )
    st.caption(f"Purchases on record in the past two years: {listing}.")


def draw_estimate_refusal(reason: str) -> None:
    """Draw the refusal; `reason` comes from the deployment and says what would help."""
    st.info(escape_markdown(reason), icon=":material/help:")


_STYLES = {
    "accept": (st.success, ":material/check_circle:"),
    "consider": (st.info, ":material/balance:"),
    "negotiate": (st.warning, ":material/forum:"),
}
_UNKNOWN_STYLE = (st.info, ":material/help:")


def draw_verdict(verdict: PriceVerdict, currency: str, coverage: Coverage | None = None) -> None:
    """Draw the verdict with its reasons, the distance to the target, and the lines of the quote that are not
    judged."""
    panel, icon = _STYLES.get(verdict.word, _UNKNOWN_STYLE)
    words = escape_markdown(format_verdict(verdict, currency))
    lines = [f"**{words}.** {escape_markdown(' '.join(verdict.reasons))}"]
    if gap := describe_gap(verdict, currency):
        lines.append(f"**{escape_markdown(gap)}**.")
    lines += [escape_markdown(line) for line in describe_parts(verdict, currency)]
    panel("  \n".join(lines), icon=icon)
    if coverage is not None and coverage.uncovered:
        st.caption(
            f"Not covered by the verdict: {escape_markdown(describe_uncovered_lines(coverage, currency))}"
        )


def draw_product_verdicts(products: Sequence[ProductExplanation], currency: str) -> None:
    """Draw the usual and the quoted price per unit of each product and, where a quote has several, what to
    ask for it, with the reasons on demand."""
    several = sum(product.verdict is not None for product in products) > 1
    for product in products:
        words, reasons = f"**{escape_markdown(product.name)}**", None
        if several and product.verdict is not None:
            step = format_verdict(product.verdict, currency)
            amount = format_money(product.verdict.judged_amount, currency)
            words += f", {describe_what_is_bought(product)}{amount}: **{escape_markdown(step)}**"
            reasons = escape_markdown(" ".join(product.verdict.reasons))
        st.caption(f"{words}. {escape_markdown(describe_unit_prices(product, currency))}.", help=reasons)


def describe_what_is_bought(product: ProductExplanation) -> str:
    """Return `150 agents, 12 months, ` as far as it is known: what the amount beside it covers."""
    if not product.quantity:
        return ""
    counted = escape_markdown(format_units(product.quantity, product.unit))
    return f"{counted}, {format_months(product.months)}, " if product.months else f"{counted}, "


def get_judged_amount(verdict: PriceVerdict | None, quote: Decimal | None) -> tuple[Decimal | None, str]:
    """Return the amount that the range is for, with its label: the whole quote, or only its covered lines."""
    if verdict is None or quote is None or verdict.judged_amount == quote:
        return quote, "Quote"
    return verdict.judged_amount, "Covered lines"


def format_verdict(verdict: PriceVerdict, currency: str) -> str:
    """Return the next step, such as `Ask for USD 41,000`, with `(covered lines only)` where only a part of
    the quote is judged; the price's level where the deployment names no step, or there is no verdict."""
    step = verdict.next_step
    if step is None or verdict.word == "withheld":
        words = format_price_level(verdict.price_level, verdict.word)
    else:
        words = format_next_step(step.action, step.amount, currency)
    return f"{words} (covered lines only)" if verdict.basis == "covered_lines" else words


def describe_gap(verdict: PriceVerdict, currency: str) -> str:
    """Return `USD 52,000 is USD 7,000 above the target of USD 45,000`; "" without a target."""
    if verdict.target is None or verdict.to_target is None:
        return ""
    target = f"the target of {format_money(verdict.target, currency)}"
    if verdict.to_target == 0:
        return f"Exactly {target}"
    side = "above" if verdict.to_target > 0 else "below"
    of = f"{format_money(verdict.target + verdict.to_target, currency)} is "
    return f"{of}{format_money(abs(verdict.to_target), currency)} {side} {target}"


def describe_parts(verdict: PriceVerdict, currency: str) -> list[str]:
    """Return the recurring and the one-time amount, each with its median."""
    return [
        f"{'Recurring' if part.recurring else 'One-time'}: {format_money(part.judged_amount, currency)}, "
        f"median {format_money(part.median, currency)}."
        for part in verdict.parts
    ]


def describe_uncovered_lines(coverage: Coverage, currency: str) -> str:
    """Return `Onboarding, USD 3,500 (it is not a product)` for each line that no estimate covers."""
    return "; ".join(
        line.description
        + (f", {format_money(line.amount, currency)}" if line.amount is not None else "")
        + (f" ({line.why[:1].lower()}{line.why[1:].rstrip('.')})" if line.why else "")
        for line in coverage.uncovered
    )
