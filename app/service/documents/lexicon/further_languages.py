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
    "fi": "ja on ei tai ole että hinta määrä yhteensä lasku tarjous päiväys alv veroton summa maksuehto kpl"
    " toimitus asiakas toimittaja kuvaus yksikkö",
    "cs": "a v na je se do za pro od s cena množství počet celkem faktura nabídka datum dph sleva doprava"
    " splatnost odběratel dodavatel popis kč ks",
    "sk": "a v na je sa do za pre od s cena množstvo počet spolu faktúra ponuka dátum dph zľava doprava"
    " splatnosť odberateľ dodávateľ popis ks",
    "hu": "és a az egy nem hogy is ár egységár mennyiség összesen számla ajánlat árajánlat kelt áfa nettó"
    " bruttó fizetési határidő vevő eladó szállító megnevezés ft db",
    "ro": "și de la în cu pentru nu este preț cantitate valoare total factură ofertă data tva plată client"
    " furnizor denumire lei buc",
    "tr": "ve bir bu için ile fiyat miktar adet tutar toplam fatura teklif tarih kdv genel ara ödeme müşteri"
    " açıklama birim sayın",
    "hr": "i u na je se za od s cijena količina iznos ukupno račun ponuda datum pdv popust dostava kupac"
    " prodavatelj opis kom",
    "vi": "và của các là cho không giá số lượng đơn tiền tổng cộng ngày thuế hóa báo kính gửi khách hàng",
    "id": "dan di yang untuk dari dengan tidak harga jumlah satuan faktur penawaran tanggal ppn kepada"
    " pembayaran barang uraian hari",
    "ru": "и в на не с по для от или цена количество сумма итого счет дата ндс оплата покупатель поставщик"
    " наименование скидка доставка всего кол-во",
    "uk": "і в на не з по для від або та ціна кількість сума разом рахунок дата пдв оплата покупець"
    " постачальник найменування знижка всього",
    "sr": "и у на је са по за од или цена количина износ укупно рачун понуда датум пдв купац продавац назив"
    " опис попуст",
    "mk": "и во на не со по за од или цена количина износ вкупно фактура понуда датум ддв купувач продавач"
    " опис",
    "bg": "и в на не с по за от или цена количество сума общо фактура оферта дата ддс плащане клиент"
    " доставчик описание отстъпка",
    "zh": "合计 小计 数量 单价 金额 名称 增值税 报价单 发票 采购订单 日期 编号 单位 总计 税额"
    " 報價單 數量 單價 總計 營業稅 項次 單位 名稱 採購單 發票 統一編號",
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
        "prislista | prisliste | hinnasto | cennik | cenik | arlista | lista de preturi | fiyat listesi"
        " | τιμοκαταλογος | прайс-лист | прайс | 价格表 | 価格表 | 단가표 | bang gia | daftar harga"
        " | قائمة الأسعار"
    ),
    "quote": (
        "پیش ?فاکتور | \\w*offert | anbud | deviz(?: ofertă)? | \\w*tilbud | \\w*tarjous | wycena"
        " | cenova nabidka | (?:kryci list )?nabidk[ay] | felolvasólap"
        " | formularz ofertowy | prisoverslag | computo metrico(?: estimativo)?"
        " | kosztorys(?: ofertowy)? | cenova ponuka | \\w*ajanlat"
        " | ofert[ăa](?: de pret| comercial[ăa]) | teklif(?:i(?:miz)?)? | προσφορας?"
        " | коммерческое предложение | комерційна пропозиція | [お御]? ?見 ?積 ?(?:書|り)"
        " | 报 ?价(?: ?单)?(?!单位) | 報價單 | 견 ?적(?: ?(?:내 ?역 ?)?서)?(?! ?(?:번호|금액|일|유효|조건))"
        " | ใบเสนอราคา | (?:phieu )?bao gia"
        " | penawaran(?: harga)? | عرض أسعار | הצעת מחיר | عرض سعر | कोटेशन | ценова оферта | оферта | ponuda"
        " | ponudba | predračun | oferta | pasiūlymas | piedāvājums | (?:hinna)?pakkum(?:ine|us) | понуда"
        " | предрачун | профактура | surat penawaran | sebut ?harga | tilboð(?:ið)? | գնային առաջարկ"
    ),
    "invoice": (
        "faktura(?: vat)? | díjbekérő | lasku | dodavatelska faktura | szamla | factura fiscala | e-fatura"
        " | fatura | τιμολογιο | λογαριασμος | παραστατικο | счет-фактура | счет на оплату"
        " | рахунок-фактура | рахунок"
        " | [ご御]? ?請 ?求 ?書 | 发票 | 發票 | 세금계산서 | 거래명세서 | ใบแจ้งหนี้ | ใบกำกับภาษี | hoa don"
        " | invois | faktur | חשבונית(?: מס)? | فاتورة | चालान | фактура | račun | saskaita faktūra"
        " | sąskaita | rēķins | arve | 账单 | 청구서 | nota de debito | рачун"
        " | (?:preču )?pavadzīme(?: ?- ?rēķins)? | рахунок на оплату | счет(?= ?#) | акт(?= ?#) | صورت ?حساب"
        " | فاکتور | ანგარიშ-ფაქტურა | fatur[eë](?: tatimore)? | reikningur | hesab-faktura"
        " | հաշիվ(?:-ապրանքագիր)? | (?:товарно-транспортная|товарная|видаткова) (?:накладная|накладна)"
        " | универсальный передаточный документ | (?:hyres)?avi | opkrævning | нэхэмжлэх"
        " | 領 ?収 ?[書証] | 영수증 | 收[据據] | bien lai | kuitti | kvitto | kvittering | nyugta | chitanta"
        " | kwitansi | makbuzu? | αποδειξη | קבלה | إيصال | квитанция"
    ),
    "order": (
        "ordre(?= ?n(?:r|ummer)) | bestallning | inkopsorder | indkøbsordre | bestilling | ostotilaus"
        " | tilaus | zamowienie | objednávk[auy] | megrendel[eo](?:s|lap) | comanda | siparis | παραγγελια"
        " | заказ | замовлення | 注 ?文 ?書 | 発 ?注 ?書 | 订单 | 采购订单 | 발 ?주 ?서 | 주 ?문 ?서"
        " | (?:don|phieu) dat hang | הזמנת רכש | surat pesanan | أمر شراء | поръчка | narudžbenica"
        " | narudžb[aeiu]"
        " | naročilnica | užsakymas | pasūtījums | tellimus | заказ поставщику | 订购单 | ใบสั่งซื้อ"
        " | سفارش خرید"
    ),
    "contract": (
        "договор | договір | спецификация | (?:采购|购销|销售|服务)?合同 | (?:採購|買賣)?合約 | 契約書"
        " | 계약서 | 단가 ?계약 | hợp đồng | umowa | smlouva | zmluva | szerződés | sözleşme"
        " | \\w*a[fv]tale | \\w+avtal | \\w*sopimus | perjanjian | عقد | अनुबंध | σύμβαση"
        " | ugovor | pogodba | sutartis | līgums"
        " | leping | قرارداد | ხელშეკრულება | պայմանագիր | samningur | kontratë"
    ),
}
"""Titles by the kind of document."""

