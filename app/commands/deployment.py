"""Run a deployment or one of its processes, and bring its database up to date."""

import sys
from contextlib import closing
from enum import StrEnum
from typing import Annotated, Any

import typer

from app.commands.sample import begin_story
from app.commands.session import (
    DEFAULT_ORGANISATION,
    DatabaseUrl,
    DataDir,
    Host,
    Refused,
    err,
    out,
    read_settings,
    require_free,
    require_secret_key,
    working_context,
)
from app.settings import Settings

LINK_KEY = "dashboard link of parley up"
LOOPBACK = "127.0.0.0/8,::1/128"


class DeploymentPart(StrEnum):
    """What the hosts of a deployment have in common beside the database."""

    SECRET_KEY = "secret-key"  # noqa: S105 (a name of what is secret)
    FILES_FOLDER = "files-folder"


def up(
    data_dir: DataDir = None,
    port: Annotated[int, typer.Option(help="The service's port.")] = 8000,
    dashboard_port: Annotated[int, typer.Option(help="The dashboard's port.")] = 8501,
    host: Host = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the link and open no browser.")
    ] = False,
    empty: Annotated[bool, typer.Option("--empty", help="Start without sample data.")] = False,
) -> None:
    """Start service, worker and dashboard together; `parley` alone does the same."""
    from app.service.access.keys import create_key, revoke_key, revoke_keys_named
    from app.service.vault import kept_key
    from app.supervisor import Supervisor, open_browser

    for one in (port, dashboard_port):
        require_free(host, one)
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 (compared, not listened on)
    settings = _with_defaults(
        read_settings(data_dir),
        public_url=f"http://{shown}:{port}",
        dashboard_url=f"http://{shown}:{dashboard_port}",
        webhook_allow=LOOPBACK,
        inbox=True,
    )
    with working_context(settings, upgrade=True) as context:
        if not empty:
            from app.service.sample.seeding import ensure_sample

            with err.status("Making sample data …"):
                ensure_sample(context)
        with context.database.writing() as connection:
            revoke_keys_named(connection, LINK_KEY, context.clock())
            key_id, key = create_key(
                connection,
                name=LINK_KEY,
                organisation_name=DEFAULT_ORGANISATION,
                role="owner",
                now=context.clock(),
            )

        # All three seal with one key: on PostgreSQL they would not start without being told which.
        shared = _with_defaults(settings, secret_key=kept_key(settings.data_dir))

        def ready(link: str) -> None:
            out.print(f"Service    {settings.public_url}/v1/openapi")
            out.print(f"Dashboard  {link}  (signs you in once)")
            out.print(f"Agents     {settings.public_url}/mcp")
            out.print(f"Data       {settings.data_dir}")
            out.print("Ctrl-C stops all.")
            sys.stdout.flush()
            if not no_browser:
                open_browser(link)
            if not empty:
                begin_story(context, f"http://{shown}:{port}")

        try:
            Supervisor(shared, host=host, port=port, dashboard_port=dashboard_port, key=key).run(ready)
        finally:
            with context.database.writing() as connection:
                revoke_key(connection, key_id, context.clock())


def serve(
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    port: Annotated[int, typer.Option()] = 8000,
    host: Host = "127.0.0.1",
) -> None:
    """Run the service alone."""
    from app.agents.door import agent_routes
    from app.service.http.middleware import BODY_LIMIT
    from app.service.main import serve_service

    settings = read_settings(data_dir, database_url)
    require_free(host, port)
    _prepare(settings)
    serve_service(settings, host, port, agent_routes(settings, BODY_LIMIT.set))


def work(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Run a worker alone, which reads documents, plans negotiations and delivers events."""
    from app.service.worker.worker import run_worker

    settings = read_settings(data_dir, database_url)
    _prepare(settings)
    run_worker(settings)


def dashboard(
    data_dir: DataDir = None,
    port: Annotated[int, typer.Option()] = 8501,
    host: Host = "127.0.0.1",
) -> None:
    """Run the dashboard alone, on the deployments that PARLEY_DEPLOYMENTS names."""
    from app.dashboard.server.serving import serve_dashboard

    settings = read_settings(data_dir)
    require_secret_key(settings)
    require_free(host, port)
    serve_dashboard(host, port, settings)


def migrate(
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    accept: Annotated[
        list[DeploymentPart] | None,
        typer.Option(help="Take this host's secret key or place for files for the deployment's from now on."),
    ] = None,
) -> None:
    """Bring the database up to date with this version."""
    from app.service.context import open_context
    from app.service.database.schema import migrate as bring_up
    from app.service.database.serving_role import NoSuchRole, grant_to_serving_role
    from app.service.former_records import describe_former_records
    from app.service.start_checks import require_same_deployment, require_whole_restore

    with closing(open_context(read_settings(data_dir, database_url))) as context:
        require_whole_restore(context)
        bring_up(context.database)
        describe_former_records(context.database)
        try:
            grant_to_serving_role(context.database, context.settings.serving_role)
        except NoSuchRole as fault:
            raise Refused(str(fault)) from None
        require_same_deployment(context, [part.value for part in accept or ()])
    out.print("The database is at the newest revision.")


def _with_defaults(settings: Settings, **defaults: Any) -> Settings:
    """The settings, with these values for what neither the environment nor an option sets."""
    stated = {name: getattr(settings, name) for name in settings.model_fields_set}
    return read_settings(**{**defaults, **stated})


def _prepare(settings: Settings) -> None:
    """What a process does before it serves or works: it checks key, private address, database and files."""
    from app.service.process import log_as_json

    require_secret_key(settings)
    if settings.log_format == "json":
        log_as_json()
    if settings.metrics_address is not None:
        host, _, port = settings.metrics_address.rpartition(":")
        require_free(host.strip("[]"), int(port))
    with working_context(settings) as context:
        context.files.probe()
