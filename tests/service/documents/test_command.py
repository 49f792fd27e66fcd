"""`parley extract`: one JSON object a line, in the order of the files."""

import io
import json
from pathlib import Path

from app.service.documents.command import extract_files
from app.service.documents.sandbox.reader_pool import ReaderPool
from tests.service.documents import pdf_builder

GOOD = pdf_builder.quote(
    ["Description", "Qty", "Unit price", "Amount"],
    [["Editor seats", "10", "150.00", "1,500.00"]],
    [("Total", "$1,500.00")],
)


def test_each_file_gives_one_line_and_a_failure_gives_its_reason(tmp_path: Path, readers: ReaderPool) -> None:
    good, bad = tmp_path / "good.pdf", tmp_path / "bad.pdf"
    good.write_bytes(GOOD)
    bad.write_bytes(b"%PDF-1.7 nothing")
    out = io.StringIO()
    status = extract_files([good, bad, tmp_path / "absent.pdf", good], readers, out=out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["file"] for line in lines] == ["good.pdf", "bad.pdf", "absent.pdf", "good.pdf"]
    assert ["error" in line for line in lines] == [False, True, True, False]
    assert lines[0]["total"] == 1500
    assert status == 1


def test_all_files_read_is_success(tmp_path: Path, readers: ReaderPool) -> None:
    good = tmp_path / "good.pdf"
    good.write_bytes(GOOD)
    assert extract_files([good], readers, out=io.StringIO()) == 0


def test_people_get_text(tmp_path: Path, readers: ReaderPool) -> None:
    good = tmp_path / "good.pdf"
    good.write_bytes(GOOD)
    out = io.StringIO()
    extract_files([good], readers, as_json=False, out=out)
    assert "total: 1500" in out.getvalue()
    assert "Editor seats" in out.getvalue()
