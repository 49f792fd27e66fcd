"""What a worker does for each kind of task. The modules that do it are imported by the first task of their
kind: a worker that only delivers stays small."""

from app.service.background.task_runner import Handler, Handlers
from app.service.background.task_turns import FETCHING, IMPORTING, LEARNING
from app.service.context import Context


def _fetch(context: Context, scope_id: str) -> None:
    from app.service.scopes import jobs

    jobs.fetch_document(context, scope_id)


def _extract(context: Context, scope_id: str) -> None:
    from app.service.scopes import jobs

    jobs.extract_document(context, scope_id)


def _fail_extraction(context: Context, scope_id: str, reason: str) -> None:
    from app.service.scopes import jobs

    jobs.fail_extraction(context, scope_id, reason)


def _plan(context: Context, negotiation_id: str) -> None:
    from app.service.negotiation import jobs

    jobs.plan_negotiation(context, negotiation_id)


def _fail_planning(context: Context, negotiation_id: str, reason: str) -> None:
    from app.service.negotiation import jobs

    jobs.abandon_planning(context, negotiation_id, reason)


def _recalculate(context: Context, negotiation_id: str) -> None:
    from app.service.negotiation import jobs

    jobs.recalculate_strategy(context, negotiation_id)


def _read_attachment(context: Context, attachment_id: str) -> None:
    from app.service.negotiation import jobs

    jobs.read_attachment(context, attachment_id)


def _fail_reading(context: Context, attachment_id: str, reason: str) -> None:
    from app.service.negotiation import jobs

    jobs.abandon_reading(context, attachment_id, reason)


def _keep_purchase(context: Context, negotiation_id: str) -> None:
    from app.service.negotiation import jobs

    jobs.save_agreed_purchase(context, negotiation_id)


def _fail_purchase(context: Context, negotiation_id: str, reason: str) -> None:
    from app.service.negotiation import jobs

    jobs.abandon_agreed_purchase(context, negotiation_id, reason)


def _learn_from_agreements(context: Context, organisation_id: str) -> None:
    from app.service.agreements.learning.reconciling import learn_from_agreements

    learn_from_agreements(context, organisation_id)


def _check_import(context: Context, import_id: str) -> None:
    from app.service.imports import jobs

    jobs.check_import(context, import_id)


def _run_import(context: Context, import_id: str) -> None:
    from app.service.imports import jobs

    jobs.run_import(context, import_id)


def _fail_import(context: Context, import_id: str, reason: str) -> None:
    from app.service.imports.store import fail_import

    fail_import(context, import_id, reason)


def _undo_import(context: Context, import_id: str) -> None:
    from app.service.imports import jobs

    jobs.undo_import(context, import_id)


def _learn(context: Context, subject_id: str) -> None:
    from app.service.agreements.market.jobs import request_outdated
    from app.service.pricing.relearning import learn_from_purchases

    learn_from_purchases(context, subject_id)
    request_outdated(context)


def _check_estimates(context: Context, subject_id: str) -> None:
    from app.service.pricing.estimate_availability import check_estimates

    check_estimates(context, subject_id)


def _price_agreements(context: Context, organisation_id: str) -> None:
    from app.service.agreements.market.jobs import price_outdated

    price_outdated(context, organisation_id)


def _solve_scenario(context: Context, scenario_id: str) -> None:
    from app.service.sourcing.jobs import solve_in_background

    solve_in_background(context, scenario_id)


def _give_up_solving(context: Context, scenario_id: str, reason: str) -> None:
    from app.service.sourcing.jobs import give_up_solving

    give_up_solving(context, scenario_id, reason)


def _read_quote(context: Context, scope_id: str) -> None:
    from app.service.sourcing.document_quotes import read_quote

    read_quote(context, scope_id)


def _give_up_quote(context: Context, scope_id: str, reason: str) -> None:
    from app.service.sourcing.document_quotes import give_up_reading

    give_up_reading(context, scope_id, reason)


def _delete_file(context: Context, file_id: str) -> None:
    context.files.delete(file_id)


HANDLERS: Handlers = {
    "fetch_document": Handler(_fetch, _fail_extraction, queue=FETCHING),
    "extract": Handler(_extract, _fail_extraction),
    "plan": Handler(_plan, _fail_planning),
    "recalculate": Handler(_recalculate),
    "read_attachment": Handler(_read_attachment, _fail_reading),
    "agreed_purchase": Handler(_keep_purchase, _fail_purchase),
    "agreement_purchases": Handler(_learn_from_agreements, awaited=False),
    "check_import": Handler(_check_import, _fail_import, queue=IMPORTING),
    "import": Handler(_run_import, _fail_import, queue=IMPORTING),
    "undo_import": Handler(_undo_import, queue=IMPORTING),
    "solve_scenario": Handler(_solve_scenario, _give_up_solving),
    "read_quote": Handler(_read_quote, _give_up_quote),
    "delete_file": Handler(_delete_file, awaited=False),
    "learn": Handler(_learn, awaited=False, queue=LEARNING),
    "price_agreements": Handler(_price_agreements, awaited=False, queue=LEARNING),
    "check_estimates": Handler(_check_estimates, awaited=False, queue=LEARNING),
}
