"""Who may sell: names behind labels, with legal forms, in sender lines and letterheads."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median

from app.service.documents.fields.candidates import Candidate
from app.service.documents.fields.party_labels import PERSON, find_labelled_names
from app.service.documents.layout.address_blocks import is_party_label, is_town
from app.service.documents.layout.labels import find_cells_below
from app.service.documents.layout.pages import Page
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.letters import is_closing
from app.service.documents.lexicon.party_words import (
    ATTENTION,
    BANK_ACCOUNT,
    FOOTER,
    HONORIFIC,
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
from app.service.documents.values.dates import find_dates
from app.service.values.folding import fold

_WEIGHTS = {
    "author": 6.0, "strong label": 5.0, "weak label": 2.5, "clerk": -3.0, "legal form": 1.5,
    "sender line": 2.5, "registered sender line": 2.0, "plain sender line": 1.2, "footer": 2.0, "top": 1.6,
    "registered": 2.5, "top line": 1.0, "large": 0.6, "heads an address": 0.6,
    "site": 1.6, "mail": 1.0, "logo": 1.2, "signature": 2.0,
}  # fmt: skip
_MOST_CANDIDATES = 300  # they are compared with each other; labels and what stands above come first
_PER_LABEL_DISTANCE, _PER_TOP_ROW = -0.3, -0.04
_PER_PAGE_HEIGHT = -4.0
_SIGNATURE_ROWS = 4
_SIGNED_FOR = re.compile(rf"{WORDS.names.for_}:? (?:m/s\.? ?)?(?P<name>.+?)[.:]?$", re.IGNORECASE)
_FOOTER, _TOP = 0.88, 0.3
"""Shares of the page's height below which the footer begins, and above which the top ends."""
_Add = Callable[[str | None, Cell, float, str], None]


def supplier_candidates(
    pages: Sequence[Page],
    rows: Sequence[Row],
    bought: set[str],
    heights: Mapping[int, float],
    *,
    is_purchase: bool,
) -> dict[str, Candidate[str]]:
    """Suppliers by the key of their name, leaving out the keys of those who `bought`."""
    candidates: dict[str, Candidate[str]] = {}

    def add(name: str | None, cell: Cell, weight: float, reason: str) -> None:
        key = fold_name(HONORIFIC.sub("", name)) if name else ""
        if not name or key in bought or len(key) < 2:
            return
        if len(candidates) == _MOST_CANDIDATES and fold_name(name) not in candidates:
            return
        one = candidates.get(fold_name(name)) or Candidate(name, {}, cell.locate(1.0))
        candidates[fold_name(name)] = one.with_reason(reason, max(weight, 0.0))

    for label, found in find_labelled_names(rows, SUPPLIER):
        if label["author"]:  # a person, and then perhaps the company
            company = COMPANY.fullmatch(found.value.partition(", ")[2])
            add(company and company.group(), found.cell, _WEIGHTS["author"], "author")
            continue
        weight = _WEIGHTS["strong label" if label["strong"] else "weak label"]
        weight += _PER_LABEL_DISTANCE * found.distance
        if PERSON.fullmatch(found.value) and not is_purchase:
            weight += _WEIGHTS["clerk"]  # who sells may be the clerk of who writes
        add(found.value, found.cell, weight, "label")
    sizes = [word.size for page in pages for word in page.words]
    body = median(sizes) if sizes else 10.0
    for row in rows:
        place = row.box.middle / heights[row.page]
        for cell in _with_legal_forms(row.cells(1.2)):
            for name in find_companies(cell.text):
                _weigh_company(add, name, cell, place)
            _weigh_sender(add, cell)
    _weigh_tops(add, rows, heights, body)
    _weigh_signatures(add, rows)
    for cell in (cell for row in rows for cell in row.cells()):
        signed = _SIGNED_FOR.match(cell.text)  # `For Example Traders`, over the name of who signs
        one = candidates.get(fold_name(signed["name"])) if signed else None
        if one and "top line" in one.reasons:
            add(one.value, cell, _WEIGHTS["signature"], "signature")
    _weigh_domains(candidates, rows)
    return candidates


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
        kind = "registered sender line" if FOOTER.search(rest) else "plain sender line"
        add(name, cell, _WEIGHTS[kind], "sender line")


def _with_legal_forms(cells: Sequence[Cell]) -> Iterator[Cell]:
    """The cells; a legal form that stands apart, as in spaced headlines, is joined to its name."""
    for index, cell in enumerate(cells):
        following = cells[index + 1] if index + 1 < len(cells) else None
        if following and len(following.words) == 1:
            joined = cell.with_words(cell.words + following.words)
            cell = joined if COMPANY.fullmatch(joined.text) else cell
        yield cell


