"""Keeping secrets out of text that a person or a log may see."""

import re
from typing import cast

HIDDEN = "[hidden]"

_SECRET_HEADERS = frozenset(
    {
        "authorization",
        "x-api-key",
        "x-svc-end-user-identifier",
        "x-svc-end-user-ip",
        "x-svc-end-user-email",
        "x-svc-end-user-organization-name",
        "cookie",
        "set-cookie",
    }
)

# What a webhook's secret looks like (Standard Webhooks 1.0), and a credential quoted from a header.
_SECRET_SHAPES = re.compile(r"whsec_[A-Za-z0-9+/=_-]+|(?<=Bearer )\S+", re.IGNORECASE)


class Headers(dict[str, str]):
    """Headers under lower-case names whose `repr` shows no credential and nothing of the end user."""

    def __repr__(self) -> str:
        return repr({name: HIDDEN if name in _SECRET_HEADERS else value for name, value in self.items()})

    __str__ = __repr__


class Secrets:
    """Texts that must not be shown, and the means to take them out of others."""

    def __init__(self, *texts: str | None) -> None:
        self._texts = sorted((text for text in texts if text), key=len, reverse=True)

    def hidden(self, text: str) -> str:
        """`text` without the secrets and without whatever has the shape of one."""
        for secret in self._texts:
            text = text.replace(secret, HIDDEN)
        return _SECRET_SHAPES.sub(HIDDEN, text)

    def hidden_in(self, value: object) -> object:
        """The JSON value `value` with every text in it passed through `hidden`."""
        if isinstance(value, str):
            return self.hidden(value)
        if isinstance(value, list):
            return [self.hidden_in(entry) for entry in cast(list[object], value)]
        if isinstance(value, dict):
            entries = cast(dict[str, object], value).items()
            return {self.hidden(name): self.hidden_in(entry) for name, entry in entries}
        return value

    def __repr__(self) -> str:
        return f"Secrets({len(self._texts)})"
