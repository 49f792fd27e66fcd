"""Which orders count as purchases and which contracts as agreements, by a column of their states."""

import io
from typing import Any

import pytest

from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.files.agreement_row import AgreementRow
from app.service.agreements.files.row_reader import read_agreement_rows
from app.service.purchase_records import Purchase
from app.service.purchases.reading import number_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.table_files.options import FileOptions
from app.service.table_files.questions import Questions
from app.service.table_files.row_states import (
    RowStates,
    StatesOf,
    is_state_heading,
    read_deletion,
    read_document_type,
    read_state,
)
from app.service.tables.reading import list_rows, open_table
from app.service.tables.table import RejectedRow
from tests.service.imports.dry_reading import look_at


@pytest.mark.parametrize(
    "value",
    [
        *(
            "Cancelled",
            "CANCELED",
            " canceled ",
            "9 - Cancelled",
            "X: cancelled",
            "(Cancelled)",
            "Draft",
            "VOID",
        ),
        *("rejected", "Not approved", "not_approved", "withdrawn"),
        *("Storniert", "Entwurf", "abgelehnt", "Zurückgewiesen", "Annulée", "brouillon", "REFUSÉ"),
        *("Cancelado", "Borrador", "rechazada", "Rascunho", "rejeitado", "Annullato", "bozza", "rifiutato"),
        *("geannuleerd", "concept", "afgewezen", "Anulowane", "szkic", "odrzucone", "Zrušeno", "zamítnuto"),
        *("Avbruten", "utkast", "Peruttu", "iptal edildi", "taslak", "Отменён", "черновик", "已取消", "草稿"),
        *("キャンセル", "취소", "Cancelled (by the buyer)", "Cancelled - no stock", "Deserto"),
    ],
)
def test_an_order_in_this_state_is_no_purchase(value: str) -> None:
    assert read_state(value) == "does not count"


@pytest.mark.parametrize(
    "value",
    [
        *("Ordered", "approved", "Partially Received", "partially-received", "3 - Closed", "PAID", "open"),
        *("Bestellt", "geliefert", "Livrée", "payé", "Entregado", "aprobada", "Concluído", "Consegnato"),
        *("geleverd", "Zrealizowane", "Dodáno", "Levererad", "Toimitettu", "tamamlandı", "Оплачен", "已完成"),
        *("完了", "완료", "Closed: received", "Ordered - open"),
    ],
)
def test_an_order_in_this_state_is_a_purchase(value: str) -> None:
    assert read_state(value) == "counts"


@pytest.mark.parametrize(
    "value",
    [
        *("", "Ohio", "7", "Pending", "On hold", "uncancelled", "Cancelled?Maybe", "n/a", "yes"),
        *("Open - cancelled", "Part - Fan"),
    ],
)
def test_nothing_is_assumed_of_another_word(value: str) -> None:
    assert read_state(value) == "not known"


@pytest.mark.parametrize(
    ("heading", "may"),
    [
        *(
            (one, True)
            for one in ("Status", "order_status", "PO Status", "OrderStatus", "Bestellstatus", "Statut")
        ),
        *(
            (one, True)
            for one in ("Estado del pedido", "Situação", "Stato ordine", "Stav", "Durum", "Статус", "状态")
        ),
        *(
            (one, False)
            for one in ("Supplier", "statement", "status date", "estate", "amount", "statusbar", "")
        ),
    ],
)
def test_a_heading_may_be_of_states(heading: str, may: bool) -> None:
    assert is_state_heading(heading) is may


