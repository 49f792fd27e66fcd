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
        " | عرض سعر | कोटेशन | ценова оферта | оферта | ponuda | ponudba | predračun | oferta | pasiūlymas"
        " | piedāvājums | hinnapakkumine | фискална понуда | surat penawaran"
    ),
    "invoice": (
        "faktura(?: vat)? | lasku | dodavatelska faktura | szamla | factura fiscala | e-fatura"
        " | fatura | τιμολογιο | счет-фактура | счет на оплату | рахунок-фактура | рахунок"
        " | [ご御]?請求書 | 发票 | 發票 | 세금계산서 | 거래명세서 | ใบแจ้งหนี้ | ใบกำกับภาษี"
        " | hoa don | invois | faktur | فاتورة | चालान | фактура | račun | saskaita faktūra | sąskaita"
        " | rēķins"
        " | arve | 账单 | 청구서 | nota de debito"
    ),
    "order": (
        "bestallning | inkopsorder | indkobsordre | bestilling | ostotilaus | tilaus | zamowienie"
        " | objednavka | megrendeles | comanda | siparis | παραγγελια | заказ | замовлення"
        " | 注文書 | 発注書 | 订单 | 采购订单 | 발주서 | 주문서 | don dat hang | surat pesanan"
        " | أمر شراء | поръчка | narudžbenica | narudžba | naročilnica | užsakymas | pasūtījums | tellimus"
        " | заказ поставщику | 订购单"
    ),
}
"""Titles by the kind of document."""

LEGAL_FORMS = (
    r"K\.K",
    r"KK",
    r"AB",
    r"HB",
    r"AS",
    r"ANS",
    r"A/S",
    r"ApS",
    r"I/S",
    r"Oy",
    r"Oyj",
    r"Ky",
    r"OY",
    r"OYJ",
    r"(?i:Sdn\.? ?Bhd)",
    r"(?i:sp\. ?z ?o\. ?o)",
    r"(?i:sp\. ?[kj])",
    r"S\.C",
    r"(?i:s\. ?r\. ?o)",
    r"a\. ?s",
    r"v\. ?o\. ?s",
    r"k\. ?s",
    r"(?i:Kft|Zrt|Nyrt)",
    r"Bt",
    r"S\.R\.L",
    r"S\.C\.S",
    r"(?i:d\. ?o\. ?o)",
    r"(?i:d\. ?d)",
    r"j\. ?d\. ?o\. ?o",
    r"(?i:Ltd\. ?Şti)",
    r"A\. ?Ş",
    r"AŞ",
    r"Α\. ?Ε",
    r"Ο\. ?Ε",
    r"Ε\. ?Ε",
    r"ΑΕ",
    r"Ε\.?Π\.?Ε",
    r"Ι\.?Κ\.?Ε",
    r"ΕООД",
    r"ЕООД",
    r"ООД",
    r"ЕАД",
    r"АД",
    r"ЕТ",
    r"OÜ",
    r"AS",
    r"UAB",
    r"SIA",
    r"Tbk",
    r"JSC",
    r"S\.A\. de C\.V",
    r"S\.A\.C",
    r"S\.A\.S",
    r"S\.A\.A",
    r"E\.I\.R\.L",
)
"""Legal forms behind the name of a company, without a full stop at the end."""

LEGAL_FORMS_BEFORE = (
    r"ООО",
    r"ОАО",
    r"ЗАО",
    r"ПАО",
    r"АО",
    r"ИП",
    r"НПП",
    r"ТОВ",
    r"ФОП",
    r"ПрАТ",
    r"PT\.?",
    r"CV\.?",
    r"UD\.?",
    r"(?i:Công ty)(?: (?:TNHH|Cổ phần|CP|TNHH MTV|CỔ PHẦN))?",
    r"شركة",
    r"مؤسسة",
    r"บริษัท",
    r"หจก\.",
    r"UAB",
    r"SIA",
    r"S\.C\.",
)
"""Legal forms before the name of a company."""

JOINED_LEGAL_FORMS = (
    "株式会社",
    "有限会社",
    "合同会社",
    "㈱",
    r"\(株\)",
    "有限公司",
    "有限责任公司",
    "股份公司",
    "集团公司",
    "集团",
    "주식회사",
    r"\(주\)",
    "㈜",
    "유한회사",
)
"""Legal forms that touch the name of a company, before or behind it."""

