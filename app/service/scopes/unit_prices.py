"""What a line of a document costs that states the price of a unit and not how many are bought: a line of a
price list, or prices that depend on the quantity. Pure."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from app.contract.money import format_exact_quantity
from app.service.catalog.names import name_key
from app.service.charges.charge import PER_OF_MONTHS, Charge, Per, Step, to_decimal
from app.service.scopes.stored_reading import StoredLine, read_price_before_tax
from app.service.scopes.units import find_period


def price_quantity(
    lines: Sequence[StoredLine], index: int, quantity: Decimal, *, recurring: bool | None, months: int
) -> Decimal | None:
    """Return what so many units of the line at `index` cost, before tax, where they are bought for so many
    months; None where the line does not say, as of a price that is paid again and again, but not how often.
    Lines of the same thing from several quantities on are steps of one price. Raises ValueError with a
    sentence where there is no price for this quantity."""
    line = lines[index]
    steps = _list_steps(lines, line)
    prices = [read_price_before_tax(step) for step in steps]
    per = find_price_period(line, recurring)
    if per is None or any(price is None for price in prices):
        return None
    known = [Fraction(price) for price in prices if price is not None]
    starts = [Decimal(str(_get_start(step))) for step in steps]
    if quantity < starts[0]:
        raise ValueError(f"It is sold from {format_exact_quantity(starts[0])} on.")
    end = steps[-1].get("to_quantity")
    if end is not None and quantity > Decimal(str(end)):
        raise ValueError(f"Its prices are stated up to {format_exact_quantity(Decimal(str(end)))}.")
    charge = Charge(
        what=line.get("description") or "",
        currency="XXX",
        kind="one_time" if per == "once" else "recurring",
        per=per,
        quantity=Fraction(quantity),
        rate=known[0],
        steps=[Step(Fraction(start), rate) for start, rate in zip(starts, known, strict=True)],
        start_month=0,
        months=months,
    )
    return None if charge.amount is None else to_decimal(charge.amount)


def _list_steps(lines: Sequence[StoredLine], line: StoredLine) -> list[StoredLine]:
    """The steps of the price of a line, from the lowest; the line alone where its price has none."""
    if line.get("from_quantity") is None:
        return [line]
    name = name_key(line.get("description") or "")
    steps = [
        other
        for other in lines
        if other.get("from_quantity") is not None
        and name_key(other.get("description") or "") == name
        and (other.get("unit"), other.get("period_months")) == (line.get("unit"), line.get("period_months"))
    ]
    return sorted(steps, key=_get_start)


def _get_start(step: StoredLine) -> float:
    return step.get("from_quantity") or 0


def find_price_period(line: StoredLine, recurring: bool | None) -> Per | None:
    """What the price is for; None where it is paid again and the line does not say how often."""
    if recurring is False:
        return "once"
    period = line.get("period_months")
    if period is not None:
        return PER_OF_MONTHS.get(period)
    return find_period(line.get("unit")) or (None if recurring else "term")
