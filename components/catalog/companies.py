"""Suppliers: the search, the list, the facts of one, its competitors and the answered questions about it."""

from collections.abc import Sequence
from datetime import date

import nh3
import streamlit as st

from app.contract.catalog import Company, CompanyCompetitor, CompanyInList, PriceRange, ProductCompetitor
from app.contract.money import format_money, format_quantity
from app.contract.negotiation import Faqs
from components.catalog.products import USUAL_PRICE_HELP
from components.elements.empty_state import draw_empty_state
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.page_header import Colour, is_sample
from components.elements.record_table import Badges, Column, draw_record_table
from components.formatting import datetimes
from components.formatting.counts import NO_VALUE, format_count, format_known_money
from components.formatting.datetimes import draw_timestamp
from components.formatting.texts import escape_markdown


def draw_company_table(companies: Sequence[CompanyInList]) -> None:
    """Draw the companies. Purchases and labels are left out where no company has any."""
    draw_record_table(
        companies,
        {
            "Company": Column(lambda one: one.name),
            "Domain": Column(lambda one: one.domain),
            "Category": Column(lambda one: one.category.name if one.category else None),
            "Purchases": Column(
                lambda one: one.real_purchase_count,
                "right",
                "On record, in the past two years.",
                optional=True,
            ),
            "Labels": Column(
                lambda one: Badges([*dict(badges)]) if (badges := list_company_badges(one)) else None,
                optional=True,
            ),
            "Updated": Column(
                lambda one: datetimes.format_local_time(one.last_updated_at),
                "right",
                "In your time zone.",
                varying=True,
            ),
        },
        link=lambda one: ("company", {"id": one.id}),
        alt=f"{format_count(len(companies), 'company', 'companies')} with domain and category",
    )


def list_company_badges(company: Company | CompanyInList) -> list[tuple[str, Colour]]:
    """Return the badges beside the company's name."""
    badges: list[tuple[str, Colour]] = []
    if is_sample(company.domain, company.description):
        badges.append(("sample", "orange"))
    if company.discontinued:
        badges.append(("discontinued", "gray"))
    return badges


def draw_company_facts(company: Company) -> None:
    """Draw the figures and facts that the deployment states."""
    figures = [
        Metric("Products", format_quantity(len(company.products))),
        Metric(
            "Usual prices",
            format_price_range(company.default_price_range),
            f"From the lowest to the highest. {USUAL_PRICE_HELP}",
        ),
    ]
    if company.real_purchase_count is not None:
        count = format_quantity(company.real_purchase_count)
        figures.append(
            Metric("Purchases, past two years", count, "On record; older ones count in estimates too.")
        )
    draw_metric_row(figures)
    st.markdown("  ·  ".join(_facts(company)))


def _facts(company: Company) -> list[str]:
    facts: list[str] = []
    if company.legal_name and company.legal_name != company.name:
        facts.append(escape_markdown(company.legal_name))
    if company.domain:
        facts.append(escape_markdown(company.domain))
    if company.category:
        facts.append(f":material/category: {escape_markdown(company.category.name)}")
    if company.fiscal_year_end:
        facts.append(f"fiscal year ends {format_year_end(company.fiscal_year_end)}")
    facts += [
        f"{escape_markdown(stock.exchange)}: {escape_markdown(stock.symbol)}"
        for stock in company.stock_symbols or ()
    ]
    if company.product_families:
        facts.append(format_count(len(company.product_families), "product family", "product families"))
    return facts


def format_price_range(prices: PriceRange | None) -> str:
    """Return `USD 20 – 1,400`, or one amount where minimum and maximum are equal."""
    if prices is None:
        return NO_VALUE
    if prices.min == prices.max:
        return format_money(prices.min, prices.currency)
    return f"{format_money(prices.min, prices.currency)} to {format_money(prices.max, prices.currency)}"


def format_year_end(month_and_day: str) -> str:
    """Return `30 June` for `--06-30`; any other text escaped."""
    try:
        return f"{date.fromisoformat(month_and_day.replace('--', '2000-', 1)):%-d %B}"
    except ValueError:
        return escape_markdown(month_and_day)


def draw_company_competitors(competitors: Sequence[CompanyCompetitor]) -> None:
    """Draw the companies."""
    draw_record_table(
        competitors,
        {"Company": Column(lambda one: one.name), "Domain": Column(lambda one: one.domain)},
        link=lambda one: ("company", {"id": one.id}),
        alt=format_count(len(competitors), "competing company", "competing companies"),
    )


def draw_product_competitors(competitors: Sequence[ProductCompetitor], currency: str) -> None:
    """Draw the products. Usual prices are in `currency`: a competitor states none of its own."""
    draw_record_table(
        competitors,
        {
            "Product": Column(lambda one: one.product_name),
            "Company": Column(lambda one: one.company_name),
            "Usual price": Column(
                lambda one: format_known_money(one.default_price, currency),
                "right",
                help=USUAL_PRICE_HELP,
                optional=True,
            ),
            "Priced by": Column(lambda one: ", ".join(each.name for each in one.pricing_dimensions)),
            "Included features": Column(lambda one: len(one.included_features), "right"),
        },
        link=lambda one: ("product", {"id": one.product_id}),
        alt=format_count(len(competitors), "competing product"),
    )


_TAGS = {"p", "br", "b", "strong", "i", "em", "ul", "ol", "li", "code", "sub", "sup"}
_TAGS_REMOVED_WITH_CONTENT = {
    "script",
    "style",
    "iframe",
    "object",
    "template",
    "noscript",
    "textarea",
    "title",
}


def draw_faq_list(faqs: Faqs) -> None:
    """Draw an expander for each question, and when the answers were last updated, or that there is none."""
    if not faqs.faqs:
        draw_empty_state("No questions yet", "Too few purchases are on record to answer questions.", "help")
        return
    for faq in faqs.faqs:
        with st.expander(escape_markdown(faq.question)):
            st.html(sanitize_html(faq.answer))
    draw_timestamp("Updated", faqs.last_updated_at)


def sanitize_html(answer: str) -> str:
    """Return `answer` with only text and the simplest formatting left in it."""
    return nh3.clean(answer, tags=_TAGS, attributes={}, clean_content_tags=_TAGS_REMOVED_WITH_CONTENT)
