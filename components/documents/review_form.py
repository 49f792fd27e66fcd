"""The form of what was read of a document."""

import math
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import cast

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from app.contract.catalog import Product
from app.contract.money import count_decimals
from app.contract.scope import (
    DocumentReading,
    LineRole,
    ReadLine,
    ReadValue,
)
from components.documents.line_review import (
    AssignedProducts,
    ReviewedLine,
    describe_line,
    list_tag_labels,
    read_quantity,
)
from components.elements.table import Columns, Row, edit_table
from components.formatting.texts import escape_markdown

TERM_VALUES: Mapping[str, str] = {
    "term_months": "term_length",
    "net_total": "final_price",
    "start_date": "start_date",
    "end_date": "end_date",
    "auto_renew": "auto_renew",
}
"""The values of a document that become terms of its scope, with the fields of these."""
_WIDE, _NARROW = 140, 92
ROLE_LABELS: dict[str, str] = {
    "product": "product",
    "not_product": "not a product",
    "left_aside": "left out",
}
_UNMATCHED = "-"
_PART = ("From month", "Months")


def draw_lines(
    reading: DocumentReading,
    choices: Mapping[str, str],
    products: Mapping[str, Product],
    assigned: AssignedProducts,
    *,
    key: str,
) -> list[ReviewedLine]:
    """Draw the table of the lines, and return these as they are in it. No line is ever left out.

    `choices` are the names of the products that a line may be given, by id; `products` are those that lines
    were matched to; `assigned` holds what was chosen outside the table.
    """
    lines = sorted(reading.lines, key=lambda line: (line.product_id is not None, _sort_key(line.values)))
    if not lines:
        return []
    labels = list_tag_labels(lines)
    rows = [_make_line_row(line, tags, products, assigned) for line, tags in zip(lines, labels, strict=True)]
    edited = edit_table(
        rows,
        key=f"{key}-lines",
        alt="Lines of the document, those without a product and the least certain first; editable",
        columns=_make_line_columns(rows, choices, reading.currency or ""),
        editable=["Product", "Quantity", "Amount", "Kind", *_PART],
    )
    return [_read_line(line, row, assigned) for line, row in zip(lines, edited, strict=True)]


def describe_reading(value: ReadValue) -> str:
    """Return where a value was read, whether that is doubtful, and what else it may be, in Markdown."""
    place = f"Page {value.page}" if value.page else ""
    if is_read_surely(value):
        return place
    other = f"or {escape_markdown(value.second)}" if value.second else ""
    return f":orange[{', '.join(filter(None, (place, 'not sure', other)))}]"


def describe_lines(lines: Sequence[ReviewedLine], open_lines: Collection[int]) -> str:
    """Return `3 read, 1 not matched to a product, 1 to answer, 1 not a product`; `all matched` only where
    nothing is left to answer. `open_lines` are the indexes of lines of which something that affects the price
    is unknown."""
    products = [line for line in lines if line.role == "product"]
    unmatched = sum(line.product_id is None for line in products)
    questions = sum(line.is_bought and line.line.index in open_lines for line in products)
    words = [f"{len(lines)} read"]
    if unmatched:
        words.append(f":orange[{unmatched} not matched to a product]")
    if questions:
        words.append(f":orange[{questions} to answer]")
    if products and not unmatched and not questions:
        words.append("all matched")
    for role, name in ROLE_LABELS.items():
        if role != "product" and (count := sum(line.role == role for line in lines)):
            words.append(f"{count} {name}")
    return f"**Lines** :gray[{', '.join(words)}]"


def draw_review_faults(faults: Mapping[str, str]) -> None:
    """Draw what prevents the review from being confirmed."""
    for where, fault in faults.items():
        st.caption(f":red[:material/error: {escape_markdown(where.rstrip(': '))}: {escape_markdown(fault)}]")


