"""Judges payloads by their schemas, in a process of its own that `schema_validation.py` starts and talks to.

`python -m app.service.negotiation.updates.schema_validator_process MEMORY SECONDS`. One JSON object a frame
comes in, `{schema, payload}`, and one goes out: `{}` when the payload fits, `{"schema": [{pointer, detail}]}`
when the schema is none that we check, `{"payload": [...]}` when the payload breaks it.
"""

import importlib
import json
import re
import signal
import sys
from collections.abc import Iterator
from itertools import islice
from types import ModuleType
from typing import Any, cast


def _is_iri(term: str, text: str) -> bool:
    syntax: Any = importlib.import_module("rfc3987_syntax")
    return bool(syntax.is_valid_syntax(term, text))


# The checker of IRIs compiles a grammar when it is imported, nine tenths of the time to start. A stand-in
# keeps its place; the real one comes when a schema first asks for an IRI.
_stand_in: Any = ModuleType("rfc3987_syntax")
_stand_in.is_valid_syntax = _is_iri
sys.modules["rfc3987_syntax"] = _stand_in

from jsonschema import Draft202012Validator  # noqa: E402
from jsonschema.exceptions import SchemaError, ValidationError  # noqa: E402
from referencing import Registry, Resource  # noqa: E402
from referencing.exceptions import Unresolvable  # noqa: E402
from referencing.jsonschema import DRAFT202012  # noqa: E402

from app.service.documents.sandbox.child_process import enter_isolation, receive_frame, send_frames  # noqa: E402

del sys.modules["rfc3987_syntax"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MAX_DETAIL_LENGTH = 500
MAX_ERRORS = 20

REFERENCES = ("$ref", "$dynamicRef")


def validate(schema: dict[str, Any], payload: Any) -> dict[str, list[dict[str, str]]]:
    try:
        Draft202012Validator.check_schema(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    except SchemaError as error:
        return {"schema": [_error(error.absolute_path, _describe(error))]}
    except RecursionError:
        return {"schema": [_error([], "The schema is nested too deeply.")]}
    other = schema.get("$schema", DIALECT)
    if str(other).rstrip("#") != DIALECT:
        return {"schema": [_error(["$schema"], "Only JSON Schema 2020-12 is checked.")]}
    resource = DRAFT202012.create_resource(schema)
    # Nothing is ever fetched: this registry knows the schema itself and no way to get another.
    registry: Registry[Any] = Registry()
    try:
        remote = list(_find_unresolved_references(resource, registry))
        if remote:
            return {"schema": remote}
        validator = Draft202012Validator(
            schema, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER
        )
        violations: Iterator[ValidationError] = validator.iter_errors(payload)  # pyright: ignore[reportUnknownMemberType]
        errors = list(islice(violations, MAX_ERRORS))
    except RecursionError:
        return {"schema": [_error([], "The schema refers to itself without an end.")]}
    except re.error:
        return {"schema": [_error([], "The schema has a pattern that is no regular expression.")]}
    except Exception:  # a schema can fail in as many ways as a program
        return {"schema": [_error([], "The schema cannot be applied to the payload.")]}
    found = [_error(error.absolute_path, _describe(error)) for error in errors]
    return {"payload": [one for index, one in enumerate(found) if one not in found[:index]]} if errors else {}


def _find_unresolved_references(resource: Resource[Any], registry: Registry[Any]) -> Iterator[dict[str, str]]:
    """References to anything that is not in the schema itself."""
    identifier = resource.id() or ""
    resolver = registry.with_resource(identifier, resource).resolver_with_root(resource)
    waiting = [(resource, resolver)]
    while waiting:
        at, its_resolver = waiting.pop()
        contents: object = at.contents
        if not isinstance(contents, dict):
            continue
        contents = cast(dict[str, Any], contents)
        for keyword in REFERENCES:
            reference = contents.get(keyword)
            if not isinstance(reference, str):
                continue
            try:
                its_resolver.lookup(reference)
            except (Unresolvable, ValueError):
                yield _error([], f"{keyword} {reference!r} is not in the schema; nothing is fetched.")
        waiting += [(inner, its_resolver.in_subresource(inner)) for inner in at.subresources()]


_SENTENCES = {
    "type": "must be of type {value}",
    "enum": "must be one of {value}",
    "const": "must be {value}",
    "minimum": "must be at least {value}",
    "maximum": "must be at most {value}",
    "exclusiveMinimum": "must be more than {value}",
    "exclusiveMaximum": "must be less than {value}",
    "multipleOf": "must be a multiple of {value}",
    "minLength": "must have at least {value} characters",
    "maxLength": "must have at most {value} characters",
    "pattern": "must match the pattern {value}",
    "format": "must have the format {value}",
    "minItems": "must have at least {value} entries",
    "maxItems": "must have at most {value} entries",
    "uniqueItems": "must not have the same entry twice",
    "minProperties": "must have at least {value} fields",
    "maxProperties": "must have at most {value} fields",
    "anyOf": "fits none of the alternatives of the schema",
    "oneOf": "must fit exactly one of the alternatives of the schema",
    "not": "is what the schema excludes",
}


def _describe(error: ValidationError | SchemaError) -> str:
    """What the value breaks, by the keyword of the schema, which stands in the sentence with its value."""
    keyword = str(error.validator)
    value: Any = error.validator_value  # pyright: ignore[reportUnknownMemberType]
    instance = cast(Any, error.instance)
    if keyword == "required":
        missing = [name for name in value if name not in instance]
        return f"must have {_quote(missing)}"
    if keyword in {"additionalProperties", "unevaluatedProperties"} and value is False:
        allowed = cast(dict[str, Any], error.schema).get("properties", {})
        return (
            f"has a field that the schema does not allow: {_quote([n for n in instance if n not in allowed])}"
        )
    sentence = _SENTENCES.get(keyword, f"does not fit “{keyword}” of the schema")
    return sentence.format(value=json.dumps(value, ensure_ascii=False))


def _quote(names: list[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _error(path: Any, detail: str) -> dict[str, str]:
    steps = [str(step).replace("~", "~0").replace("/", "~1") for step in path]
    shown = detail if len(detail) <= MAX_DETAIL_LENGTH else detail[:MAX_DETAIL_LENGTH] + " …"
    return {"pointer": "".join("/" + step for step in steps), "detail": shown}


def main() -> None:
    """Answer questions from standard input until it closes; the first frame says that it began."""
    questions, answers = enter_isolation(None, int(sys.argv[1]))
    # A pattern that backtracks for ever holds the interpreter, so no handler of Python could run: the
    # signal's default, death, needs none. It ends this process even when nobody is left to kill it.
    bound = float(sys.argv[2])
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who closes our input
    send_frames(answers, b"")
    while True:
        try:
            question = receive_frame(questions)
        except EOFError:
            return
        if b'"iri' in question:
            _is_iri("iri", "a:b")  # loaded outside of the time that is the schema's
        signal.setitimer(signal.ITIMER_PROF, bound)
        request = json.loads(question)
        verdict = json.dumps(validate(request["schema"], request["payload"]))
        signal.setitimer(signal.ITIMER_PROF, 0)
        send_frames(answers, verdict.encode())


if __name__ == "__main__":
    main()
