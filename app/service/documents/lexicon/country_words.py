"""Words and forms by which a text tells the country it points to, and what currencies are called."""

from collections.abc import Mapping

COUNTRIES: Mapping[str, str] = {
    "USD": r"\bunited states\b | \bu\.?s\.?a\.?\b", "GBP": r"\bu\.k\. | \bengland\b | \bscotland\b",
    "EUR": r"\bUSt\b | \bSIRE[TN]\b | \bB\.V\. | \bS\.p\.A\. | \bpartita iva\b | α\.?φ\.?μ\.?",
    "KRW": r"사업자 ?등록 ?번호 | 부가(?:가치)?세 | 공급가액 | 서울 | 경기도 | 인천 | 부산 | 대구 | 대전"
    r" | \bsouth korea\b | \bseoul\b",
    "JPY": r"登録番号 | 消費税 | 東京都 | 大阪 | 愛知 | 神奈川 | 株式会社 | 有限会社",
    "THB": r"เลขประจำตัวผู้เสียภาษี | ภาษีมูลค่าเพิ่ม | กรุงเทพ | \bthailand\b | \bbangkok\b",
    "VND": r"mã số thuế | thuế gtgt | hà nội | đà nẵng | hồ chí minh", "CNY": r"税号 | 增值税",
    "PLN": r"\bNIP\b | \bregon\b", "TRY": r"\bKDV\b | \bturkiye\b | \bvergi dairesi\b", "HUF": r"\badószám\b",
    "UAH": r"ЄДРПОУ | ІПН", "MNT": r"улаанбаатар | монгол",
    "RSD": r"\bПИБ\b", "BYN": r"\bУНП\b | минск | беларусь",
    "KZT": r"\bБИН\b | казахстан | алматы",
    "UZS": r"ташкент | узбекистан | toshkent | o['‘’ʻ]zbekiston | \bQQS\b",
    "GEL": r"საქართველო | თბილისი", "AMD": r"ՀՎՀՀ | երևան", "AZN": r"\bVÖEN\b | azərbaycan",
    "BAM": r"\bbih\b | bosna i hercegovina | \bID(?: broj)?: ?4\d{12}\b", "MKD": r"скопје | македонија",
    "ALL": r"\bNIPT\b | shqiperi", "EGP": r"\begypt\b | \bcairo\b | مصر | القاهرة | الجيزة | الإسكندرية",
    "IRR": r"تهران | اصفهان | ایران", "DZD": r"\balgerie\b | \balger\b", "TND": r"\btunisie\b | \btunis\b",
    "XOF": r"abidjan | cote d['’]ivoire | \bdakar\b | \bsenegal\b | bamako | ouagadougou | \blome\b"
    r" | cotonou | niamey",
    "XAF": r"douala | yaounde | \bcameroun\b | libreville | \bgabon\b | brazzaville | n['’]djamena",
    "GHS": r"\bghana\b | \baccra\b | \bkumasi\b | \bgetfund\b", "TZS": r"\btanzania\b | dar es salaam",
    "UGX": r"\buganda\b | \bkampala\b", "ZMW": r"\bzambia\b | \blusaka\b", "AOA": r"\bangola\b | \bluanda\b",
    "MZN": r"\bmocambique\b | \bmaputo\b | \bNUIT\b", "DOP": r"republica dominicana | \bRNC\b | \bNCF\b",
    "CRC": r"costa rica", "PYG": r"\bparaguay\b | \basuncion\b",
    "BOB": r"\bbolivia\b | santa cruz de la sierra",
    "PHP": r"\bvatable\b | \btin\W{0,4}\d{3}-\d{3}-\d{3}-\d{3,5}\b | \bbrgy\b | \bphilippines\b | \bmanila\b",
    "UYU": r"\buruguay\b",
    "SAR": r"\bsaudi arabia\b | \briyadh\b | \bjeddah\b", "QAR": r"\bqatar\b",
    "MAD": r"\bmaroc\b | \bmorocco\b | \bcasablanca\b", "KES": r"\bkenya\b | \bnairobi\b | \bKRA\b",
    "NGN": r"\bnigeria\b | \blagos\b | \babuja\b", "PKR": r"\bpakistan\b | \bkarachi\b | \blahore\b",
    "LKR": r"\bsri lanka\b", "MDL": r"\bmoldova\b | \bchisinau\b | \bIDNO\b | налоговая накладная",
    "PAB": r"\bpanama\b", "NIO": r"\bnicaragua\b | \bmanagua\b", "GTQ": r"\bguatemala\b",
    "HNL": r"\bhonduras\b | \btegucigalpa\b", "RWF": r"\brwanda\b | \bkigali\b",
    "ETB": r"\bethiopia\b | \baddis ababa\b", "BWP": r"\bbotswana\b | \bgaborone\b",
    "BHD": r"\bbahrain\b | \bmanama\b | البحرين", "OMR": r"\bmuscat\b | \bsultanate of oman\b | مسقط",
    "KWD": r"\bkuwait\b | الكويت", "JOD": r"\bamman\b | \bjordan\b | عمّان | الأردن",
    "NPR": r"\bnepal\b | \bkathmandu\b", "HKD": r"\bkowloon\b | \bhong kong\b",
    "MUR": r"\bmauritius\b", "JMD": r"\bjamaica\b | \bGCT\b",
    "MXN": r"moneda nacional | \bM\.N\.",
    "VES": r"\bvenezuela\b | \bSENIAT\b",
    "BDT": r"\bbangladesh\b | \bdhaka\b", "ZAR": r"\bsouth africa\b | \bjohannesburg\b | \bcape town\b",
}  # fmt: skip
"""By the currency of a country towns, taxes and numbers of companies that are of it alone, as printed."""

