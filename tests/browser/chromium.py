"""Where Chromium is, or how to come by one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Error, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # The windows of Chromium itself, which nobody sees: a process for each.
    "--disable-features=PreloadTopChromeWebUI,InitialWebUI",
)


def find(playwright: Playwright) -> str:
    """The binary's path: `$CHROME_PATH`, an installed one, Playwright's own, and with `CI` set, one that is
    fetched. Without any: fails with `CI` set, else skips."""
    given = os.environ.get("CHROME_PATH")
    if given:
        return given
    found = _installed(playwright) or _fetched_by_playwright(playwright) or _installed_by_apt()
    if found:
        return found
    reason = "no Chromium: set CHROME_PATH, install one, or run `playwright install chromium`"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def _installed(playwright: Playwright) -> str | None:
    for name in NAMES:
        if path := shutil.which(name):
            return path
    own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


def _fetched_by_playwright(playwright: Playwright) -> str | None:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=180)
    except (subprocess.SubprocessError, OSError, Error):
        return None
    return _installed(playwright)


def _installed_by_apt() -> str | None:
    if not os.environ.get("CI") or os.name == "nt" or os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
        subprocess.run(command, check=False, capture_output=True, timeout=600)
    return shutil.which("chromium")
