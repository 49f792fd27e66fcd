import streamlit as st

from components.sourcing.requirements import describe_requirement
from tests.components.sourcing.fixtures import make_requirement


def example() -> None:
    st.caption(describe_requirement(make_requirement()))
