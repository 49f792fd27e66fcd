"""What sample data an organisation sees, and how it is removed: all of it in one transaction, and nothing
that is real."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.contract.deployment import SampleData, SampleRemoval
from app.service.access.keys import revoke_key
from app.service.background.tasks import enqueue_task
from app.service.catalog.denormalise import rebuild_categories, rebuild_records
from app.service.context import Context
from app.service.database.dialect import lock_imports, upsert
from app.service.database.removal import NAMED_BY, delete_agreements, delete_rows, find_named_ids
from app.service.database.rows import count_rows
from app.service.database.tables import (
    agreement,
    article,
    attachment,
    attempt,
    attribute_column,
    calibration,
    category,
    comment,
    company,
    data_import,
    delivery,
    entry,
    escalation,
    event,
    file,
    idempotent_call,
    inbox_message,
    letter,
    list_price,
    negotiation,
    organisation_view,
    product,
    product_family,
    purchase,
    purchase_with_product,
    quoted_price,
    remembered_alignment,
    requirement,
    sample_story,
    scenario,
    scope,
    scope_document,
    second_opinion,
    sourcing_quote,
    summary,
    task,
    timer,
    webhook,
)
from app.service.database.visibility import decided_for, has_real_data, owned_by, shared
from app.service.http.problems import ApiProblem
from app.service.purchases.product_refresh import delete_purchases
from app.service.sample.suppliers import SAMPLE_MARK
from app.service.scopes.listing import refresh_statuses
from app.service.webhooks.store import delete_webhook

DELETE_FILE = "delete_file"
"""The task that deletes the bytes of a file whose row is gone."""


@dataclass(frozen=True)
class RemovedRecords:
    """How many records were deleted; `kept_scopes` counts those that real negotiations or scopes refer to."""

    scopes: int
    negotiations: int
    webhooks: int
    files: int
    requirements: int
    kept_scopes: int


def remove_records(connection: Connection, organisation_id: str, now: datetime) -> RemovedRecords:
    """Delete the organisation's sample records and what was stored about them, and revoke the key that made
    them."""
    story_key = connection.scalar(
        sa.select(sample_story.c.api_key_id).where(owned_by(sample_story.c, organisation_id))
    )
    if story_key is not None:
        revoke_key(connection, story_key, now)
        connection.execute(idempotent_call.delete().where(idempotent_call.c.api_key_id == story_key))
    delete_agreements(connection, find_marked(connection, agreement, organisation_id))
    requirements = find_marked(connection, requirement, organisation_id)
    _delete_requirements(connection, requirements)
    negotiations = find_marked(connection, negotiation, organisation_id)
    _delete_negotiations(connection, negotiations, organisation_id)
    marked = find_marked(connection, scope, organisation_id)
    kept = _find_needed_scopes(connection, marked, organisation_id)
    scopes = [one for one in marked if one not in kept]
    _delete_scopes(connection, scopes)
    refresh_statuses(connection, kept)
    webhooks = find_marked(connection, webhook, organisation_id)
    for one in webhooks:
        _delete_webhook(connection, one, now)
    _delete_events(connection, organisation_id, {*negotiations, *scopes})
    files = _delete_files(connection, organisation_id, now)
    return RemovedRecords(len(scopes), len(negotiations), len(webhooks), files, len(requirements), len(kept))


def _delete_requirements(connection: Connection, ids: Sequence[str]) -> None:
    scenarios = connection.scalars(sa.select(scenario.c.id).where(scenario.c.requirement_id.in_(ids))).all()
    delete_rows(connection, scenarios, task.c.subject_id)
    quotes = sa.select(sourcing_quote.c.id).where(sourcing_quote.c.requirement_id.in_(ids))
    connection.execute(remembered_alignment.delete().where(remembered_alignment.c.quote_id.in_(quotes)))
    delete_rows(connection, ids, scenario.c.requirement_id, sourcing_quote.c.requirement_id, requirement.c.id)


def _delete_negotiations(connection: Connection, ids: Sequence[str], organisation_id: str) -> None:
    attachments = connection.scalars(sa.select(attachment.c.id).where(attachment.c.negotiation_id.in_(ids)))
    delete_rows(connection, [*ids, *attachments], task.c.subject_id)
    agreed = owned_by(purchase.c, organisation_id), purchase.c.order_id.in_(ids)
    delete_purchases(connection, organisation_id, sa.and_(*agreed))
    parts = (part.c.negotiation_id for part in (entry, summary, escalation, attachment, timer))
    delete_rows(connection, ids, *parts, comment.c.object_id, letter.c.object_id, negotiation.c.id)


def _find_needed_scopes(connection: Connection, marked: Sequence[str], organisation_id: str) -> set[str]:
    """Return those of the scopes that a real scope, negotiation, agreement or quote of a requirement refers
    to, and those that they refer to."""
    real = owned_by(scope.c, organisation_id), scope.c.sample.is_(sa.false())
    needed: set[str] = set()
    for table in (negotiation, agreement):
        named = owned_by(table.c, organisation_id), table.c.scope_id.in_(marked)
        needed.update(connection.scalars(sa.select(table.c.scope_id).where(*named)))
    quoted = sa.select(sourcing_quote.c.scope_id).where(sourcing_quote.c.scope_id.in_(marked))
    needed.update(connection.scalars(quoted))
    references = sa.select(scope.c.previous_scope_id, scope.c.document_scope_id)
    for row in connection.execute(references.where(*real)):
        needed.update(one for one in row if one is not None)
    needed &= set(marked)
    found = needed
    while found:
        rows = connection.execute(references.where(scope.c.id.in_(found)))
        found = {one for row in rows for one in row if one is not None} & set(marked) - needed
        needed |= found
    return needed


def _delete_scopes(connection: Connection, ids: Sequence[str]) -> None:
    parts = (part.c.scope_id for part in (list_price, quoted_price, second_opinion, scope_document))
    delete_rows(connection, ids, task.c.subject_id, comment.c.object_id, letter.c.object_id, *parts)
    connection.execute(scope.update().where(scope.c.id.in_(ids)).values(previous_scope_id=None))
    connection.execute(scope.update().where(scope.c.next_scope_id.in_(ids)).values(next_scope_id=None))
    delete_rows(connection, ids, scope.c.id)


def _delete_webhook(connection: Connection, webhook_id: str, now: datetime) -> None:
    """Delete a webhook with its deliveries. One that a worker may be sending goes with retention, as those of
    every deleted webhook."""
    delete_webhook(connection, webhook_id, now)
    connection.execute(inbox_message.delete().where(inbox_message.c.webhook_id == webhook_id))
    ended = sa.select(delivery.c.id).where(delivery.c.webhook_id == webhook_id, delivery.c.next_at.is_(None))
    connection.execute(attempt.delete().where(attempt.c.delivery_id.in_(ended)))
    connection.execute(delivery.delete().where(delivery.c.id.in_(ended)))


def _delete_events(connection: Connection, organisation_id: str, subjects: set[str]) -> None:
    """Delete the events about these scopes and negotiations that no webhook has a record of."""
    undelivered = ~sa.exists().where(delivery.c.event_id == event.c.id)
    rows = connection.execute(
        sa.select(event.c.id, event.c.body).where(owned_by(event.c, organisation_id), undelivered)
    )
    delete_rows(connection, [row.id for row in rows if any(one in row.body for one in subjects)], event.c.id)


def _delete_files(connection: Connection, organisation_id: str, now: datetime) -> int:
    """Delete the sample files that nothing refers to; a task deletes their bytes. Returns how many."""
    named = (scope_document.c.file_id, attachment.c.file_id, data_import.c.file_id, agreement.c.file_id)
    ids = list(
        connection.scalars(
            sa.select(file.c.id).where(
                owned_by(file.c, organisation_id),
                file.c.sample.is_(sa.true()),
                *(~sa.exists().where(column == file.c.id) for column in named),
            )
        )
    )
    delete_rows(connection, ids, file.c.id)
    for one in ids:
        enqueue_task(connection, kind=DELETE_FILE, subject_id=one, organisation_id=organisation_id, now=now)
    return len(ids)


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
        catalog = _remove_catalog(connection, now)
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
            f"{len(catalog.kept):,} sample suppliers with their products and purchases ({shown}):"
            f" {NAMED_BY} refer to them."
        )
    return SampleRemoval.build_from(
        records,
        suppliers=catalog.suppliers,
        products=catalog.products,
        purchases=catalog.purchases,
        kept=kept,
    )


@dataclass(frozen=True)
class _RemovedCatalog:
    """How many suppliers, products and purchases were deleted, and the names of the suppliers that stay."""

    suppliers: int
    products: int
    purchases: int
    kept: list[str]


def _remove_catalog(connection: Connection, now: datetime) -> _RemovedCatalog:
    """Delete the sample suppliers that no record names, whoever's it is."""
    names = {
        row.id: row.name
        for row in connection.execute(
            sa.select(company.c.id, company.c.name).where(company.c.sample.is_(sa.true()))
        )
    }
    kept = _find_named_suppliers(connection) & names.keys()
    gone = sorted(names.keys() - kept)
    products = list(connection.scalars(sa.select(product.c.id).where(product.c.company_id.in_(gone))))
    families = sa.select(product_family.c.id).where(product_family.c.company_id.in_(gone))
    views = [*gone, *products, *connection.scalars(families)]
    sold = sa.select(article.c.id).where(article.c.product_id.in_(products))
    purchases = connection.execute(purchase.delete().where(purchase.c.article_id.in_(sold))).rowcount
    delete_rows(connection, views, organisation_view.c.record_id)
    delete_rows(connection, products, article.c.product_id)
    delete_rows(connection, gone, product.c.company_id, product_family.c.company_id, company.c.id)
    _unlink_competitors(connection, {*gone, *products})
    _delete_categories(connection)
    if kept:
        rebuild_records(connection, kept, now)
    else:
        connection.execute(calibration.delete().where(calibration.c.sample.is_(sa.true())))
    if connection.scalar(sa.select(purchase.c.id).where(shared(purchase.c)).limit(1)) is None:
        # The next import of everybody's decides anew what its columns become.
        connection.execute(attribute_column.delete().where(decided_for(attribute_column.c, None)))
    rebuild_categories(connection, now)
    return _RemovedCatalog(len(gone), len(products), purchases, sorted(names[one] for one in kept))


