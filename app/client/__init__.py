"""A typed client of the interface, for Parley and for any other deployment of the same interface.

    from app.client import ApiClient

    with ApiClient("http://127.0.0.1:8000", api_key="...") as parley:
        for company in parley.catalog.iter_companies(name="soft"):
            print(company.name, company.real_purchase_count)

`app.client.errors` describes the errors of a call, `app.client.retry` when a request is sent again.
"""

from app.client.api_client import ApiClient, ScopedClient
from app.client.calls import CallRecord
from app.client.credentials import Credentials, EndUser
from app.client.errors import (
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
from app.client.openapi import offered_operations
from app.client.resources.files import FileContent
from app.client.resources.webhooks import EventPage
from app.client.retry import Retries
from app.client.send import Timeouts

__all__ = [
    "Answer",
    "ApiClient",
    "ApiError",
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
    "offered_operations",
]
