"""What `drawing` measures: the service with the sample data, the dashboard on it, and the bare app."""

import tempfile
import urllib.request
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from app.client import ApiClient
from app.contract.catalog import FormField, NumberField, SelectField
from app.contract.scope import NewScope
from app.dashboard.signing_in.one_time_link import KEY_VARIABLE, TOKEN_VARIABLE
from app.dashboard.signing_in.sessions import COOKIE
from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.schema import migrate
from app.service.database.tables import attempt, delivery, organisation
from app.service.main import open_context
from app.service.sample.seeding import ensure_sample
from app.settings import Settings
from tests.benchmarks.dashboard_servers import SERVE
from tests.benchmarks.server import running
from tests.browser.dashboard_process import dashboard
from tests.service.webhooks.webhook_factory import a_webhook, happen

LINK_TOKEN = "one-time"
DELIVERIES = 10_000


@dataclass(frozen=True)
class MeasuredPage:
    """A page to measure, and what is there once it is drawn."""

    name: str
    address: str
    selectors: tuple[str, ...]


@dataclass(frozen=True)
class DashboardDeployment:
    """The pages, the first of which is the bare one, and the dashboard's cookie and folder."""

    pages: tuple[MeasuredPage, ...]
    dashboard: str
    cookie: str
    folder: Path


@contextmanager
def run_dashboard() -> Generator[DashboardDeployment]:
    """All of it, each server in a process of its own."""
    with ExitStack() as stack:
        top = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-drawing-")))
        folders = [top / name for name in ("service", "dashboard", "bare")]
        for folder in folders:
            folder.mkdir()
        key, webhook_id = _with_sample(folders[0])
        host, port = stack.enter_context(running(folders[0], None))
        service = f"http://{host}:{port}"
        environment = {"PARLEY_PUBLIC_URL": service, TOKEN_VARIABLE: LINK_TOKEN, KEY_VARIABLE: key}
        ours, _ = stack.enter_context(dashboard(folders[1], script=SERVE.format("timed"), **environment))
        bare, _ = stack.enter_context(dashboard(folders[2], script=SERVE.format("bare")))
        table = ".parley-records tbody tr"
        estimates = f"{ours}/estimates?ids={_scope(service, key)}"
        chart = ".parley-prices"
        pages = (
            MeasuredPage("bare", bare, ("[data-testid=stButton]",)),
            MeasuredPage("catalog", f"{ours}/catalog", (table,)),
            MeasuredPage("estimates", estimates, (chart, table)),
            MeasuredPage(
                "webhook", f"{ours}/webhook?id={webhook_id}", ("[data-testid=stHtml] [role=img]", table)
            ),
        )
        yield DashboardDeployment(pages, ours, _cookie(ours), folders[1])


def _with_sample(folder: Path) -> tuple[str, str]:
    """A new database there with the sample data; a key to it, and a webhook with many deliveries."""
    context = open_context(Settings(data_dir=folder).model_copy(update={"database_url": None}))
    try:
        migrate(context.database)
        ensure_sample(context)
        with context.database.writing() as connection:
            now = context.clock()
            key = create_key(
                connection, name="benchmark", organisation_name="Benchmark", role="owner", now=now
            )[1]
            owner = connection.scalar(sa.select(organisation.c.id).where(organisation.c.name == "Benchmark"))
        webhook_id, _ = a_webhook(context, "https://hooks.example.com/", owner)
        happen(context, webhook_id, DELIVERIES)
        _deliver(context)
        return key, webhook_id
    finally:
        context.database.close()


def _deliver(context: Context) -> None:
    """What is owed is as if it had been delivered at the first attempt."""
    now = context.clock()
    made = {
        "delivery_id": delivery.c.id,
        "number": sa.literal(1),
        "started_at": delivery.c.created_at,
        "duration_ms": sa.literal(12),
        "outcome": sa.literal("succeeded"),
        "request_headers": sa.literal({}, sa.JSON()),
        "response_status": sa.literal(200),
    }
    with context.database.writing() as connection:
        connection.execute(
            sa.update(delivery).values(
                status="succeeded",
                attempts=1,
                response_status=200,
                next_at=None,
                last_attempt_at=now,
                successful_at=now,
            )
        )
        connection.execute(sa.insert(attempt).from_select([*made], sa.select(*made.values())))


def _scope(service: str, key: str) -> str:
    """A scope on the first product that can be priced."""
    with ApiClient(service, api_key=key) as parley:
        parley.openapi()  # made once, at the first reading: no page is to wait for it
        product = next(
            product
            for company in parley.catalog.iter_companies()
            for product in parley.catalog.iter_products(company.id)
            if product.is_custom_estimate_available
        )
        bought = [
            {"id": dimension.id, "value": _entry(dimension.form_field)}
            for dimension in product.pricing_dimensions
            if not dimension.depends_on.depends_on_dimension_id
        ]
        body = {
            "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
            "productTerms": [{"productId": product.id, "pricingDimensions": bought}],
        }
        return parley.scopes.create(NewScope.model_validate(body)).id


def _entry(field: FormField) -> float | str:
    if isinstance(field, SelectField):
        return field.options[0].value
    if isinstance(field, NumberField):
        return float(max(field.min or 1, min(25, field.max or 25)))
    return 1


class _Stay(urllib.request.HTTPErrorProcessor):
    """Follows no redirect, and takes every status as an answer."""

    def http_response(self, request: urllib.request.Request, response: object) -> object:
        return response


def _cookie(address: str) -> str:
    """The session that the one-time link is traded for."""
    request = urllib.request.Request(f"{address}/?link={LINK_TOKEN}", headers={"Accept": "text/html"})
    with urllib.request.build_opener(_Stay).open(request) as answer:
        if answer.status != 303:
            raise RuntimeError(f"the link was answered with {answer.status}")
        return str(answer.headers["set-cookie"]).partition(";")[0].removeprefix(f"{COOKIE}=")
