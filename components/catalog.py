"""Suppliers and products: the search, the lists, the facts, features, price factors and price ranges of one,
the competitors of a supplier and the answered questions about it, and past purchases."""

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape

import nh3
import streamlit as st

from app.contract.catalog import (
    Company,
    CompanyCompetitor,
    CompanyInList,
    Feature,
    FormField,
    LearningDataSample,
    NumberField,
    PriceRange,
    PricingDimension,
    ProductCompetitor,
    ProductSummary,
    SelectField,
)
from app.contract.money import format_money, format_quantity
from app.contract.negotiation import Faqs
from app.contract.pricing import Percentiles, ProductPrices, UnitPriceRange
from components import formatting
from components.elements.empty_state import draw_empty_state
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.page_header import Colour, is_sample
from components.elements.record_table import Badges, Column, draw_record_table
from components.elements.table import draw_table, make_money_column
from components.estimates.price_distribution import draw_price_distribution, draw_quartiles
from components.formatting import (
    NO_VALUE,
    describe_unit,
    draw_captions,
    draw_timestamp,
    escape_markdown,
    format_count,
    format_date,
    format_known_money,
    format_months,
    name_percentile,
)


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
                lambda one: formatting.format_local_time(one.last_updated_at),
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


ESTIMATE_LABELS = {True: "from purchases", False: "not yet", None: None}
"""Labels of `isCustomEstimateAvailable`, which a deployment may leave out."""
USUAL_PRICE_HELP = "The median of the latest list prices on record, else of the prices paid."


def draw_product_table(products: Sequence[ProductSummary], families: Mapping[str, str]) -> None:
    """Draw the products. `families` are the names of product families by id. A column that no product fills
    is left out."""
    draw_record_table(
        products,
        {
            "Product": Column(lambda one: one.name),
            "Family": Column(lambda one: families.get(one.product_family_id or ""), optional=True),
            "Usual price": Column(
                lambda one: format_known_money(one.default_price, one.currency),
                "right",
                help=USUAL_PRICE_HELP,
                optional=True,
            ),
            "Estimate": Column(
                lambda one: ESTIMATE_LABELS.get(one.is_custom_estimate_available),
                help="Whether past purchases support an estimate of this product.",
                optional=True,
            ),
            "Description": Column(
                lambda one: one.description if one.description != one.name else None, optional=True
            ),
        },
        link=lambda one: ("product", {"id": one.id}),
        alt=f"{format_count(len(products), 'product')} with usual prices",
    )


def draw_feature_list(features: Sequence[Feature]) -> None:
    """Draw the features in as many columns as fit."""
    style = "columns:16rem;list-style:'✓  ';margin:0;padding-left:1.25rem"
    items = (
        f"<li><b>{escape(one.name)}</b>{f'<br>{escape(one.description)}' if one.description else ''}</li>"
        for one in features
    )
    st.html(f'<ul style="{style}">{"".join(items)}</ul>')


def draw_dimension_list(dimensions: Sequence[PricingDimension]) -> None:
    """Draw a row for each dimension: description, what to enter, what it depends on, and whether its effect
    on the price is known."""
    names = {dimension.id: dimension.name for dimension in dimensions}
    st.table(  # pyright: ignore[reportUnknownMemberType]
        [_make_dimension_row(dimension, names) for dimension in dimensions],
        border="horizontal",
        hide_index=True,
        alt=f"{format_count(len(dimensions), 'pricing dimension')} and what to enter for each",
    )


def _make_dimension_row(dimension: PricingDimension, names: Mapping[str, str]) -> dict[str, str]:
    description = f" — {escape_markdown(dimension.description)}" if dimension.description else ""
    required = ":gray-badge[required]" if dimension.form_field.required else "optional"
    known = ":green-badge[:material/trending_up: known]" if dimension.price_impact_known else "unknown"
    return {
        "Dimension": f"**{escape_markdown(dimension.name)}**{description}",
        "What to enter": escape_markdown(describe_field(dimension.form_field)),
        "Depends on": escape_markdown(describe_dependency(dimension, names)) or "—",
        "Required": required,
        "Price impact": known,
    }


