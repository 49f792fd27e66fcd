"""What no JSON body may hold, whatever its schema: numbers and texts that cannot be stored, and nesting that
cannot be processed. Each is named by its place."""

import json
import math
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, cast

from app.service.http.problems import InvalidField
from app.storable_text import find_text_fault

MAX_DEPTH = 64
"""How deep objects and arrays may be nested."""
MAX_DIGITS = 40
"""Of a number as it is written. More are a mistake, and take long to read."""
MAX_FAULTS = 20
MAX_POINTER = 500


class _FaultyNumber:
    """A number that is refused, in the place where it stood."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def find_json_faults(body: bytes) -> list[InvalidField]:
    """What is wrong in the body, by JSON Pointers; empty when nothing is."""
    try:
        value = json.loads(
            body, parse_int=_read_integer, parse_float=_read_float, parse_constant=_refuse_constant
        )
    except RecursionError:
        return [InvalidField("", _TOO_DEEP)]
    except json.JSONDecodeError as error:
        return [
            InvalidField("", f"The body is no JSON from line {error.lineno}, character {error.colno} on.")
        ]
    except ValueError:
        return [InvalidField("", "The body is no JSON: it is no text in UTF-8.")]
    return list(islice(_walk(value), MAX_FAULTS))


_TOO_DEEP = f"is nested deeper than {MAX_DEPTH} levels"


def _read_integer(text: str) -> object:
    return _FaultyNumber(f"has more than {MAX_DIGITS} digits") if len(text) > MAX_DIGITS else int(text)


def _read_float(text: str) -> object:
    if len(text) > MAX_DIGITS:
        return _FaultyNumber(f"has more than {MAX_DIGITS} digits")
    value = float(text)
    return _FaultyNumber("is a number that is too large") if math.isinf(value) else value


def _refuse_constant(word: str) -> object:
    return _FaultyNumber(f"{word} is no JSON number")


class _Node(NamedTuple):
    """An object or array in its place. The pointer is put together for a fault only: names can be long and
    places many."""

    value: dict[str, object] | list[object]
    depth: int
    parent: "_Node | None"
    key: str | int

    def pointer(self, *more: str | int) -> str:
        steps = [*reversed(more)]
        node: _Node = self
        while node.parent is not None:
            steps.append(node.key)
            node = node.parent
        pointer = "".join(f"/{_escape(str(step))}" for step in reversed(steps))
        return pointer if len(pointer) <= MAX_POINTER else f"{pointer[:MAX_POINTER]}…"


def _walk(root: object) -> Iterator[InvalidField]:
    if not isinstance(root, (dict, list)):
        if fault := _find_fault(root):
            yield InvalidField("", fault)
        return
    waiting = [_Node(cast("dict[str, object] | list[object]", root), 1, None, "")]
    while waiting:
        node = waiting.pop()
        for key, value in node.value.items() if isinstance(node.value, dict) else enumerate(node.value):
            if isinstance(key, str) and (fault := _find_fault(key)):
                yield InvalidField(node.pointer(), f"has a name that {fault}")
            elif not isinstance(value, (dict, list)):
                if fault := _find_fault(value):
                    yield InvalidField(node.pointer(key), fault)
            elif node.depth == MAX_DEPTH:
                yield InvalidField(node.pointer(key), _TOO_DEEP)
            else:
                inner = cast("dict[str, object] | list[object]", value)
                waiting.append(_Node(inner, node.depth + 1, node, key))


def _find_fault(value: object) -> str | None:
    """What is wrong with a number or a text."""
    if isinstance(value, _FaultyNumber):
        return value.reason
    if isinstance(value, str):
        return find_text_fault(value)
    return None


def _escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
