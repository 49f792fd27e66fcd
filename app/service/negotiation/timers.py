"""Fires what has become due: rows with a time, so they survive a restart and cost nothing until then."""

import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row

from app.service.context import Context
from app.service.negotiation import store
from app.service.negotiation.jobs import PLAN, plan_again
from app.service.negotiation.mail.outgoing_mail import write_to_supplier
from app.service.negotiation.session import escalation_drafts, executive_summaries, states
from app.service.negotiation.session.negotiation_session import Case, opened_together
from app.settings import Settings

logger = logging.getLogger("parley.negotiation")

TOGETHER = 100
"""Timers fired in one transaction: they share its commit and most of its statements."""


def fire_due(context: Context) -> int:
    """Fires the timers whose time has come, each tried once; returns how many. Any number of workers may
    call it."""
    fired = 0
    last: Row[Any] | None = None
    while True:
        with context.database.reading() as connection:
            due = store.due_timers(connection, context.clock(), TOGETHER, last)
        if not due:
            return fired
        last = due[-1]
        try:
            fired += _fire(context, due)
        except Exception:  # one that cannot be fired must not hold up the rest
            logger.exception("timers failed together; firing them one by one")
            fired += sum(_fire_alone(context, one) for one in due)


def _fire_alone(context: Context, due: Row[Any]) -> int:
    try:
        return _fire(context, [due])
    except Exception:
        logger.exception("timer %s failed", due.id)
        return 0


def _fire(context: Context, due: Sequence[Row[Any]]) -> int:
    now = context.clock()
    days = context.settings.supplier_silence_days
    negotiation_ids = {row.negotiation_id for row in due}
    with (
        context.database.writing() as connection,
        opened_together(connection, negotiation_ids, now, days) as cases,
    ):
        taken = store.take_timers(connection, [row.id for row in due], now)
        for row in taken:
            case = cases[row.negotiation_id]
            if case.status not in states.FINAL:
                _fire_one(connection, context.settings, case, row.kind, row.content.get("offer"))
    return len(taken)


def _fire_one(
    connection: Connection, settings: Settings, case: Case, kind: str, offer_id: str | None
) -> None:
    if kind == PLAN:
        if case.status == "planning":
            plan_again(connection, case)
    elif kind == "supplier_silent":
        if not any(row.reason == "supplier_silent" for row in case.open_escalations()):
            case.ask(escalation_drafts.silent(settings.supplier_silence_days))
            case.summarise(executive_summaries.silent())
            write_to_supplier(case, settings, "reminder")
    elif case.offers and case.offers[-1].entry_id == offer_id:
        offer = case.offers[-1]
        case.ask(escalation_drafts.expiring(offer), offer)
        case.summarise(executive_summaries.expiring(offer))
