"""What to make of a quote: accept, consider or negotiate, with the reason; nothing when evidence is thin."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import streamlit as st

from app.contract.pricing import AdvancedEstimate
from components import specimens
from components.money import money
from components.plain import plain
from components.standing import standing

TARGET = 25
WALK_AWAY = 60
"""The percentiles that the negotiation process aims at and leaves at (the three numbers of a strategy)."""

ENOUGH_PURCHASES = 5
WIDEST = Decimal(6)
"""P90 over P10 beyond which a range says too little: such an estimate supports any quote."""

Word = Literal["accept", "consider", "negotiate", "not enough evidence"]


@dataclass(frozen=True)
class Verdict:
    """`to_target` is the quote less the target, negative when the quote is already below it."""

    word: Word
    reason: str
    target: Decimal
    to_target: Decimal
    currency: str


def judge(estimate: AdvancedEstimate, quote: Decimal) -> Verdict:
    """The verdict on `quote`, a total before tax for the whole term in the estimate's currency."""
    target = estimate.estimate.at(TARGET)
    missing = missing_evidence(estimate)
    if missing:
        word, reason = "not enough evidence", missing
    else:
        word, reason = _compare(estimate, quote)
    return Verdict(word, reason, target, quote - target, estimate.currency)


def missing_evidence(estimate: AdvancedEstimate) -> str | None:
    """Why no quote should be judged by `estimate`, or None when one may."""
    unpriced = [part.name for part in estimate.product_estimates if part.status != "success"]
    if unpriced:
        return f"No price is known for {', '.join(unpriced)}, so the range leaves a part of the purchase out."
    purchases = len(estimate.real_similar_purchases)
    if purchases < ENOUGH_PURCHASES:
        return f"Only {purchases} similar purchases stand behind the range; {ENOUGH_PURCHASES} are needed."
    low, high = estimate.estimate.percentile10, estimate.estimate.percentile90
    if low <= 0 or high / low > WIDEST:
        return (
            f"The range runs from {money(low, estimate.currency)} to {money(high, estimate.currency)}: "
            "too wide to judge a quote by."
        )
    return None


def _compare(estimate: AdvancedEstimate, quote: Decimal) -> tuple[Word, str]:
    place = standing(estimate.estimate, quote)
    target, walk_away = estimate.estimate.at(TARGET), estimate.estimate.at(WALK_AWAY)
    if quote < estimate.estimate.percentile10 / 2:
        return "consider", (
            "Less than half of the lowest price expected. Check that the quote covers the same things."
        )
    if quote <= target:
        at = "Below percentile 10" if place.side == "below" else f"At {place}"
        return "accept", f"{at}: a quarter or fewer of such purchases cost less."
    if quote <= walk_away:
        return "consider", f"At {place}: a usual price, above the target (percentile {TARGET})."
    if place.side == "above":
        return "negotiate", "More than nine in ten such purchases cost less."
    return "negotiate", f"At {place}: {place.percent:.0f} in a hundred such purchases cost less."


def gap_in_words(verdict: Verdict) -> str:
    """`USD 7,000 above the target of USD 45,100`."""
    target = f"the target of {money(verdict.target, verdict.currency)}"
    if verdict.to_target == 0:
        return f"Just {target}"
    side = "above" if verdict.to_target > 0 else "below"
    return f"{money(abs(verdict.to_target), verdict.currency)} {side} {target}"


_LOOKS = {
    "accept": (st.success, ":material/check_circle:", "Accept"),
    "consider": (st.info, ":material/balance:", "Consider"),
    "negotiate": (st.warning, ":material/forum:", "Negotiate"),
    "not enough evidence": (st.info, ":material/help:", "Not enough evidence"),
}


def draw_verdict(verdict: Verdict) -> None:
    """The verdict in a word, its reason, and the money between the quote and the target."""
    panel, icon, title = _LOOKS[verdict.word]
    lines = [f"**{title}.** {plain(verdict.reason)}"]
    if verdict.word != "not enough evidence":
        lines.append(f"**{plain(gap_in_words(verdict))}**.")
    panel("  \n".join(lines), icon=icon)


def example() -> None:
    estimate = specimens.advanced_estimate()
    whole = estimate.model_copy(update={"product_estimates": estimate.product_estimates[:1]})
    for quote in (41_000, 47_000, 60_000):
        draw_verdict(judge(whole, Decimal(quote)))
    draw_verdict(judge(estimate, Decimal(47_000)))
