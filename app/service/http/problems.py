"""The error that the service raises: an HTTP status with what was wrong and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeVar

from starlette.exceptions import HTTPException

from app.contract.problem import EntryCandidate

Found = TypeVar("Found")


@dataclass(frozen=True)
class InvalidField:
    """A field that is wrong: `pointer` is a JSON Pointer into the body or a parameter's name. `detail` is a
    sentence, or the end of one whose subject is the field, and then begins with a small letter. It names what
    it is about with its `id`, which is of use to programs alone."""

    pointer: str
    detail: str
    id: str | None = None

    @property
    def words(self) -> str:
        """The detail for people: without the id."""
        return self.detail.replace(f" ({self.id})", "")

    def sentence(self) -> str:
        """What is wrong and where, without a full stop."""
        place, detail = self.pointer.removeprefix("/"), self.detail.removesuffix(".")
        if detail[:1].islower():
            return f"{place or 'The body'} {detail}"
        return f"{place}: {detail}" if place else detail


class ApiProblem(HTTPException):
    """Answered as problem details. `title` is the status's standard phrase unless told otherwise;
    `candidates` are the entries on record that a new one may be, `approval_id` is what waits for a second
    person.

    It is an HTTPException so that a refusal while the body is still being read passes the framework's own
    error handling untouched.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        title: str | None = None,
        errors: Sequence[InvalidField] = (),
        headers: Mapping[str, str] | None = None,
        candidates: Sequence[EntryCandidate] = (),
        approval_id: str | None = None,
    ) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.title = title or HTTPStatus(status).phrase
        self.errors = tuple(errors)
        self.candidates = tuple(candidates)
        self.approval_id = approval_id


def not_found(what: str) -> ApiProblem:
    """404: the caller has nothing of that id. The same whether it is missing or belongs to another."""
    return ApiProblem(404, f"There is no such {what}.")


def require(found: Found | None, what: str) -> Found:
    """Return what was found. Raises the 404 of `not_found` where that is nothing."""
    if found is None:
        raise not_found(what)
    return found


def bad_request(pointer: str, detail: str) -> ApiProblem:
    """400 for one field of the body or one parameter."""
    return ApiProblem(400, "The request is not valid.", errors=[InvalidField(pointer, detail)])
