"""The words over the columns of tables, in English, German, French, Dutch and Spanish, as data.

Patterns are matched against `plain` text, as in the vocabulary.
"""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from app.service.documents.lexicon.vocabulary import TAX_CLAUSE, any_of
from app.service.documents.values.money import ISO_CODES

Column: TypeAlias = Literal[
    "position", "description", "item_id", "quantity", "unit", "unit_price", "list_price", "discount",
    "amount", "months", "years", "basis", "tax", "date", "ignored", "year", "tier", "pace",
]  # fmt: skip

# Columns of one kind side by side: the years of a ramp, the quantities from which a price holds.
_YEAR = any_of(
    r"(?:(?:contract|subscription|service) )?(?:year|yr|y|jahr|annee|an|ano|jaar) ?\d"
    r"(?: (?:fees?|total|amount|subtotal|cost|qty|quantity|users|seats|betrag|summe|montant|bedrag"
    r"|importe|menge|usd|eur|gbp))?",
    r"\d ?(?:st|nd|rd|th|er|e)? (?:year|jahr|annee|ano|jaar) | (?:fy ?)?20\d\d(?: ?[/–-] ?\d{2,4})?",
    whole=True,
)
_PACE_ALONE = any_of(
    r"(?:price |billed |paid )?(?:monthly|annual(?:ly)?|yearly|quarterly|(?:per |a )?(?:month|year|quarter))",
    r"(?:(?:pro|je) )?(?:monat|jahr) | monatlich | jahrlich | (?:(?:par|au) )?(?:mois|an) | mensuel | annuel",
    r"(?:per )?(?:maand|jaar) | maandelijks | jaarlijks | (?:(?:al|por) )?(?:mes|ano) | mensual | anual",
    whole=True,
)
_TIER = any_of(
    r"\d[\d,. ]*(?:-|–|—|to|bis|a|tot|hasta) ?\d[\d,.]*(?: [a-z]+)? | \d[\d,.]* ?\+(?: [a-z]+)?"
    r" | \d[\d,.]* (?:and|or) (?:up|over|above|more) | \d[\d,.]* (?:und|oder) mehr"
    r" | \d[\d,.]* (?:et|ou) plus | \d[\d,.]* en meer | \d[\d,.]* [yo] mas"
    r" | (?:ab|from|over|up to|bis|des|a partir de|vanaf|desde|>=?|≥|<=?|≤) ?\d[\d,.]*(?: [a-z]+)?",
    whole=True,
)

