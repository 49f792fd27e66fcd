"""No token of the identity provider lets anybody in that is not whole, signed, new and made for Parley."""

import base64
import hmac
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from pydantic import SecretStr, ValidationError

from app.service.openid import requests
from app.service.openid.attempts import RefusedAttempt, open_attempt, start_attempt
from app.service.openid.provider import RETRY_SECONDS, STALE_SECONDS, Provider
from app.service.openid.requests import ProviderRefusal, ProviderUnavailable
from app.service.openid.tokens import (
    LOGOUT_EVENT,
    RefusedToken,
    check_access_token,
    check_id_token,
    check_logout_token,
)
from app.service.vault import Vault
from app.settings import GroupRole, Settings
from tests.service.openid.small_provider import CLIENT_ID, CLIENT_SECRET, SmallProvider, small_provider

NONCE = "n-1"
AUDIENCE = "https://parley.example.com/api"
VAULT_KEY = "bm90LWEtc2VjcmV0LWJ1dC1hLXRlc3Qta2V5LTAxMjM="


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def running() -> Iterator[SmallProvider]:
    with small_provider() as provider:
        yield provider


@pytest.fixture
def small(running: SmallProvider) -> SmallProvider:
    """The provider of this file as it begins."""
    running.__init__(running.issuer)
    return running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def provider(small: SmallProvider, clock: Clock, tmp_path: Path) -> Provider:
    return Provider(_settings(small, tmp_path), clock)


def _settings(small: SmallProvider, data_dir: Path, **given: Any) -> Settings:
    return Settings(
        data_dir=data_dir,
        oidc_issuer=small.issuer,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=SecretStr(CLIENT_SECRET),
        **given,
    )


def _now() -> datetime:
    return datetime.now(UTC)


def test_a_token_that_holds_says_who_it_is(small: SmallProvider, provider: Provider) -> None:
    claims = check_id_token(provider, small.token(nonce=NONCE), NONCE, _now())
    assert (claims.issuer, claims.subject) == (small.issuer, "u-1")
    assert claims.groups("groups") == {"buyers"}
    assert claims.groups("realm.roles") is None
    nested = small.token(nonce=NONCE, realm={"roles": ["a", 7]})
    assert check_id_token(provider, nested, NONCE, _now()).groups("realm.roles") == {"a"}
    # A minute's difference between clocks is allowed.
    almost = small.token(nonce=NONCE, exp=time.time() - 50, iat=time.time() + 50)
    assert check_id_token(provider, almost, NONCE, _now()).subject == "u-1"


REFUSED_CLAIMS: dict[str, tuple[dict[str, Any], str]] = {
    "another audience": ({"aud": "other"}, "another audience"),
    "no audience": ({"without": ("aud",)}, "another audience"),
    "several audiences, no azp": ({"aud": [CLIENT_ID, "other"]}, "several clients"),
    "another azp": ({"aud": [CLIENT_ID, "other"], "azp": "other"}, "another client"),
    "expired": ({"exp": 1}, "expired"),
    "no expiry": ({"without": ("exp",)}, "does not say its exp"),
    "expiry as text": ({"exp": "9999999999"}, "does not say its exp"),
    "made later": ({"iat": 9_999_999_999}, "only from later on"),
    "valid later": ({"nbf": 9_999_999_999}, "only from later on"),
    "another issuer": ({"iss": "https://evil.example.com"}, "another issuer"),
    "no issuer": ({"without": ("iss",)}, "another issuer"),
    "another nonce": ({"nonce": "n-2"}, "nonce"),
    "no nonce": ({"without": ("nonce",)}, "nonce"),
    "no subject": ({"without": ("sub",)}, "whose it is"),
    "a number as subject": ({"sub": 1}, "whose it is"),
    "an access token": ({"typ": "at+jwt"}, "type"),
    "a logout token": ({"typ": "logout+jwt"}, "type"),
}


@pytest.mark.parametrize("case", REFUSED_CLAIMS)
def test_claims_that_do_not_fit_are_refused(case: str, small: SmallProvider, provider: Provider) -> None:
    given, reason = REFUSED_CLAIMS[case]
    with pytest.raises(RefusedToken, match=reason):
        check_id_token(provider, small.token(**{"nonce": NONCE, **given}), NONCE, _now())


