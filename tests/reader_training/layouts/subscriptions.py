"""Subscriptions: users x price x months, and the terms beside them."""

from decimal import Decimal

from tests.reader_training.columns import Column, ColumnMaker, choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, charge_years, discount_line, make_line
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run, Text
from tests.reader_training.purchases import Line, rounded
from tests.reader_training.tables import Table, line_rows
from tests.reader_training.terms import draw_terms, list_term_facts
from tests.reader_training.totals import choose_tax, draw_totals


def per_user_month(layout: str, seed: int) -> Draft:
    """Users x price per user and month x months, the months in a column or stated above."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form", "order_form", "invoice"))
    months = rng.choice((6, 12, 12, 12, 24, 36, 36, 60))
    draft.months = months
    yearly = months % 12 == 0 and draft.chance(0.25)
    for _ in range(rng.choice((1, 1, 2, 3, 4, 6))):
        line = make_line(draft, kind="seat")
        if draft.chance(0.25):
            discount_line(draft, line, rng.choice((5, 10, 15, 20, 25)))
        purchase.lines.append(
            charge_years(draft, line, months // 12) if yearly else charge_months(draft, line, months)
        )
    if draft.chance(0.4):
        purchase.lines.append(make_line(draft, kind="work"))
    choose_tax(draft, 0.4)
    draw_letterhead(draft)
    if draft.chance(0.7):
        draw_term_facts(draft)
    lines = purchase.lines
    columns = choose_columns(draft, lines)
    Table(draft, columns, line_rows(lines)).draw()
    if not yearly and draft.chance(0.3):
        _write_monthly_total(draft)
    elif yearly and months > 12 and draft.chance(0.5):
        _write_yearly_total(draft, months // 12)
    draw_totals(draft)
    draw_terms(draft, subscription=True)
    return draft


def draw_term_facts(draft: Draft) -> None:
    """The term and its like, one below the other or in two columns."""
    facts = list_term_facts(draft)
    half = (draft.right - draft.left) / 2
    two = draft.chance(0.4)
    tab = max(draft.width_of(label) for label, _ in facts) + 14
    for index, (label, value) in enumerate(facts):
        second = two and index % 2
        if not second:
            draft.advance(draft.step)
        x = draft.left + (half if second else 0)
        draft.write(x, draft.y, f"{label}:" if two else label)
        draft.write(x + tab, draft.y, value)
    draft.y += draft.step * 0.5


def _write_monthly_total(draft: Draft) -> None:
    """What all subscriptions cost in a month: a sum that is no total."""
    each = (
        (line.quantity or Decimal(0)) * (line.unit_price or Decimal(0))
        for line in draft.purchase.lines
        if line.price_period == "month"
    )
    draft.advance(draft.step * 1.4)
    label = draft.words.label("monthly_total")
    value = sum(each, Decimal(0))
    draft.write(draft.left, draft.y, [Run(f"{label}: "), Run(draft.money(value, total=True), "other")])


def _write_yearly_total(draft: Draft, years: int) -> None:
    """What all subscriptions cost in a year, where they are charged for several."""
    each = (line.amount or Decimal(0) for line in draft.purchase.lines if line.price_period == "year")
    draft.advance(draft.step * 1.4)
    value = sum(each, Decimal(0)) / years
    label = f"{draft.words.label('total')} ({draft.words.list('labels', 'billed')[0].lower()})"
    draft.write(
        draft.right, draft.y, [Run(f"{label}: "), Run(draft.money(rounded(value)), "other")], align="right"
    )


def renewal_prices(layout: str, seed: int) -> Draft:
    """A renewal that shows what was paid until now beside the new price."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "quote", "order_form"))
    draft.months = rng.choice((12, 12, 24, 36))
    rise = Decimal(rng.choice((2, 3, 5, 7, 10, 12)))
    former: list[Decimal] = []
    for _ in range(rng.choice((1, 2, 3, 4, 6))):
        line = make_line(draft, kind="seat")
        line.detail = line.item_id = line.unit = line.units = None
        former.append(line.unit_price or Decimal(0))
        line.unit_price = rounded(former[-1] * (100 + rise) / 100, draft.notation.step)
        purchase.lines.append(charge_years(draft, line, draft.months // 12))
    choose_tax(draft, 0.4)
    draw_letterhead(draft)
    if draft.chance(0.6):
        draw_term_facts(draft)
    make = ColumnMaker(draft)
    make.plain()
    price = make.unit_price("year_price")
    then, now = draft.today.year - 1, draft.today.year

    def former_price(number: int, _: Line) -> Text:
        return [Run(draft.money(former[number]), "other")]

    columns = [
        make.description(),
        make.quantity("seats"),
        Column("former", f"{price.header} {then}", former_price, "right"),
        Column("unit_price", f"{price.header} {now}", price.cell, price.align, lead=price.lead),
        make.amount(),
    ]
    if draft.months > 12:
        columns.insert(rng.choice((2, 4)), make.period("years"))
    Table(draft, columns, line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft, subscription=True)
    return draft
