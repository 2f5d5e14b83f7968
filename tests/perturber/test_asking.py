"""A model asked about whole texts: its changes are known word by word, and whether they were asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from gec_fair.corpus import read_ledger
from gec_fair.errors import UsageError
from gec_fair.perturber.neural.request import Asking
from gec_fair.perturber.neural.seq2seq import Answer, PromptRequest
from gec_fair.perturber.neural.train import start
from gec_fair.perturber.rewriting.options import PerturbOptions
from tests.cli.invoke import run
from tests.gec.bart import tiny


@dataclass
class Says:
    """A perturber that does as instructed to the words of each field."""

    rewrite: Callable[[PromptRequest], tuple[str, ...]]
    version: str = "says"
    misaligned: bool = False
    requests: list[PromptRequest] = field(default_factory=list)

    def __call__(self, requests):
        self.requests += requests
        return [Answer(self.rewrite(request), misaligned=self.misaligned) for request in requests]


def swap(**words):
    def rewrite(request):
        return tuple(" ".join(words.get(word, word) for word in text.split()) for text in request.fields)

    return rewrite


def asking(rewrite, **more):
    return Asking(PerturbOptions(axes=("gender",), targets=("man",), perturber="neural:x", **more), Says(rewrite))


HERS = "She lost  her keys,\nand she cried."


def test_white_space_and_all_that_was_left_alone_stay_byte_for_byte():
    perturber = asking(swap(She="He", she="he", her="his"))
    (text,) = perturber([(HERS,)], ["a"])
    assert text.fields == ("He lost  his keys,\nand he cried.",)
    assert (text.drawn.axis, text.drawn.source, text.drawn.target) == ("gender", "woman", "man")
    assert text.strays == ()
    assert perturber.model.requests[0].fields == ("She lost her keys, and she cried.",)


def test_only_words_that_stand_by_themselves_are_asked_about():
    perturber = asking(swap(_She_="_He_", her="his"))
    (text, fused) = perturber([("_She_ lost her keys.",), ("hes here, and shes there.",)], ["a", "b"])
    assert text.fields == ("_He_ lost his keys.",)
    assert {request.word for request in perturber.model.requests} <= {"She", "her"}
    assert fused.drawn is None


def test_a_field_that_was_empty_is_no_lost_border_and_no_answer_is_no_change():
    (text,) = asking(lambda request: ("He left.", ""))([("She left.", "")], ["a"])
    assert (text.fields, text.refused) == (("He left.", ""), None)
    (lost,) = asking(lambda request: ("He left. It rained.", ""))([("She left.", "It rained.")], ["a"])
    assert lost.refused == "misaligned"
    (silent,) = asking(lambda request: ("",))([("She left.",)], ["a"])
    assert (silent.drawn, silent.refused) == (None, None)


STRAYS = [
    (swap(She="He", she="he", her="his"), [], "the chain"),
    (swap(She="He", cried="cries"), [], "a verb that is another form of itself"),
    (swap(She="He", **{"keys,": "guns,"}), [("keys,", "guns,")], "another noun"),
    (swap(She="He", **{"cried.": "smoked."}), [("cried.", "smoked.")], "another verb"),
    (lambda request: ("He gladly lost his keys, and he cried.",), [], "a word beside the one that was meant"),
    (
        lambda request: ("He lost his keys, and he cried all day.",),
        [("she cried.", "he cried all day.")],
        "an addition",
    ),
]


@pytest.mark.parametrize(("rewrite", "expected", "why"), STRAYS, ids=[row[2] for row in STRAYS])
def test_what_has_nothing_to_do_with_the_word_is_astray(rewrite, expected, why):
    (text,) = asking(rewrite)([(HERS,)], ["a"])
    strays = [(" ".join(text.rewriting.before.words[e.start : e.end]), " ".join(e.replacement)) for e in text.strays]
    assert strays == expected
    (refused,) = asking(rewrite, refuse_strays=True)([(HERS,)], ["a"])
    assert refused.refused == ("strayed" if expected else None)
    assert (refused.fields == (HERS,)) == bool(expected)


def test_the_next_word_is_asked_about_until_the_text_changes():
    def stubborn(request):
        return tuple(
            text.replace("waitress", "waiter") if request.word == "waitress" else text for text in request.fields
        )

    text = ("She saw the waitress .",)
    perturber = asking(stubborn)
    texts = [perturber([text], [str(n)])[0] for n in range(8)]
    assert {result.fields for result in texts} == {("She saw the waiter .",)}
    assert {request.word for request in perturber.model.requests} == {"She", "waitress"}
    once = [asking(stubborn, tries=1)([text], [str(n)])[0] for n in range(8)]
    assert {result.drawn is None for result in once} == {True, False}


def test_fields_stay_apart_and_a_lost_border_or_field_is_refused():
    fields = ("She sang .", "Her song was long .")
    (text,) = asking(swap(She="He", Her="His"))([fields], ["a"])
    assert text.fields == ("He sang .", "His song was long .")
    assert [(e.start, e.replacement) for e in text.rewriting.edits] == [(0, ("He",)), (3, ("His",))]
    (empty,) = asking(lambda request: ("He sang .", ""))([fields], ["a"])
    assert (empty.refused, empty.fields) == ("misaligned", fields)
    perturber = asking(lambda request: request.fields)
    perturber.model.misaligned = True
    assert perturber([fields], ["a"])[0].refused == "misaligned"


def test_other_names_are_told():
    with pytest.raises(
        UsageError, match=r"unknown perturber 'rulez'; did you mean rules\? choose from rules, neural:MODEL"
    ):
        PerturbOptions(perturber="rulez")
    for name in ("neural:", "neural"):
        with pytest.raises(UsageError, match="perturber 'neural' needs an argument; write neural:MODEL"):
            PerturbOptions(perturber=name)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A BART with random weights that knows <PERT_SEP>."""
    folder = tmp_path_factory.mktemp("perturber")
    weights, tokenizer = start(str(tiny.bart(folder / "bart")))
    weights.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    return folder / "model"


