"""The health report of a deployment."""

from typing import Annotated

from pydantic import Field

from .model import Reply
from .values import ReplyInstant, open_words

Status = Annotated[str, open_words("ok", "degraded", "error")]


class ServiceHealth(Reply):
    """One part of the deployment, such as the database or the worker."""

    name: str = Field(description="The name of the part.")
    status: Status


class HealthReport(Reply):
    """The state of the whole deployment and of each part. The HTTP status is 503 when `status` is `error`."""

    status: Status = Field(description="The state of the whole.")
    timestamp: ReplyInstant
    version: str = Field(description="The version of the service.")
    services: list[ServiceHealth] = Field(description="The parts of the service.")