OF_A_STATE = "corporation | company | limited | nonprofit | partnership"
"""What contracts call a company behind the name of its state: `a Delaware corporation`."""

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"

USAGE_OF_THE_STATES = (
    rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?, ?\d{{4}}",
    r"(?<![\d/])(?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01])/(?:\d\d){1,2}(?![\d/])",
    r"\b(?:Inc|Corp|LLC|L\.L\.C|Corporation|LLP)\b",
    r"(?i:\bsales tax|\btax exempt|\bW-9\b|\bEIN\b)",
    r"(?:\(\d{3}\) ?|\b\d{3}[-.])\d{3}[-.]\d{4}\b",
    r"\b[A-Z][a-z]+,? (?:A[LKZR]|C[AOT]|DE|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI"
    r"|S[CD]|T[NX]|UT|V[TA]|W[AVIY])(?=[,.]| {1,2}\d{5}|$)",
)
"""How pages of the United States write days, companies, taxes, telephone numbers and towns."""

NATIONAL_TAX = r"\b(?:GST|VAT|HST|PST|QST|IVA)\b"
"""Taxes on what is sold that the United States do not have."""

USAGE_ELSEWHERE = (
    NATIONAL_TAX,
    r"(?<![\d/.-])(?:1[3-9]|2\d|3[01])[/.-](?:0?[1-9]|1[0-2])[/.-](?:\d\d){1,2}(?!\d)",
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?[ -]{_MONTH}\.?,?[ -]\d{{2,4}}",
    r"\b(?:Ltd|Limited|Pty|Pte)\b",
    r"\b(?:[Cc]olour|[Ll]abour|[Cc]entre|[Cc]heque|[Cc]atalogue|[Ll]icence)s?\b",
)
"""How English pages of other countries write them."""

OF_RUSSIA = "рос(?:\\.|сийск)"
"""What says of roubles which they are."""

CURRENCY_NAMES: Mapping[str, str] = {
    "EUR": r"\beura[is]\b | \beurų\b | \beiro\b | \beurot\b | \bευρώ\b | \bевро\b",
    "VND": r"\bvnđ | \bđồng\b", "UAH": r"\bгрив(?:ень|ня|ні|ны|на)\b",
    "RUB": r"(?<!белорусских )(?<!белорусский )\bрубл(?:ей|я|ь)\b", "BYN": r"\bбелорусски[йх] рубл",
    "CFA": r"\bfrancs? cfa\b", "Rs": r"\brupees?\b", "GEL": r"ლარი", "IRR": r"ریال",
    "USD": r"\bd[oó]lares\b", "GHS": r"\bcedis?\b", "PHP": r"\bphilippine pesos?\b|\bpesos only\b",
    "KZT": r"\bтенге\b", "RSD": r"\bРСД\b | \bдинара?\b", "MKD": r"\bденари\b",
    "CNY": r"人民币", "TWD": r"新[台臺]幣", "THB": r"บาท", "KRW": r"원정", "JPY": r"日本円 | 円整 | 円也",
    "PLN": r"\bzłot(?:ych|e|y)\b", "CZK": r"\bkorun českých\b", "HUF": r"\bforint\b", "RON": r"-lei-",
    "TRY": r"\btürk lirası\b", "IDR": r"\brupiah\b", "MYR": r"\bringgit\b", "ILS": r"שקל | ש[\x22״]ח",
    "SAR": r"ريال (?:ال)?سعودي", "OMR": r"ريال (?:ال)?عماني", "QAR": r"ريال (?:ال)?قطري",
    "KWD": r"دينار (?:ال)?كويتي", "BHD": r"دينار (?:ال)?بحريني", "JOD": r"دينار (?:ال)?[أا]ردني",
    "AED": r"درهم(?! (?:ال)?مغربي)", "MAD": r"درهم (?:ال)?مغربي",
    "EGP": r"جنيه(?:ا|اً)? (?:ال)?مصري", "MXN": r"\bpesos mexicanos\b",
    "NGN": r"\bnaira\b", "BDT": r"\btaka\b", "ETB": r"\bbirr\b", "ZMW": r"\bkwachas?\b",
    "AOA": r"\bkwanzas?\b",
    "MZN": r"\bmeticais\b", "TND": r"\bmillimes\b", "DZD": r"\bdinars algeriens\b",
    "GTQ": r"\bquetzal(?:es)?\b",
    "HNL": r"\blempiras?\b", "PYG": r"\bguaran[ií]es\b", "BOB": r"\bbolivianos\b", "VES": r"\bbol[ií]vares\b",
    "UZS": r"\bso['‘’ʻ]m\b",
    "COP": r"\bpesos (?:colombianos|m/cte)\b", "CLP": r"\bpesos chilenos\b", "BRL": r"\breais\b",
}  # fmt: skip
"""Names of currencies as words in a text."""
