"""The command line as a user meets it: help, exit codes, messages, and the files that are left behind."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gec_fair.cli import _replace_closed_streams, explain_refusal, main
from gec_fair.corpus.manifest import OUTCOMES
from tests.cli.invoke import run

FILE_OUTPUTS = [
    ("fairscore", "--task", "sst2", "--model", "tfidf"),
    ("counterfactual", "nowhere.txt", "--system", "x"),
    ("sentences", "nowhere.txt"),
    ("noise", "nowhere.txt"),
    ("correct", "nowhere.txt", "--system", "x"),
    ("gector", "predict", "x", "nowhere.txt"),
    ("bart", "predict", "x", "nowhere.txt"),
    ("editscorer", "predict", "x", "nowhere.txt"),
]
NO_FILES = [
    (".", "File '.' is a directory"),
    ("..", "File '..' is a directory"),
    ("/", "File '/' is a directory"),
    ("", "names no file"),
    ("there/is/no.json", "is a file, no folder"),
    ("out.txt.gz", "files are written plain; leave .gz out"),
]

PAIRS = """\
My boss lost his hat .\tMy boss lost his hat .
He say no .\tHe says no .
We like tea .\tWe like tea .
Anna saw a dog .\tAnna saw a dog .
"""


def gec_fair(*words, **more):
    """In this process: quicker, since spaCy is read once."""
    done = run(*words, **more)
    return done.code, done.stdout, done.stderr


def process(*words, stdin=b""):
    """In its own process, as a shell starts it."""
    done = subprocess.run(
        [sys.executable, "-m", "gec_fair.cli", *map(str, words)], input=stdin, capture_output=True, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


def test_a_run_leaves_pairs_ledger_and_manifest(corpus, tmp_path):
    code, out, _ = process("augment", "st", corpus, "-o", tmp_path / "st")
    assert code == 0
    assert "| augmented | 1 | 25.0 % |" in out
    assert "signature: st|" in out
    assert (tmp_path / "st/pairs.tsv").read_text() == "My boss lost their hat .\tMy boss lost their hat .\n"
    [entry, left] = [json.loads(line) for line in (tmp_path / "st/ledger.jsonl").read_text().splitlines()]
    assert (entry["line"], entry["outcome"], entry["row"]) == (1, "augmented", 0)
    assert left == {"file": "pairs.tsv", "line": 2, "outcome": "left", "reason": "gate", "detail": "He"}
    assert "| · gate | 1 | 25.0 % |" in out
    counts = json.loads((tmp_path / "st/manifest.json").read_text())["counts"]
    assert counts["lines"] == sum(counts[k] for k in OUTCOMES) == 4


@pytest.mark.parametrize(("name", "message"), NO_FILES)
@pytest.mark.parametrize("words", FILE_OUTPUTS, ids=lambda words: words[0])
def test_a_place_where_no_file_can_be_written_is_refused_before_the_work(tmp_path, monkeypatch, words, name, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").write_text("a file")
    done = run(*words, "-o", name)
    assert (done.code, message in done.stderr) == (2, True), done.stderr


def test_json_for_machines(corpus, tmp_path):
    code, out, _ = gec_fair("augment", "fm", corpus, "-o", tmp_path / "fm", "--json")
    assert code == 0
    assert json.loads(out)["counts"]["augmented"] == 3


def test_the_same_bytes_for_any_workers_and_chunks(corpus, tmp_path):
    big = tmp_path / "big.tsv"
    big.write_text("".join(PAIRS.replace("hat", f"hat {n}") for n in range(40)), encoding="utf-8")
    paths = []
    for name, extra in {"a": [], "b": ["--workers", 2, "--chunk", 7], "c": ["--chunk", 3]}.items():
        command = process if "--workers" in extra else gec_fair
        assert command("augment", "fm", big, "-o", tmp_path / name, *extra)[0] == 0
        paths.append({p.name: p.read_bytes() for p in (tmp_path / name).iterdir() if p.is_file()})
    assert paths[0] == paths[1] == paths[2]


def test_a_finished_directory_is_left_alone_and_other_options_are_refused(corpus, tmp_path):
    assert gec_fair("augment", "st", corpus, "-o", tmp_path / "st")[0] == 0
    code, _, err = gec_fair("augment", "st", corpus, "-o", tmp_path / "st")
    assert (code, "complete already" in err) == (0, True)
    code, _, err = gec_fair("augment", "st", corpus, "-o", tmp_path / "st", "--gate", "none")
    assert code == 2
    assert "gate" in err
    assert "--overwrite" in err


FAULTS = [
    ("a missing file", ["augment", "st", "none.tsv", "-o", "out"], "none.tsv"),
    ("a directory", ["augment", "st", ".", "-o", "out"], "directory"),
    ("no output", ["augment", "st", "pairs.tsv"], "--output"),
    ("neo without a paradigm", ["augment", "neo", "pairs.tsv", "-o", "out"], "--paradigm"),
    ("a paradigm nobody knows", ["augment", "neo", "pairs.tsv", "-o", "out", "--paradigm", "zz"], "xe"),
    ("a pipeline that is not there", ["augment", "st", "pairs.tsv", "-o", "out", "--english", "en_none"], "en_none"),
    ("a mix without runs", ["mix", "pairs.tsv", "--st", "x", "--mf", "y", "-o", "mix"], "augment"),
    ("a command nobody knows", ["augmnt"], "augmnt"),
]


@pytest.mark.parametrize(("words", "message"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_bad_input_exits_2_with_a_message(corpus, tmp_path, words, message):
    code, _, err = gec_fair(*words, cwd=tmp_path)
    assert (code, message in err) == (2, True), err


def test_malformed_lines_are_told_and_the_rest_goes_on(tmp_path):
    path = tmp_path / "bad.tsv"
    path.write_bytes(b"one column\nMy boss lost his hat .\tMy boss lost his hat .\nbad \xff\tx\n\n")
    code, out, err = gec_fair("augment", "st", path, "-o", tmp_path / "out")
    assert code == 0
    assert "| augmented | 1 |" in out
    assert "bad.tsv:1: expected 2 columns, found 1" in err
    assert "bad.tsv:3" in err
    code, _, err = gec_fair("augment", "st", path, "-o", tmp_path / "strict", "--strict")
    assert code == 2
    assert "bad.tsv:1: expected 2 columns, found 1" in err


REWRITES = [
    (["st"], "Anna lost her keys, and she's sad.", "Anna lost their keys, and they're sad."),
    (["fm", "--names", "keep"], "Her brother  saw him.", "His sister  saw her."),
    (["neo", "--paradigm", "xe"], "Anna lost her keys.", "Anna lost xyr keys."),
    (["st", "--tokenised", "--gate", "none"], "He 's  here .", "They 're  here ."),
    (["st"], "We saw it.\n\nMy boss lost his hat.", "We saw it.\n\nMy boss lost their hat."),
    (["st"], "", ""),
]


@pytest.mark.parametrize(("options", "text", "expected"), REWRITES)
def test_plain_text_from_stdin_to_stdout(options, text, expected):
    assert gec_fair("rewrite", *options, stdin=text + "\n") == (0, expected + "\n", "")


def test_invalid_utf8_on_stdin_is_told_by_line():
    code, _, err = process("rewrite", "st", stdin=b"fine\n\xff\n")
    assert (code, "<stdin>:2: not UTF-8" in err) == (2, True), err


def test_explain_shows_parse_clusters_edits_and_outcome():
    code, out, _ = gec_fair("explain", "st", "My boss lose his hat .", "My boss lost his hat .")
    assert code == 0
    for option in (
        "[-lose-] {+lost+}",
        "nsubj",
        "cluster    My boss ~ his",
        "[-his-] {+their+}",
        "outcome    augmented",
    ):
        assert option in out


def test_explain_draws_the_same_names_as_json():
    words = ("explain", "fm", "Anna met Tom .", "--names", "draw", "--seed", 7)
    (_, plain, _), (_, report, _) = gec_fair(*words), gec_fair(*words, "--json")
    anna, tom = json.loads(report)["source"].split()[0:3:2]
    assert f"{{+{anna}+}} met [-Tom-] {{+{tom}+}} ." in plain


def test_explain_on_a_run_writes_nothing(corpus, tmp_path):
    code, out, _ = gec_fair("augment", "st", "--explain", corpus, cwd=tmp_path)
    assert code == 0
    assert out.count("outcome") == 2
    assert [p.name for p in tmp_path.iterdir()] == ["pairs.tsv"]


def test_mix_from_two_runs(corpus, tmp_path):
    for method, name in (("st", "st"), ("fm", "mf")):
        assert gec_fair("augment", method, corpus, "-o", tmp_path / name)[0] == 0
    code, out, err = gec_fair("mix", corpus, "--st", tmp_path / "st", "--mf", tmp_path / "mf", "-o", tmp_path / "mix")
    assert code == 0
    assert "fewer than" in err
    assert "system4/train.tsv  4 orig + 3 mf + 1 st" in out
    assert len(Path(tmp_path / "mix/system4/train.tsv").read_text().splitlines()) == 8


def test_m2_in_and_out_with_spans_reannotated_or_kept(tmp_path):
    path = tmp_path / "x.m2"
    path.write_text("S My boss like his hat .\nA 2 3|||R:OTHER|||likes|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    assert gec_fair("augment", "st", path, "-o", tmp_path / "kept")[0] == 0
    content = (tmp_path / "kept/augmented.m2").read_text()
    assert content == "S My boss like their hat .\nA 2 3|||R:OTHER|||likes|||REQUIRED|||-NONE-|||0\n\n"
    pytest.importorskip("errant")
    assert gec_fair("augment", "st", path, "-o", tmp_path / "new", "--reannotate")[0] == 0
    again = (tmp_path / "new/augmented.m2").read_text()
    assert "A 2 3|||R:" in again
    assert "R:OTHER" not in again


SYSTEM_FAULTS = [
    (OSError(28, "No space left on device", "out/x"), "out/x: No space left on device; make room", "a full disk"),
    (OSError(13, "Permission denied", "closed/x"), "closed/x: Permission denied; this user may not", "no right"),
    (OSError(2, "No such file", explain_refusal.__code__.co_filename), None, "a file of the package itself"),
    (OSError(5, "Input/output error"), None, "what nobody can mend is a fault with its traceback"),
]


@pytest.mark.parametrize(("fault", "message", "why"), SYSTEM_FAULTS, ids=[row[2] for row in SYSTEM_FAULTS])
def test_what_the_system_refuses_is_told_with_a_remedy(fault, message, why):
    text = explain_refusal(fault)
    assert (text or "").startswith(message or "")
    assert (text is None) == (message is None)


def test_a_closed_stream_refuses_to_be_read_or_written_and_messages_are_dropped(monkeypatch):
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    _replace_closed_streams()
    sys.stderr.write("a message")
    for use in (sys.stdin.read, sys.stdin.buffer.readline, lambda: sys.stdout.write("a")):
        with pytest.raises(OSError, match="Bad file descriptor") as raised:
            use()
        assert "this stream is closed" in explain_refusal(raised.value)


def test_a_message_holds_no_signs_that_a_terminal_obeys(tmp_path, monkeypatch, capsys):
    (tmp_path / "a.csv").write_text("so\x1b[2Jurce,tar\x9bget\u202e\nHe go .,He goes .\n")
    words = f"gec-fair augment fm {tmp_path}/a.csv --fields source,target -o {tmp_path}/out"
    monkeypatch.setattr(sys, "argv", words.split())
    with pytest.raises(SystemExit, match="2"):
        main()
    message = capsys.readouterr().err
    assert "so\N{REPLACEMENT CHARACTER}[2Jurce" in message
    assert message.rstrip().isprintable()


def test_a_library_in_rust_that_panics_at_a_text_is_no_traceback():
    fault = type("PanicException", (BaseException,), {})("retry-limit-in-match over")
    assert explain_refusal(fault) == (
        "a tokenizer cannot read a text (retry-limit-in-match over); give the model with another tokenizer.json"
    )


def test_a_closed_pipe_is_no_fault(tmp_path):
    (tmp_path / "many.txt").write_text("She sang .\n" * 20_000)
    rewrite = f"{sys.executable} -m gec_fair rewrite fm --tokenised"
    words = f"{rewrite} < {tmp_path}/many.txt | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "He sang .\n", "")
    words = f"{sys.executable} -m gec_fair --help | true; exit ${{PIPESTATUS[0]}}"
    assert subprocess.run(["bash", "-c", words], capture_output=True, check=False).returncode == 0
