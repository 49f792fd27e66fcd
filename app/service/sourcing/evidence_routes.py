"""The routes of a requirement's evidence: one document of what was compared, computed and decided."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.responses import Response

from app.contract.page import MAX_LIMIT, PageRequest
from app.contract.values import Id
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.context import Context
from app.service.http.dependencies import ContextDep
from app.service.http.openapi import EXTENSION
from app.service.http.response_descriptions import header_references, problem_responses
from app.service.http.responses import NO_STORE
from app.service.sourcing.evidence.content import Evidence
from app.service.sourcing.evidence.printed import print_evidence
from app.service.sourcing.evidence.workbook import write_evidence
from app.service.sourcing.jobs import load_columns, mark_outdated
from app.service.sourcing.market import estimate_market
from app.service.sourcing.matrix import build_matrix
from app.service.sourcing.store import find_requirement, list_quotes, list_scenarios
from app.service.table_files.writing import XLSX_TYPE

HTML_TYPE = "text/html; charset=utf-8"

router = APIRouter(prefix="/v1/requirements", tags=["Sourcing"], route_class=GuardedRoute)

RequirementId = Annotated[Id, Path(alias="requirementId")]


def _describe_file(media_type: str) -> dict[int | str, dict[str, Any]]:
    return problem_responses(404) | {
        200: {
            "description": "The document.",
            "content": {media_type.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}},
            "headers": header_references("Content-Disposition"),
        }
    }


@router.get(
    "/{requirementId}/evidence.xlsx",
    operation_id="requirements.evidenceXlsx",
    summary="Download the evidence of a requirement as a workbook",
    response_class=Response,
    responses=_describe_file(XLSX_TYPE),
    openapi_extra=EXTENSION,
)
def workbook(requirement_id: RequirementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return the requirement, its quotes, their table with the market beside it, the latest scenarios and the
    decision as a workbook. Amounts are formulas of quantities, prices and rates, so that they can be checked
    and changed."""
    evidence = _load(context, caller, requirement_id)
    return _send(write_evidence(evidence), "evidence.xlsx", XLSX_TYPE)


@router.get(
    "/{requirementId}/evidence.html",
    operation_id="requirements.evidenceHtml",
    summary="Download the evidence of a requirement as a document to print",
    response_class=Response,
    responses=_describe_file(HTML_TYPE),
    openapi_extra=EXTENSION,
)
def printed(requirement_id: RequirementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return the same evidence as a page that prints, or is saved as PDF, in landscape with the titles of
    each table on every sheet."""
    evidence = _load(context, caller, requirement_id)
    return _send(print_evidence(evidence), "evidence.html", HTML_TYPE)


def _load(context: Context, caller: Caller, requirement_id: str) -> Evidence:
    now = context.clock()
    today, owner = now.date(), caller.organisation_id
    with context.database.reading() as connection:
        requirement = find_requirement(connection, owner, requirement_id)
        columns = load_columns(connection, owner, requirement, today)
        market = estimate_market(connection, owner, requirement, columns, today)
        latest, total = list_scenarios(connection, requirement_id, PageRequest(limit=MAX_LIMIT))
        scenarios = mark_outdated(connection, owner, requirement, latest, today)
        quotes = list_quotes(connection, requirement_id)
    matrix = build_matrix(requirement, columns, market, today)
    return Evidence(matrix, quotes, scenarios, total - len(scenarios), now)


def _send(content: bytes, filename: str, media_type: str) -> Response:
    headers = {
        "Content-Disposition": f'attachment; filename="{filename}"',
        "X-Content-Type-Options": "nosniff",
        **NO_STORE,
    }
    return Response(content, media_type=media_type, headers=headers)
