from decimal import Decimal

import streamlit as st

from components.estimates.evidence_report import Evidence, render_evidence_report
from tests.components.estimates.fixtures import make_advanced_estimate, make_explanation
from tests.components.fixtures import NOON
from tests.components.scopes.fixtures import make_scope


def example() -> None:
    estimate = make_advanced_estimate()
    case = Evidence(
        make_scope(),
        estimate,
        Decimal(52_400),
        make_explanation(),
        supplier="Ledgerworks",
        editions=["Edition Team"],
        left_out_ids=frozenset({estimate.real_similar_purchases[0].id}),
        left_out_reason="An emergency order",
        estimate_without=estimate,
    )
    st.html(render_evidence_report([case], NOON).decode())
