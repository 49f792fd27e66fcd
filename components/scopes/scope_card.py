"""Scopes: the list, what their states are called, one in full, and its versions."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

import streamlit as st

from app.contract.catalog import CheckboxField, Product, SelectField
from app.contract.money import format_money, format_quantity
from app.contract.scope import ProductTerm, Scope, ScopeDimension, ScopeTerm, add_stated_prices
from app.contract.scope_list import ListedScope
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.page_header import Colour
from components.elements.record_table import ColouredWord, Column, draw_record_table
from components.formatting import datetimes
from components.formatting.counts import NO_VALUE, format_count, format_date, format_months
from components.formatting.texts import escape_markdown, number_names

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
    for term in scope.scope_terms:
        st.markdown(escape_markdown(describe_term(term, currency)))
    if rest := describe_rest(scope, currency):
        st.markdown(escape_markdown(rest))
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
            "Created": Column(lambda one: datetimes.format_local_time(one.created_on), "right", varying=True),
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
