"""Methods, types, forms and ranges: what a client that keeps to HTTP may rely on."""

import gzip
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from httpx import Response
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.http.openapi import load_description
from tests.service.running_service import create_one_of_everything

CSV = b"item,quantity,price\nwidget,2,3.50\n"
FILE = ("file", ("a.csv", CSV, "text/csv"))


@pytest.fixture
def database_url() -> None:
    """SQLite alone: nothing here depends on the store."""
    return


@pytest.mark.campaign
def test_a_path_of_its_own_is_405_for_other_methods(api: TestClient) -> None:
    for path, operations in load_description(with_inbox=True)["paths"].items():
        allowed = {method.upper() for method in operations}
        allowed |= {"HEAD"} if "GET" in allowed else set()
        concrete = path.format_map(_Ids())
        for method in {"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"} - allowed:
            answer = api.request(method, concrete)
            assert answer.status_code == 405, (method, path, answer.text)
            assert set(answer.headers["allow"].split(", ")) == allowed, (method, path)


class _Ids(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "1" if name == "page" else "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


def test_another_type_of_content_is_415_with_what_is_accepted(api: TestClient) -> None:
    paths: dict[str, Any] = load_description(with_inbox=True)["paths"]
    for path, operations in paths.items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content")
            if content is None:
                continue
            wrong = "text/plain" if "application/json" in content else "application/json"
            answer = api.request(
                method, path.format_map(_Ids()), content=b"{}", headers={"Content-Type": wrong}
            )
            assert answer.status_code == 415, (method, path, answer.text)
            assert all(kind in answer.json()["detail"] for kind in (wrong, *content)), answer.text
            assert set(answer.headers["accept"].split(", ")) == set(content)


@pytest.mark.parametrize("media_type", ["Application/JSON", "application/Problem+JSON; Charset=UTF-8"])
def test_the_media_type_of_json_has_no_case(api: TestClient, media_type: str) -> None:
    body = b'{"url": "http://127.0.0.1:9/x", "events": ["scope.extracted"]}'
    answer = api.post("/v1/webhooks", content=body, headers={"Content-Type": media_type})
    assert answer.status_code == 201, answer.text


def test_a_compressed_body_is_415_with_what_is_accepted(api: TestClient) -> None:
    for path, media_type in (("/v1/scope", "application/json"), ("/v1/files/upload", "multipart/form-data")):
        headers = {"Content-Type": media_type, "Content-Encoding": "gzip"}
        answer = api.post(path, content=gzip.compress(b"{}"), headers=headers)
        assert answer.status_code == 415
        assert "compressed with gzip" in answer.json()["detail"]
        assert answer.headers["accept-encoding"] == "identity"


@pytest.mark.campaign
def test_a_form_may_have_other_fields_and_one_file(api: TestClient, context: Context, tmp_path: Path) -> None:
    existing = create_one_of_everything(context, api, tmp_path)
    for path in (
        "/v1/files/upload",
        "/v1/scope/from-document",
        f"/v1/negotiation/{existing['negotiationId']}/attach",
    ):
        beside = api.post(path, files=[FILE], data={"note": "from my desk", "fileId": "", "fileUrl": ""})
        assert beside.status_code == 201, (path, beside.text)
        twice = api.post(path, files=[FILE, ("file", ("b.csv", CSV, "text/csv"))])
        assert twice.status_code == 400
        assert "file is there more than once" in twice.json()["detail"]
        other = api.post(path, files={"document": ("a.csv", CSV)})
        assert other.status_code == 400
        assert other.json()["errors"][0]["pointer"] == "document"
    assert api.post("/v1/files/upload", data={"note": "x"}, files=[]).status_code in {400, 415}


@pytest.mark.campaign
def test_a_created_record_is_at_its_location(api: TestClient, context: Context, tmp_path: Path) -> None:
    existing = create_one_of_everything(context, api, tmp_path)
    company, negotiation = existing["companyId"], existing["negotiationId"]
    term = {"termLength": 12, "purchaseType": "new_purchase"}
    product = {"productId": existing["productId"], "pricingDimensions": existing["pricingDimensions"]}
    hook = {"url": "http://127.0.0.1:9/x", "events": ["scope.extracted"]}
    started = {
        "supplier": {"companyId": company},
        "contactEmail": "a@example.com",
        "contactName": "A",
        "engagementType": "strategy_only",
    }
    entry = {"supplier": {"companyId": company}, "product": {"name": "Entirely Different"}}
    made = [
        api.post("/v1/files/upload", files=[FILE]),
        api.post("/v1/scope", json={"scopeTerms": [term], "productTerms": [product]}),
        api.post("/v1/scope/from-document", json={"fileUrl": f"/v1/files/{existing['fileId']}"}),
        api.post("/v1/webhooks", json=hook),
        api.post(f"/v1/webhooks/{existing['webhookId']}/test"),
        api.post("/v1/negotiation/start", json=started),
        api.post(f"/v1/negotiation/{negotiation}/attach", json={"fileId": existing["fileId"]}),
        api.post("/v1/catalog/entries", json=entry),
    ]
    for answer in made:
        assert answer.status_code == 201, answer.text
        location = answer.headers["location"]
        assert api.get(location).status_code == 200, location
        assert location in _follow_links(answer), (answer.url, location)


def _follow_links(answer: Response) -> set[str]:
    """The paths of the operations that the description links a 201 to."""
    given = urlsplit(str(answer.url)).path
    template, operations = next(
        (one, operations)
        for one, operations in load_description(with_inbox=True)["paths"].items()
        if "post" in operations and re.fullmatch(re.sub(r"{\w+}", "[0-9a-f-]{36}", one), given)
    )
    path_values = dict(zip(re.findall(r"{(\w+)}", template), re.findall("[0-9a-f-]{36}", given), strict=True))
    paths = {
        operation["operationId"]: one
        for one, operations in load_description(with_inbox=True)["paths"].items()
        for operation in operations.values()
    }
    return {
        paths[link["operationId"]].format_map(
            {
                name: path_values[source.removeprefix("$request.path.")]
                if source.startswith("$request.path.")
                else answer.json()[source.removeprefix("$response.body#/")]
                for name, source in link["parameters"].items()
            }
        )
        for link in operations["post"]["responses"]["201"]["links"].values()
    }


def test_the_page_of_the_description_and_all_that_it_loads_are_served_to_anybody(api: TestClient) -> None:
    del api.headers["Authorization"]
    page = api.get("/docs")
    loaded = re.findall(r'(?:src|href)="(docs/[^"]+)"', page.text)
    assert len(loaded) == 4
    for path in ("docs", *loaded):
        answer = api.get(f"/{path}")
        assert answer.status_code == 200, path
        assert "script-src 'self';" in answer.headers["content-security-policy"]
        again = api.get(f"/{path}", headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
    assert api.get("/docs/routes.py").status_code == 404
    refused = api.post("/docs")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_a_file_honours_ranges_and_tags(api: TestClient) -> None:
    address = api.post("/v1/files/upload", files=[FILE]).headers["location"]
    whole = api.get(address)
    tag = whole.headers["etag"]
    assert api.get(address, headers={"If-None-Match": tag}).status_code == 304
    assert api.get(address, headers={"If-None-Match": '"other"'}).content == CSV
    for asked, status, content in (
        ("bytes=0-3", 206, CSV[:4]),
        ("bytes=-5", 206, CSV[-5:]),
        ("bytes=5-", 206, CSV[5:]),
        ("items=0-3", 200, CSV),
        ("bytes=0-3,900-", 200, CSV),
    ):
        answer = api.get(address, headers={"Range": asked})
        assert (answer.status_code, answer.content) == (status, content), asked
    assert api.get(address, headers={"Range": "bytes=0-3", "If-Range": tag}).status_code == 206
    assert api.get(address, headers={"Range": "bytes=0-3", "If-Range": '"other"'}).content == CSV
    for asked, status in (("bytes=900-", 416), ("bytes=-0", 416), ("bytes=5-2", 400), ("bytes=x", 400)):
        answer = api.get(address, headers={"Range": asked})
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
    outside = api.get(address, headers={"Range": "bytes=900-"})
    assert outside.headers["content-range"] == f"bytes */{len(CSV)}"


def test_an_end_users_address_may_be_of_either_version(api: TestClient) -> None:
    for ip in ("192.0.2.7", "2001:db8::7", "::ffff:192.0.2.7", ""):
        assert api.get("/v1/catalog/companies", headers={"x-svc-end-user-ip": ip}).status_code == 200


@pytest.mark.campaign
def test_what_is_no_address_of_an_end_user_is_named(api: TestClient) -> None:
    answer = api.get("/v1/catalog/companies", headers={"x-svc-end-user-ip": "2001:db8::7::1"})
    assert answer.status_code == 400
    assert "x-svc-end-user-ip must be an IPv4 or IPv6 address" in answer.json()["detail"]
