"""What stands before every route: the key, the limits, the headers, the form of a body."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.problem import MEDIA_TYPE
from app.service.access import keys
from app.service.access.capacity import CHECK_SECONDS, WorkKind
from app.service.access.guard import ACCESS_CONTROL, KEY_CACHE_SECONDS
from app.service.context import Context
from app.service.database.tables import api_key, file
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema

UNKNOWN = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer nope"}, {"Authorization": "Basic YTpi"}])
def test_a_call_without_a_known_key_is_401_and_says_how_to_sign_in(
    api: TestClient, headers: dict[str, str]
) -> None:
    del api.headers["Authorization"]
    answer = api.get(f"/v1/scope/{UNKNOWN}", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert answer.json()["title"] == "Unauthorized"


def test_the_key_may_come_in_either_header(api: TestClient) -> None:
    key = api.headers.pop("Authorization").removeprefix("Bearer ")
    assert api.get("/v1/scope", headers={"X-API-Key": key}).status_code == 200
    assert api.get("/v1/scope", headers={"Authorization": f"bearer {key}"}).status_code == 200


def test_health_and_the_description_need_no_key(api: TestClient) -> None:
    del api.headers["Authorization"]
    assert api.get("/v1/health").status_code == 200
    assert api.get("/v1/openapi").status_code == 200


def test_a_read_only_key_reads_and_does_not_write(api: TestClient, context: Context) -> None:
    headers = {"Authorization": f"Bearer {key_for(context, read_only=True)}"}
    assert api.get("/v1/scope", headers=headers).status_code == 200
    refused = api.post("/v1/scope", json={}, headers=headers)
    assert refused.status_code == 403
    assert refused.json()["title"] == "Forbidden"


@pytest.mark.campaign
def test_a_key_learns_what_it_may_do(api: TestClient, context: Context) -> None:
    full = {"keyName": "test", "organisation": "Acme", "role": "owner", "readOnly": False}
    told = api.get("/v1/access").json()
    assert told == {"holderId": told["holderId"], **full}
    headers = {"Authorization": f"Bearer {key_for(context, 'Readers', read_only=True)}"}
    read_only = {"keyName": "test", "organisation": "Readers", "role": "reader", "readOnly": True}
    assert api.get("/v1/access", headers=headers).json().items() >= read_only.items()
    assert api.get("/v1/access", headers={"Authorization": "Bearer nope"}).status_code == 401


@pytest.mark.campaign
def test_what_the_description_calls_a_read_is_open_to_a_read_only_key(
    api: TestClient, context: Context
) -> None:
    """And nothing else is, of everything that is no GET."""
    headers = {"Authorization": f"Bearer {key_for(context, read_only=True)}"}
    marked: set[str] = set()
    for path, operations in api.get("/v1/openapi").json()["paths"].items():
        for method, operation in operations.items():
            if method in {"get", "head"} or not operation["security"]:
                continue
            reads = operation.get("x-reads-only", False)
            if reads:
                marked.add(path)
            place = path.replace("{", "").replace("}", "")
            status = api.request(method, place, json={}, headers=headers).status_code
            assert (status != 403) == reads, (method, path, status)
    assert marked == {"/v1/agents/calls", "/v1/pricing/preview", "/v1/working-days/preview"}


@pytest.fixture
def make_service() -> Iterator[Callable[..., FastAPI]]:
    """Makes a service on a migrated database, from settings and perhaps a clock."""
    with ExitStack() as made:

        def make(*arguments: Any) -> FastAPI:
            app = create_service(*arguments)
            made.callback(CONTEXT.get(app).close)
            provide_schema(CONTEXT.get(app).database)
            return app

        yield make


@pytest.mark.campaign
def test_a_revoked_key_is_refused_within_a_second_though_the_clock_is_set_back(
    make_service: Callable[..., FastAPI], settings: Settings
) -> None:
    now = [datetime(2026, 11, 20, 9, tzinfo=UTC)]
    app = make_service(settings, lambda: now[0])
    context = CONTEXT.get(app)
    with context.database.writing() as connection:
        key_id, key = keys.create_key(
            connection, name="k", organisation_name="Acme", role="owner", now=now[0]
        )
    with TestClient(app, headers={"Authorization": f"Bearer {key}"}) as api:
        assert api.get("/v1/scope").status_code == 200
        assert api.get("/v1/catalog/companies").status_code == 200
        with context.database.writing() as connection:
            assert keys.revoke_key(connection, key_id, now[0])
        now[0] -= timedelta(hours=1)
        time.sleep(KEY_CACHE_SECONDS)
        assert api.get("/v1/scope").status_code == 401
        assert api.get("/v1/catalog/companies").status_code == 401


@pytest.mark.campaign
def test_a_key_ends_by_itself_and_its_last_use_is_on_record(
    make_service: Callable[..., FastAPI], settings: Settings
) -> None:
    now = [datetime(2026, 11, 20, 9, tzinfo=UTC)]
    app = make_service(settings, lambda: now[0])
    key = key_for(CONTEXT.get(app))
    api = TestClient(app, headers={"Authorization": f"Bearer {key}"}, client=("192.0.2.7", 1))
    past = {"name": "late", "role": "reader", "expiresAt": "2026-11-20T09:00:00Z"}
    assert api.post("/v1/keys", json=past).status_code == 400
    made = api.post("/v1/keys", json={**past, "expiresAt": "2026-11-21T09:00:00Z"}).json()
    holder = {"Authorization": f"Bearer {made['key']}"}
    session = api.post("/v1/session", headers=holder).json()["token"]
    ends = {}
    for minutes, expected in ((5, 200), (1434, 200), (1440, 401)):
        now[0] = datetime(2026, 11, 20, 9, tzinfo=UTC) + timedelta(minutes=minutes)
        time.sleep(KEY_CACHE_SECONDS)
        assert api.get("/v1/scope", headers=holder).status_code == expected
        assert api.get("/v1/scope", headers={"Authorization": f"Bearer {session}"}).status_code in {
            expected,
            401,
        }
        [ends[minutes]] = [one for one in api.get("/v1/keys").json()["data"] if one["name"] == "late"]
    assert [one["usedAt"][:16] for one in ends.values()] == [
        f"2026-11-{day}" for day in ("20T09:00", "21T08:54", "21T08:54")
    ]
    assert {one["usedAddress"] for one in ends.values()} == {"192.0.2.7"}
    assert {one["expiresAt"] for one in ends.values()} == {"2026-11-21T09:00:00.000Z"}


@pytest.mark.parametrize(
    ("caller", "stated", "works"),
    [
        ("192.0.2.7", None, True),
        ("2001:db8::7", None, True),
        ("::ffff:192.0.2.7", None, True),
        ("198.51.100.1", None, False),
        ("198.51.100.1", "192.0.2.7", False),  # whom nobody trusts may state anything
        ("10.0.0.1", "192.0.2.7", True),
        ("10.0.0.1", "192.0.2.7, 198.51.100.1, 10.0.0.2", False),
        ("10.0.0.1", "198.51.100.1, 192.0.2.7", True),
        ("10.0.0.1", "nobody", False),
        ("socket", None, False),
    ],
)
def test_a_key_works_from_its_networks_alone(
    make_service: Callable[..., FastAPI],
    settings: Settings,
    caller: str,
    stated: str | None,
    works: bool,
) -> None:
    app = make_service(settings.model_copy(update={"trusted_proxies": (ip_network("10.0.0.0/8"),)}))
    owner = {"Authorization": f"Bearer {key_for(CONTEXT.get(app))}"}
    body = {"name": "k", "role": "reader", "networks": ["192.0.2.0/24", "2001:db8::/32"]}
    made = TestClient(app, headers=owner).post("/v1/keys", json=body).json()
    assert made["networks"] == body["networks"]
    headers = {"Authorization": f"Bearer {made['key']}", **({"x-forwarded-for": stated} if stated else {})}
    api = TestClient(app, headers=headers, client=(caller, 1))
    assert api.get("/v1/scope").status_code == (200 if works else 403)
    started = api.post("/v1/session")
    assert started.status_code == (201 if works else 403)
    if works:  # and so does the session
        elsewhere = TestClient(app, headers=headers | {"Authorization": f"Bearer {started.json()['token']}"})
        assert elsewhere.get("/v1/scope").status_code == 403


@pytest.mark.parametrize("network", ["", "nobody", "192.0.2.0/33", "192.0.2.0/24 192.0.3.0/24"])
def test_a_network_that_is_none_is_refused_by_its_place(api: TestClient, network: str) -> None:
    refused = api.post("/v1/keys", json={"name": "k", "role": "reader", "networks": ["192.0.2.7", network]})
    assert refused.status_code == 400
    assert [one["pointer"] for one in refused.json()["errors"]] == ["/networks/1"]


def test_the_database_never_holds_the_key_itself(context: Context) -> None:
    key = key_for(context)
    with context.database.reading() as connection:
        rows = [str(row) for row in connection.exec_driver_sql("SELECT * FROM api_key")]
    assert rows
    assert not any(key in row for row in rows)


def test_malformed_end_user_headers_are_named(api: TestClient) -> None:
    answer = api.get(
        "/v1/scope",
        headers={"x-svc-end-user-ip": "300.1.1.1", "x-svc-end-user-email": "no address"},
    )
    assert answer.status_code == 400
    assert {place["pointer"] for place in answer.json()["errors"]} == {
        "x-svc-end-user-ip",
        "x-svc-end-user-email",
    }


def test_an_empty_end_user_header_means_absent(api: TestClient) -> None:
    assert api.get("/v1/scope", headers={"x-svc-end-user-ip": "", "x-svc-end-user-email": ""}).is_success


def test_routes_that_take_no_end_user_never_validate_the_headers(api: TestClient) -> None:
    assert api.get("/v1/health", headers={"x-svc-end-user-ip": "nonsense"}).status_code == 200
    assert api.get("/v1/webhooks", headers={"x-svc-end-user-ip": "nonsense"}).status_code == 200


def test_the_request_id_is_echoed_or_made(api: TestClient) -> None:
    assert api.get("/v1/health", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    made = api.get("/v1/scope/none", headers={"x-request-id": "two words"})
    assert made.headers["x-request-id"] == made.json()["trace"]["requestId"] != "two words"


def test_head_answers_as_get_without_a_body(api: TestClient) -> None:
    got, head = api.get("/v1/scope"), api.head("/v1/scope")
    assert head.status_code == got.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == got.headers["content-length"]


def test_another_method_is_405_and_names_those_that_work(api: TestClient) -> None:
    answer = api.put("/v1/scope")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/nothing", "/v1/scope/", "/v1/health/"])
def test_an_unknown_path_is_404_and_never_a_redirect(api: TestClient, path: str) -> None:
    answer = api.get(path)
    assert answer.status_code == 404
    assert answer.json()["instance"] == path


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{nope", "application/json", 400),
        (b'{"a": NaN}', "application/json", 400),
        (b'{"a": "\\ud800"}', "application/json", 400),
        (b'{"a": "\\u0000"}', "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"[]", "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"a=b", "application/x-www-form-urlencoded", 415),
    ],
)
def test_a_body_that_is_no_json_object_is_refused(
    api: TestClient, body: bytes, content_type: str, status: int
) -> None:
    answer = api.post("/v1/scope", content=body, headers={"content-type": content_type})
    assert answer.status_code == status
    assert answer.headers["content-type"] == MEDIA_TYPE


def test_a_text_that_only_looks_like_an_escaped_nul_passes(api: TestClient) -> None:
    answer = api.post("/v1/scope", content=rb'{"a": "\\u0000"}', headers={"content-type": "application/json"})
    assert "NUL" not in answer.text


def test_json_over_a_mebibyte_is_413(api: TestClient) -> None:
    answer = api.post("/v1/scope", json={"x": "y" * 1_100_000})
    assert answer.status_code == 413


def test_a_nul_in_a_parameter_is_400(api: TestClient) -> None:
    answer = api.get("/v1/catalog/companies", params={"name": "a\x00b"})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "name"


def test_a_bug_is_a_500_problem_with_the_request_id_and_nothing_of_the_inside(app: FastAPI) -> None:
    def fail() -> None:
        raise RuntimeError("secret detail")

    app.add_api_route("/v1/fail", fail)
    with TestClient(app, raise_server_exceptions=False) as api:
        answer = api.get("/v1/fail")
    problem: dict[str, Any] = answer.json()
    assert answer.status_code == 500
    assert problem["trace"]["requestId"] == answer.headers["x-request-id"]
    assert "secret" not in answer.text


def test_the_end_user_is_kept_with_what_was_made_whatever_their_letters(
    api: TestClient, context: Context
) -> None:
    api.post(
        "/v1/files/upload",
        files={"file": ("q.csv", b"item,price\na,1\n")},
        headers={b"x-svc-end-user-organization-name": "Müller & Söhne".encode()},  # type: ignore[dict-item]
    )
    with context.database.reading() as connection:
        kept = connection.scalar(sa.select(file.c.end_user))
    assert kept == {"organisation": "Müller & Söhne"}


@pytest.mark.campaign
@pytest.mark.parametrize(("method", "path"), [("DELETE", "/v1/sample"), ("GET", "/v1/agreements.csv")])
def test_a_call_without_a_body_that_waited_for_a_place_is_answered(
    method: str, path: str, app: FastAPI, api: TestClient, context: Context
) -> None:
    """It looks meanwhile whether its caller is there, and the audit log asks for its body afterwards."""
    kind = WorkKind.READ if method == "GET" else WorkKind.WRITE
    with context.database.reading() as connection:
        owner = connection.scalars(sa.select(api_key.c.organisation_id)).one()
    capacity = ACCESS_CONTROL.get(app).capacity
    assert api.portal
    with ThreadPoolExecutor(1) as pool:
        with ExitStack() as held:
            for _ in range(kind.places // 2):
                held.enter_context(api.portal.wrap_async_context_manager(capacity.work(kind, owner)))
            call = pool.submit(api.request, method, path)
            time.sleep(2 * CHECK_SECONDS)
            assert not call.done()
        assert call.result(timeout=20).status_code < 300
