"""Removes secrets from text that a person or a log may see."""

import re
from typing import cast

from ..contract.access import END_USER_NAMES

HIDDEN = "[hidden]"

_SECRET_HEADERS = frozenset({"authorization", "x-api-key", *END_USER_NAMES, "cookie", "set-cookie"})

# What a webhook's secret looks like (Standard Webhooks 1.0), and a credential quoted from a header.
_SECRET_SHAPES = re.compile(r"whsec_[A-Za-z0-9+/=_-]+|(?<=Bearer )\S+", re.IGNORECASE)


class Headers(dict[str, str]):
    """Headers under lower-case names whose `repr` shows no credential and nothing of the end user."""

    def __repr__(self) -> str:
        return repr({name: HIDDEN if name in _SECRET_HEADERS else value for name, value in self.items()})

    __str__ = __repr__


class Secrets:
    """Texts that must not be shown, and how to remove them from other texts."""

    def __init__(self, *texts: str | None) -> None:
        self._texts = sorted((text for text in texts if text), key=len, reverse=True)

    def redact(self, text: str) -> str:
        """The text without the secrets and without anything that looks like one."""
        for secret in self._texts:
            text = text.replace(secret, HIDDEN)
        return _SECRET_SHAPES.sub(HIDDEN, text)

    def redact_json(self, value: object) -> object:
        """The JSON value with every text in it redacted."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, list):
            return [self.redact_json(entry) for entry in cast(list[object], value)]
        if isinstance(value, dict):
            entries = cast(dict[str, object], value).items()
            return {self.redact(name): self.redact_json(entry) for name, entry in entries}
        return value

    def __repr__(self) -> str:
        return f"Secrets({len(self._texts)})"
