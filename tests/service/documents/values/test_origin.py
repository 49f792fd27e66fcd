"""Where a document comes from."""

from app.service.documents.values.origin import Origin, find_language


def test_the_commonest_words_tell_the_language() -> None:
    assert find_language("il totale della fattura") == "it"
    assert find_language("o valor da fatura não inclui") == "pt"
    assert find_language("12 345") is None


def test_the_usual_mark_is_that_of_the_language_and_of_the_currency() -> None:
    assert Origin("der Preis und die Menge in EUR").usual_mark == ","
    assert Origin("the price of all the seats in AED").usual_mark == "."
    assert Origin("the price of all the parts: IDR 5").usual_mark is None
