"""What was paid for a unit over time, and which purchases are those of an agreement."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.agreement_purchases import AgreementPurchase, PurchaseDecision, RecordedPurchase
from app.dashboard.api import agreement_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.agreements.price_history import (
    describe_decision,
    describe_doubt,
    draw_learned_lines,
    draw_price_history,
)
from components.elements.empty_state import draw_empty_state


def draw_same_purchases(
    deployment: Deployment, agreement_id: str, lines: Sequence[AgreementPurchase]
) -> None:
    """Draw each doubt with a button for both answers, and each answer with one for the other."""
    can_decide = queries.has_operation(deployment, "POST /v1/agreements/{}/purchases/decision")
    for line in lines:
        for each in line.alike:
            st.warning(describe_doubt(line, each), icon=":material/content_copy:")
            if can_decide:
                with st.container(horizontal=True):
                    _draw_answer(deployment, agreement_id, line, each, same=True)
                    _draw_answer(deployment, agreement_id, line, each, same=False)
        for decided in line.decided or ():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(describe_decision(line, decided))
                if can_decide:
                    _draw_answer(deployment, agreement_id, line, decided.purchase, same=not decided.same)


def _draw_answer(
    deployment: Deployment, agreement_id: str, line: AgreementPurchase, one: RecordedPurchase, *, same: bool
) -> None:
    decision = PurchaseDecision(line=line.line, purchase_id=one.id, same=same)
    write_button(
        deployment,
        "It is the same" if same else "They are two",
        name=f"same-{same}-{agreement_id}-{line.line}-{one.id}",
        what="Storing the answer",
        write=partial(_send, agreement_id, decision),
        icon=":material/join:" if same else ":material/call_split:",
    )


def _send(
    agreement_id: str, decision: PurchaseDecision, client: ScopedClient, idempotency_key: str
) -> AgreementPurchase:
    return client.renewals.decide_purchase(agreement_id, decision, idempotency_key=idempotency_key)


def has_price_history(deployment: Deployment) -> bool:
    """Whether the deployment tells it."""
    return queries.has_operation(deployment, "GET /v1/price-history")


def draw_price_history_tab(
    deployment: Deployment, *, agreement_id: str | None = None, company_id: str | None = None
) -> None:
    """Draw the history of an agreement or of a supplier, or say where it comes from."""
    with failure_panel("The prices paid over time"):
        if agreement_id is not None and queries.has_operation(deployment, "GET /v1/agreements/{}/purchases"):
            lines = agreement_queries.load_agreement_purchases(deployment, agreement_id)
            draw_learned_lines(lines)
            draw_same_purchases(deployment, agreement_id, lines)
        history = agreement_queries.load_price_history(
            deployment, agreement_id=agreement_id, company_id=company_id
        )
        if history.lines or history.doubts:
            draw_price_history(history, key="price-history")
        else:
            draw_empty_state(
                "No purchases of yours yet",
                "Lines of contracts with a product, a quantity and a price become purchases, as do imported"
                " orders.",
                icon="show_chart",
            )
