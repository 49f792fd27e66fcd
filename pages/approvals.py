"""What another person than who asked for it must approve."""

from app.dashboard.people.approvals import draw_approvals, draw_rules
from app.dashboard.signing_in import identity
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs

deployment = identity.require_deployment()

draw_page_header("Approvals", caption="What another person than who asked for it must approve.")
draw_tabs(
    {
        "Approvals": lambda: draw_approvals(deployment),
        "What needs a second person": lambda: draw_rules(deployment),
    },
    key="approvals-tab",
)
