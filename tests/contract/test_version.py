"""The version stands in one place, and everything that names one reads it there."""

from importlib.metadata import version

from app.client.send import USER_AGENT as CLIENT
from app.contract.version import VERSION
from app.service.http.openapi import load_description
from app.service.webhooks.sending import USER_AGENT as WEBHOOKS


def test_package_description_and_requests_have_the_version() -> None:
    assert version("parley") == VERSION
    assert load_description(with_inbox=True)["info"]["version"] == VERSION
    assert f"parley-client/{VERSION}" == CLIENT
    assert f"Parley-Webhooks/{VERSION}" == WEBHOOKS
