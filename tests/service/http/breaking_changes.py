"""What a description of the interface takes away from the clients of an earlier one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Node = Mapping[str, Any]
Direction = Literal["request", "response"]
"""A request's schema must take what it took; a response's must promise what it promised."""

METHODS = ("get", "put", "post", "delete", "patch", "head", "options")
TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
UPPER_BOUNDS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
LOWER_BOUNDS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
FORMS = ("pattern", "format", "multipleOf")


class BreakingChange(NamedTuple):
    """`place` is an operation with a part of it (`GET /v1/files 200`), or a record with a property
    (`Company.name`)."""

    place: str
    what: str


def find_breaking_changes(old: Node, new: Node) -> list[BreakingChange]:
    """The changes after which a client of the old description may fail, each once."""
    comparison = _Comparison(old, new)
    changes = [*_compare_paths(comparison), *_compare_webhooks(comparison)]
    return sorted(set(changes))


def _compare_paths(comparison: "_Comparison") -> Iterator[BreakingChange]:
    for path, operations in comparison.old["paths"].items():
        remaining = comparison.new["paths"].get(path, {})
        for method in METHODS:
            if method not in operations:
                continue
            place = f"{method.upper()} {path}"
            if method in remaining:
                yield from _compare_operation(comparison, operations[method], remaining[method], place)
            else:
                yield BreakingChange(place, "the operation was removed")


def _compare_webhooks(comparison: "_Comparison") -> Iterator[BreakingChange]:
    remaining = comparison.new.get("webhooks", {})
    for event, item in comparison.old.get("webhooks", {}).items():
        if event not in remaining:
            yield BreakingChange(event, "the event was removed")
            continue
        old, new = (one["post"]["requestBody"]["content"] for one in (item, remaining[event]))
        yield from _compare_contents(comparison, old, new, "response", event)


def _compare_operation(
    comparison: "_Comparison", old: Node, new: Node, place: str
) -> Iterator[BreakingChange]:
    if old.get("operationId") != new.get("operationId"):
        yield BreakingChange(place, f"its id was {old.get('operationId')}")
    yield from _compare_parameters(comparison, old, new, place)
    old_body, new_body = comparison.resolve(old.get("requestBody", {}), new.get("requestBody", {}))
    if new_body.get("required") and not old_body.get("required"):
        yield BreakingChange(place, "a body is required")
    yield from _compare_contents(
        comparison, old_body.get("content", {}), new_body.get("content", {}), "request", place
    )
    for status, response in old["responses"].items():
        at = f"{place} {status}"
        if status not in new["responses"]:
            yield BreakingChange(at, "the status was removed")
            continue
        before, now = comparison.resolve(response, new["responses"][status])
        for header in before.get("headers", {}).keys() - now.get("headers", {}).keys():
            yield BreakingChange(f"{at} {header}", "the header was removed")
        yield from _compare_contents(
            comparison, before.get("content", {}), now.get("content", {}), "response", at
        )


def _compare_parameters(
    comparison: "_Comparison", old: Node, new: Node, place: str
) -> Iterator[BreakingChange]:
    before, now = (
        {(one["in"], one["name"]): one for one in operation.get("parameters", ())} for operation in (old, new)
    )
    for key in before.keys() - now.keys():
        yield BreakingChange(f"{place} {key[1]}", "the parameter was removed")
    for key, parameter in now.items():
        known = before.get(key)
        at = f"{place} {key[1]}"
        if parameter.get("required") and not (known and known.get("required")):
            yield BreakingChange(at, "the parameter is required")
        if known is not None:
            yield from comparison.compare(known["schema"], parameter["schema"], "request", at)


def _compare_contents(
    comparison: "_Comparison", old: Node, new: Node, direction: Direction, place: str
) -> Iterator[BreakingChange]:
    for media_type, content in old.items():
        if media_type not in new:
            yield BreakingChange(place, f"{media_type} was removed")
        elif "schema" in content:
            yield from comparison.compare(
                content["schema"], new[media_type].get("schema", {}), direction, place
            )


@dataclass
class _Comparison:
    """Two descriptions. A record that both have is compared once in each direction, under its name."""

    old: Node
    new: Node
    compared: set[tuple[str, Direction]] = field(default_factory=set[tuple[str, Direction]])

    def resolve(self, old: Node, new: Node) -> tuple[Node, Node]:
        """Both, or what they refer to."""
        return _resolve(self.old, old), _resolve(self.new, new)

    def compare(self, old: Node, new: Node, direction: Direction, place: str) -> Iterator[BreakingChange]:
        name = _record_name(old)
        if name is not None and name == _record_name(new):
            if (name, direction) in self.compared:
                return
            self.compared.add((name, direction))
            place = name
        before, now = _alternatives(self.old, old), _alternatives(self.new, new)
        if len(before) == len(now) == 1:
            yield from self._compare_one(before[0], now[0], direction, place)
        else:
            yield from self._compare_alternatives(before, now, direction, place)

    def _compare_alternatives(
        self, old: Sequence[Node], new: Sequence[Node], direction: Direction, place: str
    ) -> Iterator[BreakingChange]:
        """Each old alternative must still be taken, each new one must have been promised."""
        for one in old if direction == "request" else new:
            others = new if direction == "request" else old
            pairs = [(one, other) if direction == "request" else (other, one) for other in others]
            named = [pair for pair in pairs if _record_name(pair[0]) == _record_name(pair[1]) is not None]
            if named:
                yield from self.compare(*named[0], direction, place)
            elif all(any(self._fresh().compare(*pair, direction, place)) for pair in pairs):
                what = "is no longer taken" if direction == "request" else "is new"
                yield BreakingChange(place, f"the alternative {_describe(one)} {what}")

    def _fresh(self) -> "_Comparison":
        return _Comparison(self.old, self.new)

    def _compare_one(
        self, old: Node, new: Node, direction: Direction, place: str
    ) -> Iterator[BreakingChange]:
        old, new = self.resolve(old, new)
        yield from _compare_values(old, new, direction, place)
        if direction == "request":
            yield from _compare_bounds(old, new, place)
        yield from self._compare_properties(old, new, direction, place)
        if "items" in old and "items" in new:
            yield from self.compare(old["items"], new["items"], direction, f"{place}[]")
        before, now = (one.get("additionalProperties", True) for one in (old, new))
        if isinstance(before, Mapping) and isinstance(now, Mapping):
            yield from self.compare(before, now, direction, f"{place}.*")

    def _compare_properties(
        self, old: Node, new: Node, direction: Direction, place: str
    ) -> Iterator[BreakingChange]:
        before, now = old.get("properties", {}), new.get("properties", {})
        for name in before.keys() - now.keys():
            yield BreakingChange(f"{place}.{name}", f"the property was removed from {direction}s")
        for name in before.keys() & now.keys():
            yield from self.compare(before[name], now[name], direction, f"{place}.{name}")
        was, is_now = set(old.get("required", ())), set(new.get("required", ()))
        if direction == "request":
            for name in is_now - was:
                yield BreakingChange(f"{place}.{name}", "the property is required")
        else:
            for name in (was - is_now) & now.keys():
                yield BreakingChange(f"{place}.{name}", "the property may be absent")


def _compare_values(old: Node, new: Node, direction: Direction, place: str) -> Iterator[BreakingChange]:
    """Compare the types and the listed values."""
    taken, given = (old, new) if direction == "request" else (new, old)
    for kind in sorted(_types(taken) - _types(given)):
        what = "is no longer taken" if direction == "request" else "is new"
        yield BreakingChange(place, f"the type {kind} {what}")
    offered, allowed = _listed_values(taken), _listed_values(given)
    if allowed is None:
        return
    if offered is None:
        what = "only listed values are taken" if direction == "request" else "any value is possible"
        yield BreakingChange(place, what)
        return
    for value in sorted(offered - allowed):
        what = "is no longer taken" if direction == "request" else "is new"
        yield BreakingChange(place, f"the value {value} {what}")


def _compare_bounds(old: Node, new: Node, place: str) -> Iterator[BreakingChange]:
    for names, sign in ((UPPER_BOUNDS, 1), (LOWER_BOUNDS, -1)):
        for name in names:
            before, now = old.get(name), new.get(name)
            if now is not None and (before is None or sign * now < sign * before):
                yield BreakingChange(place, f"{name} is {now}")
    for name in FORMS:
        if new.get(name) not in (None, old.get(name)):
            yield BreakingChange(place, f"{name} is {new[name]}")
    if old.get("additionalProperties", True) is not False and new.get("additionalProperties") is False:
        yield BreakingChange(place, "other properties are no longer taken")


def _types(schema: Node) -> frozenset[str]:
    given: str | Sequence[str] = schema.get("type", TYPES)
    types = frozenset([given] if isinstance(given, str) else given)
    return types | {"integer"} if "number" in types else types


def _listed_values(schema: Node) -> frozenset[str] | None:
    """The values that are listed, as text; None where any value is possible."""
    if "const" in schema:
        return frozenset({repr(schema["const"])})
    return frozenset(map(repr, schema["enum"])) if "enum" in schema else None


def _alternatives(description: Node, schema: Node) -> list[Node]:
    """The schemas of which one applies, each as it stands: a reference stays one."""
    whole = _resolve(description, schema)
    for keyword in ("anyOf", "oneOf"):
        if keyword in whole:
            return [one for part in whole[keyword] for one in _alternatives(description, part)]
    return [schema]


def _resolve(description: Node, node: Node) -> Node:
    while "$ref" in node:
        found: Any = description
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        node = found
    return node


def _record_name(schema: Node) -> str | None:
    reference: str | None = schema.get("$ref")
    return None if reference is None else reference.rpartition("/")[2]


def _describe(schema: Node) -> str:
    return _record_name(schema) or str(schema.get("const", schema.get("type", "any")))
