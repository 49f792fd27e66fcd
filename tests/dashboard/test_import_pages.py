"""A file is imported in the browser: uploaded, checked, corrected, confirmed, undone."""

from collections.abc import Callable
from uuid import uuid4

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from app.client import ApiError
from app.contract.imports import Import, ImportColumn, ImportPreview, ImportSheet
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.import_actions import check_answers, make_new_check, plan_sheet
from app.service.context import Context
from app.service.database.tables import task
from app.service.worker.handlers import HANDLERS
from app.settings import Settings
from components.formatting import escape_markdown
from components.imports.file_questions import OTHER_CURRENCY, read_column_choice
from components.imports.import_preview import DIMENSION, LEFT_OUT, READ, list_proposed
from tests.components.imports.fixtures import make_import
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, open_popover, page_text
from tests.dashboard.record_tables import read_column, read_metrics

OpenPage = Callable[..., AppTest]
ORDERS = (
    b"date,vendor,item,price,currency,edition\n2026-01-11,Harbour,Crane,20,USD,gold\n"
    b"soon,Harbour,Crane,20,USD,gold\n"
)
SILENT = (
    b"date,vendor,item,price,status\n2026-01-11,Harbour,Crane,1.500,Parked\n"
    b"2026-01-12,Harbour,Rope,20,Booked\n2026-01-13,Harbour,Hook,30,Parked\n"
)
"""It says neither what a point in its prices is, nor their currency, nor which states purchases have."""
UNKNOWN = b"when,whom,item,price\n2026-01-11,Harbour,Crane,20\n"


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


def work(context: Context) -> None:
    """What a worker does about imports now."""
    of_imports = task.c.kind.in_(("check_import", "import", "undo_import"))
    with context.database.writing() as connection:
        rows = connection.execute(sa.select(task).where(of_imports)).all()
        connection.execute(sa.delete(task).where(of_imports))
    for row in rows:
        HANDLERS[row.kind].run(context, row.subject_id)


def upload(open_page: OpenPage, *contents: bytes) -> AppTest:
    """The page that follows after these files were uploaded."""
    page = open_page("imports")
    page.file_uploader[0].set_value(
        [(f"{at}.csv", each, "text/csv") for at, each in enumerate(contents)]
    ).run()
    [button] = [button for button in page.button if button.label.startswith("Check")]
    return button.click().run()


def press(page: AppTest, label: str) -> AppTest:
    [button] = [button for button in page.button if button.label == label]
    return button.click().run()


def undo(page: AppTest, label: str) -> AppTest:
    open_popover(page, f"withdraw-{page.query_params['id']}")
    return press(page, label)


def choose(page: AppTest, label: str, option: str) -> AppTest:
    [radio] = [radio for radio in page.radio if radio.label == label]
    return radio.set_value(option).run()


@pytest.mark.campaign
def test_what_a_file_does_not_say_is_answered_before_it_is_imported(
    open_page: OpenPage, service: RunningService, deployment: Deployment
) -> None:
    page = upload(open_page, SILENT)
    first = page.query_params["id"]
    work(service.context)
    page = open_page("import_file", id=first)
    assert not [button for button in page.button if button.label.startswith("Import ")]
    page = press(page, "Check with these answers")
    assert page.query_params["id"] == first
    assert page_text(page).count("Choose one.") == 1
    page = choose(choose(page, "Numbers", "comma"), "Currency", OTHER_CURRENCY)
    [parked] = [box for box in page.checkbox if box.label == "Parked"]
    page = parked.check().run()
    [code] = [field for field in page.text_input if field.label == "Code of the currency"]
    page = press(code.set_value("chf").run(), "Check with these answers")
    second = page.query_params["id"]
    work(service.context)
    again = call_service(deployment, "GET", f"/v1/imports/{second}")
    assert (again["numberFormat"], again["currency"], again["states"]) == ("comma", "CHF", {"Parked": True})
    page = open_page("import_file", id=second)
    [first_row, *_] = again["preview"]["sentences"]
    assert "1,500" in first_row
    assert escape_markdown(first_row) in page_text(page)
    page = press(page, "Import 3 rows")
    work(service.context)
    assert "3 rows imported" in page_text(open_page("import_file", id=second))


