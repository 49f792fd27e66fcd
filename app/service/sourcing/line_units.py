"""What a line of a quote counts in, and what it costs in the unit that is needed, before tax. Pure.

Bags of 100 and pieces, kilograms and tonnes are converted. Where nobody says how many of one unit another is,
or at which rate a price holds a tax, the line cannot be compared and says why.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from app.contract.sourcing import Requirement, RequirementLine, SourcingQuote, SourcingQuoteLine
from app.service.charges.charge import Number, to_decimal
from app.service.pricing.estimator.pack_size import read_pack_size
from app.service.scopes.units import remove_period, unit_words, units_agree
from app.service.values.units import PACKS, PIECE, Measure, find_factor, is_rounded, read_measure

_ONE = Fraction(1)
_PIECE = Measure(PIECE)
_NUMBER = re.compile(r"(?<![^\W\d_])[0-9]")
UNKNOWN_TAX = "Its price includes a tax whose rate is not known: enter the rate, or the price before tax."


@dataclass(frozen=True, slots=True)
class NeededUnit:
    """What a line of a requirement counts in: the `text` that names it, empty where it names none, and what
    it measures, None where that is not known."""

    text: str
    measure: Measure | None


@dataclass(frozen=True, slots=True)
class RestatedLine:
    """A line of a quote in the unit that is needed and before tax; None where it cannot be said, with the
    `reason`."""

    line: SourcingQuoteLine | None
    reason: str | None = None


def find_needed_units(requirement: Requirement, quotes: Sequence[SourcingQuote]) -> Mapping[str, NeededUnit]:
    """Return the unit of each line of a requirement by its id. One that states none has the unit in which its
    quotes answer its quantity, where they agree."""
    answers: dict[str, list[SourcingQuoteLine]] = {line.id: [] for line in requirement.lines}
    for line in (line for quote in quotes for line in quote.lines if not line.alternate):
        answers.get(line.requirement_line_id or "", []).append(line)
    return {line.id: _find_needed_unit(line, answers[line.id]) for line in requirement.lines}


def _find_needed_unit(line: RequirementLine, answers: Sequence[SourcingQuoteLine]) -> NeededUnit:
    text, measure = _read(line.unit, line.description)
    if text or measure is not None:
        return NeededUnit(text, measure)
    read = [(one, found) for one in answers if (found := _read(one.unit, one.description)[1]) is not None]
    exact = {found for one, found in read if one.quantity == line.quantity}
    found = next(iter(exact)) if len(exact) == 1 else _PIECE
    is_told = found.code not in PACKS and _are_pieces(found) is None
    agree = is_told and all(find_factor(other, found) is not None for _, other in read)
    return NeededUnit("", found if agree else None)


def restate_line(answered: RequirementLine, needed: NeededUnit, line: SourcingQuoteLine) -> RestatedLine:
    """Return a line of a quote as the requirement's line counts."""
    before_tax = remove_tax(line)
    if before_tax is None:
        return RestatedLine(None, UNKNOWN_TAX)
    factor = _find_factor(answered, needed, line)
    if factor is None:
        quoted = line.unit or "pack"
        wanted = f"“{needed.text}” is needed" if needed.text else "the requirement names no unit"
        reason = f"Quoted by the “{quoted}”, and {wanted}: nobody says how many of the one the other is."
        return RestatedLine(None, reason)
    is_measured = needed.measure is not None and _are_pieces(needed.measure) is None
    return RestatedLine(_convert(before_tax, factor, 1 / factor, answered.quantity if is_measured else None))


def remove_tax(line: SourcingQuoteLine) -> SourcingQuoteLine | None:
    """Return a line of a quote with its prices before tax; None where nobody knows at which rate they hold
    one."""
    if not line.tax_included:
        return line
    return None if line.tax_percent is None else _convert(line, 1, 1 / (1 + Fraction(line.tax_percent) / 100))


def _convert(
    line: SourcingQuoteLine, of_quantity: Number, of_price: Number, measured: Decimal | None = None
) -> SourcingQuoteLine:
    """Return a line with its quantities and its prices multiplied. A quantity that is that `measured` but for
    its rounding is the same."""
    if of_quantity == of_price == 1:
        return line

    def count(quantity: Decimal | None) -> Decimal | None:
        if quantity is None:
            return None
        converted = Fraction(quantity) * of_quantity
        return measured if measured and is_rounded(converted, measured) else to_decimal(converted)

    changed: dict[str, Any] = {
        "quantity": count(line.quantity),
        "unit_price": to_decimal(Fraction(line.unit_price) * of_price),
        "minimum_quantity": count(line.minimum_quantity),
        "maximum_quantity": count(line.maximum_quantity),
        "breaks": None
        if line.breaks is None
        else [
            one.model_copy(
                update={
                    "from_quantity": count(one.from_quantity),
                    "unit_price": to_decimal(Fraction(one.unit_price) * of_price),
                }
            )
            for one in line.breaks
        ],
    }
    return line.model_copy(update=changed)


def _find_factor(answered: RequirementLine, needed: NeededUnit, line: SourcingQuoteLine) -> Fraction | None:
    """How many of the unit that is needed one unit of a line is; None where nobody says."""
    text, measure = _read(line.unit, line.description)
    if measure is not None and needed.measure is not None:
        return find_factor(measure, needed.measure)
    if measure is not None and not needed.text:
        # A requirement without a unit counts pieces, unless it asks for as many packs as are quoted.
        pieces = _are_pieces(measure)
        return None if pieces is None or (pieces != 1 and line.quantity == answered.quantity) else pieces
    if measure is None and _NUMBER.search(text):
        return _ONE if text == needed.text else None  # `5 x 20`: of how many nobody knows
    if not text or not needed.text:
        # Who names no unit answers the quantity that is needed; steps of a price answer any.
        is_counted = needed.measure is None or _are_pieces(needed.measure) == 1
        return _ONE if is_counted or not line.breaks or text else None
    return _ONE if _name_the_same(text, measure, needed) else None


def _name_the_same(text: str, measure: Measure | None, needed: NeededUnit) -> bool:
    """Whether two units of which one is no measure may be the same: `seats` and `user`, `licences` and
    `pcs`."""
    known = measure or needed.measure
    if known is not None and known != _PIECE:
        return bool(unit_words(text) & unit_words(needed.text))
    return units_agree(text, needed.text)


def _are_pieces(measure: Measure) -> Fraction | None:
    """How many pieces a measure is; None for one that counts none."""
    return find_factor(measure, _PIECE)


def _read(unit: str | None, description: str) -> tuple[str, Measure | None]:
    """The unit in its own words without the period of its price, and what it measures. A pack holds as many
    pieces as the description says."""
    text = remove_period(unit or "")
    measure = read_measure(text) if text else None
    if not text or (measure is not None and measure.code in PACKS and measure.times == 1):
        pack = read_pack_size(description)
        if pack is not None:
            return text, Measure(PIECE, Decimal(pack.pieces))
    return text, measure
