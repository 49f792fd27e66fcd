"""The form of what was read of a document: its terms, and its lines with the products assigned to them."""

import math
from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, cast

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from app.contract.catalog import PricingDimension, Product, SelectField
from app.contract.money import count_decimals, format_money
from app.contract.scope import DocumentReading, LineDimension, LineRole, ReadLine, ReadValue, UncoveredLine
from components.elements.table import Columns, Row, drop_empty_columns, edit_table
from components.formatting import escape_markdown
from components.scopes import FieldValue, describe_part, draw_dimension_field, is_available, to_field_value


@dataclass(frozen=True)
class AssignedProducts:
    """For each line the assigned product and the product in the table that it replaces. A product that is
    chosen in the table afterwards wins."""

    by_line: MutableMapping[int, tuple[str, str | None]]

    def assign(self, line: int, product_id: str, replaced: str | None) -> None:
        """Give the line a product in place of `replaced`, which may have been assigned itself."""
        before = self.by_line.get(line)
        in_table = before[1] if before is not None and before[0] == replaced else replaced
        self.by_line[line] = (product_id, in_table)

    def get_product(self, line: int, in_table: str | None) -> str | None:
        """Return the product of the line where the table holds `in_table`."""
        assigned = self.by_line.get(line)
        return assigned[0] if assigned is not None and in_table == assigned[1] else in_table


TAG_LABELS: dict[str, str] = {
    "optional": "optional",
    "alternative": "alternative",
    "one_off": "one-off",
    "recurring": "recurring",
    "included": "included",
    "credit": "credit",
    "discount": "discount",
}


def list_tag_labels(lines: Sequence[ReadLine]) -> list[list[str]]:
    """Return the tags of each line for people, with the part of the term that it is for: `year 2`, `months 13
    to 18`. What all lines are is left out; a tag that is not known here is shown as it is."""
    common = [tag for tag in TAG_LABELS if len(lines) > 1 and all(tag in line.tags for line in lines)]
    return [
        [
            *([part] if (part := describe_part(line.first_month, line.months)) else []),
            *(TAG_LABELS.get(tag, tag.replace("_", " ")) for tag in line.tags if tag not in common),
        ]
        for line in lines
    ]


@dataclass(frozen=True)
class ReviewedLine:
    """A line after the review; without a product it is left out. `values` are those of the product's
    dimensions except the quantity, by dimension id. `first_month` and `months` are the part of the term that
    it is for, None for all of it."""

    line: ReadLine
    product_id: str | None
    quantity: Decimal | None
    amount: Decimal | None
    role: LineRole = "product"
    values: Mapping[str, FieldValue] = field(default_factory=dict[str, FieldValue])
    first_month: int | None = None
    months: int | None = None

    @property
    def is_bought(self) -> bool:
        """Whether the line becomes a product of the scope."""
        return self.role == "product" and self.product_id is not None


def describe_line(line: ReadLine) -> str:
    """Return the description of the line, else its number."""
    description = find_value(line.values, "description")
    return str(description.value) if description and description.value else f"Line {line.index + 1}"


def read_quantity(line: ReadLine, product: Product | None) -> Decimal | None:
    """Return the quantity of a line. None where it counts something else than the product does, so that one
    pack is not taken for one user."""
    counted = product.counted if product is not None and product.id == line.product_id else None
    understood = next((one for one in line.dimensions if counted and one.id == counted.id), None)
    if understood is not None:
        return understood.value if isinstance(understood.value, Decimal) else None
    stated = find_value(line.values, "quantity")
    return stated.value if stated and isinstance(stated.value, Decimal) else None


def is_credit(line: ReadLine) -> bool:
    """Return whether the line takes something off."""
    amount = find_value(line.values, "amount")
    stated = amount.value if line.term_amount is None and amount is not None else line.term_amount
    return isinstance(stated, Decimal) and stated < 0


def state_need(line: ReadLine, product: Product | None) -> dict[str, object]:
    """Return what the line is for, as a line of a requirement. How many may have been corrected, and are then
    not of the unit that stands in the document."""
    stated, unit = read_quantity(line, None), find_value(line.values, "unit")
    quantity = read_quantity(line, product) or stated
    return {
        "description": describe_line(line),
        "quantity": quantity,
        "unit": unit.value if unit is not None and quantity == stated else None,
        "mustHave": "optional" not in line.tags,
    }


def must_choose(line: ReadLine, product: Product, dimension: PricingDimension) -> bool:
    """Return whether the price depends on a choice of this dimension that nobody has made."""
    if not isinstance(dimension.form_field, SelectField):
        return False
    if line.product_id == product.id:
        return any(one.id == dimension.id and one.moves_price for one in line.dimensions)
    return dimension.form_field.required or dimension.price_impact_known