@pytest.mark.parametrize(
    ("header", "rows", "columns"),
    [
        (["item", "status"], [["a", "Open"], ["b", "Cancelled"]], [1]),
        (["status", "item"], [["Closed", "a"], ["Closed", "b"]], [0]),
        (["item", "state"], [["a", "Ohio"], ["b", "Texas"]], []),
        (["item", "state"], [["a", "OH"], ["b", "closed"], ["c", "TX"]], []),
        (["item", "status"], [["a", ""], ["b", ""]], []),
        (["item", "note"], [["a", "cancelled"]], []),
        (["status", "approval status"], [["open", "rejected"], ["open", "approved"]], [1]),
        (["status", "approval status"], [["cancelled", "rejected"], ["open", "approved"]], [0, 1]),
        (["delivery status", "status"], [["delivered", "open"], ["", "draft"]], [1]),
        (["item", "status"], [["a"], ["b", "Weird"], ["c", "draft"]], [1]),
        (["item", "OrderState"], [["a", "draft"]], [1]),
        (["item", "order_status"], [["a", 3], ["b", 4]], []),
        (["item", "quoted/ordered"], [["a", "ordered"], ["b", "quoted"]], [1]),
        (["item", "colour"], [["a", "quoted"], ["b", "red"]], []),
        (["item", "Vendor status code"], [["a", "A"], ["b", "I"]], [1]),
        (["item", "status"], [["a", "A"], ["b", "A"]], []),
        (["item", "status"], [["a", "Y"], ["b", "N"]], []),
        (["item", "Radstatus"], [["a", "Vilande"], ["b", "Annullerad"], ["c", "Klar"]], [1]),
        (["item", "Статус договору"], [["a", "Зета"], ["b", "Эта"]], [1]),
        (["status", "line status"], [["Zeta", "open"], ["Eta", "open"]], [1]),
    ],
)
def test_columns_of_states_are_found_by_heading_and_values(
    header: list[str], rows: list[list[object]], columns: list[int]
) -> None:
    assert [*RowStates.find(header, range(len(header)), rows, {}).positions] == columns
    assert not {*columns} & {*RowStates.find(header, {*range(len(header))} - {*columns}, rows, {}).positions}


@pytest.mark.parametrize(
    ("value", "meaning"),
    [
        *(
            (value, "does not count")
            for value in ("X", "yes", "Ja", "true", "1", "L", "cancelled", "storniert")
        ),
        *((value, "counts") for value in ("No", "nein", "0", "false", "não")),
        *((value, "not known") for value in ("S", "perhaps", "12")),
    ],
)
def test_a_mark_says_that_a_row_was_deleted(value: str, meaning: str) -> None:
    assert read_deletion(value) == meaning


@pytest.mark.parametrize(
    ("value", "meaning"),
    [
        *(
            (value, "does not count")
            for value in (
                *(
                    "Credit Note",
                    "credit memo",
                    "Vendor Credit",
                    "Purchase Credit Memo",
                    "Gutschrift",
                    "Avoir",
                ),
                *(
                    "Stornorechnung",
                    "Nota de crédito",
                    "Nota di credito",
                    "Creditnota",
                    "Kreditnota",
                    "Refund",
                ),
                *("Factura rectificativa", "Return order", "红字发票", "Bill credit", "Hyvityslasku"),
                *("Eingangsgutschrift", "Gutschrift (Einkauf)", "Leverantörskreditfaktura"),
                *("Avoir fournisseur", "Nota di credito fornitore", "Nota Crédito de compra"),
                *("Credit Note - Purchase", "Supplier Refund", "Inkoopcreditnota", "ACCPAYCREDIT", "TD04"),
                *("Кредит-нота", "返品", "Helyesbítő számla"),
            )
        ),
        *(
            (value, "counts")
            for value in (
                "Invoice",
                "Item",
                "Standard",
                "Rechnung",
                "Credit card bill",
                "NB",
                "Tax return service",
            )
        ),
    ],
)
def test_a_credit_note_is_no_purchase(value: str, meaning: str) -> None:
    assert read_document_type(value) == meaning


