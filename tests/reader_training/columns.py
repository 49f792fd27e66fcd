"""The columns of a table of lines, chosen at random among those that its lines have something for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from tests.reader_training.draft import Draft
from tests.reader_training.paper import Align, Run, Text
from tests.reader_training.purchases import Line


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `cell` gives the text for the index of a line in the truth and the line."""

    key: str
    header: str
    cell: Callable[[int, Line], Text]
    align: Align = "right"
    flexible: bool = False
    lead: str = ""
    """What stands at the left edge of a cell whose figure stands at the right: a currency by itself."""


class ColumnMaker:
    """Makes columns in the words and the notation of a draft."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        rng = draft.rng
        self._percent = rng.choice(("{} %", "{}%", "-{}%", "{}"))
        self._discount_as_money = rng.random() < 0.12
        self.unit_with_quantity = rng.random() < 0.15
        self._unit_with_price = rng.random() < 0.1
        self._number_align: Align = rng.choices(("right", "centre", "left"), (7, 2, 1))[0]
        self._money_align: Align = rng.choices(("right", "left", "centre"), (12, 1, 1))[0]
        self._decimals = (
            rng.choice((0, 0, 0, 0, 2, 3)) if draft.notation.point == "," else rng.choice((0, 0, 0, 2))
        )
        notation = draft.notation
        self._lead = ""
        if (
            notation.before
            and notation.signed == "all"
            and draft.decide("sign apart", (False,) * 7 + (True,))
        ):
            self._lead, self._money_align = notation.sign, "right"
        self._code_in_header = draft.notation.signed == "none" and rng.random() < 0.6

    def plain(self) -> None:
        """Leaves units out of the cells of quantities and prices."""
        self.unit_with_quantity = self._unit_with_price = False

    @property
    def printed(self) -> set[str]:
        """What stands in the columns of something else."""
        return {"unit"} if self.unit_with_quantity or self._unit_with_price else set()

    def _header(self, key: str, *, money: bool = False) -> str:
        header = self.draft.words.column(key)
        if money and self._code_in_header:
            return f"{header} ({self.draft.notation.currency})"
        return header

    def position(self) -> Column:
        step = self.draft.rng.choice((1, 1, 1, 10))
        form = self.draft.rng.choice(("{}", "{}", "{}.", "{:02}", "{:03}"))
        return Column("position", self._header("position"), lambda n, _: form.format((n + 1) * step), "left")

    def sku(self) -> Column:
        return Column("sku", self._header("sku"), lambda _, line: line.item_id or "", "left")

    def description(self) -> Column:
        return Column(
            "description", self._header("description"),
            lambda n, line: [Run(line.description, "item", n)], "left", flexible=True,
        )  # fmt: skip

    def quantity(self, header: str = "quantity") -> Column:
        return Column("quantity", self._header(header), self._quantity, self._number_align)

    def _quantity(self, number: int, line: Line) -> Text:
        if line.quantity is None:
            return ""
        text = self.draft.notation.number(line.quantity, self._decimals)
        run = Run(text, "quantity", number)
        if self.unit_with_quantity:
            return [run, Run(f" {line.unit if line.quantity == 1 else line.units}")]
        return [run]

    def unit(self) -> Column:
        return Column("unit", self._header("unit"), lambda _, line: line.unit or "", "left")

    def list_price(self) -> Column:
        return Column(
            "list_price",
            self._header("list_price", money=True),
            self._list_price,
            self._money_align,
            lead=self._lead,
        )

    def _list_price(self, number: int, line: Line) -> Text:
        value = line.list_unit_price if line.list_unit_price is not None else line.unit_price
        if value is None:
            return ""
        role = "list_price" if line.list_unit_price is not None else "unit_price"
        return [Run(self.money(value), role, number)]

    def discount(self) -> Column:
        return Column("discount", self._header("discount"), self._discount, self._number_align)

    def _discount(self, number: int, line: Line) -> Text:
        if not line.discount_percent:
            return ""
        if self._discount_as_money and line.list_unit_price is not None and line.unit_price is not None:
            saved = (line.list_unit_price - line.unit_price) * (line.quantity or 1) * line.multiplier
            return [Run(self.draft.money(saved), "discount", number)]
        text = self._percent.format(self.draft.notation.number(line.discount_percent))
        return [Run(text, "discount", number)]

    def unit_price(self, header: str = "unit_price") -> Column:
        return Column(
            "unit_price",
            self._header(header, money=True),
            self._unit_price,
            self._money_align,
            lead=self._lead,
        )

    def _unit_price(self, number: int, line: Line) -> Text:
        if line.unit_price is None or line.included:
            return ""
        runs = [Run(self.money(line.unit_price), "unit_price", number)]
        return [*runs, Run(f" / {line.unit}")] if self._unit_with_price and line.unit else runs

    def period(self, header: str = "period") -> Column:
        return Column("period", self._header(header), self._period, self._number_align)

    def _period(self, number: int, line: Line) -> Text:
        return "" if line.price_period is None else self.multiplier(number, line)

    def multiplier(self, number: int, line: Line) -> Text:
        """The number of periods that an amount is charged for."""
        return [Run(self.draft.notation.number(line.multiplier), "period", number)]

    def amount(self) -> Column:
        return Column(
            "amount", self._header("amount", money=True), self._amount, self._money_align, lead=self._lead
        )

    def money(self, value: Decimal) -> str:
        return self.draft.notation.bare(value) if self._lead else self.draft.money(value)

    def _amount(self, number: int, line: Line) -> Text:
        if line.included:
            return [Run(self.draft.words.label("included"), "amount", number)]
        return [Run(self.money(line.amount or Decimal(0)), "amount", number)]

    def tax(self) -> Column:
        return Column("tax", self._header("tax"), self._tax, self._number_align)

    def _tax(self, _: int, line: Line) -> Text:
        rate = line.tax_rate if line.tax_rate is not None else self.draft.purchase.tax_rate
        if rate is None:
            return ""
        return self._percent.replace("-", "").format(self.draft.notation.number(rate))

    def delivery(self) -> Column:
        day = self.draft.today + timedelta(days=self.draft.rng.randrange(5, 60))
        return Column("delivery", self._header("delivery"), lambda *_: self.draft.date(day), "left")


def choose_columns(draft: Draft, lines: Sequence[Line]) -> list[Column]:
    """Columns that show the lines completely, in a random order that people use."""
    make, rng = ColumnMaker(draft), draft.rng
    seats = any(line.sold_by == "seat" for line in lines) and not any(
        line.sold_by == "good" for line in lines
    )
    before: list[Column] = [make.position()] if rng.random() < 0.45 else []
    description = [make.description()]
    if rng.random() < 0.4 and any(line.item_id for line in lines):
        description.insert(rng.choice((0, 1)), make.sku())
    figures = _price_columns(draft, make, lines)
    quantity = [make.quantity("seats" if seats and rng.random() < 0.6 else "quantity")]
    if rng.random() < 0.35 and not make.unit_with_quantity:
        quantity.insert(rng.choice((0, 1, 1)), make.unit())
    if any(line.price_period for line in lines):
        period = make.period(
            "years" if all(line.price_period in ("year", None) for line in lines) else "period"
        )
        (quantity if rng.random() < 0.5 else figures).append(period)
    middle = [*quantity, *figures] if rng.random() < 0.8 else [*figures, *quantity]
    if rng.random() < 0.2 and (draft.purchase.tax_rate or any(line.tax_rate for line in lines)):
        middle.insert(rng.randrange(len(middle) + 1), make.tax())
    if rng.random() < 0.1:
        middle.insert(0, make.delivery())
    order = rng.random()
    columns = [*before, *description, *middle, make.amount()]
    if order > 0.95:
        columns = [*before, *description, make.amount(), *middle]
    elif order > 0.7:
        others = (one for one in middle if one not in quantity)
        columns = [*before, *quantity, *description, *others, make.amount()]
    forget_unprinted(lines, {column.key for column in columns} | make.printed)
    return columns


def forget_unprinted(lines: Sequence[Line], keys: set[str]) -> None:
    """Takes from the lines what no column shows."""
    for line in lines:
        if "sku" not in keys:
            line.item_id = None
        if "unit" not in keys:
            line.unit = line.units = None


def _price_columns(draft: Draft, make: ColumnMaker, lines: Sequence[Line]) -> list[Column]:
    periods = {line.price_period for line in lines if line.price_period}
    header = "unit_price"
    if len(periods) == 1 and all(line.price_period for line in lines):
        header = {"month": "month_price", "year": "year_price", "term": "unit_price"}[periods.pop()]
    if not any(line.list_unit_price is not None for line in lines):
        return [make.unit_price(header)]
    if draft.chance(0.3):
        for line in lines:
            line.unit_price_printed = line.list_unit_price is None
        return [make.list_price(), make.discount()]
    columns = [make.list_price(), make.discount(), make.unit_price(header)]
    if draft.chance(0.15):
        columns = [columns[2], columns[0], columns[1]]
    return columns
