"""The guided path through the sample data: five steps, each on the page where it is seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app.contract.sample import SampleData
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.sample_data import load_sample_data
from app.dashboard.session_values import TOUR_STEP


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
        steps = list_steps(deployment, sample) if sample is not None else []
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