@pytest.mark.parametrize(
    ("heading", "cells", "lines"),
    [
        ("Cancelled", ["No", "Yes", "N", ""], [3]),
        ("LOEKZ", ["", "L", "", "X"], [3, 5]),
        ("Deletion Indicator", ["", "X", "-", "n/a"], [3]),
        ("Storno", ["nein", "ja", "nein", "ja"], [3, 5]),
        ("Voided", ["", "2026-03-04", "false", "TRUE"], [3, 5]),
        ("Document Type", ["Invoice", "Credit Note", "Invoice", "Bill"], [3]),
        ("Transaction type", ["Bill", "Vendor Credit", "Bill", "Bill"], [3]),
        ("Belegart", ["Rechnung", "Gutschrift", "Rechnung", "Gutschrift"], [3, 5]),
        ("Type", ["Item", "Item", "Service", "Item"], []),
        ("Type", ["PI", "PC", "PI", "PP"], [3, 5]),
        ("Type", ["PI", "XL", "PC", "Item"], []),
        ("Trans type", ["PI", "PC", "PI", "PP"], [3, 5]),
        ("Goods type", ["Item", "Service", "Item", "RE"], []),
        ("Tipo de comprobante", ["I", "E", "P", "I"], [3, 4]),
        ("Tipo", ["I - Ingreso", "E - Egreso", "P - Pago", "I - Ingreso"], [3, 4]),
        ("Blart", ["RE", "KG", "KR", "KZ"], [3, 5]),
        ("Invoice type code", ["380", "381", "380", "380"], [3]),
        ("Transaction type", ["Bill", "Bill Pmt -Check", "Check", "Vendor Credit"], [3, 5]),
        ("Type", ["Payment", "Payment", "Payment", "Payment"], []),
        ("Posted", ["Yes", "No", "", "Yes"], [3]),
        ("Проведён", ["Да", "Нет", "Да", "Нет"], [3, 5]),
        ("Draft", ["no", "yes", "no", "no"], [3]),
        ("Paid", ["no", "yes", "no", "no"], []),
        ("Type", ["Expense", "Income", "Expense", "Sale"], [3, 5]),
        ("収支区分", ["支出", "収入", "支出", "支出"], [3]),
        ("Type", ["Sales", "Marketing", "IT", "Sales"], []),
        ("Del.Ind.", ["", "X", "", ""], [3]),
        ("PODetail_VoidLine", ["False", "True", "False", "False"], [3]),
        ("Is order cancelled", ["no", "yes", "no", "no"], [3]),
        ("Cancelled before", ["no", "yes", "no", "no"], []),
        ("Τύπος παραστατικού", ["Τιμολόγιο", "Πιστωτικό", "Τιμολόγιο", "Τιμολόγιο"], [3]),
        ("Bill Status", ["Paid", "Void", "Overdue", "Draft"], [3, 5]),
        ("Modtagelsesstatus", ["Modtaget", "Annulleret", "Delvist modtaget", "Kladde"], [3, 5]),
    ],
)
def test_rows_that_are_marked_as_no_purchases_are_left_out(
    heading: str, cells: list[str], lines: list[int]
) -> None:
    rows = "".join(f"2026-03-0{at},Acme,Desk,20,{cell}\n" for at, cell in enumerate(cells, 1))
    table = open_table(io.BytesIO(f"date,supplier,product,price,{heading}\n{rows}".encode()))
    read_rows = [row for _, row in number_purchases(list_rows(table))]
    assert [row.line for row in read_rows if isinstance(row, RejectedRow)] == lines


FILE = b"""date,supplier,product,price,Order Status
2026-03-02,Acme,Desk,20,Received
2026-03-03,Acme,Chair,30,Cancelled
2026-03-04,Acme,Lamp,40,Draft
2026-03-05,Acme,Shelf,50,On hold
2026-03-06,Acme,Table,60,
2026-03-07,Acme,Sofa,70,CLOSED
"""


def read(content: bytes = FILE, **options: Any) -> tuple[list[str], list[int], list[str]]:
    """The products that were bought, the lines that were left out and the states that are asked for."""
    questions = Questions()
    how = PurchaseOptions(FileOptions(currency="USD", **options), questions=questions)
    rows = [row for _, row in number_purchases(list_rows(open_table(io.BytesIO(content))), how)]
    bought = [row.product for row in rows if isinstance(row, Purchase)]
    left_out = [row for row in rows if isinstance(row, RejectedRow)]
    assert all("Order Status" in row.reason or "order_status" in row.reason for row in left_out)
    asked = [option.value for one in questions.asked for option in one.options]
    return bought, [row.line for row in left_out], asked


