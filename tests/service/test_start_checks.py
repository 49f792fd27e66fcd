"""A host whose secret key or folder of files is not the deployment's does not start, and says what to do."""

import io
import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.context import Context, open_context
from app.service.database.schema import migrate
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.start_checks import OtherDeployment, require_ready, require_same_deployment
from app.settings import Settings
from tests.commands.conftest import Parley, parley

pytestmark = pytest.mark.both_stores

__all__ = ["parley"]


Host = Callable[..., Context]


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """`host(secret_key=…)`: another host, with these settings in place of the deployment's."""
    opened: list[Context] = []

    def open_host(**changes: object) -> Context:
        opened.append(open_context(settings.model_copy(update=changes)))
        return opened[-1]

    yield open_host
    for one in opened:
        one.close()


@pytest.fixture
def started(context: Context) -> Context:
    """A host that has started, and an uploaded file of its."""
    require_ready(context)
    context.files.save("0a", io.BytesIO(b"content"), sha256(b"content").hexdigest())
    return context


def _address(started: Context) -> str:
    return started.settings.resolved_database_url.replace("+psycopg", "")


def test_a_host_with_the_same_key_and_files_starts(started: Context, host: Host) -> None:
    require_ready(host())


def test_a_host_with_another_key_does_not_start(started: Context, host: Host) -> None:
    other = host(secret_key=SecretStr(Fernet.generate_key().decode()))
    with pytest.raises(OtherDeployment, match=r"PARLEY_SECRET_KEY.*parley migrate --accept secret-key"):
        require_ready(other)
    require_ready(host())
    with pytest.raises(OtherDeployment):
        require_same_deployment(other, ["files-folder"])
    require_same_deployment(other, ["secret-key"])
    require_ready(other)
    with pytest.raises(OtherDeployment):
        require_ready(started)


def test_a_host_with_another_folder_does_not_start(started: Context, tmp_path: Path, host: Host) -> None:
    database = _address(started)
    other = host(data_dir=tmp_path / "other", database_url=database)
    with pytest.raises(OtherDeployment, match=r"PARLEY_DATA_DIR.*parley migrate --accept files-folder"):
        require_ready(other)
    require_same_deployment(other, ["files-folder"])
    require_ready(other)
    with pytest.raises(OtherDeployment):
        require_ready(started)


def test_a_folder_that_was_moved_or_restored_whole_is_the_same(
    started: Context, tmp_path: Path, host: Host
) -> None:
    database = _address(started)
    shutil.copytree(started.settings.files_dir, tmp_path / "restored" / "files")
    require_ready(host(data_dir=tmp_path / "restored", database_url=database))


def test_the_service_does_not_start(started: Context) -> None:
    key = SecretStr(Fernet.generate_key().decode())
    service = create_service(started.settings.model_copy(update={"secret_key": key}))
    with pytest.raises(OtherDeployment), TestClient(service):
        pass
    CONTEXT.get(service).close()


@pytest.mark.campaign
@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["work"], ["keys", "list"], ["migrate"]])
def test_a_command_says_so_in_one_line_and_how_to_go_on(
    parley: Parley, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    assert parley("keys", "list").status == 0
    monkeypatch.setenv("PARLEY_SECRET_KEY", Fernet.generate_key().decode())
    assert "migrate --accept secret-key" in parley(*command).refusal
    assert parley("migrate", "--accept", "secret-key").status == 0
    assert parley("keys", "list").status == 0


def test_a_new_database_on_a_folder_in_use_takes_its_mark(
    started: Context, tmp_path: Path, host: Host
) -> None:
    other = host(database_url=f"sqlite:///{tmp_path / 'second.sqlite3'}")
    migrate(other.database)
    require_ready(other)
    require_ready(started)
