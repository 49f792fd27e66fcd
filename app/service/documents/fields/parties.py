"""Supplier and buyer: names beside labels, in sentences, and where on the page they stand."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from app.service.documents.extraction import Provenance
from app.service.documents.fields.contract_parties import agreed_parties
from app.service.documents.fields.identity import is_answer
from app.service.documents.fields.party_labels import named
from app.service.documents.layout.address_blocks import (
    AddressBlock,
    find_address_blocks,
    is_party_label,
    is_town,
    opens_sender_line,
)
from app.service.documents.layout.labels import find_cells_below
from app.service.documents.layout.pages import Page, Word
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Paragraph
from app.service.documents.lexicon.party_words import (
    ATTENTION,
    BANK_ACCOUNT,
    BUYER,
    CLERK,
    FOOTER,
    LABEL_ENDS,
    PURCHASE,
    REGISTERED,
    SALUTATION,
    SENDER,
    SUPPLIER,
    TITLED,
)
from app.service.documents.values.company_names import (
    COMPANY,
    find_companies,
    fold_name,
    is_address,
    looks_like_name,
)
from app.service.documents.values.folding import fold

_PERSON = re.compile(r"(?:[A-ZÀ-ÖØ-Þ]\.|[A-ZÀ-ÖØ-Þ][^\W\d]+) [A-ZÀ-ÖØ-Þ][^\W\d]+")
_Add = Callable[[str | None, Cell, float, str], None]


@dataclass(frozen=True)
class Parties:
    supplier: str | None = None
    buyer: str | None = None
    provenance: dict[str, Provenance] = field(default_factory=dict[str, Provenance])


@dataclass
class _Candidate:
    name: str
    cell: Cell
    scores: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def place(self) -> tuple[int, float]:
        return self.cell.page, self.cell.box.top

    @property
    def score(self) -> float:
        return sum(self.scores.values())


def find_parties(pages: Sequence[Page], rows: Sequence[Row], paragraphs: Sequence[Paragraph]) -> Parties:
    """Who sells and who buys."""
    agreed = next(agreed_parties(rows, paragraphs), None)
    heights = {page.number: page.height for page in pages}
    buyers = sorted(_buyers(rows, heights), key=lambda one: -one[0])
    bought = {fold_name(name) for score, name, _ in buyers if score > 1.5}
    if agreed:
        bought.add(fold_name(agreed[1]))
    blocks = list(find_address_blocks(rows))
    purchase = _is_purchase(rows)
    bought |= {fold_name(one.name) for one in blocks if one.addressed}
    suppliers = _suppliers(pages, rows, bought, heights)
    if agreed:
        one = suppliers.setdefault(fold_name(agreed[0]), _Candidate(agreed[0], agreed[2]))
        one.scores["agreed"] = 5.0
    # In an order everything else speaks for the buyer, who writes it.
    labelled = [one for one in suppliers.values() if purchase and one.scores.get("label", 0.0) > 3]
    supplier = max(labelled or suppliers.values(), key=lambda one: one.score, default=None)
    if supplier:
        buyers = [one for one in buyers if fold_name(one[1]) not in fold_name(supplier.name)]
    buyer = buyers[0][1:] if buyers else None
    if agreed and (not buyers or buyers[0][0] < 3):
        buyer = (agreed[1], agreed[2])
    if supplier and purchase:
        # The buyer writes an order: the letterhead is his, and the addressee sells.
        written = [one for one in suppliers.values() if "label" not in one.scores]
        highest = min((one.place for one in written), default=None)
        writer = max(written, key=lambda one: one.score + 3.0 * (one.place == highest), default=supplier)
        seller = _addressee(blocks, writer) if "label" not in supplier.scores else None
        if seller:
            supplier = _Candidate(*seller)
        if writer is not supplier and (seller or not buyers or buyers[0][0] < 1.5):
            buyer = writer.name, writer.cell
    if buyer is None and supplier:
        buyer = _addressee(blocks, supplier) or _other_company(suppliers.values(), supplier)
    provenance: dict[str, Provenance] = {}
    if buyer:
        provenance["buyer"] = Provenance(buyer[1].page, buyer[1].box, 0.8 * buyer[1].confidence)
    if supplier:
        others = [one.score for one in suppliers.values() if one is not supplier]
        verified = (
            supplier.score >= 5
            and supplier.score - max(others, default=0) >= 2
            and supplier.cell.confidence > 0.9
            and ("label" in supplier.scores or COMPANY.fullmatch(supplier.name) is not None)
        )
        provenance["supplier"] = Provenance(
            supplier.cell.page, supplier.cell.box, 0.95 if verified else 0.65, verified
        )
    return Parties(supplier.name if supplier else None, buyer[0] if buyer else None, provenance)


def _is_purchase(rows: Sequence[Row]) -> bool:
    titles = (fold(cell.text) for row in rows[:20] for cell in row.cells(1.2))
    return any(PURCHASE.fullmatch(one) for one in titles) and not is_answer(rows)


def _buyers(rows: Sequence[Row], heights: Mapping[int, float]) -> Iterator[tuple[float, str, Cell]]:
    for label, found in named(rows, BUYER):
        strong = bool(label["strong"])
        score = (3.0 if strong else 1.8) - 0.25 * found.distance - found.order / 1000
        score += 1.0 if COMPANY.search(found.value) else 0.0
        if not strong and found.cell.box.middle > 0.5 * heights[found.cell.page]:
            score -= 1.5  # on a payment slip, `To` is the supplier
        if CLERK.match(fold(found.label)) and (_PERSON.fullmatch(found.value) or TITLED.match(found.value)):
            score -= 2.0  # who buys may be the clerk
        if ATTENTION.match(fold(found.label)) and not COMPANY.search(found.value):
            score -= 1.0  # a person; the buyer heads the address above
            if head := _head_above(rows, found.order, found.label_cell):
                yield score + 0.5, head.text, head
        if found.unseparated and not COMPANY.search(found.value):
            if not LABEL_ENDS.search(fold(found.label)):
                continue  # `Customer portal` is a product
            score -= 0.5 if strong else 1.5
        yield score, found.value, found.cell


def _head_above(rows: Sequence[Row], order: int, cell: Cell) -> Cell | None:
    """The name that opens the block of lines above a cell."""
    head: Cell | None = None
    top = cell.box.top
    for row in reversed(rows[max(0, order - 12) : order]):
        cells = row.cells()
        at = next((at for at, one in enumerate(cells) if abs(one.box.x0 - cell.box.x0) < cell.size), None)
        if row.page != cell.page or top - row.box.bottom > 1.2 * cell.size:
            break
        if at is not None:
            if opens_sender_line(cells, at):
                break
            beside = cells[at]
            top = beside.box.top
            head = beside if looks_like_name(beside.text) or COMPANY.fullmatch(beside.text) else head
    return head


def _suppliers(
    pages: Sequence[Page], rows: Sequence[Row], bought: set[str], heights: Mapping[int, float]
) -> dict[str, _Candidate]:
    candidates: dict[str, _Candidate] = {}

    def add(name: str | None, cell: Cell, score: float, reason: str) -> None:
        if not name or fold_name(name) in bought or len(fold_name(name)) < 2:
            return
        one = candidates.setdefault(fold_name(name), _Candidate(name, cell))
        one.scores[reason] = max(score, one.scores.get(reason, 0.0))

    for label, found in named(rows, SUPPLIER):
        if label["author"]:  # a person, and then perhaps the company
            company = COMPANY.fullmatch(found.value.partition(", ")[2])
            add(company and company.group(), found.cell, 6.0, "author")
            continue
        score = (5.0 if label["strong"] else 2.5) - 0.3 * found.distance
        if _PERSON.fullmatch(found.value):
            score -= 3.0  # who sells may be the clerk
        add(found.value, found.cell, score, "label")
    sizes = [word.size for page in pages for word in page.words]
    body = median(sizes) if sizes else 10.0
    broken = _broken_names(rows)
    for row in rows:
        place = row.box.middle / heights[row.page]
        for cell in _with_legal_forms(row.cells(1.2)):
            whole = broken.get(cell.words[0], cell)
            for name in find_companies(whole.text) if whole else ():
                _weigh_company(add, name, whole or cell, place)
            _weigh_sender(add, cell)
    _weigh_tops(add, rows, heights, body)
    _weigh_domains(candidates, rows)
    return _without_short_forms(candidates)


def _broken_names(rows: Sequence[Row]) -> dict[Word, Cell | None]:
    """Names broken before their legal form, by the word that opens each line; None for the second line.

    A name at the top of the page may be broken one word earlier: `Example Wholesale / Provisions Ltd`.
    """
    broken: dict[Word, Cell | None] = {}
    for order, row in enumerate(rows):
        for cell in row.cells(1.2):
            below = next(iter(find_cells_below(rows, order, cell, 1)), None)
            if below is None or below.page != cell.page or COMPANY.fullmatch(cell.text):
                continue
            joined = cell.with_words(cell.words + below.words)
            opening, rest = cell.words[0], below.words[0]
            form_alone = len(below.words) == 1 or re.fullmatch(r"(?:Pty|Pte|Pvt|Sdn)\.? \w+\.?", below.text)
            at_top = order < 2 and len(below.words) == 2 and len(cell.words) > 1
            if (form_alone or at_top) and COMPANY.fullmatch(joined.text) and not is_address(cell.text):
                broken[opening] = joined
                broken[rest] = None
    return broken


def _weigh_sender(add: _Add, cell: Cell) -> None:
    """A name without a legal form before its address and registration: `Example - 3 Street - KvK 1`."""
    parting = SENDER.search(cell.text)
    if parting is None or len(cell.words) > 16:
        return
    name, rest = cell.text[: parting.start()].strip(), cell.text[parting.end() :]
    if BANK_ACCOUNT.match(fold(rest)):
        return
    placed = len(rest.split()) > 2 and re.search(r"\d{4}|\b[A-Z]{1,2}\d{1,2}\b", rest)
    if placed and looks_like_name(name) and not re.search(r"\d", name) and not COMPANY.match(name):
        add(name, cell, 2.0 if FOOTER.search(rest) else 1.2, "sender line")


def _with_legal_forms(cells: Sequence[Cell]) -> Iterator[Cell]:
    """The cells; a legal form that stands apart, as in spaced headlines, is joined to its name."""
    for index, cell in enumerate(cells):
        following = cells[index + 1] if index + 1 < len(cells) else None
        joined = cell.with_words(cell.words + following.words) if following else cell
        forms_name = following and len(following.words) == 1 and COMPANY.fullmatch(joined.text)
        yield joined if forms_name else cell


def _without_short_forms(candidates: dict[str, _Candidate]) -> dict[str, _Candidate]:
    """A brand or logo lends its weight to the company of that name."""
    full = [one for one in candidates.values() if COMPANY.match(one.name)]
    kept: dict[str, _Candidate] = {}
    for name, one in candidates.items():
        first = fold_name(one.name.split()[0])
        owners = [
            other
            for other in full
            if other is not one and len(first) > 3 and fold_name(other.name).startswith(first)
        ]
        if owners and one not in full and "label" not in one.scores:
            for owner in owners:
                owner.scores["brand"] = max(owner.scores.get("brand", 0.0), 0.8)
        else:
            kept[name] = one
    return kept


def _weigh_company(add: _Add, name: str, cell: Cell, place: float) -> None:
    add(name, cell, 1.5, "legal form")
    before, _, after = cell.text.partition(name)
    starts = not before.strip() or SENDER.fullmatch(before[-3:]) is not None
    if starts and SENDER.match(after) and is_address(after):
        add(name, cell, 2.5, "sender line")
    if place > 0.88 or (starts and FOOTER.search(cell.text)):
        add(name, cell, 2.0, "footer")
    if place < 0.3 and cell.page == 1:
        add(name, cell, 1.6 - 4 * place, "top")
    if cell.page > 1:
        add(name, cell, 0.4, "later page")


def _weigh_tops(add: _Add, rows: Sequence[Row], heights: Mapping[int, float], body: float) -> None:
    """Names without a legal form: the first lines of the page, heads of address blocks."""
    top = [
        (order, row) for order, row in enumerate(rows) if row.page == 1 and row.box.middle < 0.3 * heights[1]
    ]
    for order, row in top[:14]:
        for cell in row.cells(1.2):
            text = cell.text.strip()
            if not looks_like_name(text) and not COMPANY.fullmatch(text):
                continue
            if is_party_label(text) or SALUTATION.fullmatch(fold(text)):
                continue
            below = find_cells_below(rows, order, cell, 3)
            if any(ATTENTION.match(fold(other.text)) for other in below):
                continue  # the recipient's address
            placed = any(is_town(other.text) for other in below[:1])
            heads = placed or (len(below) >= 2 and any(is_address(other.text) for other in below))
            if order > 1 and not heads:
                continue
            if order == 0 and any(REGISTERED.search(fold(other.text)) for other in below[:1]):
                add(text, cell, 2.5, "registered")
            large = 0.6 if cell.size > 1.3 * body or cell.words[0].bold else 0.0
            add(text, cell, 1.0 - 0.04 * order + large + (0.6 if heads else 0.0), "top line")


def _weigh_domains(candidates: dict[str, _Candidate], rows: Sequence[Row]) -> None:
    text = fold(" ".join(row.text for row in rows))
    sites = {
        re.sub(r"[^a-z0-9]", "", one)
        for one in re.findall(r"(?:www\.|https?://(?:www\.)?)([a-z0-9\-]+)\.", text)
    }
    mails = {re.sub(r"[^a-z0-9]", "", one) for one in re.findall(r"@([a-z0-9\-]+)\.", text)}
    usual = median(row.size for row in rows) if rows else 0.0
    largest = [row for row in sorted(rows[:12], key=lambda row: -row.size)[:1] if row.size > 1.1 * usual]
    logo = {fold_name(word) for row in largest for word in row.text.split()[:1]}
    for name, one in candidates.items():
        first = fold_name(one.name.split()[0])
        for weight, domains, reason in ((1.6, sites, "site"), (1.0, mails, "mail"), (1.2, logo, "logo")):
            if any(
                len(first) > 3 and (domain.startswith(first) or name.startswith(domain))
                for domain in domains
                if len(domain) > 3
            ):
                one.scores[reason] = weight


def _addressee(blocks: Sequence[AddressBlock], supplier: _Candidate) -> tuple[str, Cell] | None:
    """The head of an address block that is not the supplier's: the window of a letter."""
    own = fold_name(supplier.name)
    others = [one for one in blocks if fold_name(one.name) != own and not own.startswith(fold_name(one.name))]
    best = min(others, key=lambda one: not one.addressed, default=None)
    return (best.name, best.cell) if best else None


def _other_company(found: Iterable[_Candidate], supplier: _Candidate) -> tuple[str, Cell] | None:
    """The other company that the top of the first page names."""
    others = [one for one in found if {"legal form", "top"} <= one.scores.keys() and one is not supplier]
    strangers = [
        one
        for one in others
        if fold_name(one.name.split()[0]) != fold_name(supplier.name.split()[0])
        and fold_name(supplier.name) not in fold_name(one.name)
    ]
    best = max(strangers, key=lambda one: one.score, default=None)
    return (best.name, best.cell) if best else None
