"""How often bills come."""

import pytest

from app.service.documents.values.billing_frequency import find_billing_frequencies


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
    found = max(find_billing_frequencies(sentence), key=lambda one: sum(one[1].values()), default=None)
    assert (found and found[0]) == billing


def test_a_label_goes_before_a_sentence_that_only_mentions_bills() -> None:
    [(_, mentioned)] = find_billing_frequencies("we confirm each month what is paid")
    [(_, labelled)] = find_billing_frequencies("billing frequency: annual")
    assert sum(labelled.values()) > sum(mentioned.values())
