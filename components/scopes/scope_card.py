"""A scope at a glance: what is bought, for how long, at what price."""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

import streamlit as st

from app.contract.catalog import CheckboxField, Product, SelectField
from app.contract.scope import ProductTerm, Scope, ScopeDimension, ScopeTerm
from components.catalog.fixtures import make_product
from components.formatting.escape_markdown import escape_markdown
from components.formatting.money import format_months, format_quantity
from components.scopes.fixtures import make_scope

_KINDS = {"new_purchase": "New purchase", "renewal": "Renewal"}


def make_scope_title(scope: Scope) -> str:
    """The products by name, else the document, else the id's beginning."""
    names = [term.product_name for term in scope.product_terms]
    if names:
        return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    if scope.document_processing:
        return scope.document_processing.filename
    return f"Scope {scope.id[:8]}"


def find_repeated_products(scope: Scope) -> list[str]:
    """The names of products that a scope buys more than once, in several editions or for several years."""
    counts = Counter(term.product_id for term in scope.product_terms)
    names = {term.product_id: term.product_name for term in scope.product_terms}
    return [names[product_id] for product_id, count in counts.items() if count > 1]


def get_quoted_total(scope: Scope) -> Decimal | None:
    """The price on record for the whole purchase: that of the terms, else the sum over its products where
    each has one. Before tax, for the whole term."""
    if scope.scope_terms and scope.scope_terms[0].final_price is not None:
        return scope.scope_terms[0].final_price
    prices = [term.final_price for term in scope.product_terms if term.final_price is not None]
    if prices and len(prices) == len(scope.product_terms):
        return sum(prices, Decimal(0))
    return None


def get_main_quantity(term: ProductTerm) -> tuple[ScopeDimension, Decimal] | None:
    """What the product's price is counted by: the first of its dimensions that is a number, and its value."""
    for dimension in term.pricing_dimensions:
        if isinstance(dimension.value, Decimal) and dimension.value > 0:
            return dimension, dimension.value
    return None


def get_quote_point(scope: Scope, quote: Decimal | None) -> tuple[Decimal, Decimal] | None:
    """Quantity and quote, to stand beside purchases, which are of single products: only where the scope is of
    one too."""
    if quote is None or len(scope.product_terms) != 1:
        return None
    number = get_main_quantity(scope.product_terms[0])
    return (number[1], quote) if number else None


def describe_term(term: ScopeTerm) -> str:
    """`New purchase, 12 months, quoted 52,400`."""
    words = [_KINDS.get(term.purchase_type, term.purchase_type), format_months(term.term_length)]
    if term.list_price is not None:
        words.append(f"list price {format_quantity(term.list_price)}")
    if term.discount is not None:
        words.append(f"{format_quantity(term.discount)} % off")
    if term.final_price is not None:
        words.append(f"quoted {format_quantity(term.final_price)}")
    return ", ".join(words)


def format_dimension_value(dimension: ScopeDimension) -> str:
    """The quantity with thousands apart, a text as it is, an em dash for none."""
    if dimension.value is None:
        return "—"
    try:
        return format_quantity(Decimal(dimension.value))
    except InvalidOperation:
        return str(dimension.value)


OptionLabels = Sequence[Mapping[str, str]]
"""What the chosen options are called: for each product term of a scope by dimension. A product may be bought
twice, in two editions."""


def get_option_labels(term: ProductTerm, product: Product) -> Mapping[str, str]:
    """The labels of the options and ticks in `term` by dimension, as `product` describes them."""
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


def draw_scope_card(scope: Scope, *, option_labels: OptionLabels = ()) -> None:
    """Terms first, then each product with its quantities and what is included."""
    for term in scope.scope_terms:
        st.markdown(escape_markdown(describe_term(term)))
    for at, term in enumerate(scope.product_terms):
        names: Mapping[str, str] = option_labels[at] if at < len(option_labels) else {}
        with st.container(border=True):
            st.markdown(f"**{escape_markdown(term.product_name)}**")
            with st.container(horizontal=True, gap="medium"):
                for dimension in term.pricing_dimensions:
                    st.metric(
                        escape_markdown(dimension.name),
                        names.get(dimension.id) or format_dimension_value(dimension),
                        help=escape_markdown(dimension.description) if dimension.description else None,
                        width="content",
                    )
                if term.final_price is not None:
                    st.metric("Quoted for this product", format_quantity(term.final_price), width="content")
            if term.included_features:
                included = ", ".join(feature.name for feature in term.included_features)
                st.caption(f"Included: {escape_markdown(included)}")


def example() -> None:
    scope = make_scope()
    st.subheader(make_scope_title(scope))
    names = get_option_labels(scope.product_terms[0], make_product())
    draw_scope_card(scope, option_labels=[names])
