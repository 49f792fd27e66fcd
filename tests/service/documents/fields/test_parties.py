"""Who sells and who buys, as letterheads, windows, labels and contracts say it."""

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.fields.parties import find_parties
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.typewriter import type_document


def block(
    texts: list[str], x: float = 60, top: float = 130, *, right: bool = False
) -> list[pdf_builder.Text]:
    return [pdf_builder.Text(x, top + 13 * number, text, right=right) for number, text in enumerate(texts)]


def read(*texts: pdf_builder.Text) -> Extraction:
    return read_document(pdf_builder.pdf(list(texts)), "page.pdf")


def parties(*texts: pdf_builder.Text) -> tuple[str | None, str | None]:
    extraction = read(*texts)
    return extraction.supplier, extraction.buyer


def test_whom_a_letter_is_addressed_to_does_not_sell() -> None:
    head = block(["Atelier Zonnebloem", "Oude Gracht 6", "8000 AA Zwolle"], x=540, top=50, right=True)
    window = block(["Molenaar Servies B.V.", "T.a.v. mevrouw Dekker", "Handelsweg 31", "7400 AB Deventer"])
    assert parties(*head, *window) == ("Atelier Zonnebloem", "Molenaar Servies B.V.")


def test_small_print_at_the_foot_is_nobodys_address() -> None:
    head = block(["Harbour Pharmacy Ltd", "9 Riverfront Avenue", "Leeds LS1 4AP"], top=50)
    foot = block(["Returns Desk", "12 Mill Lane", "Leeds LS2 7AA"], top=720)
    assert parties(*head, *foot) == ("Harbour Pharmacy Ltd", None)


def test_a_guest_is_billed_for_the_company_he_works_for() -> None:
    head = block(["The Larkspur Hotel", "9 Riverfront Avenue, Duluth, MN 55802"], top=50)
    window = block(["Mr. Amit Rao", "Quernstone Analytics LLC", "55 Lake Plaza", "Stowe, VT 05672"])
    assert parties(*head, *window) == ("The Larkspur Hotel", "Quernstone Analytics LLC")


def test_a_salutation_over_a_name_is_not_the_name() -> None:
    head = block(["Brunner Haustechnik GmbH", "Ziegelweg 3, 99000 Erfurt"], x=350, top=50)
    window = block(["Herrn", "Dr. Volker Amsel", "Steinplatz 17", "99000 Erfurt"])
    assert parties(*head, *window) == ("Brunner Haustechnik GmbH", "Dr. Volker Amsel")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("17a. CONTRACTOR/OFFEROR    18a. PAYMENT BY\nHigh Plains Supply LLC     Interior Center",
         ("High Plains Supply LLC", None)),
        ("METAL SERRA LTDA\n\nDESTINATÁRIO / REMETENTE\nNOME / RAZÃO SOCIAL     CNPJ / CPF\n"
         "AGRO PAMPA S.A.         98.765.432/0001-10", ("METAL SERRA LTDA", "AGRO PAMPA S.A.")),
        ("Supplier: Masar Trading Est.\nAddress: King Fahd Road, Riyadh\n\nCompany: Najd Foods Factory",
         ("Masar Trading Est.", "Najd Foods Factory")),
    ],
)  # fmt: skip
def test_boxes_and_captions_name_who_stands_below_or_beside(
    page: str, expected: tuple[str | None, str | None]
) -> None:
    document = type_document(page)
    read = find_parties(document.pages, document.rows, document.paragraphs, "order")
    assert (read.supplier, read.buyer) == expected


def test_the_buyer_writes_an_order_and_the_addressee_sells() -> None:
    head = [
        pdf_builder.Text(60, 50, "Helmrich Anlagenbau AG", size=16),
        pdf_builder.Text(330, 110, "Bestellung", size=13),
    ]
    sender = pdf_builder.Text(60, 115, "Helmrich Anlagenbau AG, Postfach 1200, 45000 Essen", size=7)
    window = block(["Firma", "Tegel Befestigungstechnik GmbH", "Am Hafen 9", "58000 Hagen"])
    delivery = pdf_builder.Text(60, 230, "Lieferanschrift: Werk Nord, Lagerweg 40, 45000 Essen")
    assert parties(*head, sender, *window, delivery) == (
        "Tegel Befestigungstechnik GmbH",
        "Helmrich Anlagenbau AG",
    )


