"""Find out by its name what each column of a file of agreements holds. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from app.service.table_files.column_cells import (
    Rows,
    are_flags,
    are_line_numbers,
    are_whole_numbers,
    list_cells,
    list_texts,
)
from app.service.table_files.column_headings import read_heading
from app.service.table_files.exports import Export, recognise_export
from app.service.table_files.field_matching import MatchedFields, find_level, match_fields
from app.service.table_files.heading_words import list_names, list_word_group, load_heading_words
from app.service.table_files.supplier_numbers import take_out_numbers
from app.service.tables.headings import fold_column_name
from app.service.tables.table import FormattedNumber
from app.service.values.money import find_format_currency
from app.service.values.numbers import NotANumber, read_number
from app.service.values.periods import Period
from app.service.values.price_basis import cut_price_end

SYNONYMS = list_names("agreements")
"""Our name of each field, and the names that lists of contracts have for the same."""

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
_LONGEST_NAME = 120
"""Characters of a description that calls a contract."""
_NAMING = ("name", "term_start", "term_end", *_AMOUNTS)
"""Fields whose headings may say that they are of contracts."""


@dataclass(frozen=True, slots=True)
class AgreementColumns:
    """The position of each field in a row, and the export that the file is. `currency` is that which the
    headings of amounts name; `offered` are fields that a person may want a column for, by its position;
    `gross` are the fields whose headings say that tax is in them; `value_period` is what `annual_value` is
    for, which `value_is_price` says is called a price or a fee; `price_period` is what the unit price is for
    by its heading, and `price_unit` its unit.
    `supplier_number` is the position of the number of a supplier where no column has a name; `notes` are
    sentences on it. `scales` are what amounts are multiplied by; `others` are the positions of columns that
    hold no field, also of those that are offered; `lengths` are the units of bare numbers in fields that are
    lengths of time."""

    fields: Mapping[str, int]
    export: Export | None
    header: Sequence[str] = ()
    currency: str | None = None
    offered: Mapping[int, str] = field(default_factory=dict[int, str])
    gross: Collection[str] = ()
    value_period: Period = "year"
    price_period: Period | None = None
    price_unit: str | None = None
    value_is_price: bool = False
    supplier_number: int | None = None
    notes: Sequence[str] = ()
    scales: Mapping[str, int] = field(default_factory=dict[str, int])
    others: Collection[int] = ()
    lengths: Mapping[str, Period] = field(default_factory=dict[str, Period])

    @property
    def missing(self) -> list[str]:
        """The needed fields that have no column."""
        return [] if any(name in self.fields for name in NAMES) else ["name"]

    @property
    def are_of_contracts(self) -> bool:
        """Whether a column says something that is said of contracts, not of any supplier or product."""
        said = self.fields.keys() - _OF_ANYTHING
        if "name" in said and fold_column_name(self.header[self.fields["name"]]) in _NAMES_OF_ANYTHING:
            said -= {"name"}
        return bool(said)

    @property
    def is_marked(self) -> bool:
        """Whether the file has a column that only agreements have."""
        return not MARKS.isdisjoint(self.fields) or self._name_contracts(*_NAMING)

    @property
    def name_contracts(self) -> bool:
        """Whether a heading says that a day, an amount or a name is that of a contract, and no line of an
        order is listed."""
        return not {"quantity", "unit_price"} <= self.fields.keys() and self._name_contracts(*_NAMING)

    def _name_contracts(self, *names: str) -> bool:
        contracts = list_word_group("contract")
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
    fields = matched.fields
    _take_unit_price(matched)
    _take_description(matched)
    number, notes = take_out_numbers(matched, "supplier")
    if "quantity" not in fields and "unit_price" not in fields and "unit" not in matched.mapping:
        fields.pop("unit", None)
    currency = _find_currency(matched)
    _offer_bare_total(matched, currency)
    price = matched.find_heading("unit_price")
    export = recognise_export(header)
    return AgreementColumns(
        fields,
        export if export and export.kind == "agreements" else None,
        header,
        currency,
        matched.offered,
        [
            name
            for name in _AMOUNTS
            if matched.find_heading(name).tax == "with tax" and name not in matched.mapping
        ],
        _find_value_period(matched),
        price.period,
        price.unit,
        not _OF_UNITS.isdisjoint(matched.find_heading("annual_value").words),
        number,
        notes,
        matched.find_scales(_AMOUNTS),
        [*matched.list_others().values(), *matched.offered],
        _find_lengths(matched),
    )


def _take_unit_price(matched: MatchedFields) -> None:
    """Take the only price that its heading, or each of its cells, says to be of one unit: `Cost per seat per
    month`, `EUR 12/user/month`."""
    prices = [at for at, name in matched.offered.items() if name == "unit_price"]
    found = [at for at in prices if matched.headings[at].unit or _are_of_units(list_texts(matched.rows, at))]
    if len(found) == 1 and matched.is_open("unit_price"):
        matched.take("unit_price", found[0])


def _take_description(matched: MatchedFields) -> None:
    """Let the only description call numbered contracts that nothing else names, where each has a short one:
    several of one contract are of its lines."""
    fields, rows = matched.fields, matched.rows
    found = [at for at, name in matched.offered.items() if name == "name"]
    if len(found) != 1 or "reference" not in fields or not matched.is_open("name", "product"):
        return
    numbers, texts = list_texts(rows, fields["reference"]), list_texts(rows, found[0])
    is_whole = len(rows) == len(texts) == len(numbers) > 0 and max(map(len, texts)) <= _LONGEST_NAME
    if is_whole and len({*zip(numbers, texts, strict=True)}) == len({*numbers}):
        matched.take("name", found[0])


def _offer_bare_total(matched: MatchedFields, currency: str | None) -> None:
    """Offer what is called a total alone, and names no currency, where another column does: it may be a
    number of licences."""
    at, heading = matched.fields.get("total_value", -1), matched.find_heading("total_value")
    is_bare = bool(heading.words) and list_word_group("total").issuperset(heading.words)
    if not is_bare or currency or "currency" in matched.fields or "total_value" in matched.mapping:
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


def _find_lengths(matched: MatchedFields) -> Mapping[str, Period]:
    lengths = dict(_LENGTHS)
    for name in _OPEN_LENGTHS:
        if (period := matched.find_heading(name).period) is not None:
            lengths[name] = period
    return lengths


def _find_value_period(matched: MatchedFields) -> Period:
    """Return what `annual_value` is for by its heading; a year where that says nothing."""
    heading = matched.find_heading("annual_value")
    found = find_level(load_heading_words("agreements").fields["annual_value"], heading, stripped=True)
    return heading.period or (_VALUE_PERIODS[found[1][0]] if found else "year")


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
    if (name == "name" and are_whole_numbers(cells)) or (name in NAMES and are_flags(list_texts(rows, at))):
        return True
    return name in ("reference", "product", "name") and are_line_numbers(cells)
