"""Who may use the organisation's data, people and API keys, and who changed what."""

from app.dashboard.api import queries
from app.dashboard.people.audit_log import draw_audit_log
from app.dashboard.people.people_and_keys import draw_keys, draw_members
from app.dashboard.signing_in import identity
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs

deployment = identity.require_deployment()

draw_page_header("People and keys", caption="Who may use your organisation's data, and who changed what.")
if not queries.has_operation(deployment, "GET /v1/audit"):
    draw_empty_state(
        "This workspace keeps no list of people",
        "Its operator manages who may use it.",
        icon="cloud_off",
    )
elif not deployment.is_admin:
    draw_empty_state(
        "Admins and owners see this page",
        (f"You have the role {deployment.role}. " if deployment.role else "")
        + "Ask an admin of your organisation for a key, or who changed what.",
        icon="lock",
    )
else:
    draw_tabs(
        {
            "People": lambda: draw_members(deployment),
            "API keys": lambda: draw_keys(deployment),
            "Audit log": lambda: draw_audit_log(deployment),
        },
        key="people-tab",
    )
