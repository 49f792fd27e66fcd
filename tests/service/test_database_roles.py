"""A role of PostgreSQL that owns nothing serves, and cannot change the audit log."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import sqlalchemy as sa
from pydantic import SecretStr
from sqlalchemy.exc import DBAPIError
from starlette.testclient import TestClient

from app.service.context import open_context
from app.service.database.serving_role import NoSuchRole, grant_to_serving_role
from app.service.database.tables import audit_entry
from app.service.doctor import Level, check_audit_log, check_settings
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.migrated_database import provide_schema
from tests.service.postgres import empty


@pytest.fixture
def addresses(postgres_database: str) -> Iterator[tuple[str, str]]:
    """Those of the owner and of the role that serves."""
    empty(postgres_database)
    parts = urlsplit(postgres_database)
    serving = urlunsplit(parts._replace(netloc=f"parley_serving:x@{parts.netloc.rpartition('@')[2]}"))
    plain = postgres_database.replace("postgresql+psycopg", "postgresql")
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("CREATE ROLE parley_serving LOGIN PASSWORD 'x'")
        yield postgres_database, serving
        connection.execute("DROP OWNED BY parley_serving")
        connection.execute("DROP ROLE parley_serving")


@pytest.mark.second_store
def test_a_role_that_owns_nothing_serves_and_cannot_change_the_audit_log(
    addresses: tuple[str, str], tmp_path: Path
) -> None:
    found: list[Level] = []
    for number, address in enumerate(addresses):
        app = create_service(
            Settings(
                database_url=address,
                data_dir=tmp_path / "data",
                rate_limit=0,
                secret_key=SecretStr(VAULT_KEY),
            )
        )
        context = CONTEXT.get(app)
        if number == 0:
            provide_schema(context.database)
            with pytest.raises(NoSuchRole):
                grant_to_serving_role(context.database, "nobody_of_that_name")
            grant_to_serving_role(context.database, "parley_serving")
        found += [one.level for one in check_audit_log(context)]
        assert [one.level for one in check_settings(context)] == [Level.OK]
        with TestClient(app, headers={"Authorization": f"Bearer {key_for(context)}"}) as api:
            assert api.post("/v1/agreements", json={"name": "Milk"}).status_code == 201
            assert api.get("/v1/audit").status_code == 200
        context.close()
    assert found == [Level.WARN, Level.OK]
    engine = sa.create_engine(addresses[1])
    for attempt in (
        "UPDATE audit_entry SET summary = ''",
        "DELETE FROM audit_entry",
        "ALTER TABLE audit_entry DISABLE TRIGGER ALL",
        "TRUNCATE audit_entry",
        "UPDATE alembic_version SET version_num = '1'",
    ):
        with pytest.raises(DBAPIError), engine.begin() as connection:
            connection.execute(sa.text(attempt))
    with engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(audit_entry)) == 2
    engine.dispose()


@pytest.mark.second_store
def test_behind_a_pool_of_connections_the_role_is_what_ends_statements(
    addresses: tuple[str, str], tmp_path: Path
) -> None:
    owner, serving = addresses
    settings = Settings(database_url=serving, database_direct_url=serving, data_dir=tmp_path / "data")
    found: list[list[Level]] = []
    for is_set in (False, True):
        if is_set:
            with sa.create_engine(owner, poolclass=sa.NullPool).begin() as connection:
                for said in ("statement_timeout = '30s'", "lock_timeout = '30s'", "jit = off"):
                    connection.exec_driver_sql(f"ALTER ROLE parley_serving SET {said}")
        context = open_context(settings)
        found.append([one.level for one in check_settings(context)])
        context.close()
    assert found == [[Level.WARN], [Level.OK]]
