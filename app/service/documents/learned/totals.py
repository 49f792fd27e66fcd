"""The totals of the learned reader: the net, tax and gross that are most probable and add up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations, product
from math import exp

from app.service.documents.extraction import Provenance
from app.service.documents.learned.lines import locate
from app.service.documents.learned.printed_figures import PrintedFigure
from app.service.documents.learned.roles import FigureRole, RoleScores
from app.service.documents.lexicon.quantity_bands import names_bound

_LEAST_PROBABILITY = 0.004
_MOST_CANDIDATES = 7
_MOST_DISCOUNTS = 2
_MOST_RATES = 4
_SLACK = Decimal("0.02")
_ZERO = Decimal(0)

# What arithmetic adds to the sum of the scores of the roles.
_ADDS_UP = 6.0
_IS_THE_SAME = 1.0
_DOES_NOT_ADD_UP = -5.0
_LACKS_NET = -0.5
_LACKS_GROSS = -2.0
"""Where a figure is probably the total."""
_USUAL_TAX = 1.0
_UNUSUAL_TAX = -3.0
_HIGHEST_TAX = Decimal("0.28")
"""Of the net; taxes of more are rare, and a tax below zero is a reduction."""
_SUM_OF_LINES = 4.0
_NOT_SUM_OF_LINES = -2.0
_DISCOUNT = -0.5


@dataclass(frozen=True)
class _Way:
    """One way to read the totals; figures by index, values as they count."""

    net: int | None
    taxes: tuple[int, ...]
    gross: int | None
    values: tuple[Decimal | None, Decimal | None, Decimal | None]
    discount: Decimal
    score: float


@dataclass(frozen=True)
class LearnedTotals:
    """The most probable totals. `discount` is what was taken off the lines; `margins` and `provenance` are
    keyed by `net_total`, `tax_total` and `total`."""

    net: Decimal | None = None
    tax: Decimal | None = None
    total: Decimal | None = None
    discount: Decimal = _ZERO
    provenance: Mapping[str, Provenance] = field(default_factory=dict[str, Provenance])
    margins: Mapping[str, float] = field(default_factory=dict[str, float])


def choose_totals(
    figures: Sequence[PrintedFigure], scores: RoleScores, taken: frozenset[int], sums: Sequence[Decimal]
) -> LearnedTotals:
    """The totals among the figures that no line takes. `sums` are what the lines may add up to."""
    ways = list(_list_ways(figures, scores, taken, sums))
    best = max(ways, key=lambda way: way.score)
    provenance: dict[str, Provenance] = {}
    margins: dict[str, float] = {}
    places = {
        "net_total": (best.net, best.gross),
        "tax_total": (best.taxes[0] if len(best.taxes) == 1 else None, None),
        "total": (best.gross, best.net),
    }
    roles: dict[str, FigureRole] = {"net_total": "subtotal", "tax_total": "tax", "total": "total"}
    for order, (name, (own, other)) in enumerate(places.items()):
        if best.values[order] is not None:
            margins[name] = _margin(best, ways, order)
        index = own if own is not None else other
        if index is None or best.values[order] is None:
            continue
        role = roles[name] if own is not None else ("total" if name == "net_total" else "subtotal")
        provenance[name] = locate(figures[index], scores.probability(index, role))
    return LearnedTotals(*best.values, best.discount, provenance, margins)


def _margin(best: _Way, ways: Sequence[_Way], order: int) -> float:
    """How far the best value of a field is ahead of the next, as shares of all ways."""
    shares: dict[Decimal | None, float] = {}
    for way in ways:
        shares[way.values[order]] = shares.get(way.values[order], 0.0) + exp(way.score - best.score)
    whole = sum(shares.values())
    own = shares.pop(best.values[order])
    return max(0.0, (own - max(shares.values(), default=0.0)) / whole)


def _list_ways(
    figures: Sequence[PrintedFigure], scores: RoleScores, taken: frozenset[int], sums: Sequence[Decimal]
) -> Iterator[_Way]:
    nets, taxes, grosses = (
        _candidates(figures, scores, taken, role) for role in ("subtotal", "tax", "total")
    )
    discounts = _list_discounts(figures, scores, taken)
    taxes = _with_differences(figures, taken, nets, taxes, grosses)
    stated = any(scores.probability(index, "total") > 0.5 for index in grosses)
    for net, some, gross in product([None, *nets], _tax_sets(scores, taxes), [None, *grosses]):
        chosen = [*some, *(one for one in (net, gross) if one is not None)]
        if len(set(chosen)) < len(chosen) and not (net == gross and not some):
            continue
        for discount in discounts if net is not None or gross is not None else [_ZERO]:
            yield _judge(figures, scores, net, some, gross, discount, sums, stated=stated)


def _tax_sets(scores: RoleScores, taxes: Sequence[int]) -> list[tuple[int, ...]]:
    """No tax, each tax, and those of several rates together, whose sum need not be printed."""
    likely = [index for index in taxes if scores.probability(index, "tax") > 0.3][:_MOST_RATES]
    several = [some for count in range(2, len(likely) + 1) for some in combinations(likely, count)]
    return [(), *((one,) for one in taxes), *several]


def _candidates(
    figures: Sequence[PrintedFigure], scores: RoleScores, taken: frozenset[int], role: FigureRole
) -> list[int]:
    """The likeliest figures of a role, one for each value: the one that is likeliest, of equals the last. The
    price that others begin at is none (`starting at 650`)."""
    best: dict[Decimal, int] = {}
    for index, one in enumerate(figures):
        likely = scores.probability(index, role)
        if index in taken or one.figure.percent or likely < _LEAST_PROBABILITY or names_bound(one.before):
            continue
        value = one.figure.value
        if value not in best or likely >= scores.probability(best[value], role):
            best[value] = index
    return sorted(best.values(), key=lambda index: -scores.probability(index, role))[:_MOST_CANDIDATES]


def _with_differences(
    figures: Sequence[PrintedFigure], taken: frozenset[int], nets: Sequence[int], taxes: Sequence[int],
    grosses: Sequence[int],
) -> list[int]:  # fmt: skip
    """The likeliest taxes, and figures that are what parts a likely net from a likely gross."""
    differences = {
        difference
        for gross in grosses[:3]
        for net in nets[:3]
        if (stated := figures[net].figure.value)
        and 0 < (difference := figures[gross].figure.value - stated) / stated <= _HIGHEST_TAX
    }
    known = {figures[index].figure.value for index in taxes}
    others = {
        one.figure.value: index
        for index, one in enumerate(figures)
        if one.figure.value in differences - known and one.value and index not in taken
    }
    return [*taxes, *others.values()]


def _list_discounts(
    figures: Sequence[PrintedFigure], scores: RoleScores, taken: frozenset[int]
) -> list[Decimal]:
    """What may be taken off the document: nothing, one or two of the likeliest reductions."""
    likely = {
        abs(one.figure.value): scores.probability(index, "discount") + scores.probability(index, "tax")
        for index, one in enumerate(figures)
        if index not in taken
        and not one.figure.percent
        and (one.value < 0 or scores.probability(index, "discount") > 0.2)
    }
    best = sorted(likely, key=lambda value: -likely[value])[:_MOST_DISCOUNTS]
    return [_ZERO, *best, *([sum(best, _ZERO)] if len(best) > 1 else [])]


def _judge(
    figures: Sequence[PrintedFigure], scores: RoleScores, net_index: int | None, taxes: tuple[int, ...],
    gross_index: int | None, discount: Decimal, sums: Sequence[Decimal], *, stated: bool,
) -> _Way:  # fmt: skip
    score = sum(scores.score(index, "tax") for index in taxes) / max(1, len(taxes))
    score += 0.0 if net_index is None else scores.score(net_index, "subtotal")
    score += 0.0 if gross_index is None else scores.score(gross_index, "total")
    net, gross = (None if one is None else figures[one].figure.value for one in (net_index, gross_index))
    tax = sum((figures[index].figure.value for index in taxes), _ZERO) if taxes else None
    due = tax or _ZERO
    score += (_DISCOUNT if discount else 0.0) + (_LACKS_GROSS if gross is None and stated else 0.0)
    if tax and (net or gross):
        score += _USUAL_TAX if 0 < tax / (net or gross or tax) <= _HIGHEST_TAX else _UNUSUAL_TAX
    counted = net
    if net is not None and gross is not None:
        before, after = _is_close(net + due, gross), _is_close(net - discount + due, gross)
        if after and not before:
            counted = net - discount
        if before or after:
            score += _ADDS_UP if tax or (discount and after) else _IS_THE_SAME
        else:
            score += _DOES_NOT_ADD_UP
    elif gross is not None:
        counted = gross - due
        score += _LACKS_NET if tax else 0.0
    total = gross if gross is not None else None if counted is None else counted + due
    if sums and counted is not None:
        fits = any(_is_close(whole - less, counted) for whole in sums for less in {_ZERO, discount})
        score += _SUM_OF_LINES if fits else _NOT_SUM_OF_LINES
    return _Way(net_index, taxes, gross_index, (counted, tax, total), discount, score)


def _is_close(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= _SLACK
