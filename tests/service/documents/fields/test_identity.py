"""What a document is, by its title, its fields and what it asks for."""

import pytest

from app.service.documents.fields.identity import find_kind, find_number
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.typewriter import type_document


def kind(*texts: tuple[str, float]) -> str:
    lines = [
        pdf_builder.Text(60, 60 + 30 * number, text, size=size) for number, (text, size) in enumerate(texts)
    ]
    return read_document(pdf_builder.pdf(lines), "page.pdf").kind


def number(*texts: tuple[str, float]) -> str | None:
    lines = [
        pdf_builder.Text(60, 60 + 30 * order, text, size=size) for order, (text, size) in enumerate(texts)
    ]
    return read_document(pdf_builder.pdf(lines), "page.pdf").document_number


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("Adjustment Note", "credit_note"), ("CREDIT MEMO", "credit_note"), ("Kassabon", "invoice"),
        ("TICKET", "invoice"), ("DECLARATIE", "invoice"), ("Verlengingsofferte", "quote"),
        ("Contractformulier", "contract"), ("Tariff 2026", "price_list"), ("Bon de commande", "order"),
        ("Check #31877", "invoice"), ("KRYCÍ LIST NABÍDKY", "quote"), ("BOLETA DE HONORARIOS", "invoice"),
        ("2. Teilrechnung Nr. 25-0733", "invoice"),
    ],
)  # fmt: skip
def test_a_title_names_the_kind(title: str, named: str) -> None:
    assert kind((title, 14), ("Example Trading, 12 Harbour Street", 10)) == named


@pytest.mark.parametrize(
    ("texts", "renews"),
    [
        ([("Renewal Quote", 16)], True),
        ([("Verlängerungsangebot 2027", 16)], True),
        ([("Offre de renouvellement", 16)], True),
        ([("Preventivo di rinnovo", 16)], True),
        ([("Order Form", 16), ("Subscription renewal", 13)], True),
        ([("Quotation", 16), ("Order type: Renewal", 10)], True),
        ([("Vertragsart: Verlängerung", 10)], True),
        ([("Quotation", 16)], None),
        ([("Quotation", 16), ("Renewal date: 1 May 2027", 10)], None),
        ([("Quotation", 16), ("4. Automatic renewal", 13)], None),
        ([("Quotation", 16), ("Auto-renewal", 13)], None),
        ([("Quotation", 16), ("Terms: renewal by notice of both parties", 10)], None),
        ([("Renewable Energy Proposal", 16)], None),
        (
            [
                ("Invoice", 16),
                ("This quote is a renewal of your subscription as agreed in the past year.", 10),
            ],
            None,
        ),
    ],
)
def test_a_title_says_that_something_is_renewed(texts: list[tuple[str, float]], renews: bool | None) -> None:
    body = [("Example Trading, 12 Harbour Street", 10.0), ("10 seats of the desk at USD 5.00", 10.0)] * 2
    lines = [
        pdf_builder.Text(60, 60 + 30 * order, text, size=size)
        for order, (text, size) in enumerate([*texts, *body])
    ]
    assert read_document(pdf_builder.pdf(lines), "page.pdf").is_renewal is renews


def test_a_heading_far_below_the_title_is_none() -> None:
    clauses = [(f"Clause {number} of the offer", 10.0) for number in range(22)]
    assert kind(("PROPOSAL GM-1907", 10), *clauses, ("Agreement", 12)) == "quote"


def test_a_heading_of_a_table_is_no_title() -> None:
    page = "Ordine fornitore n. 771\nCodice   Descrizione   Q.tà   Listino   Importo"
    assert find_kind(type_document(page).rows) == "order"


def test_a_word_in_small_letters_is_no_abbreviated_title() -> None:
    assert kind(("Faktura pro forma nr PF/31/04/2025", 10), ("po", 10)) == "quote"
    assert kind(("PO 4711", 10), ("Example", 10)) == "order"


