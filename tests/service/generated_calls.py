"""What generated calls are made to say, so that they come to more than "no such resource"."""

from random import Random
from typing import Any, cast

from schemathesis import Case, GenerationMode

from tests.service.running_service import QUOTE
from tests.service.valid_bodies import draw_body


def vary_call(case: Case, existing: dict[str, Any], random: Random) -> None:
    """Half of the calls name what exists; half of those with valid data have a body that is accepted, none
    of them an idempotency key: Schemathesis draws few keys, and one may stand for another body."""
    if random.random() < 0.5:
        name_what_exists(case, existing)
    if case.meta is None or case.meta.generation.mode == GenerationMode.NEGATIVE:
        return
    case.headers.pop("Idempotency-Key", None)
    if random.random() < 0.5:
        take_accepted_body(case, draw_body(case.operation.label, existing, random))


def take_accepted_body(case: Case, body: Any | None) -> None:
    """Gives the case the body, or the file of a form, and no idempotency key: it could stand for another."""
    case.headers.pop("Idempotency-Key", None)
    if case.media_type == "multipart/form-data":
        case.body = cast(Any, {"file": QUOTE})
    elif body is not None:
        case.body = body


def name_what_exists(case: Case, existing: dict[str, Any]) -> None:
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
        if case.path == "/v1/price-history" and (
            "agreementId" in case.query or "companyId" not in case.query
        ):
            case.query.pop("companyId", None)  # one of both
            case.query["agreementId"] = known["agreementId"]
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
