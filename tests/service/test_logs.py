"""What no log may hold, whatever a process logs: keys, secrets, tokens and what people wrote."""

import logging
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.running_service import create_one_of_everything
from tests.service.store_faults import fault_at

WRITTEN = "confidential-4711"


def find_secrets(answer: Any) -> set[str]:
    """The values of fields that are shown once, and the tokens of addresses."""
    if isinstance(answer, list):
        return {found for one in answer for found in find_secrets(one)}
    if not isinstance(answer, dict):
        return set()
    named = {str(answer[name]) for name in ("key", "secret", "token") if answer.get(name)}
    named |= {str(answer["url"]).partition("token=")[2]} if "token=" in str(answer.get("url")) else set()
    return named | {found for one in answer.values() for found in find_secrets(one)}


@pytest.mark.both_stores
def test_no_log_holds_a_key_a_secret_or_what_somebody_wrote(
    settings: Settings, tmp_path: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    app = create_service(settings)
    context: Context = CONTEXT.get(app)
    provide_schema(context.database)
    own = key_for(context)
    with TestClient(app, raise_server_exceptions=False) as api:
        api.headers["Authorization"] = f"Bearer {own}"
        existing = create_one_of_everything(context, api, tmp_path)
        hook = f"/v1/webhooks/{existing['webhookId']}"
        opinion = {"address": "https://models.example.com/v1", "model": "m", "key": f"sk-{WRITTEN}"}
        calls: list[tuple[str, str, Any]] = [
            ("POST", "/v1/keys", {"name": WRITTEN, "role": "reader"}),
            ("POST", "/v1/webhooks", {"url": f"http://{WRITTEN}.com", "events": ["scope.extracted"]}),
            ("POST", f"{hook}/secret", None),
            ("POST", "/v1/calendar-feeds", None),
            ("POST", "/v1/session", None),
            ("PATCH", "/v1/second-opinion", opinion),
            ("POST", f"/v1/scope/{existing['scopeId']}/comments", {"text": WRITTEN}),
            ("POST", "/v1/agreements", {"name": WRITTEN, "termStart": "no day"}),
            ("GET", f"/v1/search?q={WRITTEN}", None),
        ]
        secrets = {own, WRITTEN}
        for method, path, body in calls:
            with fault_at(context, 2):
                api.request(method, path, json=body)
            answer = api.request(method, path, json=body)
            assert answer.status_code < 500, answer.text
            secrets |= find_secrets(answer.json())
    context.close()
    assert len(secrets) >= 6
    # The client of the test logs what it calls.
    ours = [one for one in caplog.records if not one.name.startswith("httpx")]
    logged = "\n".join(map(logging.Formatter().format, ours))
    assert "the database is" in logged, "something was logged"
    assert {one for one in secrets if one in logged} == set()