def test_the_buyer_named_on_an_order_may_be_a_clerk() -> None:
    head = [
        pdf_builder.Text(60, 50, "Ridge Structures, Inc.", size=13),
        pdf_builder.Text(400, 50, "PURCHASE ORDER", size=16),
    ]
    clerk = [pdf_builder.Text(400, 90, "Buyer"), pdf_builder.Text(480, 90, "L. Voss")]
    vendor = block(["VENDOR", "Tolland Fastener Supply Co.", "210 Mill Ave", "Waterbury, CT 06799"], top=190)
    ship_to = block(["SHIP TO", "Ridge Structures, Inc.", "7 Loop Road", "Wichita, KS 67299"], x=310, top=190)
    assert parties(*head, *clerk, *vendor, *ship_to) == (
        "Tolland Fastener Supply Co.",
        "Ridge Structures, Inc.",
    )


def test_a_label_is_no_name_for_the_label_beside_it() -> None:
    head = block(["Bay Tool & Supply, Inc.", "660 Mill Blvd, Worcester, MA 01600"], x=390, top=50)
    credit = block(["Credit to:", "Nash Cabinet Works", "19 Sawmill Ln", "Stow, MA 01775"])
    number = [pdf_builder.Text(350, 130, "Credit Memo No."), pdf_builder.Text(480, 130, "CM-10448")]
    assert parties(*head, *credit, *number)[1] == "Nash Cabinet Works"


def test_a_contract_says_who_is_the_supplier_and_who_the_customer() -> None:
    clauses = [
        "THIS AGREEMENT (reference TS-AGR-0318) is dated 2 March 2026 and made between:",
        "(1) THISTLE SYSTEMS LTD, whose registered office is in Dundee (the “Supplier”); and",
        "(2) BRAEMUIR DISTRICT COUNCIL, of Council Offices, Inverurie (the “Customer”).",
    ]
    lines = [pdf_builder.Text(60, 100 + 30 * number, text) for number, text in enumerate(clauses)]
    assert parties(*lines) == ("THISTLE SYSTEMS LTD", "BRAEMUIR DISTRICT COUNCIL")


def test_a_contract_is_made_between_the_two() -> None:
    text = [
        "Between Coolmaroo Health Software Pty Ltd (ABN 00 441 877 203), 18 Bank Arcade, Geelong",
        "VIC 3220 (“Coolmaroo”) and Barwin Allied Partners Pty Ltd (ABN 00 118 330 447), 4 Court Road.",
    ]
    lines = [pdf_builder.Text(60, 130 + 14 * number, line, size=11) for number, line in enumerate(text)]
    assert parties(pdf_builder.Text(200, 78, "Subscription Agreement", size=16), *lines) == (
        "Coolmaroo Health Software Pty Ltd",
        "Barwin Allied Partners Pty Ltd",
    )


def test_a_headline_set_with_spaces_between_its_letters_is_words() -> None:
    title = "THE LARKSPUR HOTEL"
    letters = [
        pdf_builder.Text(180 + 12.5 * place, 50, letter, size=14)
        for place, letter in enumerate(title)
        if letter != " "
    ]
    address = pdf_builder.Text(180, 70, "901 Riverfront Avenue, Milwaukee, WI 53202")
    assert read(*letters, address).supplier == "THE LARKSPUR HOTEL"


def test_a_department_stands_above_the_buyer() -> None:
    head = block(["Copper Grounds Care LLC", "2280 Quarry Road", "Dayton, OH 45499"], top=50)
    bill_to = block(["BILL TO", "Accounts Payable", "Linden Retail Partners", "600 Linden Pkwy"], top=190)
    assert parties(*head, *bill_to) == ("Copper Grounds Care LLC", "Linden Retail Partners")


def test_a_legal_form_may_hang_on_the_trade() -> None:
    logo = pdf_builder.Text(60, 40, "AUTOTEILE WENDT", size=18)
    sender = pdf_builder.Text(60, 90, "Autoteile Wendt Vertriebs-GmbH, Lange Str. 88, 29000 Dorf", size=7)
    window = block(["Firma", "Kfz-Werkstatt Bollmann", "Dorfplatz 2", "29000 Berg"], top=110)
    assert parties(logo, sender, *window) == ("Autoteile Wendt Vertriebs-GmbH", "Kfz-Werkstatt Bollmann")


def test_what_stands_beside_a_label_is_no_name_when_it_is_a_field() -> None:
    head = pdf_builder.Text(60, 40, "Example Software B.V.")
    fields = [pdf_builder.Text(60, 110, "Voor"), pdf_builder.Text(300, 110, "Offertenummer VV-2025-061"),
              pdf_builder.Text(60, 123, "Stichting De Haven"),
              pdf_builder.Text(300, 123, "Datum 15-04-2025")]  # fmt: skip
    assert parties(head, *fields) == ("Example Software B.V.", "Stichting De Haven")


