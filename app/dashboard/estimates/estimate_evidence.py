"""What an estimate rests on, what it would be without a purchase, with other terms or quantities, and its
files."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial

import streamlit as st

from app.client import ApiError, BadRequest
from app.contract.catalog import NumberField, Product
from app.contract.money import format_money
from app.contract.pricing import PERCENTILES, AdvancedEstimate, PreviewedEstimate, ProductExplanation
from app.contract.scope import GUESSED_TERM_MONTHS, DimensionValue, Scope
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.scope_estimates import (
    WhatIf,
    describe_edition,
    explain_refusal,
    find_explanation,
    get_quote,
    load_changed_estimate,
)
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.scopes.scope_creation import collect_quantities
from app.dashboard.session_values import LeftOut, left_out_purchases, typed_quotes
from app.dashboard.spreadsheets import CSV, XLSX, Cell, draw_download, write_csv, write_xlsx
from components.elements.form_fields import draw_fault
from components.elements.table import to_number
from components.estimates.evidence_report import HTML, Evidence, render_evidence_report
from components.estimates.scope_comparison import draw_product_breakdown
from components.estimates.similar_purchases import (
    draw_price_against_quantity,
    draw_similar_purchases,
    index_comparables,
)
from components.estimates.sureness import draw_price_factors
from components.estimates.verdict import draw_estimate_refusal
from components.estimates.what_if import (
    QuantityCurve,
    QuantityPoint,
    draw_estimate_change,
    draw_quantity_curve,
    draw_what_if,
)
from components.formatting import escape_markdown, format_count
from components.scopes import (
    FieldValue,
    count_term_months,
    get_main_quantity,
    get_quote_point,
    is_term_assumed,
)


@st.fragment
def draw_what_if_tab(deployment: Deployment, scope: Scope, estimate: AdvancedEstimate) -> None:
    """Draw fields for another term and other dimensions, and what the purchase would cost then."""
    with failure_panel("The estimate of another purchase"):
        products = [_find_product(deployment, term.product_id) for term in scope.product_terms]
        typed = draw_what_if(scope, products, key=f"what-if-{scope.id}")
        changes, faults = check_changes(scope, products, *typed)
        if faults:
            for fault in faults:
                draw_fault(fault)
        elif changes == WhatIf():
            st.caption("Change the term or a dimension to see what it would cost.")
        else:
            _draw_changed(deployment, scope, estimate, changes)
        draw_quantities(deployment, scope, products)


def check_changes(
    scope: Scope, products: Sequence[Product | None], term: int, typed: Mapping[int, Mapping[str, FieldValue]]
) -> tuple[WhatIf, list[str]]:
    """Return what differs from the scope, and what is wrong with it, each in a sentence. `typed` are the
    values of dimensions by the product's position and the dimension's id."""
    faults: list[str] = []
    now = int(count_term_months(scope) or GUESSED_TERM_MONTHS)
    if not 1 <= term <= 1200:
        faults.append("Term in months: Enter a whole number of months from 1 to 1200.")
    dimensions: dict[int, Sequence[DimensionValue]] = {}
    for at, product in enumerate(products):
        if product is None:
            continue
        values, wrong = collect_quantities(product, typed.get(at, {}))
        names = {f"{product.id}/{one.id}": one.name for one in product.pricing_dimensions}
        faults += [f"{names.get(place, product.name)}: {fault}" for place, fault in wrong.items()]
        stated = {one.id: one.value for one in scope.product_terms[at].pricing_dimensions}
        if {one.id: Decimal(one.value) for one in values} != {
            ident: Decimal(value) for ident, value in stated.items() if value
        }:
            dimensions[at] = values
    return WhatIf(term if term != now else None, dimensions), faults


def _find_product(deployment: Deployment, product_id: str) -> Product | None:
    with suppress(ApiError):
        return queries.load_product(deployment, product_id)
    return None


def _draw_changed(deployment: Deployment, scope: Scope, before: AdvancedEstimate, changes: WhatIf) -> None:
    try:
        after = load_changed_estimate(deployment, scope, what_if=changes)
    except BadRequest as refusal:
        st.warning(escape_markdown(explain_refusal(refusal)), icon=":material/error:")
        return
    _draw_change(before, after)
    if isinstance(after, str):
        return
    now = count_term_months(scope) or GUESSED_TERM_MONTHS
    if after.currency == before.currency and all(product.recurring for product in after.products):
        monthly, instead = (
            format_money(estimate.estimate.percentile50 / months, before.currency)
            for estimate, months in ((after, changes.term_length or now), (before, now))
        )
        st.caption(escape_markdown(f"Median per month: {monthly} instead of {instead}."))


PREVIEW_OPERATION = "POST /v1/pricing/preview"


def draw_evidence(deployment: Deployment, scope: Scope, estimate: AdvancedEstimate, *, key: str) -> None:
    tabs = {
        "Products": Tab(partial(draw_product_breakdown, estimate.product_estimates, estimate.currency)),
        "Similar purchases": Tab(partial(_draw_similar_purchases, deployment, scope, estimate)),
        "Price drivers": Tab(
            partial(_draw_price_factors, deployment, scope), "GET /v1/pricing/explanation/{}"
        ),
        "What if": Tab(partial(draw_what_if_tab, deployment, scope, estimate), PREVIEW_OPERATION),
    }
    draw_offered_tabs(deployment, tabs, key=key)


@st.fragment
def _draw_similar_purchases(deployment: Deployment, scope: Scope, estimate: AdvancedEstimate) -> None:
    with failure_panel("The estimate without some purchases"):
        purchases = estimate.real_similar_purchases
        left_out = draw_similar_purchases(
            purchases,
            estimate.currency,
            key=f"similar-{scope.id}",
            can_leave_out=queries.has_operation(deployment, PREVIEW_OPERATION),
            comparables=index_comparables(find_explanation(deployment, scope)),
        )
        reason = ""
        if left_out:
            reason = st.text_input(
                "Why are they left out?",
                key=f"left-out-reason-{scope.id}",
                max_chars=200,
                placeholder="Stated in the evidence report",
                persist_state="page",
            )
        left_out_purchases()[scope.id] = LeftOut(left_out, (reason or "").strip())
        if left_out:
            st.markdown(f"**Estimate without {format_count(len(left_out), 'unticked purchase')}**")
            _draw_change(estimate, load_changed_estimate(deployment, scope, leave_out=left_out))
        draw_price_against_quantity(
            [purchase for purchase in purchases if purchase.id not in left_out],
            estimate.currency,
            key=f"scatter-{scope.id}",
            quote=get_quote_point(scope, get_quote(scope, typed_quotes())),
        )


def _draw_price_factors(deployment: Deployment, scope: Scope) -> None:
    with failure_panel("The explanation of the estimate"):
        explanation = queries.load_explanation(deployment, scope.id)
        for product in explanation.products:
            draw_price_factors(product, explanation.currency)


def _draw_change(before: AdvancedEstimate, after: AdvancedEstimate | str) -> None:
    if isinstance(after, str):
        draw_estimate_refusal(after)
    else:
        draw_estimate_change(before, after)


MOST_POINTS = 7
"""Each point is an estimate of its own."""


def draw_quantities(deployment: Deployment, scope: Scope, products: list[Product | None]) -> None:
    """Offer the price of a unit at other quantities, and draw it once that is asked for."""
    terms = scope.product_terms
    countable = [at for at, term in enumerate(terms) if products[at] and get_main_quantity(term)]
    if not countable or not st.toggle("Price of a unit at other quantities", key=f"quantities-{scope.id}"):
        return
    at = countable[0]
    if len(countable) > 1:
        at = st.selectbox(
            "Product",
            countable,
            format_func={one: f"{one + 1}. {terms[one].product_name}" for one in countable}.__getitem__,
            key=f"quantities-product-{scope.id}",
        )
    curve = load_quantity_curve(deployment, scope, at, products[at])
    if isinstance(curve, str):
        st.caption(escape_markdown(curve))
    else:
        draw_quantity_curve(curve, key=f"quantity-curve-{scope.id}")


def load_quantity_curve(
    deployment: Deployment, scope: Scope, at: int, product: Product | None
) -> QuantityCurve | str:
    """Load the price of a unit of the product at position `at`, at the present and at other quantities; a
    sentence where there is none to be had."""
    term = scope.product_terms[at]
    counted = get_main_quantity(term)
    if counted is None:
        return "This product has no quantity."
    dimension, present = counted
    now = _load_preview(deployment, scope, at, dimension.id, present)
    if now is None or not now.products or now.products[0].quantity != present:
        return "There is no estimate of this product by itself."
    explained = now.products[0]
    fields = {one.id: one.form_field for one in product.pricing_dimensions} if product else {}
    field = fields.get(dimension.id)
    bought = {
        one.quantity
        for one in explained.comparables
        if not one.other_pack and one.unit in (None, explained.unit)
    }
    others = choose_quantities(bought, present, field if isinstance(field, NumberField) else None)
    points = [_to_point(present, now)]
    for quantity in others:
        preview = _load_preview(deployment, scope, at, dimension.id, quantity)
        if preview and preview.products and preview.currency == now.currency:
            points.append(_to_point(quantity, preview))
    if len(points) == 1:
        return (
            "The similar purchases were all of about this quantity: what a unit costs at another one is not "
            "known."
        )
    return QuantityCurve(
        sorted(points, key=lambda point: point.quantity),
        points[0],
        explained.unit,
        explained.recurring,
        now.currency,
    )


def choose_quantities(
    bought: Collection[Decimal], present: Decimal, field: NumberField | None = None
) -> list[Decimal]:
    """Choose quantities between the smallest and the largest that were bought, evenly by ratio and rounded to
    what `field` accepts; never the present one, and none that is nearly the same."""
    known = [float(quantity) for quantity in bought if quantity > 0]
    if not known:
        return []
    low, high = min(known), max(known)
    step = Decimal(field.step or 0) if field else Decimal(0)
    least = max(Decimal(field.min or 0) if field else Decimal(0), step)
    chosen: dict[Decimal, None] = {}
    for place in range(MOST_POINTS):
        quantity = _round_quantity(low * (high / low) ** (place / (MOST_POINTS - 1)), step or Decimal(1))
        quantity = max(quantity, least)
        too_many = field is not None and field.max is not None and quantity > field.max
        if not too_many and abs(quantity / present - 1) >= Decimal("0.1"):
            chosen[quantity] = None
    return list(chosen)


def _round_quantity(quantity: float, step: Decimal) -> Decimal:
    """Round to two digits and to whole steps."""
    rounded = Decimal(f"{quantity:.2g}")
    return max(round(rounded / step) * step, step)


def _load_preview(
    deployment: Deployment, scope: Scope, at: int, dimension_id: str, quantity: Decimal
) -> PreviewedEstimate | None:
    """Load the estimate of this product alone; None where it is refused, as where another dimension does not
    go with the quantity."""
    term = scope.product_terms[at]
    alone = scope.model_copy(update={"product_terms": [term]})
    values = [
        DimensionValue(id=one.id, value=quantity if one.id == dimension_id else one.value)
        for one in term.pricing_dimensions
        if one.value is not None
    ]
    try:
        estimate = load_changed_estimate(deployment, alone, what_if=WhatIf(dimensions={0: values}))
    except BadRequest:
        return None
    return None if isinstance(estimate, str) else estimate


def _to_point(quantity: Decimal, preview: PreviewedEstimate) -> QuantityPoint:
    """The quartiles of a unit: those of the whole, in the proportion of the medians."""
    explained: ProductExplanation = preview.products[0]
    whole = preview.estimate
    share = explained.unit_price / whole.percentile50 if whole.percentile50 else Decimal(0)
    return QuantityPoint(
        quantity, whole.percentile25 * share, explained.unit_price, whole.percentile75 * share
    )


EstimatedScope = tuple[Scope, AdvancedEstimate]


def make_sheets(
    priced: Sequence[EstimatedScope], quotes: Mapping[str, float | None]
) -> dict[str, Sequence[Mapping[str, Cell]]]:
    """Return the estimates and the similar purchases behind them, a sheet each. `quotes` are those that were
    typed, by scope."""
    return {
        "Estimates": [_estimate_row(scope, one, get_quote(scope, quotes)) for scope, one in priced],
        "Similar purchases": [row for scope, one in priced for row in _purchase_rows(scope, one)],
    }


def _estimate_row(scope: Scope, estimate: AdvancedEstimate, quote: Decimal | None) -> dict[str, Cell]:
    terms = scope.scope_terms[0] if scope.scope_terms else None
    return {
        "Scope": scope.id,
        "Products": ", ".join(term.product_name for term in scope.product_terms),
        "Term in months": None if is_term_assumed(scope) else to_number(count_term_months(scope)),
        "Kind": terms.purchase_type if terms else None,
        "Currency": estimate.currency,
        "Quote": to_number(quote),
        **{f"P{percent}": float(estimate.estimate.at(percent)) for percent in PERCENTILES},
        "Products without an estimate": sum(part.status != "success" for part in estimate.product_estimates),
    }


def _purchase_rows(scope: Scope, estimate: AdvancedEstimate) -> list[dict[str, Cell]]:
    return [
        {
            "Scope": scope.id,
            "Purchase": purchase.id,
            "Bought": purchase.start_date,
            "Products": ", ".join(purchase.product_names),
            "Unit": purchase.primary_dimension_name,
            "Quantity": to_number(purchase.primary_dimension_value),
            "Term in months": to_number(purchase.term_months),
            "Price": to_number(purchase.negotiated_price),
            "Currency": estimate.currency,
            "Similarity in %": to_number(purchase.similarity_rate),
        }
        for purchase in estimate.real_similar_purchases
    ]


def draw_downloads(deployment: Deployment, priced_scopes: Sequence[EstimatedScope]) -> None:
    """Draw the buttons. A file is made when it is asked for, outside of the session, with the quotes as they
    are then: hence the dictionary that the session writes to."""
    quotes, left_out = typed_quotes(), left_out_purchases()

    def write(*, as_workbook: bool) -> bytes:
        sheets = make_sheets(priced_scopes, quotes)
        return write_xlsx(sheets) if as_workbook else write_csv(sheets["Estimates"])

    def render_report() -> bytes:
        cases = [
            _load_evidence(
                deployment,
                scope,
                estimate,
                get_quote(scope, quotes),
                left_out.get(scope.id, LeftOut()),
            )
            for scope, estimate in priced_scopes
        ]
        return render_evidence_report(cases, datetime.now(UTC))

    popover = st.popover("Download", icon=":material/download:", key="download-popover", on_change="rerun")
    if not popover.open:
        return
    with popover:
        csv, xlsx = (partial(write, as_workbook=as_workbook) for as_workbook in (False, True))
        draw_download("Download CSV", csv, "estimates.csv", CSV, key="download-csv")
        draw_download("Download XLSX", xlsx, "estimates.xlsx", XLSX, key="download-xlsx")
        draw_download(
            "Download evidence report",
            render_report,
            "evidence.html",
            HTML,
            key="download-evidence-report",
            icon="print",
            help="The verdict and its evidence on one page, to print.",
        )


def _load_evidence(
    deployment: Deployment, scope: Scope, estimate: AdvancedEstimate, quote: Decimal | None, left_out: LeftOut
) -> Evidence:
    changed = None
    if left_out.purchase_ids:
        with suppress(ApiError):
            changed = load_changed_estimate(deployment, scope, leave_out=left_out.purchase_ids)
    suppliers: dict[str, None] = {}
    for term in scope.product_terms:
        with suppress(ApiError):
            suppliers[queries.load_product(deployment, term.product_id).company.name] = None
    return Evidence(
        scope,
        estimate,
        quote,
        find_explanation(deployment, scope, quote),
        supplier=", ".join(suppliers),
        editions=[describe_edition(deployment, term) for term in scope.product_terms],
        left_out_ids=left_out.purchase_ids,
        left_out_reason=left_out.reason,
        estimate_without=changed if isinstance(changed, AdvancedEstimate) else None,
    )
