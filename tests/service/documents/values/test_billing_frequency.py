"""How often bills come."""

import pytest

from app.service.documents.values.billing_frequency import find_billing_frequency


@pytest.mark.parametrize(
    ("sentence", "billing"),
    [
        ("billing: annually in advance", "annual"),
        ("invoiced monthly in arrears", "monthly"),
        ("fees are invoiced every 3 months", "quarterly"),
        ("invoiced in full upfront on signature", "upfront"),
        ("abrechnung: jahrlich", "annual"),
        ("facturation mensuelle", "monthly"),
        ("our price per month is fair", None),
    ],
)
def test_sentences_say_how_often_bills_come(sentence: str, billing: str | None) -> None:
    assert find_billing_frequency([sentence]) == billing


def test_a_label_goes_before_a_sentence_that_only_mentions_bills() -> None:
    assert (
        find_billing_frequency(["we send invoices that are itemised monthly", "billing frequency: annual"])
        == "annual"
    )
