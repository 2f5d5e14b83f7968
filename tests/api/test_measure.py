"""Scores, gaps, comparisons, counterfactuals and audits in memory are those of the commands over files."""

from __future__ import annotations

import json

import pandas
import pyarrow
import pytest

import gec_fair as gf
from gec_fair.classifiers.protocol import ClassifierFault
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.gec.systems.protocol import SystemFault
from tests.cli.invoke import run

M2 = """S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S Teh end .
A 0 1|||R:SPELL|||The|||REQUIRED|||-NONE-|||0
"""
HYPOTHESES = ["He goes home .", "Teh ends ."]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "ref.m2").write_text(M2)
    (tmp_path / "hyp.txt").write_text("".join(f"{text}\n" for text in HYPOTHESES))
    return tmp_path


def in_json(*words):
    done = run(*words, "--json")
    assert done.code == 0, done.stderr
    return json.loads(done.stdout)


def test_a_score_is_that_of_the_command(files):
    (expected,) = in_json("score", "--hyp", files / "hyp.txt", "--ref", files / "ref.m2", "--cat", "2")
    assert expected.pop("hyp") == "hyp.txt"
    for hypotheses in (HYPOTHESES, tuple(HYPOTHESES), pandas.Series(HYPOTHESES), files / "hyp.txt"):
        score = gf.score(hypotheses, files / "ref.m2", cat=2)
        assert score.to_dict() == expected
    assert (score.precision, score.recall, score.f, score.tp, score.fp, score.fn) == (50.0, 50.0, 50.0, 1, 1, 1)
    assert "F0.5" in score._repr_html_()
    assert score.to_pandas()["edits"].tolist()[0] == "all"


def test_texts_are_references_too():
    sources = ["He go home .", "Teh end ."]
    score = gf.score(HYPOTHESES, ["He goes home .", "The end ."], sources)
    assert (score.tp, score.fp, score.fn) == (1, 1, 1)
    several = gf.score(HYPOTHESES, [["He goes home ."], ["The end .", "Teh ends ."]], sources)
    assert (several.tp, several.fp, several.fn) == (2, 0, 0)
    assert several.signature != score.signature


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((HYPOTHESES, ["He goes home ."]), UsageError, "sources is missing"),
        ((HYPOTHESES, ["He goes home ."], ["He go home .", "Teh end ."]), UsageError, "references: 1 for 2 sources"),
        ((HYPOTHESES[:1], ["a", "b"], ["a", "b"]), UsageError, "hypotheses: 1 texts for 2 sentences"),
        (("He goes home .", "missing.m2"), InputError, "missing.m2: cannot be read"),
    ],
)
def test_what_does_not_belong_together_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        gf.score(*arguments)


def test_sources_are_checked_against_the_reference(files):
    with pytest.raises(InputError, match="is not the source of"):
        gf.score(HYPOTHESES, files / "ref.m2", ["He go home .", "The end ."])


def lower(texts):
    return [text.lower() for text in texts]


@pytest.fixture(scope="module")
def sides():
    from gec_fair.evaluate.evalsets.catalogue import find
    from gec_fair.evaluate.scoring.texts import read_sources

    evalset = find("they-probe")
    return tuple(lower(read_sources(side.source)) for side in (evalset.orig, evalset.aug))


def test_a_gap_of_a_function_of_texts_and_of_files_is_that_of_the_command(tmp_path, sides):
    for name, texts in zip(("orig", "aug"), sides, strict=True):
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    paths = (tmp_path / "orig.txt", tmp_path / "aug.txt")
    expected = in_json("gap", "--evalset", "they-probe", "--hyp", *paths, "--resamples", "200")
    for system in (lower, sides, [sides], paths):
        gap = gf.gap(system, "they-probe", resamples=200)
        assert gap.to_dict() == expected
    assert (gap.delta, [gap.low, gap.high], gap.p) == (expected["delta"], expected["ci95"], expected["p"])
    assert gap.explicit_bias == expected["bias"]["sentences"]
    assert "Gap on they-probe" in gap._repr_html_()
    seeds = gf.gap([sides, sides], "they-probe", resamples=200)
    assert (seeds.delta, seeds.report["seeds"]) == (gap.delta, 2)