def _weigh_company(add: _Add, name: str, cell: Cell, place: float) -> None:
    before, _, after = cell.text.partition(name)
    if TITLED.match(name) or (", " in name and find_dates(after)):
        return  # to `M/s. Example Ltd`, or a town, its region and the day: `León, Gto., a 3 de mayo`
    add(name, cell, _WEIGHTS["legal form"], "legal form")
    starts = not before.strip() or SENDER.fullmatch(before[-3:]) is not None
    if starts and SENDER.match(after) and is_address(after):
        add(name, cell, _WEIGHTS["sender line"], "sender line")
    if place > _FOOTER or (starts and FOOTER.search(cell.text)):
        add(name, cell, _WEIGHTS["footer"], "footer")
    if place < _TOP and cell.page == 1:
        add(name, cell, _WEIGHTS["top"] + _PER_PAGE_HEIGHT * place, "top")


def _weigh_tops(add: _Add, rows: Sequence[Row], heights: Mapping[int, float], body: float) -> None:
    """Names without a legal form: the first lines of the page, heads of address blocks."""
    top = [
        (order, row) for order, row in enumerate(rows) if row.page == 1 and row.box.middle < _TOP * heights[1]
    ]
    for order, row in top[:14]:
        for cell in row.cells(1.2):
            text = cell.text.strip()
            if not looks_like_name(text) and not COMPANY.fullmatch(text):
                continue
            if is_party_label(text) or SALUTATION.fullmatch(fold(text)) or TITLED.match(text):
                continue
            if "," in text and not COMPANY.search(text):
                continue  # a line of an address, or the opening of a letter
            below = find_cells_below(rows, order, cell, 3)
            if any(ATTENTION.match(fold(other.text)) for other in below):
                continue  # the recipient's address
            placed = any(is_town(other.text) for other in below[:1])
            heads = placed or (len(below) >= 2 and any(is_address(other.text) for other in below))
            if order > 1 and not heads:
                continue
            own = below if len(row.cells(1.2)) == 1 else below[:1]
            if order == 0 and any(REGISTERED.search(fold(other.text)) for other in own):
                add(text, cell, _WEIGHTS["registered"], "registered")
            weight = _WEIGHTS["top line"] + _PER_TOP_ROW * order
            if cell.size > 1.3 * body or cell.words[0].bold:
                weight += _WEIGHTS["large"]
            if heads:
                weight += _WEIGHTS["heads an address"]
            add(text, cell, weight, "top line")


def _weigh_signatures(add: _Add, rows: Sequence[Row]) -> None:
    """Names below the closing of a letter: a company, or what a mail address speaks for: `Kind regards /
    Example Software` of `sales@example.com`. Who signs has a name too, and no domain of it."""
    hosts = _find_hosts(r"@", fold(" ".join(row.text for row in rows)))
    for order, row in enumerate(rows):
        if not is_closing(row.text):
            continue
        for below in rows[order + 1 : order + 1 + _SIGNATURE_ROWS]:
            # `Account Executive, Example Software`, `Example Software - 3 Street`
            parts = re.split(r", | [|·–-] ", below.text)
            for name in (*(one.group() for one in COMPANY.finditer(below.text)), *reversed(parts)):
                first = fold_name(name.partition(" ")[0])
                hosted = len(first) > 3 and any(host.startswith(first) for host in hosts)
                if COMPANY.fullmatch(name) or (hosted and " " in name and looks_like_name(name)):
                    add(name, below.cells(1.2)[0], _WEIGHTS["signature"], "signature")
                    return


def _find_hosts(before: str, text: str) -> set[str]:
    """The names of hosts behind this mark in a folded text, in letters and digits."""
    return {re.sub(r"[^a-z0-9]", "", one) for one in re.findall(rf"{before}([a-z0-9\-]+)\.", text)}


def _weigh_domains(candidates: dict[str, Candidate[str]], rows: Sequence[Row]) -> None:
    """Add what speaks for names that stand in web or mail addresses, or are the largest word at the top."""
    text = fold(" ".join(row.text for row in rows))
    sites, mails = _find_hosts(r"(?:www\.|https?://(?:www\.)?)", text), _find_hosts("@", text)
    usual = median(row.size for row in rows) if rows else 0.0
    largest = [row for row in sorted(rows[:12], key=lambda row: -row.size)[:1] if row.size > 1.1 * usual]
    logo = {fold_name(word) for row in largest for word in row.text.split()[:1]}
    for name, one in candidates.items():
        first = fold_name(one.value.split()[0])
        for reason, domains in (("site", sites), ("mail", mails), ("logo", logo)):
            if any(
                len(first) > 3 and (domain.startswith(first) or name.startswith(domain))
                for domain in domains
                if len(domain) > 3
            ):
                candidates[name] = candidates[name].with_reason(reason, _WEIGHTS[reason])
