"""Checks that work gets done, and that what is set up beside the database can be reached."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import aiosmtplib
import sqlalchemy as sa

from app.service.background.mail_queue import InvalidMailServer, parse_mail_server
from app.service.context import Context
from app.service.database.paging import count_rows
from app.service.database.tables import organisation, worker
from app.service.doctor.finding import Finding, fail, ok, warn
from app.service.openid.requests import ProviderUnavailable
from app.service.operation.queue_figures import load_queue_figures

SILENT = timedelta(seconds=30)
"""Living workers say so every second."""
LATE_SECONDS = 600
MAIL_SECONDS = 5.0


def check_queues(context: Context) -> Iterator[Finding]:
    context.synchronise_clock()
    now = context.clock()
    with context.database.reading() as connection:
        figures = load_queue_figures(connection, now)
        living = count_rows(connection, worker, worker.c.seen_at > now - SILENT)
    due = sum(depth for (_, state), depth in figures.depths.items() if state == "due")
    dead = sum(figures.workers.values()) - living
    if not living and due:
        yield fail("workers", f"No worker runs, and {due:,} things are due.", "Start `parley work`.")
    elif not living:
        yield warn("workers", "No worker runs.", "Start `parley work`, or `parley up`.")
    else:
        yield ok("workers", f"{living} run.")
    if dead > 0 and living:
        yield warn(
            "workers", f"{dead} ended without a word.", "Another one takes over within seconds; look again."
        )
    unknown = figures.depths.get(("tasks", "unknown"), 0)
    if unknown and living:
        yield fail(
            "queue",
            f"{unknown:,} tasks are of a kind that no running worker knows.",
            "Start a worker of the newest version that was used.",
        )
    if figures.oldest_due_seconds > LATE_SECONDS:
        yield (warn if living else fail)(
            "queue",
            f"A delivery is due for {figures.oldest_due_seconds / 60:,.0f} minutes.",
            "See that workers run and are not overloaded; the Webhooks page shows which webhook is slow.",
        )
    else:
        yield ok("queue", f"{due:,} things are due, none of the deliveries for long.")


def check_mail(context: Context) -> Iterator[Finding]:
    if context.settings.smtp_url is None:
        yield ok("mail", "No mail server is set up: letters wait as drafts.")
        return
    try:
        server = parse_mail_server(context.settings.smtp_url.get_secret_value())
        asyncio.run(_greet(server.host, server.port, server.user, server.password, tls=server.tls))
    except InvalidMailServer as error:
        yield fail(
            "mail", f"PARLEY_SMTP_URL is wrong: {error}.", "Write it as smtp://user:password@host:port."
        )
    except (aiosmtplib.SMTPException, OSError) as error:
        yield fail(
            "mail",
            f"The mail server does not take us: {type(error).__name__}: {error}.",
            "See that PARLEY_SMTP_URL is right and the server can be reached from here.",
        )
    else:
        yield ok("mail", f"The mail server {server.host} answers.")


async def _greet(host: str, port: int, user: str | None, password: str | None, *, tls: bool) -> None:
    client = aiosmtplib.SMTP(
        hostname=host, port=port, username=user, password=password, use_tls=tls, timeout=MAIL_SECONDS
    )
    async with client:
        await client.noop()


def check_provider(context: Context) -> Iterator[Finding]:
    if context.provider is None:
        return
    try:
        context.provider.endpoints()
        keys = context.provider.count_keys()
    except ProviderUnavailable as error:
        yield fail(
            "identity provider",
            f"{context.settings.oidc_issuer} cannot be used: {error}",
            "See that PARLEY_OIDC_ISSUER is its own address and can be reached from here.",
        )
        return
    if keys:
        yield ok("identity provider", f"{context.settings.oidc_issuer} answers, with {keys} keys.")
    else:
        yield fail(
            "identity provider",
            f"{context.settings.oidc_issuer} lists no key that its tokens could be signed with.",
            "Let it sign with RS256, ES256 or another algorithm with a public key.",
        )


def check_roles(context: Context) -> Iterator[Finding]:
    """Say who would be let in nowhere, or into an organisation that nobody knows."""
    if context.provider is None:
        return
    named = {entry.organisation for entry in context.settings.group_roles}
    if not named:
        yield warn(
            "roles", "People may sign in, and nobody is let in.", "Say in PARLEY_OIDC_ROLES which groups are."
        )
        return
    with context.database.reading() as connection:
        known = connection.scalars(sa.select(organisation.c.name).where(organisation.c.name.in_(named)))
        missing = sorted(named.difference(known))
    if missing:
        yield warn(
            "roles",
            f"PARLEY_OIDC_ROLES names organisations that are not there: {', '.join(missing)}.",
            "The first who signs in there makes an empty one; see that it is the name of your data's.",
        )
    else:
        yield ok("roles", f"Groups are let into {', '.join(sorted(named))}.")
