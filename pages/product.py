"""One product: what its price depends on, what it includes, who else sells the like."""

from decimal import Decimal
from functools import partial

import streamlit as st

from app.contract.catalog import NumberField, Product
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.icons import icon_cache
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.signing_in import identity
from components.catalog import (
    draw_dimension_list,
    draw_feature_list,
    draw_price_ranges,
    draw_product_competitors,
)
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import (
    MARKET_SAMPLE,
    Colour,
    draw_heading,
    draw_page_header,
    draw_sample_banner,
    is_sample,
)
from components.formatting import escape_markdown, format_total_per_unit

PRICES_OPERATION = "GET /v1/pricing/products/{}"

deployment = identity.require_deployment()


def list_badges(product: Product) -> list[tuple[str, Colour]]:
    badges: list[tuple[str, Colour]] = []
    if is_sample(product.company.domain):
        badges.append(("sample", "orange"))
    if product.is_custom_estimate_available:
        badges.append(("estimate from purchases", "green"))
    elif product.is_custom_estimate_available is False:
        badges.append(("no estimate yet", "gray"))
    return badges


def find_unit(product: Product) -> str | None:
    """What the product's quantity counts: the label of its first required number."""
    for dimension in product.pricing_dimensions:
        field = dimension.form_field
        if isinstance(field, NumberField) and field.required:
            return field.label
    return None


def draw_actions(product: Product) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        navigation.draw_link(
            "company", f"By {escape_markdown(product.company.name)}", icon="apartment", id=product.company.id
        )
        if product.default_price is not None and not queries.has_operation(deployment, PRICES_OPERATION):
            price = format_total_per_unit(
                product.default_price, Decimal(1), None, find_unit(product), product.currency or ""
            )
            st.markdown(f"Usual price **{escape_markdown(price)} and billing period**", width="content")
        st.space("stretch")
        can_scope = queries.has_operation(deployment, "POST /v1/scope")
        if can_scope and st.button(
            "Create a request with this product",
            type="primary",
            icon=":material/request_quote:",
            key="start-scope",
        ):
            navigation.open_page("scopes", product=product.id, **{"scopes-tab": "New request"})


def draw_prices(product: Product) -> None:
    """Draw what the product was bought for, where the deployment says so."""
    if not queries.has_operation(deployment, PRICES_OPERATION):
        return
    draw_heading("What it was bought for")
    with failure_panel("The price range"):
        prices = queries.load_product_prices(deployment, product.id)
        draw_price_ranges(prices, find_unit(product), key="prices")


def draw_product(product: Product) -> None:
    draw_page_header(
        product.name,
        caption=product.description,
        badges=list_badges(product),
        picture=(product.name, icon_cache().get(product.icon)),
    )
    if is_sample(product.company.domain):
        draw_sample_banner(MARKET_SAMPLE)
    draw_actions(product)
    draw_prices(product)
    draw_heading("What the price depends on")
    if product.pricing_dimensions:
        draw_dimension_list(product.pricing_dimensions)
    else:
        draw_empty_state("No price factors", "The catalog does not say what the price depends on.", "tune")
    if product.included_features:
        draw_heading("Included at no extra charge")
        draw_feature_list(product.included_features)
    draw_heading("Competing products")
    if product.competitors:
        draw_product_competitors(product.competitors, product.currency or "")
    else:
        draw_empty_state("No competing products listed", "The catalog lists no competing products.", "groups")


draw_record_page(
    "product",
    icon="deployed_code",
    list_page="catalog",
    load=partial(queries.load_product, deployment),
    draw=draw_product,
    moment=lambda product: ("Updated", product.last_updated_at),
)
