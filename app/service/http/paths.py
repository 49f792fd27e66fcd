"""Which operations share a path: `/v1/files/upload` is a path of its own, and no `/v1/files/{fileId}`."""

import re

from fastapi import FastAPI

_PARAMETER = re.compile(r"\{\w+\}")


def find_allowed_methods(app: FastAPI, path: str) -> list[str]:
    """The methods that a path takes, as its description lists them."""
    templates = [one for one in app.openapi()["paths"] if _pattern_of(one).fullmatch(path)]
    if not templates:
        return []
    # Of several templates it is the one with the fewest parameters.
    operations = app.openapi()["paths"][min(templates, key=lambda one: len(_PARAMETER.findall(one)))]
    methods = {method.upper() for method in operations if method != "parameters"}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


def find_fixed_paths(app: FastAPI, template: str) -> list[re.Pattern[str]]:
    """The paths of other operations that `template` matches too: with a fixed part where it has a
    parameter."""
    return [
        _pattern_of(other)
        for other in app.openapi()["paths"]
        if other != template and _pattern_of(template).fullmatch(other)
    ]


def _pattern_of(template: str) -> re.Pattern[str]:
    return re.compile("[^/]+".join(map(re.escape, _PARAMETER.split(template))))
