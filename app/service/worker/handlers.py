"""What a worker does for each kind of task. The modules that do it are imported by the first task of their
kind: a worker that only delivers stays small."""

from functools import partial

from app.service.background.task_runner import Handler, Handlers
from app.service.background.task_turns import FETCHING, IMPORTING, LEARNING
from app.service.context import Context

# A module has no type with a name: that of each is inferred, so that its functions are checked.


def _scopes():  # pyrefly: ignore[unannotated-return]
    from app.service.scopes import jobs

    return jobs


def _negotiation():  # pyrefly: ignore[unannotated-return]
    from app.service.negotiation import jobs

    return jobs


def _import(context: Context, import_id: str, task: str) -> None:
    from app.service.imports.jobs import do_import_task

    do_import_task(context, import_id, task)


def _scenarios():  # pyrefly: ignore[unannotated-return]
    from app.service.sourcing import jobs

    return jobs


def _quotes():  # pyrefly: ignore[unannotated-return]
    from app.service.sourcing import document_quotes

    return document_quotes


def _fail_import(context: Context, import_id: str, reason: str) -> None:
    from app.service.imports.store import fail_import

    fail_import(context, import_id, reason)


def _learn_from_agreements(context: Context, organisation_id: str) -> None:
    from app.service.agreements.learning.reconciling import learn_from_agreements

    learn_from_agreements(context, organisation_id)


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


HANDLERS: Handlers = {
    "fetch_document": Handler(
        lambda context, key: _scopes().fetch_document(context, key),
        lambda context, key, reason: _scopes().fail_extraction(context, key, reason),
        queue=FETCHING,
    ),
    "extract": Handler(
        lambda context, key: _scopes().extract_document(context, key),
        lambda context, key, reason: _scopes().fail_extraction(context, key, reason),
    ),
    "plan": Handler(
        lambda context, key: _negotiation().plan_negotiation(context, key),
        lambda context, key, reason: _negotiation().abandon_planning(context, key, reason),
    ),
    "recalculate": Handler(lambda context, key: _negotiation().recalculate_strategy(context, key)),
    "read_attachment": Handler(
        lambda context, key: _negotiation().read_attachment(context, key),
        lambda context, key, reason: _negotiation().abandon_reading(context, key, reason),
    ),
    "agreed_purchase": Handler(
        lambda context, key: _negotiation().save_agreed_purchase(context, key),
        lambda context, key, reason: _negotiation().abandon_agreed_purchase(context, key, reason),
    ),
    "agreement_purchases": Handler(_learn_from_agreements, awaited=False),
    "check_import": Handler(partial(_import, task="check_import"), _fail_import, queue=IMPORTING),
    "import": Handler(partial(_import, task="import"), _fail_import, queue=IMPORTING),
    "undo_import": Handler(partial(_import, task="undo_import"), queue=IMPORTING),
    "solve_scenario": Handler(
        lambda context, key: _scenarios().solve_in_background(context, key),
        lambda context, key, reason: _scenarios().give_up_solving(context, key, reason),
    ),
    "read_quote": Handler(
        lambda context, key: _quotes().read_quote(context, key),
        lambda context, key, reason: _quotes().give_up_reading(context, key, reason),
    ),
    "delete_file": Handler(lambda context, key: context.files.delete(key), awaited=False),
    "learn": Handler(_learn, awaited=False, queue=LEARNING),
    "price_agreements": Handler(_price_agreements, awaited=False, queue=LEARNING),
    "check_estimates": Handler(_check_estimates, awaited=False, queue=LEARNING),
}
