"""Net, tax and total: label and figure pairs, of which arithmetic picks the ones that belong together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import accumulate, combinations, product

from app.service.documents.extraction import LineItem, Provenance, list_places
from app.service.documents.fields.candidates import Candidate, best
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.vocabulary import LIMIT, PAYMENT_FORMS, Total, total_kind
from app.service.values.folding import fold
from app.service.values.rounding import CENT, is_close
from app.service.values.tax import excludes_tax, includes_tax

_LABEL_LENGTH = 60
_MOST_SUMS = 200  # the last of a document, which are put together in pairs
_BRACKETS = re.compile(r"\([^()]*\)")
_REGISTRATION = re.compile(r"\d{10}")
_SLACK = Decimal("0.02")
_ROUNDING = Decimal("0.05")
_HIGHEST_TAX = Decimal("0.45")
_LOWEST_RATE, _HIGHEST_RATE = 10, 60
"""Half per cents of a tax that no figure states."""
_FARTHEST = Decimal("0.5")
"""How far a net may be from another, as a share: `Net 30` is a time to pay."""
_MOST_TOTALS = 8
"""The last totals of a document, which are compared with each other."""
_FEWEST_LINES = 2
"""Lines whose sum is a total without a label."""
_UNLABELLED = 0.7
_ZERO = Decimal(0)
_SEVERAL_TAXES = "several taxes"
_WEIGHTS = {
    "net": 1.0, "tax": 0.7, "gross": 2.0, "adjusted": -1.5, "leaves out the gross": -4.0,
    "adds up with tax": 6.0, "adds up": 2.5, "does not add up": -4.0, "tax is zero": -2.0,
    "lacks the net": -0.5, "tax is too high for the net": -5.0, "tax is too high for the gross": -5.0,
    "several taxes": -0.3, "sum of the lines": 4.0, "grand total": 0.5,
    "total of a part": -4.0, "sum of parts": 5.0,
    "part of a sum": -4.0, "sum of taxes": -4.0, "rounded": 1.5,
}  # fmt: skip
_KIND_WEIGHTS: dict[Total, float] = {"gross": 1.0, "due": 0.2, "contract": -0.2}
_PER_ROW = 0.0001
_WITH_TAX = re.compile(r"^\s*\+\s?[^\W\d]+")  # behind the amount before: `500.00 + VAT`
_PARTS_OF_SENTENCE = re.compile(rf"[;:,]\s|[，；：。]|\b{WORDS.durations.and_}\b")


@dataclass(frozen=True)
class LabelledSum:
    """A figure with a label of the vocabulary of totals."""

    kind: Total
    label: str
    value: Decimal
    cell: Cell
    order: int


@dataclass(frozen=True)
class Totals:
    """The three sums of a document; each with its provenance where it was printed.

    `discount` is a deduction from the sum of the lines; net is what is left.
    """

    net: Decimal | None = None
    tax: Decimal | None = None
    total: Decimal | None = None
    discount: Decimal = _ZERO
    provenance: dict[str, Provenance] = field(default_factory=dict[str, Provenance])
    after_tax: Decimal = _ZERO
    """What is added to net and tax: a rounding, or below 0 a tax that the buyer withholds."""

    @property
    def made(self) -> Decimal | None:
        """What net, tax and what stands behind them make."""
        return None if self.net is None else self.net + (self.tax or 0) + self.after_tax


def find_sums(rows: Sequence[Row], sentences: Sequence[Sentence]) -> list[LabelledSum]:
    """Every labelled sum, in reading order; those of sentences where a letter has no others."""
    in_rows, in_text = _sums_in_rows(rows), _sums_in_sentences(sentences)
    values = {one.value for one in in_text}
    is_letter = all(one.value in values for one in in_rows if one.kind in ("net", "gross", "due"))
    return [*in_rows, *in_text] if is_letter else in_rows


def _sums_in_rows(rows: Sequence[Row]) -> list[LabelledSum]:
    found: list[LabelledSum] = []
    for order, row in enumerate(rows):
        cells = row.cells()
        is_strip = sum(total_kind(fold(cell.text)) is not None for cell in cells) > 2
        for index, cell in enumerate(cells):
            one = _beside(cell, cells[index + 1 :]) or _inside(cell)
            if one is None and order + 1 < len(rows) and not _heads_lines(rows[order : order + 3]):
                end = _end_of_box(cells, index, is_strip=is_strip)
                one = _below(cell, rows[order + 1], end)
                if one is None and is_strip and len(rows[order + 1].cells()) < len(cells):
                    one = _below_two(cell, rows[order + 1 : order + 3], end)
            if one and not _is_code(one[0], one[2], one[3].text):
                found.append(LabelledSum(*one, order))
            found += _taxes_in_brackets(cell, order)
    return found


def _sums_in_sentences(sentences: Sequence[Sentence]) -> list[LabelledSum]:
    """The sums of a letter: `the total comes to $500.00 before VAT; VAT at 20 % adds $100.00`, `Total: 500
    (five hundred) dinars`."""
    found: list[LabelledSum] = []
    for order, sentence in enumerate(sentences):
        begin, first = 0, len(found)
        for figure in sentence.figures:
            in_words = sentence.text[figure.end :].lstrip().startswith("(")
            if figure.percent or not (figure.currency or in_words):
                continue
            clause = _PARTS_OF_SENTENCE.split(sentence.text[begin : figure.start])[-1]
            kind = None if _WITH_TAX.match(clause) else total_kind(fold(clause))
            behind = fold(sentence.text[figure.end :][:20])
            if kind in ("gross", "due") and excludes_tax(behind):
                kind = "net"
            if kind is None and len(found) > first and found[-1].kind == "net" and includes_tax(behind):
                kind = "gross"  # `Total 500.00 before VAT, or 600.00 with VAT`
            if kind and not LIMIT.search(fold(clause)):
                found.append(LabelledSum(kind, clause.strip(), figure.value, sentence.lines[0], order))
            begin = figure.end
    return found


_FoundSum = tuple[Total, str, Decimal, Cell]


def _is_code(kind: Total, value: Decimal, text: str) -> bool:
    """Whether a number beside `VAT` is so many digits without a mark that it is a registration, not a sum."""
    return (kind == "tax" and _REGISTRATION.search(text) is not None) or (value == 0 and value.is_signed())


def _inside(cell: Cell) -> _FoundSum | None:
    """The sum of a cell that holds label and figure: `Total: $93.50`."""
    text = cell.text
    money = [figure for figure in cell.figures if figure.may_be_money]
    if not money or len(text) > 90 or any(one.currency for one in money[:-1]):
        return None  # a sentence says of each what it is
    label = text[: money[-1].start].strip(" :")
    rest = re.sub(r"\([^)]*\)", "", text[money[-1].end :]).strip(" .")
    if not label or len(label) > _LABEL_LENGTH or len(rest) > 4 or len(label.split()) > 8:
        return None
    if not money[-1].currency and any(form.search(fold(text)) for form in PAYMENT_FORMS):
        return None  # `Net 30` are days
    kind = total_kind(fold(label))
    return (kind, label, money[-1].value, cell) if kind else None


def _taxes_in_brackets(cell: Cell, order: int) -> Iterator[LabelledSum]:
    """What brackets behind a sum say that it holds: `93.38 (includes 14.91 VAT)`."""
    for part in _BRACKETS.finditer(cell.text):
        inside = [one for one in cell.figures if part.start() < one.start and one.end <= part.end()]
        if len(inside) == 1 and not inside[0].percent:
            words = cell.text[part.start() : inside[0].start] + cell.text[inside[0].end : part.end()]
            if includes_tax(fold(words)):
                yield LabelledSum("tax", part.group(), inside[0].value, cell, order)


def _beside(cell: Cell, right: Sequence[Cell]) -> _FoundSum | None:
    label = cell.text
    if len(label) > _LABEL_LENGTH or not re.search(r"[^\W\d]{2}", label) or len(label.split()) > 8:
        return None
    kind = total_kind(fold(label))
    if kind is None:
        return None
    between = 0
    value: tuple[Decimal, Cell] | None = None
    for other in right:
        money = [figure for figure in other.figures if figure.may_be_money]
        words = len(re.findall(r"[^\W\d]{4,}", other.text))
        if words and (value or between + words > 3 or total_kind(fold(other.text))):
            break  # another column of the page begins, or another label
        between += words
        if len(money) == 1 and not words:
            value = (money[0].value, other)
    return (kind, label, *value) if value else None


def _heads_lines(rows: Sequence[Row]) -> bool:
    """Whether the first of three rows heads a table, two lines of which follow."""
    counts = {len(row.cells()) for row in rows}
    return (
        len(rows) == 3
        and len(counts) == 1
        and min(counts) > 2
        and all(figure.percent for figure in rows[0].figures)
        and all(_is_line(row.cells()) for row in rows[1:])
        and len({row.page for row in rows}) == 1
    )


def _is_line(cells: Sequence[Cell]) -> bool:
    """Whether cells hold several figures, or end with one behind words."""
    return sum(cell.is_figure for cell in cells) > 1 or (cells[-1].is_figure and not cells[0].is_figure)


def _end_of_box(cells: Sequence[Cell], index: int, *, is_strip: bool) -> float:
    """Where the box of a label ends: in a strip of labels of sums at the next one, else with the label."""
    if not is_strip:
        return cells[index].box.x1
    return cells[index + 1].box.x0 if index + 1 < len(cells) else float("inf")


def _below(cell: Cell, row: Row, end: float, bottom: float | None = None) -> _FoundSum | None:
    """The sum whose figure stands below its label, as in a strip of boxes, whose labels end at `bottom`."""
    label = cell.text
    if label.startswith("("):
        return None  # the second line of a header: `Price / (incl. VAT)`
    if len(label) > 30 or any(not figure.percent for figure in cell.figures):
        return None
    kind = total_kind(fold(label))
    if kind is None or row.page != cell.page or row.box.top - (bottom or cell.box.bottom) > 2 * cell.size:
        return None
    for other in row.cells():
        if min(other.box.x1, end) - max(other.box.x0, cell.box.x0) > 0:
            money = other.figures
            if len(money) == 1 and money[0].may_be_money and not re.search(r"[^\W\d]{4,}", other.text):
                return kind, label, money[0].value, other
    return None


def _below_two(cell: Cell, rows: Sequence[Row], end: float) -> _FoundSum | None:
    """The sum below a strip of labels of which some have a second line."""
    if len(rows) < 2 or rows[0].figures or rows[0].page != cell.page:
        return None
    more = [other for other in rows[0].cells() if cell.box.x0 <= other.box.centre < end]
    label = cell.with_words(tuple(word for one in (cell, *more) for word in one.words))
    return _below(label, rows[1], end, rows[0].box.bottom)


@dataclass(frozen=True)
class _Combination:
    """One way to put the printed sums together."""

    net: LabelledSum | None
    tax: LabelledSum | None
    gross: LabelledSum | None
    adjustment: Decimal
    after_tax: Decimal

    @property
    def net_value(self) -> Decimal | None:
        if self.net:
            return self.net.value + self.adjustment
        return self.gross.value - self.after_tax - self.tax_value if self.gross else None

    @property
    def tax_value(self) -> Decimal:
        return self.tax.value if self.tax else _ZERO

    @property
    def adds_up(self) -> bool:
        """Net and gross are both printed and differ by just the tax."""
        if self.net is None or self.gross is None:
            return False
        made = self.net.value + self.adjustment + self.tax_value + self.after_tax
        return is_close(made, self.gross.value, _SLACK)


def choose_totals(
    sums: Sequence[LabelledSum], lines: Sequence[LineItem], lines_total: Decimal | None
) -> Totals:
    """The net, tax and gross that fit each other and the lines best; a line's own total is none of them."""
    places = list_places(lines, "amount")
    sums = [one for one in sums if (one.cell.page, one.cell.box) not in places]
    chosen = best(one for one in _combination_candidates(sums, lines_total) if one.score > 0)
    return _totals(chosen.value) if chosen else Totals()


