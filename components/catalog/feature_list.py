"""The features that are included in a product."""

from collections.abc import Sequence

import streamlit as st

from app.contract.catalog import Feature
from components.formatting.escape_markdown import escape_markdown


def draw_feature_list(features: Sequence[Feature]) -> None:
    """Draw the features in as many columns as fit."""
    with st.grid("auto", min_column_width=260, gap="small"):
        for feature in features:
            text = f":green[:material/check:] **{escape_markdown(feature.name)}**"
            st.markdown(f"{text}  \n{escape_markdown(feature.description)}" if feature.description else text)
