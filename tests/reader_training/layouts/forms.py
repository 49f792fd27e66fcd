"""Forms: boxes with a label and a value, and order forms in the style of US contracts."""

from datetime import timedelta

from app.service.documents.extraction import Box
from tests.reader_training.columns import choose_columns
from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, charge_years, make_line, make_lines
from tests.reader_training.layouts.letters import fill
from tests.reader_training.letterheads import draw_page_feet
from tests.reader_training.names import address, company_name, document_number, person_name, phone
from tests.reader_training.paper import Run, Text
from tests.reader_training.purchases import Line
from tests.reader_training.tables import Table, line_rows
from tests.reader_training.terms import (
    add_months,
    draw_terms,
    list_term_facts,
    say_notice,
    say_payment,
    say_renewal,
    say_term,
    say_uplift,
)
from tests.reader_training.totals import choose_tax, draw_totals, list_sums

_RECITALS = (
    'This Order Form is entered into between {supplier} ("Provider") and {buyer} ("Customer") as of {date}.',
    "This Schedule No. {number} is made on {date} by {supplier} and {buyer}, each a party to the agreement.",
    "{buyer} (the Customer) hereby orders from {supplier} (the Company) what follows, effective {date}.",
)
_FEES = (
    "Customer shall pay {price} per {unit} per month for {quantity} {units} of {item} for a period of"
    " {months} months, being an aggregate fee of {amount}.",
    "Fees for {item}: {quantity} {units} at {price} per {unit} per month during {months} months,"
    " totalling {amount}.",
)
_FLAT = (
    "A one-time fee of {amount} applies to {item}.",
    "For {item} Customer shall pay a fixed fee of {amount}.",
)
_TOTAL = (
    "The total fees payable under this Order Form are {total}.",
    "The aggregate consideration hereunder amounts to {total}.",
)
_NOISE = (
    "Liability under this Order Form shall not exceed {n} times the fees paid in the preceding {m} months.",
    "This Order Form is governed by the laws of the State of {place}, without regard to Section {n} thereof.",
    "Capitalised terms not defined herein have the meaning given in Exhibit {n}, Section {m}.",
    "Provider shall respond to support requests of severity {n} within {m} hours.",
)


def legal_form(layout: str, seed: int) -> Draft:
    """An order form of numbered clauses, its fees in sentences or in a table under one of them."""
    draft = Draft(layout, seed, "order_form", language="en")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("order_form", "order_form", "contract"))
    draft.months = rng.choice((12, 24, 36))
    purchase.buyer, purchase.document_number = company_name(words, rng), document_number(rng)
    purchase.document_date = draft.today
    for _ in range(rng.choice((1, 1, 2, 3))):
        line = charge_months(draft, make_line(draft, kind="seat"), draft.months)
        line.detail = line.item_id = None
        purchase.lines.append(line)
    in_table = draft.chance(0.4)
    if draft.chance(0.5):
        line = make_line(draft, kind="work")
        line.detail = line.item_id = None
        if not in_table:
            line.quantity = line.unit_price = line.unit = None
        purchase.lines.append(line)
    draw_page_feet(draft)
    draft.advance(draft.step * 2)
    title = words.any("titles", purchase.kind).upper()
    size = draft.look.size * 1.5
    draft.write(draft.paper.width / 2, draft.y, title, bold=True, size=size, align="centre")
    draft.advance(draft.step)
    number = f"{words.label(f'number_{purchase.kind}')} {purchase.document_number}"
    draft.write(draft.paper.width / 2, draft.y, number, align="centre")
    draft.y += draft.step
    draft.write_paragraph(
        rng.choice(_RECITALS).format(
            supplier=purchase.supplier, buyer=purchase.buyer, date=draft.date(draft.today),
            number=purchase.document_number,
        )
    )  # fmt: skip
    clauses: list[Text] = [say(draft) for say in (say_term, say_payment, say_renewal) if draft.chance(0.8)]
    clauses += [say(draft) for say in (say_notice, say_uplift) if draft.chance(0.6)]
    clauses += [_noise(draft) for _ in range(rng.randrange(1, 4))]
    rng.shuffle(clauses)
    place = rng.randrange(0, 3)
    if in_table:
        _write_clauses(draft, clauses[:place], 1)
        Table(draft, choose_columns(draft, purchase.lines), line_rows(purchase.lines)).draw()
        draw_totals(draft)
        _write_clauses(draft, clauses[place:], place + 1)
    else:
        fees = [_fee_sentence(draft, number, line) for number, line in enumerate(purchase.lines)]
        total = Run(draft.notation.with_sign(purchase.total), "total")
        fees.append(fill(rng.choice(_TOTAL), {"total": total}))
        clauses[place:place] = fees
        _write_clauses(draft, clauses, 1)
    _draw_signatures(draft)
    return draft


def _noise(draft: Draft) -> str:
    rng = draft.rng
    place = draft.words.any("places", "cities")
    return rng.choice(_NOISE).format(n=rng.randrange(1, 9), m=rng.choice((2, 4, 6, 12)), place=place)


def _fee_sentence(draft: Draft, number: int, line: Line) -> list[Run]:
    notation = draft.notation
    assert line.amount is not None
    values = {
        "item": Run(line.description, "item", number),
        "amount": Run(notation.with_sign(line.amount), "amount", number),
    }
    if line.quantity is None or line.unit_price is None:
        return fill(draft.rng.choice(_FLAT), values)
    values |= {
        "quantity": Run(notation.number(line.quantity), "quantity", number),
        "price": Run(notation.with_sign(line.unit_price), "unit_price", number),
        "months": Run(notation.number(line.multiplier), "period", number),
        "unit": Run(line.unit or ""),
        "units": Run((line.unit if line.quantity == 1 else line.units) or ""),
    }
    return fill(draft.rng.choice(_FEES), values)


