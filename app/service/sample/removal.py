"""Remove the sample data of an organisation: all of it in one transaction, and nothing that is real."""

from datetime import timedelta

import sqlalchemy as sa

from app.contract.sample import SampleRemoval
from app.service.context import Context
from app.service.database.dialect import lock_imports, upsert
from app.service.database.tables.sample import sample_story
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem
from app.service.sample.catalog_removal import remove_catalog
from app.service.sample.record_removal import remove_records

BEING_MADE_TIME = timedelta(minutes=1)
MAX_NAMES = 3
"""Names that a sentence about several suppliers gives."""


def remove_sample(context: Context, organisation_id: str) -> SampleRemoval:
    """Remove the organisation's sample records, and the sample suppliers that no record of anybody names;
    none of it comes back at the next start. Raises ApiProblem 409 while it is being made."""
    now = context.clock()
    with context.database.writing() as connection:
        lock_imports(connection)
        story = connection.execute(
            sa.select(sample_story).where(owned_by(sample_story.c, organisation_id))
        ).first()
        if story is not None and story.status == "started" and now - story.resumed_at < BEING_MADE_TIME:
            raise ApiProblem(
                409,
                "The sample data is still being made. Try again in a minute.",
                headers={"Retry-After": "60"},
            )
        records = remove_records(connection, organisation_id, now)
        catalog = remove_catalog(connection, now)
        row = {"organisation_id": organisation_id, "status": "removed"}
        upsert(connection, sample_story, [row])
    kept: list[str] = []
    if records.kept_scopes:
        kept.append(
            f"{records.kept_scopes:,} sample scopes: negotiations or scopes of your own refer to them."
        )
    if catalog.kept:
        shown = ", ".join(catalog.kept[:MAX_NAMES]) + (", …" if len(catalog.kept) > MAX_NAMES else "")
        kept.append(
            f"{len(catalog.kept):,} sample suppliers with their products and purchases ({shown}): scopes or"
            " negotiations refer to them."
        )
    return SampleRemoval(
        scopes=records.scopes,
        negotiations=records.negotiations,
        webhooks=records.webhooks,
        files=records.files,
        suppliers=catalog.suppliers,
        products=catalog.products,
        purchases=catalog.purchases,
        kept=kept,
        requirements=records.requirements,
    )
