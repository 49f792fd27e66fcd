"""Lines whose figures have a label each: a table on its side, facts in a row, lists of facts."""

from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, charge_years, make_lines
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run, wrap
from tests.reader_training.purchases import Line
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import choose_tax, draw_totals


def turned_table(layout: str, seed: int) -> Draft:
    """A table on its side: each line of the purchase is a column, each kind of figure a row."""
    draft = _begin(layout, seed, most=4)
    lines = draft.purchase.lines
    names = max(draft.width_of(label, bold=True) for label, _ in _list_facts(draft, 0, lines[0])) + 14
    width = (draft.right - draft.left - names) / len(lines)
    heads = [
        wrap([Run(line.description, "item", number)], draft.look.font.bold, draft.look.size, width - 10)
        for number, line in enumerate(lines)
    ]
    right, ruled = draft.chance(0.7), draft.chance(0.5)
    draft.ensure(draft.step * (max(map(len, heads)) + 8))
    top = draft.y
    for number, head in enumerate(heads):
        x = draft.left + names + (number + right) * width - (5 if right else 0)
        for row, text in enumerate(head, 1):
            draft.write(x, top + row * draft.step, text, bold=True, align="right" if right else "left")
    draft.y = top + max(map(len, heads)) * draft.step
    columns = [_list_facts(draft, number, line) for number, line in enumerate(lines)]
    for cells in zip(*columns, strict=True):
        if ruled:
            draft.paper.rule(draft.left, draft.y + 4, draft.right, draft.y + 4)
        draft.y += draft.step * 1.4
        draft.write(draft.left, draft.y, cells[0][0], bold=True)
        for number, (_, text) in enumerate(cells):
            x = draft.left + names + (number + right) * width - (5 if right else 0)
            draft.write(x, draft.y, text, align="right" if right else "left")
    return _end(draft)


def facts_in_rows(layout: str, seed: int) -> Draft:
    """A name, and below it all figures in one row, each after its label, with a mark between."""
    draft = _begin(layout, seed, most=7)
    mark = draft.rng.choice((" | ", "   ", " / ", ", ", " • "))
    colon = draft.rng.choice((": ", " ", " = "))
    indent = draft.rng.choice((0, 12))
    amount_apart = draft.chance(0.4)
    for number, line in enumerate(draft.purchase.lines):
        draft.ensure(draft.step * 3)
        draft.y += draft.step * 0.5
        draft.advance(draft.step)
        draft.write(draft.left, draft.y, [Run(line.description, "item", number)], bold=True)
        facts = _list_facts(draft, number, line)
        if amount_apart:
            draft.write(draft.right, draft.y, facts.pop()[1], align="right", bold=True)
        runs: list[Run] = []
        for label, text in facts:
            runs += [Run(f"{mark if runs else ''}{label}{colon}"), *text]
        draft.write_paragraph(runs, x=draft.left + indent)
    return _end(draft)


def listed_facts(layout: str, seed: int) -> Draft:
    """A numbered list; under each name, without frames, a list of facts with a mark before each."""
    draft = _begin(layout, seed, most=5)
    bullet, style = (
        draft.rng.choice(("- ", "• ", "– ", "* ", "")),
        draft.rng.choice(("number", "letter", "none")),
    )
    colon = draft.rng.choice((": ", " - ", " "))
    for number, line in enumerate(draft.purchase.lines):
        facts = _list_facts(draft, number, line)
        draft.ensure(draft.step * (len(facts) + 2))
        draft.y += draft.step * 0.6
        draft.advance(draft.step)
        begin = {"number": f"{number + 1}. ", "letter": f"{'abcde'[number]}) ", "none": ""}[style]
        item = [Run(begin), Run(line.description, "item", number)]
        draft.write(draft.left, draft.y, item if begin else item[1:], bold=draft.look.bold_names)
        for label, text in facts:
            draft.advance(draft.step)
            draft.write(draft.left + 14, draft.y, [Run(f"{bullet}{label}{colon}"), *text])
    return _end(draft)


def _begin(layout: str, seed: int, *, most: int) -> Draft:
    """A quote or an order of some lines, some of them charged for months or years, its head drawn."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    purchase.kind = rng.choice(("quote", "quote", "order_form", "order"))
    theme = rng.choice(("software", "goods", "services", "mixed"))
    purchase.lines = make_lines(draft, rng.randrange(1, most + 1), theme)
    months = rng.choice((12, 24, 36))
    charge = rng.choice((None, charge_months, charge_years))
    for line in purchase.lines:
        line.detail = line.item_id = line.unit = line.units = None
        if charge:
            charge(draft, line, months if charge is charge_months else months // 12)
    choose_tax(draft)
    draw_letterhead(draft)
    return draft


def _end(draft: Draft) -> Draft:
    draw_totals(draft)
    draw_terms(draft, subscription=draft.chance(0.5))
    return draft


def _list_facts(draft: Draft, number: int, line: Line) -> list[tuple[str, list[Run]]]:
    """Labels and figures of a line, the amount last, in the order that the document keeps."""
    words, notation = draft.words, draft.notation
    assert line.quantity is not None
    assert line.unit_price is not None
    assert line.amount is not None
    period = {"month": ("month_price", "period"), "year": ("year_price", "years")}.get(
        line.price_period or "", ("unit_price", "")
    )
    facts = [
        (words.column("quantity"), [Run(notation.number(line.quantity), "quantity", number)]),
        (words.column(period[0]), [Run(draft.money(line.unit_price), "unit_price", number)]),
    ]
    if draft.decide("price first", (False, False, True)):
        facts.reverse()
    if period[1]:
        facts.append((words.column(period[1]), [Run(notation.number(line.multiplier), "period", number)]))
    return [*facts, (words.column("amount"), [Run(draft.money(line.amount), "amount", number)])]
