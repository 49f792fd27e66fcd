"""What a document is: its kind, its number, its language."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from app.service.documents.extraction import Kind, Provenance
from app.service.documents.layout.labels import labelled_values
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.party_words import ANSWER
from app.service.documents.lexicon.vocabulary import any_of, total_kind
from app.service.documents.values.dates import find_dates, plain

# The first that matches a line names it: an order form is no order, a price list no quote.
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("price_list", any_of(
        r"price ?list | tariff(?: \d+)? | rate card | price ?book | preisliste | liste de prix | tarif public"
        r" | grille tarifaire | prijslijst | lista de precios")),
    ("order_form", any_of(
        r"order form | subscription order | service order | ordering document | bestellformular"
        r" | formulaire de commande | bestelformulier | formulario de pedido")),
    ("quote", any_of(
        r"quote | quotation | proposal | estimate | offer | budgetary | pro ?-?forma",
        r"(?:verlangerungs)?angebot\w* | kostenvoranschlag | \w*offerte | verlengingsvoorstel | voorstel"
        r" | devis | offre | proposition | presupuesto | oferta | cotizacion | propuesta",
    )),
    ("invoice", any_of(
        r"invoice | receipt | bill | credit (?:note|memo) | adjustment note | tax invoice"
        r" | statement | folio | check(?= #)",
        r"(?!abrechnung)\w*rechnung(?:skorrektur)? | gutschrift | selbstabrechnung | facture | avoir"
        r" | factuur | creditnota | factura | recibo | kassabon | bon(?! de) | kassenbon | quittung"
        r" | ticket(?: de caisse)?(?= ?(?:n[o°r]|#|\d|$)) | declaratie",
    )),
    ("contract", any_of(
        r"agreement | contract | statement of work | vertrag | \w+vertrag | rahmenvertrag | contrat"
        r" | contractformulier"
        r" | overeenkomst | contrato | acuerdo")),
    ("order", any_of(
        r"purchase order | order(?: confirmation| response| change| acknowledg\w+)? | p\.?o\.?",
        r"bestellung | auftrags?(?:bestatigung)? | bon de commande | commande"
        r" | (?:inkoop)?(?:bestelling|order) | orderbevestiging | pedido | orden de compra",
    )),
)  # fmt: skip
_DOCUMENT = (
    r"(?:tax )?invoice|quot(?:e|ation)|order form|order (?:response|change|confirmation)"
    r"|purchase order|estimate|proposal|offer|agreement|contract|bill|receipt|credit (?:note|memo)"
    r"|statement|folio|check|ticket|price ?list|preisliste|prijslijst|beleg|auftragsbestatigung"
    r"|kostenvoranschlag|proposition(?: commerciale)?|propuesta|\w*angebot"
    r"|\w*rechnung(?:skorrektur)?|\w*abrechnung|gutschrift|\w*offerte|factuur|devis"
    r"|facture|avoir|offre(?: de renouvellement)?|presupuesto|factura|oferta|verlengingsvoorstel"
    r"|bon de commande|commande|bestellung|voorstel|orderbevestiging"
)
_ANY_NUMBER = (
    r"(?:number|numbers|no|num|nr|nummer|#|n°|n[. ]?[ºo°]|id|numero|ref|reference|referenz|referencia)"
)
_DATE_WORD = r"(?:date|datum|fecha)"
_NUMBER_LABEL = re.compile(
    rf"(?:(?P<own>(?:our )?(?:{_DOCUMENT})s?(?:[- ]?{_ANY_NUMBER})?|our order|(?:{_DOCUMENT})s?nummer"
    rf"|(?:angebots|rechnungs|beleg|dokument|vertrags|factuur|offerte|ab)[- ]?(?:nr|nummer|no)"
    rf"|{_ANY_NUMBER}\.? (?:de |du |of )?(?:la |the )?(?:{_DOCUMENT}))|(?P<bare>(?:document "
    rf"|reference )?{_ANY_NUMBER})"
    rf"|(?P<other>(?:p\.?o\.?|purchase order|order|customer|auftrags|bestell?|vorgangs|kunden|pedido"
    rf"|commande|our|your)[- ]?(?:{_ANY_NUMBER}|reference)))(?![a-z0-9])\.?(?: ?/ ?{_DATE_WORD})?"
    r"(?=\s*[:#.]|\s*$|\s+\S)"
)
_NUMBER_WORD = re.compile(r"s?[- ]?(?:nr|nummer|no|number)$")
_IN_TITLE = re.compile(
    rf"\b(?:{_DOCUMENT})\b(?:(?: [a-z]+)? ?\(\d+\))?(?: ?\(?(?:{_ANY_NUMBER})\.?)?[ :.#]*"
    r"(?P<number>(?=[a-z0-9/._\-]*\d)[a-z0-9][a-z0-9/._\-]{3,})(?![\w.]*,\d)"
)
# `Relates to invoice 7`, `Ihre Bestellung 7`: the number of another document.
_OF_ANOTHER = re.compile(
    r"\b(?:zu|zur|to|against|ref\w*|of|from|sur|sobre|bij|op|ihre?|your|votre|uw|su|customer|per)"
    r"(?: (?:tax|sales|the|la|die|der))*\s*$"
)
_CODE = re.compile(r"(?:[A-Z]{1,5}[-/ ]?){0,3}\d{3,}(?:-\d+)*(?:[-/]\w+)*")
# Words beside numbers that say who somebody is, where he lives or how he is called.
_OF_SOMEBODY = re.compile(
    r"[€$£]|tel|phone|fax|\+\d|(?<![\w-])\d{3}-\d{4}\b|\b[a-z]{1,2}-\d{4,5} [a-z]"
    r"|\b(?:vat|ust|uid|abn|acn|gst|tva|tvq|tps|btw|kvk|siret|siren|cif|nif|hr[ab]"
    r"|registered|registration|company n)"
)
_LANGUAGES = {
    "de": "der die das und ist wird bis für mit von nicht preis menge betrag rechnung angebot datum zahlbar"
    " laufzeit gesamtbetrag einzelpreis netto kunde tage monate jahr zum einer",
    "fr": "le la les et est du des pour avec date montant prix quantité facture devis durée paiement jours"
    " mois année taux désignation remise livraison dans contrat une",
    "nl": "de het een en is van voor met tot niet prijs aantal bedrag factuur offerte datum betaling looptijd"
    " totaal dagen maanden jaar btw omschrijving klant overeenkomst wordt",
    "es": "el la los las y es del para con fecha importe precio cantidad factura presupuesto duración pago"
    " días meses año base imponible iva concepto contrato se una",
    "en": "the and of to for is in with by date amount price quantity invoice quote term payment days months"
    " year total description customer unit not this prices",
}  # fmt: skip


def kind_of(rows: Sequence[Row]) -> Kind:
    """The kind that the title says: the largest and earliest line that names one."""
    best: tuple[float, Kind] = (0.0, "other")
    body = median(row.size for row in rows) if rows else 1.0
    for order, row in enumerate(rows[:60]):
        for cell in row.cells(1.5):
            # Of a sentence only the first words may be a title.
            text = plain(" ".join(word.text for word in cell.words[: 9 if len(cell.words) <= 9 else 3]))
            if total_kind(text) and re.search(r"\d|value|total", row.text.lower()):
                continue
            kind, share = _kind_in(text)
            if kind:
                height = min(3.0, cell.size / max(body, 1.0)) ** 1.5
                best = max(
                    best, (max(0.3, 1.5 - order / 20) * (0.5 + share) * _as_title(text) * height, kind)
                )
    return best[1] if best[0] else _kind_of_field(rows)


def _kind_of_field(rows: Sequence[Row]) -> Kind:
    """The kind that the label of the document's number names: `Proposal: P-7`."""
    for row in rows[:60]:
        for cell in row.cells():
            label = _NUMBER_LABEL.match(plain(cell.text))
            own = _NUMBER_WORD.sub("", label["own"]) if label and label["own"] else ""
            if kind := _kind_in(own)[0]:
                return kind
    return "other"


