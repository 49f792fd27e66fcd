"""The revision that takes what agreements cost out of their other fields takes all of it, on both stores."""

from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from app.contract.agreements import AgreementLine, AgreementOwner, NewAgreement
from app.service.access.keys import create_key
from app.service.agreements.stored_agreement import build_columns, read_agreed
from app.service.context import Context
from app.service.database.schema import MIGRATIONS, _own_session, migrate
from app.service.database.tables.access import organisation
from app.service.database.tables.agreements import agreement
from app.service.ids import new_id

pytestmark = pytest.mark.both_stores

AGREED = {
    "nothing known": NewAgreement(name="nothing known"),
    "all known": NewAgreement(
        name="all known",
        reference='a "months" of its own',
        currency="EUR",
        total_value=Decimal("1234.56"),
        one_time_value=Decimal(0),
        owners=[AgreementOwner(name="Zoë", email="zoe@example.com")],
        cost_center="CC-1",
        lines=[AgreementLine(description="Seats", amount=Decimal("0.1"))],
    ),
    "a ramp": NewAgreement(
        name="a ramp", total_value=Decimal(10**11), lines=[AgreementLine(description="Seats", months=12)]
    ),
}


def read(context: Context) -> tuple[dict[str, NewAgreement], dict[str, bool]]:
    with context.database.reading() as connection:
        rows = connection.execute(sa.select(agreement)).mappings().all()
    return {row["name"]: read_agreed(row) for row in rows}, {
        row["name"]: row["priced_by_part"] for row in rows
    }


def read_content(context: Context) -> dict[str, Any]:
    with context.database.reading() as connection:
        rows = connection.execute(sa.select(agreement.c.name, agreement.c.content))
        return {row.name: row.content for row in rows}


def test_what_agreements_cost_is_moved_and_back(context: Context) -> None:
    now = context.clock()
    with context.database.writing() as connection:
        create_key(connection, name="a", organisation_name="Acme", role="owner", now=now)
        own: dict[str, Any] = {
            "organisation_id": connection.scalars(sa.select(organisation.c.id)).one(),
            **{"search_text": "", "evidence": {}, "created_at": now, "updated_at": now},
        }
        for one in AGREED.values():
            connection.execute(agreement.insert().values(id=new_id(), **own, **build_columns(one)))
    by_part = {"nothing known": False, "all known": False, "a ramp": True}
    assert read(context) == (AGREED, by_part)
    moved = read_content(context)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with _own_session(context.database) as session:
        config.attributes["connection"] = session.execution_options(writing=True)
        command.downgrade(config, "312")
        session.commit()
    content = read_content(context)
    assert content["all known"]["totalValue"] == 1234.56
    assert content["all known"]["owners"] == [{"name": "Zoë", "email": "zoe@example.com"}]
    migrate(context.database)
    assert read(context) == (AGREED, by_part)
    assert read_content(context) == moved
