"""The verdict on a quote: whether its price is low, usual or high, with reasons; withheld where the evidence
does not suffice. Pure. Amounts are totals before tax for the whole term, in the currency of the estimate."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

import numpy as np

from app.contract.dates import DAYS_IN_MONTH
from app.contract.money import format_money, format_quantity, join_words
from app.contract.price_level import LEVEL_WORDS, PriceLevel, VerdictKind, find_price_level
from app.contract.pricing import (
    FEW_LEARNT,
    IMPLAUSIBLE_RATIO,
    MAX_QUANTITY_RATIO,
    MAX_RANGE_RATIO,
    MAX_TERM_RATIO,
    MIN_AGREEING,
    MIN_LIKE_FOR_LIKE,
    OPENING_PERCENTILE,
    TARGET_PERCENTILE,
    find_far_quantity,
    is_too_old,
)
from app.service.pricing.estimator.distribution import GRID, Comparable, PriceDistribution, sum_distributions

MIN_LIKE_FOR_LIKE_WEIGHT = 0.5
"""The least share of the weight that like-for-like purchases must carry."""
MAX_AGREEING_RATIO, MAX_RATIO_OF_TWO = 1.1, 1.05
"""How many times the lowest of prices that agree the highest may be, and of two prices."""
MAX_CONVERTED_WEIGHT = 0.5
MAX_RATIO_TO_LIST, MIN_RATIO_TO_LIST = 1.25, 1 / 3
"""The ratios of the median to a published list price outside which there is no verdict."""
AT_LIST_TOLERANCE = 0.005
"""A price within this share of the list price is the list price."""
MIN_SOUND_SHARE = 0.8
"""The least share of the money with sound evidence for a verdict on the whole."""
_NEAR_RATIO = 1.4
NEAR_QUANTITY_RATIO, MIN_NEAR_QUANTITY = 1.25, 2
"""Up to how many times another quantity one is about the same, and how many purchases of about the quantity
asked for speak against a range: one alone lies outside of 80 % by chance every fifth time, two on the same
side hardly ever."""


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A product with its estimate and what is quoted for it (`amount`). `recurring` says whether it is quoted
    as paid repeatedly, None where the quote does not say. `unknown` names the dimensions that decide the
    price and that nobody has stated; `converted` is the share of the weight that was paid in another
    currency; `list_total` is the cost at the published list price. `is_part_unproved` says that what is
    quoted may be for another part of the term than the estimate, `is_term_assumed` that nobody has said for
    how long it is."""

    name: str
    price: PriceDistribution
    amount: float | None = None
    recurring: bool | None = None
    quantity: float = 1.0
    months: float | None = None
    unknown: Sequence[str] = ()
    converted: float = 0.0
    list_total: float | None = None
    is_part_unproved: bool = False
    is_term_assumed: bool = False


class EstimatedPrice(Protocol):
    """What is known of a price: what it is at a probability (0 to 1), never decreasing in it."""

    @property
    def currency(self) -> str: ...

    def quantile(self, probability: float, /) -> float: ...


