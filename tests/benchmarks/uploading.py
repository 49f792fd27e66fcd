"""How long a person waits who drops twelve files at once: pictures of receipts and pages, PDF of text, a
workbook and an invoice in XML among them, sent to the service and read by it.

The limit beside it is what reading the same files costs this machine's processors with nothing else to do.
"""

import os
import tempfile
import time
from pathlib import Path

from app.client import ApiClient
from app.service.access.keys import create_key
from app.service.context import Context
from tests.benchmarks.delivery_worker import deployment, run_worker
from tests.benchmarks.figures import Figure
from tests.benchmarks.reading import DATA, read_in_process
from tests.benchmarks.server import running

SECONDS = 45.0
COUNTS = {
    "software-quotes/files/*.jpg": 2,
    "documents/files/scan-*.jpg": 4,
    "software-quotes/files/*.pdf": 3,
    "documents/files/*.docx": 1,
    "documents/files/*.xlsx": 1,
    "documents/files/ubl-*.xml": 1,
}
"""How many files of each form."""
_DONE = ("completed", "failed")
_LONGEST = 300.0


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`; recognition is slow, so only with `full`."""
    if not full or not DATA.exists():
        return []
    chosen = [path for form, count in COUNTS.items() for path in sorted(DATA.glob(form))[:count]]
    with (
        tempfile.TemporaryDirectory(prefix="parley-uploading-") as folder,
        deployment(Path(folder), None) as context,
        run_worker(context),
        running(Path(folder), None) as (host, port),
    ):
        seconds = _upload(f"http://{host}:{port}", _make_key(context), chosen)
    limit = _read_alone(chosen) / (os.cpu_count() or 1)
    name = f"{len(chosen)} mixed files"
    text = max(spent for path, spent in seconds.items() if path.suffix != ".jpg")
    return [
        Figure("uploading", f"{name}, text read", text, "s"),
        Figure("uploading", f"{name}, all read", max(seconds.values()), "s", at_most=SECONDS),
        Figure("uploading", f"{name}, read alone on all processors", limit, "s"),
    ]


def _make_key(context: Context) -> str:
    with context.database.writing() as connection:
        return create_key(
            connection, name="benchmark", organisation_name="Benchmark", role="buyer", now=context.clock()
        )[1]


def _upload(address: str, key: str, files: list[Path]) -> dict[Path, float]:
    """Seconds from the first file sent until each is read."""
    read: dict[Path, float] = {}
    with ApiClient(address, api_key=key) as client:
        began = time.perf_counter()
        sent = [(path, client.scopes.from_upload(path.read_bytes(), filename=path.name)) for path in files]
        while len(read) < len(files):
            for path, one in sent:
                processing = client.scopes.get(one.scope_id).document_processing
                if path not in read and processing is not None and processing.status in _DONE:
                    read[path] = time.perf_counter() - began
            if time.perf_counter() - began > _LONGEST:
                raise TimeoutError(f"{len(files) - len(read)} of {len(files)} files were not read")
            time.sleep(0.1)
    return read


def _read_alone(files: list[Path]) -> float:
    read_in_process(files[0].read_bytes(), files[0].name, False)  # loads what reading needs
    began = time.process_time()
    for path in files:
        read_in_process(path.read_bytes(), path.name, False)
    return time.process_time() - began
