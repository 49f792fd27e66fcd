"""Prices that are reduced: discounts in rows of their own, and credits."""

from dataclasses import replace
from decimal import Decimal

from tests.reader_training.columns import Column, ColumnMaker, choose_columns, forget_unprinted
from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, discount_line, make_lines
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run, Text
from tests.reader_training.purchases import Line, rounded
from tests.reader_training.tables import LineRow, Row, SumRow, Table, line_rows
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import choose_document_discount, choose_tax, draw_totals


def discount_columns(layout: str, seed: int) -> Draft:
    """List price, discount and net price of each line, and often a discount on all of them."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form", "invoice"))
    purchase.lines = make_lines(
        draft, rng.choice((1, 2, 3, 4, 6)), rng.choice(("software", "goods", "mixed"))
    )
    months = rng.choice((None, None, 12, 24, 36))
    for line in purchase.lines:
        if draft.chance(0.85):
            discount_line(draft, line, rng.choice((5, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50)))
        if months and line.sold_by == "seat":
            charge_months(draft, line, months)
    choose_document_discount(draft, 0.5)
    choose_tax(draft)
    draw_letterhead(draft)
    Table(draft, choose_columns(draft, purchase.lines), line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft, subscription=bool(months))
    return draft


def discount_rows(layout: str, seed: int) -> Draft:
    """Each discount in a row below its line, taken off the amount of the line that is printed above it."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.lines = make_lines(draft, rng.choice((1, 2, 3, 4)), rng.choice(("software", "goods", "mixed")))
    for line in purchase.lines:
        line.detail = None
        if draft.chance(0.65):
            discount_line(draft, line, rng.choice((5, 10, 15, 20, 25, 30)))
            line.unit_price_printed = False
    choose_tax(draft)
    draw_letterhead(draft)
    make = ColumnMaker(draft)
    columns = [make.description(), make.quantity(), make.list_price(), _gross_amount(make)]
    columns[2] = replace(columns[2], header=words.column("unit_price"))
    if draft.chance(0.3):
        columns.insert(rng.choice((0, 1)), make.sku())
    forget_unprinted(purchase.lines, {column.key for column in columns} | make.printed)
    rows: list[Row] = []
    for number, line in enumerate(purchase.lines):
        rows.append(LineRow(number, line))
        if line.list_unit_price is None or line.discount_percent is None:
            continue
        assert line.amount is not None
        label = f"{words.label('document_discount')} {draft.notation.number(line.discount_percent)} %"
        figure = Run(draft.money(line.amount - _gross(line)), "discount", number)
        rows.append(SumRow(label, [figure], bold=False))
    Table(draft, columns, rows).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft


def _gross(line: Line) -> Decimal:
    """The amount before the discount."""
    assert line.quantity is not None
    price = line.list_unit_price if line.list_unit_price is not None else line.unit_price
    assert price is not None
    return rounded(line.quantity * price)


def _gross_amount(make: ColumnMaker) -> Column:
    def cell(number: int, line: Line) -> Text:
        return [Run(make.money(_gross(line)), "amount", number)]

    return replace(make.amount(), cell=cell)


def credits(layout: str, seed: int) -> Draft:
    """Credits among the lines: negative amounts, in brackets or with the sign before or after."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "invoice", "order_form"))
    purchase.lines = make_lines(draft, rng.choice((1, 2, 3, 4)), rng.choice(("software", "mixed", "goods")))
    largest = max(line.amount or Decimal(0) for line in purchase.lines)
    for _ in range(rng.choice((1, 1, 2))):
        value = rounded(largest * rng.choice((5, 8, 10, 20)) / 100, draft.notation.step)
        name = words.any("goods", "credit")
        credit = Line(name, None, None, -value, credit=True)
        if draft.chance(0.4):
            credit.quantity, credit.unit_price = Decimal(1), -value
        place = rng.choice((len(purchase.lines), len(purchase.lines), 0, 1))
        purchase.lines.insert(place, credit)
    choose_tax(draft)
    draw_letterhead(draft)
    Table(draft, choose_columns(draft, purchase.lines), line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft
