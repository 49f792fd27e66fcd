"""A database of PostgreSQL: dumped as it is at one moment, and replaced while nobody else uses it."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.engine import URL, make_url

from app.service.backup.manifest import BackupFault
from app.service.context import Context
from app.service.database.engine import Database
from app.service.start_checks import NOT_RESTORED, SECRET_KEY

_DEBIAN_FOLDER = Path("/usr/lib/postgresql")
"""Debian keeps each version's programs in a folder of its own, with one of them on the PATH."""
_PROGRAMS = ("pg_dump", "pg_restore", "psql")

_EMPTY_SCHEMA = """\
SET LOCAL lock_timeout = '30s';
SET LOCAL statement_timeout = 0;
SET LOCAL idle_in_transaction_session_timeout = 0;
DO $parley$
DECLARE one record;
BEGIN
  FOR one IN SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
      AND c.relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  LOOP EXECUTE format('DROP TABLE IF EXISTS public.%I CASCADE', one.relname); END LOOP;
  FOR one IN SELECT p.oid::regprocedure AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', one.name); END LOOP;
END $parley$;
"""
"""Drops tables and functions that belong to no extension, whatever revision made them."""
_FREE = """\
DO $parley$
BEGIN
  IF EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND pid <> pg_backend_pid() AND backend_type = 'client backend') THEN
    RAISE 'another session has begun meanwhile: stop what is connected to the database first';
  END IF;
END $parley$;
"""
"""Whoever comes later waits for the end of the transaction, and finds what `_NOT_SETTLED` says."""
_NOT_SETTLED = f"""\
DO $parley$
BEGIN
  IF to_regclass('public.fingerprint') IS NOT NULL THEN
    DELETE FROM public.fingerprint;
    INSERT INTO public.fingerprint (name, value) VALUES ('{SECRET_KEY}', '{NOT_RESTORED}');
  END IF;
END $parley$;
"""  # noqa: S608 (of constants)
"""Until the restored database is settled no process starts on it: its key is none."""


