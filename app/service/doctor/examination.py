"""All checks of a deployment, none of which changes anything."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from app.service.context import Context
from app.service.doctor import row_checks, store_checks, work_checks
from app.service.doctor.finding import Finding, Level, fail

Check = Callable[[Context], Iterable[Finding]]


def examine(context: Context, *, deep: bool) -> Iterator[Finding]:
    """Yield what each check found. One that cannot be made fails, and the others go on; without a database of
    a known revision most of them cannot."""
    yield from row_checks.check_room(context)
    yield from work_checks.check_mail(context)
    yield from work_checks.check_provider(context)
    schema = list(_run(store_checks.check_revision, context))
    yield from schema
    if any(finding.level is Level.FAIL for finding in schema):
        return
    checks: tuple[Check, ...] = (
        store_checks.check_audit_log,
        store_checks.check_settings,
        partial(store_checks.check_chain, deep=deep),
        store_checks.check_encryption,
        store_checks.check_clock,
        partial(store_checks.check_integrity, deep=deep),
        row_checks.check_secrets,
        partial(row_checks.check_files, deep=deep),
        work_checks.check_roles,
        work_checks.check_queues,
    )
    for check in checks:
        yield from _run(check, context)


def _run(check: Check, context: Context) -> Iterator[Finding]:
    try:
        yield from check(context)
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        yield fail(
            "database",
            f"The database cannot be used: {reason}.",
            "See that it runs and DATABASE_URL is right.",
        )
