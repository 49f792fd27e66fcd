"""Which orders count as purchases, by a column of their states."""

import io
from typing import Any

import pytest

from app.service.purchase_records.records import Purchase
from app.service.purchases.order_states import (
    OrderState,
    find_state_column,
    is_state_heading,
    list_states,
    read_state,
)
from app.service.purchases.reading import read_purchase_rows
from app.service.table_files.questions import Questions
from app.service.tables.reading import list_rows, open_table
from app.service.tables.table import RejectedRow


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
        *("キャンセル", "취소"),
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
        *("完了", "완료"),
    ],
)
def test_an_order_in_this_state_is_a_purchase(value: str) -> None:
    assert read_state(value) == "counts"


@pytest.mark.parametrize(
    "value", ["", "Ohio", "7", "Pending", "On hold", "uncancelled", "Cancelled?Maybe", "n/a", "yes"]
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
    ("header", "rows", "column"),
    [
        (["item", "status"], [["a", "Open"], ["b", "Cancelled"]], 1),
        (["status", "item"], [["Closed", "a"], ["Closed", "b"]], 0),
        (["item", "state"], [["a", "Ohio"], ["b", "Texas"]], None),
        (["item", "state"], [["a", "OH"], ["b", "closed"], ["c", "TX"]], None),
        (["item", "status"], [["a", ""], ["b", ""]], None),
        (["item", "note"], [["a", "cancelled"]], None),
        (["status", "approval status"], [["open", "rejected"], ["open", "approved"]], 1),
        (["status", "approval status"], [["cancelled", "rejected"], ["open", "approved"]], None),
        (["delivery status", "status"], [["delivered", "open"], ["", "draft"]], 1),
        (["item", "status"], [["a"], ["b", "Weird"], ["c", "draft"]], 1),
        (["item", "OrderState"], [["a", "draft"]], 1),
        (["item", "order_status"], [["a", 3], ["b", 4]], None),
    ],
)
def test_a_column_of_states_is_found_by_heading_and_values(
    header: list[str], rows: list[list[object]], column: int | None
) -> None:
    assert find_state_column(header, rows) == column
    if column is not None:
        assert find_state_column(header, rows, taken={column}) != column


def test_states_are_listed_with_their_rows() -> None:
    assert list_states(["Open", "cancelled", "open ", "", "On hold", "OPEN", "Cancelled"]) == [
        OrderState("Open", 3, "counts"),
        OrderState("cancelled", 2, "does not count"),
        OrderState("On hold", 1, "not known"),
    ]


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
    options = {"currency_is_stated": True, "questions": questions} | options
    rows = [*read_purchase_rows(list_rows(open_table(io.BytesIO(content))), **options)]
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
    assert read(ignore=["Order Status"]) == (["Desk", "Chair", "Lamp", "Shelf", "Table", "Sofa"], [], [])


def test_a_column_that_is_none_of_states_leaves_nothing_out() -> None:
    content = (
        FILE.replace(b"Order Status", b"state").replace(b"Received", b"Ohio").replace(b"CLOSED", b"Utah")
    )
    content = content.replace(b"Draft", b"Iowa")
    assert len(read(content)[0]) == 6
