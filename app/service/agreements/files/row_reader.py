"""Read rows of a file of agreements. What a row does not say, or says in two ways, is left out of the
agreement and listed as a doubt; a row that says what cannot be true is refused. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import zip_longest
from typing import Any, TypeVar, get_args

from pydantic import ValidationError
from pydantic.alias_generators import to_snake

from app.contract.agreements import LinePricePer, NewAgreement, NoticePeriod
from app.contract.dates import format_day
from app.contract.validation_messages import describe_fault
from app.service.agreements.checks import check_agreement
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.agreements.files.agreement_row import AgreementRow, Doubt, LineNumber, join_rows
from app.service.agreements.files.cell_values import (
    PRICE_PERIODS,
    DoubtfulValue,
    find_cell,
    find_notice_period,
    is_in_words,
    read_addresses,
    read_agreement_day,
    read_agreement_period,
    read_days_to_pay,
    read_flag,
    read_last_day_before,
    read_line_number,
    read_months,
    read_notice_period,
    read_renewal_months,
    read_renewal_type,
    read_whole_number,
    read_word,
    split_texts,
)
from app.service.agreements.files.columns import NAMES, AgreementColumns, match_agreement_columns
from app.service.agreements.line_amounts import price_line
from app.service.charges.charge import MONTHS_PER, convert_price
from app.service.charges.months import MONTHS_PER_YEAR, add_months, count_whole_months
from app.service.table_files.cells import (
    MERGED,
    Amount,
    describe_ambiguous_number,
    is_merged,
    read_amount,
    read_currency,
    read_number,
    read_price,
    read_price_count,
    read_text,
)
from app.service.table_files.columns import name_column_in, reject_row
from app.service.table_files.grouped_rows import (
    SUM_OF_ROWS,
    are_grouped,
    fill_groups,
    is_total,
    keep_last_revisions,
)
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.questions import FileNotation, Questions, find_notation
from app.service.table_files.reading import read_start
from app.service.table_files.row_states import RowStates
from app.service.table_files.supplier_numbers import prepare_table
from app.service.tables.table import InvalidRow, RejectedRow, TableRow, format_cell
from app.service.values.blanks import is_blank
from app.service.values.currencies import agree, list_codes, list_possible
from app.service.values.dates import DayOrder
from app.service.values.numbers import DecimalMark
from app.service.values.periods import Period, names_calendar_end
from app.service.values.price_basis import NOTHING_ASIDE
from app.service.values.rounding import is_close, round_to_cents

DAYS = ("term_start", "term_end", "max_extent_date", "notice_given_on")
_DAYS_AFTER = ("day_after_end", "renewal_date")
AMOUNTS = ("total_value", "one_time_value", "committed_spend")
WHOLE_NUMBERS = ("max_renewals", "delivery_buffer_days")
_NUMBERS = (*AMOUNTS, "annual_value", "quantity", "unit_price", "line_amount", "uplift_percent")
TEXTS = ("reference", "currency", "cost_center")
WORDS = ("notice_to", "billing_frequency")
_NUMBERS_AND_DAYS = frozenset(
    {
        *(*DAYS, *_DAYS_AFTER, *AMOUNTS, *WHOLE_NUMBERS),
        *("payment_terms_days", "annual_value", "uplift_percent"),
    }
)
"""What may be left out of an agreement where its cell is a sentence."""
_NOT_OF_SUMS = ("supplier_name", "term_start", "term_end")
"""What the row of a sum does not say."""
_OF_LINE = frozenset({"quantity", "unit_price", "line_amount"})
"""The same of its only line; of several lines, each must be whole."""
_PRICES_PER = get_args(LinePricePer)
_WIRE_NAME = re.compile(r" \([a-z]+[A-Z]\w*\)")
"""A field in brackets by its name on the wire, which no file has."""
V = TypeVar("V")

prepare_agreements = partial(prepare_table, kind="agreements", match=match_agreement_columns)
"""What is done with a table of agreements before its rows are read."""


def read_agreement_rows(
    rows: Iterator[TableRow | RejectedRow],
    days: WorkingDays,
    said: FileOptions = NOTHING_STATED,
    questions: Questions | None = None,
) -> Iterator[AgreementRow | RejectedRow]:
    """Yield the agreements of a table, whose header comes first, and the rows that are refused, read as
    somebody said; what nothing says is put to `questions`. Raises UnreadableTable."""
    start = read_start(rows, match_agreement_columns, said, ("name",))
    names, first, columns = start.header, start.first, start.columns
    export = columns.export
    notation, all_rows = find_notation(
        start,
        dates=[*columns.list_places(*DAYS, *_DAYS_AFTER), *columns.roles["notice_by"]],
        numbers=columns.list_places(*_NUMBERS),
        said=replace(said, number_format=said.number_format or (export.number_format if export else None)),
        questions=questions,
    )
    constants = {
        **({"currency": columns.currency} if columns.currency else {}),
        **(export.constants if export else {}),
    }
    states = RowStates.find(names, columns.others, first, said.states, "agreements")
    reader = _RowReader(columns, constants, notation, days, said.currency, questions, states.cancellations)
    read: list[AgreementRow] = []
    at = columns.fields.get("supplier")
    group = {} if at is None or not are_grouped(first, at) else {"supplier": at}
    named = columns.list_places(*(name for name in NAMES if name not in group))
    filled = fill_groups(all_rows, names, group, [("supplier",)], named, said.blank_cells, questions)
    lines = columns.list_places("line_number", "product", "reference")
    number, revision = columns.fields.get("reference"), columns.find_role("revision")
    filled = keep_last_revisions(filled, names, number, lines, revision)
    for row in filled:
        if isinstance(row, RejectedRow):
            yield row
            continue
        line, cells = row
        if left_out := states.leave_out(row, questions):
            yield left_out
            continue
        try:
            agreed = reader.read(line, cells)
        except InvalidRow as error:
            yield reject_row(line, error, names, columns.fields)
            continue
        meaning, heading, state = states.read(cells)
        if meaning == "not known" and questions is None:
            reason = f"{heading} {state[:40]!r} is not known: the contract is taken to be in force."
            agreed = replace(agreed, doubts=[*agreed.doubts, Doubt(line, "status", reason, heading)])
        read.append(agreed)
    yield from join_rows(read)


@dataclass
class _Values:
    """The values of a row as far as they are known, and what is doubtful."""

    line: int
    columns: AgreementColumns
    stated: dict[str, Any] = field(default_factory=dict[str, Any])
    doubts: list[Doubt] = field(default_factory=list[Doubt])
    currencies: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Those that the cells of amounts name, by column."""
    of_period: tuple[Decimal, Period] | None = None
    """A value that its cell says to be of a month or a year."""

    def doubt(self, name: str, reason: str) -> None:
        column = self.columns.find_title(name)
        self.doubts.append(Doubt(self.line, name, name_column_in(name, column, reason), column))


