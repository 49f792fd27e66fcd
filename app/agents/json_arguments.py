"""Lists and objects that an agent sends as their JSON text. Pure."""

import json
from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, NoReturn, Union, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from app.storable_text import find_text_fault

Place = tuple[str | int, ...]


def read_structures(model: type[BaseModel], given: object) -> object:
    """Return arguments with the lists and objects that came as JSON text, at any depth, and without the nulls
    of optional ones. Raises ValidationError with the place of a text that is no such JSON or no text."""
    if not isinstance(given, dict):
        return given
    read: dict[str, object] = {}
    faults: list[InitErrorDetails] = []
    for name, value in cast(dict[str, object], given).items():
        field = model.model_fields.get(name)
        try:
            read[name] = value if field is None else _read(field.annotation, value, (name,))
        except _WrongValue as wrong:
            faults.append(wrong.fault)
            continue
        if field is not None and read[name] is None and not field.is_required():
            del read[name]
    if faults:
        raise ValidationError.from_exception_data(model.__name__, faults)
    return read


class _WrongValue(Exception):
    def __init__(self, place: Place, reason: str) -> None:
        error = PydanticCustomError("unusable_text", "{reason}", {"reason": reason})
        self.fault = InitErrorDetails(type=error, loc=place, input=None)


class _WrongStructure(_WrongValue):
    def __init__(self, place: Place, kind: type, reason: str) -> None:
        super().__init__(place, f"must be {_phrase(kind)} or its JSON text; {reason}")


def _phrase(kind: type) -> str:
    return 'a list, such as ["a", "b"],' if kind is list else 'an object, such as {"a": "b"},'


def _read(wanted: Any, value: object, place: Place) -> object:
    """Return a value for a parameter of the type `wanted`, its parts read too."""
    choices = _list_choices(wanted)
    kinds = [kind for choice in choices if (kind := _find_kind(choice)) is not None]
    if isinstance(value, str) and kinds and not any(_takes_text(choice) for choice in choices):
        value = _parse(value, kinds[0], place)
        if value is not None and not isinstance(value, tuple(kinds)):
            raise _WrongStructure(place, kinds[0], f"this is the JSON text of {_name_json(value)}")
    if isinstance(value, str) and (fault := find_text_fault(value)):
        raise _WrongValue(place, fault)
    for choice in choices:
        if isinstance(value, list) and _find_kind(choice) is list:
            part = next(iter(get_args(choice)), Any)
            items = cast(list[object], value)
            return [_read(part, item, (*place, at)) for at, item in enumerate(items)]
        if isinstance(value, dict) and get_origin(choice) is dict:
            part = get_args(choice)[1]
            members = cast(dict[str, object], value)
            return {name: _read(part, one, (*place, name)) for name, one in members.items()}
    return cast(object, value)


def _list_choices(wanted: Any) -> list[Any]:
    """Return what a type consists of: itself, or the members of a union."""
    origin: Any = get_origin(wanted)
    if origin is Annotated:
        return _list_choices(get_args(wanted)[0])
    if origin in (Union, UnionType):
        return [choice for member in get_args(wanted) for choice in _list_choices(member)]
    return [wanted]


def _find_kind(choice: Any) -> type | None:
    """Return which JSON a type is written as, where that is a list or an object."""
    origin: object = get_origin(choice) or choice
    if not isinstance(origin, type):
        return None
    if issubclass(origin, (list, tuple, set, frozenset)):
        return list
    return dict if issubclass(origin, (Mapping, BaseModel)) else None


def _takes_text(choice: Any) -> bool:
    return choice is Any or choice is object or (isinstance(choice, type) and issubclass(choice, str))


def _parse(text: str, kind: type, place: Place) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as fault:
        raise _WrongStructure(place, kind, f"this text is no JSON ({fault.msg}, at {fault.pos})") from None
    except (ValueError, RecursionError):
        raise _WrongStructure(place, kind, "this text is no JSON that can be read") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _name_json(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case _:
            return "a list" if isinstance(value, list) else "an object"
