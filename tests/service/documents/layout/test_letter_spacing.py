"""Words set with spaces between their letters are put together."""

import pytest

from app.service.documents.extraction import Box
from app.service.documents.layout.letter_spacing import join_spaced_letters, join_stacked_labels
from app.service.documents.layout.pages import Word


def words(*texts: tuple[str, float]) -> list[Word]:
    return [Word(text, Box(x, 0, x + 6 * len(text), 10), 10) for text, x in texts]


def test_letters_at_even_distances_are_a_word() -> None:
    spaced = words(*((letter, 10.0 * n) for n, letter in enumerate("INVOICE")))
    [word] = join_spaced_letters(spaced)
    assert word.text == "INVOICE"
    assert word.box == Box(0, 0, 66, 10)


def test_a_wider_space_parts_two_words() -> None:
    spaced = words(*((letter, 10.0 * n + (6 if n > 2 else 0)) for n, letter in enumerate("TAXBILL")))
    assert [word.text for word in join_spaced_letters(spaced)] == ["TAX", "BILL"]


def test_a_few_letters_and_ordinary_words_are_left_alone() -> None:
    plain = words(("A", 0), ("B", 10), ("C", 20), ("Seats", 30))
    assert list(join_spaced_letters(plain)) == plain


@pytest.mark.parametrize("signs", ["単価金額台", "단가금액대"])
def test_signs_of_east_asia_at_even_distances_are_a_word(signs: str) -> None:
    spaced = words(*zip(signs, (0, 12, 90, 102, 200), strict=True))
    first, second, third = signs[:2], signs[2:4], signs[4:]
    assert [word.text for word in join_spaced_letters(spaced)] == [first, second, third]


def test_the_label_of_a_party_may_stand_from_top_to_bottom() -> None:
    def stack(letters: str) -> list[Word]:
        return [Word(one, Box(20, 14 * n, 30, 14 * n + 10), 10) for n, one in enumerate(letters)]

    beside = Word("名称：宁波", Box(40, 2, 90, 12), 10)
    assert [word.text for word in join_stacked_labels([*stack("销售方"), beside])] == ["销售方", "名称：宁波"]
    units = stack("个个次")
    assert list(join_stacked_labels(units)) == units
