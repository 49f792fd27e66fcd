"""The query parameters of a list, from its query in the contract."""

from collections.abc import Callable, Coroutine
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar, cast, get_type_hints

from fastapi import Depends, Query
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

Asked = TypeVar("Asked")


def query_parameters(
    query: Callable[..., Asked], **readers: Callable[..., object]
) -> Callable[..., Coroutine[Any, Any, Asked]]:
    """A dependency that reads the parameters of `query`, a TypedDict, by their names on the wire. A parameter
    that is absent and has no default is left out. `readers` are dependencies that read single parameters."""

    async def read(**values: object) -> Asked:
        return cast(Asked, {name: value for name, value in values.items() if value is not None})

    hints = get_type_hints(query, include_extras=True)
    parameters = [_parameter(name, hint, readers.get(name)) for name, hint in hints.items()]
    # The framework reads a dependency's parameters from its signature.
    setattr(read, "__signature__", Signature(parameters))  # noqa: B010
    return read


def _parameter(name: str, hint: Any, reader: Callable[..., object] | None) -> Parameter:
    if reader is not None:
        return Parameter(name, Parameter.KEYWORD_ONLY, annotation=Annotated[Any, Depends(reader)])
    field = FieldInfo.from_annotation(hint)
    default = None if field.is_required() else field.default
    parameter = Query(alias=to_camel(name), description=field.description)
    annotation = Annotated[(field.annotation, *field.metadata, parameter)]  # pyrefly: ignore[not-a-type]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
