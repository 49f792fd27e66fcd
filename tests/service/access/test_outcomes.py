"""What the service does by itself is in the audit log too: once, and with who asked where that is certain."""

from dataclasses import replace
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.access.audit import DOCUMENT_READ, STRATEGY_RECALCULATED, Subject, record_outcome
from app.service.access.roles import RULES
from app.service.context import Context
from app.service.database.tables import organisation, task
from app.service.imports.retention import UNCONFIRMED_TIME, forget_old_imports
from app.service.worker.handlers import HANDLERS
from tests.service.access.test_audit_log import audit
from tests.service.conftest import key_for
from tests.service.imports.import_driver import ImportDriver
from tests.service.running_service import REQUIREMENT

ORDERS = b"date,supplier,product,quantity,price\n2026-05-01,Foundry,Ingot,2,3.50\n"
QUOTE = b"description,quantity,unit price,amount\nSuite 365,10,100.00,1000.00\nNet total,,,1000.00\n"


def outcomes(api: TestClient, **query: Any) -> list[Any]:
    return audit(api, actorKind="service", **query)["data"]


def work(context: Context, *kinds: str) -> None:
    """Run the waiting tasks of these kinds twice: the second time as after a worker that was killed."""
    for kind in kinds:
        with context.database.reading() as connection:
            ids = connection.scalars(sa.select(task.c.subject_id).where(task.c.kind == kind)).all()
        for subject_id in [*ids, *ids]:
            HANDLERS[kind].run(context, subject_id)


@pytest.fixture
def colleague(app: Any, api: TestClient, context: Context) -> TestClient:
    client = TestClient(app, follow_redirects=False)
    client.headers["Authorization"] = f"Bearer {key_for(context, role='buyer')}"
    return client


def upload(api: httpx.Client, content: bytes, name: str = "quote.csv") -> str:
    return api.post("/v1/files/upload", files={"file": (name, content)}).json()["id"]


@pytest.mark.campaign
def test_an_import_says_what_became_of_it_and_who_asked(
    api: TestClient, context: Context, colleague: TestClient, stranger: TestClient
) -> None:
    driver = ImportDriver(api, context)
    import_id = driver.check(ORDERS)["id"]
    assert outcomes(api) == []
    confirmed = colleague.post(f"/v1/imports/{import_id}/confirm")
    work(context, "import")
    [entry] = outcomes(api, objectId=import_id)
    [confirmation] = audit(api, action="imports.confirm")["data"]
    assert entry["action"] == "service.completeImport"
    assert entry["actor"] == {"kind": "service", "name": "Parley, in the background"}
    assert entry["askedBy"] == confirmation["actor"]
    assert entry["requestId"] == confirmed.headers["x-request-id"]
    assert entry["object"]["name"] == "orders.csv"
    assert api.get(entry["object"]["path"]).status_code == 200
    driver.undo(import_id)
    assert [one["action"] for one in outcomes(api)] == ["service.undoImport", "service.completeImport"]
    assert outcomes(api)[0]["askedBy"] != entry["askedBy"]
    assert outcomes(stranger) == []
    assert [one["actor"]["kind"] for one in audit(api, actorKind="key")["data"]][:1] == ["key"]


def test_a_failed_and_a_forgotten_import_are_told(api: TestClient, context: Context) -> None:
    driver = ImportDriver(api, context)
    driver.check(b"date," + b"x" * 1_000)
    waiting = driver.check(ORDERS)["id"]
    later = context.clock() + UNCONFIRMED_TIME * 2
    for _ in range(2):
        forget_old_imports(replace(context, clock=lambda: later))
    forgotten, refused = outcomes(api, objectKind="import")
    assert (forgotten["action"], forgotten["object"]["id"]) == ("service.forgetImport", waiting)
    assert "askedBy" not in forgotten
    assert refused["action"] == "service.refuseImport"
    assert refused["askedBy"]["kind"] == "key"


@pytest.mark.campaign
def test_a_quote_read_from_a_file_names_who_added_it(
    api: TestClient, context: Context, colleague: TestClient
) -> None:
    path = f"/v1/requirements/{api.post('/v1/requirements', json=REQUIREMENT).json()['id']}"
    for caller, content in ((api, QUOTE), (colleague, b"nothing\n")):
        assert caller.post(f"{path}/quotes", json={"fileId": upload(caller, content)}).status_code == 201
    work(context, "read_quote")
    asked = {one["action"]: one["askedBy"] for one in outcomes(api, objectKind="requirement")}
    own, other = (one["actor"] for one in audit(api, action="requirements.addQuote", limit=2)["data"][::-1])
    assert own != other
    assert asked == {"service.readQuote": own, "service.failQuote": other}
    read = [(one["action"], one["object"]["name"]) for one in outcomes(api, objectKind="scope")]
    assert read == [("service.readDocument", "quote.csv")] * 2


def test_who_asked_is_left_out_where_it_may_have_been_another(
    api: TestClient, context: Context, colleague: TestClient
) -> None:
    with context.database.reading() as connection:
        organisation_id = connection.scalar(sa.select(organisation.c.id).where(organisation.c.name == "Acme"))
    scope_id = api.post("/v1/scope/from-document", files={"file": ("quote.csv", QUOTE)}).json()["scopeId"]
    subject = Subject(str(organisation_id), scope_id)
    patched = STRATEGY_RECALCULATED.__class__("service.any", "Any", "scope", ("scopes.update",))

    def record() -> Any:
        with context.database.writing() as connection:
            record_outcome(connection, patched, subject, context.clock())
        return outcomes(api, action="service.any", limit=1)[0]

    owners = {"owners": [{"name": "Bea Buyer"}]}
    for _ in range(2):
        assert api.patch(f"/v1/scope/{scope_id}", json=owners).status_code == 200
    assert record()["askedBy"]["kind"] == "key"  # twice by the same
    assert record()["requestId"] == ""
    assert colleague.patch(f"/v1/scope/{scope_id}", json=owners).status_code == 200
    assert "askedBy" not in record()


def test_what_asks_for_work_is_an_operation() -> None:
    from app.service.access import audit as known

    kinds = [one for one in vars(known).values() if isinstance(one, known.Outcome)]
    assert DOCUMENT_READ in kinds
    assert {name for one in kinds for name in one.asked_by} <= RULES.keys()
    assert len({one.action for one in kinds}) == len(kinds)
    assert all(one.action.startswith("service.") and len(one.action) <= 60 for one in kinds)
