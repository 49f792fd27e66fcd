"""Lines without a header, which multiply or add up to a total."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import accumulate, combinations
from typing import TypeAlias

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.quantity_bands import read_band
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables import certainty
from app.service.documents.tables.inline_calculations import read_calculation
from app.service.documents.tables.line_items import IN_CENTS, build_amount_alone
from app.service.documents.values.dates import find_dates
from app.service.documents.values.money import is_figure
from app.service.values.folding import fold
from app.service.values.periods import read_span
from app.service.values.price_basis import cut_price_end
from app.service.values.rounding import adds_up, is_product

_GAP = 0.62
_MOST_TAXED = Decimal("1.35")
"""How often a net goes into the total with its tax."""
_NAME_AND_AMOUNT = 2
_MOST_SUMMED = 100
_IN_BRACKETS = re.compile(r"\([^)]*\)")
_TIME = WORDS.durations
_PERIODS = range(1, 61)
_PERIOD = re.compile(rf"{_TIME.month}|{_TIME.year}")
_LINK = re.compile(r"[:=]$|^[–—-]$")


def read_multiplying_rows(rows: Sequence[Row]) -> list[LineItem]:
    """The lines of rows that multiply; at least two, for one alone may be chance."""
    items = [item for row in rows if (item := _read_item(row)) is not None]
    return items if len(items) >= 2 else []


def read_summed_rows(rows: Sequence[Row], printed: Collection[Decimal] = ()) -> list[LineItem]:
    """The rows of a text and an amount each, right above a total that is their sum: in two cells, or parted
    by a colon or a dash as in a list; days, shares and words may stand between. The sums of their sections,
    and of several right above, are none of them. A `printed` sum that is larger by more than a tax is of
    others too. Rows that end otherwise make up a sum that is printed elsewhere, or are no lines."""
    runs: list[list[_Priced]] = [[]]
    sections: dict[str, int] = {}
    for row in rows:
        above = runs[-1]
        cells = row.cells(_GAP)
        parts = list(_split_at_amount(cells[0]) if len(cells) == 1 else cells)
        if len(parts) > _NAME_AND_AMOUNT and not parts[-1].figures:
            parts.pop()  # `plus tax`
        amount = _read_amount(parts[-1]) or _read_product(row)
        if len(parts) < 2 or amount is None or any(map(_shows_number, parts[1:-1])):
            # A line of text, or what several amounts are for, with its weight and size.
            is_heading = len(cells) == 1 or (above and parts[-1].box.x1 < above[-1][2].box.x0)
            if not is_heading:
                runs.append([])
            sections[fold(cells[0].text)] = len(runs[-1])
            continue
        text, last = parts[0], parts[-1]
        name = fold(text.text)
        if _WRITTEN_OUT.match(row.text):
            amount = abs(amount)  # in brackets behind what it is made of
        has_edges = bool(above) and len(cells) > 1 and last.words[0].cell is None
        is_apart = has_edges and abs(above[-1][2].box.x1 - last.box.x1) > last.size
        if name in sections and sum(value for *_, value in above[sections[name] :]) == amount:
            continue
        values = [value for *_, value in above[-_MOST_SUMMED:]]
        labels = (_IN_BRACKETS.sub("", fold(one.text)) for one in parts[:-1])
        if any(total_kind(one) not in (None, "other") for one in labels):
            is_whole = max(printed, default=amount) <= _MOST_TAXED * amount
            if len(above) > 1 and is_whole and adds_up([value for *_, value in above], amount):
                return [_build_charge(*one) for one in above]
            runs.append([])
        elif amount in list(accumulate(reversed(values)))[1:]:
            continue
        elif is_apart:
            runs.append([(row, text, last, amount)])
        elif re.search(r"[^\W\d]{2}", text.text):
            above.append((row, text, last, amount))
    whole, *others = [run for run in runs if len(run) > 1] or runs[:1]
    is_whole = not others and sum(value for *_, value in whole) in printed
    is_plain = all(total_kind(fold(text.text)) is None for _, text, *_ in whole)  # no discount among them
    return [_build_charge(*one) for one in whole] if is_whole and is_plain else []


_COUNT_AHEAD = re.compile(
    r"(?P<count>[1-9]\d{0,3}) ?(?:[×x*]|[^\W\d]{1,3}(?: ?:|\.)|:)\s*(?P<name>[^\W\d].+)"
)
"""`2 of: Gloves`, `2 x Gloves`, `2 pcs. Gloves`."""


def read_counted_prices(rows: Sequence[Row], printed: Collection[Decimal]) -> list[LineItem]:
    """The rows of how many of what, and the price of one, which all together make a `printed` sum."""
    items: list[LineItem] = []
    for row in rows:
        cells = row.cells(_GAP)
        named = _COUNT_AHEAD.fullmatch(cells[0].text) if len(cells) == _NAME_AND_AMOUNT else None
        price = _read_amount(cells[-1])
        if named is not None and price is not None:
            count, place = Decimal(named["count"]), cells[-1].locate(certainty.ADD_UP_WITHOUT_HEADER)
            items.append(
                LineItem(named["name"], count, None, price, count * price, provenance={"unit_price": place})
            )
    makes = sum((one.amount for one in items if one.amount), Decimal(0))
    alone = sum((one.unit_price for one in items if one.unit_price), Decimal(0))
    return items if len(items) > 1 and makes in printed and alone not in printed else []


def read_price_matrix(rows: Sequence[Row]) -> list[LineItem]:
    """The prices of a table whose header and rows say only what they are for, each a line: `Snowfall | Roads
    | Walkways`. Several rows of money stand below words, as many as in the header."""
    items: list[LineItem] = []
    found: list[LineItem] = []
    header: Sequence[Cell] = ()
    for row in rows:
        name, *prices = row.cells()
        is_priced = len(prices) > 1 and not _read_amount(name) and all(map(_read_priced, prices))
        if is_priced and len(header) == len(prices) + 1:
            place = certainty.STAND_IN_TABLE
            found += [
                LineItem(
                    description=f"{name.text} ({over.text})",
                    unit_price=_read_priced(cell),
                    provenance={"unit_price": cell.locate(place)},
                )
                for cell, over in zip(prices, header[1:], strict=True)
            ]
            continue
        items += found if len(found) > len(header) else []
        header = () if any(one.currency for one in row.figures) else row.cells()
        found.clear()
    return [*items, *(found if len(found) > len(header) else [])]


def _read_priced(cell: Cell) -> Decimal | None:
    """The price of a cell that holds nothing but one with its currency."""
    return _read_amount(cell) if cell.figures and cell.figures[0].currency else None


def read_taxed_rows(rows: Sequence[Row]) -> list[LineItem]:
    """The rows of a text, a net, its tax and perhaps both together, right above a row of what each column
    adds up to; rows of words may stand between."""
    run: list[tuple[Row, Cell, list[Cell]]] = []
    for row in rows:
        cells = row.cells(_GAP)
        money = [cell for cell in cells if _read_amount(cell) is not None]
        if not money:
            continue
        values = [_value(cell) for cell in money]
        columns = zip(*([_value(cell) for cell in shown] for *_, shown in run), strict=True)
        if len(run) > 1 and [sum(column) for column in columns] == values:
            return [_build_charge(above, text, net, _value(net)) for above, text, (net, *_) in run]
        is_named = cells[0] not in money and not any(one.percent for one in cells[0].figures)
        net, tax, *both = (*values, Decimal(-1))
        is_taxed = 0 <= tax <= (_MOST_TAXED - 1) * net and both[:-1] in ([], [net + tax])
        if not (is_taxed and is_named) or (run and len(run[0][2]) != len(money)):
            run = []
        if is_taxed and is_named:
            run.append((row, cells[0], money))
    return []


_Priced: TypeAlias = tuple[Row, Cell, Cell, Decimal]
"""A row with its name, its amount and the value of that."""
_WRITTEN_OUT = re.compile(r"[^\W\d_][^:\d]{2,60}:\s+[^:]*?\d")


def _split_at_amount(cell: Cell) -> tuple[Cell, ...]:
    """The name and the amount of `Set-up: USD 500.00`, `Set-up - $500.00`, `Set-up: 2 days (USD 500)` and
    `Total: USD 500 without tax`; else the cell alone."""
    money = [one for one in cell.figures if one.currency and not one.percent]
    label = cell.text.partition(":")[0]
    if money and _WRITTEN_OUT.match(cell.text):
        rest = cell.text[money[-1].end :].strip(" .")
        if not rest or (len(money) == 1 and total_kind(fold(label))):
            begin, end = (len(cell.text[:at].split()) for at in (money[-1].start, money[-1].end))
            name = cell.with_words(cell.words[: len(label.split())])
            return name, cell.with_words(cell.words[begin:end])
    for at in range(len(cell.words) - 1, max(len(cell.words) - 3, 0), -1):
        last = cell.with_words(cell.words[at:])
        if _read_amount(last) is not None and _LINK.search(cell.words[at - 1].text):
            return cell.with_words(cell.words[:at]), last
    return (cell,)


_LABELLED_RATE = re.compile(r"(?P<label>(?:[^\W\d]+ )?)(?P<price>[^\s\w]?\d[^/]*/ ?[^\W\d_][\w.]*)")
_PRICE_OF_UNIT = re.compile(
    r"(?P<name>.*[^\W\d_]{2}.*?)\s*[-–—:=@]\s*(?P<price>[^\s/][^/]*?) ?/ ?(?P<unit>[^\W\d_][\w.]*)"
)


def read_unit_prices(rows: Sequence[Row]) -> list[LineItem]:
    """The rows of a thing and the price of its unit each, at least two: `Wiring, one side – 275 / No.s`, in a
    cell or in two; several beside each other are a line each: `Packer   $24.85/hr   OT $37.28/hr`."""
    items = [item for row in rows for item in _list_unit_prices(row)]
    is_list = sum(not _PERIOD.fullmatch(fold(item.unit or "")) for item in items) > 1
    return items if is_list else []


def _list_unit_prices(row: Row) -> Iterator[LineItem]:
    cells = row.cells()
    texts = [" : ".join(cell.text for cell in cells) if len(cells) == _NAME_AND_AMOUNT else row.text]
    if len(cells) > _NAME_AND_AMOUNT:
        labelled = [_LABELLED_RATE.fullmatch(cell.text) for cell in cells[1:]]
        beside = [one for one in labelled if one is not None]
        texts = [f"{' '.join((cells[0].text, *one['label'].split()))} : {one['price']}" for one in beside]
        texts = texts if len(beside) == len(labelled) else [row.text]
    return (item for text in texts if (item := _read_unit_price(text, row)) is not None)


def _read_unit_price(text: str, row: Row) -> LineItem | None:
    parts = _PRICE_OF_UNIT.fullmatch(text)
    if parts is None or read_band(parts["name"]) is not None:
        return None
    figures = row.figures_in(parts["price"])
    if len(figures) != 1 or not is_figure(parts["price"], figures) or figures[0].value <= 0:
        return None
    is_in_cents = IN_CENTS.search(fold(parts["price"])) is not None
    return LineItem(
        description=parts["name"],
        unit=parts["unit"],
        unit_price=figures[0].value / (100 if is_in_cents else 1),
        provenance={"unit_price": row.locate(certainty.STAND_IN_TEXT)},
    )


def _read_amount(cell: Cell) -> Decimal | None:
    """The amount of a cell that holds nothing but one, with its cents, its thousands or its currency."""
    figures = cell.figures if cell.is_figure else ()
    return next(
        (one.value for one in figures
         if not one.percent and (one.currency or one.decimals == 2 or _GROUPED.fullmatch(cell.text))), None
    )  # fmt: skip


def _read_product(row: Row) -> Decimal | None:
    """The amount of a row that writes out how it is made."""
    written_out = read_calculation(row)
    return written_out.amount if written_out is not None else None


def _shows_number(cell: Cell) -> bool:
    """Whether a cell is or begins with a number of things or of money, as `12.40 per 100`."""
    figures = cell.figures
    is_time = read_span(cell.text) is not None or bool(find_dates(cell.text))
    begins = bool(figures) and figures[0].start == 0 and not is_time
    return (cell.is_figure or begins) and not any(one.percent or one.value == 1 for one in figures)


def _build_charge(row: Row, text: Cell, last: Cell, amount: Decimal) -> LineItem:
    written_out = read_calculation(row)
    if written_out is not None and written_out.amount == amount:
        return replace(written_out, description=written_out.description or text.text.rstrip(" :=–—-"))
    place = last.locate(certainty.ADD_UP_WITHOUT_HEADER)
    return build_amount_alone(text.text.rstrip(" :=–—-"), amount, place)


def _read_item(row: Row) -> LineItem | None:
    cells = [part for cell in row.cells(_GAP) for part in _split_amounts(cell)]
    figures = [cell for cell in cells if _is_figure_with_unit(cell)]
    texts = [cell for cell in cells if re.search(r"[^\W\d]{2}", cell.text) and cell not in figures]
    if len(figures) < 3 or not texts or total_kind(fold(texts[0].text)):
        return None
    *others, last = figures
    amount = _value(last)
    for factor in (None, *others):
        left = [cell for cell in others if cell is not factor]
        for one, other in combinations(left, 2):
            quantity, price = _order_quantity_and_price(one, other)
            times = _value(factor) if factor else Decimal(1)
            basis = cut_price_end(price.text)[1]
            count = basis.count if basis else None
            counted, unit_price = _value(quantity), _value(price) / (count or 1)
            if amount and times in _PERIODS and is_product(counted, unit_price, times, amount):
                item = build_multiplied(max(texts, key=count_letters), quantity, price, last, count)
                if factor is not None and (times % 12 == 0 or _PERIOD.search(fold(factor.text))):
                    return replace(item, period_months=int(times))
                return replace(item, quantity=counted * times)
    return None


_UNIT = re.compile(rf"\s(?:(?:/|{WORDS.durations.per}) ?\d+[a-z]*|\d+[a-z]+)(?: [a-z]+)?$")
_GROUPED = re.compile(r"\D{0,4}\d{1,3}(?:[.,'’ ]\d{3})+\D{0,6}")
_MONEY = re.compile(r"\W?\d{1,3}(?:[.,'’]?\d{3})*[.,]\d\d\W?")


def _is_figure_with_unit(cell: Cell) -> bool:
    """Whether a cell is a figure, perhaps with what it is stated for: `0.0050 per 1k requests`."""
    bare = _UNIT.sub("", cell.text)
    return cell.is_figure if bare == cell.text else is_figure(bare, cell.figures_in(bare))


def _split_amounts(cell: Cell) -> list[Cell]:
    """Two sums of money that stand close are two cells."""
    if len(cell.words) > 1 and all(_MONEY.fullmatch(word.text) for word in cell.words):
        return [cell.with_words((word,)) for word in cell.words]
    return [cell]


def _value(cell: Cell) -> Decimal:
    first, *_ = cell.figures
    return first.value


def _order_quantity_and_price(one: Cell, other: Cell) -> tuple[Cell, Cell]:
    """Quantity and price: a price carries a currency or cents, a quantity stands first."""
    first, *_ = one.figures
    second, *_ = other.figures
    if (first.currency or first.decimals) and not (second.currency or second.decimals):
        return other, one
    return one, other


def count_letters(cell: Cell) -> int:
    return sum(letter.isalpha() for letter in cell.text)


def build_multiplied(
    text: Cell, quantity: Cell, price: Cell, amount: Cell, basis: Decimal | None
) -> LineItem:
    shown = {"quantity": quantity, "unit_price": price, "amount": amount}
    return LineItem(
        description=text.text,
        quantity=_value(quantity),
        unit_price=_value(price),
        amount=_value(amount),
        price_basis_quantity=basis,
        provenance={name: cell.locate(certainty.MULTIPLY_WITHOUT_HEADER) for name, cell in shown.items()},
    )
