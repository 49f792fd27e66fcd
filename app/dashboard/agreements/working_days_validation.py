"""The working days from what was entered into their form, or what is wrong with it."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from pydantic import ValidationError

from app.contract.agreements import Holiday, Weekday, WorkingDays, WorkingDaysChange
from app.contract.validation_messages import describe_faults
from app.dashboard.kit.form import CheckedForm
from components.agreements.working_days_form import WEEKDAYS
from components.elements.form_fields import Fields, get_text

MAX_NAMED_LINES = 3

Value = TypeVar("Value")


def validate_working_days(
    fields: Fields, begun: WorkingDays, current: WorkingDays
) -> CheckedForm[WorkingDaysChange]:
    """Return the change of the working days, or the faults. The body is None as well where nothing was
    changed.

    `begun` are those that the form was filled with: what it adds to them and takes from them is done to
    `current`, the days on record now, so that nothing is lost that somebody else has changed meanwhile.
    """
    stated: list[Weekday] = [day for day in WEEKDAYS if fields.get(day)]
    holidays, wrong = _read_holidays(get_text(fields, "holidays"))
    if wrong:
        lines = "; ".join(wrong[:MAX_NAMED_LINES])
        more = f" and {len(wrong) - MAX_NAMED_LINES} more" if len(wrong) > MAX_NAMED_LINES else ""
        fault = f"Each line begins with a day, such as 2026-12-25, but not {lines}{more}."
        return CheckedForm(None, {"holidays": fault})
    weekend = _merge(stated, begun.weekend, current.weekend)
    if len(weekend) > 6:
        return CheckedForm(None, {"weekend": "Leave at least one day on which you work."})
    merged = sorted(_merge(_days(holidays), _days(begun.holidays), _days(current.holidays)))
    try:
        change = WorkingDaysChange.model_validate(
            {"weekend": weekend, "holidays": [{"date": day, "name": name or None} for day, name in merged]}
        )
    except ValidationError as refusal:
        return CheckedForm(None, {"holidays": describe_faults(refusal)})
    same = set(weekend) == set(current.weekend) and set(merged) == set(_days(current.holidays))
    return CheckedForm(None, {}) if same else CheckedForm(change, {})


def _merge(entered: Sequence[Value], begun: Sequence[Value], current: Sequence[Value]) -> list[Value]:
    """Return `current` without what `entered` leaves out of `begun`, and with what it adds to it."""
    kept = [one for one in current if one in entered or one not in begun]
    return kept + [one for one in entered if one not in begun and one not in kept]


def _days(holidays: Iterable[Holiday]) -> list[tuple[str, str]]:
    return [(one.date.isoformat(), one.name or "") for one in holidays]


def _read_holidays(text: str) -> tuple[list[Holiday], list[str]]:
    """Return the holidays, and the lines that are none."""
    holidays: list[Holiday] = []
    wrong: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        day, *name = re.split(r"[,;\s]+", line, maxsplit=1)
        try:
            holidays.append(Holiday.model_validate({"date": day, "name": "".join(name) or None}))
        except ValidationError:
            wrong.append(f"“{line[:40]}”")
    return holidays, wrong
