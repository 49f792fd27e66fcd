"""Words around the names of companies in languages whose labels no rule reads; written as in `Lexicon`."""

LEGAL_FORMS = (
    r"K\.K", r"KK", r"AB", r"HB", r"AS", r"ANS", r"A/S", r"ApS", r"I/S", r"Oy", r"Oyj", r"Ky", r"OY",
    r"OYJ", r"(?i:Sdn\.? ?Bhd)", r"(?i:sp\. ?z ?[o0]\. ?[o0])", r"(?i:sp\. ?[kj])", r"S\.C",
    r"(?i:s\. ?r\. ?o)",
    r"a\. ?s", r"v\. ?o\. ?s", r"k\. ?s", r"(?i:Kft|Zrt|Nyrt)", r"Bt", r"S\.R\.L", r"S\.C\.S",
    r"(?i:d\. ?o\. ?o)", r"(?i:d\. ?d)", r"j\. ?d\. ?o\. ?o", r"(?i:Ltd\. ?Şti)", r"A\. ?Ş", r"AŞ",
    r"Α\. ?Ε", r"Ο\. ?Ε", r"Ε\. ?Ε", r"ΑΕ", r"Ε\.?Π\.?Ε", r"Ι\.?Κ\.?Ε", r"ΕООД", r"ЕООД", r"ООД", r"ЕАД",
    r"АД", r"ЕТ", r"OÜ", r"AS", r"UAB", r"SIA", r"Tbk", r"JSC", r"S\.A\. de C\.V", r"S\.A\.C", r"S\.A\.S",
    r"S\.A\.A", r"E\.I\.R\.L", r"בע[\"״]מ",
)  # fmt: skip
"""Legal forms behind the name of a company, without a full stop at the end."""

LEGAL_FORMS_BEFORE = (
    r"ООО", r"ТОО", r"ДОО", r"ОАО", r"ЗАО", r"ПАО", r"АО", r"ИП", r"НПП", r"ТОВ", r"ФОП", r"ПрАТ", r"PT\.?",
    r"CV\.?",
    r"UD\.?", r"(?i:Công ty)(?: (?:TNHH|Cổ phần|CP|TNHH MTV|CỔ PHẦN))?", r"شركة", r"مؤسسة", r"บริษัท",
    r"หจก\.", r"شرکت", r"შპს", r"სს", r"ՍՊԸ", r"ЧУП", r"УП", r"UAB", r"MB", r"VšĮ", r"SIA", r"OÜ", r"MTÜ",
    r"S\.C\.", r"(?:S(?:ARL|arl|ASU?)|EURL|SCOP)\b",
)  # fmt: skip
"""Legal forms before the name of a company."""

JOINED_LEGAL_FORMS = (
    "株式会社", "有限会社", "合同会社", "㈱", r"\(株\)", "有限公司",
    "有限责任公司", "股份公司", "集团公司", "集团", "주식회사", r"\(주\)", "㈜",
    "유한회사", "企業社", "商行", "工程行",
)  # fmt: skip
"""Legal forms that touch the name of a company, before or behind it."""

LINKS = "och | og | ja | ve | és | i | и | та | și | va"
"""Small words inside of names, as printed."""

HONORIFICS = ("御中", "様", "殿", "귀하", "귀중", "sayın")
"""What is written behind the name of whom a letter is to, as printed."""

