"""What is known of languages whose labels no rule reads: their commonest words and their numbers.

Their dates, which `app.service.values` knows, and spans of time are read, the model of sentences reads their
clauses, and sums and lines are found by geometry and arithmetic. Written as in `Lexicon`.
"""

from collections.abc import Mapping

from app.service.documents.lexicon.phrases import either
from app.service.values.folding import fold

COMMON_WORDS: Mapping[str, str] = {
    "pl": "i w z na do nie się od oraz jest za dla po lub cena ilość kwota faktura oferta data termin"
    " płatności dni miesięcy rok umowa netto brutto razem wartość klient nazwa vat suma zapłaty"
    " sprzedawca nabywca",
    "sv": "och att det som en är för med den av till på inte från om vi pris antal summa belopp faktura"
    " offert datum betalning moms dagar månader år kund avtalet ska exkl enligt gäller totalt benämning",
    "da": "og at det er en af for med til den på ikke fra vi pris antal beløb faktura tilbud dato betaling"
    " moms dage måneder år kunde aftalen skal ekskl efter gælder alt uden beskrivelse momsnr",
    "nb": "og å det er en av for med til den på ikke fra vi pris antall beløp faktura tilbud dato betaling"
    " mva dager måneder år kunde avtalen skal eks etter gjelder sum uten beskrivelse",
    "ja": "合計 小計 数量 単価 金額 品名 消費税 御見積書 見積書 請求書 注文書"
    " 発行日 有効期限 見積番号 請求番号 御中 税込 税抜 納期 備考 株式会社",
}
"""By the code of a language those that it is told by."""

NUMBERS: Mapping[int, str] = {
    1: "jednego | jednym | ett", 2: "dwa | dwoch | tva", 3: "trzy | trzech | tre",
    4: "cztery | fyra | fire", 5: "piec | pieciu | fem", 6: "szesc | szesciu | sex | seks",
    7: "siedem | siedmiu | sju | syv", 8: "atta | otte | atte", 9: "nio | ni",
    10: "dziesiec | dziesieciu | tio | ti", 12: "dwanascie | dwunastu | tolv",
    14: "czternascie | czternastu | fjorton | fjorten", 20: "dwadziescia | tjugo | tyve | tjue",
    24: "dwadziescia cztery | tjugofyra | fireogtyve | tjuefire",
    30: "trzydziesci | trzydziestu | trettio | tredive | tretti",
    36: "trzydziesci szesc | trettiosex | seksogtredive | trettiseks",
    60: "szescdziesiat | szescdziesieciu | sextio | seksti",
    90: "dziewiecdziesiat | dziewiecdziesieciu | nittio | halvfems | nitti",
}  # fmt: skip
"""Number words by their value, but those that mean something else in another language: `en`, `to`, `tres` are
words of many sentences."""

TITLES: Mapping[str, str] = {
    "price_list": (
        "prislista | prisliste | hinnasto | cennik | cenik | arlista | lista de preturi"
        " | fiyat listesi | τιμοκαταλογος | прайс-лист | прайс | 价格表 | 価格表 | 단가표"
        " | bang gia | daftar harga | قائمة الأسعار"
    ),
    "quote": (
        "offert | anbud | pristilbud | tilbud | tarjous | wycena | cenova nabidka | nabidka"
        " | cenova ponuka | arajanlat | ajanlat | oferta de pret | fiyat teklifi | teklif"
        " | προσφορα | коммерческое предложение | комерційна пропозиція | [お御]?見積書 | 报价单"
        " | 報價單 | 견적서 | ใบเสนอราคา | (?:phieu )?bao gia | penawaran(?: harga)? | عرض أسعار"
        " | عرض سعر | कोटेशन"
    ),
    "invoice": (
        "faktura(?: vat)? | lasku | dodavatelska faktura | szamla | factura fiscala | e-fatura"
        " | fatura | τιμολογιο | счет-фактура | счет на оплату | рахунок-фактура | рахунок"
        " | [ご御]?請求書 | 发票 | 發票 | 세금계산서 | 거래명세서 | ใบแจ้งหนี้ | ใบกำกับภาษี"
        " | hoa don | invois | فاتورة | चालान"
    ),
    "order": (
        "bestallning | inkopsorder | indkobsordre | bestilling | ostotilaus | tilaus | zamowienie"
        " | objednavka | megrendeles | comanda | siparis | παραγγελια | заказ | замовлення"
        " | 注文書 | 発注書 | 订单 | 采购订单 | 발주서 | 주문서 | don dat hang | surat pesanan"
        " | أمر شراء"
    ),
}
"""Titles by the kind of document."""

HONORIFICS = ("御中", "様", "殿", "귀하", "귀중", "sayın")
"""What is written behind the name of whom a letter is to, as printed."""

SUPPLIERS = (
    "sprzedawca | dostawca | wystawca | saljare | leverantor | saelger | sælger | leverandor"
    " | leverandør | selger | myyja | toimittaja | dodavatel | prodavajici | predavajuci | elado"
    " | szallito | furnizor | vanzator | satici | satıcı | tedarikci | προμηθευτης | πωλητης"
    " | продавец | поставщик | исполнитель | постачальник | продавець | виконавець | 供应商"
    " | 卖方 | 销售方 | 공급자 | 판매자 | ผู้ขาย | nha cung cap | ben ban | penjual | البائع"
    " | المورد | विक्रेता"
)
"""Labels over who sells."""

BUYERS = (
    "nabywca | odbiorca | zamawiajacy | kupujacy | kopare | bestallare | kund | kober | køber"
    " | kunde | kjoper | kjøper | ostaja | asiakas | odberatel | kupujici | kupujuci | vevo"
    " | megrendelo | cumparator | alici | alıcı | musteri | sayin | sayın | πελατης | αγοραστης"
    " | покупатель | заказчик | покупець | замовник | платник | お客様 | 买方 | 购买方 | 客户"
    " | 고객명? | 공급받는자 | ผู้ซื้อ | ลูกค้า | khach hang | ben mua | pembeli | pelanggan"
    " | kepada | العميل | المشتري | ग्राहक"
)
"""Labels over who buys."""


def fold_phrases(phrases: str) -> str:
    """A group of phrases, folded as the texts are that it is matched against."""
    return either(fold(phrases))
