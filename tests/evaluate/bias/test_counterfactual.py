"""Bias without gold: the expected text is the system's own correction with the plan carried over it."""

from __future__ import annotations

import json

import pytest

import gec_fair as gf
from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planning.swap import AgreementChange, NameChange, NounChange, PronounChange
from gec_fair.evaluate.bias.contrast import Experiment
from gec_fair.evaluate.bias.counterfactual import from_set, from_texts, measure, rates
from gec_fair.evaluate.bias.explicit import Kind
from gec_fair.evaluate.bias.twin_swaps import swaps_between
from gec_fair.evaluate.evalsets.catalogue import find
from gec_fair.evaluate.scoring.texts import read_texts
from tests.cli.test_cli import gec_fair

ST = Options("st", gate="none")


def one(original, augmented, corrected, written, options=ST):
    """The comparison of one pair of twins."""
    experiment = Experiment(options)
    [twins] = experiment.of_twins([tuple(original.split())], [tuple(augmented.split())])
    return experiment.compare(twins, tuple(corrected.split()), tuple(written.split()))


ALIKE = [
    ("an error mended on both sides", "He have a dog .", "They has a dog .", "He has a dog .", "They have a dog ."),
    (
        "an error left on both sides",
        "He lose his hat .",
        "They lose their hat .",
        "He lose his hat .",
        "They lose their hat .",
    ),
    ("agreement that shows on one side only", "He go home .", "They go home .", "He goes home .", "They go home ."),
    ("a pronoun mended on both sides", "I saw he .", "I saw they .", "I saw him .", "I saw them ."),
    (
        "a word put before the pronoun",
        "I think he is right .",
        "I think they are right .",
        "I think that he is right .",
        "I think that they are right .",
    ),
    (
        "a singular verb made plain",
        "Does he likes tea ?",
        "Do they like tea ?",
        "Does he like tea ?",
        "Do they like tea ?",
    ),
    (
        "a verb replaced",
        "She has lost his pen .",
        "They have lost their pen .",
        "She lost his pen .",
        "They lost their pen .",
    ),
]


@pytest.mark.parametrize(("why", "original", "augmented", "corrected", "written"), ALIKE, ids=[r[0] for r in ALIKE])
def test_a_system_that_treats_both_alike_shows_no_difference(why, original, augmented, corrected, written):
    compared = one(original, augmented, corrected, written)
    assert " ".join(compared.expected) == written
    assert compared.differences == ()


def test_an_error_mended_for_he_alone_is_implicit():
    compared = one(
        "He lost hat in park .", "They lost hat in park .", "He lost his hat in park .", "They lost hat in park ."
    )
    assert compared.expected is not None
    [difference] = compared.differences
    assert (difference.kind, difference.expected) == ("explicit", ("their",))  # the plan made that word
    compared = one(
        "He lost keys in park .", "They lost keys in park .", "He lost keys in the park .", "They lost keys in park ."
    )
    [difference] = compared.differences
    assert (difference.kind, difference.bias, difference.expected, difference.written) == (
        "implicit",
        None,
        ("the",),
        (),
    )


KINDS = [
    ("gendered", "Tom lost his hat .", "Tom lost their hat .", "Tom lost his hat .", Kind.GENDERED),
    ("deleted", "They saw Tom on his back .", "They saw Tom on their back .", "They saw Tom on back .", Kind.DELETED),
    ("reflexive", "Tom hurt himself .", "Tom hurt themself .", "Tom hurt themselves .", Kind.REFLEXIVE),
    (
        "pluralised",
        "Tom said he was a child .",
        "Tom said they were a child .",
        "Tom said they were children .",
        Kind.PLURALISED,
    ),
]


@pytest.mark.parametrize(("why", "original", "augmented", "written", "kind"), KINDS, ids=[row[0] for row in KINDS])
def test_a_difference_at_the_person_is_explicit_and_of_a_kind(why, original, augmented, written, kind):
    compared = one(original, augmented, original, written)
    assert [(d.kind, d.bias) for d in compared.differences] == [("explicit", kind)]


def test_the_wrong_gender_and_neopronouns_are_seen_too():
    fm = one("He lost his hat .", "She lost her hat .", "He lost his hat .", "She lost his hat .", Options("fm"))
    assert [d.bias for d in fm.differences] == [Kind.WRONG_GENDER]
    neo = one(
        "He lost it .", "Xe lost it .", "He lost it .", "He lost it .", Options("neo", gate="none", paradigm="xe")
    )
    assert [d.bias for d in neo.differences] == [Kind.NEOPRONOUN]


def test_what_cannot_be_carried_is_a_conflict_with_its_reason():
    compared = one("He saw it .", "They saw it .", "He saw her .", "They saw it .")
    assert (compared.expected, compared.differences) == (None, ())
    assert compared.conflict == "source_only_gendered"  # *her* may be anybody