def test_the_contract_that_a_bill_is_based_on_is_no_title() -> None:
    page = type_document(
        "Договір          Без договору\nРахунок на оплату № 1187 від 14 березня 2025 р.\nТовар"
    )
    assert find_kind(page.rows) == "invoice"
    assert find_kind(type_document("Договір\n№ 12/25 від 14 березня 2025 р.").rows) == "contract"


def test_a_sentence_is_no_title() -> None:
    assert kind(("We hope you will find the above in order.", 10), ("Example", 10)) == "other"


def test_what_was_paid_for_is_a_receipt() -> None:
    assert kind(("Brackendale Stores", 14), ("TOTAL £23.87", 10), ("CHANGE £6.13", 10)) == "invoice"


def test_an_order_to_be_signed_by_a_day_is_the_sellers_form() -> None:
    assert kind(("Add-on order KO-70417", 14), ("Sign by: 31 December 2025", 10)) == "order_form"


def test_the_label_of_the_number_names_the_kind_where_no_title_does() -> None:
    assert find_kind(type_document("Proposal: P-7781").rows) == "quote"


def test_the_number_of_the_customer_is_not_the_documents() -> None:
    document = type_document("Customer no: 88120\n\nInvoice no: 20447")
    found = find_number(document.rows, document.sentences, "invoice")
    assert found is not None
    assert found[0] == "20447"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("Sales Order\n#SO-4471\n\nTerms      PO #       Rep\nCash       RL-2207    Frost", "SO-4471"),
        ("PURCHASE ORDER - CHANGE 2\n\nPO 7700418      Date 2025-05-28      Buyer: Lena Fox", "7700418"),
        ("No. Q-80429\n\nINVOICE      P.O. 4500048968", "Q-80429"),
        ("PROFORMA INVOICE\n\nPI No.: BL20250416A      Date: Apr.16,2025", "BL20250416A"),
        ("ORDER FOR SUPPLIES\n2. CONTRACT NO.     3. DATE         4. ORDER NUMBER\n"
         "GS-07F-0123X        03/21/2025      140P2125F0044", "140P2125F0044"),
        ("Saimaan Oy      LASKU\nY-tunnus 1234567-8\nLaskun numero      10558", "10558"),
        ("Firma s.r.o.    FAKTURA\nIČO 12345678\nČíslo faktury      10558", "10558"),
        ("Invoice\nVAT Invoice Number:     88120471", "88120471"),
        ("御見積書\n見積番号：K-2231", "K-2231"),
        ("FAKTURA\nSerija KLP Nr. 0123\nPVM kodas LT123456789", "KLP 0123"),
        ("FACTURA\nC.I.F.: RO12345678\nSeria: MTB Număr: 0342", "MTB 0342"),
        ("FAKTURA - DAŇOVÝ DOKLAD č. 250100034\nObjednávka č.: 25-77", "250100034"),
        ("Standard Purchase Order\nOrder      1002345\nRevision   0", "1002345"),
        ("Order confirmation\n[Order #2210] (May 5, 2025)", "2210"),
        ("Orçamento\nRua da Boavista 12, 4050-174 Porto\nRef.ª P-25/061", "P-25/061"),
        ("NOTA FISCAL\nNúmero da Nota\n00004417\nRua B 1 - CEP: 14790-000", "00004417"),
        ("Děkujeme za objednávku č. 2025100871 ze dne 2. 10. 2025", "2025100871"),
        ("Ordrebekræftelse\nOrdrenr.    50217", "50217"),
        ("P.O. Box 4412\nQuotation\nRef:      KF-Q-17", "KF-Q-17"),
        ("ΤΙΜΟΛΟΓΙΟ ΠΩΛΗΣΗΣ\nΣειρά Β Αρ. 152", "Β 152"),
    ],
)  # fmt: skip
def test_the_number_of_who_answers_and_of_a_numbered_box(page: str, expected: str) -> None:
    rows = type_document(page).rows
    found = find_number(rows, [], find_kind(rows))
    assert found is not None
    assert found[0] == expected


