# ruff: noqa: E501
"""The words that forms use, in English, German, French, Dutch and Spanish, as data.

All patterns are matched against `plain` text: lower case, no accents. They name kinds of label,
never an issuer or a layout.
"""

import re
from typing import Literal, TypeAlias

Column: TypeAlias = Literal[
    "position", "description", "item_id", "quantity", "unit", "unit_price", "list_price", "discount",
    "amount", "months", "years", "tax", "date", "ignored",
]  # fmt: skip

# For each column the patterns and how strongly a header that matches speaks for it. A header may
# speak for several columns ("Total price"): arithmetic over the rows decides.
COLUMNS: tuple[tuple[Column, float, str], ...] = (
    ("position", 3.0, r"^(pos(ition|\.)?( ?n[ro])?|#|no|nr|n|ln|line( no| #| item)?|lfd ?nr|sl no|s no|sr no|item (no|#)|ligne|regel|linea|lv ?nr)$"),
    ("description", 3.0, r"description|beschreibung|bezeichnung|designation|libelle|omschrijving|descripcion|^details?$|denominacion|^leistung(en)?$"),
    ("description", 2.0, r"^(licensed )?(products?|services?|modules?|plan|subscriptions?|produkte?|produits?|producten?|productos?|concepto|conceptos|what you get|offering|software|solution|name|title|prestations?|dienst(en)?|servicios?)\b"),
    ("description", 2.0, r"\b(product|service|item|plan|article|artikel|subscription|module|licen[cs]e|abonnement|leistung)s?( ?/ ?\w+| name| title| type)?$"),
    ("description", 1.5, r"^(items?|articles?|artikel|articulos?|positionen|deliverables?|charges?|fee|fees)$"),
    ("item_id", 3.0, r"\b(sku|item (id|code|no|number|#)|part (no|number|#|code)|mfr part|mpn|product (id|code|no|number)|art(ikel)?[ -]?(nr|nummer|no|code)|reference|ref|referenz(en)?|code|codigo|referencia|artikelnummer|catalog(ue)? (no|number)|model|ean|gtin)\b"),
    ("item_id", 1.0, r"^(item|article|artikel)$"),
    ("quantity", 3.0, r"\b(qty|qte|quantity|quantities|quantite|menge|anzahl|aantal|cantidad|cant|hrs|hours|stuckzahl|stk|units ordered|volume)\b"),
    ("quantity", 1.5, r"^(no of |number of |# of |# )?(licen[cs]es|users|seats|units|licencias|lizenzen|licenties|licences|utilisateurs|usuarios|gebruikers|nutzer|agents|employees)( ordered)?$"),
    ("unit", 2.0, r"^(unit|units|uom|u ?/ ?m|unit of (measure|issue)|metric|einheit|einh|me|unite|eenheid|unidad|per|meng -? ?einheit|mengeneinheit|unit type|license metric|charge metric|basis)$"),
    ("unit_price", 3.0, r"\b(unit (price|cost|rate|net|fee)|price( per)? unit|price each|net (unit )?price|einzelpreis|stuckpreis|e ?-?preis|nettopreis|prix unit\w*|p ?u( ht)?|prijs per \w+|stuksprijs|eenheidsprijs|precio unit\w*|precio por|unitario|prix net|precio neto|netto prijs|netto ?stukprijs|unit/? ?price|your price|preis ?/ ?einheit|preis je|preis pro|prix par|sales price|selling price)\b"),
    ("unit_price", 2.5, r"\b(each|per (user|seat|unit|licen[cs]e|month|year|item)|(monthly|annual|yearly)[ /]\w*[ /]?(price|rate|fee|unit)|rate|preis|prix|prijs|precio|tarif|tarief|tarifa|price|unit)\b"),
    ("unit_price", 1.0, r"\b(fee|cost|charge|kosten|cout|coste|cuota|monthly|annual|price ?/ ?(yr|mo|month|year))\b"),
    ("list_price", 4.5, r"\b(list|msrp|rrp|listenpreis|listenpr|lijstprijs|catalogusprijs|prix catalogue|prix public|tarif public|precio de lista|precio lista|tarifa oficial|gross (unit )?price|bruttopreis|standard price|retail|book price|before discount)\b"),
    ("discount", 4.5, r"\b(disc|discount|rabatt|remise|rem|reduction|korting|descuento|dto|dcto|adjust(ment)?|nachlass|savings?)\b"),
    ("amount", 3.0, r"\b(amount|total|totals|ext|extended|extension|line total|gesamtpreis|gesamt|gesamtbetrag|betrag|summe|entgelt|montant|bedrag|totaal|importe|subtotal|sub total|nettobetrag|montant ht|total ht|prix ht|net amount|gesamtkosten|prix total|precio total|totaalprijs|tcv|line net|betrag|zeilensumme|regeltotaal|net value|sum|value)\b"),
    ("amount", 1.5, r"\b(cost|charge|fee|price|prix|preis|prijs|precio|fees|annual fee|annual charge|kosten|costo|net|netto|for (the )?(initial )?term)\b"),
    ("months", 4.0, r"\b(months?|monate|mois|maanden|meses|mths|mos|laufzeit|term|periods?|duration|duree|looptijd|duracion|monat|mo)\b"),
    ("years", 4.0, r"\b(years?|jahre|annees|ans|jaren|jaar|anos|yrs)\b"),
    ("tax", 4.0, r"\b(tax(es)?|vat|ust|mwst|tva|btw|iva|gst|hst|steuer(satz)?|igic|sales tax|umsatzsteuer)\b"),
    ("date", 4.0, r"\b(date|datum|fecha|start|end|from|to|begin|von|bis|periode?|zeitraum|valid|delivery|lieferdatum)\b"),
    ("ignored", 3.0, r"\b(type|billing|frequency|charge type|abrechnung|facturation|facturacion|status|currency|wahrung|devise|valuta|moneda|notes?|vendor|manufacturer|hersteller|min|max|volume band|tier|band|weight|gewicht|category|tax code)\b"),
)  # fmt: skip

