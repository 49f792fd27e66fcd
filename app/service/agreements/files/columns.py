"""Find out by its name what each column of a file of agreements holds. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from app.service.table_files.column_cells import (
    Rows,
    are_flags,
    are_line_numbers,
    list_cells,
    list_texts,
)
from app.service.table_files.column_headings import read_heading
from app.service.table_files.exports import Export, recognise_export
from app.service.table_files.field_matching import (
    ColumnUse,
    MatchedFields,
    find_level,
    match_fields,
    take_bare_basis,
)
from app.service.table_files.grouped_rows import is_total
from app.service.table_files.heading_words import list_word_group, load_heading_words
from app.service.table_files.row_states import RowStates
from app.service.table_files.supplier_numbers import take_out_numbers
from app.service.tables.headings import fold_column_name
from app.service.tables.table import FormattedNumber
from app.service.values.money import find_format_currency
from app.service.values.numbers import NotANumber, read_number
from app.service.values.periods import Period, read_period
from app.service.values.price_basis import cut_price_end

NAMES = ("name", "product", "reference", "supplier")
"""One of these columns is needed: an agreement is called by the first that its row has."""
MARKS = frozenset(
    {
        *("term_end", "term_period", "day_after_end", "renewal_date", "renewal_type", "auto_renewal"),
        *("auto_renewal_term_months", "renewal_term", "notice_period", "notice_days", "notice_months"),
        *("billing_frequency", "annual_value", "term_months", "term_years", "term"),
    }
)
"""What only an agreement has: a list of purchases or of suppliers has none of these columns."""
_OF_ANYTHING = frozenset(
    {"supplier", "product", "owner", "owner_email", "currency", "cost_center", "tags", "unit", "line_number"}
)
"""What a list of suppliers or of products has too, under the same names."""
_NAMES_OF_ANYTHING = frozenset({"name", "title"})
_VALUE_PERIODS: Sequence[Period] = ("year", "month", "quarter", "half year")
"""Of the steps of names that `annual_value` has."""
_AMOUNTS = ("total_value", "annual_value", "one_time_value", "committed_spend", "unit_price", "line_amount")
_OF_UNITS = frozenset(
    {"price", "rate", "fee", "preis", "gebuhr", "grundgebuhr", "tarif", "prix", "precio", "cuota", "preco"}
    | {"prezzo", "canone", "prijs", "cena", "pris"}
)
"""Words for what one unit costs, or all."""
_LENGTHS: Mapping[str, Period] = {
    **{"term_months": "month", "term_years": "year", "auto_renewal_term_months": "month"},
    **{"notice_days": "day", "notice_months": "month"},
}
"""The units of fields that are lengths of time."""
_OPEN_LENGTHS = ("term", "renewal_term", "notice_period")
"""Those whose cells say the unit, or the heading does: `Plazo de ejecución (meses)`."""
_READ_ROLES = ("revision", "basis", "notice_by")
"""Columns that fields are read with."""
_LONGEST_NAME = 120
"""Characters of a description that calls a contract."""
_NAMING = ("name", "term_start", "term_end", *_AMOUNTS)
"""Fields whose headings may say that they are of contracts."""


@dataclass
class AgreementColumns(MatchedFields):
    """The columns of a file of agreements: the `export` that it is, and the `currency` that the headings of
    amounts name."""

    export: Export | None = None
    currency: str | None = None

    @cached_property
    def gross(self) -> Collection[str]:
        """The fields whose headings say that tax is in them, and that nobody has mapped."""
        gross = (name for name in _AMOUNTS if self.find_heading(name).tax == "with tax")
        return [name for name in gross if name not in self.mapping]

    @cached_property
    def scales(self) -> Mapping[str, int]:
        """What the amounts of fields are multiplied by, where that is not 1."""
        return self.find_scales(_AMOUNTS)

    @cached_property
    def lengths(self) -> Mapping[str, Period]:
        """The units of bare numbers in fields that are lengths of time."""
        said: dict[str, Period] = {}
        for name in _OPEN_LENGTHS:
            if (period := self.find_heading(name).period) is not None:
                said[name] = period
        return {**_LENGTHS, **said}

    @cached_property
    def length_units(self) -> Mapping[str, int]:
        """The columns right of bare lengths that have their units alone: `Frist`, `Einheit`."""
        free = self.headings.keys() - {*self.fields.values()}
        beside = {name: self.fields[name] + 1 for name in _OPEN_LENGTHS if name in self.fields}
        texts = {name: list_texts(self.rows, at) for name, at in beside.items() if at in free}
        words = {name: of for name, of in texts.items() if not any(map(str.isdigit, "".join(of)))}
        return {name: beside[name] for name, of in words.items() if of and all(map(read_period, of))}

    @cached_property
    def value_period(self) -> Period:
        """What `annual_value` is for by its heading; a year where that says nothing."""
        heading = self.find_heading("annual_value")
        found = find_level(load_heading_words("agreements").fields["annual_value"], heading, stripped=True)
        return heading.period or (_VALUE_PERIODS[found[1][0]] if found else "year")

    @cached_property
    def value_is_price(self) -> bool:
        """Whether `annual_value` is called a price or a fee, which may be each unit's."""
        return not _OF_UNITS.isdisjoint(self.find_heading("annual_value").words)

    @property
    def others(self) -> Collection[int]:
        """The positions of columns that hold no field, also of those that are offered."""
        return [*self.list_others().values(), *self.offered]

    @property
    def uses(self) -> Mapping[ColumnUse, Collection[int]]:
        """The positions of columns that say what a price is for, and which contracts are in force."""
        states = RowStates.find(self.header, self.others, self.rows, {}, "agreements")
        roles = (at for name in _READ_ROLES for at in self.roles[name])
        return {"read": {*states.positions, *roles, *self.length_units.values()}}

    @property
    def has_names(self) -> bool:
        """Whether a column says what a contract is called."""
        return any(name in self.fields for name in NAMES)

    @property
    def required(self) -> Collection[str]:
        """A name, and something that is said of contracts alone, not of any supplier or product too."""
        if not self.has_names:
            return ("name",)
        return () if self._are_of_contracts() else ("term_end",)

    def _are_of_contracts(self) -> bool:
        said = self.fields.keys() - _OF_ANYTHING
        if "name" in said and fold_column_name(self.header[self.fields["name"]]) in _NAMES_OF_ANYTHING:
            said -= {"name"}
        return bool(said)

    @property
    def typicality(self) -> int:
        """0 without a column that only agreements have, 2 where a heading says that a day, an amount or a
        name is that of a contract, and no line of an order is listed."""
        if self._name_contracts(*_NAMING) and not {"quantity", "unit_price"} <= self.fields.keys():
            return 2
        return int(not MARKS.isdisjoint(self.fields) or self._name_contracts(*_NAMING))

    def _name_contracts(self, *names: str) -> bool:
        contracts = list_word_group("contract") | list_word_group("tender")
        headings = (self.header[self.fields[name]] for name in names if name in self.fields)
        return any(not contracts.isdisjoint(read_heading(heading).words) for heading in headings)


