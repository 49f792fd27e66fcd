"""The head of a document: title, number, date, seller and buyer, in one of several arrangements."""

from collections.abc import Callable
from datetime import timedelta

from tests.reader_training.draft import Draft, PageChrome
from tests.reader_training.names import (
    address,
    bank_number,
    company_name,
    document_number,
    person_name,
    phone,
    tax_number,
)
from tests.reader_training.paper import Align, Run, Text, runs_of


def draw_letterhead(draft: Draft, *, title: str | None = None, valid: bool | None = None) -> None:
    """Draws the head and sets in the purchase what it prints. `valid` prints an end of validity (by default
    in half of the quotes)."""
    purchase, rng = draft.purchase, draft.rng
    purchase.buyer = purchase.buyer or company_name(draft.words, rng)
    purchase.document_number = document_number(rng)
    purchase.document_date = draft.today
    draw_page_feet(draft)
    facts = list_facts(draft, valid)
    confirmed = purchase.kind == "order" and not _is_from_buyer(draft)
    name = title or draft.words.any("titles", "confirmation" if confirmed else purchase.kind)
    arrange: Callable[[Draft, str, list[tuple[str, Text]]], None] = rng.choice(
        (_facts_on_the_right, _facts_below, _facts_in_a_row, _facts_beside_the_buyer)
    )
    arrange(draft, name, facts)
    draft.y += draft.step * rng.uniform(0.8, 2.5)


def _is_from_buyer(draft: Draft) -> bool:
    """An order is the buyer's own letter, its confirmation the seller's."""
    return draft.purchase.kind == "order" and draft.decide("order from buyer", (True, False))


def _sender(draft: Draft) -> str:
    return (_is_from_buyer(draft) and draft.purchase.buyer) or draft.purchase.supplier


def _receiver(draft: Draft) -> str:
    assert draft.purchase.buyer
    return draft.purchase.supplier if _is_from_buyer(draft) else draft.purchase.buyer


def _sender_label(draft: Draft) -> str:
    return draft.words.label("customer" if _is_from_buyer(draft) else "supplier")


def _receiver_label(draft: Draft) -> str:
    return draft.words.label("supplier" if _is_from_buyer(draft) else "customer")


def draw_page_feet(draft: Draft) -> None:
    """Chooses what stands on every page: numbers of telephone, tax and bank among it."""
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    feet: list[str] = []
    if draft.chance(0.6):
        parts = [_sender(draft), *address(words, rng)]
        if draft.chance(0.5):
            parts.append(f"{words.label('phone')} {phone(rng)}")
        feet.append(rng.choice((" · ", " | ", ", ")).join(parts))
    if draft.chance(0.5):
        feet.append(f"{words.label('tax_id')} {tax_number(rng)}  {words.label('bank')} {bank_number(rng)}")
    if draft.chance(0.2):
        feet.append(f"{words.label('register')} {rng.randrange(1000, 99999)}")
    number = words.label("page").replace("{count}", str(rng.randrange(2, 5)))
    head = f"{_sender(draft)} – {purchase.document_number}" if draft.chance(0.4) else None
    draft.chrome = PageChrome(head, tuple(feet), number if draft.chance(0.6) else None)


def list_facts(draft: Draft, valid: bool | None = None) -> list[tuple[str, Text]]:
    """Labels and values of number and dates, and some that are not asked for."""
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    assert purchase.document_number
    invoice = purchase.kind == "invoice"
    date_label = words.label("date_invoice" if invoice else "date")
    facts: list[tuple[str, Text]] = [
        (words.label(f"number_{purchase.kind}"), purchase.document_number),
        (date_label, draft.date(draft.today)),
    ]
    if valid if valid is not None else (purchase.kind == "quote" and draft.chance(0.5)):
        purchase.valid_until = draft.today + timedelta(days=rng.choice((14, 30, 45, 60, 90)))
        facts.append((words.label("valid"), draft.date(purchase.valid_until)))
    if draft.chance(0.3):
        facts.append((words.label("contact"), person_name(rng)))
    if draft.chance(0.25):
        facts.append((words.label("phone"), phone(rng)))
    if draft.chance(0.2):
        purchase.purchase_order = f"{rng.randrange(10**5, 10**7)}"
        facts.append((words.label("purchase_order"), purchase.purchase_order))
    if purchase.priced and purchase.lines and draft.chance(0.1):
        label = words.label("total" if purchase.tax is None else "gross")
        facts.append((label, [Run(draft.money(purchase.total, total=True), "total")]))
    if draft.chance(0.3):
        rng.shuffle(facts)
    return facts


def _sender_lines(draft: Draft) -> list[str]:
    rng, words = draft.rng, draft.words
    lines = [_sender(draft), *address(words, rng)]
    if draft.chance(0.4):
        lines.append(f"{words.label('phone')} {phone(rng)}")
    if draft.chance(0.2):
        lines.append(f"{words.label('tax_id')} {tax_number(rng)}")
    return lines


def _receiver_lines(draft: Draft) -> list[str]:
    lines = [_receiver(draft)]
    if draft.chance(0.3):
        lines.append(person_name(draft.rng))
    return [*lines, *address(draft.words, draft.rng)]


