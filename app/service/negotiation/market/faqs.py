"""Answers to what buyers often ask about a supplier, from the purchases on record. An answer with fewer than
`MIN_PURCHASES` purchases behind it is left out. Answers are simple HTML; every name in them is escaped."""

from calendar import month_name
from collections.abc import Iterator
from html import escape
from statistics import median, quantiles

from app.contract.counts import format_count
from app.contract.negotiation import Faq
from app.contract.pricing import MIN_PURCHASES
from app.service.negotiation.market.purchase_stats import PriceEffect, find_next_year_end
from app.service.negotiation.market.supplier_market import SupplierMarket

MAX_FEATURES = 8


def build_faqs(market: SupplierMarket) -> Iterator[Faq]:
    """At most one answer to each question, in a fixed order."""
    purchases, name = market.purchases, market.name
    discounts = purchases.discounts()
    if len(discounts) >= MIN_PURCHASES:
        low, _, high = quantiles(discounts, n=4, method="inclusive")
        yield Faq(
            question=f"What discount does {name} usually give?",
            answer=f"<p>Half of the purchases got between <strong>{low:.0f} %</strong> and"
            f" <strong>{high:.0f} %</strong> off the list price; the median was"
            f" {median(discounts):.0f} %.</p>{_count_sentence(len(discounts))}",
        )
    for question, who, than, effect in (
        (
            "Does buying more lower the price?",
            "Large orders cost",
            "per unit than usual ones",
            purchases.volume_effect(),
        ),
        (
            "Does a longer term lower the price?",
            "Terms of two years or more cost",
            "than terms of a year or less",
            purchases.long_term_effect(),
        ),
        (
            "Is a renewal more expensive than a new purchase?",
            "Renewals cost",
            "than new purchases",
            purchases.renewal_effect(),
        ),
    ):
        if effect is not None:
            yield Faq(
                question=question,
                answer=f"<p>{_describe_effect(who, effect, than)}</p>"
                f"{_count_sentence(effect.purchase_count)}",
            )
    yield from _answer_best_month(market)
    features = [(feature, count) for feature, count in market.features if count >= MIN_PURCHASES][
        :MAX_FEATURES
    ]
    if features:
        items = "".join(f"<li>{escape(feature)} ({count} purchases)</li>" for feature, count in features)
        yield Faq(
            question="What is usually included?",
            answer=f"<p>Included at no extra charge:</p><ul>{items}</ul>{_count_sentence(features[0][1])}",
        )
    competitors = [
        competitor for competitor in market.competitors if competitor.purchase_count >= MIN_PURCHASES
    ]
    if competitors:
        items = "".join(
            f"<li>{escape(competitor.name)}: {competitor.describe_prices()}"
            f" ({competitor.purchase_count} purchases)</li>"
            for competitor in competitors
        )
        yield Faq(
            question=f"What are the alternatives to {name}, and what do they cost?",
            answer=f"<p>What the middle half of buyers paid:</p><ul>{items}</ul>"
            f"{_count_sentence(sum(competitor.purchase_count for competitor in competitors))}",
        )


def _answer_best_month(market: SupplierMarket) -> Iterator[Faq]:
    best = market.purchases.cheapest_month()
    if best is None:
        return
    month, effect = best
    who = f"Purchases in <strong>{month_name[month]}</strong> cost"
    answer = f"<p>{_describe_effect(who, effect, 'than in other months')}"
    year_end = market.fiscal_year_end
    if year_end is not None and find_next_year_end(year_end, market.last_updated_at.date()) is not None:
        ahead = (int(year_end[2:4]) - month) % 12
        gap = (
            "is the last month of"
            if ahead == 0
            else f"comes {format_count(ahead, 'month')} before the end of"
        )
        answer += f" {month_name[month]} {gap} the supplier's fiscal year."
    yield Faq(
        question="When is the best month to sign?",
        answer=f"{answer}</p>{_count_sentence(effect.purchase_count)}",
    )


def _describe_effect(who: str, effect: PriceEffect, than: str) -> str:
    share = round(100 * (effect.ratio - 1))
    if share == 0:
        return f"{who} about the same."
    return f"{who} <strong>{abs(share)} % {'more' if share > 0 else 'less'}</strong> {than}."


def _count_sentence(purchases: int) -> str:
    return f"<p>Based on {purchases} purchases.</p>"
