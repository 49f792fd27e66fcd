"""Whether the deployment works: `/v1/health`, which needs no key."""

from ...contract.health import HealthReport
from ..request import Call
from .resource import DispatcherT, Resource, get, operation

# A deployment with errors answers 503, and its body is a report too.
_REPORTED = frozenset({503})


class Health(Resource[DispatcherT]):
    """The health of the deployment."""

    @operation
    def report(self) -> Call[HealthReport]:
        """Every part of the deployment with its status, also when it is answered with 503."""
        return get("/v1/health", HealthReport, identity="nobody", accepted_statuses=_REPORTED)

    @operation
    def is_up(self) -> Call[bool]:
        """Whether the deployment reports that it works; the report itself is not sent. Unreachable without an
        answer."""
        return Call(
            "HEAD",
            "/v1/health",
            (),
            lambda answer: answer.status < 300,
            identity="nobody",
            accepted_statuses=_REPORTED,
        )
