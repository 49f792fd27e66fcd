"""The dates of a document: when it was made, until when it holds, when the service starts and ends."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Literal, TypeAlias

from app.service.documents.extraction import Provenance
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Paragraph
from app.service.documents.lexicon.vocabulary import any_of
from app.service.documents.values.dates import DayOrder, PrintedDate, find_dates, plain

Occasion: TypeAlias = Literal["document", "valid", "start", "end", "due", "other"]

# Among the words before a date the last one decides; of two that end alike, the one listed first.
_OCCASIONS: tuple[tuple[Occasion, re.Pattern[str]], ...] = (
    ("valid", any_of(
        r"valid(?:ity)?(?: date| period| for \d+ (?:days|weeks|months),?)?"
        r"(?: until| through| thru| to| till| up to)?"
        r" | expir\w*(?: date| on)? | good (?:until|through|thru|till) | offer ends(?: on)?"
        r" | open (?:for (?:acceptance|signature) )?(?:until|through|till)"
        r" | (?:offer|quote|quotation|proposal|prices|pricing) (?:[a-z]+ ){1,4}(?:until|through|till)"
        r" | held until | accept\w* (?:by|before) | (?:purchase order|order"
        r"|signed copy) before | (?:respond|reply|answer|sign|return|decide)\w* by | if unsigned after",
        r"\w*gultig\w*(?: bis(?: zum)?)? | bindefrist(?: bis)? | \w*angebotsfrist(?: bis)?"
        r" | befristet bis | bindend bis(?: zum)?"
        r" | (?:ruckmeldung|antwort|zusage)\w* bis(?: zum)?"
        r" | annahme(?:frist)?(?: bis)?(?: zum)? | angebot (?:[a-z]+ ){1,4}bis(?: zum)?",
        r"valable\w*(?: jusqu'?[^a-z]?(?:au|a))? | validite(?: jusqu'?[^a-z]?(?:au|a))? | date de validite"
        r" | (?:offre|devis|proposition|prix|tarifs) (?:[a-z]+ ){1,4}jusqu'?[^a-z]?(?:au|a)"
        r" | (?:caduc|reponse|signature)[^.]{0,40} avant le"
        r" | bon de commande avant le | avant le | expiration"
        r" | (?:echeance|fin|limite) de (?:l'offre|validite)",
        r"(?:offerte|voorstel) (?:[a-z]+ ){1,4}tot(?: en met)? | reageren (?:voor|uiterlijk)",
        r"geldig\w*(?: tot(?: en met)?| t/m)? | verval\w* (?:van de )?offerte | vervalt op | voor uiterlijk",
        r"(?:oferta|presupuesto|propuesta) (?:[a-z]+ ){1,4}hasta(?: el)?",
        r"valid[eo]z? (?:hasta)?(?: el)? | validez | vigencia hasta | valid[ao] hasta(?: el)?"
        r" | caduca(?: el)? | oferta valida hasta",
    )),
    ("due", any_of(
        r"due(?: date| on| by)? | date due | pay(?:able|ment)? by | payment due"
        r" | (?:direct debit|debited|collected|charged)(?: on)?",
        r"(?:abgebucht|eingezogen|abbuchung|lastschrift\w*)(?: am)? | prelev\w*(?: le)?"
        r" | (?:afgeschreven|geincasseerd|incasso)(?: op)? | (?:cargo|adeudo|domiciliad\w+)(?: el)?",
        r"fallig\w*(?: am| bis)? | zahlbar bis(?: zum)? | zahlung bis | skonto(?: bis)?"
        r" | date d'echeance | echeance(?: le)? | vervaldatum | betalen voor | uiterlijk op"
        r" | vencimiento | fecha de vencimiento",
    )),
    ("other", any_of(
        r"deliver\w*(?: date| on)? | ship\w*(?: date| on)? | pick-?up\w*(?: date)? | printed(?: on)?"
        r" | (?:purchase )?order date | po date | birth\w* | renewal date | last \w+"
        r" | (?:valuation|survey|inspection|visit|value) date | (?:requested|required)\w*(?: \w+)?(?: date)?"
        r" | order no[^a-z]*(?: of| dated)? | version\w*",
        r"liefer\w* | leistungsdatum | leistung\w*datum | bestell\w* | bestellung\w*(?: vom)?"
        r" | auftrag\w*(?: vom)? | liefer- und leistungsdatum | ubergabe\w* | druckdatum",
        r"livraison | commande(?: du)? | date de commande | lever\w* | orderdatum | besteldatum"
        r" | bestelling van | entrega | pedido(?: de)? | fecha de pedido",
    )),
    ("end", any_of(
        r"prend fin(?: le)? | end of (?:the )?\w+"
        r" | ends?(?: date| on)? | ending(?: on)? | end date | until | through | thru | to"
        r" | termination date | expiry",
        r"\w*ende(?: der \w+| des \w+)? | enddatum | bis(?: zum)? | fin(?: d[ue]l? \w+)? | date de fin"
        r" | jusqu'?[^a-z]?(?:au|a) | au | tot(?: en met)? | t/m | einde | einddatum | hasta(?: el)?"
        r" | al | fecha de fin",
    )),
    ("start", any_of(
        r"start\w*(?: date| on)? | begin\w*(?: on| date)? | commenc\w*(?: on| date)? | from"
        r" | subscription start | subscription term | initial term | term | service (?:period|dates?"
        r"|term) | coverage(?: period)? | period | billing period | effective from | go-live",
        r"\w*beginn\w*(?: am)? | startdatum | ab(?: dem)? | von | laufzeit"
        r" | leistungszeitraum | abrechnungszeitraum | zeitraum",
        r"prend effet(?: le)? | debut\w*(?: le)? | date de debut"
        r" | a (?:partir|compter) du | (?<!date )du | periode | prise d'effet | vanaf"
        r" | ingangsdatum | aanvang\w* | startdatum | ingaande?(?: op)? | inicio | fecha de inicio"
        r" | desde(?: el)? | a partir del? | del | periodo",
    )),
    ("document", any_of(
        r"date of (?:issue|invoice|quote) | (?:invoice|quote|quotation|order|document|bill"
        r"|offer|proposal|estimate|issue|agreement|contract)(?: form)? date | issued?(?: on| date)?"
        r" | tax point(?: date)? | created(?: on)? | prepared(?: on)? | made on"
        r" | made | entered into(?: as of| on)? | as of"
        r" | effective(?: date| as of)? | on",
        r"(?:rechnungs|angebots|offert|beleg|ausstellungs|vertrags|dokument|erstellungs)datum"
        r" | ausgestellt(?: am)? | erstellt(?: am)? | stand | den | vom",
        r"date (?:de |d'|du )?(?:facture|devis|bon|emission|creation|document|l'offre) | etabli(?:e)? le"
        r" | le | emis(?:e)? le | (?:en )?date du"
        r" | (?:factuur|offerte)datum | fecha(?: del?(?: la)? (?:emision|factura"
        r"|presupuesto|expedicion|oferta))? | emitido(?: el)? | invoice | quote | quotation"
        r" | receipt | devis | offerte | presupuesto | oferta | angebot\w*",
        r"dated? | datum",
    )),
)  # fmt: skip
_DAY = timedelta(days=1)
_OWN_NUMBER = re.compile(
    r"(rechnung\w*|confirmation de commande|auftragsbestatigung|gutschrift"
    r"|angebot\w*|abrechnung|selbstabrechnung|invoice|quote|quotation"
    r"|facture|devis|factuur|offerte|factura|presupuesto|order (?:form|response|change)?)\b.*\b(nr"
    r"|no|number|n°|num)?\b.*\d.*\b(vom|von|of|dated|du|van|de|del)\s*$"
    r"|^(?:n[°ro]\.?|nummer) ?\S*\d\S* (?:vom|du|van|del)\s*$"
)
# `Ihr Angebot A-7 vom`, `Your order of`: what the other one wrote.
_THEIRS = re.compile(r"(?:ihre?|your|votre|uw|vuestr[oa]|su) (?!\w+ (?:ends|expires)\b)[^.]{0,50}$")
_WEEKDAY = re.compile(
    r"\b(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?\b[.,]*\s*$"
    r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi"
    r"|samedi|dimanche|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|lunes|martes|miercoles"
    r"|jueves|viernes|sabado|domingo)\b[.,]*\s*$"
)
_ORDERED = any_of(
    r"order date | po date | date of order | bestelldatum | date de commande | orderdatum | besteldatum"
    r" | fecha de pedido"
)
# A word that says of its noun only that a date follows: `Version 2.1 of`, `Subscription start date`.
_AFTER_NOUN = re.compile(r"\s(?:vom|of|dated|on|den|van|date|datum)$")

# `Valid from 1 May until 2 June`: between the two days.
_ENDS_VALIDITY = re.compile(
    r"^\W*(?:until|through|to|bis|au|jusqu'au|tot|t/m|hasta|al)\b[^a-z]*(?:zum|el|le|en met)?\W*$"
)
_DASH = re.compile(r"\s*[-–—]+\s*")
# Before a date on a line of its own, below `Quote no. 7`.
_BARE_OF = re.compile(r"(?:du|vom|van|del)\b(?= \d)?\s*")
_ANY_DATE = re.compile(r"dates?|datum|fecha")
_CODE = re.compile(r"[A-Z]*-?\d[\w./-]*")  # `AB-501876` says `from` in no language
# The end of a name that goes on in the next line: `Cooperative of`, `Caves du`.
_NAME_PART = re.compile(r"(?<=\w)\s(?:du|de|del|von|van|of)$")


@dataclass(frozen=True)
class Occurrence:
    """A date on the page with what it is about; `labelled` when words say so."""

    occasion: Occasion
    printed: PrintedDate
    cell: Cell
    order: int
    labelled: bool
    context: str
    prose: bool = False


@dataclass(frozen=True)
class Dates:
    document_date: date | None = None
    valid_until: date | None = None
    start_date: date | None = None
    end_date: date | None = None
    provenance: dict[str, Provenance] = field(default_factory=dict[str, Provenance])


def occurrences(
    rows: Sequence[Row], paragraphs: Sequence[Paragraph], order_of_days: DayOrder
) -> list[Occurrence]:
    """Every date of the rows and, for dates in sentences, of the paragraphs."""
    found: list[Occurrence] = []
    for order, row in enumerate(rows):
        cells = row.cells()
        for index, cell in enumerate(cells):
            if not find_dates(cell.text, order_of_days):
                continue
            alone = _context(rows, order, cells, index, cell)
            if _BARE_OF.match(cell.text):
                alone = f"{_above(rows, order, cell, 2)} {cell.text.split()[0]}"
            inside = _in_text(cell.text, cell, order, order_of_days, alone)
            if index and _THEIRS.match(plain(cells[index - 1].text)):
                inside = [replace(one, occasion="other") for one in inside]
            found.extend(inside)
    for paragraph in paragraphs:
        inside = _in_text(paragraph.text, paragraph.lines[0], len(rows), order_of_days, "")
        said = {one.printed.value for one in inside if one.labelled}
        # What a sentence says of a date goes before what its last line says alone.
        found = [one for one in found if one.printed.value not in said or not paragraph.holds(one.cell)]
        found.extend(replace(one, prose=True) for one in inside if one.labelled)
    return found


def _in_text(text: str, cell: Cell, order: int, order_of_days: DayOrder, alone: str) -> list[Occurrence]:
    found: list[Occurrence] = []
    printed = find_dates(text, order_of_days)
    in_range = occasion_of(plain(alone)) in ("start", "end")  # `Start / end`
    for number, one in enumerate(printed):
        begin = printed[number - 1].end if number else 0
        context = _WEEKDAY.sub("", plain(text[begin : one.start]))
        if number and (_DASH.fullmatch(context) or (context.strip() == "/" and in_range)):
            context = "until"
        elif number == 0 and (_BARE_OF.fullmatch(context) or not re.search(r"[^\W\d]{2}", context)):
            context = alone
        occasion = occasion_of(plain(context))
        found.append(Occurrence(occasion or "document", one, cell, order, occasion is not None, context))
    return _ranges(found)


def _context(rows: Sequence[Row], order: int, cells: Sequence[Cell], index: int, cell: Cell) -> str:
    """The label of a date that stands alone in its cell: left of it, else above it."""
    for left in reversed(cells[:index]):
        if find_dates(left.text):
            if index > 1 and occasion_of(plain(cells[index - 2].text)) == "start":
                return "until"
            break
        if _CODE.fullmatch(left.text):
            break
        if occasion_of(_NAME_PART.sub("", plain(left.text))) or left.text.rstrip().endswith(":"):
            return _whole_label(rows, order, left)
        break
    in_column = _in_column(rows[order + 1 : order + 4], cell)
    for row in reversed(rows[max(0, order - 4) : order]):
        if row.page != cell.page or cell.box.top - row.box.bottom > 2.5 * cell.size:
            break
        in_column = in_column or _in_column([row], cell)
        for other in row.cells():
            overlaps = min(other.box.x1, cell.box.x1) - max(other.box.x0, cell.box.x0) > 0
            if overlaps and other.text.endswith("/") and (label := row.cells()[0]) is not other:
                return label.text  # `Number / date` beside a number and a date below it
            if overlaps and not find_dates(other.text):
                of_work = in_column and len(cells) > 2 and _ANY_DATE.fullmatch(plain(other.text))
                return other.text if len(other.text) < 40 and not of_work else ""
    return ""


def _whole_label(rows: Sequence[Row], order: int, label: Cell) -> str:
    """A label with the line above that goes on in it: `Order number / date` in two lines."""
    begun = _above(rows, order, label, 1)
    return f"{begun} {label.text}" if begun.endswith("/") else label.text


def _above(rows: Sequence[Row], order: int, cell: Cell, lines: int) -> str:
    """What stands above a cell."""
    above = [one for row in rows[max(0, order - lines) : order] for one in row.cells()]
    over = [one for one in above if min(one.box.x1, cell.box.x1) > max(one.box.x0, cell.box.x0)]
    return " ".join(one.text for one in over)


def _in_column(rows: Sequence[Row], cell: Cell) -> bool:
    """Whether another date stands over or under a date, as in a list of work done."""
    return any(
        row.page == cell.page and find_dates(other.text) and abs(other.box.x0 - cell.box.x0) < 0.5 * cell.size
        for row in rows
        for other in row.cells()
    )


def occasion_of(context: str) -> Occasion | None:
    """What a date is about, given the words (plain text) that stand before it."""
    near = context[-70:].rstrip(" :.-")
    if _THEIRS.match(near):
        return "other"
    if _OWN_NUMBER.search(context[-70:]):
        return "document"
    parts = [part.strip() for part in near.split("/")]
    both: list[Occasion | None] = [_last_said(part) for part in parts]
    if len(both) == 2 and "document" in both and None not in both:
        # `Order no. / date` has one occasion, `Invoice date / delivery date` has two.
        if not _ANY_DATE.fullmatch(parts[1]):
            return "document"
        return both[0]
    bare = _AFTER_NOUN.sub("", near)
    if bare != near and (said := _last_said(bare)):
        return said
    return _last_said(near)


def _last_said(near: str) -> Occasion | None:
    best: tuple[int, Occasion] | None = None
    for occasion, pattern in _OCCASIONS:
        ends = [found.end() for found in pattern.finditer(near)]
        if ends and (best is None or ends[-1] > best[0]):
            best = (ends[-1], occasion)
    return best[1] if best else None


def _ranges(found: list[Occurrence]) -> list[Occurrence]:
    """`Term 3 May 2024 - 2 May 2025`: the first date of a range starts, whatever its label."""
    ranged: list[Occurrence] = []
    found_valid = False
    for one, following in zip(found, [*found[1:], None], strict=False):
        ends = following and (following.context == "until" or following.occasion == "end")
        if (
            ends
            and len(following.context if following else "") < 12
            and one.occasion in ("document", "end", "other", "start")
        ):
            one = replace(one, occasion="start")
        if one.occasion == "valid" and following and _ENDS_VALIDITY.search(plain(following.context)):
            found_valid, one = True, replace(one, occasion="document", labelled=False)
        elif found_valid:
            found_valid, one = False, replace(one, occasion="valid")
        ranged.append(one)
    return ranged


def choose(found: Sequence[Occurrence], *, offer: bool = False) -> Dates:
    """The date for each occasion: labelled before unlabelled, earlier on the page before later.

    An `offer` falls due when it ceases to hold.
    """
    printed, found = found, _last_ends(found)
    if offer and not any(one.occasion == "valid" for one in found):
        found = [replace(one, occasion="valid") if one.occasion == "due" else one for one in found]
    provenance: dict[str, Provenance] = {}

    def pick(occasion: Occasion, name: str) -> date | None:
        fitting = [one for one in found if one.occasion == occasion]
        if not fitting:
            return None
        best = min(fitting, key=lambda one: (not one.labelled, _weak(one), one.cell.page, one.order))
        others = {
            one.printed.value
            for one in (*fitting, *printed)
            if one.occasion == occasion and one.labelled and not one.prose
        }
        verified = (
            best.labelled
            and best.printed.alternative is None
            and len(others) <= 1
            and best.cell.confidence > 0.9
        )
        provenance[name] = Provenance(
            best.cell.page, best.cell.box, (0.95 if verified else 0.7) * best.cell.confidence, verified
        )
        return best.printed.value

    document = pick("document", "document_date")
    if document is None or not any(one.labelled for one in found if one.occasion == "document"):
        # On an order form the day of the order is the day of the document.
        ordered = [replace(one, occasion="document") for one in found if _ORDERED.search(plain(one.context))]
        found = [*found, *ordered]
        document = pick("document", "document_date") if ordered else document
    return Dates(
        document,
        pick("valid", "valid_until"),
        pick("start", "start_date"),
        pick("end", "end_date"),
        provenance,
    )


def _last_ends(found: Sequence[Occurrence]) -> list[Occurrence]:
    """Without the ends of periods that go on in a next one: the years of a term."""
    begins = {one.printed.value for one in found if one.occasion == "start"}
    return [one for one in found if one.occasion != "end" or one.printed.value + _DAY not in begins]


def held_for(dates: Dates, days: int | None, seen: Provenance) -> Dates:
    """The dates of an offer that holds for so many days from its own; a printed last day goes before."""
    if days is None or dates.document_date is None or dates.valid_until is not None:
        return dates
    until = dates.document_date + timedelta(days=days)
    return replace(dates, valid_until=until, provenance={**dates.provenance, "valid_until": seen})


def of_price_list(dates: Dates) -> Dates:
    """The dates of a price list: the prices hold from its own day until its end, and no service runs."""
    seen = dict(dates.provenance)
    for stated, running in (("document_date", "start_date"), ("valid_until", "end_date")):
        if (place := seen.pop(running, None)) is not None:
            seen.setdefault(stated, place)
    return Dates(
        document_date=dates.document_date or dates.start_date,
        valid_until=dates.valid_until or dates.end_date,
        provenance=seen,
    )


def _weak(one: Occurrence) -> bool:
    """A preposition alone says little about what the document's own date is."""
    if _OWN_NUMBER.search(plain(one.context)[-70:]):
        return False
    words = plain(one.context).strip(" :.,").split()
    return one.occasion == "document" and (
        not words or words[-1] in ("on", "le", "den", "vom", "as", "of", "effective", "made", "receipt")
    )
