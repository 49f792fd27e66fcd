"""`POST /mcp` on a real socket."""

import subprocess
import sys
from functools import partial
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.agents.door import Admission
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.agents.conftest import Deployed, answered, call, door_routes, over_http, run, said
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.migrated_database import provide_schema
from tests.service.negotiation.fake_clock import FakeClock
from tests.service.operation.test_metrics import samples

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"Accept": "application/json, text/event-stream"}
post = partial(httpx.post, timeout=60)
"""The first call of a process imports the protocol."""


@pytest.mark.campaign
@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
def test_both_eras_of_the_protocol_are_served(deployed: Deployed, mode: str) -> None:
    async def tell(agent: Any) -> Any:
        assert (agent.protocol_version == mode) is (mode != "legacy")
        assert {"find_products", "estimate_price"} < {one.name for one in (await agent.list_tools()).tools}
        return await agent.call_tool("find_products", {"words": "analytics"})

    assert answered(run(over_http(deployed.url, deployed.key, mode), tell))["products"]


def test_without_a_good_key_nothing_is_said(deployed: Deployed) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        refused = post(deployed.url + "/mcp", json=LIST, headers={**HEADERS, **headers})
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.headers["x-request-id"] == refused.json()["trace"]["requestId"]
    assert httpx.get(deployed.url + "/mcp").status_code == 405


@pytest.mark.campaign
def test_a_key_that_may_only_read_has_reading_tools_only(deployed: Deployed) -> None:
    reader = deployed.key_of(role="reader")

    async def listed(agent: Any) -> Any:
        return (await agent.list_tools()).tools

    tools = run(over_http(deployed.url, reader), listed)
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert {"find_products", "estimate_price", "check_quote"} <= {tool.name for tool in tools}
    refused = call(over_http(deployed.url, reader), "check_quote", text="a quote for ten seats")
    assert refused.is_error
    assert "text: Extra inputs are not permitted" in said(refused)


@pytest.mark.campaign
def test_what_another_organisation_has_is_not_found(deployed: Deployed) -> None:
    stranger = deployed.key_of("Strangers")
    for scope in (deployed.things["scopeId"], deployed.things["documentScopeId"]):
        refused = call(over_http(deployed.url, stranger), "check_quote", scope=scope)
        assert refused.is_error
        assert said(refused).startswith("There is no such scope")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Host": "localhost:1"}, 200),
    ],
)
def test_a_page_under_another_name_gets_nothing(
    deployed: Deployed, headers: dict[str, str], status: int
) -> None:
    sent = {**HEADERS, "Authorization": f"Bearer {deployed.key}", **headers}
    assert post(deployed.url + "/mcp", json=LIST, headers=sent).status_code == status


def test_calls_of_agents_count_as_any_others(tmp_path: Any) -> None:
    settings = Settings(
        data_dir=tmp_path, rate_limit=6, secret_key=SecretStr(VAULT_KEY), metrics_address="127.0.0.1:0"
    )
    app = create_service(settings, FakeClock(), further=door_routes(settings))
    provide_schema(CONTEXT.get(app).database)
    key = key_for(CONTEXT.get(app))
    with TestClient(app, base_url="http://localhost") as api:
        api.headers.update({**HEADERS, "Authorization": f"Bearer {key}"})
        codes = [api.post("/mcp", json=LIST).status_code for _ in range(8)]
        assert codes[0] == 200
        assert codes[-1] == 429
        assert int(api.post("/mcp", json=LIST).headers["retry-after"]) > 0
        counts = samples(CONTEXT.get(app), "http_server_request_duration_seconds_count")
    # Each call of the door asks first whose the key is; the door and that are measured apart.
    assert counts["POST", "200", "/mcp", "http"] == codes.count(200)
    assert counts["POST", "429", "/mcp", "http"] == codes.count(429) + 1
    assert counts["GET", "200", "/v1/access", "http"] == codes.count(200)


def test_where_tokens_of_a_provider_are_taken_it_is_said(tmp_path: Any) -> None:
    settings = Settings(
        data_dir=tmp_path,
        secret_key=SecretStr(VAULT_KEY),
        public_url="https://parley.example.com",
        oidc_issuer="https://id.example.com",
        oidc_client_id="parley",
        oidc_audience="parley-api",
    )
    app = create_service(settings, further=door_routes(settings))
    provide_schema(CONTEXT.get(app).database)
    api = TestClient(app)  # not started: neither answer needs the database
    address = "https://parley.example.com/.well-known/oauth-protected-resource/mcp"
    assert api.post("/mcp").headers["www-authenticate"] == f'Bearer resource_metadata="{address}"'
    described = api.get("/.well-known/oauth-protected-resource/mcp").json()
    assert described["resource"] == "https://parley.example.com/mcp"
    assert described["authorization_servers"] == ["https://id.example.com"]
    CONTEXT.get(app).close()


def test_the_service_loads_nothing_of_the_protocol_before_an_agent_comes() -> None:
    # The service itself may not import the door: the linter of imports says so.
    code = (
        "import sys, app.agents.door\n"
        "print([name for name in ('mcp', 'mcp_types', 'httpx2', 'app.client') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_pages_may_call_where_the_settings_say_so() -> None:
    named = Admission.read(Settings(cors_origins=("https://app.example.com",)))
    assert "https://app.example.com" in named.allowed_origins("https://app.example.com")
    assert "https://evil.example" not in named.allowed_origins("https://evil.example")
    anybody = Admission.read(Settings(cors_origins=("*",)))
    assert "https://evil.example" in anybody.allowed_origins("https://evil.example")


def test_calls_of_the_newer_protocol_keep_no_session_and_say_how_long_lists_hold(deployed: Deployed) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {
        **HEADERS,
        "Authorization": f"Bearer {deployed.key}",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/list",
    }
    listing = {**LIST, "params": {"_meta": meta}}
    answer = post(deployed.url + "/mcp", json=listing, headers=headers)
    assert "mcp-session-id" not in answer.headers
    assert answer.json()["result"]["cacheScope"] == "private"
    assert answer.json()["result"]["ttlMs"] == 300_000
    other = post(deployed.url + "/mcp", json=listing, headers={**headers, "Mcp-Method": "tools/call"})
    assert other.status_code == 400
    large = post(deployed.url + "/mcp", content=b" " * (4 * 1024 * 1024 + 1), headers=headers)
    assert large.status_code == 413
