"""Prices that depend on the quantity: steps side by side in columns, or below each other in rows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.column_words import column_scores
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.quantity_bands import QuantityBand, names_steps, read_band
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables import certainty
from app.service.documents.values.dates import find_dates
from app.service.documents.values.durations import PACES
from app.service.values.folding import fold
from app.service.values.price_basis import find_price_count
from app.service.values.rounding import divide_price

_PRICE = re.compile(rf"(?<![a-z]){WORDS.columns.price}")
_SUMS = ("net", "tax", "gross", "due")
_MOST_SAID = 3
_ROWS_ABOVE, _ROWS_BELOW, _BETWEEN_STEPS = 3, 4, 2
"""In which the header of steps, and words about their prices, are looked for."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A price with the quantities for which it holds, and the words in its row."""

    text: str
    band: QuantityBand
    price: Cell


@dataclass(frozen=True, slots=True)
class _Group:
    """The steps of one thing, with the rows of the document that they stand between, and the words over their
    prices."""

    text: str
    steps: Sequence[_Step]
    header: str
    first: int
    last: int


def read_price_steps(rows: Sequence[Row]) -> list[LineItem]:
    """Return a line for each step of the price of each thing; none where prices do not depend on how many."""
    groups = [*_list_columns(rows), *_list_groups_of_rows(rows)]
    groups = [one for one in groups if total_kind(fold(one.text)) not in _SUMS] or groups
    return [item for group in sorted(groups, key=lambda one: one.first) for item in _build_items(group, rows)]


def _build_items(group: _Group, rows: Sequence[Row]) -> Iterator[LineItem]:
    if _are_runs(group.steps):
        yield from (_build_run(group.text, step) for step in group.steps)
        return
    near = rows[max(0, group.first - _ROWS_ABOVE) : group.last + 1 + _ROWS_BELOW]
    texts = [group.header, *(row.text for row in near if _PRICE.search(fold(row.text)))]
    basis = next((found.count for text in texts if (found := find_price_count(text)) is not None), None)
    period = next((months for text in texts for months, one in PACES if one.search(fold(text))), None)
    bands = [step.band for step in group.steps]
    for step, following in zip(group.steps, [*bands[1:], None], strict=True):
        end = step.band.end
        if end is not None and following is not None and following.start <= end:
            end = None
        yield LineItem(
            description=group.text,
            unit=step.band.unit,
            unit_price=step.price.figures[0].value,
            from_quantity=step.band.start,
            to_quantity=end,
            price_basis_quantity=basis,
            period_months=period,
            provenance={"unit_price": step.price.locate(certainty.STAND_IN_TABLE)},
        )


def _are_runs(steps: Sequence[_Step]) -> bool:
    """Whether what stands below bare quantities grows with them, and by less: it is asked for all of these,
    as for the runs of a printer."""
    counts, prices = [one.band.start for one in steps], [one.price.figures[0].value for one in steps]
    grow = all(one < other for one, other in pairwise(prices))
    return (
        grow
        and not any(one.band.explicit for one in steps)
        and prices[-1] * counts[0] < prices[0] * counts[-1]
    )


def _build_run(text: str, step: _Step) -> LineItem:
    """The line of one of several runs, of which the buyer chooses."""
    amount, count = step.price.figures[0].value, step.band.start
    place = step.price.locate(certainty.STAND_IN_TABLE)
    return LineItem(
        description=text,
        quantity=count,
        unit=step.band.unit,
        unit_price=divide_price(amount, count),
        amount=amount,
        optional=True,
        provenance={"amount": place},
    )


def _list_columns(rows: Sequence[Row]) -> Iterator[_Group]:
    """The groups of rows below a row of bands: `Description | 1-99 | 100-499 | 500+`."""
    for number, row in enumerate(rows):
        cells = row.cells()
        bands = [(cell, band) for cell in cells if (band := read_band(cell.text)) is not None]
        if len(bands) < 2 or not _are_steps([band for _, band in bands]):
            continue
        if any("unit_price" in column_scores(band.unit or "") for _, band in bands):
            continue  # `14. Quantity | 15. Unit price`: columns with numbers
        if cells.index(bands[-1][0]) - cells.index(bands[0][0]) >= len(bands):
            continue  # they stand apart, as the values of a line do
        apart = [cell for cell in cells if read_band(cell.text) is None]
        head = [cell.text for cell in apart]
        told = any(band.explicit for _, band in bands) or all(band.unit for _, band in bands)
        told = told or any(map(names_steps, head))
        if not told or any(cell.is_figure for cell, _ in bands if _is_money(cell)):
            continue
        found = False
        for at in range(number + 1, len(rows)):
            group = _read_row_of_prices(rows[at], bands, apart, at)
            if group is not None:
                found = True
                yield group
            elif found or rows[at].page != row.page or at > number + 2:
                break


def _read_row_of_prices(
    row: Row, bands: Sequence[tuple[Cell, QuantityBand]], others: Sequence[Cell], number: int
) -> _Group | None:
    left = min(cell.box.x0 for cell, _ in bands)
    prices: dict[int, Cell] = {}
    words: list[str] = []
    for cell in row.cells():
        if not _is_price(cell):
            words += [cell.text] if cell.box.centre < left or not prices else []
            continue
        nearest = min(range(len(bands)), key=lambda at: _distance(cell, bands[at][0]))
        distance = _distance(cell, bands[nearest][0])
        if any(_distance(cell, other) < distance for other in others):
            continue  # in the column of something else: `Price until now`
        if distance > 8 * cell.size or nearest in prices:
            return None
        prices[nearest] = cell
    header = [cell.text for cell in others]
    text = _choose_words(words) or _choose_words(header)
    if len(prices) < 2 or text is None:
        return None
    steps = [_Step(text, bands[at][1], cell) for at, cell in sorted(prices.items())]
    return _Group(text, steps, " ".join(header), number, number)


