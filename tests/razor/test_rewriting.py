"""The loop: what takes a document's place, what never does, and when it stops; killed anywhere, the same bytes."""

from __future__ import annotations

import json

import pytest

from gec_fair.errors import InputError, ResumeError, UsageError
from gec_fair.razor.documents.documents import Document, LeftOut
from gec_fair.razor.documents.languages import Languages
from gec_fair.razor.documents.truncate import beginning
from gec_fair.razor.options import RewriteOptions
from gec_fair.razor.rewriting.candidates import Candidate, Verdict, check
from gec_fair.razor.rewriting.loop import RewritingLoop
from gec_fair.razor.rewriting.run import run
from gec_fair.razor.rewriting.verifiers import Nobody

FACTS = [
    f"the {noun} was {verb} in {place}"
    for noun in ("film", "band", "city", "book")
    for verb in ("made", "seen")
    for place in ("Rome", "Oslo")
]
DOCUMENTS = [
    *(Document(f"s{n}", "SUPPORTS", fact) for n, fact in enumerate(FACTS)),
    *(Document(f"r{n}", "REFUTES", fact.replace("was", "was not")) for n, fact in enumerate(FACTS[:10])),
]


class Toy:
    """Proposes what `how` makes of a text and a number of tries; remembers whom it was asked for."""

    version = "toy"
    draws = True

    def __init__(self, rewrite):
        self.how, self.requests = rewrite, []

    def propose(self, documents, tries):
        self.requests.append([document.id for document in documents])
        return [
            [Candidate(text) for text in self.how(document.text, tried)]
            for document, tried in zip(documents, tries, strict=True)
        ]


class Labels:
    """Tells labels by a word."""

    version = "labels"

    def verdicts(self, documents, texts):
        return [Verdict("REFUTES" if {"not", "never", "hardly"} & set(text.split()) else "SUPPORTS") for text in texts]


def without_not(text, tried):
    return [text.replace("was not", "was hardly"), text.replace("was not", "was"), text]


@pytest.mark.parametrize("mode", ["contrast", "paper"])
def test_the_objective_never_falls_and_every_document_stays_one(mode):
    options = RewriteOptions(scoring=mode, top=4, turns=3, stop="objective", least=0.0)
    rewriting = RewritingLoop(
        DOCUMENTS, options, Toy(lambda text, tried: [text.replace("not", "hardly"), f"in {text}"]), Nobody()
    )
    rewriting.make(lambda one_pass: None)
    assert len(rewriting.texts) == len(DOCUMENTS)
    assert rewriting.passes
    for one_pass in rewriting.passes:
        if mode == "paper":
            assert one_pass.after["objective"] >= one_pass.before["objective"] - 1e-9
        assert {row["label"] for row in one_pass.rows} <= {one_pass.label}
        for row in one_pass.rows:
            if row["chosen"] is not None:
                assert row["candidates"][row["chosen"]]["score"] < row["score"]
                lowest = min(candidate["score"] for candidate in row["candidates"] if not candidate["reason"])
                assert row["candidates"][row["chosen"]]["score"] == lowest


def test_labels_take_turns_and_a_document_is_not_tried_more_often_than_asked():
    toy = Toy(without_not)
    rewriting = RewritingLoop(DOCUMENTS, RewriteOptions(top=3, tries=2, turns=100, least=-9.0), toy, Labels())
    why = rewriting.make(lambda one_pass: None)
    assert why == "every document that may be rewritten was"
    assert [one_pass.label for one_pass in rewriting.passes[:4]] == ["REFUTES", "SUPPORTS", "REFUTES", "SUPPORTS"]
    assert set(rewriting.tried.values()) == {2}
    assert len(rewriting.tried) == len(DOCUMENTS)


