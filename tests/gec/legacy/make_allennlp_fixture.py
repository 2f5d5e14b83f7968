"""A tiny GECToR that AllenNLP itself builds, runs and saves: what the importer of official checkpoints must read.

    python3.8 -m venv allennlp-env
    allennlp-env/bin/pip install "pip<24.1" "setuptools<66" wheel
    allennlp-env/bin/pip install "torch==1.12.1" "numpy<1.24" "lmdb==1.4.1" "allennlp==2.10.1"
    allennlp-env/bin/python tests/gec/legacy/make_allennlp_fixture.py     # writes beside itself

Writes `allennlp_tiny.th`, a plain state dict with the key names of the official checkpoints, and `allennlp_tiny.json`,
a batch with the logits and losses that AllenNLP computes for it. The names come from where the modules hang, so the
layout below is the format: an embedder called `bert` that holds `bert_model`, and two heads inside TimeDistributed.
"""

from __future__ import annotations

import json
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.time_distributed import TimeDistributed
from allennlp.modules.token_embedders import TokenEmbedder
from allennlp.nn.util import get_range_vector, sequence_cross_entropy_with_logits
from transformers import RobertaConfig, RobertaModel

FOLDER = Path(__file__).parent
SEED = 2023
LABELS = [
    "$KEEP",
    "$DELETE",
    "$REPLACE_they",
    "$REPLACE_their",
    "$APPEND_.",
    "$APPEND_a",
    "$TRANSFORM_CASE_CAPITAL",
    "$TRANSFORM_AGREEMENT_PLURAL",
    "$TRANSFORM_VERB_VB_VBZ",
    "$MERGE_SPACE",
    "@@UNKNOWN@@",
    "@@PADDING@@",
]
DETECTION = ["CORRECT", "INCORRECT", "@@UNKNOWN@@", "@@PADDING@@"]
CONFIG = {
    "vocab_size": 60,  # before $START
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 40,  # positions 2..39: RoBERTa starts at padding_idx + 1
    "type_vocab_size": 1,
    "pad_token_id": 1,
    "layer_norm_eps": 1e-5,  # roberta-base's; the class's default is 1e-12
    "hidden_act": "gelu",  # the exact one, by erf
}
START = CONFIG["vocab_size"]  # special_tokens_fix=1 adds $START as one row more: 50265 in roberta-base, 60 here

# Words as lists of pieces; the longest in words is not the longest in pieces. No <s> and no </s>.
SENTENCES = [
    [[START], [17], [23], [8, 41], [12], [59]],
    [[START], [30, 31, 32, 33, 34], [9], [55, 4, 5]],
    [[START], [44], [12]],
]
GOLD = [
    ["$KEEP", "$REPLACE_they", "$KEEP", "$DELETE", "$APPEND_.", "$KEEP"],
    ["$TRANSFORM_CASE_CAPITAL", "$KEEP", "@@UNKNOWN@@", "$MERGE_SPACE"],
    ["$KEEP", "$TRANSFORM_VERB_VB_VBZ", "$KEEP"],
]


