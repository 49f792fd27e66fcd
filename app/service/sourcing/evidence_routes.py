"""The routes of a requirement's evidence: one document of what was compared, computed and decided."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from app.contract.page import MAX_LIMIT, PageRequest
from app.contract.values import Id
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.context import Context
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import describe_download, download_response
from app.service.sourcing.evidence.content import Evidence
from app.service.sourcing.evidence.pdf import draw_evidence
from app.service.sourcing.evidence.printed import print_evidence
from app.service.sourcing.evidence.workbook import write_evidence
from app.service.sourcing.jobs import load_columns, mark_outdated
from app.service.sourcing.market import estimate_matrix
from app.service.sourcing.store import find_requirement, list_scenarios
from app.service.table_files.writing import XLSX_TYPE

HTML_TYPE, PDF_TYPE = "text/html; charset=utf-8", "application/pdf"

router = APIRouter(prefix="/v1/requirements", tags=["Sourcing"], route_class=GuardedRoute)

RequirementId = Annotated[Id, Path(alias="requirementId")]


@router.get(
    "/{requirementId}/evidence.xlsx",
    **extension(
        "requirements.evidenceXlsx",
        "Download the evidence of a requirement as a workbook",
        None,
        404,
        response_class=Response,
        responses=describe_download(XLSX_TYPE, "The document."),
    ),
)
def workbook(requirement_id: RequirementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return the requirement, its quotes, their table with the market beside it, the latest scenarios and the
    decision as a workbook. Amounts are formulas of quantities, prices and rates, so that they can be checked
    and changed."""
    evidence = _load(context, caller, requirement_id)
    return download_response(write_evidence(evidence), "evidence.xlsx", XLSX_TYPE)


@router.get(
    "/{requirementId}/evidence.html",
    **extension(
        "requirements.evidenceHtml",
        "Download the evidence of a requirement as a document to print",
        None,
        404,
        response_class=Response,
        responses=describe_download(HTML_TYPE, "The document."),
    ),
)
def printed(requirement_id: RequirementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return the same evidence as a page that prints, in landscape with the titles of each table on every
    sheet."""
    evidence = _load(context, caller, requirement_id)
    return download_response(print_evidence(evidence), "evidence.html", HTML_TYPE)


@router.get(
    "/{requirementId}/evidence.pdf",
    **extension(
        "requirements.evidencePdf",
        "Download the evidence of a requirement as a PDF",
        None,
        404,
        response_class=Response,
        responses=describe_download(PDF_TYPE, "The document."),
    ),
)
def pdf(requirement_id: RequirementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return the same evidence as an accessible PDF (PDF/UA-1). Where it has letters that no font of the
    service has, it says so and is not tagged as accessible."""
    evidence = _load(context, caller, requirement_id)
    return download_response(draw_evidence(evidence), "evidence.pdf", PDF_TYPE)


def _load(context: Context, caller: Caller, requirement_id: str) -> Evidence:
    now = context.clock()
    today, owner = now.date(), caller.organisation_id
    with context.database.reading() as connection:
        requirement = find_requirement(connection, owner, requirement_id)
        columns = load_columns(connection, owner, requirement, today)
        matrix = estimate_matrix(connection, owner, requirement, columns, today)
        latest, total = list_scenarios(connection, requirement_id, PageRequest(limit=MAX_LIMIT))
        scenarios = mark_outdated(connection, latest, lambda: columns, today)
    quotes = [column.quote for column in columns]
    return Evidence(matrix, quotes, scenarios, total - len(scenarios), now)