ANSWERS = (
    "ordrebekræftelse | ordrebekreftelse | orderbekräftelse | tilausvahvistus | potwierdzenie zamówienia"
    " | potvrzení objednávky | potvrdenie objednávky | rendelés visszaigazolás\\w* | confirmare comandă"
    " | sipariş onayı | επιβεβαίωση παραγγελίας | подтверждение заказа | 注文請書 | 订单确认"
)
"""Titles of the seller's answer to an order, which is an order too."""

PACKING_LISTS = (
    "packing list | packing slip | delivery note | packliste | lieferschein | liste de colisage"
    " | bon de livraison | lista de empaque | paklijst | pakbon | distinta di imballaggio"
    " | romaneio(?: de carga)? | 装箱单 | 裝箱單 | 包装明細書?"
)
"""Titles of lists of what is packed or delivered, which state no prices of their own."""

CHANGE_FROM = "von | van | from | de | du | da | z | ze | från | fra | с | з"
CHANGE_TO = "to | auf | naar | à | a | para | na | till | til | do | до"
SURE_CHANGE = "auf | naar | para | na"
"""Words before an old price and the new one, and those of the second that never stand between the ends of a
range."""

CENTS = (
    "cts | ct | cents? | ps | paisas? | paise | fils | فلس | هللة | قرش | grosze | gr | hal(?:ere)? | h"
    " | bani? | øre | öre | kop | коп | стот | ст | centimes | c\\. ?mes | centavos | centimos | sen | pf"
    " | rappen | rp"
)
"""Headers of the column in which forms hold the hundredths of the amounts beside it."""

HOLDING = (
    "zawier | obejmuj | obsahuj | zahrnuj | innehall | inkluder | sisalta | tartalmazz | cuprind | περιλαμβαν"
    " | содерж | включа | включен | містять | sadrz | ukljucuj | в том числе | у тому числі"
)
"""Beginnings of words that say of prices what is in them."""

CREDIT_NOTES = (
    "kreditnota | kreditnote | kreditnot | kreditfaktura | creditnote | faktura korygujaca | hyvityslasku"
    " | dobropis | nota de credit(?:are)? | factura storno | jovairo szamla | storno szamla"
    " | pistotiko timologio | πιστωτικο τιμολογιο | korekta faktury | opravny danovy doklad | odobrenje"
    " | iade faturasi | iade faturası | returfaktura | кредит-?нота | корректировочныи счет-фактура | 赤伝票"
    " | 返品伝票 | 贷项通知单 | 红字发票"
)
"""Titles of credit notes."""

