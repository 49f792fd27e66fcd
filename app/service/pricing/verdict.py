"""What to make of a quote: accept, consider or negotiate, with the reasons; withheld where the evidence does
not judge it. Pure: amounts are totals before tax for the whole term, in the currency of the estimate."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

import numpy as np

from app.contract.pricing import IMPLAUSIBLE, LIKE_FOR_LIKE, OLDEST_MONTHS, TARGET, WIDEST
from app.service.pricing.estimator.distribution import GRID, PriceDistribution
from app.service.pricing.estimator.scope_price import combine

Word = Literal["accept", "consider", "negotiate", "withheld"]

ACCEPTED_TO = 0.4
"""What this share of such purchases stays below is accepted: no buyer can count on less."""
NEGOTIATED_FROM, MATERIAL = 0.9, 1.1
"""A quote is to be negotiated above what this share of purchases stays below, and this many times the median:
among prices that are nearly one, the last per cent is no reason to open a negotiation."""
LEAST_ALIKE = 0.5
"""The share of the weight that purchases of the same thing must carry."""
MOST_CONVERTED = 0.5
ABOVE_LIST, BELOW_LIST = 1.25, 1 / 3
"""How far from a published list price a median may lie before it judges nothing."""
SOUND = 0.8
"""The share of the money that must rest on sound evidence before the whole of it is judged."""
_NEAR = 1.4
_DAYS_IN_MONTH = 365.25 / 12


@dataclass(frozen=True, slots=True)
class Line:
    """A product that has an estimate. `amount` is what it is quoted at and `recurring` whether it is quoted
    as paid for a time, None where nobody says. `unknown` names the dimensions that decide its price and that
    nobody has stated; `converted` is the share of the weight that was paid in another currency; `list_total`
    what it costs at the published list price."""

    name: str
    price: PriceDistribution
    amount: float | None = None
    recurring: bool | None = None
    quantity: float = 1.0
    months: float | None = None
    unknown: Sequence[str] = ()
    converted: float = 0.0
    list_total: float | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """`reasons` are sentences, the most important first. `median` and `target` are of what is judged, None
    where the verdict is withheld."""

    word: Word
    reasons: tuple[str, ...]
    amount: float
    median: float | None = None
    target: float | None = None


def judge_line(line: Line, today: date) -> Judgement | None:
    """The verdict on one line; None where it is not quoted on its own."""
    if line.amount is None:
        return None
    found = doubts(line, today)
    found += _implausible(line, line.amount)
    if found:
        return Judgement("withheld", tuple(found), line.amount)
    word, reason = _compare(line.amount, line.price.quantile, line.price.currency)
    return Judgement(
        word,
        (reason, *_beside_list(line)),
        line.amount,
        line.price.quantile(0.5),
        line.price.quantile(TARGET / 100),
    )


def judge_lines(lines: Sequence[Line], amount: float, today: date) -> Judgement:
    """The verdict on several lines that cost `amount` together."""
    if len(lines) == 1:
        judged = judge_line(replace(lines[0], amount=amount), today)
        assert judged is not None  # it has an amount
        return judged
    total = combine([line.price for line in lines])
    weights = [line.price.quantile(0.5) if line.amount is None else line.amount for line in lines]
    doubtful = [(line, _all_doubts(line, today)) for line in lines]
    unsound = sum(weight for weight, (_, found) in zip(weights, doubtful, strict=True) if found)
    reasons = [f"{line.name}: {found[0]}" for line, found in doubtful if found]
    if unsound > (1 - SOUND) * sum(weights):
        return Judgement("withheld", tuple(reasons), amount)
    median = total.quantile(0.5)
    if _far_off(amount, median):
        return Judgement("withheld", (*_not_the_same(amount, median, total.currency), *reasons), amount)
    if total.quantile(0.9) > WIDEST * total.quantile(0.1):
        return Judgement("withheld", (_too_wide(total.quantile, total.currency), *reasons), amount)
    word, reason = _compare(amount, total.quantile, total.currency)
    return Judgement(word, (reason, *reasons), amount, median, total.quantile(TARGET / 100))


def doubts(line: Line, today: date) -> list[str]:
    """Why no quote should be judged by this estimate, as sentences; none where one may."""
    return [
        *_about_the_question(line),
        *_about_the_purchases(line, today),
        *_about_the_range(line),
    ]


def _all_doubts(line: Line, today: date) -> list[str]:
    return doubts(line, today) + ([] if line.amount is None else _implausible(line, line.amount))


def _about_the_question(line: Line) -> list[str]:
    found: list[str] = []
    if line.unknown:
        found.append(f"Nobody has said which {_listed(line.unknown)} it is, and that decides the price.")
    if line.recurring is not None and line.recurring != line.price.recurring:
        quoted, bought = ("for a time", "once") if line.recurring else ("once", "for a time")
        found.append(f"It is quoted as paid {quoted}, and comparable purchases were paid {bought}.")
    return found


def _about_the_purchases(line: Line, today: date) -> list[str]:
    shown = line.price.comparables
    alike = [one for one in shown if one.like_for_like]
    weight = sum(one.weight for one in shown) or 1.0
    if len(alike) < LIKE_FOR_LIKE:
        return [_too_few(len(alike), sum(one.other_unit for one in shown))]
    if sum(one.weight for one in alike) < LEAST_ALIKE * weight:
        return ["The range rests mostly on purchases of other articles, editions or units."]
    newest = max(one.purchase_date for one in alike)
    months = (today - newest).days / _DAYS_IN_MONTH
    if months > OLDEST_MONTHS:
        return [f"The newest purchase of the same thing is {months:.0f} months old ({newest:%B %Y})."]
    if line.converted > MOST_CONVERTED:
        return [
            "Most of the purchases behind the range were paid in another currency, converted at the rate of "
            "their day."
        ]
    return []


def _about_the_range(line: Line) -> list[str]:
    price = line.price
    if price.quantile(0.9) > WIDEST * price.quantile(0.1):
        return [_too_wide(price.quantile, price.currency)]
    if line.list_total is not None:
        median, listed = _money(price.quantile(0.5), price.currency), _money(line.list_total, price.currency)
        if price.quantile(0.5) > ABOVE_LIST * line.list_total:
            return [f"The median paid, {median}, is above the published list price of {listed}."]
        if price.quantile(0.5) < BELOW_LIST * line.list_total:
            return [
                f"The median paid, {median}, is less than a third of the published list price of {listed}."
            ]
    return []


def _too_few(alike: int, in_another_unit: int) -> str:
    unit = ""
    if in_another_unit:
        are = "one more is" if in_another_unit == 1 else f"{in_another_unit} more are"
        unit = f" ({are} in another unit, or in none that is stated)"
    if not alike:
        return f"No purchase of the same product, edition and unit from this supplier is on record{unit}."
    some = "Only one purchase" if alike == 1 else f"Only {alike} purchases"
    return (
        f"{some} of the same product, edition and unit stand behind the range{unit}; "
        f"{LIKE_FOR_LIKE} are needed."
    )


def _too_wide(quantile: Callable[[float], float], currency: str) -> str:
    low, high = _money(quantile(0.1), currency), _money(quantile(0.9), currency)
    return f"The range runs from {low} to {high}: too wide to judge a quote by."


def _far_off(amount: float, median: float) -> bool:
    return amount > IMPLAUSIBLE * median or amount * IMPLAUSIBLE < median


def _implausible(line: Line, amount: float) -> list[str]:
    median = line.price.quantile(0.5)
    if not _far_off(amount, median):
        return []
    return [*_not_the_same(amount, median, line.price.currency), *_likely_causes(line, amount / median)]


def _not_the_same(amount: float, median: float, currency: str) -> list[str]:
    side = f"{amount / median:.1f} times" if amount > median else f"{per_cent(amount / median)} of"
    return [
        f"The quote is {side} the median of {_money(median, currency)}: these may not be the same thing. "
        "Check edition, unit and term."
    ]


def _likely_causes(line: Line, ratio: float) -> list[str]:
    """The two most likely reasons why a quote is far from the median, which it is `ratio` times."""

    def near(factor: float) -> bool:
        return factor != 1 and 1 / _NEAR < ratio / factor < _NEAR

    months = line.months if line.price.recurring and line.months else 1.0
    causes = [
        (near(1 / months) or near(12 / months), "The amount may be for one month or year and not the term."),
        (near(months) or near(months / 12), "The term may be counted twice, or be longer than stated."),
        (near(1 / line.quantity), "The amount may be for a single unit and not for the whole quantity."),
        (near(line.quantity), "The quantity may be of another unit: a package instead of a piece."),
    ]
    likely = [sentence for holds, sentence in causes if holds]
    other_edition = any(
        one.relation == "same_product" and not one.like_for_like for one in line.price.comparables
    )
    likely += ["It may be another edition: the product is sold in several."] if other_edition else []
    likely += [
        "It may be another edition or package of the product.",
        "The quote may cover more than this product.",
    ]
    return likely[:2]


def _compare(amount: float, quantile: Callable[[float], float], currency: str) -> tuple[Word, str]:
    below = _share_below(amount, quantile)
    if amount <= quantile(ACCEPTED_TO):
        if amount < quantile(0.1):
            return "accept", "Fewer than one in ten such purchases cost less."
        return (
            "accept",
            f"About {below:.0f} in a hundred such purchases cost less: the lower part of what is paid.",
        )
    median = quantile(0.5)
    if amount > quantile(NEGOTIATED_FROM) and amount > MATERIAL * median:
        return "negotiate", (
            f"More than nine in ten such purchases cost less; it is {per_cent(amount / median - 1)} above "
            f"the median of {_money(median, currency)}."
        )
    return "consider", f"About {below:.0f} in a hundred such purchases cost less: a usual price."


def _share_below(amount: float, quantile: Callable[[float], float]) -> float:
    """Per cent of purchases that cost less."""
    prices = [quantile(probability) for probability in GRID]
    low = bisect_left(prices, amount * (1 - 1e-9))
    high = bisect_right(prices, amount * (1 + 1e-9))
    if high > low:  # a price that is paid again and again: the middle of its range
        return 50 * (GRID[low] + GRID[high - 1])
    return 100 * float(np.interp(amount, prices, GRID))


def _beside_list(line: Line) -> list[str]:
    if line.list_total is None or line.amount is None:
        return []
    listed = f"the published list price of {_money(line.list_total, line.price.currency)}"
    share = line.amount / line.list_total
    if share > 1.005:
        return [f"It is {per_cent(share - 1)} above {listed}."]
    return [f"It is {per_cent(1 - share)} below {listed}."]


def per_cent(share: float) -> str:
    """`46 %`."""
    return f"{100 * share:.0f} %"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _money(amount: float, currency: str) -> str:
    return f"{currency} {amount:,.0f}" if amount >= 100 else f"{currency} {amount:,.2f}"
