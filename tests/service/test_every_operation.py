"""Every operation of `/v1/openapi`, called with generated valid and broken data and judged by all checks.

Half of an operation's calls name things that exist, since an unknown id hides all that lies behind.
"""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies
from pydantic import SecretStr
from schemathesis import Case, GenerationMode
from schemathesis.config import SchemathesisConfig

from app.contract.values import SMALLEST_AMOUNT
from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.http.openapi import load_description
from app.service.main import create_service
from app.settings import Settings
from tests.flows.deployment import ROOT
from tests.flows.started_product import running_parley
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.existing_things import ExistingThings
from tests.service.generated_calls import name_what_exists, take_accepted_body, vary_call
from tests.service.migrated_database import provide_schema
from tests.service.postgres import fresh_database
from tests.service.running_service import create_one_of_everything, serving
from tests.service.valid_bodies import first_body

EXAMPLES = {GenerationMode.POSITIVE: 1}
"""The first is the simplest there is; generating others, and broken ones, takes four times as long as asking
them, and the campaign does."""
CAMPAIGN_EXAMPLES = {GenerationMode.POSITIVE: 40, GenerationMode.NEGATIVE: 40}
SEQUENCE_CALLS = 2000
PATIENCE = 120.0
LEAST_SUCCEEDING = 50
"""Operations that succeed in a sequence at random, of 62."""
NEVER_SUCCEEDING = {
    "GET /v1/sample/quotes/{quoteNumber}": "there is no sample data here",
    "POST /v1/approvals/{approvalId}/approve": "a person approves, and the calls are a key's",
    "POST /v1/agreements/{agreementId}/purchases/decision": "a purchase in doubt comes of learning",
}
"""Operations that succeed in no sequence, and why. Every other one is given what it needs."""
GENERATED = settings(
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[*HealthCheck],  # pyright: ignore[reportArgumentType]
)

