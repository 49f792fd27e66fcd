"""What the reader knows about one format of files."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.service.documents.extraction import Extraction
from app.service.documents.layout.pages import Page

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PAGES = 300
"""Documents with more pages than these are refused."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files that are read. Its functions raise UnreadableDocument for damaged files.

    The libraries of a format are imported inside these functions: the service tells formats apart
    without loading them, and the limits of a reading process hold while they load.
    """

    name: str
    """What sentences to people call the format."""

    media_type: str

    suffixes: tuple[str, ...]
    """The usual endings of its files' names, without the dot."""

    matches: Callable[[bytes, str], bool]
    """Whether a file is of this format, by its content; its name only decides between kinds of text."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file that comes with another, as an attachment does with a mail.

    `in_text` says that the other file shows it within its text, as a logo.
    """

    filename: str
    content: bytes
    in_text: bool = False


@dataclass(frozen=True, slots=True)
class PagedFormat(Format):
    """A format whose files are read as pages of words."""

    read_pages: Callable[[bytes, int], Iterable[Page]]
    """The pages of a file, which may be so many at most. With `count_pages`, each is read when asked for;
    with `read_scan`, one that is a picture is `scanned` and has no words yet."""

    count_pages: Callable[[bytes], int] | None = None
    """How many pages a file has, where reading one takes long."""

    read_scan: Callable[[bytes, int], Page] | None = None
    """A page that is a picture, counted from 1, with the words that are recognised in it."""

    draw_page: Callable[[bytes, int, int], "Image"] | None = None
    """A page, counted from 1, as a picture of about the given width in pixels. Raises IndexError for a
    page that the file does not have. None where the pages are made up for reading, as of a sheet: these are
    drawn as they were read."""

    read_attachments: Callable[[bytes], Iterator[bytes]] | None = None
    """The files inside of a file, among which an e-document may be."""

    list_enclosures: Callable[[bytes], Iterator[Enclosure]] | None = None
    """The files that come with a file, among which the document may be."""


@dataclass(frozen=True, slots=True)
class DataFormat(Format):
    """A format whose files state their values."""

    read_values: Callable[[bytes, str], Extraction]
    """What a file states, given its content and name."""