# For each column the words and how strongly a header that has them speaks for it. A header may speak
# for several columns ("Total price"): arithmetic over the rows decides.
_COLUMNS: tuple[tuple[Column, float, re.Pattern[str]], ...] = (
    ("position", 3.0, any_of(
        r"pos(?:ition)? ?(?:n[or]|#)? | # | no | nr | n | ln | line ?(?:no|#|item|number)?"
        r" | item ?(?:no|#) | s ?[lr]? ?no",
        r"lfd ?nr | lv ?nr | rang | ligne | no ligne | regel | linea | n[o°º]? ligne",
        whole=True,
    )),
    ("description", 3.0, any_of(
        r"descriptions? | details | particulars",
        r"expenses? | disbursements? | narrative | buchungstext | auslagen | spesen | frais(?: et \w+)?"
        r" | debours | onkosten | verschotten | gastos | suplidos",
        r"\w*beschreibung | \w*bezeichnung | leistungen | leistung | positionstext",
        r"werkzaamheden | \w*tatigkeit(?:en)? | gegenstand | travaux | trabajos? | activit(?:y|ies)"
        r" | designation | libelle | intitule | denomination | prestations? | \w*omschrijving | beschrijving"
        r" | descripcion"
        r" | denominacion | detalle",
    )),
    ("description", 2.0, any_of(
        r"(?:licensed )?(?:products?|services?|modules?|plans?|subscriptions?|software|solution|name"
        r"|title|offering|package|edition|component)(?: ?/ ?\w+| ?(?:name|title|and services?|description))?",
        r"what you get | what's included | line items? | subscription service"
        r" | products? (?:and|&|or|/) (?:services?|plans?)",
        r"produkte? | dienste? | modul | produits? | producten? | dienst(?:en)? | productos?"
        r" | conceptos? | servicios?",
        whole=True,
    )),
    ("description", 1.5, any_of(
        r"items? | articles? | goods | work | tasks? | jobs? | text | material | deliverables? | charges?"
        r" | fees? | licen[cs]es? | resources? | roles? | labou?r categor(?:y|ies)",
        r"artikel | waren? | positionen | marchandises? | goederen | mercancias? | abonnements?"
        r" | articulos? | licencias?",
        whole=True,
    )),
    ("description", 1.5, any_of(r"product | service | subscription | (?:course|job) title | plan | item")),
    ("item_id", 3.0, any_of(
        r"sku | skus | item (?:id|code|no|number|#) | part (?:no|number|#|code|num) | mfr part ?(?:no"
        r"|#|number)? | mpn | p/n",
        r"product (?:id|code|no|number|#) | catalog(?:ue)? (?:no|number) | model(?: no)? | ean | gtin"
        r" | code | material (?:no|number)",
        r"art(?:ikel)?[- ]*(?:nr|nummer|no|code) | referenz(?:en)? | bestellnr",
        r"ref | reference | references | codigo | referencia | cod | articulo no",
    )),
    ("item_id", 1.0, any_of(r"items? | articles? | artikel", whole=True)),
    ("quantity", 3.0, any_of(
        r"qty | qtys | quantity | quantities | quant | hrs | hours | units ordered | no of units"
        r" | units | count | volume | committed | delivered | shipped | consumption"
        r" | usage(?: limit)? | (?:no|number|#) of (?!months|years|periods)\w+",
        r"menge | \w*anzahl | anz | stuckzahl | stk | stuck | qte | quantite | nombre | nb | nbre | aantal"
        r" | aant | hoeveelheid"
        r" | cantidad | cant | uds | unidades",
    )),
    ("quantity", 5.0, any_of(r"(?:qty|quantity|hours|units) to date")),
    ("quantity", 2.0, any_of(
        r"number | (?:days|nights|pcs|pieces|pax|tage?|std|stunden|nachte|jours|heures|nuits|dagen|uren"
        r"|horas|dias|noches|verbrauch|verbruik|consumo|consommation)(?: ?[(/]? ?k?wh\)?)? | k?wh",
        r"(?:no of |number of |# of |# )?(?:licen[cs]es|users|seats|agents|employees|hosts|nodes"
        r"|devices|endpoints|contacts|subscriptions)(?: ordered)? | (?:named|concurrent) users"
        r" | entitlements?",
        r"(?:n[o°º]?\.? )?(?:licencias|lizenzen|nutzer|licenties|gebruikers|utilisateurs|usuarios)",
        whole=True,
    )),
    ("unit", 2.5, any_of(
        r"units? | uom | u ?/ ?m | unit of (?:measure|issue|measurement) | (?:licen[cs]e |charge "
        r"|billing )?metric | billing unit | measure | (?:licen[cs]e|user|unit) type | per | basis | each of",
        r"einheit | einh | me | meng ?-? ?einheit | mengeneinheit | unites? | eenheid | unidad | un | ud",
        whole=True,
    )),
    ("unit", 2.5, any_of(r"unit of (?:measure|issue)")),
    ("unit_price", 3.0, any_of(
        r"unit (?:price|cost|rate|net|fee|amount|value) | price (?:per|/) ?\w+ | (?:price|cost"
        r"|rate) each | net (?:unit )?price | your price | price/?unit",
        r"cost ?/ ?unit | price after discount | prix remise"
        r" | sales? price | selling price | unit/? ?price | (?:monthly|annual|yearly|month"
        r"|year) ?/? ?unit price | customer price | price offered",
        r"\w*einzelpreis | stuckpreis | e ?- ?preis | ep | nettopreis | einzelbetrag"
        r" | preis ?/ ?(?:einheit|stuck) | preis (?:je|pro)(?: \w+)?",
        r"prix unit\w* | p ?u(?: ht)? | prix net | prix par \w+ | prijs per \w+ | stuksprijs"
        r" | stukprijs | eenheidsprijs | netto ?prijs",
        r"precio unit\w* | precio por \w+ | unitario | precio neto | p ?\. ?unit\w*",
    )),
    ("unit_price", 2.5, any_of(
        r"each | rate | price | prices | per (?:user|seat|unit|licen[cs]e|month|year|item|agent|host)",
        r"(?:pro|je) (?:monat|jahr|stuck|einheit|nutzer) | par (?:mois|an|utilisateur|unite)"
        r" | per (?:maand|jaar|stuk|gebruiker) | (?:al|por) (?:mes|ano|usuario|unidad)",
        r"(?:monthly|annual|yearly|per month|per year) (?:price|rate|fee|cost"
        r"|licen[cs]e fee)(?: per unit| each)?",
        r"\w*preis | ansatz | prix | \w*prijs | precio | tarif | \w*tarief | tarifa",
    )),
    ("unit_price", 1.0, any_of(
        r"fees? | cost | charge | monthly | annual | kosten | cout | coste | cuota | loyer | gebuhr",
    )),
    ("list_price", 4.5, any_of(
        r"list | list price | msrp | rrp | srp | gross (?:unit )?price | standard price | retail"
        r" | book price | before discount | (?:regular|catalog(?:ue)?|base|original|published|full) price"
        r" | standard rate",
        r"listenpreis | listenpr | katalogpreis | bruttopreis | grundpreis | uvp"
        r" | (?:prix|pu) (?:catalogue|public|brut|tarif|de base) | tarif (?:public|catalogue)",
        r"lijstprijs | catalogusprijs | adviesprijs | bruto ?prijs | precio (?:de )?(?:lista|catalogo)"
        r" | precio (?:bruto|base) | basisprijs | pvp | tarifa oficial",
    )),
    ("discount", 4.5, any_of(
        r"disc | disc ?% | discount | discounts | adjust(?:ment)? | savings? | reduction | rebate | % off",
        r"rabatt | rab | nachlass | remise | rem | rabais | korting | krt | descuento | dto | dcto | desc",
    )),
    ("amount", 3.0, any_of(
        r"amount | amounts | total | totals | ext | extended | extension | subtotal | sub total"
        r" | line total | line net | net amount | net value | tcv | sum | value",
        r"acv | arr | (?:gesamt|zeilen|positions|zwischen)(?:preis|betrag|summe|kosten|wert)? | regelbedrag"
        r" | subtotaal | betrag | summe | entgelt | nettobetrag"
        r" | gp | netto | \w*betrag | \w*wert | belastung | base imponible | ^base$ | honorar | honoraires",
        r"debits? | debet | soll",
        r"montant | montant ht | total ht | prix (?:ht|total) | bedrag | totaal | totaalprijs"
        r" | regeltotaal | importe | precio total | sous-?total",
    )),
    ("amount", 1.5, any_of(
        r"cost | charges? | fees? | price | annual (?:fee|charge) | net",
        r"prix | preis | prijs | precio | kosten | costo | coste",
    )),
    ("amount", 4.5, any_of(r"(?:\d+[- ](?:month|year)|term|contract) (?:total|amount|cost|price|fee)"
        r" | (?:total|cost|price|fees?) (?:for|over) (?:the |\d+ )?(?:term|months|years)",
        r"(?:cout|prix|montant|total) (?:sur|pour) \d+ (?:mois|ans) | (?:kosten|preis|summe) (?:fur|uber) \d+"
        r" (?:monate|jahre) | (?:kosten|prijs|totaal) (?:voor|over) \d+ (?:maanden|jaar)"
        r" | (?:coste|precio|total) (?:por|para) \d+ (?:meses|anos)",
    )),
    ("amount", 4.5, any_of(
        r"\d+ (?:months?|years?|monate|jahre|mois|ans|maanden|jaar|meses|anos)",
        whole=True,
    )),
    ("amount", 6.0, any_of(
        r"(?:value|amount|total|gross|cost|work|sum|net|billed|charged) to date"
        r" | cumulative(?: (?:value|amount))?",
        r"(?:wert|betrag|summe|leistung) bis(?:her|lang| heute) | kumuliert\w*"
        r" | (?:montant|total|valeur) cumulee? | cumule | cumulatief"
        r" | (?:importe|total) (?:a origen|acumulado)",
    )),
    ("months", 4.0, any_of(
        r"(?:(?:#|no|number) of )?months? | mths? | mos? | term | periods? | duration | monate?"
        r" | laufzeit | dauer | mois | duree | mnd | maand(?:en)? | looptijd | mes(?:es)? | duracion",
    )),
    ("years", 4.0, any_of(r"years?(?! ?\d) | yrs? | jahre? | annees? | ans | ja(?:ar|ren) | anos?")),
    ("pace", 2.0, _PACE_ALONE),
    ("unit_price", 1.0, _PACE_ALONE),
    ("year", 6.0, _YEAR),
    ("amount", 3.0, _YEAR),
    ("tier", 6.0, _TIER),
    ("unit_price", 3.0, _TIER),
    ("basis", 5.0, any_of(
        r"price base(?: qty)? | base (?:qty|quantity) | preisbasis\w* | basismenge | price basis"
        r" | per qty")),
    ("basis", 2.6, any_of(r"per | je | pro | par | por", whole=True)),
    ("tax", 4.0, any_of(
        r"tax | taxes | tax % | tax rate | vat | vat % | gst | hst | sales tax",
        r"ust | mwst | mwst-? ?satz | steuer | steuersatz | umsatzsteuer | tva | taux tva | btw | iva | igic",
    )),
    ("date", 4.0, any_of(
        r"(?:\w+ )?(?:starts?|ends?|begin|from|to|date|dates|delivery|service period|valid)(?: date)?",
        r"von | bis | zeitraum | datum | liefer(?:datum|termin|woche) | leverdatum | livraison",
        r"du | au | vanaf | tot | desde | hasta | fecha"
        r" | periode",
        whole=True,
    )),
    ("date", 4.0, any_of(r"(?:start|end|delivery|begin) date | from date | to date")),
    ("ignored", 5.0, any_of(
        r"(?:min|max|minimum|maximum)(?: qty| quantity| users| participants| years| education)?"
        r" | volume band | tier | band | break | from qty | to qty",
        r"(?:charge |item |billing )type | billing(?: frequency)? | frequency | status | currency"
        r" | category | weight | page | invoice number",
        r"abrechnung | facturation | facturacion | wahrung | devise | valuta | moneda | notes?"
        r" | vendor | manufacturer | hersteller | abrechnungsart",
        r"supporting \w+ | experience | education",
        r"ex(?:ch(?:ange)?)? rate | rate of exchange | roe | (?:wechsel|umrechnungs)kurs | kurs"
        r" | taux de change | (?:wissel)?koers | tipo de cambio",
    )),
)  # fmt: skip

