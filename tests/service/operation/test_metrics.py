"""What a process counts, and that dashboard and alerts name what there is."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
import yaml
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.database.tables import delivery
from app.service.operation.prometheus import PrometheusMetrics
from app.service.operation.queue_figures import load_queue_figures
from app.service.operation.request_metrics import watch_queues
from app.settings import Settings
from tests.service.background.task_claims import claim_task
from tests.service.background.test_versions import register
from tests.service.webhooks.webhook_factory import a_webhook, happen

MONITORING = Path(__file__).parents[3] / "deploy" / "monitoring"
OURS = re.compile(r"\b(?:parley|http_server|process)_\w+")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"metrics_address": "127.0.0.1:0"})


def samples(context: Context, name: str) -> dict[tuple[str, ...], float]:
    """The samples of a metric by the values of their labels, in the order of the labels' names."""
    families = text_string_to_metric_families(context.metrics.render().decode())
    found = [each for family in families for each in family.samples if each.name == name]
    return {tuple(value for _, value in sorted(each.labels.items())): each.value for each in found}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_requests_are_measured_by_the_template_of_their_route(api: TestClient, context: Context) -> None:
    for _ in range(3):  # the second and third from the cache
        assert api.get("/v1/catalog/companies").status_code == 200
    for number in range(5):
        assert api.get(f"/v1/scope/01890a5d-ac96-774b-bcce-b302099a805{number}").status_code == 404
        assert api.get(f"/v1/nothing/{number}").status_code == 404
    assert api.request("BREW", "/v1/health").status_code == 405
    counts = samples(context, "http_server_request_duration_seconds_count")
    # method, status, route, scheme
    assert counts == {
        ("GET", "200", "/v1/catalog/companies", "http"): 3,
        ("GET", "404", "/v1/scope/{scopeId}", "http"): 5,
        ("GET", "404", "", "http"): 5,
        ("_OTHER", "405", "/v1/health", "http"): 1,
    }


def test_what_waits_is_counted_by_queue_and_state(context: Context) -> None:
    worker = register(context, "one", ("extract",))
    id, _ = a_webhook(context, "http://127.0.0.1:9/")
    off, _ = a_webhook(context, "http://127.0.0.1:9/")
    happen(context, id, 5)
    happen(context, off, 7)
    now = context.clock()
    with context.database.writing() as connection:
        connection.execute(sa.text("UPDATE webhook SET enabled = false WHERE id = :id"), {"id": off})
        one = sa.select(delivery.c.id).where(delivery.c.webhook_id == id).limit(1).scalar_subquery()
        connection.execute(
            sa.update(delivery).where(delivery.c.id == one).values(next_at=now + timedelta(hours=1))
        )
        for number, kind in enumerate(("extract", "extract", "hologram")):
            enqueue_task(connection, kind=kind, subject_id=str(number), organisation_id=None, now=now)
    claim_task(context, worker.id, "extract", "0")
    with context.database.reading() as connection:
        figures = load_queue_figures(connection, now + timedelta(seconds=60))
    assert figures.depths == {
        ("deliveries", "due"): 4,
        ("deliveries", "later"): 1,
        ("tasks", "running"): 1,
        ("tasks", "due"): 1,
        ("tasks", "later"): 0,
        ("tasks", "unknown"): 1,
        ("mail", "due"): 0,
        ("mail", "later"): 0,
    }
    assert 59 < figures.oldest_due_seconds < 120
    assert list(figures.workers.values()) == [1]


@pytest.fixture
def metric_names(context: Context) -> set[str]:
    metrics = context.metrics
    assert isinstance(metrics, PrometheusMetrics)
    watch_queues(context)
    metrics.observe_request(route="/", method="GET", scheme="http", status=200, seconds=1)
    metrics.count_attempt("succeeded")
    metrics.count_estimate("repeat")
    metrics.count_document("completed")
    register(context, "one", ())
    families = text_string_to_metric_families(metrics.render().decode())
    return {each.name for family in families for each in family.samples}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_dashboard_and_alerts_name_metrics_that_there_are(metric_names: set[str]) -> None:
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    rules = yaml.safe_load((MONITORING / "alerts.yaml").read_text())
    expressions += [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    for expression in expressions:
        named = set(OURS.findall(re.sub(r'"[^"]*"', "", re.sub(r"by \([^)]*\)", "", expression))))
        assert named, expression
        assert named <= metric_names, expression
    assert {panel["id"] for panel in dashboard["panels"]} == set(range(1, len(dashboard["panels"]) + 1))
    for rule in (rule for group in rules["groups"] for rule in group["rules"]):
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in {"warning", "critical"}
