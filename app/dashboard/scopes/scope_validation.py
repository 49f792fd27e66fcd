"""The scope to create, from what was entered into its form, or what is wrong with it."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pydantic import ValidationError

from app.contract.catalog import NumberField, PricingDimension, Product, SelectField
from app.contract.money import format_exact_quantity
from app.contract.scope import DimensionValue, NewProductTerm, NewScope, NewScopeTerm
from app.contract.validation_messages import describe_faults
from app.contract.values import MAX_AMOUNT
from app.dashboard.kit.form import CheckedForm
from components.scopes.dimension_field import FieldValue, get_upper_limit, is_available
from components.scopes.scope_form import TypedPrice, TypedScope


def validate_scope(
    typed: TypedScope, products: Sequence[Product], previous_scope_id: str | None = None
) -> CheckedForm[NewScope]:
    """Return the scope to create, or the faults: by field of the terms (`termLength`), by `productId` or by
    `productId/dimensionId`. The service checks again; checking here saves a request."""
    faults: dict[str, str] = {}
    if not products:
        faults[""] = "Choose at least one product."
    term = typed.term_length
    if term is None or term != int(term) or not 1 <= term <= 1200:
        faults["termLength"] = "Enter a whole number of months from 1 to 1200."
    faults |= _find_price_faults(typed.price, "")
    terms: list[NewProductTerm] = []
    for product in products:
        price = typed.prices.get(product.id, TypedPrice())
        faults |= _find_price_faults(price, f"{product.id}/")
        values, wrong = collect_quantities(product, typed.quantities.get(product.id, {}))
        faults |= wrong
        if not values and not wrong:
            faults[product.id] = "Fill in at least one field."
        if not faults:
            terms.append(
                NewProductTerm(
                    product_id=product.id,
                    pricing_dimensions=values,
                    list_price=_to_decimal(price.list_price),
                    discount=_to_decimal(price.discount),
                    final_price=_to_decimal(price.final_price),
                )
            )
    if faults or term is None:
        return CheckedForm(None, faults)
    try:
        scope_term = NewScopeTerm(
            term_length=int(term),
            purchase_type=typed.purchase_type,
            start_date=typed.start_date,
            list_price=_to_decimal(typed.price.list_price),
            discount=_to_decimal(typed.price.discount),
            final_price=_to_decimal(typed.price.final_price),
        )
        return CheckedForm(
            NewScope(scope_terms=[scope_term], product_terms=terms, previous_scope_id=previous_scope_id), {}
        )
    except ValidationError as refusal:
        return CheckedForm(None, {"": describe_faults(refusal)})


def collect_quantities(
    product: Product, typed: Mapping[str, FieldValue]
) -> tuple[list[DimensionValue], dict[str, str]]:
    """Return the quantities of a product's dimensions, and the faults by `productId/dimensionId`."""
    values: list[DimensionValue] = []
    faults: dict[str, str] = {}
    for dimension in product.pricing_dimensions:
        if not is_available(dimension, typed):
            continue
        value = typed.get(dimension.id)
        place = f"{product.id}/{dimension.id}"
        if value is None or value is False or value == "":
            if dimension.form_field.required:
                faults[place] = "This field is required."
            continue
        fault = _find_fault(dimension, value, get_upper_limit(dimension, typed))
        if fault:
            faults[place] = fault
        elif isinstance(value, bool):
            values.append(DimensionValue(id=dimension.id, value=Decimal(1)))
        else:
            values.append(DimensionValue(id=dimension.id, value=_to_wire_value(value)))
    return values, faults


def _to_wire_value(value: int | float | str) -> Decimal | str:
    return value if isinstance(value, str) else Decimal(str(value)).normalize()


def _find_fault(dimension: PricingDimension, value: FieldValue, highest: float | None) -> str | None:
    field = dimension.form_field
    if isinstance(field, SelectField):
        known = {option.value for option in field.options}
        return None if value in known else "Choose one of the options."
    if not isinstance(field, NumberField) or isinstance(value, bool | str | None):
        return None
    number = Decimal(str(value))
    if not number.is_finite() or number >= MAX_AMOUNT:
        return "Enter a number below one trillion."
    if number < 0:
        return "Must not be below 0."
    if field.min is not None and number < field.min:
        return f"At least {format_exact_quantity(field.min)}."
    if field.max is not None and number > field.max:
        return f"At most {format_exact_quantity(field.max)}."
    if highest is not None and number > Decimal(str(highest)):
        return f"At most {highest:,.10g}, the quantity that it belongs to."
    if field.step and (number - (field.min or 0)) % field.step:
        return f"In steps of {format_exact_quantity(field.step)}."
    return None


def _find_price_faults(price: TypedPrice, prefix: str) -> dict[str, str]:
    faults: dict[str, str] = {}
    for place, amount in (("listPrice", price.list_price), ("finalPrice", price.final_price)):
        if amount is not None and not 0 <= amount < MAX_AMOUNT:
            faults[prefix + place] = "Enter 0 or more, and less than one trillion."
    if price.discount is not None and not 0 <= price.discount <= 100:
        faults[f"{prefix}discount"] = "Enter a percentage of the list price, 0 to 100."
    return faults


def _to_decimal(amount: float | None) -> Decimal | None:
    return None if amount is None else Decimal(str(amount))


def locate_field(pointer: str, body: NewScope) -> str:
    """Return the field that a JSON Pointer of the service into `body` stands for; "" where there is none."""
    parts = pointer.strip("/").split("/")
    if parts[0] == "scopeTerms":
        return parts[2] if len(parts) > 2 else ""
    if parts[0] != "productTerms" or len(parts) < 2 or not parts[1].isdigit():
        return ""
    at = int(parts[1])
    if at >= len(body.product_terms):
        return ""
    term = body.product_terms[at]
    if len(parts) > 3 and parts[2] == "pricingDimensions" and parts[3].isdigit():
        dimension = int(parts[3])
        if dimension < len(term.pricing_dimensions):
            return f"{term.product_id}/{term.pricing_dimensions[dimension].id}"
    if len(parts) == 3 and parts[2] in {"listPrice", "discount", "finalPrice"}:
        return f"{term.product_id}/{parts[2]}"
    return term.product_id
