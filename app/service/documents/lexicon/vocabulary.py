"""The words that forms use, in English, German, French, Dutch and Spanish, as data.

All patterns are matched against `plain` text: lower case, no accents. They name kinds of label,
never an issuer or a layout. One string a language, alternatives parted by ` | `.
"""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

Total: TypeAlias = Literal["net", "tax", "gross", "due", "discount", "other", "paid", "contract"]


def any_of(*languages: str, whole: bool = False) -> re.Pattern[str]:
    """A pattern for any of the phrases; `whole` ones must be all that is there."""
    phrases = "|".join(phrase.strip() for language in languages for phrase in language.split(" | "))
    return re.compile(rf"^(?:{phrases})$" if whole else rf"(?<![a-z0-9])(?:{phrases})(?![a-z0-9])")


# What a header says about tax ("Price excl. VAT") does not make it the column of the tax.
_TAX = (
    r"(?:sales )?(?:vat|tax(?:es)?|gst|hst|pst|qst|igst|sst|btw|ust|mwst|umsatzsteuer|mehrwertsteuer|steuer"
    r"|tva|iva|igic|taxe|impuestos|moms)(?![a-z])"
)
TAX_CLAUSE = re.compile(
        r"(?<![a-z])(?:(?P<hors>h ?t)(?![a-z])|(?P<ttc>ttc)(?![a-z])"
        r"|(?:(?P<without>excl|ex|exc|exkl|ohne|without|w/o|before|avant|antes de|vor|net of|hors|sin|zonder"
        r"|excluding|exclusive of|exclusief)"

        r"|(?P<within>incl|inc|inkl|including|inclusive of|inclusief|con|mit|with))\W*(?:de |the |any "
        r"|of )?(?:\d+ ?% ?)?" + _TAX +
    r"|" + _TAX +
        r"\s?(?:(?P<left_out>excl|exc|excluded|exclusive)|(?P<put_in>incl|inc|included"
        r"|inclusive|incluses?|comprises?))(?![a-z]))"
)  # fmt: skip

# In order: the first that matches names the row.
_TOTALS: tuple[tuple[Total, re.Pattern[str]], ...] = (
    ("paid", any_of(
        r"amount paid | paid | payments?(?: received| made)? | deposit | prepaid | previous balance"
        r" | change(?: due)? | cash | tendered?(?: amount)? | credit card | visa | mastercard"
        r" | rounding(?: adj\w*)?",
        r"bereits (?:be|ge)zahlt | (?:erhaltene )?anzahlung(?:en)? | vorauszahlung(?:en)? | acomptes?"
        r" | deja (?:paye|regle|verse) | voldaan | betaald | pagado | anticipo",
    )),
    ("other", any_of(
        r"discounts? | charges amount | allowances? | shipping | freight | delivery | handling"
        r" | carriage | postage(?: (?:and|&) packing)? | p&p | porto(?:kosten)? | verpackung | verpakking"
        r" | emballage | embalaje"
        r" | savings? | you save | surcharge | tip",
        r"(?:less )?retention | \w*einbehalt | retenue de garantie | retencion de garantia | inhouding",
        r"\w*rabatt | \w*nachlass | abschlage | abschlag | zuschlage?"
        r" | versand\w* | fracht",
        r"remise | frais de port | port | \w*korting | verzend\w* | leveringskosten | descuento"
        r" | portes | gastos de envio",
    )),
    ("net", any_of(r"bemessungsgrundlage | grondslag | maatstaf van heffing | base (?:de )?tva")),
    ("tax", any_of(
        r"(?:total |plus |add |less |sales |estimated |state |local |consumption |goods and services "
        r"|value added )?(?:tax|taxes|vat|v\.a\.t|gst|hst|pst|qst|sst|cgst|sgst|igst)(?: amount| total"
        r"| due)?",
        r"(?:zzgl |summe |gesamt)?(?:mwst|mehrwertsteuer|ust|umsatzsteuer|steuerbetrag|steuern"
        r"|umsatzsteuerbetrag|mwst-?betrag)(?: betrag| in eur)?",
        r"(?:montant |total )?(?:de la )?(?:tva|taxes?) | (?:totaal |bedrag )?btw(?: bedrag)?"
        r" | (?:total |importe |cuota )?(?:de )?(?:iva|i\.v\.a|igic|impuestos?)",
    )),
    ("contract", any_of(
        r"contract value | total contract | tcv | commitment | vertragswert | gesamtvertragswert"
        r" | valeur (?:totale )?du contrat | contractwaarde | valor (?:total )?del contrato",
    )),
    ("net", any_of(
        r"sub ?-?s?totals? | goods value | value of goods | taxable amount"
        r" | nett? (?:total|amount|value|price|sum|due before tax)"
        r" | net(?! a payer) | total (?:net"
        r"|excl\w*|exc|before tax|without (?:vat|tax)|fees,? net) | total amount (?:of lines"
        r"|without vat)",
        r"ex (?:vat|gst|tax) | excl (?:vat|gst|tax|btw|mwst|ust|tva) | excluding (?:tax|vat|gst|taxes)"
        r" | before (?:tax|vat|taxes) | exclusive of (?:vat|tax|taxes)",
        r"netto(?:betrag|summe|wert|total|preis)? | summe netto | gesamt ?netto | zwischensumme"
        r" | positionssumme | warenwert | rechnungssumme (?:netto|ohne) | ohne (?:ust|mwst)"
        r" | exkl (?:ust|mwst) | nettogesamt\w*",
        r"total h ?t | montant h ?t | sous-?total | total hors taxes? | hors (?:tva|taxes?) | total net h ?t",
        r"subtotaal | totaal excl\w* | netto bedrag | zonder btw | base imponible | total neto | neto"
        r" | importe neto | total sin (?:iva|impuestos) | base",
    )),
    ("due", any_of(
        r"to pay | balance due | amount due | total due | due | balance | pay this amount | zahlbetrag"
        r" | offener betrag | zu zahlen | net a payer | reste a payer | solde(?: a payer)?",
        r"te betalen | openstaand | (?:total|importe) a pagar | fallig\w*",
    )),
    ("gross", any_of(
        r"grand total | gross (?:total|amount) | total | totals"
        r" | total(?:s)? (?:gross|incl\w*|payable|amount|price|value|order"
        r"|invoice|quote|cost|fees|due|charge)(?: amount)? | amount payable",
        r"(?:invoice|quote|order|offer|estimate) (?:total|amount|value|sum)",
        r"(?:ins)?gesamt(?:betrag|summe|total|preis|kosten)? | summe | brutto(?:summe|betrag)? | endbetrag"
        r" | endsumme | \w*forderung"
        r" | (?:rechnungs|angebots|auftrags|vertrags)(?:betrag|summe|total) | totalbetrag",
        r"total t ?t ?c | montant (?:total|ttc) | total general | totaal | totaalbedrag"
        r" | totaal incl\w* | importe total | total general | total con iva",
    )),
)  # fmt: skip

