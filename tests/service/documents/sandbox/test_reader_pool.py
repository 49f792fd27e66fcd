"""Hostile and damaged files: a reason a person understands, no crash, limits kept."""

import io
import os
import random
import threading
import time
import zipfile
from pathlib import Path

import pytest

from app.service.documents.faults import DocumentFault, UnreadableDocument
from app.service.documents.sandbox.reader_pool import ReaderPool, ReadingLimits
from app.service.documents.sandbox.reader_process import TimeLimit
from tests.service.documents import pdf_builder
from tests.service.documents.sandbox.test_reader_process import readers_of

SHARED = Path(__file__).parents[4].parent / "shared" / "data"
GOOD = pdf_builder.quote(
    ["Description", "Qty", "Unit price", "Amount"],
    [["Editor seats", "10", "150.00", "1,500.00"]],
    [("Total", "$1,500.00")],
)


def reason(readers: ReaderPool, content: bytes, filename: str = "quote.pdf") -> str:
    with pytest.raises(DocumentFault) as refusal:
        readers.read_document(content, filename, organisation_id="o")
    assert refusal.value.reason.endswith(".")
    return refusal.value.reason


def test_an_encrypted_pdf_says_so(readers: ReaderPool) -> None:
    locked = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -44 >>" % (b"28" * 32, b"11" * 32)
    content = pdf_builder.from_objects(
        [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 0 /Kids [] >>", locked],
        b"/Encrypt 3 0 R /ID [<00> <00>]",
    )
    assert "password" in reason(readers, content)


def test_a_truncated_pdf_is_refused_or_read_but_never_fatal(readers: ReaderPool) -> None:
    assert reason(readers, GOOD[: len(GOOD) // 5])


def test_too_many_pages_are_counted_not_read(readers: ReaderPool) -> None:
    kids = b" ".join([b"3 0 R"] * 10_000)
    content = pdf_builder.from_objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 10000 /Kids [%s] >>" % kids,
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
        ]
    )
    began = time.monotonic()
    assert "10000 pages" in reason(readers, content)
    assert time.monotonic() - began < 30


def test_a_page_of_ten_metres_is_no_page(readers: ReaderPool) -> None:
    content = pdf_builder.pdf([pdf_builder.Text(50, 60, "Total: $5.00")], width=28_346, height=28_346)
    assert "metres" in reason(readers, content)


def test_a_loop_in_the_page_tree_ends(readers: ReaderPool) -> None:
    content = pdf_builder.from_objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 2 /Kids [2 0 R 2 0 R] /Parent 2 0 R >>",
        ]
    )
    assert reason(readers, content)


@pytest.mark.campaign
@pytest.mark.parametrize("part", ["word/document.xml", "xl/workbook.xml"])
def test_a_zip_bomb_is_not_unpacked(part: str, readers: ReaderPool) -> None:
    target = io.BytesIO()
    with (
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(part, "w") as entry,
    ):
        for _ in range(300):
            entry.write(b"0" * 1024 * 1024)
    assert "unpacks" in reason(readers, target.getvalue(), "quote.docx")


def test_entities_in_xml_are_refused(readers: ReaderPool) -> None:
    laughs = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><Invoice>&c;</Invoice>'
    assert "document type" in reason(readers, laughs, "invoice.xml")
    outside = (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Invoice>&b;</Invoice>'
    )
    assert "document type" in reason(readers, outside, "invoice.xml")


def test_an_enormous_picture_is_not_unpacked(readers: ReaderPool) -> None:
    header = (
        b"\x89PNG\r\n\x1a\n"
        + (13).to_bytes(4, "big")
        + b"IHDR"
        + (30_000).to_bytes(4, "big") * 2
        + b"\x08\x02\0\0\0"
    )
    assert "too large" in reason(readers, _checked(header), "photo.png")


def _checked(header: bytes) -> bytes:
    import zlib

    return (
        header
        + zlib.crc32(header[12:]).to_bytes(4, "big")
        + (0).to_bytes(4, "big")
        + b"IDAT"
        + zlib.crc32(b"IDAT").to_bytes(4, "big")
    )


def test_an_empty_sheet_says_that_there_is_no_text(readers: ReaderPool) -> None:
    assert "no text" in reason(readers, pdf_builder.xlsx([]), "empty.xlsx")


def test_json_is_no_table_of_commas(readers: ReaderPool) -> None:
    assert "This is JSON" in reason(readers, b'{"quantity": 1, "price": [2, 3]}', "quote")


def test_a_wrong_extension_does_not_mislead(readers: ReaderPool) -> None:
    assert readers.read_document(GOOD, "quote.xlsx", organisation_id="o").total == 1500


