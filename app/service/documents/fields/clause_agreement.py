"""What two readers of clauses, the rules by their words and the model by whole sentences, agree on.

`decide` is the one place that sets how sure a clause is: a value that both read, the model without doubt, is
verified, and doubtful, with the other beside it, where another sentence states another, as a second period of
notice does; one that only the model reads counts where it is probable; where they differ, the value is
doubtful and a warning names both; what the rules took from a sentence about something else is left out, with
a warning.
In generated documents no verified value with a figure of 1,100 was wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from app.service.documents.extraction import Provenance
from app.service.documents.fields.clause_readings import ClauseReading, ClauseReadings, ClauseValue
from app.service.documents.fields.clauses import Clauses
from app.service.documents.fields.document_dates import Dates

_LIKELY: Final = 0.5
_ALONE: Final = 0.6
"""How probable a reading must be to count without the rules."""
_CLEAR: Final = 0.75
"""How probable a reading must be to contradict another."""
_ALONE_IN_WORDS: Final = 0.85
"""The same for a value that the sentence says without a figure."""
_MARGIN: Final = 0.6
"""How much more probable a reading must be than what the rules read to go before it."""
_HINT: Final = 0.3
"""How probable another value must be for one in words to be doubtful."""
_CLOSE: Final = 0.05
"""How near the probability of another value in words must come to contradict one."""
_CERTAIN: Final = 0.9
"""How probable a reading must be for its value to be verified."""
_UNLIKELY: Final = 0.1
"""How improbable what the rules read must be to be left out."""
_LEGIBLE: Final = 0.7
"""How sure the letters of a value must be for it to be verified."""
_AGREED, _DOUBTFUL = 0.95, 0.5


@dataclass(frozen=True)
class ClauseName:
    """What people call a clause, and the unit of its value.

    A value that is `tabular` often stands in a table, whose headings no sentence holds. One that is
    `in_words` the rules read from a few letters (`Bill St`, a column of monthly prices): what the model finds
    in no sentence is left out, and what it thinks possible is doubtful, both without a warning. What the
    model thinks possible of one that `is_priced` is settled before the price is judged; of others the
    doubtful value alone says it.
    """

    name: str
    unit: str = ""
    tabular: bool = False
    in_words: bool = False
    is_priced: bool = False

    def print_with(self, value: ClauseValue) -> str:
        """The clause with a value, as the beginning of a sentence."""
        return f"The {self.name} of {self.print_value(value)}"

    def print_value(self, value: ClauseValue) -> str:
        if isinstance(value, bool):
            return "automatic" if value else "not automatic"
        return value.isoformat() if isinstance(value, date) else f"{value}{self.unit}"


_CLAUSES: Final = {
    "term_months": ClauseName("term", " months", is_priced=True),
    "renewal_months": ClauseName("renewal term", " months"),
    "payment_terms_days": ClauseName("payment period", " days"),
    "notice_days": ClauseName("notice period", " days"),
    "validity_days": ClauseName("validity", " days"),
    "renewal_uplift_percent": ClauseName("renewal uplift", " %"),
    "auto_renew": ClauseName("renewal"),
    "billing": ClauseName("billing", in_words=True),
}
_DATES: Final = {
    "valid_until": ClauseName("last day of validity", tabular=True),
    "start_date": ClauseName("start date", tabular=True),
    "end_date": ClauseName("end date", tabular=True),
}


@dataclass(frozen=True)
class Decision:
    """The value of a clause and where it was read, both None where none is; the warning where it is doubtful.
    `reading` is the model's, where the value is that of the model."""

    value: ClauseValue | None = None
    provenance: Provenance | None = None
    warning: str | None = None
    reading: ClauseReading | None = None


def decide(
    name: ClauseName,
    by_rules: ClauseValue | None,
    place: Provenance | None,
    readings: Sequence[ClauseReading],
) -> Decision:
    """What holds of what the rules read (at `place`) and what the model reads."""
    best = readings[0] if readings and readings[0].probability >= _LIKELY else None
    if by_rules is None or place is None:
        return _decide_alone(name, best, readings)
    own = next((one for one in readings if one.value == by_rules), None)
    if best is not None and own is not None and own.probability >= _LIKELY:
        return _decide_agreed(name, own, place, readings)
    doubted = place.doubted()
    if best is not None and best.probability >= _CLEAR:
        warning = _warn_of(name, by_rules, best.value)
        chance = own.probability if own else _MARGIN if name.tabular else 0.0
        if best.probability - chance >= _MARGIN:
            seen = replace(best.provenance, confidence=_DOUBTFUL, verified=False)
            return Decision(best.value, seen, None if name.in_words else warning, best)
        return Decision(by_rules, doubted, warning)
    if own is None or name.tabular:
        return Decision(by_rules, place)
    if own.probability <= _UNLIKELY:  # its sentence is about something else
        return Decision()
    warning = f"{name.print_with(by_rules)} is doubtful." if name.is_priced else None
    return Decision(by_rules, doubted, warning)


