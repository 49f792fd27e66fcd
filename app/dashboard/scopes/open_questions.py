"""What is still unknown of a line of a document in the review."""

from app.contract.catalog import Product
from app.contract.scope import DocumentReading
from components.documents.reviewed_line import ReviewedLine, get_counted_dimension, must_choose
from components.scopes.dimension_field import FieldValue, is_available


def is_clear(reading: DocumentReading) -> bool:
    """Return whether the document as it was read leaves nothing to answer: each product that costs something
    is matched, and what affects its price is known."""
    return all(
        line.role != "product"
        or (line.question is None and (line.product_id is not None or line.term_amount == 0))
        for line in reading.lines
    )


def find_open_question(
    reviewed: ReviewedLine, product: Product | None, typed: dict[str, FieldValue]
) -> str | None:
    """Return what is still unknown of a line, None where everything that affects its price is known."""
    if product is None:
        return reviewed.line.question
    missing = [
        one.name
        for one in product.pricing_dimensions
        if is_available(one, typed) and typed.get(one.id) is None and must_choose(reviewed.line, product, one)
    ]
    counted = get_counted_dimension(product)
    if not reviewed.quantity and counted is not None:
        missing.append(f"quantity ({counted.form_field.label})")
    if not missing:
        return None
    is_matched_product = reviewed.line.product_id == product.id and reviewed.line.question is not None
    return reviewed.line.question if is_matched_product else f"Not known yet: {', '.join(missing)}."
