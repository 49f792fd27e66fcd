"""A browser for these tests. What a test module imports is open to the end of the run: here it is closed
behind the folder."""

from tests.browser.conftest import browser, playwright, window

__all__ = ["browser", "playwright", "window"]
