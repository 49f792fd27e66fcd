"""The people who sign in with the identity provider, and the API keys with the form that makes one."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any, cast, get_args

import streamlit as st

from app.contract.access import Role
from app.contract.page import ListPage
from app.contract.people import ApiKey, Member, NewKey
from app.dashboard.api import queries
from app.dashboard.api.write_button import confirmed_write
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import Empty, FilteredList
from app.dashboard.kit.form import Form
from app.dashboard.session_values import NEW_KEY
from app.dashboard.signing_in import identity
from components.elements.empty_state import draw_one_time_secret
from components.elements.form_fields import Field, Fields
from components.elements.page_header import draw_heading
from components.formatting import escape_markdown, format_count, format_local_time

ROLE_WORDS: Mapping[Role, str] = {
    "reader": "Reader: sees everything, changes nothing",
    "buyer": "Buyer: works with quotes, negotiations and contracts",
    "admin": "Admin: also webhooks, settings, keys and the audit log",
    "owner": "Owner: everything, and other owners",
}


def draw_members(deployment: Deployment) -> None:
    """Draw each person with role, last sign-in and sessions."""
    st.caption(
        "Roles come from the groups of your identity provider at each sign-in. To change one, change the"
        " groups there; it counts from the next sign-in on."
    )
    FilteredList(
        key="members-page",
        noun="person",
        nouns="people",
        load=partial(queries.load_members, deployment),
        draw=partial(_draw_member_page, deployment),
        empty=Empty(
            "Nobody has signed in yet",
            "People appear here once they signed in with the identity provider. API keys are in the next"
            " tab.",
            icon="group",
        ),
    ).show()


def _draw_member_page(deployment: Deployment, page: ListPage[Member]) -> None:
    for one in page.data:
        name = escape_markdown(one.name)
        address = f" {escape_markdown(one.email)} ·" if one.email else ""
        signed_in = format_local_time(one.signed_in_at) if one.signed_in_at else "not known"
        facts = f"{address} last sign-in {signed_in} · {format_count(one.sessions, 'session')}"
        with _row(f"member-{one.id}"):
            st.markdown(f"**{name}** :gray-badge[{one.role}]  \n{facts}", width="content")
            if one.sessions:
                confirmed_write(
                    deployment,
                    "Sign out everywhere",
                    f"Sign {name} out of every browser? They may sign in again, as long as the identity"
                    " provider lets them.",
                    confirm="Sign them out",
                    name=f"sign-out-member-{one.id}",
                    operation="DELETE /v1/members/{}/sessions",
                    what="Signing the person out",
                    write=lambda client, _, one=one: client.members.sign_out(one.id),
                    icon="logout",
                )
            confirmed_write(
                deployment,
                "Erase",
                f"Replace {name} by a pseudonym everywhere, and end their access? Nothing brings the name"
                " back but a backup. What documents and imported files say stays.",
                confirm="Erase this person",
                name=f"erase-member-{one.id}",
                operation="POST /v1/members/{}/erase",
                what="Erasing the person",
                write=lambda client, key, one=one: client.members.erase(one.id, idempotency_key=key),
                icon="person_remove",
            )


def draw_keys(deployment: Deployment) -> None:
    """Draw the new key while it is not stored, the keys, and the form."""
    if new := NEW_KEY.get():
        draw_one_time_secret(
            new[1],
            f"The new key “{new[0]}”",
            "It is shown only once. Copy it now and store it where only its program can read it.",
            key="new-key-shown",
            on_stored=partial(NEW_KEY.set, None),
        )
    FilteredList(
        key="keys-page",
        noun="key",
        load=partial(queries.load_keys, deployment),
        draw=partial(_draw_key_page, deployment),
        empty=Empty("No keys yet", "Make one for a program that calls the service.", icon="key"),
    ).show()
    draw_heading("Make a key")
    _draw_key_form(deployment)


def _draw_key_page(deployment: Deployment, page: ListPage[ApiKey]) -> None:
    for one in page.data:
        with _row(f"key-{one.id}"):
            own = " :blue-badge[your key]" if one.own else ""
            st.markdown(
                f"**{escape_markdown(one.name)}** :gray-badge[{one.role}]{own}  \n`{one.hint}…` ·"
                f" {_describe_use(one)}",
                width="content",
            )
            if one.revoked_at is None:
                _draw_revocation(deployment, one)


def _describe_use(one: ApiKey) -> str:
    facts = [
        f"made {format_local_time(one.created_at)}",
        f"revoked {format_local_time(one.revoked_at)}" if one.revoked_at else "",
        f"until {format_local_time(one.expires_at)}" if one.expires_at else "",
        f"from {', '.join(one.networks)} alone" if one.networks else "",
        (f"used {format_local_time(one.used_at)}" if one.used_at else "never used")
        + (f" from {one.used_address}" if one.used_address else ""),
    ]
    return " · ".join(filter(None, facts))


def _draw_revocation(deployment: Deployment, one: ApiKey) -> None:
    def follow(_: object) -> None:
        if one.own:
            identity.sign_out("You revoked the key that you were signed in with.")

    confirmed_write(
        deployment,
        "Revoke",
        f"Revoke “{escape_markdown(one.name)}”? Programs that use it, and whoever signed in with it, are"
        " refused at once. This cannot be undone.",
        confirm="Revoke this key",
        name=f"revoke-key-{one.id}",
        operation="DELETE /v1/keys/{}",
        what="Revoking the key",
        write=lambda client, _: client.keys.revoke(one.id),
        on_success=follow,
        icon="block",
        warning="You are signed in with this key. Revoking it signs you out, and you need another key to come"
        " back: make one and store it first."
        if one.own
        else "",
    )


@st.fragment
def _draw_key_form(deployment: Deployment) -> None:
    roles = cast(tuple[Role, ...], get_args(Role))
    own = roles.index(deployment.role) if deployment.role in roles else len(roles) - 1
    form = Form(
        deployment,
        "new-key",
        NewKey,
        (
            Field("name", "What the key is for", "Enter what the key is for.", placeholder="Nightly export"),
            Field("role", "What it may do", choices=roles[: own + 1], words=ROLE_WORDS, default="reader"),
            Field(
                "last_day",
                "Last day",
                kind="day",
                earliest="today",
                help="It works until the end of this day (UTC). Empty: until somebody revokes it.",
            ),
            Field(
                "networks",
                "Networks that it works from",
                kind="text",
                most=1000,
                placeholder="192.0.2.0/24, 2001:db8::/32",
                help="Addresses or networks with commas between them. Empty: from anywhere.",
            ),
        ),
        shape=_shape_key,
        places={"expiresAt": "last_day"},
    )
    form.draw()
    form.draw_button(
        "Make the key",
        operation="POST /v1/keys",
        send=lambda client, body, key: client.keys.create(
            body.name,
            body.role,
            expires_at=body.expires_at,
            networks=body.networks or (),
            idempotency_key=key,
        ),
        what="Making the key",
        on_success=lambda made: NEW_KEY.set((made.name, made.key or "")),
        icon="key",
    )


def _shape_key(values: Fields) -> dict[str, Any]:
    day: Any = values["last_day"]
    return {
        "name": values["name"],
        "role": values["role"],
        "expires_at": day and datetime.combine(day, time(), UTC) + timedelta(days=1),
        "networks": str(values["networks"] or "").replace(",", " ").split() or None,
    }


def _row(key: str) -> Any:
    """Return the place of a record with its buttons at the right."""
    return st.container(border=True, key=key).container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    )
