"""What was on record before rows had owners is everybody's after the migration, on both stores."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.access.keys import create_key
from app.service.database.clock import utc_now
from app.service.database.engine import Database, open_database
from app.service.database.schema import MIGRATIONS, migrate, require_supported
from app.service.database.tables.scopes import scope_document
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.scopes.same_quotes import make_quote_key
from app.settings import Settings
from tests.service.conftest import VAULT_KEY
from tests.service.postgres import fresh_database

BEFORE = "20261120b"
ACME, ZENITH, SEAT, CHAIR = (f"018f2c5e-7b1a-7c3d-9e4f-00000000000{n}" for n in range(1, 5))
NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def _named(key: str, name: str, **more: Any) -> dict[str, Any]:
    record = json.dumps({"id": key, "name": name})
    shown = {"wire_read": record, "wire_list": record, "last_updated_at": NOW}
    return {
        "id": key,
        "name": name,
        "sort_name": name.lower(),
        "name_key": name,
        "details": {},
        **shown,
        **more,
    }


OLD_ROWS: tuple[tuple[str, list[dict[str, Any]]], ...] = (
    (
        "company",
        [
            _named(key, name, legal_name=name, domain="", discontinued=False, sample=sample)
            for key, name, sample in ((ACME, "Acme", False), (ZENITH, "Zenith", True))
        ],
    ),
    (
        "product",
        [
            _named(key, name, company_id=owner, sort_order=0, dimensions=[], features=[], dimension_source={})
            for key, owner, name in ((CHAIR, ACME, "chair"), (SEAT, ZENITH, "seat"))
        ],
    ),
    (
        "article",
        [
            {"id": 1, "product_id": CHAIR, "text": "oak chair", "digest": "1"},
            {"id": 2, "product_id": SEAT, "text": "a seat", "digest": "2"},
        ],
    ),
    (
        "purchase",
        [
            {
                "id": ACME,
                "row_key": "one",
                "company_id": ACME,
                "product_id": CHAIR,
                "article_id": 1,
                "purchase_date": date(2026, 5, 1),
                "currency": "EUR",
                "quantity": 2,
                "unit_price": 30,
                "price_period": "once",
                "attributes": {},
            }
        ],
    ),
    ("attribute_column", [{"name": "colour", "kind": "select", "reason": None}]),
    ("organisation", [{"id": SEAT, "name": "A", "created_at": NOW}]),
    (
        "scope",
        [
            {
                "id": ACME,
                "organisation_id": SEAT,
                "source": "document",
                "created_on": NOW,
                "currency": "EUR",
                "scope_terms": [],
                "product_terms": [{"productId": CHAIR, "pricingDimensions": []}],
            }
        ],
    ),
    (
        "scope_document",
        [
            {
                "scope_id": ACME,
                "status": "completed",
                "filename": "März.pdf",
                "mime_type": "application/pdf",
                "document_type": "other",
                "reading": {"document_number": "Q-2024-17", "supplier": "Acme S.A."},
                "updated_at": NOW,
            }
        ],
    ),
    (
        "negotiation",
        [
            {
                "id": ZENITH,
                "organisation_id": SEAT,
                "status": "active",
                "engagement_type": "svc_led",
                "contact_name": "Ada Quill",
                "contact_email": "ada@acme.example",
                "supplier": {"domain": "zenith.example"},
                "scopes_tried": [],
                "participants": [],
                "levers": [],
                "created_at": NOW,
                "updated_at": NOW,
            }
        ],
    ),
)


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database of the revision before, with rows."""
    with ExitStack() as held:
        address = f"sqlite:///{tmp_path / 'parley.sqlite3'}"
        if request.param == "postgresql":
            url = held.enter_context(fresh_database(request.getfixturevalue("postgres_server")))
            address = url.replace("postgresql://", "postgresql+psycopg://")
        database = open_database(address)
        held.callback(database.close)
        _fill(database)
        yield database


def _fill(database: Database) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, BEFORE)
        for name, rows in OLD_ROWS:
            connection.execute(sa.Table(name, sa.MetaData(), autoload_with=connection).insert(), rows)


def test_old_rows_are_everybodys_after_it(old: Database, tmp_path: Path) -> None:
    migrate(old)
    require_supported(old)
    with old.reading() as connection:
        for table in ("company", "product", "article", "purchase", "category", "product_family"):
            owners = connection.scalars(sa.text(f"SELECT organisation_id FROM {table}"))
            assert set(owners) <= {None}, table
        for table, of_list in (("company", "="), ("product", "<>")):
            told = f"SELECT sum(number) FROM entry_count WHERE list_id {of_list} ''"
            counted = connection.scalar(sa.text(f"SELECT count(*) FROM {table}"))
            assert connection.scalar(sa.text(told)) == counted > 0, table
        articles = connection.execute(sa.text("SELECT text, sample FROM article ORDER BY id")).all()
        assert [(row[0], bool(row[1])) for row in articles] == [("oak chair", False), ("a seat", True)]
        columns = connection.execute(
            sa.text("SELECT organisation_id, name, kind FROM attribute_column")
        ).all()
        assert [tuple(row) for row in columns] == [("", "colour", "select")]
        [document] = connection.execute(sa.select(scope_document)).all()
        assert document.quote_key == make_quote_key(document.reading) == "acme q202417"
    address = old.engine.url.render_as_string(hide_password=False)
    settings = Settings(
        database_url=address, data_dir=tmp_path / "data", rate_limit=0, secret_key=SecretStr(VAULT_KEY)
    )
    service = create_service(settings)
    with CONTEXT.get(service).database.writing() as connection:
        key = create_key(connection, name="a", organisation_name="A", role="reader", now=utc_now())[1]
    with TestClient(service, headers={"Authorization": f"Bearer {key}"}) as api:
        listed: Any = api.get("/v1/catalog/companies").json()
        assert [one["name"] for one in listed["data"]] == ["Acme", "Zenith"]
        read: Any = api.get(f"/v1/catalog/products/{CHAIR}").json()
        assert read["name"] == "chair"
        assert _find(api, "acme") == {"supplier": ["Acme"], "product": ["chair"], **OF_QUOTE}
        assert _find(api, "marz") == _find(api, "q202417") == _find(api, "2024-17") == OF_QUOTE
        assert _find(api, "quill") == {"negotiation": ["zenith.example"]}
        [record] = (api.get("/v1/scope", params={"name": "marz"}).json())["data"]
        assert (record["name"], record["status"]) == ("Acme: chair", "review")
        assert record["supplier"] == {"companyId": ACME, "name": "Acme"}


OF_QUOTE = {"scope": ["chair"], "document": ["März.pdf"]}


def _find(api: TestClient, words: str) -> dict[str, list[str]]:
    groups: Any = api.get("/v1/search", params={"q": words}).json()["groups"]
    return {group["kind"]: [hit["name"] for hit in group["hits"]] for group in groups}
