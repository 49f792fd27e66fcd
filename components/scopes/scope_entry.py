"""What somebody typed into the scope form, turned into a scope to create or into what is wrong and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from pydantic import ValidationError

from app.contract.catalog import NumberField, PricingDimension, Product, SelectField
from app.contract.scope import DimensionValue, NewProductTerm, NewScope, NewScopeTerm, PurchaseType

Typed = bool | int | float | str | None
"""What a field holds: a tick, a number, an option's value, or None while it is blank."""

Faults = Mapping[str, str]
"""What is wrong by place: a field of the terms (`termLength`), `productId` or `productId/dimensionId`; ""
is the form as a whole."""


@dataclass(frozen=True)
class TypedPrice:
    """Optional money of the whole purchase or of one product."""

    list_price: float | None = None
    discount: float | None = None
    final_price: float | None = None


@dataclass(frozen=True)
class TypedScope:
    """The form as it stands. `quantities` and `prices` are by product, quantities then by dimension."""

    term_length: float | None
    purchase_type: PurchaseType
    start_date: date | None = None
    price: TypedPrice = TypedPrice()
    quantities: Mapping[str, Mapping[str, Typed]] = field(default_factory=dict[str, Mapping[str, Typed]])
    prices: Mapping[str, TypedPrice] = field(default_factory=dict[str, TypedPrice])


@dataclass(frozen=True)
class Entered:
    """`body` is there when nothing is wrong."""

    body: NewScope | None
    faults: Faults


def entered(typed: TypedScope, products: Sequence[Product], previous_scope_id: str | None = None) -> Entered:
    """The scope to create. The service checks again; what is checked here saves a journey."""
    faults: dict[str, str] = {}
    if not products:
        faults[""] = "Choose at least one product."
    term = typed.term_length
    if term is None or term != int(term) or not 1 <= term <= 1200:
        faults["termLength"] = "A whole number of months, 1 to 1200."
    faults |= _price_faults(typed.price, "")
    terms: list[NewProductTerm] = []
    for product in products:
        price = typed.prices.get(product.id, TypedPrice())
        faults |= _price_faults(price, f"{product.id}/")
        values, wrong = quantities_of(product, typed.quantities.get(product.id, {}))
        faults |= wrong
        if not values and not wrong:
            faults[product.id] = "Say how much of it: at least one field."
        if not faults:
            terms.append(
                NewProductTerm(
                    product_id=product.id,
                    pricing_dimensions=values,
                    list_price=_exact(price.list_price),
                    discount=_exact(price.discount),
                    final_price=_exact(price.final_price),
                )
            )
    if faults or term is None:
        return Entered(None, faults)
    try:
        whole = NewScopeTerm(
            term_length=int(term),
            purchase_type=typed.purchase_type,
            start_date=typed.start_date,
            list_price=_exact(typed.price.list_price),
            discount=_exact(typed.price.discount),
            final_price=_exact(typed.price.final_price),
        )
        return Entered(
            NewScope(scope_terms=[whole], product_terms=terms, previous_scope_id=previous_scope_id), {}
        )
    except ValidationError as refusal:
        return Entered(None, {"": "; ".join(error["msg"] for error in refusal.errors())})


def present(dimension: PricingDimension, quantities: Mapping[str, Typed]) -> bool:
    """Whether a dimension is there at all: one that hangs on another's inclusion needs that one."""
    depends_on = dimension.depends_on
    if depends_on.dependency != "inclusion" or depends_on.depends_on_dimension_id is None:
        return True
    return bool(quantities.get(depends_on.depends_on_dimension_id))


def ceiling(dimension: PricingDimension, quantities: Mapping[str, Typed]) -> float | None:
    """The largest quantity that the dimension it hangs on allows, None where nothing limits it."""
    depends_on = dimension.depends_on
    if depends_on.dependency != "quantity" or depends_on.depends_on_dimension_id is None:
        return None
    other = quantities.get(depends_on.depends_on_dimension_id)
    return float(other) if isinstance(other, int | float) else None


def quantities_of(product: Product, typed: Mapping[str, Typed]) -> tuple[list[DimensionValue], Faults]:
    """What is bought of a product's dimensions; faults by `productId/dimensionId`."""
    values: list[DimensionValue] = []
    faults: dict[str, str] = {}
    for dimension in product.pricing_dimensions:
        if not present(dimension, typed):
            continue
        value = typed.get(dimension.id)
        place = f"{product.id}/{dimension.id}"
        if value is None or value is False or value == "":
            if dimension.form_field.required:
                faults[place] = "This field is required."
            continue
        wrong = _wrong(dimension, value, ceiling(dimension, typed))
        if wrong:
            faults[place] = wrong
        elif isinstance(value, bool):
            values.append(DimensionValue(id=dimension.id, value=Decimal(1)))
        else:
            values.append(DimensionValue(id=dimension.id, value=_wire_value(value)))
    return values, faults


def _wire_value(value: int | float | str) -> Decimal | str:
    return value if isinstance(value, str) else Decimal(str(value)).normalize()


def _wrong(dimension: PricingDimension, value: Typed, highest: float | None) -> str | None:
    field = dimension.form_field
    if isinstance(field, SelectField):
        known = {option.value for option in field.options}
        return None if value in known else "Choose one of the options."
    if not isinstance(field, NumberField) or isinstance(value, bool | str | None):
        return None
    number = Decimal(str(value))
    if number < 0:
        return "Not below 0."
    if field.min is not None and number < field.min:
        return f"At least {field.min:,f}."
    if field.max is not None and number > field.max:
        return f"At most {field.max:,f}."
    if highest is not None and number > Decimal(str(highest)):
        return f"At most {highest:,.10g}, as many as it is counted against."
    if field.step and (number - (field.min or 0)) % field.step:
        return f"In steps of {field.step:f}."
    return None


def _price_faults(price: TypedPrice, prefix: str) -> Faults:
    faults: dict[str, str] = {}
    for place, amount in (("listPrice", price.list_price), ("finalPrice", price.final_price)):
        if amount is not None and not 0 <= amount < 10**12:
            faults[prefix + place] = "0 or more, and below 10¹²."
    if price.discount is not None and not 0 <= price.discount <= 100:
        faults[f"{prefix}discount"] = "A percentage of the list price, 0 to 100."
    return faults


def _exact(amount: float | None) -> Decimal | None:
    return None if amount is None else Decimal(str(amount))


def place_of(pointer: str, body: NewScope) -> str:
    """The place in the form that a service's JSON Pointer into `body` speaks of; "" where none does."""
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
