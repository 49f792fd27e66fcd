"""A cache of answers with ETags, so that an unchanged body is not sent again (RFC 9110, 8.8.3).

It belongs to one client, and its keys hold the identity that received an answer: no caller is given
another's. The service confirms each cached body with a 304 before it is used.
"""

from collections import OrderedDict
from threading import Lock

from .errors import Answer

Key = tuple[str, str]
"""The fingerprint of the identity, and the address."""


class BodyCache:
    """The most recently used answers: at most `entries` of them and `total_bytes` in all."""

    def __init__(self, entries: int = 256, total_bytes: int = 32 * 1024 * 1024) -> None:
        self._entries = entries
        self._total_bytes = total_bytes
        self._size = 0
        self._answers: OrderedDict[Key, Answer] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Answer | None:
        """The answer last stored under `key`, None without one."""
        with self._lock:
            answer = self._answers.get(key)
            if answer:
                self._answers.move_to_end(key)
            return answer

    def store(self, key: Key, answer: Answer) -> None:
        """Store a 200 with an ETag and without `no-store`; any other answer only removes what is under
        `key`."""
        with self._lock:
            old = self._answers.pop(key, None)
            self._size -= len(old.body) if old else 0
            forbidden = "no-store" in answer.headers.get("cache-control", "").lower()
            if answer.status != 200 or "etag" not in answer.headers or forbidden:
                return
            self._answers[key] = answer
            self._size += len(answer.body)
            while len(self._answers) > self._entries or self._size > self._total_bytes:
                _, oldest = self._answers.popitem(last=False)
                self._size -= len(oldest.body)

    def __repr__(self) -> str:
        return f"BodyCache({len(self._answers)} answers, {self._size} bytes)"