OF_ANOTHER = "vedr | vedrørende | avser | gjelder | do | k | na podstawie | pentru | ilgili | к | до"
"""Words before the title of another document, which it is about."""

NUMBER_LABELS = (
    "variabiln[íý] symbol | nummer | nr | nro | numer | numero | číslo | szám(?:a)? | sz | sorszám | număr"
    " | numara(?:sı)? | broj | br | αριθμός | αρ(?=\\.) | номер | 番号 | 编号 | 单号 | 号 | 號 | 號碼 | 번호"
    " | รหัส | เลขที่ | nomor | رقم | شماره | क्रमांक | νο | αρ"
    " | số (?=báo giá|hóa đơn|phiếu|chứng từ|hợp đồng)"
    " | [ご御お]?(?:見積|請求|伝票|[受発]?注文?請?|請|契約|納品|文書|管理)書?番号"
    " | (?:发票|合同|订单|报价单?|采购单?|单据)(?:号码?|编号) | (?:報價|訂單|採購|合約|發票)單?(?:編號|號碼?)"
    " | संख्या | מס' | מספר | (?:исх|вих)\\.? ?#? | (?:견적|문서|발주|주문|계약|청구|거래) ?번호 | č(?=\\.)"
    " | (?<=faktura )č | (?<=nabídka )č | (?<=objednávk[auy] )č | (?<=báo giá )số | (?<=hóa đơn )số"
    " | (?<=phiếu )số | ნომერი | համար | серия | nombor | numri | številka | št(?=\\.) | nömrə(?:si)?"
    " | số(?= ?[:/]| ?$| ?\\() | avin(?:umme)?r"
)
"""What the number of a document is called by."""

OWN_NUMBERS = "nr\\.? i fatures | (?:kode dan )?nomor seri faktur pajak | رقم ال(?:فاتورة|عرض|طلب|عقد)"
"""What the number of a document alone is called by."""

SERIES = "seria | serija | série | series | σειρά"
"""What the letters before the number of a document are called by: `Seria CSF nr. 12`."""

WEAK_DATES = ("від", "от", "dne", "ngay", "den")
"""Prepositions before a date, folded."""

BETWEEN_DAYS = (
    "do | till(?: och med)? | til(?: og med)? | den | đến(?: ngày)? | s\\.?/?d\\.? | sampai(?: dengan)?"
    " | hingga | ile | p[aâ]n[aă] la | по | до | έως | μέχρι | ถึง | עד | إلى | iki | līdz | kuni | から | 至"
)
"""Words between the first and the last day of a period."""

DAY_OF_MONTH = "day of | dias? (?:do|del)(?: mes de)? | del mese di | tag des monats"
"""Words between a day and its month in contracts: `this 7th day of May, 2024`."""

MONTH_BETWEEN, YEAR_BETWEEN = "tháng", "năm"
"""Words between the numbers of a date: `ngày 7 tháng 5 năm 2024`."""

DATES: Mapping[str, str] = {
    "document_date": (
        "data wystawienia | datum vystavení | dátum vystavenia | kelt(?:e)? | számla kelte | data emiterii"
        " | (?:fatura |teklif )?tarihi? | fakturadatum | offertdatum | fakturadato | tilbudsdato"
        " | laskun päivä | päiväys | päivämäärä | pvm | data sporządzenia | dátum | datum izdavanja"
        " | дата на издаване | dato | від | от | dne | ngày | ημερομηνία | дата | 発行日 | 請求日 | 見積日"
        " | 日期 | 开票日期 | 작성일 | 견적일자? | 발행일 | ngày lập | tanggal | (?:ال)?تاريخ(?: الفاتورة)?"
        " | تاریخ | 日付 | 일자 | 작성일자 | ngày(?= ?:) | วันที่ | תאריך | दिनांक | (?:გაცემის )?თარიღი"
        " | dags | tarikh | datum računa | data e lëshimit | avidatum | нэхэмжилсэн огноо | огноо"
    ),
    "due": (
        "termin płatności | splatnost | datum splatnosti | fizetési határidő | scadență | vade(?: tarihi)?"
        " | son ödeme tarihi | förfallodatum | forfaldsdato | forfallsdato | eräpäivä | λήξη | срок оплаты"
        " | оплатить до | сплатити до | お?支払い?期[限日] | 付款日期 | 납부기한 | hạn thanh toán"
        " | jatuh tempo | تاريخ الاستحقاق | سررسید | gjalddagi | eindagi | rok plačila | rok plaćanja"
        " | apmaksas termiņš | apmokėti iki | mokėti iki | төлбөр хийх хугацаа"
    ),
    "valid_until": (
        "oferta ważna do | ważn[ae] do | platnost do | platná do | érvényes(?:ség)? | valabil(?:ă)? până la"
        " | geçerlilik(?: süresi| tarihi)? | giltigt? till(?: och med)? | gyldig til | voimassa | ισχύει έως"
        " | действительно до | дійсн[аи] до | 有効期限 | 有效期(?:至)? | 유효 ?기간 | có giá trị đến"
        " | berlaku (?:sampai|hingga) | валидн[аи] до | vrijedi do | veljavn(?:ost(?: ponudbe)?|[oa] do)"
        " | ajánlat érvényessége | valabilitate | hiệu lực đến(?: hết)?(?: ngày)? | 유효일 | 견적유효일"
        " | tilbuddet gælder til"
        " | son geçerlilik | בתוקף עד | תוקף ההצעה | صالح حتى | срок действия до | galioja iki"
        " | действует до | діє до | obowiązuje do | platí do | platnost(?: nabídky)?"
        " | platnosť(?: ponuky)? | kehtib kuni"
        " | اعتبار(?: تا)? | tempoh sah laku | gildir til | rok važenja | derīgs līdz"
    ),
    "order_date": (
        "ordredato | orderdatum | beställningsdatum | data zamówienia | datum objednávky | tilauspäivä"
        " | sipariş tarihi | дата заказа | дата замовлення | 注文日 | 発注日 | 订单日期 | 주문일자?"
    ),
    "other": (
        "data sprzedaży | datum uskutečnění | teslim tarihi | 納期 | 납기 | 交货期 | leveransdatum"
        " | leveringsdato | tarikh tutup"
    ),
}
"""Words before a date, by the field of `DateWords`."""

