"""The routes of sourcing: requirements, the quotes that answer them, their table, scenarios of awards, and
one document of what was compared, computed and decided."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.page import MAX_LIMIT, PageRequest
from app.contract.sourcing import (
    Alignment,
    Matrix,
    NewRequirement,
    NewScenario,
    NewSourcingQuote,
    Requirement,
    RequirementChange,
    RequirementPage,
    Scenario,
    ScenarioConstraints,
    Scenarios,
    SourcingQuote,
    SourcingQuotes,
)
from app.contract.sourcing_award import Award, NewAward
from app.contract.sourcing_changes import ChangedQuoteLine, RemovedQuote, SourcingQuoteChange
from app.contract.values import Id
from app.service.access.approvals import note_decision
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.access.quotas import lock_organisation, require_room
from app.service.comments.people import describe_caller
from app.service.context import Context
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension, problem_responses
from app.service.http.problems import ApiProblem, InvalidField, not_found
from app.service.http.query_parameters import PageDep, page_response
from app.service.http.responses import created_response, describe_download, download_response, json_response
from app.service.scopes.quote import NO_CURRENCY
from app.service.sourcing.awarding import award_requirement, check_award, describe_decision
from app.service.sourcing.columns import Column
from app.service.sourcing.document_quotes import begin_quote
from app.service.sourcing.evidence.content import Evidence
from app.service.sourcing.evidence.printed import draw_evidence, print_evidence
from app.service.sourcing.evidence.workbook import write_evidence
from app.service.sourcing.jobs import (
    SECONDS_OF_CALLER,
    find_repeated,
    load_columns,
    make_scenario,
    mark_outdated,
    request_solving,
)
from app.service.sourcing.market import estimate_matrix
from app.service.sourcing.quotes import (
    add_quote,
    confirm_alignment,
    load_scope,
    require_not_awarded,
    review_quote,
)
from app.service.sourcing.remembered_alignment import forget_alignment, remember_alignment
from app.service.sourcing.requirements import change_requirement, make_requirement
from app.service.sourcing.scenarios import Basis, build_task, describe_basis, solve_scenario
from app.service.sourcing.scope_lines import warn_of_quote
from app.service.sourcing.store import (
    count_requirements,
    delete_quote,
    find_requirement,
    find_scenario,
    insert_scenario,
    list_quotes,
    list_requirements,
    list_scenarios,
    update_quote,
    update_requirement,
)
from app.service.table_files.writing import XLSX_TYPE

router = APIRouter(prefix="/v1/requirements", tags=["Sourcing"], route_class=GuardedRoute)

RequirementId = Annotated[Id, Path(alias="requirementId")]
ScenarioId = Annotated[Id, Path(alias="scenarioId")]


@router.get("", **extension("requirements.list", "List requirements", RequirementPage))
def requirements(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the organisation's requirements, the newest first."""
    with context.database.reading() as connection:
        found, total = list_requirements(connection, caller.organisation_id, page)
    return page_response(found, total, page)


@router.post(
    "", **extension("requirements.create", "State what is to be bought", Requirement, status_code=201)
)
def create(body: NewRequirement, context: ContextDep, caller: CallerDep) -> Response:
    """State what is to be bought, in which currency amounts are compared, and for how long; or name a scope
    that says so, whose prices become the first quote."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        require_room(
            count_requirements(connection, caller.organisation_id),
            context.settings.max_requirements,
            things="requirements",
            setting="PARLEY_MAX_REQUIREMENTS",
            way_out="Use one that you have",
        )
        made = make_requirement(
            connection, caller.organisation_id, body, context.clock(), sample=caller.sample
        )
    return created_response(made, f"/v1/requirements/{made.id}")


@router.get("/{requirementId}", **extension("requirements.read", "Read a requirement", Requirement, 404))
def read(requirement_id: RequirementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return one requirement with its lines."""
    with context.database.reading() as connection:
        return json_response(find_requirement(connection, caller.organisation_id, requirement_id))


@router.patch(
    "/{requirementId}", **extension("requirements.update", "Change a requirement", Requirement, 404)
)
def update(
    requirement_id: RequirementId, body: RequirementChange, context: ContextDep, caller: CallerDep
) -> Response:
    """Change the name, the day by which it is needed, or the discount rate."""
    now = context.clock()
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        update_requirement(connection, change_requirement(found, body), now)
        return json_response(find_requirement(connection, caller.organisation_id, requirement_id))


