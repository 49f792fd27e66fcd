"""The API keys of the organisation, and the form that makes one."""

from datetime import UTC, datetime, time, timedelta
from typing import cast, get_args

import streamlit as st
from pydantic import ValidationError

from app.client import ScopedClient
from app.contract.access import Role
from app.contract.people import ApiKey, NewKey
from app.contract.validation_messages import describe_faults
from app.dashboard.api import people_queries
from app.dashboard.api.form_button import CheckedForm, form_button
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.list_page import load_list_page
from app.dashboard.people import new_key_display
from app.dashboard.session_values import KEY_WAS_MADE, form_faults
from app.dashboard.signing_in import identity
from components.elements.pagination_bar import draw_pagination_bar
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.escape_markdown import escape_markdown
from components.people.key_form import clear_key_form, draw_key_form, read_key_form
from components.people.new_key import draw_new_key

FORM = "new-key"
PAGE = "keys-page"
ROWS = 25


def draw_keys(deployment: Deployment) -> None:
    """Draw the new key while it is not stored, the keys, and the form."""
    new = new_key_display.get_key()
    if new is not None:
        draw_new_key(new[1], new[0], key="new-key-shown", on_stored=new_key_display.forget_key)
    with failure_panel("The list of keys"):
        page = load_list_page(
            PAGE, ROWS, lambda offset: people_queries.load_keys(deployment, limit=ROWS, offset=offset)
        )
        for key in page.data:
            _draw_key(deployment, key)
        draw_pagination_bar(page.pagination, PAGE, "key")
    st.subheader("Make a key", anchor=False)
    _draw_form(deployment)


def _draw_key(deployment: Deployment, key: ApiKey) -> None:
    zone = get_reader_zone()
    in_use = key.revoked_at is None
    with (
        st.container(border=True, key=f"key-{key.id}"),
        st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"),
    ):
        since = f"made {format_local_time(key.created_at, zone)}"
        until = "" if in_use else f" · revoked {format_local_time(key.revoked_at, zone)}"
        until += f" · until {format_local_time(key.expires_at, zone)}" if key.expires_at else ""
        until += f" · from {', '.join(key.networks)} alone" if key.networks else ""
        used = f"used {format_local_time(key.used_at, zone)}" if key.used_at else "never used"
        used += f" from {key.used_address}" if key.used_address else ""
        own = " :blue-badge[your key]" if key.own else ""
        st.markdown(
            f"**{escape_markdown(key.name)}** :gray-badge[{key.role}]{own}  \n"
            f"`{key.hint}…` · {since}{until} · {used}",
            width="content",
        )
        if in_use:
            _draw_revocation(deployment, key)


def _draw_revocation(deployment: Deployment, key: ApiKey) -> None:
    def revoke(client: ScopedClient, _: str) -> object:
        return client.keys.revoke(key.id)

    def follow(_: object) -> None:
        if key.own:
            identity.sign_out("You revoked the key that you were signed in with.")

    with st.popover("Revoke", icon=":material/block:", key=f"revoke-{key.id}"):
        st.markdown(
            f"Revoke “{escape_markdown(key.name)}”? Programs that use it, and whoever signed in with it, are"
            " refused at once. This cannot be undone."
        )
        if key.own:
            st.warning(
                "You are signed in with this key. Revoking it signs you out, and you need another key to come"
                " back: make one and store it first.",
                icon=":material/warning:",
            )
        write_button(
            deployment,
            "Revoke this key",
            name=f"revoke-key-{key.id}",
            operation="DELETE /v1/keys/{}",
            what="Revoking the key",
            write=revoke,
            on_success=follow,
            type="primary",
        )


@st.fragment
def _draw_form(deployment: Deployment) -> None:
    roles = cast(tuple[Role, ...], get_args(Role))
    own = roles.index(deployment.role) if deployment.role in roles else len(roles) - 1
    if KEY_WAS_MADE.pop():
        clear_key_form(key=FORM)
    draw_key_form(roles[: own + 1], key=FORM, faults=form_faults(FORM).get())

    def show(made: ApiKey) -> None:
        new_key_display.keep_key(made)
        KEY_WAS_MADE.set(True)

    form_button(
        deployment,
        "Make the key",
        form=FORM,
        operation="POST /v1/keys",
        check=check_key_form,
        send=lambda client, body, idempotency_key: client.keys.create(
            body.name,
            body.role,
            expires_at=body.expires_at,
            networks=body.networks or (),
            idempotency_key=idempotency_key,
        ),
        what="Making the key",
        on_success=show,
        icon=":material/key:",
    )


def check_key_form() -> CheckedForm[NewKey]:
    """Return the key to make, or what is wrong with the form."""
    form = read_key_form(key=FORM)
    if not form.name:
        return CheckedForm(None, {"name": "Enter what the key is for."})
    ends = form.last_day and datetime.combine(form.last_day, time(), UTC) + timedelta(days=1)
    networks = form.networks or None
    try:
        key = NewKey(name=form.name, role=cast(Role, form.role), expires_at=ends, networks=networks)
        return CheckedForm(key, {})
    except ValidationError as refusal:
        return CheckedForm(None, {"": describe_faults(refusal)})