def _combination_candidates(
    sums: Sequence[LabelledSum], lines_total: Decimal | None
) -> Iterator[Candidate[_Combination]]:
    """Every way to put the sums together, with what speaks for and against it."""
    likely = _likely_totals(sums[-_MOST_SUMS:])
    stated_gross = any(one.kind == "gross" and not _OF_A_PART.search(fold(one.label)) for one in sums)
    for combination in _combinations(sums):
        reasons = _reasons(combination, lines_total, stated_gross=stated_gross)
        gross = combination.gross
        if gross:
            reasons["other sums"] = likely.get(gross.value, 0.0)
        if shown := gross or combination.net or combination.tax:
            yield Candidate(combination, reasons, shown.cell.locate(1.0))


def _likely_totals(sums: Sequence[LabelledSum]) -> dict[Decimal, float]:
    """Weights for totals by value, from the other sums: partial totals that add up."""
    printed = {one.value for one in sums if one.kind in ("gross", "due")}
    taxes = [one.value for one in sums if one.kind == "tax"]
    smaller = printed - {max(printed, default=_ZERO)}
    likely = {
        one + other: _WEIGHTS["sum of taxes"]
        for one, other in combinations(taxes, 2)
        if one + other in smaller
    }
    for one, other, whole in _find_parts(sums):
        if whole not in smaller:
            likely[whole] = _WEIGHTS["sum of parts"]
        likely.setdefault(one.value, _WEIGHTS["part of a sum"])
        likely.setdefault(other.value, _WEIGHTS["part of a sum"])
    return likely


