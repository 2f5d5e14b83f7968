"""Candidates: which meet, how one moves when another is applied, what makes one, and which are right."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_fair.edits import Edit, Edits, edit_words, edits, m2, split_spaces
from gec_fair.errors import InputError
from gec_fair.gec.editscorer.candidates import Candidate, Path, join_neighbours, move, overlap, tidy, transpose
from gec_fair.gec.editscorer.from_gector import GectorCandidates
from gec_fair.gec.editscorer.gold import judge_candidates, splits
from gec_fair.gec.editscorer.lists import Listed
from gec_fair.gec.editscorer.options import CandidateOptions
from gec_fair.gec.gector import checkpoint
from gec_fair.gec.gector.options import Decoding
from gec_fair.gec.gector.predict import Opinion, Predictor
from gec_fair.gec.gector.tags import KEEP, MERGES, edits_of
from tests.gec.editscorer.small import Cells, candidate, edit
from tests.gec.gector import tiny

LAW = settings(deadline=None, max_examples=80)
words = st.lists(st.sampled_from("a b c d e".split()), max_size=7).map(tuple)


@st.composite
def an_edit(draw, length: int) -> Edit:
    start = draw(st.integers(0, length))
    return Edit(start, draw(st.integers(start, min(length, start + 2))), draw(words)[:2])


@st.composite
def some_edits(draw, length: int) -> Edits:
    points = sorted(draw(st.lists(st.integers(0, length), max_size=6)))
    spans = list(dict.fromkeys(zip(points[::2], points[1::2], strict=False)))
    return Edits(tuple(Edit(a, b, draw(words)[:2]) for a, b in spans), length)


MEETINGS = [
    ((1, 2), (2, 3), False, "neighbours"),
    ((1, 3), (2, 4), True, "a shared word"),
    ((2, 2), (2, 2), True, "two insertions at one place"),
    ((1, 2), (2, 2), False, "an insertion behind a replaced word"),
    ((2, 3), (2, 2), False, "an insertion before a replaced word"),
    ((1, 3), (2, 2), True, "an insertion inside a replaced span"),
]


@pytest.mark.parametrize(("first", "second", "expected", "why"), MEETINGS, ids=[row[3] for row in MEETINGS])
def test_edits_that_want_one_place_overlap(first, second, expected, why):
    a, b = Edit(*first, ("x",)), Edit(*second, ("y",))
    assert overlap(a, b) == overlap(b, a) == expected
    assert (move(b, a) is None) == expected


@LAW
@given(st.data(), words)
def test_one_after_the_other_is_both_at_once_whichever_comes_first(data, text):
    a, b = data.draw(an_edit(len(text))), data.draw(an_edit(len(text)))
    if overlap(a, b):
        return
    both = edit_words(edits([a, b], len(text)), text)
    for first, second in ((a, b), (b, a)):
        between = edit_words(Edits((first,), len(text)), text)
        then = move(second, first)
        assert edit_words(Edits((then,), len(between)), between) == both


def test_tidy_keeps_each_edit_once_with_its_highest_ratio_and_drops_what_changes_nothing():
    tidied = tidy(
        ("he", "go"),
        [
            candidate(1, 2, "goes", -1.0),
            candidate(1, 2, "go", 9.0),
            candidate(0, 0, "so"),
            Candidate(Edit(1, 2, ("goes",), "R:VERB"), 2.0),
        ],
    )
    assert tidied == (candidate(0, 0, "so"), candidate(1, 2, "goes", 2.0))


def test_neighbours_are_joined_in_every_run_and_their_ratios_add():
    step = [candidate(1, 2, "", 1.0), candidate(2, 3, "x", 2.0), candidate(3, 3, "y", 4.0), candidate(4, 5, "z", 8.0)]
    assert list(join_neighbours(step)) == [
        candidate(1, 3, "x", 3.0),
        candidate(1, 3, "x y", 7.0),
        candidate(2, 3, "x y", 6.0),
    ]


def test_a_word_inserted_here_and_deleted_there_is_a_transposition():
    swaps = transpose(("is", "it", "?"), [candidate(0, 0, "it", 1.0), candidate(1, 2, "", 0.5), candidate(2, 3, "", 1)])
    assert list(swaps) == [candidate(0, 2, "it is", 1.5)]


@LAW
@given(st.data(), words)
def test_a_path_of_corrections_is_edits_of_the_source_with_all_their_ratios(data, text):
    path, total = Path(text), 0.0
    for _ in range(3):
        step = data.draw(some_edits(len(path.words)))
        expected = edit_words(step, path.words)
        path, total = path.then([Candidate(e, 1.0) for e in step]), total + len(step)
        assert path.words == expected
        assert not any(overlap(a.edit, b.edit) for a, b in pairwise(path.done))
        assert all(tuple(text[c.edit.start : c.edit.end]) != c.edit.replacement for c in path.done)
        assert sum(c.ratio for c in path.done) <= total


@st.composite
def word_by_word(draw, length: int) -> Edits:
    """At most one word replaced, deleted or put in at each place."""
    kinds = draw(st.lists(st.sampled_from("keep keep change delete insert".split()), min_size=length, max_size=length))
    word = st.sampled_from("v w x y z".split())
    texts = {
        "keep": lambda at: [],
        "change": lambda at: [Edit(at, at + 1, (draw(word),))],
        "delete": lambda at: [Edit(at, at + 1, ())],
        "insert": lambda at: [Edit(at, at, (draw(word),))],
    }
    return Edits(tuple(edit for at, kind in enumerate(kinds) for edit in texts[kind](at)), length)


@settings(LAW, max_examples=400)
@given(st.data(), words)
def test_word_by_word_corrections_stay_apart_round_after_round(data, text):
    path, cells = Path(text), Cells(text)
    for _ in range(3):
        step = data.draw(word_by_word(len(path.words)))
        path = path.then([Candidate(e) for e in step])
        cells.then([*step])
        assert [c.edit for c in path.done] == cells.singles()


ROUNDS = [
    (
        "he go home",
        [[(1, 2, "goes")], [(2, 3, "house")]],
        [(1, 2, "goes"), (1, 3, "goes house"), (2, 3, "house")],
        "a neighbour is corrected in the second round",
    ),
    (
        "he go home",
        [[(1, 2, "went")], [(1, 1, "has"), (1, 2, "gone")]],
        [(1, 1, "has"), (1, 2, "gone"), (1, 2, "has gone")],
        "a word is corrected twice, and one put before it",
    ),
    ("he go home", [[(1, 2, "goes")], [(1, 2, "go")]], [], "a correction is taken back"),
    ("I go school", [[(2, 2, "to")], [(3, 3, "the")]], [(2, 2, "to the")], "two words are put in at one place"),
    (
        "he must to go",
        [[(2, 3, "")], [(1, 2, "has"), (2, 2, "to")]],
        [(1, 2, "has"), (2, 3, ""), (3, 3, "to"), (1, 3, "has"), (1, 3, "has to"), (2, 3, "to")],
        "a word comes back behind where it was deleted",
    ),
    ("a b c", [[(0, 1, "x y")], [(1, 3, "z")]], [(0, 2, "x z")], "what reaches into an earlier edit is one with it"),
    (
        "a b c d",
        [[(0, 1, "x"), (3, 4, "y")], [(1, 3, "z")]],
        [(0, 1, "x"), (1, 3, "z"), (3, 4, "y"), (0, 3, "x z"), (1, 4, "z y"), (0, 4, "x z y")],
        "between two earlier",
    ),
]


@pytest.mark.parametrize(("text", "rounds", "expected", "why"), ROUNDS, ids=[row[-1] for row in ROUNDS])
def test_every_round_gives_its_edits_singly_and_joined(text, rounds, expected, why):
    path = Path(tuple(text.split()))
    for step in rounds:
        path = path.then([candidate(*cells) for cells in step])
    proposed = [c.edit for c in path.candidates()]
    assert sorted(
        {(e.start, e.end, " ".join(e.replacement)) for e in proposed if e.replacement or e.start != e.end}
    ) == (sorted(set(expected)))


def test_what_two_rounds_make_has_the_ratios_of_both():
    path = Path(("he", "go", "home")).then([candidate(1, 2, "went", 2.0)])
    path = path.then([candidate(1, 1, "has", 0.5), candidate(1, 2, "gone", 1.0)])
    assert path.words == ("he", "has", "gone", "home")
    assert list(path.candidates()) == [
        candidate(1, 1, "has", 0.5),
        candidate(1, 2, "gone", 3.0),
        candidate(1, 2, "has gone", 3.5),
    ]


SPLITS = [
    (edit(1, 1, "to the"), [(edit(1, 1, "to"), edit(1, 1, "the"))], "words inserted"),
    (edit(1, 3, ""), [(edit(1, 2, ""), edit(2, 3, ""))], "words deleted"),
    (edit(0, 2, "x y"), [(edit(0, 1, "x"), edit(1, 2, "y"))], "word for word"),
    (edit(0, 2, "x b"), [(edit(0, 1, "x"),)], "a word that stays is not a part"),
    (edit(1, 2, "x y"), [(edit(1, 1, "x"), edit(1, 2, "y")), (edit(1, 2, "x"), edit(2, 2, "y"))], "one word, two"),
    (edit(1, 2, "b y"), [(edit(1, 1, "b"), edit(1, 2, "y")), (edit(2, 2, "y"),)], "the first of two stays"),
    (edit(1, 3, "x"), [(edit(1, 2, "x"), edit(2, 3, "")), (edit(1, 2, ""), edit(2, 3, "x"))], "two words, one"),
    (edit(0, 3, "x y"), [], "no way to say which word became which"),
    (edit(1, 2, "x"), [], "one word"),
]


@pytest.mark.parametrize(("full_edit", "parts", "why"), SPLITS, ids=[row[2] for row in SPLITS])
def test_an_edit_word_by_word(full_edit, parts, why):
    text = ("a", "b", "c", "d")
    assert list(splits(full_edit, text)) == parts
    for split in parts:
        assert edit_words(edits(split, 4), text) == edit_words(Edits((full_edit,), 4), text)


LABELS = [
    ("he go home", [edit(1, 2, "goes")], [edit(1, 2, "goes")], [True], "the gold edit"),
    ("he go home", [edit(1, 2, "went")], [edit(1, 2, "goes")], [False], "the right span, other words"),
    ("he go home", [edit(2, 3, "goes")], [edit(1, 2, "goes")], [False], "the right words, another span"),
    ("go by bus car", [edit(2, 3, ""), edit(3, 4, "")], [edit(2, 4, "")], [True, True], "both halves of a deletion"),
    ("go by bus car", [edit(2, 3, ""), edit(1, 2, "")], [edit(2, 4, "")], [False, False], "half a correction is none"),
    ("I go see", [edit(2, 2, "to")], [edit(1, 2, "go to")], [True], "a gold edit that repeats a word"),
    (
        "a b c",
        [edit(0, 1, "x"), edit(1, 2, "y"), edit(0, 2, "x y")],
        [edit(0, 2, "x y")],
        [True] * 3,
        "parts and whole",
    ),
    ("a b c", [edit(0, 2, "x y")], [edit(0, 1, "x"), edit(1, 2, "y")], [True], "two gold edits as one"),
    ("a b c", [edit(0, 2, "x z")], [edit(0, 1, "x"), edit(1, 2, "y")], [False], "one of the two is wrong"),
    ("he goes", [edit(1, 2, "go")], [], [False], "nothing is to be corrected"),
    ("he goes", [], [edit(1, 2, "go")], [], "nothing is proposed"),
]


@pytest.mark.parametrize(("text", "proposed", "gold", "expected", "why"), LABELS, ids=[row[4] for row in LABELS])
def test_which_candidates_are_right(text, proposed, gold, expected, why):
    assert judge_candidates(proposed, gold, text.split()) == expected


# --- from files ---


def test_lists_are_hypotheses_and_every_annotators_edits(tmp_path):
    (tmp_path / "one.txt").write_text("he goes home\nfine .\n")
    source = split_spaces("he go home")
    (tmp_path / "two.m2").write_text(
        m2.render(source, [("0", edits([edit(1, 2, "went")], 3)), ("1", edits([edit(3, 3, ".")], 3))])
    )
    texts = [("he", "go", "home"), ("fine", ".")]
    listed = Listed([tmp_path / "one.txt", tmp_path / "two.m2"], texts, name="src")
    assert listed([*texts, ()]) == [
        (candidate(1, 2, "goes"), candidate(1, 2, "went"), candidate(3, 3, ".")),
        (),
        (),
    ]
    with pytest.raises(InputError, match="no candidate list has the sentence 'another one'"):
        listed([("another", "one")])
    with pytest.raises(InputError, match=r"one\.txt: 2 lines, but src has 1 sentences"):
        Listed([tmp_path / "one.txt"], texts[:1], name="src")


# --- from a GECToR ---


@pytest.fixture(scope="module")
def tagger(models):
    return checkpoint.load(str(models / "gector"))


def opinions(tagger, text):
    """(words + 1, tags) log p(tag) − log p($KEEP), from a batch of one."""
    ids, starts = tagger.pieces.sentence(text)
    with torch.inference_mode():
        ids = torch.tensor([ids])
        scores = tagger.model.eval()(ids, torch.ones_like(ids), torch.tensor([starts])).tags[0].log_softmax(-1)
    return (scores - scores[:, [0]]).numpy()


SENTENCES = sorted({tuple(pair[0].split()) for pair in tiny.pairs(40)})


@pytest.mark.parametrize("options", [CandidateOptions(iterations=0), CandidateOptions(-9.0, 0, 7, 1, 0)], ids=str)
def test_the_likeliest_tags_are_candidates_as_a_slow_search_finds_them(tagger, options):
    for text, proposed in zip(SENTENCES, GectorCandidates(tagger, options)(SENTENCES), strict=True):
        tags = tagger.labels.tags
        idle = (KEEP, "@@UNKNOWN@@", "@@PADDING@@", *MERGES)
        flat = [
            (value, place, tag)
            for place, row in enumerate(opinions(tagger, text))
            for value, tag in zip(row, tags, strict=True)
            if tag not in idle
        ]
        flat.sort(key=lambda row: -row[0])
        likely = sum(value >= options.threshold for value, _, _ in flat)
        expected: dict[Edit, float] = {}
        for value, place, tag in flat[: max(options.least, min(options.most, likely))]:
            tagged = [KEEP] * (len(text) + 1)
            tagged[place] = tag
            for e in edits_of(text, tagged, tagger.verbs):
                spans = [(chosen.start, chosen.end) for chosen in expected]
                if tuple(text[e.start : e.end]) != e.replacement and spans.count((e.start, e.end)) < options.per_span:
                    expected.setdefault(e, value)
        swaps = {c.edit for c in transpose(text, [Candidate(e, r) for e, r in expected.items()])}
        assert {c.edit for c in proposed} == expected.keys() | swaps
        assert all(c.ratio == pytest.approx(expected[c.edit], abs=1e-4) for c in proposed if c.edit in expected)


def test_what_gector_itself_would_do_is_among_its_candidates_round_by_round(models):
    tagger = checkpoint.load(str(models / "gector"))
    with torch.no_grad():  # a merge is more than the oracle can follow
        tagger.model.tags_head.bias[[tagger.labels.number[tag] for tag in MERGES if tag in tagger.labels.number]] = -1e4
    proposed = GectorCandidates(tagger)(SENTENCES)
    predictor = Predictor(tagger)
    rounds = [predictor.correct(SENTENCES, Decoding(iterations=n, confidence=0.0)).texts for n in (1, 2, 3)]
    late = 0
    for text, candidates, *after in zip(SENTENCES, proposed, *rounds, strict=True):
        known = {c.edit for c in candidates}
        cells, now = Cells(text), text
        for number, words_after in enumerate(after):
            tags = predictor.choose_tags(next(iter(predictor.opinions([now])))[1], Decoding(confidence=0.0))
            if words_after == now:
                break
            cells.then([*edits_of(now, tags, tagger.verbs)])
            now = words_after
            singles = cells.singles()
            assert edit_words(Edits(tuple(singles), len(text)), text) == now
            assert known.issuperset(singles)
            assert known.issuperset(c.edit for c in join_neighbours([Candidate(e) for e in singles]))
            late += number > 0
    assert late > len(SENTENCES) / 8  # the stand-in wants edits in many a second round


def test_one_round_of_gectors_own_tags_has_their_ratios(tagger):
    proposed = GectorCandidates(tagger, CandidateOptions(least=0, most=0, iterations=1))(SENTENCES)
    predictor = Predictor(tagger)
    several = 0
    for text, candidates in zip(SENTENCES, proposed, strict=True):
        tags = predictor.choose_tags(next(iter(predictor.opinions([text])))[1], Decoding(confidence=0.0))
        if set(tags) & set(MERGES):
            continue  # such tags are one edit together
        ratios, step = opinions(tagger, text), []
        for place, tag in enumerate(tags):
            alone = edits_of(text, [tag if n == place else KEEP for n in range(len(tags))], tagger.verbs)
            step += [Candidate(e, float(ratios[place, tagger.labels.number[tag]])) for e in alone]
        expected = tidy(text, [*step, *join_neighbours(step)])
        expected = tidy(text, [*expected, *transpose(text, expected)])
        assert [c.edit for c in candidates] == [c.edit for c in expected]
        assert np.allclose([c.ratio for c in candidates], [c.ratio for c in expected], atol=1e-3)
        several += len(expected) > len(step)
    assert several


def test_a_merge_has_the_ratios_of_the_tags_that_make_it(tagger):
    number = tagger.labels.number
    opinion = Opinion(
        keep=np.array([0.9, 0.1, 0.5, 0.2]),
        delete=np.array([0.0, 0.0, 0.0, 0.7]),
        best=np.array([0.05, 0.8, 0.3, 0.1]),  # the second word's tag is less likely than $KEEP, and plays no part
        tag=np.array([number["$MERGE_SPACE"]] * 4),
        wrong=0.99,
    )
    step = GectorCandidates(tagger)._step(("a", "b", "c"), opinion)
    assert [c.edit for c in step] == [edit(0, 2, "ab"), edit(2, 3, "")]
    assert [c.ratio for c in step] == pytest.approx(np.log([0.8 / 0.1, 0.7 / 0.2]))


def test_a_sentence_has_the_same_candidates_in_any_company(tagger):
    together = GectorCandidates(tagger)(SENTENCES)
    for text, candidates in zip(SENTENCES[:6], together, strict=False):
        (alone,) = GectorCandidates(tagger)([text])
        assert [c.edit for c in alone] == [c.edit for c in candidates]
        assert np.allclose([c.ratio for c in alone], [c.ratio for c in candidates], atol=1e-4)


def test_no_candidate_takes_a_sentences_capital(tagger):
    every = CandidateOptions(-1e9, 0, 10_000, 10_000, 0)
    (candidates,) = GectorCandidates(tagger, every)([("He", "GO", "home")])
    spans = {(c.edit.start, c.edit.end, *c.edit.replacement) for c in candidates}
    assert (0, 1, "he") not in spans
    assert {(0, 1, "HE"), (1, 2, "go")} <= spans


def test_short_and_empty_texts_have_no_candidates_and_long_ones_are_not_read(tagger):
    proposed = GectorCandidates(tagger)([(), ("he", "go"), ("he",) * 21])
    assert proposed == [(), (), None]


def test_another_option_is_another_version(tagger):
    assert GectorCandidates(tagger).version != GectorCandidates(tagger, CandidateOptions(most=19)).version
