"""Files that are not to be trusted: bombs, lines without end, records that other signs seem to end."""

from __future__ import annotations

import gzip
import json
import lzma
import re
import zlib

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from gec_fair import corpus
from gec_fair.corpus.formats import parquet
from gec_fair.corpus.formats.pair_lines import pairs_of
from gec_fair.data import compression, user_tables
from gec_fair.data.columns import read_rows
from gec_fair.data.text_files import read_lines, split_lines
from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.runs.json_files import json_line, read_object_lines

SIGNS = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "a\rb"]


@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
def test_only_lf_and_crlf_end_a_record(tmp_path, sign):
    text = f"one{sign}two"
    (tmp_path / "a.txt").write_bytes(f"{text}\r\n{text}\n".encode())
    assert read_lines(tmp_path / "a.txt") == split_lines(f"{text}\r\n{text}\n") == [text, text]
    line = json.dumps({"source": text.replace("\r", ""), "target": "x"}, ensure_ascii=False)
    (tmp_path / "a.jsonl").write_bytes(f"{line}\n".encode() * 2)
    assert len(list(user_tables.rows(tmp_path / "a.jsonl"))) == 2
    assert [record.value.source for record in corpus.read(tmp_path / "a.jsonl")] == [text.replace("\r", "")] * 2


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl"])
def test_what_we_wrote_is_read_back(tmp_path, name):
    table = [{"id": "1", "text": "one\rtwo"}, {"id": "2", "text": 'a "b", c'}]
    table += [{"id": "3", "text": 'one\n"two" three'}, {"id": "4", "text": '"four'}]
    user_tables.write_rows(tmp_path / name, table)
    assert [dict(row) for _, row in user_tables.valid_rows(tmp_path / name)] == table


def test_a_quotation_mark_that_nothing_closes_is_a_letter(tmp_path):
    (tmp_path / "a.tsv").write_text('id\tlabel\ttext\n1\tx\t"Never closed\n\n2\ty\t"Nor this\n3\tz\n')
    assert [row["text"] for _, row in user_tables.valid_rows(tmp_path / "a.tsv")][:2] == ['"Never closed', '"Nor this']


@pytest.mark.parametrize("read_whole", [read_lines, pairs_of])
def test_a_file_that_breaks_off_is_refused_and_nothing_of_it_used(tmp_path, read_whole):
    packed = gzip.compress("".join(f"He go {n} .\tHe goes {n} .\n" for n in range(999)).encode())
    (tmp_path / "half.tsv.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match=r"half\.tsv\.gz: .*; fetch the file again$"):
        read_whole(tmp_path / "half.tsv.gz")


LONE_CR = {
    "a.csv": "source,target\rHe go .,He goes .\r",
    "a.tsv": "He go .\tHe goes .\rShe go .\tShe goes .\r",
    "a.jsonl": '{"source": "He go .", "target": "He goes ."}\r{"source": "She go .", "target": "She goes ."}\r',
}


@pytest.mark.parametrize("name", LONE_CR)
def test_a_table_whose_lines_end_in_cr_alone_says_so_and_how_to_convert_it(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(LONE_CR[name].encode())
    message = f"{path}:1: {'; '.join(user_tables.LONE_CR)}"
    with pytest.raises(InputError, match=re.escape(message)):
        list(user_tables.valid_rows(path))
    for fields in (None, ("source", "target")):
        try:
            (record,) = corpus.read(path, fields=fields)
            text = f"{path}:1: {record.value.detail}; {record.value.remedy}"
        except InputError as fault:
            text = str(fault)
        assert message.endswith(text)
    path.write_bytes(LONE_CR[name].replace("\r", "\n").encode())
    assert all(record.value.source.endswith("go .") for record in corpus.read(path))


@pytest.mark.parametrize("name", ["a.tsv.gz", "a.jsonl.gz", "a.csv.gz", "a.m2.gz"])
def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch, name):
    monkeypatch.setattr(compression, "LONGEST_LINE", 1 << 16)
    monkeypatch.setattr(user_tables, "LONGEST_LINE", 1 << 16)
    (tmp_path / name).write_bytes(gzip.compress(b"x" * (1 << 20)))
    with pytest.raises(InputError, match="a line of more than"):
        list(corpus.read(tmp_path / name))
    with pytest.raises(InputError, match="a line of more than"):
        read_lines(tmp_path / name)
    if "m2" not in name:
        with pytest.raises(InputError, match="a line of more than"):
            list(user_tables.rows(tmp_path / name))


PACKS = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("ending", PACKS)
def test_a_file_that_swells_as_no_text_does_is_read_so_far_and_no_further(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(compression, "_SWOLLEN", 1 << 20)
    path = tmp_path / f"a.tsv{ending}"
    path.write_bytes(PACKS[ending](b"a\tb\n" * (1 << 20)))
    *_, last = corpus.read(path)
    assert "holds more than 200 times its size; give a file of texts" in str(last.complaint)
    for read in (read_lines, lambda file: list(user_tables.rows(file))):
        with pytest.raises(InputError, match="holds more than 200 times its size"):
            read(path)


def test_a_dictionary_that_would_fill_the_memory_is_refused(tmp_path):
    content = bytearray(lzma.compress(b"text\n"))
    head = slice(12, 12 + content[12] * 4)  # of the block; its checksum follows
    assert content[14:16] == b"\x21\x01", "the filter and the length of what follows, the size of the dictionary"
    content[16] = 40  # 4 GiB
    content[head.stop : head.stop + 4] = zlib.crc32(bytes(content[head])).to_bytes(4, "little")
    (tmp_path / "a.txt.xz").write_bytes(content)
    with pytest.raises(InputError, match="Memory usage limit exceeded"):
        read_lines(tmp_path / "a.txt.xz")


TWICE = pa.table([["a"], ["b"], ["c"]], names=["source", "target", "source"])


def test_a_small_parquet_file_with_one_long_text_in_all_rows_does_not_fill_the_memory(tmp_path):
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 1024, pa.int32()), pa.array(["He goes . " * 100_000]))
    pq.write_table(pa.table({"source": column, "target": column}), tmp_path / "a.parquet", store_schema=False)
    before = pa.total_allocated_bytes()
    rows = parquet.rows(tmp_path / "a.parquet", ("source", "target"))
    assert next(rows)["source"].startswith("He goes .")
    assert pa.total_allocated_bytes() - before < 1 << 27  # all of them have two gigabytes


