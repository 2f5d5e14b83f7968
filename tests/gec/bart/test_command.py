"""`gec-fair bart`: the library from the command line."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from gec_fair.cli.gec.bart import bart
from gec_fair.errors import UsageError
from gec_fair.gec.bart.checkpoint import Corrector
from gec_fair.gec.bart.options import InputOptions
from tests.gec.bart.conftest import LEGACY


def run_bart(*words, stdin=None):
    result = CliRunner().invoke(bart, [str(word) for word in words], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_model_is_trained_and_corrects_a_file_or_a_pipe(models, tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    (tmp_path / "s.yaml").write_text(
        f"start: {models / 'bart'}\ntraining: {{steps: 3, batch: 32, learning_rate: 0.001}}\n"
    )
    done = run_bart(
        "train",
        tmp_path / "s.yaml",
        "--train",
        models / "copies.tsv",
        "--dev",
        models / "dev.tsv",
        "--set",
        "max_tokens=200",
        "-o",
        tmp_path / "run",
    )
    assert done.stdout.startswith(f"{tmp_path / 'run' / 'best'}  3 updates")
    (tmp_path / "t.txt").write_text("he go home .\n\n")
    run_bart("predict", tmp_path / "run" / "best", tmp_path / "t.txt", "--beam", 1, "-o", tmp_path / "o.txt")
    assert len((tmp_path / "o.txt").read_text().split("\n")) == 3


def test_long_texts_are_counted_on_standard_error(trained):
    done = run_bart("predict", trained.directory, stdin="he go home .\n" + "he " * 90 + ".\n")
    assert done.stdout == "he goes home .\n" + "he " * 90 + ".\n"
    assert "note: 1 texts of more than 80 sub-words were passed through" in done.stderr


def test_what_did_not_train_is_told_once_and_what_is_nothing_is_not(models, tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    (tmp_path / "s.yaml").write_text(f"start: {models / 'bart'}\ntraining: {{steps: 1, batch: 8}}\n")
    pairs = (models / "copies.tsv").read_text()
    (tmp_path / "p.tsv").write_text(pairs + "no tab\nhe\t\n\the\n" + "he " * 90 + "\the .\n")
    (tmp_path / "d.tsv").write_text((models / "dev.tsv").read_text() + "he\t\n")
    words = ("train", tmp_path / "s.yaml", "--set", "max_tokens=200", "--dev")
    done = run_bart(*words, tmp_path / "d.tsv", "--train", tmp_path / "p.tsv", "-o", tmp_path / "run")
    assert done.stderr == (
        "note: left out of the training data: 2 malformed lines, 1 pairs without a target, "
        "1 pairs over max_source or max_target\n"
        f"note: the first malformed line: {tmp_path}/p.tsv:{pairs.count(chr(10)) + 1}: expected 2 columns, found 1; "
        "give source<TAB>target lines\n"
        "note: left out of the validation data: 1 pairs without a target\n"
    )
    assert run_bart(*words, models / "dev.tsv", "--train", models / "copies.tsv", "-o", tmp_path / "other").stderr == ""


def test_answers_that_were_cut_off_are_counted_on_standard_error(corrector, tmp_path):
    Corrector(corrector.model, corrector.tokenizer, InputOptions(max_target=10)).save(tmp_path / "short")
    long = "he go to the well-known park every day ."
    done = run_bart("predict", tmp_path / "short", stdin=f"he go home .\n{long}\n")
    assert done.stdout == f"he goes home .\n{long}\n"
    assert "note: the answers to 1 texts were not at their end after 10 sub-words" in done.stderr


def test_a_checkpoint_of_fairseq_is_converted(merges, tmp_path):
    words = (LEGACY / "fairseq_tiny.pt", "--dict", LEGACY / "fairseq_tiny_dict.txt", "--bpe", merges)
    done = run_bart("import", *words, "-o", tmp_path / "bart")
    assert "without <s>, tokenised text" in done.stdout
    assert "259 of GPT-2's pieces are not in the dictionary" in done.stderr
    assert run_bart("predict", tmp_path / "bart", stdin="ag ah\n").stdout.count("\n") == 1
    with pytest.raises(UsageError, match="is not empty"):
        run_bart("import", *words, "-o", tmp_path / "bart")
