"""Invented lines: what is sold, how much of it and at what price."""

from decimal import Decimal
from typing import Literal, TypeAlias

from tests.reader_training.draft import Draft
from tests.reader_training.names import invented_word, price, sku
from tests.reader_training.purchases import Line, SoldBy, rounded

Theme: TypeAlias = Literal["goods", "software", "services", "mixed"]


def describe(draft: Draft, kind: SoldBy) -> str:
    """The name of what is sold; hardware often carries digits in its name."""
    rng, words = draft.rng, draft.words
    if kind == "seat":
        name = words.any("goods", "software")
        brand = draft.purchase.supplier.split()[0] if draft.chance(0.4) else invented_word(rng)
        parts = [brand, name, words.any("goods", "edition")]
        return " ".join(parts[rng.choice((0, 0, 1)) :])
    if kind == "work":
        name = words.any("goods", "service")
        return f"{name} {invented_word(rng)}" if draft.chance(0.2) else name
    name = words.any("goods", "hardware")
    if draft.chance(0.4):
        name += f" {invented_word(rng)}"
    if draft.chance(0.5):
        name += rng.choice(
            (
                f" {rng.randrange(2, 64)} GB",
                f" {rng.randrange(10, 99)}x{rng.randrange(10, 99)} cm",
                f" {rng.choice('ABCXZ')}{rng.randrange(10, 9900)}",
                f' {rng.randrange(15, 49)}"',
                f" {rng.randrange(1, 50)} m",
                f" DIN A{rng.randrange(3, 6)}",
                f" {rng.randrange(100, 3000)} W",
            )
        )
    if draft.chance(0.3):
        name += f", {words.any('goods', 'quality')}"
    return name


def detail(draft: Draft) -> str:
    """Text below a line's name, often with figures that are no prices."""
    rng = draft.rng
    return draft.words.any("goods", "detail").format(
        n=rng.choice((rng.randrange(2, 99), rng.randrange(100, 9999))),
        m=rng.randrange(2, 37),
        place=draft.words.any("places", "cities"),
    )


def quantity(draft: Draft, kind: SoldBy) -> Decimal:
    rng = draft.rng
    if kind == "seat":
        return Decimal(
            rng.choice(
                (1, 5, 10, 12, 15, 20, 25, 40, 50, 75, 100, 120, 250, 500, 1200, rng.randrange(1, 900))
            )
        )
    if kind == "work":
        return Decimal(rng.choice((1, 1, 2, 3, 5, 8, 10, 20))) + (Decimal("0.5") if draft.chance(0.15) else 0)
    return Decimal(rng.choice((1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100, rng.randrange(1, 400))))


def kind_of(draft: Draft, theme: Theme) -> SoldBy:
    choices: dict[Theme, tuple[SoldBy, ...]] = {
        "goods": ("good", "good", "good", "work"),
        "software": ("seat", "seat", "seat", "work"),
        "services": ("work",),
        "mixed": ("seat", "good", "work"),
    }
    return draft.rng.choice(choices[theme])


def scale(draft: Draft) -> int:
    """What prices are multiplied with, so that they are plausible in the currency."""
    return {"JPY": 100, "SEK": 8, "DKK": 6, "PLN": 4}.get(draft.notation.currency, 1)


def any_price(draft: Draft, kind: SoldBy) -> Decimal:
    low, high = {"seat": (2.0, 90.0), "work": (40.0, 2500.0)}.get(kind, (0.8, 3000.0))
    factor = scale(draft)
    return price(draft.rng, low * factor, high * factor, whole=draft.notation.currency == "JPY")


def make_line(draft: Draft, theme: Theme = "goods", *, kind: SoldBy | None = None) -> Line:
    """A line of quantity x price."""
    chosen = kind or kind_of(draft, theme)
    count, each = quantity(draft, chosen), any_price(draft, chosen)
    one, many = draft.words.unit(chosen)
    line = Line(
        describe(draft, chosen),
        count,
        each,
        rounded(count * each),
        unit=one,
        units=many,
        item_id=sku(draft.rng),
        one_time=chosen == "work",
        sold_by=chosen,
    )
    if draft.chance(0.35):
        line.detail = detail(draft)
    return settle(draft, line)


def settle(draft: Draft, line: Line) -> Line:
    """Makes the amount what the printed figures give."""
    assert line.quantity is not None
    assert line.unit_price is not None
    line.amount = rounded(line.quantity * line.unit_price * line.multiplier, draft.notation.step)
    return line


def make_lines(draft: Draft, count: int, theme: Theme | None = None) -> list[Line]:
    theme = theme or draft.rng.choice(("goods", "software", "services", "mixed"))
    lines = [make_line(draft, theme) for _ in range(count)]
    if not draft.chance(0.6):
        for line in lines:
            line.detail = None
    return lines


def leave_flat(draft: Draft) -> None:
    """In some documents work is charged at an amount, without quantity and price."""
    if not draft.chance(0.12):
        return
    for line in draft.purchase.lines:
        if line.sold_by == "work" and line.list_unit_price is None and draft.chance(0.6):
            line.quantity = line.unit_price = line.unit = line.units = None


def charge_months(draft: Draft, line: Line, months: int) -> Line:
    """Makes the price one for a month, charged for so many."""
    line.multiplier, line.price_period, line.period_months = Decimal(months), "month", months
    line.one_time = False
    return settle(draft, line)


def charge_years(draft: Draft, line: Line, years: int) -> Line:
    """Makes the price one for a year, charged for so many."""
    line.multiplier, line.price_period, line.period_months = Decimal(years), "year", 12 * years
    line.one_time = False
    return settle(draft, line)


def discount_line(draft: Draft, line: Line, percent: int) -> Line:
    """Gives a line a list price and a discount; the net price is exact at the money's smallest step."""
    step = draft.notation.step
    assert line.unit_price is not None
    listed = rounded(line.unit_price, Decimal(1)) or Decimal(1)
    if step == 1:
        listed *= 20
    net = listed * (100 - percent) / 100
    if net != rounded(net, step):
        percent = {True: 5, False: 10}[percent < 8]
        net = listed * (100 - percent) / 100
    line.list_unit_price, line.discount_percent, line.unit_price = listed, Decimal(percent), net
    return settle(draft, line)
