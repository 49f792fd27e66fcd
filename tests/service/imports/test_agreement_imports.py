"""Files of agreements over HTTP: what they say beyond doubt is put on record, and taken back unless somebody
has worked on it since."""

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import agreement, imported_row, task
from app.service.imports.agreement_files import AGREEMENTS
from app.service.imports.file_kinds import FILE_KINDS
from tests.service.imports.dry_reading import look_at
from tests.service.imports.import_driver import ImportDriver, load_rows
from tests.service.interleaving import before_write

FILE = b"""Contract number,Contract,Vendor,Start,End,Auto renew,Renewal months,Notice,Value,Currency,Owner
C-1,Analytics,Acme Inc.,01/02/2026,31/01/2027,yes,12,90 days,1200,EUR,Ann
C-2,Storage,Acme,01/03/2026,9999-12-31,no,,,,EUR,
C-1,Analytics,ACME,01/02/2026,31/01/2027,yes,12,90 days,1200,EUR,Ann
C-1,Analytics,Acme,01/02/2026,31/03/2027,yes,12,90 days,1200,EUR,Ann
C-3,Backup,Zenith,2026-02-01,2026-01-01,no,,,,EUR,
C-4,Mail,Zenith,2026-02-01,2026-12-31,no,,,,XXY,
C-5,Phones,Zenith,2026-02-01,2026-02-28,yes,1,3 months,,EUR,
"""


def agreements(imports: ImportDriver) -> list[dict[str, Any]]:
    return sorted(imports.api.get("/v1/agreements").json()["data"], key=lambda one: one.get("reference", ""))


def add_supplier(imports: ImportDriver) -> str:
    made = imports.api.post(
        "/v1/catalog/entries",
        json={"supplier": {"name": "Acme"}, "product": {"name": "Saw", "unit": "piece"}, "confirmNew": True},
    )
    return made.json()["companyId"]


def test_agreements_are_shown_put_on_record_for_their_organisation_and_undone(
    imports: ImportDriver, others: ImportDriver, context: Context
) -> None:
    acme = add_supplier(imports)
    before = load_rows(context, (agreement, imported_row))
    one = imports.check(FILE, "contracts.csv")
    preview = one["preview"]
    assert (one["status"], one["kind"], preview["missing"]) == ("ready", "agreements", [])
    assert "recognisedAs" not in preview
    counts = {name: preview[name] for name in ("total", "new", "repeated", "refused", "doubtful")}
    assert counts == {"total": 7, "new": 2, "repeated": 1, "refused": 4, "doubtful": 1}
    assert len(preview["rows"]) == 5
    [doubt] = preview["doubts"]
    assert (doubt["line"], doubt["column"]) == (3, "End")
    assert "'9999-12-31' says that there is no end" in doubt["reason"]
    reasons = {row["line"]: row["reason"] for row in preview["refusals"]}
    assert "line 2 is the same agreement (C-1 of Acme) with another termEnd" in reasons[5]
    assert "is before the term starts" in reasons[6]
    assert "'XXY' is no currency" in reasons[7]
    assert "is longer than the first term" in reasons[8]
    assert load_rows(context, (agreement, imported_row)) == before
    imports.confirm(one["id"])
    imports.work()
    ended = imports.get(one["id"])
    assert ended["result"] == {"imported": 2, "repeated": 1, "refused": 4}
    first, second = agreements(imports)
    assert (first["reference"], first["supplierName"], first["companyId"]) == ("C-1", "Acme", acme)
    assert (first["termStart"], first["termEnd"], first["noticeDeadline"]) == (
        *("2026-02-01", "2027-01-31"),
        "2026-11-02",
    )
    assert (second["termStart"], second["missing"]) == ("2026-03-01", ["owners", "totalValue", "termEnd"])
    assert agreements(others) == []
    others.delete(one["id"], 404)
    undone = imports.undo(one["id"])
    assert (undone["status"], undone["removal"]) == ("undone", {"rows": 2, "entries": 0, "kept": []})
    assert load_rows(context, (agreement, imported_row)) == before


