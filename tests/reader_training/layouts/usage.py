"""What is charged by use or by part of a term: tiers, commitments and proration."""

from datetime import timedelta
from decimal import Decimal

from tests.reader_training.columns import Column, ColumnMaker, choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, describe, make_line, scale, settle
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.names import sku
from tests.reader_training.paper import Run, Text
from tests.reader_training.purchases import Line
from tests.reader_training.tables import BandRow, Row, Table, line_rows
from tests.reader_training.terms import add_months, draw_terms
from tests.reader_training.totals import choose_tax, draw_totals


def _rate(draft: Draft) -> Decimal:
    """A price of a fraction of the money's unit, as use is charged."""
    digits = draft.rng.choice((2, 3, 4))
    return Decimal(draft.rng.randrange(1, 900)).scaleb(-digits) * scale(draft)


def _tier_text(draft: Draft, line: Line) -> str:
    low = draft.notation.number(Decimal(line.tier_from or 0))
    if line.tier_to is None:
        return draft.words.list("labels", "tier")[-1].format(low=low)
    return draft.words.same("labels", "tier").format(
        low=low, high=draft.notation.number(Decimal(line.tier_to))
    )


def _make_tiers(draft: Draft, name: str) -> list[Line]:
    rng = draft.rng
    bounds = sorted(rng.sample((1, 10, 25, 50, 100, 250, 500, 1000, 5000, 10000), rng.choice((3, 4, 5))))
    price = _rate(draft) * rng.choice((1, 10, 100))
    lines: list[Line] = []
    for index, low in enumerate(bounds):
        high = bounds[index + 1] - 1 if index + 1 < len(bounds) else None
        lines.append(Line(name, None, price, None, tier_from=low, tier_to=high))
        price = (price * rng.choice((80, 85, 90, 95)) / 100).quantize(Decimal("0.0001")).normalize()
    return lines


def tiers(layout: str, seed: int) -> Draft:
    """A price list in tiers of volume: prices without quantities, amounts or totals."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    draw_letterhead(draft, title=words.any("titles", "price_list"), valid=draft.chance(0.6))
    purchase.kind, purchase.priced = "price_list", False
    groups = [
        _make_tiers(draft, describe(draft, rng.choice(("seat", "good"))))
        for _ in range(rng.choice((1, 2, 3)))
    ]
    purchase.lines = [line for group in groups for line in group]
    tier = Column("tier", words.column("quantity"), lambda _, line: _tier_text(draft, line), "left")
    make = ColumnMaker(draft)
    make.plain()
    rows: list[Row] = []
    first = 0
    draft.advance(draft.step * 1.5)
    draft.write(draft.left, draft.y, words.label("tiers_title"), bold=True)
    banded = draft.chance(0.5)
    for group in groups:
        if banded:
            rows.append(BandRow(group[0].description))
        rows += line_rows(group, first)
        first += len(group)
    description = Column("description", words.column("description"), _item, "left", flexible=True)
    Table(draft, [description, tier, make.unit_price()], rows).draw()
    draw_terms(draft)
    return draft


def _item(number: int, line: Line) -> Text:
    return [Run(line.description, "item", number)]


def commitment(layout: str, seed: int) -> Draft:
    """A committed volume at a small rate, and the rates for what is used beyond it."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form"))
    for _ in range(rng.choice((1, 1, 2, 3))):
        count = Decimal(rng.choice((1000, 5000, 10000, 25000, 50000, 100000, 250000, 1000000, 2500000)))
        line = Line(describe(draft, "seat"), count, _rate(draft), None, item_id=sku(rng))
        if draft.chance(0.6):
            line.detail = words.label("minimum")
        purchase.lines.append(settle(draft, line))
    if draft.chance(0.3):
        purchase.lines.append(make_line(draft, kind="work"))
    choose_tax(draft, 0.4)
    draw_letterhead(draft)
    Table(draft, choose_columns(draft, purchase.lines), line_rows(purchase.lines)).draw()
    draw_totals(draft)
    if draft.chance(0.7):
        _draw_overage(draft)
    draw_terms(draft, subscription=True)
    return draft


def _draw_overage(draft: Draft) -> None:
    """Rates for use beyond the commitment: figures that are no lines."""
    draft.ensure(draft.step * 8)
    draft.advance(draft.step * 2)
    draft.write(draft.left, draft.y, draft.words.label("tiers_title"), bold=True)
    draft.y += draft.step * 0.3
    tab = draft.rng.uniform(130, 220)
    for line in _make_tiers(draft, ""):
        assert line.unit_price is not None
        draft.advance(draft.step)
        draft.write(draft.left + 8, draft.y, _tier_text(draft, line))
        draft.write(draft.left + tab, draft.y, [Run(draft.money(line.unit_price), "other")])


def proration(layout: str, seed: int) -> Draft:
    """Users added within a term: price per month x the months that remain, with their dates."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("quote", "order_form", "invoice"))
    months = rng.randrange(1, 12)
    start = add_months(draft.today.replace(day=1), 1)
    end = add_months(start, months) - timedelta(days=1)
    purchase.start_date, purchase.end_date, purchase.term_months = start, end, months
    for _ in range(rng.choice((1, 1, 2, 3))):
        line = charge_months(draft, make_line(draft, kind="seat"), months)
        if draft.chance(0.5):
            line.detail = f"{words.label('prorated')} {draft.date(start)} – {draft.date(end)}"
        purchase.lines.append(line)
    choose_tax(draft, 0.4)
    draw_letterhead(draft)
    columns = choose_columns(draft, purchase.lines)
    if draft.chance(0.6):
        place = rng.randrange(1, len(columns))
        columns[place:place] = [
            Column("start", words.label("start"), lambda *_: draft.date(start), "left"),
            Column("end", words.label("end"), lambda *_: draft.date(end), "left"),
        ]
    else:
        draft.advance(draft.step)
        draft.write(draft.left, draft.y, f"{words.label('start')}: {draft.date(start)}")
        draft.advance(draft.step)
        draft.write(draft.left, draft.y, f"{words.label('end')}: {draft.date(end)}")
    Table(draft, columns, line_rows(purchase.lines)).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft
