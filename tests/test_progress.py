"""Bars on stderr: in a terminal of any size, or of none, and in a notebook; and in no file or pipe."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import termios

import pytest
import tqdm

import gec_fair as gf
from gec_fair import progress


class Terminal(io.TextIOWrapper):
    """Stderr at the end of a pseudo-terminal of that size; `written` is what a person would see."""

    def __init__(self, rows: int, columns: int) -> None:
        self.reader, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        super().__init__(os.fdopen(end, "wb"), encoding="utf-8", write_through=True)

    def written(self) -> str:
        self.close()
        text = b""
        try:
            while part := os.read(self.reader, 65536):
                text += part
        except OSError:  # the end of a pseudo-terminal
            os.close(self.reader)
        return text.decode()


@pytest.fixture(autouse=True)
def without_delay(monkeypatch):
    """A bar is shown at once, at every step."""
    bar = tqdm.tqdm
    monkeypatch.setattr(
        tqdm, "tqdm", lambda *items, **options: bar(*items, **{**options, "delay": 0, "mininterval": 0})
    )
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(24, 80), (0, 0), (0, 80), (24, 0)],
    ids=["a usual size", "no size", "no rows", "no columns"],
)
def test_a_bar_is_shown_in_a_terminal_of_any_size(rows, columns, monkeypatch):
    terminal = Terminal(rows, columns)
    monkeypatch.setattr("sys.stderr", terminal)
    with progress.bar("texts") as update:
        for done in range(3):
            update(done + 1, 3)
    assert "texts: 100%" in terminal.written()


def test_a_notebook_shows_bars(monkeypatch):
    stream = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()
    monkeypatch.setattr("sys.stderr", stream)
    assert list(progress.show_progress("abc", "letters", total=3)) == ["a", "b", "c"]
    assert "letters: 100%" in stream.getvalue()


def test_a_file_and_a_pipe_show_none(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert list(progress.show_progress("abc", "letters")) == ["a", "b", "c"]
    assert gf.rewrite(["She left."], "fm") == ["He left."]
    assert progress.sys.stderr.getvalue() == ""


PAIRS = [("He say hi .", "He says hi .")] * 3


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: gf.augment(PAIRS, "fm"), "augment: 100%"),
        (lambda: gf.augment(PAIRS, "fm", limit=2), "2/2"),
        (lambda: gf.augment({"source": ["He say ."], "target": ["He says ."]}, "fm"), "1/1"),
        (lambda: gf.rewrite(["She left."] * 3, "fm"), "rewrite: 100%"),
        (lambda: gf.perturb(["She left ."] * 3, axes=("gender",)), "perturb: 100%"),
    ],
    ids=["pairs", "a limit", "columns", "rewrite", "perturb"],
)
def test_calls_in_python_show_how_far_they_are(call, expected, monkeypatch):
    terminal = Terminal(0, 0)
    monkeypatch.setattr("sys.stderr", terminal)
    call()
    assert expected in terminal.written()


def test_a_generator_shows_none(monkeypatch):
    terminal = Terminal(24, 80)
    monkeypatch.setattr("sys.stderr", terminal)
    assert len(list(gf.augment(iter(PAIRS), "fm"))) == 3
    assert terminal.written() == ""
