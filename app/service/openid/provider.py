"""The identity provider: what it states about itself, and its signing keys. Both are fetched when they are
needed, and kept for an hour."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

from jwt import PyJWK
from jwt.exceptions import InvalidKeyError, PyJWKError

from app.service.openid.requests import ProviderUnavailable, get_json, post_form
from app.settings import Settings

FRESH_SECONDS = 3600.0
STALE_SECONDS = 24 * 3600.0
RETRY_SECONDS = 30.0
"""The least time between two requests for the same document, whatever tokens ask for."""
LOCK_SECONDS = 5.0
MAX_KEYS = 100
MAX_KEYS_OF_AN_ID = 5

ALGORITHMS = {
    "RS256": "RSA", "RS384": "RSA", "RS512": "RSA", "PS256": "RSA", "PS384": "RSA", "PS512": "RSA",
    "ES256": "EC", "ES384": "EC", "ES512": "EC", "EdDSA": "OKP",
}  # fmt: skip
"""What a token may be signed with, and the type of key: never `none`, and no HS256, whose key is a secret."""

Clock = Callable[[], float]


class FetchedDocument:
    """A JSON document of the provider, safe between threads. While the provider is away, the last one that
    was fetched counts for a day."""

    def __init__(self, fetch: Callable[[], dict[str, Any]], clock: Clock) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = threading.Lock()
        self._content: dict[str, Any] | None = None
        self._failure = ""
        self._tried_at = float("-inf")
        self._fetched_at = float("-inf")

    def get(self) -> dict[str, Any]:
        """Return the document, at most an hour old where the provider answers. Raises ProviderUnavailable."""
        if self._clock() - self._fetched_at > FRESH_SECONDS:
            self.renew()
        if self._content is None or self._clock() - self._fetched_at > STALE_SECONDS:
            raise ProviderUnavailable(self._failure or "The identity provider is being asked; try again.")
        return self._content

    def renew(self) -> None:
        """Fetch the document anew, unless that was tried a moment ago. Only who has nothing yet waits for
        another thread that fetches it."""
        if not self._lock.acquire(timeout=LOCK_SECONDS if self._content is None else 0):
            return
        try:
            if self._clock() - self._tried_at < RETRY_SECONDS:
                return
            self._tried_at = self._clock()
            try:
                self._content = self._fetch()
            except ProviderUnavailable as failure:
                self._failure = str(failure)
                return
            self._fetched_at = self._clock()
        finally:
            self._lock.release()


@dataclass(frozen=True)
class Endpoints:
    """The addresses that the provider states (OpenID Connect Discovery 1.0)."""

    authorization: str
    token: str
    end_session: str | None
    names_issuer: bool
    """Whether its answers to browsers name it (RFC 9207)."""
    takes_basic: bool
    """Whether the client's secret is sent as a password, else in the form."""


