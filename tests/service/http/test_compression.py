"""Responses are compressed for those who take it, and what is kept is kept compressed."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from isal import isal_zlib
from starlette.testclient import TestClient

from app.service.catalog.response_cache import RESPONSE_CACHE, ResponseCache
from app.service.context import Context
from app.service.health import DESCRIPTION
from app.service.http.conditional_get import MIN_BYTES
from app.service.http.openapi import load_description
from app.service.imports.operator_files import import_files
from tests.service.running_service import create_one_of_everything, purchase_rows

GZIP = {"Accept-Encoding": "gzip"}
GROWING = ("/v1/audit.csv", "/v1/members/{memberId}/data")
"""What tells of each download, so also of the one before."""
IDENTITY = {"Accept-Encoding": "identity"}


@pytest.fixture
def database_url() -> None:
    """SQLite alone: nothing here depends on the store."""
    return


@pytest.fixture
def company(api: TestClient, context: Context, tmp_path: Path) -> str:
    """The path of a company."""
    path = tmp_path / "purchases.csv"
    path.write_text(purchase_rows())
    import_files(context, "purchases", [path])
    return f"/v1/catalog/companies/{api.get('/v1/catalog/companies').json()['data'][0]['id']}"


def ask(api: TestClient, path: str, headers: dict[str, str], method: str = "GET", **body: Any) -> Any:
    """The response, and in `raw` its body as it was sent."""
    with api.stream(method, path, headers=headers, **body) as response:
        raw = b"".join(response.iter_raw())
    return response, raw


@pytest.mark.campaign
def test_every_long_text_is_compressed_for_those_who_take_it(
    api: TestClient, context: Context, tmp_path: Path
) -> None:
    existing = create_one_of_everything(context, api, tmp_path)
    hook = {"url": "http://127.0.0.1:9/hook", "events": ["scope.extracted"]}
    key = api.headers["Authorization"].removeprefix("Bearer ")
    secrets = [key.encode(), api.post("/v1/webhooks", json=hook).json()["secret"].encode()]
    compressed: set[str] = set()
    for template, operations in load_description(with_inbox=True)["paths"].items():
        if "get" not in operations:
            continue
        scope = existing["documentScopeId" if "document" in template else "scopeId"]
        path = template.format_map({**existing, "scopeId": scope, "page": 1})
        plain, body = ask(api, path, IDENTITY)
        packed, packed_body = ask(api, path, GZIP)
        assert not any(secret in body for secret in secrets), path
        assert "content-encoding" not in plain.headers
        is_text = plain.headers["content-type"].startswith(("application/json", "text/csv", "text/html"))
        if not is_text or plain.status_code != 200:
            # Files are sent as they came, pictures of pages are compressed already, refusals are short.
            assert "content-encoding" not in packed.headers
            assert "vary" not in packed.headers
            continue
        for response in (plain, packed):
            vary = [name.strip() for name in response.headers["vary"].split(",")]
            assert vary.count("Accept-Encoding") == 1, path
            assert len(response.headers.get_list("vary")) == 1
            assert int(response.headers["content-length"]) == len(body if response is plain else packed_body)
        if len(body) < MIN_BYTES:
            assert "content-encoding" not in packed.headers
        else:
            assert packed.headers["content-encoding"] == "gzip"
            assert len(packed_body) < len(body)
            if template not in GROWING:
                assert without_times(gzip.decompress(packed_body)) == without_times(body), path
            compressed.add(template)
        if template in GROWING:
            continue
        head, nothing = ask(api, path, GZIP, "HEAD")
        assert nothing == b""
        assert head.headers.get("content-encoding") == packed.headers.get("content-encoding")
    assert {
        "/v1/openapi",
        "/v1/catalog/companies/{companyId}",
        "/v1/pricing/advanced/{scopeId}",
    } <= compressed


def without_times(body: bytes) -> Any:
    if not body.startswith((b"{", b"[")):
        return body
    return {**parsed, "timestamp": ""} if isinstance(parsed := json.loads(body), dict) else parsed


def test_a_secret_is_never_compressed(api: TestClient) -> None:
    """Else the length of a response would tell how much of the secret a text beside it guesses right."""
    url = "http://127.0.0.1:9/" + "guess" * 300
    made, body = ask(api, "/v1/webhooks", GZIP, "POST", json={"url": url, "events": ["scope.extracted"]})
    assert made.status_code == 201
    assert len(body) > MIN_BYTES
    assert "content-encoding" not in made.headers
    assert b"whsec_" in body
    rotated, _ = ask(api, f"/v1/webhooks/{made_id(body)}/secret", GZIP, "POST")
    assert rotated.status_code == 200
    assert "content-encoding" not in rotated.headers


def made_id(body: bytes) -> str:
    return json.loads(body)["id"]


def test_one_tag_confirms_a_body_in_every_coding(api: TestClient, company: str) -> None:
    for path in (company, "/v1/openapi"):
        accepted = ("identity", "gzip", "zstd")
        whole = [ask(api, path, {"Accept-Encoding": one})[0] for one in accepted]
        assert [one.headers.get("content-encoding") for one in whole] == [None, "gzip", "zstd"]
        tags = {one.headers["etag"] for one in whole}
        assert len(tags) == 1
        tag = tags.pop()
        assert tag.startswith('W/"'), "a strong tag would stand for these very bytes"
        for one in accepted:
            again, body = ask(api, path, {"Accept-Encoding": one, "If-None-Match": tag})
            assert (again.status_code, body) == (304, b"")
            assert [again.headers[name] for name in ("etag", "vary")] == [tag, whole[0].headers["vary"]]
            assert "content-encoding" not in again.headers
            other, _ = ask(api, path, {"Accept-Encoding": one, "If-None-Match": 'W/"other"'})
            assert other.status_code == 200


@pytest.mark.campaign
def test_what_is_kept_is_kept_compressed(
    app: FastAPI, api: TestClient, company: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []

    def compress(body: bytes, *level: Any, **options: Any) -> bytes:
        lengths.append(len(body))
        return original(body, *level, **options)

    # Kept for a second, by a clock that stands still.
    RESPONSE_CACHE.set(app, ResponseCache(lambda: 0.0))
    original = isal_zlib.compress
    monkeypatch.setattr(isal_zlib, "compress", compress)
    answers = [ask(api, company, GZIP) for _ in range(5)]
    assert lengths == [len(gzip.decompress(answers[0][1]))]
    assert {body for _, body in answers} == {answers[0][1]}
    assert ask(api, company, IDENTITY)[1] == gzip.decompress(answers[0][1])
    lengths.clear()
    for path in ("/v1/openapi", "/docs/swagger-ui-bundle.js"):
        bodies = [ask(api, path, GZIP)[1] for _ in range(3)]
        assert gzip.decompress(bodies[0]) == ask(api, path, IDENTITY)[1]
    assert lengths == [], "what is the same for all is compressed once in a process"
    assert DESCRIPTION.get(app)() is DESCRIPTION.get(app)()


def test_a_range_of_a_file_is_not_compressed(api: TestClient) -> None:
    content = b"item,quantity,price\n" + b"widget,2,3.50\n" * 500
    address = api.post("/v1/files/upload", files={"file": ("a.csv", content)}).headers["location"]
    for asked, status, expected in (({}, 200, content), ({"Range": "bytes=0-2999"}, 206, content[:3000])):
        answer, body = ask(api, address, {**GZIP, **asked})
        assert (answer.status_code, body) == (status, expected)
        assert "content-encoding" not in answer.headers
        assert not answer.headers["etag"].startswith("W/")