@pytest.mark.parametrize(
    "registration",
    ["(48213-K)", "48213-K", "Company Reg #01048213-T", "Reg. No: 48213-K", "No: G3,Block G, Lane 3"],
)
def test_a_registration_or_an_address_is_no_number_of_the_document(registration: str) -> None:
    head = [("Harbour Hardware Sdn Bhd", 12.0), (registration, 10.0), ("Petaling Jaya", 10.0)]
    assert number(*head, ("TAX INVOICE", 12.0)) is None
    assert number(*head, ("TAX INVOICE", 12.0), ("No. CS00233394", 10.0)) == "CS00233394"


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Faktura VAT nr FV/12/2025", "invoice"),
        ("Offert", "quote"),
        ("BÁO GIÁ", "quote"),
        ("御見積書", "quote"),
        ("견적서", "quote"),
        ("견 적 내 역 서", "quote"),
        ("Λογαριασμός ρεύματος", "invoice"),
        ("Коммерческое предложение", "quote"),
        ("FİYAT TEKLİFİ", "quote"),
        ("Objednávka", "order"),
        ("Számla", "invoice"),
        ("Τιμολόγιο", "invoice"),
        ("采购合同", "contract"),
        ("BAIL COMMERCIAL", "contract"),
        ("Smlouva o dílo", "contract"),
        ("ใบสั่งซื้อ", "order"),
        ("領収書", "invoice"),
        ("YEMEK HİZMETİ TEKLİFİ", "quote"),
        ("Serviceaftale", "contract"),
        ("Rahmenvereinbarung", "contract"),
        ("Zahlung nach Vereinbarung", "other"),
        ("Po dohodě s vedením nabízíme 2 000 ks", "other"),
        ("From: Karya Boga <order@karyaboga.example>", "other"),
        ("Below is the program, our quote # GT-26-107", "quote"),
        ("BID FORM", "quote"),
    ],
)
def test_titles_of_further_languages_tell_the_kind(title: str, kind: str) -> None:
    assert find_kind(type_document(f"{title}\nExample").rows) == kind


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("Invoice Number   208", "208"),
        ("Offertenummer:   07", "07"),
        ("Quote no. #37", "37"),
        ("Page   3", None),
    ],
)
def test_a_short_number_is_one_behind_the_label_of_the_document(label: str, number: str | None) -> None:
    document = type_document(f"Example\n{label}\nSeats   5   9.00")
    found = find_number(document.rows, document.sentences, "invoice" if "Invoice" in label else "quote")
    assert (found[0] if found else None) == number


@pytest.mark.parametrize("label", ["Numéro de devis", "Référence du devis", "Quote no"])
def test_a_short_number_is_one_whichever_way_its_label_names_the_document(label: str) -> None:
    page = [pdf_builder.Text(60, 50, "Atelier Larche"), pdf_builder.Text(60, 80, f"{label} : 271")]
    assert read_document(pdf_builder.pdf(page), "page.pdf").document_number == "271"


@pytest.mark.parametrize(
    ("texts", "stated"),
    [
        (["Invoice", "NO. 57"], "57"),
        (["Presupuesto: 318"], "318"),
        (["Invoice No. 145 of April 30, 2025", "Example"], "145"),
        (["Subject: Purchase order # 21", "Example"], "21"),
        (["Quote no. 5% lower", "Example"], None),
        (["Preventivo n. 12 del 20/10/2025"], "12"),
        (["Orçamento 554"], "554"),
        (["Quote #12", "Example Trading Ltd"], "12"),
        (["Quotation", "Quotation no: Hillside College 412"], "412"),
        (["Purchase Order", "P.O.: 2087"], "2087"),
        (["Invoice", "Quote no. Q-4711", "Invoice no. 017/2024"], "017/2024"),
        (["Estimate", "Copper Kettle Roofing", "705-555-0148 705-555-0199"], None),
        (["Invoice", "No. of boxes: 12"], None),
    ],
)
def test_a_number_may_be_short_and_is_no_phone_number(texts: list[str], stated: str | None) -> None:
    assert number(*((text, 12.0) for text in texts)) == stated


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("Objednávka č.: 24/0457\nDatum: 18. března 2024", "24/0457"),
        ("Ponuda\nBroj : 1042\nDatum : 17.06.2024", "1042"),
        ("Оферта\n№        Дата\n1042     26.09.2023", "1042"),
        ("Wycena Xyz OF/2024/03/17", "OF/2024/03/17"),
        ("Báo giá\n1250-142 Lisboa", None),
        ("Счет на оплату № 57 от 14 марта 2025 г.", "57"),
        ("Вих. № 214 від 09.09.2025\nКомерційна пропозиція", "214"),
        ("御見積書\n契約番号：PO-25071", "PO-25071"),
        ("कोटेशन\nकोटेशन संख्या: SGE/25-26/41", "SGE/25-26/41"),
        ("Piedāvājums\nBrīvības iela 9, Rīga, LV-1001", None),
        ("견적서\n등록번호 120-81-23456", None),
        ("Ponuda\nKocke, drvene\nŠifra: IG-2201", None),
    ],
)
def test_a_number_stands_at_the_title_whatever_it_is_called(page: str, expected: str | None) -> None:
    rows = type_document(page).rows
    found = find_number(rows, [], "quote")
    assert (found and found[0]) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((("COTIZACIÓN N° 1043", 14), ("Maderas del Sur Limitada", 10)), "1043"),
        ((("Parcella n. 77/2025", 14), ("Studio Verdi", 10)), "77/2025"),
        ((("Avviso di parcella PF 12/2025 del 18/09/2025", 14), ("Arch. Conti", 10)), "PF 12/2025"),
        ((("Note d'honoraires NH 25-031", 14), ("Atelier Morel", 10)), "NH 25-031"),
        ((("Offer of 2024-117", 14), ("Example Ltd", 10)), "2024-117"),
        ((("Presupuesto", 14), ("VALOR TOTAL COTIZACIÓN 2303007", 10)), None),
    ],
)
def test_a_number_stands_behind_every_title_that_names_a_kind(
    texts: tuple[tuple[str, float], ...], expected: str | None
) -> None:
    assert number(*texts) == expected


@pytest.mark.parametrize(
    ("title", "expected"), [("Акт № 145 от 30 апреля 2025 г.", "145"), ("Замовлення № 215", "215")]
)
def test_a_short_number_stands_behind_a_title_with_the_word_number(title: str, expected: str) -> None:
    document = type_document(f"{title}\nExample\nSeats   5   9.00")
    found = find_number(document.rows, document.sentences, find_kind(document.rows))
    assert found is not None
    assert found[0] == expected