@dataclass(frozen=True)
class _RowReader:
    """Reads rows whose columns and notation are known."""

    columns: AgreementColumns
    constants: Mapping[str, str]
    notation: FileNotation
    days: WorkingDays
    currency: str | None
    questions: Questions | None
    cancellations: Sequence[int]

    def read(self, line: int, cells: Sequence[object]) -> AgreementRow:
        """Return a row as an agreement. Raises InvalidRow."""
        values = _Values(line, self.columns)

        def take(name: str, read: Callable[[str, object], V | None]) -> V | None:
            at = self.columns.fields.get(name)
            cell = self.constants.get(name) if at is None else find_cell(cells, at)
            unit = find_cell(cells, self.columns.length_units.get(name))
            if unit is not None and not is_blank(format_cell(cell)):
                cell = f"{format_cell(cell)} {format_cell(unit)}"
            try:
                return None if cell is None else read(name, cell)
            except DoubtfulValue as doubt:
                values.doubt(name, str(doubt))
            except InvalidRow:
                may_lack = name in _NUMBERS_AND_DAYS or (
                    name in _OF_LINE and "line_number" not in self.columns.fields
                )
                if not may_lack or not is_in_words(cell):
                    raise
                values.doubt(name, f"{format_cell(cell)[:60]!r} is in words: it is left out.")
            return None

        values.stated |= {name: take(name, read_text) for name in TEXTS if name != "currency"}
        values.stated["currency"] = take("currency", read_currency)
        values.stated["supplier_name"] = take("supplier", read_text)
        values.stated |= {name: self._take_amount(values, take, name) for name in AMOUNTS}
        values.stated |= {name: take(name, read_whole_number) for name in WHOLE_NUMBERS}
        values.stated["payment_terms_days"] = take("payment_terms_days", read_days_to_pay)
        values.stated |= {name: take(name, read_word) for name in WORDS}
        values.stated["tags"] = [tag for tag in split_texts(take("tags", read_text) or "") if tag]
        _take_owners(values, take("owner", read_text), take("owner_email", read_addresses))
        self._take_uplift(values, take)
        self._take_term(values, take)
        for cell in (find_cell(cells, at) for at in self.cancellations):
            _judge_cancellation(values, cell, self.notation.order)
        at = self.columns.find_role("basis")
        cell = find_cell(cells, at)
        line_read = self._read_line(values, take, read_price_count(cell, self.notation.mark(at or 0)))
        self._take_annual_value(values, take, line_read)
        self._take_renewal(values, take, find_cell(cells, self.columns.find_role("notice_by")))
        number = take("line_number", read_line_number)
        self._state_line(values, line_read, take("name", read_text), number)
        self._settle_currency(values)
        name = take("name", read_text)
        is_sum = self.columns.export is None and is_total(cells)
        said = (values.stated[one] for one in _NOT_OF_SUMS)
        if is_sum and not any(value and not is_total([value]) for value in said):
            raise InvalidRow("", SUM_OF_ROWS)
        values.stated["name"] = _make_name(values.stated, name, take("product", read_text))
        return AgreementRow(
            line,
            self._build(values),
            values.doubts,
            number,
            may_sum=self.columns.export is None,
            is_named=name is not None,
        )

    def _take_amount(self, values: _Values, take: "_Take", name: str) -> Decimal | None:
        amount = self._take_money(values, take, name)
        return None if amount is None else amount.value

    def _take_money(self, values: _Values, take: "_Take", name: str) -> Amount | None:
        amount: Amount | None = take(name, self._read_amount)
        if amount is not None and amount.currency is not None:
            values.currencies.append((name, amount.currency))
        if name == "total_value" and amount is not None and amount.basis is not None:
            period = amount.basis.period
            if amount.basis.unit or amount.basis.count or period is None or period not in MONTHS_PER:
                values.doubt(name, "It is for a unit, not for the agreement: it is left out.")
            else:
                values.of_period = amount.value, period
            return None
        return amount

    def _read_amount(self, name: str, cell: object) -> Amount | None:
        if name in self.columns.gross and not is_blank(format_cell(cell).strip()):
            raise DoubtfulValue(f"{format_cell(cell).strip()[:40]!r} is with tax: it is left out.")
        if name != "unit_price" and is_merged(cell):
            raise DoubtfulValue(f"It {MERGED}: it is left out.")
        read = read_price if name in ("unit_price", "total_value") else read_amount
        amount = read(name, cell, self._find_mark(name, cell))
        if amount is not None and amount.value < 0:
            raise InvalidRow(name, f"{format_cell(cell)[:40]!r} is below 0")
        if amount is not None and name in self.columns.scales:
            return amount._replace(value=amount.value * self.columns.scales[name])
        return amount

    def _read_percent(self, name: str, cell: object) -> Decimal | None:
        percent = read_number(name, cell, self._find_mark(name, cell), percent=True)
        if percent is not None and percent < 0:
            raise InvalidRow(name, f"{format_cell(cell)[:40]!r} is below 0")
        return percent

    def _find_mark(self, name: str, cell: object) -> DecimalMark | None:
        """Return which mark parts the decimals of a cell. Raises DoubtfulValue where nothing says it and it
        matters."""
        mark = self.notation.mark(self.columns.fields.get(name, -1))
        if mark is None and isinstance(cell, str) and (text := describe_ambiguous_number(name, cell)):
            raise DoubtfulValue(f"{text} It is left out.")
        return mark

    def _read_length(self, name: str, cell: object) -> int | None:
        return read_months(name, cell, self.columns.lengths.get(name))

    def _take_term(self, values: _Values, take: "_Take") -> None:
        """Take the dates. Of an end that is stated in two ways which differ, nobody knows which is right."""
        order = self.notation.order
        read_day_before = partial(read_last_day_before, order=order)
        values.stated |= {name: take(name, partial(read_agreement_day, order=order)) for name in DAYS}
        first, last = take("term_period", partial(read_agreement_period, order=order)) or (None, None)
        start: date | None = values.stated["term_start"] or first
        values.stated["term_start"] = start
        before_renewal = take("renewal_date", read_day_before)
        ends = {
            "term_end": values.stated["term_end"],
            "day_after_end": take("day_after_end", read_day_before),
            "renewal_date": before_renewal,
            "term_period": last,
        }
        lengths = [take(name, self._read_length) for name in ("term_months", "term_years", "term")]
        length = next((months for months in lengths if months), None)
        if start is not None and length is not None:
            ends["term_months"] = add_months(start, length) - ONE_DAY
        known = {name: end for name, end in ends.items() if end is not None}
        others = {end for name, end in known.items() if name != "renewal_date"}
        if before_renewal is not None:
            last_day = before_renewal + ONE_DAY  # some lists name it so
            if others == {last_day}:
                del known["renewal_date"]
                before_renewal = None
            elif start and count_whole_months(start, last_day + ONE_DAY):
                known["renewal_date"] = before_renewal = last_day
        values.stated["term_end"] = next(iter(known.values()), None)
        if len(set(known.values())) > 1:
            values.stated["term_end"] = None
            said = ", ".join(f"{_ENDS[name]} {format_day(end)}" for name, end in known.items())
            values.doubt(
                "term_end", f"The end of the term is stated in several ways: {said}. It is left out."
            )
        elif before_renewal is not None and len(known) == 1:
            values.doubt(
                "renewal_date", f"Read so that the current one ends on {format_day(before_renewal)}."
            )

    def _take_annual_value(self, values: _Values, take: "_Take", line: dict[str, Any]) -> None:
        """Take the value of a year, or of the period that the heading names, as that of the whole term, where
        the row states no other. What is called a price or a fee may be that of each of several units."""
        stated, period = self._take_amount(values, take, "annual_value"), self.columns.value_period
        if stated is None and values.of_period is not None:
            stated, period = values.of_period
        if stated is None:
            return
        said = f"{stated} a {period}"
        count, price = line["quantity"], line["unit_price"]
        proves = price is not None and count is not None and is_close(price * count, stated)
        if proves and line["price_per"] is None:
            line["price_per"] = PRICE_PERIODS.get(period)
        if self.columns.value_is_price and count is not None and count > 1 and not proves:
            values.doubt("annual_value", f"{said} may be for each of the {count}: it is left out.")
            return
        start, end, total = (values.stated[name] for name in ("term_start", "term_end", "total_value"))
        months = count_whole_months(start, end + ONE_DAY) if start and end else None
        paid_for = next((months for per, months in MONTHS_PER.items() if per == period), MONTHS_PER_YEAR)
        if total is not None:
            if months is None or abs(convert_price(stated, paid_for, months) - total) > total / 100:
                values.doubt("annual_value", f"{said} is left out beside the total of {total}.")
        elif months is None:
            values.doubt("annual_value", f"{said} is left out: the term is not known in whole months.")
        else:
            values.stated["total_value"] = round_to_cents(convert_price(stated, paid_for, months))
            values.doubt("annual_value", f"{said}: {values.stated['total_value']} for the {months} months.")

    def _take_renewal(self, values: _Values, take: "_Take", notice_by: object) -> None:
        """Take what follows the end of the term, and the notice period: the last day for it says it too."""
        stated = take("renewal_type", read_renewal_type)
        by_word = take("auto_renewal", partial(read_renewal_type, yes="auto_renew"))
        if stated and by_word and (stated == "auto_renew") != (by_word == "auto_renew"):
            values.doubt("auto_renewal", f"One column says {stated}, the other {by_word}: both are left out.")
            stated = by_word = None
        values.stated["renewal_type"] = stated or by_word
        months = take("auto_renewal_term_months", self._read_length) or take(
            "renewal_term", self._read_length
        )
        if months is None and "auto_renew" in (stated, by_word):
            months = take("renewal_type", read_renewal_months) or take("auto_renewal", read_renewal_months)
        values.stated["auto_renewal_term_months"] = months

        def read_notice(name: str, cell: object) -> NoticePeriod | None:
            if names_calendar_end(shown := format_cell(cell)[:60]):
                values.doubt(
                    name, f"{shown!r} names another end than that of the term, to which it is counted."
                )
            unit = self.columns.lengths.get(name)
            try:
                return read_notice_period(name, cell, unit)
            except DoubtfulValue:
                if unit is not None or (found := find_notice_period(shown)) is None:
                    raise
                values.doubt(name, f"{shown!r} is read as {found.value} {found.unit}s.")
                return found

        periods = [take(name, read_notice) for name in ("notice_period", "notice_days", "notice_months")]
        known = [period for period in periods if period is not None]
        if any(period != known[0] for period in known):
            values.doubt("notice_period", "The notice period is stated in several ways: it is left out.")
            known.clear()
        if not periods[0] and not known and (end := values.stated["term_end"]) is not None:
            known += self._count_notice(values, end, notice_by)
        values.stated["notice_period"] = known[0] if known else None

    def _count_notice(self, values: _Values, end: date, notice_by: object) -> Iterator[NoticePeriod]:
        """Yield the days from the last one for notice to the end of the term, where a column has that one."""
        with suppress(InvalidRow, DoubtfulValue):
            day = read_agreement_day("notice_by", notice_by, self.notation.order)
            if day is not None and day < end:
                count = (end - day).days
                values.doubt(
                    "notice_period", f"Notice is due by {format_day(day)}: {count} days before the end."
                )
                yield NoticePeriod(value=count, unit="day")

    def _take_uplift(self, values: _Values, take: "_Take") -> None:
        """Take by how much the price rises, where the row says whether that is so much or at most so much."""
        uplift = {
            "kind": take("uplift_kind", read_word),
            "percent": take("uplift_percent", self._read_percent),
            "index": take("uplift_index", read_text),
            "basis": take("uplift_basis", read_word),
            "compounding": take("uplift_compounding", read_flag),
        }
        stated = {name: value for name, value in uplift.items() if value is not None}
        if "kind" in stated:
            values.stated["uplift"] = stated
        elif stated:
            values.doubt(
                "uplift_kind", "It does not say how the price rises (fixed, cap or index): it is left out."
            )

    def _read_line(self, values: _Values, take: "_Take", stated: Decimal | None) -> dict[str, Any]:
        """Return what the row says of what is bought. Its price is for `stated` units, as a column says."""
        price = self._take_money(values, take, "unit_price")
        basis = NOTHING_ASIDE if price is None or price.basis is None else price.basis
        of_price = self.columns.find_heading("unit_price")
        per = take("price_per", read_word) or PRICE_PERIODS.get(of_price.period or "day")
        if price is not None and basis.period is not None:
            said = PRICE_PERIODS.get(basis.period)
            if said is None or said != (per or said):
                reason = "has no place" if per is None else f"contradicts what the row says, per {per}"
                values.doubt("unit_price", f"A price per {basis.period} {reason}: it is left out.")
                price = None
            per = said
        counts = {one for one in (basis.count, of_price.count, stated) if one not in (None, 1)}
        if price is not None and len(counts) > 1:
            values.doubt("unit_price", "For how many units it is, is stated in several ways: it is left out.")
            price = None
        return {
            "description": take("product", read_text),
            "quantity": self._take_amount(values, take, "quantity"),
            "unit": take("unit", read_text) or basis.unit or of_price.unit,
            "unit_price": None if price is None else price.value / next(iter(counts), Decimal(1)),
            "price_per": per,
            "amount": self._take_amount(values, take, "line_amount"),
            "recurring": take("recurring", read_flag),
            "first_month": take("line_first_month", read_whole_number),
            "months": take("line_months", read_whole_number),
        }

    def _state_line(
        self, values: _Values, line: dict[str, Any], name: str | None, number: LineNumber | None
    ) -> None:
        """Take what is bought, where the row says more of it than the name of the agreement."""
        product = line["description"]
        line["description"] = product or name
        if self.columns.export is None and line["unit_price"] is None:
            line["price_per"] = None
        elif self.columns.export is None:
            _settle_line(values, line)
        says_more = any(line[name] is not None for name in ("quantity", "unit_price", "amount"))
        if line["description"] and (says_more or (product and number)):
            values.stated["lines"] = [{name: value for name, value in line.items() if value is not None}]

    def _settle_currency(self, values: _Values) -> None:
        """Take the currency that the amounts name where no column says it, else that which a person said.
        What contradicts is left out."""
        currency: str | None = values.stated["currency"]
        values.stated["currency"] = None
        for name, named in values.currencies:
            closer = named if currency is None else agree(currency, named)
            if closer is None:
                values.doubt(
                    name, f"It is in {named}, and another cell says {currency}: the currency is left out."
                )
                return
            currency = closer
        if currency not in list_codes() and (currency is not None or "currency" not in self.columns.fields):
            if self.currency is None and self.questions is not None and _has_money(values.stated):
                self.questions.ask_currency(None, currency)
            if currency is None or self.currency in list_possible(currency):
                currency = self.currency
            else:
                values.doubt("currency", f"{currency} may be of several countries: the currency is left out.")
                currency = None
        values.stated["currency"] = currency

    def _build(self, values: _Values) -> NewAgreement:
        stated = {name: value for name, value in values.stated.items() if value not in (None, [])}
        try:
            agreed = NewAgreement.model_validate(stated)
        except ValidationError as invalid:
            fault = invalid.errors(include_url=False, include_input=False)[0]
            raise InvalidRow(_find_field(str(fault["loc"][0])), describe_fault(fault)) from None
        if wrong := check_agreement(agreed, self.days):
            raise InvalidRow(_find_field(wrong[0].pointer), _WIRE_NAME.sub("", wrong[0].detail))
        return agreed


