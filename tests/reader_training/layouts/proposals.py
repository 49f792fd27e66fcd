"""Longer proposals: a summary before the details, long descriptions, pages of small print."""

from decimal import Decimal

from tests.reader_training.columns import Column, ColumnMaker, choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import describe, detail, make_line, make_lines, settle
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.names import person_name
from tests.reader_training.paper import Run
from tests.reader_training.purchases import Line
from tests.reader_training.tables import Table, line_rows
from tests.reader_training.terms import draw_small_print, draw_terms
from tests.reader_training.totals import choose_tax, draw_totals


def summary_and_details(layout: str, seed: int) -> Draft:
    """The sums of all parts and their total first, the lines of each part on later pages."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    parts = [make_lines(draft, rng.randrange(1, 6)) for _ in range(rng.choice((2, 3, 4)))]
    names = [f"{number}. {words.any('goods', 'service')}" for number in range(1, len(parts) + 1)]
    purchase.lines = [line for part in parts for line in part]
    choose_tax(draft)
    draw_letterhead(draft)
    columns = choose_columns(draft, purchase.lines)
    draft.y += draft.step
    for name, part in zip(names, parts, strict=True):
        draft.advance(draft.step * 1.3)
        draft.write(draft.left, draft.y, name)
        draft.write(draft.right, draft.y, _sum_of(draft, part), align="right")
    draw_totals(draft)
    draw_terms(draft)
    if draft.chance(0.7):
        draft.new_page()
    first = 0
    for name, part in zip(names, parts, strict=True):
        draft.ensure(draft.step * 8)
        draft.advance(draft.step * 2)
        draft.write(draft.left, draft.y, name, bold=True, size=draft.look.size * 1.2)
        Table(draft, columns, line_rows(part, first)).draw()
        first += len(part)
        if draft.chance(0.5):
            draft.advance(draft.step * 1.3)
            draft.write(draft.right, draft.y, _sum_of(draft, part), bold=True, align="right")
    return draft


def _sum_of(draft: Draft, lines: list[Line]) -> list[Run]:
    value = sum((line.amount or Decimal(0) for line in lines), Decimal(0))
    return [Run(draft.money(value, total=True), "subtotal")]


def long_descriptions(layout: str, seed: int) -> Draft:
    """Lines with several rows of text below their names, full of figures, and small print on pages after."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form"))
    purchase.lines = make_lines(draft, rng.randrange(1, 7))
    for line in purchase.lines:
        line.detail = "; ".join(detail(draft) for _ in range(rng.randrange(2, 7)))
    choose_tax(draft)
    draw_letterhead(draft)
    Table(draft, choose_columns(draft, purchase.lines), line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft, subscription=draft.chance(0.5))
    if draft.chance(0.7):
        draft.new_page()
        draw_small_print(draft, rng.randrange(8, 40))
    return draft


def timesheet(layout: str, seed: int) -> Draft:
    """An invoice of work: a day, who worked, hours and rate in each line."""
    draft = Draft(layout, seed, "invoice")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    people = [person_name(rng) for _ in range(rng.randrange(1, 4))]
    rates = {person: make_line(draft, kind="work").unit_price for person in people}
    for _ in range(rng.randrange(3, 18)):
        person = rng.choice(people)
        hours = Decimal(rng.randrange(1, 40)) / 4
        name = describe(draft, "work")
        line = Line(name if draft.chance(0.5) else f"{name} ({person})", hours, rates[person], None)
        purchase.lines.append(settle(draft, line))
    choose_tax(draft, 0.8)
    draw_letterhead(draft)
    make = ColumnMaker(draft)
    make.plain()
    days = sorted(draft.today.replace(day=rng.randrange(1, 29)) for _ in purchase.lines)
    day = Column("day", words.list("labels", "date")[0], lambda n, _: draft.date(days[n]), "left")
    columns = [day, make.description(), make.quantity(), make.unit_price(), make.amount()]
    if draft.chance(0.3):
        columns[1:3] = [columns[2], columns[1]]
    Table(draft, columns, line_rows(purchase.lines)).draw()
    if draft.chance(0.5):
        hours = sum((line.quantity or Decimal(0) for line in purchase.lines), Decimal(0))
        unit = words.unit("work")[1]
        draft.advance(draft.step * 1.5)
        draft.write(draft.left, draft.y, f"{words.label('total')}: {draft.notation.number(hours)} {unit}")
    draw_totals(draft)
    draw_terms(draft)
    return draft


def rental(layout: str, seed: int) -> Draft:
    """Things for days: quantity x days x price per day."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "order", "invoice"))
    days = rng.randrange(2, 30)
    for _ in range(rng.randrange(1, 8)):
        line = make_line(draft, kind="good")
        line.detail = line.item_id = line.unit = line.units = None
        line.multiplier = Decimal(days if draft.chance(0.7) else rng.randrange(1, 30))
        purchase.lines.append(settle(draft, line))
    choose_tax(draft)
    draw_letterhead(draft)
    make = ColumnMaker(draft)
    make.plain()
    unit = words.list("units", "work")[0]
    period = Column("period", unit[1].capitalize(), make.multiplier, "right")
    price = make.unit_price()
    price = Column(price.key, f"{price.header} / {unit[0]}", price.cell, price.align, lead=price.lead)
    columns = [make.description(), make.quantity(), period, price, make.amount()]
    if draft.chance(0.4):
        columns[1:4] = rng.sample(columns[1:4], 3)
    Table(draft, columns, line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft
