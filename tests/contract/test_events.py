"""The list of events is whole: each name that can be registered has its class, and the other way round."""

from typing import get_args

from app.contract.events import EVENT_NAMES, EVENTS, EventName
from app.service.main import build_openapi


def test_each_name_has_one_class() -> None:
    assert get_args(EventName) == EVENT_NAMES


def test_each_event_is_described() -> None:
    described = build_openapi(with_inbox=True)
    assert list(described["webhooks"]) == list(EVENT_NAMES)
    for event in EVENTS:
        operation = described["webhooks"][event.event_name]["post"]
        body = operation["requestBody"]["content"]["application/json"]["schema"]["properties"]
        schema = body["data"]["$ref"].rpartition("/")[2]
        assert described["components"]["schemas"][schema]["properties"].keys() == {
            field.alias for field in event.model_fields.values()
        }
        assert event.explanation in operation["description"]
