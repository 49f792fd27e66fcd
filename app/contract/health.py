"""The health report (part 2 of the interface)."""

from typing import Annotated

from app.contract.model import Reply
from app.contract.values import ReplyInstant, open_words

Status = Annotated[str, open_words("ok", "degraded", "error")]


class ServiceHealth(Reply):
    """One part of the deployment, such as the database or the worker."""

    name: str
    status: Status


class HealthReport(Reply):
    """`error` overall is answered with 503."""

    status: Status
    timestamp: ReplyInstant
    version: str
    services: list[ServiceHealth]
