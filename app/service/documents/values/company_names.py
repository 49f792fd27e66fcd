"""Names of companies in text: by their legal form, else by how names look."""

import re
from collections.abc import Iterator

from app.service.documents.lexicon.column_words import column_scores
from app.service.documents.lexicon.vocabulary import any_of
from app.service.documents.values.dates import find_dates, plain
from app.service.documents.values.money import ISO_CODES

_FORMS = (
    r"Inc", r"LLC", r"L\.L\.C", r"Ltd", r"LTD", r"Limited", r"GmbH(?: ?& ?Co\.? ?KGa?A?)?",
    r"gGmbH", r"[A-ZÄÖÜ][a-zäöüß]+-(?:GmbH|AG)(?: ?& ?Co\.? ?KG)?", r"mbH",
    r"Ges\.?m\.?b\.?H", r"UG \(haftungsbeschränkt\)", r"AG", r"KG", r"KGaA",
    r"UG", r"OHG", r"e\.K", r"e\.V", r"eG", r"a\.G", r"SE",
    r"SAS", r"SASU", r"SARL", r"S\.A\.R\.L", r"EURL", r"S\.A\.S", r"SA", r"S\.A", r"B\.V", r"BV",
    r"N\.V", r"NV", r"VOF", r"V\.[Oo]\.[Ff]", r"S\.L\.U", r"S\.L\.P", r"S\.L\.L", r"S\.L", r"SL", r"SLU",
    r"PLC", r"plc", r"LLP", r"LP",
    r"L\.P", r"Pty\.?,? ?Ltd", r"Pte\.?,? ?Ltd", r"Pvt\.?,? ?Ltd", r"ULC", r"Corp", r"Corporation",
    r"Incorporated", r"Company", r"Co(?!\.? [A-Z][a-z])", r"K\.K", r"KK", r"DAC", r"CLG", r"S\.r\.l", r"SRL",
    r"S\.p\.A", r"SpA", r"AB", r"AS", r"A/S", r"ApS", r"Oy", r"Oyj", r"(?i:Sdn\.? ?Bhd)",
    r"Holdings", r"Group",
)  # fmt: skip
_FORM = rf"(?:{'|'.join(_FORMS)})"
_STRONG = rf"(?:\(\w+\) )?{_FORM}(?:\b|(?<=[.)]))\.?(?!-\w| \d{{4}}\b)"
_BIG = r"[A-Z0-9ÄÖÜÉÈÀÇÑŒ][\w'’.&+/\-]*"
_LINK = r"(?:&|\+|of|and|und|et|y|en|de|der|des|du|la|le|les|für|the|van|von|del|\([A-Z]{1,3}\))"
COMPANY = re.compile(
    rf"(?<![\w.])(?:{_BIG},?\s+)(?:(?:{_BIG}|{_LINK}),?\s+){{0,6}}?{_STRONG}(?:,? {_STRONG})*"
)
# At the start of a line, before its address, a name may hold small words: `Au bon marche SARL - 3 rue ...`.
_OPENING = re.compile(
    rf"(?P<name>{_BIG}(?: [^\W\d][\w'’&.]*){{1,5}}? {_FORM}\.?)(?= ?(?:[-–·|•,]|$))(?<!\bof)"
)
_TITLES = any_of(
    r"invoice | quote | quotation | order(?: form| confirmation)? | proposal | estimate"
    r" | price list | agreement | contract | date | number | page | bill | ship | customer"
    r" | prepared | renewal | summary | tax | receipt | statement | attention | terms | total"
    r" | due | details | subscription | product | service | pricing | dear | offer | copy"
    r" | original | duplicate | draft | confidential | information | reference | phone | seller"
    r" | buyer | version | profile | sheet",
    r"angebot | rechnung | auftrag | bestellung | datum | nummer | seite | kunde | lieferung"
    r" | preisliste | sehr geehrte\w* | stylesheet | visualisierung | verkaufer"
    r" | kaufer | positionsdaten | gutschrift | lieferschein"
    r" | \w+(?:nummer|datum|angebot|vertrag|rechnung|bestatigung)",
    r"facture | devis | proposition | commande | client | adresse | livraison | madame | factuur | offerte"
    r" | klant | geachte | (?:\w+)?voorstel | presupuesto | factura | fecha | cliente | estimad[oa]s?",
)
_DOCUMENT_WORDS = (
    r"(?:(?:sales|price|customer|renewal|subscription) )?(?:quot(?:e|ation)|proposal|estimate|order form)"
    r"|angebot|kostenvoranschlag|devis|proposition(?: commerciale)?|offerte|presupuesto|oferta"
)
_ADDRESS = re.compile(
    r"\d|\b(?:street|road|avenue|lane|strasse|rue|straat|calle|box|suite|floor)\b", re.IGNORECASE
)


_PREPOSITION = re.compile(
    r"^(?:(?:Prepared |Created |Issued |Sold )?[Bb]y|Verkauft von|Vendu par|Verkocht door"
    r"|Vendido por|Between|Entre|Zwischen|Tussen|From|By|For|To|And|Von|An|Für|Pour|Par|Voor|Door|Para|Por)\s"
)


_LABELLED_NAME = re.compile(
    rf"^(?:Company|Name|Customer|Client|Firma|Kunde|Klant|Société|Empresa|Cliente):? (?={COMPANY.pattern})"
)


def companies_in(text: str) -> Iterator[str]:
    """All names with a legal form, as printed."""
    opening = _OPENING.match(text)
    if opening and not COMPANY.match(text) and not _TITLES.search(plain(opening["name"])):
        yield opening["name"].strip(" ,")
    for found in COMPANY.finditer(text):
        if not re.match(r"\d+[\s,.]|\S*\d{3}", found.group()):
            yield bare_name(found.group())


