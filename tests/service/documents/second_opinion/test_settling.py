"""What a second opinion may change of a reading: what is shown, where arithmetic closes, and nothing that is
certain."""

import random
from collections.abc import Callable
from decimal import Decimal

import pytest

from app.service.documents.extraction import Provenance
from app.service.documents.judge.judgement import Judgement
from app.service.documents.second_opinion.question import NamedLine, NamedWords
from app.service.documents.second_opinion.settling import NO_DIFFERENCE
from tests.service.documents.second_opinion.asked_documents import (
    ASKED,
    LINES,
    LINES_IN_TEXT,
    TWO_QUANTITIES,
    TWO_TOTALS,
    AskedDocument,
)

CERTAIN = LINES + "    Subtotal  1,700.00\n    VAT 20%  340.00\n    Total  2,040.00"


def list_certain(judgement: Judgement) -> set[tuple[str, str, Provenance]]:
    """What is certain: the value, by name, with its place."""
    items = [
        (name, str(getattr(item, name)), place)
        for item in judgement.items
        for name, place in item.provenance.items()
    ]
    sums = {"net_total": "net", "tax_total": "tax", "total": "total"}
    totals = [
        (name, str(getattr(judgement.totals, sums[name])), place)
        for name, place in judgement.totals.provenance.items()
        if name in sums
    ]
    return {
        (name, value, Provenance(place.page, place.box, 0, True))
        for name, value, place in (*items, *totals)
        if place.verified
    }


def name_four_lines(document: AskedDocument, third: str = "300.00", fourth: str = "450.00") -> NamedWords:
    return NamedWords(
        total=document.find("2,450.00"),
        net_total=document.find("2,450.00"),
        lines=(
            document.name_line(description="Editor", quantity="10", unit_price="150.00", amount="1,500.00"),
            document.name_line(description="Viewer", quantity="20", unit_price="10.00", amount="200.00"),
            document.name_line(description="onboarding", amount=third),
            document.name_line(description="training", amount=fourth),
        ),
    )


def test_what_is_certain_is_not_asked_about() -> None:
    assert AskedDocument(CERTAIN).question is None


def test_lines_that_make_up_the_printed_total_are_shown_and_are_not_certain() -> None:
    document = AskedDocument(LINES_IN_TEXT)
    settled = document.settle(name_four_lines(document))
    assert [item.amount for item in settled.judgement.items] == [1500, 200, 300, 450]
    assert "onboarding" in (settled.judgement.items[2].description or "")
    assert not any(
        place.verified for item in settled.judgement.items[2:] for place in item.provenance.values()
    )
    before, after = (one.totals.provenance["net_total"] for one in (document.judgement, settled.judgement))
    assert after.confidence <= before.confidence
    [sentence] = settled.sentences
    assert sentence.startswith("It reads 4 lines instead of 2, which make up the price before tax.")


@pytest.mark.parametrize(
    "named",
    [
        lambda d: name_four_lines(d, third="9,999.00"),
        lambda d: NamedWords(*[d.find("9,999.00")] * 3),
        lambda d: NamedWords(lines=(d.name_line(amount="2,450.00"),)),
        lambda d: NamedWords(lines=(d.name_line(amount="9,999.00"),)),
        lambda d: NamedWords(total=d.find("Total")),
        lambda d: NamedWords(total=(*d.find("300.00"), *d.find("450.00"))),
        lambda d: NamedWords(total=(10**9,)),
        lambda d: NamedWords(lines=(NamedLine(quantity=d.find("Editor")),)),
    ],
    ids=[
        *("a wrong line", "a text that gives orders", "the total as a line", "one line of orders"),
        *("a word without a figure", "words that are no neighbours", "no such word", "text as a number"),
    ],
)
def test_words_that_do_not_add_up_leave_the_reading_as_it_was(
    named: Callable[[AskedDocument], NamedWords],
) -> None:
    document = AskedDocument(LINES_IN_TEXT)
    settled = document.settle(named(document))
    assert settled.judgement == document.judgement
    assert settled.sentences
    assert all("left as it was" in sentence for sentence in settled.sentences)


def test_a_quantity_that_does_not_multiply_is_refused_and_one_that_does_is_shown() -> None:
    document = AskedDocument(TWO_QUANTITIES)
    line = document.name_line(quantity="20", unit_price="10.00", amount="260.00")
    assert document.settle(NamedWords(lines=(line,))).judgement == document.judgement
    document.misread(1, quantity=Decimal(20))
    line = document.name_line(quantity="26", unit_price="10.00", amount="260.00")
    settled = document.settle(NamedWords(lines=(line,)))
    assert settled.judgement.items[1].quantity == 26
    assert not settled.judgement.items[1].provenance["quantity"].verified
    assert settled.sentences[0].startswith("It reads the figures of 1 line otherwise, and they multiply.")


def test_the_same_figures_change_nothing() -> None:
    document = AskedDocument(TWO_TOTALS)
    totals = document.judgement.totals
    assert (totals.net, totals.tax, totals.total) == (1900, 152, 2052)
    named = NamedWords(document.find("1,900.00"), document.find("152.00"), document.find("2,052.00"))
    settled = document.settle(named)
    assert settled.judgement == document.judgement
    assert settled.sentences == (NO_DIFFERENCE,)


@pytest.mark.parametrize("text", ASKED)
def test_whatever_is_named_nothing_becomes_certain(text: str) -> None:
    document = AskedDocument(text)
    certain = list_certain(document.judgement)
    chosen = random.Random(text)
    figures = [(one,) for one, word in document.texts if any(letter.isdigit() for letter in word)]

    def pick() -> tuple[int, ...]:
        return chosen.choice(figures) if chosen.random() < 0.8 else ()

    changed = 0
    for _ in range(150):
        lines = tuple(NamedLine((), pick(), pick(), pick()) for _ in range(chosen.randrange(5)))
        settled = document.settle(NamedWords(pick(), pick(), pick(), lines)).judgement
        changed += settled != document.judgement
        assert list_certain(settled) <= certain
    for number in range(len(document.judgement.items)):
        # A quantity that both readers misread may be replaced by any other that multiplies.
        document.misread(number, quantity=Decimal(7))
    certain = list_certain(document.judgement)
    for _ in range(150):
        lines = tuple(NamedLine((), pick(), pick(), pick()) for _ in range(5))
        settled = document.settle(NamedWords(pick(), pick(), pick(), lines)).judgement
        changed += settled != document.judgement
        assert list_certain(settled) <= certain
    assert changed  # otherwise it would prove nothing
