"""Every recipe runs as it stands on its page, against a running product."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.docs.conftest import ON_BOTH_STORES
from tests.docs.programs import extract_program, require, run_program
from tests.flows.deployment import free_port
from tests.flows.receiver import receiving
from tests.flows.started_product import StartedProduct
from tests.service.tcp_proxy import proxy_to

SECONDS = 90
VERIFIER = "standardwebhooks@1.1.1"
LOADER = "dlt[duckdb]==1.31.0"
RunPython = Callable[..., str]


def shell(page: str, number: int = 0) -> list[str]:
    """The command that runs a page's block of shell, and ends with the first line that fails."""
    require("bash", "curl", "jq", "openssl")
    return ["bash", "-euo", "pipefail", "-c", extract_program(page, "sh", number)]


@pytest.fixture
def run_python(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RunPython:
    """Runs a page's program in Python in this process, which has loaded what it imports; what it printed."""

    def run_page(page: str, product: StartedProduct, address: str | None = None) -> str:
        monkeypatch.setenv("PARLEY_URL", address or product.address)
        monkeypatch.setenv("PARLEY_KEY", product.key)
        exec(compile(extract_program(page, "python"), page, "exec"), {"__name__": "__main__"})
        return capsys.readouterr().out

    return run_page


@contextmanager
def api_of(product: StartedProduct) -> Generator[httpx.Client]:
    with httpx.Client(base_url=product.address, headers={"Authorization": f"Bearer {product.key}"}) as api:
        yield api


@pytest.mark.campaign
def test_a_quote_becomes_a_scope_in_five_lines_of_curl(product: StartedProduct, tmp_path: Path) -> None:
    with api_of(product) as api:
        [company] = api.get("/v1/catalog/companies", params={"limit": 1}).json()["data"]
        sold = api.get(f"/v1/catalog/companies/{company['id']}/products").json()["data"][0]
    lines = "description,quantity,unit price,amount", f"{sold['name']},10,100.00,1000.00"
    (tmp_path / "quote.csv").write_text("\n".join((f"Supplier: {company['name']}", "", *lines, "")))
    command = shell("scope-from-a-quote.md")
    assert len(command[-1].splitlines()) == 5
    reading, estimate = _json_values(run_program(command, tmp_path, product.environment))
    assert reading["filename"] == "quote.csv"
    assert [line["productId"] for line in reading["lines"]] == [sold["id"]]
    assert estimate["estimate"]["percentile50"] > 0


def _json_values(text: str) -> list[Any]:
    """The JSON values that stand one after the other."""
    decoder, values, at = json.JSONDecoder(), [], 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        values.append(value)
    return values


@pytest.mark.campaign
def test_a_file_is_checked_and_imported(product: StartedProduct, tmp_path: Path) -> None:
    (tmp_path / "suppliers.csv").write_text("name,domain,products\nHarbour,harbour.example,Crane|Rope\n")
    printed = _json_values(run_program(shell("import-files.md"), tmp_path, product.environment))
    assert [one["status"] for one in printed] == ["ready", "importing", "completed"]
    assert printed[0]["kind"] == "catalog"
    assert printed[-1]["result"]["products"] == 2
    with api_of(product) as api:  # the other recipes count what there is
        assert api.delete(f"/v1/imports/{printed[-1]['id']}").status_code == 200
        while (undone := api.get(f"/v1/imports/{printed[-1]['id']}").json())["status"] == "undoing":
            time.sleep(0.1)
    assert (undone["status"], undone["removal"]["kept"]) == ("undone", [])


@pytest.mark.campaign
def test_paging_lists_everything_once(product: StartedProduct, run_python: RunPython) -> None:
    lines = run_python("paging.md", product).splitlines()
    assert len(set(lines)) == len(lines)
    with api_of(product) as api:
        companies = api.get("/v1/catalog/companies", params={"limit": 100}).json()
        counted = [
            api.get(f"/v1/catalog/companies/{company['id']}/products").json()["pagination"]["total"]
            for company in companies["data"]
        ]
    assert companies["pagination"]["total"] == len(counted)
    assert len(lines) == sum(counted) > 0


@pytest.mark.campaign
def test_a_call_whose_answer_was_lost_happens_once(product: StartedProduct, run_python: RunPython) -> None:
    with api_of(product) as api, proxy_to("127.0.0.1", int(product.address.rpartition(":")[2])) as proxy:
        before = {hook["id"] for hook in api.get("/v1/webhooks").json()}
        proxy.cut_before_next_answer()
        printed = run_python("errors.md", product, f"http://127.0.0.1:{proxy.port}")
        created, refusal = printed.splitlines()
        assert {hook["id"] for hook in api.get("/v1/webhooks").json()} - before == {created}
        api.delete(f"/v1/webhooks/{created}")
    assert refusal.startswith("The request is not valid. scopeId must ")
    assert "(request " in refusal


def register(product: StartedProduct, folder: Path, address: str) -> dict[str, Any]:
    """The webhook as the page registers it."""
    return json.loads(
        run_program(shell("webhooks.md"), folder, product.environment | {"RECEIVER_URL": address})
    )


def test_openssl_tells_a_genuine_delivery_from_a_forged_one(product: StartedProduct, tmp_path: Path) -> None:
    with api_of(product) as api, receiving() as receiver:
        hook = register(product, tmp_path, receiver.url)
        api.post(f"/v1/webhooks/{hook['id']}/test")
        delivery = receiver.wait_for_word("scope.extracted")
        api.delete(f"/v1/webhooks/{hook['id']}")
    variables = {name: delivery.headers[f"webhook-{name}"] for name in ("id", "timestamp", "signature")}
    variables["PARLEY_WEBHOOK_SECRET"] = hook["secret"]
    verify = shell("webhooks.md", 1)
    body = tmp_path / "body.json"
    body.write_bytes(delivery.body)
    assert run_program(verify, tmp_path, variables) == "genuine\n"
    body.write_bytes(delivery.body.replace(b"true", b"null"))
    assert run_program(verify, tmp_path, variables, status=1) == "forged\n"


def test_a_receiver_in_python_takes_what_is_genuine(product: StartedProduct, tmp_path: Path) -> None:
    deliver_to([sys.executable, "-c", extract_program("webhooks.md", "python")], product, tmp_path)


@pytest.mark.campaign
@ON_BOTH_STORES
def test_a_receiver_in_typescript_takes_what_is_genuine(
    product: StartedProduct, typescript_project: Path, tmp_path: Path
) -> None:
    run_program(["npm", "install", "--no-save", "--no-audit", "--no-fund", VERIFIER], typescript_project)
    (typescript_project / "receiver.ts").write_text(extract_program("webhooks.md", "typescript"))
    compiling = {"extends": "./tsconfig.json", "files": ["receiver.ts"]}
    (typescript_project / "tsconfig.receiver.json").write_text(json.dumps(compiling))
    run_program(["npx", "tsc", "--project", "tsconfig.receiver.json"], typescript_project)
    deliver_to(["node", str(typescript_project / "built" / "receiver.js")], product, tmp_path)


@pytest.mark.campaign
@ON_BOTH_STORES
def test_dlt_loads_the_catalog_twice_into_the_same_rows(product: StartedProduct, tmp_path: Path) -> None:
    require("uv")
    program = extract_program("load-the-catalog.md", "python")
    command = ["uv", "run", "--no-project", "--with", LOADER, "python", "-c", program]
    variables = product.environment | {"DLT_DATA_DIR": str(tmp_path), "RUNTIME__DLTHUB_TELEMETRY": "false"}
    first, second = (run_program(command, tmp_path, variables).splitlines()[-2:] for _ in range(2))
    with api_of(product) as api:
        companies = api.get("/v1/catalog/companies", params={"limit": 100}).json()
        totals = [
            api.get(f"/v1/catalog/companies/{company['id']}/products").json()["pagination"]["total"]
            for company in companies["data"]
        ]
    assert first == second == [f"companies {len(totals)}", f"products {sum(totals)}"]


def deliver_to(command: list[str], product: StartedProduct, folder: Path) -> None:
    """Starts a receiver, sends it a delivery and a forged one, and reads what it printed."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/hook"
    with api_of(product) as api:
        hook = register(product, folder, address)
        variables = {"PORT": str(port), "PARLEY_WEBHOOK_SECRET": hook["secret"]}
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            assert _post_forged(address) == 400
            api.post(f"/v1/webhooks/{hook['id']}/test")
            name, scope_id = process.stdout.readline().split()
        finally:
            process.kill()
            process.communicate()
            api.delete(f"/v1/webhooks/{hook['id']}")
    assert name == "scope.extracted"
    assert len(scope_id) == 36


def _post_forged(address: str) -> int:
    """The receiver's answer to a delivery with a wrong signature, once it listens."""
    headers = {"webhook-id": "a", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,AAAA"}
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            return httpx.post(
                address, content=b'{"eventType": "scope.extracted"}', headers=headers
            ).status_code
        except httpx.ConnectError:
            assert time.monotonic() < deadline, "the receiver does not listen"
            time.sleep(0.05)
