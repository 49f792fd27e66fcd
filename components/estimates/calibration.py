"""How reliable the estimates are: each stated percentile against the share of past prices below it."""

from decimal import Decimal

import streamlit as st

from app.contract.dates import format_day
from app.contract.pricing import CalibrationLevel, CalibrationPoint, CalibrationVerdicts, PriceCalibration
from components.elements.figure import ACCENT, MUTED, Figure, draw_figure
from components.fixtures import NOON
from components.formatting.counts import format_count


def draw_calibration(calibration: PriceCalibration, *, key: str) -> None:
    """Draw the chart and a sentence for each figure."""
    if calibration.sample:
        st.warning(
            "Measured on sample data: this says nothing about real products.",
            icon=":material/science:",
        )
    st.markdown(describe_calibration(calibration))
    if calibration.verdicts is not None:
        st.markdown(describe_verdicts(calibration.verdicts))
    draw_figure(
        make_calibration_figure(calibration), key=key, alt=describe_calibration(calibration), height=300
    )
    st.caption(
        f"Learned from {calibration.learnt_on:,} purchases up to {format_day(calibration.learnt_until)}. "
        "Each price was estimated from earlier purchases only. Points on the diagonal are exactly right."
    )


def describe_calibration(calibration: PriceCalibration) -> str:
    """Return a sentence on the median error and the coverage of the 80 % range."""
    return (
        f"Compared with **{calibration.n:,} past prices**, the median error was "
        f"**{_format_percent(calibration.mdape)}**, and our 80 % range contained "
        f"**{_format_percent(calibration.coverage80)}** of actual prices."
    )


def describe_verdicts(verdicts: CalibrationVerdicts) -> str:
    """Return a sentence on how often a verdict was given, and how often it was wrong."""
    quotes = format_count(verdicts.n, "quote")
    if not verdicts.given:
        return f"None of {quotes} derived from past purchases had enough evidence for a verdict."
    given, wrong = Decimal(verdicts.given) / verdicts.n, Decimal(verdicts.wrong) / verdicts.given
    return (
        f"Of **{quotes}** set at half, one, two and ten times a past price, **{_format_percent(given)}** got "
        f"a verdict, and **{_format_percent(wrong)}** of the verdicts were wrong: “accept” above 1.25 times "
        "the price paid, or “negotiate” at or below it. The others had too little evidence, or an amount "
        "too far from it."
    )


def make_calibration_figure(calibration: PriceCalibration) -> Figure:
    """Return the chart."""
    expected = [float(point.told) for point in calibration.percentiles]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "x": [0, 1],
                "y": [0, 1],
                "line": {"color": MUTED, "dash": "dot"},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": expected,
                "y": [float(point.below) for point in calibration.percentiles],
                "line": {"color": ACCENT},
                "hovertemplate": "stated %{x:.0%}, actual %{y:.0%}<extra></extra>",
            },
        ],
        "layout": {
            "xaxis": {
                "title": {"text": "Stated percentile"},
                "tickformat": ".0%",
                "range": [0, 1],
                "fixedrange": True,
            },
            "yaxis": {
                "title": {"text": "Actual share below"},
                "tickformat": ".0%",
                "range": [0, 1],
                "fixedrange": True,
                "automargin": True,
            },
        },
    }


def _format_percent(share: Decimal) -> str:
    return f"{share * 100:.0f} %" if share >= Decimal("0.095") else f"{share * 100:.1f} %"


def example() -> None:
    figures = {
        "n": 500,
        "pinball": Decimal("0.046"),
        "coverage80": Decimal("0.81"),
        "coverage50": Decimal("0.5"),
        "width": Decimal("1.4"),
    }
    calibration = PriceCalibration(
        made_at=NOON,
        learnt_on=20_000,
        learnt_until=NOON.date(),
        refused=0,
        mdape=Decimal("0.04"),
        by_similarity=[CalibrationLevel(level="repeat", **figures)],  # type: ignore[arg-type]
        percentiles=[
            CalibrationPoint(told=Decimal(at) / 20, below=Decimal(at) / 20 + Decimal(at % 3 - 1) / 50)
            for at in range(1, 20)
        ],
        verdicts=CalibrationVerdicts(n=2_000, given=1_331, wrong=22),
        **figures,  # type: ignore[arg-type]
    )
    draw_calibration(calibration, key="example-calibration")
