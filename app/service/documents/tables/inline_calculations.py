"""Lines written out as calculations: `146 users x GBP 54.00 per month x 12 months   GBP 94,608.00`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from app.service.charges.months import count_months_of_years, list_payments
from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.layout.sentences import cut_ticked
from app.service.documents.lexicon.column_words import column_scores, coverage
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.letters import is_of_letter, strip_letter_words
from app.service.documents.lexicon.phrases import LETTER
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables import certainty
from app.service.documents.tables.line_items import CENTS_BEHIND, build_amount_alone
from app.service.documents.tables.sentence_lines import CHANGED_FROM, without_old_prices
from app.service.documents.values.durations import MONTHLY, MONTHS, YEARLY, YEARS
from app.service.documents.values.money import Figure, ends_with_money
from app.service.values.folding import fold
from app.service.values.rounding import adds_up, count_decimals, divide_price, is_product
from app.service.values.units import read_unit

_LINES = WORDS.lines
_TIME = WORDS.durations
# What may stand between a quantity and its price.
_TIMES = re.compile(rf"[×x*@]|\b{_LINES.times}\b")
_LINKS = re.compile(rf"[×*@]|\bx\b|\b{_LINES.times}\b")
_MONTHS = re.compile(rf"\s*{MONTHS}\b")
_YEARS = re.compile(rf"\s*{YEARS}\b")
NUMBERED = re.compile(r"\(?(?:\d{1,3}|[a-k]) ?[.)、）．](?!\d)\s*")
"""The number of a thing in a list, before it."""
_POSITION = re.compile(
    rf"(?i:{WORDS.columns.position_alone}|{WORDS.columns.goods_alone})\.? ?\d{{1,3}} ?[:.)–-] *"
)
"""The same with a word for it: `Pos. 2: `."""
_LIST_MARK = re.compile(r"^\s*[-–—]\s+(?=\d)")
_BULLET = re.compile(r"\s*[-–—•*·▪●]\s+")
_PRICED = re.compile(r"[^\W\d_]{3}")
_SET_APART = re.compile(r"(?: +[–—=-]|:)[^\w]*\d")
_BEHIND_COLON = re.compile(r"：\S{0,12}\s?$")  # `基本料：月額 `
_STEP = re.compile(r"\d ?(?:[-–] ?\d|\+)")
_TAIL = re.compile(r"\W*(?:[^\W\d]+[\W]*){0,6}")
# `$25.00/unit`, `415 lei/buc`, `11,90 o rolo`
_PER_ONE = re.compile(
    rf"\W*(?:(?:[^\W\d]{{1,4}}\s?)?/|(?:{_TIME.per}|[^\W\d]{{1,4}})\b)\s?(?P<one>[^\W\d]{{2,}})"
)
# `95.00 €/kg`
_PER_UNIT = re.compile(rf"\W*/ ?(?!(?i:{_TIME.month}|{_TIME.year})\b)(?P<one>[^\W\d]{{2,}})")
# `Onboarding: a one-off charge of $500`.
_ONCE = re.compile(rf"[^:]{{3,60}}: .{{0,20}}\b{_LINES.once}\b")
# `Workshop  One-off fee  500.00`, in cells.
_ONCE_BESIDE = re.compile(rf"[^:]{{3,60}}  {_LINES.once}(?: [^\W\d]+)?(?=  \W*[a-z]{{0,3}}\W*\d)")


_MOST_SUMMED = 500  # lines above a sum without a label
_MOST_PERIODS = 120
_OF_MONEY = 2  # decimals
_LONGEST_HEADING = 2  # words between the things of a list
_LONGEST_DESCRIPTION = 100  # rows above a calculation


@dataclass(frozen=True)
class _Calculation:
    """The calculation on one row: quantity x price x periods = amount."""

    quantity: Decimal
    unit: str | None
    price: Decimal
    factor: Decimal
    months: int | None
    amount: Decimal | None
    name: str | None = None
    printed: bool = True  # whether the price stands on the page

    @property
    def verified(self) -> bool:
        return self.amount is not None and is_product(self.quantity, self.price, self.factor, self.amount)


def read_inline_calculations(rows: Sequence[Row]) -> list[LineItem]:
    """The lines written out as calculations. A document with a table of lines has few of them or none."""
    items: list[LineItem] = []
    last = -1
    started = False
    for order, row in enumerate(rows):
        calculation = _read_calculation(row)
        if calculation and calculation.amount is None:
            calculation = _find_amount(calculation, rows, order)
        calculation = calculation or _read_quantity_below(rows, order)
        if calculation is None:
            if started and (
                (summed := _is_sum_of_items(row, items)) or (total_kind(fold(row.text)) and row.figures)
            ):
                last, started = order, not summed
            continue
        started = started or calculation.verified
        name = calculation.name or _find_description(rows, order, last) or _text_before_figure(row)
        items.append(_build_item(calculation, name, row))
        last = order
    with_amounts = [item for item in items if item.amount]
    return items if with_amounts and any(item.period_months or item.quantity for item in items) else []


def read_calculation(row: Row) -> LineItem | None:
    """The line that a row writes out, mostly with its name, where it multiplies to its amount."""
    found = _read_calculation(row)
    return _build_item(found, found.name, row) if found and found.verified else None


def read_listed_prices(rows: Sequence[Row]) -> list[LineItem]:
    """The things with a price each that lists name, at least two in each: `- 200 cartons at £0.42 each`; none
    where as many stand alone, for a text speaks of other sums of money too."""
    runs: list[list[LineItem]] = [[]]
    for row in rows:
        if (item := _read_listed_price(row)) is not None:
            runs[-1].append(item)
        elif runs[-1] and cut_ticked(row.text) and not _is_heading(row):
            runs.append([])
    listed = [item for run in runs if len(run) > 1 for item in run]
    return listed if len(listed) * 2 > sum(map(len, runs)) else []


def _is_heading(row: Row) -> bool:
    """Whether a row between the things of a list says what follows, and no sum."""
    is_short = len(row.words) <= _LONGEST_HEADING and row.text[:1].isupper()
    return is_short and not row.figures and total_kind(fold(row.text)) is None


def _read_listed_price(row: Row) -> LineItem | None:
    text = cut_ticked(_join_cells(row))
    shown = [one for one in row.figures_in(text) if one.currency and not one.percent and one.value > 0]
    money = without_old_prices(text, shown)
    if not money or not _TAIL.fullmatch(text[money[-1].end :]):
        return None
    marked = _BULLET.match(text) or NUMBERED.match(text)
    words = text[marked.end() if marked else 0 : shown[0].start]
    words = words if money == shown else CHANGED_FROM.sub("", words)
    found = _read_calculation(row)
    if found is not None and found.verified and found.quantity != 1:
        # `8 pcs - 415.00 each, total 3,320.00`
        return _build_item(found, found.name or _text_before_figure(row), row)
    if not _PRICED.search(words) or total_kind(fold(words)) or coverage(fold(words)) >= _LABEL:
        return None
    if found is not None and found.amount is None and len(money) == 2:
        # `Licences: $6,000 (150 licences x $40)`
        found = replace(found, amount=money[0].value, name=re.sub(r"\W+$", "", words))
    # An amount, whatever is counted before it.
    in_next_cell = text.count("  ") == 1 and text.startswith("  ", len(words.rstrip()))
    if found is not None and (found.verified or (found.amount is None and not in_next_cell)):
        return _build_item(found, found.name, row)
    behind = _SET_APART.match(text, len(words.rstrip(" :–—=-"))) or _BEHIND_COLON.search(words)
    is_set_apart = marked or in_next_cell or behind
    if len(money) > 1 or not is_set_apart or _STEP.search(words):
        return None
    named = re.sub(r"[^\w)]+$", "", words)
    if per := _PER_UNIT.match(text, money[0].end):
        place = {"unit_price": _provenance(row, False)}
        return LineItem(named, unit=per["one"], unit_price=money[0].value, provenance=place)
    return build_amount_alone(named, money[0].value, _provenance(row, False))


def _join_cells(row: Row) -> str:
    """The text of a row in which the figures of two cells never become one."""
    return "  ".join(cell.text for cell in row.cells())


def _read_quantity_below(rows: Sequence[Row], order: int) -> _Calculation | None:
    """`Needle 4 mm   9.50` over `Qty: 1`: a name with its amount, and how many below it."""
    cells, near = rows[order].cells(), _text_below(rows, order)
    figures = cells[-1].figures
    if len(cells) != 2 or len(figures) != 1 or not (figures[0].currency or figures[0].decimals == 2):
        return None
    for line in near.splitlines():
        match = _COUNT.fullmatch(line)
        if match and column_scores(fold(match["label"])).get("quantity", 0) >= _COUNT_LABEL:
            quantity, amount = cells[0].number_in(match["quantity"]), figures[0].value
            if quantity:
                price = divide_price(amount, quantity)
                return _Calculation(quantity, None, price, Decimal(1), None, amount, name=cells[0].text,
                                printed=False)  # fmt: skip
    return None


def _text_below(rows: Sequence[Row], order: int) -> str:
    """The text right below a row."""
    lines: list[str] = []
    above = rows[order]
    for row in rows[order + 1 : order + 4]:
        near = row.page == above.page and row.box.top - above.box.bottom < 0.9 * rows[order].size
        if not near or len(row.cells()) > 2:
            break
        lines.append(_join_cells(row))
        above = row
    return "\n".join(lines)


# `Cooler, hot and cold   Qty 3   £18.50`
_COUNTED_BEFORE = re.compile(r".*[^\W\d]{3}.*  (?P<label>[^\W\d][^\d:]*?)[.:]? ?$")
_COUNT_LABEL = 3
_COUNT = re.compile(r"(?P<label>[^\W\d][^\d:]*):? +(?P<quantity>\d[\d.,]*)")


def _is_sum_of_items(row: Row, items: Sequence[LineItem]) -> bool:
    """Whether a row ends with what all lines so far add up to."""
    figures = row.figures_in(_join_cells(row))
    if not figures or not 1 < len(items) <= _MOST_SUMMED:
        return False
    amounts = [item.amount for item in items if item.amount is not None]
    return len(amounts) > 1 and adds_up(amounts, figures[-1].value)


def _find_amount(calculation: _Calculation, rows: Sequence[Row], order: int) -> _Calculation | None:
    """The calculation with an amount that stands alone, a little higher or lower, if that is its result."""
    row = rows[order]
    for other in rows[max(0, order - 2) : order + 3]:
        figures = other.figures
        near = abs(other.box.middle - row.box.middle) < 2.2 * row.size and other.page == row.page
        if other is not row and near and figures and figures[-1].end >= len(other.text.rstrip()) - 4:
            tried = replace(calculation, amount=figures[-1].value)
            if tried.verified:
                return tried
    return None


def _read_calculation(row: Row) -> _Calculation | None:
    """The calculation of a row. A dash before it is a minus where it multiplies so, else the mark of a
    list."""
    text = cut_ticked(_join_cells(row))
    signed = _read_text(text, row)
    unmarked = _LIST_MARK.sub("", text)
    if unmarked == text or (signed and signed.verified):
        return signed
    return _read_text(unmarked, row) or signed


def _read_text(text: str, row: Row) -> _Calculation | None:
    numbered = NUMBERED.match(text)
    begin = numbered.end() if numbered else 0  # the number of a thing in a list counts nothing
    figures = [one for one in row.figures_in(text) if one.start >= begin and not one.percent]
    if not figures:
        return None
    if len(figures) > 2 and text[figures[-1].start] == "(":
        figures[-1] = replace(figures[-1], value=abs(figures[-1].value))  # what the others make
    lowered = fold(text)
    first = figures[0]
    beside = _ONCE_BESIDE.match(lowered)
    once = beside or _ONCE.match(lowered)
    if once and len(figures) == 1 and figures[0].currency and figures[0].start >= once.end():
        price = first.value
        name = text.split("  ")[0] if beside else None
        return _Calculation(Decimal(1), None, price, Decimal(1), None, price, name=name)
    for start in range(len(figures) - 1):
        found = _read_from_figures(text, lowered, figures[start:])
        if found and (found.verified or found.months or found.amount is None):
            return found
    return None


def _read_from_figures(text: str, lowered: str, figures: Sequence[Figure]) -> _Calculation | None:
    quantity, price, *rest = figures
    between = lowered[quantity.end : price.start]
    if len(rest) > 1 and not price.currency and _LINKS.search(lowered[price.end : rest[0].start]):
        both = replace(quantity, value=quantity.value * price.value)  # `60 kVA x 31 days x 0.12`
        found = _read_from_figures(text, lowered, [replace(both, end=price.end), *rest])
        if found is not None and found.verified:
            return found
    if CENTS_BEHIND.match(lowered[price.end :]):
        price = replace(price, value=price.value / 100)
    if len(between) > 45 or quantity.currency:
        return None
    unit = _read_unit(text[quantity.end : price.start])
    after = lowered[price.end : rest[0].start if rest else len(lowered)]
    counted = _COUNTED_BEFORE.match(lowered[: quantity.start])
    is_counted = counted is not None and column_scores(counted["label"]).get("quantity", 0) >= _COUNT_LABEL
    is_said = _TIMES.search(between) or _is_per(unit, after) or is_counted
    is_paid = total_kind(lowered[: quantity.start]) is not None
    if not is_said and (is_paid or not _makes_last(quantity, price, rest)):
        return None
    factor, months = Decimal(1), None
    amount = rest[-1] if rest else None
    for figure in rest:
        tail = lowered[figure.end :]
        if _MONTHS.match(tail):
            months = int(figure.value)
            factor = list_payments(figure.value)[bool(YEARLY.search(after))]
        elif _YEARS.match(tail):
            months = int(count_months_of_years(figure.value))
            factor = list_payments(count_months_of_years(figure.value))[not MONTHLY.search(after)]
    if amount is not None and (_MONTHS.match(lowered[amount.end :]) or _YEARS.match(lowered[amount.end :])):
        amount = None
    period = 12 if YEARLY.search(after) else 1 if MONTHLY.search(after) else None
    if months is None and period is not None:
        periods = _count_periods(quantity.value * price.value, amount.value if amount else None)
        factor, months = Decimal(periods), periods * period if periods > 1 or period > 1 else None
    return _Calculation(
        quantity.value, unit, price.value, factor, months, amount.value if amount else None,
        name=text[: counted.start("label")].strip() if counted and is_counted
        else _find_name(text[: quantity.end]),
    )  # fmt: skip


def _makes_last(quantity: Figure, price: Figure, rest: Sequence[Figure]) -> bool:
    """Whether a number of several and a sum of money make the one sum that follows, whatever word of any
    language links them."""
    is_money = len(rest) == 1 and price.currency and rest[0].currency and quantity.value > 1
    return bool(is_money) and is_product(quantity.value, price.value, Decimal(1), rest[0].value)


def _is_per(unit: str | None, after: str) -> bool:
    """Whether the price is said to be for one of what the quantity counts: `500 units - $25.00/unit`,
    `200 rolos de fita: 11,90 o rolo`."""
    per = _PER_ONE.match(after)
    return bool(per and unit and fold(unit).startswith(per["one"].rstrip("s")))


def _count_periods(price: Decimal, amount: Decimal | None) -> int:
    """How many periods an amount is for, where it is a whole number of times the price of one; else 1."""
    if not price or amount is None or amount % price:
        return 1
    return int(amount / price) if 0 < amount / price <= _MOST_PERIODS else 1


def _read_unit(between: str) -> str | None:
    """The words between a quantity and its price without those that link them."""
    counted = between if "(" in between else between.partition(")")[0]  # `split (42 pcs) at`
    words = _LINKS.sub(" ", counted).strip(" (:-–—").split()
    while words and _LINKS.fullmatch(fold(words[-1])):
        words.pop()
    return " ".join(words) or None


_LONGEST_NAME = 120
_LABEL = 0.6  # the share of words for columns from which a text is a label
_NAMED = re.compile(r"(?P<name>.*[^\W\d]{3}.*?) ?(?:  |[–—:,-] ?)[^\w\s]*\d[\d.,]*\s?")


def _find_name(text: str) -> str | None:
    """The name before a quantity, set apart by a gap or a dash; labels are none."""
    found = _NAMED.fullmatch(_POSITION.sub("", text, count=1)) if len(text) <= _LONGEST_NAME else None
    return found["name"].rstrip() if found and coverage(fold(found["name"])) < _LABEL else None


def _find_description(rows: Sequence[Row], order: int, last: int) -> str | None:
    """The first line of the block of text above the calculation."""
    named: str | None = None
    below = rows[order]
    for row in reversed(rows[max(last + 1, order - _LONGEST_DESCRIPTION) : order]):
        gap = below.box.top - row.box.bottom
        is_beside = abs(row.box.x0 - rows[order].box.x0) <= 3 * row.size or row is rows[order - 1]
        if row.page != below.page or gap > 1.3 * below.size or not is_beside:
            break
        # What has a price of its own names no other thing.
        if is_of_letter(row.text) or ends_with_money(_join_cells(row)):
            break
        named, below = strip_letter_words(row.text), row
    return named


def _text_before_figure(row: Row) -> str | None:
    text = _POSITION.sub("", NUMBERED.sub("", _join_cells(row)), count=1)
    figures = row.figures_in(text)
    named = text[: figures[0].start].strip(" :-–—•*·,，(") if figures else text
    return named if LETTER.search(fold(named)) else None


def _build_item(calculation: _Calculation, description: str | None, row: Row) -> LineItem:
    is_proven = calculation.verified and calculation.printed
    # Of `12,500.00 x 40.00` nothing tells which is the price.
    decimals = {count_decimals(one) for one in (calculation.quantity, calculation.price)}
    is_told = calculation.unit is not None or decimals != {_OF_MONEY}
    place, factor = _provenance(row, is_proven), _provenance(row, is_proven and is_told)
    months, unit = calculation.months, calculation.unit
    if description is None and unit is not None and (len(unit.split()) > 1 or unit[:1].isupper()):
        # `1 x Onboarding at 500.00`
        counted, _, named = unit.partition(" ")
        unit, description = (counted, named.strip(" ,;:")) if named and read_unit(counted) else (None, unit)
    return LineItem(
        description=description,
        quantity=calculation.quantity,
        unit=unit,
        unit_price=calculation.price,
        amount=calculation.amount,
        period_months=months,
        provenance={"quantity": factor, "unit_price": factor, "amount": place},
    )


def _provenance(row: Row, verified: bool) -> Provenance:
    return row.locate(
        certainty.MULTIPLY_AS_WRITTEN_OUT if verified else certainty.STAND_IN_TEXT, verified=verified
    )
