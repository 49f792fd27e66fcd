import streamlit as st

from app.contract.imports import ImportDoubt
from components.formatting import escape_markdown
from components.imports.import_preview import (
    draw_doubts,
    draw_first_rows,
    draw_left_out,
    draw_missing_columns,
    draw_refusals,
    draw_row_counts,
    draw_sentences,
)
from tests.components.imports.fixtures import make_preview


def example() -> None:
    preview = make_preview()
    draw_missing_columns(preview.model_copy(update={"missing": ["supplier"]}), "purchases")
    draw_sentences(preview)
    draw_row_counts(preview, "purchases")
    draw_left_out(preview, "purchases")
    draw_first_rows(preview, key="example-first-rows")
    draw_refusals(preview, key="example-refusals")
    doubt = ImportDoubt(line=3, column="End", reason="'9999-12-31' says that there is no end.")
    doubtful = preview.model_copy(update={"doubtful": 1, "doubts": [doubt]})
    draw_doubts(doubtful, key="example-doubts")
    st.caption(escape_markdown("orders_2026.csv"))