class FirstPiece(TokenEmbedder):
    """The encoder's last state at each word's first piece: (batch, pieces) -> (batch, words, hidden)."""

    def __init__(self, bert_model: RobertaModel) -> None:
        super().__init__()
        self.bert_model = bert_model

    def get_output_dim(self) -> int:
        return self.bert_model.config.hidden_size

    def forward(self, ids: torch.Tensor, offsets: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        # Official batches are padded with 0, which is RoBERTa's <s>, not with its <pad> = 1.
        states = self.bert_model(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state
        return states[get_range_vector(len(ids), -1).unsqueeze(1), offsets]


class Tagger(Model):
    """Two linear heads on the same states: which edit (labels) and whether any (detection)."""

    def __init__(self, vocab: Vocabulary, embedder: BasicTextFieldEmbedder) -> None:
        super().__init__(vocab)
        hidden = embedder.get_output_dim()
        self.text_field_embedder = embedder
        self.tag_labels_projection_layer = TimeDistributed(torch.nn.Linear(hidden, vocab.get_vocab_size("labels")))
        self.tag_detect_projection_layer = TimeDistributed(torch.nn.Linear(hidden, vocab.get_vocab_size("d_tags")))

    def forward(self, tokens: dict[str, dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
        encoded = self.text_field_embedder(tokens)
        labels, detect = self.tag_labels_projection_layer(encoded), self.tag_detect_projection_layer(encoded)
        incorrect = detect.softmax(-1)[..., self.vocab.get_token_index("INCORRECT", "d_tags")]
        return {
            "logits_labels": labels,
            "logits_detect": detect,
            "probabilities_labels": labels.softmax(-1),
            "probabilities_detect": detect.softmax(-1),
            "max_error_probability": (incorrect * tokens["bert"]["mask"]).max(-1).values,  # $START takes part
        }


def vocabulary() -> Vocabulary:
    """Read as the official one is, from files: an id is a line number, nothing is added to `*tags` and `*labels`."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "labels.txt").write_text("\n".join(LABELS) + "\n", encoding="utf-8")
        Path(folder, "d_tags.txt").write_text("\n".join(DETECTION) + "\n", encoding="utf-8")
        Path(folder, "non_padded_namespaces.txt").write_text("*tags\n*labels\n", encoding="utf-8")
        vocab = Vocabulary.from_files(folder)
    for namespace, lines in (("labels", LABELS), ("d_tags", DETECTION)):
        assert [vocab.get_token_from_index(i, namespace) for i in range(len(lines))] == lines
        assert vocab.get_vocab_size(namespace) == len(lines)
    return vocab


def randomise(model: torch.nn.Module) -> None:
    """No parameter stays at 0 or 1, where a forgotten bias or scale would not be seen.

    Embeddings are small, so that the variance under the first LayerNorm is of the order at which eps shows.
    """
    draw = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for name, value in model.named_parameters():
            noise = torch.randn(value.shape, generator=draw)
            scale = 0.02 if "embeddings" in name and "LayerNorm" not in name else 0.3
            value.copy_(noise * scale + (1.0 if name.endswith("LayerNorm.weight") else 0.0))


def batch(vocab: Vocabulary) -> dict[str, torch.Tensor]:
    """The three sentences as tensors; every kind of padding is 0, as AllenNLP pads."""
    pieces, words = max(sum(map(len, s)) for s in SENTENCES), max(map(len, SENTENCES))
    out = {
        "ids": torch.zeros(len(SENTENCES), pieces, dtype=torch.long),
        "offsets": torch.zeros(len(SENTENCES), words, dtype=torch.long),
        "mask": torch.zeros(len(SENTENCES), words, dtype=torch.bool),
        "labels": torch.zeros(len(SENTENCES), words, dtype=torch.long),
        "d_tags": torch.zeros(len(SENTENCES), words, dtype=torch.long),
    }
    for row, sentence in enumerate(SENTENCES):
        start = 0
        for column, word in enumerate(sentence):
            out["ids"][row, start : start + len(word)] = torch.tensor(word)
            out["offsets"][row, column] = start
            out["mask"][row, column] = True
            tag = GOLD[row][column]
            out["labels"][row, column] = vocab.get_token_index(tag, "labels")
            out["d_tags"][row, column] = vocab.get_token_index("CORRECT" if tag == "$KEEP" else "INCORRECT", "d_tags")
            start += len(word)
    return out


def losses(logits: dict[str, torch.Tensor], inputs: dict[str, torch.Tensor], smoothing: float) -> dict[str, Any]:
    """AllenNLP's cross-entropy, the mean in a sentence first and then over sentences; smoothing on labels alone."""
    parts = {}
    for average in ("batch", None):
        parts[average] = (
            sequence_cross_entropy_with_logits(
                logits["logits_labels"], inputs["labels"], inputs["mask"], average, label_smoothing=smoothing
            ),
            sequence_cross_entropy_with_logits(
                logits["logits_detect"], inputs["d_tags"], inputs["mask"], average, label_smoothing=None
            ),
        )
    labels, detect = parts["batch"]
    return {
        "label_smoothing": smoothing,
        "loss": plain(labels + detect),
        "loss_labels": plain(labels),
        "loss_detect": plain(detect),
        "loss_labels_by_sentence": plain(parts[None][0]),
        "loss_detect_by_sentence": plain(parts[None][1]),
    }


def plain(value: torch.Tensor) -> Any:
    """Nested lists; a float is written with the fewest digits that give the same float32 back."""
    if value.dtype.is_floating_point and value.dim() == 0:
        return float(str(np.float32(value.item())))
    return [plain(item) for item in value] if value.dim() else value.item()


def write(path: Path, record: dict[str, Any]) -> None:
    """JSON with one field a line, so that a change can be read in a diff."""
    fields = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items())
    path.write_text("{\n" + fields + "\n}\n", encoding="utf-8")


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    vocab = vocabulary()
    encoder = RobertaModel(RobertaConfig(**CONFIG))
    encoder.resize_token_embeddings(CONFIG["vocab_size"] + 1)
    model = Tagger(vocab, BasicTextFieldEmbedder({"bert": FirstPiece(encoder)}))
    randomise(model)
    torch.save(model.state_dict(), FOLDER / "allennlp_tiny.th")

    model.eval()
    inputs = batch(vocab)
    with torch.no_grad():
        outputs = model({"bert": {key: inputs[key] for key in ("ids", "offsets", "mask")}})
        recorded = [losses(outputs, inputs, smoothing) for smoothing in (0.0, 0.1)]
    versions = {name: version(name) for name in ("allennlp", "torch", "transformers", "numpy")}
    write(
        FOLDER / "allennlp_tiny.json",
        {
            "made_by": "make_allennlp_fixture.py",
            "versions": {"python": platform.python_version(), **versions},
            "config": {**CONFIG, "vocab_size": CONFIG["vocab_size"] + 1, "start_id": START},
            "labels_vocabulary": LABELS,
            "d_tags_vocabulary": DETECTION,
            **{key: plain(value) for key, value in inputs.items()},
            **{key: plain(value) for key, value in outputs.items()},
            "losses": recorded,
            "keys": {key: list(value.shape) for key, value in model.state_dict().items()},
        },
    )


if __name__ == "__main__":
    main()
