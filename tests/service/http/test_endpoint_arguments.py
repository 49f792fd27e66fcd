"""The arguments of an endpoint are those that the framework would have read."""

from typing import Annotated

import pytest
from fastapi import Depends, FastAPI, Header, Path
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.testclient import TestClient

from app.contract.catalog import ProductQuery
from app.contract.values import Id
from app.service.http.query_parameters import PageDep, query_parameters, read_ids
from app.service.http.routing import EndpointArguments, InvalidArgument

AN_ID = "0d9f2f4e-9b0a-4d57-8f3e-2f6c3a1b5c7d"


def show(
    request: Request,
    item_id: Annotated[Id, Path(alias="itemId")],
    query: Annotated[ProductQuery, Depends(query_parameters(ProductQuery, ids=read_ids))],
    page: PageDep,
) -> Response:
    return JSONResponse(
        {"asked": str(request.query_params), "id": item_id, "query": query, "page": vars(page)}
    )


@pytest.fixture(scope="module")
def api() -> TestClient:
    """The endpoint at `/framework`, and at `/ours` with the arguments that we read."""
    arguments = EndpointArguments(APIRoute("/ours/{itemId}", show).dependant)

    async def call(request: Request) -> Response:
        try:
            return show(**await arguments.read(request))
        except InvalidArgument:
            return Response(status_code=422)

    app = FastAPI()
    app.add_api_route("/framework/{itemId}", show)
    app.add_route("/ours/{itemId}", call)
    return TestClient(app)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (AN_ID, 200),
        (AN_ID.upper(), 200),
        (f"{AN_ID}?limit=7&offset=20&sortBy=name&sortOrder=desc", 200),
        (f"{AN_ID}?name=&ids={AN_ID},{AN_ID}&productFamilyId={AN_ID}&unknown=1", 200),
        (f"{AN_ID}?name=a%20b&name=c&ids=", 200),
        (f"{AN_ID}?ids=none", 400),
        ("none?ids=none", 400),
        ("none", 422),
        (f"{AN_ID}?limit=0", 422),
        (f"{AN_ID}?limit=1.0", 422),
        (f"{AN_ID}?offset=", 422),
        (f"{AN_ID}?sortBy=colour&productFamilyId=none", 422),
    ],
)
def test_they_are_those_of_the_framework(api: TestClient, address: str, status: int) -> None:
    ours, framework = api.get(f"/ours/{address}"), api.get(f"/framework/{address}")
    assert ours.status_code == framework.status_code == status
    assert status != 200 or ours.json() == framework.json()


def take_header(agent: Annotated[str, Header()]) -> None: ...


def take_plain_function(value: Annotated[None, Depends(lambda: None)]) -> None: ...


@pytest.mark.parametrize("endpoint", [take_header, take_plain_function])
def test_an_endpoint_that_takes_more_is_refused(endpoint: object) -> None:
    assert callable(endpoint)
    with pytest.raises(TypeError):
        EndpointArguments(APIRoute("/", endpoint).dependant)
