"""Scopes for the examples of the components."""

from decimal import Decimal

from app.contract.catalog import Feature
from app.contract.scope import ProductTerm, Scope, ScopeDimension, ScopeTerm
from tests.components.fixtures import NOON, make_id


def make_scope(number: int = 70, users: int = 120, term: int = 12, price: int = 52_400) -> Scope:
    """Return a purchase of one product."""
    return Scope(
        id=make_id(number),
        source="manual",
        created_on=NOON,
        scope_terms=[
            ScopeTerm(term_length=Decimal(term), purchase_type="new_purchase", final_price=Decimal(price))
        ],
        product_terms=[
            ProductTerm(
                product_id=make_id(1),
                product_name="Ledger Cloud",
                pricing_dimensions=[
                    ScopeDimension(id=make_id(11), name="Users", value=Decimal(users)),
                    ScopeDimension(id=make_id(12), name="Single sign-on", value=Decimal(1)),
                ],
                included_features=[Feature(id=make_id(90), name="Audit log")],
            )
        ],
    )