def test_a_label_with_the_word_number_goes_before_a_title_alone() -> None:
    document = type_document("""
        TAX INVOICE          Invoice Date
                             31 Oct 2025
        Strata Plan 44120    Invoice Number
        c/- Coast Strata     INV-3071
    """)
    found = find_number(document.rows, document.sentences, "invoice")
    assert found is not None
    assert found[0] == "INV-3071"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("INVOICE\n8. No. & Date of invoice    9. Remarks\n2026-GLY-004   FEB. 09, 2026", "2026-GLY-004"),
        ("FACTURA\nSerie: A Folio: 3311\nFolio fiscal: 5C1D2E44-77A0-4C1B-9E11-", "A 3311"),
        ("ΠΡΟΣΦΟΡΑ Νο 214\nΗμερομηνία: 12/03/2025", "214"),
        ("注文請書\n請書番号 UK-25-0091\nご注文番号 P-77120", "UK-25-0091"),
        ("Fattura\nNumero documento    Data documento\n218/A               31-07-2025", "218/A"),
        ("INVOICE\nInvoice No.    ANG/INV/25-\n               0612", "ANG/INV/25-0612"),
        ("INVOICE\nInvoice No.\nANG/INV/25-\n0612", "ANG/INV/25-0612"),
        ("FREIGHT BILL / INVOICE\nPRO NO. 417-882301\n\nINVOICE DATE 02/21/25", "417-882301"),
        ("ESTIMATE\nPrepared for:\nDana Ortega    Est. #    25-0317", "25-0317"),
        ("QUOTATION\nQtn. No.: VSS/24-25/611", "VSS/24-25/611"),
        ("Fattura\nNumero       Data\ndocumento    documento\n218/A        31-07-2025", "218/A"),
        ("HÓA ĐƠN\nSố (No.): 00000672", "00000672"),
        ("FATURË TATIMORE\nNIPT: L41807722K\nNr. i faturës: 318/2025", "318/2025"),
        ("FACTURE PROFORMA N°0093/06/25", "0093/06/25"),
        ("HÓA ĐƠN\nSố / No.: 00000672", "00000672"),
        ("OFERTĂ COMERCIALĂ nr. 88 din 04.04.2025", "88"),
        ("INVOICE\nPAYMENT BY     Portal\nNET 30\nInvoice number: K-77", "K-77"),
    ],
)
def test_a_number_stands_behind_or_below_what_forms_call_it(page: str, expected: str) -> None:
    document = type_document(page)
    found = find_number(document.rows, document.sentences, find_kind(document.rows))
    assert found is not None
    assert found[0] == expected


def test_a_registration_is_no_number_of_a_document_whose_title_is_a_compound() -> None:
    rows = type_document("Modulbod AB\nOrg.nr 556712-4410\nHYRESOFFERT 25-1184").rows
    assert find_kind(rows) == "quote"
    found = find_number(rows, (), "quote")
    assert found
    assert found[0] == "25-1184"


@pytest.mark.parametrize(
    "page",
    [
        "Contract   until now    new\nV-2201     89.00 EUR    94.50 EUR\nV-2202     5.60 EUR     5.95 EUR",
        "Seller sells and Buyer buys one new Model XR dryer with serial\nno. 40118, and two elevators.",
        "Snow clearing for the season 2025-2026",
        "FACTURA CFDI 4.0 - Ingreso",
        "Buyer buys of the Seller one (1) Model GR-400 grain dryer, as it stands in his yard.",
    ],
    ids=[
        "a column of contracts",
        "a sentence that goes on",
        "a season",
        "a version",
        "a thing that a sentence tells of",
    ],
)
def test_what_is_numbered_otherwise_is_no_number_of_the_document(page: str) -> None:
    document = type_document(page)
    assert find_number(document.rows, document.sentences, "contract") is None


def test_a_code_that_each_row_repeats_is_the_number_of_the_document() -> None:
    page = "Order no.     Item     Price\nPO-77120      Valve    12.00\nPO-77120      Pump     90.00"
    assert find_number(type_document(page).rows, [], "order") is not None


@pytest.mark.parametrize(
    ("page", "named"),
    [("Betreft: offerte O25-0932\n\nOvereenkomst voor 3 jaar", "quote"),
     ("Ödeme: fatura tarihinden itibaren 45 gün", "other"),
     ("Payment: 30 days from the invoice date", "other")],
)  # fmt: skip
def test_a_subject_names_the_kind_and_terms_of_payment_do_not(page: str, named: str) -> None:
    assert find_kind(type_document(page).rows) == named


def test_a_number_ends_a_long_title() -> None:
    page = "CONTRATO DE LOCAÇÃO DE IMPRESSORAS Nº 044/2026\n\nLocadora: PrintMax Ltda"
    assert read_document(page.encode(), "contrato.txt").document_number == "044/2026"
