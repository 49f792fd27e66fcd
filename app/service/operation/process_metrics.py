"""Whether a process counts anything. The library is loaded where somebody reads the metrics."""

from sqlalchemy.exc import SQLAlchemyError

from app.service.context import Context
from app.service.metrics import Metrics
from app.service.operation.queue_figures import QueueFigures, load_queue_figures
from app.settings import Settings


def open_metrics(settings: Settings) -> Metrics:
    """The metrics of a process with a private address, else some that count nothing."""
    if settings.metrics_address is None:
        return Metrics()
    from app.service.operation.prometheus import PrometheusMetrics

    return PrometheusMetrics()


def watch_queues(context: Context) -> None:
    """Show what waits in the database among the metrics of a process, where it has any."""
    if context.settings.metrics_address is None:
        return
    from app.service.operation.prometheus import PrometheusMetrics

    if isinstance(context.metrics, PrometheusMetrics):
        context.metrics.watch_queues(lambda: _load(context))


def _load(context: Context) -> QueueFigures | None:
    try:
        with context.database.reading() as connection:
            return load_queue_figures(connection, context.clock())
    except SQLAlchemyError:
        return None
