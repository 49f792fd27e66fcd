"""What an agent says of a purchase, as the terms of a scope. Nothing is guessed: what a price needs and
nobody stated is asked for."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from app.agents.tool import Refusal, cut
from app.contract.catalog import CheckboxField, NumberField, PricingDimension, Product
from app.contract.scope import DimensionValue, NewProductTerm

TRUE = frozenset({"yes", "true", "1", "on"})
FALSE = frozenset({"no", "false", "0", "off"})


def build_product_term(product: Product, quantity: Decimal, options: Mapping[str, str]) -> NewProductTerm:
    """The product with its quantity and options by their names. Refusal names what is missing or unknown."""
    stated = {name.strip().casefold(): text.strip() for name, text in options.items()}
    known = {one.name.casefold() for one in product.pricing_dimensions}
    unknown = sorted(name for name in stated if name not in known)
    if unknown:
        named = cut(", ".join(unknown), 80)
        raise Refusal(f"{cut(product.name, 60)} has no dimension {named!r}. It has: {_names(product)}.")
    counted = _find_counted(product)
    values: dict[str, DimensionValue] = {}
    for dimension in product.pricing_dimensions:
        text = stated.get(dimension.name.casefold())
        if text is None and dimension is counted:
            text = f"{quantity:f}"
        value = _read(dimension, text) if text is not None else _default(dimension)
        if value is not None:
            values[dimension.id] = DimensionValue(id=dimension.id, value=value)
    if not values:
        raise Refusal(
            f"{cut(product.name, 60)} has no pricing dimension, so that no price can be estimated for it."
        )
    return NewProductTerm(product_id=product.id, pricing_dimensions=list(values.values()))


def _find_counted(product: Product) -> PricingDimension | None:
    """The dimension that the quantity is of: the first required number, else the first number."""
    numbers = [one for one in product.pricing_dimensions if isinstance(one.form_field, NumberField)]
    return next((one for one in numbers if one.form_field.required), numbers[0] if numbers else None)


def _read(dimension: PricingDimension, text: str) -> Decimal | str:
    match dimension.form_field:
        case NumberField():
            try:
                return Decimal(text)
            except InvalidOperation:
                raise Refusal(f"{cut(dimension.name, 60)} is a number; {cut(text, 40)!r} is none.") from None
        case CheckboxField():
            if text.casefold() not in TRUE | FALSE:
                raise Refusal(f"{cut(dimension.name, 60)} is yes or no; {cut(text, 40)!r} is neither.")
            return Decimal(text.casefold() in TRUE)
        case field:
            wanted = text.casefold()
            for option in field.options:
                if wanted in {option.label.casefold(), option.value}:
                    return option.value
            raise Refusal(f"{cut(dimension.name, 60)} is one of: {_options(dimension)}.")


def _default(dimension: PricingDimension) -> Decimal | str | None:
    """What is taken where nothing is stated; None leaves the dimension out."""
    match dimension.form_field:
        case NumberField() as field:
            if not field.required:
                return None
            if field.default_value is None:
                raise Refusal(f"State {cut(dimension.name, 60)}, a number, among the options.")
            return field.default_value
        case CheckboxField() as field:
            return Decimal(bool(field.default_value)) if field.required else None
        case field:
            if not field.required:
                return None
            if field.default_value is None:
                raise Refusal(
                    f"State {cut(dimension.name, 60)} among the options; it is one of: {_options(dimension)}."
                )
            return field.default_value


def _options(dimension: PricingDimension) -> str:
    options = getattr(dimension.form_field, "options", [])
    return "; ".join(cut(one.label, 40) for one in options[:20])


def _names(product: Product) -> str:
    return "; ".join(cut(one.name, 40) for one in product.pricing_dimensions[:12]) or "none"
