"""The days on which an organisation does not work: their form, and what it amounts to."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, get_args

import streamlit as st
from pydantic import ValidationError

from app.contract.agreements import Holiday, Weekday, WorkingDays, WorkingDaysChange
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form
from components.agreements.agreement_facts import draw_moved_deadlines
from components.elements.form_fields import Field, Fields, draw_fault

WEEKDAYS: Sequence[Weekday] = get_args(Weekday)
MAX_NAMED_LINES = 3

Value = TypeVar("Value")


def draw_working_days(deployment: Deployment) -> None:
    """Draw the form, and the deadlines that what was entered would move. Needs `PATCH /v1/working-days`."""
    with failure_panel("The working days"):
        form = make_form(deployment, queries.load_working_days(deployment))
        with form.drawing():
            st.markdown("No work on")
            with st.container(horizontal=True):
                form.draw_fields(WEEKDAYS)
            draw_fault(form.faults.get("weekend"))
            form.draw_fields(["holidays"])
        change = form.check().body
        if change is not None and queries.has_operation(deployment, "POST /v1/working-days/preview"):
            draw_moved_deadlines(queries.client_for(deployment).agreements.preview_working_days(change))
        form.draw_button(
            "Save the working days",
            operation="PATCH /v1/working-days",
            send=lambda client, change, _: client.agreements.update_working_days(change),
            what="Saving the working days",
            icon="save",
        )


def make_form(deployment: Deployment, current: WorkingDays) -> Form[WorkingDaysChange]:
    """Return the form that changes the days on record. What it adds to the days that it was filled with and
    takes from them is done to `current`, so that nothing is lost that somebody else has changed meanwhile."""

    def shape(values: Fields) -> dict[str, Any]:
        begun = form.filled
        merged = _merge(_read_holidays(values)[0], _read_holidays(begun)[0], _list_days(current.holidays))
        return {
            "weekend": _merge(_read_weekend(values), _read_weekend(begun), current.weekend),
            "holidays": [{"date": day, "name": name or None} for day, name in sorted(merged)],
        }

    def check(values: Fields) -> dict[str, str]:
        wrong = _read_holidays(values)[1]
        if wrong:
            lines = "; ".join(wrong[:MAX_NAMED_LINES])
            more = f" and {len(wrong) - MAX_NAMED_LINES} more" if len(wrong) > MAX_NAMED_LINES else ""
            return {"holidays": f"Each line begins with a day, such as 2026-12-25, but not {lines}{more}."}
        if len(shape(values)["weekend"]) > 6:
            return {"weekend": "Leave at least one day on which you work."}
        return {}

    ordered = sorted(current.holidays, key=lambda one: one.date)
    form = Form(
        deployment,
        "working-days",
        WorkingDaysChange,
        (
            *(Field(day, day.capitalize(), kind="flag") for day in WEEKDAYS),
            Field(
                "holidays",
                "Holidays, one a line",
                kind="area",
                height=220,
                placeholder="2026-12-25 Christmas Day",
                help="The day as year, month and day, then its name. A list from a spreadsheet can be"
                " pasted.",
            ),
        ),
        shape=shape,
        check_fields=check,
        record={
            "holidays": "\n".join(f"{one.date.isoformat()} {one.name or ''}".strip() for one in ordered),
            **{day: day in current.weekend for day in WEEKDAYS},
        },
        changes="list",
    )
    return form


def _merge(entered: Sequence[Value], begun: Sequence[Value], current: Sequence[Value]) -> list[Value]:
    """Return `current` without what `entered` leaves out of `begun`, and with what it adds to it."""
    kept = [one for one in current if one in entered or one not in begun]
    return kept + [one for one in entered if one not in begun and one not in kept]


def _read_weekend(values: Fields) -> list[Weekday]:
    return [day for day in WEEKDAYS if values[day]]


def _list_days(holidays: Iterable[Holiday]) -> list[tuple[str, str]]:
    return [(one.date.isoformat(), one.name or "") for one in holidays]


def _read_holidays(values: Fields) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the holidays that were entered, and the lines that are none."""
    holidays: list[Holiday] = []
    wrong: list[str] = []
    for line in filter(None, map(str.strip, str(values["holidays"] or "").splitlines())):
        day, *name = re.split(r"[,;\s]+", line, maxsplit=1)
        try:
            holidays.append(Holiday.model_validate({"date": day, "name": "".join(name) or None}))
        except ValidationError:
            wrong.append(f"“{line[:40]}”")
    return _list_days(holidays), wrong