def _make_line_columns(rows: Sequence[Row], choices: Mapping[str, str], currency: str) -> Columns:
    """Return the columns of the lines. Tags stand before what is further right than a narrow page shows."""
    kind = {
        "Kind": st.column_config.SelectboxColumn(
            width="small",
            options=list(ROLE_LABELS),
            format_func=lambda role: ROLE_LABELS.get(str(role), str(role)),
            required=True,
            help="Not a product: shipping, services, credits, texts. Left out: a product that should not be"
            " estimated. Both stay in the quote's total.",
        )
    }
    tags = {
        "Tags": st.column_config.TextColumn(
            width=_NARROW, help="Optional lines are in no total; one-off ones are paid once in the whole term"
        )
    }
    part = {
        "From month": st.column_config.NumberColumn(
            width="small", min_value=1, format="%d", help="Of the term, from 1; empty for all of it"
        ),
        "Months": st.column_config.NumberColumn(
            width="small", min_value=1, format="%d", help="How long it runs; empty for all of the term"
        ),
    }
    tagged = any(row["Tags"] for row in rows)
    return {
        "Line": st.column_config.TextColumn(width=_WIDE),
        **(tags if tagged else {}),
        "Product": st.column_config.SelectboxColumn(
            width=_NARROW if tagged else _WIDE,
            options=[_UNMATCHED, *choices],
            format_func=lambda ident: choices.get(str(ident), "none"),
            required=True,
            help="A line without a product stays in the quote's total but is not estimated",
        ),
        "Quantity": st.column_config.NumberColumn(
            width="small", format=_make_number_format(rows, "Quantity")
        ),
        **({} if tagged else kind),
        "Amount": st.column_config.NumberColumn(
            f"Amount {currency}".rstrip(),
            width=_NARROW if tagged else "small",
            format=_make_number_format(rows, "Amount"),
            help="Before tax, for the whole term",
        ),
        **(kind if tagged else {}),
        **(part if any(row[name] is not None for row in rows for name in _PART) else {}),
        "Unit price": st.column_config.NumberColumn(
            f"Unit price {currency}".rstrip(), width="small", format=_make_number_format(rows, "Unit price")
        ),
        "Confidence": make_confidence_column(),
    }


def _make_number_format(rows: Sequence[Row], column: str) -> str:
    """Return a format with separators of thousands and the decimals of that number which has the most."""
    numbers = (row[column] for row in rows)
    decimals = max((count_decimals(one) for one in numbers if isinstance(one, float)), default=0)
    return f"%,.{decimals}f"


def _read_line(line: ReadLine, row: Row, assigned: AssignedProducts) -> ReviewedLine:
    """Return a line with its values from the table. A line that is given a product becomes a product,
    whatever was proposed."""
    in_table = _to_product_id(row["Product"])
    product_id = assigned.get_product(line.index, in_table)
    role = cast(LineRole, row["Kind"]) if row["Kind"] in ROLE_LABELS else "product"
    if product_id is not None and role == line.role != "product":
        role = "product"
    first, months = (_to_decimal(row.get(name)) for name in _PART)
    return ReviewedLine(
        line,
        product_id,
        _to_decimal(row["Quantity"]),
        _to_decimal(row["Amount"]),
        role,
        first_month=None if first is None else int(first) - 1,
        months=None if months is None else int(months),
    )


def make_confidence_column() -> ColumnConfig:
    """Return the column for confidences from 0 to 1."""
    return st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1, width="small")


def _make_line_row(
    line: ReadLine, tags: Sequence[str], products: Mapping[str, Product], assigned: AssignedProducts
) -> Row:
    read = {value.name: value.value for value in line.values}
    bought = line.product_id if line.role == "product" else None
    product_id = assigned.get_product(line.index, bought)
    amount = line.term_amount if line.term_amount is not None else read.get("amount")
    return {
        "Line": describe_line(line),
        "Product": product_id or _UNMATCHED,
        "Quantity": _to_float(read_quantity(line, products.get(line.product_id or ""))),
        "Unit price": _to_float(read.get("unit_price")),
        "Amount": _to_float(amount),
        "Kind": "product" if product_id is not None else line.role,
        "Tags": ", ".join(tags),
        "From month": None if line.months is None else float((line.first_month or 0) + 1),
        "Months": None if line.months is None else float(line.months),
        "Confidence": _get_confidence(line.values),
    }


def _sort_key(values: Sequence[ReadValue]) -> tuple[bool, float]:
    """Sorts uncertain values first, then those with the least confidence."""
    return bool(values) and all(is_read_surely(value) for value in values), _get_confidence(values) or 0.0


def is_read_surely(value: ReadValue) -> bool:
    """Return whether nobody needs to look at the value."""
    return value.sure or value.confidence is None


def _get_confidence(values: Sequence[ReadValue]) -> float | None:
    confidences = [float(value.confidence) for value in values if value.confidence is not None]
    return min(confidences) if confidences else None


def _to_float(value: object) -> float | None:
    return float(value) if isinstance(value, Decimal) else None


def _to_decimal(value: object) -> Decimal | None:
    if not isinstance(value, int | float) or math.isnan(value):
        return None
    return Decimal(str(value))


def _to_product_id(value: object) -> str | None:
    return value if isinstance(value, str) and value != _UNMATCHED else None