def test_a_corpus_through_a_model_is_accounted_for(monkeypatch, tmp_path):
    from gec_fair.perturber.neural import request as module

    says = Says(swap(She="He", her="his", He="She", keys="guns"))
    monkeypatch.setattr(module, "load_neural", lambda name, beams: says)
    path = tmp_path / "corpus.txt"
    path.write_text("She lost her keys .\nIt rained .\n" + "He sang .\n" * 3)
    words = ("perturb", path, "--perturber", f"neural:{tmp_path}", "--axes", "gender", "-o")
    done = run(*words, tmp_path / "one")
    assert done.code == 0, done.stderr
    assert (tmp_path / "one/rewritten.txt").read_text() == "He lost his guns .\nIt rained .\n" + "She sang .\n" * 3
    assert "1 changed beyond the drawn word and its chain" in done.stdout
    (entry, *_) = read_ledger(tmp_path / "one")
    assert entry["detail"] == "astray: keys → guns"
    manifest = json.loads((tmp_path / "one/manifest.json").read_text())
    assert (manifest["versions"]["perturber"], manifest["options"]["perturber"]) == ("says", "neural")
    refused = run(*words, tmp_path / "two", "--refuse-strays")
    assert "1 left as they were: strayed" in refused.stdout
    assert (tmp_path / "two/rewritten.txt").read_text().startswith("She lost her keys .\n")


@pytest.mark.slow
def test_a_model_gives_the_same_bytes_for_any_number_of_workers(model, tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("She lost her keys .\nIt rained .\n" + "He sang .\n" * 3 + "He " + "sang and " * 100 + "left .\n")
    words = ("perturb", path, "--perturber", f"neural:{model}", "--tries", "2", "-o")
    done = run(*words, tmp_path / "one")
    assert done.code == 0, done.stderr
    assert "left as they were: too long" in done.stdout
    counts = json.loads((tmp_path / "one/manifest.json").read_text())["counts"]
    assert counts["lines"] == 6 == counts["augmented"] + counts["unchanged"] + counts["discarded"]
    run(*words, tmp_path / "two", "--workers", "2")
    for name in ("rewritten.txt", "ledger.jsonl", "manifest.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