def test_right_to_left_text_is_read_without_harm(readers: ReaderPool) -> None:
    content = pdf_builder.docx(
        ["שלום עולם", "عرض سعر"],
        [["Description", "Qty", "Unit price", "Amount"], ["كرسي", "2", "5.00", "10.00"]],
    )
    [line] = readers.read_document(content, "rtl.docx", organisation_id="o").line_items
    assert line.amount == 10


def test_a_document_that_takes_too_long_costs_one_process() -> None:
    with ReaderPool(ReadingLimits(reading=TimeLimit(60, 0.0005))) as hurried:
        assert "longer than" in reason(hurried, GOOD)
        assert "longer than" in reason(hurried, GOOD)


@pytest.mark.campaign
def test_a_document_that_needs_too_much_memory_costs_one_process() -> None:
    large = pdf_builder.picture([(50, 50, "Total 5.00")], (5000, 5000))
    with ReaderPool(ReadingLimits(memory=200 * 1024**2)) as small:
        with pytest.raises(UnreadableDocument):
            small.read_document(large, "big.png", organisation_id="o")
        assert small.read_document(b"Item;Price\nSeats;5.00\n", "quote.csv", organisation_id="o").line_items


@pytest.mark.campaign
def test_a_process_is_replaced_after_so_many_documents() -> None:
    with ReaderPool(ReadingLimits(documents_per_process=1)) as readers:
        assert [readers.read_document(GOOD, "quote.pdf", organisation_id="o").total for _ in range(2)] == [
            1500,
            1500,
        ]


@pytest.mark.campaign
def test_a_closed_pool_leaves_no_process_behind() -> None:
    readers = ReaderPool()
    before = readers_of(os.getpid())
    readers.read_document(GOOD, "quote.pdf", organisation_id="o")
    assert readers_of(os.getpid()) > before
    readers.close()
    assert readers_of(os.getpid()) == before
    # What is asked for still is read, and its process ended at once.
    assert readers.read_document(GOOD, "quote.pdf", organisation_id="o").total == 1500
    assert readers_of(os.getpid()) == before


@pytest.mark.campaign
def test_children_serve_many_threads(readers: ReaderPool) -> None:
    totals: list[object] = []
    threads = [
        threading.Thread(
            target=lambda: totals.append(readers.read_document(GOOD, "q.pdf", organisation_id="o").total)
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert totals == [1500] * 4


def mutated(content: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, cut or spliced."""
    harmed = bytearray(content)
    kind = rng.randrange(3)
    if kind == 0:
        for _ in range(rng.randint(1, 30)):
            harmed[rng.randrange(len(harmed))] = rng.randrange(256)
    elif kind == 1:
        begin = rng.randrange(len(harmed))
        del harmed[begin : begin + rng.randint(1, len(harmed) // 3)]
    else:
        begin, target = rng.randrange(len(harmed)), rng.randrange(len(harmed))
        harmed[target:target] = harmed[begin : begin + rng.randint(1, 400)]
    return bytes(harmed)


def shared_samples() -> list[tuple[bytes, str]]:
    """The documents of the shared data, as far as they are here; pictures are slow to read."""
    folders = (SHARED / "documents" / "files", SHARED / "software-quotes" / "files")
    return [
        (path.read_bytes(), path.name)
        for folder in folders
        if folder.exists()
        for path in sorted(folder.iterdir())
        if path.suffix not in {".jpg", ".png"}
    ]


def survives(readers: ReaderPool, samples: list[tuple[bytes, str]], count: int) -> None:
    rng = random.Random(7)
    reasons: list[str] = []
    for _ in range(count):
        content, name = rng.choice(samples)
        try:
            readers.read_document(mutated(content, rng), name, organisation_id="o")
        except DocumentFault as fault:
            reasons.append(fault.reason)
    assert all(one.endswith(".") for one in reasons)
    assert not any("longer than" in one for one in reasons)


SAMPLES = [
    (GOOD, "quote.pdf"),
    (pdf_builder.docx(["Quote"], [["Description", "Qty", "Amount"], ["Seats", "2", "10.00"]]), "quote.docx"),
    (pdf_builder.xlsx([["Description", "Qty", "Amount"], ["Seats", 2, 10.0]]), "quote.xlsx"),
    (pdf_builder.comma_separated([["Description", "Qty", "Amount"], ["Seats", "2", "10.00"]]), "quote.csv"),
]


@pytest.mark.campaign
def test_mutations_leave_no_stuck_reading(readers: ReaderPool) -> None:
    survives(readers, SAMPLES, 60)


@pytest.mark.campaign
@pytest.mark.timeout(3600)
def test_a_thousand_mutations_leave_no_stuck_reading(readers: ReaderPool) -> None:
    survives(readers, [*SAMPLES, *shared_samples()], 1000)
