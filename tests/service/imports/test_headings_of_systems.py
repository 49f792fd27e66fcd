"""Orders as systems and languages name their columns: what needs no mapping, what a person chooses."""

import pytest

from tests.service.imports.dry_reading import look_at

DAY = "2025-03-05"
ORDERS = """
เลขที่สัญญา,วันที่ลงนาม,ผู้ขาย,รายการ,จำนวน,หน่วยนับ,ราคาต่อหน่วย,จำนวนเงิน,สกุลเงิน
7,2025-03-05,ก,ข,4,รีม,2.5,10,THB

발주번호,발주일자,업체명,품명,수량,단위,단가,금액,통화
7,2025-03-05,가,나,4,개,2.5,10,KRW

発注番号,発注日,仕入先名,品名,数量,単位,単価,金額,通貨
7,2025-03-05,い,ろ,4,個,2.5,10,JPY

発注番号,発注日,仕入先,品名,数量,単位,金額（千円）
7,2025-03-05,い,ろ,4,個,0.01

採購單號,採購日期,廠商名稱,品名,數量,單位,單價,金額,幣別
7,114/03/05,甲,乙,4,支,2.5,10,TWD

采购单号,下单日期,供应商名称,物料名称,数量,单位,含税单价,不含税单价,不含税金额,币种
7,2025-03-05,甲,乙,4,个,2.8,2.5,10,CNY

№ заказа,Дата заказа,Поставщик,Наименование,Кол-во,Ед. изм.,Цена без НДС,Сумма без НДС,Валюта
7,2025-03-05,А,Б,4,шт,2.5,10,RUB

Замовник,Постачальник,Предмет закупівлі,Дата укладання договору,Кількість,
Одиниця виміру,Ціна за одиницю,Валюта
М,А,Б,2025-03-05,4,шт,2.5,UAH

Rendelésszám,Rendelés dátuma,Szállító,Megnevezés,Mennyiség,Egység,Nettó egységár,Nettó érték,Pénznem
7,2025-03-05,A,B,4,db,2.5,10,HUF

Αρ. Παραγγελίας,Ημερομηνία,Προμηθευτής,Περιγραφή,Ποσότητα,Τιμή μονάδας,Αξία,Νόμισμα
7,2025-03-05,Α,Β,4,2.5,10,EUR

رقم الطلب,التاريخ,المورد,الوصف,الكمية,سعر الوحدة,المبلغ,العملة
7,2025-03-05,ا,ب,4,2.5,10,SAR

Số đơn hàng,Ngày đặt hàng,Nhà cung cấp,Tên hàng,Số lượng,Đơn vị,Đơn giá,Thành tiền,Tiền tệ
7,2025-03-05,A,B,4,Hộp,2.5,10,VND

No PO,Tanggal,Pemasok,Nama Barang,Jumlah,Satuan,Harga Satuan,Total Harga,Mata Uang
7,2025-03-05,A,B,4,rim,2.5,10,IDR

Nr. comandă,Data comenzii,Furnizor,Denumire produs,Cantitate,U.M.,Preț unitar,Valoare,Monedă
7,2025-03-05,A,B,4,buc,2.5,10,RON

Ordrenr.,Ordredato,Leverandør,Varetekst,Antal,Enhed,Enhedspris ekskl. moms,Beløb ekskl. moms,Valuta
7,2025-03-05,A,B,4,stk,2.5,10,DKK

Tilausnumero,Tilauspäivä,Toimittaja,Tuote,Määrä,Yksikkö,Yksikköhinta,Summa,Valuutta
7,2025-03-05,A,B,4,kpl,2.5,10,EUR

Sipariş No,Sipariş Tarihi,Tedarikçi Adı,Malzeme Tanımı,Miktar,Birim,Birim Fiyat,Tutar,Para Birimi
7,2025-03-05,A,B,4,M,2.5,10,TRY

Ordernr,Orderdatum,Leverantör,Benämning,Antal,Enhet,Á-pris,Belopp,Valuta
7,2025-03-05,A,B,4,st,2.5,10,SEK

EinkBeleg,Pos,Belegdat.,Lieferant/Lieferwerk,Kurztext,Bestellmenge,BME,Nettopreis,PEH,Währg,Nettobestellwert
7,10,2025-03-05,A,B,4,ST,250,100,EUR,10

Eink. von Name,Bestelldatum,Beschreibung,Menge,Einheitencode,
EK-Preis ohne MwSt.,Zeilenbetrag ohne MwSt.,Währungscode
A,2025-03-05,B,4,STÜCK,2.5,10,EUR

Einkaufsbeleg,Bestelldatum,Lieferant,Name des Lieferanten,Kurztext,Bestellmenge,
Nettopreis,Preiseinheit,Bestellnettowert,Währung
45,2025-03-05,100311,A,B,4,250,100,10,EUR

DocumentNo,DocumentDate,SupplierAccountNumber,SupplierAccountName,ItemCode,ItemDescription,LineQuantity,
UnitBuyingPrice,LineTotalValue,CurrencyISOCode
51,2025-03-05,A001,A,6204,B,4,2.5,10,GBP

ID,Supplier,Supplier Name,Date,Currency,Item Code (Items),Item Name (Items),Quantity (Items),UOM (Items),
Rate (Items),Amount (Items),Grand Total
P1,S1,A,2025-03-05,INR,C1,B,4,Nos,2.5,10,300

Supplier Name,PO Ordered Date,Line Description,Ordered Quantity,Unit Price,Ordered Amount,Currency Code
A,2025-03-05,B,4,2.5,10,USD

Date,Vendor,Item,Quantity,Rate,Amount (Foreign Currency),Amount,Currency
2025-03-05,A,B,4,2.5,10,11.75,Euro

Номер,Дата,Контрагент,Номенклатура,Количество,Ед.,Цена,Сумма,Валюта
1,2025-03-05,А,Б,4,пач,2.5,10,руб.

单据日期,订单编号,供应商,存货名称,主计量,数量,原币单价,原币金额,币种
2025-03-05,1,甲,乙,米,4,2.5,10,人民币

Numer,Data wystawienia,Kontrahent,Nazwa towaru,Ilość,JM,Cena netto,Wartość netto,Waluta
1,2025-03-05,A,B,4,szt.,2.5,10,PLN

日期 Date,供应商 Supplier,品名 Product,数量 Qty,单价 Unit Price,币种 Currency
2025-03-05,甲,乙,4,2.5,CNY

Datum / Date,Lieferant / Supplier,Artikel / Item,Menge / Quantity,Einzelpreis / Unit price,Währung / Currency
2025-03-05,A,B,4,2.5,EUR

Date,Supplier,Product,Sheets,Price per 1000 sheets,Total,Currency
2025-03-05,A,B,4,2500,10,EUR

Order Reference,Vendor,Order Deadline,Order Lines/Product,Order Lines/Quantity,
Order Lines/Unit Price,Currency
7,A,2025-03-05,B,4,2.5,EUR

Order No.,Vendor,Order Deadline,Order Lines/Description,Order Lines/Quantity,
Order Lines/Unit Price,Currency
7,A,2025-03-05,Oak board,4,2.5,EUR
"""
"""Headings, which may go on in the next line after a comma, and a row of each table."""
TABLES = [table.replace(",\n", ",").split("\n") for table in ORDERS.strip().split("\n\n")]


