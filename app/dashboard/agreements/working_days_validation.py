"""The working days from what was entered into their form, or what is wrong with it."""

from pydantic import ValidationError

from app.contract.agreements import Holiday, WorkingDays, WorkingDaysChange
from app.contract.validation_messages import describe_faults
from app.dashboard.api.form_button import CheckedForm
from components.agreements.working_days_form import WEEKDAYS
from components.elements.form_fields import Fields, get_text

MAX_NAMED_LINES = 3


def validate_working_days(fields: Fields, current: WorkingDays) -> CheckedForm[WorkingDaysChange]:
    """Return the change of the working days, or the faults. The body is None as well where nothing was
    changed."""
    weekend = [day for day in WEEKDAYS if fields.get(day)]
    holidays, wrong = _read_holidays(get_text(fields, "holidays"))
    if wrong:
        lines = "; ".join(wrong[:MAX_NAMED_LINES])
        more = f" and {len(wrong) - MAX_NAMED_LINES} more" if len(wrong) > MAX_NAMED_LINES else ""
        fault = f"Each line begins with a day, such as 2026-12-25, but not {lines}{more}."
        return CheckedForm(None, {"holidays": fault})
    if len(weekend) > 6:
        return CheckedForm(None, {"weekend": "Leave at least one day on which you work."})
    try:
        change = WorkingDaysChange.model_validate({"weekend": weekend, "holidays": holidays})
    except ValidationError as refusal:
        return CheckedForm(None, {"holidays": describe_faults(refusal)})
    same = set(change.weekend or ()) == set(current.weekend) and _order(change.holidays) == _order(
        current.holidays
    )
    return CheckedForm(None, {}) if same else CheckedForm(change, {})


def _order(holidays: list[Holiday] | None) -> list[tuple[str, str]]:
    return sorted((one.date.isoformat(), one.name or "") for one in holidays or ())


def _read_holidays(text: str) -> tuple[list[Holiday], list[str]]:
    """Return the holidays, and the lines that are none."""
    holidays: list[Holiday] = []
    wrong: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        day, _, name = line.replace(",", " ").replace(";", " ").replace("\t", " ").partition(" ")
        try:
            holidays.append(Holiday.model_validate({"date": day, "name": name.strip() or None}))
        except ValidationError:
            wrong.append(f"“{line[:40]}”")
    return holidays, wrong
