"""Subscriptions: users x price x months, and the terms beside them."""

from decimal import Decimal

from tests.reader_training.columns import choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, charge_years, discount_line, make_line
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run
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
