"""The page where one signs in."""

from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit

import streamlit as st

from app.client import ApiError, Unauthorized
from app.contract.sign_in import SignInOptions
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failures import describe_api_error
from app.dashboard.server import configuration
from app.dashboard.session_values import SIGN_IN_REFUSAL, SIGN_OUT_REASON
from app.dashboard.signing_in import identity, service_sessions
from components.elements.empty_state import draw_wide_link


def draw_sign_in_page() -> None:
    """Draw the page. What was typed stays when the service refuses it."""
    addresses = configuration.allowed_addresses()
    _, middle, _ = st.columns([1, 1.4, 1])
    with middle:
        st.title("Sign in to Parley", anchor=False)
        st.caption("What a purchase should cost, and help to get that price.")
        if reason := SIGN_OUT_REASON.get():
            st.info(reason, icon=":material/info:")
        if refusal := SIGN_IN_REFUSAL.get():
            st.error(refusal, icon=":material/error:")
        offers_provider = _draw_provider_links(addresses)
        if not any(_find_options(address).keys for address in addresses):
            return
        if offers_provider:
            st.caption("Or sign in with an access key:")
        with st.form("sign-in"):
            st.selectbox(
                "Workspace",
                addresses,
                key="sign-in-address",
                help="The addresses that this dashboard may connect to (`PARLEY_DEPLOYMENTS`).",
            )
            st.text_input("Access key", type="password", key="sign-in-key", autocomplete="current-password")
            with st.expander("On behalf of an end user (optional)"):
                st.text_input("Identifier", key="sign-in-end-user", help="Your own ID for the person.")
                st.text_input("Email", key="sign-in-email")
                st.text_input("Organisation", key="sign-in-organization")
            kind = "secondary" if offers_provider else "primary"
            st.form_submit_button("Sign in", type=kind, on_click=_submit, width="stretch")
        if offers_provider:
            return
        st.caption(
            "Create a key with `parley keys create --name NAME`. `parley up` prints a link that signs you in."
        )


@st.cache_data(ttl=30, show_spinner=False)
def _find_options(base_url: str) -> SignInOptions:
    """How one signs in at a deployment. The same for everybody."""
    return service_sessions.find_options(base_url)


def _draw_provider_links(addresses: Sequence[str]) -> bool:
    """Draw a link to the identity provider of each deployment that has one; return whether there is any."""
    options = enumerate(map(_find_options, addresses))
    names = {number: one.provider for number, one in options if one.provider}
    for number, name in names.items():
        query = urlencode({"deployment": number, "page": _current_page()})
        where = f" on {urlsplit(addresses[number]).netloc}" if len(names) > 1 else ""
        draw_wide_link(f"Sign in with {name}{where}", f"session/sign-in?{query}")
    return bool(names)


def _current_page() -> str:
    """The page that one came for, with its query, relative to the start page."""
    page = urlsplit(st.context.url or "").path.rstrip("/").rpartition("/")[2]
    query = urlencode(st.query_params.to_dict())
    return f"{page}?{query}" if page and query else page


def _submit() -> None:
    deployment = Deployment(
        base_url=str(st.session_state["sign-in-address"]),
        api_key=_read_field("key"),
        end_user=_read_field("end-user"),
        end_user_email=_read_field("email"),
        end_user_organization=_read_field("organization"),
    )
    refusal = _refuse(deployment)
    if refusal is None:
        try:
            identity.sign_in(deployment)
        except ApiError as error:
            refusal = _describe_refusal(error)
    if refusal is not None:
        SIGN_IN_REFUSAL.set(refusal)


def _read_field(field: str) -> str:
    return str(st.session_state.get(f"sign-in-{field}") or "").strip()


def _refuse(deployment: Deployment) -> str | None:
    """Return why one cannot sign in with this deployment, None when the service accepts it."""
    # Checked here again: what a browser offers to choose from is no limit.
    if deployment.base_url not in configuration.allowed_addresses():
        return "This dashboard is not allowed to connect to this address."
    if not deployment.api_key:
        return "Enter an access key."
    try:
        queries.client_for(deployment).catalog.categories(limit=1)
    except Unauthorized as error:
        return f"The service does not know this key.{_name_request(error.request_id)}"
    except ApiError as error:
        return _describe_refusal(error)
    except ValueError as error:
        return f"This cannot be sent: {error}."
    return None


def _describe_refusal(error: ApiError) -> str:
    failure = describe_api_error(error, "Signing in")
    return f"{failure.detail}{_name_request(failure.request_id)}"


def _name_request(request_id: str | None) -> str:
    return f"  \nRequest `{request_id}`" if request_id else ""