def _unsigned(small: SmallProvider) -> str:
    claims = jwt.decode(small.token(nonce=NONCE), options={"verify_signature": False})
    return jwt.encode(claims, "", "none", headers={"kid": small.key_id})


def _signed_with_the_public_key(small: SmallProvider) -> str:
    claims = jwt.decode(small.token(nonce=NONCE), options={"verify_signature": False})
    spki = serialization.PublicFormat.SubjectPublicKeyInfo
    public = small.key.public_key().public_bytes(serialization.Encoding.PEM, spki)
    parts = [{"alg": "HS256", "typ": "JWT", "kid": small.key_id}, claims]
    signed = b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in parts)
    signature = base64.urlsafe_b64encode(hmac.digest(public, signed, "sha256")).rstrip(b"=")
    return (signed + b"." + signature).decode()


def _signed_with_another_key(small: SmallProvider) -> str:
    claims = jwt.decode(small.token(nonce=NONCE), options={"verify_signature": False})
    return jwt.encode(claims, ec.generate_private_key(ec.SECP256R1()), "ES256", headers={"kid": small.key_id})


def _key_of_its_own(small: SmallProvider) -> str:
    claims = jwt.decode(small.token(nonce=NONCE), options={"verify_signature": False})
    own = ec.generate_private_key(ec.SECP256R1())
    jwk = ECAlgorithm.to_jwk(own.public_key(), as_dict=True)
    return jwt.encode(claims, own, "ES256", headers={"kid": small.key_id, "jwk": jwk})


@pytest.mark.parametrize(
    "forge",
    [
        _unsigned,
        _signed_with_the_public_key,
        _signed_with_another_key,
        _key_of_its_own,
        lambda small: small.token(nonce=NONCE)[:-4] + "AAAA",
        lambda small: small.token(nonce=NONCE).rpartition(".")[0] + ".",
        lambda _: "",
        lambda _: "a.b.c",
        lambda _: "é" * 10,
        lambda _: "x" * 20_000,
        lambda small: jwt.PyJWS().encode(b"[1]", small.key, "ES256", {"kid": small.key_id, "typ": "JWT"}),
        lambda small: small.sign({"nonce": NONCE}, crit=["x"], x=1),
    ],
)
def test_a_forged_token_is_refused(
    forge: Callable[[SmallProvider], str], small: SmallProvider, provider: Provider
) -> None:
    with pytest.raises(RefusedToken):
        check_id_token(provider, forge(small), NONCE, _now())


def test_an_access_token_is_of_its_type_and_audience(small: SmallProvider, provider: Provider) -> None:
    whole: dict[str, Any] = {"typ": "at+jwt", "aud": AUDIENCE, "client_id": "tool"}
    assert check_access_token(provider, small.token(**whole), AUDIENCE, _now()).subject == "u-1"
    for change, reason in (
        ({"typ": "JWT"}, "type"),
        ({"aud": CLIENT_ID}, "audience"),
        ({"client_id": None}, "client"),
        ({"exp": 1}, "expired"),
    ):
        with pytest.raises(RefusedToken, match=reason):
            check_access_token(provider, small.token(**{**whole, **change}), AUDIENCE, _now())


def test_a_logout_token_orders_a_logout_and_nothing_else_does(
    small: SmallProvider, provider: Provider
) -> None:
    whole = {"typ": "logout+jwt", "events": {LOGOUT_EVENT: {}}, "jti": "j-1"}
    order = check_logout_token(provider, small.token(**whole), _now())
    assert (order.subject, order.session, order.id) == ("u-1", "p-1", "j-1")
    for change, reason in (
        ({"events": {}}, "orders no logout"),
        ({"nonce": NONCE}, "nonce"),
        ({"jti": None}, "neither"),
        ({"sub": None, "sid": None}, "neither"),
        ({"iat": 1}, "too old"),
        ({"typ": "at+jwt"}, "type"),
    ):
        with pytest.raises(RefusedToken, match=reason):
            check_logout_token(provider, small.token(**{**whole, **change}), _now())


