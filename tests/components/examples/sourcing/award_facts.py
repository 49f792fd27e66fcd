from app.contract.sourcing_award import Award
from components.sourcing.scenarios import draw_award
from tests.components.fixtures import NOON, make_id


def example() -> None:
    award = Award.model_validate(
        {
            "scenarioId": make_id(3),
            "make": "agreements",
            "decidedBy": "Bea Buyer",
            "decidedAt": NOON,
            "reason": "The cheapest that delivers in time.",
            "total": 24_700,
            "quotes": [
                {
                    "quoteId": make_id(2),
                    "supplierName": "Northgate Systems",
                    "quoteLines": [make_id(21)],
                    "amount": 24_700,
                    "discount": 1_300,
                    "agreementId": make_id(5),
                    "notes": ["It is no company of the catalog."],
                }
            ],
        }
    )
    draw_award(award, "USD")
