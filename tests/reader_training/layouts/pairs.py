"""More than one table: side by side, apart by kind of charge, and several quotes in one file."""

from dataclasses import replace
from decimal import Decimal

from tests.reader_training.columns import ColumnMaker, choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import Theme, charge_months, make_line, make_lines
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run
from tests.reader_training.purchases import Line, Purchase
from tests.reader_training.tables import Table, choose_table_look, line_rows
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import choose_tax, draw_totals


def recurring_and_once(layout: str, seed: int) -> Draft:
    """What is charged again and again in one table, what is charged once in another; one total."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form", "order_form"))
    draft.months = rng.choice((12, 12, 24, 36))
    again = [
        charge_months(draft, make_line(draft, kind="seat"), draft.months)
        for _ in range(rng.choice((1, 2, 3, 4)))
    ]
    once = [make_line(draft, kind="work") for _ in range(rng.choice((1, 1, 2, 3)))]
    purchase.lines = [*again, *once]
    choose_tax(draft, 0.4)
    draw_letterhead(draft)
    look = choose_table_look(draft)
    for key, lines, first in (("recurring", again, 0), ("one_time", once, len(again))):
        draft.advance(draft.step * 1.8)
        draft.write(draft.left, draft.y, words.label(key), bold=True, size=draft.look.size * 1.15)
        Table(draft, choose_columns(draft, lines), line_rows(lines, first), look).draw()
        _draw_sum(draft, key, lines)
    draw_totals(draft)
    draw_terms(draft, subscription=True)
    return draft


def _draw_sum(draft: Draft, key: str, lines: list[Line]) -> None:
    value = sum((line.amount or Decimal(0) for line in lines), Decimal(0))
    label = draft.words.label("section").format(name=draft.words.label(key))
    draft.advance(draft.step * 1.2)
    text = [Run(f"{label}: "), Run(draft.money(value, total=True), "subtotal")]
    draft.write(draft.right, draft.y, text, bold=True, align="right")


def side_by_side(layout: str, seed: int) -> Draft:
    """Two narrow tables beside one another, each with lines; the total stands below both."""
    draft = Draft(layout, seed, "quote", landscape=seed % 2 == 0)
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    draft.shrink(margin=rng.uniform(30, 50), size=rng.choice((7.0, 7.5, 8.0)))
    themes: tuple[Theme, Theme] = ("goods", "services")
    groups = [make_lines(draft, rng.choice((1, 2, 3, 4)), theme) for theme in themes]
    purchase.lines = [*groups[0], *groups[1]]
    for line in purchase.lines:
        line.detail = line.item_id = line.unit = None
    choose_tax(draft)
    draw_letterhead(draft)
    make = ColumnMaker(draft)
    make.plain()
    columns = [make.description(), make.quantity(), make.unit_price(), make.amount()]
    look = replace(choose_table_look(draft), pad=2.0)
    middle, top, page = (draft.left + draft.right) / 2, draft.y, draft.paper.page
    lowest = top
    for index, lines in enumerate(groups):
        draft.y = top + draft.step * 1.5
        left, right = (draft.left, middle - 8) if index == 0 else (middle + 8, draft.right)
        draft.write(left, draft.y, words.label("recurring" if index else "one_time"), bold=True)
        Table(draft, columns, line_rows(lines, index * len(groups[0])), look, left=left, right=right).draw()
        assert draft.paper.page == page, "two tables beside one another stand on one page"
        lowest = max(lowest, draft.y)
    draft.y = lowest
    draw_totals(draft)
    draw_terms(draft)
    return draft


def several_quotes(layout: str, seed: int) -> Draft:
    """Two or three quotes in one file, each with a number, lines and a total of its own."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    count = rng.choice((2, 2, 3))
    for number in range(count):
        if number:
            draft.new_page()
            purchase = draft.purchase = Purchase(
                "quote",
                purchase.language,
                purchase.locale,
                purchase.currency,
                purchase.supplier,
                purchase.buyer,
            )
        purchase.lines = make_lines(draft, rng.randrange(1, 6))
        choose_tax(draft)
        draw_letterhead(draft)
        first = sum(len(one.lines) for one in draft.quotes)
        Table(draft, choose_columns(draft, purchase.lines), line_rows(purchase.lines, first)).draw()
        draw_totals(draft)
        draw_terms(draft)
        draft.quotes.append(purchase)
    return draft