def _find_named_suppliers(connection: Connection) -> set[str]:
    """Return the suppliers that a scope, negotiation, agreement, requirement, quote or quoted price names, by
    themselves or by a product, and those with an entry or a purchase of an organisation's own."""
    sample = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
    found: set[str] = set()
    bought = sa.select(product.c.company_id).select_from(purchase_with_product).where(~shared(purchase.c))
    owned = [sa.select(table.c.company_id).where(~shared(table.c)) for table in (product, product_family)]
    for own in (bought, *owned):
        found.update(connection.scalars(own.where(own.selected_columns.company_id.in_(sample)).distinct()))
    named = find_named_ids(connection)
    supplier_of = {
        row.id: row.company_id
        for row in connection.execute(
            sa.select(product.c.id, product.c.company_id).where(product.c.company_id.in_(sample))
        )
    }
    return found | named | {supplier_of[one] for one in named & supplier_of.keys()}


def _unlink_competitors(connection: Connection, gone: Collection[str]) -> None:
    """Remove deleted entries from the competitors of the sample suppliers and products that stay."""
    sample = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
    for table, owner in ((product, product.c.company_id), (company, company.c.id)):
        for row in connection.execute(sa.select(table.c.id, table.c.details).where(owner.in_(sample))).all():
            named: list[str] = row.details.get("competitorIds", [])
            if not set(named).isdisjoint(gone):
                left = [one for one in named if one not in gone]
                details = {**row.details, "competitorIds": left}
                connection.execute(table.update().where(table.c.id == row.id).values(details=details))