def test_outputs_of_another_size_are_refused(sides):
    with pytest.raises(UsageError, match="the aug side's output: 1 texts for"):
        gf.gap((sides[0], ["one"]), "they-probe")
    with pytest.raises(UsageError, match=r"outputs are \(original, augmented\)"):
        gf.gap([sides[0]], "they-probe")


def test_systems_are_compared_by_name_function_and_outputs(tmp_path, sides):
    systems = {"copy": "identity", "lower": lower, "outputs": {"they-probe": [sides, sides]}}
    comparison = gf.compare(systems, ["they-probe"], resamples=100)
    rows = {row["system"]: row for row in comparison.report["rows"]}
    assert set(rows) == set(systems)
    assert rows["lower"]["delta"] == rows["outputs"]["delta"]
    assert rows["outputs"]["seeds"] == ["0", "1"]
    assert comparison.report["differences"] == []  # none of them makes a correct edit
    written = comparison.write(tmp_path)
    assert (tmp_path / "report.html") in written
    assert json.loads((tmp_path / "results.json").read_text())["rows"] == comparison.report["rows"]
    again = gf.compare(tmp_path / "runs", resamples=100) if (tmp_path / "runs").exists() else None
    assert again is None
    with pytest.raises(UsageError, match="systems names none"):
        gf.compare({})


def test_unequal_treatment_is_counted_as_the_command_counts_it(tmp_path):
    texts = ["She lost her keys .", "Anna is here and she is late .", "It rains ."] * 3
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in texts))
    expected = in_json("counterfactual", tmp_path / "texts.txt", "--system", "identity", "--resamples", "100")
    assert gf.counterfactual("identity", texts, resamples=100).to_dict() == expected

    def unfair(texts):
        return [text.replace("Their", "His").replace("their", "his") for text in texts]

    result = gf.counterfactual(unfair, texts, gate="none", resamples=100)
    assert result.explicit["count"] == 3
    assert {row["written"] for row in result.differences} == {"his"}
    assert "explicit" in str(result)
    assert result.notes == ["too few texts to say whether a rate is chance"]
    assert not gf.counterfactual(unfair, texts * 2, gate="none", resamples=100).notes


def test_a_system_answers_text_for_text():
    with pytest.raises(SystemFault, match="answered 1 values for 2 texts"):
        gf.load_system(lambda texts: texts[:1])(["a", "b"])
    with pytest.raises(SystemFault, match=r"AttributeError.*a system takes a list of texts, not one text"):
        gf.load_system(lambda text: text.strip())(["a"])
    with pytest.raises(UsageError, match="unknown system 'symspel'; did you mean symspell"):
        gf.load_system("symspel")


def test_pairs_are_audited_in_memory_as_in_files(tmp_path):
    rows = [("They lost themself .", "They lost themselves ."), ("He go .", "He goes ."), ("They left", "He left")]
    (tmp_path / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in rows))
    expected = in_json("audit-pairs", tmp_path / "pairs.tsv")
    table = pyarrow.table({"source": [row[0] for row in rows], "target": [row[1] for row in rows]})
    for pairs in (rows, table):
        audit = gf.audit(pairs)
        assert (audit.pairs, audit.kinds, audit.corrections) == (
            expected["pairs"],
            expected["kinds"],
            expected["corrections"],
        )
    with pytest.raises(UsageError, match="row 1: target is None, not a string"):
        gf.audit([("a", None)])


