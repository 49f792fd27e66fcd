"""The lines of the learned reader: an amount each with the figures around it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import median

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.learned.features import FigureFeatures
from app.service.documents.learned.line_parts import PARTS, LineParts, choose_parts
from app.service.documents.learned.printed_figures import PrintedFigure
from app.service.documents.learned.roles import FigureRole, RoleScores
from app.service.documents.lexicon.letters import is_of_letter, strip_letter_words
from app.service.values.rounding import CENT, divide_price, is_close, round_to_cents

_CANDIDATE = 0.08
"""The least probability of an amount that may become a line."""
_REACH = 5
"""Rows over which the figures of a line may stand."""
_HUNDRED = Decimal(100)
_BESIDE_PRICES: tuple[FigureRole, ...] = ("quantity", "list_price", "discount")
_FIELDS: Mapping[FigureRole, str] = {
    "quantity": "quantity", "unit_price": "unit_price", "list_price": "list_unit_price",
    "discount": "discount_percent",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Line:
    """A line with its figures. `score` is the log odds that it is one; `margin`, from 0 to 1, how far its
    reading is ahead of the next."""

    item: LineItem
    amount: int | None
    used: frozenset[int]
    score: float
    margin: float
    row: int


def find_lines(rows: Sequence[Row], features: FigureFeatures, scores: RoleScores) -> list[Line]:
    """Every line that the document may have, also improbable ones, in reading order; the prices of a price
    list, where nothing is an amount."""
    figures = features.figures
    amounts = [index for index in range(len(figures)) if scores.probability(index, "amount") >= _CANDIDATE]
    likely = [index for index in amounts if scores.probability(index, "amount") > 0.5]
    prices = _list_prices(features, scores)
    summed = any(scores.probability(index, "total") > 0.5 for index in range(len(figures)))
    if len(prices) > 2 * len(likely) and not summed:
        return _read_prices(rows, features, scores, prices)
    stacks = _stack_amounts(features, likely)
    lines: list[Line] = []
    for index in amounts:
        around = _around(features, stacks, index, set(likely))
        parts, margin = choose_parts(features, scores, index, around)
        if not figures[index].value and parts.part("quantity") is None:
            continue  # a surcharge of nothing
        score = scores.score(index, "amount") + (
            1.0 if parts.multiplies and parts.part("quantity") is not None else 0.0
        )
        lines.append(_build_line(rows, figures, scores, parts, score, margin))
    own = [[figures[index] for index in sorted(one.used, key=lambda index: index == one.amount)]
           for one in lines]  # fmt: skip
    names = _replace_labels(rows, [one.item.description for one in lines], own)
    named = [
        replace(one, item=replace(one.item, description=name)) for one, name in zip(lines, names, strict=True)
    ]
    return _without_shared_figures(named, figures)


@dataclass(frozen=True)
class _Stack:
    """Amounts that stand under each other: their rows from the top, and the right edge of most."""

    rows: Sequence[int]
    edge: float


def _around(
    features: FigureFeatures, stacks: Sequence[_Stack], amount: int, likely: Collection[int]
) -> list[int]:
    """The figures of the row and those of the rows without amounts above and below it. Where amounts stand
    side by side, as on cards, each has the figures of other rows that stand nearest to its own stack."""
    figures, row = features.figures, features.figures[amount].row
    own = _find_stack(stacks, figures[amount])
    rows = own.rows if own else ()
    above = max((one for one in rows if one < row), default=-1)
    below = min((one for one in rows if one > row), default=row + _REACH + 1)
    first, last = max(above + 1, row - _REACH), min(below - 1, row + _REACH)
    upper = features.rows.get(above, ()) if row - above <= _REACH else ()
    last_above = max((one for one in upper if one in likely), default=-1)
    continued = [one for one in upper if one > last_above >= 0]  # a sentence that goes on
    return continued + [
        index
        for number in range(first, last + 1)
        for index in features.rows.get(number, ())
        if number == row or _find_stack(stacks, figures[index]) is own
    ]


def _stack_amounts(features: FigureFeatures, likely: Sequence[int]) -> list[_Stack]:
    """The amounts in stacks; in one where no row holds two."""
    figures = [features.figures[index] for index in likely]
    groups: list[list[PrintedFigure]] = []
    if len({one.row for one in figures}) == len(figures):
        groups = [figures] if figures else []
    else:
        edge = 0.0
        for one in sorted(figures, key=lambda one: one.box.x0):
            if not groups or one.box.x0 > edge:
                groups.append([])
            groups[-1].append(one)
            edge = max(edge, one.box.x1)
    return [
        _Stack(sorted({one.row for one in group}), median(one.box.x1 for one in group)) for group in groups
    ]


def _find_stack(stacks: Sequence[_Stack], one: PrintedFigure) -> _Stack | None:
    """The stack that stands nearest to a figure."""
    return min(stacks, key=lambda stack: abs(stack.edge - one.box.x1), default=None)


def _without_shared_figures(lines: Sequence[Line], figures: Sequence[PrintedFigure]) -> list[Line]:
    """The lines, of which none takes a part from another row that a line with more score takes too."""
    holders: dict[int, Line] = {}
    for line in lines:
        for index in line.used:
            if index not in holders or _claim(line, index, figures) > _claim(holders[index], index, figures):
                holders[index] = line
    return [
        line
        if all(holders[index] is line or figures[index].row == line.row for index in line.used)
        else replace(line, margin=line.margin * 0.5, score=line.score - 1.0)
        for line in lines
    ]


def _claim(line: Line, index: int, figures: Sequence[PrintedFigure]) -> tuple[int, float]:
    return -abs(figures[index].row - line.row), line.score


def _list_prices(features: FigureFeatures, scores: RoleScores) -> list[int]:
    """The unit prices of rows without an amount, and what stands alone in its cell under them."""
    figures = features.figures
    sure = [
        index
        for index in range(len(figures))
        if scores.probability(index, "unit_price") > 0.5
        and not any(scores.probability(one, "amount") > 0.5 for one in features.rows[figures[index].row])
    ]
    columns = {id(features.columns[index]): features.columns[index] for index in sure}
    under = {
        index
        for column in columns.values()
        if len(set(column.members).intersection(sure)) > 2
        for index in column.members
        if figures[index].holder.is_figure and not figures[index].figure.percent
    }
    return sorted(under.union(sure))


def _read_prices(
    rows: Sequence[Row], features: FigureFeatures, scores: RoleScores, prices: Sequence[int]
) -> list[Line]:
    """The lines of a price list."""
    figures = features.figures
    lines: list[Line] = []
    for price in prices:
        mates = features.rows[figures[price].row]
        chosen: list[int | None] = [None] * len(PARTS)
        chosen[PARTS.index("unit_price")] = price
        for role in _BESIDE_PRICES:
            chances = {one: scores.probability(one, role) for one in mates if one != price}
            likely = [one for one in mates if chances.get(one, 0.0) > 0.5]
            if likely:
                chosen[PARTS.index(role)] = max(likely, key=chances.__getitem__)
        parts = LineParts(None, tuple(chosen), 0.0, False)
        score = max(0.1, scores.score(price, "unit_price"))
        lines.append(
            _build_line(rows, figures, scores, parts, score, 2 * scores.probability(price, "unit_price") - 1)
        )
    return lines


def _build_line(
    rows: Sequence[Row], figures: Sequence[PrintedFigure], scores: RoleScores, parts: LineParts,
    score: float, margin: float,
) -> Line:  # fmt: skip
    printed = {
        role: figures[index] for role, index in zip(PARTS, parts.parts, strict=True) if index is not None
    }
    amount = None if parts.amount is None else figures[parts.amount].figure.value
    anchor = figures[parts.amount] if parts.amount is not None else printed["unit_price"]
    quantity = printed["quantity"].figure.value if "quantity" in printed else None
    listed = printed["list_price"].figure.value if "list_price" in printed else None
    price = printed["unit_price"].figure.value if "unit_price" in printed else None
    unpriced = price is None and listed is None
    counted = printed.get("quantity") if unpriced else None
    if counted and counted.holder is anchor.holder and counted.figure.start > anchor.figure.start:
        quantity = None  # `1,250.00, until the 10th of each month`
    percent = _discount_percent(printed.get("discount"), listed or price, quantity, amount)
    if price is None and listed is not None and percent is not None:
        price = round_to_cents(listed * (_HUNDRED - percent) / _HUNDRED)
    elif (
        price is not None
        and listed is None
        and percent is not None
        and _is_before_discount(price, percent, quantity, amount, parts)
    ):
        listed, price = price, round_to_cents(price * (_HUNDRED - percent) / _HUNDRED)
    elif price is None and listed is not None:
        listed, price = None, listed
    if quantity is None and price is None and amount is not None:
        quantity = Decimal(1)
    if quantity is None and amount is not None and parts.multiplies:
        quantity = Decimal(1)
    if price is None and amount is not None and quantity:
        price = divide_price(amount, quantity)
    indices: dict[FigureRole, int] = {
        role: index for role, index in zip(PARTS, parts.parts, strict=True) if index is not None
    }
    item = LineItem(
        description=_find_name(rows, anchor),
        quantity=quantity,
        unit_price=price,
        amount=amount,
        discount_percent=percent,
        list_unit_price=listed,
        period_months=_period_months(printed.get("period"), parts),
        provenance=_locate(figures, scores, indices, parts.amount),
    )
    used = frozenset(index for index in (*parts.parts, parts.amount) if index is not None)
    return Line(item, parts.amount, used, score, margin, anchor.row)


def _discount_percent(
    discount: PrintedFigure | None,
    price: Decimal | None,
    quantity: Decimal | None,
    amount: Decimal | None,
) -> Decimal | None:
    """The percentage of a discount: as printed, also without a sign where it makes the amount, or what a sum
    is of the price."""
    if discount is None:
        return None
    value = abs(discount.figure.value)
    whole = (price or 0) * (quantity or 1)
    if discount.figure.percent or (amount and is_close(whole * (_HUNDRED - value) / _HUNDRED, amount, CENT)):
        return value if value < _HUNDRED else None
    if price and quantity and value < abs(price * quantity):
        return round_to_cents(value / abs(price * quantity) * _HUNDRED)
    return None


def _is_before_discount(
    price: Decimal, percent: Decimal, quantity: Decimal | None, amount: Decimal | None, parts: LineParts
) -> bool:
    """Whether the printed price is the one that the discount is taken from."""
    if not quantity or amount is None:
        return False
    whole = price * quantity * Decimal(str(parts.factor))
    less = whole * (_HUNDRED - percent) / _HUNDRED
    return abs(less - amount) < abs(whole - amount)


def _period_months(period: PrintedFigure | None, parts: LineParts) -> int | None:
    if period is None or not parts.multiplies or not 0 < period.value <= 120:
        return None
    months = period.value if period.value >= 1 else 0
    if abs(parts.factor - period.value) < 0.001 and period.value <= 10:
        return None
    return int(months) if months == int(months) else None


def _locate(
    figures: Sequence[PrintedFigure],
    scores: RoleScores,
    indices: Mapping[FigureRole, int],
    amount: int | None,
) -> dict[str, Provenance]:
    found: dict[str, Provenance] = {}
    for role, index in indices.items():
        if name := _FIELDS.get(role):
            found[name] = locate(figures[index], scores.probability(index, role))
    if amount is not None:
        found["amount"] = locate(figures[amount], scores.probability(amount, "amount"))
    return found


def locate(one: PrintedFigure, probability: float) -> Provenance:
    """Where a figure stands; its confidence is the probability of its role, given that it is legible."""
    return Provenance(one.page, one.box, probability * one.holder.confidence)


_FEWEST_LETTERS = 3
_ROWS_ABOVE = 3


def _find_name(rows: Sequence[Row], anchor: PrintedFigure) -> str | None:
    """The words with most letters in the row, else in the nearest of the two rows above."""
    for number in range(anchor.row, max(-1, anchor.row - _ROWS_ABOVE), -1):
        if rows[number].page != anchor.page or (number < anchor.row and is_of_letter(rows[number].text)):
            break
        texts = [
            cell.text for cell in rows[number].cells() if not cell.is_figure and not cell.text.endswith(":")
        ]
        best = strip_letter_words(max(texts, key=_count_letters, default=""))
        if _count_letters(best) >= _FEWEST_LETTERS:
            return best.rstrip(" ._")
    return None


def _replace_labels(
    rows: Sequence[Row], names: Sequence[str | None], figures: Sequence[Sequence[PrintedFigure]]
) -> list[str | None]:
    """The names of the lines; where several are the same label beside figures of theirs, as on cards, the
    words above. `figures` are those of each line, its amount last."""
    counts = Counter(_letters(name) for name in names)
    return [
        _find_above(rows, own) or name if counts[_letters(name)] > 1 and _is_labelled(own) else name
        for name, own in zip(names, figures, strict=True)
    ]


def _is_labelled(own: Sequence[PrintedFigure]) -> bool:
    """Whether the figures stand in several rows, or in a cell with words."""
    return len({one.row for one in own}) > 1 or any(not one.holder.is_figure for one in own)


def _find_above(rows: Sequence[Row], own: Sequence[PrintedFigure]) -> str | None:
    """The words in the nearest row above that begin farthest right of those that begin left of the amount's
    end."""
    top, right = min(one.row for one in own), own[-1].box.x1
    for number in range(top - 1, max(-1, top - 1 - _ROWS_ABOVE), -1):
        if rows[number].page != own[0].page or is_of_letter(rows[number].text):
            break
        begun = [cell for cell in rows[number].cells() if cell.box.x0 <= right]
        if begun and not begun[-1].is_figure and _count_letters(begun[-1].text) >= _FEWEST_LETTERS:
            return strip_letter_words(begun[-1].text).rstrip(" ._")
    return None


def _count_letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _letters(name: str | None) -> str:
    return "".join(filter(str.isalpha, name or ""))
