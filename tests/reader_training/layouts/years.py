"""Prices that differ by year: columns for years, ramps, and months beside years."""

from collections.abc import Callable, Sequence
from decimal import Decimal

from tests.reader_training.columns import Column, ColumnMaker, choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, make_line, settle
from tests.reader_training.layouts.subscriptions import draw_term_facts
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run, Text
from tests.reader_training.purchases import Line, rounded
from tests.reader_training.tables import BandRow, Row, SumRow, Table, line_rows
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import Sum, choose_tax, draw_totals


def _year_lines(draft: Draft, years: int) -> list[list[Line]]:
    """Products with a line for each year, whose quantity or price grows."""
    rng = draft.rng
    products: list[list[Line]] = []
    draft.months = 12 * years
    growth, rise = rng.choice((0, 0, 5, 10, 25)), rng.choice((0, 3, 5))
    for _ in range(rng.choice((1, 2, 2, 3, 4))):
        first = make_line(draft, kind="seat")
        first.detail = first.item_id = None
        assert first.quantity is not None
        assert first.unit_price is not None
        lines: list[Line] = []
        for year in range(years):
            price = rounded(first.unit_price * 12 * (100 + rise * year) / 100, draft.notation.step)
            count = Decimal(int(first.quantity * (100 + growth * year) / 100))
            line = Line(
                first.description,
                count,
                price,
                None,
                unit=first.unit,
                units=first.units,
                price_period="year",
                period_months=12,
                first_month=12 * year,
                sold_by="seat",
                group=draft.words.column("year").format(n=year + 1),
            )
            lines.append(settle(draft, line))
        products.append(lines)
    return products


def year_columns(layout: str, seed: int) -> Draft:
    """Years beside one another under a header of two levels, a row for each product."""
    draft = Draft(layout, seed, "quote", landscape=True)
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form"))
    years = rng.choice((2, 3, 3, 3, 4))
    products = _year_lines(draft, years)
    purchase.lines = [line for product in products for line in product]
    for line in purchase.lines:
        line.unit = line.units = None
    number_of = {id(line): number for number, line in enumerate(purchase.lines)}
    choose_tax(draft, 0.3)
    draw_letterhead(draft)
    shared = all(len({line.quantity for line in product}) == 1 for product in products)
    make = ColumnMaker(draft)
    make.plain()
    columns = [Column("description", words.column("description"), _item(products), "left", flexible=True)]
    if shared:
        columns.append(Column("quantity", words.column("seats"), _quantity(draft, products), "right"))
    groups: list[tuple[str, int, int]] = []
    for year in range(years):
        start = len(columns)
        for key, cell in (
            ("quantity", make.quantity()),
            ("unit_price", make.unit_price()),
            ("amount", make.amount()),
        ):
            if key != "quantity" or not shared:
                columns.append(Column(key, cell.header, _of_year(cell, products, year, number_of), "right"))
        groups.append((words.column("year").format(n=year + 1), start, len(columns) - 1))
    summed = draft.chance(0.4)
    if summed:
        columns.append(Column("total", words.label("years_total"), _product_total(draft, products), "right"))
    rows = line_rows([product[0] for product in products])
    Table(draft, columns, rows, groups=groups).draw()
    draw_totals(draft)
    draw_terms(draft, subscription=True)
    return draft


Cell = Callable[[int, Line], Text]


def _lines_of(products: Sequence[Sequence[Line]], product: int) -> tuple[int, ...]:
    first = sum(len(lines) for lines in products[:product])
    return tuple(range(first, first + len(products[product])))


def _item(products: Sequence[Sequence[Line]]) -> Cell:
    return lambda n, line: [Run(line.description, "item", _lines_of(products, n))]


def _quantity(draft: Draft, products: Sequence[Sequence[Line]]) -> Cell:
    def cell(number: int, line: Line) -> Text:
        assert line.quantity is not None
        return [Run(draft.notation.number(line.quantity), "quantity", _lines_of(products, number))]

    return cell


def _of_year(
    column: Column, products: Sequence[Sequence[Line]], year: int, number_of: dict[int, int]
) -> Cell:
    def cell(number: int, _: Line) -> Text:
        line = products[number][year]
        return column.cell(number_of[id(line)], line)

    return cell


def _product_total(draft: Draft, products: Sequence[Sequence[Line]]) -> Cell:
    def cell(number: int, _: Line) -> Text:
        value = sum((line.amount or Decimal(0) for line in products[number]), Decimal(0))
        return [Run(draft.money(value), "subtotal")]

    return cell


