# ruff: noqa: E501
"""Supplier and buyer: names beside labels, names with a legal form, and where on the page they stand."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.service.documents.dates import find_dates, plain
from app.service.documents.extraction import Evidence
from app.service.documents.labels import labelled_values
from app.service.documents.pages import Page
from app.service.documents.rows import Cell, Row

_LEGAL_FORM = (
    r"(?:Inc|LLC|L\.L\.C|Ltd|Limited|LTD|GmbH(?: ?& ?Co\.? ?KG)?|mbH|AG|KG|UG|OHG|e\.K|SE|SAS|SARL|S\.A\.R\.L|SASU|EURL|S\.A\.S"
    r"|SA|S\.A|B\.V|BV|N\.V|NV|VOF|S\.L\.U|S\.L|SL|SLU|PLC|plc|LLP|LP|L\.P|Pty\.? ?Ltd|Pte\.? ?Ltd|ULC|Corp|Corporation|Company|Co"
    r"|K\.K|KK|DAC|S\.r\.l|SRL|S\.p\.A|SpA|AB|AS|A/S|ApS|Oy|Oyj|SDN\.? ?BHD|Sdn\.? ?Bhd|a\.G|Holdings|Group|Verein|e\.V|eG)"
)
_NAME = re.compile(
    rf"(?:[A-Z0-9ÄÖÜÉÈÀÇÑ][\w'’.&+\-/]*|&|\+|of|and|und|et|y|en|de|der|für|the|für|\([A-Z]{{1,3}}\)),?\s+"
    rf"(?:(?:[\w'’.&+\-/]+|&|\+|\([A-Z]{{1,3}}\)),?\s+){{0,6}}?{_LEGAL_FORM}\b\.?"
)
_BUYER = re.compile(
    r"(bill(ed|ing)? ?to|sold ?to|invoice(d)? to|ship ?to|deliver(ed|y)? to|customer( name| information)?|client( name)?|buyer( name)?|"
    r"prepared (exclusively |especially )?for|quot(e|ation|ed) (to|for)|proposal for|offer (to|for)|purchaser|account name|licensee|subscriber|company name|end ?user|"
    r"for|to|attn|rechnungsempfanger|rechnung an|kunde|kaufer(/leistungsempfanger)?|auftraggeber|empfanger|"
    r"facture a|adresse a|destinataire|acheteur|client|klant|factuur aan|koper|afnemer|aan|voor|cliente|comprador|facturar a|para|pour|fur)"
    r"(?=\s*$|\s*[:#]|\s+[A-Z0-9]|:)"
)
_SUPPLIER = re.compile(
    r"(supplier( name)?|vendor( name)?|seller( name)?|from|sold by|issued by|provider|licensor|company|remit(tance)? to|payable to|"
    r"lieferant|verkaufer|rechnungs(er)?steller|anbieter|auftragnehmer|absender|fournisseur|vendeur|emetteur|prestataire|"
    r"leverancier|verkoper|proveedor|vendedor|emisor|de|von|van)(?=\s*$|\s*:)"
)
_NO_NAME = re.compile(
    r"^(invoice|quote|quotation|order( form)?|date|page|tel|phone|fax|email|www|http|address|total|terms|name|number|contact|id|attn|vat|tax|no|po)\b"
)


@dataclass
class _Candidate:
    name: str
    cell: Cell
    score: float = 0.0
    seen: int = 0
    reasons: set[str] = field(default_factory=set[str])


@dataclass(frozen=True)
class Parties:
    supplier: str | None = None
    buyer: str | None = None
    evidence: dict[str, Evidence] | None = None


def find_parties(pages: Sequence[Page], rows: Sequence[Row], text: str) -> Parties:
    """Who sells and who buys."""
    evidence: dict[str, Evidence] = {}
    buyer_name, buyer_cell, roles = _buyer(rows, text)
    if buyer_name and buyer_cell:
        evidence["buyer"] = Evidence(buyer_cell.page, buyer_cell.box, 0.8 * buyer_cell.confidence)
    supplier = _supplier(pages, rows, text, buyer_name, roles)
    if supplier:
        sure = supplier.score >= 7
        evidence["supplier"] = Evidence(supplier.cell.page, supplier.cell.box, 0.95 if sure else 0.65, sure)
    return Parties(supplier.name if supplier else None, buyer_name, evidence)


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", plain(name))


def _buyer(rows: Sequence[Row], text: str) -> tuple[str | None, Cell | None, set[str]]:
    named: set[str] = set()
    best: tuple[float, str, Cell] | None = None
    weak = {"for", "to", "ship", "deliver", "attn", "aan", "voor", "para", "pour", "fur", "company"}
    for found in labelled_values(rows, _BUYER):
        name = _clean(found.value)
        if not name:
            continue
        label = plain(found.label).split()[0].strip(":")
        score = 3.0 - 0.3 * found.distance - found.order / 1000
        score -= 1.0 if label in weak else 0.0
        score += 1.0 if _NAME.search(name + " ") else 0.0
        if found.distance == 2 and found.value.rstrip().endswith(":"):
            continue
        named.add(_key(name))
        if best is None or score > best[0]:
            best = (score, name, found.cell)
    return (best[1], best[2], named) if best else (None, None, named)


def _clean(value: str) -> str | None:
    value = re.split(r"\s[·|•]\s|\s{3,}", value)[0].strip(" ,;:·-")
    company = _NAME.match(value + " ")
    if company:
        return company.group().strip(" ,")
    value = re.split(r",\s", value)[0].strip(" ,")
    if len(value) < 2 or len(value) > 70 or not re.search(r"[^\W\d]{2}", value):
        return None
    if find_dates(value) or _NO_NAME.match(plain(value)) or "@" in value:
        return None
    return value


def _supplier(
    pages: Sequence[Page], rows: Sequence[Row], text: str, buyer: str | None, buyers: set[str]
) -> _Candidate | None:
    candidates: dict[str, _Candidate] = {}

    def add(name: str | None, cell: Cell, score: float, reason: str) -> None:
        if not name or _key(name) in buyers or (buyer and _key(name) == _key(buyer)):
            return
        one = candidates.setdefault(_key(name), _Candidate(name, cell))
        one.score += score if reason not in one.reasons else 0.0
        one.reasons.add(reason)

    for found in labelled_values(rows, _SUPPLIER):
        label = plain(found.label).strip(" :")
        weight = 2.0 if label in ("vendor", "company", "from", "de", "von", "van") else 4.0
        add(_clean(found.value), found.cell, weight - found.distance * 0.5, "label")
    height = pages[0].height if pages else 1.0
    sizes = defaultdict(float)
    for row in rows:
        for cell in row.cells(1.2):
            for name in _names(cell.text):
                place = cell.box.middle / height if cell.page == 1 else 1.0
                add(
                    name,
                    cell,
                    2.5 + (1.0 if place < 0.3 else 0.0) + (0.5 if place > 0.85 else 0.0),
                    f"form{place < 0.3}",
                )
            if cell.page == 1 and cell.box.middle < 0.25 * height:
                sizes[cell.text] = cell.size
    top = [row for row in rows if row.page == 1][:12]
    for order, row in enumerate(top):
        for cell in row.cells(1.2):
            name = _clean(cell.text)
            if name and not re.search(r"\d{3}", name) and _titles(name) is False:
                add(name, cell, 1.5 - order * 0.1 + (0.4 if cell.size > 12 else 0.0), "top")
    domains = set(re.findall(r"(?:www\.|@|https?://)([a-z0-9\-]+)\.", plain(text)))
    for one in candidates.values():
        if any(
            (len(domain) > 3 and domain.replace("-", "") in _key(one.name))
            or _key(one.name)[:8] == domain[:8]
            for domain in domains
        ):
            one.score += 1.0
    return max(candidates.values(), key=lambda one: one.score, default=None)


def _titles(name: str) -> bool:
    return bool(
        re.search(
            r"\b(invoice|quote|quotation|order|proposal|estimate|angebot|rechnung|facture|devis|factuur|offerte|presupuesto|factura|price list|agreement|contract|date|number|page|bill|ship|customer|prepared|renewal|summary|tax)\b",
            plain(name),
        )
    )


def _names(text: str) -> Iterator[str]:
    for found in _NAME.finditer(text + " "):
        yield found.group().strip(" ,")
