"""A text of more characters than spaCy reads is refused with its line, by every command that parses texts."""

import json

import pytest

from gec_fair.data.text_files import LONGEST_TEXT
from gec_fair.errors import InputError
from tests.cli.invoke import run

SENTENCE = "A <social_group> man sang, and a Muslim woman left. "
LONG = (SENTENCE * (LONGEST_TEXT // len(SENTENCE) + 1)).strip()
WRONG = f":2: a text of {len(LONG):,} characters, more than 1,000,000; cut it into paragraphs, or leave it out"


def table(path, **more):
    rows = [{"id": f"t{n}", "text": text, **more} for n, text in enumerate(("She sang to a <social_group> man.", LONG))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


COMMANDS = [
    ("mentions", {}, ["-o", "out.csv"]),
    ("counterfactuals", {"slices": "Religion: Islam"}, ["-o", "out.csv"]),
    ("fill", {}, ["--category", "Religion", "-o", "out.csv"]),
    ("audit", {"label": 0}, ["--source", "vader", "--score", "compound"]),
    (
        "audit",
        {"label": 0, "slices": "Religion: Islam"},
        ["--source", "vader", "--score", "neg", "--counterfactuals"],
    ),
]


@pytest.mark.parametrize(("command", "more", "options"), COMMANDS)
def test_safety_refuses_it_with_file_and_line(tmp_path, command, more, options):
    path = table(tmp_path / "t.jsonl", **more)
    done = run("safety", command, path, *options, cwd=tmp_path)
    assert (done.code, f"{path}{WRONG}" in done.stderr) == (2, True)
    assert not (tmp_path / "out.csv").exists()


def test_scores_need_no_parse_and_read_it(tmp_path):
    path = table(tmp_path / "t.jsonl")
    assert run("safety", "scores", path, "--source", "profanity", "-o", tmp_path / "out.csv").code == 0
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 3


def test_a_text_that_names_somebody_already_is_not_parsed(tmp_path):
    path = table(tmp_path / "t.jsonl", slices="Religion: Islam")
    assert run("safety", "mentions", path, "-o", tmp_path / "out.jsonl").code == 0


def test_fairscore_and_razor_leave_it_out_and_say_so(tmp_path, capsys):
    from gec_fair.fairscore.tasks import from_file
    from gec_fair.razor.documents.documents import read

    path = table(tmp_path / "t.jsonl", label="a")
    assert [example.id for example in from_file(path, ("text",), "label")] == ["t.jsonl:1"]
    assert f"the first: {path}{WRONG}" in capsys.readouterr().err
    documents, left = read(path)
    assert [document.id for document in documents] == ["t0"]
    assert f"{path}{WRONG}" in str(left[0].fault)


def test_perturber_score_names_the_line(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text(f"She sang.\n{LONG}\n")
    done = run("perturber", "score", path)
    assert (done.code, f"{path}{WRONG}" in done.stderr) == (2, True)


def test_in_python_it_is_an_input_error():
    import gec_fair as gf

    for rewrite in (lambda: gf.perturb([LONG]), lambda: gf.rewrite([LONG], "st")):
        with pytest.raises(InputError, match="more than 1,000,000; cut it into paragraphs"):
            rewrite()
