"""What can go wrong with a call, as one tree:

    ApiError
    ├── Unsendable               nothing was sent: an id that is empty or a dot segment (also a ValueError)
    ├── Unreachable              no answer came: refused, reset, no such host, broken TLS
    │   └── TimedOut             no answer came in time; a write may or may not have happened
    ├── Refused                  an answer of 400 and above
    │   ├── BadRequest           400  `places` says what is wrong and where
    │   ├── Unauthorized         401
    │   ├── Forbidden            403
    │   ├── NotFound             404
    │   ├── NotAllowed           405
    │   ├── Conflict             409  `candidates` of an entry that is much like others
    │   ├── TooLarge             413
    │   ├── UnsupportedMedia     415
    │   ├── Unprocessable        422
    │   ├── RateLimited          429  `retry_after` in seconds, where the service said it
    │   └── ServiceFailed        500 and above
    └── UnexpectedReply          an answer came that is none: no JSON, fields missing, a redirect
        └── ReplyTooLarge        the answer is larger than the client takes

Each carries what a person needs to ask about it: method, path, status, problem, request id and the response.
None shows a key, a secret or an end user's e-mail, neither in its text nor in the problem it carries.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.client.redaction import Headers
from app.contract.catalog import EntryCandidate
from app.contract.problem import Place, Problem


@dataclass(frozen=True, slots=True)
class Answer:
    """A response as it came. `repr` shows neither the body nor secret headers."""

    status: int
    headers: Headers
    body: bytes = field(repr=False)


class ApiError(Exception):
    """Anything that kept a call from returning what it promises."""

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
        """The status of the answer, None when none came."""
        return self.response.status if self.response else None

    def __str__(self) -> str:
        call = f" ({self.method} {self.path})" if self.method else ""
        request = f" [request {self.request_id}]" if self.request_id else ""
        return f"{self.message}{call}{request}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class Unsendable(ApiError, ValueError):
    """The call cannot be put into a request. Nothing was sent."""


class Unreachable(ApiError):
    """No answer came."""


class TimedOut(Unreachable):
    """No answer came in time."""


class Refused(ApiError):
    """The service answered with an error."""

    @property
    def places(self) -> Sequence[Place]:
        """What is wrong and where, as far as the service said."""
        return (self.problem.errors if self.problem else None) or ()


class BadRequest(Refused):
    """400: a parameter, header or the body is not valid; `places` names each."""


class Unauthorized(Refused):
    """401: no key, or one that the service does not know."""


class Forbidden(Refused):
    """403: the key lacks the right."""


class NotFound(Refused):
    """404: there is no such thing for this caller."""


class NotAllowed(Refused):
    """405: the deployment does not offer this method on this path."""


class Conflict(Refused):
    """409: the current state refuses the change, or the first call with this idempotency key still runs."""

    @property
    def candidates(self) -> Sequence[EntryCandidate]:
        """What a new entry of the catalog may be instead, where that is why it was refused."""
        return (self.problem.candidates if self.problem else None) or ()


class TooLarge(Refused):
    """413: the upload or body is larger than the service takes."""


class UnsupportedMedia(Refused):
    """415: the content is none of the accepted types."""


class Unprocessable(Refused):
    """422: nothing can be estimated; a payload that breaks its schema; a reused idempotency key."""


class RateLimited(Refused):
    """429: too many requests; `retry_after` is the wait in seconds that the service asks for."""

    retry_after: float | None = None


class ServiceFailed(Refused):
    """500 and above: the service or a gateway before it failed."""


class UnexpectedReply(ApiError):
    """The answer is none that the interface describes."""


class ReplyTooLarge(UnexpectedReply):
    """The answer is larger than the client takes."""


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
    """The class of an answer of 400 and above."""
    return BY_STATUS.get(status, ServiceFailed if status >= 500 else Refused)