def test_a_perturbation_is_that_of_the_perturber(tmp_path):
    texts = ["She lost her keys .", "It rains .", "The old man likes his dog ."]
    results = gf.perturb(pandas.Series(texts), axes=("gender",), seed=2)
    assert [result.original for result in results] == texts
    assert [result.changed for result in results] == [True, False, True]
    assert results[0].axis == "gender"
    assert results[1].to_dict() == {
        "text": "It rains .",
        "original": "It rains .",
        **dict.fromkeys(("word", "axis", "old", "new", "reason"), ""),
        "sure": None,
        "edits": [],
    }
    assert "<del>" in results._repr_html_()
    assert next(gf.perturb(iter(texts), axes=("gender",), seed=2)) == results[0]
    with pytest.raises(UsageError):
        gf.perturb(texts, axes=("gendr",))


def test_a_fairscore_counts_flips_of_labels_and_of_scores():
    rows = [{"text": f"She likes her {word} .", "label": "good"} for word in ("dog", "cat", "car", "hat")]
    rows += [{"text": "It rains .", "label": "bad"}]

    def of_women(texts):
        return ["good" if "She" in text or "her" in text else "bad" for text in texts]

    def as_scores(texts):
        return [[0.0, 1.0] if "She" in text or "her" in text else [1.0, 0.0] for text in texts]

    by_label = gf.fairscore.measure(of_women, rows, axes=("gender",))
    assert (by_label.value, by_label.n, by_label.flips, by_label.accuracy) == (100.0, 4, 4, 100.0)
    assert gf.fairscore.measure(as_scores, pandas.DataFrame(rows), axes=("gender",)).flips == 4
    assert len(by_label.flipped) == 4
    assert "Fairscore" in by_label._repr_html_()
    with pytest.raises(UsageError, match="number 1 has no label"):
        gf.fairscore.measure(of_women, [{"text": "She left ."}])


def test_an_audit_of_rows_is_that_of_the_file(tmp_path):
    rows = [
        {"set_id": n, "category": "Religion", "subgroup": group, "harm": "hate", "label": n % 2, "score": score / 10}
        for n in range(6)
        for group, score in (("Islam", n + 3), ("Judaism", n + 1))
    ]
    frame = pandas.DataFrame(rows)
    frame.to_csv(tmp_path / "scores.csv", index=False)
    of_file = gf.safety.audit(tmp_path / "scores.csv", resamples=50)
    expected = in_json("safety", "audit", tmp_path / "scores.csv", "--resamples", "50")
    assert of_file.to_dict() == expected
    for table in (frame, rows, pyarrow.Table.from_pylist(rows)):
        audit = gf.safety.audit(table, resamples=50)
        assert (audit.acv, audit.acv_normalised) == (expected["acv"], expected["acv_normalised"])
        for name in ("harms", "acv", "slices", "gaps", "subgroup-auc", "token-gaps"):
            assert audit.to_dict()["tables"][name] == expected["tables"][name]
    against = gf.safety.audit(rows, against=frame, resamples=50)
    assert against.to_dict()["tables"]["changes"][0]["ΔACV, %"] == 0
    with pytest.raises(InputError, match=r"scores, row 1: score is '7'"):
        gf.safety.audit([{**rows[0], "score": 7}])


