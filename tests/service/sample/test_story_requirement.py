"""The story's requirement: three quotes whose best split is cheaper than the best supplier, made through the
interface, and removed with the rest of the sample."""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal

import httpx
import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.client import ApiClient, ScopedClient
from app.contract.sourcing import Matrix, Requirement, Scenario
from app.contract.sourcing_award import NewAward
from app.sample_story.requirement_plan import QUOTES, SCENARIOS, tell_requirement
from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.tables import category, company, product, product_family, scenario, sourcing_quote
from app.service.sample.suppliers import SampleSupplier, sample_catalog

CATALOG = sample_catalog("USD")


class Through(httpx.BaseTransport):
    """Carries the client's requests to the service of a test."""

    def __init__(self, service: TestClient) -> None:
        self._service = service

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._service.request(
            request.method, str(request.url), content=request.read(), headers=dict(request.headers)
        )
        headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
        return httpx.Response(answer.status_code, headers=headers, content=answer.content)


def _find(name: str) -> SampleSupplier:
    return next(one for one in CATALOG.suppliers if one.row["name"] == name)


@pytest.fixture
def invented(context: Context) -> None:
    """The sample catalog without its purchases."""
    with context.database.writing() as connection:
        connection.execute(category.insert(), CATALOG.categories)
        connection.execute(company.insert(), [one.row for one in CATALOG.suppliers])
        connection.execute(product_family.insert(), CATALOG.families)
        rows = [sold.row for one in CATALOG.suppliers for sold in one.products]
        connection.execute(product.insert(), rows)


@pytest.fixture
def parley(app: FastAPI, api: TestClient, invented: None, context: Context) -> Iterator[ScopedClient]:
    """The story's own client, whose key marks what it makes, after the requirement was told twice."""
    with context.database.writing() as connection:
        _, key = create_key(
            connection, name="s", organisation_name="Acme", role="owner", sample=True, now=context.clock()
        )
    with ApiClient("http://testserver", api_key=key, transport=Through(api)) as client:
        for _ in range(2):
            tell_requirement(client, context.clock().date(), "USD", _find)
        yield client


def _read(parley: ScopedClient) -> tuple[Requirement, Matrix, list[Scenario]]:
    [made] = parley.requirements.iter()
    return made, parley.requirements.matrix(made.id), parley.requirements.list_scenarios(made.id).data


def test_the_best_split_is_cheaper_than_the_best_supplier(parley: ScopedClient) -> None:
    made, table, scenarios = _read(parley)
    assert made.quote_count == len(QUOTES) == 3
    assert made.needed_by is not None
    assert made.needed_by > datetime.now(UTC).date()
    assert not any(quote.expired or quote.must_haves_open for quote in table.quotes)
    assert {cell.alignment for line in table.lines for cell in line.cells} == {
        *("confirmed", "proposed", "doubtful")
    }
    assert [line.description for quote in table.quotes for line in quote.unaligned] == [
        "Priority hotline at night"
    ]
    # The newest is shown first.
    found = {
        (one.objective, one.constraints.model_dump_json(exclude_defaults=True)): one for one in scenarios
    }
    assert [one.objective for one in scenarios] == [one.objective for one in reversed(SCENARIOS)]
    split, single = found["cheapest_split", "{}"], found["cheapest_single", "{}"]
    assert split.status == single.status == "optimal"
    assert (split.total or 0) < (single.total or 0)
    assert len({one.quote_id for one in split.award}) == 2
    assert not split.open_lines
    statuses = [one.status for one in reversed(scenarios)]
    assert statuses == ["gap", "optimal", "infeasible", "optimal", "optimal", "optimal"]
    assert any(cost.amount for cost in scenarios[2].costs), "what it costs to keep a supplier"
    assert len(scenarios[3].contradiction) > 1


@pytest.mark.campaign
def test_the_cheapest_supplier_is_the_one_whose_quote_is_complete(parley: ScopedClient) -> None:
    _, table, scenarios = _read(parley)
    totals = {
        one.supplier_name: [
            (total.amount, total.lines, total.rank)
            for total in (one.whole_term, one.must_haves)
            if total is not None
        ]
        for one in table.quotes
    }
    assert totals == {
        "Junforge Cloud": [(Decimal("172212.48"), 5, 1), (Decimal("165972.48"), 4, 1)],
        "Marwick Cloud": [(171_732, 4, None), (171_732, 4, 3)],
        "Ambertide Service Partners": [(173_852, 5, 2), (168_952, 4, 2)],
    }
    [single] = [
        one for one in scenarios if one.objective == "cheapest_single" and not one.constraints.keep_quotes
    ]
    assert single.total == table.quotes[0].whole_term.amount


def test_what_is_awarded_of_it_is_sample_data_and_all_of_it_is_removed(
    parley: ScopedClient, api: TestClient, context: Context
) -> None:
    made, _, scenarios = _read(parley)
    decided = NewAward(scenario_id=scenarios[0].id, reason="The cheapest.", make="agreements")
    body = decided.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert api.post(f"/v1/requirements/{made.id}/award", json=body).status_code == 201
    real = {
        "name": "Ours",
        "currency": "USD",
        "termMonths": 12,
        "lines": [{"description": "x", "quantity": 1}],
    }
    kept = api.post("/v1/requirements", json=real).json()["id"]
    assert api.get("/v1/sample").json()["requirementIds"] == [made.id]
    removed = api.delete("/v1/sample").json()
    assert (removed["requirements"], removed["suppliers"]) == (1, 80)
    assert [one["id"] for one in api.get("/v1/requirements").json()["data"]] == [kept]
    assert api.get("/v1/agreements").json()["data"] == []
    with context.database.reading() as connection:
        for table in (scenario, sourcing_quote):
            assert connection.scalar(sa.select(sa.func.count()).select_from(table)) == 0


def test_a_supplier_that_a_real_requirement_names_stays(parley: ScopedClient, api: TestClient) -> None:
    line = {"description": "x", "quantity": 1, "productId": _find("Marwick Cloud").products[0].row["id"]}
    body = {"name": "Ours", "currency": "USD", "termMonths": 12, "lines": [line]}
    assert api.post("/v1/requirements", json=body).status_code == 201
    removed = api.delete("/v1/sample").json()
    assert removed["suppliers"] == 79
    assert "Marwick Cloud" in removed["kept"][0]
