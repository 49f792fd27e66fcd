"""What keeps the store from working is told apart from bugs."""

import errno

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.service.database.faults import StoreFault, UnknownOutcome, find_store_fault


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (OSError(errno.ENOSPC, "no room"), StoreFault.FULL),
        (PermissionError(errno.EACCES, "not allowed"), None),
        (PoolTimeout("no connection"), StoreFault.BUSY),
        (UnknownOutcome("lost"), StoreFault.UNKNOWN),
        (IntegrityError("INSERT", {}, Exception()), None),
        (ValueError("a bug"), None),
    ],
    ids=repr,
)
def test_a_fault_of_the_store_is_recognised(error: Exception, fault: StoreFault | None) -> None:
    assert find_store_fault(error) is fault