def test_two_columns_of_one_name_are_refused(tmp_path):
    pq.write_table(TWICE, tmp_path / "a.parquet")
    (tmp_path / "a.csv").write_text("source,target,source\na,b,c\n")
    frame = pandas.DataFrame([["a", "b", "c"]], columns=["source", "target", "source"])
    for name in ("a.parquet", "a.csv"):
        with pytest.raises(InputError, match="'source' is there twice"):
            list(corpus.read(tmp_path / name))
    for table in (TWICE, frame):
        with pytest.raises(InputError, match="'source' is there twice"):
            list(read_rows(table))


@pytest.mark.parametrize(
    ("value", "written", "why"),
    [
        (float("nan"), None, "JSON has no NaN"),
        ([float("inf"), {"a": float("-inf")}], [None, {"a": None}], "nor infinities, wherever they stand"),
        (b"caf\xc3\xa9", "café", "bytes are text"),
        (b"\xff", "\\xff", "bytes that are none stay readable"),
        (123456789012345678901234567890, 123456789012345678901234567890, "all digits stay"),
        ("a \ud800", "a \ud800", "half a surrogate pair stays escaped"),
        (("a", 1), ["a", 1], "a tuple is a list"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value and len(value) > 8 else None,
)
def test_a_written_row_is_valid_json(value, written, why):
    for is_ascii in (False, True):
        line = json_line({"key": value}, is_ascii=is_ascii)
        line.encode()
        assert json.loads(line, parse_constant=pytest.fail) == {"key": written}


def test_half_a_surrogate_pair_is_a_malformed_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a \\ud800 b"}\n{"text": "\\ud83d\\ude00"}\n')
    bad, good = user_tables.rows(path)
    assert "a.jsonl:1: holds half a surrogate pair" in str(bad)
    assert good == (2, {"text": "😀"})


def test_a_byte_order_mark_is_no_part_of_a_record(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text": "x"}\n')
    assert next(user_tables.rows(path)) == (1, {"text": "x"})
    assert list(read_object_lines(path)) == [{"text": "x"}]
    assert read_lines(path) == ['{"text": "x"}']


def test_a_set_does_not_lead_out_of_its_folder_by_a_link(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "secret").write_text("x")
    for ending in catalogue.ENDINGS:
        (tmp_path / "set" / f"a_orig{ending}").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match="leads out of its folder"):
        catalogue.side(tmp_path / "set", "a_orig")
