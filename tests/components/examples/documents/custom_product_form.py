from decimal import Decimal

from app.contract.scope import ProposedDimension, ProposedEntry, ReadLine, ReadSupplier, SupplierCandidate
from components.documents.review_form import draw_custom_product_form
from tests.components.fixtures import make_id


def example() -> None:
    draw_custom_product_form(
        ReadLine(
            index=0,
            values=[],
            term_amount=Decimal(5400),
            proposed=ProposedEntry(
                name="Harbour Vault",
                unit="seat",
                dimensions=[ProposedDimension(name="Edition", option="Team")],
            ),
        ),
        ReadSupplier(
            name="Harbor Software Inc.",
            candidates=[
                SupplierCandidate(
                    company_id=make_id(9), name="Harbour Software", why="The names are 94 % similar."
                )
            ],
        ),
        key="example-entry",
    )
