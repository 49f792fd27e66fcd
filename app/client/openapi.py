"""Reads from an OpenAPI description which operations a deployment offers. No I/O."""

import re
from collections.abc import Mapping
from typing import cast

_PARAMETER = re.compile(r"\{[^{}/]*\}")
_METHODS = frozenset({"get", "head", "post", "put", "patch", "delete", "options", "trace"})


def offered_operations(description: Mapping[str, object]) -> frozenset[str]:
    """The operations of an OpenAPI description as texts like `GET /v1/scope/{}`, with `{}` for
    each parameter; empty for a description of another kind."""
    paths = description.get("paths")
    if not isinstance(paths, dict):
        return frozenset()
    return frozenset(
        f"{method.upper()} {_PARAMETER.sub('{}', path)}"
        for path, operations in cast(dict[str, object], paths).items()
        if isinstance(operations, dict)
        for method in cast(dict[str, object], operations)
        if method.lower() in _METHODS
    )