def match_agreement_columns(
    header: Sequence[str],
    mapping: Mapping[str, str] | None = None,
    ignore: Collection[str] = (),
    sample_rows: Rows = (),
) -> AgreementColumns:
    """Find what each column holds. `mapping` is our field -> the file's column, or "" for none; `ignore`
    names columns to leave out; the cells of `sample_rows` tell a number of rows from one of contracts.
    Raises UnreadableTable for what does not fit the header."""
    matched = match_fields(
        AgreementColumns,
        header,
        "agreements",
        mapping or {},
        ignore,
        of="an agreement",
        amounts=_AMOUNTS,
        per_time=("unit_price", *_OPEN_LENGTHS),
        reject=partial(_names_no_contract, sample_rows),
        rows=sample_rows,
    )
    matched.take_currency()
    fields, export = matched.fields, recognise_export(header)
    take_bare_basis(matched, "price_per")
    _take_unit_price(matched)
    _take_description(matched)
    take_out_numbers(matched, "supplier")
    if "quantity" not in fields and "unit_price" not in fields and "unit" not in matched.mapping:
        fields.pop("unit", None)
    matched.currency = _find_currency(matched)
    matched.export = export if export and export.kind == "agreements" else None
    _offer_bare_total(matched)
    return matched


def _take_unit_price(matched: MatchedFields) -> None:
    """Take the only price that its heading, each of its cells or a column beside it says to be of units:
    `Cost per seat per month`, `EUR 12/user/month`."""
    prices = [at for at, name in matched.offered.items() if name == "unit_price"]
    found = [
        at
        for at in prices
        if matched.headings[at].unit or matched.roles["basis"] or _are_of_units(list_texts(matched.rows, at))
    ]
    if len(found) == 1 and matched.is_open("unit_price"):
        matched.take("unit_price", found[0])