def test_a_rotated_key_is_fetched_and_the_old_one_counts_no_more(
    small: SmallProvider, provider: Provider, clock: Clock
) -> None:
    old = small.token(nonce=NONCE)
    assert check_id_token(provider, old, NONCE, _now())
    small.rotate("second")
    clock.now += RETRY_SECONDS
    assert check_id_token(provider, small.token(nonce=NONCE), NONCE, _now())
    with pytest.raises(RefusedToken, match="does not list"):
        check_id_token(provider, old, NONCE, _now())


def test_a_key_that_changed_under_its_id_is_fetched_at_once(
    small: SmallProvider, provider: Provider, clock: Clock
) -> None:
    old = small.token(nonce=NONCE)
    assert check_id_token(provider, old, NONCE, _now())
    clock.now += RETRY_SECONDS
    small.rotate("first")
    assert check_id_token(provider, small.token(nonce=NONCE), NONCE, _now())
    with pytest.raises(RefusedToken, match="signature"):
        check_id_token(provider, old, NONCE, _now())
    assert small.requests["/keys"] == 2


def test_of_several_keys_under_one_id_any_may_have_signed(
    small: SmallProvider, provider: Provider, clock: Clock
) -> None:
    old = small.token(nonce=NONCE)
    small.rotate("first", keep=True)
    small.listed_keys.insert(0, {"kty": "EC", "kid": "first", "crv": "P-256", "x": "!", "y": ""})
    for token in (old, small.token(nonce=NONCE)):
        assert check_id_token(provider, token, NONCE, _now())
    assert small.requests["/keys"] == 1


def test_a_storm_of_false_signatures_asks_the_provider_once_in_a_while(
    small: SmallProvider, provider: Provider, clock: Clock
) -> None:
    check_id_token(provider, small.token(nonce=NONCE), NONCE, _now())
    for seconds, asked in ((RETRY_SECONDS - 1, 1), (1, 2), (RETRY_SECONDS - 1, 2), (1, 3)):
        clock.now += seconds
        for _ in range(20):
            with pytest.raises(RefusedToken, match="signature"):
                check_id_token(provider, _signed_with_another_key(small), NONCE, _now())
        assert small.requests["/keys"] == asked
    small.is_away = True
    clock.now += RETRY_SECONDS
    with pytest.raises(RefusedToken, match="signature"):
        check_id_token(provider, _signed_with_another_key(small), NONCE, _now())
    assert check_id_token(provider, small.token(nonce=NONCE), NONCE, _now())


def test_a_storm_of_unknown_keys_asks_the_provider_once(small: SmallProvider, provider: Provider) -> None:
    check_id_token(provider, small.token(nonce=NONCE), NONCE, _now())

    def send(number: int) -> None:
        with pytest.raises(RefusedToken, match="does not list"):
            check_id_token(provider, small.sign({}, kid=f"k-{number}", typ="JWT"), NONCE, _now())

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(send, range(200)))
    assert small.requests["/keys"] == 1