def _distance(one: Cell, other: Cell) -> float:
    return min(
        abs(one.box.x0 - other.box.x0), abs(one.box.x1 - other.box.x1), abs(one.box.centre - other.box.centre)
    )


def _list_groups_of_rows(rows: Sequence[Row]) -> Iterator[_Group]:
    """The groups of rows with a band and its price each, the first with what they are for."""
    run: list[tuple[int, _Step]] = []
    for number, row in enumerate([*rows, None]):
        step = _read_step(row) if row is not None else None
        near = not run or number - run[-1][0] <= _BETWEEN_STEPS
        if step is not None and near and (not run or rows[number].page == rows[run[-1][0]].page):
            run.append((number, step))
            continue
        if run and (step is not None or row is None or number - run[-1][0] > 1):
            yield from _divide(run, rows)
            run = [(number, step)] if step is not None else []


def _divide(run: Sequence[tuple[int, _Step]], rows: Sequence[Row]) -> Iterator[_Group]:
    """The groups of a run of rows, where anything says that these are steps."""
    first = run[0][0]
    above = [rows[at].text for at in range(max(0, first - 2), first) if rows[at].page == rows[first].page]
    header = " ".join(above[-1:])
    named = any(names_steps(text) for text in above[-1:])
    groups: list[list[tuple[int, _Step]]] = []
    for number, step in run:
        before = groups[-1] if groups else None
        if before is None or (step.text and step.text != before[0][1].text):
            groups.append([(number, step)])
        else:
            before.append((number, step))
    several = [group for group in groups if len(group) > 1]
    for group in groups:
        steps = [step for _, step in group]
        if any(one.band.end is not None and not one.band.explicit for one in steps) and not _adjoin(steps):
            continue
        explicit = any(one.band.explicit or one.band.end is not None for one in steps)
        text = steps[0].text
        if not text and explicit and first and rows[first - 1].page == rows[first].page:
            text = _choose_words([cell.text for cell in rows[first - 1].cells()]) or ""
        if not text or not _are_steps([one.band for one in steps]):
            continue
        if (len(steps) > 1 or several) and (explicit or named):
            yield _Group(text, steps, header, group[0][0], group[-1][0])


def _read_step(row: Row) -> _Step | None:
    """The band and the price of a row that shows these alone, behind what they are for."""
    cells = row.cells()
    if len(cells) < 2 or not _is_price(cells[-1]):
        return None
    price, others = cells[-1], list(cells[:-1])
    band = read_band(others[-1].text)
    if band is None:
        return None
    others.pop()
    before = read_band(others[-1].text) if others else None
    bare = not band.explicit
    # Two numbers before the price are the first and the last quantity, if the first is no name.
    paired = before is not None and (len(others) > 1 or not any(map(str.isalpha, others[-1].text)))
    if before is not None and paired and bare and not before.explicit and before.start < band.start:
        others.pop()
        band = QuantityBand(before.start, band.start, band.unit or before.unit, explicit=False)
    if sum(len(find_dates(cell.text)) for cell in others) > 1:
        return None  # a line that runs from one day to another
    if any(_is_money(cell) for cell in others) or (bare and price.figures[0].value == band.start):
        return None
    return _Step(_choose_words([cell.text for cell in others]) or "", band, price)


def _choose_words(texts: Sequence[str]) -> str | None:
    """The text with the most letters."""
    named = [text for text in texts if re.search(r"[^\W\d_]{2}", text)]
    return max(named, key=lambda text: sum(map(str.isalpha, text)), default=None)


def _are_steps(bands: Sequence[QuantityBand]) -> bool:
    return all(one.start < other.start for one, other in pairwise(bands))


def _adjoin(steps: Sequence[_Step]) -> bool:
    """Whether each step begins where the one before ends."""
    pairs = [(one.band.end, other.band.start) for one, other in pairwise(steps)]
    return bool(pairs) and all(end is not None and 0 <= start - end <= 1 for end, start in pairs)


def _is_price(cell: Cell) -> bool:
    return (
        cell.is_figure
        and len(cell.figures) == 1
        and not cell.figures[0].percent
        and cell.figures[0].value > 0
    )


def _is_money(cell: Cell) -> bool:
    return cell.is_figure and any(one.currency or one.decimals for one in cell.figures)


def join_steps(items: Sequence[LineItem], steps: Sequence[LineItem]) -> Sequence[LineItem]:
    """The steps with the other lines that state a price alone; the lines as they are where some have an
    amount, for what they ask does not depend on the quantity."""
    prices = {step.unit_price if step.amount is None else step.amount for step in steps}
    others = [one for one in items if (one.unit_price if one.amount is None else one.amount) not in prices]
    if not steps or any(item.amount is not None for item in others):
        return items
    return [*steps, *(item for item in others if item.unit_price is not None)]


def describe_further_steps(items: Sequence[LineItem], rows: Sequence[Row]) -> Iterator[str]:
    """Say which prices depend on the quantity and are not among the lines."""
    if any(item.from_quantity is not None for item in items):
        return
    for group in [*_list_columns(rows), *_list_groups_of_rows(rows)][:_MOST_SAID]:
        told = [step for step in group.steps if step.band.explicit]
        if told:
            prices = ", ".join(f"{one.price.text} from {one.band.start:,} on" for one in told)
            yield f"Prices that depend on the quantity are not among the lines: {group.text[:60]}, {prices}."
