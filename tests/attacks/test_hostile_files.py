"""Files made to be expensive, sixteen kinds from 1 KB to 50 MiB: none costs over 60 seconds of processor or
1 GiB, and a service beside them answers 95 of 100 calls within a tenth of a second."""

import io
import logging
import os
import random
import struct
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest

from app.service.documents.faults import DocumentFault
from app.service.documents.sandbox.reader_pool import ReaderPool, ReadingLimits
from tests.attacks.service_process import started
from tests.service.documents import pdf_builder
from tests.service.documents.sandbox.test_reader_process import readers_of

SIZES = (1_000, 30_000, 300_000, 3_000_000, 20_000_000, 50 * 1024**2)
GIBIBYTE = 1024**3
LIBRARIES = 128 * 1024**2
"""What the program itself takes in memory, which processes share."""
P95_SECONDS = 0.1
PAUSE_SECONDS = 0.05

logger = logging.getLogger(__name__)

_WORDS = (
    "the term of this agreement renews for twelve months unless notice of 30 days between A Ltd and B Ltd, "
    "total 5.00 invoice no. 7 of 3 May 2024 x 2 price increase by 3 % net VAT "
)


def _filled(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def _zip(parts: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def _changed(content: bytes, name: str, before: bytes, after: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    parts[name] = parts[name].replace(before, after)
    return _zip(parts)


def _png(width: int, height: int, data: bytes) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(data, 1))
        + chunk(b"IEND", b"")
    )


def one_cell(size: int, rng: random.Random) -> tuple[bytes, str]:
    unit = rng.choice(["a ", "1 ", "A Ltd and ", "a", "- ", "Total 5.00 ", _WORDS])
    return f"Item;Price\n{_filled(unit, size)};1\n".encode(), "cell.csv"


def many_rows(size: int, rng: random.Random) -> tuple[bytes, str]:
    row = rng.choice(
        ["Widget;2;5.00;10.00\n", "Total;5.00\n", "from 3 May 2024 to 4 June 2025\n",
         "Example Ltd, 12 High Street\n",
         "Bill to;Name Ltd\n", "Item;Qty;Price;Amount\na;1;2.00;2.00\n", "12 users x GBP 2.00 = GBP 24.00\n",
         "Qty:;2;Unit price:;2.00;Amount:;4.00\n", "\n", ";\n", "1;2\n"]
    )  # fmt: skip
    return ("Item;Qty;Price;Amount\n" + _filled(row, size)).encode(), "rows.csv"


def long_line(size: int, rng: random.Random) -> tuple[bytes, str]:
    return b"Item;Price\n" + _filled(rng.choice(["1;", "a;b;", "x"]), size).encode(), "line.csv"


def wide_rows(size: int, rng: random.Random) -> tuple[bytes, str]:
    row = ";".join(f"{rng.randrange(99)}.50" for _ in range(rng.choice([50, 100, 2_000]))) + "\n"
    return _filled(row, size).encode(), "wide.csv"


def prose(size: int, rng: random.Random) -> tuple[bytes, str]:
    return _filled(_WORDS + rng.choice(["\n", ". "]), size).encode(), "prose.txt"


def word_text(size: int, rng: random.Random) -> tuple[bytes, str]:
    book = pdf_builder.docx(["MARK"], [["Item", "Qty"], ["a", "1"]])
    text = _filled(_WORDS, min(size, 150_000_000)).encode()
    if rng.random() < 0.5:
        text = text.replace(b". ", b"</w:t></w:r></w:p><w:p><w:r><w:t>")
    return _changed(book, "word/document.xml", b"MARK", text), "text.docx"


def word_table(size: int, rng: random.Random) -> tuple[bytes, str]:
    book = pdf_builder.docx([], [["Item", "Qty"], ["MARK", "1"]])
    extra = rng.choice(
        [
            b"",
            b'<w:tcPr><w:vMerge w:val="continue"/></w:tcPr>',
            b'<w:tcPr><w:gridSpan w:val="9999999"/></w:tcPr>',
        ]
    )
    row = b"<w:tr><w:tc>" + extra + b"<w:p><w:r><w:t>Seats</w:t></w:r></w:p></w:tc></w:tr>"
    return _changed(
        book, "word/document.xml", b"</w:tbl>", row * (size // len(row)) + b"</w:tbl>"
    ), "table.docx"


def sheet(size: int, rng: random.Random) -> tuple[bytes, str]:
    book = pdf_builder.xlsx([["Item", "Price"], ["Seats", 5]])
    kind = rng.randrange(3)
    if kind == 0:
        far = rng.choice([("XFD", 1_048_576), ("ZZ", 1_000_000), ("J", 1_048_576)])
        cells = b'<row r="%d"><c r="%s%d"><v>1</v></c></row>' % (far[1], far[0].encode(), far[1])
    elif kind == 1:
        row = b'<row r="%d"><c r="A%d" t="inlineStr"><is><t>Seats</t></is></c><c r="B%d"><v>5</v></c></row>'
        cells = b"".join(row % (n, n, n) for n in range(3, 3 + min(size, 30_000_000) // 90))
    else:
        cells = (
            b'<row r="9"><c r="A9" t="inlineStr"><is><t>%s</t></is></c></row>'
            % _filled(_WORDS, size).encode()
        )
    return _changed(book, "xl/worksheets/sheet1.xml", b"</sheetData>", cells + b"</sheetData>"), "sheet.xlsx"


def shared_strings(size: int, rng: random.Random) -> tuple[bytes, str]:
    """A text that is in the file once, and in very many cells."""
    book = pdf_builder.xlsx([["Item", "Price"], ["Seats", 5]])
    count = rng.choice([1_000, 20_000, 200_000])
    row = b'<row r="%d"><c r="A%d" t="inlineStr"><is><t>%s</t></is></c></row>'
    text = _filled("Seats ", min(size // 100, 20_000)).encode()
    cells = b"".join(row % (n, n, text) for n in range(3, 3 + min(count, 150_000_000 // len(text))))
    return _changed(book, "xl/worksheets/sheet1.xml", b"</sheetData>", cells + b"</sheetData>"), "texts.xlsx"


def archive(size: int, rng: random.Random) -> tuple[bytes, str]:
    kind = rng.randrange(3)
    if kind == 0:  # what unpacks to far more
        return _zip({"word/document.xml": bytes(min(size * 20, 400_000_000))}), "bomb.docx"
    if kind == 1:  # archives in archives
        inner = _zip({"a": bytes(min(size, 10_000_000))})
        for _ in range(20):
            inner = _zip({"xl/workbook.xml": inner})
        return inner, "deep.xlsx"
    entry = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    directory = entry * (size // len(entry))
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 5, 5, len(directory), 4, 0)
    return b"PK\x03\x04" + directory + end, "entries.docx"


def xml(size: int, rng: random.Random) -> tuple[bytes, str]:
    kind = rng.randrange(4)
    head = b'<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">'
    if kind == 0:
        price = b"<Price><PriceAmount>5</PriceAmount></Price>"
        line = b"<InvoiceLine><InvoicedQuantity>1</InvoicedQuantity>" + price + b"</InvoiceLine>"
        return head + line * (size // len(line)) + b"</Invoice>", "lines.xml"
    if kind == 1:
        return head + b"<a>" * (size // 7) + b"</a>" * (size // 7) + b"</Invoice>", "deep.xml"
    if kind == 2:
        return head + b"<ID>" + b"x" * size + b"</ID></Invoice>", "text.xml"
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 30))
    return f'<!DOCTYPE a [<!ENTITY a0 "ha">{laughs}]><Invoice>&a29;</Invoice>'.encode(), "entities.xml"


def pdf_words(size: int, rng: random.Random) -> tuple[bytes, str]:
    count = min(size // 50, 100_000)
    place = rng.choice(
        [
            lambda n: (10 + n % 100 * 5, 10 + n // 100 * 0.8),
            lambda n: (10.0, 10.0),
            lambda n: (10 + n * 0.1, 50.0),
        ]
    )
    return pdf_builder.pdf(
        [pdf_builder.Text(*place(n), f"word{n % 1000}", 2) for n in range(count)]
    ), "words.pdf"


def pdf_objects(size: int, rng: random.Random) -> tuple[bytes, str]:
    kind = rng.randrange(3)
    if kind == 0:
        objects = [b"<< >>"] * min(size // 30, 100_000)
        tree = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>"]  # fmt: skip
        return pdf_builder.from_objects([*tree, *objects]), "objects.pdf"
    operators = rng.choice([b"0 0 5000 5000 re f\n", b"1 0 0 1 0 0 cm q\n", b"0 0 m 5000 5000 l S\n"])
    return pdf_builder.drawing(operators * (size // len(operators)), (5_000, 5_000)), "drawing.pdf"


def picture(size: int, rng: random.Random) -> tuple[bytes, str]:
    width, height = rng.choice([(60_000, 60_000), (6_000, 6_000), (200_000, 100), (20, 2_000_000)])
    rows = bytes(min(size * 10, width * height * 3, 60_000_000))
    return _png(width, height, rows), "picture.png"


def mail(size: int, rng: random.Random) -> tuple[bytes, str]:
    part = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n"
    count = min(10_000, size // len(part))
    return b"From: a@example.org\n" + b"".join(part % (n, n) for n in range(count)), "nested.eml"


def noise(size: int, rng: random.Random) -> tuple[bytes, str]:
    book = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le")
    head = rng.choice([b"%PDF-1.7\n", b"PK\x03\x04", book,
                       b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"<Invoice>", b"a;b\n"])  # fmt: skip
    return head + rng.randbytes(size), "noise"


KINDS: tuple[Callable[[int, random.Random], tuple[bytes, str]], ...] = (
    one_cell, many_rows, long_line, wide_rows, prose, word_text, word_table, sheet, shared_strings, archive,
    xml, pdf_words, pdf_objects, picture, mail, noise,
)  # fmt: skip


def largest_memory() -> int:
    """The most bytes that one of the reading processes ever had in memory, its libraries included."""
    most = 0
    for process in readers_of(os.getpid()):
        status = Path(f"/proc/{process}/status").read_text().split("\n")
        most = max(most, *(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")))
    return most


@contextmanager
def timed_calls(address: str, key: str) -> Generator[list[float]]:
    """The seconds of each call of a service, made one after the other while the block runs."""
    seconds: list[float] = []
    ended = threading.Event()

    def call() -> None:
        with httpx.Client(base_url=address, headers={"X-API-Key": key}, timeout=120) as api:
            while not ended.wait(PAUSE_SECONDS):
                began = time.perf_counter()
                # Another address each time, so that no kept answer serves.
                api.get("/v1/scope", params={"n": len(seconds)}).raise_for_status()
                seconds.append(time.perf_counter() - began)

    thread = threading.Thread(target=call)
    thread.start()
    try:
        yield seconds
    finally:
        ended.set()
        thread.join()


@pytest.mark.campaign
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("size", SIZES)
def test_hostile_files_cost_no_more_than_they_may(folder: Path, key: str, size: int) -> None:
    rng = random.Random(size)
    costs: list[tuple[float, str]] = []
    calls: list[float] = []
    memory = 0
    with started(folder) as (address, _), ReaderPool(ReadingLimits(processes=1)) as readers:
        for kind in KINDS:
            content, name = kind(size, rng)
            content = content[: SIZES[-1]]
            began = time.monotonic()
            reason = "read"
            with timed_calls(address, key) as seconds:
                try:
                    readers.read_document(content, name, organisation_id="attacker")
                except DocumentFault as fault:
                    reason = fault.reason
            calls += seconds
            assert reason == "read" or reason.endswith(".")
            assert "took longer than" not in reason, (kind.__name__, size)
            costs.append((time.monotonic() - began, f"{kind.__name__} {size}: {reason}"))
            memory = max(memory, largest_memory())
            assert memory < GIBIBYTE + LIBRARIES
            assert readers.read_document(b"Item;Price\nSeats;5.00\n", "a.csv", organisation_id="attacker")
    p95 = float(np.percentile(calls, 95))
    logger.warning("the service beside them: p95 %.1f ms of %d calls", 1000 * p95, len(calls))
    logger.warning("the most memory: %.0f MiB", memory / 2**20)
    for took, file in sorted(costs)[-20:]:
        logger.warning("%6.1f s  %s", took, file)
    assert p95 < P95_SECONDS