def _find_parts(sums: Sequence[LabelledSum]) -> Iterator[tuple[LabelledSum, LabelledSum, Decimal]]:
    """Two totals and the one that they make, alone or with all taxes: `Total fees`, `Total expenses`."""
    sums = sums[-_MOST_SUMS:]
    printed = {one.value for one in sums if one.kind in ("gross", "due")}
    taxes = sum((one.value for one in _unique([one for one in sums if one.kind == "tax"])), _ZERO)
    parts = _unique([one for one in sums if one.kind == "gross" and one.value > 0])
    for one, other in combinations(parts, 2):
        wholes = {one.value + other.value, one.value + other.value + taxes} & printed
        if wholes:
            yield one, other, max(wholes)


def _combinations(sums: Sequence[LabelledSum]) -> Iterator[_Combination]:
    nets = _unique([one for one in sums if one.kind == "net"])[-8:]
    for one, other, whole in _find_parts(sums):
        if (net := one.value + other.value) != whole:
            nets.append(replace(other, kind="net", value=net))
    grosses = _unique([one for one in sums if one.kind in ("gross", "due", "contract")])[-10:]
    if not grosses and len(nets) > 1:
        grosses = nets[-1:]  # all that is stated is before tax: `Subtotal`, a discount, `Total excl. VAT`
    taxes = _unique([one for one in sums if one.kind == "tax"])[-8:] or _derive_taxes(nets, grosses)
    others = _unique([one for one in sums if one.kind == "other" and one.value])[-4:]
    if len(taxes) > 1:
        for some in (taxes, taxes[:2], taxes[-2:]):
            whole = sum((one.value for one in some), _ZERO)
            taxes = [*taxes, replace(some[-1], value=whole, label=_SEVERAL_TAXES)]
    adjustments = {_ZERO}
    for one in others:
        signed = {one.value, -one.value}
        adjustments |= {value + change for value in adjustments for change in signed}
    behind = [one.value for one in sums[-_MOST_SUMS:] if one.kind == "after tax"]
    signed = sorted({_ZERO, *behind, *(-abs(one) for one in behind)}, key=abs)[:5]
    if not nets:  # `Merchandise total`, and what stands between it and `Order total`
        changes = {sum(one) for one in product(adjustments, (_ZERO, *(tax.value for tax in taxes)), signed)}
        nets = [
            replace(one, kind="net")
            for one, other in combinations(grosses, 2)
            if one.kind == "gross" and other.value - one.value in changes - {_ZERO}
        ]
    for net, tax, gross in product([None, *nets], [None, *taxes], [None, *grosses]):
        if net and gross and (net.cell, net.value) == (gross.cell, gross.value) and net.kind != gross.kind:
            continue
        for adjustment in sorted(adjustments, key=abs)[:24] if net and gross else (_ZERO,):
            for after_tax in signed if gross else (_ZERO,):
                yield _Combination(net, tax, gross, adjustment, after_tax)