NOT_A_PRODUCT = "not a product"
LEFT_OUT = "left out"


def draw_unestimated_lines(lines: Sequence[UncoveredLine], currency: str) -> None:
    """Draw one sentence with the sum, where all amounts are known, and the reason for each line; nothing
    where there are no lines. Amounts are before tax, for the whole term."""
    if not lines:
        return
    amounts = [line.amount for line in lines if line.amount is not None]
    total = (
        f"{len(lines)} lines, {escape_markdown(format_money(sum(amounts, Decimal(0)), currency))} in total: "
        if 1 < len(lines) == len(amounts)
        else ""
    )
    listing = "; ".join(
        f"{escape_markdown(line.description)} ({line.why}"
        f"{'' if line.amount is None else f', {escape_markdown(format_money(line.amount, currency))}'})"
        for line in lines
    )
    st.caption(f":material/info: In the quote's total, but not in the estimate: {total}{listing}.")


NEW_PRODUCT = "new"
"""The choice of a product that is not on record yet."""


def draw_line_row(
    reviewed: ReviewedLine,
    product: Product | None,
    choices: Mapping[str, str],
    currency: str,
    *,
    key: str,
    on_choose: Callable[[int, str, str | None], None],
    can_add: bool,
) -> tuple[ReviewedLine, bool]:
    """Draw one row: what the line says, its product where the document did not settle it, its quantity where
    nobody has said it, and each field of the product that affects the price and must be chosen. Return the
    line with what was answered, and whether it is to be added as a new product.

    `choices` are the names of products by id; the likely ones come first."""
    asked = _list_asked(reviewed.line, product)
    is_open = product is None or product.id != reviewed.line.product_id
    counted = find_uncounted(reviewed, product)
    answers = [2 for _ in asked] + ([2] if counted else [])
    cells = st.columns([4, *([3] if is_open else []), *answers], vertical_alignment="center")
    with cells[0]:
        line = reviewed.line
        amount = "" if reviewed.amount is None else format_money(reviewed.amount, currency)
        facts = filter(None, (describe_part(line.first_month, line.months), amount))
        st.markdown(
            " ".join([f"**{escape_markdown(describe_line(line))}**", *(f":gray[{one}]" for one in facts)])
        )
    adds = False
    if is_open:
        with cells[1]:
            adds = _draw_product_choice(reviewed, choices, key, on_choose, can_add=can_add) == NEW_PRODUCT
    values: dict[str, FieldValue] = {}
    if product is not None:
        for cell, dimension in zip(cells[2 if is_open else 1 :], asked, strict=False):
            with cell:
                values[dimension.id] = _draw_field(reviewed, product, dimension, None, key=key)
    quantity = reviewed.quantity
    if counted is not None:
        with cells[-1]:
            name = f"Quantity of {escape_markdown(describe_line(line))}"
            quantity = ask_number(name, "How many?", key=f"{key}/quantity", label_visibility="collapsed")
    return replace(reviewed, values=values, quantity=quantity), adds


def ask_number(label: str, question: str, **look: Any) -> Decimal | None:
    """Draw a field, at first empty, for a number from 0 on that nobody has said yet, and return what was
    typed. `look` is what else `st.number_input` takes."""
    return _to_decimal(
        st.number_input(
            label,
            min_value=0.0,
            value=None,
            step=1.0,
            format="%g",
            placeholder=question,
            persist_state="page",
            **look,
        )
    )


def find_uncounted(reviewed: ReviewedLine, product: Product | None) -> PricingDimension | None:
    """Return the dimension that the quantity of the line counts, where nobody has said how many; None where
    it is known, or nothing is counted."""
    return None if product is None or reviewed.quantity else product.counted


def _draw_product_choice(
    reviewed: ReviewedLine,
    choices: Mapping[str, str],
    key: str,
    on_choose: Callable[[int, str, str | None], None],
    *,
    can_add: bool,
) -> str | None:
    line = reviewed.line
    likely = {one.product_id: f"{one.product_name} ({one.company_name})" for one in line.candidates}
    new = {NEW_PRODUCT: "Add it as a new product"} if can_add else {}
    names = likely | (new if not likely else {}) | {one: choices[one] for one in choices if one not in likely}
    names |= new
    field = f"{key}/product"

    def choose() -> None:
        chosen = st.session_state[field]
        if chosen != NEW_PRODUCT:
            on_choose(line.index, chosen, reviewed.product_id)

    # A product may be chosen in the table of all lines as well.
    if reviewed.product_id in names:
        st.session_state[field] = reviewed.product_id
    elif field not in st.session_state or st.session_state[field] not in (None, NEW_PRODUCT):
        st.session_state[field] = None
    return st.selectbox(
        f"Product of {escape_markdown(describe_line(line))}",
        list(names),
        format_func=lambda ident: names[ident],
        index=None,
        required=True,
        key=field,
        placeholder="Which product?" if names else "Nothing on record is like it",
        label_visibility="collapsed",
        on_change=choose,
        disabled=not names,
    )


