"""Databases of 0.1 and 0.2 are brought over to this version, with all their rows, on both stores."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import SecretStr
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from starlette.testclient import TestClient

from app.service.access.keys import create_key
from app.service.database.engine import Database, open_database
from app.service.database.migrations import former_versions
from app.service.database.schema import (
    OutdatedSchema,
    current_revision,
    migrate,
    newest_revision,
    require_supported,
)
from app.service.database.tables import fingerprint, product, purchase, purchase_with_product, webhook
from app.service.former_records import describe_former_records
from app.service.http.dependencies import CONTEXT
from app.service.ids import to_purchase_id
from app.service.main import create_service
from app.service.webhooks.signing import read_retired
from app.settings import Settings
from tests.service.database.former_databases import (
    KEY_OF_SECRETS,
    VERSIONS,
    open_former_dump,
    open_former_file,
)
from tests.service.migrated_database import provide_schema
from tests.service.postgres import fresh_database

STORES = ("sqlite", "postgresql")
MADE_ANEW = {
    *("alembic_version", "schema_support", "worker"),
    *("company_gram", "entry_count", "common_word", "search_entry"),
}
"""Tables whose rows follow from others, or end with a version."""
SOON_AFTER = datetime(2026, 11, 27, tzinfo=UTC)
"""While nothing that the versions left is due to be deleted."""
SEARCH_INDEXES = ("article_words", "search_words")
RETYPED = {("task", "kind"), ("purchase", "id"), ("imported_row", "row_id")}

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Upgraded:
    """A database that was of a former version, with the rows before and after its migration."""

    database: Database
    before: Rows
    after: Rows


@pytest.fixture(
    scope="module", params=[(version, store) for version in VERSIONS for store in STORES], ids="-".join
)
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    version, store = request.param
    with ExitStack() as held:
        database = open_former(version, store, request, tmp_path_factory.mktemp("former"), held)
        assert current_revision(database) == VERSIONS[version]
        with pytest.raises(OutdatedSchema, match="run `parley migrate`"):
            require_supported(database)
        with database.writing() as connection:
            connection.execute(sa.text("UPDATE company SET sample = TRUE WHERE name = 'Northwind'"))
        with database.reading() as connection:
            before = read_rows(connection)
        migrate(database)
        describe_former_records(database)
        with database.reading() as connection:
            after = read_rows(connection)
        yield Upgraded(database, before, after)


def open_former(
    version: str, store: str, request: pytest.FixtureRequest, folder: Path, held: ExitStack
) -> Database:
    if store == "sqlite":
        database = open_former_file(version, folder / "parley.sqlite3")
    else:
        url = held.enter_context(fresh_database(request.getfixturevalue("postgres_server")))
        database = open_former_dump(version, url)
    held.callback(database.close)
    return database


def read_rows(connection: Connection) -> Rows:
    names = [name for name in sa.inspect(connection).get_table_names() if not name.startswith(SEARCH_INDEXES)]
    return {
        name: [{**row} for row in connection.exec_driver_sql(f"SELECT * FROM {name}").mappings()]
        for name in names
    }


def read_schema(connection: Connection) -> set[tuple[str, ...]]:
    """Every table, index, constraint and trigger, with its definition."""
    queries = (
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@'"
        " AND tbl_name <> 'alembic_version'",
    )
    if connection.dialect.name == "postgresql":
        queries = (
            "SELECT table_name, column_name, data_type, udt_name, character_maximum_length, is_nullable,"
            " column_default, collation_name, generation_expression FROM information_schema.columns"
            " WHERE table_schema = current_schema()",
            "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()",
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE connamespace = current_schema()::regnamespace",
            "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
            "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace",
            "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_'",
        )
    return {tuple(map(str, row)) for query in queries for row in connection.exec_driver_sql(query)}


def test_its_schema_is_that_of_a_new_database(
    upgraded: Upgraded, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    if not upgraded.database.is_sqlite:
        url = request.getfixturevalue("postgres_database").replace("postgresql://", "postgresql+psycopg://")
    new = open_database(url)
    provide_schema(new)
    with new.reading() as ours, upgraded.database.reading() as theirs:
        assert read_schema(theirs) ^ read_schema(ours) == set()
    new.close()
    require_supported(upgraded.database)
    migrate(upgraded.database)
    assert current_revision(upgraded.database) == newest_revision()


LEFT_OUT = {"previous_secret", "previous_secret_until", "row_key", "product_id", "family_id", "company_id"}
"""Columns of a webhook and of a purchase whose values are elsewhere now."""


def test_a_purchase_is_of_the_product_of_its_article(upgraded: Upgraded) -> None:
    of_article = sa.select(
        purchase.c.id, product.c.id, product.c.family_id, product.c.company_id
    ).select_from(purchase_with_product)
    with upgraded.database.reading() as connection:
        found = [tuple(row) for row in connection.execute(of_article)]
    names = ("product_id", "family_id", "company_id")
    before = [
        (to_purchase_id(row["row_key"]), *(row[name] for name in names))
        for row in upgraded.before["purchase"]
    ]
    assert sorted(found) == sorted(before) != []


@pytest.mark.campaign
def test_every_row_is_there(upgraded: Upgraded) -> None:
    for table, before in upgraded.before.items():
        if table in MADE_ANEW or not before:
            continue
        after = upgraded.after[table]
        assert {*before[0]} - {*after[0]} <= LEFT_OUT, table
        columns = [name for name in before[0] if name in after[0] and (table, name) not in RETYPED]
        there, found = (
            sorted(repr([row[name] for name in columns]) for row in rows) for rows in (before, after)
        )
        assert there == found, table


def test_what_it_lacked_follows_from_its_rows(upgraded: Upgraded) -> None:
    with upgraded.database.reading() as connection:

        def read(statement: str) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in connection.execute(sa.text(statement))]

        owners = "SELECT kind, name FROM task JOIN organisation ON organisation.id = organisation_id"
        assert {("extract", "Acme"), ("fetch_document", "Acme"), ("plan", "Acme")} <= {*read(owners)}
        same = read("SELECT quote_key FROM scope_document WHERE filename = 'März quote.csv'")
        assert set(same) == {("works łtd q202617",)}
        titles = read("SELECT title, status FROM scope ORDER BY created_on")
        assert titles[0] == ("Wörks Łtd: Analytics Suite", "replaced")
        assert {("none.pdf", "unreadable"), ("waiting.csv", "reading")} <= {*titles}
        assert read("SELECT name FROM product WHERE estimate_available AND organisation_id IS NULL")
        if "sample" not in upgraded.before["article"][0]:
            assert read("SELECT text FROM article WHERE sample") == [("Oak chair",)]
        for table, of_list in (("company", "="), ("product", "<>")):
            counted = read(f"SELECT sum(number) FROM entry_count WHERE list_id {of_list} ''")
            assert counted == read(f"SELECT count(*) FROM {table}")
        indexed = {row[0]: row[1] for row in read("SELECT kind, count(*) FROM search_entry GROUP BY kind")}
        assert indexed["scope"] == len(titles)
        assert indexed["negotiation"] == len(upgraded.before["negotiation"])
        retired = {row.id: row.retired_secrets for row in connection.execute(sa.select(webhook))}
        for row in upgraded.before["webhook"]:
            if row.get("previous_secret"):
                [secret] = read_retired(retired[row["id"]], datetime.min.replace(tzinfo=UTC))
                assert secret.sealed == row["previous_secret"]
        assert sum(secrets is not None for secrets in retired.values()) == 2


@pytest.mark.campaign
def test_the_service_answers_on_it(upgraded: Upgraded, tmp_path: Path) -> None:
    settings = Settings(
        database_url=upgraded.database.engine.url.render_as_string(hide_password=False),
        data_dir=tmp_path / "data",
        rate_limit=0,
        secret_key=SecretStr(KEY_OF_SECRETS),
    )
    service = create_service(settings, lambda: SOON_AFTER)
    database = CONTEXT.get(service).database
    with database.writing() as connection:
        connection.execute(fingerprint.delete())  # the folder for files is another: `parley migrate --accept`
        key = create_key(connection, name="a", organisation_name="Acme", role="owner", now=SOON_AFTER)[1]
    with TestClient(service, headers={"Authorization": f"Bearer {key}"}) as api:

        def read(path: str) -> Any:
            answer = api.get(f"/v1/{path}")
            assert answer.status_code == 200, answer.text
            return answer.json()

        companies = {one["name"]: one["id"] for one in read("catalog/companies")["data"]}
        assert {"Northwind", "Wörks Łtd"} <= {*companies}
        products = read(f"catalog/companies/{companies['Wörks Łtd']}/products")["data"]
        assert {"Analytics Suite", "Report Pack"} <= {one["name"] for one in products}
        [hooked, failing, *_] = read("webhooks")
        detail = read(f"webhooks/{hooked['id']}")
        assert detail["enabled"]
        events = read(f"webhooks/{failing['id']}/events")
        assert read(f"webhooks/{failing['id']}/events/{events[-1]['id']}")["attempts"]
        scopes = read("scope")["data"]
        for one in scopes:
            read(f"scope/{one['id']}")
        agreed = next(one["id"] for one in scopes if one["status"] == "agreed")
        assert read(f"pricing/basic/{agreed}")["estimate"]["percentile50"] > 0
        negotiations = read("negotiation")["data"]
        assert "complete" in {read(f"negotiation/{one['id']}/summary")["status"] for one in negotiations}
        for words in ("wor", "q202617", "2026-17", "ada buyer"):
            assert read(f"search?q={words}")["groups"], words
    database.close()


# --- what cannot be brought over ---


@pytest.mark.parametrize("store", STORES)
def test_what_fails_on_the_way_leaves_it_as_it_was(
    store: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no room")

    monkeypatch.setattr(former_versions, "_drop_former", fail)
    with ExitStack() as held:
        database = open_former("0.1", store, request, tmp_path, held)
        with database.reading() as connection:
            before = read_schema(connection), read_rows(connection)
        with pytest.raises(RuntimeError, match="no room"):
            migrate(database)
        with database.reading() as connection:
            assert (read_schema(connection), read_rows(connection)) == before


def test_a_row_that_refers_to_none_is_named_by_its_table(tmp_path: Path) -> None:
    database = open_former_file("0.1", tmp_path / "parley.sqlite3")
    with sqlite3.connect(tmp_path / "parley.sqlite3") as connection:
        connection.execute("DELETE FROM product_family")
    connection.close()
    with pytest.raises(OutdatedSchema, match=r"a row of the table product refers to one of product_family"):
        migrate(database)
    assert current_revision(database) == VERSIONS["0.1"]
    database.close()


@pytest.mark.campaign
def test_what_others_made_beside_the_tables_stays(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    with ExitStack() as held:
        database = open_former("0.2", "postgresql", request, tmp_path, held)
        with database.writing() as connection:
            connection.execute(sa.text("CREATE TABLE note AS SELECT 1 AS number"))
            connection.execute(sa.text("CREATE VIEW seller AS SELECT name FROM company"))
        with pytest.raises(DBAPIError, match="other objects depend on"):
            migrate(database)
        assert current_revision(database) == VERSIONS["0.2"]
        with database.writing() as connection:
            assert connection.scalar(sa.text("SELECT count(*) FROM seller"))
            connection.execute(sa.text("DROP VIEW seller"))
        migrate(database)
        require_supported(database)
        with database.reading() as connection:
            assert connection.scalar(sa.text("SELECT number FROM note")) == 1