def test_who_proposes_the_same_again_is_asked_once():
    toy = Toy(without_not)
    toy.draws = False
    rewriting = RewritingLoop(DOCUMENTS, RewriteOptions(top=3, tries=2, least=-9.0), toy, Labels())
    rewriting.make(lambda one_pass: None)
    assert set(rewriting.tried.values()) == {1}
    assert len(rewriting.tried) == len(DOCUMENTS)


def test_what_turns_the_label_around_never_takes_a_place():
    rewriting = RewritingLoop(DOCUMENTS, RewriteOptions(), Toy(without_not), Labels())
    rewriting.make(lambda one_pass: None)
    texts = dict(zip([document.id for document in DOCUMENTS], rewriting.texts, strict=True))
    for document in DOCUMENTS:
        if document.label == "REFUTES":
            assert {"not", "hardly"} & set(texts[document.id].split())
        else:
            assert texts[document.id] == document.text  # nothing else was proposed
    reasons = [
        candidate["reason"] for one_pass in rewriting.passes for row in one_pass.rows for candidate in row["candidates"]
    ]
    assert {"label", "same"} <= set(reasons)


PARTS = [
    ("a b c", 3, "a b c", "it is no longer"),
    ("a b. c  d e", 4, "a b. c  d", "a sentence that ends in the first half is none"),
    ('a b c? d "e." f g', 6, 'a b c? d "e."', "the last end of a sentence"),
    ("a\n\nb c. d", 3, "a\n\nb c.", "white space stays"),
    ("ab cd ef", 1, "ab", "one word"),
    ("罗马是城市。它很大。", 7, "罗马是城市。", "signs of a language without spaces"),
]


@pytest.mark.parametrize(("text", "longest", "first", "why"), PARTS, ids=[row[3] for row in PARTS])
def test_of_a_long_text_the_beginning_is_rewritten(text, longest, first, why):
    assert beginning(text, longest) == (first, text[len(first) :])


def test_what_comes_after_the_beginning_stays(tmp_path):
    rest = " It  rained\tthere, and it was over." * 5
    documents = [*DOCUMENTS, Document("l", "REFUTES", f"the film was not made in Rome.{rest}")]
    toy = Toy(lambda text, tried: [text.replace("was not", "was hardly")])
    result = run(documents, tmp_path, RewriteOptions(longest=9, turns=1), toy, Labels())
    row = next(row for row in result.passes[0].rows if row["id"] == "l")
    assert row["text"] == documents[-1].text
    assert [candidate["text"] for candidate in row["candidates"]] == [f"the film was hardly made in Rome.{rest}"]
    assert row["candidates"][0]["detail"] == "REFUTES"  # of what was rewritten: the rest says neither word
    loop = RewritingLoop(documents, RewriteOptions(longest=9), toy, Labels())
    assert [document.text for document in loop.highest("REFUTES") if document.id == "l"] == [
        documents[-1].text.removesuffix(rest)
    ]


STOPS = [
    pytest.param({"turns": 1, "least": -9.0}, "1 turns were made", id="turns"),
    pytest.param({"patience": 2, "least": 9.0}, "the last 2 turns gained no more than 9", id="patience"),
]


@pytest.mark.parametrize(("settings", "why"), STOPS)
def test_it_stops(settings, why):
    rewriting = RewritingLoop(DOCUMENTS, RewriteOptions(top=2, **settings), Toy(without_not), Labels())
    assert rewriting.make(lambda one_pass: None) == why
    assert len(rewriting.passes) == 2 * settings.get("turns", settings.get("patience"))


FAULTS = [
    pytest.param("", "empty", id="nothing"),
    pytest.param(" . !", "empty", id="marks alone"),
    pytest.param("The film  was not made in Rome.", "same", id="the same words"),
    pytest.param("the film was in Rome", "again", id="what was proposed before"),
    pytest.param("Der Film wurde nicht in Rom gedreht .", "foreign", id="another language"),
    pytest.param("Le film n'a pas été tourné à Rome .", "foreign", id="another language, with the same names"),
    pytest.param("电影 不是 在 罗马 拍的", "foreign", id="another script"),
    pytest.param("the film was made in Rome " * 9, "long", id="too long"),
    pytest.param("Rome never made the film", "", id="a rewriting"),
]


