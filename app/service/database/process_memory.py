"""What a process keeps in memory of one database: values that were read once and are used again and again."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

Value = TypeVar("Value")

OPTION = "process_memory"
"""The execution option by which a connection knows the memory of its engine."""


class ProcessMemory:
    """One value of each type, made when it is first asked for. It is owned by the `Database` and ends with
    it."""

    def __init__(self) -> None:
        self._values: dict[Callable[[], object], object] = {}

    def get(self, kind: Callable[[], Value]) -> Value:
        """The value of this class, made by calling it where there is none yet."""
        value: Value = self._values.setdefault(kind, kind())  # type: ignore[assignment]
        return value

    def forget(self, kind: Callable[[], object]) -> None:
        """Drop the value of this class."""
        self._values.pop(kind, None)


def memory_of(connection: Connection) -> ProcessMemory:
    """The memory of the database that this connection belongs to."""
    memory: ProcessMemory = connection.get_execution_options()[OPTION]
    return memory
