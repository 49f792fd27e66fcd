"""A line of a quote, a requirement or an agreement as the term of a product, which can be estimated."""

from collections.abc import Mapping
from decimal import Decimal

from app.service.catalog.line_match import LineMatch
from app.service.documents.extraction import Extraction, LineItem
from app.service.pricing.catalog_product import CatalogProduct
from app.service.scopes.line_dimensions import read_dimensions
from app.service.scopes.terms import StoredProductTerm, TermDimension

NOTHING_STATED: Mapping[str, Decimal | str | None] = {}


def build_line_term(
    product: CatalogProduct,
    description: str,
    quantity: Decimal,
    unit: str | None,
    stated: Mapping[str, Decimal | str | None] = NOTHING_STATED,
) -> StoredProductTerm:
    """Return the term of a line that names a product. Its dimensions are those of `stated`, by their ids, and
    those that its description states, read as in a document."""
    values = {**_read_stated(product, description, quantity, unit), **stated}
    return StoredProductTerm(
        product.id,
        [
            TermDimension(one.id, quantity if one.id == product.quantity_dimension_id else values.get(one.id))
            for one in product.dimensions
            if one.id == product.quantity_dimension_id or one.id in values or one.form_field.required
        ],
    )


def _read_stated(
    product: CatalogProduct, description: str, quantity: Decimal, unit: str | None
) -> Mapping[str, Decimal | str | None]:
    item = LineItem(description=description, quantity=quantity, unit=unit)
    match = LineMatch(
        product.id, product.name, 100.0, "id", product.dimensions, product.quantity_dimension_id
    )
    read = read_dimensions(item, match, Extraction(file=""))
    return {one.id: one.value for one in read if one.source == "read"}