@pytest.mark.parametrize(("text", "reason"), FAULTS)
def test_what_is_no_rewriting(text, reason):
    document = Document("1", "a", "the film was not made in Rome .")
    checks = check(
        document, [Candidate("the film was in Rome"), Candidate(text)], Languages([document.text]).is_foreign
    )
    assert checks[1].reason == reason


def test_a_data_set_may_be_in_any_language():
    german = Languages(
        [f"Der Film wurde {n} in Berlin gedreht und später nicht mehr gezeigt ." for n in range(1900, 1920)]
    )
    assert german.main == "de"
    assert not german.is_foreign("In Berlin wurde der Film gedreht , aber nie gezeigt .", "Der Film wurde gedreht .")
    assert german.is_foreign("The film was shot in Berlin and never shown .", "Der Film wurde in Berlin gedreht .")
    chinese = Languages(["这部电影不是在罗马拍摄的。", "这座城市位于意大利的北部。"])
    assert not chinese.is_foreign("这部电影的拍摄地点并不是罗马。", "这部电影不是在罗马拍摄的。")


def test_options_that_cannot_be_meant():
    with pytest.raises(UsageError, match="has no objective; choose contrast or paper"):
        RewriteOptions(scoring="published")
    with pytest.raises(UsageError, match="top is 0"):
        RewriteOptions(top=0)
    with pytest.raises(InputError, match="two labels"):
        RewritingLoop(DOCUMENTS[:3], RewriteOptions(), Toy(without_not), Nobody())


OPTIONS = RewriteOptions(top=3, turns=3, least=-9.0)


def bytes_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.json*")}


@pytest.mark.slow
def test_a_run_that_is_killed_after_any_pass_ends_with_the_same_bytes(tmp_path):
    result = run(DOCUMENTS, tmp_path / "whole", OPTIONS, Toy(without_not), Labels())
    assert [json.loads(line)["id"] for line in (result.out / "rewritten.jsonl").read_text().splitlines()] == [
        document.id for document in DOCUMENTS
    ]
    for after in range(1, len(result.passes)):
        heard = []

        def killed(one_pass, heard=heard, after=after):
            heard.append(one_pass)
            if len(heard) == after:
                raise KeyboardInterrupt

        out = tmp_path / str(after)
        with pytest.raises(KeyboardInterrupt):
            run(DOCUMENTS, out, OPTIONS, Toy(without_not), Labels(), progress=killed)
        toy = Toy(without_not)
        run(DOCUMENTS, out, OPTIONS, toy, Labels())
        assert len(toy.requests) == len(result.passes) - after  # nobody is asked twice
        assert bytes_of(out) == bytes_of(result.out)


