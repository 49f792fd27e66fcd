"""How often lines in other words find their partners, and look-alikes find none."""

from decimal import Decimal

import pytest

from app.service.sourcing.alignment import ComparedLine, Match, align_lines
from tests.service.sourcing.reworded_quotes import Line, make_case

Pairs = list[tuple[Line, Match | None]]


def align(seeds: range, *, lookalikes: bool) -> Pairs:
    pairs: Pairs = []
    for seed in seeds:
        needed, quoted = make_case(seed, strays=5, lookalikes=lookalikes)
        ours, theirs = ([ComparedLine(one.text, one.quantity) for one in side] for side in (needed, quoted))
        pairs += zip(quoted, align_lines(ours, theirs), strict=True)
    return pairs


def measure(pairs: Pairs) -> float:
    """F1 in per cent: a wrong partner is one found too many and one missed."""
    right = sum(match is not None and match.place == line.answers for line, match in pairs)
    found = sum(match is not None for _, match in pairs)
    there = sum(line.answers is not None for line, _ in pairs)
    return 200 * right / (found + there)


@pytest.mark.campaign
@pytest.mark.parametrize(("lookalikes", "least"), [(False, 99), (True, 90)])
def test_lines_in_the_words_of_five_suppliers_find_their_partners(lookalikes: bool, least: float) -> None:
    assert measure(align(range(2_000, 2_010), lookalikes=lookalikes)) >= least


@pytest.mark.campaign
def test_what_is_proposed_without_doubt_is_right() -> None:
    sure = [
        match.place == line.answers
        for line, match in align(range(2_000, 2_020), lookalikes=True)
        if match is not None and not match.doubtful
    ]
    assert len(sure) > 50
    assert sum(sure) / len(sure) >= 0.99


def align_texts(needed: list[str], quoted: list[str]) -> list[Match | None]:
    ours, theirs = ([ComparedLine(text, Decimal(40)) for text in side] for side in (needed, quoted))
    return align_lines(ours, theirs)


def test_lines_that_are_little_alike_are_matched_in_doubt_where_nothing_else_is_like_them() -> None:
    needed = ["ProBook 14 laptop 16GB/512GB SSD", "USB-C dock, dual display", "Noise cancelling headset"]
    quoted = ["Headset ANC", "Docking station USB-C 100 W", '14" notebook, 16 GB memory, 512 GB SSD']
    matches = align_texts(needed, [*quoted, "Delivery"])
    assert [match and (match.place, match.doubtful) for match in matches] == [
        (2, True),
        (1, True),
        (0, True),
        None,
    ]


def test_another_thing_in_the_same_place_is_never_proposed_without_doubt() -> None:
    [match] = align_texts(["Office chair, leather, grey", "Desk, oak"], ["Office chair, leather, black"])
    assert match is not None
    assert match.doubtful


def test_a_number_that_stands_twice_is_told_from_two_numbers() -> None:
    [match] = align_texts(["Laptop, 16 inch, 32 GB", "Laptop, 16 inch, 16 GB"], ["16 inch laptop, 16GB"])
    assert match is not None
    assert match.place == 1
