"""The version stands in one place, and everything that names one reads it there."""

from importlib.metadata import version

from app.client.send import USER_AGENT as CLIENT
from app.contract.version import VERSION
from app.service.main import build_openapi
from app.service.webhooks.sending import USER_AGENT as WEBHOOKS


def test_package_description_and_requests_have_the_version() -> None:
    assert version("parley") == VERSION
    assert build_openapi(with_inbox=True)["info"]["version"] == VERSION
    assert f"parley-client/{VERSION}" == CLIENT
    assert f"Parley-Webhooks/{VERSION}" == WEBHOOKS