def test_a_name_over_its_registration_writes_the_letter() -> None:
    head = block(
        ["Solange Marchais", "Traductrice, 19 rue Haute, 69000 Lyon, SIRET 000 111 222 00014"], top=50
    )
    window = block(["Pompes Durand SAS", "Service documentation", "ZI Nord, 71000 Le Creusot"])
    assert parties(*head, *window) == ("Solange Marchais", "Pompes Durand SAS")


def test_a_bank_named_in_the_footer_does_not_sell() -> None:
    head = block(["Tischlerei Vossmann", "Meisterbetrieb seit 1961", "Esch 19, 49000 Ladbergen"], top=50)
    title = pdf_builder.Text(60, 200, "Anzahlungsrechnung", size=16)
    foot = pdf_builder.Text(60, 800, "Volksbank Nord, IBAN DE00 4036 1906 7001 9001 00")
    assert parties(*head, title, foot)[0] == "Tischlerei Vossmann"


def test_the_top_of_an_order_is_the_buyers_whatever_its_legal_form() -> None:
    head = block(["Zorgcentrum De Eik", "Parklaan 100, 5600 AB Eindhoven"], x=350, top=40)
    window = block(["MediPlus B.V.", "Verkoop Binnendienst", "Bolwerk 7", "3500 GK Utrecht"])
    title = pdf_builder.Text(60, 210, "Inkooporder", size=16)
    assert parties(*head, *window, title) == ("MediPlus B.V.", "Zorgcentrum De Eik")


def test_the_addressee_of_an_order_may_be_labelled_the_supplier() -> None:
    head = [
        pdf_builder.Text(60, 50, "Teehaus", size=16),
        *block(["Teehaus Example Versand KG", "Speicherstr. 21", "27000 Bremen"], top=66),
        pdf_builder.Text(430, 50, "Bestellung", size=16),
        pdf_builder.Text(60, 810, "Teehaus Example Versand KG"),
    ]
    window = block(["Lieferant", "Kartonagen Beispiel GmbH", "Abt. Vertrieb", "Zellweg 2", "31000 Hameln"])
    assert parties(*head, *window) == ("Kartonagen Beispiel GmbH", "Teehaus Example Versand KG")


def test_labels_of_both_parties_are_enough() -> None:
    document = type_document("Supplier: Paperbark Software Ltd\n\nCustomer: Mundarra Timber Pty Ltd")
    parties = find_parties(document.pages, document.rows, document.paragraphs)
    assert (parties.supplier, parties.buyer) == ("Paperbark Software Ltd", "Mundarra Timber Pty Ltd")
    assert parties.provenance["supplier"].verified


def test_the_words_over_a_table_are_no_company() -> None:
    table = b"description,quantity,unit price,amount\nSeats,10,5.00,50.00\nSupport,1,20.00,20.00\n"
    above = read_document(b"Supplier,Albright Digital\n\n" + table, "quote.csv")
    assert above.supplier == "Albright Digital"
    column = table.replace(b"\nS", b"\nAlbright Digital,S").replace(b"description", b"supplier,description")
    assert read_document(column, "quote.csv").supplier == "Albright Digital"


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("Renewal quotation RN-7 from Halden Analytics", "Halden Analytics"),
        ("Quote from Acme Harbour", "Acme Harbour"),
        ("Proposal by Castor Cloud", "Castor Cloud"),
        ("Invoice 77 from Dorn Office Supply", "Dorn Office Supply"),
        ("Angebot Nr. 7712 von Quillon Werke GmbH", "Quillon Werke GmbH"),
        ("Devis n° 88 de la part de Maison Lune", "Maison Lune"),
        ("Offerte 2026-11 van Noordzee Software", "Noordzee Software"),
        ("Preventivo n. 12 da Rossi Impianti", "Rossi Impianti"),
        # What follows is a day, or no name.
        ("Quote 12 from 3 March 2026", None),
        ("Invoice from March", None),
        ("Quotation Q-1 from our catalogue", None),
    ],
)
def test_a_title_may_say_who_wrote_it(title: str, named: str | None) -> None:
    table = f"{title}\nDate: 2026-11-22\n\nDescription,Quantity,Amount\nDesk,10,1200.00\nTotal,,1200.00\n"
    assert read_document(table.encode(), "quote.csv").supplier == named


