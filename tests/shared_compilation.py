"""Statements compiled once for all the databases of a test process: each test has a database of its own, and
compiling what is asked of it takes longer than asking."""

from typing import Any

from sqlalchemy.engine import Engine
from sqlalchemy.util import LRUCache


class _Compiled(LRUCache[Any, Any]):
    """By the kind of dialect, of which every engine has an instance of its own."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(_by_kind(key), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(_by_kind(key), compiled)


def _by_kind(key: Any) -> Any:
    dialect, *statement = key
    return dialect.name, dialect.driver, *statement


def share_compiled_statements() -> None:
    """Let all engines of this process keep what they compile in one place."""
    compiled = _Compiled(capacity=4_000)
    shared = property(lambda _: compiled, lambda _engine, _own: None)
    Engine._compiled_cache = shared  # pyright: ignore[reportAttributeAccessIssue]
