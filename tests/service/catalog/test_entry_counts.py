"""The numbers that lists tell are those of their rows, whoever asks and whatever was written."""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.contract.page import PageRequest
from app.service.access.keys import find_organisation
from app.service.catalog import store
from app.service.catalog.entries import company_row, product_row
from app.service.catalog.rows import CompanyRow, ProductRow, quantity_dimension
from app.service.context import Context
from app.service.database.rows import sum_up_counts
from app.service.database.tables import company, entry_count, product
from app.service.database.visibility import visible_to
from app.service.ids import new_id
from app.service.imports.operator_files import import_files
from tests.service.conftest import key_for
from tests.service.imports.import_driver import ImportDriver

pytestmark = pytest.mark.both_stores

NOW = datetime(2026, 11, 20, tzinfo=UTC)
CATALOG = b"company,products\nAcme,Pages|Sites\nBolt,Chairs\n"

Owner = str | None


def make_product(seller: CompanyRow, owner: Owner) -> ProductRow:
    dimensions = [quantity_dimension(new_id(), None)]
    return product_row(
        new_id(),
        seller,
        "Seat",
        NOW,
        sort_order=0,
        dimensions=dimensions,
        details={},
        quantity_dimension_id="",
        organisation_id=owner,
    )


def find_wrong(
    context: Context, viewers: list[Owner], writers: Sequence["Writers"]
) -> list[tuple[str, Owner, int, int]]:
    """Return each list whose number is not that of its rows: which, who sees it, and both numbers."""
    wrong: list[tuple[str, Owner, int, int]] = []
    with context.database.reading() as connection:

        def compare(what: str, viewer: Owner, told: int, rows: sa.Table, *conditions: Any) -> None:
            query = sa.select(sa.func.count(rows.c.id)).where(visible_to(rows.c, viewer), *conditions)
            counted = connection.scalar(query) or 0
            if told != counted:
                wrong.append((what, viewer, told, counted))

        for viewer in viewers:
            far = PageRequest(limit=1, offset=1_000)
            compare("", viewer, store.list_companies(connection, viewer, {}, far).total, company)
            for seller in [row["id"] for one in writers for row in one.sellers]:
                told = store.list_products(connection, viewer, seller, {}, far).total
                compare(seller, viewer, told, product, product.c.company_id == seller)
    return wrong


class Writers:
    """Adds, moves, shares and deletes some rows at random, several in a statement."""

    def __init__(self, context: Context, owners: list[Owner], seed: int) -> None:
        self._context, self._owners, self._dice = context, owners, random.Random(seed)
        self._mine: list[ProductRow] = []
        self.sellers = [
            company_row(
                new_id(), f"Seller {seed} {n}", NOW, organisation_id=owners[n % len(owners)], details={}
            )
            for n in range(3)
        ]
        with context.database.writing() as connection:
            connection.execute(company.insert(), self.sellers)

    def step(self, kind: str) -> None:
        with self._context.database.writing() as connection:
            match kind:
                case "add":
                    rows = [
                        make_product(self._dice.choice(self.sellers), self._dice.choice(self._owners))
                        for _ in range(self._dice.randint(1, 4))
                    ]
                    connection.execute(sa.insert(product).values([*rows]))
                    self._mine += rows
                case "move":
                    values = {
                        "company_id": self._dice.choice(self.sellers)["id"],
                        "organisation_id": self._dice.choice(self._owners),
                    }
                    connection.execute(self._chosen(product.update()).values(values))
                case "delete":
                    connection.execute(self._chosen(product.delete()))
                case "fail":
                    nested = connection.begin_nested()
                    connection.execute(sa.insert(product).values(make_product(self.sellers[0], None)))
                    nested.rollback()
                case "own":
                    owner = self._dice.choice(self._owners)
                    chosen = company.c.id == self._dice.choice(self.sellers)["id"]
                    connection.execute(company.update().where(chosen).values(organisation_id=owner))
                case _:
                    seller = company_row(new_id(), "Bare", NOW, details={})
                    connection.execute(sa.insert(company).values(seller))
                    if kind == "close":
                        connection.execute(company.delete().where(company.c.id == seller["id"]))
        if kind == "sum up":
            sum_up_counts(self._context.database)

    def _chosen(self, change: Any) -> Any:
        few = self._dice.sample(self._mine, min(3, len(self._mine)))
        return change.where(product.c.id.in_([row["id"] for row in few]))


STEPS = ("add", "add", "move", "delete", "fail", "own", "open", "close", "sum up")


def make_owners(context: Context) -> list[Owner]:
    for name in ("Acme", "Other"):
        key_for(context, name)
    with context.database.reading() as connection:
        return [None, *(find_organisation(connection, name) for name in ("Acme", "Other"))]


@pytest.mark.campaign
def test_numbers_follow_every_write(context: Context) -> None:
    owners = make_owners(context)

    @settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(st.sampled_from(STEPS), min_size=3, max_size=12), st.integers(0, 2**32))
    def write(steps: list[str], seed: int) -> None:
        writers = [Writers(context, owners, seed)]
        for kind in steps:
            writers[0].step(kind)
        assert find_wrong(context, owners, writers) == []

    write()
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count(entry_count.c.id)).where(entry_count.c.number > 1))


@pytest.mark.campaign
def test_numbers_are_right_where_several_write_and_sum_up_at_once(context: Context) -> None:
    owners = make_owners(context)
    writers = [Writers(context, owners, seed) for seed in range(4)]

    def write(one: Writers) -> None:
        for step in range(12):
            one.step(STEPS[step % 2 * 8 if step % 3 else (step // 3) % len(STEPS)])

    with ThreadPoolExecutor(len(writers)) as threads:
        list(threads.map(write, writers))
    assert find_wrong(context, owners, writers) == []
    sum_up_counts(context.database)
    assert find_wrong(context, owners, writers) == []
    with context.database.reading() as connection:
        lists = sa.select(entry_count.c.list_id, entry_count.c.organisation_id)
        rows = connection.execute(lists).all()
    assert len(set(rows)) == len(rows)


@pytest.mark.campaign
def test_an_import_and_its_undoing_are_counted_for_its_owner_alone(
    api: Any, stranger: Any, context: Context, tmp_path: Path
) -> None:
    shared = tmp_path / "catalog.csv"
    shared.write_bytes(CATALOG)
    import_files(context, "catalog", [shared])
    [acme] = api.get("/v1/catalog/companies?name=acme").json()["data"]
    own = ImportDriver(api, context).bring(
        b"company,products\nAcme,Films\nCrux,\n", "own.csv", kind="catalog"
    )

    def read_totals(caller: Any) -> Iterator[int]:
        for path in ("/v1/catalog/companies", f"/v1/catalog/companies/{acme['id']}/products"):
            yield caller.get(f"{path}?limit=1").json()["pagination"]["total"]

    assert (*read_totals(api), *read_totals(stranger)) == (3, 3, 2, 2)
    ImportDriver(api, context).undo(own["id"])
    assert (*read_totals(api), *read_totals(stranger)) == (2, 2, 2, 2)