@pytest.mark.campaign
def test_what_a_person_has_worked_on_stays_and_is_named(imports: ImportDriver, context: Context) -> None:
    lines = [f"N-{at},Contract {at},Acme,2026-01-01,2026-12-31" for at in range(1, 6)]
    one = imports.bring("\n".join(["reference,name,supplier,start,end", *lines]).encode())
    untouched, changed, decided, followed, _ = agreements(imports)
    imports.api.patch(f"/v1/agreements/{changed['id']}", json={"totalValue": 5})
    decision = {"decision": "end", "note": "Too slow."}
    assert imports.api.post(f"/v1/agreements/{decided['id']}/decision", json=decision).status_code == 200
    later = {"name": "Follows", "previousAgreementId": followed["id"]}
    assert imports.api.post("/v1/agreements", json=later).status_code == 201
    removal = imports.undo(one["id"])["removal"]
    assert (removal["rows"], len(removal["kept"])) == (2, 1)
    assert removal["kept"][0].startswith(
        "3 agreements (Contract 2, Contract 3, Contract 4): a person, or what followed, has"
    )
    left = {each["name"] for each in agreements(imports)}
    assert left == {"Follows", "Contract 2", "Contract 3", "Contract 4"}
    kept = imports.api.get(f"/v1/agreements/{decided['id']}").json()
    assert [each["note"] for each in kept["decisions"]] == ["Too slow."]
    assert imports.api.get(f"/v1/agreements/{untouched['id']}").status_code == 404
    assert imports.bring("\n".join(["reference,name,supplier,start,end", *lines]).encode())["result"] == {
        "imported": 2,
        "repeated": 3,
        "refused": 0,
    }


def test_a_file_that_comes_twice_adds_nothing_and_differences_are_refused(imports: ImportDriver) -> None:
    first = imports.bring(b"reference,supplier,end\nR-1,Acme Ltd,2026-12-31\n,Zenith,2026-06-30\n")
    second = imports.bring(b"reference,supplier,end\nr-1,ACME,2026-12-31\n,Zenith,2026-06-30\nR-1,Zenith,\n")
    assert [one["result"]["imported"] for one in (first, second)] == [2, 1]
    assert second["result"]["repeated"] == 2
    imports.api.patch(f"/v1/agreements/{agreements(imports)[1]['id']}", json={"owners": [{"name": "Ann"}]})
    third = imports.check(b"reference,supplier,end,value\nR-1,Acme,2027-12-31,\nR-1,Zenith,,7\n")
    assert (third["preview"]["new"], third["preview"]["refused"]) == (0, 2)
    assert (
        "is on record with another termEnd: change it on its page"
        in third["preview"]["refusals"][0]["reason"]
    )
    removal = imports.undo(first["id"])["removal"]
    assert removal["rows"] == 0
    assert any("another import brought them too" in one for one in removal["kept"])
    assert imports.undo(second["id"])["removal"]["rows"] >= 1
    assert [one.get("reference") for one in agreements(imports)] == ["R-1"], "what a person has changed"


@pytest.mark.campaign
def test_contracts_without_number_and_name_are_each_one(imports: ImportDriver) -> None:
    content = b"Beneficiario,ValorContrato\nA SAS,10\nA SAS,20\nB SAS,10\nA SAS,10\n"
    chosen = {"kind": "agreements", "mapping": {"supplier": "Beneficiario", "total_value": "ValorContrato"}}
    first = imports.bring(content, **chosen)
    assert (first["result"]["imported"], first["result"]["refused"]) == (4, 0)
    again = imports.bring(content + b"A SAS,10\n", **chosen)
    assert (again["result"]["imported"], again["result"]["repeated"]) == (1, 4)


