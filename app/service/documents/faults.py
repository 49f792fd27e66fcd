"""What can be wrong with a document, in words a person understands."""


class DocumentFault(Exception):
    """A document that was not read; `reason` is a sentence for the person who sent it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UnreadableDocument(DocumentFault):
    """The format is one we read, this file cannot be: encrypted, cut off, empty, too large."""


class UnsupportedDocument(DocumentFault):
    """The content is of a format we do not read; the interface answers 415."""


class ReadersBusy(Exception):
    """All reading processes are at work, and none became free in time."""


class ReadingCancelled(Exception):
    """Nobody waits for the answer any more; its reading process was ended."""
