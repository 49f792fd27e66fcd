"""Contracts without a number and a name of their own: each row is one."""

import pytest

from app.contract.agreements import NewAgreement
from app.service.agreements.stored_agreement import build_identity_key, is_unnamed


def agreement(**stated: object) -> NewAgreement:
    return NewAgreement.model_validate({"name": "Acme SAS", "supplierName": "ACME S.A.S.", **stated})


@pytest.mark.parametrize(
    ("stated", "unnamed"),
    [
        ({}, True),
        ({"totalValue": 5}, True),
        ({"name": "Milk"}, False),
        ({"reference": "C-1"}, False),
        ({"supplierName": None}, False),
    ],
)
def test_what_is_called_by_its_supplier_alone_is_unnamed(stated: dict[str, object], unnamed: bool) -> None:
    assert is_unnamed(agreement(**stated)) is unnamed


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"totalValue": 5}, {"totalValue": 6}, False),
        ({"totalValue": 5}, {"totalValue": 5}, True),
        ({"totalValue": 5}, {"totalValue": 5, "name": "ACME SAS", "supplierName": "Acme SAS"}, True),
        ({"totalValue": 5}, {"totalValue": 5, "termStart": "2026-01-01"}, False),
        ({"name": "Milk", "totalValue": 5}, {"name": "milk", "totalValue": 6}, True),
        ({"reference": "C-1", "totalValue": 5}, {"reference": "c-1", "totalValue": 6}, True),
    ],
)
def test_unnamed_contracts_are_the_same_where_they_say_the_same(
    one: dict[str, object], other: dict[str, object], same: bool
) -> None:
    assert (build_identity_key(agreement(**one)) == build_identity_key(agreement(**other))) is same
