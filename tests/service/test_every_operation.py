"""Every operation of `/v1/openapi`, called with generated valid and broken data and judged by all checks.

Half of an operation's calls name things that exist, since an unknown id hides all that lies behind.
"""

from collections.abc import Generator
from typing import Any, cast

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.config import SchemathesisConfig

from app.service.http.dependencies import CONTEXT
from app.service.main import build_openapi, create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.running_service import create_one_of_everything, serving

EXAMPLES = 6
CAMPAIGN_EXAMPLES = 200

ACCEPTED = ["2xx", "401", "403", "404", "409", "429"]
MAY_REFUSE = {
    "POST /v1/scope": "a product's dimensions decide what is valid, and the schema cannot say which product",
    "GET /v1/search": "two letters or digits at the least, and what is one depends on the script",
    "POST /v1/catalog/entries": "a supplier is on record or new, and no two names are the same",
    "POST /v1/scope/from-document": "an address may be no document; content is judged by what it is",
    "POST /v1/pricing/preview": "as a scope; and nothing may be comparable",
    "GET /v1/pricing/basic/{scopeId}": "a scope may have nothing that can be estimated",
    "GET /v1/pricing/advanced/{scopeId}": "a scope may have nothing that can be estimated",
    "GET /v1/pricing/explanation/{scopeId}": "a scope may have nothing that can be estimated",
    "POST /v1/scope/{scopeId}/document/confirm": "every line of the document must stand there once",
    "GET /v1/scope/{scopeId}/document/pages/{page}": "a document may have no page that can be drawn",
    "POST /v1/negotiation/start": "ids inside must be the caller's own",
    "POST /v1/negotiation/{negotiationId}/external-update": "the payload must fit the schema beside it",
    "POST /v1/negotiation/{negotiationId}/strategy": "the id inside must be the caller's own",
    "POST /v1/negotiation/{negotiationId}/attach": "the content must be a document",
    "POST /v1/files/upload": "the content must be a document",
    "POST /v1/webhooks": "an address must be one that can be called",
    "POST /v1/webhooks/{webhookId}/events/redeliver": "an idempotency key may stand for another body",
}
"""Operations whose valid data may be refused with 400, 413, 415 or 422, and why."""
MAY_ACCEPT = {
    "POST /v1/files/upload": "a form may have other fields, and a file is judged by its content alone",
    "POST /v1/scope/from-document": "as an upload",
    "POST /v1/negotiation/{negotiationId}/attach": "as an upload",
}
"""Operations whose broken data may be accepted, and why."""


CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {"positive_data_acceptance": {"expected-statuses": ACCEPTED}},
        "operations": [
            {
                "include-name": label,
                "checks": {
                    "positive_data_acceptance": {
                        "expected-statuses": [*ACCEPTED, "400", "413", "415", "422"]
                    },
                    "negative_data_rejection": {"enabled": label not in MAY_ACCEPT},
                },
            }
            for label in MAY_REFUSE
        ],
    }
)
SCHEMA = schemathesis.openapi.from_dict(build_openapi(with_inbox=True), config=CONFIG)
OPERATIONS: dict[str, Any] = {
    result.ok().label: result.ok()  # pyright: ignore[reportAttributeAccessIssue]
    for result in SCHEMA.get_all_operations()
}


class Standing:
    """A running service and what exists on it."""

    def __init__(self, url: str, key: str, existing: dict[str, Any]) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {key}"}
        self.existing = existing


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Generator[Standing]:
    folder = tmp_path_factory.mktemp("standing")
    app = create_service(Settings(data_dir=folder / "data", database_url=None, rate_limit=0, inbox=True))
    context = CONTEXT.get(app)
    provide_schema(context.database)
    key = key_for(context)
    with serving(app) as url:
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}) as api:
            existing = create_one_of_everything(context, api, folder)
        yield Standing(url, key, existing)


@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_every_operation_keeps_its_word(label: str, standing: Standing) -> None:
    _call_many(label, standing, EXAMPLES)


@pytest.mark.campaign
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_every_operation_keeps_its_word_for_long(label: str, standing: Standing) -> None:
    _call_many(label, standing, CAMPAIGN_EXAMPLES)


def test_the_operations_that_may_refuse_valid_data_exist() -> None:
    assert set(MAY_ACCEPT) <= set(MAY_REFUSE) <= set(OPERATIONS)


def _call_many(label: str, standing: Standing, examples: int) -> None:
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
        operation = OPERATIONS[label]
        if mode == GenerationMode.NEGATIVE and not (list(operation.iter_parameters()) or operation.body):
            continue  # there is nothing to break
        calls = 0

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=[*HealthCheck],  # pyright: ignore[reportArgumentType]
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def call(case: Case) -> None:
            nonlocal calls
            calls += 1
            if calls % 2:
                _name_what_exists(case, standing.existing)
            case.call_and_validate(base_url=standing.url, headers=standing.headers)

        call()


def _name_what_exists(case: Case, existing: dict[str, Any]) -> None:
    """Puts existing ids where the case has valid ones; what it broke on purpose stays broken."""
    known = dict(existing)
    if "/document" in case.path:
        known["scopeId"] = existing["documentScopeId"]
    broken = {
        kind.value
        for kind, part in (case.meta.components if case.meta else {}).items()
        if part.mode == GenerationMode.NEGATIVE
    }
    if "path" not in broken:
        case.path_parameters.update({name: known[name] for name in case.path_parameters if name in known})
    if "query" not in broken:
        case.query.update({name: known[name] for name in case.query if name in known})
    if "body" not in broken and isinstance(case.body, dict):
        case.body = _with_existing(cast(dict[str, Any], case.body), known)


def _with_existing(node: Any, existing: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_with_existing(item, existing) for item in cast(list[Any], node)]
    if not isinstance(node, dict):
        return node
    given = cast(dict[str, Any], node)
    return {
        name: existing[name] if name in existing and name != "ids" else _with_existing(value, existing)
        for name, value in given.items()
    }