class Provider:
    """The provider of the settings, as the client that it knows Parley as."""

    def __init__(self, settings: Settings, clock: Clock = time.monotonic) -> None:
        assert settings.oidc_issuer is not None
        self.issuer = settings.oidc_issuer
        self.client_id = settings.oidc_client_id
        secret = settings.oidc_client_secret
        self._secret = secret.get_secret_value() if secret else None
        self._scopes = settings.oidc_scopes
        self.redirect_uri = f"{settings.dashboard_url}/session/callback"
        self._start_page = f"{settings.dashboard_url}/"
        self._configuration = FetchedDocument(self._fetch_configuration, clock)
        self._keys = FetchedDocument(self._fetch_keys, clock)

    def endpoints(self) -> Endpoints:
        """Raises ProviderUnavailable."""
        stated = self._configuration.get()
        methods = stated.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        return Endpoints(
            stated["authorization_endpoint"],
            stated["token_endpoint"],
            stated.get("end_session_endpoint"),
            stated.get("authorization_response_iss_parameter_supported") is True,
            "client_secret_basic" in methods,
        )

    def authorization_url(self, *, state: str, nonce: str, challenge: str) -> str:
        """Where a browser goes to sign in. Raises ProviderUnavailable."""
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": self._scopes,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return _with_query(self.endpoints().authorization, query)

    def redeem_code(self, code: str, verifier: str) -> str:
        """Return the ID token for an authorization code. Raises ProviderRefusal and ProviderUnavailable."""
        endpoints = self.endpoints()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": verifier,
        }
        basic = None
        if self._secret is not None and endpoints.takes_basic:
            # RFC 6749, 2.3.1: both are encoded as in a form first.
            basic = _form_encode(self.client_id), _form_encode(self._secret)
        else:
            form["client_id"] = self.client_id
            if self._secret is not None:
                form["client_secret"] = self._secret
        token = post_form(endpoints.token, form, basic).get("id_token")
        if not isinstance(token, str):
            raise ProviderUnavailable("The identity provider answered without an ID token.")
        return token

    def sign_out_url(self, id_token: str) -> str | None:
        """Where a browser goes to sign out of the provider too; None where it offers that to nobody."""
        try:
            address = self.endpoints().end_session
        except ProviderUnavailable:
            return None
        query = {"id_token_hint": id_token, "client_id": self.client_id}
        return address and _with_query(address, {**query, "post_logout_redirect_uri": self._start_page})

    def list_keys(self, key_id: str | None, algorithm: str) -> Iterator[PyJWK]:
        """Yield the keys that a token which names `key_id` may be signed with; one that names none is signed
        with the only key of its kind. To be taken until one verifies the token: when none does, the keys are
        fetched anew, since the provider may list others now, also under the same id. Raises
        ProviderUnavailable where no keys are known."""
        listed = self._keys.get()
        yield from _find_keys(listed, key_id, algorithm)
        self._keys.renew()
        newer = self._keys.get()
        if newer is not listed:
            yield from _find_keys(newer, key_id, algorithm)

    def count_keys(self) -> int:
        """Return how many keys there are that tokens may be signed with. Raises ProviderUnavailable."""
        return sum(key.get("kty") in ALGORITHMS.values() for key in _list_keys(self._keys.get()))

    def _fetch_configuration(self) -> dict[str, Any]:
        stated = get_json(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
        if stated.get("issuer") != self.issuer:
            raise ProviderUnavailable(
                f"The identity provider calls itself {str(stated.get('issuer'))[:200]!r}, not"
                f" {self.issuer!r}: PARLEY_OIDC_ISSUER must be what it calls itself."
            )
        needed = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        for name in (*needed, "end_session_endpoint"):
            address = stated.get(name)
            if address is None and name not in needed:
                continue
            if not isinstance(address, str) or not _is_address(address, urlsplit(self.issuer).scheme):
                raise ProviderUnavailable(
                    f"The identity provider states no address that can be used as {name}."
                )
        return stated

    def _fetch_keys(self) -> dict[str, Any]:
        return get_json(self._configuration.get()["jwks_uri"])


def _list_keys(stated: dict[str, Any]) -> list[dict[str, Any]]:
    keys: object = stated.get("keys")
    listed = cast(list[object], keys)[:MAX_KEYS] if isinstance(keys, list) else []
    return [cast(dict[str, Any], key) for key in listed if isinstance(key, dict)]


def _find_keys(stated: dict[str, Any], key_id: str | None, algorithm: str) -> Iterator[PyJWK]:
    fitting = [key for key in _list_keys(stated) if _fits(key, key_id, algorithm)]
    if key_id is None and len(fitting) > 1:
        return
    for key in fitting[:MAX_KEYS_OF_AN_ID]:
        with suppress(PyJWKError, InvalidKeyError):
            yield PyJWK(key, algorithm)


def _fits(key: dict[str, Any], key_id: str | None, algorithm: str) -> bool:
    return (
        key.get("kty") == ALGORITHMS[algorithm]
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and (key_id is None or key.get("kid") == key_id)
    )


def _is_address(address: str, scheme: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return bool(parts.hostname) and parts.scheme in {"https", scheme}


def _with_query(address: str, query: dict[str, str]) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"


def _form_encode(text: str) -> str:
    return urlencode({"": text})[1:]
