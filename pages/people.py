"""Who may use the organisation's data, people and API keys, and who changed what."""

from app.dashboard.people.audit_log import draw_audit_log
from app.dashboard.people.people_and_keys import draw_keys, draw_members
from app.dashboard.signing_in import identity
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs

deployment = identity.require_deployment()

draw_page_header("People and keys", caption="Who may use your organisation's data, and who changed what.")
draw_tabs(
    {
        "People": lambda: draw_members(deployment),
        "API keys": lambda: draw_keys(deployment),
        "Audit log": lambda: draw_audit_log(deployment),
    },
    key="people-tab",
)
