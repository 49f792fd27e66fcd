"""The earlier secrets of a webhook: each stays valid for its own 24 hours after the rotation that replaced
it. Pure."""

import base64
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

OVERLAP = timedelta(hours=24)
MAX_SECRETS = 3
"""How many secrets may be valid at a time, with the current one."""


class RetiredSecret(NamedTuple):
    """An earlier secret, encrypted; deliveries are signed with it as well until then."""

    sealed: bytes
    until: datetime


def read_retired(stored: Iterable[Mapping[str, str]] | None, now: datetime) -> list[RetiredSecret]:
    """Those of a row that are still valid, the oldest first."""
    every = [
        RetiredSecret(base64.b64decode(one["secret"]), datetime.fromisoformat(one["until"]))
        for one in stored or ()
    ]
    return [one for one in every if one.until > now]


def write_retired(secrets: Iterable[RetiredSecret]) -> list[dict[str, str]]:
    """The same in the form of a row."""
    return [
        {"secret": base64.b64encode(one.sealed).decode(), "until": one.until.isoformat()} for one in secrets
    ]