def _derive_taxes(nets: Sequence[LabelledSum], grosses: Sequence[LabelledSum]) -> list[LabelledSum]:
    """The taxes that no figure states, where a sentence states a net and a total that is that and a whole or
    half number of per cent of it, to the cent: `net 500.00 plus 20 % VAT, gross 600.00`."""
    taxes: list[LabelledSum] = []
    for net, gross in product(nets, grosses):
        tax = gross.value - net.value
        rate = round(200 * tax / net.value) if net.value > 0 else 0
        is_likely = net.cell is gross.cell and _LOWEST_RATE <= rate <= _HIGHEST_RATE
        if is_likely and is_close(rate * net.value / 200, tax, CENT):
            taxes.append(replace(gross, kind="tax", value=tax))
    return taxes


def _unique(sums: Sequence[LabelledSum]) -> list[LabelledSum]:
    seen: dict[tuple[Decimal, str], LabelledSum] = {}
    for one in sums:
        # Two taxes may be alike, as of a state and its union.
        seen[one.value, one.label if one.kind == "tax" else one.kind] = one
    return sorted(seen.values(), key=lambda one: one.order)


def _reasons(
    combination: _Combination, lines_total: Decimal | None, *, stated_gross: bool
) -> dict[str, float]:
    """What speaks for and against a combination of sums, with its weight."""
    net, tax, gross = combination.net, combination.tax, combination.gross
    reasons: dict[str, float] = {}
    for name, one in (("net", net), ("tax", tax), ("gross", gross)):
        if one:
            reasons[name] = _WEIGHTS[name] + one.order * _PER_ROW
    if gross:
        reasons["label of the gross"] = _weight_of_label(gross)
    makes_lines = _is_sum_of_lines(combination, lines_total)
    holds = {
        "rounded": 0 < abs(combination.after_tax) < 1 and (combination.adds_up or makes_lines),
        "adjusted": bool(combination.adjustment),
        # A printed total is reported, even if it does not add up.
        "leaves out the gross": gross is None and stated_gross,
        **_addition(combination),
        "tax is too high for the net": _is_tax_too_high(tax, net),
        "several taxes": tax is not None and tax.label == _SEVERAL_TAXES,
        "sum of the lines": makes_lines,
        "tax is too high for the gross": _is_tax_too_high(tax, gross),
    }
    return reasons | {reason: _WEIGHTS[reason] for reason, is_so in holds.items() if is_so}


