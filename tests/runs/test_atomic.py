"""Files are complete or absent, and only the named file is written."""

from __future__ import annotations

import ast
import errno
import os
import resource
import sqlite3
import stat
import struct
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import gec_fair
from gec_fair.cli import explain_refusal
from gec_fair.corpus.partial_run import hold_lock
from gec_fair.errors import DiskFull, UsageError
from gec_fair.runs.atomic import is_stream, leave_nothing, open_own, open_whole, write_bytes, write_text
from gec_fair.runs.lock import lock
from gec_fair.trainer.loop import replace
from tests.cli.invoke import run

OURS = Path(gec_fair.__file__).parent


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def room_for(size):
    """Files may not grow beyond `size` bytes: what the system says is handled like a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


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
    assert names(path.parent) == ["file.txt"]


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / "real").mkdir()
    for target in ("real/there.txt", "real/new.txt"):
        link = tmp_path / Path(target).name
        link.symlink_to(target)
    (tmp_path / "real/there.txt").write_text("old")
    for name in ("there.txt", "new.txt"):
        write_text(tmp_path / name, name)
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / "real" / name).read_text() == name
    assert names(tmp_path / "real") == ["new.txt", "there.txt"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(mode)
    write_text(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", mode)


def test_a_new_file_has_the_mode_that_the_user_gives_to_new_files(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "file", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


@pytest.mark.parametrize("name", [".file.partial", "file.partial", ".file.0123456789abcdef.partial"])
def test_a_planted_link_is_not_written_through(tmp_path, name):
    (tmp_path / "victim").write_text("precious")
    (tmp_path / name).symlink_to("victim")
    write_text(tmp_path / "file", "new")
    assert (tmp_path / "victim").read_text() == "precious"
    assert not (tmp_path / "file").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_what_killed_processes_left_is_taken_away_and_nothing_else(tmp_path):
    (tmp_path / "other").write_text("of another process, which died while it wrote")
    for name in (".fi*[le.0123456789abcdef.partial", ".fi*[le.fedcba9876543210.partial"):
        (tmp_path / name).write_text("half")
    others = [".fi*[le.0123.partial", ".fixx[le.0123456789abcdef.partial", ".other.0123456789abcdef.partial"]
    for name in others:
        (tmp_path / name).write_text("not of this file")
    write_text(tmp_path / "fi*[le", "whole")
    assert names(tmp_path) == sorted([*others, "fi*[le", "other"])


def test_many_writers_of_one_file_do_not_disturb_each_other(tmp_path):
    with ExitStack() as stack:
        for text in (b"first", b"second", b"third"):
            stack.enter_context(open_whole(tmp_path / "file")).write(text)
        assert len(names(tmp_path)) == 3
    assert names(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "first"  # which ended last


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="Linux alone has them")
def test_the_access_list_of_a_file_stays(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    # user 1 may read and write, the group may read: the mode shows the mask, 664
    rows = [(1, 6, -1), (2, 6, 1), (4, 4, -1), (16, 6, -1), (32, 0, -1)]
    access = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows)
    try:
        os.setxattr(path, "system.posix_acl_access", access)
    except OSError:
        pytest.skip("this file system has no access lists")
    write_text(path, "new")
    assert (path.read_text(), os.getxattr(path, "system.posix_acl_access")) == ("new", access)


def test_a_pipe_gets_the_bytes_as_they_come(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert is_stream(path)
    received = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    write_bytes(path, [b"one\n", b"two\n"])
    reader.join()
    assert received == [b"one\ntwo\n"]
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert names(tmp_path) == ["pipe"]


def test_a_device_stays_a_device():
    write_text(Path("/dev/null"), "nothing")
    assert stat.S_ISCHR(Path("/dev/null").lstat().st_mode)


def test_standard_output_by_its_name_follows_what_was_printed(capfd):
    print("before")
    write_text(Path("/dev/stdout"), "between\n")
    print("after")
    assert capfd.readouterr().out == "before\nbetween\nafter\n"


@pytest.mark.parametrize("name", ["/dev/stdout", "link", "chain", "folder/stdout", "file", "/dev/../dev/stdout"])
def test_what_this_process_prints_to_is_written_to_where_it_is_a_file_too(tmp_path, name):
    """Also through links, and where the user names the file itself."""
    for link, target in [("link", "/dev/stdout"), ("chain", "link"), ("folder", "/dev")]:
        (tmp_path / link).symlink_to(target)
    write = (
        "from gec_fair.runs.atomic import *; print('before'); write_text(Path(sys.argv[1]), 'it\\n'); print('after')"
    )
    with (tmp_path / "file").open("w") as file:
        subprocess.run([sys.executable, "-c", write, name], stdout=file, cwd=tmp_path, check=True)
    assert (tmp_path / "file").read_text() == "before\nit\nafter\n"


def test_a_hyphen_is_standard_output_for_a_command_that_writes_a_file(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("texts.txt").write_text("He go home .\n")
    done = run("correct", "texts.txt", "--system", "identity", "--no-cache", "-o", "-")
    assert (done.code, names(tmp_path)) == (0, ["texts.txt"])
    assert capfd.readouterr().out == "He go home .\n"


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_what_a_command_says_is_no_part_of_what_it_writes_on_standard_output(tmp_path, monkeypatch, capfd, name):
    monkeypatch.chdir(tmp_path)
    Path("texts.txt").write_text("He goes home with his dog .\n")
    done = run("noise", "texts.txt", "-o", name)
    assert (done.code, done.stdout) == (0, "")
    assert "1 pairs" in done.stderr
    assert capfd.readouterr().out.endswith("\tHe goes home with his dog .\n")


@pytest.mark.parametrize("name", ["-", "/dev/null"])
def test_a_table_is_csv_where_its_name_says_nothing(tmp_path, monkeypatch, capfd, name):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("id,text\n1,Muslims are kind.\n")
    assert run("safety", "mentions", "a.csv", "-o", name).code == 0
    assert capfd.readouterr().out.startswith("id,set_id,slices," if name == "-" else "")


def test_a_table_by_another_name_is_refused_before_the_work(tmp_path):
    done = run("safety", "scores", "nowhere.csv", "-o", tmp_path / "out.xls")
    assert (done.code, "out.xls: its name does not tell how it is written" in done.stderr) == (2, True)


def without_rights(monkeypatch, path):
    """The process may not write a file or into a folder, whoever runs the tests."""
    monkeypatch.setattr(os, "access", lambda place, mode, **_: Path(place) != path)


def test_a_write_protected_file_is_refused(tmp_path, monkeypatch):
    (tmp_path / "gold").write_text("precious")
    (tmp_path / "link").symlink_to("gold")
    without_rights(monkeypatch, tmp_path / "gold")
    for name in ("gold", "link"):
        with pytest.raises(UsageError, match=f"{name}: is write-protected"):
            write_text(tmp_path / name, "x")
    assert (tmp_path / "gold").read_text() == "precious"


@pytest.mark.parametrize("name", ["/dev/null", "/dev/fd/1", "pipe"])
def test_a_device_is_no_file_of_its_folder(tmp_path, monkeypatch, capfd, name):
    """Nobody but the superuser may write in /dev, and everybody into /dev/null; a process substitution can be written
    alone."""
    path = tmp_path / name
    if name == "pipe":
        os.mkfifo(path)
        threading.Thread(target=path.read_bytes, daemon=True).start()
    monkeypatch.setattr(os, "access", lambda place, mode, **_: False)
    assert run("settings", "show", "gector-clang8", "-o", path).code == 0


def test_a_link_into_a_folder_without_rights_is_refused_before_the_work(tmp_path, monkeypatch):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "mine").symlink_to("theirs/new")
    without_rights(monkeypatch, tmp_path / "theirs")
    done = run("correct", "nowhere.txt", "--system", "x", "-o", tmp_path / "mine")
    assert (done.code, f"nothing can be written in {tmp_path / 'theirs'}" in done.stderr) == (2, True)


OTHER_FORMATS = [
    ("correct x.txt -o out.csv", ".csv", ".txt"),
    ("counterfactual x.txt --system symspell -o out.csv", ".csv", ".jsonl"),
    ("noise x.txt -o out.jsonl", ".jsonl", ".tsv"),
    ("razor evaluate x.jsonl -o out.csv", ".csv", ".json"),
    ("fairscore tfidf sst2 -o out.csv", ".csv", ".json"),
    ("lmbias run --model x -o out.csv", ".csv", ".json"),
    ("lmbias surprisal x x.txt -o out.csv", ".csv", ".tsv or .json"),
    ("safety predict x x.csv -o out.jsonl", ".jsonl", ".csv or .tsv"),
]


@pytest.mark.parametrize(("words", "ending", "right"), OTHER_FORMATS, ids=[row[0] for row in OTHER_FORMATS])
def test_a_name_that_says_another_format_than_is_written_is_refused_before_the_work(words, ending, right, tmp_path):
    done = run(*words.split(), cwd=tmp_path)
    assert done.code == 2
    assert f"{ending} is not what is written; let the name end with {right}" in " ".join(done.stderr.split())
    assert names(tmp_path) == []


def test_a_stream_of_this_process_by_its_number_is_written_to(tmp_path):
    read, write = os.pipe()
    write_text(Path(f"/dev/fd/{write}"), "text")
    os.close(write)
    with os.fdopen(read, "rb") as file:
        assert file.read() == b"text"


@pytest.mark.parametrize("path", ["new", "old", "made/for/it"])
def test_a_full_disk_names_the_file_and_leaves_nothing_behind(tmp_path, path):
    (tmp_path / "old").write_text("old")
    with room_for(1 << 16), pytest.raises(DiskFull, match=f"{tmp_path / path}: no room for it"):
        write_bytes(tmp_path / path, [b"x" * 1000] * 1000)
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "old"


def test_a_full_device_is_named():
    with pytest.raises(DiskFull, match="/dev/full: no room for it"):
        write_text(Path("/dev/full"), "x")


def test_a_library_that_finds_no_room_is_a_full_disk_too(tmp_path):
    with pytest.raises(DiskFull, match="file: no room for it"), open_whole(tmp_path / "file"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "fault",
    [sqlite3.OperationalError("database or disk is full"), RuntimeError("No space left on device (os error 28)")],
)
def test_a_full_disk_is_no_fault_of_the_package_whichever_library_meets_it(fault):
    assert explain_refusal(fault) == "no room on the disk; make room and run the same command again"
    assert explain_refusal(RuntimeError("shapes")) is None


def test_whatever_the_system_says_of_a_file_is_no_traceback():
    fault = OSError(errno.EIO, os.strerror(errno.EIO), "disk/file")
    assert explain_refusal(fault) == "disk/file: Input/output error; try again, or name another place"


def test_a_file_mounted_by_itself_gets_the_new_content(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("old")

    def replace(fresh, final):
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(fresh))

    monkeypatch.setattr(os, "replace", replace)
    write_text(tmp_path / "file", "new")
    assert (names(tmp_path), (tmp_path / "file").read_text()) == (["file"], "new")


def test_a_folder_with_new_content_or_the_old_one(tmp_path):
    folder = tmp_path / "model"
    write_text(folder / "weights", "old")

    def save(fresh):
        write_text(fresh / "config.json", "{}")
        raise RuntimeError("Error while serializing: I/O error: File too large (os error 27)")

    with pytest.raises(DiskFull, match="model: the disk is full"):
        replace(folder, save)
    assert (names(tmp_path), names(folder)) == (["model"], ["weights"])


def test_a_folder_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        write_text(tmp_path / "folder", "x")


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(UsageError, match="in a circle"):
        write_text(tmp_path / "a", "x")


def test_a_name_as_long_as_the_system_takes_is_written(tmp_path):
    for name in ("n" * 255, "ü" * 127):
        write_text(tmp_path / name, "x")
    assert len(names(tmp_path)) == 2


def test_a_log_is_never_appended_to_through_a_link(tmp_path):
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "log").symlink_to("victim")
    with pytest.raises(UsageError, match="is a link or not a regular file"):
        open_own(tmp_path / "log")
    (tmp_path / ".lock").symlink_to("victim")
    with pytest.raises(UsageError, match="is a link"), lock(tmp_path):
        pass
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a regular file"):
        open_own(tmp_path / "pipe", size=0)
    with pytest.raises(UsageError, match="victim: is shorter than the run left it"):
        open_own(tmp_path / "victim", size=9)
    assert (tmp_path / "victim").read_text() == "precious"


def test_a_run_does_not_work_in_a_folder_behind_a_planted_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run/.partial").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="is a link"), hold_lock(tmp_path / "run"):
        pass
    assert names(tmp_path / "elsewhere") == []


@pytest.mark.parametrize("is_there", [False, True])
def test_a_folder_that_was_not_filled_is_as_it_was(tmp_path, is_there):
    folder = tmp_path / "out"
    if is_there:
        write_text(folder / "theirs.txt", "x")

    def write():
        with leave_nothing(folder), room_for(1 << 16):
            write_text(folder / "deep/first.txt", "x")
            write_bytes(folder / "second.txt", [b"x" * 100_000])

    with pytest.raises(DiskFull):
        write()
    assert [path.name for path in folder.rglob("*")] == (["theirs.txt"] if is_there else [])
    assert folder.exists() == is_there


def writes_by_itself(call):
    """Whether a call writes a file in another way than `runs.atomic`."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = getattr(getattr(call.func, "value", None), "id", "")
    if name == "open" and owner != "os":
        arguments = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
        modes = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        return any(set(mode) & set("wax+") and len(mode) < 4 for mode in modes)
    return isinstance(call.func, ast.Attribute) and name in ("write_text", "write_bytes", "tofile", "touch")


def test_every_module_writes_through_the_one_writer():
    others = [
        f"{path.relative_to(OURS)}:{node.lineno}"
        for path in OURS.rglob("*.py")
        if path != OURS / "runs/atomic.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and writes_by_itself(node)
    ]
    assert others == []