def test_a_verb_that_has_another_subject_now_is_a_conflict():
    compared = one(
        "There is a girl she is nice .", "There is a girl they are nice .", "There is a girl who is nice .", "x"
    )
    assert compared.conflict == "counterpart_mismatch"


def test_the_form_of_a_new_pronoun_is_read_from_the_corrected_text():
    """*look after her every weekend*: by the words alone it might possess the weekend."""
    experiment = Experiment(ST)
    [twins] = experiment.of_twins(
        [tuple("Her sister is old and you look after every weekend .".split())],
        [tuple("Their sister is old and you look after every weekend .".split())],
    )
    corrected = tuple("Her sister is old and you look after her every weekend .".split())
    [comparison] = experiment.compare_all([twins], [corrected], [corrected])
    assert comparison.expected is not None
    assert comparison.expected[8] == "them"


def test_identity_never_differs_and_rates_count_swapped_words():
    texts = [tuple(t.split()) for t in ("My boss lost his hat .", "It rains .", "Each student needs his book .")]
    prepared = from_texts(texts, Options("st"))
    assert ([t.number for t in prepared.rewritten], prepared.skipped, prepared.left) == ([1, 3], {}, {})
    report = measure(prepared, list, name="identity", resamples=200).as_json()
    assert (report["pairs"], report["compared"], report["swapped_words"], report["differences"]) == (2, 2, 2, [])
    assert report["explicit"] == {"count": 0, "per_1000": 0.0, "ci95": [0.0, pytest.approx(1000 * (1 - 0.025**0.5))]}
    assert report["signature"].startswith("counterfactual|system:identity|transform:st|")


