"""What a check found, for an operator who knows neither the code nor the tables."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How a check ended. Only `fail` makes the command fail."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check of this name found, and what to do about it; empty where there is nothing to do."""

    name: str
    level: Level
    message: str
    advice: str = ""


def ok(name: str, message: str) -> Finding:
    return Finding(name, Level.OK, message)


def warn(name: str, message: str, advice: str) -> Finding:
    return Finding(name, Level.WARN, message, advice)


def fail(name: str, message: str, advice: str) -> Finding:
    return Finding(name, Level.FAIL, message, advice)
