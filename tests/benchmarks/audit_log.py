"""How long a page of the audit log takes, in a log of any length: by each filter, at its start and far from
it.

python -m tests.benchmarks.audit_log --entries 1000000
python -m tests.benchmarks.audit_log --entries 1000000 --postgresql
"""

import argparse
import json
import statistics
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from app.contract.audit import AuditFilter
from app.service.access.audit_log import load_entries
from app.service.context import Context, open_context
from app.service.database.dialect import bulk_insert
from app.service.database.schema import migrate
from app.service.database.tables import audit_entry
from app.service.ids import new_id
from app.settings import Settings
from tests.service.conftest import VAULT_KEY
from tests.service.postgres import fresh_database, server_url

START = datetime(2026, 1, 1, tzinfo=UTC)
ACTORS, OBJECTS, ORGANISATIONS = 200, 50_000, 3
ACTIONS = (
    *(("scopes.create", "scope"), ("scopes.update", "scope"), ("updates.create", "negotiation")),
    *(("agreements.update", "agreement"), ("files.upload", "file"), ("webhooks.create", "webhook")),
)
COLUMNS = (
    *("id", "organisation_id", "at", "actor_kind", "actor_id", "actor_name", "action", "summary"),
    *("object_kind", "object_id", "object_name", "request_id", "details"),
)
TRIES = 9
DETAILS = json.dumps({"fields": ["name"]})


def fill(context: Context, entries: int) -> tuple[str, list[str], list[str]]:
    """Write so many entries of one organisation, and as many of others; its id, its actors, its things."""
    random = Random(1)
    organisations = [new_id() for _ in range(ORGANISATIONS)]
    actors, things = [new_id() for _ in range(ACTORS)], [new_id() for _ in range(OBJECTS)]
    rows: list[tuple[object, ...]] = []
    for number in range(2 * entries):
        owner = organisations[0] if number % 2 else organisations[1 + number % 4 // 2]
        # One of a thousand is of a rare kind.
        action, kind = ("webhooks.create", "webhook") if number % 1000 == 1 else random.choice(ACTIONS[:5])
        at = (START + timedelta(seconds=10 * number)).isoformat(" ", "microseconds")[:26]
        thing = random.choice(things)
        who = ("key", random.choice(actors), "reports")
        rows.append(
            (new_id(), owner, at, *who, action, "Change a thing", kind, thing, "A thing", "r", DETAILS)
        )
        if len(rows) == 20_000 or number == 2 * entries - 1:
            _insert(context, rows)
            rows.clear()
    return organisations[0], actors, things


def _insert(context: Context, rows: list[tuple[object, ...]]) -> None:
    with context.database.writing() as connection:
        bulk_insert(connection, audit_entry, COLUMNS, rows)


def measure(context: Context, owner: str, query: AuditFilter, before: str | None) -> tuple[float, int]:
    """The milliseconds of a page of 100 entries, the middle of several tries, and how many it has."""
    seconds: list[float] = []
    found = 0
    for _ in range(TRIES):
        began = time.perf_counter()
        with context.database.reading() as connection:
            found = len(load_entries(connection, owner, {**query, "before": before}, 100)[0])
        seconds.append(time.perf_counter() - began)
    return 1000 * statistics.median(seconds), found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        url = stack.enter_context(fresh_database(server_url() or "")) if options.postgresql else None
        settings = Settings(data_dir=folder, database_url=url, secret_key=SecretStr(VAULT_KEY))
        context = open_context(settings)
        migrate(context.database)
        began = time.perf_counter()
        owner, actors, things = fill(context, options.entries)
        if not context.database.is_sqlite:
            with context.database.engine.connect() as connection:
                connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql(
                    "ANALYZE audit_entry"
                )
        print(f"{2 * options.entries:,} entries written in {time.perf_counter() - began:.0f} s")
        middle = START + timedelta(seconds=10 * options.entries)
        far: AuditFilter = {"until": START + timedelta(seconds=200 * 20)}
        with context.database.reading() as connection:
            last = load_entries(connection, owner, {**far}, 1)[0][0].id
        both: AuditFilter = {"actor_id": actors[3], "action": "scopes.update"}
        cases: dict[str, tuple[AuditFilter, str | None]] = {
            "newest": ({}, None),
            "oldest page": ({}, last),
            "from the middle": ({"until": middle}, None),
            "of an actor": ({"actor_id": actors[3]}, None),
            "of an action": ({"action": "scopes.update"}, None),
            "of a rare kind": ({"object_kind": "webhook"}, None),
            "of a thing": ({"object_id": things[7]}, None),
            "actor and rare kind": ({"actor_id": actors[3], "object_kind": "webhook"}, None),
            "actor, action, middle": (both | {"until": middle}, None),
            "two that never meet": ({"action": "scopes.update", "object_kind": "file"}, None),
        }
        for name, (query, before) in cases.items():
            milliseconds, found = measure(context, owner, query, before)
            print(f"{name:24} {milliseconds:8.1f} ms  {found:4} entries")
        context.close()


if __name__ == "__main__":
    main()
