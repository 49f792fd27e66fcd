"""The pages say where sample data is shown, and only there."""

from streamlit.testing.v1 import AppTest

from app.dashboard.api.cached_read import clear_reads
from app.dashboard.deployment import Deployment
from app.service.access.keys import create_key
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import create_scope, open_popover

ORGANISATION = "Storied"


def _has_notice(page: AppTest) -> bool:
    assert not page.exception
    return any("Sample data" in one.value for one in page.markdown)


def _sample_key(service: RunningService) -> str:
    with service.context.database.writing() as connection:
        return create_key(
            connection,
            name="story",
            organisation_name=ORGANISATION,
            role="owner",
            sample=True,
            now=service.context.clock(),
        )[1]


def test_the_banner_is_where_sample_records_or_figures_are(
    service: RunningService, open_page: OpenPage
) -> None:
    own = Deployment(service.address, service.key(ORGANISATION))
    invented = create_scope(Deployment(service.address, _sample_key(service)))
    assert _has_notice(open_page("overview", signed_in_to=own))
    assert _has_notice(open_page("scope", signed_in_to=own, id=invented))
    assert not _has_notice(open_page("webhooks", signed_in_to=own))
    real = create_scope(own)
    clear_reads()
    assert not _has_notice(open_page("overview", signed_in_to=own)), "it is in no figure any more"
    assert not _has_notice(open_page("scopes", signed_in_to=own)), "nor in any list"
    assert _has_notice(open_page("scope", signed_in_to=own, id=invented))
    assert not _has_notice(open_page("scope", signed_in_to=own, id=real))
    page = open_page("deployment", signed_in_to=own)
    open_popover(page, "remove-sample")
    assert [one.label for one in page.button if one.key == "remove-sample-button"] == ["Remove for good"]
