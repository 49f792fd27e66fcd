"""Classify a line of a quote: a product that can be estimated, something that costs and is no product, or a
product that the buyer leaves out. Pure; a person can change the result."""

import re
from dataclasses import dataclass

from app.contract.scope import LineRole
from app.service.catalog.names import fold_text
from app.service.documents.extraction import LineItem
from app.service.documents.lexicon.phrases import either, phrase
from app.service.scopes.units import SERVICE_UNITS, find_period, unit_words


def _compile_phrases(*languages: str) -> re.Pattern[str]:
    return phrase(either(" | ".join(languages)))


@dataclass(frozen=True)
class LineClass:
    """The class of a line. `reason` is a sentence, None for a plain product; `recurring` is None where
    unknown. A text or a sum of other lines does not add to the quote's total."""

    role: LineRole
    reason: str | None = None
    recurring: bool | None = None
    adds_to_total: bool = True


# The whole line must match: `SMS Delivery & Authentication` is no delivery.
_SHIPPING = re.compile(
    r"^(?:(?:standard|express|free|courier|ground|air|sea|overnight) )*"
    r"(?:shipping|freight|delivery|postage|handling|carriage|courier|transport"
    r"|versand\w*|fracht\w*|liefer(?:ung|kosten|pauschale)|porto\w*|verpackung\w*|zustellung"
    r"|frais de (?:port|livraison|transport|expedition)|livraison|port|expedition"
    r"|verzend\w*|levering\w*|bezorg\w*|vracht\w*"
    r"|(?:gastos|costes?) de (?:envio|transporte)|envio|portes|transporte)"
    r"(?:[ ,:/&+-]+(?:and|und|et|en|y|charges?|costs?|fees?|handling|packing|packaging|insurance|kosten"
    r"|verpackung|emballage|nach|domicile|door|prepaid|rates?))*(?: to .{2,40})?$"
)
_SERVICES = _compile_phrases(
    r"training | trainings | workshops? | onboarding | implementation | set ?up | set-up | installation"
    r" | migration | consulting | consultancy | professional services?(?! automation) | project management"
    r" | quick ?start | configuration | customi[sz]ation | \w+ build | template design | launch package"
    r" | change requests? | go-live | architecture review | conversion | deployment package"
    r" | services? days? | support days?",
    r"schulung\w* | einrichtung\w* | implementierung\w* | einfuhrung\w* | beratung\w* | inbetriebnahme\w*"
    r" | projektleitung | projektmanagement | installation | dienstleistung\w* | anpassung\w*",
    r"formation | mise en (?:service|place|oeuvre) | accompagnement | conseil | parametrage | deploiement"
    r" | prestations?",
    r"opleiding | implementatie | inrichting | advies | installatie | migratie | configuratie"
    r" | dienstverlening",
    r"formacion | capacitacion | implantacion | implementacion | puesta en marcha | consultoria | instalacion"
    r" | migracion | configuracion",
)
_CHARGES = _compile_phrases(
    r"(?:processing|handling|admin\w*|service|booking|bank|card|environmental|eco|recycling) (?:fees?"
    r"|charges?) | surcharge | deposit | misc\w* (?:fees?|charges?)",
    r"pfand | zuschlag | gebuhr\w* | bearbeitungsgebuhr | mindermengenzuschlag | frais de (?:dossier|gestion)"
    r" | eco-?participation | consigne | toeslag | administratiekosten | statiegeld | recargo"
    r" | gastos de gestion",
)
_ROUNDING = re.compile(
    r"^(?:rounding|round(?:ing)? ?(?:off|adj\w*)|rundung\w*|arrondi\w*|afronding|redondeo)\b"
)
_TAX = re.compile(
    r"^(?:\d+(?:[.,]\d+)? ?% )?(?:sales tax|vat|gst|hst|tax|mwst|ust|umsatzsteuer|mehrwertsteuer|tva|btw|iva)"
    r"(?: (?:at )?\d+(?:[.,]\d+)? ?%)?$"
)
_SUM = re.compile(r"^(?:(?:sub-?total|zwischensumme|sous-total|subtotaal|summe)\b|tota(?:l|al)$)")
_ONCE = _compile_phrases(
    r"one[- ]time | once | one-off | non-recurring | setup | set-up",
    r"einmalig\w* | unique | ponctuel\w* | eenmalig\w* | unico | una vez",
)
_RECURRING = _compile_phrases(
    r"subscriptions? | per (?:month|year|annum) | monthly | annual(?:ly)? | yearly | maintenance | renewal"
    r" | saas",
    r"abonnement\w* | abo | monatlich\w* | jahrlich\w* | pro (?:monat|jahr) | wartung\w* | mensuel\w*"
    r" | annuel\w* | par (?:mois|an) | per (?:maand|jaar) | jaarlijks\w* | maandelijks\w* | onderhoud"
    r" | suscripcion | mensual | anual | mantenimiento",
)


def classify_line(line: LineItem, *, matched: bool) -> LineClass:
    """Classify a line. `matched` says whether it was found to be a product of the catalog."""
    words = fold_text(line.description or "")
    units = unit_words(line.unit or "")
    if line.optional:
        reason = "It is optional and in no total of the quote."
        return LineClass("left_aside", reason, _is_recurring(line, words, units), adds_to_total=False)
    if _is_text(line):
        return LineClass("not_product", "It is a text without a price.", False, adds_to_total=False)
    if not matched and _SUM.match(words):
        return LineClass("not_product", "It is a sum of other lines.", False, adds_to_total=False)
    if line.amount is not None and line.amount < 0:
        return LineClass("not_product", "It is a credit or discount: it stands against the price.", False)
    if not matched and (reason := _reason_no_product(line, words, units)):
        return LineClass("not_product", reason, False)
    if not matched and (line.included or line.amount == 0):
        return LineClass("left_aside", "It is included at no price of its own.", None)
    return LineClass("product", None, _is_recurring(line, words, units))


def _is_text(line: LineItem) -> bool:
    return line.amount is None and line.unit_price is None and line.quantity is None and not line.included


def _reason_no_product(line: LineItem, words: str, units: frozenset[str]) -> str | None:
    if _SHIPPING.match(words):
        return "It is shipping or handling."
    if _ROUNDING.match(words):
        return "It is a rounding."
    if _TAX.match(words):
        return "It is a tax."
    if _is_service(line, words, units):
        return "It is a service: work that is done once or by the day."
    if _CHARGES.search(words):
        return "It is a charge, not a product."
    return None


def _is_service(line: LineItem, words: str, units: frozenset[str]) -> bool:
    if _has_service_unit(line, units):
        return True
    return bool(_SERVICES.search(words)) and line.period_months is None and not _RECURRING.search(words)


def _has_service_unit(line: LineItem, units: frozenset[str]) -> bool:
    return bool(units) and units <= SERVICE_UNITS and not find_period(line.unit)


def _is_recurring(line: LineItem, words: str, units: frozenset[str]) -> bool | None:
    """Return whether it is paid for a period; None where neither the line's words nor its price tell."""
    if _ONCE.search(words) or _has_service_unit(line, units):
        return False
    if line.period_months is not None or find_period(line.unit) or _RECURRING.search(words):
        return True
    return False if _SERVICES.search(words) else None