def draw_product_fields(reviewed: ReviewedLine, product: Product, *, key: str) -> dict[str, FieldValue]:
    """Draw the dimensions of the line's product, except the quantity, which is in the table, and those that
    were answered in its row, and return the values of all. Only what the text of the line states is filled
    in."""
    counted = product.counted
    typed: dict[str, FieldValue] = {} if counted is None else {counted.id: float(reviewed.quantity or 0)}
    others = [one for one in product.pricing_dimensions if counted is None or one.id != counted.id]
    with st.grid(2, min_column_width=190):
        for dimension in others:
            if dimension.id in reviewed.values:
                typed[dimension.id] = (
                    reviewed.values[dimension.id] if is_available(dimension, typed) else None
                )
                continue
            with st.container():
                typed[dimension.id] = _draw_field(reviewed, product, dimension, typed, key=key)
    if counted is not None:
        del typed[counted.id]
    return typed


def _list_asked(line: ReadLine, product: Product | None) -> list[PricingDimension]:
    """Return the dimensions to choose in the row: those that affect the price and depend on no other."""
    if product is None:
        return []
    return [
        one
        for one in product.pricing_dimensions
        if must_choose(line, product, one) and one.depends_on.depends_on_dimension_id is None
    ]


def _draw_field(
    reviewed: ReviewedLine,
    product: Product,
    dimension: PricingDimension,
    typed: Mapping[str, FieldValue] | None,
    *,
    key: str,
) -> FieldValue:
    """Draw one dimension, in the row where `typed` is None, with what the document says about it."""
    understood = (
        next((one for one in reviewed.line.dimensions if one.id == dimension.id), None)
        if reviewed.line.product_id == product.id
        else find_proposed_option(reviewed.line, dimension)
    )
    field = f"{key}/{product.id}/{dimension.id}"
    value = to_field_value(dimension, understood.value if understood else None)
    if value is not None:
        st.session_state.setdefault(field, value)
    if typed is None:
        name = f"{dimension.name}?"
        return draw_dimension_field(dimension, {}, key=field, none_label=name, is_in_row=True)
    if must_choose(reviewed.line, product, dimension):
        chosen = draw_dimension_field(dimension, typed, key=field, none_label="not known yet")
    else:
        chosen = draw_dimension_field(dimension, typed, key=field)
    if understood and understood.words and understood.source == "read":
        st.caption(f"Read: “{escape_markdown(understood.words)}”")
    return chosen


def find_proposed_option(line: ReadLine, dimension: PricingDimension) -> LineDimension | None:
    """Return the option that the text of the line names, for a product other than the matched one."""
    field = dimension.form_field
    words = {one.name.casefold(): one.option for one in line.proposed.dimensions} if line.proposed else {}
    option = words.get(dimension.name.casefold())
    if option is None or not isinstance(field, SelectField):
        return None
    for one in field.options:
        if one.label.casefold() == option.casefold():
            return LineDimension(
                id=dimension.id, name=dimension.name, value=one.value, source="read", words=option
            )
    return None


def draw_match_reason(line: ReadLine, product: Product) -> None:
    """Draw why the line was matched to its product."""
    is_matched = line.product_id == product.id and line.matched_by
    how = f"found by its {line.matched_by}" if is_matched else "chosen by you"
    st.caption(f"{escape_markdown(product.name)} by {escape_markdown(product.company.name)}: {how}.")


def draw_candidates(reviewed: ReviewedLine) -> None:
    """Draw why the line may be each of the products that are offered first."""
    for candidate in reviewed.line.candidates:
        if candidate.product_id != reviewed.product_id:
            name = f"{candidate.product_name} by {candidate.company_name}"
            st.caption(f"{escape_markdown(name)}: {escape_markdown(candidate.why)}")


TERM_VALUES: Mapping[str, str] = {
    "term_months": "term_length",
    "net_total": "final_price",
    "start_date": "start_date",
    "end_date": "end_date",
    "auto_renew": "auto_renew",
}
"""The values of a document that become terms of its scope, with the fields of these."""
ROLE_LABELS: dict[str, str] = {"product": "product", "not_product": "not a product", "left_aside": "left out"}
_UNMATCHED = "-"
_PART = ("From month", "Months")


