"""What the pages say of sample data, the button that removes it, and the guided path through it: five steps,
each on the page where it is seen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import streamlit as st

from app.contract.deployment import SampleData, SampleRemoval
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.cached_read import clear_reads
from app.dashboard.api.write_button import confirmed_write
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import TOUR_STEP
from components.elements.page_header import RECORD_SAMPLE, draw_heading, draw_sample_banner
from components.formatting import format_count

READ_OPERATION, REMOVE_OPERATION = "GET /v1/sample", "DELETE /v1/sample"


def load_sample_data(deployment: Deployment) -> SampleData | None:
    """Return what sample data there is; None where the deployment does not say."""
    if not queries.has_operation(deployment, READ_OPERATION):
        return None
    return queries.load_sample_data(deployment)


def find_sample_ids(deployment: Deployment) -> frozenset[str]:
    """Return the ids of all records of the organisation that are sample data."""
    sample = load_sample_data(deployment)
    if sample is None:
        return frozenset()
    own = (sample.scope_ids, sample.requirement_ids, sample.negotiation_ids, sample.webhook_ids)
    return frozenset(chain(*own, sample.agreement_ids))


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
            navigation.draw_link("deployment", "Remove the sample data", icon="delete_sweep")


def draw_sample_removal(deployment: Deployment) -> None:
    """Draw what sample data there is and the button that removes it, after a confirmation."""
    sample = load_sample_data(deployment)
    if sample is None or not (sample.suppliers or find_sample_ids(deployment)):
        return
    draw_heading("Sample data")
    parts = (
        format_count(sample.suppliers, "invented supplier"),
        format_count(sample.purchases, "purchase"),
        format_count(len(sample.scope_ids), "quote"),
        format_count(len(sample.requirement_ids), "comparison"),
        format_count(len(sample.negotiation_ids), "negotiation"),
        format_count(len(sample.agreement_ids), "contract"),
        format_count(len(sample.webhook_ids), "webhook"),
    )
    counted = "It is in all lists and figures" if sample.counted else "It is in no list and no figure"
    reason = "as long as there is no real data" if sample.counted else "as there is real data"
    st.caption(f"{', '.join(parts)}. {counted}, {reason}.")
    confirmed_write(
        deployment,
        "Remove the sample data",
        "All sample records are removed for good. Your own records stay, with the sample suppliers that they"
        " name.",
        confirm="Remove for good",
        name="remove-sample",
        operation=REMOVE_OPERATION,
        what="Removing the sample data",
        write=lambda client, _: client.sample.remove(),
        on_success=_report_removal,
        icon="delete_sweep",
    )


def _report_removal(removal: SampleRemoval) -> None:
    clear_reads()
    st.toast("The sample data was removed.", icon=":material/check:")
    for sentence in removal.kept:
        st.toast(f"Kept: {sentence}", icon=":material/info:", duration="long")


@dataclass(frozen=True)
class TourStep:
    """What is seen on a page, in a sentence; `id` is that of the record that it shows."""

    page: str
    title: str
    sentence: str
    id: str | None = None

    def open(self) -> None:
        """Open the page of the step."""
        navigation.open_page(self.page, **({"id": self.id} if self.id else {}))


def list_steps(deployment: Deployment, sample: SampleData) -> Sequence[TourStep]:
    """Return the steps that the sample data has something to show for."""
    steps = (
        TourStep(
            "scope",
            "A quote and its verdict",
            "What comparable purchases cost, whether this price is high, and what to ask for.",
            _find_quote(deployment, sample),
        ),
        TourStep(
            "requirement",
            "Quotes side by side",
            "Several suppliers' answers to one need, matched line by line; only complete totals are ranked.",
            _first(sample.requirement_ids),
        ),
        TourStep(
            "negotiation",
            "A negotiation",
            "The offers so far, the decision that waits, and what was agreed.",
            _first(sample.negotiation_ids),
        ),
        TourStep("savings", "What was saved", "What was quoted, targeted and agreed, and the difference."),
        TourStep(
            "webhook",
            "Every event",
            "Each event that left Parley, with what was sent, what came back and when it is tried again.",
            _first(sample.webhook_ids),
        ),
    )
    own = {"savings": bool(sample.negotiation_ids)}
    return [step for step in steps if own.get(step.page, step.id is not None)]


def draw_tour_button(deployment: Deployment) -> None:
    """Draw the button that begins the path; nothing where there is no sample data that counts."""
    sample = load_sample_data(deployment)
    if TOUR_STEP.get() is not None or sample is None or not sample.counted:
        return
    steps = list_steps(deployment, sample)
    if steps and st.button(
        "Show me around",
        icon=":material/tour:",
        key="tour-begin",
        help=f"{len(steps)} steps through the sample data; leave at any point",
    ):
        TOUR_STEP.set(0)
        steps[0].open()


def draw_tour(deployment: Deployment) -> None:
    """Draw where on the path one is, the way on and the way out; nothing for who is not on it."""
    at = TOUR_STEP.get()
    if at is None:
        return
    with failure_panel("The guided path"):
        sample = load_sample_data(deployment)
        steps: Sequence[TourStep] = list_steps(deployment, sample) if sample is not None else ()
        if at >= len(steps):
            TOUR_STEP.pop()
            return
        _draw_step(steps, at)


def _draw_step(steps: Sequence[TourStep], at: int) -> None:
    step = steps[at]
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="tour"):
        st.markdown(f"**{at + 1} of {len(steps)}: {step.title}.** {step.sentence}", width="stretch")
        moved = at
        if at and st.button("Back", key="tour-back", type="tertiary"):
            moved = at - 1
        if at + 1 < len(steps):
            if st.button(f"Next: {steps[at + 1].title}", key="tour-next", type="primary"):
                moved = at + 1
        elif st.button("Finish", key="tour-finish", type="primary"):
            TOUR_STEP.pop()
            navigation.open_page("overview")
        if at + 1 < len(steps) and st.button("Leave", key="tour-leave", type="tertiary"):
            TOUR_STEP.pop()
            st.rerun()
        if moved != at:
            TOUR_STEP.set(moved)
            steps[moved].open()


def _find_quote(deployment: Deployment, sample: SampleData) -> str | None:
    """A sample quote that was confirmed, whose page has its verdict."""
    scopes = queries.load_scopes(deployment, archived=False, limit=50).data
    own = [one for one in scopes if one.id in sample.scope_ids and one.product_terms]
    confirmed = [one for one in own if one.status in ("ready", "in_negotiation", "agreed")]
    return next((one.id for one in (*confirmed, *own)), None)


def _first(ids: Sequence[str]) -> str | None:
    return ids[0] if ids else None
