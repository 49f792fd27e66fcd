"""A bound on the uploaded files that pages hold in memory: Streamlit keeps each until its page is closed."""

from collections import Counter
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from typing import cast

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MAX_FILES = 4
"""How many files of the largest size the pages of a person or key hold, or the same bytes in smaller ones."""
MAX_USERS = 4
"""How many times as much the pages of all hold together."""


class HeldUploads:
    """The bytes of files that are held or arriving: `most` for each user, in all of their sessions, and
    `MAX_USERS` times as many in all. To be used in the event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._users: dict[str, Hashable] = {}
        self._arriving = Counter[Hashable]()

    @contextmanager
    def receive(self, user: Hashable, page: str, size: int) -> Generator[bool]:
        """A file of `size` bytes arrives for a page while the block runs. False where it is one too many."""
        sizes = _sizes_by_page()
        self._users = {known: owner for known, owner in self._users.items() if known in sizes}
        of_user = sum(stored for known, stored in sizes.items() if self._users.get(known) == user)
        of_all = sum(sizes.values()) + self._arriving.total()
        is_too_much = of_user + self._arriving[user] + size > self._most
        if is_too_much or of_all + size > MAX_USERS * self._most:
            yield False
            return
        self._arriving[user] += size
        try:
            yield True
        finally:
            self._users[page] = user
            self._arriving[user] -= size


def _sizes_by_page() -> dict[str, int]:
    """The bytes that Streamlit holds for each of its sessions, which is a page in a tab."""
    storage = cast(MemoryUploadedFileManager, runtime.get_instance().uploaded_file_mgr).file_storage
    return {page: sum(len(file.data) for file in files.values()) for page, files in list(storage.items())}
