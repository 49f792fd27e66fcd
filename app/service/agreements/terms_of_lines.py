"""Which product of the scope that was agreed for a line of an agreement is. Pure."""

from collections import Counter
from collections.abc import Sequence

from app.contract.agreements import AgreementLine
from app.service.scopes.terms import StoredProductTerm


def match_terms(
    lines: Sequence[AgreementLine], terms: Sequence[StoredProductTerm]
) -> list[StoredProductTerm | None]:
    """Return the product term of each line; lines and terms of a product follow each other in the same
    order. None for a line that was added, and for each where one was removed: nobody knows which."""
    lines_of = Counter(line.product_id for line in lines)
    left: dict[str, list[StoredProductTerm]] = {}
    for term in terms:
        left.setdefault(term.product_id, []).append(term)
    left = {product_id: some for product_id, some in left.items() if len(some) <= lines_of[product_id]}
    return [some.pop(0) if (some := left.get(line.product_id or "")) else None for line in lines]