def _decide_alone(
    name: ClauseName, best: ClauseReading | None, readings: Sequence[ClauseReading]
) -> Decision:
    least = _CLEAR if name.tabular else _ALONE
    if best is None or best.probability < (least if best.has_figure else _ALONE_IN_WORDS):
        return Decision()
    place = best.provenance
    place = replace(place, confidence=place.confidence * best.probability)
    # A day that no label names may be that of something else: the last one of the old prices.
    if best.has_figure and not name.tabular and _is_certain(best, place, readings):
        place = replace(place, verified=True)
    other = _find_contradiction(best, readings)
    return Decision(best.value, place, _warn_of(name, best.value, other.value) if other else None, best)


def _decide_agreed(
    name: ClauseName, own: ClauseReading, place: Provenance, readings: Sequence[ClauseReading]
) -> Decision:
    warning, other = None, _find_contradiction(own, readings)
    if other is not None:
        place = replace(place.doubted(), second=name.print_value(other.value))
        if name.is_priced or own.probability < _CLEAR:
            warning = _warn_of(name, own.value, other.value)
    elif _is_certain(own, place, readings):
        place = replace(place, confidence=_AGREED, verified=True)
    return Decision(own.value, place, warning, own)


def _is_certain(one: ClauseReading, place: Provenance, readings: Sequence[ClauseReading]) -> bool:
    """Whether a legible sentence states a value beyond doubt, and none another one. A value in words is
    doubtful at the first hint of another."""
    rival = _find_other(one, readings, _CLEAR if one.has_figure else _HINT)
    return (
        rival is None and one.probability >= _CERTAIN and not one.ambiguous and place.confidence >= _LEGIBLE
    )


def _find_contradiction(one: ClauseReading, readings: Sequence[ClauseReading]) -> ClauseReading | None:
    return _find_other(one, readings, _CLEAR if one.has_figure else max(_CLEAR, one.probability - _CLOSE))


def _find_other(one: ClauseReading, readings: Sequence[ClauseReading], least: float) -> ClauseReading | None:
    """The reading of another value that is at least so probable."""
    return next(
        (other for other in readings if other.value != one.value and other.probability >= least), None
    )


def _warn_of(name: ClauseName, one: ClauseValue, other: ClauseValue) -> str:
    return f"The {name.name} was read as {name.print_value(one)} and as {name.print_value(other)}."


def agree_on_clauses(clauses: Clauses, readings: ClauseReadings) -> Clauses:
    """The clauses that hold of those that the rules read and the readings of the model."""
    decisions, values = _decide_each(_CLAUSES, clauses, readings)
    said = {field: (one.warning,) for field, one in decisions.items() if one.warning}
    term = said.pop("term_months", ()) if decisions["term_months"].value is not None else ()
    is_cap, uplift = clauses.renewal_uplift_is_cap, decisions["renewal_uplift_percent"].reading
    return replace(
        clauses,
        **values,
        renewal_uplift_is_cap=is_cap if uplift is None else is_cap or uplift.is_cap or None,
        warnings=sum(said.values(), clauses.warnings),
        term_doubts=(*clauses.term_doubts, *term),
    )


def agree_on_dates(dates: Dates, readings: ClauseReadings) -> tuple[Dates, tuple[str, ...]]:
    """The dates that hold of those that the rules read and the readings of the model, and the warnings."""
    decisions, values = _decide_each(_DATES, dates, readings)
    return replace(dates, **values), tuple(one.warning for one in decisions.values() if one.warning)


def _decide_each(
    names: Mapping[str, ClauseName], found: Clauses | Dates, readings: ClauseReadings
) -> tuple[dict[str, Decision], dict[str, Any]]:
    """What holds of each clause, and the fields that change by it."""
    seen = found.provenance
    decisions = {
        field: decide(name, getattr(found, field), seen.get(field), readings.get(field, ()))
        for field, name in names.items()
    }
    places = {field: one.provenance for field, one in decisions.items() if one.provenance is not None}
    values = {field: one.value for field, one in decisions.items()}
    return decisions, {**values, "provenance": {**seen, **places}}
