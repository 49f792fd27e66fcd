"""What every worker does again and again. Two workers may do the same at once. The modules are imported when
there is something to do: a worker that only delivers stays small."""

import sqlalchemy as sa

from app.service.background.periodic import PeriodicJob
from app.service.background.retention import delete_old
from app.service.context import CLOCK_SECONDS, Context
from app.service.database.tables.negotiation import timer

TIMERS_SECONDS = 1.0
MAIL_SECONDS = 1.0
RETENTION_SECONDS = 3600.0
CATALOG_SECONDS = 3600.0
AGREEMENTS_SECONDS = 3600.0
ESTIMATES_SECONDS = 86_400.0


def list_periodic_jobs(context: Context) -> list[PeriodicJob]:
    return [
        PeriodicJob("clock", CLOCK_SECONDS, context.synchronise_clock),
        PeriodicJob("timers", TIMERS_SECONDS, lambda: _fire_timers(context)),
        PeriodicJob("mail", MAIL_SECONDS, lambda: _send_mail(context)),
        PeriodicJob("alert mail", MAIL_SECONDS, lambda: _send_alert_mail(context)),
        PeriodicJob("retention", RETENTION_SECONDS, lambda: _delete_old(context)),
        PeriodicJob("catalog", CATALOG_SECONDS, lambda: _count_recent_purchases(context)),
        PeriodicJob("agreements", AGREEMENTS_SECONDS, lambda: _watch_agreements(context)),
        PeriodicJob("estimates", ESTIMATES_SECONDS, lambda: _request_estimate_check(context)),
    ]


def _delete_old(context: Context) -> None:
    from app.service.imports.retention import forget_old_imports

    delete_old(context)
    forget_old_imports(context)


def _fire_timers(context: Context) -> None:
    with context.database.reading() as connection:
        due = sa.select(timer.c.id).where(timer.c.due_at <= context.clock()).limit(1)
        if connection.scalar(due) is None:
            return
    from app.service.negotiation.timers import fire_due_timers

    fire_due_timers(context)


def _send_mail(context: Context) -> None:
    if context.settings.smtp_url is None:
        return
    from app.service.negotiation.mail.mail_sender import send_due_mail

    send_due_mail(context)


def _send_alert_mail(context: Context) -> None:
    if context.settings.smtp_url is None:
        return
    from app.service.agreements.alert_mail import send_due_alert_mail

    send_due_alert_mail(context)


def _request_estimate_check(context: Context) -> None:
    """Purchases count in estimates from the day after their own."""
    from app.service.catalog.estimate_check import request_daily_check

    request_daily_check(context)


def _watch_agreements(context: Context) -> None:
    from app.service.agreements.alerts import send_due_alerts
    from app.service.agreements.market.jobs import request_outdated
    from app.service.agreements.stored_positions import refresh_positions

    refresh_positions(context)
    request_outdated(context)
    send_due_alerts(context)


def _count_recent_purchases(context: Context) -> None:
    from app.service.catalog.denormalise import update_purchase_counts

    update_purchase_counts(context)
