"""Signing in with a real identity provider on sockets of their own, in a real browser."""

import json
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from fastapi import FastAPI
from playwright.sync_api import BrowserContext, Page, expect
from pydantic import SecretStr

from app.service.database.schema import migrate
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.openid.provider import Provider
from app.settings import Settings
from tests.browser.conftest import picture, settled, violations
from tests.browser.dashboard_process import dashboard
from tests.dashboard.http_server import serve_in_thread

pytestmark = [pytest.mark.browser, pytest.mark.campaign]
Window = Callable[..., BrowserContext]

PACKAGE = "oidc-provider@9.13.3"
SCRIPT = Path(__file__).with_name("identity_provider.mjs")
SECRET = SecretStr("bm90LWEtc2VjcmV0LWJ1dC1hLXRlc3Qta2V5LTAxMjM=")


@dataclass(frozen=True)
class SignedUp:
    """A dashboard and a service that the identity provider `issuer` knows."""

    dashboard: str
    issuer: str


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the provider is installed in."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("no Node: the identity provider of this test is a package of npm")
    folder = tmp_path_factory.mktemp("identity-provider")
    (folder / "package.json").write_text(json.dumps({"private": True, "type": "module"}))
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE]
    installed = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if installed.returncode:
        pytest.skip(f"npm cannot install {PACKAGE}: {installed.stderr.strip()[-300:]}")
    shutil.copy(SCRIPT, folder)
    return folder


@pytest.fixture(scope="module")
def running(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedUp]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    issuer = f"http://127.0.0.1:{port}"
    settings = Settings(data_dir=tmp_path_factory.mktemp("service"), rate_limit=0, secret_key=SECRET)
    app: FastAPI = create_service(settings)
    migrate(CONTEXT.get(app).database)
    environment = {"PARLEY_SECRET_KEY": SECRET.get_secret_value()}
    with (
        serve_in_thread(app) as service,
        dashboard(tmp_path_factory.mktemp("dashboard"), PARLEY_PUBLIC_URL=service, **environment) as (
            where,
            _,
        ),
    ):
        known = settings.model_copy(
            update={
                "public_url": service,
                "dashboard_url": where,
                "oidc_issuer": issuer,
                "oidc_client_id": "parley",
                "oidc_client_secret": SecretStr("a-secret"),
                "oidc_roles": "buyers=buyer@Acme",
                "oidc_contact": "procurement-it@acme.test",
            }
        )
        CONTEXT.set(app, replace(CONTEXT.get(app), settings=known, provider=Provider(known)))
        addresses = [f"{where}/session/callback", f"{where}/", f"{service}/v1/sign-in/logout"]
        log = (package / "log").open("wb")
        command = ["node", SCRIPT.name, str(port), *addresses]
        with subprocess.Popen(command, cwd=package, stdout=subprocess.PIPE, stderr=log) as provider, log:
            assert provider.stdout
            assert provider.stdout.readline().decode().strip() == issuer, (package / "log").read_text()
            try:
                yield SignedUp(where, issuer)
            finally:
                provider.terminate()


def sign_in_as(page: Page, name: str) -> None:
    """Fill in the forms of the provider: who it is, and that Parley may know it."""
    page.get_by_placeholder("Enter any login").fill(name)
    page.get_by_placeholder("and password").fill("x")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def test_a_person_signs_in_works_and_is_signed_out_by_the_provider(running: SignedUp, window: Window) -> None:
    context = window()
    page = context.new_page()
    page.goto(f"{running.dashboard}/quotes?scopes-tab=All+quotes")
    settled(page)
    picture(page, "sign-in-provider")
    assert not violations(page)
    page.get_by_role("link", name="Sign in with your company account").click()
    sign_in_as(page, "ada")
    expect(page.get_by_role("heading", name="Quotes")).to_be_visible()
    expect(page.get_by_text("for The person ada")).to_be_visible()
    cookie = next(c for c in context.cookies(running.dashboard) if c.get("name") == "parley_session")
    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Lax")
    assert not [c for c in context.cookies() if c.get("name", "").startswith("parley_attempt")]
    page.reload()
    expect(page.get_by_role("heading", name="Quotes")).to_be_visible()
    # Signed out of the provider elsewhere: it orders the end of the session.
    other = context.new_page()
    other.goto(f"{running.issuer}/session/end")
    other.get_by_role("button", name="Yes, sign me out").click()
    expect(other.get_by_text("Sign-out Success")).to_be_visible()
    page.wait_for_timeout(5_500)
    page.get_by_role("link", name="Catalog").click()
    expect(page.get_by_role("heading", name="Sign in to Parley")).to_be_visible()
    expect(page.get_by_text("You were signed out.")).to_be_visible()


def test_signing_out_here_signs_out_of_the_provider_too(running: SignedUp, window: Window) -> None:
    page = window().new_page()
    page.goto(f"{running.dashboard}/deployment")
    page.get_by_role("link", name="Sign in with your company account").click()
    sign_in_as(page, "ada")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Yes, sign me out").click()
    expect(page.get_by_role("heading", name="Sign in to Parley")).to_be_visible()
    page.get_by_role("link", name="Sign in with your company account").click()
    expect(page.get_by_placeholder("Enter any login")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_who_is_in_no_group_is_told_whom_to_ask(running: SignedUp, window: Window, dark: bool) -> None:
    page = window(dark=dark).new_page()
    page.goto(running.dashboard)
    page.get_by_role("link", name="Sign in with your company account").click()
    sign_in_as(page, "bob")
    expect(page.get_by_text("Ask procurement-it@acme.test to give you access.")).to_be_visible()
    picture(page, f"sign-in-refused-{'dark' if dark else 'light'}")
    assert not violations(page)
    page.get_by_role("link", name="Sign in with an access key").click()
    expect(page.get_by_label("Access key")).to_be_visible()
