"""Whether the deployment works: `/v1/health`, which needs no key."""

from app.client.reply import record
from app.client.request import Call
from app.client.resources.resource import Resource
from app.contract.health import HealthReport

# `error` overall is answered with 503 and is a report all the same.
_REPORTED = frozenset({503})

_report = record(HealthReport)


class Health(Resource):
    """The deployment about itself."""

    def report(self) -> HealthReport:
        """Every part of the deployment with its status, also when it is answered with 503."""
        return self._ask(Call("GET", "/v1/health", (), _report, speaker="nobody", also_good=_REPORTED))

    def is_up(self) -> bool:
        """Whether the deployment says that it works, without reading the report. Unreachable when it says
        nothing."""
        return self._ask(
            Call(
                "HEAD",
                "/v1/health",
                (),
                lambda answer: answer.status < 300,
                speaker="nobody",
                also_good=_REPORTED,
            )
        )