def _take_description(matched: MatchedFields) -> None:
    """Let the only description, in one language or several, call numbered contracts that nothing else names,
    where each has a short one: several of one contract are of its lines, where these have a quantity or a
    price."""
    fields, rows = matched.fields, [row for row in matched.rows if not is_total(row)]
    found = [at for at, name in matched.offered.items() if name == "name"]
    if len({matched.headings[at].full[:-2] for at in found}) == 1:
        found = found[:1]  # `description_en` and `description_fr` say the same
    if len(found) != 1 or "reference" not in fields or not matched.is_open("name", "product"):
        return
    numbers, texts = list_texts(rows, fields["reference"]), list_texts(rows, found[0])
    is_whole = len(rows) == len(texts) == len(numbers) > 0 and max(map(len, texts)) <= _LONGEST_NAME
    if is_whole and len({*zip(numbers, texts, strict=True)}) == len({*numbers}):
        matched.take("name", found[0])
    elif is_whole and not fields.keys().isdisjoint(("quantity", "unit_price")):
        matched.take("product", found[0])


def _offer_bare_total(matched: AgreementColumns) -> None:
    """Offer what is called a total alone, and names no currency, where another column does: it may be a
    number of licences."""
    at, heading = matched.fields.get("total_value", -1), matched.find_heading("total_value")
    is_bare = bool(heading.words) and list_word_group("total").issuperset(heading.words)
    if not is_bare or matched.currency or "currency" in matched.fields or "total_value" in matched.mapping:
        return
    money = {place for row in matched.rows for place, cell in enumerate(row) if _names_money(cell)}
    if money and at not in money:
        matched.offered[matched.fields.pop("total_value")] = "total_value"


def _are_of_units(texts: Sequence[str]) -> bool:
    bases = [cut_price_end(text)[1] for text in texts]
    return bool(bases) and all(basis is not None and basis.unit for basis in bases)


def _names_money(cell: object) -> bool:
    if isinstance(cell, FormattedNumber):
        return find_format_currency(cell.number_format) is not None
    try:
        return isinstance(cell, str) and read_number(cell.strip()).currency is not None
    except NotANumber:
        return False


def _find_currency(matched: MatchedFields) -> str | None:
    """Return the currency that the headings of amounts name. Amounts in several currencies, or beside a
    column of other currencies, are no amounts of one contract: none of them stays that a person has not
    chosen, each is offered."""
    fields = matched.fields
    stated = {name: currency for name in _AMOUNTS if (currency := matched.find_heading(name).currency)}
    if len(set(stated.values())) == 1:
        currency, at = next(iter(stated.values())), fields.get("currency")
        if at is None or (matched.rows and {*list_texts(matched.rows, at)} <= {currency}):
            return currency
    for name in stated.keys() - matched.mapping.keys():
        matched.offered[fields.pop(name)] = name
    return None


def _names_no_contract(rows: Rows, name: str, at: int) -> bool:
    """Whether a column counts rows or says yes and no, and thus names no contracts."""
    cells = list_cells(rows, at)
    texts = list_texts(rows, at)
    are_numbers = len(texts) > 1 and all(map(str.isdecimal, texts))
    if (name == "name" and are_numbers) or (name in NAMES and are_flags(texts)):
        return True
    return name in ("reference", "product", "name") and are_line_numbers(cells)