@pytest.mark.campaign
def test_exports_are_taken_without_a_mapping(imports: ImportDriver) -> None:
    licences = imports.check(
        b"Product Title,Total Licenses,Expired Licenses,Assigned licenses,Renewal Date\n"
        b"Microsoft 365 E3,250,0,240,2027-03-01\n"
    )
    assert (licences["kind"], licences["preview"]["recognisedAs"]) == ("agreements", "microsoft_365_licences")
    assert "the current one ends on 28 February 2027" in licences["preview"]["doubts"][0]["reason"]
    focus = imports.check(
        b"ContractCommitmentId,ContractCommitmentDescription,ContractCommitmentCost,ContractId,BillingCurrency,"
        b"ContractCommitmentPeriodStart,ContractCommitmentPeriodEnd\n"
        b"cc-1,Compute commitment,120000.0,c-1,USD,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z\n"
    )
    assert (focus["preview"]["recognisedAs"], focus["preview"]["doubtful"]) == (
        "focus_contract_commitments",
        0,
    )
    bills = imports.check(
        b"*ContactName,EmailAddress,*InvoiceNumber,*InvoiceDate,*Description,*Quantity,*UnitAmount,Currency\n"
        b"Acme,a@acme.example,I-1,2026-03-25,Desk,2,20,EUR\n"
    )
    assert (bills["kind"], bills["preview"]["recognisedAs"]) == ("purchases", "xero_bills")
    uses = {column["name"]: column["use"] for column in bills["preview"]["columns"]}
    assert uses["EmailAddress"] == "ignored", "no pricing dimension is made of it"
    ledger = imports.check(
        b"Northgate Ltd\nGeneral Ledger\n\n"
        b",Date,Transaction Type,Num,Name,Memo/Description,Split,Amount,Balance\n"
        b"Travel\n,01/02/2026,Bill,1,Acme,,Payable,20,20\nTotal for Travel,,,,,,,20,\n"
    )
    assert ledger["status"] == "failed"
    assert "general ledger of QuickBooks: it lists payments" in ledger["error"]
    for one in (licences, focus, bills):
        imports.confirm(one["id"])
    imports.work()
    made = {one["name"]: one for one in agreements(imports)}
    e3, commitment = made["Microsoft 365 E3"], made["Compute commitment"]
    assert (e3["supplierName"], e3["termEnd"], e3["lines"][0]["quantity"]) == ("Microsoft", "2027-02-28", 250)
    assert (commitment["termEnd"], commitment["committedSpend"], commitment["reference"]) == (
        *("2026-12-31", 120000),
        "cc-1",
    )
    assert imports.get(bills["id"])["result"]["imported"] == 1


def test_lines_name_the_products_of_the_catalog(imports: ImportDriver, context: Context) -> None:
    acme = add_supplier(imports)
    [saw] = imports.api.get(f"/v1/catalog/companies/{acme}/products").json()["data"]
    header = b"reference,supplier,product,quantity,unit_price,end\n"
    file = header + b"S-1,ACME,saw,5,20,2027-01-31\nS-2,Acme,Axe,1,9,\n"
    assert imports.bring(file)["result"]["imported"] == 2
    first, second = agreements(imports)
    assert first["lines"][0]["productId"] == saw["id"]
    assert "productId" not in second["lines"][0]
    with context.database.reading() as connection:
        asked = set(connection.scalars(sa.select(task.c.kind)))
    assert {"price_agreements"} <= asked, "what follows an agreement follows an imported one"
    assert imports.check(file)["preview"]["repeated"] == 2


def test_our_own_table_comes_back_as_it_was(imports: ImportDriver) -> None:
    body = {
        "name": "Milk", "supplierName": "Dairy", "currency": "EUR", "termStart": "2026-02-28",
        "termEnd": "2027-02-27", "renewalType": "none", "totalValue": 70.5, "tags": ["a", "b"],
        "noticePeriod": {"value": 10, "unit": "business_day"}, "reference": "M-1",
    }  # fmt: skip
    assert imports.api.post("/v1/agreements", json=body).status_code == 201
    file = (
        b"name,supplierName,currency,termStart,termEnd,renewalType,totalValue,tags,noticePeriod,reference,status\n"
        b"Milk,Dairy,EUR,2026-02-28,2027-02-27,none,70.5,a|b,10 business_day,M-1,active\n"
    )
    one = imports.check(file)
    assert one["preview"]["recognisedAs"] == "parley_agreements"
    counts = [one["preview"][name] for name in ("new", "repeated", "refused", "doubtful")]
    assert counts == [0, 1, 0, 0]


@pytest.mark.campaign
def test_a_person_says_which_columns_and_in_which_order_dates_are(imports: ImportDriver) -> None:
    book = b"Was;Bei;Bis\nMilch;Molkerei;03/04/2026\n"
    one = imports.check(book, "vertraege.csv", kind="agreements")
    assert (one["status"], one["preview"]["missing"]) == ("incomplete", ["name"])
    mapping = {"name": "Was", "supplier": "Bei", "term_end": "Bis"}
    one = imports.check(book, "vertraege.csv", kind="agreements", mapping=mapping)
    assert (one["status"], one["preview"]["doubtful"]) == ("incomplete", 1)
    assert "is 3 April 2026 or 4 March 2026" in one["preview"]["doubts"][0]["reason"]
    assert [question["name"] for question in one["preview"]["asks"]] == ["date_order"]
    order = {"dateOrder": "day_first"}
    one = imports.bring(book, "vertraege.csv", kind="agreements", mapping=mapping, **order)
    assert (one["dateOrder"], one["preview"]["doubtful"]) == ("day_first", 0)
    [made] = agreements(imports)
    assert (made["name"], made["supplierName"], made["termEnd"]) == ("Milch", "Molkerei", "2026-04-03")