@pytest.mark.parametrize(("header", "row"), TABLES, ids=[header.split(",")[0] for header, _ in TABLES])
def test_headings_of_a_language_or_a_system_need_no_mapping(header: str, row: str) -> None:
    about, rows = look_at(f"{header}\n{row}\n", "purchases")
    assert (about["missing"], about["asks"]) == ([], [])
    [found] = rows
    assert (found["date"], found["quantity"], found["unitPrice"], found["amount"]) == (DAY, 4, 2.5, 10)


@pytest.mark.parametrize(
    ("header", "missing", "offered"),
    [
        ("Date,Name,Item,Quantity,Rate,Currency", ["supplier"], {"Name": "supplier"}),
        ("Payment date,Supplier,Purpose of spend,Amount,Currency", ["purchase_date", "product"],
         {"Payment date": "purchase_date", "Purpose of spend": "product"}),
        ("Date,Supplier,Product,Quantity,Price,Price,Currency", ["unit_price"],
         {"Price": "unit_price", "Price (2)": "unit_price"}),
        ("Date,Supplier,Product,Quantity ('000),Price,Currency", ["quantity"],
         {"Quantity ('000)": "quantity"}),
        ("Date,Supplier,Product,Hours,Price,Currency", ["quantity"], {"Hours": "quantity"}),
        ("Date,Supplier,Product,Qty,Amount (EUR),Amount (USD)", ["unit_price"],
         {"Amount (EUR)": "total_price", "Amount (USD)": "total_price"}),
        ("Shipping: Date,Shipping: Place,Supplier,Product,Price,Currency", ["purchase_date"], {}),
    ],
)  # fmt: skip
def test_what_may_be_a_field_is_offered(header: str, missing: list[str], offered: dict[str, str]) -> None:
    about, _ = look_at(f"{header}\n{','.join('x' for _ in header.split(','))}\n", "purchases")
    suggested = {one["name"]: one["suggestion"] for one in about["columns"] if "suggestion" in one}
    assert (about["missing"], suggested) == (missing, offered)


@pytest.mark.parametrize(
    ("more", "cells", "taken", "offered"),
    [
        ("Cur Code", "USD", ["Cur Code"], []),
        ("Fee currency,Payment currency", "GBP,EUR", [], ["Fee currency", "Payment currency"]),
        ("WKZ Umsatz", "EUR", [], ["WKZ Umsatz"]),
        ("WKZ Umsatz", "7", [], []),
    ],
)
def test_what_has_currencies_is_taken_where_it_is_alone_and_else_offered(
    more: str, cells: str, taken: list[str], offered: list[str]
) -> None:
    table = f"Date,Supplier,Product,Price,{more}\n2025-03-05,A,B,2.5,{cells}\n"
    about, _ = look_at(table, "purchases")
    assert [one["name"] for one in about["columns"] if one.get("field") == "currency"] == taken
    assert [one["name"] for one in about["columns"] if one.get("suggestion") == "currency"] == offered
    assert [one["name"] for one in about["asks"]] == ([] if taken else ["currency"])


def test_money_that_no_field_is_for_is_no_price_factor() -> None:
    header = (
        "Date,Supplier,Product,Price,Currency,Edition,Orig amount,Price 100-499,importo_lotto,Frete valor"
    )
    about, _ = look_at(f"{header}\n2025-03-05,A,B,2.5,EUR,Pro,3,2,9,1\n", "purchases")
    assert [one["name"] for one in about["columns"] if one["use"] == "dimension"] == ["Edition"]


def test_the_aspect_of_a_field_is_no_part_of_its_name() -> None:
    header = (
        "Contract ID,Supplier - Common Supplier,Effective Date - Date,Expiration Date - Date,Owner - Name"
    )
    about, _ = look_at(f"{header}\nC1,Acme,2026-03-04,2027-03-03,Ann\n", "agreements")
    fields = ["reference", "supplier", "term_start", "term_end", "owner"]
    assert [one.get("field") for one in about["columns"]] == fields
    about, _ = look_at("Date,Supplier,Product,Price,Team - Lead\n2025-03-05,A,B,2.5,Ann\n", "purchases")
    assert about["columns"][4]["use"] == "dimension"


CONTRACTS = """
契約番号,契約件名,契約相手方,契約締結日,履行開始日,履行終了日,契約金額(円)
R7-1,清掃,みどり,令和7年2月1日,令和7年4月1日,令和8年3月31日,1200

合同编号,合同名称,供应商,签订日期,生效日期,到期日期,合同金额(CNY)
R7-1,清掃,みどり,2025-02-01,2025-04-01,2026-03-31,1200

契約編號,契約名稱,廠商名稱,決標日期,契約起日,契約迄日,決標金額(TWD)
R7-1,清掃,みどり,114/02/01,114/04/01,115/03/31,1200

Contract no,Title,Vendor,Signed on,Start date,End date,Original amount (USD),Revised amount (USD)
R7-1,清掃,みどり,2025-02-01,2025-04-01,2026-03-31,900,1200
"""


