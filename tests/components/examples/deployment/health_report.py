from datetime import UTC, datetime

from app.contract.deployment import HealthReport, ServiceHealth
from components.deployment import draw_health_report


def example() -> None:
    draw_health_report(
        HealthReport(
            status="degraded",
            timestamp=datetime(2026, 3, 2, 12, tzinfo=UTC),
            version="1.2.3",
            services=[
                ServiceHealth(name="database", status="ok"),
                ServiceHealth(name="worker", status="error"),
            ],
        )
    )
