"""An operation that will be removed says so in each of its responses and in the description."""

from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

import pytest
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from app.service import main
from app.service.catalog.response_cache import CachedRoute
from app.service.context import Context
from app.service.http.conditional_get import cacheable_response
from app.service.http.dependencies import CONTEXT
from app.service.http.deprecation import Deprecation, deprecated
from app.service.http.problems import not_found
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema

SAMPLES = "/v1/catalog/samples"
HEADERS = {
    "deprecation": "@1793491200",  # 1 November 2026
    "sunset": "Sat, 01 May 2027 00:00:00 GMT",
    "link": '</v1/catalog/products>; rel="successor-version"',
}
router = APIRouter(tags=["Catalog"], route_class=CachedRoute)


@router.get(f"{SAMPLES}/{{sampleId}}", operation_id="samples.read")
@deprecated(date(2026, 11, 1), sunset=date(2027, 5, 1), successor="/v1/catalog/products")
def read_sample(request: Request) -> Response:
    """Returns a sample."""
    if request.path_params["sampleId"] == "none":
        raise not_found("sample")
    return cacheable_response(request, b'{"id":"one"}')


@router.get(SAMPLES, operation_id="samples.list")
def list_samples(request: Request) -> Response:
    """Returns samples."""
    return cacheable_response(request, b"[]")


@pytest.fixture
def database_url() -> None:
    """SQLite alone: nothing here depends on the store."""


@pytest.fixture
def service(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The service with two routes more."""
    monkeypatch.setattr(main, "ROUTERS", (*main.ROUTERS, router))
    for name in ("_build_openapi", "_publish_description"):  # what others have built stays
        monkeypatch.setattr(main, name, cache(getattr(main, name).__wrapped__))
    app = main.create_service(settings)
    context: Context = CONTEXT.get(app)
    provide_schema(context.database)
    with TestClient(app) as client:
        client.headers["Authorization"] = f"Bearer {key_for(context)}"
        yield client


def shown(response: Any) -> dict[str, str]:
    return {name: response.headers[name] for name in HEADERS if name in response.headers}


def test_every_response_of_a_deprecated_operation_and_the_description_say_so(service: TestClient) -> None:
    for response in (
        service.get(f"{SAMPLES}/one"),
        service.get(f"{SAMPLES}/one"),  # the stored one
        service.head(f"{SAMPLES}/one"),
    ):
        assert (response.status_code, shown(response)) == (200, HEADERS)
    for status, response in (
        (304, service.get(f"{SAMPLES}/one", headers={"If-None-Match": "*"})),
        (404, service.get(f"{SAMPLES}/none")),
        (401, service.get(f"{SAMPLES}/one", headers={"Authorization": "Bearer unknown"})),
    ):
        assert (response.status_code, shown(response)) == (status, HEADERS)
    for response in (service.get(SAMPLES), service.post(f"{SAMPLES}/one"), service.get("/v1/health")):
        assert shown(response) == {}
    paths = service.get("/v1/openapi").json()["paths"]
    operation = paths[f"{SAMPLES}/{{sampleId}}"]["get"]
    assert operation["deprecated"] is True
    assert operation["description"].endswith(
        "Deprecated since 2026-11-01. From 2027-05-01 on it may be gone. Use /v1/catalog/products."
    )
    assert "deprecated" not in paths[SAMPLES]["get"]


def test_an_operation_is_not_removed_before_it_is_deprecated() -> None:
    with pytest.raises(ValueError, match="before it is removed"):
        Deprecation(date(2026, 11, 1), sunset=date(2026, 10, 31))
    assert Deprecation(date(2026, 11, 1)).describe() == "Deprecated since 2026-11-01."
    assert [name for name, _ in Deprecation(date(2026, 11, 1)).headers()] == [b"deprecation"]
