"""Dates of agreements: worked cases, and random agreements against a slow computation that walks day by
day."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta

from app.contract.agreements import NoticePeriod
from app.service.agreements.dates.notice import find_end_after_notice
from app.service.agreements.dates.position import (
    NOTICE_WINDOW,
    AgreementTerms,
    Position,
    find_position,
    iterate_occurrences,
)
from app.service.agreements.dates.statement import describe_dates
from app.service.agreements.dates.working_days import WorkingDays
from tests.service.agreements.slow_dates import find_slow_position
from tests.service.agreements.worked_dates import CASES, day, yearly

EVERY_DAY = WorkingDays(frozenset())
WEEKDAYS = WorkingDays(holidays=frozenset({date(2026, 12, 25), date(2027, 1, 1)}))


@pytest.mark.parametrize(
    ("terms", "as_of", "term_end", "deadline", "status"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_worked_cases(
    terms: AgreementTerms, as_of: str, term_end: str | None, deadline: str | None, status: str
) -> None:
    position = find_position(terms, day(as_of), EVERY_DAY)
    assert position.status == status
    assert position.term_end == (term_end and day(term_end))
    assert position.deadline == (deadline and day(deadline))


def test_a_deadline_on_a_day_off_moves_back_and_never_forward() -> None:
    """30 June 2029 is a Saturday; 25 December 2026 is a Friday and a holiday."""
    terms = yearly("2028-10-01", "2029-09-30")
    assert find_position(terms, day("2029-01-01"), WEEKDAYS).deadline == day("2029-06-29")
    terms = yearly("2026-01-01", "2027-01-24", 30, "day")
    assert find_position(terms, day("2026-12-01"), WEEKDAYS).deadline == day("2026-12-24")


def test_business_days_leave_out_weekends_and_holidays() -> None:
    terms = yearly("2026-01-05", "2027-01-04", 5, "business_day")
    # Back from Monday 4 January: 31, 30, 29 and 28 December, then 24; 1 January and 25 December are holidays.
    assert find_position(terms, day("2026-06-01"), WEEKDAYS).deadline == day("2026-12-24")


def test_days_for_delivery_count_only_where_notice_must_be_received() -> None:
    terms = yearly("2026-01-01", "2026-12-31", buffer_days=5)
    assert find_position(terms, day("2026-06-01"), WEEKDAYS).deadline == day("2026-09-25")
    assert find_position(replace(terms, notice_to="sent"), day("2026-06-01"), WEEKDAYS).deadline == day(
        "2026-09-30"
    )


def test_a_decision_to_renew_holds_for_its_term_only() -> None:
    terms = yearly("2026-01-01", "2026-12-31")
    decided_on = day("2026-08-01")
    assert find_position(terms, day("2026-11-01"), EVERY_DAY, decided_on).status == "active"
    assert find_position(terms, day("2027-11-01"), EVERY_DAY, decided_on).status == "deadline_missed"
    unknown = replace(terms, notice=None)  # the end of its term is not the last day to act
    decided = find_position(unknown, day("2026-11-01"), EVERY_DAY, decided_on)
    assert (decided.status, decided.act_by) == ("active", None)
    assert find_position(unknown, day("2027-11-01"), EVERY_DAY, decided_on).act_by == day("2027-12-31")


def _describe(terms: AgreementTerms, as_of: str, days: WorkingDays = EVERY_DAY) -> str:
    return describe_dates(terms, find_position(terms, day(as_of), days), day(as_of), days)


def test_statements_say_how_a_date_was_computed() -> None:
    terms = yearly("2026-01-01", "2026-12-31")
    assert _describe(terms, "2026-05-01") == (
        "30 September 2026: three months before the current term ends on 31 December 2026."
    )
    assert _describe(terms, "2026-11-01") == (
        "The deadline of 30 September 2026 has passed: three months before the current term ends on"
        " 31 December 2026. It renews on 1 January 2027 for twelve months."
    )
    late = replace(terms, notice_given=day("2026-10-01"))
    assert _describe(late, "2026-11-01").endswith(
        "Notice was given on 1 October 2026, which is too late for this term."
    )
    rolled = replace(terms, notice=NoticePeriod(value=90, unit="day"), buffer_days=5)
    assert _describe(rolled, "2026-05-01", WEEKDAYS) == (
        "25 September 2026: 90 days before the current term ends on 31 December 2026, less five days for"
        " delivery, moved back from Sunday 27 September 2026, which is no working day."
    )
    evergreen = AgreementTerms(
        day("2020-01-01"), None, "evergreen", notice=NoticePeriod(value=1, unit="month")
    )
    assert _describe(evergreen, "2026-02-28") == (
        "It runs until notice is given: notice given on 28 February 2026 ends it on 31 March 2026."
    )
    followed = replace(evergreen, followed_on=day("2026-05-01"))
    assert _describe(followed, "2026-02-28") == (
        "It ends on 30 April 2026: the agreement that follows it begins on 1 May 2026."
    )
    assert _describe(followed, "2026-05-01") == (
        "It ended on 30 April 2026: the agreement that follows it began on 1 May 2026."
    )


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_every_case_has_a_statement_with_its_dates(
    case: tuple[str, AgreementTerms, str, Any, Any, str],
) -> None:
    _, terms, as_of, _, _, status = case
    statement = _describe(terms, as_of)
    assert statement.endswith(".")
    assert "None" not in statement
    if status != "unknown" and terms.end is not None:
        assert any(str(year) in statement for year in range(2016, 2030))


@pytest.mark.campaign
def test_notice_of_an_evergreen_agreement_is_in_time_for_the_first_possible_day() -> None:
    for offset in range(800):
        given = day("2023-12-01") + timedelta(days=offset)
        end = find_end_after_notice(given, NoticePeriod(value=1, unit="month"), EVERY_DAY)
        in_time = [
            last
            for last in (given + timedelta(days=n) for n in range(20, 45))
            if last + timedelta(days=1) - relativedelta(months=1) - timedelta(days=1) >= given
        ]
        assert end == in_time[0], given


def invent_terms(random: Random) -> AgreementTerms:
    start = date(2015, 1, 1) + timedelta(days=random.randrange(3000))
    whole = random.random() < 0.7
    months = random.choice((1, 2, 3, 6, 12, 24, 36, 60))
    end = start + relativedelta(months=months) - timedelta(days=1)
    if not whole:
        end = start + timedelta(days=random.randrange(30, 1500))
    unit = random.choice(("day", "month", "business_day"))
    period = NoticePeriod(value=random.randrange(4 if unit == "month" else 25), unit=unit)
    renewal = random.choice(("none", "auto_renew", "auto_renew", "auto_renew", "evergreen", "option", None))
    known = random.random()
    return AgreementTerms(
        start=start if known > 0.1 else None,
        end=end,
        renewal=renewal,
        renewal_months=random.choice((4, 6, 12, 12, 24, 36)) if known < 0.95 else None,
        max_renewals=random.choice((None, None, 0, 1, 3)),
        max_extent=random.choice((None, None, end + timedelta(days=random.randrange(2000)))),
        notice=period if random.random() > 0.1 else None,
        notice_to=random.choice(("sent", "received")),
        buffer_days=random.choice((0, 0, 3, 10)),
        notice_given=random.choice((None, None, end + timedelta(days=random.randrange(-200, 2000)))),
        options_exercised=random.randrange(3),
        followed_on=(
            random.choice((None, start + timedelta(days=random.randrange(-50, 2000))))
            if renewal == "evergreen"
            else None
        ),
    )


def _compare(count: int, seed: int) -> None:
    random = Random(seed)
    off = frozenset(date(2015, 1, 1) + timedelta(days=random.randrange(6000)) for _ in range(150))
    days = WorkingDays(holidays=off)
    for number in range(count):
        terms = invent_terms(random)
        as_of = date(2014, 6, 1) + timedelta(days=random.randrange(5500))
        position = find_position(terms, as_of, days)
        computed = _summarise(position)
        assert computed == find_slow_position(terms, as_of, off, NOTICE_WINDOW.days), (number, terms, as_of)
        if position.occurrence is not None and terms.renewal not in (None, "evergreen"):
            listed = [one for one in iterate_occurrences(terms, days) if one.end >= as_of]
            current = listed[0] if listed else list(iterate_occurrences(terms, days))[-1]
            assert current == position.occurrence, (number, terms, as_of)


def _summarise(position: Position) -> tuple[str, date | None, date | None, date | None]:
    return position.status, position.term_start, position.term_end, position.deadline


def test_random_agreements_equal_a_slow_computation() -> None:
    _compare(300, 1)


@pytest.mark.campaign
def test_ten_thousand_random_agreements_equal_a_slow_computation() -> None:
    _compare(10_000, 2)
