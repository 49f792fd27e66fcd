"""Pictures of pages are kept in bounded room."""

import os
from pathlib import Path

from app.service.storage.pictures import PictureStorage


def test_a_picture_is_found_by_file_page_and_width(tmp_path: Path) -> None:
    pictures = PictureStorage(tmp_path / "pictures")
    assert pictures.find("a", 1, 400) is None
    pictures.save("a", 1, 400, b"one")
    pictures.save("a", 2, 400, b"two")
    assert pictures.find("a", 1, 400) == b"one"
    assert pictures.find("a", 2, 400) == b"two"
    assert pictures.find("a", 1, 401) is None
    assert pictures.find("b", 1, 400) is None


def test_the_pictures_shown_longest_ago_make_room(tmp_path: Path) -> None:
    pictures = PictureStorage(tmp_path, most_bytes=25)
    for page in (1, 2):
        pictures.save("a", page, 400, b"0123456789")
    for path, age in ((tmp_path / "a-1-400.png", 50), (tmp_path / "a-2-400.png", 100)):
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime - age))
    assert pictures.find("a", 2, 400)  # shown now
    pictures.save("a", 3, 400, b"0123456789")
    assert [pictures.find("a", page, 400) is None for page in (1, 2, 3)] == [True, False, False]


def test_a_folder_that_cannot_be_written_costs_no_picture(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    pictures = PictureStorage(tmp_path / "file" / "pictures")
    pictures.save("a", 1, 400, b"one")
    assert pictures.find("a", 1, 400) is None
