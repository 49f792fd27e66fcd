"""A scope's rows as the record that goes over the wire."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row

from app.contract.scope import DocumentProcessing, ProductTerm, Scope, ScopeDimension, ScopeTerm
from app.service.scopes.store import ScopeProduct

SHOWN_TERM = ("termLength", "purchaseType", "listPrice", "discount", "finalPrice")
SHOWN_PRICE = ("listPrice", "discount", "finalPrice")


def scope_record(row: Row[Any], products: Mapping[str, ScopeProduct]) -> Scope:
    """`products` holds at least those that the scope names."""
    document = None
    if row.document_status is not None:
        document = DocumentProcessing(
            status=row.document_status,
            filename=row.document_filename,
            document_type=row.document_type,
            mime_type=row.document_mime_type,
            error=row.document_error,
            updated_at=row.document_updated_at,
        )
    return Scope(
        id=row.id,
        source=row.source,
        created_on=row.created_on,
        scope_terms=[ScopeTerm.model_validate(_only(term, SHOWN_TERM)) for term in row.scope_terms],
        product_terms=[_product_term(term, products[term["productId"]]) for term in row.product_terms],
        previous_scope_id=row.previous_scope_id,
        next_scope_id=row.next_scope_id,
        document_processing=document,
    )


def product_ids(row: Row[Any]) -> set[str]:
    """The products that a scope's row names."""
    return {term["productId"] for term in row.product_terms}


def _only(term: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: term[name] for name in names if name in term}


def _product_term(term: Mapping[str, Any], product: ScopeProduct) -> ProductTerm:
    described = {dimension["id"]: dimension for dimension in product.dimensions}
    return ProductTerm.model_validate(
        {
            "productId": product.id,
            "productName": product.name,
            "productFamilyId": product.family_id,
            "description": product.details.get("description"),
            "icon": product.details.get("icon"),
            "url": product.details.get("url"),
            "pricingDimensions": [
                ScopeDimension(
                    id=entry["id"],
                    name=described[entry["id"]]["name"] if entry["id"] in described else "",
                    description=described.get(entry["id"], {}).get("description"),
                    value=entry.get("value"),
                )
                for entry in term["pricingDimensions"]
            ],
            "includedFeatures": product.features,
            **_only(term, SHOWN_PRICE),
        }
    )
