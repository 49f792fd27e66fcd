"""Which part of the term lines are priced for, by the sums of the document."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from app.service.charges.charge import Charge, Per
from app.service.charges.schedule import find_readings

Line = tuple[str, int, Per | None]
RAMP: list[Line] = [
    ("Analytics", 182_700, "year"),
    ("Analytics", 243_600, "year"),
    ("Analytics", 304_500, "year"),
]
UNSAID: list[Line] = [(what, price, None) for what, price, _ in RAMP]
TWO: list[Line] = [("Analytics", 1000, "year"), ("Support", 200, "year")]
NO_PERIOD: list[Line] = [("Analytics", 1000, None), ("Support", 200, None)]


def read(lines: Sequence[Line], sums: Sequence[int], term: int = 36, *more: Charge) -> list[tuple[str, int]]:
    charges = [
        Charge(what=what, currency="USD", kind="recurring", per=per, price=price)
        for what, price, per in lines
    ]
    found = find_readings([*charges, *more], term_months=term, currency="USD", tax="before", sums=sums)
    return [(one.spans, int(one.schedule.total().value)) for one in found]


@pytest.mark.parametrize(
    ("lines", "sums", "term", "readings"),
    [
        # the total fits both: it may be that of one year
        (RAMP, [730_800], 36, [("each period", 2_192_400), ("in a row", 730_800)]),
        (
            UNSAID,
            [730_800],
            36,
            [
                ("whole term", 730_800),
                ("in a row", 730_800),
            ],
        ),
        # the sums of the years prove that they follow each other
        (RAMP, [182_700, 243_600, 304_500, 730_800], 36, [("in a row", 730_800)]),
        # a total of three years beside that of one proves that each is paid three times
        (RAMP, [730_800, 2_192_400], 36, [("each period", 2_192_400)]),
        (TWO, [1200], 36, [("each period", 3600)]),
        (TWO, [3600], 36, [("each period", 3600)]),
        (TWO, [1200], 12, [("whole term", 1200)]),
        (NO_PERIOD, [3600], 36, [("each period", 3600)]),
        (NO_PERIOD, [1200, 3600], 36, [("each period", 3600)]),
        (NO_PERIOD, [43_200], 36, [("each period", 43_200)]),
        ([*TWO, ("Training", 60, None)], [1260], 36, [("each period", 3660)]),
        # nothing fits, or nothing is printed: all that is possible
        (TWO, [999], 36, [("each period", 3600)]),
        (RAMP, [], 36, [("each period", 2_192_400), ("in a row", 730_800)]),
        (RAMP, [], 37, [("each period", 730_800 * 37 // 12)]),
    ],
)
def test_lines_are_read_in_each_way_that_the_sums_allow(
    lines: Sequence[Line], sums: Sequence[int], term: int, readings: list[tuple[str, int]]
) -> None:
    assert read(lines, sums, term) == readings


def test_lines_that_say_when_they_run_keep_it() -> None:
    own = Charge(what="Storage", currency="USD", kind="recurring", price=600, start_month=6, months=6)
    once = Charge(what="Setup", currency="USD", kind="one_time", price=50)
    [found] = find_readings([own, once], term_months=12, currency="USD", tax="before", sums=[650])
    assert found.fits
    assert found.schedule.total().value == 650
    assert found.schedule.charges[0].share_within(0, 9) == Fraction(1, 2)
    assert read(TWO, [3600 + 650], 36, own, once) == [("each period", 4250)]
