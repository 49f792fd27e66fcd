"""The examples of the description: requests, answers, errors and events that were recorded from a running
service with the sample data (`uv run --group dev python -m tests.service.examples`)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.service.http.response_descriptions import ERRORS

EXAMPLES_FILE = Path(__file__).with_name("examples.json")
FORM_EXAMPLE = "files.upload"
"""The operation whose form is the example of every form: each has a file and nothing else."""

Content = dict[str, dict[str, Any]]


def add_examples(description: dict[str, Any]) -> None:
    """Adds the recorded examples: each once, as a component, which operations refer to."""
    recorded = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    components = _ExampleComponents()
    operations: dict[str, Any] = recorded["operations"]
    form = operations[FORM_EXAMPLE]["form"]
    for operation in _list_operations(description["paths"]):
        name = operation["operationId"]
        example = operations.get(name, {})
        _add_to_parameters(operation, example.get("parameters", {}))
        content: Content = operation.get("requestBody", {}).get("content", {})
        components.add(content, "application/json", f"{name}.request", example.get("request"))
        components.add(content, "multipart/form-data", f"{FORM_EXAMPLE}.request", form)
        for status, response in operation["responses"].items():
            for media_type in response.get("content", {}):
                answer = example.get("responses", {}).get(status)
                components.add(response["content"], media_type, f"{name}.{status}", answer)
    for status, error in ERRORS.items():
        content = description["components"]["responses"][error.name]["content"]
        components.add(content, next(iter(content)), error.name, recorded["errors"].get(str(status)))
    for operation in _list_operations(description["webhooks"]):
        name = operation["operationId"]
        event = recorded["events"].get(name, {})
        _add_to_parameters(operation, event.get("headers", {}))
        components.add(operation["requestBody"]["content"], "application/json", name, event.get("body"))
    description["components"]["examples"] = components.examples


def _list_operations(paths: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in paths.values():
        yield from operations.values()


def _add_to_parameters(operation: dict[str, Any], values: dict[str, Any]) -> None:
    for parameter in operation["parameters"]:
        if parameter["name"] in values:
            value = values[parameter["name"]]
            is_list: bool = parameter.get("schema", {}).get("type") == "array"
            parameter["example"] = value.split(",") if is_list else value


class _ExampleComponents:
    """The examples by their names as components. Equal ones are one."""

    def __init__(self) -> None:
        self.examples: dict[str, dict[str, Any]] = {}
        self._names: dict[str, str] = {}

    def add(self, content: Content, media_type: str, name: str, value: Any) -> None:
        """Refers a body of that type, if there is one, to an example, if there is one."""
        if media_type not in content or value is None:
            return
        known = self._names.setdefault(json.dumps(value, sort_keys=True), name)
        self.examples.setdefault(known, {"value": value})
        content[media_type]["examples"] = {"sample": {"$ref": f"#/components/examples/{known}"}}
