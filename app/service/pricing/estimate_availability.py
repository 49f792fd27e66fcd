"""Which products can be estimated: the estimator's own answer for each product, stored with it.

A record's `isCustomEstimateAvailable` is what `scope_estimate.estimate_scope` answers for one unit of the
product, with its default dimensions, in the deployment's currency. It is computed in the background, never
when a record is read: 4 to 6 ms of the processor for each product.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from operator import attrgetter

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.catalog import CheckboxField, FormField, NumberField
from app.service.background.subprocess_job import run_with_own_context
from app.service.catalog.denormalise import rebuild_records
from app.service.catalog.estimate_check import ALL_PRODUCTS
from app.service.context import Context
from app.service.database.dialect import lock_imports, upsert
from app.service.database.rows import batched
from app.service.database.tables import organisation_view, product, purchase
from app.service.database.visibility import EVERYBODY, Columns, as_seen_by, owned_by, shared
from app.service.pricing.catalog_product import CatalogProduct, load_products
from app.service.pricing.estimator.distribution import PriceDistribution
from app.service.pricing.scope_estimate import estimate_scope
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, TermDimension

COMPANY_BATCH = 20
PRODUCT_BATCH = 200
"""Products that are estimated in one step: those of a supplier share what is read of it."""
MAX_RECHECKED = 5_000
"""Products that could be estimated and are checked again at a time: those with the fewest purchases, where
one of them, or another weight of their words, decides. All of a large catalog would take hours."""
MAX_IN_PROCESS = 100
"""Products that a worker checks beside its other work, in half a second of the processor."""
DEFAULT_SCOPE_TERMS = (StoredScopeTerm(months=12, purchase_type="new_purchase"),)


def check_estimates(context: Context, subject_id: str) -> None:
    """The task `CHECK_TASK`. To start a process takes as long as 300 products: few are checked here."""
    owner = None if subject_id == ALL_PRODUCTS else subject_id
    if sum(check.count_due() for check in _list_checks(context, owner)) <= MAX_IN_PROCESS:
        update_estimate_availability(context, owner)
    else:
        run_with_own_context(context, update_estimate_availability, owner)


def update_estimate_availability(
    context: Context, owner: str | None = None, *, recheck_available: bool = False
) -> int:
    """Check the products that cannot be estimated so far, as the owner sees them; without one, as everybody
    sees them and then as each organisation with purchases or products of its own does. More purchases
    hardly ever make an estimate impossible, but a new calibration may: after one, `recheck_available` checks
    the others too, as far as `MAX_RECHECKED`. What the owner has of its own is always checked again, because
    it can undo its imports. Returns the number of products that changed."""
    return sum(check.run() for check in _list_checks(context, owner, recheck_available=recheck_available))


def _list_checks(
    context: Context, owner: str | None, *, recheck_available: bool = False
) -> "Sequence[_Check]":
    if owner is not None:
        return [_Check(context, owner, recheck_available=True)]
    with context.database.reading() as connection:
        owners = connection.scalars(_OWNERS).all()
    return [_Check(context, viewer, recheck_available) for viewer in (None, *owners)]


_OWNERS = sa.union(
    *(sa.select(table.c.organisation_id).where(~shared(table.c)) for table in (purchase, product))
)


def default_term(sold: CatalogProduct) -> StoredProductTerm:
    """One unit of the product with the default of each required dimension, else its lowest value."""
    return StoredProductTerm(
        product_id=sold.id,
        dimensions=[
            TermDimension(one.id, _default_value(one.form_field))
            for one in sold.dimensions
            if one.form_field.required or one.id == sold.quantity_dimension_id
        ],
    )


def _default_value(field: FormField) -> Decimal | str:
    if isinstance(field, NumberField):
        return Decimal(str(field.default_value or max(field.min or 0, 1)))
    if isinstance(field, CheckboxField):
        return Decimal(1 if field.default_value else 0)
    return field.default_value or field.options[0].value


_Row = sa.Row[str, str, str | None, bool]
"""Of a product: its id, company and organisation, and whether it could be estimated so far."""


@dataclass(frozen=True)
class _Check:
    """The check of the products that a viewer sees; of those that everybody sees where it is None."""

    context: Context
    viewer: str | None
    recheck_available: bool

    def run(self) -> int:
        # Loaded first: what is found to be available below needs no second look.
        again = self._load_available() if self.recheck_available else ()
        unavailable = self._seen.estimate_available.is_(sa.false())
        with self.context.database.reading() as connection:
            company_ids = connection.scalars(
                sa.select(self._seen.company_id).where(unavailable).distinct().order_by(self._seen.company_id)
            ).all()
        changed = 0
        for few in batched(company_ids, COMPANY_BATCH):
            changed += self._check(self._load(self._seen.company_id.in_(few), unavailable))
        again = sorted(again, key=attrgetter("company_id", "id"))
        return changed + sum(self._check(few) for few in batched(again, PRODUCT_BATCH))

    def count_due(self) -> int:
        seen = self._seen
        due = seen.estimate_available.is_(sa.false())
        if self.recheck_available:
            due = sa.or_(due, self._may_differ)
        with self.context.database.reading() as connection:
            return connection.scalar(sa.select(sa.func.count(seen.id)).where(due)) or 0

    @cached_property
    def _seen(self) -> Columns:
        return as_seen_by(product, self.viewer).c

    @property
    def _may_differ(self) -> sa.ColumnElement[bool]:
        """What everybody can estimate, the viewer can as well: it sees more purchases."""
        view = organisation_view.c
        differing = sa.select(view.record_id).where(owned_by(view, self.viewer))
        return sa.or_(owned_by(self._seen, self.viewer), self._seen.id.in_(differing))

    def _load_available(self) -> Sequence[_Row]:
        fewest = self._select().where(self._seen.estimate_available, self._may_differ)
        with self.context.database.reading() as connection:
            return connection.execute(
                fewest.order_by(self._seen.purchase_count, self._seen.id).limit(MAX_RECHECKED)
            ).all()

    def _load(self, *conditions: sa.ColumnElement[bool]) -> Sequence[_Row]:
        rows = self._select().where(*conditions).order_by(self._seen.company_id, self._seen.id)
        with self.context.database.reading() as connection:
            return connection.execute(rows).all()

    def _select(self) -> sa.Select[str, str, str | None, bool]:
        seen = self._seen
        return sa.select(seen.id, seen.company_id, seen.organisation_id, seen.estimate_available)

    def _check(self, rows: Sequence[_Row]) -> int:
        with self.context.database.reading() as connection:
            available = set(self._find_available(connection, [row.id for row in rows]))
        changed = [row for row in rows if row.estimate_available != (row.id in available)]
        if not changed:
            return 0
        with self.context.database.writing() as connection:
            lock_imports(connection)
            for value in (True, False):
                of_value = [row for row in changed if (row.id in available) == value]
                own = [one.id for one in of_value if one.organisation_id == self.viewer]
                if own:
                    update = product.update().where(product.c.id.in_(own))
                    connection.execute(update.values(estimate_available=value))
                views = [one.id for one in of_value if one.organisation_id != self.viewer]
                if views:
                    self._write_views(connection, views, value)
            changed_companies = {row.company_id for row in changed}
            now = self.context.clock()
            rebuild_records(connection, changed_companies, now, self.viewer)
        return len(changed)

    def _write_views(self, connection: Connection, product_ids: Collection[str], value: bool) -> None:
        key = {"organisation_id": self.viewer, "estimate_available": value}
        upsert(connection, organisation_view, [{**key, "record_id": one} for one in product_ids])

    def _find_available(self, connection: Connection, product_ids: Sequence[str]) -> Iterator[str]:
        for few in batched(product_ids, PRODUCT_BATCH):
            products = load_products(connection, few, self.viewer or EVERYBODY)
            scope = estimate_scope(
                connection,
                organisation_id=self.viewer or EVERYBODY,
                scope_terms=DEFAULT_SCOPE_TERMS,
                product_terms=[default_term(products[key]) for key in few],
                currency=self.context.settings.currency,
                today=self.context.clock().date(),
            )
            for part in scope.products:
                if isinstance(part.price, PriceDistribution):
                    yield part.product.id
