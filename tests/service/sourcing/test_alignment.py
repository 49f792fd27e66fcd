"""How often lines in other words find their partners, and look-alikes find none."""

import pytest

from app.service.sourcing.alignment import ComparedLine, Match, align_lines
from tests.service.sourcing.reworded_quotes import Line, make_case

Pairs = list[tuple[Line, Match | None]]


def align(seeds: range, *, lookalikes: bool) -> Pairs:
    pairs: Pairs = []
    for seed in seeds:
        needed, quoted = make_case(seed, strays=5, lookalikes=lookalikes)
        compared = [[ComparedLine(line.text, line.quantity) for line in side] for side in (needed, quoted)]
        pairs += zip(quoted, align_lines(*compared), strict=True)
    return pairs


def measure(pairs: Pairs) -> float:
    """F1 in per cent: a wrong partner is one found too many and one missed."""
    right = sum(match is not None and match.place == line.answers for line, match in pairs)
    found = sum(match is not None for _, match in pairs)
    there = sum(line.answers is not None for line, _ in pairs)
    return 200 * right / (found + there)


@pytest.mark.parametrize(("lookalikes", "least"), [(False, 99), (True, 86)])
def test_lines_in_the_words_of_five_suppliers_find_their_partners(lookalikes: bool, least: float) -> None:
    assert measure(align(range(2_000, 2_010), lookalikes=lookalikes)) >= least


def test_what_is_proposed_without_doubt_is_right() -> None:
    sure = [
        match.place == line.answers
        for line, match in align(range(2_000, 2_020), lookalikes=True)
        if match is not None and not match.doubtful
    ]
    assert len(sure) > 50
    assert sum(sure) / len(sure) >= 0.97
