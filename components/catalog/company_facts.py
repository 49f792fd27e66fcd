"""What is known about a supplier: a row of figures and a line of facts."""

from datetime import date

import streamlit as st

from app.contract.catalog import Company, PriceRange
from app.contract.money import format_money, format_quantity
from components.elements.page_header import Colour
from components.elements.sample_badge import is_sample
from components.formatting.counts import NO_VALUE, format_count
from components.formatting.escape_markdown import escape_markdown


def list_company_badges(company: Company) -> list[tuple[str, Colour]]:
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
        ("Products", format_quantity(len(company.products)), None),
        (
            "Usual prices",
            format_price_range(company.default_price_range),
            "From the lowest to the highest list price.",
        ),
    ]
    if company.real_purchase_count is not None:
        figures.append(
            (
                "Purchases, past two years",
                format_quantity(company.real_purchase_count),
                "On record; older ones count in estimates too.",
            )
        )
    with st.grid(len(figures), min_column_width=180):
        for label, value, help_text in figures:
            st.metric(label, value, help=help_text, border=True)
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
