"""Purchases that may be those of an agreement's lines: a person decides of each whether it is the same."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.agreement_purchases import AgreementPurchase, PurchaseDecision, RecordedPurchase
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from components.agreements.learned_lines import describe_decision, describe_doubt


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