ACCEPTED = ["2xx", "401", "403", "404", "409", "429"]
REFUSED = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429"]
MAY_BE_REFUSED = ["400", "413", "415", "422"]
MAY_REFUSE = {
    "POST /v1/scope": "a product's dimensions decide what is valid, and the schema cannot say which product",
    "GET /v1/audit": "the entry before the page must be one of the log",
    "GET /v1/audit.csv": "as the list",
    "GET /v1/search": "two letters or digits at the least, and what is one depends on the script",
    "POST /v1/catalog/entries": "a supplier is on record or new, and no two names are the same",
    "POST /v1/scope/from-document": "an address may be no document; content is judged by what it is",
    "POST /v1/pricing/preview": "as a scope; and nothing may be comparable",
    "GET /v1/pricing/basic/{scopeId}": "a scope may have nothing that can be estimated",
    "GET /v1/pricing/advanced/{scopeId}": "a scope may have nothing that can be estimated",
    "GET /v1/pricing/explanation/{scopeId}": "a scope may have nothing that can be estimated",
    "POST /v1/scope/{scopeId}/document/confirm": "every line of the document must stand there once",
    "POST /v1/scope/{scopeId}/document/list-prices": "only a price list has prices to take",
    "GET /v1/scope/{scopeId}/document/pages/{page}": "a document may have no page that can be drawn",
    "POST /v1/negotiation/start": "ids inside must be the caller's own",
    "POST /v1/negotiation/{negotiationId}/external-update": "the payload must fit the schema beside it",
    "POST /v1/negotiation/{negotiationId}/strategy": "the id inside must be the caller's own",
    "POST /v1/negotiation/{negotiationId}/attach": "the content must be a document",
    "POST /v1/files/upload": "the content must be a document",
    "POST /v1/agreements": "its dates must be possible together, and ids inside the caller's own",
    "PATCH /v1/agreements/{agreementId}": "as a new one, with what is on record",
    "PATCH /v1/working-days": "a holiday may have other keys, and no name of one may hold a NUL",
    "POST /v1/working-days/preview": "as the change that it shows",
    "PATCH /v1/second-opinion": "an address must be one that can be called, and be stated before it is asked",
    "POST /v1/agreements/from-document": "the id inside must be the caller's own",
    "POST /v1/agreements/{agreementId}/renewal": "somebody must be named who negotiates",
    "POST /v1/agreements/{agreementId}/decision": "a notice must be possible, and the id inside one's own",
    "POST /v1/agreements/{agreementId}/purchases/decision": "the purchase must be one in doubt",
    "GET /v1/price-history": "of an agreement or of a supplier, one of them",
    "GET /v1/spend": "the last month comes after the first, and not by more than ten years",
    "POST /v1/requirements": "an id inside must be seen by the caller, and no unknown key may hold a NUL",
    "POST /v1/requirements/{requirementId}/quotes": "ids inside must be the caller's own, and currency known",
    "PATCH /v1/requirements/{requirementId}/quotes/{quoteId}": "lines must be the quote's, currency known",
    "PUT /v1/requirements/{requirementId}/alignment": "ids inside must be those of the requirement",
    "POST /v1/requirements/{requirementId}/award": "a requirement is awarded once, by a scenario that stands",
    "POST /v1/requirements/{requirementId}/scenarios": "ids inside must be those of the requirement",
    "POST /v1/imports": "the id inside must be the caller's own file",
    "POST /v1/keys": "networks must be some, and the day to come",
    "POST /v1/webhooks": "an address must be one that can be called",
    "POST /v1/webhooks/{webhookId}/events/redeliver": "an idempotency key may stand for another body",
}
"""Operations whose valid data may be refused with 400, 413, 415 or 422, and why."""
MAY_ACCEPT = {
    "POST /v1/files/upload": "a form may have other fields, and a file is judged by its content alone",
    "POST /v1/scope/from-document": "as an upload",
    "POST /v1/negotiation/{negotiationId}/attach": "as an upload",
    "PATCH /v1/working-days": "a name of null inside a holiday is an absent one",
    "POST /v1/working-days/preview": "as the change that it shows",
    "PATCH /v1/scope/{scopeId}": "an address of null inside an owner is an absent one",
    "PATCH /v1/negotiation/{negotiationId}": "an address of null inside an owner is an absent one",
}
"""Operations whose broken data may be accepted, and why."""


def _accepted_findings() -> dict[str, Any]:
    """The findings above, as a configuration of Schemathesis."""
    return {
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ACCEPTED},
            "negative_data_rejection": {"expected-statuses": REFUSED},
        },
        "operations": [
            {
                "include-name": label,
                "checks": {
                    "positive_data_acceptance": {
                        "expected-statuses": [*ACCEPTED, *(MAY_BE_REFUSED if label in MAY_REFUSE else ())]
                    },
                    "negative_data_rejection": {
                        "enabled": label not in MAY_ACCEPT,
                        "expected-statuses": REFUSED,
                    },
                },
            }
            for label in sorted(MAY_REFUSE.keys() | MAY_ACCEPT.keys())
        ],
    }


SCHEMA = schemathesis.openapi.from_dict(
    load_description(with_inbox=True), config=SchemathesisConfig.from_dict(_accepted_findings())
)
OPERATIONS: dict[str, Any] = {
    result.ok().label: result.ok()  # pyright: ignore[reportAttributeAccessIssue]
    for result in SCHEMA.get_all_operations()
}


class Standing:
    """A running service and what exists on it."""

    def __init__(self, url: str, key: str, existing: dict[str, Any], context: Context) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {key}"}
        self.existing = existing
        self.context = context
        self.settings = context.settings


STORES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.campaign)]


@pytest.fixture(scope="module", params=STORES)
def standing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Standing]:
    yield from _serve(request, tmp_path_factory.mktemp("standing"))


@pytest.fixture(params=STORES)
def own_standing(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Standing]:
    """One for a test alone, which may delete what stands there."""
    yield from _serve(request, tmp_path)


