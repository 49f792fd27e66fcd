"""E-mail: the document attached to it, or its own text where none is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from email.policy import default
from email.utils import parsedate_to_datetime

from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import Enclosure, PagedFormat
from app.service.documents.formats.plain_text import split_lines
from app.service.documents.formats.signatures import beginning, is_text
from app.service.documents.layout.pages import Page
from app.service.documents.lexicon.letters import forwards_mail, opens_older_mail, states_money

_HEADER = re.compile(rb"([!-9;-~]+):[ \t]?")
_MAIL_HEADERS = {
    b"bcc", b"cc", b"content-type", b"date", b"delivered-to", b"from", b"message-id", b"mime-version",
    b"received", b"reply-to", b"return-path", b"sender", b"subject", b"to",
}  # fmt: skip
_MOST_PARTS = 200
_LONGEST_NAME = 100
_SHOWN_HEADERS = ("From", "To", "Subject")
_HEADER_ROWS = 8
"""Rows of a quoted mail in which its own headers stand."""
_OWN_TEXT = re.compile(r"ATT\d+\.(?:html?|txt)", re.IGNORECASE)
"""How Exchange names the text of a mail that stands after an attachment."""
_QUOTED = re.compile(r"^(?:> ?)+")
_OLDER = "The mail quotes an older one with other sums, which was not read."
_FORWARDED = "The mail forwards another one, which was read; the sums that stand above that were not."


def _is_mail(content: bytes, filename: str) -> bool:
    """Whether a text begins with the headers of a mail: its sender and two others that every mail has."""
    if not is_text(content):
        return False
    names: set[bytes] = set()
    for line in beginning(content).lstrip().splitlines():
        found = _HEADER.match(line)
        if found:
            names.add(found[1].lower())
        elif line[:1] not in (b" ", b"\t"):
            break
    return b"from" in names and len(names & _MAIL_HEADERS) >= 3


def _list_enclosures(content: bytes) -> Iterator[Enclosure]:
    for part in _walk(content):
        if part.is_multipart() or (part.get_content_maintype() == "text" and not part.get_filename()):
            continue  # what is text without a name is the mail's own
        if _OWN_TEXT.fullmatch(part.get_filename() or ""):
            continue
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes) and payload:
            shown_in_text = part.get("Content-ID") is not None or part.get_content_disposition() == "inline"
            yield Enclosure(_read_filename(part), payload, shown_in_text)


def _read_filename(part: EmailMessage) -> str:
    name = "".join(letter for letter in part.get_filename() or "" if letter.isprintable())
    return name[:_LONGEST_NAME] or "without a name"


def _walk(content: bytes) -> Iterator[EmailMessage]:
    """The parts of a mail, those of mails within it too."""
    message = message_from_bytes(content, EmailMessage, policy=default)
    for number, part in enumerate(message.walk()):
        if number == _MOST_PARTS:
            return
        yield part


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    message = message_from_bytes(content, EmailMessage, policy=default)
    rows, remarks = _read_body(message)
    chosen = _without_older(rows)
    forwarded = _forwarded(rows, _read_header(message, "Subject"))
    if forwarded and _count_sums(forwarded) >= _count_sums(chosen if len(chosen) < len(rows) else ()):
        left_out, said = _leave_out(forwarded, chosen), _FORWARDED
        page = lay_out_cells(1, map(_unquote, forwarded))
    else:
        left_out, said = _leave_out(chosen, rows), _OLDER
        page = lay_out_cells(1, (*_read_headers(message), [], *map(_unquote, chosen)))
    return (replace(page, remarks=(*remarks, said) if _count_sums(left_out) else remarks),)


def _without_older(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """The rows without the older mails that they quote, where the newest one states sums of money itself:
    what an older one states held before."""
    lines = [" ".join(row) for row in rows]
    own = [at for at, line in enumerate(lines) if not _QUOTED.match(line)]
    first = next((at for at in own if opens_older_mail(lines, at)), len(rows))
    newest = [rows[at] for at in own if at < first]
    return newest if _count_sums(newest) else rows


def _forwarded(rows: Sequence[Sequence[str]], subject: str) -> Sequence[Sequence[str]]:
    """The rows of the mail that another one hands on, as its subject or a line says; none where none is."""
    lines = [_QUOTED.sub("", " ".join(row)) for row in rows]
    opened = [at for at in range(len(lines)) if opens_older_mail(lines, at)]
    if not opened or not (forwards_mail(subject) or forwards_mail(lines[opened[0]])):
        return ()
    end = next((at for at in opened if at > opened[0] + _HEADER_ROWS), len(rows))
    return rows[opened[0] : end]


def _leave_out(kept: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """The rows that are none of those kept, nor say the same."""
    known = set(map(tuple, kept))
    return [row for row in rows if tuple(row) not in known]


def _count_sums(rows: Sequence[Sequence[str]]) -> int:
    return sum(states_money(" ".join(row)) for row in rows)


def _unquote(row: Sequence[str]) -> list[str]:
    return [_QUOTED.sub("", row[0]), *row[1:]] if row else []


def _read_headers(message: EmailMessage) -> Iterator[list[str]]:
    """The headers that say who wrote to whom, and the day."""
    for name in _SHOWN_HEADERS:
        if value := _read_header(message, name):
            yield [f"{name}: {value}"]
    if day := _read_day(message):
        yield [f"Sent: {day}"]


def _read_body(message: EmailMessage) -> tuple[Sequence[Sequence[str]], tuple[str, ...]]:
    """The rows of the text, and sentences about merged cells in it."""
    body = message.get_body(("html", "plain"))
    plain = message.get_body(("plain",))
    if body is None:
        return (), ()
    text = _read_text(body)
    if body.get_content_subtype() == "html" and (plain is None or "<td" in text.lower()):
        from app.service.documents.formats.html_rows import read_html_rows

        return read_html_rows(text)
    return tuple(split_lines(_read_text(plain or body).splitlines())), ()


def _read_header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except (MessageError, ValueError, IndexError, AttributeError):
        return ""  # a malformed header says nothing


def _read_day(message: EmailMessage) -> str | None:
    try:
        return parsedate_to_datetime(_read_header(message, "Date")).date().isoformat()
    except ValueError:
        return None


def _read_text(part: MIMEPart) -> str:
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    for charset in (part.get_content_charset("utf-8"), "utf-8"):
        try:
            return content.decode(charset)
        except (LookupError, UnicodeDecodeError):
            continue
    return content.decode("cp1252", "replace")


MAIL = PagedFormat("EML", "message/rfc822", ("eml",), _is_mail, _read_pages, list_enclosures=_list_enclosures)