@pytest.mark.parametrize("table", CONTRACTS.strip().split("\n\n"), ids=lambda table: table.split(",")[0])
def test_headings_of_contracts_need_no_mapping(table: str) -> None:
    about, [row] = look_at(table + "\n")
    assert (about["recognisedAs"], about["asks"]) == ("agreements", [])
    assert (row["reference"], row["name"], row["supplierName"], row["totalValue"]) == (
        *("R7-1", "清掃", "みどり", 1200),
    )
    assert (row["termStart"], row["termEnd"]) == ("2025-04-01", "2026-03-31")


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (["C1,Acme,Cleaning", "C2,Brook,Guards"], ["Cleaning", "Guards"]),
        (["C1,Acme,Cleaning", "C1,Acme,Guards"], ["C1", "C1"]),
        (["C1,Acme,Cleaning", "C2,Brook,"], ["C1", "C2"]),
        (["C1,Acme,Cleaning", f"C2,Brook,{'Guards ' * 30}"], ["C1", "C2"]),
    ],
)
@pytest.mark.parametrize("heading", ["Description", "Omschrijving"])
def test_a_short_description_calls_a_contract_that_nothing_else_names(
    heading: str, rows: list[str], names: list[str]
) -> None:
    lines = "".join(f"{row},2025-01-01,2025-12-31\n" for row in rows)
    _, found = look_at(f"Contract number,Supplier,{heading},Start date,End date\n{lines}", "agreements")
    assert [row["name"] for row in found] == names


@pytest.mark.parametrize("text", ["(T)", "[Name]", "(description)"])
def test_codes_are_named_by_the_column_of_the_same_heading_with_brackets(text: str) -> None:
    table = (
        f"Order,Supplier,Supplier {text},Product,Product {text},Order date,Quantity,Price,Currency\n"
        "1,1007,Teasel Labs,GL-100,Beaker low form,2025-03-05,48,3.2,GBP\n"
        "2,1009,Distel GmbH,PH-7,Meter,2025-03-06,2,640,GBP\n"
    )
    _, rows = look_at(table, "purchases")
    assert [(row["supplier"], row["product"]) for row in rows] == [
        ("Teasel Labs", "Beaker low form"),
        ("Distel GmbH", "Meter"),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "Broj ugovora,Naziv ugovora,Dobavljač,Vrijednost ugovora (bez PDV-a),Datum početka,Datum završetka",
        "Evidencijski broj,Predmet ugovora,Ugovaratelj,Iznos bez PDV-a,Datum sklapanja,Datum izvršenja",
        "Sutarties numeris,Sutarties pavadinimas,Tiekėjas,Sutarties vertė,Pradžios data,Pabaigos data",
    ],
)
def test_contracts_of_further_languages_need_no_mapping(header: str) -> None:
    row = "N-12/24,Cleaning,Acme,38400,2024-03-01,2026-02-28"
    about, [found] = look_at(f"{header}\n{row}\n", "agreements", currency="EUR")
    assert about["missing"] == []
    values = ("reference", "name", "supplierName", "totalValue", "termStart", "termEnd")
    assert [str(found.get(name)) for name in values] == row.split(",")


def test_the_heading_of_the_day_goes_before_the_days_of_other_columns() -> None:
    header = "Ordered (DD/MM/YY),Delivered (MM/DD/YY),Supplier,Product,Price,Currency"
    table = f"{header}\n03/02/25,02/14/25,Acme,Key,2,EUR\n"
    _, [row] = look_at(table, "purchases", mapping={"purchase_date": "Ordered (DD/MM/YY)"})
    assert row["date"] == "2025-02-03"