COLUMNS: Mapping[str, str] = {
    "position_alone": (
        "lots?(?: n[or°]\\.?)? | lotes? | los(?:nr)?\\.? | lotto | část | část č\\. | część(?: nr)? | rész"
        " | perceel | partea? | лот | lp | l\\.?p | stt | 번호 | 序号 | 項番 | sıra(?: no)? | p\\.?č | nr crt"
        " | α/α"
    ),
    "description": (
        "hitos? | jalons? | meilenstein | mijlpaal | milník | kamień milowy | milepæl | virstanpylväs"
        " | delmål | nazwa(?: towaru| usługi| produktu)?(?: lub usługi)? | popis | název | položka | označení"
        " | názov | megnevezés | leírás | denumire\\w* | descriere | açıklama | mal ?/? ?hizmet"
        " | ürün(?: adı)? | cinsi | malzeme | nimetus | naziv | opis | наименование на стоката | ydelse"
        " | varetekst | benämning | beskrivning | beskrivelse | varenavn | kuvaus | tuote | nimike"
        " | περιγραφή | είδος | наименование\\w* | описание | товары? | найменування | опис | 品名 | 品目"
        " | 項目(?!説明) | 内容 | 商品名 | 名称 | 名稱 | 项目 | 품목(?!코드) | 품명 | 내역 | 항목(?!코드)"
        " | 제품명 | 상품명 | 부품명 | 유닛명 | 명칭 | รายการ | รายละเอียด"
        " | tên (?:hàng(?: hóa)?|sản phẩm|vật tư) | diễn giải | mô tả | nama barang | uraian | nazwa towaru"
        " | nimi | deskripsi | الوصف | البيان | الصنف | विवरण | стока | назив(?: робе| услуге)? | preke"
        " | תיאור | palvelu | hizmet(?:in adı)? | usługa | služba | szolgáltatás | serviciu\\w* | tjänst"
        " | tjeneste | услуг[аи] | послуг[аи] | layanan | dịch vụ | サービス | 서비스"
        " | شرح(?: کالا| خدمات| یا)* | نام کالا | საქონლის(?: დასახელება)? | დასახელება | lýsing"
        " | përshkrimi(?: i mallit)? | гүйлгээний утга | butiran | perihal | անվանում | malın adı"
    ),
    "item_id": (
        "品番 | 型番 | 商品コード | 编码 | 항목코드 | 품목코드 | 품번 | stok kodu | ürün kodu"
        " | mã (?:hàng|sản phẩm|vật tư) | kode barang | артикул | kód | cikkszám | varenr | artikelnr | artnr"
        " | κωδικός | šifra"
    ),
    "quantity": (
        "ilość | množství | počet | množstvo | mennyiség | cantitate\\w* | miktar[ıi]? | adet | antal"
        " | antall | määrä | kpl | ποσότητα | количество | кол-во | кількість | 数量 | 數量 | 수량"
        " | จำนวน(?!เงิน) | số lượng | sl | količina | kol | к-во | menny | ks | szt | ant | mængde"
        " | banyaknya | к-сть | τεμ | adeti | kuantitas | الكمية | العدد | मात्रा | количина | kiekis | jumlah"
        " | כמות | تعداد | რაოდენობა | magn | sasia | kuantiti | քանակ | miqdar[ıi]?"
        " | тоо(?: хэмжээ| ширхэг)? | areal | pinta-ala"
    ),
    "unit_alone": (
        "j\\.? ?m\\.? | jedn(?:ostka)?\\.?(?: miary)? | mj | jednotka | egység | birim | enhet | enhed"
        " | yksikkö | μ\\.?μ | јм | jed\\.? mj | jedinica | mennyiségi egység | мярка | merska enota"
        " | ед\\.? ?изм\\.? | од\\.? ?вим\\.? | јед\\.? ?мере | 単位 | 单位 | 單位 | 단위 | หน่วย | [dđ]vt"
        " | đơn vị(?: tính)? | satuan | الوحدة | واحد | ზომის(?: ერთეული)? | ein\\.? | njësia | em | mērv\\.?"
    ),
    "unit_price": (
        "cena jedn\\w*\\.?(?: netto)? | j\\.? ?cena | cena za (?:mj|kus|jednotku) | jednotková cena"
        " | egységár | preț(?:ul)? unitar | jedn\\.? cena | jedinična cijena | jed\\.? cijena | cena/ks"
        " | nettó egységár | единична цена | ед\\.? ?цена | b\\.? ?fiyat[ıi]? | à-hinta | pris/st"
        " | cena na enoto | birim fiyat[ıi]? | à-?pris | enhetspris | enhedspris | stykpris | yksikköhinta"
        " | τιμή μονάδας | цена за ед\\w* | ціна за од\\w* | 単価 | 单价 | 單價 | (?<!제\\d)단가"
        " | ราคา(?:ต่อ|/)?หน่วย | đơn giá | harga satuan | سعر الوحدة | ед\\. ?цена | jedinicna cijena"
        " | (?:مبلغ|قیمت|بهای) واحد | ერთეულის(?: ფასი)? | ein\\.? ?verð | einingaverð | çmimi(?: pa tvsh)?"
        " | kadar | միավորի գին | vieneto kaina | מחיר יחידה | इकाई मूल्य | нэгж үнэ | new (?:unit )?price"
        " | nouveau (?:prix|tarif) | neuer (?:stück)?preis | nuovo prezzo | nuev[oa] (?:precio|tarifa)"
        " | nov[oa] (?:preço|tarifa|cena|cijena) | nieuwe? (?:prijs|tarief) | nowa cena | uusi hinta"
        " | pris p(?:e)?r \\w+ | cena za \\w+ | cijena po \\w+ | preț pe \\w+"
        " | ny(?:tt)? pris | yeni fiyat | preț nou | új ár | новая цена | нова ціна | 新単価 | 新价"
    ),
    "price": (
        "价格 | (?:仕切|卸|納入|販売)価格 | 下代 | cena | cijena | preț | fiyat[ıi]? | pris | hinta | τιμή"
        " | цена"
        " | ціна | harga(?! satuan) | السعر | giá | kaina | מחיר | दर | ფასი | գին | qiymət[ıi]? | verð"
    ),
    "amount": (
        "wartość(?: netto| brutto)? | celkem | cena celkem | spolu | összesen | érték | valoare\\w*"
        " | tutar[ıi]? | toplam | \\w*belopp | summa | \\w*beløb | beløp | yhteensä | αξία | σύνολο | сумма"
        " | стоимость | сума | вартість | 金額 | 金额 | 总价 | 合计 | 금액 | 합계 | 공급가액 | จำนวนเงิน"
        " | รวมเงิน | thành tiền | jumlah(?: harga)? | المبلغ | الإجمالي | iznos | ukupno | znesek | skupaj"
        " | suma | стойност | износ | вредност | rivisumma | összeg | nettó érték | total harga | pris i alt"
        " | סכום | राशि | (?:مبلغ|قیمت|بهای) کل | თანხა(?: დღგ-ს ჩათვლით)? | ღირებულება | upphæð"
        " | årspris | vlera(?: (?:pa|me) tvsh)? | գումար | məbləğ[i]? | vrednost | нийт үнэ"
    ),
    "basis": "prisenhe[td] | jednostka ceny | cenová jednotka | 价格单位",
    "discount": (
        "iskonto | indirim | rab | rabatt? | εκπτ | popust | попуст | рабат | sleva | zľava | kedvezmény"
        " | alennus | reducere | скидка | знижка | отстъпка | έκπτωση | 値引 | 折扣 | 할인 | chiết khấu"
        " | potongan | الخصم | ส่วนลด | diskon | 値引き?額? | 割引額? | 折讓"
    ),
    "tax": (
        "(?:stawka |kwota )vat | (?:sazba |výše )?dph | áfa | kdv | pdv | ддс"
        " | (?:moms|mva|alv)(?! ?-?(?:nr|reg|no)) | φπα | ндс | пдв | 税率 | 消費税 | 税额 | 세액 | 부가세"
        " | ppn | დღგ | tvsh | مالیات | vsk | աահ | ədv"
    ),
    "list_price": (
        "標準価格 | 定価 | 上代 | 希望小売価格 | 参考価格 | 标价 | 市场价 | 目录价 | 정가 | 소비자가"
        " | cena katalogowa | ceníková cena | cenníková cena | cena podľa cenníka | listpris | listepris"
        " | bruttopris | listaár | preț de listă | liste fiyatı | цена по прайсу | ovh | giá niêm yết"
        " | harga katalog | (?:current|old|previous|former) (?:\\w+ )?(?:price|charge|rate|fee)"
        " | (?:prix|tarif) actuel"
        " | ancien (?:prix|tarif) | (?:bisheriger|alter|aktueller) (?:stück)?preis"
        " | prezzo (?:attuale|vecchio)"
        " | precio (?:actual|anterior) | preço (?:atual|anterior) | (?:huidige?|oude?) (?:prijs|tarief)"
        " | (?:dotychczasowa|stara) cena | (?:nuvarande|nuværende|nåværende|gammalt) pris | nykyinen hinta"
        " | eski fiyat | preț (?:vechi|actual) | régi ár | старая цена | стара ціна | 旧単価 | 原价"
    ),
    "ignored": (
        "pack (?:qty|quantity|size) | (?:qty|units|pieces|pcs) per (?:pack|box|carton|case|pallet) | moq"
        " | vpe | (?:box|carton|case|pallet) (?:qty|quantity|size) | verpackungseinheit | mindest\\w*menge"
        " | conditionnement | colisage | verpakkingseenheid | pezzi per confezione"
        " | unidades por (?:caja|paquete) | 入り?数 | 最小(?:起订量|発注数) | 起订量"
        " | opakowanie(?: zbiorcze)? | förpackning | 備考 | 备注 | 비고 | 분류 | 제 ?\\d+ ?단가 | ghi chú"
        " | keterangan | poznámka | uwagi | примечание | hyppighed | frekvens | häufigkeit | turnus"
        " | fréquence | frecuencia | frequenza | frequência | częstotliwość | četnost | gyakoriság"
    ),
}
"""Words over the columns of tables, by the field of `ColumnWords`."""