@pytest.mark.parametrize(
    "page",
    [
        # As Odoo prints it: the seller beside the label of another address.
        "Lumen Bakery SA\nRue du Moulin 4\n1300 Wavre\n\nShipping address:                   Grainworks NV\n"
        "Lumen Bakery SA, Atelier Nord       Kaai 730\n1300 Wavre                          9000 Gent\n\n"
        "Purchase Order #P00012\n",
        "Purchase Order\n\nFrom:                   To:\nLumen Bakery Company    Grainworks NV\n"
        "9 Mill Pond Rd          1812 Levee St\nBangor, ME 04401        Greenville, MS 38701\n\n"
        "Ship All Items To       Bill To\nLumen Bakery Plant 2    Lumen Bakery Company AP\n",
    ],
)
def test_who_writes_an_order_stands_in_it_again_and_who_sells_once(page: str) -> None:
    document = type_document(page)
    read = find_parties(document.pages, document.rows, document.paragraphs, "order")
    assert read.supplier == "Grainworks NV"
    assert read.buyer is not None
    assert read.buyer.startswith("Lumen Bakery")


@pytest.mark.parametrize(
    ("page", "supplier"),
    [
        (
            "注文書\n\n山田製作所株式会社 御中\n\n                         東和工業株式会社\n",
            "山田製作所株式会社",
        ),
        (
            "采购合同\n甲方（买方）：杭州云栖科技有限公司\n乙方（卖方）：深圳市蓝海电子有限公司\n",
            "深圳市蓝海电子有限公司",
        ),
        (
            "ใบสั่งซื้อ\nบริษัท สยามก่อสร้าง จำกัด\nผู้ขาย     บริษัท ไทยสตีล จำกัด\n",
            "บริษัท ไทยสตีล จำกัด",
        ),
        (
            "Summit Dental Group\nPurchase Order PO 5518\nVendor: Lakeshore Uniforms, Barrie",
            "Lakeshore Uniforms",
        ),
        ("Spitalul Arad\nCOMANDĂ nr. 4417 / 11.11.2025\nCătre: Medsupply SRL, Timișoara", "Medsupply SRL"),
        ("Navjeevan Trust\nWORK ORDER\nTo,\nM/s Shree Electricals\nGIDC Nagar", "Shree Electricals"),
        ("Kemin Kartonki Oy\nBestilling\nTil: Fjell Regnskap AS\n", "Fjell Regnskap AS"),
    ],
)
def test_labels_and_titles_of_further_languages_tell_who_sells(page: str, supplier: str) -> None:
    document = type_document(page)
    read = find_parties(document.pages, document.rows, document.paragraphs, "order")
    assert read.supplier == supplier
    assert read.buyer != supplier


def test_an_order_that_names_who_sells_is_written_by_the_other() -> None:
    page = (
        "Deniz Temizlik Ltd. Şti.    PEDIDO\nAtatürk Cad. 14\n\n"
        "Tedarikçi Firma : Marmara Kimya A.Ş.    No : SF-0277"
    )
    document = type_document(page)
    read = find_parties(document.pages, document.rows, document.paragraphs, "order")
    assert (read.supplier, read.buyer) == ("Marmara Kimya A.Ş.", "Deniz Temizlik Ltd. Şti.")


def test_the_only_company_in_the_head_of_a_quote_sells_unless_it_buys() -> None:
    document = type_document(
        "御見積書\n北斗商事 御中                 見積番号 M-1\n            ミナト印刷株式会社\n"
    )
    read = find_parties(document.pages, document.rows, document.paragraphs, "quote")
    assert (read.supplier, read.buyer) == ("ミナト印刷株式会社", "北斗商事")


@pytest.mark.parametrize(
    ("title", "addressed", "expected"),
    [
        ("Ordine di acquisto n. 77", "Spett.le", ("Tipografia Moderna S.a.s.", "Teatro Nuovo")),
        ("Bon de commande", "", ("Tipografia Moderna S.a.s.", "Teatro Nuovo")),
        ("Preventivo n. 77", "Spett.le", ("Teatro Nuovo", "Tipografia Moderna S.a.s.")),
    ],
)
def test_whom_an_order_is_sent_to_sells(title: str, addressed: str, expected: tuple[str, str]) -> None:
    head = block(["Teatro Nuovo", "Piazza Verdi 1", "43121 Parma"], top=50)
    window = [addressed, "Tipografia Moderna S.a.s.", "Via Emilia 200", "42100 Reggio Emilia"]
    lines = block(["Descrizione          Quantità     Prezzo", "Manifesti     500     1,90"], top=340)
    assert (
        parties(*head, *block([one for one in window if one], x=340), *block([title], top=260), *lines)
        == expected
    )


