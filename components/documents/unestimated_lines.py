"""What of a quote is in its total and in no estimate: always shown where the total is."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import streamlit as st

from app.contract.scope import DocumentReading, ReadLine
from components.documents.reviewed_scope import line_words
from components.formatting.escape_markdown import plain
from components.formatting.money import quantity


@dataclass(frozen=True)
class LeftAside:
    """A line that no estimate covers. `amount` before tax, for the whole term; None where none is stated."""

    description: str
    amount: Decimal | None
    why: str


NO_PRODUCT = "no product"
ASIDE = "left aside"


def left_aside(reading: DocumentReading) -> list[LeftAside]:
    """The lines of a document that cost and are estimated by nothing."""
    return [
        LeftAside(line_words(line), line.term_amount, NO_PRODUCT if line.role == "not_product" else ASIDE)
        for line in reading.lines
        if (line.role != "product" or line.product_id is None) and _costs(line)
    ]


def draw_left_aside(lines: Sequence[LeftAside]) -> None:
    """A sentence with the sum, and each line with why; nothing where there is none."""
    if not lines:
        return
    known = [line.amount for line in lines if line.amount is not None]
    whole = (
        f"{len(lines)} lines, {quantity(sum(known, Decimal(0)))} in all: " if len(lines) > 1 and known else ""
    )
    named = "; ".join(
        f"{plain(line.description)} ({line.why}{'' if line.amount is None else f', {quantity(line.amount)}'})"
        for line in lines
    )
    st.caption(f":material/info: In the quote's total and in no estimate: {whole}{named}.")


def _costs(line: ReadLine) -> bool:
    optional = any(value.name == "optional" and value.value is True for value in line.values)
    return not optional and line.term_amount != 0


def example() -> None:
    draw_left_aside(
        [
            LeftAside("Training day", Decimal(2000), NO_PRODUCT),
            LeftAside("Harbour Vault", Decimal("8540.50"), ASIDE),
        ]
    )
