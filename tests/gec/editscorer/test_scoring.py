"""Pairs and their scores: what the encoder reads, where it is judged, and that company changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import AutoConfig, AutoModel

from gec_fair.edits import Edits, edit_words
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.gec.editscorer import checkpoint
from gec_fair.gec.editscorer import train as training
from gec_fair.gec.editscorer.checkpoint import Scorer
from gec_fair.gec.editscorer.from_gector import GectorCandidates
from gec_fair.gec.editscorer.model import RankerConfig, loss_by_class
from gec_fair.gec.editscorer.options import CandidateOptions, Decoding, RankerTraining, Setup
from gec_fair.gec.editscorer.pairs import Reader
from gec_fair.gec.editscorer.predict import Corrector, gector
from gec_fair.gec.editscorer.scoring import Scoring
from tests.gec.editscorer.small import Fixed, candidate, edit, likelihood, slow
from tests.gec.gector import tiny

TEXTS = [tuple(pair[0].split()) for pair in tiny.pairs(24, seed=9)]
EAGER = Decoding(threshold=0.05, alpha=0.1)

READ = [
    (None, "<s> he go home </s> he go home </s>", "<s>", "doing nothing is judged at the beginning"),
    (edit(1, 2, "goes"), "<s> he go home </s> he goes home </s>", " goes", "a word replaced"),
    (edit(1, 1, "will"), "<s> he go home </s> he will go home </s>", " will", "a word inserted"),
    (edit(3, 3, "."), "<s> he go home </s> he go home . </s>", " .", "a word appended"),
    (edit(1, 2, ""), "<s> he go home </s> he home </s>", " home", "a deletion is judged at what comes next"),
    (edit(2, 3, ""), "<s> he go home </s> he go </s>", "</s>", "a deletion at the end, at the closing mark"),
]


@pytest.mark.parametrize(("change", "text", "judged", "why"), READ, ids=[row[3] for row in READ])
def test_what_the_encoder_reads_and_where_it_is_judged(loud, change, text, judged, why):
    pair = loud.reader.pairs(("he", "go", "home"), [change] if change else [])[-1]
    tokenizer = loud.reader.tokenizer
    assert tokenizer.decode(pair.ids).replace("</s>", " </s>").split() == text.split()
    assert (
        tokenizer.decode(pair.ids[pair.place]) == judged
        if judged.endswith(">")
        else (judged.startswith(tokenizer.decode(pair.ids[pair.place])))
    )


def test_an_empty_sentence_can_be_read(loud):
    assert [pair.place for pair in loud.reader.pairs((), [edit(0, 0, "he")])] == [0, 2]


@pytest.fixture(scope="module")
def candidate_lists(models):
    return gector(str(models / "gector"), CandidateOptions())(TEXTS)


@pytest.mark.parametrize("tokens", [60, 700, 10_000])
def test_batched_scores_are_those_of_each_pair_by_itself(loud, candidate_lists, tokens):
    requests = [
        (text, [c.edit for c in candidates]) for text, candidates in zip(TEXTS[:5], candidate_lists, strict=False)
    ]
    for (text, edits), scores in zip(requests, Scoring(loud, tokens=tokens)(requests), strict=True):
        alone = [likelihood(loud, list(text), list(text), None)]
        for e in edits:
            alone.append(likelihood(loud, list(text), list(edit_words(Edits((e,), len(text)), text)), e.start))
        assert np.allclose(scores, alone, atol=1e-5)


@pytest.mark.parametrize("decoding", [EAGER, replace(EAGER, alpha=0.5), replace(EAGER, rounds=2, tokens=100)], ids=str)
def test_stagewise_correction_is_what_the_slow_oracle_does(loud, candidate_lists, decoding):
    known = dict(zip(TEXTS, candidate_lists, strict=True))
    done = Corrector(loud, Fixed(known), decoding).correct([" ".join(text) for text in TEXTS])
    expected = [" ".join(slow(loud, text, known[text], decoding)) for text in TEXTS]
    assert done.texts == expected
    assert sum(len(changes) > 1 for changes in done.edits) > 5  # there is something to decode


def test_attended_padding_says_other_things_and_is_what_no_mask_would_say(loud):
    """The authors' way, in a straight line: pad a sentence's pairs with zeros, pass no mask."""
    text, edits = TEXTS[0], [edit(0, 0, "in the well-known town"), edit(1, 2, "")]
    quirk = Scorer(loud.model, Reader(loud.reader.tokenizer, padding_attended=True), loud.setup)
    pairs = loud.reader.pairs(text, edits)
    longest = max(len(pair.ids) for pair in pairs)
    ids = torch.tensor([[*pair.ids, *[0] * (longest - len(pair.ids))] for pair in pairs])
    with torch.inference_mode():
        states = loud.model.eval().encoder(ids).last_hidden_state[torch.arange(3), [pair.place for pair in pairs]]
        theirs = loud.model.projection(torch.relu(loud.model.mlp(states))).squeeze(-1)
        theirs = torch.nn.functional.logsigmoid(theirs).numpy()
    (ours,), (masked,) = Scoring(quirk)([(text, edits)]), Scoring(loud)([(text, edits)])
    assert np.allclose(ours, theirs, atol=1e-5)
    assert np.allclose(ours[1], masked[1], atol=1e-5)  # the longest pair has no padding
    assert abs(ours[2] - masked[2]) > 1e-3  # the shortest has
    company = Scoring(quirk)([(text, edits), (TEXTS[1] * 3, [edit(0, 1, "she")])])
    assert np.allclose(company[0], ours, atol=1e-5)  # and still no other sentence has a say


def test_long_and_empty_texts_pass_through_and_are_counted(loud, models):
    long, longer = " ".join(["he"] * 15), " ".join(["he"] * 21)  # the ranker's limit here, and the GECToR's
    corrector = Corrector(loud, gector(str(models / "gector"), CandidateOptions()), replace(EAGER, max_pieces=30))
    done = corrector.correct(["", long, "he  go home", longer, long, " "])
    assert (done.texts[0], done.texts[1], done.texts[3], done.texts[5]) == ("", long, longer, " ")
    assert done.too_long == 3
    assert done.texts[2] != "he  go home"


def test_a_pair_is_never_longer_than_the_encoder_has_positions(loud):
    # RoBERTa has 130 rows for positions here, of which the first two are padding's and before it
    assert Scoring(loud, max_pieces=10_000).limit == 128
    fits, too_long = ("he",) * 62, ("he",) * 63
    scores = Scoring(loud)([(text, [edit(0, 0, "he")]) for text in (fits, too_long)])
    assert len(scores[0]) == 2
    assert scores[1] is None


FROM_PADDING = [
    "roberta",
    "roberta-prelayernorm",
    "xlm-roberta",
    "camembert",
    "mpnet",
    "data2vec-text",
    "ibert",
    "xmod",
]


@pytest.mark.parametrize("kind", [*FROM_PADDING, "bert", "distilbert"])
def test_the_limit_is_the_longest_pair_for_which_an_encoder_has_positions(kind):
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = AutoConfig.for_model(kind, vocab_size=40, max_position_embeddings=34, pad_token_id=1, **shape)
    config.default_language = "en_XX" if kind == "xmod" else None
    model = AutoModel.from_config(config).eval()
    limit = RankerConfig(config).positions
    assert limit == (32 if kind in FROM_PADDING else 34)
    assert model(input_ids=torch.full((1, limit), 5)).last_hidden_state.isfinite().all()
    with pytest.raises((IndexError, RuntimeError)):
        model(input_ids=torch.full((1, limit + 1), 5))


def test_an_encoder_of_relative_positions_has_no_limit():
    assert RankerConfig(AutoConfig.for_model("xlnet")).positions > 100_000  # its configuration says −1


def test_untouched_words_keep_their_spaces(loud):
    known = {("he", "go", "home"): (candidate(1, 2, "goes", 1e6),)}  # beyond all doubt
    done = Corrector(loud, Fixed(known), Decoding()).correct(["he  go   home "])
    assert done.texts == ["he  goes   home "]


LOSS = [
    ([1.0, -1.0], [1, 0], 1.0, 0.3132617, "one of each"),
    ([1.0, 1.0, -1.0], [1, 1, 0], 3.0, 0.3132617, "weighted"),
    ([0.0, 0.0], [0, 0], 1.0, 0.3465736, "the mean of no right pair is 0"),
    ([2.0, 0.0, 0.0], [1, 0, 0], 1.0, (0.1269280 + 0.6931472) / 2, "classes count alike, whatever their size"),
    ([2.0, 0.0, 0.0], [1, 0, 0], 4.0, (4 * 0.1269280 + 0.6931472) / 5, "alpha weighs the right ones"),
]


@pytest.mark.parametrize(("scores", "labels", "alpha", "expected", "why"), LOSS, ids=[row[4] for row in LOSS])
def test_the_loss_is_the_mean_of_two_means(scores, labels, alpha, expected, why):
    computed = loss_by_class(torch.tensor(scores), torch.tensor(labels, dtype=torch.float), alpha)
    assert float(computed) == pytest.approx(expected, abs=1e-6)


def test_an_editscorer_survives_saving_and_loading(loud, tmp_path):
    scorer = replace(loud, setup=Setup("../gector", CandidateOptions(most=9), Decoding(threshold=0.7)))
    scorer.save(tmp_path, card="From a test.")
    again = checkpoint.load(str(tmp_path))
    assert (again.digest(), again.setup) == (scorer.digest(), scorer.setup)
    assert "From a test." in (tmp_path / "README.md").read_text()


@pytest.mark.parametrize("kind", ["bert", "modernbert", "deberta-v2", "xlnet"])
def test_any_encoder_will_do(tmp_path, kind):
    scorer = checkpoint.new(str(tiny.encoder(tmp_path, kind=kind)), Setup(), mlp_hidden=8, dropout=None)
    (scores,) = Scoring(scorer)([(TEXTS[0], [edit(0, 1, "x")])])
    assert np.allclose(scores[1], likelihood(scorer, list(TEXTS[0]), ["x", *TEXTS[0][1:]], 0), atol=1e-5)


def test_other_folders_are_told_from_editscorers(models, tmp_path):
    with pytest.raises(InputError, match="is a roberta, no EditScorer of ours"):
        checkpoint.load(str(models / "encoder"))
    with pytest.raises(InputError, match="is a gec-fair-gector, no EditScorer of ours"):
        checkpoint.load(str(models / "gector"))


APART = [
    (
        "../gector",
        MissingResource,
        r"^\S+/scorer/editscorer\.yaml: the generator that it names cannot be had "
        r"\(\.\./gector: no model folder is there.*keep both folders beside each other.* with --generator",
        "moved",
    ),
    (
        "runs/gector",
        MissingResource,
        r"editscorer\.yaml: the generator .* \(runs/gector: no model folder, and no model "
        "of that name",
        "named from another folder than this, and as the hub could have it",
    ),
    (
        "",
        UsageError,
        r"^\S+/scorer names no GECToR that proposes edits; name one in its editscorer\.yaml, or give one "
        "with --generator, or files of candidates with --list",
        "trained with lists",
    ),
]


@pytest.mark.parametrize(("named", "fault", "message", "why"), APART, ids=[row[3] for row in APART])
def test_a_ranker_without_its_generator_says_where_it_is_named(named, fault, message, why, tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    with pytest.raises(fault, match=message):
        gector(named, CandidateOptions(), scorer=tmp_path / "scorer")


def test_a_generator_that_was_given_lies_here_and_no_ranker_is_blamed(models, tmp_path, monkeypatch):
    monkeypatch.chdir(models)
    assert gector("gector", CandidateOptions()).version == gector(str(models / "gector"), CandidateOptions()).version
    with pytest.raises(MissingResource, match=r"^\./absent: no model folder is there.*check the path$"):
        gector("./absent", CandidateOptions())


NOBODY = [
    (
        "encoder",
        "names no GECToR that proposes edits; give one with --generator .* or files of candidates as lists",
        "an encoder has none",
    ),
    ("alone", "names no GECToR", "nor has an EditScorer that learned from lists"),
    ("nowhere/nothing", "names no GECToR", "nobody proposes, wherever the start may be"),
    ("run", "did you mean .*run/best", "a folder that is not a model is named as such"),
    ("moved", r"moved/editscorer\.yaml: the generator that it names cannot be had", "an EditScorer that was moved"),
]


@pytest.mark.parametrize(("start", "message", "why"), NOBODY, ids=[row[2] for row in NOBODY])
def test_training_asks_who_proposes_before_it_reads_the_model(loud, models, tmp_path, monkeypatch, start, message, why):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    monkeypatch.setattr(training, "start", None)
    (tmp_path / "encoder").symlink_to(models / "encoder")
    replace(loud, setup=Setup()).save(tmp_path / "alone")
    replace(loud, setup=Setup("../gone")).save(tmp_path / "moved")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/best").symlink_to(models / "gector")
    monkeypatch.chdir(tmp_path)
    pairs = tiny.write_pairs(tmp_path / "pairs.tsv", 4)
    with pytest.raises((UsageError, InputError, MissingResource), match=message):
        training.train(RankerTraining(start, train=str(pairs)), tmp_path / "out", seed=0)


def test_a_generator_beside_the_ranker_is_found_wherever_both_lie(loud, models, tmp_path, monkeypatch):
    from gec_fair.gec.systems.trained import EditScorer

    (tmp_path / "gector").symlink_to(models / "gector")
    replace(loud, setup=Setup("../gector", decoding=EAGER)).save(tmp_path / "scorer")
    system = EditScorer(str(tmp_path / "scorer"))
    texts = ["he go home .", "", "he go home ."]
    answers = system(texts)
    assert (len(answers), answers[0], answers[1]) == (3, answers[2], "")
    assert isinstance(system._corrector.generator, GectorCandidates)
    assert system.version.startswith("editscorer:")
    assert '"threshold": 0.05' in system.version
