"""A seq2seq model as the perturber: PANDA's forms, training, prompts, batches. On a BART with random weights."""

from __future__ import annotations

import json
import lzma

import pytest

from gec_fair.errors import InputError, UsageError
from gec_fair.perturber.neural import panda
from gec_fair.perturber.neural.metrics import agreement
from gec_fair.perturber.neural.options import PerturberTraining
from gec_fair.perturber.neural.seq2seq import Neural, PromptRequest, encode, prompt
from gec_fair.perturber.neural.train import start, train
from gec_fair.trainer.options import TrainingOptions
from tests.cli.invoke import run
from tests.gec.bart import tiny

ROWS = [
    ("he sings every day .", "he", "Woman", "she sings every day ."),
    ("the old teacher walks home .", "old", "Child (< 18)", "the young teacher walks home ."),
    ("students live at school . <SEP> she sings .", "she", "Male", "students live at school . <SEP> he sings ."),
]


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "panda.csv"
    text = "original,selected_word,perturbed_category,rewrite\n"
    path.write_text(
        text + "".join(",".join((f"{a} {n}", w, c, f"{r} {n}\n")) for n in range(40) for a, w, c, r in ROWS)
    )
    return path


@pytest.fixture(scope="module")
def bart(tmp_path_factory):
    return tiny.bart(tmp_path_factory.mktemp("bart"))


HUB = 'original,selected_word,target_attribute,perturbed\n"He, sang.",He,woman,"She, sang.\n\n"\n'
ARCHIVE = "id\toriginal\tselected_word\tperturbed_category\trewrite\n1\tHe, sang.\tHe\tFemale\tShe, sang.\n"
LINES = (
    json.dumps({"original": "He, sang.", "selected_word": "He", "target_attribute": "woman", "perturbed": "She, sang."})
    + "\n"
)
FORMS = [("a.csv", HUB, "the hub's"), ("a.tsv", ARCHIVE, "the archive's"), ("a.jsonl", LINES, "as JSON lines")]


@pytest.mark.parametrize(("name", "text", "why"), FORMS, ids=[row[2] for row in FORMS])
def test_panda_is_read_in_both_forms(tmp_path, name, text, why):
    (tmp_path / name).write_text(text)
    (row,) = panda.read(tmp_path / name)
    assert row == panda.Rewrite("He, sang.", "He", "woman", "She, sang.")
    assert row.axis == "gender"


def test_other_columns_and_attributes_are_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text,word\na,b\n")
    with pytest.raises(InputError, match=r"a.csv:2: has text, word; PANDA's columns are original"):
        panda.read(path)
    path.write_text("original,selected_word,target_attribute,perturbed\nHe.,He,wooman,She.\n")
    with pytest.raises(InputError, match=r"a.csv:2: no attribute is called 'wooman'; did you mean woman"):
        panda.read(path)


@pytest.mark.parametrize("name", ["a.csv.xz", "a.tsv.xz", "a.jsonl.xz"])
def test_compressed_rewritings_are_read(tmp_path, name):
    names, cells = ("original", "selected_word", "target_attribute", "perturbed"), ("He.", "He", "woman", "She.")
    mark = "\t" if "tsv" in name else ","
    row, table = json.dumps(dict(zip(names, cells, strict=True))), f"{mark.join(names)}\n{mark.join(cells)}"
    text = row if "jsonl" in name else table
    (tmp_path / name).write_bytes(lzma.compress(text.encode()))
    assert panda.read(tmp_path / name) == [panda.Rewrite(*cells)]


def test_the_prompt_is_that_of_the_published_model():
    request = PromptRequest(("Jack loved rock.", "He did."), "Jack", "Woman")
    assert prompt(request) == "Jack, woman <PERT_SEP> Jack loved rock. <SEP> He did."
    with pytest.raises(UsageError, match=r"'he' does not occur in 'The cat\.'"):
        prompt(PromptRequest(("The cat.",), "he", "woman"))
    with pytest.raises(UsageError, match=r"'Jill' does not occur in 'Jack loved rock\.'"):
        prompt(PromptRequest(("Jack loved rock.",), "Jill", "man"))


def test_new_tokens_are_added_once(bart, tmp_path):
    model, tokenizer = start(str(bart))
    rows = len(tokenizer)
    (ids,) = encode(tokenizer, ["he, man <PERT_SEP> he <SEP> she"])
    assert ids.count(tokenizer.convert_tokens_to_ids("<PERT_SEP>")) == 1
    assert model.get_input_embeddings().weight.shape[0] == rows
    model.save_pretrained(tmp_path / "again")
    tokenizer.save_pretrained(tmp_path / "again")
    assert len(start(str(tmp_path / "again"))[1]) == rows