def _write_clauses(draft: Draft, clauses: list[Text], first: int) -> None:
    mark = draft.decide("clause mark", ("{n}. ", "{n}.1 ", "({n}) ", "Section {n}. "))
    for number, clause in enumerate(clauses, first):
        draft.y += draft.step * 0.5
        start = mark.format(n=number)
        runs = [Run(start + clause)] if isinstance(clause, str) else [Run(start), *clause]
        draft.write_paragraph(runs)


def _draw_signatures(draft: Draft) -> None:
    """Two columns of lines to sign on."""
    draft.ensure(draft.step * 7)
    draft.y += draft.step * 2
    names = (draft.purchase.supplier, draft.purchase.buyer or "")
    middle = (draft.left + draft.right) / 2
    for x, name in zip((draft.left, middle), names, strict=True):
        draft.write(x, draft.y, name, bold=True)
        for index, label in enumerate(draft.words.list("labels", "signature")[:3], 1):
            y = draft.y + index * draft.step * 1.8
            draft.write(x, y, f"{label}: ")
            draft.paper.rule(x + 60, y + 2, x + 200, y + 2, 0.4)
    draft.y += draft.step * 6


def boxed_form(layout: str, seed: int) -> Draft:
    """A form whose every value stands in a box of its own below or behind its label."""
    draft = Draft(layout, seed, "order_form")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.kind = rng.choice(("order_form", "order_form", "quote"))
    purchase.buyer, purchase.document_number = company_name(words, rng), document_number(rng)
    purchase.document_date = draft.today
    months = draft.months = rng.choice((12, 24, 36))
    purchase.lines = make_lines(draft, rng.choice((1, 2, 3)), rng.choice(("software", "mixed")))
    for line in purchase.lines:
        line.detail = line.item_id = None
        if line.sold_by == "seat":
            charge_months(draft, line, months) if draft.chance(0.5) else charge_years(
                draft, line, months // 12
            )
    choose_tax(draft, 0.4)
    draw_page_feet(draft)
    draft.advance(draft.step * 2)
    draft.write(
        draft.left, draft.y, words.any("titles", purchase.kind), bold=True, size=draft.look.size * 1.7
    )
    draft.y += draft.step
    facts: list[tuple[str, Text]] = [
        (words.label("supplier"), purchase.supplier),
        (words.label("customer"), purchase.buyer),
        (words.label(f"number_{purchase.kind}"), purchase.document_number),
        (words.label("date"), draft.date(draft.today)),
        (words.label("contact"), person_name(rng)),
        (words.label("phone"), phone(rng)),
        ("", ", ".join(address(words, rng))),
        *list_term_facts(draft),
    ]
    if purchase.kind == "quote":
        purchase.valid_until = add_months(draft.today, 1) + timedelta(days=rng.randrange(1, 20))
        facts.insert(4, (words.label("valid"), draft.date(purchase.valid_until)))
    _draw_boxes(draft, facts, rng.choice((2, 2, 3)))
    draft.y += draft.step
    if draft.chance(0.5):
        Table(draft, choose_columns(draft, purchase.lines), line_rows(purchase.lines)).draw()
        draw_totals(draft)
    else:
        _draw_line_boxes(draft)
    draw_terms(draft, subscription=True, share=0.3)
    return draft


def _draw_line_boxes(draft: Draft) -> None:
    """The figures of each line in a row of boxes below its name; the sums in boxes too."""
    words, notation = draft.words, draft.notation
    across = draft.rng.choice((3, 4, 5))
    for number, line in enumerate(draft.purchase.lines):
        assert line.quantity is not None
        assert line.unit_price is not None
        assert line.amount is not None
        line.unit = line.units = None
        key = {"month": "month_price", "year": "year_price"}.get(line.price_period or "", "unit_price")
        boxes: list[tuple[str, Text]] = [
            (words.column("quantity"), [Run(notation.number(line.quantity), "quantity", number)]),
            (words.column(key), [Run(draft.money(line.unit_price), "unit_price", number)]),
            (words.column("amount"), [Run(draft.money(line.amount), "amount", number)]),
        ]
        if line.price_period:
            period = words.column("years" if line.price_period == "year" else "period")
            boxes.insert(2, (period, [Run(notation.number(line.multiplier), "period", number)]))
        _draw_boxes(draft, [(words.column("description"), [Run(line.description, "item", number)])], 1)
        _draw_boxes(draft, boxes, max(across, len(boxes)))
        draft.y += draft.step * 0.6
    _draw_boxes(draft, [(one.label, one.figure(draft)) for one in list_sums(draft)], across)


def _draw_boxes(draft: Draft, facts: list[tuple[str, Text]], across: int) -> None:
    width = (draft.right - draft.left) / across
    beside = draft.decide("labels beside", (True, False))
    height = draft.step * (1.6 if beside else 2.6)
    size = min(draft.look.size, 9.0 if across < 4 else 7.5)
    for start in range(0, len(facts), across):
        draft.ensure(height + 4)
        for index, (label, value) in enumerate(facts[start : start + across]):
            x = draft.left + index * width
            draft.paper.frame(Box(x, draft.y, x + width, draft.y + height), stroke=draft.look.accent)
            y = draft.y + draft.step * 1.05
            label_width = draft.write(x + 4, y, label, size=size * 0.85, colour="#555555")
            if beside:
                draft.write(x + 12 + label_width, y, value, size=size)
            else:
                draft.write(x + 4, y + draft.step * 1.1, value, size=size, bold=True)
        draft.y += height
