"""Who holds what a call is made with: an API key, the token of a session, or an access token of the identity
provider."""

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address

from sqlalchemy.exc import SQLAlchemyError

from app.contract.sign_in import SESSION_PREFIX
from app.service.access import sessions
from app.service.access.audit import Actor, Entry, write_entry
from app.service.access.keys import KeyHolder, find_key_holder, note_use
from app.service.access.people import (
    REFUSED,
    Member,
    admit_person,
    find_member,
    find_organisations,
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


def find_holder(context: Context, key: str, digest: str, address: Address | None) -> KeyHolder:
    """Return who holds a key or token that a call from the address is made with. Raises ApiProblem 401, 403
    for a person whom nobody lets in, and 503 while the identity provider is away."""
    if key.startswith(SESSION_PREFIX):
        return _find_session_holder(context, digest)
    if is_provider_token(key) and context.settings.oidc_audience is not None:
        return _find_token_holder(context, key, context.settings.oidc_audience)
    now = context.clock()
    with context.database.reading() as connection:
        found = find_key_holder(connection, digest, now)
    if found is None:
        raise unauthorized("This API key is not known, or was revoked or has expired.")
    holder, is_due = found
    if is_due and holder.works_from(address):
        # A full disk or a locked database must not keep anybody from working.
        with suppress(SQLAlchemyError), context.database.writing() as connection:
            note_use(connection, holder.key_id, str(address) if address else None, now)
    return holder


def admit(context: Context, claims: Claims, request_id: str = "") -> Member:
    """Return the person of a token as a member, with the roles that the token's groups give. Raises
    ApiProblem 403 for a person whom nobody lets in."""
    settings = context.settings
    groups = claims.groups(settings.oidc_groups_claim) or ()
    now = context.clock()
    with context.database.writing() as connection:
        known = find_organisations(connection, claims)
        member = admit_person(connection, claims, groups, settings.group_roles, now)
        for organisation_id, user_id in known if member is None else ():
            entry = Entry(
                organisation_id=organisation_id,
                actor=Actor("person", user_id),
                action=REFUSED,
                summary="Sign-in refused: none of the person's groups is let in",
                object_kind="session",
                request_id=request_id,
            )
            write_entry(connection, entry, now)
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


def _find_session_holder(context: Context, digest: str) -> KeyHolder:
    now = context.clock()
    with context.database.reading() as connection:
        found = sessions.find_session_holder(connection, digest, now)
    if found is None:
        raise unauthorized("This session has ended. Sign in again.")
    holder, is_due = found
    if is_due and holder.session_id:
        # A full disk or a locked database must not keep anybody from working.
        with suppress(SQLAlchemyError), context.database.writing() as connection:
            sessions.touch_session(connection, holder.session_id, now)
    return holder


def _find_token_holder(context: Context, token: str, audience: str) -> KeyHolder:
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
    member = member or admit(context, claims)
    return KeyHolder(member.user_id, member.organisation_id, member.role, user_id=member.user_id)