def test_several_imports_that_are_confirmed_at_once_keep_the_quota(
    imports: ImportDriver, context: Context
) -> None:
    context.settings.max_agreements = 3
    files = [f"name,end\nA{at},2026-12-31\nB{at},2026-12-31\n".encode() for at in range(2)]
    first, second = (imports.check(file) for file in files)
    imports.confirm(first["id"])
    refused = imports.confirm(second["id"], 409)
    assert "may have 3 (PARLEY_MAX_AGREEMENTS)" in refused["detail"]
    imports.work()
    assert len(agreements(imports)) == 2
    imports.confirm(second["id"], 409)
    imports.undo(first["id"])
    imports.confirm(second["id"])
    imports.work()
    assert len(agreements(imports)) == 2


@pytest.mark.campaign
def test_an_import_that_is_killed_or_cancelled_leaves_all_or_nothing(
    imports: ImportDriver, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FILE_KINDS, "agreements", replace(AGREEMENTS, batch_rows=2))
    monkeypatch.setattr("app.service.imports.agreement_files.REMOVED_ROWS", 2)
    lines = "\n".join(f"N-{at},Contract {at},2026-12-31" for at in range(5))
    file = f"reference,name,end\n{lines}\n".encode()
    for write in (2, 3):
        one = imports.check(file)
        imports.confirm(one["id"])

        def kill() -> None:
            raise KeyboardInterrupt

        with before_write(context, write, kill), pytest.raises(KeyboardInterrupt):
            imports.work()
        restart(imports, "import", one["id"])
        assert imports.get(one["id"])["result"] == {"imported": 5, "repeated": 0, "refused": 0}
        imports.delete(one["id"])
        with before_write(context, write, kill), pytest.raises(KeyboardInterrupt):
            imports.work()
        restart(imports, "undo_import", one["id"])
        assert imports.get(one["id"])["removal"] == {"rows": 5, "entries": 0, "kept": []}
        assert agreements(imports) == []


def restart(imports: ImportDriver, kind: str, import_id: str) -> None:
    """Do a task again that was killed."""
    from app.service.worker.handlers import HANDLERS

    HANDLERS[kind].run(imports.context, import_id)
    imports.work()


@pytest.mark.campaign
def test_our_own_table_brings_the_same_agreements_elsewhere_and_nothing_twice_here(
    imports: ImportDriver, others: ImportDriver
) -> None:
    line = {"description": "Seats", "quantity": 100, "unit": "user", "unitPrice": 12.125, "amount": 1212.5}
    bodies: list[dict[str, Any]] = [
        {
            "name": "=Analytics",
            "reference": "C-1",
            "supplierName": "Acme",
            "owners": [{"name": "Ann | A", "email": "ann@acme.example"}, {"name": "Bo"}],
            "currency": "EUR",
            "totalValue": 2212.5,
            "uplift": {"kind": "cap", "percent": 3.5, "basis": "year", "compounding": True},
            "lines": [line, {"description": "Set-up", "amount": 1000, "recurring": False}, line],
            "tags": ["it|cloud", "=x"],
        },
        {"name": "Storage", "termStart": "2026-03-01", "renewalType": "none"},
    ]
    for body in bodies:
        assert imports.api.post("/v1/agreements", json=body).status_code == 201
    for name in ("agreements.csv", "agreements.xlsx"):
        content = imports.api.get(f"/v1/{name}").content
        again = imports.check(content, name)["preview"]
        assert again["recognisedAs"] == "parley_agreements"
        assert (again["new"], again["repeated"], again["refused"], again["doubtful"]) == (0, 2, 0, 0)
    before = {one["name"]: one for one in imports.api.get("/v1/agreements").json()["data"]}
    one = others.check(imports.api.get("/v1/agreements.csv").content, "agreements.csv")
    assert (one["preview"]["new"], one["preview"]["refused"]) == (2, 0)
    others.confirm(one["id"])
    others.work()
    after = {one["name"]: one for one in others.api.get("/v1/agreements").json()["data"]}
    own = {"id", "createdAt", "updatedAt"}
    assert {name: {key: one[key] for key in one.keys() - own} for name, one in after.items()} == {
        name: {key: one[key] for key in one.keys() - own} for name, one in before.items()
    }


