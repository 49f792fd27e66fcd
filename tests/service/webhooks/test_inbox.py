"""The built-in inbox takes what is delivered to it, judges it, and is there only where it is asked for."""

import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from app.contract.events import EVENT_NAMES
from app.service.ids import new_id
from app.service.main import create_service
from app.service.webhooks import inbox
from app.service.webhooks.signing import Signer, decode_secret
from app.settings import Settings

BODY = b'{"eventType":"scope.extracted","data":{}}'


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"inbox": True})


def opened(api: Any) -> tuple[str, str, bytes]:
    """The id of a webhook that tells the inbox, its path, its key."""
    made = api.post("/v1/webhooks/inbox").json()
    return made["id"], urlsplit(made["url"]).path, decode_secret(made["secret"])


def signed(key: bytes, body: bytes = BODY, *, message_id: str = "m1", late: int = 0) -> dict[str, str]:
    timestamp = int(time.time()) - late
    signature = Signer([key]).sign(message_id=message_id, timestamp=timestamp, body=body)
    return {"webhook-id": message_id, "webhook-timestamp": str(timestamp), "webhook-signature": signature}


def test_one_call_registers_the_inbox_for_every_event(api: Any) -> None:
    answer = api.post("/v1/webhooks/inbox")
    assert answer.status_code == 201
    assert set(answer.json()["events"]) == set(EVENT_NAMES)
    assert answer.json()["url"] == f"http://testserver/inbox/{answer.json()['id']}"
    [listed] = api.get("/v1/webhooks").json()
    assert listed["id"] == answer.json()["id"]


def test_what_arrives_is_kept_with_the_verdict_on_its_signature(api: Any) -> None:
    id, path, key = opened(api)
    assert api.post(path, content=BODY, headers=signed(key)).status_code == 200
    assert api.post(path, content=BODY, headers=signed(b"x" * 32)).status_code == 401
    assert api.post(path, content=BODY + b" ", headers=signed(key)).status_code == 401
    assert api.post(path, content=BODY, headers=signed(key, late=600)).status_code == 401
    assert api.post(path, content=b"\x00\xff").status_code == 401
    kept = api.get(f"/v1/webhooks/{id}/inbox").json()
    assert ["fault" in each for each in kept] == [True, True, True, True, False]
    assert kept[-1]["body"] == BODY.decode()
    assert kept[-1]["headers"]["webhook-id"] == "m1"


def test_the_newest_are_kept(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MAX_MESSAGES", 2)
    id, path, key = opened(api)
    for number in range(4):
        api.post(path, content=BODY, headers=signed(key, message_id=str(number)))
    kept = api.get(f"/v1/webhooks/{id}/inbox").json()
    assert [each["headers"]["webhook-id"] for each in kept] == ["3", "2"]


def test_nothing_is_taken_for_a_webhook_that_is_no_inbox_is_gone_or_is_too_large(api: Any) -> None:
    other = {"url": "https://hooks.example.com/", "events": ["scope.extracted"]}
    plain = api.post("/v1/webhooks", json=other).json()["id"]
    id, path, key = opened(api)
    assert api.post(f"/inbox/{plain}", content=BODY).status_code == 404
    assert api.get(f"/v1/webhooks/{plain}/inbox").status_code == 404
    assert api.post(path, content=b"x" * (inbox.MAX_BODY + 1)).status_code == 413
    api.delete(f"/v1/webhooks/{id}")
    assert api.post(path, content=BODY, headers=signed(key)).status_code == 404


def test_anothers_inbox_is_not_read(api: Any, stranger: Any) -> None:
    id, _, _ = opened(api)
    assert stranger.get(f"/v1/webhooks/{id}/inbox").status_code == 404


def test_a_deployment_has_it_only_where_it_is_asked_for(tmp_path: Path) -> None:
    plain = TestClient(create_service(Settings(data_dir=tmp_path)))
    assert plain.post("/v1/webhooks/inbox").status_code == 405
    assert plain.post(f"/inbox/{new_id()}").status_code == 404
