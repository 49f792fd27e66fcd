"""What a process sets up for itself: Python's garbage collector, and logs as JSON, one object a line, with
the id of the request that a line belongs to."""

import gc
import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime


def spare_startup() -> None:
    """Looks for cycles seldom until the start is over: imports make 600,000 objects that stay, and going
    through them again and again took a fifth of the time."""
    gc.set_threshold(100_000, 50, 50)


def freeze_startup_objects() -> None:
    """Excludes every object made so far from garbage collection: they live to the end, and looking through
    them for cycles took a tenth of the time of an estimate and of a delivery."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Of the request that is worked on, in its threads too."""


class JsonFormatter(logging.Formatter):
    """`time`, `level`, `logger`, `message`, and where there are any `requestId` and `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        request_id = REQUEST_ID.get()
        if request_id is not None:
            line["requestId"] = request_id
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_as_json() -> None:
    """Write all logs of the process to standard error as JSON: ours from INFO on, those of libraries from
    WARNING on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("parley", "app"):
        logging.getLogger(name).setLevel(logging.INFO)
