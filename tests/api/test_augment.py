"""`gf.augment`, `gf.Augmenter` and `gf.rewrite` over everything that people hold."""

from __future__ import annotations

import json
import pickle
from inspect import signature
from types import GeneratorType

import datasets
import numpy
import pandas
import pyarrow
import pytest

import gec_fair as gf
from gec_fair.cli.augmentation.augment import augment as augment_command
from gec_fair.errors import InputError, UsageError
from tests.cli.invoke import run

ROWS = [
    ("Anna lose her keys .", "Anna loses her keys ."),
    ("It rain .", "It rains ."),
    ("Anna left and she go home .", "Anna left and she goes home ."),
    ("", "He goes home ."),
    ("He lose it .", "He loses it ."),
]
COLUMNS = {"source": [source for source, _ in ROWS], "target": [target for _, target in ROWS]}
FORMS = {
    "list": ROWS,
    "tuples": tuple(ROWS),
    "dicts": [{"source": source, "target": target, "id": n} for n, (source, target) in enumerate(ROWS)],
    "columns": COLUMNS,
    "pandas": pandas.DataFrame(COLUMNS),
    "arrow": pyarrow.table(COLUMNS),
    "datasets": datasets.Dataset.from_dict(COLUMNS),
}


@pytest.mark.parametrize("form", FORMS)
def test_pairs_come_in_every_form(form):
    results = gf.augment(FORMS[form], "st")
    assert [result.outcome for result in results] == ["augmented", "unchanged", "discarded", "malformed", "left"]
    assert (results[0].source, results[0].target) == ("Anna lose their keys .", "Anna loses their keys .")
    assert results[0].original == ROWS[0]
    assert results[2].reason == "correction_lost"
    assert [(result.source, result.target) for result in results[1:]] == ROWS[1:]
    assert results[3].reason == "empty_source"
    assert (results[4].reason, results[4].detail) == ("gate", "He")
    assert results.counts == {"augmented": 1, "left": 1, "unchanged": 1, "discarded": 1, "malformed": 1}


def test_an_iterator_gives_a_generator_that_reads_no_further_than_it_must():
    read = []

    def pairs():
        for n in range(10_000):
            read.append(n)
            yield ROWS[0]

    results = gf.augment(pairs(), "fm")
    assert isinstance(results, GeneratorType)
    assert next(results).outcome == "augmented"
    assert len(read) < 1000


def test_a_value_that_is_not_a_string_is_malformed_and_keeps_its_place():
    results = gf.augment([("He go .", None), ROWS[0]], "fm")
    assert [result.outcome for result in results] == ["malformed", "augmented"]
    assert results[0].original == ("He go .", None)


@pytest.mark.parametrize(
    ("pairs", "named", "message"),
    [
        ("pairs.tsv", {}, "one string; give a list of"),
        ([("a", "b", "c")], {}, "number 1 is of type tuple, not a pair"),
        ([{"src": "a"}], {}, "number 1 has no 'source' among 'src'"),
        ({"src": ["a"], "target": ["b"]}, {}, "no column 'source' among 'src', 'target'"),
        (ROWS, {"gat": "none"}, "unknown option 'gat'; did you mean gate"),
        (ROWS, {"gate": "noone"}, "gate is coref or none, not 'noone'"),
        (ROWS, {"direction": "m2f"}, "st has no use for direction"),
    ],
)
def test_what_is_wrong_is_said(pairs, named, message):
    with pytest.raises(UsageError, match=message):
        gf.augment(pairs, "st", **named)


def test_columns_have_the_names_that_are_given():
    frame = pandas.DataFrame({"original": COLUMNS["source"], "corrected": COLUMNS["target"]})
    results = gf.augment(frame, "st", source="original", target="corrected", limit=1)
    assert [result.target for result in results] == ["Anna loses their keys ."]


def test_the_command_gives_the_same_pairs(tmp_path):
    (tmp_path / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in ROWS[:3] * 200))
    options = ("--gate", "none", "--mirror")
    assert run("augment", "st", tmp_path / "pairs.tsv", "-o", tmp_path / "out", *options).code == 0
    results = gf.augment(ROWS[:3] * 200, "st", gate="none", mirror=True)
    augmented = [f"{result.source}\t{result.target}" for result in results if result.outcome == "augmented"]
    assert (tmp_path / "out/pairs.tsv").read_text().splitlines() == augmented


@pytest.mark.parametrize("method", ["fm", "st", "neo"])
def test_every_option_of_the_command_is_a_keyword_of_the_same_name(method):
    names = {parameter.name for parameter in augment_command.commands[method].params}
    of_the_command = {"as_json", "explain", "table_format", "settings_file"}
    assert names - of_the_command <= set(signature(gf.augment_corpus).parameters)


def test_a_dataset_is_mapped_by_several_processes():
    dataset = datasets.Dataset.from_dict({**COLUMNS, "id": [1, 2, 3, 4, 5]})
    mapped = dataset.map(gf.Augmenter("st"), batched=True, num_proc=2)
    assert mapped["id"] == [1, 2, 3, 4, 5]
    assert mapped["outcome"] == ["augmented", "unchanged", "discarded", "malformed", "left"]
    assert mapped["target_augmented"] == ["Anna loses their keys .", *COLUMNS["target"][1:]]
    assert mapped["source_augmented"] == ["Anna lose their keys .", *COLUMNS["source"][1:]]
    assert mapped["reason"] == ["", "", "correction_lost", "empty_source", "gate"]


def test_an_augmenter_is_pickled_without_its_models_and_draws_by_the_pair():
    augmenter = gf.Augmenter("fm", names="draw", seed=3)
    first = augmenter(COLUMNS)
    assert len(pickle.dumps(augmenter)) < 1000
    reverse = {name: column[::-1] for name, column in COLUMNS.items()}
    assert pickle.loads(pickle.dumps(augmenter))(reverse)["target_augmented"][::-1] == first["target_augmented"]


