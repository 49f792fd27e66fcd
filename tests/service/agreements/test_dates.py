"""Dates of agreements: worked cases, and random agreements against a slow computation that walks day by
day."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta

from app.service.agreements.dates.notice import NoticePeriod, find_end_after_notice
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

EVERY_DAY = WorkingDays(frozenset())
WEEKDAYS = WorkingDays(holidays=frozenset({date(2026, 12, 25), date(2027, 1, 1)}))
MONTHS = NoticePeriod(3, "month")


def day(text: str) -> date:
    return date.fromisoformat(text)


def yearly(start: str, end: str, value: int = 3, unit: Any = "month", **others: Any) -> AgreementTerms:
    return AgreementTerms(
        start=day(start),
        end=day(end),
        renewal=others.pop("renewal", "auto_renew"),
        renewal_months=others.pop("months", 12),
        notice=NoticePeriod(value, unit),
        **others,
    )


CASES: list[tuple[str, AgreementTerms, str, str | None, str | None, str]] = [
    # name, terms, as of, end of the current term, deadline, status
    (
        "three months",
        yearly("2026-01-01", "2026-12-31"),
        "2026-05-01",
        "2026-12-31",
        "2026-09-30",
        "active",
    ),
    (
        "90 days are not three months",
        yearly("2026-01-01", "2026-12-31", 90, "day"),
        "2026-07-15",
        "2026-12-31",
        "2026-10-02",
        "in_notice_window",
    ),
    (
        "the deadline itself is in time",
        yearly("2026-01-01", "2026-12-31"),
        "2026-09-30",
        "2026-12-31",
        "2026-09-30",
        "in_notice_window",
    ),
    (
        "a day later it is missed",
        yearly("2026-01-01", "2026-12-31"),
        "2026-10-01",
        "2026-12-31",
        "2026-09-30",
        "deadline_missed",
    ),
    (
        "missed until the last day",
        yearly("2026-01-01", "2026-12-31"),
        "2026-12-31",
        "2026-12-31",
        "2026-09-30",
        "deadline_missed",
    ),
    (
        "then the next term",
        yearly("2026-01-01", "2026-12-31"),
        "2027-01-01",
        "2027-12-31",
        "2027-09-30",
        "active",
    ),
    (
        "the window begins 90 days before the deadline",
        yearly("2026-01-01", "2026-12-31"),
        "2026-07-02",
        "2026-12-31",
        "2026-09-30",
        "in_notice_window",
    ),
    (
        "the day before the window",
        yearly("2026-01-01", "2026-12-31"),
        "2026-07-01",
        "2026-12-31",
        "2026-09-30",
        "active",
    ),
    ("upcoming", yearly("2027-01-01", "2027-12-31"), "2026-05-01", "2027-12-31", "2027-09-30", "upcoming"),
    # GLPI 23084: the notice day follows the renewed term. Ends are the last day here, the day after it there.
    (
        "glpi 23084",
        yearly("2024-08-28", "2025-08-27", 2),
        "2026-02-11",
        "2026-08-27",
        "2026-06-27",
        "active",
    ),
    # GLPI 15893: three years, then a year at a time.
    (
        "glpi 15893, the first term",
        yearly("2020-08-01", "2023-07-31"),
        "2023-01-01",
        "2023-07-31",
        "2023-04-30",
        "active",
    ),
    (
        "glpi 15893, renewed",
        yearly("2020-08-01", "2023-07-31"),
        "2023-10-31",
        "2024-07-31",
        "2024-04-30",
        "active",
    ),
    # GLPI 6004: 36 months from 27 September 2018, notice three months before, told 21 days ahead.
    (
        "glpi 6004",
        yearly("2018-09-27", "2021-09-26"),
        "2019-06-06",
        "2021-09-26",
        "2021-06-26",
        "active",
    ),
    # GLPI 14703 and 17725: 60 months and 12 are 72, not 120.
    (
        "glpi 14703",
        yearly("2018-01-01", "2022-12-31"),
        "2023-05-12",
        "2023-12-31",
        "2023-09-30",
        "active",
    ),
    # GLPI 505: a month from 1 January ends on 31 January.
    (
        "glpi 505",
        yearly("2016-01-01", "2016-01-31", 1, "day", months=1),
        "2016-01-15",
        "2016-01-31",
        "2016-01-30",
        "in_notice_window",
    ),
    # GLPI 24274: six months from 31 May end before 30 November.
    (
        "glpi 24274",
        AgreementTerms(day("2025-05-31"), day("2025-11-29"), "none"),
        "2025-06-01",
        "2025-11-29",
        None,
        "active",
    ),
    # GLPI 9090: a renewed agreement is not expired.
    (
        "glpi 9090",
        yearly("2019-01-01", "2019-12-31"),
        "2021-05-20",
        "2021-12-31",
        "2021-09-30",
        "active",
    ),
    (
        "from 29 February",
        yearly("2024-02-29", "2025-02-27", 1),
        "2025-01-01",
        "2025-02-27",
        "2025-01-27",
        "in_notice_window",
    ),
    (
        "29 February four years on",
        yearly("2024-02-29", "2025-02-27", 1),
        "2027-06-01",
        "2028-02-28",
        "2028-01-28",
        "active",
    ),
    (
        "to the end of February",
        yearly("2024-03-01", "2025-02-28", 1),
        "2027-06-01",
        "2028-02-29",
        "2028-01-31",
        "active",
    ),
    (
        "a year and a day keeps the day after its end",
        yearly("2024-02-29", "2025-02-28", 1),
        "2027-06-01",
        "2028-02-29",
        "2028-01-31",
        "active",
    ),
    (
        "monthly from the 31st",
        yearly("2025-01-31", "2025-02-27", 7, "day", months=1),
        "2025-03-15",
        "2025-03-30",
        "2025-03-23",
        "in_notice_window",
    ),
    (
        "monthly from the 31st, a year on",
        yearly("2025-01-31", "2025-02-27", 7, "day", months=1),
        "2026-02-10",
        "2026-02-27",
        "2026-02-20",
        "in_notice_window",
    ),
    (
        "months are clipped",
        yearly("2025-05-31", "2026-05-30"),
        "2026-02-01",
        "2026-05-30",
        "2026-02-27",
        "in_notice_window",
    ),
    (
        "no notice is needed",
        yearly("2026-01-01", "2026-12-31", 0, "day"),
        "2026-12-31",
        "2026-12-31",
        "2026-12-31",
        "in_notice_window",
    ),
    (
        "ends by itself",
        yearly("2026-01-01", "2026-12-31", renewal="none"),
        "2026-12-31",
        "2026-12-31",
        None,
        "in_notice_window",
    ),
    (
        "ends by itself, not soon",
        yearly("2026-01-01", "2026-12-31", renewal="none"),
        "2026-10-01",
        "2026-12-31",
        None,
        "active",
    ),
    (
        "ended by itself",
        yearly("2026-01-01", "2026-12-31", renewal="none"),
        "2027-01-01",
        "2026-12-31",
        None,
        "expired",
    ),
    (
        "the last renewal has no deadline",
        yearly("2024-01-01", "2024-12-31", max_renewals=1),
        "2025-06-01",
        "2025-12-31",
        None,
        "active",
    ),
    (
        "renewed as often as it may",
        yearly("2024-01-01", "2024-12-31", max_renewals=1),
        "2026-01-01",
        "2025-12-31",
        None,
        "expired",
    ),
    (
        "cut off by the last possible day",
        yearly("2024-01-01", "2024-12-31", max_extent=day("2026-06-30")),
        "2026-02-01",
        "2026-06-30",
        None,
        "active",
    ),
    (
        "the term before it has a deadline",
        yearly("2024-01-01", "2024-12-31", max_extent=day("2026-06-30")),
        "2025-02-01",
        "2025-12-31",
        "2025-09-30",
        "active",
    ),
    (
        "the last possible day is an end of a term",
        yearly("2024-01-01", "2024-12-31", max_extent=day("2025-12-31")),
        "2025-02-01",
        "2025-12-31",
        None,
        "active",
    ),
    (
        "notice in time",
        yearly("2026-01-01", "2026-12-31", notice_given=day("2026-09-30")),
        "2026-11-01",
        "2026-12-31",
        None,
        "active",
    ),
    (
        "ended by notice",
        yearly("2026-01-01", "2026-12-31", notice_given=day("2026-09-30")),
        "2027-01-01",
        "2026-12-31",
        None,
        "ended",
    ),
    (
        "notice a day late",
        yearly("2026-01-01", "2026-12-31", notice_given=day("2026-10-01")),
        "2026-11-01",
        "2026-12-31",
        "2026-09-30",
        "deadline_missed",
    ),
    (
        "which ends the next term",
        yearly("2026-01-01", "2026-12-31", notice_given=day("2026-10-01")),
        "2028-03-01",
        "2027-12-31",
        None,
        "ended",
    ),
    (
        "an option to be taken",
        yearly("2026-01-01", "2026-12-31", renewal="option"),
        "2026-08-01",
        "2026-12-31",
        "2026-09-30",
        "in_notice_window",
    ),
    (
        "an option that was not taken",
        yearly("2026-01-01", "2026-12-31", renewal="option"),
        "2027-01-01",
        "2026-12-31",
        "2026-09-30",
        "expired",
    ),
    (
        "an option that was taken",
        yearly("2026-01-01", "2026-12-31", renewal="option", options_exercised=1),
        "2027-01-01",
        "2027-12-31",
        "2027-09-30",
        "active",
    ),
    (
        "the last option",
        yearly("2026-01-01", "2026-12-31", renewal="option", options_exercised=1, max_renewals=1),
        "2027-01-01",
        "2027-12-31",
        None,
        "active",
    ),
    (
        "evergreen",
        AgreementTerms(day("2020-01-01"), None, "evergreen", notice=MONTHS),
        "2026-05-01",
        None,
        None,
        "active",
    ),
    (
        "evergreen with notice",
        AgreementTerms(day("2020-01-01"), None, "evergreen", notice=MONTHS, notice_given=day("2026-04-30")),
        "2026-05-01",
        "2026-07-31",
        None,
        "active",
    ),
    (
        "evergreen after its notice",
        AgreementTerms(day("2020-01-01"), None, "evergreen", notice=MONTHS, notice_given=day("2026-04-30")),
        "2026-08-01",
        "2026-07-31",
        None,
        "ended",
    ),
    (
        "evergreen with a minimum",
        AgreementTerms(
            day("2026-01-01"), day("2027-12-31"), "evergreen", notice=MONTHS, notice_given=day("2026-04-30")
        ),
        "2026-05-01",
        "2027-12-31",
        None,
        "active",
    ),
    (
        "evergreen that another follows",
        AgreementTerms(day("2020-01-01"), None, "evergreen", notice=MONTHS, followed_on=day("2026-05-01")),
        "2026-04-30",
        "2026-04-30",
        None,
        "active",
    ),
    (
        "evergreen after another began",
        AgreementTerms(day("2020-01-01"), None, "evergreen", notice=MONTHS, followed_on=day("2026-05-01")),
        "2026-05-01",
        "2026-04-30",
        None,
        "ended",
    ),
    ("no end", AgreementTerms(day("2026-01-01"), None, "auto_renew"), "2026-05-01", None, None, "unknown"),
    ("no end yet", AgreementTerms(day("2026-01-01")), "2025-05-01", None, None, "upcoming"),
    (
        "no renewal type",
        AgreementTerms(day("2026-01-01"), day("2026-12-31")),
        "2026-05-01",
        "2026-12-31",
        None,
        "unknown",
    ),
    (
        "no renewal type, after the term",
        AgreementTerms(day("2026-01-01"), day("2026-12-31")),
        "2027-05-01",
        "2026-12-31",
        None,
        "unknown",
    ),
    (
        "no notice period",
        AgreementTerms(day("2026-01-01"), day("2026-12-31"), "auto_renew", 12),
        "2027-05-01",
        "2027-12-31",
        None,
        "unknown",
    ),
    (
        "no renewal term",
        AgreementTerms(day("2026-01-01"), day("2026-12-31"), "auto_renew", notice=MONTHS),
        "2027-05-01",
        "2026-12-31",
        "2026-09-30",
        "unknown",
    ),
    (
        "no start",
        AgreementTerms(None, day("2026-12-31"), "auto_renew", 12, notice=MONTHS),
        "2027-05-01",
        "2027-12-31",
        "2027-09-30",
        "active",
    ),
]


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
    rolled = replace(terms, notice=NoticePeriod(90, "day"), buffer_days=5)
    assert _describe(rolled, "2026-05-01", WEEKDAYS) == (
        "25 September 2026: 90 days before the current term ends on 31 December 2026, less five days for"
        " delivery, moved back from Sunday 27 September 2026, which is no working day."
    )
    evergreen = AgreementTerms(day("2020-01-01"), None, "evergreen", notice=NoticePeriod(1, "month"))
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
        end = find_end_after_notice(given, NoticePeriod(1, "month"), EVERY_DAY)
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
    period = NoticePeriod(random.randrange(4 if unit == "month" else 25), unit)
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