def draw_lines(
    reading: DocumentReading,
    choices: Mapping[str, str],
    products: Mapping[str, Product],
    assigned: AssignedProducts,
    *,
    key: str,
) -> list[ReviewedLine]:
    """Draw the table of the lines, and return these as they are in it. No line is ever left out.

    `choices` are the names of the products that a line may be given, by id; `products` are those that lines
    were matched to; `assigned` holds what was chosen outside the table.
    """
    lines = reading.lines
    if not lines:
        return []
    labels = list_tag_labels(lines)
    rows = [_make_line_row(line, tags, products, assigned) for line, tags in zip(lines, labels, strict=True)]
    edited = edit_table(
        rows,
        key=f"{key}-lines",
        alt="Lines of the document in its order; editable",
        columns=_make_line_columns(rows, choices, reading.currency or ""),
        editable=["Product", "Quantity", "Amount", "Kind", *_PART],
    )
    return [_read_line(line, row, assigned) for line, row in zip(lines, edited, strict=True)]


def holds_unknown_tax(line: ReadLine) -> bool:
    """Return whether the amount of a line holds a tax, and nobody has said of which rate."""
    taxed = find_value(line.values, "tax_included")
    return taxed is not None and taxed.value is True and line.term_amount is None


def describe_reading(value: ReadValue, reading: DocumentReading) -> str:
    """Return on which of several pages a value was read, whether that is doubtful, and what else it may be,
    in Markdown."""
    place = f"Page {value.page}" if value.page and len(reading.pages) > 1 else ""
    if is_read_surely(value):
        return place and f":small[:gray[{place}]]"
    other = f"or {escape_markdown(value.second)}" if value.second else ""
    return f":small[:orange[{', '.join(filter(None, (place, 'not sure', other)))}]]"


def describe_term(name: str, value: ReadValue | None, reading: DocumentReading) -> str:
    """Return what is said below the field of a term about the value that was read for it, in Markdown: of a
    price that the document does not state, that it is what the lines add up to, and of one that is the only
    total, that it may hold a tax."""
    if value is not None:
        holds_tax = name == "final_price" and _may_hold_tax(value, reading)
        return _MAYBE_TAXED if holds_tax else describe_reading(value, reading)
    is_stated = any(find_value(reading.values, total) is not None for total in ("total", "net_total"))
    is_added = any(line.term_amount is not None for line in reading.lines) and not is_stated
    return (
        ":small[:orange[not stated: what the lines add up to]]" if name == "final_price" and is_added else ""
    )


_MAYBE_TAXED = ":small[:orange[not sure: the total, which may include a tax]]"


def _may_hold_tax(net: ReadValue, reading: DocumentReading) -> bool:
    """Return whether a price before tax is doubtful for being the only total that the document states."""
    total = find_value(reading.values, "total")
    return (
        not is_read_surely(net)
        and net.second is None
        and total is not None
        and is_read_surely(total)
        and total.value == net.value
        and find_value(reading.values, "tax_total") is None
    )


def describe_lines(lines: Sequence[ReviewedLine], open_lines: Collection[int]) -> str:
    """Return `3 read, 1 not matched to a product, 1 to answer, 1 not a product`; `all matched` only where
    nothing is left to answer. `open_lines` are the indexes of lines of which something that affects the price
    is unknown."""
    products = [line for line in lines if line.role == "product"]
    unmatched = sum(line.product_id is None for line in products)
    questions = sum(line.is_bought and line.line.index in open_lines for line in products)
    words = [f"{len(lines)} read"]
    if unmatched:
        words.append(f":orange[{unmatched} not matched to a product]")
    if questions:
        words.append(f":orange[{questions} to answer]")
    if products and not unmatched and not questions:
        words.append("all matched")
    for role, name in ROLE_LABELS.items():
        if role != "product" and (count := sum(line.role == role for line in lines)):
            words.append(f"{count} {name}")
    return f"**Lines** :gray[{', '.join(words)}]"


