import streamlit as st

from components.formatting import escape_markdown
from components.sourcing.scenarios import describe_constraints, name_scenario
from tests.components.sourcing.fixtures import make_scenario


def example() -> None:
    scenario = make_scenario()
    st.caption(escape_markdown(f"{name_scenario(scenario)}: {describe_constraints(scenario, {})}"))
