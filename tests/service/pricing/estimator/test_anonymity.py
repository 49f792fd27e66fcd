"""What others paid is shown from five purchases of two buyers on; what oneself paid always."""

import pytest

from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.estimator.candidates import Candidates
from tests.service.pricing.made_up_purchases import purchase


def bought_by(*buyers: str | None) -> Candidates:
    return Candidates.from_purchases(purchase(id=f"p-{at}", buyer=buyer) for at, buyer in enumerate(buyers))


@pytest.mark.parametrize(
    ("buyers", "reason"),
    [
        (["A"] * 4, "fewer than 5 comparable purchases"),
        (["A"] * 5, "comparable purchases from fewer than 2 buyers"),
        (["A"] * 4 + ["B"], None),
        (["A"] * 4 + [None], None),
        ([], "no comparable purchases"),
    ],
)
def test_too_few_purchases_or_buyers_are_refused(buyers: list[str | None], reason: str | None) -> None:
    assert Anonymity().refusal_reason(bought_by(*buyers)) == reason


def test_own_purchases_need_no_company() -> None:
    own = Anonymity(own_ids=frozenset({"p-0"}))
    assert own.refusal_reason(bought_by("A")) is None
    assert own.refusal_reason(bought_by("A", "B")) == "fewer than 5 comparable purchases"
