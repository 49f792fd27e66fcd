"""Notice that is as long as the term that it ends: each deadline is about the day before its term."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from app.contract.agreements import NewAgreement, NoticePeriod
from app.service.agreements.checks import check_agreement
from app.service.agreements.dates.position import AgreementTerms, find_position, find_validity
from app.service.agreements.dates.statement import describe_dates
from app.service.agreements.dates.working_days import WorkingDays

EVERY_DAY = WorkingDays(frozenset())
WEEKENDS = WorkingDays(holidays=frozenset())
LAST_DAY = date(2026, 12, 31)


def check(value: int, unit: str, months: int, **others: Any) -> list[str]:
    stated = {
        "name": "x",
        "termStart": "2026-01-01",
        "termEnd": "2026-12-31",
        "renewalType": "auto_renew",
        "autoRenewalTermMonths": months,
        "noticePeriod": {"value": value, "unit": unit},
        **others,
    }
    return [one.pointer for one in check_agreement(NewAgreement.model_validate(stated), EVERY_DAY)]


@pytest.mark.parametrize(
    ("value", "unit", "months"),
    [
        *((n, "month", n) for n in (1, 2, 3, 6, 12)),
        *((30, "day", 1), (31, "day", 1), (60, "day", 2), (62, "day", 2), (90, "day", 3), (92, "day", 3)),
        *((180, "day", 6), (184, "day", 6), (365, "day", 12), (366, "day", 12), (20, "business_day", 1)),
    ],
)
@pytest.mark.parametrize("end", ["2026-12-31", "2026-01-31", "2026-02-28", "2027-11-29", "2028-01-30"])
def test_notice_may_be_as_long_as_a_renewal(value: int, unit: str, months: int, end: str) -> None:
    assert check(value, unit, months, termStart=None, termEnd=end) == []
    assert check(value, unit, months, termStart=None, termEnd=end, renewalType="option") == []


@pytest.mark.parametrize(
    ("value", "unit", "months"),
    [
        *(
            (2, "month", 1),
            (4, "month", 3),
            (13, "month", 12),
            (32, "day", 1),
            (63, "day", 2),
            (93, "day", 3),
        ),
        *((185, "day", 6), (367, "day", 12), (60, "day", 1), (40, "business_day", 1)),
    ],
)
def test_notice_that_is_longer_than_a_renewal_is_named(value: int, unit: str, months: int) -> None:
    assert check(value, unit, months, termStart="2020-01-01") == ["/noticePeriod"]


@pytest.mark.parametrize(
    ("start", "end", "value", "unit", "fits"),
    [
        ("2026-01-01", "2026-01-31", 1, "month", True),
        ("2026-02-01", "2026-04-30", 90, "day", True),
        ("2026-02-01", "2026-02-28", 30, "day", True),
        ("2026-01-01", "2026-01-10", 10, "day", True),
        ("2026-01-01", "2026-01-10", 11, "day", False),
        ("2026-01-01", "2026-01-31", 2, "month", False),
        ("2026-01-01", "2026-03-31", 93, "day", False),
    ],
)
def test_the_first_term_may_be_as_short_as_the_notice(
    start: str, end: str, value: int, unit: str, fits: bool
) -> None:
    assert check(value, unit, 12, termStart=start, termEnd=end) == ([] if fits else ["/noticePeriod"])


def monthly(value: int = 1, unit: Any = "month", months: int = 1, **others: Any) -> AgreementTerms:
    return AgreementTerms(
        start=date(2026, 1, 1),
        end=others.pop("end", LAST_DAY),
        renewal="auto_renew",
        renewal_months=months,
        notice=NoticePeriod(value=value, unit=unit),
        **others,
    )


@pytest.mark.parametrize(
    ("terms", "as_of", "term_end", "deadline", "ends"),
    [
        # The year ends on 31 December; notice of a month is due on 30 November.
        (monthly(), "2026-11-30", "2026-12-31", "2026-11-30", "2026-12-31"),
        (monthly(), "2026-12-01", "2026-12-31", "2026-12-31", "2027-01-31"),
        (monthly(), "2027-01-01", "2027-01-31", "2027-01-31", "2027-02-28"),
        (monthly(), "2027-02-28", "2027-02-28", "2027-02-28", "2027-03-31"),
        (monthly(end=date(2026, 1, 31)), "2025-12-31", "2026-01-31", "2025-12-31", "2026-01-31"),
        (monthly(end=date(2026, 1, 31)), "2026-01-01", "2026-01-31", "2026-01-31", "2026-02-28"),
        (monthly(3, months=3), "2026-10-01", "2026-12-31", "2026-12-31", "2027-03-31"),
        (monthly(6, months=6), "2027-02-01", "2027-06-30", "2027-06-30", "2027-12-31"),
        (monthly(90, "day", 3), "2026-10-03", "2026-12-31", "2026-12-31", "2027-03-31"),
        (monthly(90, "day", 3), "2027-04-01", "2027-06-30", "2027-04-01", "2027-06-30"),
        (monthly(90, "day", 3), "2027-04-02", "2027-06-30", "2027-07-02", "2027-09-30"),
        (monthly(60, "day", 2), "2027-01-01", "2027-02-28", "2027-03-01", "2027-04-30"),
        (monthly(30, "day", 1), "2027-05-15", "2027-05-31", "2027-05-31", "2027-06-30"),
    ],
)
def test_the_deadline_is_the_last_day_on_which_something_can_be_done(
    terms: AgreementTerms, as_of: str, term_end: str, deadline: str, ends: str
) -> None:
    position = find_position(terms, date.fromisoformat(as_of), EVERY_DAY)
    assert (str(position.term_end), str(position.deadline)) == (term_end, deadline)
    assert position.status in {"active", "in_notice_window", "upcoming"}
    assert position.term_to_end is not None
    assert str(position.term_to_end.end) == ends
    assert f"{position.deadline:%-d %B %Y}: " in describe_dates(
        terms, position, date.fromisoformat(as_of), EVERY_DAY
    )


def test_a_shorter_notice_is_missed_until_its_term_ends() -> None:
    for terms in (monthly(15, "day"), monthly(27, "day"), monthly(2, months=3)):
        position = find_position(terms, date(2027, 5, 30), EVERY_DAY)
        assert position.status == "deadline_missed"
        assert position.term_to_end == position.occurrence


@pytest.mark.parametrize("days", [EVERY_DAY, WEEKENDS])
@pytest.mark.parametrize(
    "terms", [monthly(), monthly(3, months=3), monthly(90, "day", 3), monthly(60, "day", 2)]
)
def test_notice_on_the_deadline_ends_the_term_and_a_day_later_the_next(
    terms: AgreementTerms, days: WorkingDays
) -> None:
    as_of = date(2026, 10, 1)
    while as_of < date(2028, 1, 1):
        position = find_position(terms, as_of, days)
        assert position.term_to_end is not None
        assert position.deadline is not None
        assert position.deadline >= as_of or position.term_to_end == position.occurrence
        if position.deadline >= as_of:
            noticed = replace(terms, notice_given=as_of)
            ends_on, last_day = find_position(noticed, as_of, days).ends_on, position.term_to_end.end
            # On a day off before the agreed deadline, notice is still in time for the term before.
            assert ends_on == last_day or (days == WEEKENDS and ends_on is not None and ends_on < last_day)
        validity = find_validity(position, as_of)
        for other in (validity.first, as_of + timedelta(days=1), validity.last):
            if validity.holds_on(other) and date(2026, 6, 1) < other < date(2029, 1, 1):
                assert find_position(terms, other, days) == position
        as_of += timedelta(days=5)
