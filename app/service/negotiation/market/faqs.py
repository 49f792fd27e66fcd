"""Questions that buyers ask about a supplier, answered from the purchases on record. An answer with fewer
than five purchases behind it is left out. Answers are simple HTML; every name in them is escaped."""

from calendar import month_name
from collections.abc import Iterator
from html import escape
from statistics import median, quantiles

from app.contract.negotiation import Faq
from app.service.negotiation.market.purchase_stats import FEWEST, Effect
from app.service.negotiation.market.supplier_market import Market
from app.service.negotiation.strategy.levers import days_until

MOST_FEATURES = 8


def faqs_of(market: Market) -> list[Faq]:
    """At most one answer to each question, in a fixed order."""
    return list(_answers(market))


def _answers(market: Market) -> Iterator[Faq]:
    deals, name = market.deals, market.name
    discounts = deals.discounts()
    if len(discounts) >= FEWEST:
        low, _, high = quantiles(discounts, n=4, method="inclusive")
        yield Faq(
            question=f"What discount does {name} usually give?",
            answer=f"<p>Half of the purchases got between <strong>{low:.0f} %</strong> and"
            f" <strong>{high:.0f} %</strong> off the list price; the one in the middle"
            f" {median(discounts):.0f} %.</p>{_behind(len(discounts))}",
        )
    for question, who, than, effect in (
        ("Does buying more lower the price?", "Large orders paid", "a unit than usual ones", deals.volume()),
        (
            "Does a longer term lower the price?",
            "Terms of two years and more paid",
            "than terms of one year",
            deals.longer_term(),
        ),
        ("Is a renewal dearer than a new purchase?", "Renewals paid", "than new purchases", deals.renewal()),
    ):
        if effect is not None:
            yield Faq(
                question=question,
                answer=f"<p>{_compared(who, effect, than)}</p>{_behind(effect.purchases)}",
            )
    yield from _when(market)
    features = [(feature, count) for feature, count in market.features if count >= FEWEST][:MOST_FEATURES]
    if features:
        items = "".join(f"<li>{escape(feature)} ({count} purchases)</li>" for feature, count in features)
        yield Faq(
            question="What is usually included?",
            answer=f"<p>At no price of its own:</p><ul>{items}</ul>{_behind(features[0][1])}",
        )
    rivals = [rival for rival in market.rivals if rival.purchases >= FEWEST]
    if rivals:
        items = "".join(
            f"<li>{escape(rival.name)}: {rival.low:,.2f} to {rival.high:,.2f} {rival.currency} for a unit"
            f"{' and month' if rival.recurring else ''} ({rival.purchases} purchases)</li>"
            for rival in rivals
        )
        yield Faq(
            question=f"What are the alternatives to {name}, and what do they cost?",
            answer=f"<p>The middle half of what others paid:</p><ul>{items}</ul>"
            f"{_behind(sum(rival.purchases for rival in rivals))}",
        )


def _when(market: Market) -> Iterator[Faq]:
    best = market.deals.best_month()
    if best is None:
        return
    month, effect = best
    who = f"Purchases in <strong>{month_name[month]}</strong> paid"
    answer = f"<p>{_compared(who, effect, 'than in other months')}"
    year_end = market.fiscal_year_end
    if year_end is not None and days_until(year_end, market.last_updated_at.date()) is not None:
        ahead = (int(year_end[2:4]) - month) % 12
        gap = "is the last month of" if ahead == 0 else f"comes {ahead} months before the end of"
        answer += f" {month_name[month]} {gap} the supplier's fiscal year."
    yield Faq(question="When is the best month to sign?", answer=f"{answer}</p>{_behind(effect.purchases)}")


def _compared(who: str, effect: Effect, than: str) -> str:
    share = round(100 * (effect.ratio - 1))
    if share == 0:
        return f"{who} about the same: no less {than}."
    return f"{who} <strong>{abs(share)} % {'more' if share > 0 else 'less'}</strong> {than}."


def _behind(purchases: int) -> str:
    return f"<p>From {purchases} purchases.</p>"