TOTALS: Mapping[str, str] = {
    "tax": (
        "podatek vat | kwota vat | dph | áfa | (?:hesaplanan )?kdv | moms | mva | alv | φπα | ндс | пдв | ддс"
        " | pdv | 消費税 | arvonlisävero | 税額 | käibemaks | pvn | ddv | 税额 | 增值税 | 부가(?:가치)?세"
        " | 세액 | thuế(?: gtgt| vat)? | ppn | ضريبة القيمة المضافة | 營業稅 | 稅額 | (?:pvm|пвм)(?! mok)"
        ' | ภาษีมูลค่าเพิ่ม | जीएसटी | מע"מ | დღგ | tvsh | مالیات(?: بر)? ارزش افزوده | vsk | աահ | ədv | нөат'
    ),
    "net": (
        "(?:razem|suma|wartość) netto | celkem bez dph | základ(?: daně)? | nettó összesen | ara toplam"
        " | mal hizmet toplam tutar[ıi] | delsumma | delsum | välisumma | καθαρή αξία | (?:без|без учета) ндс"
        " | (?:укупно |вкупно )?без (?:пдв|ддв) | основица | без ддс | данъчна основа | osnovica"
        " | ukupno bez pdv-?a | medzisúčet | mezisoučet | részösszeg | veroton(?: summa| yhteensä)"
        " | spolu bez dph | υποσύνολο | total f[aă]r[aă] tva | iš viso be pvm | summa km-ta | รวมเป็นเงิน"
        " | 未[稅税](?:合計|合计|金額|金额)? | 小計 | 税抜(?:合計|金額)? | 小计 | 소 ?계 | 공급가액"
        " | cộng tiền hàng | tạm tính | المجموع الفرعي | إجمالي المبيعات | جمع کل | samtals án vsk"
        " | (?:totali|vlera) pa tvsh | kopā bez pvn | (?:dasar pengenaan|harga jual) pajak"
        " | harga jual / penggantian | дүн | međuzbroj | междинна сума | vmesni znesek | μερικό σύνολο"
        " | tarpinė suma | starpsumma | vahesumma | suma częściowa"
    ),
    "contract_value": (
        "(?:общая )?(?:сумма|стоимость|цена) (?:настоящего )?договора"
        " | (?:загальна )?(?:сума|вартість|ціна) (?:цього )?договору | (?:łączna )?wartość umowy"
        " | (?:celková )?cena d(?:íla|iela) | обща стойност на договора | valoarea contractului"
        " | sözleşme bedeli | (?:tổng )?giá trị hợp đồng | nilai kontrak | szerződés értéke"
    ),
    "due": (
        "za plačilo | sisa(?: pembayaran| tagihan)? | за уплату | за плаќање | kopā apmaksai | za plaćanje"
        " | сума за плащане | (?:مبلغ )?قابل پرداخت | til greiðslu | summa apmaksai | (?:totali )?për pagesë"
        " | სულ გადასახდელი | ukupno za uplatu | إجمالي المستحق | ukupno za platiti | total bayar"
        " | tổng thanh toán | do zapłaty | k úhradě | na úhradu | fizetendő | total de plată"
        " | ödenecek(?: tutar)? | att betala | at betale | å betale | maksettava | πληρωτέο | к оплате"
        " | до сплати | ご請求金額 | 应付(?:金额)? | 청구금액"
    ),
    "paid": (
        "zapłacono | zaliczka | zaplaceno | záloha | uhradené | előleg | befizetve | avans | achitat | ödenen"
        " | kapora | πληρωθέν | προκαταβολή | оплачено | аванс | предоплата | сплачено | платено | plaćeno"
        " | predujam | 内金 | 前受金 | 入金 | 已付 | 定金 | 预付款 | 선금 | 계약금 | 입금 | đã thanh toán"
        " | tạm ứng | đặt cọc | (?<!/ )uang muka | dibayar | المدفوع | دفعة مقدمة | betalt | förskott"
        " | forskud | forskudd | maksettu | ennakko"
    ),
    "adjustment": (
        "doprava | poštovné | dostava | доставка | достав | szállítási költség | nakliye | kargo | μεταφορικά"
        " | frakt | fragt | rahti | toimituskulut | koszt dostawy | 送料 | 运费 | 運費 | 배송비 | 운송비"
        " | phí vận chuyển | ongkos kirim | potongan harga | رسوم التوصيل"
    ),
    "gross": (
        "součet(?: položek)? | razem(?: brutto)? | suma(?: brutto)? | ogółem | wartość brutto | celkem"
        " | cena celkem | celková cena | spolu | (?:bruttó )?összesen | végösszeg | (?:genel )?toplam"
        " | vergiler dahil toplam(?: tutar)? | totalt | summa | sveukupno | ukupno | skupaj | общо"
        " | обща сума | укупно | вкупно | mindösszesen | verollinen summa | sum inkl | i alt | yhteensä"
        " | kokonais(?:hinta|summa) | (?:γενικό )?σύνολο | итого | всего | всього | разом | загальна сум+а"
        " | (?:総)?合計(?:金額)? | 御?見積金額 | 税込(?:合計|金額)? | 合计 | 总计 | 總計 | 总金额"
        " | 合同总(?:价|额) | 합 ?계(?: ?금 ?액)? | 총 ?계 | 총 ?액 | iš viso(?: su pvm)? | kokku | kopā"
        " | कुल योग | สุทธิ | 含稅(?:合計|總計)? | 견적금액 | 价税合计 | 총금액 | 合計金額 | grand total"
        ' | סה"כ'
        " | รวมทั้งสิ้น | სულ | totali | vlera me tvsh | samtals | jumlah(?: keseluruhan| besar| *:?$)"
        " | ընդամենը | yekun | cəmi | tổng(?: cộng| tiền| số tiền)? | jumlah total | الإجمالي | المجموع"
        " | нийт дүн"
    ),
}
"""Labels of sums, by the field of `TotalWords`."""

