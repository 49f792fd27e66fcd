"""Scopes: the list, what their states are called, one in full, its versions, and the field of a price factor:
what a product is bought by, as its catalog entry says."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation

import streamlit as st

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, Product, SelectField
from app.contract.money import format_money, format_quantity
from app.contract.scope import ProductTerm, Scope, ScopeDimension, ScopeTerm, add_stated_prices
from app.contract.scope_list import ListedScope
from components import formatting
from components.elements.form_fields import Field, draw_field, mark_required
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.page_header import Colour
from components.elements.record_table import ColouredWord, Column, draw_record_table
from components.formatting import (
    NO_VALUE,
    escape_markdown,
    format_count,
    format_date,
    format_months,
    number_names,
)

PURCHASE_TYPE_LABELS = {"new_purchase": "New purchase", "renewal": "Renewal"}


def make_scope_title(scope: Scope) -> str:
    """Return the name of the scope. Where the deployment knows none: the names of the products, else the name
    of the document, else the day on which it was made."""
    if isinstance(scope, ListedScope) and scope.name:
        return scope.name
    names = list(dict.fromkeys(term.product_name for term in scope.product_terms))
    if names:
        return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    if scope.document_processing:
        return scope.document_processing.filename
    return f"Request of {format_date(scope.created_on.date())}" if scope.created_on else "Request"


def get_listed_currency(scope: Scope) -> str:
    """Return the currency of a scope as it is listed; "" where the deployment does not state it."""
    return scope.currency or "" if isinstance(scope, ListedScope) else ""


def is_currency_stated(scope: Scope) -> bool:
    """Return whether somebody has said the currency of a scope, as far as the deployment tells."""
    return not isinstance(scope, ListedScope) or scope.currency is not None


def format_scope_money(amount: Decimal, currency: str) -> str:
    """Return `USD 52,400`; `52,400 (currency not stated)` where the currency is not known."""
    return format_money(amount, currency) if currency else f"{format_money(amount, '')} (currency not stated)"


def get_quoted_total(scope: Scope) -> Decimal | None:
    """Return the quoted price for the whole purchase: the sum over its terms where each has a price, else
    over the products. Before tax, for the whole term."""
    total = add_stated_prices(scope.scope_terms)
    return add_stated_prices(scope.product_terms) if total is None else total


_ROUNDED_OF_A_PRICE = Decimal("0.001")


def describe_rest(scope: Scope, currency: str) -> str | None:
    """Return how much of the quoted price is for none of the products, such as a charge; None where it is
    nothing, or so little that it is of rounding."""
    total, of_products = add_stated_prices(scope.scope_terms), add_stated_prices(scope.product_terms)
    if total is None or of_products is None or abs(total - of_products) <= _ROUNDED_OF_A_PRICE * total:
        return None
    rest = format_scope_money(abs(total - of_products), currency)
    if total > of_products:
        return f"{rest} of it is for none of these products: a charge, or a line that is no product."
    return f"The prices of these products make {rest} more than that."


def count_term_months(scope: Scope) -> Decimal | None:
    """Return the length of all terms of the scope, one after the other; None where it has none."""
    return sum((term.term_length for term in scope.scope_terms), Decimal(0)) or None


def is_term_assumed(scope: Scope) -> bool:
    """Return whether nobody has said for how long it is."""
    return any(term.term_assumed for term in scope.scope_terms)


def get_main_quantity(term: ProductTerm) -> tuple[ScopeDimension, Decimal] | None:
    """Return the first numeric dimension of the product that is above 0, with its value: what the price is
    counted by."""
    for dimension in term.pricing_dimensions:
        if isinstance(dimension.value, Decimal) and dimension.value > 0:
            return dimension, dimension.value
    return None


def get_quote_point(scope: Scope, quote: Decimal | None) -> tuple[Decimal, Decimal] | None:
    """Return quantity and quote, to compare with past purchases. These are of single products, so None where
    the scope has several."""
    if quote is None or len(scope.product_terms) != 1:
        return None
    number = get_main_quantity(scope.product_terms[0])
    return (number[1], quote) if number else None


def name_purchase_type(term: ScopeTerm) -> str:
    """Return the label of the purchase type; an unknown type as it is."""
    return PURCHASE_TYPE_LABELS.get(term.purchase_type, term.purchase_type)


def describe_term(term: ScopeTerm, currency: str = "") -> str:
    """Return `New purchase, 12 months, quoted USD 52,400`. A scope does not state its currency: "" where
    the caller does not know it either."""
    words = [name_purchase_type(term), *([] if term.term_assumed else [format_months(term.term_length)])]
    if term.start_date is not None:
        words.append(f"from {format_date(term.start_date)}")
    if term.list_price is not None:
        words.append(f"list price {format_scope_money(term.list_price, currency)}")
    if term.discount is not None:
        words.append(f"{format_quantity(term.discount)} % off")
    if term.final_price is not None:
        words.append(f"quoted {format_scope_money(term.final_price, currency)}")
    return ", ".join(words)


def format_dimension_value(dimension: ScopeDimension) -> str:
    """Return a number with separators of thousands, a text as it is, a dash for None."""
    if dimension.value is None:
        return NO_VALUE
    try:
        return format_quantity(Decimal(dimension.value))
    except InvalidOperation:
        return str(dimension.value)


OptionLabels = Sequence[Mapping[str, str]]
"""The labels of the chosen options, for each product term of a scope by dimension id. By term because a
product may be bought twice, in two editions."""


def get_option_labels(term: ProductTerm, product: Product) -> Mapping[str, str]:
    """Return the labels of the options and tick boxes in `term` by dimension id, as `product` describes
    them."""
    fields = {dimension.id: dimension.form_field for dimension in product.pricing_dimensions}
    names: dict[str, str] = {}
    for dimension in term.pricing_dimensions:
        field = fields.get(dimension.id)
        if isinstance(field, SelectField):
            label = next(
                (option.label for option in field.options if option.value == f"{dimension.value}"), ""
            )
            if label:
                names[dimension.id] = label
        elif isinstance(field, CheckboxField):
            names[dimension.id] = "yes" if dimension.value else "no"
    return names


def draw_scope_card(scope: Scope, currency: str, *, option_labels: OptionLabels = ()) -> None:
    """Draw the terms, then each product with its quantities and included features. `currency` is that of the
    scope, "" where it is not known."""
    stated = [*(describe_term(term, currency) for term in scope.scope_terms), describe_rest(scope, currency)]
    st.markdown("  \n".join(escape_markdown(one) for one in stated if one))
    cards = st.grid(min(max(len(scope.product_terms), 1), 2), min_column_width=400)
    for at, term in enumerate(scope.product_terms):
        names: Mapping[str, str] = option_labels[at] if at < len(option_labels) else {}
        with cards, st.container(border=True):
            part = describe_part(term.first_month, term.months)
            st.markdown(f"**{escape_markdown(term.product_name)}**" + (f" :gray[{part}]" if part else ""))
            figures = [
                Metric(
                    dimension.name,
                    names.get(dimension.id) or format_dimension_value(dimension),
                    dimension.description or None,
                )
                for dimension in term.pricing_dimensions
            ]
            if term.final_price is not None:
                quoted = format_scope_money(term.final_price, currency)
                figures.append(Metric("Quoted for this product", quoted))
            draw_metric_row(figures)
            if term.included_features:
                included = ", ".join(feature.name for feature in term.included_features)
                st.caption(f"Included: {escape_markdown(included)}")


_YEAR = 12


def describe_part(first_month: int | None, months: int | None) -> str | None:
    """Return `year 2`, `months 13 to 18`, or `month 7` of what is paid once; None for all of the term."""
    if first_month is None and months is None:
        return None
    first = first_month or 0
    if months in (None, _YEAR) and first % _YEAR == 0:
        return f"year {first // _YEAR + 1}"
    return f"month {first + 1}" if months in (None, 1) else f"months {first + 1} to {first + months}"


FieldDifference = tuple[str, str, str, str]
"""A part, its field, and the texts of it before and after, "" where a version does not have it."""


def name_change(before: str, after: str) -> str:
    """Return `same`, `changed`, `added` or `removed`."""
    if before == after:
        return "same"
    return "changed" if before and after else "added" if after else "removed"


def compare_scopes(before: Scope, after: Scope, currency: str) -> list[FieldDifference]:
    """Return every field that either version has: terms first, products in the order of the later version."""
    old, new = (_list_fields(one, currency) for one in (before, after))
    places = list(dict.fromkeys([*new, *old]))
    parts = list(dict.fromkeys(part for part, _ in places))
    places.sort(key=lambda place: parts.index(place[0]))
    return [(*place, old.get(place, ""), new.get(place, "")) for place in places]


def _list_fields(scope: Scope, currency: str) -> dict[tuple[str, str], str]:
    fields: dict[tuple[str, str], str] = {}
    for at, term in enumerate(scope.scope_terms):
        part = "Terms" if at == 0 else f"Terms {at + 1}"
        fields[part, "Kind"] = name_purchase_type(term)
        fields[part, "Months"] = NO_VALUE if term.term_assumed else format_quantity(term.term_length)
        fields |= _list_prices(part, term, currency)
    products = number_names([term.product_name for term in scope.product_terms])
    for part, term in zip(products, scope.product_terms, strict=True):
        for dimension in term.pricing_dimensions:
            fields[part, dimension.name] = format_dimension_value(dimension)
        if span := describe_part(term.first_month, term.months):
            fields[part, "Part of the term"] = span
        fields |= _list_prices(part, term, currency)
    return fields


def _list_prices(part: str, term: ScopeTerm | ProductTerm, currency: str) -> dict[tuple[str, str], str]:
    amounts = {"List price": term.list_price, "Quoted price": term.final_price}
    prices = {
        (part, name): format_scope_money(amount, currency)
        for name, amount in amounts.items()
        if amount is not None
    }
    if term.discount is not None:
        prices[part, "Discount"] = f"{format_quantity(term.discount)} %"
    return prices


def draw_scope_versions(before: Scope, after: Scope, currency: str, *, key: str) -> None:
    """Draw a table of the fields that differ, or of all fields where the reader asks for them."""
    differences = compare_scopes(before, after, currency)
    changed = [one for one in differences if name_change(*one[2:]) != "same"]
    show_all = st.toggle("Show unchanged fields", key=f"{key}-all")
    if not changed and not show_all:
        st.info("The two versions are the same.", icon=":material/equal:")
        return
    draw_record_table(
        differences if show_all else changed,
        {
            "Part": Column(lambda one: one[0]),
            "Field": Column(lambda one: one[1]),
            "Before": Column(lambda one: one[2]),
            "After": Column(lambda one: one[3]),
            "Change": Column(lambda one: name_change(*one[2:])),
        },
        alt=f"{format_count(len(changed), 'difference')} between the two versions",
    )


STATUS_LABELS: dict[str, tuple[str, Colour]] = {
    "reading": ("Being read", "blue"),
    "unreadable": ("No quote read", "red"),
    "review": ("Waiting for review", "orange"),
    "ready": ("Ready", "green"),
    "in_negotiation": ("In negotiation", "violet"),
    "agreed": ("Agreed", "green"),
    "replaced": ("Replaced", "gray"),
}
"""Label and colour of each status, in the order in which a scope has them."""
ARCHIVED_LABEL: tuple[str, Colour] = ("Archived", "gray")
WAITING_WORDS = {
    "review": ("waits for review", "wait for review"),
    "unreadable": ("gave no quote", "gave no quote"),
    "reading": ("is being read", "are being read"),
}
"""What one scope, and several, do that wait."""


def label_scope_status(scope: Scope) -> tuple[str, Colour] | None:
    """Return label and colour of the status of a scope; None where the deployment does not state it. A status
    that is not known here is shown as it is."""
    if not isinstance(scope, ListedScope) or scope.status is None:
        return None
    if scope.archived_at is not None:
        return ARCHIVED_LABEL
    return STATUS_LABELS.get(scope.status, (scope.status.replace("_", " "), "gray"))


READING_STATES = {"pending": "waiting to be read", "processing": "being read", "failed": "no quote read"}


def draw_recent_scopes(scopes: Sequence[Scope]) -> None:
    """Draw the scopes. A deployment that states no status and no supplier shows where they are from and how
    far the reading of their documents is."""
    draw_record_table(
        scopes,
        {
            "Quote": Column(make_scope_title),
            "Status": Column(
                lambda one: ColouredWord(*status) if (status := label_scope_status(one)) else None,
                optional=True,
            ),
            "Supplier": Column(
                lambda one: one.supplier.name if isinstance(one, ListedScope) and one.supplier else None,
                optional=True,
            ),
            "Source": Column(_describe_source, optional=True),
            "Term": Column(
                lambda one: ", ".join(
                    format_months(term.term_length) for term in one.scope_terms if not term.term_assumed
                ),
                "right",
            ),
            "Quoted": Column(_format_quoted, "right", "Before tax, for the whole term"),
            "State": Column(_describe_reading, optional=True),
            "Created": Column(
                lambda one: formatting.format_local_time(one.created_on), "right", varying=True
            ),
        },
        link=lambda one: ("quote", {"id": one.id}),
        alt=f"{format_count(len(scopes), 'scope')}, newest first",
    )


def _describe_source(scope: Scope) -> str | None:
    if label_scope_status(scope):
        return None
    return scope.document_processing.filename if scope.document_processing else "by hand"


def _describe_reading(scope: Scope) -> str | None:
    if label_scope_status(scope) or scope.document_processing is None:
        return None
    return READING_STATES.get(scope.document_processing.status)


def _format_quoted(scope: Scope) -> str | None:
    quoted, currency = get_quoted_total(scope), get_listed_currency(scope)
    return None if quoted is None else format_scope_money(quoted, currency)


FieldValue = bool | int | float | str | None
"""The value of a field: a tick, a number, the value of an option, or None while it is empty."""


def is_available(dimension: PricingDimension, quantities: Mapping[str, FieldValue]) -> bool:
    """Return whether a dimension can be chosen: one that is only included with another needs that one."""
    depends_on = dimension.depends_on
    if depends_on.dependency != "inclusion" or depends_on.depends_on_dimension_id is None:
        return True
    return bool(quantities.get(depends_on.depends_on_dimension_id))


def get_upper_limit(dimension: PricingDimension, quantities: Mapping[str, FieldValue]) -> float | None:
    """Return the quantity of the dimension that limits this one, None where nothing limits it."""
    depends_on = dimension.depends_on
    if depends_on.dependency != "quantity" or depends_on.depends_on_dimension_id is None:
        return None
    other = quantities.get(depends_on.depends_on_dimension_id)
    return float(other) if isinstance(other, int | float) else None


def get_default_value(dimension: PricingDimension) -> FieldValue:
    """Return what the field holds before anything is entered."""
    field = dimension.form_field
    if isinstance(field, CheckboxField):
        return bool(field.default_value)
    if isinstance(field, NumberField):
        return None if field.default_value is None else _to_field_number(float(field.default_value), field)
    known = {option.value for option in field.options}
    return field.default_value if field.default_value in known else None


def to_field_value(dimension: PricingDimension, value: Decimal | str | None) -> FieldValue:
    """Return a value of a scope as the field of its dimension holds it."""
    if value is None:
        return None
    match dimension.form_field:
        case CheckboxField():
            return bool(Decimal(value))
        case SelectField(options=options):
            return next((one.value for one in options if Decimal(one.value) == Decimal(value)), None)
        case NumberField() as field:
            return _to_field_number(float(value), field)


def _to_field_number(value: float, field: NumberField) -> int | float:
    """Return an int where the field counts in whole steps, so that the input shows no decimals."""
    return int(value) if _has_whole_steps(field) and value == int(value) else value


def _has_whole_steps(field: NumberField) -> bool:
    """Return whether every value of the field is a whole number of units."""
    return field.step is not None and field.step == int(field.step) and field.step > 0


def make_dimension_field(
    dimension: PricingDimension,
    name: str,
    *,
    highest: float | None = None,
    none_label: str = "",
    is_in_row: bool = False,
) -> Field:
    """Return the field under `name`. `highest` is the quantity that limits it. `none_label` stands where
    nothing is chosen; a field that `is_in_row` shows no label above it."""
    field = dimension.form_field
    label = escape_markdown(dimension.name)
    unit = field.label
    match field:
        case CheckboxField():
            made = Field(name, label, kind="flag")
        case NumberField():
            unit = _describe_unit(field, highest)
            is_whole = _has_whole_steps(field)
            step = float(field.step or 1)
            made = Field(name, label, kind="number" if is_whole else "amount", step=step, placeholder=unit)
        case SelectField(options=options):
            made = Field(
                name,
                label,
                kind="choice",
                words={one.value: one.label for one in options},
                placeholder=none_label or (field.label if field.required else "not chosen"),
            )
    return replace(
        made,
        label=mark_required(label) if field.required else label,
        help=None if is_in_row else _describe_dimension(dimension, unit),
        is_locked=field.readonly,
        is_label_hidden=is_in_row,
    )


def draw_dimension_field(
    dimension: PricingDimension,
    others: Mapping[str, FieldValue],
    *,
    key: str,
    none_label: str = "",
    is_in_row: bool = False,
) -> FieldValue:
    """Draw the field under `key` and return its value; the rest is as for `make_dimension_field`. A dimension
    that is only available together with another one is not drawn, and None returned, while the other is not
    chosen."""
    if not is_available(dimension, others):
        return None
    highest = get_upper_limit(dimension, others)
    made = make_dimension_field(dimension, key, highest=highest, none_label=none_label, is_in_row=is_in_row)
    return draw_field(made, key)


def _describe_unit(field: NumberField, highest: float | None) -> str:
    """Return the unit with its bounds: `users, 5 to 5,000`."""
    low = field.min
    high = field.max if highest is None else min(field.max or highest, highest)
    if low is not None and high is not None:
        return f"{field.label}, {format_quantity(low)} to {format_quantity(high)}"
    if low:
        return f"{field.label}, {format_quantity(low)} or more"
    if high is not None:
        return f"{field.label}, at most {format_quantity(high)}"
    return field.label


def _describe_dimension(dimension: PricingDimension, unit: str) -> str:
    lines = [escape_markdown(dimension.description)] if dimension.description else []
    lines.append(escape_markdown(unit))
    lines.append(
        "The price depends on this."
        if dimension.price_impact_known
        else "Its effect on the price is unknown."
    )
    return "  \n".join(lines)