def _kind_in(text: str) -> tuple[Kind | None, float]:
    """The kind a line names and the share of the line that the name takes."""
    for kind, pattern in _KINDS:
        found = pattern.search(text)
        if found:
            return kind, len(found.group()) / max(len(text), 1)
    return None, 0.0


def _as_title(text: str) -> float:
    """`Invoice` and `Invoice no. 7` are titles; `Contract: 7` and `Order date 3 May` are fields."""
    if _IN_TITLE.match(text):
        return 0.9
    if ":" in text:
        return 0.25
    return 0.5 if re.search(r"\d", text) else 1.0


def number_of(rows: Sequence[Row], said: Sequence[Sentence], kind: Kind) -> tuple[str, Provenance] | None:
    """The document's own number: behind its label, in the title, else the first code near the top, else
    in a sentence: `our offer 7 of last week`."""
    series = _field_codes(rows)
    found = [
        one
        for one in (*_labelled(rows, kind, is_answer(rows)), *_titled(rows, kind), *_spoken(said))
        if not _in_series(one[1], series)
    ]
    best = max(found, key=lambda one: one[0], default=None)
    if best is None:
        return None
    _, value, cell = best
    return value, Provenance(cell.page, cell.box, 0.8 * cell.confidence)


def is_answer(rows: Sequence[Row]) -> bool:
    """Whether the title says that an order is answered: the number of the order is then the customer's."""
    return any(ANSWER.match(plain(cell.text)) for row in rows[:20] for cell in row.cells(1.2))


