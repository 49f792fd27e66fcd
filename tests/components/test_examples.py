"""Every component draws its example."""

import importlib
import json
import pkgutil

import plotly.graph_objects
import pytest
from streamlit.testing.v1 import AppTest

from tests.components import examples

DRAWN = sorted(
    module.name
    for module in pkgutil.walk_packages(examples.__path__, "tests.components.examples.")
    if hasattr(importlib.import_module(module.name), "example")
)


def draw(name: str) -> None:
    import importlib

    importlib.import_module(name).example()


def test_there_are_examples() -> None:
    assert "tests.components.examples.estimates.price_distribution" in DRAWN


@pytest.mark.parametrize("name", DRAWN)
def test_draws_its_own_example(name: str) -> None:
    app = AppTest.from_function(draw, args=(name,), default_timeout=30).run()
    assert not app.exception, app.exception[0].value
    assert len(app.main) > 0
    # The browser names a field by its label as it is written: a backslash would be read out.
    fields = [*app.text_input, *app.text_area, *app.number_input, *app.selectbox, *app.date_input]
    assert not [field.label for field in fields if "\\" in field.label]
    for chart in app.get("plotly_chart"):
        # Figures are sent without Plotly's check of each value.
        assert plotly.graph_objects.Figure(json.loads(chart.proto.spec)).data
