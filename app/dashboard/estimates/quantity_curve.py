"""Estimates of one product of a scope at other quantities, as far as similar purchases reach."""

from collections.abc import Collection
from decimal import Decimal

import streamlit as st

from app.client import BadRequest
from app.contract.catalog import NumberField, Product
from app.contract.pricing import PreviewedEstimate, ProductExplanation
from app.contract.scope import DimensionValue, ProductTerm, Scope
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.scope_estimates import EstimateRefusal, WhatIf, load_changed_estimate
from components.estimates.what_if import QuantityCurve, QuantityPoint, draw_quantity_curve
from components.formatting.texts import escape_markdown
from components.scopes.scope_card import get_main_quantity

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
        quantity = _round(low * (high / low) ** (place / (MOST_POINTS - 1)), step or Decimal(1))
        quantity = max(quantity, least)
        too_many = field is not None and field.max is not None and quantity > field.max
        if not too_many and abs(quantity / present - 1) >= Decimal("0.1"):
            chosen[quantity] = None
    return list(chosen)


def _round(quantity: float, step: Decimal) -> Decimal:
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
    what_if = WhatIf(dimensions={0: _with_quantity(term, dimension_id, quantity)})
    try:
        estimate = load_changed_estimate(deployment, alone, what_if=what_if)
    except BadRequest:
        return None
    return None if isinstance(estimate, EstimateRefusal) else estimate


def _with_quantity(term: ProductTerm, dimension_id: str, quantity: Decimal) -> list[DimensionValue]:
    return [
        DimensionValue(id=one.id, value=quantity if one.id == dimension_id else one.value)
        for one in term.pricing_dimensions
        if one.value is not None
    ]


def _to_point(quantity: Decimal, preview: PreviewedEstimate) -> QuantityPoint:
    """The quartiles of a unit: those of the whole, in the proportion of the medians."""
    explained: ProductExplanation = preview.products[0]
    whole = preview.estimate
    share = explained.unit_price / whole.percentile50 if whole.percentile50 else Decimal(0)
    return QuantityPoint(
        quantity, whole.percentile25 * share, explained.unit_price, whole.percentile75 * share
    )