def bare_name(company: str) -> str:
    """The name of a company without the label or preposition before it."""
    return _LABELLED_NAME.sub("", _PREPOSITION.sub("", company)).strip(" ,")


def key(name: str) -> str:
    """What two spellings of a name share: letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", plain(name))


def as_name(value: str) -> str | None:
    """A labelled value as a name: without the address that follows it; None when it is no name."""
    value = _LABELLED_NAME.sub("", value)
    value = re.split(r"\s[·|•]\s|\s{3,}|\s[-–]\s(?=\d+\S* [^\W\d])", value)[0].strip(" ,;:·-")
    company = COMPANY.match(value)
    if company:
        rest = value[company.end() :]
        tail = re.fullmatch(r"(?: [^\W\d]+){1,2}", rest)
        return value if tail else company.group().strip(" ,")
    value = re.split(r",\s", value)[0].strip(" ,")
    if not 2 <= len(value) <= 70 or not re.search(r"[^\W\d]{2}", value) or len(value.split()) > 8:
        return None
    if (
        find_dates(value)
        or "@" in value
        or value.endswith(":")
        or re.match(r"[\d\W]*$|\d\w{1,3}$|[A-Z]{1,3}-?\d{3,}$|\d+\w?,? [A-Z][^\W\d]+ \w+", value)
        or is_label(value)
        or is_labelled(value)
        or re.match(r"\w*(?:nummer|number|datum|date)\s\S*\d", plain(value))
        or re.fullmatch(_DOCUMENT_WORDS, plain(value))
    ):
        return None
    return value


def looks_like_name(text: str) -> bool:
    """Whether a line without a label may be the name of a company: short, capitalised, no title."""
    if not re.match(r"[A-ZÄÖÜÉÈ\d]", text) or len(text.split()) > 5 or len(text) > 45 or len(text) < 3:
        return False
    if re.fullmatch(_STRONG, text) or re.search(r"^\d+\w?,? \w|[^\W\d] \d{1,4} ?[a-z]?$", text):
        return False  # a street
    if re.match(r"(?:unit|suite|level|floor|flat|building) \d", plain(text)):
        return False
    if re.search(r"\d{2}|[:@%$€£]|www|http|!$", text) or _TITLES.search(plain(text)) or text in ISO_CODES:
        return False
    return bool(re.search(r"[^\W\d]{3}", text)) and not column_scores(plain(text)) and not is_label(text)


_LABEL_WORDS = any_of(
    r"prepared by | prepared for | bill to | ship to | sold to | date | number | no | id | name"
    r" | address | contact | phone | tel | fax | email | terms | payment | total | currency"
    r" | subscription term | term | billing | reference | attention | attn | account manager"
    r" | customer id | vat(?: id| no)? | tax id | invoice | quote | order | page | po number"
    r" | date of issue | (?:issue|invoice|due|quote|order) date | date d'(?:emission|echeance)"
    r" | (?:receive|ship|deliver) (?:by|via) | payment method | (?:invoice|order|quote) # \d+"
    r" | zahlungsart | mode de paiement | betaalmethode | forma de pago"
    r" | expires | valid (?:until|for|to|through) | customer | supplier | vendor | seller | provider"
    r" | buyer | client | from | to | (?:company|account|customer|client) name"
    r" | (?:delivery|billing|shipping|invoice) address",
    r"nummer | globale nummer | name | anschrift | telefon | datum | kundennummer"
    r" | ansprechpartner | opgesteld (?:door|voor) | betreft | prepare par | contact commercial"
    r" | etabli par | emis par | preparado por | numero | fecha | date | elaborado por | client"
    r" | zeitraum | laufzeit | periode | lieferschein | vertreter | issued"
    r" | kunde | klant | anbieter | lieferant | empfanger"
    r" | (?:liefer|rechnungs)(?:adresse|anschrift)"
    r" | adresse de (?:livraison|facturation) | fournisseur | emetteur | leverancier"
    r" | (?:[a-z'.-]+ ){1,3}(?:no|nr|num|number|nummer|date|datum|ref|reference|terms|rep|information"
    r"|details)"
    r" | (?:date|fecha|numero|conditions|condiciones) (?:d[a-z]* ?['’]?)?(?:[a-z]+ ?){1,3}"
    r" | (?:\w+ )?total | \w+(?:datum|nummer|bedingung|bedingungen) | (?:\w+ )?adresse"
    r" | (?:your|our|ihre?|unsere?|votre|notre|uw|onze|su|nuestr[oa]) (?:ref\w*|order|enquiry|offer|quote"
    r"|contact|angebot|bestellung|anfrage|auftrag|zeichen|commande|demande|tva|bestelling|aanvraag|pedido)"
    r" | facture d['’]origine"
    r" | (?:aflever|factuur|lever)adres | direccion de (?:entrega|facturacion|envio) | proveedor | emisor",
    whole=True,
)


def is_label(text: str) -> bool:
    """Whether a cell is itself a label and so no value of the label left of it."""
    bare = plain(text).strip(" .#°")
    return text.rstrip().endswith(":") or bool(_LABEL_WORDS.match(bare.rstrip(" :")))


def goes_on(name: str) -> bool:
    """Whether a name must go on in the next line: `Cooperative Society of`."""
    return bool(re.search(rf"\s{_LINK}$", name))


def is_labelled(text: str) -> bool:
    """Whether a cell holds a label with its own value: `Quote no.: 7`."""
    return bool(re.match(r"[^\W\d][^:]{1,30}: \S", text)) and not COMPANY.match(text)


def is_address(text: str) -> bool:
    return bool(_ADDRESS.search(text))