class PostgresqlTools:
    """The programs of one version, for the database of an address."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        parsed = make_url(url)
        # The password goes by the environment: others see the arguments of a process.
        self._address = URL.create(
            "postgresql",
            username=parsed.username,
            host=parsed.host,
            port=parsed.port,
            database=parsed.database,
            query=parsed.query,
        ).render_as_string()
        self._environment: Mapping[str, str] = {
            **os.environ,
            "PGAPPNAME": "parley-backup",
            **({"PGPASSWORD": str(parsed.password)} if parsed.password else {}),
        }

    def dump(self, target: Path, snapshot: str) -> None:
        """Write the database as a transaction sees it that exported the snapshot. Raises BackupFault."""
        self._run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={target}", self._address)

    def load(self, dump: IO[bytes]) -> None:
        """Replace tables and functions by those of the dump, a file on the disk, in one transaction. An
        interruption, of this process as well, leaves the database as it was, and so does another session.
        Raises BackupFault."""
        script = [str(self._folder / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self._address]
        reading = [str(self._folder / "pg_restore"), "--no-owner", "--no-privileges", "--file=-"]
        with subprocess.Popen(
            script,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self._environment,
        ) as loading:
            assert loading.stdin is not None
            assert loading.stderr is not None
            try:
                loading.stdin.write(f"BEGIN;\n{_EMPTY_SCHEMA}".encode())
                loading.stdin.flush()
                read = subprocess.run(
                    reading, stdin=dump, stdout=loading.stdin, stderr=subprocess.PIPE, check=False
                )
                if read.returncode and not _ends_soon(loading):
                    raise BackupFault(f"the database cannot be restored: {_first_line(read.stderr)}")
                # Only now: who ends before this is said leaves no trace.
                loading.stdin.write(f"{_NOT_SETTLED}{_FREE}COMMIT;\n".encode())
                loading.stdin.close()
            except BrokenPipeError:
                pass  # psql says why
            except BaseException:
                loading.kill()
                raise
            said = loading.stderr.read()
        if loading.returncode:
            raise BackupFault(f"the database cannot be restored: {_first_line(said)}")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._folder / program), *arguments], env=self._environment, capture_output=True, check=False
        )
        if done.returncode:
            raise BackupFault(_first_line(done.stderr))


def find_tools(url: str, server_version: int) -> PostgresqlTools:
    """The oldest programs that are not older than the server: what newer ones write, its server may not take.
    Raises BackupFault where there are none."""
    found = _list_versions()
    fitting = sorted((version, folder) for folder, version in found.items() if version >= server_version)
    if fitting:
        return PostgresqlTools(fitting[0][1], url)
    there = f"; the newest here is {max(found.values())}" if found else ", and there are none here"
    raise BackupFault(
        f"pg_dump, pg_restore and psql of PostgreSQL {server_version} or newer are needed{there}: install"
        f" postgresql-client-{server_version} (Debian, Ubuntu), postgresql{server_version} (Red Hat) or"
        " libpq (Homebrew)"
    )


def _list_versions() -> dict[Path, int]:
    folders = [Path(found).parent for found in (shutil.which("pg_dump"),) if found]
    folders += _DEBIAN_FOLDER.glob("*/bin")
    versions: dict[Path, int] = {}
    for folder in folders:
        if all((folder / program).exists() for program in _PROGRAMS):
            asked = [str(folder / "pg_dump"), "--version"]
            said = subprocess.run(asked, capture_output=True, text=True, check=False)
            number = re.search(r"\b(\d+)(?:\.|\b)", said.stdout)
            if number is not None:
                versions[folder] = int(number[1])
    return versions


def _ends_soon(process: "subprocess.Popen[bytes]") -> bool:
    """Whether it has ended, which is then why nobody could write to it."""
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        return False
    return True


def _first_line(said: bytes) -> str:
    lines = said.decode(errors="replace").strip().splitlines()
    errors = [line for line in lines if "ERROR" in line or "error:" in line or "FATAL" in line]
    return (errors or lines or ["it ended without a word"])[0]


ENDING_SECONDS = 1.0
_OTHER_SESSIONS = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def tools_for(context: Context) -> PostgresqlTools:
    """The programs for the server of the context."""
    with context.database.own_session() as connection:
        number = int(connection.execute(sa.text("SHOW server_version_num")).scalar_one())
    settings = context.settings
    return find_tools(settings.resolved_direct_url or settings.resolved_database_url, number // 10_000)


@contextmanager
def one_moment(database: Database) -> Generator[tuple[Connection, str]]:
    """A connection that sees the database as it is now for as long as the block lasts, and the name by which
    other sessions see the same."""
    with database.own_session() as connection:
        connection.execution_options(isolation_level="REPEATABLE READ")
        # The dump may take longer than a session of ours may stand still.
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield connection, connection.execute(sa.text("SELECT pg_export_snapshot()")).scalar_one()


def require_free(database: Database, *, replace: bool) -> None:
    """Raises BackupFault where the database has tables, without `replace`, or another session. One whose
    process has just ended, as of a restore that was killed, is waited for."""
    deadline = time.monotonic() + ENDING_SECONDS
    with database.own_session() as connection:
        while sessions := connection.execute(_OTHER_SESSIONS).scalar_one():
            if time.monotonic() > deadline:
                break
            connection.rollback()  # what a transaction has seen of them, it sees to its end
            time.sleep(ENDING_SECONDS / 20)
        tables = sa.inspect(connection).get_table_names()
    if tables and not replace:
        raise BackupFault(
            f"the database has {len(tables)} tables: name an empty one, or replace it with --replace"
        )
    if sessions:
        raise BackupFault(
            f"the database is in use by {sessions} other sessions: stop services, workers, PgBouncer and"
            " whatever else is connected to it first"
        )
