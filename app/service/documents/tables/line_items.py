"""One line of a table to a `LineItem`: what each figure means, checked by multiplication."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product
from math import prod

from app.service.charges.months import count_months_of_years, list_payments
from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import LETTER, either, phrase
from app.service.documents.lexicon.vocabulary import DISCOUNT, INCLUDED
from app.service.documents.tables import certainty
from app.service.documents.tables.column_roles import ColumnRoles
from app.service.documents.tables.detection import Table, TableRow
from app.service.documents.values.durations import MONTHLY, MONTHS, YEARLY
from app.service.documents.values.money import Figure, find_figures
from app.service.values.folding import fold
from app.service.values.price_basis import MANY, find_price_count, read_count_word
from app.service.values.rounding import divide_price, is_close, is_product, round_to_cents

_TIME = WORDS.durations
_ONE = Decimal(1)
_HUNDRED = Decimal(100)
_TERMS = (12, 24, 36, 48, 60)
_MONTHLY, _YEARLY = (
    re.compile(rf"\b(?:{one})\b|{often.pattern}")
    for one, often in ((_TIME.month, MONTHLY), (_TIME.year, YEARLY))
)
_ONCE = phrase(either(f"{WORDS.line_roles.once} | {WORDS.line_roles.service}"))
_MONTHS = re.compile(rf"(?<![a-z]){MONTHS}(?![a-z])")
_PER = rf"(?:(?<![a-z]){_TIME.per}(?![a-z])|/) ?"
_PER_MONTH = re.compile(rf"{_PER}{_TIME.month}(?![a-z])")
_PER_THING_AND_MONTH = re.compile(rf"{_PER}\w+ ?{_PER_MONTH.pattern}")
CENTS_BEHIND = re.compile(rf" ?{WORDS.lines.cents}\.?(?![a-z])")
"""What says that the price before it is in hundredths of the currency: `28.64p per kWh`, `31,2 ct`."""
IN_CENTS = re.compile(rf"\d{CENTS_BEHIND.pattern}")


@dataclass
class Line:
    """The row with the figures, the rows of text that belong to it, and discounts printed below it."""

    row: TableRow
    before: list[TableRow] = field(default_factory=list[TableRow])
    after: list[TableRow] = field(default_factory=list[TableRow])
    discounts: list[Decimal] = field(default_factory=list[Decimal])
    optional: bool = False


@dataclass(frozen=True)
class _Price:
    """A reading of a line's price: net of discount, the list price it came from, how often charged,
    and for how many units together it is stated (`2.50 per 100`)."""

    net: Decimal
    list_price: Decimal | None
    factor: Decimal
    verified: bool
    basis: Decimal = _ONE


_SEVERAL_DISCOUNTS = re.compile(r"\d{1,2}(?:[.,]\d+)?(?: ?%? ?\+ ?\d{1,2}(?:[.,]\d+)?)+ ?%?")
_NUMBERED_NAME = re.compile(r"\d[\d.]* +[^\W\d]{2}")
"""A position and its name, below the heading of its part: `01.0010 Scaffold`."""
_WORDS_ALONE = re.compile(r"[^\W\d]{3}[^\d,;:]{0,57}")
"""A name, and no code of an article."""


def build_line_item(table: Table, roles: ColumnRoles, line: Line, term_months: int | None) -> LineItem:
    """Return the line as the page states it, with values that follow from others; none is corrected."""
    row = line.row
    if is_included(row, roles):
        return _build_included_item(table, roles, line)
    amount = row.value(roles.amount)
    if amount is not None:
        amount += sum(line.discounts, Decimal(0))
    discount = _read_discounts(row, roles) or _read_discount(row.figure(roles.discount), row, roles, amount)
    price, quantity = _choose_price(table, roles, line, amount, discount, term_months)
    if quantity is None and price is None and amount is not None:
        quantity = _ONE  # a line of which only the amount is printed: a credit, freight, travel
    net = price.net if price else None
    if net is None and amount is not None and quantity:
        net = divide_price(amount, quantity)
    listed = price.list_price if price else None
    return LineItem(
        description=read_description(table, roles, line),
        quantity=quantity,
        unit=_read_unit(table, roles, row),
        unit_price=net,
        amount=amount,
        item_id=_read_item_id(table, roles, row),
        discount_percent=discount,
        list_unit_price=listed,
        price_basis_quantity=price.basis if price and price.basis != 1 else None,
        period_months=_read_period_months(table, roles, row, price, term_months),
        optional=True if line.optional else None,
        # A quantity taken from a neighbouring row may be the ordered or the confirmed one; a price for a
        # hundred is taken for the price of one too easily.
        provenance=_provenance(
            row,
            roles,
            verified=bool(price and price.verified and price.basis == 1 and roles.quantity in row.cells),
        ),
    )


_COUNTED = re.compile(
    r"(?P<name>.*[^\W\d].*[^\s\d])\s*[×x] ?(?P<behind>[1-9]\d{0,4})"
    r"|(?P<ahead>[1-9]\d{0,4}) ?[×x] (?P<thing>[^\W\d].*)"
)
"""`Team licence × 11`, `2 x Team licence`; a size has a number on either side of the sign."""


def build_amount_alone(description: str | None, amount: Decimal, place: Provenance) -> LineItem:
    """A line of which the page shows the amount alone: one at that price, or as many as its name counts."""
    counted = _COUNTED.fullmatch(description or "")
    count = Decimal(counted["behind"] or counted["ahead"]) if counted else Decimal(1)
    return LineItem(
        description=counted["name"] or counted["thing"] if counted else description,
        quantity=count,
        unit_price=divide_price(amount, count),
        amount=amount,
        provenance={"amount": place},
    )


def is_included(row: TableRow, roles: ColumnRoles) -> bool:
    """Whether words or a dash stand where the amount or the price would, as words of any language do beside a
    price of zero: part of a bundle, or free."""
    shown = [
        row.text(index) for index in (roles.amount, roles.unit_price, roles.list_price) if index is not None
    ]
    texts = [fold(text).strip() for text in shown if text]
    if not texts or any(len(text.split()) > 5 for text in texts):
        return False
    read = [[one for one in find_figures(text, None) if not one.percent] for text in texts]
    if any(figure.value for figures in read for figure in figures):
        return False
    is_free = any(read) and any(
        LETTER.search(text) for text, figures in zip(texts, read, strict=True) if not figures
    )
    return is_free or any(INCLUDED.search(text) or re.fullmatch(r"[-–—]+", text) for text in texts)


def _build_included_item(table: Table, roles: ColumnRoles, line: Line) -> LineItem:
    quantity = line.row.value(roles.quantity)
    return LineItem(
        description=read_description(table, roles, line),
        quantity=quantity if quantity is not None else _ONE,
        unit=_read_unit(table, roles, line.row),
        unit_price=Decimal(0),
        amount=Decimal(0),
        item_id=_read_item_id(table, roles, line.row),
        optional=True if line.optional else None,
        included=True,
        provenance=_provenance(line.row, roles, verified=False),
    )


def _discount_share(row: TableRow, roles: ColumnRoles, amount: Decimal | None) -> Decimal | None:
    """The share of quantity x price that a column of discounts in money takes off the line."""
    figure, quantity = row.figure(roles.discount), row.value(roles.quantity)
    price = row.value(roles.price)
    if figure is None or figure.percent or not figure.value or not quantity or not price or amount is None:
        return None
    whole = quantity * price
    return abs(figure.value) / whole if is_close(whole - abs(figure.value), amount) else None


def _read_discounts(row: TableRow, roles: ColumnRoles) -> Decimal | None:
    """What several discounts in percent, each off what the one before leaves, make together: `10+5`."""
    if not _SEVERAL_DISCOUNTS.fullmatch(text := row.text(roles.discount)):
        return None
    left = [1 - Decimal(one.replace(",", ".")) / _HUNDRED for one in re.findall(r"[\d.,]+", text)]
    return (1 - prod(left)) * _HUNDRED


def _read_discount(
    figure: Figure | None, row: TableRow, roles: ColumnRoles, amount: Decimal | None
) -> Decimal | None:
    """The line discount in percent; spreadsheets hold it as a fraction, some forms as an amount."""
    if figure is None or not figure.value:
        return None
    value = abs(figure.value)
    if taken := _discount_share(row, roles, amount):
        return round_to_cents(taken * _HUNDRED)
    if not figure.percent and value < 1:
        return value * _HUNDRED
    return value if value <= _HUNDRED else None


def _choose_price(
    table: Table, roles: ColumnRoles, line: Line, amount: Decimal | None, discount: Decimal | None,
    term_months: int | None,
) -> tuple[_Price | None, Decimal | None]:  # fmt: skip
    """The reading of price and quantity that multiplies to the amount, else the one as printed."""
    quantities = _find_quantities(line, roles)
    prices = list(_list_prices(line.row, roles, discount))
    taken = _discount_share(line.row, roles, amount)
    if taken and amount is not None:
        listed = line.row.value(roles.price)
        return _Price(divide_price(amount, quantities[0]), listed, _ONE, True), quantities[0]
    stated, factors = line.row.value(roles.unit_price), _list_factors(table, roles, line.row, term_months)
    bases = _list_bases(table, roles, line.row)
    for quantity in quantities:
        for net, listed in ((stated, None), (_deduct_percent(stated, discount), stated)):
            for basis, factor in product(bases, factors):
                if net and amount and is_product(quantity, net / basis, factor, amount):
                    return _Price(net, listed, factor, True, basis), quantity
        for net, listed in prices:
            for factor in factors:
                if amount and is_product(quantity, net, factor, amount):
                    cents = round_to_cents(net)
                    is_rounded = listed is not None and is_product(quantity, cents, factor, amount)
                    return _Price(cents if is_rounded else net, listed, factor, True), quantity
    quantity = quantities[0] if quantities else None
    if line.discounts and amount is not None and quantity:
        return _Price(divide_price(amount, quantity), prices[0][0] if prices else None, _ONE, True), quantity
    if not prices:
        return None, quantity
    net = round_to_cents(prices[0][0]) if prices[0][1] else prices[0][0]
    basis = bases[0] if bases and amount is None else _ONE
    return _Price(net, prices[0][1], _ONE, False, basis), quantity


def _find_quantities(line: Line, roles: ColumnRoles) -> list[Decimal]:
    """The quantity of the row, else those printed right above or below in its column."""
    own = [one for index in (roles.quantity, roles.times) if (one := line.row.value(index)) is not None]
    if own:
        return [prod(own, start=_ONE)]
    near = (row.figure(roles.quantity) for row in (*line.after[:2], *line.before[-2:]))
    return [one.value for one in near if one is not None and one.currency is None]


def _list_prices(
    row: TableRow, roles: ColumnRoles, discount: Decimal | None
) -> Iterator[tuple[Decimal, Decimal | None]]:
    """Net price and list price, the likelier readings first."""
    net, listed = row.value(roles.unit_price), row.value(roles.list_price)
    both = [one.value for one in row.figures(roles.unit_price) if one.currency]
    if len(both) == 2 and both[1] < both[0]:
        yield both[1], both[0]  # the old price, struck out, before the new one
    if IN_CENTS.search(fold(row.text(roles.unit_price))) and net is not None:
        yield net / _HUNDRED, None
    if net is not None:
        yield net, listed
        if (less := _deduct_percent(net, discount)) is not None and discount is not None:
            yield less, net
    elif (less := _deduct_percent(listed, discount)) is not None and listed is not None:
        yield less, listed
        yield listed, listed


def _deduct_percent(price: Decimal | None, discount: Decimal | None) -> Decimal | None:
    """A price after its discount in percent."""
    if price is None or discount is None:
        return price
    return price * (_HUNDRED - discount) / _HUNDRED


def _list_factors(table: Table, roles: ColumnRoles, row: TableRow, term_months: int | None) -> list[Decimal]:
    """How often the price may be charged: as a period column says, else as price and term suggest."""
    months, years = row.value(roles.months), row.value(roles.years)
    if months is not None and 0 < months <= 120:
        by_month, by_year = list_payments(months)
        return [by_month, _ONE, by_year]
    if years is not None and 0 < years <= 15:
        return [years, count_months_of_years(years), _ONE]
    price = table.columns[roles.price or 0]
    shown = fold(f"{price.header} {row.text(roles.unit_price)}")
    terms = [*([term_months] if term_months else []), *_TERMS]
    if _MONTHLY.search(shown):
        return [_ONE, *(Decimal(term) for term in terms)]
    return [_ONE, *(list_payments(term_months) if term_months else ())]


def _read_period_months(
    table: Table, roles: ColumnRoles, row: TableRow, price: _Price | None, term_months: int | None,
) -> int | None:  # fmt: skip
    months, years = row.value(roles.months), row.value(roles.years)
    if months is not None and 0 < months <= 120 and months == months.to_integral_value():
        return int(months)
    if years is not None and 0 < years <= 15:
        return int(count_months_of_years(years))
    if roles.unit_price is None:
        return None
    shown = fold(f"{table.columns[roles.unit_price].header} {row.text(roles.unit_price)}")
    if roles.amount is None and roles.quantity is None:  # a price list
        return 1 if _MONTHLY.search(shown) else 12 if _YEARLY.search(shown) else None
    if price is None or not price.verified:
        return None
    if _MONTHLY.search(shown) and price.factor > 1:
        return int(price.factor)
    is_once = _ONCE.search(fold(read_description(table, roles, Line(row)) or "")) is not None
    if _YEARLY.search(shown):
        return None if is_once and price.factor == 1 else int(count_months_of_years(price.factor))
    if not _MONTHLY.search(shown) or price.net < 0 or is_once:
        return None
    return None if _counts_months(table, roles, row, shown, term_months) else 1


def _counts_months(
    table: Table, roles: ColumnRoles, row: TableRow, price: str, term_months: int | None
) -> bool:
    """Whether the quantity beside a monthly price is, or may be, the number of months."""
    header = table.columns[roles.quantity].header if roles.quantity is not None else ""
    if _MONTHS.search(_PER_MONTH.sub(" ", fold(f"{header} {_read_unit(table, roles, row) or ''}"))):
        return True
    terms = [term_months] if term_months else _TERMS
    return row.value(roles.quantity) in terms and not _PER_THING_AND_MONTH.search(price)


def _provenance(row: TableRow, roles: ColumnRoles, *, verified: bool) -> dict[str, Provenance]:
    named = {
        "quantity": roles.quantity, "unit_price": roles.unit_price, "amount": roles.amount,
        "list_unit_price": roles.list_price, "discount_percent": roles.discount,
    }  # fmt: skip
    return {
        name: row.cells[index].locate(
            certainty.MULTIPLY_IN_TABLE if verified else certainty.STAND_IN_TABLE,
            verified=verified and name in {"quantity", "unit_price", "amount"},
        )
        for name, index in named.items()
        if index is not None and index in row.cells
    }


def find_description_column(table: Table, roles: ColumnRoles) -> int | None:
    """The column of descriptions by its header, else the one with the most letters."""
    texts = _list_text_columns(table, roles)
    named = [index for index in texts if table.columns[index].scores.get("description")]
    if named:
        return max(named, key=lambda index: (_description_strength(table, index), table.letter_counts[index]))
    others = {"item_id", "tax", "position", "unit", "date", "ignored"}
    plausible = [index for index in texts if not set(table.columns[index].scores) & others]
    return max(plausible or texts, key=lambda index: table.letter_counts[index], default=None)


def _description_strength(table: Table, index: int) -> float:
    """How strongly a header speaks for a description and not for a number; `Item no.` has words of both."""
    scores = table.columns[index].scores
    return scores["description"] - max(0.0, scores.get("item_id", 0.0) - scores["description"])


def read_description(table: Table, roles: ColumnRoles, line: Line) -> str | None:
    """The first words that name the item: in the row of figures, else in the rows above or below."""
    index = find_description_column(table, roles)
    if index is None:
        return None
    own = line.row.text(index)
    if re.search(r"[^\W\d]", own):
        return _with_product(table, roles, line, index, own)
    texts = [row.text(index) for row in (*line.before, *line.after)]
    named = [text for text in texts if re.search(r"[^\W\d]{2}", text)]
    numbered = [row.text(index) for row in line.before if _NUMBERED_NAME.match(row.text(index))]
    return next(iter((*numbered[-1:], *named)), own or None)


def _with_product(table: Table, roles: ColumnRoles, line: Line, index: int, own: str) -> str:
    """A description behind the product that stands in a column of its own left of it: `Suite, Server licence`
    under `Product` and `Description`."""
    for left in _list_text_columns(table, roles):
        scores = table.columns[left].scores
        if left >= index or scores.keys() != {"description"}:
            continue
        product = line.row.text(left)
        if _WORDS_ALONE.fullmatch(product) and fold(product) not in fold(own):
            return f"{product}, {own}"
    return own


def _read_item_id(table: Table, roles: ColumnRoles, row: TableRow) -> str | None:
    described = find_description_column(table, roles)
    named = [
        index
        for index in _list_text_columns(table, roles)
        if index != described and table.columns[index].scores.get("item_id") and row.text(index)
    ]
    best = max(named, key=lambda index: table.columns[index].scores["item_id"], default=None)
    return row.text(best) if best is not None else None


def read_discount_below(row: TableRow, line: Line, roles: ColumnRoles) -> Decimal | None:
    """What a row below a line takes off it: a discount whose percentage fits the line's amount."""
    if not DISCOUNT.search(fold(row.row.text)):
        return None
    taken, amount = row.value(roles.amount), line.row.value(roles.amount)
    percents = [figure for figure in row.row.figures if figure.percent]
    if taken is None or amount is None or not percents:
        return None
    expected = amount * percents[0].value / _HUNDRED
    return (
        -abs(taken)
        if is_close(abs(taken), abs(expected), max(Decimal("0.05"), abs(expected) / 100))
        else None
    )


