"""One transaction for everything that a call writes, however many functions write it."""

from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext, suppress

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app.service.database.faults import UnknownOutcome

Undo = Callable[[], None]
"""Takes back what was done outside the database, such as a file that was saved."""


class SharedTransaction:
    """A transaction that begins with the first block that joins it and ends with `commit` or `roll_back`.

    A block that fails takes back what it wrote; the blocks before it stay until the end. `on_begin` runs in
    the transaction before the first block, `on_end` when it was committed or rolled back.
    """

    def __init__(
        self,
        connect: Callable[[], Connection],
        *,
        on_begin: Callable[[Connection], None] = lambda _: None,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self.connection: Connection | None = None
        """The connection while the transaction is open."""
        self._connect = connect
        self._on_begin = on_begin
        self._on_end = on_end
        self._undos: list[Undo] = []

    @contextmanager
    def join(self, undo: Undo | None = None) -> Generator[Connection]:
        """A block of the transaction. `undo` is called when what the block wrote is rolled back."""
        begun = self.connection is not None
        try:
            connection = self.connection or self._begin()
            with connection.begin_nested() if begun else nullcontext():
                yield connection
        except BaseException:
            if undo is not None:
                undo()
            if not begun:
                self.roll_back()
            raise
        if undo is not None:
            self._undos.append(undo)

    def commit(self) -> None:
        """Stores what the blocks wrote. Raises UnknownOutcome when the connection was lost meanwhile; after
        any other error nothing was stored."""
        if self.connection is None:
            return
        try:
            self.connection.commit()
        except BaseException as error:
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                self._undos.clear()  # what was saved outside may belong to rows that were stored
                self.roll_back()
                raise UnknownOutcome("the connection was lost while committing") from error
            self.roll_back()
            raise
        self._undos.clear()
        self._close()

    def roll_back(self) -> None:
        """Takes back what the blocks wrote. Raises nothing: a connection that is lost has rolled back."""
        undos = self._undos
        self._undos = []
        for undo in reversed(undos):
            undo()
        if self.connection is not None:
            with suppress(SQLAlchemyError):
                self.connection.rollback()
            self._close()

    def _begin(self) -> Connection:
        connection = self._connect()
        self.connection = connection
        connection.begin()
        self._on_begin(connection)
        return connection

    def _close(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()
            self._on_end()