def ramp(layout: str, seed: int) -> Draft:
    """A table for each year, or one table with a heading and a sum for each, and the total of all years."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form"))
    years = rng.choice((2, 3, 3, 5))
    products = _year_lines(draft, years)
    purchase.lines = [product[year] for year in range(years) for product in products]
    choose_tax(draft, 0.3)
    draw_letterhead(draft)
    if draft.chance(0.6):
        draw_term_facts(draft)
    columns = [column for column in choose_columns(draft, purchase.lines) if column.key != "period"]
    apart = draft.chance(0.4)
    rows: list[Row] = []
    for year in range(years):
        first = year * len(products)
        part = purchase.lines[first : first + len(products)]
        value = sum((line.amount or Decimal(0) for line in part), Decimal(0))
        name = words.column("year").format(n=year + 1)
        label = words.label("section").format(name=name)
        band, year_sum = BandRow(name), SumRow(label, [Run(draft.money(value), "subtotal")])
        if apart:
            Table(draft, columns, [band, *line_rows(part, first), year_sum]).draw()
            draft.y += draft.step
        else:
            rows += [band, *line_rows(part, first), year_sum]
    if rows:
        Table(draft, columns, rows).draw()
    draw_totals(draft)
    draw_terms(draft, subscription=True)
    return draft


def month_and_year(layout: str, seed: int) -> Draft:
    """What is charged in a month beside what is charged in a year; the amount is that of the year."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form"))
    for _ in range(rng.choice((1, 2, 3, 4, 5))):
        line = charge_months(draft, make_line(draft, kind="seat"), 12)
        line.unit = line.units = line.item_id = None
        purchase.lines.append(line)
    choose_tax(draft, 0.4)
    draw_letterhead(draft)
    make = ColumnMaker(draft)
    make.plain()
    month = words.list("labels", "billed")[2]
    year = words.list("labels", "billed")[0]

    def monthly(_: int, line: Line) -> Text:
        value = (line.quantity or Decimal(0)) * (line.unit_price or Decimal(0))
        return [Run(draft.money(value), "other")]

    amount = make.amount()
    columns = [
        make.description(),
        make.quantity("seats"),
        make.unit_price("month_price"),
        Column("month", f"{words.column('amount')} ({month.lower()})", monthly, "right"),
        Column("amount", f"{words.column('amount')} ({year.lower()})", amount.cell, "right"),
    ]
    if draft.chance(0.3):
        columns = [columns[0], *columns[2:3], columns[1], *columns[3:]]
    rows = line_rows(purchase.lines)
    Table(draft, columns, rows).draw()
    if draft.chance(0.5):
        value = sum(((line.amount or Decimal(0)) / 12 for line in purchase.lines), Decimal(0))
        one = Sum(words.label("monthly_total"), rounded(value), "other")
        draft.advance(draft.step * 1.5)
        draft.write(draft.right, draft.y, [Run(f"{one.label}: "), *one.figure(draft)], align="right")
    draw_totals(draft)
    draw_terms(draft, subscription=True)
    return draft


def fees_by_year(layout: str, seed: int) -> Draft:
    """An amount for each calendar year, without quantities or prices; the years are figures themselves."""
    draft = Draft(layout, seed, "quote", landscape=seed % 3 == 0)
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    years = rng.choice((2, 3, 3, 4, 5))
    start = draft.today.year + rng.choice((0, 1))
    products = [_fees_of(draft, years, start) for _ in range(rng.choice((2, 3, 4, 5)))]
    purchase.lines = [line for product in products for line in product]
    choose_tax(draft, 0.2)
    draw_letterhead(draft)
    make = ColumnMaker(draft)
    number_of = {id(line): number for number, line in enumerate(purchase.lines)}
    columns = [Column("description", words.column("description"), _item(products), "left", flexible=True)]
    for year in range(years):
        header = str(start + year)
        columns.append(Column("amount", header, _of_year(make.amount(), products, year, number_of), "right"))
    if draft.chance(0.6):
        columns.append(Column("total", words.label("total"), _product_total(draft, products), "right"))
    rows = line_rows([product[0] for product in products])
    Table(draft, columns, rows).draw()
    if draft.chance(0.7):
        _write_year_sums(draft, products, start)
    draw_totals(draft)
    draw_terms(draft, subscription=True)
    return draft


def _fees_of(draft: Draft, years: int, start: int) -> list[Line]:
    first = make_line(draft, draft.rng.choice(("software", "services")))
    assert first.amount is not None
    name, rise = first.description, draft.rng.choice((0, 0, 3, 5, 10))
    amounts = [
        rounded(first.amount * (100 + rise * year) / 100, draft.notation.step) for year in range(years)
    ]
    return [
        Line(name, None, None, amount, period_months=12, first_month=12 * year, group=str(start + year))
        for year, amount in enumerate(amounts)
    ]


def _write_year_sums(draft: Draft, products: Sequence[Sequence[Line]], start: int) -> None:
    """The sum of each year in a row of its own: figures of the table, but no lines."""
    for year in range(len(products[0])):
        value = sum((product[year].amount or Decimal(0) for product in products), Decimal(0))
        draft.advance(draft.step * 1.2)
        draft.write(draft.left, draft.y, f"{draft.words.label('subtotal')} {start + year}")
        draft.write(draft.right, draft.y, [Run(draft.money(value, total=True), "subtotal")], align="right")