LINES_OF_CONTRACTS = b"""Contract number,Contract,Vendor,End,Product,Qty,Price per unit,Value
C-1,Office,Acme,2026-12-31,Chairs,10,50,700
C-2,Paper,Zenith,2026-12-31,Paper,5,4,20
C-1,Office,Acme,2026-12-31,Desks,2,100,700
C-1,Office,Acme,2026-12-31,Desks,2,100,700
C-1,Office,Acme,2026-12-31,Lamps,2,,800
"""


def test_rows_of_one_contract_become_its_lines(imports: ImportDriver) -> None:
    one = imports.check(LINES_OF_CONTRACTS, "lines.csv")
    preview = one["preview"]
    assert (preview["new"], preview["repeated"], preview["refused"]) == (2, 1, 1)
    [refused] = preview["refusals"]
    assert (refused["line"], "with another totalValue" in refused["reason"]) == (6, True)
    imports.confirm(one["id"])
    imports.work()
    office, paper = agreements(imports)
    assert [line["description"] for line in office["lines"]] == ["Chairs", "Desks"]
    assert [line["description"] for line in paper["lines"]] == ["Paper"]


def test_an_agreement_of_our_table_that_lacks_a_line_is_refused_whole(imports: ImportDriver) -> None:
    lines = [{"description": name, "quantity": 1} for name in ("One", "Two", "Three")]
    imports.api.post("/v1/agreements", json={"name": "Three lines", "lines": lines})
    table = imports.api.get("/v1/agreements.csv").text.replace("Three lines", "Others")
    broken = table.replace("2 of 3,Two,1", "2 of 3,Two,many")
    preview = imports.check(broken.encode(), "broken.csv")["preview"]
    assert (preview["new"], preview["refused"]) == (0, 3)
    reasons = {row["line"]: row["reason"] for row in preview["refusals"]}
    assert "'many' is not a number" in reasons[3]
    whole = "Line 2 of the 3 lines of this agreement is missing, refused or contradicts it."
    assert reasons[2] == reasons[4] == whole


def test_a_price_per_user_and_month_is_on_record_and_in_the_table(imports: ImportDriver) -> None:
    file = b"Contract number,Vendor,Product,Start,End,Users,Price per user per month (EUR)\n"
    one = imports.check(file + b"V-1,Acme,Suite,2026-01-01,2027-12-31,50,10\n", "contracts.csv")
    assert "50 user \u00d7 EUR 10 a month" in one["preview"]["sentences"][0]
    imports.confirm(one["id"])
    imports.work()
    [made] = agreements(imports)
    [line] = made["lines"]
    assert (line["unitPrice"], line["pricePer"], line["amount"]) == (10, "month", 12_000)
    assert (made["totalValue"], made["currency"]) == (12_000, "EUR")
    table = imports.api.get("/v1/agreements.csv").content
    assert b"pricePer" in table
    again = imports.check(table, "agreements.csv")
    assert (again["preview"]["new"], again["preview"]["repeated"]) == (0, 1)


def test_a_tender_that_was_cancelled_before_its_contract_began_is_none() -> None:
    table = (
        "Tender ID,Tender title,Awarded suppliers,Contract start,Contract end,Contract value (€),"
        "Cancelled date\n"
        "T7,Salt,Acme,2024-10-01,2025-09-30,100,\nT9,Sand,Acme,2024-12-01,2025-09-30,100,2024-11-15\n"
        "T12,Mud,Acme,2024-12-01,2025-09-30,100,2025-03-15\n"
    )
    _, rows = look_at(table)
    found = {row["row"]: row for row in rows}
    assert (found[2]["reference"], found[2]["name"], found[2]["supplierName"]) == ("T7", "Salt", "Acme")
    assert "doubt" not in found[2]
    assert "before it began" in found[3]["refused"]
    assert "cancelled on 15 March 2025" in found[4]["doubt"]
