"""What workers do again and again. What `of_leader` is one of them does for all, though two may at once for a
moment. The modules are imported when
there is something to do: a worker that only delivers stays small."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa

from app.service.access.audit_chain import Chaining
from app.service.background.retention import delete_old
from app.service.background.tasks import list_kinds_without_worker
from app.service.context import CLOCK_SECONDS, Context
from app.service.database.tables import agreement, data_import, timer

log = logging.getLogger("parley.worker")

LEADER_SECONDS = 1.0
"""How often a worker that does not lead looks whether it does now."""
TIMERS_SECONDS = 1.0
CHAIN_SECONDS = 2.0
MAIL_SECONDS = 1.0
RETENTION_SECONDS = 3600.0
CATALOG_SECONDS = 3600.0
AGREEMENTS_SECONDS = 3600.0
ESTIMATES_SECONDS = 86_400.0
KINDS_SECONDS = 60.0


@dataclass(frozen=True)
class PeriodicJob:
    """`work` blocks; it runs in a thread, never twice at once in a process, and again `seconds` after it
    ended. What one worker is to do for all is `of_leader`."""

    name: str
    seconds: float
    work: Callable[[], object]
    of_leader: bool = False


async def run_periodically(job: PeriodicJob, leads: Callable[[], bool]) -> None:
    """Runs the job until cancelled. A failure is logged, and the job runs again. A worker that begins to lead
    runs the leader's jobs at once, as it cannot know when they ran last."""
    while True:
        if job.of_leader and not leads():
            await asyncio.sleep(LEADER_SECONDS)
            continue
        try:
            await asyncio.to_thread(job.work)
        except Exception as error:
            log.error("The periodic job %s failed: %s", job.name, str(error).partition("\n")[0])
            log.debug("The periodic job %s failed.", job.name, exc_info=True)
        await asyncio.sleep(job.seconds)


def list_periodic_jobs(context: Context) -> list[PeriodicJob]:
    chaining = Chaining()
    jobs = [
        PeriodicJob("clock", CLOCK_SECONDS, context.synchronise_clock),
        PeriodicJob("audit log", CHAIN_SECONDS, lambda: _link_entries(context, chaining), of_leader=True),
        PeriodicJob("timers", TIMERS_SECONDS, lambda: _fire_timers(context)),
        PeriodicJob("retention", RETENTION_SECONDS, lambda: _delete_old(context), of_leader=True),
        PeriodicJob("catalog", CATALOG_SECONDS, lambda: _count_recent_purchases(context), of_leader=True),
        PeriodicJob("agreements", AGREEMENTS_SECONDS, lambda: _watch_agreements(context), of_leader=True),
        PeriodicJob("estimates", ESTIMATES_SECONDS, lambda: _request_estimate_check(context), of_leader=True),
        PeriodicJob("kinds", KINDS_SECONDS, lambda: _tell_of_unknown_tasks(context), of_leader=True),
    ]
    if context.settings.smtp_url is not None:
        jobs += [
            PeriodicJob("mail", MAIL_SECONDS, lambda: _send_mail(context)),
            PeriodicJob("alert mail", MAIL_SECONDS, lambda: _send_alert_mail(context)),
            PeriodicJob("naming mail", MAIL_SECONDS, lambda: _send_naming_mail(context)),
        ]
    return jobs


def _link_entries(context: Context, chaining: Chaining) -> None:
    chaining.link_new_entries(context.database, context.clock())


def _tell_of_unknown_tasks(context: Context) -> None:
    with context.database.reading() as connection:
        kinds = list_kinds_without_worker(connection, context.clock())
    if kinds:
        log.warning(
            "Tasks wait that no worker of the running versions can do: %s. Start a worker of the version that"
            " made them.",
            ", ".join(kinds),
        )


def _exists(context: Context, rows: sa.Select[str]) -> bool:
    with context.database.reading() as connection:
        return connection.scalar(rows.limit(1)) is not None


def _delete_old(context: Context) -> None:
    delete_old(context)
    if not _exists(context, sa.select(data_import.c.id)):
        return
    from app.service.imports.retention import forget_old_imports

    forget_old_imports(context)


def _fire_timers(context: Context) -> None:
    if not _exists(context, sa.select(timer.c.id).where(timer.c.due_at <= context.clock())):
        return
    from app.service.negotiation.timers import fire_due_timers

    fire_due_timers(context)


def _send_mail(context: Context) -> None:
    from app.service.negotiation.mail import send_due_mail

    send_due_mail(context)


def _send_alert_mail(context: Context) -> None:
    from app.service.agreements.alerts import send_due_alert_mail

    send_due_alert_mail(context)


def _send_naming_mail(context: Context) -> None:
    from app.service.comments.naming_mail import send_due_naming_mail

    send_due_naming_mail(context)


def _request_estimate_check(context: Context) -> None:
    """Purchases count in estimates from the day after their own."""
    from app.service.catalog.estimate_check import request_daily_check

    request_daily_check(context)


def _watch_agreements(context: Context) -> None:
    if not _exists(context, sa.select(agreement.c.id)):
        return
    from app.service.agreements.alerts import send_due_alerts
    from app.service.agreements.market.jobs import request_outdated
    from app.service.agreements.stored_positions import refresh_positions

    refresh_positions(context)
    request_outdated(context)
    send_due_alerts(context)


def _count_recent_purchases(context: Context) -> None:
    from app.service.access.quotas import sum_up_written
    from app.service.catalog.purchase_recount import update_purchase_counts
    from app.service.database.rows import sum_up_counts

    update_purchase_counts(context)
    sum_up_counts(context.database)
    sum_up_written(context.database)
