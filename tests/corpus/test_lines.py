"""Pairs by number: the same lines as the augmenter reads, whatever the file holds, and what is wrong with the first
other one."""

from __future__ import annotations

import gzip
import lzma
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gec_fair.corpus.formats import pair_lines as module
from gec_fair.corpus.formats.pair_lines import Lines, pairs_of
from gec_fair.corpus.formats.parsing import Layout, parse_tsv
from gec_fair.corpus.outcome import Malformed
from gec_fair.errors import InputError

PIECES = [b"he goes", b"\t", b"\t", b" ", b"\r", b"\x0b", b"\0", b"\xff", b"\xc2\xa0", "\u3000é".encode(), b""]


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=5).map(b"".join), min_size=1, max_size=30), st.booleans())
def test_it_holds_what_parses_as_a_pair(tmp_path_factory, rows, ended):
    path = tmp_path_factory.mktemp("lines") / "p.tsv"
    path.write_bytes(b"\n".join(rows) + b"\n" * (ended or not any(rows)))
    content = path.read_bytes().removesuffix(b"\n").split(b"\n")
    parsed = [parse_tsv(row, Layout("tsv", sys.maxsize), "p.tsv", 1) for row in content]
    for block in (1, 1 << 20):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(module, "_BLOCK", block)
            lines_ = Lines(path)
        pairs = [f"{pair.source}\t{pair.target}" for pair in parsed if not isinstance(pair, Malformed)]
        assert [lines_.text(number) for number in range(len(lines_))] == pairs
        assert lines_.malformed == len(content) - len(pairs)
        wrong = next((line for line, pair in enumerate(parsed, 1) if isinstance(pair, Malformed)), None)
        assert lines_.complaint().startswith(f"{path}:{wrong}: " if wrong else "")


WRONG = [
    (b"he go", ":2: expected 2 columns, found 1; give source<TAB>target lines"),
    (b"", ":2: the line is empty; "),
    (b"\the goes", ":2: the source is empty; "),
    (b"he\xe9\the", ":2: byte 3 is not UTF-8 (0xe9); "),
    (b"he\0\the", ":2: the text holds a NUL byte; "),
]


@pytest.mark.parametrize(("line", "complaint"), WRONG, ids=[line[1] for line in WRONG])
@pytest.mark.parametrize("pack", [None, gzip.compress, lzma.compress])
def test_the_first_line_that_is_no_pair_is_named(tmp_path, line, complaint, pack):
    path = tmp_path / f"p.tsv{ {None: '', gzip.compress: '.gz', lzma.compress: '.xz'}[pack] }"
    content = b"\xef\xbb\xbfhe go\the goes\r\n" + line + b"\nshe\tshe\n\tx\nhe left\t\n"
    path.write_bytes(pack(content) if pack else content)
    lines_ = Lines(path)
    assert lines_.complaint().startswith(f"{path}{complaint}")
    assert lines_.malformed == 2
    # an empty target is a pair: a correction may delete the sentence
    assert [lines_.text(number) for number in range(len(lines_))] == ["he go\the goes", "she\tshe", "he left\t"]


def test_a_file_without_a_pair_is_refused(tmp_path):
    for name, content in (("empty.tsv", b""), ("empty.tsv.gz", gzip.compress(b""))):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=f"{name}: the file is empty"):
            Lines(tmp_path / name)
    (tmp_path / "p.tsv").write_bytes(b"\xef\xbb\xbf")
    with pytest.raises(InputError, match=r"p\.tsv:1: the line is empty"):
        pairs_of(tmp_path / "p.tsv")
    with pytest.raises(InputError, match="no such file"):
        Lines(tmp_path / "none.tsv")