_Take = Callable[[str, Callable[[str, object], Any]], Any]
_ENDS = {
    "term_end": "by its last day",
    "day_after_end": "by the day after it",
    "renewal_date": "by the renewal date",
    "term_months": "by the length of the term",
    "term_period": "by the period",
}


_COLUMNS = {
    "supplier_name": "supplier",
    "owners": "owner",
    "lines": "quantity",
    "uplift": "uplift_percent",
}
"""The column of a field that has another name in files."""


def _find_field(place: str) -> str:
    """Return the name of the field that a place in an agreement is about."""
    name = to_snake(place.removeprefix("/").split("/")[0])
    return _COLUMNS.get(name, name)


def _has_money(stated: Mapping[str, Any]) -> bool:
    amounts = [stated[name] for name in AMOUNTS]
    amounts += [line.get(name) for line in stated.get("lines", ()) for name in ("unit_price", "amount")]
    return any(amounts)


def _settle_line(values: _Values, line: dict[str, Any]) -> None:
    """Find out what a line costs for the term where its unit price and quantity say it, or what the unit
    price is for where the total of the row proves it."""
    start, end, total = (values.stated[name] for name in ("term_start", "term_end", "total_value"))
    months = line["months"] or (count_whole_months(start, end + ONE_DAY) if start and end else None)
    one, count = line["unit_price"], line["quantity"]
    if count is None:
        return
    made = {per: amount for per in _PRICES_PER if (amount := price_line(one, count, per, months)) is not None}
    if line["price_per"] is None:
        proved = [
            per
            for per, amount in made.items()
            if total is not None and per != "once" and is_close(amount, total)
        ]
        line["price_per"] = proved[0] if len(proved) == 1 else None
        line["amount"] = line["amount"] or (total if proved else None)
        return
    amount = made.get(line["price_per"])
    if line["amount"] is None:
        line["amount"] = amount
    elif amount is not None and not is_close(amount, line["amount"]):
        values.doubt("unit_price", f"{one} for {count} makes {amount} for the term, not {line['amount']}.")


