"""The metrics of a process in the text format of Prometheus.

`http_server_request_duration_seconds` is OpenTelemetry's `http.server.request.duration`: its labels and
buckets are those of the semantic conventions. No label has a value that a caller can choose.
"""

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from app.service.context import Metrics
from app.service.operation.queue_figures import QueueFigures

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)
METHODS = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})


class PrometheusMetrics(Metrics):
    """What one process counts, and with `watch_queues` what waits in the database."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Histogram(
            "http_server_request_duration_seconds",
            "Duration of HTTP server requests.",
            ("http_request_method", "url_scheme", "http_route", "http_response_status_code"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._known: dict[tuple[str, str, str, int], Histogram] = {}
        self._attempts = self._counter(
            "parley_delivery_attempts", "Attempts at webhook deliveries.", "outcome"
        )
        self._estimates = self._counter("parley_estimates", "Estimates of products.", "level")
        self._documents = self._counter("parley_documents", "Documents that were read.", "verdict")

    def watch_queues(self, load: Callable[[], QueueFigures | None]) -> None:
        """Read the queues at each scrape; None is a database that cannot be read."""
        self._registry.register(_QueueCollector(load))

    def _counter(self, name: str, documentation: str, label: str) -> Counter:
        return Counter(name, documentation, (label,), registry=self._registry)

    def observe_request(self, *, route: str, method: str, scheme: str, status: int, seconds: float) -> None:
        key = (method if method in METHODS else "_OTHER", scheme, route, status)
        histogram = self._known.get(key)
        if histogram is None:  # looked up once: that takes as long as the observation
            histogram = self._known[key] = self._requests.labels(*key)
        histogram.observe(seconds)

    def count_attempt(self, outcome: str) -> None:
        self._attempts.labels(outcome).inc()

    def count_estimate(self, level: str) -> None:
        self._estimates.labels(level).inc()

    def count_document(self, verdict: str) -> None:
        self._documents.labels(verdict).inc()

    def render(self) -> bytes:
        return generate_latest(self._registry)


class _QueueCollector(Collector):
    """Gauges of what waits in the database. Each worker has the same ones: a chart takes their maximum."""

    def __init__(self, load: Callable[[], QueueFigures | None]) -> None:
        self._load = load

    def collect(self) -> Iterable[Metric]:
        return _queue_gauges(self._load())


def _queue_gauges(figures: QueueFigures | None) -> list[Metric]:
    depth = GaugeMetricFamily("parley_queue_depth", "What waits or runs.", labels=("queue", "state"))
    age = GaugeMetricFamily(
        "parley_oldest_due_delivery_age_seconds",
        "How long the delivery that is due the longest has been due.",
    )
    workers = GaugeMetricFamily("parley_workers", "Living workers.", labels=("version",))
    readable = GaugeMetricFamily("parley_queues_readable", "1 while the database says what waits, else 0.")
    readable.add_metric((), 0 if figures is None else 1)
    if figures is not None:
        for (queue, state), number in figures.depths.items():
            depth.add_metric((queue, state), number)
        age.add_metric((), figures.oldest_due_seconds)
        for version, number in figures.workers.items():
            workers.add_metric((version,), number)
    return [depth, age, workers, readable]