@router.get(
    "/{requirementId}/quotes",
    **extension("requirements.listQuotes", "List the quotes that answer a requirement", SourcingQuotes, 404),
)
def quotes(requirement_id: RequirementId, context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the quotes of a requirement, the first that came first."""
    with context.database.reading() as connection:
        find_requirement(connection, caller.organisation_id, requirement_id)
        found = list_quotes(connection, requirement_id)
    return page_response(found[page.offset : page.offset + page.limit], len(found), page)


@router.post(
    "/{requirementId}/quotes",
    **extension(
        "requirements.addQuote", "Add a quote that answers a requirement", SourcingQuote, 404, status_code=201
    ),
)
def add(
    requirement_id: RequirementId, body: NewSourcingQuote, context: ContextDep, caller: CallerDep
) -> Response:
    """Add a quote by hand, from the scope that was made of one, or from an uploaded file: that is read in the
    background, and becomes a quote for each that it holds. Lines that name no line of the requirement are
    aligned by what they say; doubtful ones count once a person confirmed them."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        if body.file_id is not None:
            quote = begin_quote(connection, context, caller, found, body)
        else:
            quote = add_quote(connection, caller.organisation_id, found, body, context.clock())
    return created_response(quote, f"/v1/requirements/{requirement_id}/quotes")


@router.put(
    "/{requirementId}/alignment",
    **extension(
        "requirements.align",
        "Say which lines of quotes answer which lines of a requirement",
        Matrix,
        404,
        409,
    ),
)
def align(requirement_id: RequirementId, body: Alignment, context: ContextDep, caller: CallerDep) -> Response:
    """Store what a person decided, and return the table. The next quote of the same supplier with the same
    wording is proposed as it was decided. A quote that was awarded something stays as it is."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        quotes = confirm_alignment(connection, found, body.lines)
        remember_alignment(
            connection,
            caller.organisation_id,
            found,
            quotes,
            body.lines,
            describe_caller(connection, caller),
            context.clock(),
        )
    return json_response(_read_matrix(context, caller, requirement_id))


@router.get(
    "/{requirementId}/matrix",
    **extension("requirements.matrix", "Compare the quotes of a requirement", Matrix, 404),
)
def matrix(requirement_id: RequirementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return the table of a requirement: what each quote asks for each line, over the whole term and by
    years, in one currency, and what comparable purchases say that it costs. What cannot be compared says why
    and counts in no total."""
    return json_response(_read_matrix(context, caller, requirement_id))


@router.get(
    "/{requirementId}/scenarios",
    **extension("requirements.listScenarios", "List the scenarios of a requirement", Scenarios, 404),
)
def scenarios(
    requirement_id: RequirementId, context: ContextDep, caller: CallerDep, page: PageDep
) -> Response:
    """List the scenarios of a requirement, the newest first."""
    with context.database.reading() as connection:
        asked = find_requirement(connection, caller.organisation_id, requirement_id)
        found, total = list_scenarios(connection, requirement_id, page)
        marked = _mark_outdated(connection, context, caller, asked, found)
    return page_response(marked, total, page)


@router.post(
    "/{requirementId}/scenarios",
    **extension(
        "requirements.createScenario",
        "Find whom to award what",
        Scenario,
        status_code=201,
        responses={
            200: {"description": "The scenario that was made of the same before, while nothing has changed."},
            202: {"description": "The same record, `solving`: read it again."},
            **problem_responses(404),
        },
    ),
)
def create_scenario(
    requirement_id: RequirementId, body: NewScenario, context: ContextDep, caller: CallerDep
) -> Response:
    """Find the best award for an objective under constraints: proven, or the best known with the bound below
    which none can be. Says what each constraint costs, or which cannot all be kept. What takes longer than a
    caller should wait is answered with 202 and `solving`, and solved in the background. Asked again for the
    same while no quote has changed, the answer is the scenario that is listed."""
    now = context.clock()
    made, basis = _solve(requirement_id, body, context, caller)
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        listed = find_repeated(connection, made, basis)
        if listed is None:
            insert_scenario(connection, made, basis)
            if made.status == "solving":
                request_solving(connection, caller.organisation_id, made.id, now)
    answer = listed or made
    headers = {"Location": f"/v1/requirements/{requirement_id}/scenarios/{answer.id}"}
    done = 201 if listed is None else 200
    return json_response(answer, 202 if answer.status == "solving" else done, headers=headers)


@router.get(
    "/{requirementId}/scenarios/{scenarioId}",
    **extension("requirements.readScenario", "Read a scenario", Scenario, 404),
)
def read_scenario(
    requirement_id: RequirementId, scenario_id: ScenarioId, context: ContextDep, caller: CallerDep
) -> Response:
    """Return one scenario as it was solved, and what has changed since then."""
    with context.database.reading() as connection:
        asked = find_requirement(connection, caller.organisation_id, requirement_id)
        found = find_scenario(connection, requirement_id, scenario_id)
        [marked] = _mark_outdated(connection, context, caller, asked, [found])
    return json_response(marked)


@router.post(
    "/{requirementId}/award",
    **extension(
        "requirements.award",
        "Award a requirement",
        Award,
        status_code=201,
        responses={200: {"description": "The award that was made of this scenario before."}}
        | problem_responses(404),
    ),
)
def award(requirement_id: RequirementId, body: NewAward, context: ContextDep, caller: CallerDep) -> Response:
    """Award a requirement by a scenario, or by hand: a negotiation starts, or an agreement is put on record,
    for each quote that gets something, all of them or none. A requirement is awarded once; asked again for
    the same scenario, the answer is the award that was made. A supplier need be no company of the catalog:
    `notes` say what is then not known."""
    check_award(body)
    by_hand = None
    if body.award is not None:
        asked = NewScenario(objective="by_hand", award=body.award)
        by_hand = _solve(requirement_id, asked, context, caller)
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        if found.award is not None:
            if body.scenario_id == found.award.scenario_id:
                return json_response(found.award)
            raise ApiProblem(409, "The requirement was awarded before, by another scenario.")
        if by_hand is not None:
            insert_scenario(connection, *by_hand)
        chosen = by_hand[0] if by_hand else find_scenario(connection, requirement_id, body.scenario_id or "")
        made = award_requirement(connection, context, caller, found, chosen, body)
    note_decision(describe_decision(found, made))
    return created_response(made, f"/v1/requirements/{requirement_id}")


def _read_matrix(context: Context, caller: Caller, requirement_id: str) -> Matrix:
    today, owner = context.clock().date(), caller.organisation_id
    with context.database.reading() as connection:
        found = find_requirement(connection, owner, requirement_id)
        columns = load_columns(connection, owner, found, today)
        return estimate_matrix(connection, owner, found, columns, today)


def _mark_outdated(
    connection: Connection, context: Context, caller: Caller, asked: Requirement, found: Sequence[Scenario]
) -> list[Scenario]:
    today = context.clock().date()
    load = partial(load_columns, connection, caller.organisation_id, asked, today)
    return mark_outdated(connection, found, load, today)


def _solve(
    requirement_id: str, body: NewScenario, context: Context, caller: Caller
) -> tuple[Scenario, Basis]:
    """Solve a scenario on the quotes as they are, as far as a caller waits; return it with their state."""
    now = context.clock()
    with context.database.reading() as connection:
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        columns = load_columns(connection, caller.organisation_id, found, now.date())
    _require_known(columns, body)
    constraints = body.constraints or ScenarioConstraints()
    solved = solve_scenario(build_task(found, columns, constraints, now.date()), body, SECONDS_OF_CALLER)
    return make_scenario(found, columns, body, solved, now), describe_basis(columns, now.date())


def _require_known(columns: list[Column], body: NewScenario) -> None:
    """Raise ApiProblem 400, which names each place, for quotes that the requirement does not have, and for an
    award where none may be."""
    known = {column.quote.id for column in columns}
    given = body.constraints or ScenarioConstraints()
    wrong = [
        InvalidField(f"/constraints/{name}/{place}", "The requirement has no such quote.")
        for name, ids in (("excludedQuotes", given.excluded_quotes), ("keepQuotes", given.keep_quotes))
        for place, one in enumerate(ids or ())
        if one not in known
    ]
    if (body.objective == "by_hand") != (body.award is not None):
        wrong.append(InvalidField("/award", "An award is named for the objective by_hand, and for no other."))
    if wrong:
        raise ApiProblem(400, "The scenario is not valid.", errors=wrong)


HTML_TYPE, PDF_TYPE = "text/html; charset=utf-8", "application/pdf"


@router.get(
    "/{requirementId}/evidence.xlsx",
    **extension(
        "requirements.evidenceXlsx",
        "Download the evidence of a requirement as a workbook",
        None,
        404,
        **describe_download(XLSX_TYPE, "The document."),
    ),
)
def workbook(requirement_id: RequirementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return the requirement, its quotes, their table with the market beside it, the latest scenarios and the
    decision as a workbook. Amounts are formulas of quantities, prices and rates, so that they can be checked
    and changed."""
    evidence = write_evidence(_load(context, caller, requirement_id))
    return download_response(evidence, "evidence.xlsx", XLSX_TYPE)


@router.get(
    "/{requirementId}/evidence.html",
    **extension(
        "requirements.evidenceHtml",
        "Download the evidence of a requirement as a document to print",
        None,
        404,
        **describe_download(HTML_TYPE, "The document."),
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
        **describe_download(PDF_TYPE, "The document."),
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


QuoteId = Annotated[Id, Path(alias="quoteId")]


@router.patch(
    "/{requirementId}/quotes/{quoteId}",
    **extension("requirements.updateQuote", "Correct a quote of a requirement", SourcingQuote, 404, 409),
)
def correct_quote(
    requirement_id: RequirementId,
    quote_id: QuoteId,
    body: SourcingQuoteChange,
    context: ContextDep,
    caller: CallerDep,
) -> Response:
    """Correct what a quote asks and its terms. Scenarios that were solved before say that they rest on an
    earlier state. A quote that was awarded something stays as it is."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        changed = _change_quote(connection, caller.organisation_id, found, quote_id, body)
    return json_response(changed)


@router.delete(
    "/{requirementId}/quotes/{quoteId}",
    **extension("requirements.removeQuote", "Remove a quote from a requirement", RemovedQuote, 404, 409),
)
def remove(
    requirement_id: RequirementId, quote_id: QuoteId, context: ContextDep, caller: CallerDep
) -> Response:
    """Remove a wrong quote; the scope that it was taken from stays. Scenarios that were solved before say
    that they rest on an earlier state. A quote that was awarded something stays."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        _remove_quote(connection, found, quote_id)
    return json_response(RemovedQuote(id=quote_id))


def _change_quote(
    connection: Connection,
    organisation_id: str,
    requirement: Requirement,
    quote_id: str,
    change: SourcingQuoteChange,
) -> SourcingQuote:
    """Store what the change names and return the quote. Raises ApiProblem 400, which names each place, 404,
    and 409 where the quote was awarded something, is being read, or could not be read."""
    found = _find_changeable(connection, requirement, quote_id)
    if found.status in ("reading", "failed"):
        why = "is still being read." if found.status == "reading" else "could not be read: remove the quote."
        raise ApiProblem(409, f"The document of this quote {why}")
    _require_known_lines(found, change.lines or ())
    changed = _apply(found, change)
    if found.scope_id is not None:
        quoted = load_scope(connection, organisation_id, found.scope_id)
        before, after = (warn_of_quote(quoted, requirement.term_months, one) for one in (found, changed))
        kept = [one for one in changed.warnings if one not in before]
        changed = changed.model_copy(update={"warnings": [*kept, *after]})
    if change.lines or changed.currency_stated != found.currency_stated:
        changed = review_quote(changed)
    update_quote(connection, changed)
    return changed


def _remove_quote(connection: Connection, requirement: Requirement, quote_id: str) -> None:
    """Delete a quote; the scope that it was taken from stays. Raises ApiProblem 404, and 409 where the quote
    was awarded something."""
    found = _find_changeable(connection, requirement, quote_id)
    forget_alignment(connection, [found.id])
    delete_quote(connection, found.id)


def _find_changeable(connection: Connection, requirement: Requirement, quote_id: str) -> SourcingQuote:
    found = next((one for one in list_quotes(connection, requirement.id) if one.id == quote_id), None)
    if found is None:
        raise not_found("quote")
    require_not_awarded(requirement, found)
    return found


def _require_known_lines(found: SourcingQuote, lines: Any) -> None:
    known = {line.id for line in found.lines}
    times = Counter(line.id for line in lines)
    wrong = [
        InvalidField(
            f"/lines/{place}/id",
            "The quote has no such line." if line.id not in known else "The line is named twice.",
        )
        for place, line in enumerate(lines)
        if line.id not in known or times[line.id] > 1
    ]
    if wrong:
        raise ApiProblem(400, "The change is not valid.", errors=wrong)


def _apply(found: SourcingQuote, change: SourcingQuoteChange) -> SourcingQuote:
    body, by_id = change.wire(), {line.id: line for line in change.lines or ()}
    record = {**found.wire(), **body}
    record["lines"] = [_merge(line, by_id.get(line["id"])) for line in found.wire()["lines"]]
    if record["supplierName"] != found.supplier_name:
        record.pop("companyId", None)
    if "currency" in body and not found.currency_stated:
        record["currencyStated"] = True
        record["warnings"] = [one for one in record["warnings"] if one != NO_CURRENCY]
    return SourcingQuote.model_validate(record)


def _merge(line: dict[str, Any], change: ChangedQuoteLine | None) -> dict[str, Any]:
    if change is None:
        return line
    return {name: value for name, value in {**line, **change.wire()}.items() if value is not None}
