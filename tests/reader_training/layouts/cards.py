"""Lines that are no table: each one a card or a block of labelled figures."""

from app.service.documents.extraction import Box
from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, make_lines
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.paper import Run, Text, wrap
from tests.reader_training.purchases import Line
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import choose_tax, draw_totals


def cards(layout: str, seed: int) -> Draft:
    """Framed or shaded cards below or beside one another, each with a name and its labelled figures."""
    draft = Draft(layout, seed, "quote")
    rng, purchase = draft.rng, draft.purchase
    purchase.lines = make_lines(draft, rng.randrange(1, 6), rng.choice(("software", "goods", "mixed")))
    if draft.chance(0.4):
        months = rng.choice((12, 24, 36))
        for line in purchase.lines:
            if line.sold_by == "seat":
                charge_months(draft, line, months)
    for line in purchase.lines:
        line.detail = None
    choose_tax(draft)
    draw_letterhead(draft)
    across = rng.choice((1, 1, 2)) if draft.right - draft.left > 420 else 1
    width = (draft.right - draft.left - 12 * (across - 1)) / across
    form = rng.choice(("labels", "figures_right", "sum_of_factors"))
    filled, framed, radius = draft.chance(0.4), draft.chance(0.7), rng.choice((0, 4, 8))
    for start in range(0, len(purchase.lines), across):
        part = purchase.lines[start : start + across]
        contents = [_figures(draft, start + index, line, form) for index, line in enumerate(part)]
        heads = [
            wrap(
                [Run(line.description, "item", start + index)],
                draft.look.font.bold,
                draft.look.size * 1.1,
                width - 20,
            )
            for index, line in enumerate(part)
        ]
        height = draft.step * 1.15 * (max(map(len, heads)) + max(map(len, contents))) + 16
        draft.ensure(height + 10)
        for index, (head, figures) in enumerate(zip(heads, contents, strict=True)):
            x = draft.left + index * (width + 12)
            draft.paper.frame(
                Box(x, draft.y, x + width, draft.y + height),
                fill=draft.look.shade if filled else None,
                stroke=draft.look.accent if framed else None,
                radius=radius,
            )
            _draw_card(draft, x + 10, x + width - 10, head, figures, form)
        draft.y += height + 8
    draw_totals(draft)
    draw_terms(draft, subscription=draft.chance(0.5))
    return draft


def _draw_card(
    draft: Draft, left: float, right: float, head: list[list[Run]], figures: list[tuple[str, Text]], form: str
) -> None:
    y = draft.y + 4
    for line in head:
        y += draft.step * 1.15
        draft.write(left, y, line, bold=True, size=draft.look.size * 1.1)
    tab = max((draft.width_of(label) for label, _ in figures), default=0) + 14
    for label, text in figures:
        y += draft.step * 1.15
        if form == "figures_right":
            draft.write(left, y, label)
            draft.write(right, y, text, align="right")
        elif form == "labels":
            draft.write(left, y, label)
            draft.write(left + tab, y, text)
        else:
            draft.write(left if label else right, y, text, align="left" if label else "right")


def _figures(draft: Draft, number: int, line: Line, form: str) -> list[tuple[str, Text]]:
    words, notation = draft.words, draft.notation
    assert line.quantity is not None
    assert line.unit_price is not None
    assert line.amount is not None
    quantity = Run(notation.number(line.quantity), "quantity", number)
    price = Run(draft.money(line.unit_price), "unit_price", number)
    amount = Run(draft.money(line.amount), "amount", number)
    months = Run(notation.number(line.multiplier), "period", number)
    monthly = line.price_period == "month"
    if form == "sum_of_factors":
        times = words.same("labels", "times")
        unit = line.unit if line.quantity == 1 else line.units
        line.item_id = None
        factors: list[Run] = [quantity, Run(f" {unit} {times} "), price]
        if monthly:
            month = words.label("months").replace("{n}", "").strip()
            factors += [Run(f" {times} "), months, Run(f" {month}")]
        if draft.decide("amount in the row", (True, False)):
            return [("all", [*factors, Run(" = "), amount])]
        return [("all", factors), ("", [amount])]
    figures: list[tuple[str, Text]] = [
        (words.column("seats" if line.sold_by == "seat" else "quantity"), [quantity]),
        (words.column("month_price" if monthly else "unit_price"), [price]),
        (words.column("amount"), [amount]),
    ]
    if monthly:
        figures.insert(2, (words.column("period"), [months]))
    line.unit = line.units = None
    if draft.chance(0.2):
        figures.insert(0, (words.column("sku"), line.item_id or "-"))
    else:
        line.item_id = None
    return figures
