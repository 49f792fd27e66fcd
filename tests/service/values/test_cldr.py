"""The table of CLDR's words is what Babel says, and is loaded fast."""

from tests.cldr import PATH, build_table, format_table


def test_the_table_is_that_of_babel() -> None:
    assert PATH.read_text(encoding="utf-8") == format_table(build_table())
