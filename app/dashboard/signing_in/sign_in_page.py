"""The page where one signs in."""

import streamlit as st

from app.client import ApiError, Unauthorized
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.faults import describe
from app.dashboard.server import configuration
from app.dashboard.signing_in import identity

_REFUSED = "sign-in-refused"
_WHAT = "Signing in"


def sign_in_page() -> None:
    """Draw the page. What was typed stays when the service refuses it."""
    addresses = configuration.deployments()
    _, middle, _ = st.columns([1, 1.4, 1])
    with middle:
        st.title("Sign in to Parley", anchor=False)
        st.caption("What a purchase should cost, and help to get that price.")
        if farewell := identity.farewell():
            st.info(farewell, icon=":material/info:")
        if refused := st.session_state.get(_REFUSED):
            st.error(refused, icon=":material/error:")
        with st.form("sign-in"):
            st.selectbox(
                "Deployment",
                addresses,
                key="sign-in-address",
                help="The addresses that whoever runs this dashboard allows (`PARLEY_DEPLOYMENTS`).",
            )
            st.text_input("API key", type="password", key="sign-in-key", autocomplete="current-password")
            with st.expander("On behalf of an end user (optional)"):
                st.text_input("Identifier", key="sign-in-end-user", help="Any id of yours for the person.")
                st.text_input("Email", key="sign-in-email")
                st.text_input("Organization", key="sign-in-organization")
            st.form_submit_button("Sign in", type="primary", on_click=_submit, width="stretch")
        st.caption(
            "`parley keys create --name NAME` makes a key. `parley up` prints a link that signs in by itself."
        )


def _submit() -> None:
    deployment = Deployment(
        base_url=str(st.session_state["sign-in-address"]),
        api_key=_typed("key"),
        end_user=_typed("end-user"),
        end_user_email=_typed("email"),
        end_user_organization=_typed("organization"),
    )
    refusal = _refusal(deployment)
    if refusal is None:
        st.session_state.pop(_REFUSED, None)
        identity.enter(deployment)
    else:
        st.session_state[_REFUSED] = refusal


def _typed(field: str) -> str:
    return str(st.session_state.get(f"sign-in-{field}") or "").strip()


def _refusal(deployment: Deployment) -> str | None:
    """Why one cannot sign in with this, None when the service accepts it."""
    # Checked here again: what a browser offers to choose from is no limit.
    if deployment.base_url not in configuration.deployments():
        return "This address is not one that this dashboard may call."
    if not deployment.api_key:
        return "Enter an API key."
    try:
        queries.try_key(deployment)
    except Unauthorized as error:
        return f"The service does not know this key.{_request(error.request_id)}"
    except ApiError as error:
        fault = describe(error, _WHAT)
        return f"{fault.detail}{_request(fault.request_id)}"
    except ValueError as error:
        return f"This cannot be sent: {error}."
    return None


def _request(request_id: str | None) -> str:
    return f"  \nRequest `{request_id}`" if request_id else ""
