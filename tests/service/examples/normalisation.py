"""Makes two recordings of the same calls equal: ids that are made anew each time, the machine's own times,
addresses and secrets; and shortens long lists."""

import re
from typing import Any, cast

MAX_RECORDS = 2
"""How many records of a list an example has."""
ADDRESS = "https://parley.example"
KEY = "parley_EXAMPLE-NO-SECRET-EXAMPLE-NO-SECRET-EXAMPLE-N"
SECRET = "whsec_RVhBTVBMRS1OT1QtQS1TRUNSRVQtRVhBTVBMRQ=="
SIGNATURE = "v1,RVhBTVBMRS1OT1QtQS1TSUdOQVRVUkU="
TOKEN = "token=EXAMPLE-NOT-A-TOKEN"
INSTANT = "2026-11-20T12:00:00.000Z"

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SAMPLE_ID = re.compile(r"018df2[23]")
"""How the ids of the sample data begin, which are the same in every deployment."""


def normalise(recorded: dict[str, Any], address: str) -> dict[str, Any]:
    """The recording with stable ids, times, addresses and secrets, and short lists."""
    return cast(dict[str, Any], _Normalisation(address).apply(recorded))


_LATER_PHRASES = {
    "Request Entity Too Large": "Content Too Large",
    "Requested Range Not Satisfiable": "Range Not Satisfiable",
    "Unprocessable Entity": "Unprocessable Content",
}
"""Titles of errors that Python 3.13 has renamed."""


class _Normalisation:
    def __init__(self, address: str) -> None:
        self._address = address
        self._ids: dict[str, str] = {}

    def apply(self, node: Any, name: str = "", *, short: bool = False) -> Any:
        """`node`, which is called `name` where it stands; `short` in answers, whose lists are shortened."""
        if name in _FIXED and not _DAY.fullmatch(str(node)):
            return _FIXED[name]
        if isinstance(node, dict):
            given = cast(dict[str, Any], node)
            if given.get("name") == "document sandbox":
                given = {**given, "status": "ok"}
            return {
                self._text(key): self.apply(value, key, short=short or key == "responses")
                for key, value in given.items()
            }
        if isinstance(node, list):
            items = cast(list[Any], node)
            if short and name != "services" and all(isinstance(item, dict) for item in items):
                items = items[:MAX_RECORDS]
            return [self.apply(item, short=short) for item in items]
        return self._text(node) if isinstance(node, str) else node

    def _text(self, text: str) -> str:
        text = text.replace(self._address, ADDRESS).replace(
            self._address.removeprefix("http://"), ADDRESS.removeprefix("https://")
        )
        for phrase, later in _LATER_PHRASES.items():
            text = later if text == phrase else text
        text = re.sub(r"whsec_[A-Za-z0-9+/=]+", SECRET, text)
        text = re.sub(r"\bparley_[A-Za-z0-9_-]{43}(?![\w-])", KEY, text)
        text = re.sub(r"\bparley_[A-Za-z0-9_-]{5}(?![\w-])", KEY[:12], text)
        text = re.sub(r"\bErased person [0-9a-f]{8}\b", "Erased person 5eed0f1e", text)
        text = re.sub(r"\btoken=[\w-]{20,}", TOKEN, text)
        text = re.sub(r"Parley-Webhooks/[\w.]+", "Parley-Webhooks/0.2.0", text)
        text = re.sub(r"\bv1,[A-Za-z0-9+/=]{20,}", SIGNATURE, text)
        text = re.sub(r"\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT", "Fri, 20 Nov 2026 12:00:00 GMT", text)
        return _UUID.sub(self._stable_id, text)

    def _stable_id(self, found: re.Match[str]) -> str:
        given = found.group()
        if _SAMPLE_ID.match(given):
            return given
        return self._ids.setdefault(given, f"019a9f00-0000-7000-8000-{len(self._ids) + 1:012x}")


_FIXED: dict[str, Any] = {
    "timestamp": INSTANT,
    "madeAt": INSTANT,
    "durationMs": 12,
    "medianMs": 12,
    "p95Ms": 12,
    "usedAddress": "192.0.2.10",
    "version": "0.2.0",
}
"""What the machine and the release decide."""
