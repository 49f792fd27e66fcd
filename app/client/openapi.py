"""Reads from an OpenAPI description which operations a deployment offers. No I/O."""

import re
from collections.abc import Mapping
from typing import cast

from ..contract.access import NEEDED_ROLE_MARK, READS_ONLY_MARK

_PARAMETER = re.compile(r"\{[^{}/]*\}")
_METHODS = frozenset({"get", "head", "post", "put", "patch", "delete", "options", "trace"})


def offered_operations(description: Mapping[str, object]) -> frozenset[str]:
    """The operations of an OpenAPI description as texts like `GET /v1/scope/{}`, with `{}` for
    each parameter; empty for a description of another kind."""
    return frozenset(_operations_by_name(description))


def offered_parameters(description: Mapping[str, object]) -> frozenset[str]:
    """The parameters of the operations, as texts like `GET /v1/scope?status`."""
    return frozenset(
        f"{name}?{cast(dict[str, object], parameter).get('name')}"
        for name, operation in _operations_by_name(description).items()
        if isinstance(operation, dict)
        and isinstance(parameters := cast(dict[str, object], operation).get("parameters"), list)
        for parameter in cast(list[object], parameters)
        if isinstance(parameter, dict)
    )


def reading_operations(description: Mapping[str, object]) -> frozenset[str]:
    """The operations that a read-only key may call: every GET and HEAD, and what is marked `x-reads-only`."""
    return frozenset(
        name
        for name, operation in _operations_by_name(description).items()
        if name.startswith(("GET ", "HEAD "))
        or (isinstance(operation, dict) and cast(dict[str, object], operation).get(READS_ONLY_MARK) is True)
    )


def needed_roles(description: Mapping[str, object]) -> Mapping[str, str]:
    """The lowest role that may call an operation, by operation, where the description names one
    (`x-needed-role`)."""
    return {
        name: role
        for name, operation in _operations_by_name(description).items()
        if isinstance(operation, dict)
        and isinstance(role := cast(dict[str, object], operation).get(NEEDED_ROLE_MARK), str)
    }


def _operations_by_name(description: Mapping[str, object]) -> dict[str, object]:
    paths = description.get("paths")
    if not isinstance(paths, dict):
        return {}
    return {
        f"{method.upper()} {_PARAMETER.sub('{}', path)}": operation
        for path, operations in cast(dict[str, object], paths).items()
        if isinstance(operations, dict)
        for method, operation in cast(dict[str, object], operations).items()
        if method.lower() in _METHODS
    }
