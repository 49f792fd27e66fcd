"""What stands on a page beside the purchase: figures in rows and columns that are no lines and no totals."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from tests.reader_training.draft import Draft
from tests.reader_training.paper import Run, Text
from tests.reader_training.purchases import rounded


def draw_extras(draft: Draft) -> None:
    """One such table in some of the documents."""
    draw = draft.rng.choices((None, _payments, _measurements, _use), (80, 10, 5, 5))[0]
    if draw and not (draw is _payments and not draft.purchase.priced):
        draft.ensure(draft.step * 9)
        draft.y += draft.step
        draw(draft)


def _payments(draft: Draft) -> None:
    """In which parts the total is to be paid, and when."""
    rng, total = draft.rng, draft.purchase.total
    shares = rng.choice(((30, 70), (50, 50), (40, 30, 30), (25, 25, 25, 25), (10, 40, 50)))
    rest, day = total, draft.today
    rows: list[Sequence[Text]] = []
    for number, share in enumerate(shares, 1):
        part = rest if number == len(shares) else rounded(total * share / 100, draft.notation.step)
        rest -= part
        day += timedelta(days=rng.randrange(20, 95))
        figure = [Run(draft.money(part), "other")]
        rows.append((f"{number}.", f"{share} %", draft.date(day), figure))
    _draw_rows(draft, draft.words.label("payment"), rows)


def _measurements(draft: Draft) -> None:
    """Things with their weights and sizes."""
    rng, words = draft.rng, draft.words
    rows: list[Sequence[Text]] = []
    for _ in range(rng.randrange(2, 6)):
        weight = draft.notation.number(Decimal(rng.randrange(10, 900)) / 10)
        size = f"{rng.randrange(10, 200)} x {rng.randrange(10, 99)} cm"
        rows.append((words.any("goods", "hardware"), f"{weight} kg", size, str(rng.randrange(1, 400))))
    _draw_rows(draft, words.list("titles", "quote")[0], rows)


def _use(draft: Draft) -> None:
    """How much was used in the months before, with the sum."""
    rng, words = draft.rng, draft.words
    counts = [rng.randrange(100, 9000) for _ in range(rng.randrange(3, 7))]
    months = words.list("calendar", "months")
    rows: list[Sequence[Text]] = [
        (months[index], draft.notation.number(Decimal(count))) for index, count in enumerate(counts)
    ]
    rows.append((words.label("total"), draft.notation.number(Decimal(sum(counts)))))
    _draw_rows(draft, words.column("quantity"), rows)


def _draw_rows(draft: Draft, title: str, rows: Sequence[Sequence[Text]]) -> None:
    """The first column at the left, the others at the right of theirs."""
    draft.advance(draft.step)
    draft.write(draft.left, draft.y, title, bold=True)
    width = draft.rng.uniform(70, 110)
    for row in rows:
        draft.advance(draft.step * 1.1)
        draft.write(draft.left, draft.y, row[0])
        for index, text in enumerate(row[1:], 1):
            draft.write(draft.left + 60 + width * index, draft.y, text, align="right")