def test_orders_that_are_cancelled_or_drafts_are_left_out_and_unknown_states_are_doubtful() -> None:
    assert read() == (["Desk", "Shelf", "Table", "Sofa"], [3, 4], ["On hold"])


def test_a_person_says_which_states_count() -> None:
    decided = {"on hold": False, "Draft": True}
    assert read(states=decided) == (["Desk", "Lamp", "Table", "Sofa"], [3, 5], [])
    assert read(ignored_columns=["Order Status"]) == (
        ["Desk", "Chair", "Lamp", "Shelf", "Table", "Sofa"],
        [],
        [],
    )


@pytest.mark.parametrize(
    ("value", "meaning"),
    [
        *(
            (value, "counts")
            for value in ("Active", "In force", "Expired", "gekündigt", "Vigente", "En cours")
        ),
        *(
            (value, "counts")
            for value in ("3 - Signed", "lopend", "Scaduto", "действует", "履行中", "契約中")
        ),
        *((value, "does not count") for value in ("Draft", "Terminated", "In negotiation", "Cancelled")),
        *((value, "does not count") for value in ("Entwurf", "Résilié", "Pendiente de firma", "解約")),
        *((value, "not known") for value in ("Under review", "Suspended", "Inactive", "On hold", "Pending")),
    ],
)
def test_a_contract_in_this_state_is_in_force_or_not_or_nobody_knows(value: str, meaning: str) -> None:
    assert read_state(value, "agreements") == meaning


@pytest.mark.parametrize("heading", ["Status", "Contract status", "Vertragsstatus", "Estado del contrato"])
def test_a_contract_that_is_not_in_force_is_not_put_on_record(heading: str) -> None:
    states = ("Active", "Draft", "Expired", "On hold", "Terminated", "")
    lines = [f"{state} case,Acme,2026-03-04,2027-03-03,{state}" for state in states]
    content = "\n".join([f"Contract,Supplier,Start,End,{heading}", *lines])
    about, rows = look_at(content, "agreements")
    assert [row["name"] for row in rows if "refused" not in row] == [
        "Active case",
        "Expired case",
        "On hold case",
        "case",
    ]
    assert {row["refused"] for row in rows if "refused" in row} == {
        f"{heading} says 'Draft': such a contract is not in force, so it is left out",
        f"{heading} says 'Terminated': such a contract is not in force, so it is left out",
    }
    assert [(one["name"], [option["value"] for option in one["options"]]) for one in about["asks"]] == [
        ("states", ["On hold"])
    ]
    assert [one["use"] for one in about["columns"] if one["name"] == heading] == ["read"]
    about, rows = look_at(content, "agreements", states={"On hold": False, "draft": True})
    assert [row["name"] for row in rows if "refused" not in row] == [
        "Active case",
        "Draft case",
        "Expired case",
        "case",
    ]
    assert about["asks"] == []
    _, rows = look_at(content, "agreements", ignored_columns=[heading])
    assert not any("refused" in row for row in rows)
    table = open_table(io.BytesIO(content.encode()))
    unasked = [
        row for row in read_agreement_rows(list_rows(table), WorkingDays()) if isinstance(row, AgreementRow)
    ]
    assert [doubt.reason for row in unasked for doubt in row.doubts if doubt.field == "status"] == [
        f"{heading} 'On hold' is not known: the contract is taken to be in force."
    ]


