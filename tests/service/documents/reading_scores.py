"""Counts of what is read right, doubtful, invented and called certain, and tables of them for people."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

FIELDS = (
    "total", "document_date", "currency", "supplier", "buyer", "document_number", "kind",
    "term_months", "renewal_uplift_percent", "notice_days", "valid_until", "start_date", "end_date",
    "payment_terms_days", "auto_renew", "billing",
)  # fmt: skip
SUMS = ("net_total", "tax_total")
LINE = "line"
LINE_VALUES = ("quantity", "unit_price", "amount")
CERTAIN = (*FIELDS, *SUMS, *(f"line {name}" for name in LINE_VALUES), LINE)
"""What may be certain, each by itself; a line is where its quantity, price and amount are."""
CORE = ("total", "document_date", "currency", "supplier")
_KINDS = {
    "quotation": "quote", "renewal_quotation": "quote", "receipt": "invoice", "credit_note": "invoice",
    "corrected_invoice": "invoice",
    "partial_construction_invoice": "invoice", "final_construction_invoice": "invoice",
    "self_billed_invoice": "invoice", "order_change": "order", "order_response": "order",
}  # fmt: skip

Truth = Mapping[str, Any]
Wire = Mapping[str, Any]


@dataclass
class Score:
    """Counts of one group of documents."""

    documents: int = 0
    pages: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    stated: Counter[str] = field(default_factory=Counter[str])
    right: Counter[str] = field(default_factory=Counter[str])
    invented: Counter[str] = field(default_factory=Counter[str])
    lines: int = 0
    lines_read: int = 0
    lines_right: int = 0
    certain: Counter[str] = field(default_factory=Counter[str])
    certain_right: Counter[str] = field(default_factory=Counter[str])
    silent: int = 0
    complete: int = 0
    warned: int = 0
    """Complete documents with a warning."""
    misses: list[str] = field(default_factory=list[str])

    def share(self, name: str) -> float | None:
        return self.right[name] / self.stated[name] if self.stated[name] else None

    @property
    def sure(self) -> int:
        return sum(self.certain[name] for name in CERTAIN)

    @property
    def sure_right(self) -> int:
        return sum(self.certain_right[name] for name in CERTAIN)

    def to_json(self) -> dict[str, Any]:
        shares = {name: self.share(name) for name in FIELDS}
        return {
            "documents": self.documents,
            **{name: round(share, 3) for name, share in shares.items() if share is not None},
            "invented": dict(self.invented),
            "lines": _share(self.lines_right, self.lines),
            "precision": _share(self.lines_right, self.lines_read),
            "sure": _share(self.sure_right, self.sure),
            "sure_values": self.sure,
            "certain_right": {
                name: _share(self.certain_right[name], count) for name, count in self.certain.items()
            },
            "wrong_without_warning": _share(self.silent, self.documents),
            "complete": _share(self.complete, self.documents),
            "complete_with_warning": _share(self.warned, self.complete),
            "seconds_a_page": _share(self.seconds, self.pages),
            "cpu_seconds_a_page": _share(self.cpu, self.pages),
        }


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 3) if whole else None


def same_money(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is None and other is None
    return abs(one - other) <= 0.0051


def line_is_right(truth: Truth, read: Wire) -> bool:
    """Quantity, price and amount as the truth has them; a list price with its discount is a price too."""
    if not same_money(truth["quantity"], read.get("quantity")):
        return False
    if not same_money(truth["amount"], read.get("amount")):
        return False
    price = read.get("unit_price")
    if same_money(truth["unit_price"], price):
        return True
    listed, discount = read.get("list_unit_price"), read.get("discount_percent")
    if listed is not None and discount is not None and truth["unit_price"] is not None:
        return abs(listed * (100 - discount) / 100 - truth["unit_price"]) <= 0.0051
    return False


def lines_right(truth: Sequence[Truth], read: Sequence[Wire]) -> list[tuple[int, int]]:
    """One-to-one pairs of truth and read lines that agree."""
    free = list(range(len(read)))
    pairs: list[tuple[int, int]] = []
    for number, line in enumerate(truth):
        fitting = [index for index in free if line_is_right(line, read[index])]
        if fitting:
            pairs.append((number, fitting[0]))
            free.remove(fitting[0])
    return pairs


def field_is_right(name: str, truth: Truth, read: Wire) -> bool:
    wanted, got = truth.get(name), read.get(name)
    if got is None:
        return False
    if name in ("supplier", "buyer"):
        return _plain(wanted) == _plain(got)
    if name == "kind":
        return _KINDS.get(str(wanted), str(wanted)) == got
    if isinstance(wanted, float | int) and not isinstance(wanted, bool):
        return isinstance(got, float | int) and abs(wanted - got) <= 0.0051
    return bool(wanted == got)


def _plain(name: object) -> str:
    return "".join(letter for letter in str(name).lower() if letter.isalnum())


def stated(name: str, truth: Truth) -> bool:
    unprinted = truth.get(f"{name}_in_text") is False
    return truth.get(name) is not None and not unprinted


def judge(score: Score, truth: Truth, read: Wire) -> None:
    """Adds one document to a score."""
    file = truth["file"]
    for name in FIELDS:
        if stated(name, truth):
            score.stated[name] += 1
            right = field_is_right(name, truth, read)
            score.right[name] += right
            if not right:
                score.misses.append(f"{file} {name}: {truth[name]!r} read as {read.get(name)!r}")
        elif name in truth and truth[name] is None and read.get(name) is not None:
            score.invented[name] += 1
            score.misses.append(f"{file} {name}: nothing stated, read as {read.get(name)!r}")
    for name in SUMS:
        if stated(name, truth):
            score.stated[name] += 1
            score.right[name] += field_is_right(name, truth, read)
    for name in (*FIELDS, *SUMS):
        seen = read.get("evidence", {}).get(name, {})
        if seen.get("sure") and name in truth and truth.get(f"{name}_in_text") is not False:
            right = field_is_right(name, truth, read)
            score.certain[name] += 1
            score.certain_right[name] += right
            if not right:
                score.misses.append(
                    f"{file} {name}: certain but wrong, {truth[name]!r} read as {read[name]!r}"
                )
    _judge_document(score, truth, read)
    if has_lines(truth):
        _judge_lines(score, truth, read)


def has_lines(truth: Truth) -> bool:
    """Whether the truth tells all lines."""
    return bool(truth.get("line_items_complete", True)) and truth["kind"] != "receipt"


def _judge_document(score: Score, truth: Truth, read: Wire) -> None:
    """Counts a document whose core fields and lines are all right, one of these with a warning, and one where
    there is no warning although its total, its net or a line is wrong or a line is missing."""
    wanted, got = truth["line_items"], read.get("line_items", [])
    lines = not has_lines(truth) or len(lines_right(wanted, got)) == len(wanted) == len(got)
    complete = lines and all(field_is_right(name, truth, read) for name in CORE if stated(name, truth))
    score.complete += complete
    score.warned += complete and bool(read.get("warnings"))
    wrong = any(
        read.get(name) is not None and stated(name, truth) and not field_is_right(name, truth, read)
        for name in ("total", "net_total")
    )
    score.silent += (wrong or not lines) and not read.get("warnings") and "error" not in read


def _judge_lines(score: Score, truth: Truth, read: Wire) -> None:
    wanted, got = truth["line_items"], read.get("line_items", [])
    pairs = lines_right(wanted, got)
    score.lines += len(wanted)
    score.lines_read += len(got)
    score.lines_right += len(pairs)
    matched_truth, matched_read = {one for one, _ in pairs}, {other for _, other in pairs}
    for number, line in enumerate(wanted):
        if number not in matched_truth:
            shown = {key: line[key] for key in ("quantity", "unit_price", "amount")}
            score.misses.append(f"{truth['file']} line: {line['description']!r} {shown}")
    for number, line in enumerate(got):
        keys = ("description", "quantity", "unit_price", "amount")
        if number not in matched_read:
            score.misses.append(f"{truth['file']} read: { ({key: line.get(key) for key in keys}) }")
        _judge_certain_values(score, truth, number, read, right=number in matched_read)


def _judge_certain_values(score: Score, truth: Truth, number: int, read: Wire, *, right: bool) -> None:
    """Counts the certain values of a line, each by itself, and the line where all three are certain."""
    line, evidence = read["line_items"][number], read.get("evidence", {}).get("line_items", [])
    seen = evidence[number] if number < len(evidence) else {}
    certain = [name for name in LINE_VALUES if seen.get(name, {}).get("sure")]
    agreed = {f"line {name}": _is_value_of_line(name, truth, line) for name in certain}
    if len(certain) == len(LINE_VALUES):
        agreed[LINE] = right
    for name, is_right in agreed.items():
        score.certain[name] += 1
        score.certain_right[name] += is_right
        if not is_right:
            score.misses.append(f"{truth['file']} line {number + 1}: {name} certain but wrong")


def _is_value_of_line(name: str, truth: Truth, line: Wire) -> bool:
    """Whether some line of the truth with this amount has this value."""
    of_amount = [one for one in truth["line_items"] if same_money(one["amount"], line.get("amount"))]
    if name == "unit_price":
        return any(line_is_right({**one, "quantity": line.get("quantity")}, line) for one in of_amount)
    return any(same_money(one[name], line.get(name)) for one in of_amount)


def field_table(title: str, score: Score) -> str:
    """By field: stated values, those read right, those read where none is stated, those called certain and
    the share of right ones among them."""
    rows = [f"{title:<24}{'stated':>9}{'right':>9}{'invented':>9}{'certain':>9}{'of them right':>15}"]
    for name in CERTAIN:
        counts: list[int | str] = [score.stated[name], score.right[name], score.invented[name]]
        if name == LINE:
            counts = [score.lines, score.lines_right, score.lines_read - score.lines_right]
        elif name.startswith(LINE):
            counts = ["-", "-", "-"]
        certain = score.certain[name]
        share = f"{score.certain_right[name] / certain:>15.3f}" if certain else f"{'-':>15}"
        rows.append(f"{name:<24}{''.join(f'{count:>9}' for count in counts)}{certain:>9}{share}")
    return "\n".join(rows)