def test_a_prompt_has_its_own_special_tokens_and_none_of_the_text(bart):
    tokenizer = start(str(bart))[1]
    prompts = ["he, man <PERT_SEP> he <SEP> she goes .", "he, man <PERT_SEP> he wrote </s> and <mask> .", ""]
    plain, marked, empty = encode(tokenizer, prompts)
    assert [plain, empty] == tokenizer([prompts[0], ""], split_special_tokens=False)["input_ids"]
    assert marked.count(tokenizer.eos_token_id) == plain.count(tokenizer.eos_token_id)
    assert tokenizer.mask_token_id not in marked


def options(bart, rows, **more):
    training = TrainingOptions(steps=6, batch=8, learning_rate=1e-3, save_every=2, log_every=2, **more)
    return PerturberTraining(str(bart), training, train=str(rows))


def test_parts_of_an_update_are_averaged(bart, rows, tmp_path):
    first = {}
    for name, batch, accumulation in (("whole", 8, 1), ("parts", 2, 4)):
        training = TrainingOptions(steps=1, batch=batch, accumulation=accumulation, log_every=1)
        train(PerturberTraining(str(bart), training, train=str(rows)), tmp_path / name, seed=0)
        first[name] = json.loads((tmp_path / name / "log.jsonl").open().readline())["loss"]
    assert first["parts"] == pytest.approx(first["whole"], rel=0.1)  # nearly: each part has other sub-words


def test_training_ends_in_a_model_that_perturbs(bart, rows, tmp_path):
    done = train(options(bart, rows), tmp_path / "run", seed=0)
    report = json.loads((tmp_path / "run/manifest.json").read_text())["result"]
    assert (report["rows"], report["unchanged"], report["too_long"]) == (120, 0, 0)
    model = Neural(str(done.directory))
    requests = [PromptRequest((a,), w, c) for a, w, c, _ in ROWS] + [PromptRequest(("he sings " * 200,), "he", "woman")]
    together = model(requests)
    assert together[-1].too_long
    assert together[-1].fields == requests[-1].fields
    assert [model([request])[0] for request in requests] == together
    assert all(len(answer.fields) == 1 for answer in together)


def test_the_bleu_of_validation_rows_is_measured_beside_that_of_the_texts_as_they_were(bart, rows, tmp_path):
    report = dict(train(options(bart, rows), tmp_path / "run", seed=0).result)
    assert 0 <= report["bleu"] <= 100
    assert 0 < report["bleu_copied"] < 100
    assert 0 < report["bleu_rows"] < 120
    silent = PerturberTraining(str(bart), options(bart, rows).training, train=str(rows), bleu_rows=0)
    assert "bleu" not in train(silent, tmp_path / "silent", seed=0).result


@pytest.mark.slow
def test_a_t5_trains_and_perturbs_as_a_bart_does(rows, tmp_path):
    done = train(options(tiny.t5(tmp_path / "t5"), rows), tmp_path / "run", seed=0)
    model = Neural(str(done.directory))
    request = PromptRequest(("He sings .",), "He", "woman")
    assert model([request, request]) == [model([request])[0]] * 2
    assert "<PERT_SEP>" in model.tokenizer.get_added_vocab()


def test_beams_find_a_text_that_is_no_less_likely(bart, rows, tmp_path):
    import torch

    done = train(options(bart, rows), tmp_path / "run", seed=0)
    greedy, search = Neural(str(done.directory)), Neural(str(done.directory), beams=4)
    assert (greedy.version, search.version) == (greedy.version, f"{greedy.version}:beams:4")
    read = greedy.tokenizer(["He, woman <PERT_SEP> He sings ."], return_tensors="pt")

    def likelihood(model):
        written = model.model.generate(**read, generation_config=model._how, max_length=12)
        with torch.inference_mode():
            scores = model.model(**read, labels=written[:, 1:]).logits.log_softmax(-1)
        return scores.gather(-1, written[:, 1:, None]).sum() / written.shape[1]

    assert likelihood(search) >= likelihood(greedy) - 1e-4


@pytest.mark.slow
def test_a_run_that_was_stopped_ends_as_one_that_was_not(bart, rows, tmp_path):
    from tests.trainer.killing import killed_after

    manifest = train(options(bart, rows), tmp_path / "whole", seed=0)
    with killed_after(2):
        train(options(bart, rows), tmp_path / "cut", seed=0)
    again = train(options(bart, rows), tmp_path / "cut", seed=0)
    assert (again.directory / "model.safetensors").read_bytes() == (
        manifest.directory / "model.safetensors"
    ).read_bytes()


def test_models_that_do_not_perturb_are_told(bart, tmp_path):
    from tests.gec.gector import tiny as encoders

    encoders.encoder(tmp_path / "encoder")
    with pytest.raises(InputError, match="is a roberta, which writes no text for a text"):
        Neural(str(tmp_path / "encoder"))
    with pytest.raises(InputError, match="its tokenizer does not know <PERT_SEP>"):
        Neural(str(bart))


