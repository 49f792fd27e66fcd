"""The lines of a document under review, with the products that are assigned to them."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import streamlit as st

from app.contract.catalog import NumberField, PricingDimension, Product, SelectField
from app.contract.money import format_money
from app.contract.scope import LineDimension, LineRole, ReadLine
from components.formatting.texts import escape_markdown
from components.scopes.dimension_fields import (
    FieldValue,
    draw_dimension_field,
    is_available,
    to_field_value,
)
from components.scopes.scope_card import describe_part


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
    description = next((value.value for value in line.values if value.name == "description"), None)
    return str(description) if description else f"Line {line.index + 1}"


def get_counted_dimension(product: Product) -> PricingDimension | None:
    """Return the dimension that the quantity of a line counts: the required number, else the first number."""
    numbers = [one for one in product.pricing_dimensions if isinstance(one.form_field, NumberField)]
    return next((one for one in numbers if one.form_field.required), numbers[0] if numbers else None)


def read_quantity(line: ReadLine, product: Product | None) -> Decimal | None:
    """Return the quantity of a line. None where it counts something else than the product does, so that one
    pack is not taken for one user."""
    counted = (
        get_counted_dimension(product) if product is not None and product.id == line.product_id else None
    )
    understood = next((one for one in line.dimensions if counted and one.id == counted.id), None)
    if understood is not None:
        return understood.value if isinstance(understood.value, Decimal) else None
    stated = next((value.value for value in line.values if value.name == "quantity"), None)
    return stated if isinstance(stated, Decimal) else None


def must_choose(line: ReadLine, product: Product, dimension: PricingDimension) -> bool:
    """Return whether the price depends on a choice of this dimension that nobody has made."""
    if not isinstance(dimension.form_field, SelectField):
        return False
    if line.product_id == product.id:
        return any(one.id == dimension.id and one.moves_price for one in line.dimensions)
    return dimension.form_field.required or dimension.price_impact_known


@dataclass(frozen=True)
class UnestimatedLine:
    """A line that no estimate covers. `amount` is before tax, for the whole term; None where none is
    stated."""

    description: str
    amount: Decimal | None
    why: str


NOT_A_PRODUCT = "not a product"
LEFT_OUT = "left out"


def draw_unestimated_lines(lines: Sequence[UnestimatedLine], currency: str) -> None:
    """Draw one sentence with the sum and the reason for each line; nothing where there are no lines."""
    if not lines:
        return
    amounts = [line.amount for line in lines if line.amount is not None]
    total = (
        f"{len(lines)} lines, {escape_markdown(format_money(sum(amounts, Decimal(0)), currency))} in total: "
        if len(lines) > 1 and amounts
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
    adds_at_once: bool = False,
) -> tuple[dict[str, FieldValue], bool]:
    """Draw one row: what the line says, its product where the document did not settle it, and each field of
    the product that affects the price and must be chosen. Return the values of these, by dimension id, and
    whether the line is to be added as a new product.

    `choices` are the names of products by id; the likely ones come first. With `adds_at_once` a new product
    is chosen at first."""
    asked = _list_asked(reviewed.line, product)
    is_open = product is None or product.id != reviewed.line.product_id
    cells = st.columns([4, *([3] if is_open else []), *[2 for _ in asked]], vertical_alignment="center")
    with cells[0]:
        amount = "" if reviewed.amount is None else f" :gray[{format_money(reviewed.amount, currency)}]"
        st.markdown(f"**{escape_markdown(describe_line(reviewed.line))}**{amount}")
    adds = False
    if is_open:
        with cells[1]:
            chosen = _draw_product_choice(
                reviewed, choices, key, on_choose, can_add=can_add, adds_at_once=adds_at_once
            )
            adds = chosen == NEW_PRODUCT
    values: dict[str, FieldValue] = {}
    if product is not None:
        for cell, dimension in zip(cells[2 if is_open else 1 :], asked, strict=True):
            with cell:
                values[dimension.id] = _draw_field(reviewed, product, dimension, None, key=key)
    return values, adds


def _draw_product_choice(
    reviewed: ReviewedLine,
    choices: Mapping[str, str],
    key: str,
    on_choose: Callable[[int, str, str | None], None],
    *,
    can_add: bool,
    adds_at_once: bool,
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
        st.session_state[field] = NEW_PRODUCT if adds_at_once and can_add else None
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


def draw_product_fields(
    reviewed: ReviewedLine,
    product: Product,
    drawn: Mapping[str, FieldValue],
    *,
    key: str,
) -> dict[str, FieldValue]:
    """Draw the dimensions of the line's product, except the quantity, which is in the table, and those that
    were `drawn` elsewhere, and return the values of all. Only what the text of the line states is filled
    in."""
    counted = get_counted_dimension(product)
    typed: dict[str, FieldValue] = {} if counted is None else {counted.id: float(reviewed.quantity or 0)}
    others = [one for one in product.pricing_dimensions if counted is None or one.id != counted.id]
    with st.grid(2, min_column_width=190):
        for dimension in others:
            if dimension.id in drawn:
                typed[dimension.id] = drawn[dimension.id] if is_available(dimension, typed) else None
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


def draw_question(question: str) -> None:
    st.markdown(f":orange[:material/help:] {escape_markdown(question)}")


def draw_match_reason(line: ReadLine, product: Product) -> None:
    """Draw why the line was matched to its product."""
    if line.product_id == product.id and line.matched_by:
        st.caption(
            f"{escape_markdown(product.name)} by {escape_markdown(product.company.name)}: found by its "
            f"{line.matched_by}."
        )
    else:
        st.caption(
            f"{escape_markdown(product.name)} by {escape_markdown(product.company.name)}: chosen by you."
        )


def draw_candidates(reviewed: ReviewedLine) -> None:
    """Draw why the line may be each of the products that are offered first."""
    for candidate in reviewed.line.candidates:
        if candidate.product_id != reviewed.product_id:
            name = f"{candidate.product_name} by {candidate.company_name}"
            st.caption(f"{escape_markdown(name)}: {escape_markdown(candidate.why)}")