def test_what_is_never_rewritten_and_what_is_no_document_stands_in_the_ledger(tmp_path):
    documents = [*DOCUMENTS, Document("e", "SUPPORTS", " ")]
    run(
        documents,
        tmp_path,
        RewriteOptions(turns=1),
        Toy(without_not),
        Labels(),
        left_out=[
            LeftOut(InputError("data.jsonl:7: has no label"), 2, {"id": "x", "label": ""}),
            LeftOut(InputError("data.jsonl:9: is not valid JSON"), 3),
        ],
    )
    ledger = [json.loads(line) for line in (tmp_path / "ledger.jsonl").read_text().splitlines()]
    assert ledger[0] == {"outcome": "run", "rewriter": "toy", "verifier": "labels"}
    assert ledger[1:3] == [
        {"outcome": "malformed", "detail": "data.jsonl:7: has no label"},
        {"outcome": "malformed", "detail": "data.jsonl:9: is not valid JSON"},
    ]
    assert ledger[3] == {"outcome": "left", "id": "e", "reason": "empty"}
    passes = [row for row in ledger[4:] if "pass" in row]
    outcomes = ledger[4 + len(passes) :]
    assert {row["id"] for row in outcomes} == {row["id"] for row in passes}
    changed = next(row for row in outcomes if row["outcome"] == "augmented")
    assert [edit["old"] for edit in changed["edits"]] == ["not"]
    report = json.loads((tmp_path / "manifest.json").read_text())
    assert (report["malformed"], report["empty"]) == (2, 1)
    rows = [json.loads(line) for line in (tmp_path / "rewritten.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == [
        *(document.id for document in documents[:2]),
        "x",
        *(document.id for document in documents[2:]),
    ]
    assert rows[2] == {"id": "x", "label": ""}  # as it was


def test_a_row_without_an_id_gets_the_name_that_the_ledger_has(tmp_path):
    documents = [
        *DOCUMENTS,
        Document("data.jsonl:27", "SUPPORTS", "Rome is old", row={"id": "", "text": "Rome is old"}),
    ]
    run(documents, tmp_path, RewriteOptions(turns=1), Toy(without_not), Labels())
    assert json.loads((tmp_path / "rewritten.jsonl").read_text().splitlines()[-1])["id"] == "data.jsonl:27"


def test_labels_that_are_none_are_told_before_anybody_is_asked():
    toy = Toy(without_not)
    with pytest.raises(InputError, match="120 labels for 600 documents look like numbers or names"):
        RewritingLoop([Document(str(n), f"l{n % 120}", "x y") for n in range(600)], RewriteOptions(), toy, Labels())
    assert toy.requests == []


def test_a_finished_run_is_not_made_again_and_another_is_refused(tmp_path):
    first = run(DOCUMENTS, tmp_path, OPTIONS, Toy(without_not), Labels())
    toy = Toy(without_not)
    assert run(DOCUMENTS, tmp_path, OPTIONS, toy, Labels()) == first
    assert toy.requests == []
    with pytest.raises(ResumeError, match=r"other top \(3 → 4\), .*; choose another --output"):
        run(DOCUMENTS, tmp_path, RewriteOptions(top=4), Toy(without_not), Labels())
    with pytest.raises(ResumeError, match="other data"):
        run(DOCUMENTS[1:], tmp_path, OPTIONS, Toy(without_not), Labels())


def test_the_output_keeps_rows_and_the_old_text(tmp_path):
    rows = [{"id": document.id, "label": document.label, "claim": document.text, "page": 7} for document in DOCUMENTS]
    documents = [
        Document(document.id, document.label, document.text, row=row)
        for document, row in zip(DOCUMENTS, rows, strict=True)
    ]
    result = run(documents, tmp_path, OPTIONS, Toy(without_not), Labels())
    after = [json.loads(line) for line in (tmp_path / "rewritten.jsonl").read_text().splitlines()]
    assert [{**row, "claim": row["original"]} for row in after] == [{**row, "original": row["claim"]} for row in rows]
    assert sum(row["claim"] != row["original"] for row in after) == result.changed > 0
    ledger = [json.loads(line) for line in (tmp_path / "ledger.jsonl").read_text().splitlines()]
    assert len([row for row in ledger if "pass" in row]) == sum(len(one_pass.rows) for one_pass in result.passes)
    assert sum(row.get("outcome") == "augmented" for row in ledger) == result.changed
    report = json.loads((tmp_path / "manifest.json").read_text())
    assert report["counts"]["tried"] == sum("pass" in row for row in ledger)
    assert report["changed"] == result.changed
    clashing = [Document("1", "a", "x", row={"text": "x", "original": "y"})]
    with pytest.raises(InputError, match="has a field 'original'"):
        run(clashing, tmp_path / "other", OPTIONS, Toy(without_not), Labels())
