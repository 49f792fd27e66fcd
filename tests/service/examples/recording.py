"""Records the examples of the description from a running service with sample data."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr

from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.sample import ensure_sample
from app.settings import Settings
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.examples.normalisation import normalise
from tests.service.examples.recorder import Recorder
from tests.service.examples.walk import walk
from tests.service.migrated_database import provide_schema
from tests.service.negotiation.fake_clock import FakeClock
from tests.service.running_service import serving

DASHBOARD = "https://dashboard.parley.example"
STARTED = datetime(2026, 11, 20, 12, tzinfo=UTC)


def record_examples(folder: Path) -> dict[str, Any]:
    """The examples of every operation, error and event."""
    clock = FakeClock()
    clock.now = STARTED
    settings = Settings(
        data_dir=folder,
        database_url=None,
        inbox=True,
        rate_limit=60,
        secret_key=SecretStr(VAULT_KEY),
        dashboard_url=DASHBOARD,
    )
    app = create_service(settings, clock)
    context = CONTEXT.get(app)
    provide_schema(context.database)
    ensure_sample(context)
    with (
        serving(app) as address,
        httpx.Client(base_url=address, headers=_key(key_for(context))) as api,
        httpx.Client(base_url=address, headers=_key(key_for(context, read_only=True))) as reader,
        httpx.Client(base_url=address) as stranger,
    ):
        settings.public_url = address
        one = Recorder(api, clock)
        walk(one, context, reader, stranger)
    recorded = {"operations": one.operations, "errors": one.errors, "events": one.events}
    return normalise(recorded, address)


def _key(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}
