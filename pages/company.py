"""One supplier: facts, products, past purchases, competitors."""

from functools import partial

import streamlit as st

from app.contract.catalog import Company, ProductInList, ProductSummary
from app.contract.page import ListPage
from app.dashboard.agreements.portfolio import HISTORY_OPERATION, draw_price_history_tab
from app.dashboard.api import queries
from app.dashboard.icons import icon_cache
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, TextFilter
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.product_choice import list_products
from app.dashboard.signing_in import identity
from components.catalog import (
    draw_company_competitors,
    draw_company_facts,
    draw_faq_list,
    draw_product_table,
    draw_purchase_table,
    list_company_badges,
)
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import MARKET_SAMPLE, draw_page_header, draw_sample_banner, is_sample
from components.estimates.similar_purchases import draw_price_against_quantity

deployment = identity.require_deployment()


def draw_products_tab(company: Company) -> None:
    """Draw a page of the products, found by part of the name and by family."""
    families = {family.id: family.name for family in company.product_families}
    ids = {"All families": None, **{name: ident for ident, name in families.items()}}
    # The records of a list have no default price, those inside the company do.
    summaries = {product.id: product for product in company.products}

    def draw_page(page: ListPage[ProductInList]) -> None:
        draw_product_table(
            [
                summaries.get(product.id) or ProductSummary.model_validate(product.model_dump())
                for product in page.data
            ],
            families,
        )

    FilteredList(
        key="products-page",
        noun="product",
        load=partial(list_products, deployment, company.id),
        draw=draw_page,
        filters=(
            TextFilter("Product", "products-q", "text", placeholder="Part of its name"),
            *((ChoiceFilter("Family", "family", ids, "family_id"),) if families else ()),
        ),
        empty=Empty("No products", "The catalog lists no products here.", "deployed_code"),
    ).show()


def draw_purchases_tab(company: Company) -> None:
    if not company.learning_data_samples:
        draw_empty_state(
            "No past purchases yet", "Estimates are based on purchases from its competitors.", "receipt_long"
        )
        return
    currency = company.default_price_range.currency if company.default_price_range else ""
    draw_price_against_quantity(company.learning_data_samples, currency, key="purchase-scatter")
    draw_purchase_table(company.learning_data_samples, currency, key="purchases")
    st.caption("The latest purchases, anonymised: total price before tax for the whole term.")


def draw_competitors_tab(company: Company) -> None:
    if not company.competitors:
        draw_empty_state(
            "No competitors listed", "The catalog lists no competitors of this supplier.", "groups"
        )
        return
    draw_company_competitors(company.competitors)


def draw_company(company: Company) -> None:
    draw_page_header(
        company.name,
        caption=company.description,
        badges=list_company_badges(company),
        picture=(company.name, icon_cache().get(company.icon)),
    )
    if is_sample(company.domain, company.description):
        draw_sample_banner(MARKET_SAMPLE)
    draw_company_facts(company)
    tabs = {
        f"Products ({len(company.products):,})": Tab(partial(draw_products_tab, company)),
        "Past purchases": Tab(partial(draw_purchases_tab, company)),
        f"Competitors ({len(company.competitors)})": Tab(partial(draw_competitors_tab, company)),
        "Your prices": Tab(
            partial(draw_price_history_tab, deployment, company_id=company.id), HISTORY_OPERATION
        ),
        "Questions": Tab(
            lambda: draw_faq_list(queries.load_faqs(deployment, company.id)),
            "GET /v1/negotiation/faqs/{}",
            "The questions about this company",
        ),
    }
    draw_offered_tabs(deployment, tabs, key="company-tab")


draw_record_page(
    "company",
    icon="apartment",
    list_page="catalog",
    load=partial(queries.load_company, deployment),
    draw=draw_company,
    moment=lambda company: ("Updated", company.last_updated_at),
)
