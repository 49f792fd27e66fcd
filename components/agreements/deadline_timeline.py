"""The next twelve months as a timeline: the current term of each agreement, and the day by which to act."""

from collections.abc import Sequence
from datetime import date, timedelta

from app.contract.agreements import Agreement
from components.agreements.agreement_words import STATUS_LABELS, label_status
from components.agreements.fixtures import EXAMPLE_DAY, make_agreement
from components.elements.figure import BAD, GOOD, HOVER_TEXT, MUTED, WARN, Figure, draw_figure
from components.formatting.counts import format_count, format_date
from components.formatting.shortening import shorten_text

MOST_SHOWN = 30
_LONGEST_NAME = 32
_ROW_HEIGHT = 26
_MARGIN, _LONGEST_PAST = timedelta(days=14), timedelta(days=120)
_COLOURS = {"deadline_missed": BAD, "in_notice_window": WARN, "active": GOOD}


def draw_deadline_timeline(agreements: Sequence[Agreement], today: date, *, key: str) -> None:
    """Draw the agreements that have a day by which to act, at most the first 30 of them."""
    shown = [one for one in agreements if one.act_by is not None][:MOST_SHOWN]
    if not shown:
        return
    first = ", ".join(f"{one.name} by {format_date(one.act_by)}" for one in shown[:5])
    draw_figure(
        make_timeline_figure(shown, today),
        key=key,
        alt=f"Timeline of {format_count(len(shown), 'agreement')}, the most urgent first: {first}.",
        height=90 + _ROW_HEIGHT * len(shown),
    )


def make_timeline_figure(agreements: Sequence[Agreement], today: date) -> Figure:
    """Return the chart: a row for each agreement, the first above."""
    # Two agreements of one name are two rows.
    rows = [f"{at}" for at in range(len(agreements))]
    first = min(one.act_by for one in agreements if one.act_by) - _MARGIN
    begin, until = max(min(first, today - _MARGIN), today - _LONGEST_PAST), today + timedelta(days=365)
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": rows,
        "base": [(one.current_term_start or today).isoformat() for one in agreements],
        # Plotly counts the length of a bar on an axis of dates in milliseconds.
        "x": [_count_milliseconds(one, today) for one in agreements],
        "marker": {"color": MUTED, "opacity": 0.35},
        "text": [_describe(one) for one in agreements],
        "textposition": "none",
        "hovertemplate": HOVER_TEXT,
        "width": 0.35,
        "showlegend": False,
    }
    statuses = [status for status in STATUS_LABELS if any(one.status == status for one in agreements)]
    return {
        "data": [bars, *(_mark_deadlines(agreements, rows, status) for status in statuses)],
        "layout": {
            "xaxis": {
                "type": "date",
                "range": [begin.isoformat(), until.isoformat()],
                "side": "top",
                "tickformat": "%b %Y",
            },
            "yaxis": {
                "type": "category",
                "autorange": "reversed",
                "tickvals": rows,
                "ticktext": [shorten_text(one.name, _LONGEST_NAME) for one in agreements],
                "automargin": True,
            },
            "shapes": [
                {
                    "type": "line",
                    "x0": today.isoformat(),
                    "x1": today.isoformat(),
                    "y0": 0,
                    "y1": 1,
                    "yref": "paper",
                    "line": {"color": MUTED, "width": 1, "dash": "dot"},
                }
            ],
            "showlegend": True,
            "legend": {"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0},
        },
    }


def _mark_deadlines(agreements: Sequence[Agreement], rows: Sequence[str], status: str) -> Figure:
    marked = [(row, one) for row, one in zip(rows, agreements, strict=True) if one.status == status]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": label_status(status)[0],
        "x": [one.act_by.isoformat() for _, one in marked if one.act_by],
        "y": [row for row, one in marked if one.act_by],
        "marker": {"color": _COLOURS.get(status, MUTED), "size": 11, "symbol": "diamond"},
        "text": [_describe(one) for _, one in marked],
        "hovertemplate": HOVER_TEXT,
    }


def _count_milliseconds(one: Agreement, today: date) -> int:
    if one.current_term_end is None:
        return 0
    return (one.current_term_end - (one.current_term_start or today)).days * 86_400_000


def _describe(one: Agreement) -> str:
    return (
        f"{one.name}: act by {format_date(one.act_by)}, the term ends on {format_date(one.current_term_end)}"
    )


def example() -> None:
    agreements = [make_agreement(), make_agreement(name="Support", status="deadline_missed")]
    draw_deadline_timeline(agreements, EXAMPLE_DAY, key="example-timeline")
