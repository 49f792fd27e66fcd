"""No key, secret or end user's e-mail shows in a `repr`, a log or an error."""

import logging
import traceback
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.client import ApiError, Credentials, EndUser, Retries, Timeouts
from app.client.redaction import HIDDEN, Secrets
from app.client.request import Call, build_request
from tests.client import records
from tests.client.flavours import Connect
from tests.client.records import ID
from tests.client.scripted import CutsShort, Hangs, Received, Resets, Says, ScriptedService, Step

KEY = "prl_live_Zq81mN0"
EMAIL = "ann.buyer@example.com"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
END_USER = EndUser(identifier="employee-4711", ip="192.0.2.7", email=EMAIL)
SECRETS = (KEY, EMAIL, SECRET)


def shown(error: BaseException) -> str:
    """All that a log with full tracebacks and local variables would hold."""
    detailed = traceback.TracebackException.from_exception(error, capture_locals=True, compact=False)
    return "\n".join([*detailed.format(), repr(error), str(error), repr(vars(error))])


def echo(request: Received) -> Says:
    """A service that is careless with what it was told."""
    told = [*request.headers.values(), SECRET, f"Bearer {SECRET}"]
    places = [{"pointer": header, "detail": value} for header, value in request.headers.items()]
    body = records.problem(400, " ".join(told), errors=places, echo={"headers": dict(request.headers)})
    return Says(400, body)


STEPS: dict[str, Callable[[Received], Step]] = {
    "refused": echo,
    "unreadable": lambda _: Says(200, {"id": SECRET, "nested": [KEY, EMAIL]}),
    "redirected": lambda _: Says(302),
    "reset": lambda _: Resets(),
    "cut short": lambda _: CutsShort(),
    "silent": lambda _: Hangs(),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_an_error_shows_no_secret(
    service: ScriptedService,
    caplog: pytest.LogCaptureFixture,
    step: Callable[[Received], Step],
    connect: Connect,
) -> None:
    service.reply = step
    caplog.set_level(logging.DEBUG)
    with connect(
        service.address,
        api_key=KEY,
        end_user=END_USER,
        timeouts=Timeouts(read=0.1),
        retries=Retries(tries=2, first_wait=0),
    ) as parley:
        with pytest.raises(ApiError) as raised:
            parley.scopes.get(ID)
        text = shown(raised.value) + caplog.text + repr(parley) + repr(parley.calls) + repr(parley.scopes)
    assert [secret for secret in SECRETS if secret in text] == []
    assert caplog.text


def test_the_body_of_an_error_is_there_without_secrets(service: ScriptedService, connect: Connect) -> None:
    service.reply = lambda request: replace(echo(request), headers={"x-told": KEY})
    with (
        connect(service.address, api_key=KEY, end_user=END_USER) as parley,
        pytest.raises(ApiError) as raised,
    ):
        parley.scopes.get(ID)
    error = raised.value
    assert error.response
    assert error.problem
    assert b"about:blank" in error.response.body
    everything = repr((error.response.body, dict(error.response.headers).items(), error.problem))
    assert [secret for secret in SECRETS if secret in everything] == []


def test_a_log_tells_of_each_call_without_secrets(
    service: ScriptedService, caplog: pytest.LogCaptureFixture, connect: Connect
) -> None:
    service.script(Says(201, records.webhook(secret=SECRET)))
    caplog.set_level(logging.DEBUG)
    with connect(service.address, api_key=KEY, end_user=END_USER) as parley:
        created = parley.webhooks.create("https://receiver.example/?token=t0ken", ["scope.extracted"])
    assert created.secret == SECRET
    assert "POST /v1/webhooks -> 201" in caplog.text
    assert [secret for secret in (*SECRETS, "t0ken") if secret in caplog.text] == []


def test_no_repr_on_the_way_shows_a_secret(service: ScriptedService) -> None:
    credentials = Credentials(KEY, END_USER)
    call = Call(
        "POST", "/v1/webhooks", (), lambda answer: answer, json={"secret": SECRET}, idempotency_key="k"
    )
    request = build_request(call, service.address, credentials)
    assert request.headers["authorization"].endswith(KEY)
    text = repr([credentials, END_USER, call, request, request.headers]) + str(request.headers)
    assert [secret for secret in (*SECRETS, "employee-4711", "192.0.2.7") if secret in text] == []


def test_a_fingerprint_gives_nothing_away() -> None:
    credentials = Credentials(KEY, END_USER)
    assert KEY not in credentials.fingerprint
    assert credentials.fingerprint == Credentials(KEY, END_USER).fingerprint
    assert credentials.fingerprint != Credentials(KEY).fingerprint


def test_identities_that_differ_in_one_part_have_other_fingerprints() -> None:
    identities = [
        Credentials(),
        Credentials("a"),
        Credentials("a", EndUser(identifier="b")),
        Credentials("a", EndUser(email="b")),
        Credentials("a", EndUser(organization_name="b")),
        Credentials(None, EndUser(identifier="a")),
    ]
    assert len({identity.fingerprint for identity in identities}) == len(identities)


def test_a_secret_inside_another_is_hidden_whole() -> None:
    assert Secrets("abc", "abcdef", None).redact("abc-abcdef") == f"{HIDDEN}-{HIDDEN}"
