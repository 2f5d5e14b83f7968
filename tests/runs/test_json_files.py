"""JSON of runs and users, and tables of users: damaged ones are refused with file and line."""

from __future__ import annotations

import pytest

from gec_fair.data.user_tables import rows
from gec_fair.errors import InputError
from gec_fair.runs.json_files import read_object, read_object_lines, refuse_other_content

OBJECTS = [
    (b"", "is not valid JSON", "an empty file"),
    (b"\xff\xfe{", "is not valid JSON", "bytes that are not UTF-8"),
    (b"[" * 100_000, "is not valid JSON .it is nested too deeply", "arrays without end"),
    (b"[1]", "is not a JSON object", "another value"),
]


@pytest.mark.parametrize(("content", "message", "why"), OBJECTS, ids=[row[2] for row in OBJECTS])
def test_what_is_no_object_is_refused(tmp_path, content, message, why):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"a\.json: {message}.*; make the run again"):
        read_object(path)
    path.write_bytes(b'{"a": 1}\n' + (content or b"\n"))
    with pytest.raises(InputError, match=rf"a\.json:2: {message}.*; make the run again"):
        list(read_object_lines(path))


def test_an_object_is_read_and_other_content_is_refused(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}\n')
    assert (read_object(path), list(read_object_lines(path))) == ({"a": 1}, [{"a": 1}])
    refused = pytest.raises(InputError, match=r"a\.json: is not what gec-fair wrote \(no 'b'\); fetch it again")
    with refused, refuse_other_content(path, "fetch it again"):
        read_object(path)["b"]
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        read_object(tmp_path / "none.json")


TABLES = [
    ("a.csv", "", r"a\.csv: holds no row", "an empty file"),
    ("a.csv", "id,text\n", r"a\.csv: holds no row", "a header alone"),
    ("a.jsonl", "\n", r"a\.jsonl: holds no row", "no object"),
    ("a.tsv", "id\tid\n1\t2\n", r"a\.tsv:1: the column 'id' is there twice", "a column twice"),
    ("a.csv", "i\0d\n1\n", r"a\.csv:1: holds a NUL byte", "a header that is not text"),
    ("a.csv", "id\n1\n\0\n", r"a\.csv:3: holds a NUL byte", "a row that is not text"),
]


@pytest.mark.parametrize(("name", "text", "message", "why"), TABLES, ids=[row[3] for row in TABLES])
def test_tables_of_no_use_are_refused(tmp_path, name, text, message, why):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        raise_first(rows(tmp_path / name))


def raise_first(every):
    for row in every:
        if isinstance(row, InputError):
            raise row
