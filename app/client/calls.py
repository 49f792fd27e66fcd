"""The record of the calls that a client made, with their times."""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call with all its tries. `template` is the path with `{}` for ids; `status` is None when no answer
    came; `error` is the name of the raised class; `seconds` includes the waits; `bytes` is the size of the
    answer's body; `unchanged` says that the service answered 304. It holds no query, body or credential."""

    method: str
    template: str
    path: str
    status: int | None
    error: str | None
    started_at: datetime
    seconds: float
    tries: int
    bytes: int
    unchanged: bool
    request_id: str | None


OnCall = Callable[[CallRecord], None]


CALLS_OF_AN_IDENTITY = 200
IDENTITIES = 256


class CallLog:
    """The latest calls of each identity, newest last. No identity sees another's."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, deque[CallRecord]] = OrderedDict()
        self._lock = Lock()

    def add(self, fingerprint: str, call: CallRecord) -> None:
        with self._lock:
            if fingerprint not in self._calls:
                self._calls[fingerprint] = deque(maxlen=CALLS_OF_AN_IDENTITY)
                if len(self._calls) > IDENTITIES:
                    self._calls.popitem(last=False)
            self._calls.move_to_end(fingerprint)
            self._calls[fingerprint].append(call)

    def of(self, fingerprint: str) -> list[CallRecord]:
        with self._lock:
            return list(self._calls.get(fingerprint, ()))
