"""Prices that are reduced: discounts in rows of their own, and credits."""

from decimal import Decimal

from tests.reader_training.columns import choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, discount_line, make_lines
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.purchases import Line, rounded
from tests.reader_training.tables import Table, line_rows
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
    """Each discount a row below its line, with a negative amount: a line of its own."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    for line in make_lines(draft, rng.choice((1, 2, 3, 4)), rng.choice(("software", "goods", "mixed"))):
        purchase.lines.append(line)
        line.detail = None
        assert line.amount is not None
        if draft.chance(0.6):
            percent = Decimal(rng.choice((5, 10, 15, 20, 25)))
            saved = rounded(line.amount * percent / 100, draft.notation.step)
            label = f"{words.label('document_discount')} {draft.notation.number(percent)} %"
            purchase.lines.append(Line(label, None, None, -saved, credit=True))
    choose_tax(draft)
    draw_letterhead(draft)
    columns = choose_columns(draft, purchase.lines)
    Table(draft, columns, line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft


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
