"""Files are whole or not there."""

import pytest

from gec_fair.runs.atomic import write_bytes, write_text


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "deep" / "file.txt"
    write_text(path, "old")

    def parts():
        yield b"new"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_bytes(path, parts())
    assert path.read_text() == "old"
    write_bytes(path, [b"a", b"b"])
    assert path.read_text() == "ab"
    assert [path.name for path in path.parent.iterdir()] == ["file.txt"]