_CURRENCY = re.compile(r"[€£$¥₹]|euros?|kr")

# `Price per month` says how often a price is charged, not for how many months.
_PACE = re.compile(
    r"(?:(?<![a-z])(?:per|pro|par|al|por|je|p)(?![a-z])|/)[ /]*"
    r"(?:month|mo|monat|mois|maand|mnd|mes|year|yr|jahr|annee|an|jaar|ano)(?![a-z])"
)


@lru_cache(maxsize=4096)
def _column_scores(header: str) -> tuple[tuple[Column, float], ...]:
    code = header.upper() in ISO_CODES  # bare, not `Price (EUR)` broken before its bracket
    header = re.sub(r"[()\[\]:*.]", " ", TAX_CLAUSE.sub(" ", header))
    header = re.sub(r"\s+", " ", header).strip()
    code = code or _CURRENCY.fullmatch(header) is not None  # `€ excl. VAT`
    unpaced = _PACE.sub(" ", header)
    scores: dict[Column, float] = {"amount": 2.2} if code else {}
    for column, score, pattern in _COLUMNS:
        if pattern.search(unpaced if column in ("months", "years") else header):
            scores[column] = max(score, scores.get(column, 0.0))
    return tuple(scores.items())


def column_scores(header: str) -> dict[Column, float]:
    """How strongly a header (plain text) speaks for each column."""
    return dict(_column_scores(header))


def is_tax_clause(header: str) -> bool:
    """Whether a line of a header (plain text) is but words like `(incl. VAT)`."""
    return TAX_CLAUSE.fullmatch(header.strip("() ").rstrip(".")) is not None


def cuts_tax_clause(header: str, part: str) -> bool:
    """Whether a header parted after `part` would be cut inside of words like `incl. VAT`."""
    clause = TAX_CLAUSE.search(header.lower())
    at = header.find(part) + len(part)
    return bool(clause and clause.start() < at < clause.end())


@lru_cache(maxsize=4096)
def coverage(header: str) -> float:
    """The share of a header's letters (plain text) that the words for columns account for."""
    letters = sum(letter.isalpha() for letter in header)
    rest = TAX_CLAUSE.sub(" ", header)
    for _, _, pattern in _COLUMNS:
        rest = pattern.sub(" ", rest)
    return 1 - sum(letter.isalpha() for letter in rest) / letters if letters else 1.0
