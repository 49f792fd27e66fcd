"""Operations that will be removed: what responses (RFC 9745, RFC 8594) and the description say of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from typing import Any, TypeVar

from fastapi import APIRouter
from fastapi.routing import APIRoute

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
Header = tuple[bytes, bytes]

_DEPRECATION = "deprecation"


@dataclass(frozen=True)
class Deprecation:
    """Since when an operation should no longer be called, from which day on it may be gone, and the path that
    takes its place. Days begin at midnight UTC."""

    since: date
    sunset: date | None = None
    successor: str | None = None

    def __post_init__(self) -> None:
        if self.sunset is not None and self.sunset < self.since:
            raise ValueError("An operation is deprecated before it is removed.")

    def headers(self) -> Sequence[Header]:
        headers = [(b"deprecation", f"@{int(_midnight(self.since).timestamp())}".encode())]
        if self.sunset is not None:
            headers.append((b"sunset", format_datetime(_midnight(self.sunset), usegmt=True).encode()))
        if self.successor is not None:
            headers.append((b"link", f'<{self.successor}>; rel="successor-version"'.encode()))
        return headers

    def describe(self) -> str:
        """Sentences for the description of the operation."""
        removed = "" if self.sunset is None else f" From {self.sunset} on it may be gone."
        replaced = "" if self.successor is None else f" Use {self.successor}."
        return f"Deprecated since {self.since}.{removed}{replaced}"


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def deprecated(
    since: date, *, sunset: date | None = None, successor: str | None = None
) -> Callable[[Endpoint], Endpoint]:
    """Mark an endpoint as deprecated. Every response of its operation says so, errors and stored responses
    too, and the description."""
    deprecation = Deprecation(since, sunset, successor)

    def mark(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _DEPRECATION, deprecation)
        return endpoint

    return mark


class DeprecatedRoutes:
    """Which requests are for deprecated operations."""

    def __init__(self, routers: Iterable[APIRouter]) -> None:
        self._routes = list(_list_routes(routers))
        self._is_empty = not any(deprecation for _, deprecation in self._routes)

    def find_headers(self, method: str, path: str) -> Sequence[Header]:
        """The headers of the responses to a request; empty where its operation stays."""
        if self._is_empty:
            return ()
        for route, deprecation in self._routes:
            if method in (route.methods or ()) and route.path_regex.match(path):
                return () if deprecation is None else deprecation.headers()
        return ()


def describe_deprecations(paths: dict[str, dict[str, Any]], routers: Iterable[APIRouter]) -> None:
    """Mark the deprecated operations in the `paths` of a description."""
    for route, deprecation in _list_routes(routers):
        if deprecation is not None:
            for method in route.methods or ():
                operation = paths[route.path_format][method.lower()]
                operation["deprecated"] = True
                operation["description"] = f"{operation['description']}\n\n{deprecation.describe()}"


def _list_routes(routers: Iterable[APIRouter]) -> Iterator[tuple[APIRoute, Deprecation | None]]:
    """The routes in the order in which they are tried."""
    for router in routers:
        for route in router.routes:
            if isinstance(route, APIRoute):
                yield route, getattr(route.endpoint, _DEPRECATION, None)
