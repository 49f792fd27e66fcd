"""What a second opinion changes of a judged reading: which reading is shown, and never what is certain.

The words that it named are read by our own parser. What it says of the sums is taken only where arithmetic
closes at least as well as before, what it says of lines only where they multiply or make up the printed net.
A value that was not certain before is not certain afterwards, whatever was named.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from app.contract.money import format_count
from app.service.documents.extraction import TOTAL_NAMES, LineItem, Provenance
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.case import Case, is_same_line
from app.service.documents.judge.closing_sums import is_likely_rate
from app.service.documents.judge.judgement import DOUBTFUL, Judgement, judge
from app.service.documents.judge.line_check import LINE_VALUES, check_lines
from app.service.documents.judge.readings import (
    ROUNDING,
    closes_with_tax,
    fits_tax,
    get_total,
    is_printed,
    is_sum_of_lines,
)
from app.service.documents.judge.sentences import NAMES, format_money
from app.service.documents.layout.document import Document
from app.service.documents.second_opinion.named_values import NamedValue, NamedValueReader
from app.service.documents.second_opinion.question import NamedWords, Question
from app.service.values.rounding import is_close

_MOST_LIKELY = DOUBTFUL - 0.05
"""The confidence that a value which was settled so has at most."""


@dataclass(frozen=True)
class Settlement:
    """The judgement afterwards, and sentences about what the second opinion changed of it, or did not."""

    judgement: Judgement
    sentences: tuple[str, ...]


def settle(
    document: Document, case: Case, judgement: Judgement, question: Question, named: NamedWords
) -> Settlement:
    """Weigh what a second opinion named against a judged reading."""
    reader = NamedValueReader(document)
    figures = {name: reader.read_figure(ids) for name in question.sums if (ids := named.words_of(name))}
    lines = [reader.read_line(one) for one in named.lines] if question.lines else []
    if any(one is None for one in (*figures.values(), *lines)):
        # Who names words without a figure has not understood the page.
        return Settlement(judgement, (f"It named words that hold no figure of their own: {_UNCHANGED}",))
    totals = _name_totals(judgement.totals, question, {n: one for n, one in figures.items() if one})
    items = [one for one in lines if one is not None]
    for sums, proposed in _list_proposals(case, judgement, totals, items):
        if _is_accepted(case, judgement, sums, proposed):
            return _take(case, judgement, sums, proposed)
    return Settlement(judgement, tuple(_describe_unchanged(judgement, totals, items)))


def _name_totals(before: Totals, question: Question, named: dict[str, NamedValue]) -> Totals:
    """The sums as the second opinion has them; those that it was not asked for stay."""
    if not named:
        return before
    values = {name: get_total(before, name) for name in TOTAL_NAMES}
    values |= {name: named[name].value if name in named else None for name in question.sums}
    places = {name: place for name, place in before.provenance.items() if name not in question.sums}
    places |= {name: one.place for name, one in named.items()}
    net, tax, total = values["net_total"], values["tax_total"], values["total"]
    if net is None and total is not None:
        net = total - (tax or 0)
    if total is None and net is not None and not tax:
        total = net
    return replace(before, net=net, tax=tax, total=total, provenance=places)


def _list_proposals(
    case: Case, judgement: Judgement, totals: Totals, named: Sequence[LineItem]
) -> Iterator[tuple[Totals, Sequence[LineItem]]]:
    """What may be shown instead, what changes most first."""
    lines = [_describe_whole_lines(case, named)] if named else []
    corrected = _correct_lines(case, judgement.items, named)
    lines.append(corrected)
    for sums in (totals, judgement.totals):
        for items in lines:
            yield sums, items
    yield totals, judgement.items


def _describe_whole_lines(case: Case, named: Sequence[LineItem]) -> Sequence[LineItem]:
    """The named lines, each as a reader has it where one reads the same figures."""
    known = [*case.items, *case.rules.items, *(case.learned.items if case.learned else ())]
    return [next((one for one in known if _has_figures_of(one, item)), item) for item in named]


def _has_figures_of(item: LineItem, named: LineItem) -> bool:
    """Whether a line has every figure that was named, the amount at the same place."""
    place, other = item.provenance.get("amount"), named.provenance.get("amount")
    if place is None or other is None or not _is_same_place(place, other):
        return False
    return all(
        (value := getattr(named, name)) is None or value == getattr(item, name) for name in LINE_VALUES
    )


def _is_same_place(one: Provenance, other: Provenance) -> bool:
    if one.page != other.page or one.box is None or other.box is None:
        return False
    return min(one.box.x1, other.box.x1) > max(one.box.x0, other.box.x0) and (
        min(one.box.bottom, other.box.bottom) > max(one.box.top, other.box.top)
    )


def _correct_lines(case: Case, items: Sequence[LineItem], named: Sequence[LineItem]) -> Sequence[LineItem]:
    """The lines, with the quantity and price that were named for one where only these multiply as printed."""
    corrected = list(items)
    for number, item in enumerate(items):
        place = item.provenance.get("amount")
        other = next(
            (
                one
                for one in named
                if place
                and (at := one.provenance.get("amount"))
                and _is_same_place(place, at)
                and one.amount == item.amount
            ),
            None,
        )
        if other is None or _has_figures_of(item, other):
            continue
        changed = replace(
            item,
            quantity=other.quantity if other.quantity is not None else item.quantity,
            unit_price=other.unit_price if other.unit_price is not None else item.unit_price,
            provenance={**item.provenance, **other.provenance, "amount": item.provenance["amount"]},
        )
        counterpart = case.counterparts[number]
        if counterpart is not None and _has_figures_of(counterpart.item, other):
            changed = replace(counterpart.item, description=item.description)
        if check_lines(case.figures, [changed])[0].is_proven and not case.checks[number].is_proven:
            corrected[number] = changed
    return corrected


def _is_accepted(case: Case, judgement: Judgement, totals: Totals, items: Sequence[LineItem]) -> bool:
    """Whether anything changes, and arithmetic speaks for it."""
    before = judgement.totals, judgement.items
    other_sums, other_lines = not _are_same_sums(before[0], totals), list(items) != list(before[1])
    if not other_sums and not other_lines:
        return False
    if other_sums and not _are_sums_accepted(case, judgement, totals, items):
        return False
    replaced = other_lines and not _have_same_amounts(before[1], items)
    return not replaced or _are_lines_accepted(case, judgement, totals, items)


def _are_sums_accepted(case: Case, judgement: Judgement, totals: Totals, items: Sequence[LineItem]) -> bool:
    """Whether the sums add up at least as well as before. Where nothing adds up they must be what a reader
    read."""
    made, total = totals.made, totals.total
    if made is None or total is None or not is_close(made, total, ROUNDING):
        return False
    if not fits_tax(totals) or not is_printed(case.figures, totals, "total"):
        return False
    evidence = _count_evidence(case, totals, items)
    if evidence < _count_evidence(case, judgement.totals, judgement.items):
        return False
    readings = [case.rules.totals, *([case.learned.totals] if case.learned else []), *case.rivals]
    return evidence > 0 or any(_are_same_sums(one, totals) for one in readings)


def _count_evidence(case: Case, totals: Totals, items: Sequence[LineItem]) -> int:
    closes = closes_with_tax(case.figures, totals) and is_likely_rate(
        case.figures.rates, totals.net or Decimal(0), totals.tax or Decimal(0)
    )
    return closes + is_sum_of_lines(totals, items)


def _are_lines_accepted(case: Case, judgement: Judgement, totals: Totals, items: Sequence[LineItem]) -> bool:
    """Whether other lines make up the printed net, which those before do not, and none is a sum itself."""
    if is_sum_of_lines(totals, judgement.items) or not is_sum_of_lines(totals, items):
        return False
    if not (is_printed(case.figures, totals, "net_total") or is_printed(case.figures, totals, "total")):
        return False
    sums = list(totals.provenance.values())
    amounts = [place for item in items if (place := item.provenance.get("amount"))]
    if any(_is_same_place(one, other) for one in amounts for other in sums):
        return False
    checks = check_lines(case.figures, items)
    return all(one.multiplies is not False and not one.shares_figure for one in checks)


def _take(case: Case, judgement: Judgement, totals: Totals, items: Sequence[LineItem]) -> Settlement:
    """The judgement of what is shown instead. The sums of before stay a rival of others."""
    other_sums = not _are_same_sums(judgement.totals, totals)
    rivals = (*case.rivals, judgement.totals) if other_sums else case.rivals
    sums = totals if other_sums else case.totals
    judged = judge(replace(case, totals=sums, items=tuple(items), rivals=rivals))
    settled = _hold_certainty(judgement, judged)
    sentences: list[str] = []
    if other_sums:
        sentences.append(_describe_sums(judgement.totals, totals))
    if list(items) != list(judgement.items):
        changed = sum(one not in judgement.items for one in items)
        same = _have_same_amounts(judgement.items, items)
        sentences.append(_describe_lines(len(judgement.items), len(items), changed if same else None))
    return Settlement(settled, tuple(sentences))


def _hold_certainty(before: Judgement, after: Judgement) -> Judgement:
    """The judgement with nothing certain that was not so before."""
    places = {
        name: _hold(
            place, before.totals.provenance.get(name), _is_same_sum(before.totals, after.totals, name)
        )
        for name, place in after.totals.provenance.items()
    }
    items = tuple(_hold_line(before.items, item) for item in after.items)
    return replace(after, items=items, totals=replace(after.totals, provenance=places))


def _is_same_sum(one: Totals, other: Totals, name: str) -> bool:
    return any(name == known and get_total(one, known) == get_total(other, known) for known in TOTAL_NAMES)


def _hold_line(before: Sequence[LineItem], item: LineItem) -> LineItem:
    known = next((one for one in before if is_same_line(one, item)), None)
    places = {
        name: _hold(
            place,
            known.provenance.get(name) if known else None,
            known is not None and getattr(known, name, None) == getattr(item, name, None),
        )
        for name, place in item.provenance.items()
    }
    return replace(item, provenance=places)


def _hold(place: Provenance, before: Provenance | None, same: bool) -> Provenance:
    if same and before is not None and (before.page, before.box) == (place.page, place.box):
        # What it named must not speak for what was there before: else it would vouch for itself.
        confidence = min(place.confidence, before.confidence)
        return replace(place, confidence=confidence, verified=place.verified and before.verified)
    return place.doubted(_MOST_LIKELY)


def _describe_unchanged(judgement: Judgement, totals: Totals, items: Sequence[LineItem]) -> Iterator[str]:
    """Why the reading stays: it is the same, or what was named does not add up."""
    other_sums = not _are_same_sums(judgement.totals, totals)
    other_lines = bool(items) and not (
        len(items) == len(judgement.items)
        and all(_has_figures_of(one, other) for one, other in zip(judgement.items, items, strict=True))
    )
    if other_sums:
        yield _describe_refused_sums(judgement.totals, totals)
    if other_lines:
        yield f"It reads the lines otherwise, which do not add up: {_UNCHANGED}"
    if not other_sums and not other_lines:
        yield NO_DIFFERENCE


def _are_same_sums(one: Totals, other: Totals) -> bool:
    return all(get_total(one, name) == get_total(other, name) for name in TOTAL_NAMES)


def _have_same_amounts(one: Sequence[LineItem], other: Sequence[LineItem]) -> bool:
    return [item.amount for item in one] == [item.amount for item in other]


NO_DIFFERENCE = "It reads the same figures. What was doubtful stays so until somebody looks at it."
_SHOWN = "That is shown now, and is not certain."
_UNCHANGED = "the reading was left as it was."


def _describe_sums(before: Totals, after: Totals) -> str:
    """Which sums are shown instead of others."""
    changes = [
        f"the {NAMES[name]} as {_format(get_total(after, name))}"
        f" instead of {_format(get_total(before, name))}"
        for name in TOTAL_NAMES
        if get_total(before, name) != get_total(after, name)
    ]
    return f"It reads {_join(changes)}. {_SHOWN}"


def _describe_refused_sums(before: Totals, named: Totals) -> str:
    """Which sums are not shown although they were named."""
    changes = [
        f"the {NAMES[name]} as {_format(get_total(named, name))}"
        for name in TOTAL_NAMES
        if get_total(before, name) != get_total(named, name)
    ]
    return f"It reads {_join(changes)}, which does not add up: {_UNCHANGED}"


def _describe_lines(count: int, other: int, changed: int | None) -> str:
    """Which lines are shown instead of others; `changed` is None where they are all others."""
    if changed is None:
        before = f"instead of {count}" if count else "where none was read"
        return (
            f"It reads {format_count(other, 'line')} {before}, which make up the price before tax. {_SHOWN}"
        )
    return f"It reads the figures of {format_count(changed, 'line')} otherwise, and they multiply. {_SHOWN}"


def _join(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _format(value: Decimal | None) -> str:
    return "none" if value is None else format_money(value)
