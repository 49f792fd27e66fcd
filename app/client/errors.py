"""The errors of a call, as one tree:

    ApiError
    ├── Unsendable               nothing was sent: an id that is empty or a dot segment (also a ValueError)
    ├── Unreachable              no answer came: refused, reset, no such host, broken TLS
    │   └── TimedOut             no answer came in time; a write may or may not have happened
    ├── Refused                  an answer of 400 and above
    │   ├── BadRequest           400  `places` names what is wrong and where
    │   ├── Unauthorized         401
    │   ├── Forbidden            403
    │   ├── NotFound             404
    │   ├── NotAllowed           405
    │   ├── Conflict             409  `candidates` has the similar entries, for a new entry of the catalog,
    │   │                             `approval_id` what waits for a second person
    │   ├── TooLarge             413
    │   ├── UnsupportedMedia     415
    │   ├── Unprocessable        422
    │   ├── RateLimited          429  `retry_after` in seconds, where the service states it
    │   └── ServiceFailed        500 and above
    └── UnexpectedReply          the answer is not of the interface: no JSON, fields missing, a redirect
        └── ReplyTooLarge        the answer is larger than the client accepts

Each carries method, path, status, problem, request id and response. None shows a key, a secret or an end
user's e-mail address, neither in its text nor in the problem.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..contract.problem import EntryCandidate, Place, Problem
from .redaction import Headers


@dataclass(frozen=True, slots=True)
class Answer:
    """A response as received. Its `repr` shows neither the body nor secret headers."""

    status: int
    headers: Headers
    body: bytes = field(repr=False)


class ApiError(Exception):
    """The base of all errors of a call."""

    def __init__(
        self,
        message: str,
        *,
        method: str = "",
        path: str = "",
        request_id: str | None = None,
        response: Answer | None = None,
        problem: Problem | None = None,
        tries: int = 0,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.method = method
        self.path = path
        self.request_id = request_id
        self.response = response
        self.problem = problem
        self.tries = tries

    @property
    def status(self) -> int | None:
        """The status of the answer, None if none came."""
        return self.response.status if self.response else None

    def __str__(self) -> str:
        call = f" ({self.method} {self.path})" if self.method else ""
        request = f" [request {self.request_id}]" if self.request_id else ""
        return f"{self.message}{call}{request}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class Unsendable(ApiError, ValueError):
    """The call cannot be made into a request; nothing was sent."""


class Unreachable(ApiError):
    """No answer came."""


class TimedOut(Unreachable):
    """No answer came in time."""


class Refused(ApiError):
    """The service answered with an error."""

    @property
    def places(self) -> Sequence[Place]:
        """What is wrong and where, as far as the service states it."""
        return (self.problem.errors if self.problem else None) or ()


class BadRequest(Refused):
    """400: a parameter, a header or the body is not valid; `places` names each fault."""


class Unauthorized(Refused):
    """401: no key, or one that the service does not know."""


class Forbidden(Refused):
    """403: the key lacks the right."""


class NotFound(Refused):
    """404: the record does not exist, or the caller may not see it."""


class NotAllowed(Refused):
    """405: the deployment does not offer this method on this path."""


class Conflict(Refused):
    """409: the current state does not allow the change, or a call with the same idempotency key is still
    running."""

    @property
    def candidates(self) -> Sequence[EntryCandidate]:
        """The similar entries because of which a new entry of the catalog was refused."""
        return (self.problem.candidates if self.problem else None) or ()

    @property
    def approval_id(self) -> str | None:
        """The approval that the call waits for: it is carried out when another person gives it."""
        return self.problem.approval_id if self.problem else None


class TooLarge(Refused):
    """413: the upload or body is larger than the service accepts."""


class UnsupportedMedia(Refused):
    """415: the content is none of the accepted types."""


class Unprocessable(Refused):
    """422: nothing can be estimated, a payload does not match its schema, or an idempotency key was
    reused."""


class RateLimited(Refused):
    """429: too many requests; `retry_after` is the wait that the service asks for, in seconds."""

    retry_after: float | None = None


class ServiceFailed(Refused):
    """500 and above: the service or a gateway in front of it failed."""


class UnexpectedReply(ApiError):
    """The answer is not one that the interface describes."""


class ReplyTooLarge(UnexpectedReply):
    """The answer is larger than the client accepts."""


BY_STATUS: dict[int, type[Refused]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    405: NotAllowed,
    409: Conflict,
    413: TooLarge,
    415: UnsupportedMedia,
    422: Unprocessable,
    429: RateLimited,
}


def class_for(status: int) -> type[Refused]:
    """The error class of a status of 400 and above."""
    return BY_STATUS.get(status, ServiceFailed if status >= 500 else Refused)
