"""Records that answers link to, whole: `parley://product/{id}` and its like."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from mcp_types import ReadResourceResult, ResourceTemplate, TextResourceContents

from app.agents.lookup import is_id
from app.agents.tool import SUPPLIER_TEXT, AgentCaller, Refusal, clean

SCHEME = "parley://"
MIME_TYPE = "application/json"
MAX_CHARACTERS = 200_000

Record = Mapping[str, Any]


@dataclass(frozen=True)
class ResourceKind:
    """One kind of record. `operations` are those of the interface that it is read with."""

    name: str
    description: str
    read: Callable[[AgentCaller, str], Awaitable[Record]]
    operations: frozenset[str]

    def is_for(self, caller: AgentCaller) -> bool:
        return self.operations <= caller.deployment.offered

    def template(self) -> ResourceTemplate:
        return ResourceTemplate(
            name=self.name,
            title=self.name.capitalize(),
            uri_template=f"{SCHEME}{self.name}/{{id}}",
            description=self.description,
            mime_type=MIME_TYPE,
        )


async def _read_product(caller: AgentCaller, record_id: str) -> Record:
    return {"product": (await caller.client.catalog.product(record_id)).wire()}


async def _read_scope(caller: AgentCaller, record_id: str) -> Record:
    scope = await caller.client.scopes.get(record_id)
    if scope.document_processing is None or scope.document_processing.status != "completed":
        return {"scope": scope.wire()}
    return {"scope": scope.wire(), "document": (await caller.client.scopes.document(record_id)).wire()}


async def _read_estimate(caller: AgentCaller, record_id: str) -> Record:
    estimate = await caller.client.pricing.advanced(record_id)
    explanation = await caller.client.pricing.explanation(record_id)
    return {"estimate": estimate.wire(), "explanation": explanation.wire()}


async def _read_agreement(caller: AgentCaller, record_id: str) -> Record:
    return {"agreement": (await caller.client.agreements.get(record_id)).wire()}


async def _read_requirement(caller: AgentCaller, record_id: str) -> Record:
    return {"table": (await caller.client.requirements.matrix(record_id)).wire()}


KINDS: Sequence[ResourceKind] = (
    ResourceKind(
        "product",
        "A product with its pricing dimensions, options and features.",
        _read_product,
        frozenset({"GET /v1/catalog/products/{}"}),
    ),
    ResourceKind(
        "scope",
        "A scope, and all that was read from its document with pages.",
        _read_scope,
        frozenset({"GET /v1/scope/{}", "GET /v1/scope/{}/document"}),
    ),
    ResourceKind(
        "estimate",
        "The price estimate of a scope, by the scope's id, with the purchases behind it.",
        _read_estimate,
        frozenset({"GET /v1/pricing/advanced/{}", "GET /v1/pricing/explanation/{}"}),
    ),
    ResourceKind(
        "agreement",
        "An agreement with its dates, lines, evidence and decisions.",
        _read_agreement,
        frozenset({"GET /v1/agreements/{}"}),
    ),
    ResourceKind(
        "requirement",
        "A requirement with the whole table of its quotes.",
        _read_requirement,
        frozenset({"GET /v1/requirements/{}/matrix"}),
    ),
)


def templates_for(caller: AgentCaller) -> list[ResourceTemplate]:
    """The kinds of records that the caller's deployment has."""
    return [kind.template() for kind in KINDS if kind.is_for(caller)]


async def read_resource(caller: AgentCaller, uri: str) -> ReadResourceResult:
    """Read a record. Raises Refusal for an address of another form, and ApiError."""
    name, _, record_id = uri.removeprefix(SCHEME).partition("/")
    kind = next((one for one in KINDS if one.name == name and one.is_for(caller)), None)
    if kind is None or not uri.startswith(SCHEME) or not is_id(record_id):
        known = ", ".join(f"{SCHEME}{one.name}/{{id}}" for one in KINDS if one.is_for(caller))
        raise Refusal(f"There is no such resource. The addresses are: {known}.")
    record = _cleaned({"note": SUPPLIER_TEXT_IN_RECORD, **await kind.read(caller, record_id.lower())})
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    if len(text) > MAX_CHARACTERS:
        raise Refusal("This record is too large to read whole. Ask the tools about it, or a person.")
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=MIME_TYPE, text=text)])


SUPPLIER_TEXT_IN_RECORD = (
    f"{SUPPLIER_TEXT} In this record the same holds for names, descriptions, texts and all that was read."
)


def _cleaned(value: object) -> object:
    match value:
        case str():
            return clean(value)
        case dict():
            return {name: _cleaned(one) for name, one in cast(dict[str, object], value).items()}
        case list():
            return [_cleaned(one) for one in cast(list[object], value)]
        case _:
            return value
