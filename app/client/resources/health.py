"""Whether the deployment works: `/v1/health`, which needs no key."""

from ...contract.health import HealthReport
from ..reply import read_as
from ..request import Call
from .resource import Resource

# A deployment with errors answers 503, and its body is a report too.
_REPORTED = frozenset({503})

_report = read_as(HealthReport)


class Health(Resource):
    """The health of the deployment."""

    def report(self) -> HealthReport:
        """Every part of the deployment with its status, also when it is answered with 503."""
        return self._ask(
            Call("GET", "/v1/health", (), _report, identity="nobody", accepted_statuses=_REPORTED)
        )

    def is_up(self) -> bool:
        """Whether the deployment reports that it works; the report itself is not sent. Unreachable without an
        answer."""
        return self._ask(
            Call(
                "HEAD",
                "/v1/health",
                (),
                lambda answer: answer.status < 300,
                identity="nobody",
                accepted_statuses=_REPORTED,
            )
        )
