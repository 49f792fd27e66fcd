"""How fast purchases are imported into each store, and in how much memory: a process of its own, on one
file."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from app.service.context import open_context
from app.service.database.schema import migrate
from app.service.imports.operator_files import import_files
from app.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.generated_purchases import write_purchases
from tests.benchmarks.stores import on_each_store

ROWS_A_SECOND = {"SQLite": 40_000, "PostgreSQL": 25_000}
MOST_MEBIBYTES = 1024


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`."""
    rows = 1_000_000 if full else 50_000
    with tempfile.TemporaryDirectory(prefix="parley-importing-") as folder:
        path = Path(folder) / "purchases.csv"
        write_purchases(path, rows)
        return on_each_store(lambda name, url: _measure_process(name, url, path, rows))


def _measure_process(name: str, url: str | None, path: Path, rows: int) -> list[Figure]:
    command = (sys.executable, "-m", "tests.benchmarks.importing", str(path), *([url] if url else []))
    measured = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    subject = f"importing, {name}"
    # A server's own part is not in it.
    note = f"{rows:,} rows of CSV; {measured['cpu']:.1f} s of this processor"
    return [
        Figure(
            subject, "rows", rows / measured["seconds"], "rows/s", at_least=ROWS_A_SECOND[name], note=note
        ),
        Figure(subject, "memory", measured["mebibytes"], "MiB", at_most=MOST_MEBIBYTES, note="at its most"),
    ]


def _measure(path: Path, folder: Path, url: str | None) -> dict[str, float]:
    context = open_context(Settings(data_dir=folder).model_copy(update={"database_url": url}))
    migrate(context.database)
    began, worked = time.perf_counter(), time.process_time()
    import_files(context, "purchases", [path])
    seconds, cpu = time.perf_counter() - began, time.process_time() - worked
    context.database.close()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "cpu": cpu, "mebibytes": most}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="parley-importing-") as data:
        print(json.dumps(_measure(Path(sys.argv[1]), Path(data), sys.argv[2] if sys.argv[2:] else None)))
