"""What others paid is shown from five purchases of two buyers on; what oneself paid always."""

import numpy as np
import pytest

from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.estimator.candidates import Candidates
from tests.service.pricing.made_up_purchases import purchase


def refuse(rule: Anonymity, *buyers: str | None) -> str | None:
    candidates = Candidates.from_purchases(
        purchase(id=f"p-{at}", buyer=buyer) for at, buyer in enumerate(buyers)
    )
    return rule.refusal_reasons(candidates, np.arange(len(buyers))[None])[0]


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
    assert refuse(Anonymity(), *buyers) == reason


def test_own_purchases_need_no_company() -> None:
    own = Anonymity(own_ids=frozenset({"p-0"}))
    assert refuse(own, "A") is None
    assert refuse(own, "A", "B") == "fewer than 5 comparable purchases"
