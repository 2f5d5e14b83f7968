"""What readers make of files: every format yields the same pairs, and every byte comes back as it was."""

from __future__ import annotations

import gzip
import json
import string
import sys
from pathlib import Path

import pytest
import zstandard
from corpus_steps import make_they
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_fair.corpus import Malformed, Pair, read, run
from gec_fair.corpus.formats.inputs import resolve
from gec_fair.edits import Edit
from gec_fair.errors import InputError, UsageError

PAIRS = [
    ("He go home .", "He goes home ."),
    ("I is  here ", "I am  here "),
    ("Ünïcode “ quotes ”", "Ünïcode “ quotes ”"),
]

M2 = b"""S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S I is  here\x20
A 1 2|||R:VERB:SVA|||am|||REQUIRED|||-NONE-|||0

S \xc3\x9cn\xc3\xafcode \xe2\x80\x9c quotes \xe2\x80\x9d
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""


def tsv(pairs=PAIRS) -> bytes:
    return "".join(f"{s}\t{t}\n" for s, t in pairs).encode()


def jsonl(source="source", target="target") -> bytes:
    return "".join(json.dumps({"id": n, source: s, target: t}) + "\n" for n, (s, t) in enumerate(PAIRS)).encode()


def pairs_of(*paths, **options) -> list[tuple[str, str]]:
    values = [record.value for record in read(list(paths), **options)]
    assert all(isinstance(v, Pair) for v in values), values
    return [(v.source, v.target) for v in values]


def wrote(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        pytest.param("c.tsv", tsv(), {}, id="tsv"),
        pytest.param("c.tsv", tsv().rstrip(b"\n"), {}, id="the last line needs no end"),
        pytest.param("c.tsv", tsv().replace(b"\n", b"\r\n"), {}, id="CRLF belongs to the line end"),
        pytest.param("c.tsv", b"\xef\xbb\xbf" + tsv(), {}, id="a byte order mark is taken off"),
        pytest.param("c.tsv.gz", gzip.compress(tsv()), {}, id="gz"),
        pytest.param("c.tsv.gz", gzip.compress(tsv()[:20]) + gzip.compress(tsv()[20:]), {}, id="gz of two members"),
        pytest.param("c.tsv.gz", gzip.compress(tsv()) + b"\0" * 9000, {}, id="gz padded with zeros"),
        pytest.param("c.tsv.zst", zstandard.compress(tsv()), {}, id="zst"),
        pytest.param(
            "c.tsv.zst", zstandard.compress(tsv()[:9]) + zstandard.compress(tsv()[9:]), {}, id="zst of two frames"
        ),
        pytest.param("c.m2", M2, {}, id="m2"),
        pytest.param("c.m2", M2.replace(b"\n\n", b"\n\n\n"), {}, id="m2 with more blank lines"),
        pytest.param("c.m2", M2.replace(b"\n\nS", b"\nS"), {}, id="m2 without blank lines"),
        pytest.param("c.m2", M2.replace(b"\n", b"\r\n"), {}, id="m2 with CRLF"),
        pytest.param("c.m2.gz", gzip.compress(M2), {}, id="m2 gz"),
        pytest.param("c.jsonl", jsonl(), {}, id="jsonl"),
        pytest.param("c.jsonl", jsonl("wrong", "right"), {"fields": ("wrong", "right")}, id="jsonl, fields named"),
        pytest.param("c.ndjson.zst", zstandard.compress(jsonl()), {}, id="ndjson zst"),
        pytest.param("c.txt", tsv(), {"format": "tsv"}, id="the format is said"),
        pytest.param(
            "c.tsv",
            b"id\tright\twrong\n" + "".join(f"7\t{t}\t{s}\n" for s, t in PAIRS).encode(),
            {"fields": ("wrong", "right")},
            id="tsv with a header",
        ),
        pytest.param(
            "c.tsv",
            "".join(f"7\t{t}\t{s}\tx\n" for s, t in PAIRS).encode(),
            {"fields": ("3", "2")},
            id="columns by number",
        ),
    ],
)
def test_every_format_yields_the_same_pairs(tmp_path, name, content, options):
    assert pairs_of(wrote(tmp_path / name, content), **options) == PAIRS


@pytest.mark.parametrize(
    "ends", [(".src", ".tgt"), (".src.gz", ".tgt.gz"), (".src.txt", ".tgt.txt"), (".src", ".tgt.gz")]
)
@pytest.mark.parametrize("named", ["source", "both", "prefix"])
def test_parallel_files_are_found_by_source_by_both_paths_and_by_prefix(tmp_path, ends, named):
    for end, side in zip(ends, zip(*PAIRS, strict=True), strict=True):
        content = "".join(f"{text}\n" for text in side).encode()
        wrote(tmp_path / f"c{end}", gzip.compress(content) if end.endswith("gz") else content)
    source, target = (tmp_path / f"c{end}" for end in ends)
    assert pairs_of(*{"source": [source], "both": [source, target], "prefix": [tmp_path / "c"]}[named]) == PAIRS


def test_any_two_files_are_parallel_when_the_format_says_so(tmp_path):
    left, right = (
        wrote(tmp_path / n, "".join(f"{x}\n" for x in s).encode())
        for n, s in zip("ab", zip(*PAIRS, strict=True), strict=True)
    )
    assert pairs_of(left, right, format="parallel") == PAIRS


def test_parquet_rows_carry_their_other_fields(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    sources, targets = zip(*PAIRS, strict=True)
    table = pa.table({"id": [1, 2, 3], "source": sources, "target": targets})
    pq.write_table(table, tmp_path / "c.parquet", row_group_size=2)
    assert pairs_of(tmp_path / "c.parquet") == PAIRS
    assert [r.value.fields for r in read(tmp_path / "c.parquet")] == [{"id": 1}, {"id": 2}, {"id": 3}]


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "gec_fair.corpus.formats.parquet", None)
    with pytest.raises(Exception, match=r"pip install 'gec-fair\[parquet\]'"):
        list(read(wrote(tmp_path / "c.parquet", b"PAR1")))


def test_a_parquet_row_that_is_no_utf8_is_malformed_and_the_others_are_read(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    raw = pa.array([b"fine", b"caf\xe9", b"good"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"source": raw, "target": ["a", "b", "c"]}), tmp_path / "c.parquet")
    values = [r.value for r in read(tmp_path / "c.parquet")]
    assert [getattr(v, "reason", "pair") for v in values] == ["pair", "invalid_utf8", "pair"]


def test_m2_keeps_every_annotator(tmp_path):
    content = b"S He go\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\nA 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||1\n"
    (record,) = read(wrote(tmp_path / "c.m2", content))
    assert record.value.target == "He goes"
    assert [(who, tuple(edits)) for who, edits in record.value.corrections] == [
        ("0", (Edit(1, 2, ("goes",), "R:VERB"),)),
        ("1", (Edit(1, 2, ("went",), "R:VERB"),)),
    ]


def test_files_are_called_by_their_name_and_by_more_of_the_path_only_where_two_share_it(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        wrote(tmp_path / folder / "x.tsv", tsv())
    wrote(tmp_path / "y.tsv", tsv())
    sources = resolve([tmp_path / "a" / "x.tsv", tmp_path / "y.tsv", tmp_path / "b" / "x.tsv"])
    assert [s.name for s in sources] == ["a/x.tsv", "y.tsv", "b/x.tsv"]


def test_limit_counts_over_all_inputs(tmp_path):
    a, b = wrote(tmp_path / "a.tsv", tsv()), wrote(tmp_path / "b.tsv", tsv())
    assert [(r.file, r.line) for r in read([a, b], limit=4)] == [("a.tsv", 1), ("a.tsv", 2), ("a.tsv", 3), ("b.tsv", 1)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda d: [d], "is a directory; name the files in it", id="directory"),
        pytest.param(lambda d: [d / "no.tsv"], "there is no such file; check the spelling", id="missing"),
        pytest.param(
            lambda d: [wrote(d / "c.txt", tsv())],
            "say it with --format tsv|csv|parallel|m2|jsonl|parquet",
            id="extension",
        ),
        pytest.param(
            lambda d: [wrote(d / "c.src", b"a\n")], "there is no c.tgt beside it; give both files", id="no target side"
        ),
        pytest.param(lambda d: [wrote(d / "c.tgt", b"a\n")], "the source side comes first", id="target side first"),
        pytest.param(lambda d: [wrote(d / "c.tsv", tsv())] * 2, "is given twice", id="twice"),
        pytest.param(lambda d: [], "no input given", id="nothing"),
        pytest.param(
            lambda d: [wrote(d / "c.tsv", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")],
            "is a Git LFS pointer, not the data; run `git lfs pull`",
            id="lfs pointer",
        ),
        pytest.param(
            lambda d: [wrote(d / "c.tsv", "a\tb\n".encode("utf-16"))], "is UTF-16; convert it: iconv", id="utf-16"
        ),
        pytest.param(lambda d: [wrote(d / "c.tsv.gz", tsv())], "the name says .gz, the content does not", id="no gz"),
        pytest.param(lambda d: [wrote(d / "c.parquet", tsv())], "no Parquet file", id="no parquet"),
        pytest.param(lambda d: [wrote(d / "c.parquet.gz", b"")], "decompress it first", id="parquet gz"),
        pytest.param(lambda d: [Path("/dev/null")], "not a regular file", id="device"),
    ],
)
def test_a_file_that_is_no_input_is_refused_with_a_remedy(tmp_path, make, message):
    with pytest.raises((InputError, UsageError)) as raised:
        list(read(make(tmp_path), format="tsv" if make(tmp_path) == [Path("/dev/null")] else None))
    assert message in str(raised.value)


@pytest.mark.parametrize("fields", [("0", "1"), ("2", "2")])
def test_columns_are_counted_from_one(tmp_path, fields):
    with pytest.raises(UsageError, match=r"name two columns; they are counted from 1"):
        list(read([wrote(tmp_path / "c.tsv", tsv())], fields=fields))


def test_a_header_without_the_named_column_lists_what_there_is(tmp_path):
    with pytest.raises(InputError, match=r"c\.tsv:1: no column named 'wrong' here; there are: id, source, target"):
        list(read(wrote(tmp_path / "c.tsv", b"id\tsource\ttarget\n"), fields=("wrong", "right")))


TOO_LONG = b"word " * 19_999 + b"word"

BAD_LINES = [
    # reason, file, content of the bad line, what the user sees after the place
    (
        "columns",
        "c.tsv",
        b"a\tb\tc\n",
        "expected 2 columns, found 3; if the file has a header or ids, name the columns with --fields",
    ),
    ("columns", "c.tsv", b"only one\n", "expected 2 columns, found 1; if the file has a header"),
    ("empty_line", "c.tsv", b"\n", "the line is empty; remove the line if it is not meant"),
    ("empty_source", "c.tsv", b"\tb\n", "the source is empty; remove the pair"),
    ("empty_source", "c.tsv", b" \xe2\x80\x8b \tb\n", "the source is empty; remove the pair"),
    (
        "invalid_utf8",
        "c.tsv",
        b"caf\xe9\tb\n",
        "byte 4 is not UTF-8 (0xe9); convert the file to UTF-8, for example with iconv",
    ),
    ("nul", "c.tsv", b"a\0\tb\n", "the text holds a NUL byte; remove the NUL bytes"),
    (
        "too_long",
        "c.tsv",
        TOO_LONG + b"\tb\n",
        "a text of 20000 words, more than 10000; split the text, or raise --max-words",
    ),
    ("bad_json", "c.jsonl", b'{"source": "a", \n', "no JSON object ("),
    ("bad_json", "c.jsonl", b'["a", "b"]\n', "expected a JSON object, found a list; write one JSON object a line"),
    ("bad_json", "c.jsonl", b"[" * 100_000 + b"\n", "no JSON object ("),
    ("empty_line", "c.jsonl", b"\n", "the line is empty"),
    (
        "missing_field",
        "c.jsonl",
        b'{"src": "a", "target": "b"}\n',
        "no field 'source' among 'src', 'target'; name the two fields with --fields",
    ),
    ("bad_type", "c.jsonl", b'{"source": null, "target": "b"}\n', "field 'source' holds null, not a string"),
    ("tab_or_break", "c.jsonl", rb'{"source": "a\tb", "target": "b"}' + b"\n", "field 'source' holds a tab; replace"),
    ("tab_or_break", "c.jsonl", rb'{"source": "a", "target": "b\nc"}' + b"\n", "field 'target' holds a line break"),
    (
        "surrogate",
        "c.jsonl",
        rb'{"source": "a\ud800", "target": "b"}' + b"\n",
        "field 'source' holds half a surrogate pair; replace it",
    ),
    ("nul", "c.jsonl", rb'{"source": "a\u0000", "target": "b"}' + b"\n", "the text holds a NUL byte"),
    ("bad_m2", "c.m2", b"A 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n\n", "expected a line 'S token token"),
    (
        "bad_m2",
        "c.m2",
        b"S a b\nA 0 9|||R|||x|||REQUIRED|||-NONE-|||0\n\n",
        "edit 0:9 lies outside the sentence of 2 tokens",
    ),
    ("invalid_utf8", "c.m2", b"S caf\xe9\n\n", "byte 6 is not UTF-8"),
]

GOOD = {"c.tsv": b"he go\the goes\n", "c.jsonl": b'{"source": "he go", "target": "he goes"}\n'}
GOOD["c.m2"] = b"S he go\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n\n"


@pytest.mark.parametrize(
    ("reason", "name", "bad", "message"), BAD_LINES, ids=[f"{r}-{n}-{i}" for i, (r, n, _, _) in enumerate(BAD_LINES)]
)
def test_a_bad_line_is_told_with_place_reason_and_remedy_and_the_others_are_used(tmp_path, reason, name, bad, message):
    path = wrote(tmp_path / name, GOOD[name] + bad + GOOD[name])
    first, wrong, last = read(path)
    assert (first.value.source, last.value.source, last.line) == ("he go", "he go", 3)
    assert wrong.value.reason == reason
    assert str(wrong.complaint).startswith(f"{name}:2: {message}")
    done = run([path], tmp_path / "out", make_they, {}, job="st")
    assert done.manifest.counts == {
        "lines": 3,
        "augmented": 2,
        "left": 0,
        "unchanged": 0,
        "discarded": 0,
        "malformed": 1,
    }
    assert done.manifest.reasons["malformed"] == {reason: 1}


def test_leftover_lines_of_the_longer_parallel_file_are_each_told(tmp_path):
    wrote(tmp_path / "c.src", b"he\nhe\nhe\n")
    wrote(tmp_path / "c.tgt", b"he\n")
    pair, *rest = read(tmp_path / "c.src")
    assert isinstance(pair.value, Pair)
    assert [str(r.complaint).split(";")[0] for r in rest] == [
        "c.src:2: this line of the source file has no target line",
        "c.src:3: this line of the source file has no target line",
    ]


def _cut(content: bytes) -> bytes:
    return content[: len(content) * 2 // 3]


def _bent(content: bytes) -> bytes:
    """Another checksum: all lines are there, and it shows at the end that something is wrong."""
    return content[:-8] + bytes(b ^ 0xFF for b in content[-8:])


@pytest.mark.parametrize(
    ("name", "pack", "harm", "reason"),
    [
        pytest.param("c.tsv.gz", gzip.compress, _cut, "truncated", id="truncated gz"),
        pytest.param("c.tsv.zst", zstandard.compress, _cut, "truncated", id="truncated zst"),
        pytest.param("c.tsv.gz", gzip.compress, _bent, "corrupt", id="damaged gz"),
    ],
)
def test_what_lies_before_the_damage_of_a_compressed_file_is_used(tmp_path, name, pack, harm, reason):
    lines = [f"he {n * 7919 % 100_003} go\the {n * 104_729 % 99_991} goes\n" for n in range(60_000)]
    records = list(read(wrote(tmp_path / name, harm(pack("".join(lines).encode())))))
    *pairs, end = records
    assert len(pairs) > 20_000
    assert [f"{r.value.source}\t{r.value.target}\n" for r in pairs] == lines[: len(pairs)], "no half line is a pair"
    assert isinstance(end.value, Malformed)
    assert end.value.reason == reason
    assert str(end.complaint).startswith(f"{name}:{len(pairs) + 1}: the compressed file ")
    assert "; fetch the file again; " in str(end.complaint)


ANY_TEXT = st.text(
    st.one_of(
        st.sampled_from(" \u2028\u2029\x85\x0b\x0c\u00a0\ufeff'“é"),
        st.characters(exclude_characters="\t\n\r\0", exclude_categories=["Cs"]),
    ),
    max_size=30,
)
SOURCES = ANY_TEXT.filter(lambda text: bool(text) and not text.isspace()).map(lambda text: "x" + text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(SOURCES, ANY_TEXT), min_size=1, max_size=5))
def test_every_byte_of_a_tsv_pair_comes_back(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("law") / "c.tsv"
    content = tsv(pairs)
    path.write_bytes(content)
    assert tsv(pairs_of(path)) == content


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=200) | st.text(string.printable, max_size=200).map(str.encode),
    st.sampled_from(["c.tsv", "c.m2", "c.jsonl", "c.tsv.gz"]),
)
def test_no_content_stops_a_reader(tmp_path_factory, content, name):
    path = tmp_path_factory.mktemp("law") / name
    path.write_bytes(gzip.compress(content)[:-3] if name.endswith("gz") else content)
    try:
        records = list(read(path))
    except InputError:  # of the whole file: UTF-16, a Git LFS pointer
        return
    assert all(isinstance(r.value, Pair | Malformed) for r in records)
    assert [r.line for r in records] == list(range(1, len(records) + 1))