def test_a_mail_that_orders_is_written_by_who_buys() -> None:
    mail = (
        "From: Gnosi School <info@gnosi.example>\nTo: Paper Trade Ltd <orders@paper.example>\n"
        "Subject: {title}\nDate: Mon, 15 Sep 2025 10:12:00 +0300\n\n"
        "- Paper A4, 40 packs x 3.90 € = 156.00 €\n- Markers, 80 x 1.90 € = 152.00 €\n\nTotal: 308.00 €\n"
    )
    order, quote = (
        read_document(mail.format(title=title).encode(), "mail.eml")
        for title in ("Purchase order", "Quotation")
    )
    assert (order.supplier, order.buyer) == ("Paper Trade Ltd", "Gnosi School")
    assert (quote.supplier, quote.buyer) == ("Gnosi School", "Paper Trade Ltd")


def test_who_registers_and_banks_at_the_foot_writes_to_the_window() -> None:
    window = block(["Lofoten Fiskemat AS", "Havnegata 2", "8300 Svolvær"], top=60)
    foot = "Fjell Regnskap AS · Storgata 88, 9008 Tromsø · Org.nr. 987 654 321 · Kontonr. 4750.12.34567"
    lines = block(["Tjeneste          Antall     Pris", "Regnskap     3     1,90"], top=240)
    page = [*window, *block(["FAKTURA"], top=200), *lines, *block([foot], top=480)]
    assert parties(*page) == ("Fjell Regnskap AS", "Lofoten Fiskemat AS")


@pytest.mark.parametrize(
    "sender",
    [
        "Dachdeckerei Wilms · Am Ring 4 · 47608 Geldern",
        "Bauunternehmung Thiele, Industriestr. 9, 39126 Magdeburg",
        "Menuiserie Le Goff - 4 rue du Port - 29200 Brest",
    ],
)
def test_who_stands_in_small_print_over_the_window_writes_to_who_stands_in_it(sender: str) -> None:
    small = [pdf_builder.Text(60, 118, sender, size=7)]
    window = block(["Kirchengemeinde St. Anna", "Kirchplatz 2", "47608 Geldern"])
    title = block(["Angebot 25-1044"], top=220)
    assert parties(*small, *window, *title) == (sender.split(" · ")[0].split(", ")[0].split(" - ")[0],
                                                "Kirchengemeinde St. Anna")  # fmt: skip


HEADLINE = [pdf_builder.Text(60, 50, "Prairie Municipal Light & Power", size=15)]
TOWN = block(["400 Main St", "Salina, KS 67401"], top=70)
BILLED = block(["Flatland Plastics LLC", "1200 Industrial Loop", "Salina, KS 67401"])


def test_who_heads_a_bill_in_large_letters_sells_to_the_company_below() -> None:
    bill = block(["Invoice", "Amount due 640.00"], top=240)
    assert parties(*HEADLINE, *TOWN, *BILLED, *bill) == (
        "Prairie Municipal Light & Power",
        "Flatland Plastics LLC",
    )


def test_a_company_below_a_headline_sells_where_it_registers() -> None:
    brand = [pdf_builder.Text(60, 50, "Papelaria Foz", size=15)]
    seller = block(["Lobo & Ramos, Lda", "Rua Nova 8", "4150-200 Porto"], top=70)
    foot = block(["Lobo & Ramos, Lda - NIF 500 100 200 - Capital social 5.000 EUR"], top=780)
    assert (
        parties(*brand, *seller, *block(["Fatura 12", "Total 640,00"], top=240), *foot)[0]
        == "Lobo & Ramos, Lda"
    )


@pytest.mark.parametrize(
    ("title", "sure"), [("Order 22/7", False), ("Order confirmation 22/7", True), ("Quote 22/7", True)]
)
def test_who_heads_an_order_may_have_written_it(title: str, sure: bool) -> None:
    head = ["Halden Construction Limited", "12 Dock Street, Hull HU1 3AB", "VAT No. GB 123 4567 89"]
    said = [
        title,
        "Date: 26 January 2026",
        "Works as agreed",
        "Yours sincerely",
        "Halden Construction Limited",
    ]
    extraction = read(*block(head, top=50), *block(said, top=200))
    assert extraction.supplier == "Halden Construction Limited"
    assert extraction.provenance["supplier"].verified is sure


def test_a_contractor_is_named_on_the_order_that_engages_it() -> None:
    head = block(
        ["Halden Construction Limited", "12 Dock Street, Hull HU1 3AB", "SUB-CONTRACT ORDER"], top=50
    )
    named = block(["Sub-Contractor: Northline Drylining Ltd", "Project: School"], top=200)
    assert parties(*head, *named) == ("Northline Drylining Ltd", "Halden Construction Limited")