@dataclass(frozen=True, slots=True)
class KnownPercentiles:
    """A price of which only some percentiles are known, from the lowest."""

    percentiles: Mapping[int, float]
    currency: str

    def quantile(self, probability: float, /) -> float:
        """The price at this probability, interpolated; beyond the known ones the nearest."""
        known = list(self.percentiles)
        return float(np.interp(100 * probability, known, [self.percentiles[one] for one in known]))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict on `amount`. `reasons` are sentences, the most important first. `level`, and `median` and
    `target` of the estimate, are None where the verdict is withheld. `opening` is what to ask for first."""

    reasons: tuple[str, ...]
    amount: float
    level: PriceLevel | None = None
    median: float | None = None
    target: float | None = None
    opening: float | None = None

    @property
    def word(self) -> VerdictKind:
        return "withheld" if self.level is None else LEVEL_WORDS[self.level].word


def judge_line(line: PricedLine, today: date) -> Verdict | None:
    """The verdict on one line; None where it has no quoted amount."""
    if line.amount is None:
        return None
    doubts = find_doubts(line, today)
    doubts += _doubts_about_amount(line, line.amount)
    if doubts:
        return Verdict(tuple(doubts), line.amount)
    return _judge_among_purchases([line], line.amount, line.price)


def judge_lines(lines: Sequence[PricedLine], amount: float, today: date) -> Verdict:
    """The verdict on several lines that cost `amount` together."""
    if len(lines) == 1:
        verdict = judge_line(replace(lines[0], amount=amount), today)
        assert verdict is not None  # it has an amount
        return verdict
    total = sum_distributions([line.price for line in lines])
    weights = [line.price.quantile(0.5) if line.amount is None else line.amount for line in lines]
    doubtful = [(line, _find_all_doubts(line, today)) for line in lines]
    unsound = sum(weight for weight, (_, doubts) in zip(weights, doubtful, strict=True) if doubts)
    reasons = list(dict.fromkeys(f"{line.name}: {doubts[0]}" for line, doubts in doubtful if doubts))
    if unsound > (1 - MIN_SOUND_SHARE) * sum(weights):
        return Verdict(tuple(reasons), amount)
    judged = judge_total(amount, total, lines)
    return replace(judged, reasons=(*judged.reasons, *reasons))


def judge_total(amount: float, price: EstimatedPrice, lines: Sequence[PricedLine] = ()) -> Verdict:
    """The verdict on what several lines cost together, by the `price` of all of them, where nothing else
    speaks against it. With the `lines` it is also compared with their list prices."""
    median = price.quantile(0.5)
    if _is_implausible(amount, median):
        return Verdict(tuple(_describe_implausible(amount, median, price.currency)), amount)
    if price.quantile(0.9) > MAX_RANGE_RATIO * price.quantile(0.1):
        return Verdict((_describe_too_wide(price.quantile, price.currency),), amount)
    return _judge_among_purchases(lines, amount, price)


def find_doubts(line: PricedLine, today: date) -> list[str]:
    """The reasons why the estimate cannot judge any quote, as sentences; empty where it can."""
    return [
        *_doubts_about_question(line),
        *_doubts_about_purchases(line, today),
        *_doubts_about_range(line),
    ]


def _find_all_doubts(line: PricedLine, today: date) -> list[str]:
    return find_doubts(line, today) + ([] if line.amount is None else _doubts_about_amount(line, line.amount))


def _doubts_about_question(line: PricedLine) -> list[str]:
    doubts: list[str] = []
    if line.unknown:
        doubts.append(f"Not stated, although the price depends on it: {join_words(line.unknown)}.")
    if line.is_term_assumed and line.price.recurring:
        doubts.append("The quote does not say for how long its prices are: state its term first.")
    if line.is_part_unproved:
        doubts.append("The quote does not say for which part of the term its lines are: confirm them first.")
    if line.recurring is not None and line.recurring != line.price.recurring:
        quoted, bought = ("recurring", "one-time") if line.recurring else ("one-time", "recurring")
        doubts.append(f"The quoted price is {quoted}, but comparable purchases have {bought} prices.")
    return doubts


def _doubts_about_purchases(line: PricedLine, today: date) -> list[str]:
    shown = line.price.comparables
    alike = [one for one in shown if one.like_for_like]
    weight = sum(one.weight for one in shown) or 1.0
    if _are_too_few(alike, line.price):
        return [_describe_too_few(len(alike), line.price)]
    if sum(one.weight for one in alike) < MIN_LIKE_FOR_LIKE_WEIGHT * weight:
        return ["The range is based mostly on purchases of other products, editions or units."]
    newest = max(one.purchase_date for one in alike)
    if is_too_old(newest, today):
        months = (today - newest).days / DAYS_IN_MONTH
        return [f"The newest like-for-like purchase is {months:.0f} months old ({newest:%B %Y})."]
    if beyond := _describe_quantity(line.quantity, [one.quantity for one in alike if one.quantity]):
        return [beyond]
    if line.price.recurring and line.months and (longer := _describe_term(line.months, alike)):
        return [longer]
    near = [one for one in alike if _is_near(one, line.quantity, today)]
    if outside := _describe_outside(near, line.price):
        return [outside]
    if line.converted > MAX_CONVERTED_WEIGHT:
        return [
            "Most of the purchases behind the range were paid in another currency and converted at the rate "
            "of the day."
        ]
    return []


def _are_too_few(alike: Sequence[Comparable], price: PriceDistribution) -> bool:
    """Whether so many like-for-like purchases say too little. Where they agree, fewer do; those of one order,
    and one alone, only where enough was learnt."""
    if not alike:
        return True
    if len(alike) >= MIN_LIKE_FOR_LIKE:
        return False
    paid = [one.paid_unit_price for one in alike]
    if max(paid) > (MAX_RATIO_OF_TWO if len(paid) == 2 else MAX_AGREEING_RATIO) * min(paid):
        return True
    return _is_of_one_order(len(alike), price)


def _is_of_one_order(alike: int, price: PriceDistribution) -> bool:
    """Whether so many like-for-like purchases are of one order, and too little was learnt to know how often
    a price is paid again."""
    return (alike < MIN_AGREEING or price.newness == "one_order") and price.learnt_on < FEW_LEARNT


def _describe_quantity(asked: float, bought: Sequence[float]) -> str | None:
    """Why purchases of these quantities say nothing of this one; None where they do."""
    nearest = find_far_quantity(asked, bought)
    if nearest is None:
        return None
    if asked > nearest:
        return (
            f"A quantity of {format_quantity(asked)} is more than {MAX_QUANTITY_RATIO} times that of any "
            f"like-for-like purchase (at most {format_quantity(nearest)}): its unit price is not known."
        )
    return (
        f"Every like-for-like purchase was of more than {MAX_QUANTITY_RATIO} times a quantity of "
        f"{format_quantity(asked)} (at least {format_quantity(nearest)}): its unit price is not known."
    )


def _describe_term(asked: float, alike: Sequence[Comparable]) -> str | None:
    """Why purchases of these terms say nothing of one so long; None where they do."""
    longest = max((one.term_months for one in alike if one.term_months), default=None)
    if longest is None or asked <= MAX_TERM_RATIO * longest:
        return None
    return (
        f"A term of {format_quantity(asked)} months is more than {MAX_TERM_RATIO} times that of any"
        f" like-for-like purchase (at most {format_quantity(longest)}): what a month costs is not known."
    )


def _is_near(one: Comparable, asked: float, today: date) -> bool:
    """Whether about so many were bought, and not long ago."""
    if not one.quantity or is_too_old(one.purchase_date, today):
        return False
    return max(one.quantity, asked) <= NEAR_QUANTITY_RATIO * min(one.quantity, asked)


def _describe_outside(near: Sequence[Comparable], price: PriceDistribution) -> str | None:
    """Why it is not known whether the range holds for this quantity: all purchases of about so many, and at
    least `MIN_NEAR_QUANTITY`, cost less than it, or more, as they were paid and on the terms of the query.
    The price may depend on the quantity as the estimate does not know. None where nothing speaks against
    it."""
    if len(near) < MIN_NEAR_QUANTITY:
        return None
    low, high = (price.unit_price(share) for share in (0.1, 0.9))
    paid = [one.paid_unit_price for one in near]
    on_these_terms = [one.unit_price for one in near]
    is_below = all(max(prices) < low for prices in (paid, on_these_terms))
    if not (is_below or all(min(prices) > high for prices in (paid, on_these_terms))):
        return None
    dearest, cheapest = (format_money(one, price.currency) for one in (max(paid), min(paid)))
    cost = cheapest if cheapest == dearest else f"{cheapest} to {dearest}"
    side = "below" if is_below else "above"
    return (
        f"The {len(near)} like-for-like purchases of about this quantity cost {cost} a unit, all "
        f"{side} the range: which of the two holds for this quantity is not known."
    )


def _doubts_about_range(line: PricedLine) -> list[str]:
    price = line.price
    if price.quantile(0.9) > MAX_RANGE_RATIO * price.quantile(0.1):
        return [_describe_too_wide(price.quantile, price.currency)]
    if line.list_total is not None:
        median, listed = (
            format_money(price.quantile(0.5), price.currency),
            format_money(line.list_total, price.currency),
        )
        if price.quantile(0.5) > MAX_RATIO_TO_LIST * line.list_total:
            return [f"The median price paid, {median}, is above the published list price of {listed}."]
        if price.quantile(0.5) < MIN_RATIO_TO_LIST * line.list_total:
            return [f"The median price paid, {median}, is less than a third of the list price of {listed}."]
    return []


def _describe_too_few(alike: int, price: PriceDistribution) -> str:
    unit = ""
    if in_another_unit := sum(one.other_unit for one in price.comparables):
        are = "one more is" if in_another_unit == 1 else f"{in_another_unit} more are"
        unit = f" ({are} in another or an unstated unit or pack)"
    if not alike:
        return f"No purchase of the same product, edition and unit from this supplier is on record{unit}."
    some = "Only one purchase" if alike == 1 else f"Only {alike} purchases"
    support = "supports" if alike == 1 else "support"
    why, enough = "", "that cost about the same"
    if alike >= MIN_AGREEING and _is_of_one_order(alike, price):
        why, enough = ", all of one order", f"of different orders {enough}"
    elif alike >= MIN_AGREEING:
        why, enough = ", and they do not cost about the same", "that do"
    return (
        f"{some} of the same product, edition and unit {support} the range{why}{unit}; "
        f"{MIN_LIKE_FOR_LIKE} are needed, or {MIN_AGREEING} {enough}."
    )


def _describe_too_wide(quantile: Callable[[float], float], currency: str) -> str:
    low, high = format_money(quantile(0.1), currency), format_money(quantile(0.9), currency)
    return f"The range from {low} to {high} is too wide to judge a quote."


def _is_implausible(amount: float, median: float) -> bool:
    return amount > IMPLAUSIBLE_RATIO * median or amount * IMPLAUSIBLE_RATIO < median


def _doubts_about_amount(line: PricedLine, amount: float) -> list[str]:
    median = line.price.quantile(0.5)
    if not _is_implausible(amount, median):
        return []
    return [
        *_describe_implausible(amount, median, line.price.currency),
        *_likely_causes(line, amount / median),
    ]


def _describe_implausible(amount: float, median: float, currency: str) -> list[str]:
    side = f"{amount / median:.1f} times" if amount > median else f"{format_percent(amount / median)} of"
    return [
        f"The quote is {side} the median of {format_money(median, currency)}: it may be for something "
        "else. Check edition, unit and term."
    ]


def _likely_causes(line: PricedLine, ratio: float) -> list[str]:
    """The two most likely reasons why a quote is far from the median, which it is `ratio` times."""

    def near(factor: float) -> bool:
        return factor != 1 and 1 / _NEAR_RATIO < ratio / factor < _NEAR_RATIO

    months = line.months if line.price.recurring and line.months else 1.0
    causes = [
        (
            near(1 / months) or near(12 / months),
            "The amount may be for one month or year, not the whole term.",
        ),
        (near(months) or near(months / 12), "The term may be counted twice, or be longer than stated."),
        (near(1 / line.quantity), "The amount may be for a single unit, not the whole quantity."),
        (near(line.quantity), "The quantity may be in another unit, such as packages instead of pieces."),
    ]
    likely = [sentence for holds, sentence in causes if holds]
    other_edition = any(
        one.relation == "same_product" and not one.like_for_like for one in line.price.comparables
    )
    likely += ["The quote may be for another edition: the product has several."] if other_edition else []
    likely += [
        "The quote may be for another edition or package of the product.",
        "The quote may cover more than this product.",
    ]
    return likely[:2]


def _judge_among_purchases(lines: Sequence[PricedLine], amount: float, price: EstimatedPrice) -> Verdict:
    """Judge `amount`, which the `lines` cost together, by `price`, which is that of all of them."""
    quantile, currency = price.quantile, price.currency
    median = quantile(0.5)
    level = find_price_level(
        amount,
        percentile25=quantile(0.25),
        median=median,
        percentile75=quantile(0.75),
        percentile90=quantile(0.9),
    )
    at_list = _compare_with_list_price(lines, amount, currency)
    if level == "low" and at_list.is_reached and at_list.cheaper:
        level, reason = "usual", "A usual price, not a low one: it is the list price, and others paid less."
    else:
        reason = _describe_level(level, amount, quantile, currency)
    alike = sum(one.like_for_like for line in lines for one in line.price.comparables)
    rests_on = "It rests on one purchase of the same product, edition and unit." if alike == 1 else ""
    reasons = (reason, *filter(None, [at_list.sentence, rests_on]))
    opening, target = quantile(OPENING_PERCENTILE / 100), quantile(TARGET_PERCENTILE / 100)
    return Verdict(reasons, amount, level, median, target, opening)


def _describe_level(
    level: PriceLevel, amount: float, quantile: Callable[[float], float], currency: str
) -> str:
    """Say in one sentence where the amount stands."""
    phrase, below, median = LEVEL_WORDS[level].phrase, _percent_below(amount, quantile), quantile(0.5)
    middle = f"the median of {format_money(median, currency)}"
    if level == "usual" and amount > quantile(0.75):
        return f"{phrase}: {format_percent(amount / median - 1)} above {middle}, and prices hardly vary."
    share = f"about {below:.0f} % of"
    if amount < quantile(0.1):
        share = "fewer than one in ten"
    elif level == "very_high":
        share = "more than nine in ten"
    sentence = f"{phrase}: {share} comparable purchases cost less"
    if level in ("low", "usual"):
        return f"{sentence}."
    return f"{sentence}; the quote is {format_percent(amount / median - 1)} above {middle}."


def _percent_below(amount: float, quantile: Callable[[float], float]) -> float:
    """The percentage of purchases that cost less."""
    prices = [quantile(probability) for probability in GRID]
    low = bisect_left(prices, amount * (1 - 1e-9))
    high = bisect_right(prices, amount * (1 + 1e-9))
    if high > low:  # a price that is often repeated: the middle of its range
        return 50 * (GRID[low] + GRID[high - 1])
    return 100 * float(np.interp(amount, prices, GRID))


@dataclass(frozen=True, slots=True)
class _AgainstList:
    """A quote against the list price: whether it is no less, and whether like purchases cost less."""

    is_reached: bool = False
    cheaper: bool = False
    sentence: str = ""


def _compare_with_list_price(lines: Sequence[PricedLine], amount: float, currency: str) -> _AgainstList:
    list_totals = [line.list_total for line in lines if line.list_total is not None]
    if not list_totals or len(list_totals) < len(lines):
        return _AgainstList()
    listed = f"the published list price of {format_money(sum(list_totals), currency)}"
    share = amount / sum(list_totals)
    below_list = 1 - AT_LIST_TOLERANCE
    cheaper = any(
        one.like_for_like and one.unit_price * line.price.multiple < below_list * (line.list_total or 0)
        for line in lines
        for one in line.price.comparables
    )
    if share > 1 + AT_LIST_TOLERANCE:
        sentence = f"The quote is {format_percent(share - 1)} above {listed}."
    elif share >= below_list:
        sentence = f"The quote is {listed}."
    else:
        sentence = f"The quote is {format_percent(1 - share)} below {listed}."
    return _AgainstList(share >= below_list, cheaper, sentence)


def format_percent(share: float) -> str:
    """`46 %`."""
    return f"{100 * share:.0f} %"