def _addition(combination: _Combination) -> dict[str, bool]:
    """Whether net and tax make up the gross."""
    net, tax, gross = combination.net, combination.tax, combination.gross
    if not (net and gross):
        return {"lacks the net": bool(tax and gross)}
    if not combination.adds_up:
        return {"does not add up": True}
    # A tax of zero proves little.
    zero = tax is not None and not tax.value and not combination.adjustment
    return {"adds up with tax" if tax else "adds up": True, "tax is zero": zero}


def _is_tax_too_high(tax: LabelledSum | None, whole: LabelledSum | None) -> bool:
    return tax is not None and whole is not None and abs(tax.value) > abs(whole.value) * _HIGHEST_TAX


def _is_sum_of_lines(combination: _Combination, lines_total: Decimal | None) -> bool:
    if lines_total is None or combination.net_value is None:
        return False
    return is_close(combination.net_value - combination.adjustment, lines_total, _ROUNDING)


_OF_A_PART = re.compile(rf"\b{WORDS.totals.part}\b")
_GRAND = re.compile(WORDS.totals.grand)


def _weight_of_label(gross: LabelledSum) -> float:
    """How much the label of a sum says that it is the total of the document."""
    label = fold(gross.label)
    weight = _KIND_WEIGHTS.get(gross.kind, 0.0)
    if _GRAND.search(label):
        weight += _WEIGHTS["grand total"]
    if _OF_A_PART.search(label):
        weight += _WEIGHTS["total of a part"]
    return weight


def _totals(combination: _Combination) -> Totals:
    net, tax, gross = combination.net, combination.tax, combination.gross
    net_value, tax_value = combination.net_value, tax.value if tax else None
    total = gross.value if gross else None
    if total is None and net_value is not None:
        total = net_value + (tax_value or 0)
    provenance = {
        name: one.cell.locate(1.0)
        for name, one in (("net_total", net or gross), ("tax_total", tax), ("total", gross))
        if one
    }
    return Totals(net_value, tax_value, total, -combination.adjustment, provenance, combination.after_tax)