OPTIONS = (
    "opsjon(?:er)? | optioner | tillval | tilvalg | lisävalinnat | optiot | opcje | opce | voliteľné | opciók"
    " | opționale | seçenekler | опции | opcije | オプション(?:品目)? | 选配 | 選配 | 选项 | 옵션 | ตัวเลือก"
)
"""Headings over what may be bought besides."""

ONCE = (
    "bir defaya mahsus | tek seferlik | engångs\\w* | engangs\\w* | jednorazow\\w+ | jednor[aá]zov\\w+"
    " | egyszeri | единовременн\\w+ | разов(?:ый|ая|ое|ые) | одноразов\\w+ | kertamaksu\\w* | εφάπαξ"
    " | jednokratn\\w+ | enkratn\\w+ | еднократн\\w+ | sekali bayar | một lần | 一次性 | 初期費用 | 일회성"
)
"""What is paid once is called so."""

AFTER_TAX = (
    "öresavr\\w* | öresutj\\w* | avrundning | avrunding | øreavrunding | øreafrunding | afrunding | pyöristys"
    " | zaokrąglenie | zaokrouhlení | zaokrúhlenie | kerekítés | rotunjire | yuvarlama | στρογγυλοποίηση"
    " | округление | округлення | закръгляване | zaokruživanje | zaokroževanje | rot-?avdrag | rutavdrag"
    " | tevkifat | stopaj | pph ?2\\d | 源泉(?:徴収|所得)税 | 端数(?:調整|値引) | 尾差 | 抹零 | 단수조정"
    " | pembulatan | làm tròn | خصم تحت حساب(?: الضريبة)?"
)
"""Labels of what makes a total a round number, and of taxes that the buyer withholds."""


