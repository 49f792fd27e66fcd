"""A deployment may lack operations of the interface, and have more."""

from app.dashboard.api.interface_operations import (
    INTERFACE_OPERATIONS,
    find_extensions,
    find_missing_operations,
)


def test_the_interface_is_told_from_what_is_beyond_it() -> None:
    offered = {*INTERFACE_OPERATIONS[1:], "HEAD /v1/health", "GET /v1/scope"}
    assert find_missing_operations(offered) == [INTERFACE_OPERATIONS[0]]
    assert find_extensions(offered) == {"GET /v1/scope"}
