"""What the pages say of sample data, and the button that removes it."""

from collections.abc import Iterable

import streamlit as st

from app.contract.sample import SampleData, SampleRemoval
from app.dashboard import navigation
from app.dashboard.api import extension_queries, queries
from app.dashboard.api.cached_read import clear_reads
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.elements.page_header import RECORD_SAMPLE, draw_sample_banner
from components.formatting.counts import format_count

READ_OPERATION, REMOVE_OPERATION = "GET /v1/sample", "DELETE /v1/sample"


def load_sample_data(deployment: Deployment) -> SampleData | None:
    """Return what sample data there is; None where the deployment does not say."""
    if not queries.has_operation(deployment, READ_OPERATION):
        return None
    return extension_queries.load_sample_data(deployment)


def find_sample_ids(deployment: Deployment) -> frozenset[str]:
    """Return the ids of all scopes, requirements, negotiations and webhooks that are sample data."""
    sample = load_sample_data(deployment)
    if sample is None:
        return frozenset()
    return frozenset(
        [*sample.scope_ids, *sample.requirement_ids, *sample.negotiation_ids, *sample.webhook_ids]
    )


def find_uncounted_ids(deployment: Deployment) -> frozenset[str]:
    """Return the ids of the records that count in no figure, as there is real data."""
    sample = load_sample_data(deployment)
    return frozenset() if sample is None or sample.counted else find_sample_ids(deployment)


def draw_sample_notice(deployment: Deployment, ids: Iterable[str]) -> None:
    """Draw the banner where one of the shown records is sample data, or that this could not be found out."""
    with failure_panel("The check for sample data"):
        if not find_sample_ids(deployment).isdisjoint(ids):
            _draw_notice(deployment)


def draw_sample_figures_notice(deployment: Deployment) -> None:
    """Draw the banner above figures that sample data is part of."""
    sample = load_sample_data(deployment)
    if sample is not None and sample.counted and find_sample_ids(deployment):
        _draw_notice(deployment)


def _draw_notice(deployment: Deployment) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        draw_sample_banner(RECORD_SAMPLE)
        if queries.has_operation(deployment, REMOVE_OPERATION):
            navigation.draw_link("deployment", "Remove the sample data", icon=":material/delete_sweep:")


def draw_sample_removal(deployment: Deployment) -> None:
    """Draw what sample data there is and the button that removes it, after a confirmation."""
    sample = load_sample_data(deployment)
    if sample is None or not (sample.suppliers or find_sample_ids(deployment)):
        return
    st.subheader("Sample data", anchor=False)
    parts = (
        format_count(sample.suppliers, "invented supplier"),
        format_count(sample.purchases, "purchase"),
        format_count(len(sample.scope_ids), "quote"),
        format_count(len(sample.requirement_ids), "requirement"),
        format_count(len(sample.negotiation_ids), "negotiation"),
        format_count(len(sample.webhook_ids), "webhook"),
    )
    counted = "It is in all lists and figures" if sample.counted else "It is in no list and no figure"
    reason = "as long as there is no real data" if sample.counted else "as there is real data"
    st.caption(f"{', '.join(parts)}. {counted}, {reason}.")
    if not queries.has_operation(deployment, REMOVE_OPERATION):
        return

    with st.popover("Remove the sample data", icon=":material/delete_sweep:"):
        st.markdown(
            "All sample records are removed for good. Your own records stay, with the sample suppliers that "
            "they name."
        )
        write_button(
            deployment,
            "Remove for good",
            name="remove-sample",
            operation="DELETE /v1/sample",
            what="Removing the sample data",
            write=lambda client, _: client.sample.remove(),
            on_success=_report_removal,
            type="primary",
        )


def _report_removal(removal: SampleRemoval) -> None:
    clear_reads()
    st.toast("The sample data was removed.", icon=":material/check:")
    for sentence in removal.kept:
        st.toast(f"Kept: {sentence}", icon=":material/info:", duration="long")
