"""Records are found by the words of their names and numbers, by whoever may see them and nobody else."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import (
    agreement,
    attachment,
    company,
    negotiation,
    product,
    scope,
    scope_document,
    search_entry,
)
from app.service.imports.operator_files import import_files
from tests.service.conftest import key_for
from tests.service.organisation_factory import Organisation, furnish, run_tasks

pytestmark = pytest.mark.both_stores

COMPANIES = """name,domain,products
Ørsted Wind,orsted.example,Turbine Blade|Łódź–Cable 12x3
Acme Cloud GmbH,acme.example,Storage Plan B|Cloud Backup|Backup Cloud Plus
Society General,general.example,Ledger
"""
QUOTE = (
    b"Quotation Q-2031-00417\nSupplier: Acme Cloud GmbH\n\n"
    b"description,quantity,unit price,amount\nCloud Backup,10,100.00,1000.00\n"
)
BLADE, CABLE = "Turbine Blade", "Łódź–Cable 12x3"
FINDS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "orsted": {"supplier": ["Ørsted Wind"], "product": [CABLE, BLADE]},
    "ØRSTED wind": {"supplier": ["Ørsted Wind"], "product": [CABLE, BLADE]},
    "lodz cab": {"product": [CABLE]},
    "general.example": {"supplier": ["Society General"]},
    "soc": {"supplier": ["Society General"], "product": ["Ledger"]},
    "cloud backup": {"product": ["Cloud Backup", "Backup Cloud Plus"]},
    "backup acme": {"product": ["Backup Cloud Plus", "Cloud Backup"]},
    "plan b": {"product": ["Storage Plan B"]},
    "plan x": {},
    "nothing like it": {},
    '"cloud" OR (backup*)': {},
    "cloud' | 'ledger": {},
}
"""What is found of each kind, by what is searched for."""
REFUSED = ("", "a", "%_", "__", "a" * 10_000, "ab\x00cd", "- -", "é")
HARMLESS = ("\\\\ab'", "ab:*", "NEAR(ab)", "ab -cd", "🙂🙂 ab", "\ufdfa" * 30, "ab" * 100)


@pytest.fixture
def catalog(context: Context, tmp_path: Path) -> None:
    path = tmp_path / "companies.csv"
    path.write_text(COMPANIES, encoding="utf-8")
    import_files(context, "catalog", [path])


def find(api: TestClient, words: str, **more: Any) -> dict[str, list[str]]:
    answer = api.get("/v1/search", params={"q": words, **more})
    assert answer.status_code == 200, answer.text
    return {group["kind"]: [hit["name"] for hit in group["hits"]] for group in answer.json()["groups"]}


@pytest.mark.usefixtures("catalog")
def test_words_are_found_in_any_order_without_case_and_accents(api: TestClient) -> None:
    assert {words: find(api, words) for words in FINDS} == FINDS
    [suppliers, products] = api.get("/v1/search?q=acme&limit=2").json()["groups"]
    assert [suppliers["more"], products["more"]] == [False, True]
    assert [hit["detail"] for hit in products["hits"]] == ["Acme Cloud GmbH"] * 2


@pytest.mark.campaign
@pytest.mark.usefixtures("catalog")
def test_own_entries_are_found_beside_those_of_everybody(api: TestClient, stranger: TestClient) -> None:
    entry = {"supplier": {"name": "Umbra Cloud"}, "product": {"name": "Offsite Backup"}}
    assert api.post("/v1/catalog/entries", json=entry).status_code == 201
    shared = ["Backup Cloud Plus", "Cloud Backup"]
    for words in ("backup", "clou back"):
        assert sorted(find(api, words)["product"]) == [*shared, "Offsite Backup"], words
        assert sorted(find(stranger, words)["product"]) == shared, words
    assert sorted(find(api, "cloud")["supplier"]) == ["Acme Cloud GmbH", "Umbra Cloud"]
    assert find(stranger, "cloud")["supplier"] == ["Acme Cloud GmbH"]
    assert find(api, "plus acme") == {"product": ["Backup Cloud Plus"]}
    assert find(api, "backup umbra") == {"product": ["Offsite Backup"]}


@pytest.mark.campaign
def test_a_hostile_search_is_refused_in_a_sentence(api: TestClient) -> None:
    for words in REFUSED:
        answer = api.get("/v1/search", params={"q": words})
        assert answer.status_code == 400
        assert answer.json()["detail"].startswith("The request is not valid. q must "), words
    for query in ("", "q=ab&q=cd", "q=abc&limit=21", "q=abc&limit=0", "Q=abc"):
        assert api.get(f"/v1/search?{query}").status_code == 400, query
    for words in HARMLESS:
        assert find(api, words) == {}


@pytest.mark.campaign
@pytest.mark.usefixtures("catalog")
def test_entries_follow_their_records(context: Context, api: TestClient, tmp_path: Path) -> None:
    path = tmp_path / "renamed.csv"
    path.write_text("name,domain\nZephyr Services,acme.example\n", encoding="utf-8")
    import_files(context, "catalog", [path])
    assert find(api, "zephyr") == {
        "supplier": ["Zephyr Services"],
        "product": ["Backup Cloud Plus", "Cloud Backup", "Storage Plan B"],
    }
    assert find(api, "acme") == {"supplier": ["Zephyr Services"]}, "its domain"
    with context.database.writing() as connection:
        connection.execute(product.delete().where(product.c.name == "Cloud Backup"))
    assert find(api, "cloud backup") == {"product": ["Backup Cloud Plus"]}


@pytest.mark.campaign
def test_own_records_are_found_by_number_and_name(api: TestClient, context: Context, catalog: None) -> None:
    files = {"file": ("Angebot März.csv", QUOTE)}
    read = api.post("/v1/scope/from-document", files=files).json()["scopeId"]
    assert find(api, "angebot marz") == {"scope": ["Angebot März.csv"], "document": ["Angebot März.csv"]}
    run_tasks(context)
    for number in ("Q-2031-00417", "2031 00417", "q203100417", "00417"):
        groups = api.get("/v1/search", params={"q": number}).json()["groups"]
        assert [(group["kind"], group["hits"][0]["id"]) for group in groups] == [
            ("scope", read),
            ("document", read),
        ], number
    assert groups[1]["hits"][0]["scopeId"] == read
    assert groups[0]["hits"][0]["createdAt"]
    uploaded = api.post("/v1/files/upload", files={"file": ("terms.csv", QUOTE)}).json()["id"]
    body = {
        "supplier": {"name": "Brightwater Ltd", "domain": "brightwater.example"},
        "contactEmail": "a@acme.example",
        "contactName": "Ada Quill",
        "engagementType": "strategy_only",
        "file": {"fileId": uploaded},
    }
    started = api.post("/v1/negotiation/start", json=body).json()["negotiationId"]
    for words in ("brightwater", "quill", "ltd bright"):
        assert find(api, words)["negotiation"] == ["Brightwater Ltd"], words
    [document] = api.get("/v1/search?q=terms").json()["groups"]
    assert document["hits"][0]["negotiationId"] == started


def test_nobody_finds_what_is_another_organisations(
    app: FastAPI, api: TestClient, context: Context, tmp_path: Path
) -> None:
    owner = TestClient(app, follow_redirects=False)
    owner.headers["Authorization"] = f"Bearer {key_for(context, 'Quokka Traders')}"
    import_files(context, "catalog", [_acme(tmp_path)])
    furnish(Organisation(owner, context, "Quokka Traders", "quokka", 7654321), tmp_path)
    body = {"name": "Frame agreement FA-2031/7", "supplierName": "Quokka Paper"}
    made = owner.post("/v1/agreements", json=body).json()["id"]
    kinds = {"supplier", "product", "scope", "negotiation", "agreement", "document"}
    assert set(find(owner, "quokka")) == kinds
    for words in ("frame", "fa 2031", "FA20317", "quokka frame"):
        assert find(owner, words)["agreement"] == ["Frame agreement FA-2031/7"], words
    owner.patch(f"/v1/agreements/{made}", json={"name": "Øre", "supplierName": "Wallaby"})
    assert find(owner, "ore walla") == {"agreement": ["Øre"]}
    assert find(owner, "frame") == {}
    assert find(api, "quokka") == {}
    _assert_all_records_have_entries(context)


def _acme(folder: Path) -> Path:
    path = folder / "acme.csv"
    path.write_text("name,products\nAcme,Chair\n", encoding="utf-8")
    return path


def _assert_all_records_have_entries(context: Context) -> None:
    """Each record has one entry, with the owner of the record."""
    tables = {
        "supplier": [company.c.id],
        "product": [product.c.id],
        "scope": [scope.c.id],
        "negotiation": [negotiation.c.id],
        "agreement": [agreement.c.id],
        "document": [scope_document.c.scope_id, attachment.c.id],
    }
    with context.database.reading() as connection:
        for kind, columns in tables.items():
            there = {each for column in columns for each in connection.scalars(sa.select(column))}
            entries = sa.select(search_entry.c.record_id).where(search_entry.c.kind == kind)
            assert there, kind
            assert sorted(there) == sorted(connection.scalars(entries)), kind