def test_keys_count_while_the_provider_is_away_but_not_for_ever(
    small: SmallProvider, provider: Provider, clock: Clock
) -> None:
    token = small.token(nonce=NONCE)
    check_id_token(provider, token, NONCE, _now())
    small.is_away = True
    clock.now += STALE_SECONDS - 1
    assert check_id_token(provider, token, NONCE, _now())
    clock.now += 2
    with pytest.raises(ProviderUnavailable, match=r"127\.0\.0\.1 answered 502"):
        check_id_token(provider, token, NONCE, _now())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"issuer": "https://evil.example.com"}, "calls itself"),
        ({"token_endpoint": "file:///etc/passwd"}, "token_endpoint"),
        ({"authorization_endpoint": None}, "authorization_endpoint"),
        ({"jwks_uri": "http://["}, "jwks_uri"),
        ({"end_session_endpoint": "javascript:alert(1)"}, "end_session_endpoint"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_named(
    change: dict[str, Any], reason: str, small: SmallProvider, provider: Provider
) -> None:
    small.stated |= change
    with pytest.raises(ProviderUnavailable, match=reason):
        provider.authorization_url(state="s", nonce="n", challenge="c")


def test_a_provider_that_is_away_slow_or_huge_is_given_up(
    small: SmallProvider, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "CONNECT_SECONDS", 0.2)
    settings = _settings(small, tmp_path)
    small.answer_late = 0.5
    with pytest.raises(ProviderUnavailable, match="did not answer in time"):
        Provider(settings, clock).endpoints()
    small.answer_late, small.answer_size = 0, requests.MAX_BYTES
    with pytest.raises(ProviderUnavailable, match="more than 512 KiB"):
        Provider(settings, clock).endpoints()
    nobody = settings.model_copy(update={"oidc_issuer": "http://127.0.0.1:1"})
    with pytest.raises(ProviderUnavailable, match="cannot be reached"):
        Provider(nobody, clock).endpoints()


def test_a_code_is_redeemed_once_and_by_who_asked_for_it(small: SmallProvider, provider: Provider) -> None:
    attempt = start_attempt("", _now())
    url = provider.authorization_url(state=attempt.state, nonce=attempt.nonce, challenge=attempt.challenge)
    code = small.authorize(url)["code"]
    token = provider.redeem_code(code, attempt.verifier)
    assert check_id_token(provider, token, attempt.nonce, _now()).subject == "u-1"
    for given in (code, small.authorize(url)["code"]):
        with pytest.raises(ProviderRefusal, match="invalid_grant"):
            provider.redeem_code(given, "another verifier")


def test_an_attempt_is_of_one_browser_and_ten_minutes() -> None:
    vault, now = Vault(VAULT_KEY), _now()
    attempt = start_attempt("scope?id=1", now)
    sealed = attempt.seal(vault)
    assert open_attempt(vault, sealed, attempt.state, now) == attempt
    other = start_attempt("", now)
    later = datetime.fromtimestamp(now.timestamp() + 601, UTC)
    for given, state, moment, reason in (
        (sealed, other.state, now, "of this browser"),
        (sealed, "é", now, "of this browser"),
        (sealed, attempt.state, later, "ten minutes"),
        ("", attempt.state, now, "not started"),
        ("é", attempt.state, now, "not started"),
        (vault.seal(b'{"purpose": "other"}').decode(), attempt.state, now, "not started"),
        (vault.seal(b"[]").decode(), attempt.state, now, "not started"),
    ):
        with pytest.raises(RefusedAttempt, match=reason):
            open_attempt(vault, given, state, moment)


def test_groups_are_mapped_by_entries_that_can_be_read(tmp_path: Path) -> None:
    text = "cn=Buyers,ou=Groups,dc=x=buyer@Acme; admins=admin@Acme Ltd ;"
    settings = Settings(
        data_dir=tmp_path, oidc_issuer="https://id.example.com", oidc_client_id="c", oidc_roles=text
    )
    assert settings.group_roles == (
        GroupRole("cn=Buyers,ou=Groups,dc=x", "buyer", "Acme"),
        GroupRole("admins", "admin", "Acme Ltd"),
    )


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"oidc_roles": "buyers=buyer"}, "GROUP=ROLE@ORGANISATION"),
        ({"oidc_roles": "buyers=king@Acme"}, "reader, buyer, admin, owner"),
        ({"oidc_roles": "=buyer@Acme"}, "GROUP=ROLE@ORGANISATION"),
        ({"oidc_issuer": "http://id.example.com"}, "https"),
        ({"oidc_issuer": "id.example.com"}, "https"),
        ({"oidc_client_id": ""}, "PARLEY_OIDC_CLIENT_ID"),
        ({"oidc_issuer": None}, "need PARLEY_OIDC_ISSUER"),
        ({"oidc_scopes": "profile"}, "openid"),
    ],
)
def test_settings_that_do_not_fit_are_named(given: dict[str, Any], reason: str) -> None:
    whole = {"oidc_issuer": "https://id.example.com", "oidc_client_id": "c"}
    with pytest.raises(ValidationError, match=reason):
        Settings(**{**whole, **given})
