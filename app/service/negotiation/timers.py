"""Fires what has become due: rows with a time, so they survive a restart and cost nothing until then."""

import logging

from sqlalchemy import Connection

from app.service.context import Context
from app.service.negotiation import questions, states, store, summaries
from app.service.negotiation.case import Case, opened
from app.service.negotiation.jobs import PLAN, plan_again
from app.service.negotiation.letters import write_to_supplier
from app.settings import Settings

logger = logging.getLogger("parley.negotiation")

TOGETHER = 50
"""Timers fired in one transaction: a commit costs more than a timer."""


def fire_due(context: Context) -> int:
    """Fires the timers whose time has come; returns how many. Any number of workers may call it."""
    fired = 0
    while True:
        with context.database.reading() as connection:
            ids = [row.id for row in store.due_timers(connection, context.clock(), TOGETHER)]
        if not ids:
            return fired
        try:
            just_fired = _fire(context, ids)
        except Exception:  # one that cannot be fired must not hold up the rest
            logger.exception("timers failed together; firing them one by one")
            just_fired = sum(_fire_alone(context, timer_id) for timer_id in ids)
        fired += just_fired
        if not just_fired:
            return fired


def _fire_alone(context: Context, timer_id: str) -> int:
    try:
        return _fire(context, [timer_id])
    except Exception:
        logger.exception("timer %s failed", timer_id)
        return 0


def _fire(context: Context, timer_ids: list[str]) -> int:
    now = context.clock()
    fired = 0
    with context.database.writing() as connection:
        for row in store.take_timers(connection, timer_ids, now):
            days = context.settings.supplier_silence_days
            with opened(connection, row.negotiation_id, now, days) as case:
                if case is not None and case.status not in states.FINAL:
                    _fire_one(connection, context.settings, case, row.kind, row.content.get("offer"))
            fired += 1
    return fired


def _fire_one(
    connection: Connection, settings: Settings, case: Case, kind: str, offer_id: str | None
) -> None:
    if kind == PLAN:
        if case.status == "planning":
            plan_again(connection, case)
    elif kind == "supplier_silent":
        if not any(row.reason == "supplier_silent" for row in case.open_escalations()):
            case.ask(questions.silent(settings.supplier_silence_days))
            case.summarise(summaries.silent())
            write_to_supplier(case, settings, "reminder")
    elif case.offers and case.offers[-1].entry_id == offer_id:
        offer = case.offers[-1]
        case.ask(questions.expiring(offer), offer)
        case.summarise(summaries.expiring(offer))
