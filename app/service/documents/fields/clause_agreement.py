"""What two readers of clauses, the rules by their words and the model by whole sentences, agree on.

`decide` is the one place that sets how sure a clause is: a value that both read, the model without doubt, is
verified; one that only the model reads counts where it is probable; where they differ, the value is doubtful
and a warning names both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from app.service.documents.extraction import Provenance
from app.service.documents.fields.clause_readings import ClauseReading, ClauseReadings, ClauseValue
from app.service.documents.fields.clauses import Clauses
from app.service.documents.fields.document_dates import Dates

_LIKELY: Final = 0.5
_ALONE: Final = 0.75
"""How probable a reading must be to count without the rules, or against them."""
_CERTAIN: Final = 0.9
_UNLIKELY: Final = 0.1
"""How improbable what the rules read must be for the model to contradict it."""
_AGREED, _DOUBTFUL = 0.95, 0.5


@dataclass(frozen=True)
class ClauseName:
    """What people call a clause, and the unit of its value."""

    name: str
    unit: str = ""

    def print_value(self, value: ClauseValue) -> str:
        if isinstance(value, bool):
            return "automatic" if value else "not automatic"
        return value.isoformat() if isinstance(value, date) else f"{value}{self.unit}"


_CLAUSES: Final = {
    "term_months": ClauseName("term", " months"),
    "renewal_months": ClauseName("renewal term", " months"),
    "payment_terms_days": ClauseName("payment period", " days"),
    "notice_days": ClauseName("notice period", " days"),
    "validity_days": ClauseName("validity", " days"),
    "renewal_uplift_percent": ClauseName("renewal uplift", " %"),
    "auto_renew": ClauseName("renewal"),
    "billing": ClauseName("billing"),
}
_DATES: Final = {
    "valid_until": ClauseName("last day of validity"),
    "start_date": ClauseName("start date"),
    "end_date": ClauseName("end date"),
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
    doubted = replace(place, confidence=min(place.confidence, _DOUBTFUL), verified=False)
    if best is not None and best.probability >= _ALONE:
        warning = _warn_of(name, by_rules, best.value)
        if own is not None and own.probability <= _UNLIKELY and best.probability >= _CERTAIN:
            seen = replace(best.provenance, confidence=_DOUBTFUL, verified=False)
            return Decision(best.value, seen, warning, best)
        return Decision(by_rules, doubted, warning)
    if own is not None and own.probability <= _UNLIKELY:
        stated = f"The {name.name} was read as {name.print_value(by_rules)}"
        warning = f"{stated} from a sentence that may be about something else."
        return Decision(by_rules, doubted, warning)
    return Decision(by_rules, place)


def _decide_alone(
    name: ClauseName, best: ClauseReading | None, readings: Sequence[ClauseReading]
) -> Decision:
    if best is None or best.probability < _ALONE:
        return Decision()
    rival = _find_rival(best, readings)
    verified = best.probability >= _CERTAIN and rival is None and not best.ambiguous
    place = replace(
        best.provenance, confidence=best.provenance.confidence * best.probability, verified=verified
    )
    return Decision(best.value, place, rival and _warn_of(name, best.value, rival.value), best)


def _decide_agreed(
    name: ClauseName, own: ClauseReading, place: Provenance, readings: Sequence[ClauseReading]
) -> Decision:
    rival = _find_rival(own, readings)
    if rival is not None:
        doubted = replace(place, confidence=min(place.confidence, _DOUBTFUL), verified=False)
        return Decision(own.value, doubted, _warn_of(name, own.value, rival.value), own)
    if own.probability < _CERTAIN or own.ambiguous:
        return Decision(own.value, place, None, own)
    return Decision(own.value, replace(place, confidence=_AGREED, verified=True), None, own)


def _find_rival(one: ClauseReading, readings: Sequence[ClauseReading]) -> ClauseReading | None:
    """Another value that a sentence states no less clearly."""
    return next(
        (other for other in readings if other.value != one.value and other.probability >= _ALONE), None
    )


def _warn_of(name: ClauseName, one: ClauseValue, other: ClauseValue) -> str:
    return f"The {name.name} was read as {name.print_value(one)} and as {name.print_value(other)}."


def agree_on_clauses(clauses: Clauses, readings: ClauseReadings) -> Clauses:
    """The clauses that hold of those that the rules read and the readings of the model."""
    values: dict[str, ClauseValue | None] = {}
    places = dict(clauses.provenance)
    warnings: list[str] = []
    is_cap = clauses.renewal_uplift_is_cap
    for field, name in _CLAUSES.items():
        decision = decide(name, getattr(clauses, field), places.get(field), readings.get(field, ()))
        values[field] = decision.value
        if decision.provenance is not None:
            places[field] = decision.provenance
        if decision.warning:
            warnings.append(decision.warning)
        if field == "renewal_uplift_percent" and decision.reading is not None:
            is_cap = is_cap or decision.reading.is_cap or None
    return replace(
        clauses, **values, renewal_uplift_is_cap=is_cap, provenance=places, warnings=tuple(warnings)
    )


def agree_on_dates(dates: Dates, readings: ClauseReadings) -> tuple[Dates, tuple[str, ...]]:
    """The dates that hold of those that the rules read and the readings of the model, and the warnings."""
    values: dict[str, ClauseValue | None] = {}
    places = dict(dates.provenance)
    warnings: list[str] = []
    for field, name in _DATES.items():
        decision = decide(name, getattr(dates, field), places.get(field), readings.get(field, ()))
        values[field] = decision.value
        if decision.provenance is not None:
            places[field] = decision.provenance
        if decision.warning:
            warnings.append(decision.warning)
    return replace(dates, **values, provenance=places), tuple(warnings)
