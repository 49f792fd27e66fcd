"""A backup made while people work, restored elsewhere: what was there before it began is there again."""

import subprocess
import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from app.settings import Settings
from tests.flows.started_product import ROOT, StartedProduct, environment_of, start_product
from tests.service.conftest import VAULT_KEY
from tests.service.postgres import SETTING, fresh_database, server_url

WRITERS = 3
CREATED_BEFORE = 20
TIMEOUT = 60.0


@dataclass
class Created:
    """What a writer was told that it has made: uploaded files, scopes and negotiations by their ids."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    scopes: list[str] = field(default_factory=list[str])
    negotiations: list[str] = field(default_factory=list[str])


def write(product: StartedProduct, number: int, created: Created, stopping: threading.Event) -> None:
    with caller(product) as api:
        company = api.get("/v1/catalog/companies").json()["data"][0]["id"]
        for turn in range(10_000):
            if stopping.is_set():
                return
            quote = f"description,quantity,unit price,amount\nSeats {number}-{turn},2,5.00,10.00\n".encode()
            file_id = checked(api.post("/v1/files/upload", files={"file": ("q.csv", quote)}))["id"]
            created.files[file_id] = quote
            address = f"{product.address}/v1/files/{file_id}"
            scope = checked(api.post("/v1/scope/from-document", json={"fileUrl": address}))
            created.scopes.append(scope["scopeId"])
            start = {
                "supplier": {"companyId": company},
                "contactEmail": "buyer@example.com",
                "contactName": "A. Buyer",
                "engagementType": "strategy_only",
            }
            negotiation = checked(api.post("/v1/negotiation/start", json=start))
            created.negotiations.append(negotiation["negotiationId"])


def caller(product: StartedProduct) -> httpx.Client:
    headers = {"Authorization": f"Bearer {product.key}"}
    return httpx.Client(base_url=product.address, headers=headers, timeout=TIMEOUT)


def checked(answer: httpx.Response) -> dict[str, str]:
    assert answer.status_code < 300, answer.text
    return answer.json()


def parley(settings: Settings, *arguments: str) -> str:
    environment = {"PATH": "/usr/bin:/bin", **environment_of(settings)}
    command = [sys.executable, "-m", "app.cli", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def settings_for(folder: Path, database_url: str | None) -> Settings:
    return Settings(
        data_dir=folder,
        database_url=database_url,
        secret_key=SecretStr(VAULT_KEY),
        webhook_allow=(ip_network("127.0.0.0/8"),),
    )


@pytest.mark.campaign
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_what_was_there_before_the_backup_is_there_again(store: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        urls: list[str | None] = [None, None]
        if store == "postgresql":
            server = server_url()
            if server is None:
                pytest.skip(f"no PostgreSQL: set {SETTING}")
            urls = [stack.enter_context(fresh_database(server)) for _ in range(2)]
        archive = tmp_path / "monday.tar"
        created = [Created() for _ in range(WRITERS)]
        stopping = threading.Event()
        with start_product(tmp_path / "original", urls[0]) as product:
            threads = [
                threading.Thread(target=write, args=(product, number, one, stopping))
                for number, one in enumerate(created)
            ]
            for thread in threads:
                thread.start()
            while min(len(one.negotiations) for one in created) < CREATED_BEFORE:
                assert all(thread.is_alive() for thread in threads)
                stopping.wait(0.1)
            before = [Created(dict(one.files), list(one.scopes), list(one.negotiations)) for one in created]
            parley(settings_for(tmp_path / "original", urls[0]), "backup", str(archive))
            meanwhile = sum(len(one.files) for one in created) - sum(len(one.files) for one in before)
            stopping.set()
            for thread in threads:
                thread.join()
        assert meanwhile > 0
        elsewhere = settings_for(tmp_path / "elsewhere", urls[1])
        assert "Restored." in parley(elsewhere, "restore", str(archive))
        with (
            start_product(tmp_path / "elsewhere", urls[1]) as restored,
            caller(StartedProduct(restored.address, product.key)) as api,
        ):
            for one in before:
                for file_id, content in one.files.items():
                    assert api.get(f"/v1/files/{file_id}").content == content
                for scope_id in one.scopes:
                    assert api.get(f"/v1/scope/{scope_id}").status_code == 200
                for negotiation_id in one.negotiations:
                    assert api.get(f"/v1/negotiation/{negotiation_id}/summary").status_code == 200