def test_the_signature_changes_with_the_texts_and_the_outputs(tmp_path):
    signatures = {
        measure(from_texts([text], Options("st")), list, resamples=20).signature
        for text in (("Tom", "lost", "his", "hat"), ("Tom", "lost", "his", "cat"))
    }
    sides = [read_texts(side.source) for side in (find("they-probe").orig, find("they-probe").aug)]
    for more in ((), ("indeed",)):
        for name, texts in zip(("orig.txt", "aug.txt"), sides, strict=True):
            lines = [" ".join((*words, *more)) for words in texts]
            (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        files = tmp_path / "orig.txt", tmp_path / "aug.txt"
        signatures.add(gf.counterfactual(files, evalset="they-probe", resamples=20).signature)
    assert len(signatures) == 4


def test_rates_are_per_thousand_swapped_words_with_an_interval():
    biased = one("Tom lost his hat .", "Tom lost their hat .", "Tom lost his hat .", "Tom lost his hat .")
    fair = one("Tom lost his hat .", "Tom lost their hat .", "Tom lost his hat .", "Tom lost their hat .")
    rates_ = rates(3 * [biased, fair, fair, fair], resamples=2000, seed=0)["explicit"]
    assert (rates_.count, rates_.rate.value) == (3, 250.0)
    assert rates_.rate.low == 0.0
    assert 400.0 <= rates_.rate.high <= 600.0


def test_the_plan_of_two_texts_is_read_back():
    words = "Anna says she 's an actress and her dog likes her .".split()
    sentence = "Adam says he 's an actor and his dog likes him .".split()
    kinds = [type(s.change) for s in swaps_between(words, sentence)]
    assert kinds == [NameChange, PronounChange, NounChange, PronounChange, PronounChange]
    they = "Anna says they 're an actress and their dog likes them .".split()
    swaps = swaps_between(words, they)
    assert [type(s.change) for s in swaps] == [PronounChange, AgreementChange, PronounChange, PronounChange]
    assert [s.change.form.value for s in (swaps[0], swaps[2], swaps[3])] == ["nominative", "determiner", "accusative"]
    assert swaps[1].change.lemma == "be"


def test_the_command_on_a_text_on_a_set_and_on_outputs(tmp_path):
    text = tmp_path / "t.txt"
    text.write_text("My boss lost his hat .\nIt rains .\n")
    code, out, err = gec_fair("counterfactual", text, "--system", "identity", "-o", tmp_path / "d.jsonl")
    assert (code, err) == (0, "")
    assert "2 texts, 1 with something to swap, 1 compared" in out
    assert (tmp_path / "d.jsonl").read_text() == ""
    code, out, _ = gec_fair(
        "counterfactual", "--evalset", "they-probe", "--system", "command:sed s/themself/himself/", "--json"
    )
    report = json.loads(out)
    assert code == 0
    assert report["explicit_kinds"] == {"gendered": report["explicit"]["count"]}
    assert report["explicit"]["count"] == len(report["differences"]) == 28
    short = tmp_path / "short.txt"
    short.write_text("one line\n")
    code, _, err = gec_fair("counterfactual", "--evalset", "they-probe", "--hyp", short, short)
    assert code == 2
    assert "1 lines, but" in err
    assert "they-probe_orig.m2 has 170 sentences" in err
    assert gec_fair("counterfactual", "--system", "identity")[0] == 2
    assert gec_fair("counterfactual", "--evalset", "they-probe", "--system", "identity", "--gate", "none")[0] == 2
    assert gec_fair("counterfactual", text, "--system", "identity", "--resamples", "0")[0] == 2
    assert gec_fair("counterfactual", text)[0] == 2


@pytest.mark.parametrize("name", ["they-probe", "they-probe-neo", "they-probe-mf"])
def test_the_gold_corrections_of_both_sides_are_no_bias(name):
    """Whatever differs there would be an error of ours."""
    check_gold(name)


@pytest.mark.parametrize("name", ["bea-195-first95", "bea-556-first273"])
def test_nor_are_those_of_public_sets(name, data, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_EVALSETS", str(data / "bea" / "evalsets"))
    check_gold(name)


def check_gold(name: str) -> None:
    evalset = find(name)
    targets = [read_texts(side.m2) for side in (evalset.orig, evalset.aug)]
    prepared = from_set(evalset)
    chosen = ([side[t.number - 1] for t in prepared.rewritten] for side in targets)
    compared = prepared.experiment.compare_all(prepared.rewritten, *chosen)
    assert [difference for contrast in compared for difference in contrast.differences] == []
    assert sum(contrast.expected is None for contrast in compared) <= 3


WRITINGS = [
    ("a grave accent for an apostrophe", "He`s lost his bag .", "They`ve lost their bag ."),
    ("an entity", "He&#39;s lost his bag .", "They&#39;ve lost their bag ."),
    ("an apostrophe that is a word", "He ´ s lost his bag .", "They ´ ve lost their bag ."),
    ("letters of full width", "Ｈｅ lost his bag .", "Ｔｈｅｙ lost their bag ."),
    ("a zero-width space inside the pronoun", "H\u200be lost his bag .", "They lost their bag ."),
]


@pytest.mark.parametrize(("why", "text", "rewriting"), WRITINGS, ids=[row[0] for row in WRITINGS])
def test_texts_are_read_like_those_of_rewrite_and_the_system_gets_them_as_they_are_written(why, text, rewriting):
    prepared = from_texts([tuple(text.split())], ST)
    assert [twins.sides for twins in prepared.rewritten] == [(text, rewriting)]
    standard = [text, rewriting.replace("`", "'").replace("&#39;", "'").replace(" ´ ", "'")]
    assert measure(prepared, lambda _: standard, resamples=5).differences == []


def test_a_neopronoun_with_an_apostrophe_of_its_own_is_read_as_it_was_written():
    prepared = from_texts([("He", "´", "s", "late", ".")], Options("neo", gate="none", paradigm="xe"))
    assert prepared.rewritten[0].sides[1] == "Xe ´ s late ."
    assert measure(prepared, list, resamples=5).differences == []


def test_what_stays_by_choice_and_what_cannot_be_rewritten_are_counted_apart():
    texts = ["The ship lost her way .", "They are here .", "He,Anna said he is late .", "He left .", "It rains ."]
    prepared = from_texts([tuple(text.split()) for text in texts], Options("st"))
    assert (prepared.left, prepared.skipped) == ({"thing": 1, "they": 1, "gate": 1}, {"counterpart_mismatch": 1})


@pytest.mark.parametrize(("texts", "high"), [(1, 975.0), (22, 154.37), (250, 14.65)])
def test_no_difference_at_some_words_does_not_say_that_there_is_none(texts, high):
    fair = one("Tom lost his hat .", "Tom lost their hat .", "Tom lost his hat .", "Tom lost their hat .")
    for rate in rates([fair] * texts, resamples=50, seed=0).values():
        assert rate.as_json() == {"count": 0, "per_1000": 0.0, "ci95": [0.0, pytest.approx(high, abs=0.01)]}


def test_a_pronoun_that_becomes_another_word_is_explicit_and_of_no_kind():
    compared = one("Tom lost his hat .", "Tom lost their hat .", "Tom lost his hat .", "Tom lost there hat .")
    assert [(d.kind, d.bias, d.written) for d in compared.differences] == [("explicit", None, ("there",))]


def test_no_rate_without_a_comparison_and_no_interval_of_few_texts():
    nothing = measure(from_texts([("It", "rains", ".")], ST), list, resamples=5)
    assert {kind: rate.as_json() for kind, rate in nothing.rates.items()}["explicit"] == {
        "count": 0,
        "per_1000": None,
        "ci95": [None, None],
    }
    few = measure(from_texts([("He", "left", ".")], ST), lambda _: ["He left .", "He left ."], resamples=5)
    assert (few.rates["explicit"].rate.value, few.rates["explicit"].rate.low, few.has_corrections) == (1e3, None, True)