def _list_text_columns(table: Table, roles: ColumnRoles) -> list[int]:
    return [index for index in range(len(table.columns)) if index not in roles.columns_of_figures]


def _read_unit(table: Table, roles: ColumnRoles, row: TableRow) -> str | None:
    """The unit, without the number of units that its price is for: `pcs` of `per 1,000 pcs`."""
    text = _read_text_of_unit(table, roles, row)
    if text is None or (stated := find_price_count(text)) is None:
        return text
    return f"{text[: stated.start]} {text[stated.end :]}".strip() or None


def _read_text_of_unit(table: Table, roles: ColumnRoles, row: TableRow) -> str | None:
    for index in _list_text_columns(table, roles):
        if table.columns[index].best_meaning in ("unit", "basis") and re.search(r"[^\W\d]", row.text(index)):
            return row.text(index)
    if quantity := row.figure(roles.quantity):
        rest = row.text(roles.quantity)[quantity.end :].strip(" .()")
        return rest or None
    return None


def _list_bases(table: Table, roles: ColumnRoles, row: TableRow) -> list[Decimal]:
    """For how many units together the price of a row may be stated, where that is not one: as its column of
    bases, its own words, those of its unit, or the header of the prices say; where an amount can prove it, as
    a unit of C or M or a round number in another column says too."""
    own = row.value(roles.basis)
    if own is not None:
        return [own] if own > 1 else []
    header = table.columns[roles.unit_price].header if roles.unit_price is not None else ""
    texts = [row.text(roles.unit_price), _read_text_of_unit(table, roles, row) or "", header]
    stated = [found.count for text in texts if (found := find_price_count(text)) is not None]
    if stated or roles.amount is None:
        return stated[:1]
    counted = read_count_word(_read_text_of_unit(table, roles, row) or "")
    others = (row.value(index) for index in set(range(len(table.columns))) - roles.columns_of_figures)
    return [one for one in (counted, *others) if one in MANY]
