"""The review of a document: its values and lines in tables that can be corrected, the doubtful first."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import streamlit as st

from app.contract.scope import DocumentReading, ReadLine, ReadValue, Scope
from components import specimens
from components.plain import plain
from components.reviewed_scope import TERM_FIELDS, ReviewedLine, follow_up, line_words
from components.table import edit_table

_WIDE = 140
_UNMATCHED = "-"


def draw_review(
    scope: Scope, reading: DocumentReading, choices: Mapping[str, str], *, key: str
) -> tuple[dict[str, str], list[ReviewedLine]]:
    """Draw the tables; the terms' texts by `TERM_FIELDS` and the lines, as they are now.

    `choices` are the products that a line may be given: id to name. No line is ever left out.
    """
    for warning in reading.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    return _draw_terms(scope, reading, key), _draw_lines(reading, choices, key)


def draw_faults(faults: Mapping[str, str]) -> None:
    """What keeps the review from being confirmed."""
    for where, fault in faults.items():
        st.caption(f":red[:material/error: {plain(where.rstrip(': '))}: {plain(fault)}]")


def _draw_terms(scope: Scope, reading: DocumentReading, key: str) -> dict[str, str]:
    read = {value.name: value for value in reading.values}
    assumed = _assumed(scope)
    names = sorted(TERM_FIELDS, key=lambda name: _doubt([read[name]] if name in read else []))
    rows = [
        {
            "Term": TERM_FIELDS[name],
            "Value": _text(read[name]) if name in read else assumed.get(name, ""),
            "Confidence": _confidence([read[name]]) if name in read else None,
            "Page": read[name].page if name in read else None,
        }
        for name in names
    ]
    edited = edit_table(
        rows,
        key=f"{key}-terms",
        alt="Terms of the purchase as read, the doubtful first; the values can be changed",
        columns={
            "Term": st.column_config.TextColumn(),
            "Value": st.column_config.TextColumn(width="medium"),
            "Confidence": _confidence_column(),
            "Page": st.column_config.NumberColumn(width="small", format="%d"),
        },
        editable=["Value"],
    )
    return {name: str(row["Value"] or "") for name, row in zip(names, edited, strict=True)}


def _assumed(scope: Scope) -> dict[str, str]:
    """What the scope says where the document does not: a term of twelve months, a sum less its tax."""
    term = scope.scope_terms[0] if scope.scope_terms else None
    if term is None:
        return {}
    price = {} if term.final_price is None else {"net_total": f"{term.final_price:,f}"}
    return {"term_months": f"{term.term_length:f}", **price}


def _draw_lines(reading: DocumentReading, choices: Mapping[str, str], key: str) -> list[ReviewedLine]:
    lines = sorted(reading.lines, key=lambda line: (line.product_id is not None, _doubt(line.values)))
    if not lines:
        return []
    unmatched = sum(line.product_id is None for line in lines)
    st.markdown(
        f"**Lines** :gray[{len(lines)} read"
        + (f", :orange[{unmatched} not matched to a product]" if unmatched else ", all matched")
        + "]"
    )
    edited = edit_table(
        [_line_row(line) for line in lines],
        key=f"{key}-lines",
        alt="Lines of the document, those without a product and the doubtful first; they can be corrected",
        columns={
            "Line": st.column_config.TextColumn(width=_WIDE),
            "Product": st.column_config.SelectboxColumn(
                width=_WIDE,
                options=[_UNMATCHED, *choices],
                format_func=lambda ident: choices.get(str(ident), "not matched"),
                required=True,
                help="A line without a product stays with the document, but is not part of the purchase",
            ),
            "Quantity": st.column_config.NumberColumn(width="small"),
            "Unit price": st.column_config.NumberColumn(width="small"),
            "Amount": st.column_config.NumberColumn(width="small"),
            "Confidence": _confidence_column(),
        },
        editable=["Product", "Quantity", "Amount"],
    )
    return [
        ReviewedLine(line, _chosen(row["Product"]), _decimal(row["Quantity"]), _decimal(row["Amount"]))
        for line, row in zip(lines, edited, strict=True)
    ]


def _confidence_column() -> Any:
    return st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1, width="small")


def _line_row(line: ReadLine) -> dict[str, Any]:
    read = {value.name: value.value for value in line.values}
    optional = " (optional)" if read.get("optional") is True else ""
    return {
        "Line": f"{line_words(line)}{optional}",
        "Product": _UNMATCHED if optional else line.product_id or _UNMATCHED,
        "Quantity": _float(read.get("quantity")),
        "Unit price": _float(read.get("unit_price")),
        "Amount": _float(read.get("amount")),
        "Confidence": _confidence(line.values),
    }


def _doubt(values: Sequence[ReadValue]) -> tuple[bool, float]:
    """Orders what should be looked at first to the front: what is not sure, then what is least so."""
    return bool(values) and all(_is_settled(value) for value in values), _confidence(values) or 0.0


def _is_settled(value: ReadValue) -> bool:
    return value.sure or value.confidence is None


def _confidence(values: Sequence[ReadValue]) -> float | None:
    known = [float(value.confidence) for value in values if value.confidence is not None]
    return min(known) if known else None


def _text(value: ReadValue) -> str:
    if isinstance(value.value, bool):
        return "yes" if value.value else "no"
    return f"{value.value:,f}" if isinstance(value.value, Decimal) else value.value


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, Decimal) else None


def _decimal(value: object) -> Decimal | None:
    if not isinstance(value, int | float) or math.isnan(value):
        return None
    return Decimal(str(value))


def _chosen(value: object) -> str | None:
    return value if isinstance(value, str) and value != _UNMATCHED else None


def example() -> None:
    scope: Scope = specimens.scope()
    product = specimens.product()
    values = [
        ReadValue(name="description", value=product.name, page=1, confidence=Decimal("0.9")),
        ReadValue(name="quantity", value=Decimal(120), page=1, confidence=Decimal("0.98"), sure=True),
        ReadValue(name="amount", value=Decimal(52400), page=1, confidence=Decimal("0.98"), sure=True),
    ]
    training = ReadValue(name="description", value="Training day", page=1, confidence=Decimal("0.7"))
    reading = DocumentReading(
        scope_id=scope.id,
        file_id=specimens.identity(71),
        filename="quote.pdf",
        kind="quote",
        pages=[],
        values=[
            ReadValue(name="term_months", value=Decimal(12), page=1, confidence=Decimal("0.6")),
            ReadValue(name="net_total", value=Decimal(52400), page=1, confidence=Decimal("0.98"), sure=True),
        ],
        lines=[
            ReadLine(index=0, values=values, product_id=product.id, product_name=product.name),
            ReadLine(index=1, values=[training]),
        ],
        warnings=[],
    )
    terms, lines = draw_review(scope, reading, {product.id: product.name}, key="example-review")
    draw_faults(follow_up(scope, reading, terms, lines, {product.id: product}).faults)