HONORIFICS = ("御中", "様", "殿", "귀하", "귀중", "sayın")
"""What is written behind the name of whom a letter is to, as printed."""

SUPPLIERS = (
    "sprzedawca | dostawca | wystawca | saljare | leverantor | saelger | sælger | leverandor"
    " | leverandør | selger | myyja | toimittaja | dodavatel | prodavajici | predavajuci | elado"
    " | szallito | furnizor | vanzator | satici | satıcı | tedarikci | προμηθευτης | πωλητης"
    " | продавец | поставщик | исполнитель | постачальник | продавець | виконавець | 供应商"
    " | 卖方 | 销售方 | 공급자 | 판매자 | ผู้ขาย | nha cung cap | ben ban | penjual | البائع"
    " | المورد | विक्रेता | wykonawca | zhotovitel | zhotoviteľ | ajánlatadó | beszállító | ofertant"
    " | teklif veren | доставчик | изпълнител | prodavatelj | prodavač | ponuditelj | ponuđač | dobavljač"
    " | izvođač | prodajalec | ponudnik | dobavitelj | tarjoaja | 発注先 | 仕入先 | 供方 | 报价单位"
    " | 報價單位"
    " | 공급업체 | 공급처 | đơn vị bán"
    " | bên bán | pemasok | leveranciers?naam | tiekėjas | pardavėjas | müüja | tarnija | pārdevējs"
)
"""Labels over who sells."""

BUYERS = (
    "nabywca | odbiorca | zamawiajacy | kupujacy | kopare | bestallare | kund | kober | køber"
    " | kunde | kjoper | kjøper | ostaja | asiakas | odberatel | kupujici | kupujuci | vevo"
    " | megrendelo | cumparator | alici | alıcı | musteri | sayin | sayın | πελατης | αγοραστης"
    " | покупатель | заказчик | покупець | замовник | платник | お客様 | 买方 | 购买方 | 客户"
    " | 고객명? | 공급받는자 | ผู้ซื้อ | ลูกค้า | khach hang | ben mua | pembeli | pelanggan"
    " | kepada(?: yth\\.?)? | العميل | المشتري | ग्राहक | klient | zákazník | objednatel | príjemca"
    " | objednávateľ | vásárló | részére | client | beneficiar | наручилац | клиент | получател | купувач"
    " | възложител | kupac | naručitelj | kupec | naročnik | vastaanottaja | tilaaja | 需方 | 買方 | 수신처"
    " | bên mua | người mua(?: hàng)? | kính gửi | pirkėjas | užsakovas | ostja | klient | pircējs"
)
"""Labels over who buys."""

WEAK_SUPPLIERS = "od | från | fra | από | от кого | от | від | 발신 | từ | dari | من | de la"
"""Words before who sells that say little by themselves."""

WEAK_BUYERS = (
    "dla | pro | pre | för | till | til | către | кому | до | για | προς | za | 致 | 수신 | tới | untuk"
    " | إلى | السادة"
)
"""Words before who buys that say little by themselves."""

NUMBER_LABELS = (
    "nummer | nr | nro | numer | numero | číslo | szám(?:a)? | sz | sorszám | număr | numara(?:sı)? | broj"
    " | br"
    " | αριθμός | αρ(?=\\.) | номер | 番号 | 编号 | 单号"
    " | 號碼 | 번호"
    " | รหัส | เลขที่ | nomor | رقم | क्रमांक | số (?=báo giá|hóa đơn|phiếu|chứng từ|hợp đồng)"
    " | č(?=\\.) | (?<=faktura )č | (?<=nabídka )č | (?<=objednávka )č"
    " | (?<=báo giá )số | (?<=hóa đơn )số | (?<=phiếu )số | số(?= ?:| ?$)"
)
"""What the number of a document is called by."""

