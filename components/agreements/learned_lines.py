"""What became of an agreement's lines as purchases: which are none, and which may be there twice."""

from collections.abc import Sequence

import streamlit as st

from app.contract.agreement_purchases import AgreementPurchase, DecidedPurchase, RecordedPurchase
from app.contract.dates import format_day
from components.formatting.counts import format_count
from components.formatting.escape_markdown import escape_markdown


def draw_learned_lines(lines: Sequence[AgreementPurchase]) -> None:
    """Draw how many lines the next estimate knows, and a sentence for each that it does not."""
    if not lines:
        return
    known = sum(line.state in ("learned", "same") for line in lines)
    st.caption(f"{known:,} of {format_count(len(lines), 'line')} count as purchases in the next estimate.")
    for line in lines:
        if line.reason is not None:
            st.caption(escape_markdown(f"{line.description} does not count. {line.reason}"))
    if any(line.reason is not None for line in lines):
        st.caption("What is missing is stated under “Lines”: then they count.")


def describe_doubt(line: AgreementPurchase, one: RecordedPurchase) -> str:
    """Return a sentence about a purchase that may be that of a line, as Markdown."""
    return escape_markdown(
        f"{line.description} may be on record twice: {_describe(one)} may be the same. Both count."
    )


def describe_decision(line: AgreementPurchase, decided: DecidedPurchase) -> str:
    """Return a sentence about what was decided of a purchase, as Markdown."""
    answer = "is the same, and counts once" if decided.same else "is another purchase: both count"
    by = f" ({decided.decided_by})" if decided.decided_by else ""
    return escape_markdown(f"{line.description}: {_describe(decided.purchase)} {answer}{by}.")


def _describe(one: RecordedPurchase) -> str:
    order = f"order {one.order_id} of " if one.order_id else "the purchase of "
    return order + format_day(one.purchase_date)