@pytest.mark.campaign
def test_a_file_is_checked_confirmed_and_undone(
    open_page: OpenPage, service: RunningService, deployment: Deployment
) -> None:
    page = upload(open_page, ORDERS)
    import_id = page.query_params["id"]
    assert "Cancel" in [button.label for button in page.button]
    work(service.context)
    page = open_page("import_file", id=import_id)
    assert list(read_metrics(page).values()) == ["1", "0", "1"]
    assert "1 row will be left out" in page_text(page)
    assert list(page.dataframe[0].value["vendor"]) == ["Harbour", "Harbour"]
    press(page, "Import 1 row")
    work(service.context)
    page = open_page("import_file", id=import_id)
    assert "1 row imported" in page_text(page)
    assert "You can undo this import until" in page_text(page)
    assert len(call_service(deployment, "GET", "/v1/catalog/companies?name=harbour")["data"]) == 1
    undo(page, "Remove its rows")
    work(service.context)
    page = open_page("import_file", id=import_id)
    assert "This import was undone" in page_text(page)
    assert call_service(deployment, "GET", "/v1/catalog/companies?name=harbour")["data"] == []
    page = open_page("imports")
    assert (read_column(page, "File"), read_column(page, "State")) == (["0.csv"], ["undone"])


def test_an_estimate_that_was_read_is_forgotten_when_the_import_behind_it_is_undone(
    open_page: OpenPage, service: RunningService, deployment: Deployment
) -> None:
    page = upload(open_page, ORDERS)
    import_id = page.query_params["id"]
    work(service.context)
    press(open_page("import_file", id=import_id), "Import 1 row")
    work(service.context)
    [company] = call_service(deployment, "GET", "/v1/catalog/companies?name=harbour")["data"]
    [crane] = call_service(deployment, "GET", f"/v1/catalog/companies/{company['id']}/products")["data"]
    scope_id = call_service(
        deployment,
        "POST",
        "/v1/scope",
        {
            "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
            "productTerms": [
                {
                    "productId": crane["id"],
                    "pricingDimensions": [{"id": crane["pricingDimensions"][0]["id"], "value": 1}],
                }
            ],
        },
    )["id"]
    assert queries.load_basic_estimate(deployment, scope_id).currency
    page = undo(open_page("import_file", id=import_id), "Remove its rows")
    work(service.context)
    page.run()
    assert "This import was undone" in page_text(page)
    with pytest.raises(ApiError, match="No estimate"):
        queries.load_basic_estimate(deployment, scope_id)


def test_columns_are_named_and_the_file_is_checked_again(
    open_page: OpenPage, service: RunningService, deployment: Deployment
) -> None:
    page = upload(open_page, UNKNOWN)
    first = page.query_params["id"]
    work(service.context)
    page = open_page("import_file", id=first)
    assert "No column was recognised for **Purchase date**, **Supplier**" in page_text(page)
    page = press(page, "Check again with these columns")
    second = page.query_params["id"]
    assert second != first
    states = {one["id"]: one["status"] for one in call_service(deployment, "GET", "/v1/imports")["data"]}
    assert states == {first: "cancelled", second: "checking"}
    again = call_service(deployment, "GET", f"/v1/imports/{second}")
    assert again["mapping"]["product"] == "item"
    assert "supplier" not in again["mapping"]


