"""A document that was read: its progress, doubts and second opinion, and what was read of it."""

import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from urllib.parse import urlsplit

import streamlit as st
from PIL import Image, ImageDraw, ImageOps

from app.contract.money import format_quantity, round_to_cents
from app.contract.scope import DocumentProcessing, DocumentReading, LineRole, ReadLine, ReadPage, ReadValue
from app.contract.second_opinion import SecondOpinion
from components.documents.review_form import (
    TERM_VALUES,
    ReviewedLine,
    ask_number,
    describe_lines,
    find_value,
    holds_unknown_tax,
    list_tag_labels,
    make_confidence_column,
)
from components.elements.empty_state import draw_stall_note
from components.elements.table import draw_table, drop_empty_columns
from components.formatting import escape_markdown, format_count, format_local_time

FINAL_STATUSES = frozenset({"completed", "failed"})
_PROGRESS = {"pending": 0.1, "processing": 0.55, "completed": 1.0}


def is_finished(document: DocumentProcessing | None) -> bool:
    """Return whether reading has ended. A scope without a document is finished from the start."""
    return document is None or document.status in FINAL_STATUSES


def draw_document_progress(document: DocumentProcessing, now: datetime) -> None:
    """Draw a bar while the document is being read, and the reason where reading failed."""
    name = escape_markdown(document.filename)
    if document.status == "failed":
        why = escape_markdown(document.error or "The service gave no reason.")
        st.error(
            f"**No quote was read from {name}.** {why}  \n"
            "Upload another file, or describe the purchase in a form.",
            icon=":material/error:",
        )
    elif document.status == "completed":
        st.success(f"{name} was read.", icon=":material/task_alt:")
    else:
        state = "waiting to be read" if document.status == "pending" else "is being read"
        st.progress(_PROGRESS.get(document.status, 0.3), text=f"{name} {state}…")
        draw_stall_note(document.updated_at, now)


def draw_reading_warnings(warnings: Sequence[str]) -> None:
    """Draw the sentences about a reading in one panel; nothing where there is none."""
    lines = [escape_markdown(warning) for warning in warnings]
    if lines:
        text = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
        st.warning(text, icon=":material/warning:")


def draw_currency(reading: DocumentReading, *, key: str) -> str | None:
    """Draw a choice of the currency where it is not sure. Return the code that was chosen, "" where nothing
    was asked: it is as read; None where the document names none and it was not chosen."""
    read = find_value(reading.values, "currency")
    if read is not None and read.sure:
        return ""
    likely = [reading.currency, reading.assumed_currency, read.second if read else None]
    chosen = st.selectbox(
        "Currency",
        [code for code in likely if code],
        index=0 if reading.currency else None,
        accept_new_options=True,
        placeholder="Which currency?",
        help="The document names none for sure. Choose it, or type its code.",
        width=140,
        key=f"{key}-currency",
        label_visibility="collapsed",
    )
    return (chosen or "").strip().upper() or None


_SUBJECTS = {
    "net_total": "the price before tax",
    "tax_total": "the tax",
    "total": "the total",
    "lines": "the lines",
}


def draw_second_opinion(opinion: SecondOpinion) -> None:
    """Draw what was sent, to whom and when, and what came of it."""
    with st.container(border=True, gap="xsmall", key="second-opinion"):
        st.markdown(f":material/psychology_alt: **{_TITLES.get(opinion.status, 'A second opinion')}**")
        if opinion.asked_at is not None:
            st.markdown(escape_markdown(describe_request(opinion)))
        if opinion.sentences:
            st.markdown(escape_markdown(" ".join(opinion.sentences)))


_TITLES = {
    "asked": "A second opinion was asked, and its answer is not known",
    "answered": "Read with a second opinion",
    "failed": "A second opinion was asked and gave none",
    "not_asked": "No second opinion was asked",
}


def describe_request(opinion: SecondOpinion) -> str:
    """Return what was sent, to whom, when and what about, in a sentence."""
    pages = ", ".join(str(number) for number in opinion.page_numbers)
    page = "page" if len(opinion.page_numbers) == 1 else "pages"
    about = [_SUBJECTS.get(name, name) for name in opinion.asked_about]
    subjects = about[0] if len(about) == 1 else f"{', '.join(about[:-1])} and {about[-1]}"
    when = format_local_time(opinion.asked_at)
    return (
        f"{format_count(opinion.word_count, 'word')} of {page} {pages} went to {opinion.model} at"
        f" {urlsplit(opinion.address).netloc} on {when}, to ask about {subjects}."
    )


_VERIFIED = "#2f9e6e"
_DOUBTFUL = "#c77d0a"
_BORDER = "#c4ccd4"
_FAINT = 12
"""Of 255 shades between paper and ink: what is less is the grain of a scan."""


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
                **{
                    _name(value): st.column_config.TextColumn(_name(value))
                    for line in reading.lines
                    for value in line.values
                },
            },
        )


def _get_role(line: ReadLine) -> LineRole:
    return line.role if line.role in ("left_aside", "not_product") else "product"


def _draw_values(values: Sequence[ReadValue], key: str) -> None:
    rows = [_row(value) for value in values]
    draw_table(
        rows,
        key=key,
        alt="Values of the document, least certain first",
        columns=drop_empty_columns(
            {
                "Field": st.column_config.TextColumn(),
                "Value": st.column_config.TextColumn(width="medium"),
                "Or": st.column_config.TextColumn(width="small"),
                "Confidence": make_confidence_column(),
                "Page": st.column_config.NumberColumn(width="small", format="%d"),
            },
            rows,
            ["Or"],
        ),
    )