SUPPLIERS = (
    "فروشنده | sprzedawca | dostawca | wystawca | saljare | leverantor | saelger | sælger | leverandor"
    " | leverandør | selger | myyja | toimittaja | dodavatel | prodavajici | predavajuci | elado | szallito"
    " | furnizor | vanzator | satici | satıcı | tedarikci | προμηθευτης | πωλητης | продавец | поставщик"
    " | исполнитель | постачальник | продавець | виконавець | 供应商 | 卖方 | 销售方 | 공급자 | 판매자 | ผู้ขาย"
    " | nha cung cap | penjual | البائع | (?:إلى )?المورد | 공급사 | विक्रेता | wykonawca | zhotovitel"
    " | ajánlatadó | beszállító"
    " | ofertant | teklif (?:ver|ed)en | доставчик | изпълнител | prodavatelj | prodavač | ponuditelj"
    " | ponuđač | продавац | понуђач | добављач | dobavljač | izvođač | prodajalec | ponudnik | dobavitelj"
    " | tarjoaja | tilbyder | anbudsgivare"
    " | 発注先 | 仕入先 | 供方 | 报价单位 | 報價單位 | 공급업체 | 공급처 | đơn vị bán"
    " | (?:bên [ab] ?\\()?bên (?:bán|cho thuê|cung cấp(?: dịch vụ)?)\\)? | pemasok | leveranciers?naam"
    " | tiekėjas | pardavėjas | müüja | tarnija | pārdevējs | piegādātājs | ספק"
    " | [甲乙]方 ?\\((?:卖方|供货?方|供应方|承[包揽]方|销售方|出卖人|出租方|服务方|受托方)\\)"
    " | გამყიდველი | shitësi | վաճառող"
    " | seljandi | нэхэмжлэгч | pengusaha kena pajak | 销售方信息 | người bán hàng | kiraya veren | vermieter"
    " | bailleur | arrendador | locatore | wynajmujący | insurer | versicherer | assureur | aseguradora"
    " | assicuratore | seguradora | ubezpieczyciel | (?:від |от )?(?:виконавця|исполнителя)"
    " | ajánlattevő | uchazeč | účastník | yüklenici | ofertante? | ofert[ae]nt[ul]* | licita(?:nte|dor)"
    " | oferente | concorrente | inschrijver | anbudsgivare | anbyder | tilbyder | tarjouksen tekijä"
    " | pakkuja | pretendents | учасник | участник | προσφέρων | 投[标標](?:人|单位|單位|供应商)"
    " | 입찰자 | 응찰자 | 応札者 | nhà thầu | peserta | مقدم العرض"
    " | transmitente(?: de bens(?: ou prestador de serviços?)?)?"
)
"""Labels over who sells."""

BUYERS = (
    "idare(?:nin adı)? | خریدار | مشتری | nabywca | odbiorca | zamawiajacy | kupujacy | kopare | bestallare"
    " | kund | kober | køber | kunde | kjoper | kjøper | ostaja | asiakas | odberatel | kupujici | kupujuci"
    " | vevo | megrendelo | cumparator | alici | alıcı | musteri | sayin | sayın | πελατης | αγοραστης"
    " | покупатель | заказчик | покупець | замовник | платник | お客様 | 买方 | 购买方 | 발주처"
    " | fakturační údaje | fakturačné údaje"
    " | 客[户戶](?:名[称稱])? | 고객명? | 공급받는자 | ผู้ซื้อ | ลูกค้า | khach hang | pembeli | pelanggan"
    " | kepada(?: yth\\.?)? | العميل | المشتري | ग्राहक | klient | zákazník | objednatel | príjemca"
    " | objednávateľ | vásárló | részére | client | beneficiar | купац | наручилац | клиент | получател"
    " | купувач | възложител | kupac | naručitelj | kupec | naročnik | vastaanottaja | tilaaja | 需方 | 買方"
    " | 수신처 | fakturaadress | faktureringsadress | fakturaadresse | faktureringsadresse | laskutusosoite"
    " | (?:bên [ab] ?\\()?bên (?:mua|thuê|sử dụng dịch vụ)\\)? | người mua(?: hàng)? | kính gửi | pirkėjas"
    " | užsakovas | ostja | pircējs | maksātājs | saņēmējs"
    " | [甲乙]方 ?\\((?:买方|需方|购[买货]方|采购方|订货方|发包方|买受人|承租方|委托方)\\)"
    " | მყიდველი | blerësi | գնորդ"
    " | kaupandi | greiðandi"
    " | oppdragsgiver | opdragsgiver | uppdragsgivare"
    " | 购买方信息 | kirac[iı] | mieter | locataire | arrendatario | conduttore"
    " | najemca | named insured | policyholder | versicherungsnehmer | asegurado | contraente | segurado"
    " | ubezpieczający | төлөгч | (?:họ tên )?người mua hàng | pembeli(?: [^:]{0,60} kena pajak)?"
    " | ajánlatkérő | zadavatel | (?:verejný )?obstarávateľ | işveren | hankija | pasūtītājs"
    " | perkančioji organizacija | autoritate[a]? contractant[ăa] | achizitor | oppdragsgiver | ordregiver"
    " | (?:den )?upphandlande myndighet(?:en)? | hankintayksikkö | 招[标標]人 | 采购(?:人|单位) | 採購單位"
    " | 발주(?:자|기관) | 수요기관 | αναθέτουσα αρχή | bên mời thầu"
    " | stazione appaltante | órgano de contratación | entidade adjudicante | aanbestedende dienst"
    " | (?:від |от )?(?:замовника|заказчика)"
)
"""Labels over who buys."""