_MOST_LABELS = 6


def describe_field(field: FormField) -> str:
    """Return what to enter, such as "A number, in named users, at least 1, in steps of 1; default 10."."""
    if isinstance(field, NumberField):
        return _describe_number(field)
    if isinstance(field, SelectField):
        labels = {option.value: option.label for option in field.options}
        chosen = labels.get(field.default_value or "")
        first = f"One of {format_count(len(labels), 'choice')}: {_join_labels(list(labels.values()))}"
        return f"{first}; default {chosen}." if chosen else f"{first}."
    start = "; ticked by default" if field.default_value else ""
    return f"A checkbox: {field.label}{start}."


def describe_dependency(dimension: PricingDimension, names: Mapping[str, str]) -> str:
    """Return what the dimension depends on, "" where it depends on nothing. An unknown kind of dependency is
    passed on as it is."""
    depends = dimension.depends_on
    if depends.depends_on_dimension_id is None:
        return ""
    other = names.get(depends.depends_on_dimension_id, "another dimension")
    if depends.dependency == "quantity":
        return f"At most the quantity of {other}"
    if depends.dependency == "inclusion":
        return f"Only with {other}"
    return f"Depends on {other}" + (f" ({depends.dependency})" if depends.dependency else "")


def _describe_number(field: NumberField) -> str:
    parts = [f"A number, in {field.label}"]
    if field.min is not None and field.max is not None:
        parts.append(f"{format_quantity(field.min)} to {format_quantity(field.max)}")
    elif field.min is not None and field.min > 0:
        parts.append(f"at least {format_quantity(field.min)}")
    elif field.max is not None:
        parts.append(f"at most {format_quantity(field.max)}")
    if field.step is not None:
        parts.append(f"in steps of {format_quantity(field.step)}")
    text = ", ".join(parts)
    return (
        f"{text}; default {format_quantity(field.default_value)}."
        if field.default_value is not None
        else f"{text}."
    )


def _join_labels(labels: Sequence[str]) -> str:
    shown, more = ", ".join(labels[:_MOST_LABELS]), len(labels) - _MOST_LABELS
    return f"{shown} and {more} more" if more > 0 else shown


_COLUMNS = {percent: name_percentile(percent) for percent in (10, 25, 50, 75, 90)}


def draw_price_ranges(prices: ProductPrices, unit: str | None, *, key: str) -> None:
    """Draw the range with the most purchases as figures and a chart, and all of them as a table where there
    are several. `unit` is what the product's quantity counts, for purchases that do not name theirs."""
    main = next((one for one in prices.ranges if one.prices is not None), None)
    if main is None or main.prices is None:
        draw_empty_state("No price range", explain_missing_range(prices), "query_stats")
        return
    named = _describe_unit(main, unit)
    st.markdown(f"**{escape_markdown(prices.currency)} {escape_markdown(named)}**")
    draw_quartiles(main.prices, prices.currency)
    draw_price_distribution(main.prices, prices.currency)
    st.caption(escape_markdown(describe_range(main, prices.currency)))
    if len(prices.ranges) > 1:
        _draw_table(prices, unit, key)
    draw_captions(describe_selection(prices))


def describe_range(one: UnitPriceRange, currency: str) -> str:
    """Return what the range is made from: `Eight in ten of 214 purchases from 3 Mar 2025 to 5 Jun 2026 cost
    between USD 30 and USD 61. All editions and quantities together.`"""
    if one.prices is None:
        return one.reason or ""
    low, high = (format_money(one.prices.at(percent), currency) for percent in (10, 90))
    own = f" ({one.own_purchases:,} of them yours)" if one.own_purchases else ""
    return (
        f"Eight in ten of {format_count(one.purchases, 'purchase')}{own} from "
        f"{format_date(one.first_bought)} to {format_date(one.last_bought)} cost between {low} and {high}. "
        "All editions and quantities together."
    )


