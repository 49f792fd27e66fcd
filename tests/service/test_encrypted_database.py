"""`parley doctor` says whether what goes to the database over a network is encrypted and verified."""

import shutil
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from app.service.context import open_context
from app.service.doctor import Level, check_encryption
from app.settings import Settings
from tests.service.own_certificate import make_certificate
from tests.service.postgres import installed_binaries, packaged_binaries, start_server

HOST = "database.parley.example"
pytestmark = pytest.mark.campaign


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls") / "own.pem", HOST)


@pytest.fixture(scope="module")
def server(certificate: Path) -> str:
    """The port of a server that takes connections with TLS and without."""
    binaries = installed_binaries() or packaged_binaries()
    assert binaries is not None
    url = start_server(binaries)
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
        assert row is not None
        folder = Path(row[0])
        held = folder / "own.pem"
        shutil.copyfile(certificate, held)
        shutil.chown(held, folder.owner(), folder.group())
        held.chmod(0o600)
        for setting in ("ssl_cert_file = 'own.pem'", "ssl_key_file = 'own.pem'", "ssl = on"):
            connection.execute(f"ALTER SYSTEM SET {setting}".encode())
        connection.execute("SELECT pg_reload_conf()")
    return url.rpartition(":")[2].partition("/")[0]


def say(server: str, host: str, query: str, folder: Path) -> tuple[Level, str]:
    """The level and the message of the finding; the host's name leads to this machine."""
    url = f"postgresql://parley@{host}:{server}/postgres?hostaddr=127.0.0.1&{query}"
    context = open_context(Settings(database_url=url, data_dir=folder / "data"))
    try:
        [finding] = check_encryption(context)
        return finding.level, finding.message
    finally:
        context.close()


def test_what_is_not_encrypted_or_not_verified_is_a_warning(
    server: str, certificate: Path, tmp_path: Path
) -> None:
    plain, text = say(server, HOST, "sslmode=disable", tmp_path)
    assert (plain, "not encrypted" in text) == (Level.WARN, True)
    required, text = say(server, HOST, "sslmode=require", tmp_path)
    assert (required, "not verified (sslmode=require)" in text) == (Level.WARN, True)
    verified = f"sslmode=verify-full&sslrootcert={certificate}"
    assert say(server, HOST, verified, tmp_path) == (
        Level.OK,
        "The connection to the database is encrypted and verified.",
    )
    assert say(server, "127.0.0.1", "sslmode=disable", tmp_path)[0] == Level.OK
    with pytest.raises(OperationalError):
        say(server, "other.parley.example", verified, tmp_path)
