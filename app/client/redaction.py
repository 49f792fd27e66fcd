"""Keeping secrets out of text that a person or a log may see."""

import re
from collections.abc import Collection
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


def hide(text: str, secrets: Collection[str]) -> str:
    """`text` without `secrets` and without whatever has the shape of one."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return _SECRET_SHAPES.sub(HIDDEN, text)


def hide_everywhere(value: object, secrets: Collection[str]) -> object:
    """The JSON value `value` with every text in it passed through `hide`."""
    if isinstance(value, str):
        return hide(value, secrets)
    if isinstance(value, list):
        return [hide_everywhere(entry, secrets) for entry in cast(list[object], value)]
    if isinstance(value, dict):
        entries = cast(dict[str, object], value).items()
        return {hide(name, secrets): hide_everywhere(entry, secrets) for name, entry in entries}
    return value