PAYMENTS = (
    "átutalás | maksuehto | maksuaika | splatnost\\w* | płatnoś\\w+ | termin płatności | betalingsvilkår"
    " | betalningsvillkor | fizetési (?:határidő|feltétel\\w*) | plat[aă] | termen de plat[aă] | plaćanj\\w+"
    " | plačil\\w+ | rok plaćanja | начин плаћања | плаћањ\\w+ | плащане | услови\\w* оплаты | оплат\\w+"
    " | ödeme | vade | pembayaran | thanh toán | πληρωμή | الدفع | (?:お?支払|付款|결제|지급)\\w* | apmok\\w+"
    " | apmaks\\w+ | makse\\w* | εξόφληση | betaling(?:en)? | greiðslufrestur | เครดิต | ชำระเงิน"
)
"""What the payment of a sum is called by."""

HOLDS = (
    "(?:wa[żz]n[aey]|ważność(?: oferty)?)(?: przez)? | platí | platnost(?: nabídky)? | valabil[ăa]?"
    " | valabilitate | érvényes | geçerli(?:dir|lik(?: süresi)?)? | berlaku(?: selama)? | 유효 ?기간"
    " | 有効期限 | (?:本?报价单?|本?報價單?)?有效期 | действительно(?: в течение)? | срок действия"
    " | дійсн[аие](?: протягом)?"
    " | ισχύει(?: για)? | ισχύς(?: (?:της )?προσφοράς)? | gildir í | g[äæ]ller i | gyldig i"
    " | voimassa | vrijedi | važi | veljavn[ao]"
    " | galioja | derīgs | kehtib | (?:ההצעה )?בתוקף ל-? | hiệu lực(?: trong)? | صالح(?: لمدة)? | rok važenja"
    " | (?:مدة )?(?:سريان|صلاحية)(?: العرض)?"
)
"""Words before the days for which an offer holds."""

