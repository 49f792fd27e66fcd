"""What a process counts for those who run it. Nothing is counted unless somebody asks for metrics."""


class Metrics:
    """Counts nothing: what a process has whose metrics nobody reads."""

    def observe_request(self, *, route: str, method: str, scheme: str, status: int, seconds: float) -> None:
        """A response of the service. `route` is a template, such as `/v1/scope/{scopeId}`."""

    def count_attempt(self, outcome: str) -> None:
        """An attempt at a delivery; `outcome` is one of `webhooks.attempt_result.Outcome`."""

    def count_estimate(self, level: str) -> None:
        """An estimate of a product; `level` is that of its comparables, or `none` where there is no price."""

    def count_document(self, verdict: str) -> None:
        """A document that was read; `verdict` is `completed` or `failed`."""

    def render(self) -> bytes:
        """All figures in the text format of Prometheus."""
        return b""