def _block(draft: Draft, x: float, y: float, lines: list[str], *, right: bool = False) -> float:
    """Lines below one another; the first one is a name. Returns the baseline of the last."""
    for index, line in enumerate(lines):
        draft.write(x, y, line, bold=draft.look.bold_names and index == 0, align="right" if right else "left")
        y += draft.step
    return y - draft.step


def _facts_block(draft: Draft, x: float, right: float, y: float, facts: list[tuple[str, Text]]) -> float:
    """Labels and values: beside one another, at both edges, or with the label above."""
    form = draft.rng.choice(("colon", "tabbed", "edges", "above"))
    tab = max(draft.width_of(label, bold=True) for label, _ in facts) + 12
    for label, value in facts:
        if form == "colon":
            draft.write(x, y, [Run(f"{label}: "), *runs_of(value)])
        elif form == "tabbed":
            draft.write(x, y, label, bold=True)
            draft.write(x + tab, y, value)
        elif form == "edges":
            draft.write(x, y, label)
            draft.write(right, y, value, align="right")
        else:
            draft.write(x, y, label, size=draft.look.size * 0.85, colour="#666666")
            y += draft.step
            draft.write(x, y, value)
        y += draft.step
    return y - draft.step


def _title(draft: Draft, title: str, *, align: Align = "left") -> None:
    size = draft.look.size * draft.rng.choice((1.4, 1.8, 2.2, 2.6))
    x = draft.left if align == "left" else draft.right if align == "right" else draft.paper.width / 2
    draft.advance(size * 1.1)
    draft.write(x, draft.y, title, bold=True, size=size, align=align, colour=draft.look.accent)


def _facts_on_the_right(draft: Draft, title: str, facts: list[tuple[str, Text]]) -> None:
    seller_first = draft.chance(0.5)
    top = draft.y + draft.look.size
    if not seller_first:
        _title(draft, title)
        top = draft.y + draft.step * 1.5
    middle = draft.left + (draft.right - draft.left) * draft.rng.uniform(0.52, 0.62)
    low = _block(draft, draft.left, top, _sender_lines(draft))
    side = _facts_block(draft, middle, draft.right, top, facts)
    y = max(low, side) + draft.step * 1.8
    if draft.chance(0.6):
        draft.write(draft.left, y, _receiver_label(draft), bold=True)
        y += draft.step
    draft.y = _block(draft, draft.left, y, _receiver_lines(draft))
    if seller_first:
        draft.y += draft.step
        _title(draft, title)


def _facts_below(draft: Draft, title: str, facts: list[tuple[str, Text]]) -> None:
    top = draft.y + draft.look.size
    _block(draft, draft.right, top, _sender_lines(draft), right=True)
    draft.y = top + draft.step * 4
    draft.y = _block(draft, draft.left, draft.y, _receiver_lines(draft)) + draft.step
    _title(draft, title)
    draft.y = _facts_block(draft, draft.left, draft.left + 220, draft.y + draft.step * 1.6, facts)


def _facts_in_a_row(draft: Draft, title: str, facts: list[tuple[str, Text]]) -> None:
    _title(draft, title, align=draft.rng.choice(("left", "centre", "right")))
    top = draft.y + draft.step * 2
    middle = (draft.left + draft.right) / 2
    seller, buyer = _sender_lines(draft), _receiver_lines(draft)
    draft.write(draft.left, top, _sender_label(draft), bold=True)
    draft.write(middle, top, _receiver_label(draft), bold=True)
    low = max(
        _block(draft, draft.left, top + draft.step, seller), _block(draft, middle, top + draft.step, buyer)
    )
    y, facts = low + draft.step * 2, facts[:4]
    width = (draft.right - draft.left) / len(facts)
    for index, (label, value) in enumerate(facts):
        x = draft.left + index * width
        draft.write(x, y, label, bold=True, size=draft.look.size * 0.9)
        draft.write(x, y + draft.step, value, size=draft.look.size * 0.9)
    draft.y = y + draft.step
    keep_printed(draft, facts)


def _facts_beside_the_buyer(draft: Draft, title: str, facts: list[tuple[str, Text]]) -> None:
    draft.advance(draft.step)
    draft.write(draft.left, draft.y, " · ".join(_sender_lines(draft)[:3]), size=draft.look.size * 0.8)
    top = draft.y + draft.step * 2
    low = _block(draft, draft.left, top, _receiver_lines(draft))
    x = draft.left + (draft.right - draft.left) * 0.58
    side = _facts_block(draft, x, draft.right, top, facts)
    draft.y = max(low, side) + draft.step
    _title(draft, title)


def keep_printed(draft: Draft, facts: list[tuple[str, Text]]) -> None:
    """Takes back what an arrangement had no room for."""
    printed, purchase = {label for label, _ in facts}, draft.purchase
    words = draft.words
    if words.label("valid") not in printed:
        purchase.valid_until = None
    if words.label("purchase_order") not in printed:
        purchase.purchase_order = None
    if words.label(f"number_{purchase.kind}") not in printed:
        purchase.document_number = None
    if words.label("date_invoice" if purchase.kind == "invoice" else "date") not in printed:
        purchase.document_date = None