WEAK_SUPPLIERS = (
    "грузоотправитель | вантажовідправник | od | från | fra | από | от кого | от | від | 발신 | từ | dari"
    " | من | de la"
)
"""Words before who sells that say little by themselves."""

ADDRESSEES = (
    "till | til | către | кому | (?:генеральному )?директору | руководителю | προς | 致 | 수신 | tới"
    " | kepada(?: yth\\.?)? | kính gửi | إلى | السادة | לכבוד | señor(?:es)? ?\\(?(?:es)?\\)?"
)
"""Words over whom a paper is sent to."""

WEAK_BUYERS = (
    "грузополучатель | вантажоодержувач | dla | pro | pre | för | до | για | za | untuk"
    f" | m/s\\.? | dodací adresa | dodacia adresa | leveransadress | leveringsadresse | adres dostawy"
    f" | szállítási cím | teslimat adresi | toimitusosoite | {ADDRESSEES}"
)
"""Words before who buys that say little by themselves."""

REGISTRATIONS = (
    "org\\.? ?n(?:r|ummer) | cvr | y-tunnus | (?:bank|plus)giro | kontonr | nip | regon | ičo | dič | oib"
    " | eik | adószám | инн | еик | єдрпоу | α\\.?φ\\.?μ | gstin | 登録番号 | 사업자등록번호"
)
"""Words beside the registration or the account of who writes a paper, at its foot."""

COMPANY_NAMES = (
    "neve? | adı | firma(?: adı| unvanı)? | (?:ticari )?unvanı? | nazwa(?: firmy)? | název | názov | cégnév"
    " | denumire | navn | namn | nimi | название | наименование | найменування | επωνυμία | 名[称稱]"
    " | nama syarikat | emri | شرکت | 상호(?:명| ?\\(법인명\\))? | 회사명 | 법인명 | 商号 | 会社名"
    " | байгууллагын нэр | 公司名[称稱] | 单位名称 | tên (?:công ty|đơn vị) | nama(?: perusahaan)?"
    " | اسم الشركة"
)
"""The label of the name of a company, alone or behind the label of a party."""

