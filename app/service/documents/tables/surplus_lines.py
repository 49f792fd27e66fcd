"""Rows that look like lines of items and only tax, sum up, repeat or break down others."""

from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from itertools import accumulate, product

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import LabelledSum
from app.service.documents.lexicon.vocabulary import LIMIT, total_kind
from app.service.documents.values.money import find_figures
from app.service.values.folding import fold
from app.service.values.rounding import is_product

_MOST_COPIES = 4
_MOST_OF_A_KIND = 8
_PER_CENTS = 200
"""Of a net that go into a tax of so many halves of a per cent."""
_SENTENCE = 6
"""Spaces from which on a description is a sentence."""
_ZERO = Decimal(0)


def sum_all(items: Iterable[LineItem]) -> Decimal:
    """What lines add up to, optional ones too."""
    return sum((item.amount for item in items if item.amount is not None), _ZERO)


def _sum_amounts(items: Iterable[LineItem]) -> Decimal:
    """What the lines that are not optional add up to."""
    return sum_all(item for item in items if not item.optional)


def without_limits(items: Sequence[LineItem]) -> list[LineItem]:
    """The lines without the sentences that say how much something may cost at most."""

    def is_limit(text: str) -> bool:
        found = LIMIT.search(text)
        if found is None or text.count(" ") < _SENTENCE:
            return False
        # `$500, until the 10th of each month` is a fee.
        return not any(one.currency or one.decimals for one in find_figures(text[: found.start()], None))

    return [item for item in items if not is_limit(fold(item.description or ""))]


def without_sum_row(items: Sequence[LineItem], sums: Collection[Decimal]) -> list[LineItem]:
    """The lines without a last one whose quantity and amount are both the sums of those above it. It is a
    line where a unit costs what it does above, or all make a printed sum: 10, 20, 30 users in three years."""
    *goods, last = items or [LineItem()]
    whole = _sum_amounts(goods)
    quantities = [item.quantity for item in goods if item.quantity is not None]
    is_sum = len(goods) > 1 and last.quantity == sum(quantities) and last.amount == whole
    is_priced = last.unit_price is not None and last.unit_price in [item.unit_price for item in goods]
    if is_sum and not is_priced and 2 * whole not in sums:
        return goods
    return list(items)


def without_sums_of(
    goods: Sequence[LineItem], items: Sequence[LineItem], sums: Collection[Decimal | None]
) -> Sequence[LineItem]:
    """The lines without those that are not among the goods and that are the sum of several of them all, or
    one of these sums and named so."""
    whole = _sum_amounts(goods)
    amounts = [item.amount for item in goods]
    prices = sum((item.unit_price or _ZERO for item in goods), _ZERO)

    def is_sum(item: LineItem) -> bool:
        is_counted = item.quantity not in (None, 1) and item.unit_price != prices
        if not goods or item.amount in amounts or is_counted:
            return False
        named = item.amount in sums and total_kind(fold(item.description or "")) is not None
        return named or (len(goods) > 2 and item.amount == whole)

    return [one for one in items if not is_sum(one)]


def without_closing_sums(items: Sequence[LineItem], sums: Sequence[LabelledSum]) -> list[LineItem]:
    """The lines without the net, the tax and the total that labels call so and that add up, and without a net
    of which a tax is so many per cent."""
    kinds: dict[str, list[LabelledSum]] = {}
    for one in sums:
        kinds.setdefault("gross" if one.kind == "due" else one.kind, []).append(one)
    nets, taxes, wholes = (kinds.get(kind, ())[-_MOST_OF_A_KIND:] for kind in ("net", "tax", "gross"))
    closing: list[LabelledSum] = []
    for net, tax in product(nets, taxes):
        made = [one for one in wholes if net.value + tax.value == one.value]
        if tax.value and (made or tax.value * _PER_CENTS % (net.value or 1) == 0 < tax.value < net.value):
            closing += [net, tax, *made]
    values = {one.value for one in closing}

    def is_sum(item: LineItem) -> bool:
        place = item.provenance.get("amount")
        return (
            item.amount in values
            and place is not None
            and place.box is not None
            and any(
                one.cell.page == place.page
                and one.cell.box.x0 <= place.box.centre <= one.cell.box.x1
                and one.cell.box.top <= place.box.middle <= one.cell.box.bottom
                for one in closing
            )
        )

    return [item for item in items if not is_sum(item)]


def without_second_amounts(items: Sequence[LineItem], sums: Collection[Decimal]) -> list[LineItem]:
    """The lines without those that share quantity and price with one that multiplies, and do not, where the
    others make a printed sum: the tax of a line, or its amount with the tax."""

    def factors(item: LineItem) -> tuple[object, ...] | None:
        places = [item.provenance.get(name) for name in ("quantity", "unit_price")]
        return tuple((one.page, one.box) for one in places if one) if all(places) else None

    proven = {factors(item) for item in items if multiplies(item)} - {None}
    others = [item for item in items if multiplies(item) or factors(item) not in proven]
    return others if sum_all(others) in sums else list(items)


def multiplies(item: LineItem, factor: Decimal = Decimal(1)) -> bool:
    """Whether quantity × price, charged so often, is the amount."""
    if not item.quantity or not item.unit_price or item.amount is None:
        return False
    return is_product(item.quantity, item.unit_price, factor / (item.price_basis_quantity or 1), item.amount)


def without_repeated_lines(items: Sequence[LineItem], sums: Collection[Decimal]) -> list[LineItem]:
    """The lines of the first page, where they add up to a printed sum, all lines add up to none, and those of
    each other page are the same ones again or what one of them is made of; so too of a copy on the same page;
    else all lines."""
    for count in range(2, _MOST_COPIES + 1):
        share, rest = divmod(len(items), count)
        parts = [items[at * share : (at + 1) * share] for at in range(count)]
        if share and not rest and all(_is_copy(parts[0], part) for part in parts[1:]):
            printed = sum_all(parts[0]) in sums and sum_all(items) not in sums
            return list(parts[0] if printed else items)
    pages: dict[int | None, list[LineItem]] = {}
    for item in items:
        place = next(iter(item.provenance.values()), None)
        pages.setdefault(place.page if place else None, []).append(item)
    first, *others = pages.values() if len(pages) > 1 else [list(items)]
    is_whole = sum_all(first) in sums and sum_all(items) not in sums
    if is_whole and all(_repeats(first, page) or _breaks_down(first, page) for page in others):
        return list(first)
    return list(items)


def _is_copy(items: Sequence[LineItem], others: Sequence[LineItem]) -> bool:
    return all(
        (one.description, one.quantity, one.unit_price, one.amount)
        == (other.description, other.quantity, other.unit_price, other.amount)
        for one, other in zip(items, others, strict=True)
    )


def _repeats(first: Sequence[LineItem], page: Sequence[LineItem]) -> bool:
    known = {(fold(item.description or ""), item.quantity) for item in first}
    return all((fold(item.description or ""), item.quantity) in known for item in page)


def _breaks_down(first: Sequence[LineItem], page: Sequence[LineItem]) -> bool:
    """Whether the lines of a page make up one of the first, or all of them, one after the other."""
    runs, parts = (set(accumulate(item.amount or _ZERO for item in items)) for items in (first, page))
    whole = sum_all(page)
    return bool(whole) and len(page) > 1 and (any(item.amount == whole for item in first) or runs <= parts)