def draw_tax_rate(reading: DocumentReading, *, key: str) -> DocumentReading:
    """Ask for the rate of the tax that prices hold where the document states none, and return the reading
    with what they are before it."""
    if not any(map(holds_unknown_tax, reading.lines)):
        return reading
    rate = ask_number("Tax in the prices, in %", "Which rate?", key=f"{key}-tax", max_value=100.0, width=170)
    if rate is None:
        return reading
    part = 1 + rate / 100

    def take_out(line: ReadLine) -> ReadLine:
        amount = find_value(line.values, "amount")
        if amount is None or not holds_unknown_tax(line):
            return line
        return line.model_copy(update={"term_amount": _divide(amount.value, part), "question": None})

    net = find_value(reading.values, "net_total")
    values = [
        one.model_copy(update={"value": _divide(one.value, part)}) if one is net else one
        for one in reading.values
    ]
    return reading.model_copy(update={"values": values, "lines": [take_out(line) for line in reading.lines]})


def _divide(value: object, by: Decimal) -> object:
    return round_to_cents(value / by) if isinstance(value, Decimal) else value


def draw_other_values(reading: DocumentReading, *, key: str) -> None:
    """Draw the values of the document that are no term of a scope, folded away."""
    values = sorted((one for one in reading.values if one.name not in TERM_VALUES), key=_sort_key)
    if values:
        with st.expander("Other values in the document", icon=":material/list:"):
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
        placeholder="Show one value on the page",
        key=key,
        label_visibility="collapsed",
        persist_state="page",
    )
    return values.get(chosen) if chosen else None


def describe_document(reading: DocumentReading) -> str:
    """Return `offer.pdf, read as quote`."""
    kind = "a paper of no known kind" if reading.kind == "other" else reading.kind.replace("_", " ")
    return f"{reading.filename}, read as {kind}"


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
        caption=f"{escape_markdown(describe_document(reading))}. Page {page.number}: "
        f"{format_count(len(values), 'value')}, orange where the reading is uncertain",
        alt=f"Page {page.number} of {reading.filename} with boxes around "
        f"{format_count(len(values), 'value')}",
    )


def _list_boxed_values(reading: DocumentReading) -> Iterator[tuple[str, ReadValue]]:
    """Yield every value that has a place, with its label: `line 2, amount: 1,249.50`."""
    for value in reading.values:
        if value.box:
            yield f"{_name(value)}: {_format_value(value)}", value
    for line in reading.lines:
        for value in line.values:
            if value.box:
                yield f"line {line.index + 1}, {_name(value)}: {_format_value(value)}", value


def draw_boxes(picture: bytes, page: ReadPage, values: Sequence[ReadValue]) -> Image.Image | str:
    """Return the picture or the SVG of a page with the boxes of `values` drawn on it, without the blank rest
    below."""
    if picture.startswith(b"<svg"):
        return picture.decode().replace("</svg>", "".join(map(_draw_box, values)) + "</svg>")
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    is_printed = [255 if shade > _FAINT else 0 for shade in range(256)]
    printed = ImageOps.invert(image.convert("L")).point(is_printed).getbbox()
    across = image.width / float(page.width or 1)
    down = image.height / float(page.height or 1)
    end = printed[3] + image.width // 16 if printed else image.height
    image = image.crop((0, 0, image.width, min(end, image.height)))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, image.width - 1, image.height - 1), outline=_BORDER)
    for value in values:
        if value.box and len(value.box) == 4:
            left, top, right, bottom = (float(edge) for edge in value.box)
            pen.rectangle(
                (left * across - 2, top * down - 2, right * across + 2, bottom * down + 2),
                outline=_VERIFIED if value.sure else _DOUBTFUL,
                width=max(2, image.width // 600),
            )
    return image


def _draw_box(value: ReadValue) -> str:
    if not value.box or len(value.box) != 4:
        return ""
    left, top, right, bottom = value.box
    pen = f'fill="none" stroke="{_VERIFIED if value.sure else _DOUBTFUL}"'
    return (
        f'<rect x="{left - 1}" y="{top - 1}" width="{right - left + 2}" height="{bottom - top + 2}" {pen}/>'
    )


def _all_values(reading: DocumentReading) -> list[ReadValue]:
    return [*reading.values, *(value for line in reading.lines for value in line.values)]


def _sort_key(value: ReadValue) -> tuple[bool, Decimal]:
    return value.sure, value.confidence if value.confidence is not None else Decimal(0)


def _row(value: ReadValue) -> dict[str, str | float | int | None]:
    return {
        "Field": _name(value),
        "Value": _format_value(value),
        "Or": value.second,
        "Confidence": None if value.confidence is None else float(value.confidence),
        "Page": value.page,
    }


def _line_row(line: ReadLine, tags: Sequence[str]) -> dict[str, str | float | None]:
    return {
        "Product": line.product_name or "not matched",
        "Match": None if line.match_score is None else float(line.match_score),
        "Tags": ", ".join(tags),
        **{_name(value): _format_value(value) for value in line.values},
    }


def _name(value: ReadValue) -> str:
    return value.name.replace("_", " ")


def _format_value(value: ReadValue) -> str:
    if isinstance(value.value, bool):
        return "yes" if value.value else "no"
    return format_quantity(value.value) if isinstance(value.value, Decimal) else value.value
