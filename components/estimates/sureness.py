"""Why an estimate is what it is: its factors and other prices, how many purchases it rests on, how close and
old they are, how right such estimates were, and what would make it surer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from math import ceil

import streamlit as st

from app.contract.money import format_money, format_quantity
from app.contract.pricing import (
    FEW_LEARNT,
    MAX_AGE_MONTHS,
    MIN_LIKE_FOR_LIKE,
    MIN_PURCHASES,
    PriceFactor,
    ProductExplanation,
    QuotedPrice,
    find_far_quantity,
    is_too_old,
)
from app.contract.savings import DealAccuracy
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.record_table import Column, draw_record_table
from components.formatting import (
    draw_captions,
    escape_markdown,
    format_count,
    format_date,
    format_total_per_unit,
)

SAMPLE_PURCHASES = "The purchases behind it are sample data: they are generated, and describe no real market."

_LEVEL_NAMES = {
    "product": "purchases of this product in other editions or units, or under other names",
    "similar": "purchases of similar products, or of products of this name from other suppliers",
    "related": "purchases of related products",
    "coarse": "purchases from suppliers of the same kind only; treat the range as a rough guide",
}
_ACCURACY_BASES = {
    "supplier": "for this supplier",
    "level": "based on such purchases",
    "all": "in this workspace",
}


def draw_sureness(products: Sequence[ProductExplanation], asked_at: datetime | None) -> None:
    """Draw the sentences on each product, with its name where there are several. `asked_at` is when it was
    estimated, None where the service does not say."""
    for product in products:
        if len(products) > 1:
            st.markdown(f"**{escape_markdown(product.name)}**")
        st.markdown(
            "\n".join(
                f"- **{question}** {escape_markdown(answer)}"
                for question, answer in describe_sureness(product, asked_at).items()
            )
        )


def describe_sureness(product: ProductExplanation, asked_at: datetime | None) -> Mapping[str, str]:
    """Return the answer to each question on how sure an estimate is."""
    answers = {
        "How many?": _describe_number(product),
        "How close?": f"The closest are {_describe_closest(product)}.",
        "How old?": _describe_dates(product),
        "How right?": _describe_accuracy(product),
        "How wide?": "" if product.widening is None else product.widening.reason,
        "What would make it surer?": " ".join(_suggest_evidence(product, asked_at)),
    }
    return {question: answer for question, answer in answers.items() if answer}


def _describe_closest(product: ProductExplanation) -> str:
    if product.level == "repeat":
        return f"like-for-like purchases: {_name_same(product)} from this supplier"
    return _LEVEL_NAMES.get(product.level, product.level)


def _describe_number(product: ProductExplanation) -> str:
    compared = f"{format_count(product.purchases, 'purchase')} compared"
    if product.like_for_like is None:
        return f"{compared}."
    if not product.like_for_like:
        return f"{compared}; none of them is of {_name_same(product)}."
    same = format_count(product.like_for_like, "is", "are")
    return f"{compared}; {same} of {_name_same(product)}."


def _name_same(product: ProductExplanation) -> str:
    """Return what like-for-like purchases have in common: no edition where it is open."""
    return "the same product and unit" if product.unknown_dimensions else "the same product, edition and unit"


def _describe_dates(product: ProductExplanation) -> str:
    newest, like_for_like = product.newest, product.newest_like_for_like
    same = ""
    if like_for_like == newest:
        same = f", and of {_name_same(product)}"
    elif like_for_like is not None:
        same = f"; the newest of {_name_same(product)} is from {format_date(like_for_like)}"
    return f"The newest is from {format_date(newest)}{same}."


def _describe_accuracy(product: ProductExplanation) -> str:
    accuracy = product.accuracy
    if accuracy is None or accuracy.mdape is None or accuracy.coverage80 is None:
        return "The accuracy of such estimates has not been measured yet."
    data = " (sample data)" if product.sample else ""
    right = (
        f"Estimates {_ACCURACY_BASES.get(accuracy.basis, accuracy.basis)}{data} had a median error of "
        f"{100 * accuracy.mdape:.0f} % over {format_count(accuracy.n, 'past price')}; our 80 % range "
        f"contained {100 * accuracy.coverage80:.0f} % of actual prices."
    )
    if not accuracy.verdicts or accuracy.wrong_verdicts is None:
        return right
    wrong = f"{100 * Decimal(accuracy.wrong_verdicts) / accuracy.verdicts:.1f} %"
    return f"{right} Of {accuracy.verdicts:,} verdicts on quotes made of past prices, {wrong} were wrong."


def _suggest_evidence(product: ProductExplanation, asked_at: datetime | None) -> list[str]:
    suggested: list[str] = []
    if product.unknown_dimensions:
        names = ", ".join(one.name for one in product.unknown_dimensions)
        suggested.append(f"State what the price depends on: {names}.")
    if product.sample:
        suggested.append("Import your own purchases.")
    if product.like_for_like is not None and product.like_for_like < MIN_LIKE_FOR_LIKE:
        suggested.append(
            "Import purchases of the same product, edition and unit: a quote is judged by "
            f"{MIN_LIKE_FOR_LIKE}, or by fewer that cost about the same."
        )
    if asked_at is not None and is_too_old(product.newest, asked_at.date()):
        suggested.append(f"Import a purchase of the past {MAX_AGE_MONTHS} months.")
    if product.quantity is not None and _find_far_quantity(product) is not None:
        suggested.append(f"Import a purchase of about {format_quantity(product.quantity)}.")
    if product.widening is not None and product.widening.newness == "one_order":
        suggested.append("Import a purchase of another order: all of this product are of one.")
    return suggested


def describe_warnings(product: ProductExplanation, asked_at: datetime | None) -> list[str]:
    """Return why the range says less than it seems to: it is of sample data, little was learnt, all purchases
    are old, or they were of quite other quantities."""
    said = (
        SAMPLE_PURCHASES if product.sample else None,
        _describe_learning(product, asked_at),
        _describe_age(product, asked_at),
        _describe_quantity(product),
    )
    return [one for one in said if one]


def _find_far_quantity(product: ProductExplanation) -> Decimal | None:
    bought = [one.quantity for one in product.comparables if not one.other_pack]
    return find_far_quantity(product.quantity, bought) if product.quantity else None


def _describe_quantity(product: ProductExplanation) -> str | None:
    nearest = _find_far_quantity(product)
    if product.quantity is None or nearest is None:
        return None
    least = "at most" if product.quantity > nearest else "at least"
    return (
        f"The comparable purchases were of {least} {format_quantity(nearest)}: what a unit costs at a "
        f"quantity of {format_quantity(product.quantity)} is not known, and the range does not allow for it."
    )


def _describe_age(product: ProductExplanation, asked_at: datetime | None) -> str | None:
    if asked_at is None or not is_too_old(product.newest, asked_at.date()):
        return None
    return (
        f"The newest comparable purchase is from {format_date(product.newest)}: how prices have changed "
        "since then is not known."
    )


def _describe_learning(product: ProductExplanation, asked_at: datetime | None) -> str | None:
    if product.learning_due is not None:
        return (
            f"The latest import is not learnt from yet, {_format_wait(product.learning_due, asked_at)}: its "
            "purchases are compared with, and the estimate can then move within its range."
        )
    if product.learnt_on is None or product.learnt_on >= FEW_LEARNT:
        return None
    if product.learnt_on:
        return (
            f"Only {product.learnt_on} past purchases were learnt from: how much each of them counts, and "
            "how sure the range is, rests on little."
        )
    return (
        "Nothing was learnt from past purchases that every organisation here sees: how much each of them "
        "counts, and how sure the range is, was measured on other kinds of goods. Parley learns from ten on, "
        "a minute after their import. What your organisation imports on the Import page stays its own: ten "
        "comparable purchases are learnt from at once, for it alone."
    )


def _format_wait(due: datetime, asked_at: datetime | None) -> str:
    """`in about a minute`: when what is due was learnt from, which takes a minute at most."""
    wait = timedelta() if asked_at is None else due - asked_at
    minutes = ceil(wait / timedelta(minutes=1))
    return "in about a minute" if minutes <= 1 else f"in about {minutes} minutes"


def draw_deal_accuracy(accuracy: DealAccuracy) -> None:
    """Draw the figures where there are enough deals, else why there are none; below them, each deal."""
    st.markdown("**Your own deals: estimated before, and paid**")
    st.markdown(escape_markdown(accuracy.statement))
    if accuracy.deals >= MIN_PURCHASES and accuracy.mdape is not None:
        sides = Counter("high" if one.error > 0 else "low" for one in accuracy.compared if one.error)
        most = [side for side, total in sides.items() if 2 * total > accuracy.deals]
        side = f" Most estimates were too {most[0]}." if most else ""
        covered = ""
        if accuracy.coverage80 is not None:
            covered = f" The 80 % range contained {accuracy.coverage80:.0%} of the prices."
        st.markdown(escape_markdown(f"The median error was {accuracy.mdape:.0%}.{covered}{side}"))
    if accuracy.compared:
        draw_record_table(
            accuracy.compared,
            {
                "Supplier": Column(lambda one: one.supplier),
                "Estimated": Column(lambda one: format_money(one.median, one.currency), "right"),
                "Paid": Column(lambda one: format_money(one.paid, one.currency), "right"),
                "Error": Column(lambda one: f"{one.error:+.0%}", "right"),
                "In the 80 % range": Column(
                    lambda one: None if one.within80 is None else "yes" if one.within80 else "no"
                ),
            },
            alt="Estimates made before deals, and what was paid",
        )
    for one in accuracy.uncounted:
        st.caption(f"Not counted: {one.total:,}. {escape_markdown(one.reason)}")


_FACTOR_NAMES = {
    "volume": "Volume",
    "term": "Term",
    "renewal": "New or renewal",
    "recency": "Recency",
    "dimensions": "Other dimensions",
}


def draw_price_factors(product: ProductExplanation, currency: str) -> None:
    """Draw the other prices in sentences, then the effect of each factor."""
    st.markdown(f"**{escape_markdown(product.name)}**")
    draw_captions(describe_context(product, currency))
    if factors := _get_effective_factors(product):
        draw_metric_row([Metric(_get_factor_name(one), _format_effect(one.effect)) for one in factors])
    else:
        st.caption("No adjustments: no known price driver differs from the comparable purchases.")


def describe_context(product: ProductExplanation, currency: str) -> list[str]:
    """Return sentences on unit price, list price and other quotes."""
    sentences = [f"{describe_unit_prices(product, currency)}."]
    if product.list_price is not None:
        listed = format_product_unit_price(product, product.list_price.unit_price, currency)
        stated = f" ({format_date(product.list_price.stated_on)})" if product.list_price.stated_on else ""
        sentences.append(f"Published list price {listed}{stated}. {product.list_price.reason}")
    if product.quoted:
        quotes = "; ".join(
            f"{format_money(one.unit_price, one.currency)}{_format_other_period(one, product)} for "
            f"{format_quantity(one.quantity)} on {format_date(one.quoted_on)}"
            for one in product.quoted
        )
        per = "per unit and month" if product.recurring else "per unit"
        sentences.append(f"Other quotes that you received, {per} (quoted, not paid): {quotes}.")
    return sentences


def describe_unit_prices(product: ProductExplanation, currency: str) -> str:
    """Return `Median USD 12.50 per user and month, quoted at USD 14`."""
    median = f"Median {format_product_unit_price(product, product.unit_price, currency)}"
    if product.quoted_unit_price is None:
        return median
    return f"{median}, quoted at {format_money(product.quoted_unit_price, currency)}"


def format_product_unit_price(product: ProductExplanation, price: Decimal, currency: str) -> str:
    """Return `USD 12.50 per user and month`."""
    return format_total_per_unit(price, Decimal(1), 1 if product.recurring else None, product.unit, currency)


def _format_other_period(quote: QuotedPrice, product: ProductExplanation) -> str:
    """Return what the quoted price is for, where that is not what the estimate is for."""
    if (quote.term_months is not None) == product.recurring:
        return ""
    return ", paid once," if product.recurring else " a month"


def describe_factors(product: ProductExplanation) -> str:
    """Return `Volume −7.0 %, Term +2.1 %`; "" where no factor has an effect."""
    return ", ".join(
        f"{_get_factor_name(factor)} {_format_effect(factor.effect)}"
        for factor in _get_effective_factors(product)
    )


def _get_effective_factors(product: ProductExplanation) -> list[PriceFactor]:
    return [factor for factor in product.factors if round(factor.effect, 3) != 1]


def _get_factor_name(factor: PriceFactor) -> str:
    return _FACTOR_NAMES.get(factor.name, factor.name.replace("_", " "))


def _format_effect(effect: Decimal) -> str:
    share = (effect - 1) * 100
    return f"{'+' if share > 0 else '−'}{abs(share):.1f} %"