Total: TypeAlias = Literal["net", "tax", "gross", "due", "discount", "other", "paid", "contract", "subtotal"]

# In order: the first that matches names the row.
TOTALS: tuple[tuple[Total, str], ...] = (
    ("paid", r"\b(amount paid|paid|payments?( received)?|deposit|prepaid|bereits (be|ge)zahlt|anzahlung(en)?|erhaltene anzahlung(en)?|acomptes?|deja (paye|regle)|deja verse|voldaan|betaald|pagado|anticipo|previous balance|change|cash|tendered|credit card|rounding|vorauszahlung)\b"),
    ("other", r"\b(discounts?|rabatt|remise|korting|descuento|nachlass|abschlage?|allowances?|charges amount|zuschlage?|versand\w*|shipping|freight|delivery|handling|frais de port|verzend\w*|portes|savings?|you save)\b"),
    ("tax", r"^(total |plus |zzgl\.? |add |less |summe |betrag |montant |total des |bedrag |importe |cuota |sales |estimated |state |local )?(amount of |de la |der )?(tax(es)?|vat|v\.a\.t\.?|gst|hst|pst|qst|sst|cgst|sgst|igst|tva|mwst|mehrwertsteuer|ust|umsatzsteuer|btw|iva|i\.v\.a\.?|igic|steuer(betrag|n)?|omzetbelasting|consumption tax|impuestos?|taxe)( amount| betrag| total| in eur|e? amount)?\b"),
    ("tax", r"\b(total (tax|vat|gst|taxes|tva|btw|iva|steuer|mwst)|sales tax|vat amount|tax amount|steuerbetrag|summe umsatzsteuer|total vat amount|montant (de la )?tva|total taxes)\b"),
    ("contract", r"\b(contract value|total contract|tcv|vertragswert|gesamtvertragswert|valeur (totale )?du contrat|contractwaarde|valor (total )?del contrato|commitment)\b"),
    ("net", r"\b(sub ?-?s?totals?|net (total|amount|value|price|sum)|total (net|ht|excl\w*|before tax|without (vat|tax)|amount (of lines|without vat))|total hors taxes?|hors tva|netto(betrag|summe|wert|total)?|nettobetrag|summe netto|zwischensumme|total ht|montant ht|sous-?total|subtotaal|totaal excl\w*|netto bedrag|base imponible|total neto|neto|importe neto|total sin (iva|impuestos)|ex\.? ?(vat|gst|tax)|excl\.? ?(vat|gst|tax|btw|mwst|ust|tva)|excluding (tax|vat|gst)|before (tax|vat)|exclusive of (vat|tax)|zonder btw|ohne (ust|mwst)|total fees,? net|gesamt ?netto|rechnungssumme (netto|ohne)|positionssumme|warenwert|exkl\.? (ust|mwst)|total exc\w*|net)\b"),
    ("due", r"\b(balance due|amount due|total due|due|balance|zahlbetrag|offener betrag|net a payer|reste a payer|solde|te betalen|openstaand|total a pagar|importe a pagar|pay this amount|zu zahlen|fallig\w*)\b"),
    ("gross", r"\b(grand total|total (gross|ttc|incl\w*|payable|amount|price|value|order|invoice|quote|cost|fees|eur|usd|gbp|aud|cad|chf|jpy|with (tax|vat)|due|con iva|general|charge|a payer)|total|totaal|gesamt(betrag|summe|preis)?|summe|brutto(summe|betrag)?|endbetrag|endsumme|rechnungsbetrag|angebotssumme|gesamtsumme|montant (total|ttc)|te betalen|totaalbedrag|importe total|totales?|invoice (total|amount)|quote (total|amount)|order (total|amount)|amount payable|total-?betrag|auftragssumme|rechnungssumme)\b"),
)  # fmt: skip

LINE_INCLUDED = re.compile(
    r"\b(included|incl\.?|inclusive|no charge|free of charge|free|n/?c|inbegriffen|inklusive|enthalten|kostenlos|gratis|inclus|compris|offert|gratuit|inbegrepen|inclusief|incluido|incluida|sin cargo|complimentary)\b"
)
OPTIONAL = re.compile(
    r"\b(optional|options?|optionen|optionnel\w*|en option|optioneel|optionele|opcional\w*|opciones|not included in (the )?total|nicht (im|in der) (gesamt\w*|summe) enthalten|non compris\w*|niet inbegrepen|no incluid\w*|alternativ\w*|add-ons? available)\b"
)


def total_kind(label: str) -> Total | None:
    """What a row with this label (plain text) sums up; None when it is no total."""
    label = re.sub(r"\d+(?:[.,]\d+)?\s?%|[()\[\]:*]", " ", label)
    label = re.sub(r"\s+", " ", label).strip()
    for kind, pattern in TOTALS:
        if re.search(pattern, label):
            return kind
    return None


def column_scores(header: str) -> dict[Column, float]:
    """How strongly a header (plain text) speaks for each column."""
    header = re.sub(r"[()\[\]:*.]", " ", header)
    header = re.sub(r"\s+", " ", header).strip()
    scores: dict[Column, float] = {}
    for column, score, pattern in COLUMNS:
        if re.search(pattern, header):
            scores[column] = max(score, scores.get(column, 0.0))
    return scores