DATES: Mapping[str, str] = {
    "document_date": (
        "data wystawienia | datum vystavení | dátum vystavenia | kelt(?:e)? | számla kelte | data emiterii"
        " | (?:fatura |teklif )?tarihi? | fakturadatum | offertdatum | fakturadato | tilbudsdato"
        " | laskun päivä"
        " | päiväys | päivämäärä | pvm | data sporządzenia | dátum | datum izdavanja | дата на издаване"
        " | ημερομηνία | дата | 発行日 | 請求日 | 見積日 | 日期 | 开票日期 | 작성일"
        " | 견적일자? | 발행일"
        " | ngày lập | tanggal | (?:ال)?تاريخ(?: الفاتورة)? | 日付 | 일자 | 작성일자 | ngày(?= ?:) | วันที่"
    ),
    "due": (
        "termin płatności | splatnost | datum splatnosti | dátum splatnosti | fizetési határidő | scadență"
        " | vade(?: tarihi)? | son ödeme tarihi | förfallodatum | forfaldsdato | forfallsdato | eräpäivä"
        " | λήξη"
        " | срок оплаты | оплатить до | сплатити до | お?支払い?期[限日] | 付款日期 | 납부기한"
        " | hạn thanh toán"
        " | jatuh tempo | تاريخ الاستحقاق"
    ),
    "valid_until": (
        "oferta ważna do | ważn[ae] do | platnost do | platná do | érvényes(?:ség)? | valabil(?:ă)? până la"
        " | geçerlilik(?: süresi| tarihi)? | giltigt? till(?: och med)? | gyldig til | voimassa"
        " | ισχύει έως"
        " | действительно до | дійсн[аи] до | 有効期限 | 有效期(?:至)? | 유효 ?기간 | có giá trị đến"
        " | berlaku (?:sampai|hingga) | валидн[аи] до | vrijedi do | veljavn?o? do | ajánlat érvényessége"
        " | valabilitate | hiệu lực đến | 유효일 | 견적유효일 | tilbuddet gælder til | son geçerlilik"
        " | صالح حتى"
        " | срок действия до | galioja iki | kehtib kuni"
    ),
    "other": (
        "data sprzedaży | datum uskutečnění | teslim tarihi | 納期 | 납기 | 交货期 | leveransdatum"
        " | leveringsdato"
    ),
}
"""Words before a date, by the field of `DateWords`."""

COLUMNS: Mapping[str, str] = {
    "position_alone": "lp | l\\.?p | stt | 번호 | 序号 | 項番 | sıra(?: no)? | p\\.?č | nr crt | α/α",
    "description": (
        "nazwa(?: towaru| usługi| produktu)?(?: lub usługi)? | popis | název | položka | označení | názov"
        " | megnevezés | leírás | denumire\\w* | descriere | açıklama | mal ?/? ?hizmet | ürün(?: adı)?"
        " | cinsi"
        " | benämning | beskrivning | beskrivelse | varenavn | kuvaus | tuote | nimike | περιγραφή | είδος"
        " | наименование\\w* | описание | товары? | найменування | опис | 品名 | 品目 | 項目(?!説明)"
        " | 内容 | 商品名"
        " | 名称 | 名稱 | 项目 | 품목(?!코드) | 품명 | 내역 | 항목(?!코드) | 제품명 | 상품명 | 부품명"
        " | 유닛명 | 명칭"
        " | รายการ | รายละเอียด | tên (?:hàng(?: hóa)?|sản phẩm|vật tư) | diễn giải | mô tả"
        " | nama barang | uraian"
        " | deskripsi | الوصف | البيان | الصنف | विवरण"
    ),
    "item_id": (
        "品番 | 型番 | 商品コード | 编码 | 항목코드 | 품목코드 | 품번 | stok kodu | ürün kodu"
        " | mã (?:hàng|sản phẩm|vật tư)"
        " | kode barang | артикул | kód | cikkszám | varenr | artikelnr | artnr | κωδικός"
    ),
    "quantity": (
        "ilość | množství | počet | množstvo | mennyiség | cantitate\\w* | miktar[ıi]? | adet | antal"
        " | antall | määrä"
        " | kpl | ποσότητα | количество | кол-во | кількість | 数量 | 數量 | 수량 | จำนวน(?!เงิน)"
        " | số lượng | sl"
        " | kuantitas | الكمية | العدد | मात्रा"
    ),
    "unit_alone": (
        "j\\.? ?m\\.? | jedn(?:ostka)?\\.?(?: miary)? | mj | jednotka | egység | birim | enhet | enhed"
        " | yksikkö | μ\\.?μ"
        " | ед\\.? ?изм\\.? | од\\.? ?вим\\.? | 単位 | 单位 | 單位 | 단위 | หน่วย | [dđ]vt"
        " | đơn vị(?: tính)? | satuan"
        " | الوحدة"
    ),
    "unit_price": (
        "cena jedn\\w*\\.?(?: netto)? | cena za (?:mj|kus|jednotku) | jednotková cena | egységár"
        " | preț(?:ul)? unitar"
        " | birim fiyat[ıi]? | à-?pris | enhetspris | enhedspris | stykpris | yksikköhinta | τιμή μονάδας"
        " | цена за ед\\w* | ціна за од\\w* | 単価 | 单价 | 單價 | (?<!제\\d)단가 | ราคา(?:ต่อ|/)?หน่วย"
        " | đơn giá"
        " | harga satuan | سعر الوحدة"
    ),
    "price": (
        "cena | preț | fiyat[ıi]? | pris | hinta | τιμή | цена | ціна | harga(?! satuan) | السعر | giá"
    ),
    "amount": (
        "wartość(?: netto| brutto)? | celkem | cena celkem | spolu | összesen | érték | valoare\\w*"
        " | tutar[ıi]? | toplam"
        " | belopp | summa | beløb | beløp | yhteensä | αξία | σύνολο | сумма | стоимость | сума"
        " | вартість | 金額 | 金额"
        " | 总价 | 合计 | 금액 | 합계 | 공급가액 | จำนวนเงิน | รวมเงิน | thành tiền | jumlah harga"
        " | المبلغ | الإجمالي"
    ),
    "discount": "iskonto | indirim | rabat | sleva | zľava | kedvezmény | скидка | знижка | 値引 | 할인",
    "tax": (
        "(?:stawka |kwota )vat | (?:sazba |výše )?dph | áfa | kdv"
        " | (?:moms|mva|alv)(?! ?-?(?:nr|reg|no)) | φπα | ндс | пдв | 税率 | 消費税"
        " | 税额 | 세액 | 부가세 | ppn"
    ),
    "ignored": (
        "備考 | 备注 | 비고 | 분류 | 제 ?\\d+ ?단가 | ghi chú | keterangan | poznámka | uwagi | примечание"
    ),
}
"""Words over the columns of tables, by the field of `ColumnWords`."""

