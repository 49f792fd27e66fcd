"""Every operation, error and event of the description has an example, and the examples are true."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from app.service.http.openapi import EXAMPLES_FILE, load_description
from tests.service.examples.recording import record_examples

DESCRIPTION = load_description(with_inbox=True)
REGISTRY: Registry[Any] = Registry().with_resource("urn:d", Resource(DESCRIPTION, DRAFT202012))
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
BINARY = {"image/png", "image/svg+xml", "application/pdf", "text/html", WORKBOOK}
"""Whole documents, which no description shows."""


def _list_contents() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every body: a JSON Pointer to it, its media type and what is said of it."""
    waiting: list[tuple[str, Any]] = [("", DESCRIPTION)]
    while waiting:
        pointer, node = waiting.pop()
        if isinstance(node, dict):
            for key, value in cast(dict[str, Any], node).items():
                step = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
                if key == "content" and "/schemas/" not in pointer and "/examples/" not in pointer:
                    for media_type, content in value.items():
                        yield f"{step}/{media_type.replace('/', '~1')}", media_type, content
                else:
                    waiting.append((step, value))
        elif isinstance(node, list):
            waiting += [(f"{pointer}/{n}", item) for n, item in enumerate(cast(list[Any], node))]


CONTENTS = list(_list_contents())


def test_every_body_has_an_example() -> None:
    """An operation gets one by a call in `walk.py` and
    `uv run --group dev python -m tests.service.examples`."""
    assert len(CONTENTS) > 75
    assert [
        place for place, kind, content in CONTENTS if kind not in BINARY and "examples" not in content
    ] == []


def test_every_parameter_of_a_path_has_an_example() -> None:
    assert [
        (path, parameter["name"])
        for path, operations in DESCRIPTION["paths"].items()
        for operation in operations.values()
        for parameter in operation["parameters"]
        if parameter["in"] == "path" and "example" not in parameter
    ] == []


def test_every_example_is_valid_and_in_use() -> None:
    # Imported here: it takes a second, and every process of the tests imports every test.
    from jsonschema import Draft202012Validator

    used: set[str] = set()
    for place, media_type, content in CONTENTS:
        for example in content.get("examples", {}).values():
            name = example["$ref"].rpartition("/")[2]
            used.add(name)
            if "schema" not in content:
                continue
            validator = Draft202012Validator({"$ref": f"urn:d#{place}/schema"}, registry=REGISTRY)
            value = DESCRIPTION["components"]["examples"][name]["value"]
            faults = [f"{one.json_path}: {one.message}" for one in validator.iter_errors(value)]
            assert not faults, (place, media_type, faults)
    assert used == DESCRIPTION["components"]["examples"].keys()


def test_no_example_holds_a_secret_that_could_be_real() -> None:
    written = EXAMPLES_FILE.read_text(encoding="utf-8")
    assert written.count("whsec_") == written.count("whsec_RVhBTVBMRS1OT1QtQS1TRUNSRVQt")
    assert written.count("v1,") == written.count("v1,RVhBTVBMRS1OT1Qt")
    assert "127.0.0.1" not in written


def test_the_examples_are_what_the_service_answers_now(tmp_path: Path) -> None:
    shipped = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    differences = list(_find_differences(record_examples(tmp_path), shipped))
    assert differences == [], "record them again: uv run --group dev python -m tests.service.examples"


def _find_differences(new: Any, shipped: Any, place: str = "") -> Iterator[str]:
    """Where the two differ; numbers may differ as much as the arithmetic of two machines does."""
    if isinstance(new, dict) and isinstance(shipped, dict):
        for key in {**new, **shipped}:
            yield from _find_differences(new.get(key), shipped.get(key), f"{place}/{key}")
    elif isinstance(new, list) and isinstance(shipped, list) and len(new) == len(shipped):
        for number, (one, other) in enumerate(zip(new, shipped, strict=True)):
            yield from _find_differences(one, other, f"{place}/{number}")
    elif isinstance(new, float) and isinstance(shipped, int | float):
        if not math.isclose(new, shipped, rel_tol=1e-3):
            yield f"{place}: {shipped} is now {new}"
    elif new != shipped:
        yield f"{place}: {shipped!r} is now {new!r}"
