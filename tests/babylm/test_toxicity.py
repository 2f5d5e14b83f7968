"""Toxic sentences dropped, clean ones dropped, toxic ones reworded: nothing else is touched, and all of it is counted.

The classifiers are programs that know what the test says is toxic."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter

import pytest

from gec_fair.babylm.corpora import build
from gec_fair.babylm.corpora.build import Original
from gec_fair.babylm.corpora.toxicity import Detoxify, DropClean, DropToxic
from gec_fair.classifiers.harm import Judges
from gec_fair.classifiers.protocol import ClassifierFault
from gec_fair.english.running_text.sentence_pieces import pieces
from gec_fair.errors import MissingResource, UsageError
from gec_fair.llm.server import LLMFault
from tests.cli.invoke import run
from tests.llm.stub import Said, serving

TEXT = """\
The zorg came home. He was tired. "You blat!" she said.
Nothing here.
Zorg! Blat zorg.

It rained. It rained again. All was quiet. Nobody spoke. A dog barked.
"""
JUDGE = """\
import json, sys
for line in sys.stdin:
    bad = "{word}" in json.loads(line)[0].lower()
    print(json.dumps({{"bad": 0.9 if bad else 0.2}}), flush=True)
"""


@pytest.fixture
def judges(tmp_path):
    named = {}
    for kind, word in (("toxic", "zorg"), ("hate", "blat")):
        path = tmp_path / f"{kind}.py"
        path.write_text(JUDGE.format(word=word))
        named[kind] = f"command:{shlex.join([sys.executable, str(path)])}=bad"
    return Judges(**named)


@pytest.fixture
def original(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return build.original(Original((str(path),)), tmp_path / "corpora")


@pytest.fixture
def dropped(original, judges, tmp_path):
    return build.make(DropToxic(judges), tmp_path / "corpora", {"original": original})


def test_toxic_and_hateful_sentences_go_and_the_others_stay_where_they_are(dropped):
    assert dropped.corpus.read_text() == (
        "He was tired.\nNothing here.\n\n\nIt rained. It rained again. All was quiet. Nobody spoke. A dog barked.\n\n"
    )
    assert dropped.counts == {
        "sentences": 11,
        "toxic": 3,
        "hate": 2,
        "dropped": 4,
        "toxic, %": 27.273,
        "hate, %": 18.182,
        "dropped, %": 36.364,
    }
    ledger = [json.loads(line) for line in (dropped.folder / "dropped/ledger.jsonl").read_text().splitlines()]
    assert [entry["detail"] for entry in ledger] == ["0 toxic, 2 hate", "0 toxic, 1 toxic+hate"]
    assert [edit["old"] for edit in ledger[0]["edits"]] == ["The zorg came home.", '"You blat!" she said.']


def test_the_ablation_drops_as_many_others(original, dropped, tmp_path):
    needed = {"original": original, "no-toxic": dropped}
    corpus = build.make(DropClean(), tmp_path / "corpora", needed)
    assert corpus.counts == {"sentences": 11, "dropped": 4}

    def sentences(text):
        return Counter(piece.strip() for line in text.splitlines() for piece in pieces(line))

    gone = sentences(TEXT) - sentences(corpus.corpus.read_text())
    assert gone.total() == 4
    assert not any("zorg" in sentence.lower() or "blat" in sentence.lower() for sentence in gone)
    second_corpus = build.make(DropClean(seed=1), tmp_path / "other", needed)
    assert second_corpus.corpus.read_text() != corpus.corpus.read_text()


def test_dropped_sentences_are_shown(dropped):
    page = run("show", dropped.folder / "dropped", "--plain").stdout
    assert '[-The zorg came home. -]He was tired.[- "You blat!" she said.-]\n' in page
    assert "| The zorg came home." in page


def reworded(body, before):
    """Answers for each sentence; leaves one toxic, cannot say another, and is confused by what comes in pairs."""
    lines = [line for line in body["messages"][1]["content"].splitlines() if line[:1].isdigit() and ". " in line]
    new = {
        "The zorg came home.": "The guest came home.",
        '"You blat!" she said.': '"You!" she said.',
        "Zorg!": "ZORG!",
        "Blat zorg.": "",
    }
    answers = [new[line.split(". ", 1)[1]] for line in lines]
    return Said(json.dumps({"sentences": answers[:1] if len(answers) == 2 else answers}))


def test_a_chat_model_rewords_and_what_stays_toxic_goes(original, dropped, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    needed = {"original": original, "no-toxic": dropped}
    with serving(reworded) as stub:
        corpus = build.make(Detoxify("m", stub.url, batch=3), tmp_path / "corpora", needed)
        requests_before = len(stub.bodies)
        again = Detoxify("m", stub.url, batch=3)
        (corpus.folder / "manifest.json").unlink()  # killed before it was whole
        same = build.make(again, tmp_path / "corpora", needed)
        assert len(stub.bodies) == requests_before  # no answer is paid for twice
    assert same.corpus.read_bytes() == corpus.corpus.read_bytes()
    assert corpus.corpus.read_text().splitlines()[:3] == [
        'The guest came home. He was tired. "You!" she said.',
        "Nothing here.",
        "",
    ]
    assert "[-zorg-]{+guest+}" not in run("show", corpus.folder, "--plain").stdout  # a sentence is one edit
    assert corpus.counts == {
        "sentences": 11,
        "toxic": 4,
        "reworded": 2,
        "still toxic": 1,
        "without an answer": 1,
        "discarded": 2,
        "discarded, %": 50.0,
    }


def test_a_server_that_fails_loses_no_sentence(original, dropped, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setattr("gec_fair.llm.server.RETRIES", 0)
    needed = {"original": original, "no-toxic": dropped}
    down = {"now": True}

    def failing(body, before):
        if down["now"] and "1. Zorg!" in body["messages"][1]["content"]:
            return Said("", status=500)
        return reworded(body, before)

    with serving(failing) as stub:
        with pytest.raises(LLMFault, match=r"the server failed at 1 of \d requests"):
            build.make(Detoxify("m", stub.url, batch=1), tmp_path / "corpora", needed)
        down["now"] = False
        corpus = build.make(Detoxify("m", stub.url, batch=1), tmp_path / "corpora", needed)
    assert corpus.counts["reworded"] == 2


def test_an_answer_of_another_number_is_asked_one_by_one(original, dropped, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with serving(reworded) as stub:
        corpus = build.make(
            Detoxify("m", stub.url, batch=2), tmp_path / "corpora", {"original": original, "no-toxic": dropped}
        )
        sizes = [body["messages"][1]["content"].count("\n") for body in stub.bodies]
    assert corpus.counts["reworded"] == 2
    assert len(stub.bodies) == 6  # two batches of two, then four of one
    assert len(set(sizes)) == 2


def test_what_is_lacking_is_said(original, dropped, tmp_path, monkeypatch):
    needed = {"original": original, "no-toxic": dropped}
    with pytest.raises(UsageError, match=r"detoxified\.model names no chat model"):
        build.make(Detoxify(), tmp_path / "corpora", needed)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(MissingResource, match="OPENAI_API_KEY"):
        build.make(Detoxify("m"), tmp_path / "corpora", needed)
    for wrong in ({"toxic": ""}, {"toxic": "toxicity"}, {"threshold": 2.0}):
        with pytest.raises(UsageError):
            Judges(**wrong)


def test_the_embedded_model_is_the_default_and_says_who_it_is(original, tmp_path):
    corpus = build.make(DropToxic(), tmp_path / "embedded", {"original": original})
    assert corpus.counts["dropped"] == 0
    assert "toxicity:" in json.loads((corpus.folder / "manifest.json").read_text())["versions"]["toxic"]


def test_a_chat_model_may_say_that_a_sentence_is_not_toxic(chat, original, tmp_path):
    chat.reply = staticmethod(lambda text: "toxic" if "zorg" in text.lower() else "not toxic")
    corpus = build.make(DropToxic(Judges(toxic="openai:m=toxic")), tmp_path / "asked", {"original": original})
    assert corpus.counts["dropped"] == 3
    assert "toxic, not toxic" in chat.requests[0]["messages"][0]["content"]


def test_a_classifier_that_takes_too_long_is_told_and_the_same_command_goes_on(original, judges, tmp_path, monkeypatch):
    slow = tmp_path / "toxic.py"
    waits = (
        f"import time\nfrom pathlib import Path\nif Path({str(tmp_path / 'busy')!r}).exists():\n    time.sleep(60)\n"
    )
    slow.write_text(waits + slow.read_text())
    (tmp_path / "busy").touch()
    monkeypatch.setenv("GEC_FAIR_TIMEOUT", "0.3")
    with pytest.raises(ClassifierFault, match=r"gave no answer in 0\.3 s; .* more seconds"):
        build.make(DropToxic(judges), tmp_path / "slow", {"original": original})
    monkeypatch.delenv("GEC_FAIR_TIMEOUT")
    (tmp_path / "busy").unlink()
    assert build.make(DropToxic(judges), tmp_path / "slow", {"original": original}).counts["dropped"] == 4
