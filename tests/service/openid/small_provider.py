"""A small identity provider on a real socket, whose answers and tokens a test makes as wrong as it likes."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

CLIENT_ID = "parley"
CLIENT_SECRET = "a secret & more"


class SmallProvider:
    """Signs in whoever comes, as `claims` say. `stated` is its configuration, `listed_keys` its key set;
    `answer_late` and `answer_size` make it slow and huge."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.stated: dict[str, Any] = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/keys",
            "end_session_endpoint": f"{issuer}/end",
            "authorization_response_iss_parameter_supported": True,
        }
        self.listed_keys: list[dict[str, Any]] = []
        self.claims: dict[str, Any] = {"sub": "u-1", "name": "Ada", "groups": ["buyers"], "sid": "p-1"}
        self.header: dict[str, Any] = {}
        self.requests: Counter[str] = Counter()
        self.answer_late = 0.0
        self.answer_size = 0
        self.is_away = False
        self.clock = time.time
        self._codes: dict[str, dict[str, str]] = {}
        self.rotate("first")

    def rotate(self, key_id: str, *, keep: bool = False) -> None:
        """Sign with a new key; the earlier ones leave the list unless `keep`."""
        self.key, self.key_id = ec.generate_private_key(ec.SECP256R1()), key_id
        jwk = ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        listed = {**jwk, "kid": key_id, "use": "sig", "alg": "ES256"}
        self.listed_keys = [*(self.listed_keys if keep else []), listed]

    def sign(self, claims: dict[str, Any], **header: Any) -> str:
        return jwt.encode(claims, self.key, "ES256", headers={"kid": self.key_id, **header})

    def token(self, *, typ: str = "JWT", without: tuple[str, ...] = (), **claims: Any) -> str:
        """A token for Parley that holds, but for what `claims` and `without` change."""
        now = int(self.clock())
        whole = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300, **self.claims, **claims}
        return self.sign({name: value for name, value in whole.items() if name not in without}, typ=typ)

    def authorize(self, url: str) -> dict[str, str]:
        """What the browser comes back with, once the person has signed in at `url`."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(8)
        self._codes[code] = asked
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    def redeem(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        asked = self._codes.pop(form["code"], None)
        password = base64.b64decode(authorization.partition(" ")[2]).decode()
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            asked is None
            or challenge != asked["code_challenge"]
            or form["redirect_uri"] != asked["redirect_uri"]
        ):
            return 400, {"error": "invalid_grant"}
        if password != f"{CLIENT_ID}:{urlencode({'': CLIENT_SECRET})[1:]}":
            return 401, {"error": "invalid_client"}
        return 200, {
            "id_token": self.token(**{"nonce": asked["nonce"], **self.claims}),
            "token_type": "Bearer",
        }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    provider: SmallProvider


class _Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True

    @property
    def provider(self) -> SmallProvider:
        return cast(_Server, self.server).provider

    def do_GET(self) -> None:
        provider = self.provider
        path = urlsplit(self.path)
        if path.path == "/authorize":
            back = provider.authorize(self.path)
            self.send_response(302)
            target = parse_qs(path.query)["redirect_uri"][0]
            self.send_header("Location", f"{target}?{urlencode(back)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if path.path == "/end":
            self._answer(200, {"ended": True})
            return
        documents = {
            "/.well-known/openid-configuration": provider.stated,
            "/keys": {"keys": provider.listed_keys},
        }
        found = documents.get(path.path)
        self._answer(404 if found is None else 200, found or {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self._answer(*self.provider.redeem(form, self.headers.get("authorization", "")))

    def _answer(self, status: int, content: dict[str, Any]) -> None:
        provider = self.provider
        provider.requests[urlsplit(self.path).path] += 1
        if provider.is_away:
            status, content = 502, {}
        body = json.dumps({**content, "padding": "x" * provider.answer_size}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        time.sleep(provider.answer_late)
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing in the output of the tests."""


@contextmanager
def small_provider() -> Generator[SmallProvider]:
    server = _Server(("127.0.0.1", 0), _Handler)
    server.provider = SmallProvider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
