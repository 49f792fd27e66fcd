"""Make the sample story beside a running service, and remove the sample data."""

from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.session import (
    DEFAULT_ORGANISATION,
    DatabaseUrl,
    DataDir,
    Refused,
    err,
    out,
    read_settings,
    working_context,
)

if TYPE_CHECKING:
    from app.service.context import Context

app = typer.Typer(help="Remove the sample data.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Remove the sample data."""


@app.command("remove")
def remove(
    organisation: Annotated[
        str, typer.Option(help="The organisation whose sample data is removed.")
    ] = DEFAULT_ORGANISATION,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Remove sample scopes, requirements, negotiations, webhooks and files, and the sample suppliers that
    nothing needs."""
    from app.service.access.keys import UnknownOrganisation, find_organisation
    from app.service.http.problems import ApiProblem
    from app.service.sample.removal import remove_sample

    with working_context(read_settings(data_dir, database_url)) as context:
        try:
            with context.database.reading() as connection:
                owner = find_organisation(connection, organisation)
            removed = remove_sample(context, owner)
        except UnknownOrganisation as error:
            raise Refused(str(error)) from None
        except ApiProblem as problem:
            raise Refused(problem.detail) from None
    out.print(
        f"Removed {removed.scopes:,} scopes, {removed.requirements:,} requirements,"
        f" {removed.negotiations:,} negotiations, {removed.webhooks:,} webhooks and {removed.files:,} files;"
        f" {removed.suppliers:,} suppliers, {removed.products:,} products and {removed.purchases:,}"
        " purchases."
    )
    for sentence in removed.kept:
        err.print(f"Kept: {sentence}", markup=False)


def begin_story(context: "Context", service_url: str) -> None:
    """Make the sample story in the background, or complete it; the process may end in the middle."""
    Thread(target=_make_story, args=(context, service_url), name="sample story", daemon=True).start()


def _make_story(context: "Context", service_url: str) -> None:
    from sqlalchemy.exc import SQLAlchemyError

    from app.client import ApiClient
    from app.client.errors import ApiError, Unauthorized
    from app.sample_story.story import StoryTeller, WorkerAbsent
    from app.service.sample import story_state

    try:
        run = story_state.begin_story(context, DEFAULT_ORGANISATION)
        if run is None:
            return
        with ApiClient(service_url, api_key=run.key) as client:
            StoryTeller(client, run.started_at, context.settings.currency).tell()
        story_state.finish_story(context, run)
    except Unauthorized:
        return  # another start has taken over, or the sample data was removed
    except (ApiError, WorkerAbsent, SQLAlchemyError) as error:
        err.print(f"The sample data is not complete; the next start completes it: {error}", markup=False)