CONTRACT_SUPPLIERS = (
    "wykonawc\\w | dostawc\\w | zhotovitel\\w* | dodavatel\\w* | poskytovatel\\w* | vállalkozó | megbízott"
    " | szolgáltató | eladó | prestator | furnizor | leverantören | konsulten | leverandøren | toimittaja"
    " | yüklenici | исполнител\\w* | изпълнител\\w* | поставщик\\w* | подрядчик\\w* | виконав\\w+"
    " | постачальник\\w* | ανάδοχος | πάροχος | wynajmując\\w+ | usługodawc\\w | sprzedając\\w+"
    " | vânzător\\w* | المؤجر | البائع | المورد | pronajímatel\\w* | prodávající\\w* | prenajímateľ\\w*"
    " | predávajúc\\w+ | bérbeadó | арендодател\\w+ | продав\\w+ | орендодав\\w+ | lessor | owner"
    " | vermieter(?:in)? | verkäufer(?:in)? | bailleur | loueur | vendeur | contratista | arrendador\\w*"
    " | vendedor\\w* | arrendante | locador\\w* | locatore | venditore | manutentore | appaltatore"
    " | affidatario | verhuurder | verkoper | aannemer | uthyraren | vuokranantaja | myyjä | satıcı"
    " | kiraya veren | pemasok | bên bán | bên cho thuê | bên cung cấp | dobavljač\\w* | prodavatelj\\w*"
    " | izvođač\\w* | izvajal\\w+ | prodajal\\w+ | landlord | locator(?:ul)? | udlejer(?:en)?"
    " | utleier(?:en)? | εκμισθωτής"
)
"""What a contract calls who sells."""

CONTRACT_BUYERS = (
    "idare(?:nin adı)? | خریدار | مشتری | zamawiając\\w+ | zleceniodawc\\w | objednatel\\w*"
    " | objednávateľ\\w* | megrendelő | megbízó | vevő | beneficiar\\w* | kunden | beställaren | köparen"
    " | bestilleren | tilaaja | müşteri | işveren | възложител\\w* | заказчик\\w* | покупател\\w+"
    " | замовник\\w* | πελάτης | najemc\\w | usługobiorc\\w | kupując\\w+ | nájemc\\w+ | kupující\\w*"
    " | cumpărător\\w* | المستأجر | المشتري | nájomc\\w+ | kupujúc\\w+ | bérlő | арендатор\\w* | покуп\\w+"
    " | орендар\\w* | lessee | mieter(?:in)? | käufer(?:in)? | besteller(?:in)? | locataire | acheteur"
    " | promotor\\w* | arrendatari\\w+ | compradora? | locatári\\w+ | conduttore | acquirente | appaltante"
    " | huurder | koper | hyraren | vuokralainen | ostaja | alıcı | kiracı | pembeli | bên mua | bên thuê"
    " | bên sử dụng dịch vụ | kup(?:ac|ca|ec) | naručitelj\\w* | naročnik\\w* | tenant | preneur | comitente"
    " | locatar(?:ul)? | hyresgästen | lejer(?:en)? | leietaker(?:en)? | μισθωτής"
)
"""What a contract calls who buys."""

CALLED = (
    "u daljnjem tekstu | v nadaljevanju | în calitate de | mint | als | jako | in qualità di | en qualité de"
    " | en calidad de | na qualidade de | im folgenden | nachfolgend | ci-après(?: dénommée?)? | en adelante"
    " | di seguito | hierna(?: te noemen)? | zwan\\w+ dalej | dále jen | ďalej len | nedan kallad"
    " | i det följande | в дальнейшем | далее | (?:на)?далі | именуем\\w+ | наричан[аио]?"
    " | (?:doravante |en adelante )?denominad[oa]s? | hereinafter"
)
"""Words before what a contract calls somebody, where no quotation marks tell it."""

ONE_SIDE = (
    "(?:de|por) una parte | por (?:la )?otra(?: parte)? | de otra(?: parte)? | d[’']une part"
    " | d[’']autre part | da una parte | dall[’']altra(?: parte)? | einerseits | andererseits | enerzijds"
    " | anderzijds | (?:of|on) the (?:one|other) (?:part|side|hand) | egyrészről | másrészről"
    " | z jednej strony | z drugiej strony | na straně jedné | na straně druhé | bir tarafta | diğer tarafta"
    " | от една страна | от друга страна | с одной стороны | с другой стороны | pomiędzy | między | mezi"
    " | medzi | între | между | mellan | mellem | mellom | de um lado | de outro(?: lado)?"
)
"""Words before each of the two who make a contract, as printed."""
