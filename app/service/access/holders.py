"""Who holds what a call is made with: an API key, the token of a session, or an access token of the identity
provider."""

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address

from sqlalchemy.exc import SQLAlchemyError

from app.contract.sign_in import SESSION_PREFIX
from app.service.access import sessions
from app.service.access.audit import write_session_entry
from app.service.access.caller import Caller
from app.service.access.keys import find_key_holder, note_use
from app.service.access.people import (
    REFUSED,
    admit_person,
    find_member,
    find_organisations,
    find_user,
    was_refused_since,
)
from app.service.context import Context
from app.service.http.problems import ApiProblem
from app.service.openid.requests import ProviderUnavailable
from app.service.openid.tokens import Claims, RefusedToken, check_access_token

Address = IPv4Address | IPv6Address

SIGNED_START = "eyJ"
"""How every signed token begins, and no key of ours."""
AWAY_SECONDS = 30


def unauthorized(detail: str) -> ApiProblem:
    return ApiProblem(401, detail, headers={"WWW-Authenticate": "Bearer"})


def is_provider_token(key: str) -> bool:
    """Return whether a key looks like an access token of the identity provider."""
    return key.startswith(SIGNED_START)


def find_holder(context: Context, key: str, digest: str, address: Address | None) -> Caller:
    """Return who holds a key or token that a call from the address is made with. Raises ApiProblem 401, 403
    for a person whom nobody lets in, and 503 while the identity provider is away."""
    if is_provider_token(key) and context.settings.oidc_audience is not None:
        return _find_token_holder(context, key, context.settings.oidc_audience)
    now = context.clock()
    is_session = key.startswith(SESSION_PREFIX)
    with context.database.reading() as connection:
        find = sessions.find_session_holder if is_session else find_key_holder
        found = find(connection, digest, now)
    if found is None and is_session:
        raise unauthorized("This session has ended. Sign in again.")
    if found is None:
        raise unauthorized("This API key is not known, or was revoked or has expired.")
    holder, is_due = found
    if is_due and (holder.session_id or holder.works_from(address)):
        # A full disk or a locked database must not keep anybody from working.
        with suppress(SQLAlchemyError), context.database.writing() as connection:
            if holder.session_id:
                sessions.touch_session(connection, holder.session_id, now)
            else:
                note_use(connection, holder.key_id, str(address) if address else None, now)
    return holder


def admit(context: Context, claims: Claims, request_id: str = "") -> Caller:
    """Return the person of a token as a member, with the roles that the token's groups give. Raises
    ApiProblem 403 for a person whom nobody lets in."""
    settings = context.settings
    groups = claims.groups(settings.oidc_groups_claim) or ()
    now = context.clock()
    with context.database.writing() as connection:
        user_id = find_user(connection, claims)
        known = find_organisations(connection, user_id) if user_id else ()
        member = admit_person(connection, claims, groups, settings.group_roles, now)
        for one in known if member is None else ():
            summary = "Sign-in refused: none of the person's groups is let in"
            write_session_entry(connection, one, user_id or "", REFUSED, summary, request_id, now)
    if member is None:
        raise not_admitted(context)
    return member


def not_admitted(context: Context) -> ApiProblem:
    """403: the identity provider knows the person, and no group of theirs is let in."""
    return ApiProblem(
        403,
        "The identity provider knows you, but none of your groups may use Parley yet. Ask"
        f" {context.settings.oidc_contact} to give you access.",
    )


def provider_away(failure: ProviderUnavailable) -> ApiProblem:
    """503: what needs the identity provider has to wait."""
    return ApiProblem(503, str(failure), headers={"Retry-After": str(AWAY_SECONDS)})


def _find_token_holder(context: Context, token: str, audience: str) -> Caller:
    """The person of an access token: with the role of the last sign-in, else with that of the token's
    groups, unless a sign-in was refused since the token was issued."""
    assert context.provider is not None
    try:
        claims = check_access_token(context.provider, token, audience, context.clock())
    except RefusedToken as refusal:
        raise unauthorized(str(refusal)) from None
    except ProviderUnavailable as failure:
        raise provider_away(failure) from None
    with context.database.reading() as connection:
        member = find_member(connection, claims, context.settings.group_roles)
        if member is None and was_refused_since(connection, claims):
            raise not_admitted(context)
    return member or admit(context, claims)
