"""Tables with rules, tables without, and tables whose sums stand within."""

from dataclasses import replace
from decimal import Decimal

from tests.reader_training.columns import choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import detail, discount_line, leave_flat, make_lines
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run
from tests.reader_training.tables import BandRow, Row, SumRow, Table, choose_table_look, line_rows
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import choose_document_discount, choose_tax, draw_totals, list_sums


def ruled_grid(layout: str, seed: int) -> Draft:
    """A table with a rule between all cells or all rows."""
    draft = _begin(layout, seed)
    look = replace(choose_table_look(draft), rules=draft.rng.choice(("grid", "grid", "rows", "box")))
    lines = draft.purchase.lines
    Table(draft, choose_columns(draft, lines), _with_remarks(draft, line_rows(lines)), look).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft


def open_table(layout: str, seed: int) -> Draft:
    """A table that only its white space and sometimes its shades hold together."""
    draft = _begin(layout, seed)
    look = replace(choose_table_look(draft), rules=draft.rng.choice(("none", "none", "head", "ends")))
    if draft.chance(0.12):
        look = replace(look, head="none")
    lines = draft.purchase.lines
    Table(draft, choose_columns(draft, lines), _with_remarks(draft, line_rows(lines)), look).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft


def sums_in_table(layout: str, seed: int) -> Draft:
    """A table whose last rows are its sums."""
    draft = _begin(layout, seed)
    lines = draft.purchase.lines
    rows = line_rows(lines)
    columns = choose_columns(draft, lines)
    rows += [SumRow(one.label, one.figure(draft), one.strong) for one in list_sums(draft)]
    Table(draft, columns, rows).draw()
    draw_terms(draft)
    return draft


def sections(layout: str, seed: int) -> Draft:
    """A table in sections, each with a heading and mostly with a sum of its own."""
    draft = Draft(layout, seed, "quote")
    rng, words = draft.rng, draft.words
    count = rng.choice((2, 2, 3, 4))
    summed = draft.chance(0.75)
    rows: list[Row] = []
    for number in range(1, count + 1):
        name = f"{number}. {words.any('goods', 'bundle' if draft.chance(0.3) else 'service')}"
        rows.append(BandRow(name))
        start = len(draft.purchase.lines)
        draft.purchase.lines += make_lines(draft, rng.randrange(1, 6))
        part = draft.purchase.lines[start:]
        rows += line_rows(part, start)
        if summed:
            value = sum((line.amount or Decimal(0) for line in part), Decimal(0))
            label = words.label("section").format(name=name)
            rows.append(SumRow(label, [Run(draft.money(value), "subtotal")], draft.chance(0.5)))
    choose_document_discount(draft)
    choose_tax(draft)
    draw_letterhead(draft)
    Table(draft, choose_columns(draft, draft.purchase.lines), rows).draw()
    draw_totals(draft)
    draw_terms(draft)
    return draft


def _begin(layout: str, seed: int) -> Draft:
    draft = Draft(layout, seed, "quote")
    draft.purchase.kind = draft.rng.choice(("quote", "quote", "invoice", "order"))
    count = draft.rng.choices((1, 2, 3, 5, 8, 14, 24), (2, 3, 4, 4, 3, 1, 1))[0]
    draft.purchase.lines = make_lines(draft, count)
    if draft.chance(0.25):
        percent = draft.rng.choice((5, 10, 15, 20, 25, 12, 30))
        for line in draft.purchase.lines:
            discount_line(draft, line, percent if draft.chance(0.7) else draft.rng.choice((5, 10, 40)))
    leave_flat(draft)
    choose_document_discount(draft)
    choose_tax(draft)
    draw_letterhead(draft)
    return draft


def _with_remarks(draft: Draft, rows: list[Row]) -> list[Row]:
    """The rows with remarks between them, in some documents."""
    if not draft.chance(0.15):
        return rows
    remarks = [BandRow(detail(draft), bold=False) if draft.chance(0.4) else None for _ in rows]
    return [part for row, remark in zip(rows, remarks, strict=True) for part in (row, remark) if part]
