"""The settings and the Streamlit options of this process.

Streamlit runs the pages as scripts, so nothing can be passed to them as an argument. One process serves one
dashboard (Streamlit refuses a second one), hence one place where the server leaves its settings.
"""

import tomllib
from pathlib import Path

from app.settings import Settings

DASHBOARD = Path(__file__).resolve().parents[1]
"""The folder of `app.dashboard`."""

ROOT = DASHBOARD.parents[1]
"""The folder that holds `pages/`: the repository, or the site-packages of an installation."""

_CONFIG_FILES = (ROOT / ".streamlit" / "config.toml", DASHBOARD / "config.toml")
"""In the repository and in an installed wheel."""

_current: list[Settings] = []


def set_settings(settings: Settings) -> None:
    """Make `settings` those of this process."""
    _current[:] = [settings]


def get_settings() -> Settings:
    """The settings that the server was started with, else those of the environment."""
    if not _current:
        _current.append(Settings())
    return _current[0]


def allowed_addresses() -> tuple[str, ...]:
    """The base addresses that somebody may sign in to: `PARLEY_DEPLOYMENTS`, else our own service."""
    known = get_settings()
    return known.deployments or (known.public_url,)


def read_streamlit_options() -> dict[str, object]:
    """The options of `.streamlit/config.toml` by dotted name, wherever the process was started from."""
    for file in _CONFIG_FILES:
        if file.is_file():
            return dict(_flatten(tomllib.loads(file.read_text(encoding="utf-8"))))
    return {}


def _flatten(table: dict[str, object], prefix: str = "") -> list[tuple[str, object]]:
    options: list[tuple[str, object]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            options += _flatten(value, f"{prefix}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            options.append((f"{prefix}{name}", value))
    return options
