"""What an organisation sets for its deadlines: the days on which it works, and mail to the owners."""

import streamlit as st

from app.contract.agreements import DeadlineMail
from app.dashboard import navigation
from app.dashboard.agreements.working_days import draw_working_days
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.failure_panel import failure_panel
from app.dashboard.signing_in import identity
from components.elements.page_header import draw_heading, draw_page_header

deployment = identity.require_deployment()


def draw_mail() -> None:
    draw_heading("Mail to the owners")
    with failure_panel("The mail to the owners"):
        mail = queries.load_deadline_mail(deployment)
        st.markdown(describe_mail(mail))
        if mail.available:
            write_button(
                deployment,
                "Switch it off" if mail.enabled else "Switch it on",
                # A click on what another person has switched meanwhile must not switch it back.
                name=f"deadline-mail-{'off' if mail.enabled else 'on'}",
                operation="PATCH /v1/deadline-mail",
                what="Switching the mail to the owners",
                write=lambda client, _: client.agreements.switch_deadline_mail(enabled=not mail.enabled),
                icon="notifications_off" if mail.enabled else "notifications",
            )


def describe_mail(mail: DeadlineMail) -> str:
    if not mail.available:
        return (
            "This workspace has no mail server, so nobody gets mail. Webhooks and calendars tell of"
            " deadlines."
        )
    if not mail.enabled:
        return "Switched off: nobody of your organisation gets mail about deadlines."
    return (
        "The owners of a contract get mail 120, 90, 60, 30, 14 and 7 days before somebody must act, when a"
        " deadline was missed, and when a contract renewed or ended."
    )


navigation.draw_link("agreements", "All contracts", icon="arrow_back")
draw_page_header(
    "Working days and mail",
    caption="A deadline on a day on which you do not work moves back to the last working day before.",
)
draw_working_days(deployment)
if queries.has_operation(deployment, "PATCH /v1/deadline-mail"):
    draw_mail()
