"""Where agreements stand, as stored: on every day the same as computed."""

from collections import Counter
from datetime import date, datetime, timedelta
from random import Random
from typing import cast

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from sqlalchemy import Connection
from starlette.testclient import TestClient

from app.contract.agreements import PAST_STATUSES, AgreementQuery, NewAgreement
from app.contract.page import PageRequest
from app.service.access.caller import RecordOrigin
from app.service.agreements.dates.position import AgreementTerms, find_position, find_validity
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.listing import StoredAgreementPage, list_agreements, list_renewals
from app.service.agreements.store import insert_agreement, load_agreements
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.stored_positions import (
    build_position_columns,
    holds_on,
    refresh_positions,
)
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.database.tables import agreement, organisation
from tests.service.agreements.test_alerts import Day, app, day  # noqa: F401
from tests.service.agreements.test_dates import WEEKDAYS, invent_terms

EVERYTHING = PageRequest(500)


def test_a_position_holds_on_every_day_of_its_validity() -> None:
    random = Random(4)
    for _ in range(150):
        terms = invent_terms(random)
        as_of = date(2015, 1, 1) + timedelta(days=random.randrange(5000))
        position = find_position(terms, as_of, WEEKDAYS)
        validity = find_validity(position, as_of)
        assert validity.first <= as_of <= validity.last
        first = max(validity.first, as_of - timedelta(days=5000))
        length = (min(validity.last, as_of + timedelta(days=5000)) - first).days
        for offset in (0, length, *(random.randint(0, length) for _ in range(6))):
            then = find_position(terms, first + timedelta(days=offset), WEEKDAYS)
            assert then == position, (terms, as_of, offset)


@pytest.mark.campaign
def test_lists_by_stored_positions_equal_those_computed(
    app: FastAPI,  # noqa: F811
    api: TestClient,
    context: Context,
    day: Day,  # noqa: F811
) -> None:
    random = Random(7)
    with context.database.writing() as connection:
        organisation_id: str = connection.scalars(sa.select(organisation.c.id)).one()
        ids = [_insert(connection, organisation_id, invent_terms(random), day()) for _ in range(20)]
    day.today = date(2018, 1, 1)
    for _ in range(12):
        day.today += timedelta(days=random.randrange(1, 250))
        _change_something(api, random, ids, day.today)
        if random.random() < 0.4:
            refresh_positions(context)
        with context.database.reading() as connection:
            _compare(connection, organisation_id, day.today)
            _compare(connection, organisation_id, day.today + timedelta(days=random.randrange(-400, 400)))
    refresh_positions(context)
    stored = sa.select(agreement.c.position_from, agreement.c.position_until)
    with context.database.reading() as connection:
        assert all(first <= day.today <= last for first, last in connection.execute(stored))


def _insert(connection: Connection, organisation_id: str, terms: AgreementTerms, now: datetime) -> str:
    notice = terms.notice and {"value": terms.notice.value, "unit": terms.notice.unit}
    stated = {
        "name": "Analytics",
        "termStart": terms.start,
        "termEnd": terms.end,
        "renewalType": terms.renewal,
        "autoRenewalTermMonths": terms.renewal_months,
        "maxRenewals": terms.max_renewals,
        "maxExtentDate": terms.max_extent,
        "noticePeriod": notice,
        "noticeTo": terms.notice_to,
        "deliveryBufferDays": terms.buffer_days,
    }
    return insert_agreement(
        connection,
        NewAgreement.model_validate({name: value for name, value in stated.items() if value is not None}),
        RecordOrigin(organisation_id, now),
        max_agreements=100,
    )


def _change_something(api: TestClient, random: Random, ids: list[str], today: date) -> None:
    """Decide on agreements and change some, or state other days off; a change that cannot be is refused."""
    for one in random.sample(ids, 6):
        path = f"/v1/agreements/{one}"
        notice = {"noticePeriod": {"value": random.randrange(3, 40), "unit": "day"}}
        decision = {"decision": random.choice(("renew", "end", "renegotiate", "put_off"))}
        if decision["decision"] == "put_off":
            decision["until"] = str(today + timedelta(days=random.randrange(90)))
        if decision["decision"] == "end":
            decision["noticeGivenOn"] = str(today)
        change = random.random() < 0.3
        answer = api.patch(path, json=notice) if change else api.post(f"{path}/decision", json=decision)
        assert answer.status_code in (200, 400)
    if random.random() < 0.3:
        holidays = [{"date": str(today + timedelta(days=random.randrange(200)))} for _ in range(100)]
        weekend = random.choice((["friday", "saturday"], ["saturday", "sunday"]))
        answer = api.patch("/v1/working-days", json={"holidays": holidays, "weekend": weekend})
        assert answer.status_code == 200


def _compare(connection: Connection, organisation_id: str, as_of: date) -> None:
    days = load_working_days(connection, organisation_id)
    ranked = sorted(_compute(connection, as_of, days))
    whole = list_agreements(connection, organisation_id, {}, as_of, days, EVERYTHING)
    assert _ids(whole) == [key for *_, key, _, _ in ranked]
    assert whole.statuses == Counter(status for *_, status, _ in ranked)
    for stage in {stage for *_, stage in ranked}:
        query = cast(AgreementQuery, {"stage": stage})
        found = list_agreements(connection, organisation_id, query, as_of, days, PageRequest(5, 2))
        wanted = [key for *_, key, _, its_stage in ranked if its_stage == stage]
        assert (_ids(found), found.total) == (wanted[2:7], len(wanted))
    for status in whole.statuses:
        of_status = cast(AgreementQuery, {"status": status})
        found = list_agreements(connection, organisation_id, of_status, as_of, days, EVERYTHING)
        assert _ids(found) == [key for *_, key, its_status, _ in ranked if its_status == status]
    last = as_of + timedelta(days=90)
    for stored in connection.execute(sa.select(agreement).where(holds_on(as_of))).mappings():
        dates = DateRow(*(stored[name] for name in DateRow._fields))
        computed = build_position_columns(dates, as_of, days)
        names = ("status", "stage", "past", "order_day")
        assert [stored[name] for name in names] == [computed[name] for name in names]
    renewals = list_renewals(connection, organisation_id, 90, as_of, days, EVERYTHING)
    assert _ids(renewals) == [key for past, first, key, *_ in ranked if not past and first <= last]


def _compute(
    connection: Connection, as_of: date, days: WorkingDays
) -> list[tuple[bool, date, str, str, str]]:
    ids = connection.scalars(sa.select(agreement.c.id)).all()
    computed: list[tuple[bool, date, str, str, str]] = []
    for one in load_agreements(connection, ids).values():
        position = one.dates.find_position(as_of, days)
        stage = one.dates.find_stage(position)
        order_day = one.dates.find_order_day(position, as_of) or date.max
        computed.append((position.status in PAST_STATUSES, order_day, one.id, position.status, stage))
    return computed


def _ids(found: StoredAgreementPage) -> list[str]:
    return [one.agreement.id for one in found.agreements]
