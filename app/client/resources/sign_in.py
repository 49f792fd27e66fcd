"""How a dashboard signs people in: `/v1/sign-in` and `/v1/session`, extensions that the description
does not list. A deployment without them answers NotFound."""

from ...contract.sign_in import (
    BROWSER_HEADER,
    EndedSession,
    NewSignIn,
    Session,
    SignInAnswer,
    SignInOptions,
    StartedSignIn,
    UsedTicket,
)
from ..request import Call
from .resource import DispatcherT, Resource, get, operation, post, post_only


class SignIn(Resource[DispatcherT]):
    """Sign-in with the identity provider, and sessions of people and keys."""

    @operation
    def options(self) -> Call[SignInOptions]:
        """How people may sign in beside API keys."""
        return get("/v1/sign-in", SignInOptions, identity="nobody")

    @operation
    def start(self, return_to: str, browser: str = "") -> Call[StartedSignIn]:
        """Where a browser goes to sign in, to come back to the page `return_to`. `browser` is its address,
        sealed with the key of the dashboards."""
        body, headers = NewSignIn(return_to=return_to), {BROWSER_HEADER: browser}
        return post("/v1/sign-in/attempts", StartedSignIn, body=body, headers=headers, identity="nobody")

    @operation
    def finish(self, answer: SignInAnswer, browser: str = "") -> Call[Session]:
        """The session of a person who came back from the identity provider. Forbidden for whoever is not let
        in. `browser` is as in `start`."""
        headers = {BROWSER_HEADER: browser}
        return post("/v1/sign-in", Session, body=answer, headers=headers, identity="nobody")

    @operation
    def start_session(self) -> Call[Session]:
        """A session of the API key."""
        return post("/v1/session", Session, identity="key")

    @operation
    def end_session(self) -> Call[EndedSession]:
        """End the session that the calls are made with."""
        return post("/v1/session/end", EndedSession, identity="key")

    @operation
    def use_ticket(self, ticket: str) -> Call[None]:
        """Use a ticket; Conflict when it was used before."""
        return post_only("/v1/session/tickets", body=UsedTicket(ticket=ticket), identity="key")