def test_shortcuts_of_rows_are_those_of_the_file(tmp_path):
    words = (("never", "REFUTES"), ("not", "REFUTES"), ("indeed", "SUPPORTS"), ("surely", "SUPPORTS"))
    rows = [
        {"id": f"{n}-{word}", "text": f"it {word} was {n}", "label": label} for n in range(5) for word, label in words
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    expected = in_json("razor", "score", tmp_path / "rows.jsonl", "--top", "99")
    for documents in (tmp_path / "rows.jsonl", rows, pandas.DataFrame(rows)):
        result = gf.razor.score(documents)
        assert [row["id"] for row in result.documents] == [row["id"] for row in expected["documents"]]
        assert (result.measures, result.signature) == (expected["measures"], expected["signature"])
    assert result.words[0].keys() >= {"label", "word", "total", "mean"}
    with pytest.raises(InputError, match="documents:1: no label"):
        gf.razor.score([{"text": "a"}])


def test_a_classifier_is_a_name_or_a_function():
    assert gf.load_classifier("toxicity").labels
    with pytest.raises((UsageError, MissingResource)):
        gf.load_classifier("toxicty")
    assert gf.load_classifier(lambda texts: [0.25] * len(texts), ("no", "yes")).scores([("a",)]).tolist() == [
        [0.75, 0.25]
    ]
    with pytest.raises(ClassifierFault, match=r"AttributeError.*a classifier takes a list of texts, not one text"):
        gf.load_classifier(lambda text: text.strip(), ("no", "yes")).scores([("a",)])
    for answer in (float("nan"), None, "0.5", [0.5]):
        with pytest.raises(ClassifierFault):
            gf.load_classifier(lambda texts, answer=answer: [0.5, answer], ("no", "yes")).scores([("a",), ("b",)])


def test_print_shows_the_first_tables_and_names_the_rest():
    comparison = gf.compare({"copy": "identity", "same": "identity"}, ["they-probe"], resamples=20)
    first, second, third = comparison.tables()[:3]
    drawn = str(comparison)
    assert first.title in drawn
    assert second.explain(padded=True) in drawn
    assert drawn.splitlines()[-1].startswith(f"{len(comparison.tables()) - 2} more in tables(): {third.title}")


def test_one_name_or_path_may_stand_for_a_list_of_one(tmp_path):
    (tmp_path / "pairs.tsv").write_text("They lost themself .\tThey lost themselves .\n")
    assert gf.audit_corpus(tmp_path / "pairs.tsv").pairs == 1
    assert gf.compare({"copy": "identity"}, "they-probe", resamples=20).report["rows"][0]["system"] == "copy"
    with pytest.raises(UsageError, match="give a name for each"):
        gf.compare(["identity"], "they-probe")
    (text,) = gf.perturb(["She lost her keys ."], axes="gender", targets="man")
    assert text.text == "He lost his keys ."


def test_a_line_end_belongs_to_no_word():
    texts = ["I saw her\r\n", "I saw\ther"]
    assert gf.rewrite(texts, "fm", tokenised=True) == ["I saw him\r\n", "I saw\thim"]
    assert gf.audit([("They lost themself\n", "They lost themselves\n")]).pairs == 1


def test_references_may_be_an_arrow_column():
    score = gf.score(HYPOTHESES, pyarrow.array(HYPOTHESES), ["He go home .", "Teh end ."])
    assert score.f == 100.0


def test_a_result_without_rows_draws_no_empty_table():
    audit = gf.audit([("He said hi .", "He said hi .")])
    assert "||" not in str(audit).replace("| |", "")
    assert "<thead><tr></tr></thead>" not in audit._repr_html_()


def test_outputs_may_be_of_a_folder_and_of_no_unknown_set(tmp_path):
    (folder := tmp_path / "mine").mkdir()
    for side, pronoun in (("orig", "He"), ("st_aug", "They")):
        m2 = f"S {pronoun} go .\nA 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||0\n\n"
        (folder / f"m_{side}.m2").write_text(m2)
        (folder / f"m_{side}.src.txt").write_text(f"{pronoun} go .\n")
    outputs = (["He went ."], ["They went ."])
    compared = gf.compare({"mine": {str(folder): outputs}}, str(folder), resamples=20)
    assert [row["set"] for row in compared.report["rows"]] == [folder.name]
    assert gf.compare({"mine": {"mine": outputs}}, str(folder), resamples=20).report["rows"] == compared.report["rows"]
    with pytest.raises(UsageError, match="no evaluation set is called 'they-prob'"):
        gf.compare({"mine": {"they-prob": outputs}}, str(folder))
    with pytest.raises(UsageError, match="transform, paradigm and gate are for texts"):
        gf.counterfactual("identity", evalset="they-probe", gate="none")
    with pytest.raises(UsageError, match="limit is for"):
        gf.Augmenter("st", limit=1)


def test_a_row_with_more_than_its_columns_is_refused():
    with pytest.raises(UsageError, match="a row has more than text, label"):
        gf.fairscore.measure(lambda texts: ["x"] * len(texts), [("She left .", "No .", "x")])
