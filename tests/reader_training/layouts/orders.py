"""Orders, invoices and receipts in forms of their own."""

from collections.abc import Sequence
from decimal import Decimal

from tests.reader_training.columns import Column, ColumnMaker, choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import leave_flat, make_line, make_lines, settle
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.names import address, document_number, phone, tax_number
from tests.reader_training.paper import Run, Text
from tests.reader_training.tables import Table, line_rows
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import (
    TAX_RATES,
    choose_document_discount,
    choose_tax,
    draw_totals,
    list_sums,
)


def two_row_lines(layout: str, seed: int) -> Draft:
    """Lines of two rows: number, code and description above, the figures below."""
    draft = Draft(layout, seed, "order")
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("order", "quote", "invoice"))
    lines = purchase.lines = make_lines(draft, rng.randrange(1, 9), rng.choice(("goods", "mixed")))
    choose_document_discount(draft)
    choose_tax(draft)
    draw_letterhead(draft)
    make = ColumnMaker(draft)
    make.plain()
    figures = [make.quantity(), make.unit(), make.unit_price(), make.amount()]
    if draft.chance(0.4):
        del figures[1]
        for line in lines:
            line.unit = line.units = None
    coded, numbered = draft.chance(0.5), draft.chance(0.5)
    width = draft.right - draft.left
    edges = [draft.left + width * (0.3 + 0.7 * (index + 1) / len(figures)) for index in range(len(figures))]
    if draft.chance(0.8):
        draft.advance(draft.step * 1.2)
        draft.write(draft.left, draft.y, draft.words.column("description"), bold=True)
        _write_cells(draft, edges, [column.header for column in figures], bold=True)
        draft.paper.rule(draft.left, draft.y + 4, draft.right, draft.y + 4)
        draft.y += 5
    for number, line in enumerate(lines):
        line.detail = None
        line.item_id = line.item_id if coded else None
        draft.ensure(draft.step * 3)
        draft.y += draft.step * 0.4
        draft.advance(draft.step)
        start = (f"{(number + 1) * 10}  " if numbered else "") + (f"{line.item_id}  " if coded else "")
        item = [Run(line.description, "item", number)]
        draft.write(draft.left, draft.y, [Run(start), *item] if start else item)
        draft.advance(draft.step)
        _write_cells(draft, edges, [column.cell(number, line) for column in figures])
    draw_totals(draft)
    draw_terms(draft)
    return draft


def _write_cells(draft: Draft, edges: Sequence[float], cells: Sequence[Text], *, bold: bool = False) -> None:
    for edge, cell in zip(edges, cells, strict=True):
        draft.write(
            edge, draft.y, cell, align="right", bold=bold, size=draft.look.size * (0.85 if bold else 1)
        )


def tax_table_invoice(layout: str, seed: int) -> Draft:
    """An invoice with a tax rate for each line, a table of the taxes, and often a prepayment."""
    draft = Draft(layout, seed, "invoice")
    rng, purchase = draft.rng, draft.purchase
    rates = [Decimal(rate) for rate in TAX_RATES[purchase.language]][:2]
    purchase.lines = make_lines(draft, rng.randrange(2, 9))
    for line in purchase.lines:
        line.tax_rate = rng.choice(rates)
    draw_letterhead(draft)
    columns = choose_columns(draft, purchase.lines)
    if not any(column.key == "tax" for column in columns):
        columns.insert(-1, ColumnMaker(draft).tax())
    Table(draft, columns, line_rows(purchase.lines)).draw()
    above = draft.chance(0.4)
    if above:
        _draw_tax_table(draft)
    draw_totals(draft, prepaid=draft.chance(0.5))
    if not above:
        _draw_tax_table(draft)
    draw_terms(draft)
    return draft


def _draw_tax_table(draft: Draft) -> None:
    """Rate, net and tax, and in some the gross, of each rate."""
    words = draft.words
    gross = draft.chance(0.5)
    draft.ensure(draft.step * 6)
    draft.y += draft.step
    heads = [words.column("tax"), words.label("tax_base"), words.label("tax_amount")]
    if gross:
        heads.append(words.label("gross"))
    widths = [max(60.0, draft.width_of(head, bold=True) + 20) for head in heads]
    edges = [draft.left + sum(widths[: index + 1]) for index in range(len(widths))]
    draft.advance(draft.step)
    _write_cells(draft, edges, heads, bold=True)
    for rate, base, tax in draft.purchase.taxes:
        draft.advance(draft.step)
        cells: list[Text] = [
            f"{draft.notation.number(rate)} %",
            draft.money(base),
            [Run(draft.money(tax), "tax")],
        ]
        if gross:
            cells.append(draft.money(base + tax))
        _write_cells(draft, edges, cells)
    draft.y += draft.step


