"""What may be chosen, and what comes together: options, alternatives, packages and bundles."""

from decimal import Decimal

from tests.reader_training.columns import ColumnMaker, choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import any_price, describe, make_line, make_lines
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run
from tests.reader_training.purchases import Line
from tests.reader_training.tables import BandRow, Row, SumRow, Table, line_rows
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import choose_tax, draw_totals


def options(layout: str, seed: int) -> Draft:
    """Lines that are no part of the total: options and alternatives, within the table or below the total."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    firm = rng.choice((1, 2, 3, 5))
    lines = make_lines(draft, firm + rng.choice((1, 1, 2, 3)))
    for line in lines[firm:]:
        line.optional = True
    choose_tax(draft)
    form = rng.choice(("marked", "heading", "below"))
    if form == "marked":
        _mark(draft, lines, firm)
    purchase.lines = lines
    draw_letterhead(draft)
    columns = choose_columns(draft, lines)
    rows = line_rows(lines[:firm])
    extra = line_rows(lines[firm:], firm)
    heading = BandRow(words.label("optional"))
    if form == "marked":
        rows += extra
    elif form == "heading":
        rows += [heading, *extra]
    Table(draft, columns, rows).draw()
    draw_totals(draft)
    if form == "below":
        draft.y += draft.step
        Table(draft, columns, [heading, *extra]).draw()
    draw_terms(draft)
    return draft


def _mark(draft: Draft, lines: list[Line], firm: int) -> None:
    """Says in or below the description that a line is optional or an alternative."""
    words = draft.words
    for line in lines[firm:]:
        word = words.label("optional")
        if "(" in word or draft.chance(0.3):
            word = words.any("labels", "alternate").format(n=draft.rng.randrange(1, firm + 1))
        if draft.chance(0.5):
            line.description = f"{word}: {line.description}"
        else:
            line.detail = f"({word})"


def packages(layout: str, seed: int) -> Draft:
    """Several packages to choose from, each with its own total; there is no total of all."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.priced = False
    groups = [make_lines(draft, rng.choice((1, 2, 2, 3))) for _ in range(rng.choice((2, 2, 3)))]
    purchase.lines = [line for group in groups for line in group]
    draw_letterhead(draft)
    columns = choose_columns(draft, purchase.lines)
    first = 0
    for number, group in enumerate(groups, 1):
        name = words.label("option").format(n=rng.choice((number, "ABC"[number - 1])))
        value = sum((line.amount or Decimal(0) for line in group), Decimal(0))
        for line in group:
            line.optional, line.group = True, name
        figure = [Run(draft.money(value, total=True), "subtotal")]
        total = SumRow(f"{words.label('total')} {name}", figure)
        Table(draft, columns, [BandRow(name), *line_rows(group, first), total]).draw()
        draft.y += draft.step * 1.5
        first += len(group)
    draw_terms(draft)
    return draft


def bundle(layout: str, seed: int) -> Draft:
    """A bundle with one price, and what it contains without prices, as lines of nothing or as words below."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form", "invoice"))
    head = make_line(draft, kind="good")
    head.description, head.detail = words.any("goods", "bundle"), None
    head.quantity = Decimal(rng.choice((1, 1, 1, 5, 10, 25)))
    head.unit_price = any_price(draft, "work")
    head.amount = head.quantity * head.unit_price
    as_lines = draft.chance(0.6)
    purchase.lines = [head]
    contents = [describe(draft, rng.choice(("seat", "good", "work"))) for _ in range(rng.randrange(2, 6))]
    if as_lines:
        for name in contents:
            part = Line(name, head.quantity, Decimal(0), Decimal(0), item_id=head.item_id, included=True)
            part.unit, part.units = head.unit, head.units
            purchase.lines.append(part)
    else:
        head.detail = f"{words.label('contents')}: {', '.join(contents)}"
    purchase.lines += make_lines(draft, rng.choice((0, 0, 1, 2)))
    choose_tax(draft)
    draw_letterhead(draft)
    columns = choose_columns(draft, purchase.lines)
    for line in purchase.lines:
        line.item_id = None if line.included else line.item_id
    rows: list[Row] = line_rows(purchase.lines)
    Table(draft, columns, rows).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft


def simple_fees(layout: str, seed: int) -> Draft:
    """A list of names and amounts without quantities or prices, with dots between or wide apart."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "invoice"))
    purchase.lines = make_lines(draft, rng.choice((2, 3, 4, 6, 9)), rng.choice(("services", "mixed")))
    for line in purchase.lines:
        line.quantity = line.unit_price = line.unit = line.item_id = line.detail = None
    choose_tax(draft)
    draw_letterhead(draft)
    if draft.chance(0.4):
        make = ColumnMaker(draft)
        Table(draft, [make.description(), make.amount()], line_rows(purchase.lines)).draw()
    else:
        _draw_list(draft)
    draw_totals(draft)
    draw_terms(draft)
    return draft


def _draw_list(draft: Draft) -> None:
    dotted, bullet = draft.chance(0.6), draft.rng.choice(("", "• ", "– "))
    for number, line in enumerate(draft.purchase.lines):
        assert line.amount is not None
        draft.advance(draft.step * 1.3)
        item = (
            [Run(bullet), Run(line.description, "item", number)]
            if bullet
            else [Run(line.description, "item", number)]
        )
        start = draft.left + draft.write(draft.left, draft.y, item) + 6
        width = draft.write(
            draft.right, draft.y, [Run(draft.money(line.amount), "amount", number)], align="right"
        )
        dots = int((draft.right - width - 6 - start) / draft.width_of("."))
        if dotted and dots > 3:
            draft.write(draft.right - width - 6, draft.y, "." * dots, align="right")