def test_suppliers_and_rates_are_imported_and_undone(
    open_page: OpenPage, service: RunningService, deployment: Deployment
) -> None:
    page = upload(open_page, b"name,domain,products\nHarbour,harbour.example,Crane|Rope\nOdd,no domain,\n")
    import_id = page.query_params["id"]
    work(service.context)
    page = open_page("import_file", id=import_id)
    assert list(read_metrics(page).items()) == [
        ("New suppliers", "1"),
        ("Changed suppliers", "0"),
        ("Already on record", "0"),
        ("Refused", "1"),
    ]
    assert "With 2 new products." in page_text(page)
    press(page, "Import 1 row")
    work(service.context)
    page = open_page("import_file", id=import_id)
    assert "New in your catalog: 1 supplier, 2 products." in page_text(page)
    undo(page, "Remove its rows")
    work(service.context)
    assert "3 catalog entries removed" in page_text(open_page("import_file", id=import_id))

    page = upload(open_page, b"date,USD\n2026-03-02,1.25\n2026-03-03,soon\n")
    import_id = page.query_params["id"]
    work(service.context)
    page = open_page("import_file", id=import_id)
    assert list(read_metrics(page).values()) == ["1", "0", "0", "1"]
    assert "One EUR is worth what each rate says" in page_text(page)
    [base] = [field for field in page.text_input if field.label == "Base currency"]
    page = press(base.set_value("gbp").run(), "Check again with these columns")
    again = call_service(deployment, "GET", f"/v1/imports/{page.query_params['id']}")
    assert (again["kind"], again["baseCurrency"]) == ("rates", "GBP")
    work(service.context)
    page = press(open_page("import_file", id=again["id"]), "Import 1 rate")
    work(service.context)
    page = open_page("import_file", id=again["id"])
    assert "1 rate imported" in page_text(page)
    undo(page, "Remove its rates")
    work(service.context)
    assert "Earlier rates count again" in page_text(open_page("import_file", id=again["id"]))


def test_agreements_are_imported_with_their_doubts_and_undone(
    open_page: OpenPage, service: RunningService, deployment: Deployment
) -> None:
    page = upload(
        open_page, b"contract,vendor,end\nMilk,Dairy,03/04/2027\nTea,Dairy,2027-01-31\n,,2027-01-31\n"
    )
    import_id = page.query_params["id"]
    work(service.context)
    page = open_page("import_file", id=import_id)
    assert list(read_metrics(page).items()) == [
        ("New contracts", "2"),
        ("Already on record", "0"),
        ("Refused", "1"),
        ("Doubtful values", "1"),
    ]
    assert "1 value is doubtful" in page_text(page)
    assert not [radio for radio in page.radio if radio.label.startswith("Dates such as")]
    page = press(choose(page, "Dates", "day_first"), "Check with these answers")
    work(service.context)
    page = open_page("import_file", id=page.query_params["id"])
    assert list(read_metrics(page).values())[3] == "0"
    assert [radio for radio in page.radio if radio.label.startswith("Dates such as")]
    page = press(page, "Import 2 contracts")
    work(service.context)
    page = open_page("import_file", id=page.query_params["id"])
    assert "2 contracts imported" in page_text(page)
    ends = [one["termEnd"] for one in call_service(deployment, "GET", "/v1/agreements")["data"]]
    assert sorted(ends) == ["2027-01-31", "2027-04-03"]
    page = undo(page, "Remove its contracts")
    work(service.context)
    assert "2 contracts removed" in page_text(open_page("import_file", id=page.query_params["id"]))
    assert call_service(deployment, "GET", "/v1/agreements")["data"] == []


def test_a_file_is_of_another_kind_than_was_recognised(
    open_page: OpenPage, service: RunningService, deployment: Deployment
) -> None:
    page = upload(open_page, b"colour,size\nred,7\n")
    first = page.query_params["id"]
    work(service.context)
    page = open_page("import_file", id=first)
    assert "Suppliers and products: needs **Supplier name**" in page_text(page)
    kind, _ = page.radio
    page = press(kind.set_value("catalog").run(), "Check the file as suppliers and products")
    second = page.query_params["id"]
    work(service.context)
    again = call_service(deployment, "GET", f"/v1/imports/{second}")
    assert (again["kind"], again["preview"]["missing"]) == ("catalog", ["name"])


