"""`gec-fair razor score`: what is ranked, what is reported, what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gec_fair.errors import InputError, UsageError
from gec_fair.razor.api import score
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.options import ScoreOptions
from gec_fair.razor.scoring import ranking as scoring
from gec_fair.razor.scoring.html import mark, page
from gec_fair.razor.scoring.ranking import Ranked
from gec_fair.razor.scoring.spaces import Encoded
from tests.cli.invoke import run

FACTS = [
    f"the {noun} was {verb} in {place}"
    for noun in ("film", "band", "city")
    for verb in ("made", "seen")
    for place in ("Rome", "Oslo")
]
ROWS = [
    *({"id": f"s{n}", "label": "SUPPORTS", "claim": fact, "evidence": "e"} for n, fact in enumerate(FACTS)),
    *({"id": f"r{n}", "label": "REFUTES", "claim": fact.replace("was", "was not")} for n, fact in enumerate(FACTS[:6])),
]


@pytest.fixture
def claims(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def documents(rows):
    return [Document(row["id"], row["label"], row["claim"]) for row in rows]


@pytest.mark.parametrize("mode", ["contrast", "paper", "published"])
def test_what_the_words_add_is_the_score(mode):
    ranking = scoring.score(documents(ROWS), ScoreOptions(scoring=mode))
    for document in ranking.ranked:
        assert sum(share for _, share in document.words) == pytest.approx(document.score, abs=1e-12)
    assert sum(document.total for document in ranking.words) == pytest.approx(
        sum(document.score for document in ranking.ranked)
    )
    scores = [document.score for document in ranking.ranked]
    assert scores == sorted(scores, reverse=True)


def test_the_word_that_gives_a_label_away_comes_first():
    ranking = scoring.score(documents(ROWS))
    assert {document.document.label for document in ranking.ranked[:6]} == {"REFUTES"}
    first = ranking.words[0]
    assert (first.label, first.word, first.documents) == ("REFUTES", "not", 6)
    assert first.mean == pytest.approx(first.total / 6)
    assert "*not*" in mark(ranking.ranked[0])
    assert "\x1b[1;31mnot\x1b[0m" in mark(ranking.ranked[0], "ansi")


def test_of_equal_scores_the_first_document_comes_first():
    rows = [{"id": str(n), "label": "ab"[n % 2], "claim": f"w{n % 2} x"} for n in (5, 3, 4, 1, 0, 2)]
    assert [document.document.id for document in scoring.score(documents(rows)).ranked] == list(
        "534102"
    )  # all of one score


def test_one_label_alone_is_refused():
    with pytest.raises(InputError, match=r"all 12 documents are SUPPORTS; .* two labels or more"):
        scoring.score(documents(ROWS[:12]))


def test_a_field_that_holds_no_labels_is_told():
    rows = [{"id": str(n), "label": str(n / 7), "claim": f"w{n}"} for n in range(200)]
    with pytest.raises(InputError, match="200 labels for 200 documents look like numbers or names"):
        scoring.score(documents(rows))
    assert len(scoring.score(documents(rows[:100])).ranked) == 100


def test_a_score_does_not_depend_on_the_order_of_the_documents():
    forward = {document.document.id: document.score for document in scoring.score(documents(ROWS)).ranked}
    backward = {document.document.id: document.score for document in scoring.score(documents(ROWS[::-1])).ranked}
    assert forward == pytest.approx(backward)


def test_the_command_writes_every_document_highest_first(claims, tmp_path):
    done = run("razor", "score", claims, "-o", tmp_path / "scores.jsonl", "--words", 1, "--top", 2)
    assert done.code == 0
    rows = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert sorted(row["id"] for row in rows) == sorted(row["id"] for row in ROWS)
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    assert rows[0]["words"][0][0] == "not"
    assert "| REFUTES | not | 6 |" in done.stdout
    assert "razor|mode:contrast|space:tfidf|documents:18|labels:2" in done.stdout
    report = json.loads(run("razor", "score", claims, "--json", "--top", 1).stdout)
    assert report["documents"][0]["id"] == rows[0]["id"]
    assert report["labels"] == {"REFUTES": 6, "SUPPORTS": 12}
    assert {"objective", "likeness", "cosine", "mmd"} == set(report["measures"])


@pytest.mark.parametrize(("name", "comma"), [("scores.csv", ","), ("scores.tsv", "\t")])
def test_the_name_of_the_output_says_how_it_is_written(claims, tmp_path, name, comma):
    assert run("razor", "score", claims, "-o", tmp_path / name).code == 0
    head, *rows = (tmp_path / name).read_text().splitlines()
    assert head == comma.join(("id", "label", "score"))
    assert len(rows) == len(ROWS)
    assert "--words is for output in JSONL" in run("razor", "score", claims, "--words", 1, "-o", tmp_path / name).stderr


def test_rows_that_are_none_are_left_out_and_told(claims):
    with claims.open("a") as file:
        file.write('{"id": "x", "claim": "no label"}\n{"id": "s0", "label": "REFUTES", "claim": "again"}\n')
    done = run("razor", "score", claims)
    assert done.code == 0
    assert "note: 2 rows were left out; the first: " in done.stderr
    assert f"{claims}:19: no label" in done.stderr
    assert done.stdout.startswith("18 documents: 6 REFUTES, 12 SUPPORTS")


REFUSED = [
    (("--scoring", "papper"), "'papper' is not one of 'contrast', 'paper', 'published'"),
    (("--space", "tfidff"), "no space is called 'tfidff'; did you mean tfidf?"),
    (("--scoring", "published", "--space", "tfidf"), "has its own space"),
    (("--dimensions", "8"), "dimensions is for the space of positions"),
    (("--scoring", "paper", "--dimensions", "0"), "dimensions is 0; it must be at least 1"),
    (("--words", "3"), "--words is for output in JSONL"),
    (("--label", "answer"), "no label; there are id, label, claim"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_refused(words, message, claims):
    done = run("razor", "score", claims, *words)
    assert done.code == 2
    assert message in done.stderr


def test_the_page_escapes_what_a_document_says():
    rows = [{"id": "<i>", "label": "a&b", "claim": "<script>x</script> not"}, {"id": "2", "label": "c", "claim": "y"}]
    html = page(scoring.score(documents(rows)), 5)
    assert "<script>" not in html
    assert "&lt;i&gt;" in html
    assert "a&amp;b" in html
    assert mark(Ranked(Document("1", "a", "As It Is"), 0.5)) == "As It Is"


@pytest.fixture(scope="module")
def sentence_encoder(tmp_path_factory):
    """A BERT of random weights with its own vocabulary, saved as sentence encoders are."""
    transformers = pytest.importorskip("transformers")
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("encoder")
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *sorted({word for text in FACTS for word in text.lower().split()}),
    ]
    (folder / "vocab.txt").write_text("\n".join(pieces))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    transformers.set_seed(0)
    shape = BertConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=16,
    )
    BertModel(shape).save_pretrained(folder)
    return folder


def test_any_sentence_encoder_is_a_space(sentence_encoder, claims):
    from gec_fair.razor.scoring.encoder import Sentences

    texts = ["the film was made in Rome", "Oslo", ""]
    encoder = Sentences(str(sentence_encoder))
    together = encoder(texts)
    assert together.shape == (3, 16)
    alone = np.concatenate([Sentences(str(sentence_encoder))([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)  # padding changes nothing
    assert (encoder([*texts[::-1], "Rome"])[:3] == together[::-1]).all()  # known texts are not read again
    done = run("razor", "score", claims, "--space", f"encoder:{sentence_encoder}", "--json")
    assert done.code == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["words"] == []
    assert len(report["documents"]) == 10


def test_a_state_that_is_not_a_number_is_refused():
    with pytest.raises(InputError, match="encoder:x: a text's state is not a number"):
        Encoded("encoder:x", lambda texts: np.full((len(texts), 2), np.nan)).vectors(["a text"])


def test_a_sentence_encoder_that_others_trained_sees_what_words_do_not(weights):
    """Two claims without a common word are alike if they say the same."""
    from gec_fair.razor.scoring.encoder import Sentences

    claim, paraphrase, stranger = Sentences(str(weights("minilm")))(
        ["A child sleeps .", "The kid is asleep .", "Sell the car ."]
    )
    assert claim @ paraphrase > 2 * claim @ stranger


def test_no_space_without_a_name():
    with pytest.raises(UsageError, match="no space is called 'encoder:'"):
        ScoreOptions(space="encoder:")


def test_rows_without_a_label_are_dropped_or_refused():
    rows = [{"text": "a b", "label": "1"}, {"text": "b", "label": "0"}, {"text": "c"}, {"text": "d", "label": "-"}]
    scored = score(rows, missing="drop")
    assert (len(scored.documents), scored.dropped) == (2, 2)
    with pytest.raises(InputError, match="documents:3: no label"):
        score(rows)