def describe_selection(prices: ProductPrices) -> list[str]:
    """Return sentences on purchases on record that are in no range."""
    compared = sum(one.purchases for one in prices.ranges if one.prices is not None)
    if prices.purchases_on_record <= compared:
        return []
    on_record = format_count(prices.purchases_on_record, "purchase")
    sentences = [f"{compared:,} of {on_record} of this product on record are compared."]
    if prices.not_converted:
        sentences.append(
            f"{prices.not_converted:,} were paid in another currency and have no exchange rate to "
            f"{prices.currency}."
        )
    return sentences


def explain_missing_range(prices: ProductPrices) -> str:
    """Return why there is no range at all, and what would help."""
    if not prices.purchases_on_record:
        return "No purchases of this product are on record. Import purchases to see what it was bought for."
    reasons = dict.fromkeys(one.reason for one in prices.ranges if one.reason)
    why = " ".join(reason.removeprefix("No price range: ").capitalize() for reason in reasons)
    on_record = format_count(prices.purchases_on_record, "purchase")
    return " ".join([why, f"On record: {on_record}.", *describe_selection(prices)[1:]]).strip()


def _draw_table(prices: ProductPrices, unit: str | None, key: str) -> None:
    rows = [
        {
            "Price": _describe_unit(one, unit),
            "Purchases": one.purchases,
            "Bought": f"{format_date(one.first_bought)} to {format_date(one.last_bought)}"
            if one.prices
            else None,
            **{name: float(one.prices.at(at)) if one.prices else None for at, name in _COLUMNS.items()},
            "Note": one.reason,
        }
        for one in prices.ranges
    ]
    shown: Sequence[Percentiles] = [one.prices for one in prices.ranges if one.prices]
    amounts = [each.at(at) for each in shown for at in _COLUMNS]
    draw_table(
        rows,
        key=f"{key}-table",
        alt=f"Price ranges by unit and period: {len(rows)}",
        columns={
            "Price": st.column_config.TextColumn(),
            "Purchases": st.column_config.NumberColumn(format="%,d"),
            "Bought": st.column_config.TextColumn(),
            **{name: make_money_column(name, prices.currency, amounts) for name in _COLUMNS.values()},
            "Note": st.column_config.TextColumn(),
        },
    )


def _describe_unit(one: UnitPriceRange, unit: str | None) -> str:
    return describe_unit(one.unit or unit, recurring=one.recurring)


def draw_purchase_table(samples: Sequence[LearningDataSample], currency: str, *, key: str) -> None:
    """Draw the purchases, newest first. `currency` is the supplier's, "" if unknown: a sample states none of
    its own."""
    rows = [
        {
            "Started": format_date(sample.start_date),
            "Products": ", ".join(sample.product_names),
            "Quantity": float(sample.primary_dimension_value),
            "Unit": sample.primary_dimension_name,
            "Term": format_months(sample.term_months) if sample.term_months else None,
            "Price": float(sample.negotiated_price),
            "Other": sample.number_of_other_dimensions,
        }
        for sample in sorted(samples, key=lambda sample: sample.start_date, reverse=True)
    ]
    price = f"Price ({currency})" if currency else "Price"
    draw_table(
        rows,
        key=key,
        alt=f"{format_count(len(rows), 'past purchase')}, newest first",
        columns={
            "Started": st.column_config.TextColumn(alignment="right"),
            "Products": st.column_config.TextColumn(width="medium"),
            "Quantity": st.column_config.NumberColumn(format="localized", alignment="right"),
            "Unit": st.column_config.TextColumn(),
            "Term": st.column_config.TextColumn(alignment="right", help="Empty if it is not known."),
            "Price": st.column_config.NumberColumn(
                price, format="localized", alignment="right", help="Before tax, for the whole term."
            ),
            "Other": st.column_config.NumberColumn(
                "Other dimensions", alignment="right", help="How many other dimensions the purchase had."
            ),
        },
    )
