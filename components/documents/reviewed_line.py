"""A line of a document as it stands in the review, and what is known of the product it is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from app.contract.catalog import NumberField, PricingDimension, Product, SelectField
from app.contract.scope import LineRole, ReadLine
from components.scopes.dimension_field import FieldValue


@dataclass(frozen=True)
class ReviewedLine:
    """A line after the review; without a product it is left out. `values` are those of the product's
    dimensions except the quantity, by dimension id. `first_month` and `months` are the part of the term that
    it is for, None for all of it."""

    line: ReadLine
    product_id: str | None
    quantity: Decimal | None
    amount: Decimal | None
    role: LineRole = "product"
    values: Mapping[str, FieldValue] = field(default_factory=dict[str, FieldValue])
    first_month: int | None = None
    months: int | None = None

    @property
    def is_bought(self) -> bool:
        """Whether the line becomes a product of the scope."""
        return self.role == "product" and self.product_id is not None


def describe_line(line: ReadLine) -> str:
    """Return the description of the line, else its number."""
    description = next((value.value for value in line.values if value.name == "description"), None)
    return str(description) if description else f"Line {line.index + 1}"


def get_counted_dimension(product: Product) -> PricingDimension | None:
    """Return the dimension that the quantity of a line counts: the required number, else the first number."""
    numbers = [one for one in product.pricing_dimensions if isinstance(one.form_field, NumberField)]
    return next((one for one in numbers if one.form_field.required), numbers[0] if numbers else None)


def read_quantity(line: ReadLine, product: Product | None) -> Decimal | None:
    """Return the quantity of a line. None where it counts something else than the product does, so that one
    pack is not taken for one user."""
    counted = (
        get_counted_dimension(product) if product is not None and product.id == line.product_id else None
    )
    understood = next((one for one in line.dimensions if counted and one.id == counted.id), None)
    if understood is not None:
        return understood.value if isinstance(understood.value, Decimal) else None
    stated = next((value.value for value in line.values if value.name == "quantity"), None)
    return stated if isinstance(stated, Decimal) else None


def must_choose(line: ReadLine, product: Product, dimension: PricingDimension) -> bool:
    """Return whether the price depends on a choice of this dimension that nobody has made."""
    if not isinstance(dimension.form_field, SelectField):
        return False
    if line.product_id == product.id:
        return any(one.id == dimension.id and one.moves_price for one in line.dimensions)
    return dimension.form_field.required or dimension.price_impact_known
