"""What became of an agreement's lines as purchases: which are none, and which may be there twice."""

from collections.abc import Sequence

import streamlit as st

from app.contract.agreement_purchases import AgreementPurchase, RecordedPurchase
from app.contract.dates import format_day
from components.formatting.counts import format_count
from components.formatting.escape_markdown import escape_markdown


def draw_learned_lines(lines: Sequence[AgreementPurchase]) -> None:
    """Draw how many lines the next estimate knows, and a sentence for each that it does not, or in doubt."""
    if not lines:
        return
    known = sum(line.state in ("learned", "same") for line in lines)
    st.caption(f"{known:,} of {format_count(len(lines), 'line')} count as purchases in the next estimate.")
    for line in lines:
        if line.reason is not None:
            st.caption(escape_markdown(f"{line.description} does not count. {line.reason}"))
        if line.alike:
            found = ", ".join(map(_describe, line.alike))
            st.warning(
                escape_markdown(f"{line.description} may be on record twice: {found}. Both count."),
                icon=":material/content_copy:",
            )


def _describe(one: RecordedPurchase) -> str:
    order = f"order {one.order_id} of " if one.order_id else "the purchase of "
    return order + format_day(one.purchase_date)


def example() -> None:
    draw_learned_lines(
        [
            AgreementPurchase(line=0, description="Analytics", state="learned", alike=[]),
            AgreementPurchase(
                line=1, description="Set up", state="not_learned", reason="It costs nothing.", alike=[]
            ),
        ]
    )
