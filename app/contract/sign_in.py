"""How a dashboard signs people in: with the company's identity provider, or with an API key. The steps are
between a dashboard and its service, so the description does not list them."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from .model import Reply, Request

SESSION_PREFIX = "parley_session_"
"""How the token of a session begins."""


class SignInOptions(Reply):
    """How people may sign in: `provider` is what the identity provider is called, and `keys` says whether API
    keys are taken too."""

    provider: str | None = None
    keys: bool = True


BROWSER_HEADER = "x-parley-browser"
"""In which a dashboard states the address of the browser to its service, sealed; without it the dashboard's
own counts."""


class NewSignIn(Request):
    """A person wants to sign in with the identity provider, and to come back to the page `return_to`."""

    return_to: Annotated[str, Field(max_length=500)] = ""


class StartedSignIn(Reply):
    """Where the browser goes, and what it keeps meanwhile: `attempt` is sealed, `state` names it."""

    authorization_url: str
    state: str
    attempt: str


class SignInAnswer(Request):
    """What a browser came back from the identity provider with, and the attempt that it kept."""

    attempt: Annotated[str, Field(max_length=3000)]
    state: Annotated[str, Field(max_length=200)]
    code: Annotated[str | None, Field(max_length=4000)] = None
    iss: Annotated[str | None, Field(max_length=500)] = None
    error: Annotated[str | None, Field(max_length=200)] = None


class Session(Reply):
    """Somebody is signed in. `token` is used like an API key, and shown once; it ends at `expires_at`, or
    after twelve hours without a call."""

    token: Annotated[str, Field(repr=False)]
    expires_at: AwareDatetime
    return_to: str | None = None


class EndedSession(Reply):
    """A session has ended; at `sign_out_url` the browser signs out of the identity provider too."""

    sign_out_url: str | None = None


class UsedTicket(Request):
    """A ticket that is good for one use."""

    ticket: Annotated[str, Field(min_length=1, max_length=200)]