INCLUDED = any_of(
    r"included | incl | inclusive | no charge | free of charge | free | n ?/ ?c | complimentary"
    r" | at no (?:extra )?(?:charge|cost) | bundled | waived",
    r"inbegriffen | inklusive | enthalten | kostenlos | kostenfrei | gratis | inkl | ohne aufpreis",
    r"inclus(?:e|es)? | compris(?:e|es)? | offert(?:e|s)? | gratuit(?:e|s)? | inbegrepen"
    r" | inclusief | incluid[oa]s? | sin cargo",
)
OPTIONAL = any_of(
    r"optional(?: items?| services?| add-ons?)? | options?(?! \d) | not included in (?:the )?total"
    r" | alternatives? | add-ons? available | not included in the price",
    r"optionen | optionale? \w+ | optional | nicht (?:im|in der) (?:gesamt\w*|summe) enthalten"
    r" | eventualposition(?:en)? | bedarfsposition(?:en)? | alternativ\w*",
    r"optionnel\w* | en option | non compris\w* | option(?:ele)?(?! \d) | optioneel | niet inbegrepen"
    r" | opcional\w* | opciones | no incluid\w*",
)
# The sum of a page, handed on to the next.
CARRIED = any_of(
    r"(?:carried|brought|balance) (?:forward|over|to (?:the )?next page) | carry ?over | ubertrag\w*"
    r" | a reporter | report(?: de la)? page\w* | transport | suma (?:y sigue|anterior) | subtotaal pagina",
)
DISCOUNT = any_of(
    r"discount | \w*rabatt | \w*nachlass | abzgl | abzuglich | less | remise | rabais | \w*korting"
    r" | descuento | dto | reduction",
)


def excludes_tax(text: str) -> bool:
    """Whether words (plain text) say that tax comes on top: `before VAT`, `excl. taxes`."""
    clause = TAX_CLAUSE.search(text)
    return bool(clause and (clause["without"] or clause["left_out"] or clause["hors"]))


@lru_cache(maxsize=4096)
def total_kind(label: str) -> Total | None:
    """What a row with this label (plain text) sums up; None when it is no total."""
    label = re.sub(r"\d+(?:[.,]\d+)?\s?%|[()\[\]:*]", " ", label)
    label = re.sub(r"\.(?!\w)|\s+", " ", label).strip()
    clause = TAX_CLAUSE.search(label)
    if excludes_tax(label):
        return "net"
    if clause:
        label = TAX_CLAUSE.sub("", label).strip() or "total"
    for kind, pattern in _TOTALS:
        if pattern.search(label):
            return kind
    of_all = r"(?:opti|offer|lot|phase)\w*|(?:montant|betrag|bedrag|importe|amount|somme)$"
    return "gross" if clause and re.match(of_all, label) else None
