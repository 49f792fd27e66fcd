"""A scope on record as the reply that goes over the wire."""

from collections.abc import Mapping
from decimal import Decimal

from app.contract import scope as contract
from app.contract.scope_list import ListedScope, ScopeSupplier
from app.service.scopes.store import ScopeProduct, StoredScope
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm


def scope_record(scope: StoredScope, products: Mapping[str, ScopeProduct]) -> contract.Scope:
    """`products` holds at least those that the scope names."""
    return contract.Scope.build_from(
        scope,
        scope_terms=[scope_term_record(term) for term in scope.scope_terms],
        product_terms=[_product_term_record(term, products[term.product_id]) for term in scope.product_terms],
        document_processing=scope.document,
    )


def listed_scope_record(scope: StoredScope, products: Mapping[str, ScopeProduct]) -> ListedScope:
    """`products` holds at least those that the scope names."""
    supplier = scope.supplier_name
    return ListedScope(
        **dict(scope_record(scope, products)),
        name=scope.title,
        status=scope.status,
        supplier=None if supplier is None else ScopeSupplier(company_id=scope.company_id, name=supplier),
        currency=scope.stated_currency,
        owners=[*scope.owners] or None,
        archived_at=scope.archived_at,
        negotiation_id=scope.negotiation_id,
        agreement_id=scope.agreement_id,
        requirement_id=scope.requirement_id,
    )


def scope_term_record(term: StoredScopeTerm) -> contract.ScopeTerm:
    """What the interface shows of a term."""
    return contract.ScopeTerm.build_from(term, term_length=Decimal(term.months))


def _product_term_record(term: StoredProductTerm, product: ScopeProduct) -> contract.ProductTerm:
    known = {dimension.id: dimension for dimension in product.dimensions}
    return contract.ProductTerm.build_from(
        term,
        product_id=product.id,
        product_name=product.name,
        product_family_id=product.family_id,
        description=product.details.get("description"),
        icon=product.details.get("icon"),
        url=product.details.get("url"),
        pricing_dimensions=[
            contract.ScopeDimension(
                id=one.id,
                name=known[one.id].name if one.id in known else "",
                description=known[one.id].description if one.id in known else None,
                value=one.value,
            )
            for one in term.dimensions
        ],
        included_features=list(product.features),
    )
