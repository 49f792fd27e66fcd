"""What was saved, what is at stake and what is due, and what was spent, each with what it rests on."""

from collections.abc import Iterable

from app.contract.money import format_money
from app.contract.overview import DEADLINE_DAYS, AgreedSum, OpenSum, OverviewFigures, SpentSum
from components.elements.metric_row import Metric, draw_metric_row
from components.formatting import NO_VALUE, format_count, format_date


def draw_year_figures(figures: OverviewFigures) -> None:
    """Draw them beside each other, the sums of several currencies below each other. Savings of sample data
    are shown only where there are no real ones."""
    agreed = [one for one in figures.agreed if not one.sample] or figures.agreed
    since = format_date(figures.since.date() if figures.since else None)
    shown = [
        _make_metric(
            f"Saved since {since}",
            (format_money(one.saved, one.currency) for one in agreed if one.measured),
            (_describe_agreed(one) for one in agreed),
            "No agreed price on record",
        ),
        _make_metric(
            "At stake in negotiations",
            _format_open(figures.at_stake),
            _describe_open(figures.at_stake, "negotiation"),
            "No negotiation under way",
        ),
        _make_metric(
            f"To act on in {DEADLINE_DAYS} days",
            _format_open(figures.due),
            _describe_open(figures.due, "contract"),
            "No contract to act on",
        ),
    ]
    if figures.spent:
        sums = (format_money(one.amount, one.currency) for one in figures.spent)
        notes = map(_describe_spent, figures.spent)
        shown.append(_make_metric(f"Your purchases since {since}", sums, notes, ""))
    draw_metric_row(shown, is_framed=True)


def _make_metric(name: str, amounts: Iterable[str], notes: Iterable[str], nothing: str) -> Metric:
    return Metric(name, " + ".join(amounts) or NO_VALUE, note=". ".join(notes) or nothing)


def _format_open(sums: Iterable[OpenSum]) -> list[str]:
    return [
        format_money(one.amount, one.currency) for one in sums if one.currency and one.records > one.unpriced
    ]


def _describe_open(sums: Iterable[OpenSum], noun: str) -> list[str]:
    """Return `6 contracts, 1 of them without an amount`."""
    known = list(sums)
    if not known:
        return []
    unpriced = sum(one.unpriced for one in known)
    without = f", {unpriced:,} of them without an amount" if unpriced else ""
    return [f"{format_count(sum(one.records for one in known), noun)}{without}"]


def _describe_agreed(one: AgreedSum) -> str:
    """Say over how many agreed prices it is known what was saved, and what they cost."""
    cost = (
        f"{format_count(one.agreements, 'agreed price')}, {format_money(one.agreed, one.currency)} before tax"
    )
    if one.measured == one.agreements:
        return cost
    return f"{cost}; {one.measured:,} of them with a price to compare with"


def _describe_spent(one: SpentSum) -> str:
    purchases = f"{format_count(one.purchases, 'purchase')} from {format_count(one.suppliers, 'supplier')}"
    if not one.without_term:
        return f"{purchases}, each for its whole term"
    return (
        f"{purchases}, each for its whole term;"
        f" of {format_count(one.without_term, 'purchase')} without one, one month or year is counted"
    )