def _make_line_columns(rows: Sequence[Row], choices: Mapping[str, str], currency: str) -> Columns:
    """Return the columns of the lines. Up to the kind they fit a page of 800 pixels, where each is as narrow
    as it is told; a wider page gives all of them more."""
    columns: Columns = {
        "Line": st.column_config.TextColumn(width=98),
        "Tags": st.column_config.TextColumn(
            width=66, help="Optional lines are in no total; one-off ones are paid once in the whole term"
        ),
        "Product": st.column_config.SelectboxColumn(
            width=96,
            options=[_UNMATCHED, *choices],
            format_func=lambda ident: choices.get(str(ident), "none"),
            required=True,
            help="A line without a product stays in the quote's total but is not estimated",
        ),
        "Quantity": st.column_config.NumberColumn(width=76, format=_make_number_format(rows, "Quantity")),
        "Amount": st.column_config.NumberColumn(
            f"Amount {currency}".rstrip(),
            width=104,
            format=_make_number_format(rows, "Amount"),
            help="Before tax, for the whole term",
        ),
        "Kind": st.column_config.SelectboxColumn(
            width=70,
            options=list(ROLE_LABELS),
            format_func=lambda role: ROLE_LABELS.get(str(role), str(role)),
            required=True,
            help="Not a product: shipping, services, credits, texts. Left out: a product that should not be"
            " estimated. Both stay in the quote's total.",
        ),
        "From month": st.column_config.NumberColumn(
            width="small", min_value=1, format="%d", help="Of the term, from 1; empty for all of it"
        ),
        "Months": st.column_config.NumberColumn(
            width="small", min_value=1, format="%d", help="How long it runs; empty for all of the term"
        ),
        "Unit price": st.column_config.NumberColumn(
            f"Unit price {currency}".rstrip(),
            width="small",
            format=_make_number_format(rows, "Unit price"),
            help="As the document states it, which may be with tax",
        ),
        "Confidence": make_confidence_column(),
    }
    is_for_parts = any(row[name] is not None for row in rows for name in _PART)
    return drop_empty_columns(columns, rows, ["Tags"] if is_for_parts else ["Tags", *_PART])


def _make_number_format(rows: Sequence[Row], column: str) -> str:
    """Return a format with separators of thousands and the decimals of that number which has the most."""
    numbers = (row[column] for row in rows)
    decimals = max((count_decimals(one) for one in numbers if isinstance(one, float)), default=0)
    return f"%,.{decimals}f"


def _read_line(line: ReadLine, row: Row, assigned: AssignedProducts) -> ReviewedLine:
    """Return a line with its values from the table. A line that is given a product becomes a product,
    whatever was proposed."""
    value = row["Product"]
    in_table = value if isinstance(value, str) and value != _UNMATCHED else None
    product_id = assigned.get_product(line.index, in_table)
    role = cast(LineRole, row["Kind"]) if row["Kind"] in ROLE_LABELS else "product"
    if product_id is not None and role == line.role != "product":
        role = "product"
    first, months = (_to_decimal(row.get(name)) for name in _PART)
    return ReviewedLine(
        line,
        product_id,
        _to_decimal(row["Quantity"]),
        _to_decimal(row["Amount"]),
        role,
        first_month=None if first is None else int(first) - 1,
        months=None if months is None else int(months),
    )


def make_confidence_column() -> ColumnConfig:
    """Return the column for confidences from 0 to 1."""
    return st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1, width="small")


def _make_line_row(
    line: ReadLine, tags: Sequence[str], products: Mapping[str, Product], assigned: AssignedProducts
) -> Row:
    read = {value.name: value.value for value in line.values}
    bought = line.product_id if line.role == "product" else None
    product_id = assigned.get_product(line.index, bought)
    read_amount = None if holds_unknown_tax(line) else read.get("amount")
    amount = line.term_amount if line.term_amount is not None else read_amount
    confidences = [float(value.confidence) for value in line.values if value.confidence is not None]
    return {
        "Line": describe_line(line),
        "Product": product_id or _UNMATCHED,
        "Quantity": _to_float(read_quantity(line, products.get(line.product_id or ""))),
        "Unit price": _to_float(read.get("unit_price")),
        "Amount": _to_float(amount),
        "Kind": "product" if product_id is not None else line.role,
        "Tags": ", ".join(tags) or None,
        "From month": None if line.months is None else float((line.first_month or 0) + 1),
        "Months": None if line.months is None else float(line.months),
        "Confidence": min(confidences, default=None),
    }


def find_value(values: Sequence[ReadValue], name: str) -> ReadValue | None:
    """Return the first value of that name that was read of a document or a line."""
    return next((value for value in values if value.name == name), None)


def is_read_surely(value: ReadValue) -> bool:
    """Return whether nobody needs to look at the value."""
    return value.sure or value.confidence is None


def _to_float(value: object) -> float | None:
    return float(value) if isinstance(value, Decimal) else None


def _to_decimal(value: object) -> Decimal | None:
    if not isinstance(value, int | float) or math.isnan(value):
        return None
    return Decimal(str(value))
