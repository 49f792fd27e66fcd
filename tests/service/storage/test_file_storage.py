"""What holds wherever files are: written once and whole, read back verified, found, marked and probed."""

import io
from hashlib import sha256

import pytest

from app.service.ids import new_id
from app.service.storage.file_storage import DamagedFile, FileSavedBefore, FileStorage
from tests.service.storage.stores import files, seaweed, seaweed_server

__all__ = ["files", "seaweed", "seaweed_server"]

CONTENT = b"0123456789" * 300_000
DIGEST = sha256(CONTENT).hexdigest()


def _save(files: FileStorage, content: bytes = CONTENT) -> str:
    file_id = new_id()
    files.save(file_id, io.BytesIO(content), sha256(content).hexdigest())
    return file_id


def test_a_file_comes_back_whole_in_part_and_under_a_path(files: FileStorage) -> None:
    file_id = _save(files)
    assert files.read(file_id, DIGEST) == CONTENT
    with files.open(file_id) as stream:
        assert stream.read() == CONTENT
    with files.open(file_id, 5, 1_500_000) as stream:
        assert stream.read() == CONTENT[5:1_500_005]
    with files.open(file_id, len(CONTENT) - 3) as stream:
        assert stream.read() == CONTENT[-3:]
    with files.local_copy(file_id, DIGEST) as path:
        assert path.read_bytes() == CONTENT
    found = files.stat(file_id)
    assert found is not None
    assert (found.file_id, found.size) == (file_id, len(CONTENT))


def test_a_second_file_of_an_id_is_refused_and_the_first_stays(files: FileStorage) -> None:
    file_id = _save(files, b"first")
    with pytest.raises(FileSavedBefore):
        files.save(file_id, io.BytesIO(b"second"), sha256(b"second").hexdigest())
    assert files.read(file_id, sha256(b"first").hexdigest()) == b"first"


def test_bytes_that_are_others_than_announced_are_not_saved(files: FileStorage) -> None:
    with pytest.raises(DamagedFile):
        files.save("0a", io.BytesIO(b"others"), DIGEST)
    assert files.stat("0a") is None
    assert list(files.list_files()) == []


def test_bytes_that_are_others_than_were_saved_are_never_read_as_right(files: FileStorage) -> None:
    file_id = _save(files, b"others")
    with pytest.raises(DamagedFile, match=file_id):
        files.read(file_id, DIGEST)
    with pytest.raises(DamagedFile), files.local_copy(file_id, DIGEST):
        pytest.fail("a damaged file was handed out")


def test_what_is_not_there_is_told_from_a_fault(files: FileStorage) -> None:
    assert files.stat("0b") is None
    with pytest.raises(FileNotFoundError):
        files.read("0b", DIGEST)
    with pytest.raises(FileNotFoundError), files.local_copy("0b", DIGEST):
        pytest.fail("there is no such file")
    files.delete("0b")


def test_files_are_listed_until_they_are_deleted(files: FileStorage) -> None:
    files.identify(may_mark=True)
    first, second = _save(files, b"1"), _save(files, b"22")
    assert {one.file_id: one.size for one in files.list_files()} == {first: 1, second: 2}
    files.delete(first)
    assert [one.file_id for one in files.list_files()] == [second]


def test_a_store_keeps_the_mark_that_it_was_given_first(files: FileStorage) -> None:
    assert files.identify(may_mark=False) is None
    mark = files.identify(may_mark=True)
    assert mark
    assert files.identify(may_mark=True) == files.identify(may_mark=False) == mark


def test_a_probe_leaves_nothing(files: FileStorage) -> None:
    files.probe()
    assert files.is_writable()
    assert list(files.list_files()) == []
