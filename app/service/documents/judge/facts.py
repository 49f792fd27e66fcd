"""What speaks for and against each value that was read: the facts by which it is called certain or doubtful.

A fact is a short name, so that a calibration can count how often values with it are right.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import itemgetter

from app.service.documents.extraction import LineItem, TotalName
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.closing_sums import ClosingSums, has_odd_rate
from app.service.documents.judge.line_check import LineCheck, LineValue, may_be_exchange
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import (
    ROUNDING,
    Reading,
    closes_with_tax,
    disagree,
    fits_tax,
    get_total,
    is_printed,
    is_sum_of_lines,
    sum_lines,
)
from app.service.values.rounding import is_close

_WIDE = 0.5
"""The margin from which on a reader is taken to be decided."""
_CENTS = Decimal("0.011")

CONTRADICTIONS = frozenset({
    "only a net is labelled", "only a total is printed", "net before a discount is printed too",
    "net, tax and total disagree", "lines do not make the net", "another reading is nearly as likely",
    "other sums close too", "rate of the tax is odd", "tax has no label of a tax",
    "tax does not fit the net", "line does not multiply",
    "figure is of another line too", "only addition speaks for the line", "lines add up to something else",
    "nothing but a label speaks for it", "neither a label nor products speak for it",
    "line is the sum of others, or a part of one", "line costs nothing and shows no quantity",
    "net holds more than the lines", "factor stands with the sums", "line is in no sum",
    "only their order tells quantity and price", "a larger total closes too", "nothing of it is bought",
    "a factor may be a rate of exchange", "no sum, product or header speaks for it",
    "price is not the amount, and no quantity shows", "most lines do not multiply",
    "no sum or header says that it is what is paid", "more is to be paid than the total",
})  # fmt: skip
"""Facts with which no value is certain, however much speaks for it."""


@dataclass(frozen=True)
class OtherLine:
    """The same line as the other reader read it, and what arithmetic says of that."""

    item: LineItem
    check: LineCheck


def _same(one: Decimal | None, other: Decimal | None) -> bool:
    return one is not None and other is not None and is_close(one, other, _CENTS)


def list_total_facts(
    name: TotalName, figures: PrintedFigures, totals: Totals, items: Sequence[LineItem],
    checks: Sequence[LineCheck], rules: Reading, learned: Reading | None, closing: ClosingSums | None,
    rivals: Sequence[Totals], *, is_tax_unnamed: bool, closes_larger: bool, is_less_than_due: bool,
) -> frozenset[str]:  # fmt: skip
    """The facts about one of the sums."""
    value, tax = get_total(totals, name), totals.tax
    taxed = closes_with_tax(figures, totals)
    lines = is_sum_of_lines(totals, items)
    multiplying = [one for one in checks if one.is_proven]
    facts = {
        "printed": is_printed(figures, totals, name),
        "labelled": _same(value, get_total(rules.totals, name)),
        "labelled otherwise": _differs(value, get_total(rules.totals, name)),
        "net and tax make the total": taxed,
        "net and total are the same": not tax and _same(totals.net, totals.total),
        "only a net is labelled": name == "total"
        and totals.net == value
        and "net_total" in rules.totals.provenance
        and "total" not in rules.totals.provenance,
        "only a total is printed": name == "net_total" and _is_total_taken_for_net(totals),
        "net before a discount is printed too": name == "net_total"
        and bool(totals.discount)
        and learned is not None
        and _same(learned.totals.net, (totals.net or 0) + totals.discount),
        "net holds more than the lines": name == "net_total" and totals.discount < 0,
        "net, tax and total disagree": disagree(totals),
        "tax does not fit the net": not fits_tax(totals),
        "rate of the tax is odd": has_odd_rate(figures, totals, rules.totals.tax),
        "tax has no label of a tax": is_tax_unnamed,
        "a larger total closes too": closes_larger,
        "more is to be paid than the total": is_less_than_due and name == "total",
        "lines make the net": lines,
        "one line makes the net": lines and len(items) == 1,
        "lines do not make the net": do_lines_differ(totals, items),
        "nothing but a label speaks for it": not (taxed or lines or hold_tax(totals, items)),
        "neither a label nor products speak for it": not taxed
        and get_total(rules.totals, name) is None
        and not any(one.is_proven for one in checks),
        "lines multiply": bool(items) and len(multiplying) * 2 > len(items),
        "document has a discount": bool(totals.discount),
        "another reading is nearly as likely": any(_differs(value, get_total(one, name)) for one in rivals),
    }
    if closing:
        facts |= {
            "closing sums agree": _same(value, get_total(closing.totals, name)),
            "other sums close too": bool(closing.others),
            "closing sums differ": _differs(value, get_total(closing.totals, name)),
            "rate is printed": closing.rate_printed and taxed and _same(totals.total, closing.totals.total),
        }
    if learned:
        facts |= _compare_readers(value, get_total(learned.totals, name), learned.margins.get(name, 0.0))
    return frozenset(fact for fact, holds in facts.items() if holds)


def _compare_readers(value: Decimal | None, other: Decimal | None, margin: float) -> dict[str, bool]:
    agree = _same(value, other)
    return {
        "learned reader agrees": agree,
        "learned reader agrees by a wide margin": agree and margin >= _WIDE,
        "learned reader differs": _differs(value, other),
    }


def _differs(value: Decimal | None, other: Decimal | None) -> bool:
    return value is not None and other is not None and not is_close(value, other, _CENTS)


def _is_total_taken_for_net(totals: Totals) -> bool:
    """Whether the net is the total of a document that tells no tax, at the same figure."""
    net, total = totals.provenance.get("net_total"), totals.provenance.get("total")
    return net is not None and total is not None and (net.page, net.box) == (total.page, total.box)


def do_lines_differ(totals: Totals, items: Sequence[LineItem]) -> bool:
    """Whether the lines add up neither to the net nor to the total."""
    if sum_lines(items) is None or totals.net is None or is_sum_of_lines(totals, items):
        return False
    return not hold_tax(totals, items)


def find_lines_of_sums(items: Sequence[LineItem]) -> frozenset[int]:
    """Return the numbers of the lines that are the sum of all before or after them, and of those they add up:
    a row of totals among the lines, or the parts of a line."""
    amounts = [item.amount or Decimal(0) for item in items]
    whole, after, found = sum(amounts, Decimal(0)), Decimal(0), set[int]()
    lowest: list[tuple[Decimal, int]] = []
    """What the lines from one on add up to, each less than all that begin nearer, the least one first."""
    for number in reversed(range(len(amounts))):
        amount = amounts[number]
        if amount and number > 1 and is_close(whole - after - amount, amount, _CENTS):
            found.update(range(number + 1))
        less = bisect_right(lowest, amount, key=itemgetter(0))
        if amount and less and is_close(lowest[less - 1][0], amount, _CENTS):
            found.update([number, *range(lowest[less - 1][1], len(amounts))])
        after += amount
        if number < len(amounts) - 1:
            del lowest[bisect_left(lowest, after, key=itemgetter(0)) :]
            lowest.append((after, number))
    return frozenset(found)


def hold_tax(totals: Totals, items: Sequence[LineItem]) -> bool:
    """Whether the lines add up to the total."""
    whole = sum_lines(items)
    return whole is not None and totals.total is not None and is_close(whole, totals.total, ROUNDING)


def list_line_facts(
    name: LineValue, item: LineItem, check: LineCheck, other: OtherLine | None, *, read_by_rules: bool,
    lines_make_net: bool, lines_differ: bool, in_sum: bool, has_other_reader: bool, net_closes: bool,
    is_of_sum: bool, borrows_from_sums: bool, is_uncounted: bool, factors_are_alike: bool,
    most_do_not_multiply: bool,
) -> frozenset[str]:  # fmt: skip
    """The facts about one value of a line. `other` is the line of the other reader with the same amount."""
    place, value = item.provenance.get(name), getattr(item, name)
    compared: Decimal | None = getattr(other.item, name) if other else None
    headed, alone = read_by_rules and place is not None and place.verified, has_other_reader and other is None
    facts = {
        "printed": name in check.printed,
        "read by the learned reader": not read_by_rules,
        "read under a header": headed,
        "line multiplies": check.is_proven,
        "line is one of something": item.quantity == 1,
        "line does not multiply": check.multiplies is False,
        "figures multiply in several ways": check.other_quantity is not None,
        "figure is of another line too": check.shares_figure or check.shares_quantity,
        "lines make the net": lines_make_net,
        "lines add up to something else": lines_differ,
        "net and tax make the total": net_closes,
        "price is charged several times": _is_charged_repeatedly(item),
        "other reader agrees": _same(value, compared),
        "other reader differs": _differs(value, compared),
        "other reader has no such line": alone,
        "only addition speaks for the line": alone and not headed and not check.is_proven,
        "line is the sum of others, or a part of one": is_of_sum,
        "factor stands with the sums": borrows_from_sums,
        "no sum, product or header speaks for it": not (in_sum or check.is_proven or headed),
        "line is in no sum": is_uncounted,
        "only their order tells quantity and price": name != "amount"
        and factors_are_alike
        and check.is_proven
        and not headed
        and not (other and _same(value, compared) and _is_headed(other.item, name)),
        "a factor may be a rate of exchange": name != "amount" and may_be_exchange(item),
        "nothing of it is bought": item.quantity == 0,
        "price is not the amount, and no quantity shows": name == "unit_price"
        and item.quantity is None
        and _differs(value, item.amount),
        "no sum or header says that it is what is paid": not in_sum
        and not _is_headed(item, "amount")
        and not (other and _is_headed(other.item, "amount")),
        "most lines do not multiply": most_do_not_multiply and not lines_make_net,
        "line costs nothing and shows no quantity": item.amount == 0 and "quantity" not in check.printed,
        "another reading is nearly as likely": other is not None
        and _differs(value, compared)
        and (other.check.is_proven or not check.is_proven)
        and not (check.multiplies and other.check.multiplies is False)
        and not (read_by_rules and check.rate)
        and not (headed and check.is_proven and not _is_headed(other.item, name))
        and not (place is None and lines_make_net and not other.check.is_proven),
    }
    return frozenset(fact for fact, holds in facts.items() if holds)


def _is_headed(item: LineItem, name: LineValue) -> bool:
    place = item.provenance.get(name)
    return place is not None and place.verified


def _is_charged_repeatedly(item: LineItem) -> bool:
    if not item.quantity or not item.unit_price or not item.amount:
        return False
    return not is_close(item.quantity * item.unit_price, item.amount, abs(item.amount) / 100)
