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


class CallLog:
    """The latest calls of each identity, newest last. No identity sees another's."""

    def __init__(self, per_identity: int = 200, identities: int = 256) -> None:
        self._per_identity = per_identity
        self._identities = identities
        self._calls: OrderedDict[str, deque[CallRecord]] = OrderedDict()
        self._lock = Lock()

    def add(self, fingerprint: str, call: CallRecord) -> None:
        with self._lock:
            if fingerprint not in self._calls:
                self._calls[fingerprint] = deque(maxlen=self._per_identity)
                if len(self._calls) > self._identities:
                    self._calls.popitem(last=False)
            self._calls.move_to_end(fingerprint)
            self._calls[fingerprint].append(call)

    def of(self, fingerprint: str) -> list[CallRecord]:
        with self._lock:
            return list(self._calls.get(fingerprint, ()))
