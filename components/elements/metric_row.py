"""A row of metrics: names with their values.

One element for all of them: `st.metric` is an element for each, which the browser draws again at every run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st


@dataclass(frozen=True)
class Metric:
    """A value under its name; `help` is shown when the pointer rests on it, `note` stands below it."""

    name: str
    value: str
    help: str | None = None
    note: str = ""


def draw_metric_row(metrics: Sequence[Metric], *, is_framed: bool = False) -> None:
    """Draw the metrics side by side, in several rows where the window is narrow; each in a frame of one width
    where they are `is_framed`."""
    look = " framed" if is_framed else ""
    st.html(f'{_STYLE}<dl class="parley-metrics{look}">{"".join(map(_draw_metric, metrics))}</dl>')


def _draw_metric(metric: Metric) -> str:
    title = f' title="{escape(metric.help)}"' if metric.help else ""
    note = f'<dd class="note">{escape(metric.note)}</dd>' if metric.note else ""
    return f"<div{title}><dt>{escape(metric.name)}</dt><dd>{escape(metric.value)}</dd>{note}</div>"


_STYLE = """<style>
dl.parley-metrics { display: flex; flex-wrap: wrap; gap: 0.5rem 2.5rem; margin: 0; padding: 0; }
.parley-metrics dt { font-size: 0.875rem; font-weight: 400; }
.parley-metrics dd {
  margin: 0; font-size: 1.5rem; font-weight: 600; line-height: 1.4; overflow-wrap: break-word;
}
.parley-metrics.framed > div {
  flex: 1 1 12rem; padding: 0.75rem 1rem; border-radius: 6px;
  border: 1px solid color-mix(in srgb, currentColor 18%, transparent);
}
.parley-metrics.framed { gap: 0.75rem; }
.parley-metrics dd.note { font-size: 0.875rem; font-weight: 400; }
</style>"""
