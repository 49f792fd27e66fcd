"""What becomes of a price list: its prices are list prices of the catalog once somebody takes them."""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from app.contract.scope import DocumentReading, ListedLine, ListedPer
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from components.documents.line_review import ReviewedLine, describe_line
from components.formatting.counts import format_count
from components.formatting.texts import escape_markdown

TAKE_OPERATION = "POST /v1/scope/{}/document/list-prices"
PER_LABELS: Mapping[ListedPer, str] = {
    "month": "a month",
    "quarter": "a quarter",
    "year": "a year",
    "once": "all time, paid once",
}


def draw_price_list(
    deployment: Deployment,
    reading: DocumentReading,
    lines: Sequence[ReviewedLine],
    taken: Collection[int],
    *,
    key: str,
) -> None:
    """Draw the button that takes the prices of the lines with a product, and the one that takes them back.
    `taken` are the lines, by index, that are list prices already."""
    if reading.kind != "price_list" or not queries.has_operation(deployment, TAKE_OPERATION):
        return
    priced = [line for line in lines if _find_product(line) and _find_value(line, "unit_price")]
    per: ListedPer | None = None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if any(not says_its_period(line) for line in priced):
            per = st.selectbox(
                "The prices of a unit are for",
                list(PER_LABELS),
                index=None,
                format_func=PER_LABELS.__getitem__,
                placeholder="The list does not say",
                key=f"{key}-list-price-per",
            )
        _draw_write(
            deployment,
            reading.scope_id,
            f"Take {format_count(len(priced), 'price')} as list prices",
            list_taken_lines(priced, per),
            name="take-list-prices",
            icon=":material/sell:",
            disabled=not priced or (per is None and any(not says_its_period(line) for line in priced)),
        )
        if taken:
            _draw_write(deployment, reading.scope_id, "Take them back", [], name="untake-list-prices")
    if priced:
        st.caption(escape_markdown(f"Prices of: {', '.join(dict.fromkeys(map(_name_product, priced)))}."))
    if taken:
        count = format_count(len(taken), "price")
        st.caption(f"{count} of this list are list prices in your catalog: estimates compare with them.")
    elif not priced:
        st.caption("No line has a product of the catalog yet: give it one in the table, or add it.")


def list_taken_lines(lines: Sequence[ReviewedLine], per: ListedPer | None) -> list[ListedLine]:
    """Return the lines as they are taken; `per` is what the prices are for that do not say it."""
    return [
        ListedLine(
            index=line.line.index,
            product_id=product_id,
            per=None if says_its_period(line) else per,
        )
        for line in lines
        if (product_id := _find_product(line)) is not None
    ]


def says_its_period(line: ReviewedLine) -> bool:
    """Return whether the line says what its price is for."""
    return line.line.recurring is False or _find_value(line, "period_months") is not None


def _find_product(line: ReviewedLine) -> str | None:
    """The product that a person gave the line, else that which it was matched to: no price alone buys it."""
    return line.product_id or line.line.product_id


def _name_product(line: ReviewedLine) -> str:
    """What the line was matched to, with what it says where that is something else."""
    said, matched = describe_line(line.line), line.line.product_name
    return said if matched in (None, said) or line.product_id is not None else f"{matched} ({said})"


def _find_value(line: ReviewedLine, name: str) -> object:
    return next((value.value for value in line.line.values if value.name == name), None)


def _draw_write(
    deployment: Deployment,
    scope_id: str,
    label: str,
    lines: Sequence[ListedLine],
    *,
    name: str,
    icon: str | None = None,
    disabled: bool = False,
) -> None:

    write_button(
        deployment,
        label,
        name=f"{name}-{scope_id}",
        what="Changing the list prices",
        write=lambda client, key: client.scopes.take_list_prices(scope_id, lines, idempotency_key=key),
        on_success=lambda _: None,
        icon=icon,
        disabled=disabled,
        help="Your organisation alone sees them, with this document as their source.",
    )
