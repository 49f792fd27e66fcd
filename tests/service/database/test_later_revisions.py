"""The revisions that move what is stored move all of it, on both stores."""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from app.contract.agreements import AgreementLine, AgreementOwner, NewAgreement
from app.service.access.keys import create_key
from app.service.agreements.stored_agreement import build_columns, read_agreed
from app.service.database.columns import Instant
from app.service.database.engine import Database, open_database
from app.service.database.schema import MIGRATIONS, _own_session, migrate
from app.service.database.tables.access import organisation
from app.service.database.tables.agreements import agreement
from app.service.database.tables.letters import letter
from app.service.ids import new_id
from tests.service.postgres import fresh_database

NOW = datetime(2026, 11, 27, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.second_store)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database at the revision before those that move anything."""
    if request.param == "sqlite":
        database = open_database(f"sqlite:///{tmp_path / 'parley.sqlite3'}")
        bring_to_312(database)
        yield database
        database.close()
        return
    with fresh_database(request.getfixturevalue("postgres_server")) as url:
        database = open_database(url.replace("postgresql:", "postgresql+psycopg:"))
        bring_to_312(database)
        yield database
        database.close()


def bring_to_312(database: Database) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with _own_session(database) as session:
        config.attributes["connection"] = session.execution_options(writing=True)
        command.upgrade(config, "312")
        session.commit()
    with database.writing() as connection:
        create_key(connection, name="a", organisation_name="Acme", role="owner", now=NOW)


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
MOVED = {
    **{"currency": "currency", "total_value": "totalValue", "one_time_value": "oneTimeValue"},
    **{"owners": "owners", "cost_center": "costCenter"},
}


def put_on_record(database: Database, one: NewAgreement) -> str:
    """Store an agreement as revision 312 does, with all that was agreed in one column."""
    columns: dict[str, Any] = {**build_columns(one)}
    del columns["priced_by_part"]
    former = {key: columns.pop(name) for name, key in MOVED.items()}
    former = {
        key: float(value) if isinstance(value, Decimal) else value
        for key, value in former.items()
        if value is not None
    }
    columns["content"] = {**columns["content"], **former}
    others: dict[str, Any] = {"search_text": "", "evidence": {}, "created_at": NOW, "updated_at": NOW}
    agreement_id = new_id()
    with database.writing() as connection:
        owner = connection.scalars(sa.select(organisation.c.id)).one()
        row = {"id": agreement_id, "organisation_id": owner, **others, **columns}
        connection.execute(agreement.insert().values(row))
    return agreement_id


def test_what_agreements_cost_is_moved(database: Database) -> None:
    for one in AGREED.values():
        put_on_record(database, one)
    migrate(database)
    with database.reading() as connection:
        rows = connection.execute(sa.select(agreement)).mappings().all()
    assert {row["name"]: read_agreed(row) for row in rows} == AGREED
    by_part = {"nothing known": False, "all known": False, "a ramp": True}
    assert {row["name"]: row["priced_by_part"] for row in rows} == by_part
    stored = {row["name"]: {"content": row["content"], "cost": row["total_value"]} for row in rows}
    for name, one in AGREED.items():
        expected = build_columns(one)
        assert stored[name] == {"content": expected["content"], "cost": expected["total_value"]}


SENDING: dict[str, Any] = {
    **{"status": "queued", "recipient": "zoe@example.com", "attempts": 2, "error": "451", "sent_at": None},
    **{"next_at": NOW, "created_at": NOW},
}


def test_letters_are_moved(database: Database) -> None:
    about = put_on_record(database, AGREED["all known"])
    with database.writing() as connection:
        owner = connection.scalars(sa.select(organisation.c.id)).one()
        talks = sa.Table("negotiation", sa.MetaData(), autoload_with=connection)
        row: dict[str, Any] = {
            column.name: {} if isinstance(column.type, sa.JSON) else "x"
            for column in talks.c
            if not column.nullable and not isinstance(column.type, sa.DateTime | sa.Boolean | sa.Integer)
        }
        row |= {column.name: NOW for column in talks.c if isinstance(column.type, sa.DateTime)}
        row |= {column.name: False for column in talks.c if isinstance(column.type, sa.Boolean)}
        row |= {
            column.name: 0
            for column in talks.c
            if not column.nullable and type(column.type) in (sa.INTEGER, sa.BIGINT)
        }
        connection.execute(talks.insert().values({**row, "id": "n", "organisation_id": owner}))
        former: dict[str, dict[str, Any]] = {
            "negotiation_mail": {"negotiation_id": "n", "kind": "counter", "subject": "S", "body": "B"},
            "agreement_mail": {"agreement_id": about, "alert": "ended 2026-11-27"},
            "naming_mail": {
                **{"organisation_id": owner, "object_kind": "scope", "object_id": "s", "comment_id": "c"},
                **{"named_by": "Ada", "recipient_name": "Zoë"},
            },
        }
        for name, own in former.items():
            values = {"id": name, **own, **SENDING}
            table = sa.table(
                name, *(sa.column(key, Instant if key.endswith("_at") else None) for key in values)
            )
            connection.execute(table.insert().values(values))
    migrate(database)
    with database.reading() as connection:
        rows = [
            {name: value for name, value in row.items() if value is not None}
            for row in connection.execute(sa.select(letter).order_by(letter.c.id)).mappings()
        ]
        assert not {*former} & {*sa.inspect(connection).get_table_names()}
    sending = {name: value for name, value in SENDING.items() if value is not None}
    of_agreement = {"object_kind": "agreement", "object_id": about, "reason": "ended 2026-11-27"}
    of_talks = {"object_kind": "negotiation", "object_id": "n", "reason": "counter"}
    assert rows == [
        {**sending, "id": "agreement_mail", "organisation_id": owner, "kind": "deadline", **of_agreement},
        {**sending, "id": "naming_mail", "kind": "naming", **former["naming_mail"]},
        {
            **{**sending, "id": "negotiation_mail", "organisation_id": owner, "kind": "supplier"},
            **{**of_talks, "subject": "S", "body": "B"},
        },
    ]