def test_perturbers_stand_beside_each_other_and_the_papers(rows):
    done = run("perturber", "evaluate", rows, "--systems", "rules,copy", "--limit", "30")
    assert done.code == 0, done.stderr
    assert "| copy |" in done.stdout
    assert "| perturber, Qian et al. 2022 | 86.7 | 5.20 |  | 90.9 |" in done.stdout
    report = json.loads(run("perturber", "evaluate", rows, "--systems", "rules,copy", "--json").stdout)
    assert report["copy"]["unchanged"] == 100
    assert report["rules"]["bleu"] > report["copy"]["bleu"]
    assert "unknown perturber 'rulez'" in run("perturber", "evaluate", rows, "--systems", "rulez").stderr


def test_annotators_agree_with_themselves_and_the_papers_figures_stand_beside(rows, tmp_path):
    done = run("perturber", "agreement", rows, rows)
    assert done.code == 0, done.stderr
    assert "| full_agree | 100.00 | 73.65 |" in done.stdout
    assert "| levenshtein | 0.00 | 0.06 |" in done.stdout
    text = rows.read_text().splitlines(keepends=True)
    (tmp_path / "other.csv").write_text(text[0] + text[1].replace("she sings", "they sing") + "".join(text[2:]))
    report = json.loads(run("perturber", "agreement", rows, tmp_path / "other.csv", "--json").stdout)
    assert 99 < report["full_agree"] < 100
    assert report["full_agree"] < report["token_agree"] < 100
    (tmp_path / "mixed.csv").write_text(text[0] + text[2] + text[1] + "".join(text[3:]))
    assert "row 1 is not about" in run("perturber", "agreement", rows, tmp_path / "mixed.csv").stderr
    (tmp_path / "short.csv").write_text("".join(text[:3]))
    done = run("perturber", "agreement", rows, tmp_path / "short.csv")
    assert (done.code, "short.csv: has 2 rows" in done.stderr) == (2, True)
    assert "give two files or more" in run("perturber", "agreement", rows).stderr


def test_of_three_annotators_the_majority_counts():
    figures = agreement([["he left", "a b"], ["he left", "c d"], ["they left", "e f"]])
    assert figures["full_agree"] == pytest.approx(100 * (2 / 3 + 0) / 2)
    assert figures["token_agree"] == pytest.approx(100 * ((2 / 3 + 1) / 2 + 0) / 2)
    assert figures["rougeLsum"] == pytest.approx(figures["rougeL"])
    assert figures["levenshtein"] == pytest.approx(((0 + 0.5 + 0.5) / 3 + 1) / 2)


def test_the_lines_that_can_be_perturbed_most_come_first(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("It rained .\nHe saw Emma .\nMy sister bought a car for the winter .\n")
    done = run("perturber", "score", path)
    # Emma is an entity and a word, he a word, of four tokens: 3 / 4; sister, a word of nine: 1 / 9
    assert (
        done.stdout == "0.7500\tHe saw Emma .\n0.1111\tMy sister bought a car for the winter .\n0.0000\tIt rained .\n"
    )
    assert run("perturber", "score", path, "--m0", "0").stdout.startswith("0.5000\tHe saw Emma .")
    path.write_text("President Obama and Queen Street .\n")
    assert run("perturber", "score", path, "--m1", "0").stdout.startswith("0.1667\t")  # an entity, of six tokens


def test_rows_whose_word_does_not_occur_are_left_out_and_counted(bart, rows, tmp_path):
    with rows.open("a") as file:
        file.write("the cat sleeps,he,Woman,the cat sleeps\n")
    done = train(options(bart, rows), tmp_path / "run", seed=0)
    assert (done.result["rows"], done.result["word_absent"]) == (121, 1)
    result = run("perturber", "evaluate", rows, "--systems", "copy")
    assert "1 rows were left out: their selected word does not occur in their text" in result.stdout


def test_decoding_is_greedy_whatever_a_models_own_settings_are(bart, tmp_path):
    """facebook/bart-large forbids to write three words twice."""
    model, tokenizer = start(str(bart))
    assert model.generation_config.no_repeat_ngram_size in (None, 0)
    model.generation_config.no_repeat_ngram_size = 1
    model.generation_config.num_beams = 3
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    perturber_ = Neural(str(tmp_path))
    assert (perturber_.model.generation_config.num_beams, perturber_.model.generation_config.do_sample) == (1, False)
    assert perturber_.model.generation_config.no_repeat_ngram_size in (None, 0)


def test_an_answer_without_an_end_is_refused(bart, tmp_path):
    """What stopped at the longest has lost its rest."""
    model, tokenizer = start(str(bart))
    model.final_logits_bias[0, tokenizer.convert_tokens_to_ids("e")] = 1e4  # never ends
    model.save_pretrained(tmp_path / "endless")
    tokenizer.save_pretrained(tmp_path / "endless")
    (answer,) = Neural(str(tmp_path / "endless"))([PromptRequest(("he sings .",), "he", "woman")])
    assert (answer.too_long, answer.fields) == (True, ("he sings .",))