HOLDS_AFTER = "geçerli\\w* | süreyle geçerli\\w* | voimassa | érvényes\\w* | ważn[ayie] | בתוקף | 有効 | 有效"
"""The same behind them."""

DAYS_IN_TEXT = (
    "pv | päivää | dn[ůií] | dní | dni | dager | dage | daga | dagar | nap\\w* | zile(?:lor)? | dana | дана"
    " | дни | дней | днів | gün | hari | ngày | ημ(?:έρες|ερών) | يوم\\w* | أيام | ימים | 日 | 天 | 일"
    " | päeva | dien\\w* | วัน"
)
"""Days, behind their number."""


def fold_phrases(phrases: str) -> str:
    """A group of phrases, folded as the texts are that it is matched against."""
    return either(fold(phrases))


SHARE_CAPITAL = (
    "share capital(?: of)? | au capital(?: social)?(?: de)? | capitale sociale | capital social(?: de)?"
    " | stammkapital | grundkapital | maatschappelijk kapitaal | kapitał zakładowy | aktiekapital"
    " | selskabskapital"
)
"""What the capital of a company is called beside its amount."""

DEPOSITS = (
    "security deposit | (?:miet)?kaution | dépôt de garantie | depósito (?:en|de) garantía"
    " | deposito cauzionale | (?:waarborg|borg)som | depósito de garantia | caução | kaucj[aęi] | kauc[ei]"
    " | kaució | депозит | обеспечительный платеж | гаранційний платіж | depozito(?: bedeli)? | depositum"
    " | deposition | takuuvuokra | depozit | uang jaminan | (?:tiền )?đặt cọc | פיקדון | مبلغ التأمين"
)
"""What is given back at the end of a contract."""

PACES: Mapping[str, str] = {
    "monthly": (
        r"miesięczn\w* | měsíčn\w* | mesačn\w* | ежемесячн\w* | щомісячн\w* | месечн\w* | mjesečn\w*"
        r" | mesečn\w* | aylık | havi\b | lunar\w* | månads\w* | måned(?:s|lig)\w*"
        r" | (?:per|pr\.?) (?:månad|måned)\b | za (?:měsíc|mesiac|miesiąc)\b | в мес(?:яц|\.) | kuukausi\w*"
        r" | kuukaudessa | μηνιαί\w* | 月額 | 月额 | 月费 | 每月 | 월 ?(?:임대|사용|이용)료 | 매월"
        r" | (?:hàng|mỗi) tháng | bulanan | per bulan | รายเดือน | ต่อเดือน | شهري\w* | חודשי\w* | मासिक"
    ),
    "yearly": (
        r"roczn\w* | ročn\w* | ежегодн\w* | щорічн\w* | годишн\w* | godišnj\w* | letn(?:a|o|i)\b | yıllık"
        r" | éves\b | årlig\w* | års(?:pris|kostnad|avgift|belopp|beløp|leje|leie)\w*"
        r" | (?:per|pr\.?) år\b | za rok\b | в год\b | vuosi(?:maksu|hinta)\w* | vuodessa | ετήσι\w*"
        r" | 年額 | 年额 | 年费 | 每年 | 매년 | (?:hàng|mỗi) năm | tahunan"
        r" | per tahun | รายปี | ต่อปี | سنوي\w* | שנתי\w* | वार्षिक"
    ),
}
"""How often something is paid, beyond the languages that are read whole."""

AND_UP = (
    "以上 | 起 | 이상 | i więcej | a více | och uppåt | og over | eller flere | ve üzeri | и более | и выше"
)
"""What follows the quantity from which the last of several prices holds."""