def _serve(request: pytest.FixtureRequest, folder: Path) -> Generator[Standing]:
    with ExitStack() as stack:
        url = None
        if request.param == "postgresql":
            url = stack.enter_context(fresh_database(request.getfixturevalue("postgres_server")))
        yield stack.enter_context(_serve_one_of_everything(folder, url))


@contextmanager
def _serve_one_of_everything(folder: Path, database_url: str | None) -> Generator[Standing]:
    app = create_service(
        Settings(
            data_dir=folder / "data",
            database_url=database_url,
            secret_key=SecretStr(VAULT_KEY),
            rate_limit=0,
            max_webhooks=10_000,
            max_imports=10_000,
            inbox=True,
        )
    )
    context = CONTEXT.get(app)
    provide_schema(context.database)
    key = key_for(context)
    with serving(app) as url:
        client = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE)
        with client as api:
            existing = create_one_of_everything(context, api, folder)
        yield Standing(url, key, existing, context)


@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_every_operation_keeps_its_word(label: str, standing: Standing) -> None:
    _call_many(label, standing, EXAMPLES)


@pytest.mark.campaign
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("standing", ["sqlite"], indirect=True)
@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_every_operation_keeps_its_word_for_long(label: str, standing: Standing) -> None:
    _call_many(label, standing, CAMPAIGN_EXAMPLES)


@pytest.mark.campaign
@pytest.mark.timeout(1800)
def test_calls_on_what_earlier_ones_made_keep_their_word(own_standing: Standing) -> None:
    """One long sequence of calls of all operations, while a worker reads documents and plans negotiations:
    first each with what it needs, then at random."""
    standing = own_standing
    client = httpx.Client(base_url=standing.url, headers=standing.headers, timeout=PATIENCE)
    with client as api, running_parley(["work"], standing.settings):
        existing = ExistingThings(standing.context, api, standing.existing)
        first = {
            label for label in sorted(OPERATIONS) if _succeeds_with_what_it_needs(label, existing, standing)
        }
        at_random = _call_at_random(existing, standing)
    assert set(OPERATIONS) - first - at_random == NEVER_SUCCEEDING.keys()
    assert len(at_random) >= LEAST_SUCCEEDING, set(OPERATIONS) - at_random


def _succeeds_with_what_it_needs(label: str, existing: ExistingThings, standing: Standing) -> bool:
    """Calls the operation some times with valid data on what exists; whether it succeeded once."""
    succeeded: list[bool] = []

    @settings(GENERATED, max_examples=EXAMPLES[GenerationMode.POSITIVE])
    @given(case=_cases_of(label, GenerationMode.POSITIVE))
    def call(case: Case) -> None:
        ids = existing.choose_lasting(label)
        name_what_exists(case, ids)
        take_accepted_body(case, first_body(label, ids))
        succeeded.append(_succeeds(case, standing, existing))

    call()
    return any(succeeded)


def _call_at_random(existing: ExistingThings, standing: Standing) -> set[str]:
    """Calls operations in any order, on what is there and on what is not; those that succeeded."""
    random, succeeded = Random(1), set[str]()

    @settings(GENERATED, max_examples=SEQUENCE_CALLS)
    @given(data=strategies.data())
    def call(data: strategies.DataObject) -> None:
        label = data.draw(strategies.sampled_from(sorted(OPERATIONS)))
        case = data.draw(_cases_of(label, data.draw(strategies.sampled_from(_modes_of(label)))))
        vary_call(case, existing.choose(label, random), random)
        if _succeeds(case, standing, existing):
            succeeded.add(label)

    call()
    return succeeded


def _succeeds(case: Case, standing: Standing, existing: ExistingThings) -> bool:
    """Makes the call and remembers what it made."""
    response = case.call_and_validate(base_url=standing.url, headers=standing.headers)
    if response.status_code == 201:
        created = SCHEMA.raw_schema["paths"][case.operation.path]["post"]["responses"]["201"]
        existing.add(_read_ids(created.get("links", {}).values(), response.json()))
    return response.status_code < 300


