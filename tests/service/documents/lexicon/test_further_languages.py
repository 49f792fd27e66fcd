"""Papers in languages of which only labels, headers and titles are known."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.pipeline import read_pages
from tests.service.documents.typewriter import type_page

PAPER = """
    {title}
    {date}: 2026-03-12

    {header}

    Monitor AX            4     3500.00    14000.00
    Cable BX             10      150.00     1500.00

    {net}                                  15500.00
"""


@pytest.mark.parametrize(
    ("title", "number", "dated", "header", "net"),
    [
        (
            "Faktura č. 2024017",
            "2024017",
            "Datum vystavení",
            "Popis   Množství   Cena za MJ   Celkem",
            "Celkem",
        ),
        ("Faktura nr 88", "88", "Data wystawienia", "Nazwa towaru   Ilość   Cena jedn.   Wartość", "Razem"),
        ("Счет на оплату № 57", "57", "Дата", "Наименование   Кол-во   Цена   Сумма", "Итого"),
        ("Lasku 554", "554", "Päiväys", "Kuvaus         Määrä    Hinta     Yhteensä", "Yhteensä"),
        ("Offert nr 12", "12", "Offertdatum", "Benämning      Antal    À-pris    Belopp", "Summa"),
        ("Teklif No 417", "417", "Tarih", "Ürün           Miktar   Birim Fiyat    Tutar", "Genel Toplam"),
        ("BÁO GIÁ số 88/2026", "88/2026", "Ngày lập", "Tên hàng    Số lượng   Đơn giá   Thành tiền", "Tổng"),
        ("報価単 見積書", None, "発行日", "品名           数量     単価       金額", "合計"),
        ("견적서", None, "견적일", "품명           수량     단가       금액", "합계금액"),
        ("НЭХЭМЖЛЭХ № 118", "118", "Огноо", "Гүйлгээний утга   Тоо   Нэгж үнэ   Нийт үнэ", "Нийт дүн"),
        ("Hyresavi\n    Avinummer 218", "218", "Avidatum", "Benämning   Antal   À-pris   Belopp", "Summa"),
        ("报价单", None, "日期", "品名           数量     单价       金额", "合计"),
    ],
)
def test_lines_sum_number_and_date_are_read(
    title: str, number: str | None, dated: str, header: str, net: str
) -> None:
    paper = PAPER.format(title=title, date=dated, header=_spread(header), net=net)
    read = read_pages([type_page(paper)], "paper.pdf")
    assert [(line.quantity, line.unit_price, line.amount) for line in read.line_items] == [
        (4, 3500, 14000),
        (10, 150, 1500),
    ]
    assert (read.document_number, read.document_date) == (number, date(2026, 3, 12))
    assert read.total == Decimal(15500)


def _spread(header: str) -> str:
    """The header with its words over the columns of the paper."""
    words = [word.strip() for word in header.split("   ") if word.strip()]
    return "".join(word.ljust(width) for word, width in zip(words, (19, 12, 12, 10), strict=True))
