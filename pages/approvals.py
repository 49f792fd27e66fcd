"""What another person than who asked for it must approve."""

from app.dashboard.api import queries
from app.dashboard.people.approvals import draw_approvals, draw_rules
from app.dashboard.signing_in import identity
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs

deployment = identity.require_deployment()

draw_page_header("Approvals", caption="What another person than who asked for it must approve.")
if queries.has_operation(deployment, "GET /v1/approvals"):
    draw_tabs(
        {
            "Approvals": lambda: draw_approvals(deployment),
            "What needs a second person": lambda: draw_rules(deployment),
        },
        key="approvals-tab",
    )
else:
    draw_empty_state(
        "This workspace asks for no second person",
        "Who has the role for something does it alone.",
        icon="cloud_off",
    )
