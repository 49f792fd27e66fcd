"""How an import ended is said without contradiction."""

import pytest
from streamlit.testing.v1 import AppTest


def draw(kept: list[str]) -> None:
    from app.contract.imports import ImportRemoval
    from components.imports.import_preview import draw_import_outcome
    from tests.components.imports.fixtures import make_import

    removal = ImportRemoval(rows=0, entries=0, kept=kept)
    draw_import_outcome(make_import("undone").model_copy(update={"removal": removal}))


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ([], "**This import was undone.** Nothing of it is on record."),
        (["1 agreement (Desks): changed since."], "**This import was undone.** Nothing was removed."),
    ],
)
def test_what_stays_is_on_record(kept: list[str], said: str) -> None:
    page = AppTest.from_function(draw, kwargs={"kept": kept}).run()
    assert [one.value for one in page.info] == [said]
