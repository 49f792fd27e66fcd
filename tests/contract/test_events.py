"""The list of events is whole: each name that can be registered has its class, and the other way round."""

from decimal import Decimal
from typing import get_args

from app.contract.events import EVENT_NAMES, EVENTS, EventName
from app.service.http.openapi import load_description


def test_each_name_has_one_class() -> None:
    assert get_args(EventName) == EVENT_NAMES


def test_no_event_states_an_amount_that_could_differ_from_that_of_its_record() -> None:
    stated = {
        get_args(field.annotation) or (field.annotation,)
        for event in EVENTS
        for field in event.model_fields.values()
    }
    assert not {Decimal, float} & {one for names in stated for one in names}


def test_each_event_is_described() -> None:
    described = load_description(with_inbox=True)
    assert list(described["webhooks"]) == list(EVENT_NAMES)
    for event in EVENTS:
        operation = described["webhooks"][event.event_name]["post"]
        body = operation["requestBody"]["content"]["application/json"]["schema"]["properties"]
        schema = body["data"]["$ref"].rpartition("/")[2]
        assert described["components"]["schemas"][schema]["properties"].keys() == {
            field.alias for field in event.model_fields.values()
        }
        assert event.explanation in operation["description"]