def test_whether_a_cancelled_contract_is_still_in_force_is_asked() -> None:
    content = "Product,Supplier,End date,Cancelled?\nCRM,Acme,2027-03-31,N\nERP,Bolt,2027-06-30,Y\n"
    about, rows = look_at(content, "agreements")
    [question] = about["asks"]
    assert (question["name"], [one["value"] for one in question["options"]]) == ("states", ["Y"])
    assert len(rows) == 2
    _, rows = look_at(content, "agreements", states={"Y": False})
    assert [row.get("name") for row in rows if "refused" not in row] == ["CRM"]


@pytest.mark.parametrize(("states", "asked"), [(("Awarded", "Open"), ["Open"]), (("Active", "Open"), [])])
def test_a_tender_beside_awards_is_asked_about(states: tuple[str, str], asked: list[str]) -> None:
    lines = [f"Case,Acme,2027-0{at}-01,{state}" for at, state in enumerate(states, 1)]
    about, _ = look_at("\n".join(["Contract,Supplier,End,Status", *lines]), "agreements")
    assert [option["value"] for question in about["asks"] for option in question["options"]] == asked


def test_yes_and_no_name_no_contract() -> None:
    content = "Supplier,Contract?,End date\nAcme,Y,2027-03-31\nBolt,N,2027-06-30\n"
    about, rows = look_at(content, "agreements")
    assert [(row.get("name"), row.get("reference"), row["supplierName"]) for row in rows] == [
        ("Acme", None, "Acme"),
        ("Bolt", None, "Bolt"),
    ]
    assert [one.get("field") for one in about["columns"]] == ["supplier", None, "term_end"]


def test_a_kind_of_documents_that_nobody_knows_beside_invoices_is_asked() -> None:
    content = (
        FILE.replace(b"Order Status", b"Type").replace(b"Received", b"Invoice").replace(b"CLOSED", b"Zap")
    )
    assert read(content)[2] == ["Cancelled", "Draft", "On hold", "Zap"]
    assert read(content.replace(b"Invoice", b"Goods"))[2] == []


def test_a_column_that_is_none_of_states_leaves_nothing_out() -> None:
    content = (
        FILE.replace(b"Order Status", b"state").replace(b"Received", b"Ohio").replace(b"CLOSED", b"Utah")
    )
    content = content.replace(b"Draft", b"Iowa").replace(b"On hold", b"Iowa")
    assert len(read(content.replace(b"Cancelled", b"Maine"))[0]) == 6


def test_a_column_called_state_has_states_where_one_of_its_words_leaves_rows_out() -> None:
    rows = [["Converted"], ["Pending"], ["Draft"]]
    for heading in ("State", "الحالة", "Estatus del contrato", "Stand der Bestellung"):
        found = RowStates.find([heading], {0}, rows, {})
        assert [found.read(row)[0] for row in rows] == ["not known", "not known", "does not count"]


def test_credit_notes_beside_invoices_are_left_out_below_any_heading() -> None:
    rows = [["Facture d'achat"], ["Avoir fournisseur"]]
    found = RowStates.find(["Pièce"], {0}, rows, {})
    assert [found.read(row)[0] for row in rows] == ["counts", "does not count"]
    assert not RowStates.find(["Pièce"], {0}, [["Porte"], ["Avoir fournisseur"]], {}).positions


def test_contracts_that_bring_revenue_are_left_out() -> None:
    for heading, (bought, sold) in {
        "Side": ("Buy-side", "Sell-side"),
        "receita_despesa": ("Despesa", "Receita"),
    }.items():
        found = RowStates.find([heading], {0}, [[bought], [sold]], {}, "agreements")
        assert [found.read([one])[0] for one in (bought, sold)] == ["counts", "does not count"]


@pytest.mark.parametrize(
    ("heading", "of"), [("Return", "purchases"), ("Retoure", "purchases"), ("Purchasing block", "suppliers")]
)
def test_a_flag_says_that_a_row_does_not_count(heading: str, of: StatesOf) -> None:
    rows = [["Key", "Y"], ["Saw", "N"]]
    found = RowStates.find(["Name", heading], {0, 1}, rows, {}, of)
    assert [found.read(row)[0] for row in rows] == ["does not count", "counts"]
