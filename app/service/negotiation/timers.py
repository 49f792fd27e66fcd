"""Fires the timers that are due. They are rows, so they survive a restart and cost nothing until they are
due."""

import logging
from collections.abc import Sequence

from app.contract.negotiation import FINAL_STATUSES
from app.service.access.audit import QUOTE_EXPIRING, SUPPLIER_SILENT
from app.service.context import Context
from app.service.negotiation import store
from app.service.negotiation.jobs import PLAN
from app.service.negotiation.mail import queue_mail
from app.service.negotiation.rows import TimerRow
from app.service.negotiation.session import escalation_drafts, executive_summaries
from app.service.negotiation.session.negotiation_session import NegotiationSession, open_sessions
from app.settings import Settings

logger = logging.getLogger("parley.negotiation")

BATCH_SIZE = 100
"""Timers fired in one transaction: they share its commit and most of its statements."""


def fire_due_timers(context: Context) -> int:
    """Fire the due timers, each tried once; return how many were fired. Any number of workers may call it."""
    fired = 0
    last: TimerRow | None = None
    while True:
        with context.database.reading() as connection:
            due = store.load_due_timers(connection, context.clock(), BATCH_SIZE, last)
        if not due:
            return fired
        last = due[-1]
        try:
            fired += _fire_batch(context, due)
        except Exception:  # one that cannot be fired must not hold up the rest
            logger.exception("timers failed together; firing them one by one")
            fired += sum(_fire_alone(context, one) for one in due)


def _fire_alone(context: Context, due: TimerRow) -> int:
    try:
        return _fire_batch(context, [due])
    except Exception:
        logger.exception("timer %s failed", due.id)
        return 0


def _fire_batch(context: Context, due: Sequence[TimerRow]) -> int:
    now = context.clock()
    negotiation_ids = {row.negotiation_id for row in due}
    with (
        context.database.writing() as connection,
        open_sessions(context, connection, negotiation_ids, now) as sessions,
    ):
        taken = store.take_timers(connection, [row.id for row in due], now)
        for row in taken:
            session = sessions[row.negotiation_id]
            if session.status not in FINAL_STATUSES:
                _fire_timer(context.settings, session, row.kind, row.content.get("offer"))
    return len(taken)


def _fire_timer(settings: Settings, session: NegotiationSession, kind: str, offer_id: str | None) -> None:
    if kind == PLAN:
        if session.status == "planning":
            session.enqueue_task(PLAN)  # it waited for its scope
    elif kind == "supplier_silent":
        if not any(row.reason == "supplier_silent" for row in session.load_open_escalations()):
            is_unsent = any(one.status != "sent" for one in store.load_mails(session.connection, session.id))
            told = "The letter to them was not sent yet." if is_unsent else "A reminder is written."
            told = told if session.is_led_by_service else ""
            session.escalate(escalation_drafts.draft_silent_supplier(settings.supplier_silence_days, told))
            session.add_summary(executive_summaries.summarise_silent_supplier(told))
            session.record_outcome(SUPPLIER_SILENT)
            if not is_unsent:
                queue_mail(session, settings, "reminder")
    elif session.offers and session.offers[-1].entry_id == offer_id:
        offer = session.offers[-1]
        if session.escalate(escalation_drafts.draft_expiring_quote(offer), offer):
            session.record_outcome(QUOTE_EXPIRING)
        session.add_summary(executive_summaries.summarise_expiring_quote(offer))