def _delete_categories(connection: Connection) -> None:
    """Delete the sample's categories that nothing is in, those of the lower level first."""
    lower = category.alias()
    for _ in range(2):
        empty = sa.select(category.c.id).where(
            category.c.description.endswith(SAMPLE_MARK, autoescape=True),
            ~sa.exists().where(company.c.category_id == category.c.id),
            ~sa.exists().where(lower.c.parent_id == category.c.id),
        )
        ids = list(connection.scalars(empty))
        delete_rows(connection, ids, organisation_view.c.record_id, category.c.id)


def load_sample_data(connection: Connection, organisation_id: str) -> SampleData:
    """Count the sample suppliers with their purchases, and find the organisation's own sample records."""
    invented = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
    of_invented = product.c.company_id.in_(invented)
    sold = sa.select(purchase.c.id).select_from(purchase_with_product).where(of_invented)
    suppliers, purchases = (count_rows(connection, some.subquery()) for some in (invented, sold))
    return SampleData(
        counted=not connection.scalar(sa.select(has_real_data(organisation_id))),
        suppliers=suppliers,
        purchases=purchases,
        scope_ids=find_marked(connection, scope, organisation_id),
        negotiation_ids=find_marked(connection, negotiation, organisation_id),
        webhook_ids=find_marked(connection, webhook, organisation_id),
        requirement_ids=find_marked(connection, requirement, organisation_id),
        agreement_ids=find_marked(connection, agreement, organisation_id),
    )


def find_marked(connection: Connection, table: Table, organisation_id: str) -> list[str]:
    """Return the ids of the organisation's sample records, the oldest first."""
    conditions = [owned_by(table.c, organisation_id), table.c.sample.is_(sa.true())]
    if table is webhook:
        conditions.append(webhook.c.deleted_at.is_(None))
    return list(connection.scalars(sa.select(table.c.id).where(*conditions).order_by(table.c.id)))
