# ruff: noqa: E501
"""What a document is: its kind, its number, its language."""

import re
from collections import Counter
from collections.abc import Sequence

from app.service.documents.dates import find_dates, plain
from app.service.documents.extraction import Evidence, Kind
from app.service.documents.labels import labelled_values
from app.service.documents.rows import Row

_KINDS: tuple[tuple[Kind, float, str], ...] = (
    ("price_list", 6.0, r"\b(price ?list|rate card|price book|preisliste|liste de prix|tarif public|prijslijst|lista de precios|pricelist)\b"),
    ("order_form", 5.0, r"\b(order form|subscription order|service order|bestellformular|bon de commande d'abonnement)\b"),
    ("contract", 4.0, r"\b(agreement|contract|vertrag|contrat|overeenkomst|contrato|statement of work)\b"),
    ("invoice", 4.5, r"\b(invoice|rechnung|handelsrechnung|facture|factuur|factura|tax invoice|receipt|gutschrift|abschlagsrechnung|schlussrechnung|bill)\b"),
    ("quote", 4.5, r"\b(quote|quotation|proposal|estimate|angebot|offerte|devis|presupuesto|oferta|cotizacion|renewal offer|offer|budgetary|kostenvoranschlag|verlangerungsangebot|pro ?forma)\b"),
    ("order", 4.0, r"\b(purchase order|order (confirmation|response|change)|bestellung|auftragsbestatigung|bon de commande|commande|bestelling|pedido|orden de compra|order)\b"),
)  # fmt: skip
_NUMBER = re.compile(
    r"((tax )?(invoice|quot(e|ation)|order( form)?|estimate|proposal|offer|document|reference|agreement|contract|bill|receipt|po|purchase order|"
    r"angebots?|rechnungs?|beleg|vorgangs|auftrags|bestell|vertrags|offerte|factuur|devis|facture|presupuesto|factura|oferta|pedido|commande|order-?)?"
    r"[- ]?(number|no|num|nr|nummer|#|n°|nº|id|numero|ref|reference)\b\.?( de (la )?(facture|devis|factura|presupuesto|oferta))?|invoice|quote|quotation|proposal|estimate|"
    r"numero de (facture|devis|factura|presupuesto|oferta)|n[°ºo] ?(de )?(facture|devis|factura|presupuesto|offre|oferta)|facture|devis|angebot|rechnung|presupuesto|offerte|oferta)(?=\s*[:#.]|\s*$|\s+[\w#])"
)
_LANGUAGES = {
    "de": "der die das und ist wird bis für mit von nicht preis menge betrag rechnung angebot datum zahlbar laufzeit gesamtbetrag einzelpreis netto kunde tage monate jahr zum einer",
    "fr": "le la les et est du des pour avec date montant prix quantité facture devis durée paiement jours mois année taux désignation remise livraison dans contrat une",
    "nl": "de het een en is van voor met tot niet prijs aantal bedrag factuur offerte datum betaling looptijd totaal dagen maanden jaar btw omschrijving klant overeenkomst wordt",
    "es": "el la los las y es del para con fecha importe precio cantidad factura presupuesto duración pago días meses año base imponible iva concepto contrato se una",
    "en": "the and of to for is in with by date amount price quantity invoice quote term payment days months year total description customer unit not this prices",
}  # fmt: skip


def kind_of(rows: Sequence[Row]) -> Kind:
    """The kind that the title says; large and early words count most."""
    scores: Counter[Kind] = Counter()
    if not rows:
        return "other"
    body = sorted(row.size for row in rows)[len(rows) // 2]
    for order, row in enumerate(rows[:60]):
        text = plain(row.text)
        weight = max(0.2, 1.0 - order * 0.03) * (
            min(3.0, row.size / max(body, 1.0)) if len(row.words) <= 12 else 0.3
        )
        for kind, score, pattern in _KINDS:
            if re.search(pattern, text):
                scores[kind] += score * weight  # type: ignore[assignment]
                break
    return scores.most_common(1)[0][0] if scores else "other"


def number_of(rows: Sequence[Row]) -> tuple[str, Evidence] | None:
    """The document's own number."""
    best: tuple[float, str, Evidence] | None = None
    for found in labelled_values(rows, _NUMBER):
        value = found.value.split()[0].strip(" ,;:()") if found.value.split() else ""
        if not re.search(r"\d", value) or len(value) < 3 or len(value) > 40 or find_dates(value):
            continue
        if re.fullmatch(r"[\d.,]+[€$£%]?|[€$£][\d.,]+", value) and re.search(r"[.,]\d{2}\b|[€$£%]", value):
            continue
        label = plain(found.label)
        score = 2.0 - 0.3 * found.distance - found.order / 500
        score += (
            1.0
            if re.search(
                r"quot|invoice|angebot|rechnung|offer|facture|devis|factuur|presupuesto|factura|proposal|estimate|order form",
                label,
            )
            else 0.0
        )
        score -= (
            1.0
            if re.search(r"\b(po|purchase|order|bestell|customer|ref)", label) and "form" not in label
            else 0.0
        )
        if best is None or score > best[0]:
            best = (score, value, Evidence(found.cell.page, found.cell.box, 0.8 * found.cell.confidence))
    return (best[1], best[2]) if best else None


def language_of(text: str) -> str | None:
    words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    scores = {language: sum(words[word] for word in known.split()) for language, known in _LANGUAGES.items()}
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] else None
