"""A run is a directory: its ledger adds up, its bytes are the same however it is run, and nothing stops it midway."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import corpus_steps
import pytest
from corpus_steps import make_crashing, make_forgetful, make_killed, make_missing, make_slow_they, make_they

from gec_fair.config.corpora import Running
from gec_fair.corpus import Reading, StepError, complaints, read, read_ledger, read_manifest, run
from gec_fair.corpus import partial_run as drafts
from gec_fair.errors import GecFairError, InputError, MalformedLine, MissingResource, ResumeError, UsageError
from gec_fair.runs import processes
from gec_fair.runs.identity import differences

ROOT = Path(__file__).parents[2]
KINDS = ["he go {n}\the goes {n}\n", "we  go {n} \twe  went {n} \n", "unsure {n}\tunsure he {n}\n", "{n} one column\n"]


@dataclass(frozen=True)
class Options:
    """Options as the commands have them."""

    seed: int = 0
    names: str = "fixed"


def mixed(folder: Path, lines: int = 200) -> Path:
    path = folder / "mixed.tsv"
    path.write_text("".join(KINDS[n % 7 % 4].format(n=n) for n in range(lines)), newline="\n")
    return path


def start(inputs, out, factory=make_they, options=None, **settings):
    running = Running(**{name: settings.pop(name) for name in list(settings) if name in Running.__dataclass_fields__})
    inputs = inputs if isinstance(inputs, list) else [inputs]
    return run(inputs, out, factory, options or Options(), job="st", running=running, **settings)


def content(directory: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(directory.iterdir())}


def test_the_ledger_adds_up_to_the_input(tmp_path):
    done = start(mixed(tmp_path), tmp_path / "out", chunk=7)
    counts = done.manifest.counts
    assert counts["lines"] == 200 == sum(v for k, v in counts.items() if k != "lines")
    outcomes = Counter(entry["outcome"] for entry in read_ledger(tmp_path / "out"))
    assert outcomes == {k: counts[k] for k in ("augmented", "discarded", "malformed")}
    assert done.manifest.reasons == {"left": {}, "discarded": {"agreement_unsure": 57}, "malformed": {"columns": 29}}
    assert sorted(content(tmp_path / "out")) == ["ledger.jsonl", "manifest.json", "pairs.tsv"]
    assert read_manifest(tmp_path / "out") == done.manifest


def test_a_ledger_entry_leads_to_the_input_line_and_to_the_row_of_the_pairs(tmp_path):
    path = mixed(tmp_path)
    start(path, tmp_path / "out", chunk=7)
    originals = path.read_text().split("\n")
    rows = (tmp_path / "out" / "pairs.tsv").read_text().split("\n")
    entries = [e for e in read_ledger(tmp_path / "out") if e["outcome"] == "augmented"]
    assert [e["row"] for e in entries] == list(range(len(rows) - 1))
    for entry in entries:
        assert rows[entry["row"]] == originals[entry["line"] - 1].replace("he ", "they ")
    assert entries[0] == {
        "file": "mixed.tsv",
        "line": 1,
        "outcome": "augmented",
        "reason": None,
        "row": 0,
        "edits": [
            {"side": "source", "start": 0, "end": 1, "old": "he", "new": "they"},
            {"side": "target", "start": 0, "end": 1, "old": "he", "new": "they"},
        ],
    }


def test_every_line_that_is_left_out_says_why(tmp_path):
    start(mixed(tmp_path), tmp_path / "out")
    entries = {e["line"]: e for e in read_ledger(tmp_path / "out")}
    place = {"file": "mixed.tsv", "line": 3}
    assert entries[3] == {**place, "outcome": "discarded", "reason": "agreement_unsure", "detail": "the word says so"}
    assert str(next(complaints(tmp_path / "out"))) == (
        "mixed.tsv:4: expected 2 columns, found 1; if the file has a header or ids, name the columns with --fields"
    )


FORKING = """
from pathlib import Path
from gec_fair.runs import processes
from tests.corpus.test_run import start
assert processes._may_fork() and processes.context().get_start_method() == "fork"
start(Path("mixed.tsv"), Path("forked"), workers=2, chunk=7)
"""


def test_forked_and_spawned_workers_give_the_same_bytes(tmp_path, monkeypatch):
    path = mixed(tmp_path)
    start(path, tmp_path / "one")
    monkeypatch.setattr(processes, "_may_fork", lambda: False)
    start(path, tmp_path / "spawned", workers=2, chunk=7)
    assert content(tmp_path / "one") == content(tmp_path / "spawned")
    # By itself: in this process other tests may have loaded what does not survive a fork.
    paths = os.pathsep.join([str(ROOT), str(Path(corpus_steps.__file__).parent)])
    subprocess.run([sys.executable, "-c", FORKING], cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, check=True)
    assert content(tmp_path / "one") == content(tmp_path / "forked")


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
def test_workers_and_chunks_decide_no_byte(tmp_path, workers, chunk):
    path = mixed(tmp_path)
    start(path, tmp_path / "plain")
    start(path, tmp_path / "other", workers=workers, chunk=chunk, checkpoint_every=0)
    assert content(tmp_path / "plain") == content(tmp_path / "other")


def test_where_the_inputs_lie_decides_no_byte(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        start(mixed(tmp_path / folder), tmp_path / folder / "out")
    assert content(tmp_path / "a" / "out") == content(tmp_path / "b" / "out")


def test_a_compressed_input_yields_the_same_pairs(tmp_path):
    path = mixed(tmp_path)
    packed = tmp_path / "packed.tsv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    start(path, tmp_path / "a")
    start(packed, tmp_path / "b")
    assert content(tmp_path / "a")["pairs.tsv"] == content(tmp_path / "b")["pairs.tsv"]


@pytest.mark.parametrize("version", ["this", "an earlier one"])
def test_the_bytes_of_a_compressed_text_are_said_where_all_were_counted(tmp_path, version):
    path, reading = crash_at(tmp_path, 33), Reading(format="text")
    packed = tmp_path / "c.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(StepError):
        start(packed, tmp_path / "out", make_crashing, chunk=10, reading=reading)
    checkpoint_file = tmp_path / "out" / ".partial" / "checkpoint.json"
    checkpoint = json.loads(checkpoint_file.read_bytes())
    if version != "this":
        for name in ("measured", "bytes"):
            del checkpoint["tally"]["inputs"][0][name]
        checkpoint_file.write_text(json.dumps(checkpoint))
    done = start(packed, tmp_path / "out", reading=reading)
    assert done.before == "unfinished"
    assert done.manifest.inputs[0].get("plain_bytes") == (path.stat().st_size if version == "this" else None)


def test_m2_goes_in_and_comes_out_with_spans_types_and_annotators(tmp_path):
    path = tmp_path / "c.m2"
    path.write_bytes(
        b"S I think  he go .\nA 3 4|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        b"A 2 4|||R:OTHER|||he went|||REQUIRED|||-NONE-|||1\n\n"
        b"S Nothing here .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        b"S he is fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )
    start(path, tmp_path / "out", chunk=1)
    assert content(tmp_path / "out")["augmented.m2"] == (
        b"S I think  they go .\nA 3 4|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        b"A 2 4|||R:OTHER|||they went|||REQUIRED|||-NONE-|||1\n\n"
        b"S they is fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )
    assert (
        content(tmp_path / "out")["pairs.tsv"]
        == b"I think  they go .\tI think  they goes .\nthey is fine .\tthey is fine .\n"
    )
    assert [r.value.target for r in read(tmp_path / "out" / "augmented.m2")] == [
        "I think  they goes .",
        "they is fine .",
    ]


def test_other_fields_travel_along(tmp_path):
    row = {"id": 7, "wrong": "he go", "right": "he goes", "learner": {"l1": "ja", "é": [1, None]}}
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(row) + "\n")
    start(path, tmp_path / "out", reading=Reading(fields=("wrong", "right")))
    (record,) = map(json.loads, (tmp_path / "out" / "augmented.jsonl").read_text().splitlines())
    assert record == {**row, "wrong": "they go", "right": "they goes"}


def test_inputs_of_several_formats_make_one_corpus(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"source": "he go", "target": "he goes"}\n')
    (tmp_path / "c.m2").write_text("S he go\n\n")
    done = start([tmp_path / "c.jsonl", mixed(tmp_path, 4), tmp_path / "c.m2"], tmp_path / "out", chunk=3)
    assert [i["lines"] for i in done.manifest.inputs] == [1, 4, 1]
    assert [(e["file"], e.get("row")) for e in read_ledger(tmp_path / "out")] == [
        ("c.jsonl", 0),
        ("mixed.tsv", 1),
        ("mixed.tsv", None),
        ("mixed.tsv", None),
        ("c.m2", 2),
    ]


def test_what_was_tolerated_is_a_warning(tmp_path):
    (tmp_path / "c.tsv").write_bytes(b"\xef\xbb\xbfhe go\the goes\r\nx\ty\r\n")
    (tmp_path / "empty.tsv").write_bytes(b"")
    done = start([tmp_path / "c.tsv", tmp_path / "empty.tsv"], tmp_path / "out")
    assert done.manifest.warnings == (
        "c.tsv: a byte order mark was taken off",
        "c.tsv: 2 lines end in CRLF; outputs end in LF",
        "empty.tsv: no line was read from it",
    )
    assert content(tmp_path / "out")["pairs.tsv"] == b"they go\tthey goes\n"


def test_what_was_tolerated_in_a_target_file_is_said_of_that_file(tmp_path):
    (tmp_path / "c.src").write_bytes(b"he go\nx\r\n")
    (tmp_path / "c.tgt").write_bytes(b"\xef\xbb\xbfhe goes\r\ny\r\n")
    done = start([tmp_path / "c.src"], tmp_path / "out")
    assert done.manifest.warnings == (
        "c.src: 1 lines end in CRLF; outputs end in LF",
        "c.tgt: a byte order mark was taken off",
        "c.tgt: 2 lines end in CRLF; outputs end in LF",
    )


def test_the_signature_names_what_decides_the_bytes(tmp_path):
    path = mixed(tmp_path)
    signature = start(path, tmp_path / "a", versions={"gec-fair": "0.1.0"}).manifest.signature
    assert signature.startswith("st|seed:0|names:fixed|max_words:10000|in:")
    assert "|gec-fair:0.1.0|id:" in signature
    others = [
        start(path, tmp_path / "b", options=Options(seed=1)).manifest.signature,
        start(path, tmp_path / "c", reading=Reading(limit=10)).manifest.signature,
        start(mixed(tmp_path, 10), tmp_path / "d").manifest.signature,
    ]
    assert len({signature, *others}) == 4


@pytest.mark.parametrize("workers", [1, 2])
def test_strict_stops_at_the_first_malformed_line_and_the_run_goes_on_without_it(tmp_path, workers):
    path = mixed(tmp_path)
    with pytest.raises(MalformedLine, match=r"^mixed\.tsv:4: expected 2 columns, found 1;"):
        start(path, tmp_path / "out", strict=True, chunk=2, workers=workers)
    assert not (tmp_path / "out" / "pairs.tsv").exists()
    assert start(path, tmp_path / "out").before == "unfinished"
    start(path, tmp_path / "plain")
    assert content(tmp_path / "out") == content(tmp_path / "plain")
    with pytest.raises(MalformedLine, match=r"^mixed\.tsv:4:"):
        start(path, tmp_path / "out", strict=True)


def test_a_finished_run_is_left_alone(tmp_path):
    path = mixed(tmp_path)
    start(path, tmp_path / "out")
    before = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "out").iterdir()}
    again = start(path, tmp_path / "out", make_missing, workers=3)
    assert again.before == "complete"
    assert {p.name: p.stat().st_mtime_ns for p in (tmp_path / "out").iterdir()} == before


@pytest.mark.parametrize("state", ["finished", "unfinished"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"options": Options(names="draw")}, "names (fixed → draw)", id="option"),
        pytest.param({"reading": Reading(limit=9)}, "limit (None → 9)", id="limit"),
        pytest.param({"versions": {"model": "2"}}, "versions.model (1 → 2)", id="version"),
        pytest.param({"lines": 99}, "mixed.tsv (content differs)", id="input"),
    ],
)
def test_other_options_are_refused_by_name_until_overwrite(tmp_path, state, change, message):
    path = mixed(tmp_path)
    usual = {"versions": {"model": "1"}}
    if state == "finished":
        start(path, tmp_path / "out", **usual)
    else:
        with pytest.raises(MalformedLine):
            start(path, tmp_path / "out", strict=True, chunk=1, **usual)
    settings = {**usual, **change}
    mixed(tmp_path, settings.pop("lines", 200))
    with pytest.raises(ResumeError) as refused:
        start(path, tmp_path / "out", **settings)
    assert message in str(refused.value)
    assert "--overwrite" in str(refused.value)
    start(path, tmp_path / "out", overwrite=True, **settings)
    start(path, tmp_path / "fresh", **settings)
    assert content(tmp_path / "out") == content(tmp_path / "fresh")


def test_overwriting_leaves_nothing_of_the_old_run(tmp_path):
    (tmp_path / "c.m2").write_text("S he go\n\n")
    start(tmp_path / "c.m2", tmp_path / "out")
    start(mixed(tmp_path), tmp_path / "out", overwrite=True)
    assert sorted(content(tmp_path / "out")) == ["ledger.jsonl", "manifest.json", "pairs.tsv"]


def test_files_of_others_are_not_overwritten(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "pairs.tsv").write_text("dear\tdata\n")
    with pytest.raises(ResumeError, match=r"holds pairs\.tsv, which no run here wrote"):
        start(mixed(tmp_path), tmp_path / "out")


def test_an_input_is_not_overwritten(tmp_path):
    (tmp_path / "pairs.tsv").write_text("he\the\n")
    with pytest.raises(UsageError, match="is an input and would be overwritten"):
        start(tmp_path / "pairs.tsv", tmp_path, overwrite=True)


def test_an_output_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError, match="is a file; an output is a directory"):
        start(mixed(tmp_path), tmp_path / "out")


def test_two_runs_do_not_share_a_directory(tmp_path):
    with drafts.hold_lock(tmp_path / "out"), pytest.raises(ResumeError, match="another run is writing here"):
        start(mixed(tmp_path), tmp_path / "out")


@pytest.mark.parametrize("settings", [{"engine": "spark"}, {"workers": 0}, {"chunk": 0}])
def test_impossible_orders_are_refused(tmp_path, settings):
    with pytest.raises(UsageError):
        start(mixed(tmp_path), tmp_path / "out", **settings)


def crash_at(folder: Path, line: int, lines: int = 60) -> Path:
    path = folder / "c.tsv"
    path.write_text("".join(f"{'crash' if n == line else 'he'} {n}\the {n}\n" for n in range(1, lines + 1)))
    return path


@pytest.mark.parametrize("workers", [1, 2])
def test_a_step_that_raises_is_told_with_its_line(tmp_path, workers):
    with pytest.raises(StepError, match=r"^c\.tsv:33: KeyError: 'VBD_RB'$") as raised:
        start(crash_at(tmp_path, 33), tmp_path / "out", make_crashing, workers=workers, chunk=10)
    assert raised.value.exit_code == 1


def test_after_a_failure_the_same_command_goes_on(tmp_path):
    path = crash_at(tmp_path, 33)
    with pytest.raises(StepError):
        start(path, tmp_path / "out", make_crashing, chunk=10)
    assert start(path, tmp_path / "out", make_they).before == "unfinished"
    start(path, tmp_path / "plain")
    assert content(tmp_path / "out") == content(tmp_path / "plain")


def test_a_killed_worker_is_told_and_nothing_hangs(tmp_path):
    with pytest.raises(
        StepError, match=r"a worker process was killed while c\.tsv:\d+–\d+ … c\.tsv:\d+–\d+ were in hand"
    ):
        start(crash_at(tmp_path, 33), tmp_path / "out", make_killed, workers=2, chunk=10)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_step_must_answer_for_every_pair(tmp_path, workers):
    with pytest.raises(StepError, match=r"^c\.tsv:1–10: the step gave 9 outcomes for 10 pairs$"):
        start(crash_at(tmp_path, 0), tmp_path / "out", make_forgetful, workers=workers, chunk=10)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_step_misses_reaches_the_user_as_it_is(tmp_path, workers):
    with pytest.raises(MissingResource, match="the model is not here; fetch it"):
        start(mixed(tmp_path), tmp_path / "out", make_missing, workers=workers)


def test_a_full_disk_is_told_and_the_run_goes_on_later(tmp_path, monkeypatch):
    path = mixed(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(drafts.os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(GecFairError, match="cannot be written"):
            start(path, tmp_path / "out", chunk=10)
    start(path, tmp_path / "out")
    start(path, tmp_path / "plain")
    assert content(tmp_path / "out") == content(tmp_path / "plain")


def test_progress_is_told_with_the_total(tmp_path):
    totals = []
    start(mixed(tmp_path), tmp_path / "out", chunk=90, progress=lambda done, total: totals.append((done, total)))
    assert totals == [(90, 200), (180, 200), (200, 200)]


# --- kill -9 --------------------------------------------------------------------------------------------------------

_CALLS = ("fsync", "replace", "unlink")


def _run_and_die(path: Path, out: Path, at: int, **settings) -> bool:
    """In a child: kill -9 right before the `at`-th system call that makes something last. True where it died."""
    child = os.fork()
    if child == 0:
        left = [at]
        for name in _CALLS:
            setattr(os, name, partial(_fatal, left, getattr(os, name)))
        try:
            start(path, out, chunk=5, checkpoint_every=0, **settings)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _fatal(left, call, *args, **kwargs):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return call(*args, **kwargs)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.slow
def test_a_run_killed_before_any_lasting_step_ends_with_the_same_bytes(tmp_path):
    path = mixed(tmp_path, 15)
    start(path, tmp_path / "plain")
    expected = content(tmp_path / "plain")
    for at in range(1000):
        out = tmp_path / f"out{at}"
        died = _run_and_die(path, out, at)
        start(path, out, chunk=4)
        assert content(out) == expected, f"killed before call {at}"
        if not died:
            break
    assert at > 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_overwriting_never_leaves_a_manifest_beside_files_of_another_run(tmp_path):
    old, new = mixed(tmp_path, 30), tmp_path / "new.m2"
    new.write_text("S he go\n\nS we go\n\n")
    expected = []
    for path, folder in ((old, "old"), (new, "fresh")):
        start(path, tmp_path / folder)
        expected.append(content(tmp_path / folder))
    for at in range(1000):
        out = tmp_path / f"out{at}"
        start(old, out)
        died = _run_and_die(new, out, at, overwrite=True)
        left = {p.name: p.read_bytes() for p in out.iterdir() if p.is_file()}
        assert "manifest.json" not in left or left in expected, f"killed before call {at}"
        start(new, out, overwrite=True)
        assert content(out) == expected[1], f"killed before call {at}"
        if not died:
            break
    assert at > 20


@pytest.mark.slow
def test_kill_9_at_random_moments_loses_no_byte_and_leaves_no_worker(tmp_path):
    path, pids = mixed(tmp_path, 3000), tmp_path / "pids"
    pids.mkdir()
    start(path, tmp_path / "plain")
    script = (
        "import sys; from functools import partial; from pathlib import Path\n"
        "from corpus_steps import make_slow_they; from test_run import start\n"
        "if __name__ == '__main__':\n"
        "    start(Path(sys.argv[1]), Path(sys.argv[2]), partial(make_slow_they, sys.argv[3]),\n"
        "          workers=2, chunk=20, checkpoint_every=0)\n"
    )
    (tmp_path / "job.py").write_text(script)
    paths = [str(Path(corpus_steps.__file__).parent), *sys.path]
    command = [sys.executable, str(tmp_path / "job.py"), str(path), str(tmp_path / "out"), str(pids)]
    kills = 0
    for wait in (0.3, 0.9, 1.3, 1.7, 2.1, None):
        job = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
        try:
            job.wait(wait)
        except subprocess.TimeoutExpired:
            job.kill()
            job.wait()
            kills += 1
        if job.returncode == 0:
            break
    assert kills
    assert job.returncode == 0
    assert content(tmp_path / "out") == content(tmp_path / "plain")
    assert _all_gone([int(p.name) for p in pids.iterdir()])


def _all_gone(pids: list[int], patience: float = 5.0) -> bool:
    end = time.monotonic() + patience
    while any(map(_alive, pids)):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_slow_steps_are_the_same_step(tmp_path):
    pids = tmp_path / "pids"
    pids.mkdir()
    start(mixed(tmp_path), tmp_path / "a", partial(make_slow_they, str(pids)))
    start(mixed(tmp_path), tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.tsv", b"", "empty.tsv: is empty; give a file with at least one line"),
        ("rows.jsonl", b'{"a": 1}\n{"b": 2}\n', "rows.jsonl: none of 2 lines can be used; the first: rows.jsonl:1: no"),
        ("binary.tsv", b"\x00\xff\x01\n" * 3, "binary.tsv: none of 3 lines can be used; the first: binary.tsv:1: byte"),
        ("one.tsv", b"He goes .\n", "one.tsv: none of 1 lines can be used; the first: one.tsv:1: expected 2 columns"),
    ],
)
def test_inputs_without_a_usable_line_are_refused_and_leave_nothing(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as refused:
        start(tmp_path / name, tmp_path / "out")
    assert message in str(refused.value)
    assert not (tmp_path / "out").exists()
    (tmp_path / name).write_text('{"source": "a", "target": "b"}\n' if name.endswith("jsonl") else "a\tb\n")
    assert start(tmp_path / name, tmp_path / "out").manifest.counts["unchanged"] == 1


def test_a_folder_with_another_kind_of_run_is_refused():
    files, roles = [{"name": "a.tsv", "sha256": "1"}], {"st": {"name": "a.tsv", "sha256": "1"}}
    for before, now in ((files, roles), (roles, files)):
        assert differences({"inputs": before}, {"inputs": now}) == ["inputs (those of another kind of run)"]
