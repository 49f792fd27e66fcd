"""The version before the newest revision works on the database beside this one (PostgreSQL, processes)."""

import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from app.service.database import schema
from app.service.database.engine import open_database
from app.service.database.schema import MIGRATIONS, newest_revision
from tests.service.background.worker_fixture import until
from tests.service.conftest import VAULT_KEY
from tests.service.postgres import fresh_database
from tests.service.webhooks.receivers import serving, status

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[3]
QUOTE = b"description,quantity,unit price,amount\nAnalytics Suite,10,100.00,1000.00\nNet total,,,1000.00\n"


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no history of this repository: {done.stderr.strip()}")
    return done.stdout.strip()


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The latest code that knows every revision but the newest."""
    versions = str((MIGRATIONS / "versions").relative_to(ROOT))
    wanted = [*schema._read_revisions()][:-1]
    if not wanted:
        pytest.skip("there is one revision")
    for commit in git("log", "--format=%H", "--", versions).split():
        lines = git("grep", "-h", "^revision = ", commit, "--", versions).splitlines()
        if sorted(line.partition('"')[2].strip('"') for line in lines) == wanted:
            break
    else:
        pytest.skip("no commit has the revision before the newest")
    folder = tmp_path_factory.mktemp("before") / "code"
    git("worktree", "add", "--detach", str(folder), commit)
    yield folder
    git("worktree", "remove", "--force", str(folder))


class Host:
    """The processes of one version on the deployment."""

    def __init__(self, code: Path, environment: dict[str, str], port: int) -> None:
        self._code = code
        self._environment = environment
        self.port = port

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "app.cli", *arguments],
            cwd=self._code,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    @contextmanager
    def run(self, *arguments: str) -> "Generator[subprocess.Popen[bytes]]":
        """A process of this version; killed at the end."""
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", *arguments], cwd=self._code, env=self._environment
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    @contextmanager
    def serve(self, key: str) -> Generator[httpx.Client]:
        with (
            self.run("serve", "--port", str(self.port)),
            httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30) as client,
        ):
            client.headers["Authorization"] = f"Bearer {key}"
            until(lambda: _answers(client))
            yield client


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/v1/openapi").status_code == 200
    except httpx.TransportError:
        return False


def upload(client: httpx.Client) -> str:
    answer = client.post("/v1/scope/from-document", files={"file": ("quote.csv", QUOTE)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["scopeId"])


def is_read(client: httpx.Client, scope_id: str) -> bool:
    processing = client.get(f"/v1/scope/{scope_id}").json()["documentProcessing"]
    assert processing["status"] != "failed", processing
    return bool(processing["status"] == "completed")


def test_old_and_new_processes_do_the_same_work_side_by_side(
    before: Path, postgres_server: str, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        url = stack.enter_context(fresh_database(postgres_server))
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")},
            "DATABASE_URL": url,
            "PARLEY_DATA_DIR": str(tmp_path / "data"),
            "PARLEY_SECRET_KEY": VAULT_KEY,
            "PARLEY_WEBHOOK_ALLOW": "127.0.0.0/8",
            "PARLEY_RATE_LIMIT": "0",
        }
        port = 21_000 + os.getpid() % 10_000
        old, new = Host(before, environment, port), Host(ROOT, environment, port + 1)
        assert old.command("migrate").returncode == 0
        assert "run `parley migrate`" in new.command("work").stderr
        key = old.command("keys", "create", "--name", "rollout").stdout.split()[-1]
        told = stack.enter_context(serving(status(200)))
        from_old = stack.enter_context(old.serve(key))
        old_worker = stack.enter_context(old.run("work"))
        webhook = from_old.post("/v1/webhooks", json={"url": told.url, "events": ["scope.extracted"]})
        assert webhook.status_code == 201, webhook.text
        first = upload(from_old)
        until(lambda: is_read(from_old, first))

        migrated = new.command("migrate")
        assert migrated.returncode == 0, migrated.stderr
        from_new = stack.enter_context(new.serve(key))
        scopes = [first, upload(from_old), upload(from_new)]
        until(lambda: all(is_read(client, id) for id in scopes for client in (from_old, from_new)))
        with new.run("work"):
            scopes += [upload(client) for client in (from_old, from_new) for _ in range(3)]
            until(lambda: all(is_read(client, id) for id in scopes for client in (from_old, from_new)))
            old_worker.kill()
            scopes += [upload(from_old), upload(from_new)]
            until(lambda: all(is_read(client, id) for id in scopes for client in (from_old, from_new)))
            until(lambda: len({each.headers["webhook-id"] for each in list(told.received)}) == len(scopes))

        # An old process that starts again is let in where the revision says so, and told why where not.
        database = open_database(url.replace("postgresql:", "postgresql+psycopg:"))
        with database.reading() as connection:
            oldest_code = connection.scalar(sa.text("SELECT oldest_code FROM schema_support")) or ""
        database.close()
        if oldest_code == newest_revision():
            refused = old.command("work")
            assert refused.returncode == 1
            assert "start a newer version" in refused.stderr
        else:
            with old.run("work") as again:
                time.sleep(10)
                assert again.poll() is None
