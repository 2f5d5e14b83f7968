"""What a row says: each data set's own names for text, evidence, label and id."""

from __future__ import annotations

import json

import pytest

from gec_fair.errors import InputError
from gec_fair.razor.documents.documents import read
from gec_fair.razor.options import Fields

ROWS = [
    pytest.param({"id": 7, "label": "a", "text": " T "}, ("7", "a", "T", ""), id="one text"),
    pytest.param(
        {"unique_id": "u", "label": "S", "claim": "C", "evidence": "E", "page": "P"},
        ("u", "S", "C", "E"),
        id="VitaminC",
    ),
    pytest.param(
        {"id": "1", "label": "S", "claim": "C", "evidence_sentence": "E"},
        ("1", "S", "C", "E"),
        id="the symmetric set v0.1",
    ),
    pytest.param(
        {
            "id": "1",
            "claim": "C",
            "evidence": "E",
            "sentence1": "E",
            "sentence2": "C",
            "gold_label": "S",
            "label": "S",
            "evid": [["E", 1.0]],
        },
        ("1", "S", "C", "E"),
        id="the symmetric set v0.2",
    ),
    pytest.param(
        {"id": "f", "label": "R", "text": "C", "gold_evidence": [{"text": "E1"}, {"text": "E2"}]},
        ("f", "R", "C", "E1 E2"),
        id="FM2: sentences of evidence",
    ),
    pytest.param({"cid": 3, "query": "C", "context": "E", "label": "N"}, ("3", "N", "C", "E"), id="FEVER-NLI"),
    pytest.param(
        {"pairID": "p", "gold_label": "n", "sentence1": "E", "sentence2": "C", "annotator_labels": ["n"]},
        ("p", "n", "C", "E"),
        id="SNLI and MNLI",
    ),
    pytest.param({"label": 1, "text": "T"}, ("data.jsonl:1", "1", "T", ""), id="no id: named by its line"),
]


@pytest.mark.parametrize(("row", "expected"), ROWS)
def test_fields_are_found_by_their_usual_names(row, expected, tmp_path):
    (tmp_path / "data.jsonl").write_text(json.dumps(row))
    (document,), faults = read(tmp_path / "data.jsonl")
    assert (document.id, document.label, document.text, document.evidence) == expected
    assert document.row == row
    assert not faults


FAULTS = [
    pytest.param('{"id": 2, "text": "t"}', "no label; there are id, text. Name the fields with --label", id="no label"),
    pytest.param('{"id": 2, "text": "t", "label": ""}', "label is empty", id="an empty label"),
    pytest.param('{"id": 2, "text": "t", "gold_label": "-"}', "has no label", id="SNLI without agreement"),
    pytest.param('{"id": 2, "label": "a"}', "no text; there are id, label", id="no text"),
    pytest.param('{"id": 2, "label": "a", "text": " \\u200b"}', "text is empty", id="a text without a visible sign"),
    pytest.param(
        '{"id": 2, "label": "a", "text": {"x": 1}}', "text is of type dict, not a string", id="a text that is none"
    ),
    pytest.param('{"id": 1, "label": "a", "text": "t"}', "stands in line 1 already", id="the same id again"),
    pytest.param('{"id": 2, "label": "a", "text": "\\ud83d"}', "half a surrogate pair", id="no character"),
    pytest.param("[" * 100_000, "is not valid JSON", id="brackets without end"),
    pytest.param("[1]", "is not a JSON object", id="no object"),
    pytest.param("{", "is not valid JSON", id="no JSON"),
]


@pytest.mark.parametrize(("line", "message"), FAULTS)
def test_a_row_that_is_no_document_is_told_with_its_line_and_the_others_stay(line, message, tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text(f'{{"id": 1, "label": "a", "text": "one"}}\n{line}\n{{"id": 3, "label": "b", "text": "!"}}\n')
    documents_, (left,) = read(path)
    assert [document.id for document in documents_] == ["1", "3"]  # a text without words is a document too
    assert str(left.fault).startswith(f"{path}:2: ")
    assert message in str(left.fault)
    assert left.after == 1


def test_a_file_without_documents_is_refused(tmp_path):
    (tmp_path / "none.jsonl").write_text("\n")
    with pytest.raises(InputError, match="holds no row"):
        read(tmp_path / "none.jsonl")


def test_fields_may_be_named(tmp_path):
    (tmp_path / "data.csv").write_text("key,stars,review\nr1,5,fine\n")
    (document,), _ = read(tmp_path / "data.csv", Fields(id="key", label="stars", text="review"))
    assert (document.id, document.label, document.text) == ("r1", "5", "fine")
    with pytest.raises(InputError, match="no evidnce; there are key, stars, review"):
        read(tmp_path / "data.csv", Fields(label="stars", text="review", evidence="evidnce"))