def _judge_cancellation(values: _Values, cell: object, order: DayOrder | None) -> None:
    """Say when a contract was cancelled. Raises InvalidRow where that was before it began."""
    day = None
    with suppress(InvalidRow, DoubtfulValue):
        day = read_agreement_day("", cell, order)
    if day is not None and values.stated["term_start"] and day <= values.stated["term_start"]:
        raise InvalidRow("", "The contract was cancelled before it began, so it is left out")
    if day is not None:
        values.doubt(
            "status", f"It was cancelled on {format_day(day)}, and may have ended before its last day."
        )


def _take_owners(values: _Values, names: str | None, emails: str | None) -> None:
    """Take the owners; of several each has the address in the same place."""
    listed, addresses = split_texts(names or ""), split_texts(emails or "")
    if len(listed) > len(addresses) and any(addresses) and len(listed) > 1:
        values.doubt("owner_email", "Which of the owners has which address is not said: it is left out.")
        addresses = addresses[:0]
    values.stated["owners"] = [
        {"name": name or email, **({"email": email} if email else {})}
        for name, email in zip_longest(listed, addresses, fillvalue="")
        if name or email
    ]


def _make_name(stated: Mapping[str, Any], name: str | None, product: str | None) -> str:
    """Return what the agreement is called. Raises InvalidRow where the row names nothing."""
    made = name or product or stated["reference"] or stated["supplier_name"]
    if made is None:
        raise InvalidRow("name", "is missing")
    return made
