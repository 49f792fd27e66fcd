"""A typed client of the interface, for Parley and for any other deployment of the same interface.

`README.md` beside this file shows the first steps, `errors` describes the errors of a call, and `retry` when
a request is sent again.
"""

from .api_client import ApiClient, AsyncApiClient, AsyncScopedClient, ScopedClient
from .calls import CallRecord
from .credentials import Credentials, EndUser
from .errors import (
    Answer,
    ApiError,
    BadRequest,
    Conflict,
    Forbidden,
    NotAllowed,
    NotFound,
    RateLimited,
    Refused,
    ReplyTooLarge,
    ServiceFailed,
    TimedOut,
    TooLarge,
    Unauthorized,
    UnexpectedReply,
    Unprocessable,
    Unreachable,
    Unsendable,
    UnsupportedMedia,
)
from .openapi import needed_roles, offered_operations, offered_parameters, reading_operations
from .paging import EventPage
from .reply import FileContent
from .retry import Retries
from .send import Timeouts

__all__ = [
    "Answer",
    "ApiClient",
    "ApiError",
    "AsyncApiClient",
    "AsyncScopedClient",
    "BadRequest",
    "CallRecord",
    "Conflict",
    "Credentials",
    "EndUser",
    "EventPage",
    "FileContent",
    "Forbidden",
    "NotAllowed",
    "NotFound",
    "RateLimited",
    "Refused",
    "ReplyTooLarge",
    "Retries",
    "ScopedClient",
    "ServiceFailed",
    "TimedOut",
    "Timeouts",
    "TooLarge",
    "Unauthorized",
    "UnexpectedReply",
    "Unprocessable",
    "Unreachable",
    "Unsendable",
    "UnsupportedMedia",
    "needed_roles",
    "offered_operations",
    "offered_parameters",
    "reading_operations",
]