def checked_import(**said: object) -> Import:
    columns = [ImportColumn(name=name, use="field") for name in ("Vendor", "Item")]
    preview = ImportPreview(columns=columns, fields=[], missing=[], rows=[])
    return make_import("ready").model_copy(update={"preview": preview, **said})


def test_all_that_was_said_of_a_file_is_said_again_but_for_what_changes() -> None:
    said = {
        "mapping": {"supplier": "Vendor"},
        "ignore": ["Item"],
        "base_currency": "GBP",
        "date_order": "day_first",
        "sheet": "2026",
        "encoding": "cp1250",
        "number_format": "comma",
        "price_per": "month",
        "states": {"Parked": False},
    }
    again = make_new_check(checked_import(**said), {"currency": "EUR", "date_order": None})
    kept = {name: getattr(again, name) for name in said}
    assert kept == {**said, "date_order": None}
    assert (again.currency, again.kind) == ("EUR", "purchases")


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ({"currency": "EUR", "number_format": "point"}, set[str]()),
        ({"currency": "EUR", "states": {"Parked": False}}, set[str]()),
        ({"currency": "EUR", "number_format": None}, {"number_format"}),
        ({"currency": "", "number_format": None}, {"currency", "number_format"}),
        ({"currency": "Eu", "price_per": "month"}, {"currency"}),
    ],
)
def test_answers_are_sent_once_all_are_given(answers: dict[str, object], wrong: set[str]) -> None:
    checked = check_answers(checked_import(), answers)
    assert {*checked.faults} == wrong
    assert (checked.body is None) == bool(wrong)


def test_states_that_were_answered_before_stay_answered() -> None:
    one = checked_import(states={"Parked": False, "Booked": False})
    new = check_answers(one, {"states": {"Waiting": False, "Booked": True}}).body
    assert new is not None
    assert new.states == {"Parked": False, "Booked": True, "Waiting": False}


@pytest.mark.parametrize(
    ("columns", "mapping"),
    [(["Item", "Vendor", "Note"], {"supplier": "Vendor"}), (["Item"], {})],
)
def test_another_sheet_is_read_as_the_first_where_it_has_its_columns(
    columns: list[str], mapping: dict[str, str]
) -> None:
    one = checked_import(mapping={"supplier": "Vendor"}, currency="EUR")
    again = make_new_check(one, plan_sheet(one, ImportSheet(name="2025", rows=1, columns=columns)))
    assert (again.sheet, again.mapping, again.currency) == ("2025", mapping, "EUR")


def test_what_a_person_chooses_becomes_a_mapping() -> None:
    fields = {"Supplier": "supplier", "Product": "product", "Unit": "unit"}
    holds = {"whom": "Supplier", "what": "Product", "colour": DIMENSION, "per": READ, "ref": LEFT_OUT}
    choice = read_column_choice(fields, holds)
    assert choice.mapping == {"supplier": "whom", "product": "what", "unit": ""}
    assert choice.ignore == ["ref"]
    assert read_column_choice(fields, {"a": "Unit", "b": "Unit"}).chosen_twice == ["Unit"]
    assert read_column_choice(fields, {"whom": "Supplier"}, ["unit"]).mapping == {
        "supplier": "whom",
        "product": "",
    }


def test_the_one_column_that_a_missing_field_may_have_is_proposed() -> None:
    offers = {"notes": "product", "shop": "supplier", "store": "supplier", "kind": "category"}
    columns = [ImportColumn(name=name, use="ignored", suggestion=field) for name, field in offers.items()]
    preview = ImportPreview(columns=columns, fields=[], missing=["supplier", "product"], rows=[])
    assert list_proposed(preview) == {"notes": "product"}


def test_several_files_stand_in_the_list(open_page: OpenPage) -> None:
    page = upload(open_page, ORDERS, UNKNOWN)
    assert read_column(page, "State") == ["being checked"] * 2


def test_without_imports_the_page_says_where_to_start(open_page: OpenPage) -> None:
    page = open_page("imports")
    assert "No imports yet" in page_text(page)
    [button] = [button for button in page.button if button.label == "Check the file"]
    assert button.disabled
