"""The table of CLDR's words is what Babel says, and is loaded fast."""

import pytest

from tests.cldr import PATH, build_table, format_table


@pytest.mark.campaign
def test_the_table_is_that_of_babel() -> None:
    assert PATH.read_text(encoding="utf-8") == format_table(build_table())
