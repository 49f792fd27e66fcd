"""Agreements written as a table and read again: equal in everything that the table carries."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.contract.agreements import Agreement, LinePricePer, NewAgreement
from app.service.agreements.checks import check_agreement
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.files.agreement_row import AgreementRow
from app.service.agreements.files.row_reader import read_agreement_rows
from app.service.agreements.files.table import HEADINGS, make_agreement_rows
from app.service.agreements.stored_agreement import build_identity_key
from app.service.table_files.exports import recognise_export, resolve_columns
from app.service.table_files.options import FileOptions
from app.service.table_files.writing import write_csv, write_workbook
from app.service.tables.reading import list_rows, open_table
from app.service.tables.table import RejectedRow

NOW = datetime(2026, 7, 15, tzinfo=UTC)
DAYS = WorkingDays()
NOT_CARRIED = ("companyId", "scopeId", "fileId", "previousAgreementId")
"""Fields of an agreement that its row does not have; nor does a line's have `productId`."""
TEXTS = (
    st.text(
        st.one_of(st.characters(categories=("L", "N", "P", "S")), st.sampled_from(" |\\'=+-@\",;\n")),
        max_size=12,
    )
    .map(str.strip)
    .filter(bool)
)
AMOUNTS = st.one_of(
    st.integers(0, 10**9).map(Decimal), *(st.decimals(0, 10**6, places=places) for places in (1, 2, 3, 4))
)
DATES = st.dates(date(2015, 1, 1), date(2035, 12, 31))
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "reference": TEXTS,
    "supplierName": TEXTS,
    "owners": st.lists(
        st.fixed_dictionaries(
            {"name": TEXTS}, optional={"email": st.sampled_from(["bea@acme.example", "-x@acme.example"])}
        ),
        max_size=3,
    ),
    "currency": st.sampled_from(["USD", "EUR", "JPY"]),
    "termStart": DATES,
    "termEnd": DATES,
    "renewalType": st.sampled_from(["none", "auto_renew", "evergreen", "option"]),
    "autoRenewalTermMonths": st.integers(1, 60),
    "maxRenewals": st.integers(0, 9),
    "maxExtentDate": DATES,
    "noticePeriod": st.fixed_dictionaries(
        {"value": st.integers(0, 100), "unit": st.sampled_from(["day", "month", "business_day"])}
    ),
    "noticeTo": st.sampled_from(["sent", "received"]),
    "deliveryBufferDays": st.integers(0, 30),
    "noticeGivenOn": DATES,
    "uplift": st.fixed_dictionaries(
        {"kind": st.sampled_from(["fixed", "cap", "index"])},
        optional={
            "percent": st.decimals(0, 100, places=2),
            "index": TEXTS,
            "basis": st.sampled_from(["year", "term"]),
            "compounding": st.booleans(),
        },
    ),
    "totalValue": AMOUNTS,
    "oneTimeValue": AMOUNTS,
    "committedSpend": AMOUNTS,
    "paymentTermsDays": st.integers(0, 120),
    "billingFrequency": st.sampled_from(["monthly", "quarterly", "semiannual", "annual", "upfront", "once"]),
    "costCenter": TEXTS,
    "tags": st.lists(TEXTS, max_size=3),
    "lines": st.lists(
        st.fixed_dictionaries(
            {"description": TEXTS},
            optional={
                "quantity": AMOUNTS,
                "unit": TEXTS,
                "unitPrice": AMOUNTS,
                "pricePer": st.sampled_from(get_args(LinePricePer)),
                "amount": AMOUNTS,
                "recurring": st.booleans(),
                "firstMonth": st.integers(0, 11),
                "months": st.integers(1, 12),
            },
        ),
        max_size=4,
    ),
}


def _make_possible(stated: dict[str, Any]) -> NewAgreement:
    """Leave out what cannot be."""
    while wrong := check_agreement(agreed := NewAgreement.model_validate(stated), DAYS):
        del stated[wrong[0].pointer.split("/")[1]]
    return agreed


AGREEMENTS = st.lists(
    st.fixed_dictionaries({"name": TEXTS}, optional=FIELDS).map(_make_possible),
    min_size=1,
    max_size=5,
    unique_by=build_identity_key,
)


def make_record(agreed: NewAgreement) -> Agreement:
    return Agreement(
        **{name: getattr(agreed, name) for name in NewAgreement.model_fields},
        id="01890000-0000-7000-8000-000000000000",
        status="active",
        stage="not_started",
        statement="=A statement",
        missing=["owners"],
        created_at=NOW,
        updated_at=NOW,
    )


def list_carried(agreed: NewAgreement) -> dict[str, Any]:
    """What the table has of an agreement."""
    wire = agreed.wire()
    for line in wire.get("lines", ()):
        line.pop("productId", None)
    return {name: value for name, value in wire.items() if name not in NOT_CARRIED and value != []}


def read_back(content: bytes) -> Sequence[AgreementRow | RejectedRow]:
    rows = list(list_rows(open_table(BytesIO(content))))
    [header, *_] = rows
    assert not isinstance(header, RejectedRow)
    names = [str(name) for name in header[1]]
    export = recognise_export(names)
    assert export is not None
    assert export.name == "parley_agreements"
    mapping, ignore = resolve_columns(names, "agreements", {}, ())
    return list(read_agreement_rows(iter(rows), DAYS, FileOptions(mapping, ignore)))


def require_equal(agreements: Sequence[NewAgreement], read: Sequence[AgreementRow | RejectedRow]) -> None:
    assert [row for row in read if isinstance(row, RejectedRow) or row.doubts] == []
    assert [list_carried(row.agreed) for row in read if isinstance(row, AgreementRow)] == [
        list_carried(agreed) for agreed in agreements
    ]


def write_table(agreements: Sequence[NewAgreement]) -> Any:
    yield HEADINGS
    for agreed in agreements:
        yield from make_agreement_rows(make_record(agreed))


@pytest.mark.campaign
@given(AGREEMENTS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_agreements_come_back_from_csv(agreements: list[NewAgreement]) -> None:
    require_equal(agreements, read_back(b"".join(write_csv(write_table(agreements)))))


@given(AGREEMENTS)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_agreements_come_back_from_a_workbook(agreements: list[NewAgreement]) -> None:
    out = BytesIO()
    write_workbook(out, "Agreements", write_table(agreements), NOW)
    require_equal(agreements, read_back(out.getvalue()))


@pytest.mark.campaign
@given(AGREEMENTS)
@settings(max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_thousands_of_random_agreements_come_back_from_csv(agreements: list[NewAgreement]) -> None:
    require_equal(agreements, read_back(b"".join(write_csv(write_table(agreements)))))


def test_what_the_table_does_not_carry_is_listed() -> None:
    headings = {*HEADINGS, "lines", "uplift"}
    assert set(NewAgreement.model_json_schema()["properties"]) - headings == {*NOT_CARRIED}