def test_results_are_tables_and_plain_data():
    results = gf.augment(ROWS, "st")
    assert "her</del><ins>their</ins> keys" in results._repr_html_()
    assert "&lt;b&gt;" in gf.augment([("<b> go", "<b> goes")], "st")._repr_html_()
    assert list(results.to_pandas()["outcome"]) == [result.outcome for result in results]
    assert json.loads(json.dumps(results.to_dict()))[0]["target_edits"] == [[2, 3, "their"]]
    assert str(results[0]) == ("augmented\nAnna lose [-her-] {+their+} keys .\nAnna loses [-her-] {+their+} keys .")


def test_texts_are_rewritten_one_to_one():
    texts = ["Anna lost her keys.", "It rains."]
    assert gf.rewrite(texts, "st") == ["Anna lost their keys.", "It rains."]
    assert gf.rewrite(pandas.Series(texts), "st") == gf.rewrite(pyarrow.array(texts), "st") == gf.rewrite(texts, "st")
    assert gf.rewrite("Anna lost her keys.", "st") == "Anna lost their keys."
    assert list(gf.rewrite(iter(texts), "st")) == gf.rewrite(texts, "st")
    with pytest.raises(UsageError, match="number 2 is None, not a string"):
        gf.rewrite(["He goes.", None], "fm")


def test_a_corpus_is_augmented_into_a_folder(tmp_path):
    (tmp_path / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in ROWS[:3]))
    finished = gf.augment_corpus([tmp_path / "pairs.tsv"], tmp_path / "out", "st", workers=2)
    assert finished.manifest.counts["augmented"] == 1
    assert (tmp_path / "out/pairs.tsv").read_text() == "Anna lose their keys .\tAnna loses their keys .\n"


@pytest.mark.parametrize("method", ["fm", "st"])
def test_what_is_less_sure_than_min_sure_is_discarded(method):
    [pair] = [result for result in gf.augment(ROWS[:1], method) if result.outcome == "augmented"]
    [same] = gf.augment(ROWS[:1], method, min_sure=pair.sure)
    [surer] = gf.augment(ROWS[:1], method, min_sure=pair.sure + 0.001)
    assert (same.outcome, same.sure, pair.to_dict()["sure"]) == ("augmented", pair.sure, pair.sure)
    assert (surer.outcome, surer.reason, surer.source, surer.sure) == ("discarded", "unsure_who", ROWS[0][0], None)
    assert f"{pair.sure:.3f}" in surer.detail
    assert gf.rewrite(ROWS[0][1], method, min_sure=1.0) == ROWS[0][1]


KINDS = [
    ("Anna met her uncle .", "name", "a name, a noun and a pronoun"),
    ("The waitress lost her keys .", "noun", "a noun and a pronoun"),
    ("She lost her keys .", "pronoun", "pronouns alone"),
]


@pytest.mark.parametrize(("text", "kind", "why"), KINDS, ids=[row[2] for row in KINDS])
def test_the_ledger_says_how_sure_a_pair_is_and_what_changes(text, kind, why, tmp_path):
    (tmp_path / "pairs.tsv").write_text(f"{text}\t{text}\n")
    for number, least in (("0", ()), ("1", ("--min-sure", "1"))):
        assert run("augment", "fm", tmp_path / "pairs.tsv", "-o", tmp_path / number, *least).code == 0
    entry, discarded = (json.loads((tmp_path / number / "ledger.jsonl").read_text()) for number in "01")
    assert (entry["kind"], entry["sure"]) == (kind, gf.augment([(text, text)], "fm")[0].sure)
    assert (discarded["outcome"], discarded["reason"]) == ("discarded", "unsure_who")
    done = run("augment", "fm", tmp_path / "pairs.tsv", "-o", tmp_path / "0", "--min-sure", "0.5")
    assert (done.code, "other min_sure (0.0 → 0.5)" in done.stderr) == (2, True)


def test_a_run_and_a_mix_can_be_looked_at(tmp_path):
    (tmp_path / "pairs.tsv").write_text("Anna lose her keys .\tAnna loses her keys .\n")
    runs = {name: gf.augment_corpus(tmp_path / "pairs.tsv", tmp_path / name, name) for name in ("st", "fm")}
    assert runs["st"].to_dict()["counts"]["augmented"] == 1
    assert "augmented" in str(runs["st"])
    assert "<td>1</td>" in runs["fm"]._repr_html_()
    mixed = gf.mix(tmp_path / "pairs.tsv", tmp_path / "mix", st=runs["st"].directory, mf=runs["fm"].directory)
    assert mixed.to_pandas().set_index("system").loc["system4", "mf"] == 1
    surest = gf.mix(tmp_path / "pairs.tsv", tmp_path / "surest", st=tmp_path / "st", mf=tmp_path / "fm", surest=True)
    assert surest.systems == mixed.systems
    with pytest.raises(InputError, match="not the folder of a finished run"):
        gf.mix(tmp_path / "pairs.tsv", tmp_path / "two", st=tmp_path / "pairs.tsv", mf=runs["fm"].directory)


def test_tables_and_single_rows_are_refused_with_the_remedy():
    with pytest.raises(UsageError, match="call map with batched=True"):
        gf.Augmenter("st")({"source": "He go .", "target": "He goes ."})
    with pytest.raises(UsageError, match="give one of its columns"):
        gf.rewrite(pandas.DataFrame({"text": ["She left ."]}), "fm")
    array = numpy.array([["Anna lose her keys .", "Anna loses her keys ."]])
    assert gf.augment(array, "st")[0].outcome == "augmented"
