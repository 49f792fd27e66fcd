"""What was read from a document: its values, its lines, and the page with a box around each value."""

import io
from collections.abc import Iterator, Sequence
from decimal import Decimal

import streamlit as st
from PIL import Image, ImageDraw

from app.contract.money import format_quantity
from app.contract.scope import DocumentReading, LineRole, ReadLine, ReadPage, ReadValue
from components.documents.line_tags import list_tag_labels
from components.documents.reading_warnings import draw_reading_warnings
from components.documents.review_form import TERM_FIELDS, describe_lines, make_confidence_column
from components.documents.reviewed_line import ReviewedLine
from components.elements.table import draw_table
from components.formatting.counts import format_count

_VERIFIED = "#2f9e6e"
_DOUBTFUL = "#c77d0a"
_BORDER = "#c4ccd4"


def draw_reading(reading: DocumentReading, *, key: str) -> None:
    """Draw warnings, the values of the document and its lines; lines without a product are among them."""
    draw_reading_warnings(reading.warnings)
    if reading.values:
        _draw_values(sorted(reading.values, key=_sort_key), f"{key}-values")
    if reading.lines:
        lines = [ReviewedLine(line, line.product_id, None, None, _get_role(line)) for line in reading.lines]
        labels = list_tag_labels(reading.lines)
        rows = [_line_row(line, tags) for line, tags in zip(reading.lines, labels, strict=True)]
        st.markdown(describe_lines(lines, [line.index for line in reading.lines if line.question]))
        draw_table(
            rows,
            key=f"{key}-lines",
            alt="Lines of the document and the products they were matched to",
            columns={
                "Product": st.column_config.TextColumn("Matched product", width="medium"),
                "Match": st.column_config.ProgressColumn(
                    format="%d %%", min_value=0, max_value=100, width="small"
                ),
                **({"Tags": st.column_config.TextColumn()} if any(labels) else {}),
                **{name: st.column_config.TextColumn(name) for name in _list_value_names(reading.lines)},
            },
        )


def _get_role(line: ReadLine) -> LineRole:
    return (
        "left_aside"
        if line.role == "left_aside"
        else "not_product"
        if line.role == "not_product"
        else "product"
    )


def _draw_values(values: Sequence[ReadValue], key: str) -> None:
    draw_table(
        [_row(value) for value in values],
        key=key,
        alt="Values of the document, least certain first",
        columns={
            "Field": st.column_config.TextColumn(),
            "Value": st.column_config.TextColumn(width="medium"),
            "Confidence": make_confidence_column(),
            "Page": st.column_config.NumberColumn(width="small", format="%d"),
        },
    )


def draw_other_values(reading: DocumentReading, *, key: str) -> None:
    """Draw the values of the document that are no term of a scope."""
    values = sorted((one for one in reading.values if one.name not in TERM_FIELDS), key=_sort_key)
    if values:
        with st.expander("Other values in the document"):
            _draw_values(values, key)


def has_pages(reading: DocumentReading) -> bool:
    """Return whether values have places on pages; those of office files and plain tables have none."""
    return bool(reading.pages) and any(value.box for value in _all_values(reading))


def choose_value(reading: DocumentReading, *, key: str) -> ReadValue | None:
    """Draw a choice of the value to show on the page; None stands for all."""
    values = dict(_list_boxed_values(reading))
    chosen = st.selectbox(
        "Show on the page",
        list(values),
        index=None,
        placeholder="All values",
        key=key,
        persist_state="page",
    )
    return values.get(chosen) if chosen else None


def draw_document_page(
    picture: bytes, page: ReadPage, reading: DocumentReading, selected: ReadValue | None = None
) -> None:
    """Draw the page with a box around each value that was read on it, green where the reading is certain.
    With `selected` only that value has a box."""
    values = [value for value in _all_values(reading) if value.page == page.number and value.box]
    if selected is not None:
        values = [selected]
    st.image(
        draw_boxes(picture, page, values),
        caption=f"Page {page.number}: {format_count(len(values), 'value')}, orange where the "
        "reading is uncertain",
        alt=f"Page {page.number} of {reading.filename} with boxes around "
        f"{format_count(len(values), 'value')}",
    )


def _list_boxed_values(reading: DocumentReading) -> Iterator[tuple[str, ReadValue]]:
    """Yield every value that has a place, with its label: `line 2, amount: 1,249.50`."""
    for value in reading.values:
        if value.box:
            yield f"{value.name.replace('_', ' ')}: {_format_value(value)}", value
    for line in reading.lines:
        for value in line.values:
            if value.box:
                yield f"line {line.index + 1}, {value.name.replace('_', ' ')}: {_format_value(value)}", value


def draw_boxes(picture: bytes, page: ReadPage, values: Sequence[ReadValue]) -> Image.Image:
    """Return the picture of a page with the boxes of `values` drawn on it."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, image.width - 1, image.height - 1), outline=_BORDER)
    across = image.width / float(page.width or 1)
    down = image.height / float(page.height or 1)
    for value in values:
        if value.box and len(value.box) == 4:
            left, top, right, bottom = (float(edge) for edge in value.box)
            pen.rectangle(
                (left * across - 2, top * down - 2, right * across + 2, bottom * down + 2),
                outline=_VERIFIED if value.sure else _DOUBTFUL,
                width=max(2, image.width // 600),
            )
    return image


def _all_values(reading: DocumentReading) -> list[ReadValue]:
    return [*reading.values, *(value for line in reading.lines for value in line.values)]


def _sort_key(value: ReadValue) -> tuple[bool, Decimal]:
    return value.sure, value.confidence if value.confidence is not None else Decimal(0)


def _row(value: ReadValue) -> dict[str, str | float | int | None]:
    return {
        "Field": value.name.replace("_", " "),
        "Value": _format_value(value),
        "Confidence": None if value.confidence is None else float(value.confidence),
        "Page": value.page,
    }


def _line_row(line: ReadLine, tags: Sequence[str]) -> dict[str, str | float | None]:
    return {
        "Product": line.product_name or "not matched",
        "Match": None if line.match_score is None else float(line.match_score),
        "Tags": ", ".join(tags),
        **{value.name.replace("_", " "): _format_value(value) for value in line.values},
    }


def _list_value_names(lines: Sequence[ReadLine]) -> list[str]:
    return list(dict.fromkeys(value.name.replace("_", " ") for line in lines for value in line.values))


def _format_value(value: ReadValue) -> str:
    if isinstance(value.value, bool):
        return "yes" if value.value else "no"
    return format_quantity(value.value) if isinstance(value.value, Decimal) else value.value
