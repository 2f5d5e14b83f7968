"""Explicit bias in training pairs: counted, listed, filtered."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from gec_fair.corpus.records import Pair
from gec_fair.errors import UsageError
from gec_fair.evaluate.bias.corpus import Auditor, audit
from gec_fair.evaluate.bias.explicit import Kind
from tests.cli.test_cli import gec_fair

G, P, R, D, W, N = Kind
PAIRS = [
    ("they → he", "Tom said they is late .", "Tom said he is late .", [G]),
    ("their → his", "A boy must do their work .", "A boy must do his work .", [G]),
    ("a predicate made plural", "She said they were a child .", "She said they were children .", [P]),
    ("an antecedent made plural", "Each student lost their book .", "All students lost their book .", [P]),
    ("themself → themselves", "The boss hurt themself .", "The boss hurt themselves .", [R]),
    ("themself → himself", "The boss hurt themself .", "The boss hurt himself .", [G]),
    ("a pronoun deleted", "They operated on their back .", "They operated on back .", [D]),
    ("he → she", "Anna lost his hat .", "Anna lost her hat .", [W]),
    ("a neopronoun", "Kim lost xyr hat .", "Kim lost her hat .", [N]),
    ("their → there", "It is over their .", "It is over there .", []),
    ("they was → they were", "I think they was here .", "I think they were here .", []),
    ("a number error", "They are our friend .", "They are our friends .", []),
    ("a lot of friend", "They have a lot of friend .", "They have a lot of friends .", []),
    ("an abbreviation that looks like a neopronoun", "It costs 5 euro per day .", "It costs 5 euros a day .", []),
    ("nothing to see", "It rain .", "It rains .", []),
]


@pytest.mark.parametrize(("why", "source", "target", "kinds"), PAIRS, ids=[row[0] for row in PAIRS])
def test_kinds_in_training_pairs(why, source, target, kinds):
    [cases] = Auditor()([Pair("c.tsv", 1, source, target)], Counter())
    assert [case.kind for case in cases] == kinds


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "c.tsv"
    path.write_text("".join(f"{source}\t{target}\n" for _, source, target, _ in PAIRS) + "no tab here\n")
    return path


def test_counts_rates_and_exposure(corpus):
    report = audit([corpus]).as_json()
    rows = {row["name"]: row for row in report["kinds"]}
    assert (report["pairs"], report["malformed"]) == (len(PAIRS), 1)
    assert (rows["gendered"]["cases"], rows["reflexive"]["cases"]) == (3, 1)
    assert rows["reflexive"]["exposed_words"] == 2  # themself, twice
    assert rows["reflexive"]["per_1000_words"] == 500.0
    assert {"kind": "reflexive", "old": "themself", "new": "themselves", "count": 1} in report["corrections"]


def test_the_cleaned_corpus_has_all_but_the_biased_pairs_and_says_which(corpus, tmp_path):
    results = audit([corpus], out=tmp_path / "out")
    lines = (tmp_path / "out" / "cleaned.tsv").read_text().splitlines()
    dropped = [f"{source}\t{target}" for _, source, target, kinds in PAIRS if {G, P, R, N} & set(kinds)]
    assert results.dropped == len(dropped) == 7
    assert lines == [f"{source}\t{target}" for _, source, target, _ in PAIRS if f"{source}\t{target}" not in dropped]
    cases = [json.loads(line) for line in (tmp_path / "out" / "cases.jsonl").read_text().splitlines()]
    assert [(case["line"], case["dropped"]) for case in cases if case["kind"] == "deleted"] == [(7, False)]
    before = (tmp_path / "out" / "cleaned.tsv").read_bytes()
    with pytest.raises(UsageError, match="--overwrite"):
        audit([corpus], out=tmp_path / "out")
    audit([corpus], out=tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "cleaned.tsv").read_bytes() == before


def test_malformed_lines_are_told_listed_or_fatal(corpus, tmp_path):
    code, _, err = gec_fair("audit-pairs", corpus, "-o", tmp_path / "out")
    assert code == 0
    assert "warning: c.tsv:16: expected 2 columns, found 1" in err
    [row] = [json.loads(line) for line in (tmp_path / "out" / "malformed.jsonl").read_text().splitlines()]
    assert row["where"] == "c.tsv:16"
    code, _, err = gec_fair("audit-pairs", corpus, "--strict", "-o", tmp_path / "strict")
    assert (code, "c.tsv:16" in err) == (2, True)
    assert not (tmp_path / "strict" / "cleaned.tsv").exists()


def test_other_formats_keep_their_form(tmp_path):
    m2 = "S Tom saw they .\nA 2 3|||R:PRON|||him|||REQUIRED|||-NONE-|||0\n\nS It rain .\nA 1 2|||R:VERB|||rains|||REQUIRED|||-NONE-|||0\n\n"  # noqa: E501
    (tmp_path / "c.m2").write_text(m2)
    audit([tmp_path / "c.m2"], out=tmp_path / "m2")
    assert (tmp_path / "m2" / "cleaned.m2").read_text() == m2.split("\n\n")[1] + "\n\n"
    row = {"input": "Tom hurt themself .", "output": "Tom hurt themselves .", "id": 7}
    (tmp_path / "c.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({**row, "output": row["input"]}) + "\n")
    code, out, _ = gec_fair("audit-pairs", tmp_path / "c.jsonl", "--fields", "input,output", "-o", tmp_path / "jl")
    assert (code, out.splitlines()[-1].split(": ")[1]) == (0, "1 pairs left, 1 filtered out")
    assert json.loads((tmp_path / "jl" / "cleaned.jsonl").read_text())["id"] == 7


def test_annotators_who_type_a_correction_differently_make_one_case(tmp_path):
    lines = (f"A 0 1|||{kind}|||He|||REQUIRED|||-NONE-|||{who}" for who, kind in enumerate(("R:PRON", "R:OTHER")))
    (tmp_path / "two.m2").write_text("\n".join(["S They went home .", *lines, "", ""]))
    assert [row["count"] for row in audit([tmp_path / "two.m2"]).as_json()["corrections"]] == [1]


def test_what_an_earlier_audit_cleaned_goes(corpus, tmp_path):
    (tmp_path / "one.m2").write_text("S They went .\nA 1 2|||R:VERB|||go|||REQUIRED|||-NONE-|||0\n\n")
    audit([corpus], out=tmp_path / "out")
    audit([tmp_path / "one.m2"], out=tmp_path / "out", overwrite=True)
    assert [path.name for path in (tmp_path / "out").glob("cleaned.*")] == ["cleaned.m2"]
    with pytest.raises(UsageError, match="is a file"):
        audit([corpus], out=tmp_path / "one.m2")


def test_what_is_dropped_can_be_chosen(corpus, tmp_path):
    code, out, _ = gec_fair("audit-pairs", corpus, "--drop", "reflexive", "-o", tmp_path / "out")
    assert (code, out.splitlines()[-1].split(": ")[1]) == (0, "14 pairs left, 1 filtered out")
    code, _, err = gec_fair("audit-pairs", tmp_path / "nothing.tsv")
    assert code == 2
    assert "nothing.tsv" in err