TOTALS: Mapping[str, str] = {
    "tax": (
        "podatek vat | kwota vat | dph | áfa | (?:hesaplanan )?kdv | moms | mva | alv | φπα | ндс | пдв"
        " | 消費税"
        " | 税额 | 增值税 | 부가(?:가치)?세 | 세액 | thuế(?: gtgt| vat)? | ppn | ضريبة القيمة المضافة"
    ),
    "net": (
        "(?:razem|suma|wartość) netto | celkem bez dph | základ daně | nettó összesen | ara toplam"
        " | mal hizmet toplam tutar[ıi] | delsumma | delsum | välisumma | καθαρή αξία"
        " | (?:без|без учета) ндс | без пдв"
        " | 小計 | 税抜(?:合計|金額)? | 小计 | 소 ?계 | 공급가액 | cộng tiền hàng | tạm tính"
        " | المجموع الفرعي"
    ),
    "due": (
        "do zapłaty | k úhradě | na úhradu | fizetendő | total de plată | ödenecek(?: tutar)?"
        " | att betala | at betale"
        " | å betale | maksettava | πληρωτέο | к оплате | до сплати | ご請求金額 | 应付(?:金额)? | 청구금액"
    ),
    "gross": (
        "razem(?: brutto)? | suma(?: brutto)? | ogółem | wartość brutto | celkem | cena celkem | spolu"
        " | (?:bruttó )?összesen | végösszeg | (?:genel )?toplam | vergiler dahil toplam(?: tutar)?"
        " | totalt | summa"
        " | i alt | yhteensä | (?:γενικό )?σύνολο | итого | всего | всього | разом | загальна сум+а"
        " | (?:総)?合計(?:金額)?"
        " | 御?見積金額 | 税込(?:合計|金額)? | 合计 | 总计 | 總計 | 总金额 | 합 ?계(?: ?금 ?액)?"
        " | 총 ?계 | 총 ?액 | 견적금액"
        " | รวมทั้งสิ้น | tổng(?: cộng| tiền| số tiền)? | jumlah total | الإجمالي | المجموع"
    ),
}
"""Labels of sums, by the field of `TotalWords`."""


def fold_phrases(phrases: str) -> str:
    """A group of phrases, folded as the texts are that it is matched against."""
    return either(fold(phrases))