def _read_ids(links: Iterable[dict[str, Any]], made: dict[str, Any]) -> dict[str, Any]:
    """What the links read from the body of a response, by the names of parameters."""
    ids: dict[str, Any] = {}
    for link in links:
        document = "Documents" in link["operationId"]
        for name, expression in link["parameters"].items():
            place, _, field = expression.partition("#/")
            if place == "$response.body":
                ids["documentScopeId" if document else name] = made[field]
    return ids


@pytest.mark.campaign
@pytest.mark.timeout(1800)
def test_values_at_every_bound_keep_the_word(own_standing: Standing, tmp_path: Path) -> None:
    """Values at and beyond each bound of each parameter and field."""
    existing, findings = tmp_path / "existing.json", tmp_path / "schemathesis.toml"
    existing.write_text(json.dumps(own_standing.existing))
    findings.write_text(_write_toml(_accepted_findings()))
    url, authorization = own_standing.url, own_standing.headers["Authorization"]
    command = ["--config-file", str(findings), "run", f"{url}/v1/openapi", "--phases", "coverage"]
    command += ["-H", f"Authorization: {authorization}", "--continue-on-failure"]
    hooks = {"SCHEMATHESIS_HOOKS": "tests.service.schemathesis_hooks", "PARLEY_EXISTING": str(existing)}
    done = subprocess.run(
        [str(Path(sys.executable).with_name("st")), *command],
        env={**os.environ, **hooks, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def _write_toml(config: dict[str, Any]) -> str:
    """The configuration as Schemathesis reads it from a file."""
    lines = [f"checks.{name} = {_inline(value)}" for name, value in config["checks"].items()]
    for operation in config["operations"]:
        lines.append("[[operations]]")
        lines += [f"{name} = {_inline(value)}" for name, value in operation.items()]
    return "\n".join(lines)


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        pairs = cast(dict[str, Any], value).items()
        return "{" + ", ".join(f"{name} = {_inline(item)}" for name, item in pairs) + "}"
    return json.dumps(value)


def test_the_operations_that_may_refuse_valid_data_exist() -> None:
    assert MAY_ACCEPT.keys() | MAY_REFUSE.keys() <= OPERATIONS.keys()


def _modes_of(label: str) -> list[GenerationMode]:
    """Valid data, and broken ones where there is something to break."""
    operation = OPERATIONS[label]
    can_break = bool(list(operation.iter_parameters()) or operation.body)
    return [GenerationMode.POSITIVE, GenerationMode.NEGATIVE] if can_break else [GenerationMode.POSITIVE]


@cache
def _cases_of(label: str, mode: GenerationMode) -> strategies.SearchStrategy[Case]:
    cases = OPERATIONS[label].as_strategy(generation_mode=mode).filter(_says_more_than_nothing)
    return cases if mode == GenerationMode.NEGATIVE else cases.filter(lambda case: not _vanishes(case.body))


def _vanishes(value: object) -> bool:
    """Whether there is a number that is all but 0, or a NUL, which is refused under unknown names too: no
    schema says so shortly."""
    if isinstance(value, dict):
        return any(_vanishes(part) for pair in cast(dict[str, Any], value).items() for part in pair)
    if isinstance(value, list):
        return any(map(_vanishes, cast(list[Any], value)))
    if isinstance(value, str):
        return "\0" in value
    return isinstance(value, float) and 0 < abs(value) < SMALLEST_AMOUNT


def _says_more_than_nothing(case: Case) -> bool:
    """Whether the case is not `ids=`: an empty id alone is sent as the empty list is, which is valid."""
    return case.query.get("ids") not in (None, "", [""], [None]) or "ids" not in case.query


def _call_many(label: str, standing: Standing, examples: Mapping[GenerationMode, int]) -> None:
    random = Random(label)
    for mode in examples.keys() & _modes_of(label):

        @settings(GENERATED, max_examples=examples[mode])
        @given(case=_cases_of(label, mode))
        def call(case: Case) -> None:
            vary_call(case, standing.existing, random)
            case.call_and_validate(base_url=standing.url, headers=standing.headers)

        call()