def receipt(layout: str, seed: int) -> Draft:
    """A narrow receipt: name and amount in one row, quantity x price below or before it."""
    rows = 2 + seed % 9
    draft = Draft(layout, seed, "invoice", size=(226.8, 330.0 + 34.0 * rows))
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = "invoice"
    draft.shrink(margin=14, size=rng.choice((7.0, 7.5, 8.0)))
    for _ in range(rows):
        line = make_line(draft, kind="good")
        assert line.quantity is not None
        line.quantity = Decimal(rng.choice((1, 1, 1, 2, 3, 4)))
        line.description = line.description.split(",")[0][:26].strip()
        line.detail = line.item_id = line.unit = None
        purchase.lines.append(settle(draft, line))
    choose_tax(draft, 0.8)
    purchase.taxed_within = purchase.tax_rate is not None and draft.chance(0.5)
    middle = draft.paper.width / 2
    purchase.document_number, purchase.document_date = document_number(rng), draft.today
    heads = [purchase.supplier, *address(words, rng), f"{words.label('phone')} {phone(rng)}"]
    if draft.chance(0.5):
        heads.append(f"{words.label('tax_id')} {tax_number(rng)}")
    for index, text in enumerate([*heads, "", words.any("titles", "receipt")]):
        draft.advance(draft.step)
        draft.write(middle, draft.y, text, align="centre", bold=index == 0)
    draft.advance(draft.step)
    draft.write(draft.left, draft.y, f"{words.label('number_invoice')} {purchase.document_number}")
    draft.advance(draft.step)
    clock = f"{rng.randrange(8, 20):02}:{rng.randrange(60):02}"
    draft.write(draft.left, draft.y, f"{words.label('date_invoice')} {draft.date(draft.today)} {clock}")
    draft.y += draft.step * 0.5
    above = draft.chance(0.3)
    for number in range(rows):
        _draw_receipt_line(draft, number, above=above)
    draft.y += draft.step * 0.5
    for one in list_sums(draft):
        draft.advance(draft.step * 1.1)
        draft.write(draft.left, draft.y, one.label, bold=one.strong)
        draft.write(draft.right, draft.y, one.figure(draft), bold=one.strong, align="right")
    if draft.chance(0.6):
        _draw_change(draft)
    return draft


def _draw_receipt_line(draft: Draft, number: int, *, above: bool) -> None:
    line = draft.purchase.lines[number]
    assert line.quantity is not None
    assert line.unit_price is not None
    assert line.amount is not None
    amount = [Run(draft.money(line.amount), "amount", number)]
    times = draft.words.same("labels", "times")
    factors = [
        Run(draft.notation.number(line.quantity), "quantity", number),
        Run(f" {times} "),
        Run(draft.money(line.unit_price), "unit_price", number),
    ]
    rows: list[tuple[Text, Text]] = [([Run(line.description, "item", number)], ""), (factors, amount)]
    if above:
        rows = [(factors, ""), ([Run(line.description, "item", number)], amount)]
    for left, right in rows:
        draft.advance(draft.step)
        draft.write(draft.left, draft.y, left)
        draft.write(draft.right, draft.y, right, align="right")


def _draw_change(draft: Draft) -> None:
    """What was paid and given back: figures that are no totals."""
    paid = (draft.purchase.total / 10).to_integral_value() * 10 + 10
    for label, value in ((draft.words.label("prepaid"), paid), ("", paid - draft.purchase.total)):
        draft.advance(draft.step)
        draft.write(draft.left, draft.y, label or "=")
        draft.write(draft.right, draft.y, [Run(draft.money(value, total=True), "other")], align="right")


def long_table(layout: str, seed: int) -> Draft:
    """A table over several pages, its headers repeated or not, in some with the sum carried forward."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "order", "invoice"))
    purchase.lines = make_lines(draft, rng.randrange(26, 55), rng.choice(("goods", "mixed")))
    leave_flat(draft)
    choose_document_discount(draft)
    choose_tax(draft)
    draw_letterhead(draft)
    columns = choose_columns(draft, purchase.lines)
    Table(draft, columns, line_rows(purchase.lines), carries=draft.chance(0.4)).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft


def wide_landscape(layout: str, seed: int) -> Draft:
    """A landscape page with more columns than others have: codes, dates, taxes, places."""
    draft = Draft(layout, seed, "quote", landscape=True)
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "order", "order_form"))
    purchase.lines = make_lines(draft, rng.randrange(1, 14))
    leave_flat(draft)
    choose_document_discount(draft)
    choose_tax(draft)
    draw_letterhead(draft)
    columns = choose_columns(draft, purchase.lines)
    make = ColumnMaker(draft)
    keys = {column.key for column in columns}
    cities = {number: draft.words.any("places", "cities") for number in range(len(purchase.lines))}
    year = draft.today.year
    extra = [
        make.delivery(),
        Column("place", draft.words.label("customer"), lambda n, _: cities[n], "left"),
        Column("code", "ID", lambda n, _: f"{year}{(n * 7919 + seed) % 9973:04}", "left"),
    ]
    for column in extra:
        if column.key not in keys and draft.chance(0.6):
            columns.insert(rng.randrange(0, len(columns)), column)
    Table(draft, columns, line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft


def turned_pages(layout: str, seed: int) -> Draft:
    """Pages that are stored on their side and turned for reading."""
    draft = Draft(layout, seed, "quote", turned=True, landscape=seed % 3 == 0)
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "order", "invoice"))
    purchase.lines = make_lines(draft, rng.randrange(1, 12))
    leave_flat(draft)
    choose_document_discount(draft)
    choose_tax(draft)
    draw_letterhead(draft)
    Table(draft, choose_columns(draft, purchase.lines), line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft
