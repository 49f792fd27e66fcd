"""Find out by its name what each column of a purchase file holds."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

from app.service.charges.months import MONTHS_PER_YEAR
from app.service.purchases.amount_columns import find_amounts
from app.service.table_files.column_cells import (
    Rows,
    are_flags,
    are_whole_numbers,
    list_cells,
    list_texts,
    read_numbers,
)
from app.service.table_files.field_matching import (
    ColumnUse,
    MatchedFields,
    find_level,
    match_fields,
    take_bare_basis,
)
from app.service.table_files.heading_words import list_word_group, load_heading_words
from app.service.table_files.supplier_numbers import take_out_numbers
from app.service.values.folding import fold_text
from app.service.values.periods import read_period
from app.service.values.price_basis import read_price_basis
from app.service.values.tax import Tax, find_tax_in_cell
from app.service.values.units import PACKS, read_unit

REQUIRED_FIELDS = ("purchase_date", "supplier", "product")
PRICE_FIELDS = ("unit_price", "total_price")
_AMOUNTS = (*PRICE_FIELDS, "list_price")
_READ_ROLES = ("basis", "tax", "discount", "billing", "gross", "cancelled", "pack_size", "revision")
"""Columns that fields are read with."""
_WITH_DESCRIPTION = ("unit_price", "quantity", "product_key")
"""A table with one of these has lines, and its description says what each is of."""


@dataclass
class PurchaseColumns(MatchedFields):
    """The columns of a file of purchases. What their headings or the first rows say of the prices: the
    `currency`, as `read_currency` returns it, whether `tax` is in them, and for how many units they are
    (`price_basis`). A term is counted in units of `months_of_term`."""

    currency: str | None = None
    tax: Tax | None = None
    price_basis: Decimal | None = None
    months_of_term: int = 1

    @property
    def quantity_unit(self) -> str | None:
        """The unit that the heading of the quantity names, or the kind of pack that it is called."""
        unit = read_unit(self.find_title("quantity"))
        return self.find_heading("quantity").unit or (unit if unit in PACKS else None)

    @property
    def required(self) -> Collection[str]:
        """The needed fields."""
        return *REQUIRED_FIELDS, "unit_price"

    @property
    def typicality(self) -> int:
        """0 where it is none of purchases: what is paid again and again without a day is a subscription."""
        known = {*self.fields, *self.offered.values()}
        return int("price_period" not in self.fields or "purchase_date" in known)

    @property
    def uses(self) -> Mapping[ColumnUse, Collection[int]]:
        """The positions of columns that become attributes, and of those that fields are read with."""
        read = {at for role in _READ_ROLES for at in self.roles[role]}
        return {"dimension": self.list_others().values(), "read": read}

    @property
    def places(self) -> Mapping[str, int]:
        """The positions of all that a row may be wrong about."""
        roles = {role: self.roles[role][0] for role in _READ_ROLES if self.roles[role]}
        return {**self.list_others(), **roles, **self.fields}

    @property
    def missing(self) -> list[str]:
        """The needed fields that have no column. A quantity is needed where the prices are for a unit, or a
        column may be that of what they are for: nobody bought one of each then."""
        missing = [name for name in REQUIRED_FIELDS if name not in self.fields]
        if all(name not in self.fields for name in PRICE_FIELDS):
            return [*missing, "unit_price"]
        is_for_unit = self.find_heading("unit_price").unit and "total_price" not in self.fields
        has_lines = not {"quantity", "unit_price"}.isdisjoint(self.offered.values())
        if "quantity" not in self.fields and (has_lines or is_for_unit):
            missing.append("quantity")
        return missing


def match_columns(
    header: Sequence[str],
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    sample_rows: Rows = (),
) -> PurchaseColumns:
    """Find what each column of `header` means, as far as that is known.

    `mapping` is our name -> the file's name, or "" for none, and takes precedence over every known name;
    `ignore` names columns to leave out. The cells of `sample_rows`, first rows of the table, tell the
    number of a line from a product, and an amount before tax from one with it. Raises `UnreadableTable`
    where a column is named twice, or where `mapping` or `ignore` name a column that the file does not have.
    """
    matched = match_fields(
        PurchaseColumns,
        header,
        "purchases",
        mapping or {},
        ignore,
        of="a purchase",
        amounts=_AMOUNTS,
        per_time=("unit_price",),
        reject=lambda name, at: (
            (name == "product" and are_whole_numbers(list_cells(sample_rows, at)))
            or (name == "description" and read_numbers(sample_rows, at) is not None)
        ),
        rows=sample_rows,
    )
    matched.take_currency()
    _take_row_currency(matched)
    _take_description(matched)
    take_out_numbers(matched, "supplier")
    take_bare_basis(matched, "price_period")
    _take_counted(matched)
    _offer_quantities(matched)
    _take_words(matched)
    if (years := matched.list_role("term_years")) and matched.is_open("term_months"):
        matched.take("term_months", years[0])
        matched.months_of_term = MONTHS_PER_YEAR
    matched.currency, matched.tax, basis = find_amounts(matched)
    matched.price_basis = matched.find_heading("unit_price").count or basis
    return matched


def _take_row_currency(matched: MatchedFields) -> None:
    """Of amounts alike beside a column of currencies, take the only one whose heading names none: others are
    in the buyer's own. Of `Price` and `Txn price` that goes first which begins as `Txn currency` does."""
    words = matched.find_heading("currency").words
    for name in [name for name in _AMOUNTS if name in matched.fields] if len(words) > 1 else ():
        whole = (*words[:-1], *matched.find_heading(name).words)
        own = [at for at, one in matched.headings.items() if one.words == whole]
        if len(own) == 1 and name not in matched.mapping:
            matched.take(name, own[0])
    for name in _AMOUNTS if "currency" in matched.fields else ():
        alike = [at for at, offered in matched.offered.items() if offered == name]
        plain = [at for at in alike if matched.headings[at].currency is None]
        if len(plain) == 1 < len(alike) and matched.is_open(name) and matched.headings[plain[0]].is_plain:
            matched.take(name, plain[0])


def _take_description(matched: MatchedFields) -> None:
    """Let the description of lines say what was bought, where no column names a product: a column of codes
    numbers it."""
    fields, mapping, rows = matched.fields, matched.mapping, matched.rows
    at = fields.get("description")
    if at is None or {"product", "description"} & mapping.keys():
        return
    codes = fields.get("product")
    named = sum(bool(_NAME.search(cell)) for cell in list_texts(rows, at)) * 2 > len(list_cells(rows, at))
    numbers = list[str]() if codes is None else list_texts(rows, codes)
    are_codes = all(_CODE.fullmatch(cell) and not _NAME.search(cell) for cell in numbers)
    if codes is not None and not (named and numbers and are_codes):
        return
    found = find_level(load_heading_words("purchases").fields["description"], matched.headings[at])
    is_description = found is not None and found[1][1] < _COMMENTS_FROM
    if is_description and any(name in fields for name in _WITH_DESCRIPTION):
        matched.take("product", fields.pop("description"))
        if codes is not None and "product_key" not in mapping:
            fields.setdefault("product_key", codes)


_CODE, _NAME = re.compile(r"(?=\S*\d)\S{2,30}"), re.compile(r"[^\W\d_]{4,}|[^\W\d_]{2,} +[^\W_]{2,}")


def _take_words(matched: MatchedFields) -> None:
    """Take a column for what all its cells are: periods are those of the prices, where the heading names a
    price, else of bills; yes and no below a heading about tax, or `incl. VAT`, say whether it is in the
    prices."""
    free = matched.headings.keys() - {*matched.fields.values(), *matched.left_out}
    matched.roles["gross"] = list[int]()
    for at in sorted(free):
        cells = {text for cell in list_texts(matched.rows, at) if (text := fold_text(cell).strip())}
        heading = matched.headings[at]
        if not cells:
            continue
        if heading.unnumbered in _DISCOUNT_OR_TEXT and read_numbers(matched.rows, at):
            matched.roles["discount"].append(at)
        elif (heading.tax == "with tax" and are_flags(cells)) or all(map(find_tax_in_cell, cells)):
            matched.roles["gross"].append(at)
        elif all(len(cell) > 1 and read_period(cell) for cell in cells):
            if (
                not list_word_group("price").isdisjoint(heading.words)
                and "price_period" not in matched.mapping
            ):
                matched.fields.setdefault("price_period", at)
            elif at not in matched.roles["billing"]:
                matched.roles["billing"].append(at)


def _take_counted(matched: MatchedFields) -> None:
    """Take the column that is named after what a price is for, such as packs, for how many were bought."""
    unit = matched.find_heading("unit_price").unit
    if unit is None or not matched.is_open("quantity"):
        return
    named = [
        at
        for at in matched.headings
        if at not in matched.fields.values()
        and (basis := read_price_basis(f"per {matched.header[at]}")) is not None
        and (basis.period, basis.count, basis.unit) == (None, None, unit)
        and are_whole_numbers(list_cells(matched.rows, at))
    ]
    if len(named) == 1:
        matched.take("quantity", named[0])


def _offer_quantities(matched: MatchedFields) -> None:
    """Offer each column that is called a quantity, with or in words nobody here knows (`Kaufmenge`), where
    none is taken."""
    if not matched.is_open("quantity"):
        return
    taken, words = {*matched.fields.values(), *chain(*matched.roles.values())}, list_word_group("quantity")
    ends = tuple(word for word in words if len(word) >= _SHORTEST_END)
    for at in matched.headings.keys() - taken:
        if any(word in words or word.endswith(ends) for word in matched.headings[at].words):
            texts = list_texts(matched.rows, at)
            if texts and all(text[0].isdecimal() for text in texts):
                matched.offered.setdefault(at, "quantity")


_DISCOUNT_OR_TEXT = ("desc", "descr")
"""Short for a description or, in Portuguese and Spanish, for a discount."""
_SHORTEST_END = 5
_COMMENTS_FROM = 4
"""The place among the names of a description from which on they are those of comments."""
