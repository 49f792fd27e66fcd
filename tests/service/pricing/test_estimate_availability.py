"""`isCustomEstimateAvailable` of a product says whether an estimate of it succeeds for the caller."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.service.catalog.estimate_check import request_daily_check, request_estimate_check
from app.service.context import Context
from app.service.database.tables import organisation, product, purchase, task
from app.service.imports.operator_files import import_files
from app.service.pricing import estimate_availability
from app.service.pricing.estimate_availability import update_estimate_availability
from app.service.pricing.relearning import learn_and_store
from app.service.pricing.scope_estimate import PricedScope, estimate_scope
from app.service.scopes.terms import StoredProductTerm
from tests.service.pricing.availability import check_promises, run_requested_checks
from tests.service.pricing.test_own_purchases import HEADER, purchases
from tests.shared_material import shared


def bring_in(context: Context, folder: Path, rows: Sequence[str], organisation: str | None = None) -> None:
    path = folder / "purchases.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n")
    import_files(context, "purchases", [path], organisation=organisation)


@pytest.mark.campaign
def test_each_change_of_the_catalog_is_checked(
    api: Any, stranger: Any, context: Context, tmp_path: Path
) -> None:
    bring_in(context, tmp_path, purchases(4, "City"))
    entry = {"supplier": {"name": "Acme Sisters"}, "product": {"name": "Chair for two"}, "confirmNew": True}
    assert api.post("/v1/catalog/entries", json=entry).status_code == 201
    run_requested_checks(context)
    check_promises(api, every=False)
    bring_in(context, tmp_path, purchases(4, "County"))
    run_requested_checks(context)
    check_promises(stranger, every=True)
    check_promises(api)

    euros = [row.replace("USD", "EUR").replace("Chair", "Sofa") for row in purchases(6, "")]
    bring_in(context, tmp_path, [row.replace("Acme", "Zeta").replace("C-10010", "S-20020") for row in euros])
    run_requested_checks(context)
    assert 0 < len(check_promises(stranger)) < 2
    rates = tmp_path / "rates.csv"
    rates.write_text("Date,USD\n2026-03-01,1.5\n")
    import_files(context, "rates", [rates])
    run_requested_checks(context)
    check_promises(stranger, every=True)


def test_what_an_organisation_deletes_is_promised_no_longer(
    api: Any, context: Context, tmp_path: Path
) -> None:
    bring_in(context, tmp_path, purchases(2, "City"))
    bring_in(context, tmp_path, purchases(1, "Me"), "Acme")
    run_requested_checks(context)
    check_promises(api, every=True)
    with context.database.writing() as connection:
        owner = connection.scalar(sa.select(organisation.c.id).where(organisation.c.name == "Acme"))
        connection.execute(purchase.delete().where(purchase.c.organisation_id == owner))
        request_estimate_check(connection, owner, context.clock())
    run_requested_checks(context)
    check_promises(api, every=False)


def test_of_many_products_those_with_the_fewest_purchases_are_checked_again(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    often = [*purchases(4, "City"), *purchases(4, "County")]
    seldom = [row.replace("Chair,C-10010", "Sofa,S-20020") for row in often[1:7]]
    bring_in(context, tmp_path, [*often, *seldom])
    run_requested_checks(context)
    with context.database.writing() as connection:
        connection.execute(purchase.delete())
    monkeypatch.setattr(estimate_availability, "MAX_RECHECKED", 1)
    assert update_estimate_availability(context, recheck_available=True) == 1
    with context.database.reading() as connection:
        left = connection.scalars(sa.select(product.c.name).where(product.c.estimate_available)).all()
    assert left == ["Chair"]


def test_what_cannot_be_estimated_is_checked_again_each_day(context: Context, tmp_path: Path) -> None:
    request_daily_check(context)
    with context.database.reading() as connection:
        assert connection.scalars(sa.select(task.c.kind)).all() == []
    bring_in(context, tmp_path, purchases(1, "City"))
    with context.database.writing() as connection:
        connection.execute(sa.delete(task))
    request_daily_check(context)
    run_requested_checks(context)


@pytest.mark.campaign
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("folder", ["wvu-purchase-orders", "gsa-os2", "gsa-it-labor-rates", "usaid-scms"])
def test_products_of_real_purchases_are_promised_what_they_are_estimated(
    api: Any, stranger: Any, context: Context, tmp_path: Path, folder: str
) -> None:
    header, *rows = gzip.decompress(shared(f"data/{folder}/purchases.csv.gz").read_bytes()).splitlines()
    for number, owner in enumerate((None, "Acme")):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(b"\n".join([header, *rows[number::2]]))
        import_files(context, "purchases", [path], organisation=owner)
        run_requested_checks(context)
    check_promises(api)
    check_promises(stranger)
    learn_and_store(context)
    update_estimate_availability(context, recheck_available=True)
    check_promises(api)
    check_promises(stranger)


def test_what_was_just_checked_is_not_checked_again(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_in(context, tmp_path, [*purchases(4, "City"), *purchases(4, "County")])
    estimated: list[str] = []

    def estimate(*arguments: Any, product_terms: Sequence[StoredProductTerm], **options: Any) -> PricedScope:
        estimated.extend(term.product_id for term in product_terms)
        return estimate_scope(*arguments, product_terms=product_terms, **options)

    monkeypatch.setattr(estimate_availability, "estimate_scope", estimate)
    assert update_estimate_availability(context, recheck_available=True) == len(estimated) > 0
    assert update_estimate_availability(context, recheck_available=True) == 0
    assert len(estimated) == 2 * len(set(estimated))