def find_unlabelled_total(
    items: Sequence[LineItem], lines_total: Decimal | None, rows: Sequence[Row]
) -> Totals:
    """The sums of a document without tax that prints what its lines add up to, after a label of any language;
    none where it is not printed below the last line."""
    places = [item.provenance["amount"] for item in items if "amount" in item.provenance]
    boxes = [(place.page or 0, place.box.bottom) for place in places if place.box is not None]
    if lines_total is None or len(boxes) < _FEWEST_LINES or len(boxes) < len(items):
        return Totals()
    last = max(boxes)
    for row in rows:
        if (row.page, row.box.top) < last:
            continue
        cells = row.cells()
        for cell in cells:
            money = [one for one in cell.figures if not one.percent]
            labelled = any(any(map(str.isalpha, other.text)) for other in cells)
            if labelled and len(money) == 1 and is_close(money[0].value, lines_total, CENT):
                seen = cell.locate(_UNLABELLED)
                return Totals(lines_total, None, lines_total, provenance={"net_total": seen, "total": seen})
    return Totals()


def find_contradicted_net(
    sums: Sequence[LabelledSum], totals: Totals, items: Sequence[LineItem]
) -> Decimal | None:
    """The only printed net, where another one that is printed nowhere was computed from tax and total, and
    neither a discount nor a line explains the difference, nor is it the sum of the lines above charges."""
    place = totals.provenance.get("net_total")
    printed = {one.value for one in sums if one.kind == "net"}
    if totals.net is None or len(printed) != 1 or (place is not None and place.box is not None):
        return None
    [net] = printed
    amounts = [one.amount for one in items if one.amount is not None]
    difference = abs(totals.net - net)
    explained = (
        difference <= _ROUNDING
        or difference > abs(totals.net) * _FARTHEST
        or any(
            is_close(net, one, _ROUNDING)
            for one in (totals.net + totals.discount, totals.total, *accumulate(amounts[:_MOST_SUMS]), _ZERO)
            if one is not None
        )
        or any(is_close(difference, abs(one), _ROUNDING) for one in amounts)
    )
    return None if explained else net


def mark_left_to_pay(sums: Sequence[LabelledSum], rows: Sequence[Row]) -> list[LabelledSum]:
    """The sums, of which a total is `due` where it is what a figure between leaves of a total above it.

    A figure whose label says what is deducted, as a discount, makes a new total.
    """
    changes = {id(one.cell) for one in sums if one.kind in ("other", "tax", "net")}
    grosses = [one for one in sums if one.kind == "gross"][-_MOST_TOTALS:]
    marked: list[LabelledSum] = []
    for one in sums:
        totals = grosses if one in grosses else []
        if any(_is_paid_between(whole, one, rows, changes) for whole in totals):
            one = replace(one, kind="due")
        marked.append(one)
    return marked


def mark_paid_in_full(sums: Sequence[LabelledSum], lines_total: Decimal | None) -> list[LabelledSum]:
    """The sums, of which what was paid is the total where it is the lines with a tax, and nothing else is."""
    if lines_total is None or any(one.kind == "gross" for one in sums):
        return list(sums)
    wholes = [lines_total + one.value for one in sums if one.kind == "tax"]
    return [replace(one, kind="gross") if one.kind == "paid" and one.value in wholes else one for one in sums]


def _is_paid_between(whole: LabelledSum, rest: LabelledSum, rows: Sequence[Row], changes: set[int]) -> bool:
    paid = whole.value - rest.value
    if not 0 < paid < whole.value:
        return False
    return any(
        figure.value.copy_abs() == paid and not figure.percent
        for row in rows
        if _place_of(whole.cell) < (row.page, row.box.middle) < _place_of(rest.cell)
        for cell in row.cells()
        if id(cell) not in changes
        for figure in cell.figures
    )


def _place_of(cell: Cell) -> tuple[int, float]:
    return cell.page, cell.box.middle
