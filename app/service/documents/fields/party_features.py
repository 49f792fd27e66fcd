"""What is seen of each name of a document: where it stands, what stands around it, how it looks."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeAlias, get_args

from app.service.documents.extraction import Kind, Provenance
from app.service.documents.fields.candidates import Candidate
from app.service.documents.fields.party_labels import PERSON
from app.service.documents.layout.address_blocks import is_party_label, is_town
from app.service.documents.layout.labels import find_cells_below
from app.service.documents.layout.pages import Page
from app.service.documents.layout.rows import Cell, Edge, Row
from app.service.documents.lexicon.letters import is_greeting, strip_subject
from app.service.documents.lexicon.party_words import (
    ATTENTION,
    BANK_ACCOUNT,
    BUYER,
    COMPANY_TITLE,
    DELIVERY,
    DEPARTMENT,
    FOOTER,
    HONORIFIC,
    NAME_LABEL,
    REGISTERED,
    SALUTATION,
    SUPPLIER,
    TITLED,
)
from app.service.documents.values.company_names import (
    COMPANY,
    cut_mail_address,
    find_companies,
    fold_name,
    is_address,
    is_document_title,
    is_label,
    is_label_with_value,
    is_title,
    looks_like_name,
    names_column,
    read_name,
)
from app.service.values.folding import fold

Side: TypeAlias = Literal["supplier", "buyer"]
_KINDS: tuple[Kind, ...] = get_args(Kind)
SIDES: tuple[Side, ...] = ("supplier", "buyer")
_FIRST_ROWS, _LAST_ROWS = 120, 40
_MOST_NAMES = 250
_MOST_WORDS, _LONGEST = 8, 70
_BLOCK = 5
"""Lines above and below a name that are looked at."""
_FAR = 9.0
_PARTING = re.compile(r"\s[·|•–—-]\s|,\s|\s?\(|\s{3,}|\s[–-](?=\d)|\s(?=\d+\w?\s[^\W\d])")
_MAIL = re.compile(r"[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+")
_SITE = re.compile(
    r"(?:www\.|https?://(?:www\.)?)([\w\-]+)\.|(?<![@\w.])([a-z][\w\-]{3,})\.(?:com|net|org|io|co|[a-z]{2})\b"
)
_PUBLIC = frozenset({
    "gmail", "yahoo", "hotmail", "outlook", "icloud", "live", "aol", "gmx", "web", "proton", "protonmail",
    "mail", "example", "qq", "163",
})  # fmt: skip
"""Hosts where anybody has an address."""
_PHONE = re.compile(r"\+?\(?\d[\d ()./\-]{7,}\d")
_TAX_NUMBER = re.compile(r"\b(?=[A-Z\d]*\d{5})[A-Z]{0,3}[\d.\-/]{8,}[A-Z\d]*\b")
_MARKS = {"supplier": SUPPLIER, "buyer": BUYER}


@dataclass(frozen=True)
class PartyName:
    """A name, where it stands first, and what is seen of it, in the order of the names of the features.

    `ruled` are the sides of which labels and places say that they are this name's.
    """

    name: str
    provenance: Provenance
    features: tuple[float, ...] = ()
    ruled: frozenset[Side] = frozenset()


@dataclass(frozen=True)
class _Occurrence:
    name: str
    cell: Cell
    order: int
    prefix: str


def describe_names(
    pages: Sequence[Page],
    rows: Sequence[Row],
    rules: Mapping[Side, Iterable[Candidate[str]]],
    chosen: Mapping[Side, Candidate[str] | None],
    kind: Kind,
) -> list[PartyName]:
    """The names that may be a party's, each once. `rules` are the candidates of each side, `chosen` the one
    that labels and places speak for."""
    if not rows:
        return []
    found: dict[str, list[_Occurrence]] = {}
    for one in _find_occurrences(rows):
        key = fold_name(one.name)
        if len(key) > 1 and (key in found or len(found) < _MOST_NAMES):
            found.setdefault(key, []).append(one)
    scores: dict[Side, dict[str, Candidate[str]]] = {side: {} for side in SIDES}
    for side in SIDES:
        ruled = chosen[side]
        for one in (*rules[side], *((ruled,) if ruled else ())):
            key = fold_name(one.value)
            scores[side][key] = max(scores[side].get(key, one), one, key=lambda other: other.score)
            if key and key not in found and (at := _find_place(rows, one)):
                found[key] = [_Occurrence(one.value, at[1], at[0], "")]
    seen = _Surroundings(pages, rows)
    described: list[tuple[str, dict[str, float]]] = []
    highest = {side: max((one.score for one in scores[side].values()), default=0.0) for side in SIDES}
    for number, (key, occurrences) in enumerate(found.items()):
        values = seen.describe(key, occurrences)
        for side in SIDES:
            ruled, one = chosen[side], scores[side].get(key)
            values[f"rule {side}"] = one.score if one else -1.0
            values[f"rule {side} behind best"] = highest[side] - (one.score if one else 0.0)
            values[f"chosen {side}"] = float(ruled is not None and fold_name(ruled.value) == key)
            values[f"chosen {side} holds"] = float(
                ruled is not None
                and key != fold_name(ruled.value)
                and (key in fold_name(ruled.value) or fold_name(ruled.value) in key)
            )
            values[f"any {side}"] = float(ruled is not None)
        values |= {f"kind {one}": float(one == kind) for one in _KINDS}
        values["number"] = float(number)
        described.append((key, values))
    _compare_names([values for _, values in described])
    names: list[PartyName] = []
    for key, values in described:
        first = found[key][0]
        ruled_places = [scores[side][key].provenance for side in SIDES if key in scores[side]]
        spelled = [scores[side][key].value for side in SIDES if key in scores[side]]
        names.append(
            PartyName(
                (spelled or [first.name])[0],
                (ruled_places or [first.cell.locate(1.0)])[0],
                tuple(values[name] for name in sorted(values)),
                frozenset(side for side in SIDES if values[f"chosen {side}"]),
            )
        )
    return names


def _compare_names(names: Sequence[dict[str, float]]) -> None:
    """Add how many names before and beside each have what it has."""
    for reason in (
        "company",
        "looks",
        "supplier labelled",
        "buyer labelled",
        "chosen supplier",
        "chosen buyer",
    ):
        total = sum(bool(one[reason]) for one in names)
        before = 0
        for one in names:
            one[f"{reason} before"] = float(before)
            one[f"{reason} others"] = float(total - bool(one[reason]))
            before += bool(one[reason])


_AROUND = ' ,;:·-–—|*#"“”„«»'


def _find_place(rows: Sequence[Row], one: Candidate[str]) -> tuple[int, Cell] | None:
    """The row and cell of a candidate."""
    box = one.provenance.box
    for order, row in enumerate(rows):
        if box and row.page == one.provenance.page and row.box.top <= box.middle <= row.box.bottom:
            return order, min(row.cells(1.2), key=lambda cell: abs(cell.box.centre - box.centre))
    return None


def _find_occurrences(rows: Sequence[Row]) -> Iterator[_Occurrence]:
    taken = [*range(min(_FIRST_ROWS, len(rows))), *range(max(_FIRST_ROWS, len(rows) - _LAST_ROWS), len(rows))]
    for order in taken:
        for cell in rows[order].cells(1.2):
            if is_greeting(cell.text) and not COMPANY.match(cell.text):
                continue
            seen: set[str] = set()
            for prefix, name in _cut_names(cell.text[:400]):
                name = HONORIFIC.sub("", COMPANY_TITLE.sub("", name.strip(_AROUND))).strip(_AROUND)
                if name not in seen and _may_be_name(name):
                    seen.add(name)
                    yield _Occurrence(name, cell, order, prefix)


def _cut_names(text: str) -> Iterator[tuple[str, str]]:
    """Parts of a text that may be a name, each with what stands before it."""
    if len(text.split()) <= _MOST_WORDS:
        yield "", text
    for company in find_companies(text):
        yield text.partition(company)[0], company
    before, colon, after = text.partition(":")
    if colon and after and len(before) < 40 and strip_subject(fold(text)) == fold(text):
        yield before + colon, after
        yield before + colon, _PARTING.split(cut_mail_address(after.strip()), maxsplit=1)[0]
    for pattern in (SUPPLIER, BUYER):
        if matched := pattern.match(fold(text)):
            yield text[: matched.end()], text[matched.end() :]
    if parting := _PARTING.search(text):
        yield "", text[: parting.start()]
        rest = text[parting.end() :].strip(" )")
        if len(rest.split()) <= _MOST_WORDS:
            yield text[: parting.end()], rest


def _may_be_name(name: str) -> bool:
    return (
        2 <= len(name) <= _LONGEST
        and len(name.split()) <= _MOST_WORDS
        and "@" not in name
        and re.search(r"[^\W\d_]{2}", name) is not None
        and sum(letter.isdigit() for letter in name) * 2 < len(name)
        and not (is_document_title(name) or is_party_label(name))
        and not any(one.fullmatch(fold(name)) for one in (DEPARTMENT, SALUTATION))
    )


class _Surroundings:
    """What is the same for all names of a document."""

    def __init__(self, pages: Sequence[Page], rows: Sequence[Row]) -> None:
        self._rows = rows
        self._sizes = {page.number: (page.width, page.height) for page in pages}
        self._body = median(row.size for row in rows)
        self._largest = max(row.size for row in rows[:_FIRST_ROWS])
        self._last = rows[-1].page
        text = "\n".join(row.text for row in rows).lower()
        mails = _MAIL.findall(text)
        hosts = {_bare(one.partition("@")[2].split(".")[0]) for one in mails}
        self._mails = hosts - _PUBLIC
        self._locals = {_bare(one.partition("@")[0]) for one in mails}
        self._sites = {_bare(a or b) for a, b in _SITE.findall(text)} - _PUBLIC
        self._in_cells = rows[0].words[0].cell is not None
        self._table = next((at for at, row in enumerate(rows) if _count_figures(row) > 1), len(rows))

    def describe(self, key: str, occurrences: Sequence[_Occurrence]) -> dict[str, float]:
        """The features of a name by their names."""
        name, first = occurrences[0].name, occurrences[0]
        width, height = self._sizes[first.cell.page]
        box = first.cell.box
        low = max(occurrences, key=lambda one: (one.cell.page, one.cell.box.middle))
        values = {
            "page": float(first.cell.page), "x0": box.x0 / width, "x1": box.x1 / width,
            "centre": abs(box.centre / width - 0.5), "y": box.middle / height, "row": float(first.order),
            "before table": float(self._table - first.order),
            "no table": float(self._table == len(self._rows)),
            "size": first.cell.size / self._body, "largest": float(first.cell.size >= 0.98 * self._largest),
            "bold": float(first.cell.words[0].bold), "times": float(min(len(occurrences), 9)),
            "lowest": low.cell.box.middle / self._sizes[low.cell.page][1],
            "on last page": float(low.cell.page == self._last),
            "from the end": float(len(self._rows) - low.order),
            "pages": float(len(self._sizes)), "rows": float(min(len(self._rows), 300)),
            "in cells": float(self._in_cells), **self._describe_domains(name, key), **_describe_text(name),
        }  # fmt: skip
        around: dict[str, float] = {}
        for one in occurrences[:6]:
            for reason, value in self._describe_place(one).items():
                nearest = reason.endswith("distance")
                old = around.get(reason, value)
                around[reason] = min(old, value) if nearest else max(old, value)
        return values | around

    def _describe_domains(self, name: str, key: str) -> dict[str, float]:
        first = fold_name(name.split()[0])
        letters = "".join(word[0] for word in name.lower().split() if word[0].isalpha())

        def share(domains: Iterable[str]) -> float:
            return max((_likeness(key, first, letters, one) for one in domains if len(one) > 2), default=0.0)

        return {
            "mail": share(self._mails), "site": share(self._sites), "local": share(self._locals),
            "any mail": float(bool(self._mails)), "any site": float(bool(self._sites)),
        }  # fmt: skip

    def _describe_place(self, one: _Occurrence) -> dict[str, float]:
        row, cell = self._rows[one.order], one.cell
        cells = row.cells(1.2)
        at = next((index for index, other in enumerate(cells) if other.words[0] is cell.words[0]), 0)
        left = cells[at - 1] if at else None
        right = cells[at + 1] if at + 1 < len(cells) else None
        above = self._find_above(one.order, cell)
        below = find_cells_below(self._rows, one.order, cell, _BLOCK)
        near = self._rows[max(0, one.order - 1) : one.order + 2]
        over = fold(" ".join([one.prefix, *(other.text for other in above[:1])]))
        before = fold(one.prefix or (left.text if left else ""))
        values = {
            "cells": float(len(cells)), "cell": float(at), "figures": float(_count_figures(row)),
            "figures near": float(sum(map(_count_figures, near))),
            "lines above": float(len(above)), "lines below": float(len(below)),
            "whole cell": float(len(one.name) + 3 >= len(cell.text)),
            "prefix": float(bool(one.prefix)), "prefix colon": float(one.prefix.rstrip().endswith(":")),
            "prefix for": float(fold(one.prefix).strip() in ("for", "pour", "fur", "per", "para", "por")),
            "left colon": float(left is not None and left.text.endswith(":")),
            "right colon": float(right is not None and right.text.startswith(":")),
            "above colon": float(bool(above) and above[0].text.endswith(":")),
            "name label": float(NAME_LABEL.match(before) is not None),
            "attention above": float(any(ATTENTION.match(fold(other.text)) for other in above[:2])),
            "attention below": float(any(ATTENTION.match(fold(other.text)) for other in below[:3])),
            "department": float(DEPARTMENT.search(fold(cell.text)) is not None),
            "honorific": float(HONORIFIC.search(cell.text) is not None),
            "sender line above": float(bool(above) and "," in above[0].text and is_address(above[0].text)),
            "delivery": float(DELIVERY.search(over) is not None),
            "titled above": float(any(TITLED.match(other.text) for other in above[:2])),
            "town below distance": _distance(below, is_town),
            "address below distance": _distance(below, is_address),
            "mail below distance": _distance(below, lambda text: "@" in text),
            "phone below distance": _distance(below, lambda text: _PHONE.search(text) is not None),
            "registration below distance": _distance(
                below, lambda text: REGISTERED.search(fold(text)) is not None),
            "tax number below distance": _distance(below, lambda text: _TAX_NUMBER.search(text) is not None),
            "footer words": float(FOOTER.search(cell.text) is not None),
            "bank": float(self._is_near_bank(one)),
        }  # fmt: skip
        for side, pattern in _MARKS.items():
            values |= self._describe_label(side, pattern, one, left, above)
        return values

    def _describe_label(
        self, side: str, pattern: re.Pattern[str], one: _Occurrence, left: Cell | None, above: Sequence[Cell]
    ) -> dict[str, float]:
        """How far a label of the side is: in the cell, beside it, above it in its block or its column."""
        prefix = pattern.match(fold(one.prefix.strip())) if one.prefix else None
        beside = pattern.match(fold(left.text)) if left else None
        over = next((at for at, other in enumerate(above) if _opens(pattern, other.text)), None)
        column = self._find_column_label(pattern, one, left) if over is None else None
        matched = prefix or beside or (pattern.match(fold(above[over].text)) if over is not None else None)
        return {
            f"{side} prefix": float(bool(prefix)), f"{side} beside": float(bool(beside)),
            f"{side} above distance": _FAR if over is None else over + 1.0,
            f"{side} column distance": _FAR if column is None else column,
            f"{side} labelled": float(bool(matched) or column is not None),
            f"{side} strong": float(bool(matched and matched["strong"])),
            f"{side} itself": float(pattern.match(fold(one.name)) is not None),
        }  # fmt: skip

    def _find_column_label(
        self, pattern: re.Pattern[str], one: _Occurrence, left: Cell | None
    ) -> float | None:
        """How many rows above a name, or what stands left of it, a label heads the column, however far apart
        the lines are."""
        reach = 3 * one.cell.size
        starts = [one.cell.box.x0, *([left.box.x0] if left else [])]
        for distance, row in enumerate(reversed(self._rows[max(0, one.order - 7) : one.order]), 1):
            if row.page != one.cell.page:
                return None
            for cell in row.cells(1.2):
                near = any(abs(cell.box.x0 - start) < reach for start in starts)
                ends = abs(cell.box.x1 - one.cell.box.x1) < one.cell.size
                if (near or ends) and _opens(pattern, cell.text):
                    return float(distance)
        return None

    def _find_above(self, order: int, cell: Cell) -> list[Cell]:
        """The lines above a cell that begin where it begins, else end where it ends, the nearest first."""
        block: list[Cell] = []
        for edge in ("left", "right"):
            other = self._find_block_above(order, cell, edge)
            block = other if len(other) > len(block) else block
        return block

    def _find_block_above(self, order: int, cell: Cell, edge: Edge) -> list[Cell]:
        block: list[Cell] = []
        top = cell.box.top
        for row in reversed(self._rows[max(0, order - 2 * _BLOCK) : order]):
            if row.page != cell.page or top - row.box.bottom > 1.6 * max(cell.size, row.size):
                break
            if (other := row.find_cell(edge, cell.edge(edge), cell.size)) is not None:
                block.append(other)
                top = other.box.top
            if len(block) == _BLOCK:
                break
        return block

    def _is_near_bank(self, one: _Occurrence) -> bool:
        rows = self._rows[max(0, one.order - 3) : one.order + 4]
        return any(row.page == one.cell.page and _BANK.search(fold(row.text)) for row in rows)


_BANK = re.compile(rf"\b(?:iban|bic|swift|a/c|ifsc)\b|{BANK_ACCOUNT.pattern.removeprefix(chr(92) + 'W*')}")


def _opens(pattern: re.Pattern[str], text: str) -> bool:
    matched = pattern.match(fold(text))
    return matched is not None and len(text[matched.end() :].strip(" :/()").split()) <= 2


def _count_figures(row: Row) -> int:
    return sum(cell.is_figure for cell in row.cells())


def _distance(lines: Sequence[Cell], holds: Callable[[str], bool]) -> float:
    """How many lines below the first is that holds something."""
    return next((at + 1.0 for at, one in enumerate(lines) if holds(one.text)), _FAR)


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


def _likeness(key: str, first: str, letters: str, domain: str) -> float:
    """How much a name and a part of an address have in common, from 0 to 1."""
    if key == domain:
        return 1.0
    if (len(domain) > 3 and key.startswith(domain)) or (len(key) > 3 and domain.startswith(key)):
        return 0.9
    if len(first) > 3 and domain.startswith(first):
        return 0.7
    if len(letters) > 2 and domain.startswith(letters):
        return 0.5
    return 0.4 if len(first) > 3 and first in domain else 0.0


def _describe_text(name: str) -> dict[str, float]:
    words = name.split()
    letters = [letter for letter in name if letter.isalpha()]
    company = COMPANY.search(name)
    return {
        "words": float(len(words)), "letters": float(len(name)),
        "capitals": sum(letter.isupper() for letter in letters) / max(len(letters), 1),
        "digits": sum(letter.isdigit() for letter in name) / len(name),
        "small words": float(sum(word[0].islower() for word in words)),
        "begins small": float(name[0].islower()),
        "other script": float(letters[0] > "\u024f" if letters else 0),
        "company": float(company is not None), "whole company": float(COMPANY.fullmatch(name) is not None),
        "person": float(PERSON.fullmatch(name) is not None), "titled": float(TITLED.match(name) is not None),
        "looks": float(looks_like_name(name)), "reads": float(read_name(name) == name),
        "label": float(is_label(name)), "with value": float(is_label_with_value(name)),
        "column": float(names_column(name)), "title": float(is_title(name)), "town": float(is_town(name)),
        "address": float(is_address(name)), "comma": float("," in name),
        "full stop": float(name.endswith(".")),
        "bracket": float(bool(re.search(r"[()\[\]{}<>=#_/]", name))), "ampersand": float("&" in name),
    }  # fmt: skip
