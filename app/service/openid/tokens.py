"""Checks of the tokens that the identity provider signs (OpenID Connect Core 1.0, RFC 9068, Back-Channel
Logout 1.0)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from jwt import PyJWK, PyJWS
from jwt.exceptions import InvalidSignatureError, PyJWTError

from app.service.openid.provider import ALGORITHMS, Provider
from app.storable_text import find_text_fault, make_json_storable

LEEWAY_SECONDS = 60
MAX_TOKEN_LENGTH = 16 * 1024
MAX_SUBJECT_LENGTH = 255
MAX_LOGOUT_AGE_SECONDS = 600
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"

_JWS = PyJWS(algorithms=[*ALGORITHMS], options={"enforce_minimum_key_length": True, "verify_signature": True})


class RefusedToken(Exception):
    """A token does not hold; the text says why, in a sentence for the person who signs in."""


@dataclass(frozen=True)
class Claims:
    """What a token that holds says."""

    issuer: str
    subject: str
    content: dict[str, Any]

    def text(self, name: str) -> str | None:
        value = self.content.get(name)
        return value if isinstance(value, str) and value else None

    def groups(self, name: str) -> frozenset[str] | None:
        """The groups of the person; None where the token says nothing of groups. The claim's name may be a
        path, such as `realm_access.roles`."""
        value: object = self.content.get(name)
        if value is None and "." in name:
            value = self.content
            for step in name.split("."):
                value = cast(dict[str, object], value).get(step) if isinstance(value, dict) else None
        if isinstance(value, str):
            return frozenset({value})
        if not isinstance(value, list):
            return None
        return frozenset(group for group in cast(list[object], value) if isinstance(group, str))


def check_id_token(provider: Provider, token: str, nonce: str, now: datetime) -> Claims:
    """Return what the ID token of a sign-in says. Raises RefusedToken and ProviderUnavailable."""
    content = _check(provider, token, now, types=("jwt", ""), audience=provider.client_id)
    if len(_audiences(content)) > 1 and content.get("azp") is None:
        raise RefusedToken("The ID token is for several clients and does not say which one asked for it.")
    if content.get("azp", provider.client_id) != provider.client_id:
        raise RefusedToken("The ID token was made for another client.")
    if content.get("nonce") != nonce:
        raise RefusedToken("The ID token is not that of this sign-in (its nonce is another).")
    return Claims(provider.issuer, _subject(content), content)


def check_access_token(provider: Provider, token: str, audience: str, now: datetime) -> Claims:
    """Return what an access token says (`at+jwt`). Raises RefusedToken and ProviderUnavailable."""
    content = _check(provider, token, now, types=("at+jwt",), audience=audience)
    if not isinstance(content.get("client_id"), str):
        raise RefusedToken("The access token does not name its client (client_id).")
    return Claims(provider.issuer, _subject(content), content)


@dataclass(frozen=True)
class LogoutOrder:
    """Whose sessions the provider ends: those of the person, or those of one session of the provider."""

    id: str
    issuer: str
    subject: str | None
    session: str | None


def check_logout_token(provider: Provider, token: str, now: datetime) -> LogoutOrder:
    """Return what a logout token orders. Raises RefusedToken and ProviderUnavailable."""
    content = _check(
        provider, token, now, types=("logout+jwt", "jwt", ""), audience=provider.client_id, expires=False
    )
    events: object = content.get("events")
    if not isinstance(events, dict) or LOGOUT_EVENT not in events:
        raise RefusedToken("The token orders no logout.")
    if "nonce" in content:
        raise RefusedToken("A logout token has no nonce.")
    if content["iat"] < now.timestamp() - MAX_LOGOUT_AGE_SECONDS - LEEWAY_SECONDS:
        raise RefusedToken("The logout token is too old.")
    claims = Claims(provider.issuer, "", content)
    order = LogoutOrder(claims.text("jti") or "", provider.issuer, claims.text("sub"), claims.text("sid"))
    if not order.id or not (order.subject or order.session):
        raise RefusedToken("The logout token names neither itself nor whose sessions end.")
    return order


def _check(
    provider: Provider,
    token: str,
    now: datetime,
    *,
    types: Iterable[str],
    audience: str,
    expires: bool = True,
) -> dict[str, Any]:
    """The claims of a token that the provider signed for `audience`, and that is of one of the `types`."""
    content = _open(provider, token, types)
    if content.get("iss") != provider.issuer:
        raise RefusedToken(f"The token is of another issuer than {provider.issuer}.")
    if audience not in _audiences(content):
        raise RefusedToken("The token is for another audience.")
    seconds = now.timestamp()
    for name in ("exp", "iat") if expires else ("iat",):
        _number(content, name)
    if "exp" in content and _number(content, "exp") <= seconds - LEEWAY_SECONDS:
        raise RefusedToken("The token has expired.")
    for name in ("iat", "nbf"):
        if name in content and _number(content, name) > seconds + LEEWAY_SECONDS:
            raise RefusedToken(
                f"The token holds only from later on ({name}); compare the clocks of both hosts."
            )
    return content


def _open(provider: Provider, token: str, types: Iterable[str]) -> dict[str, Any]:
    if len(token) > MAX_TOKEN_LENGTH:
        raise RefusedToken(f"The token is longer than {MAX_TOKEN_LENGTH // 1024} KiB.")
    try:
        header = _JWS.get_unverified_header(token)
        algorithm: object = header.get("alg")
        if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
            raise RefusedToken(f"The token is signed with {str(algorithm)[:20]!r}, which is not accepted.")
        media_type = str(header.get("typ", "")).lower().removeprefix("application/")
        if media_type not in types:
            raise RefusedToken(f"The token is of the type {media_type[:20]!r}, not the one that is needed.")
        key_id: object = header.get("kid")
        keys = provider.list_keys(key_id if isinstance(key_id, str) else None, algorithm)
        content: object = json.loads(_verify(token, keys, algorithm))
        storable: object = make_json_storable(content)
    except (PyJWTError, ValueError, RecursionError):
        raise RefusedToken("The token's signature does not hold.") from None
    if not isinstance(content, dict) or not isinstance(storable, dict):
        raise RefusedToken("The token states nothing.")
    # What is only shown may be replaced in part. A subject says who it is: two of them never become one.
    subject: object = cast(dict[str, object], content).get("sub")
    if isinstance(subject, str) and (fault := find_text_fault(subject)):
        raise RefusedToken(f"The token does not say whose it is: its subject (sub) {fault}.")
    return cast(dict[str, Any], storable)


def _verify(token: str, keys: Iterable[PyJWK], algorithm: str) -> bytes:
    """The claims of a token that one of the keys verifies. Raises RefusedToken and PyJWTError."""
    failure: InvalidSignatureError | None = None
    for key in keys:
        try:
            return _JWS.decode(token, key, [algorithm])
        except InvalidSignatureError as fault:
            failure = fault
    raise failure or RefusedToken("The token is signed with a key that the identity provider does not list.")


def _audiences(content: dict[str, Any]) -> list[object]:
    stated: object = content.get("aud")
    return cast(list[object], stated) if isinstance(stated, list) else [stated]


def _number(content: dict[str, Any], name: str) -> float:
    value: object = content.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RefusedToken(f"The token does not say its {name}.")
    return value


def _subject(content: dict[str, Any]) -> str:
    subject: object = content.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_LENGTH:
        raise RefusedToken("The token does not say whose it is (sub).")
    return subject
