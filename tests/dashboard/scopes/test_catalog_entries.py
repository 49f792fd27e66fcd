"""A line of a quote becomes a catalog entry of its seller."""

import pytest

from app.contract.catalog import EntrySupplier
from app.contract.scope import ProposedDimension, ProposedEntry, ReadSupplier
from app.dashboard.scopes.catalog_additions import get_seller, make_catalog_entry
from tests.components.fixtures import make_id


def test_an_entry_has_the_options_that_were_entered() -> None:
    dimensions = [
        ProposedDimension(name="Edition", option=" Team "),
        ProposedDimension(name="Region", option=" "),
    ]
    proposed = ProposedEntry(name=" Harbour Vault ", unit="seat", dimensions=dimensions)
    entry = make_catalog_entry(EntrySupplier(name="Harbor Software"), proposed)
    assert entry is not None
    assert (entry.product.name, entry.product.unit) == ("Harbour Vault", "seat")
    assert [(one.name, one.options) for one in entry.product.dimensions or ()] == [("Edition", ["Team"])]


@pytest.mark.parametrize(
    ("seller", "name"), [(None, "Harbour Vault"), (EntrySupplier(name="Harbor Software"), " ")]
)
def test_without_a_seller_or_a_name_there_is_no_entry(seller: EntrySupplier | None, name: str) -> None:
    assert make_catalog_entry(seller, ProposedEntry(name=name)) is None


def test_the_seller_is_the_company_on_record_else_a_new_one_of_that_name() -> None:
    known = ReadSupplier(name="Harbor Software Inc.", company_id=make_id(9), company_name="Harbour Software")
    assert get_seller(known) == (EntrySupplier(company_id=make_id(9)), "Harbour Software")
    assert get_seller(ReadSupplier(name="Harbor")) == (EntrySupplier(name="Harbor"), "Harbor")
    assert get_seller(None) == (None, "")