def _labelled(rows: Sequence[Row], kind: Kind, is_answer: bool) -> Iterator[tuple[float, str, Cell]]:
    for found in labelled_values(rows, _NUMBER_LABEL, inline=True):
        value = _first_code(found.value)
        matched = _NUMBER_LABEL.match(plain(found.label))
        if not _is_number(value) or not matched:
            continue
        score = 2.0 - 0.25 * found.distance - found.order / 200
        score += _ownership(matched, kind, is_answer)
        yield score, value, found.cell


def _first_code(value: str) -> str:
    """The first word of a value; the letters before a number belong to it: `AB 4019273`."""
    if re.fullmatch(r"\d{2,}(?: \d{2,}){1,3}", value):
        return value  # one number printed in groups
    first, *others = (word.strip(" ,;:()#") for word in value.split() or [""])
    return f"{first} {others[0]}" if others and re.fullmatch(r"[A-Z]{1,4}", first) else first


def _ownership(label: re.Match[str], kind: Kind, is_answer: bool) -> float:
    """How much a label speaks of the document's own number; orders and contracts are also referred to."""
    if label["other"]:
        if label["other"].startswith(("customer", "kunden")):
            return -9.0
        of_order = re.match(r"p\.?o|purchase|order|auftrag|bestel|pedido|commande", label["other"])
        of_customer = is_answer and re.match(r"p\.?o|purchase|bestel", label["other"])
        if kind == "order_form":
            of_order = label["other"].startswith("order")
        return 1.0 if kind.startswith("order") and of_order and not of_customer else -1.0
    if label["own"]:
        return -1.0 if _of_another_kind(label["own"], kind) else 1.5
    return 0.0


def _of_another_kind(text: str, kind: Kind) -> bool:
    """Whether words name an order or contract in a document that is none."""
    named = _kind_in(text)[0]
    return (named == "contract" and kind != named) or (named == "order" and not kind.startswith("order"))


def _titled(rows: Sequence[Row], kind: Kind) -> Iterator[tuple[float, str, Cell]]:
    for order, row in enumerate(rows[:40]):
        cells = row.cells(1.5)
        for index, cell in enumerate(cells):
            found = _IN_TITLE.search(plain(cell.text))
            if found and _OF_ANOTHER.search(plain(cell.text[: found.start()])):
                found = None
            if found and _is_number(
                value := cell.text[found.start("number") : found.end("number")].rstrip(".,")
            ):
                yield 2.6 - order / 100 - 2.0 * _of_another_kind(found.group(), kind), value, cell
            labelled = index and _NUMBER_LABEL.match(plain(cells[index - 1].text))
            in_table = len(cells) > 3
            if order < 12 and not (labelled or in_table or _OF_SOMEBODY.search(plain(cell.text))):
                words = [word.strip("·|.,;:()#") for word in cell.text.split()]
                codes = [word for word in words if _CODE.fullmatch(word) and _is_number(word)]
                if codes and re.search(r"[A-Z]|-", codes[0]):
                    alone = cell.text.strip("#") == codes[0]
                    yield (1.3 if alone else 1.0) - order / 100, codes[0], cell


def _spoken(said: Sequence[Sentence]) -> Iterator[tuple[float, str, Cell]]:
    for sentence in said[:12]:
        found = _IN_TITLE.search(plain(sentence.text))
        if found and not _OF_ANOTHER.search(plain(sentence.text[: found.start()])):
            value = sentence.text[found.start("number") : found.end("number")].rstrip(".,")
            if _is_number(value):
                yield 0.8, value, sentence.lines[0]


_SERIES = re.compile(r"\b([A-Z]{1,4})-(\d{1,3})\b")


def _field_codes(rows: Sequence[Row]) -> set[str]:
    """The letters of codes that name fields or articles, for they count many: `BT-12`, `BT-13`, ..."""
    seen: dict[str, set[str]] = {}
    for row in rows:
        for letters, digits in _SERIES.findall(row.text):
            seen.setdefault(letters, set()).add(digits)
    return {letters for letters, numbers in seen.items() if len(numbers) > 2}


def _in_series(value: str, series: set[str]) -> bool:
    code = _SERIES.fullmatch(value)
    return bool(code and code[1] in series)


def _is_number(value: str) -> bool:
    if not re.search(r"\d", value) or not 2 <= len(value) <= 40 or find_dates(value):
        return False
    return not re.search(r"[.,]\d{2}$|[€$£%@]|^(?:19\d|20[0-4])\d$|^Q[1-4]\b", value) and not re.fullmatch(
        r"\(?\+?\d{1,3}\)?", value
    )


def language_of(text: str) -> str | None:
    """The language whose commonest words the text uses most; None when it uses none."""
    words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    scores = {language: sum(words[word] for word in known.split()) for language, known in _LANGUAGES.items()}
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] else None
