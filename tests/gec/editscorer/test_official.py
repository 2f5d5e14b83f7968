"""The authors' checkpoints: their names, their architecture, their padding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from torch import nn
from transformers import AutoConfig, RobertaModel

from gec_fair.errors import InputError
from gec_fair.gec.editscorer import checkpoint
from gec_fair.gec.editscorer.official import NAMES, read_official
from gec_fair.gec.editscorer.options import Setup
from gec_fair.gec.editscorer.scoring import Scoring
from tests.cli.invoke import run
from tests.gec.editscorer.small import edit
from tests.gec.gector import tiny


class Theirs(nn.Module):
    """The published architecture, written down from its description: RoBERTa (pooler and all), one hidden layer."""

    def __init__(self, encoder: str, hidden: int = 24) -> None:
        super().__init__()
        torch.manual_seed(11)
        self.model = RobertaModel(AutoConfig.from_pretrained(encoder))
        width = self.model.config.hidden_size
        self.mlp = nn.ModuleList([nn.Linear(width, hidden), nn.ReLU()])
        self.proj_layer = nn.Linear(hidden, 1)

    def forward(self, ids: torch.Tensor, places: list[int]) -> torch.Tensor:
        states = self.model(ids).last_hidden_state[range(len(ids)), places]
        for layer in self.mlp:
            states = layer(states)
        return self.proj_layer(states)[:, 0]


def save_official(encoder: str, folder: Path) -> Theirs:
    """`checkpoint_2.pt` and `config.json` as the authors write them."""
    model = Theirs(encoder).eval()
    state = model.state_dict() | {"model.embeddings.position_ids": torch.arange(130).expand(1, -1)}
    torch.save(state, folder / "checkpoint_2.pt")
    said = {"cls": "VariantScoringModel", "position_mode": "first", "use_origin": False, "mlp_hidden": [24]}
    (folder / "config.json").write_text(json.dumps(said))
    return model


@pytest.fixture
def theirs(models, tmp_path):
    return save_official(str(models / "encoder"), tmp_path)


def test_an_imported_model_says_what_theirs_says(theirs, models, tmp_path):
    scorer = read_official(tmp_path / "checkpoint_2.pt", str(models / "encoder"), Setup())
    text, edits = ("he", "go", "home", "."), [edit(1, 2, "goes"), edit(0, 0, "every day"), edit(2, 3, "")]
    pairs = scorer.reader.pairs(text, edits)
    ids = torch.zeros((4, max(len(pair.ids) for pair in pairs)), dtype=torch.long)  # padded with 0, no mask
    for row, pair in enumerate(pairs):
        ids[row, : len(pair.ids)] = torch.tensor(pair.ids)
    with torch.inference_mode():
        expected = torch.nn.functional.logsigmoid(theirs(ids, [pair.place for pair in pairs]))
    (scores,) = Scoring(scorer)([(text, edits)])
    assert torch.allclose(torch.tensor(scores, dtype=torch.float), expected, atol=1e-5)


def test_renaming_can_be_read_backwards(theirs, models, tmp_path):
    scorer = read_official(tmp_path / "checkpoint_2.pt", str(models / "encoder"), Setup())
    back = {ours: old for old, ours in NAMES.items()}
    state = theirs.state_dict()
    for name, values in scorer.model.state_dict().items():
        ours = next(prefix for prefix in back if name.startswith(prefix))
        assert torch.equal(values, state.pop(back[ours] + name.removeprefix(ours)))
    assert all(name.startswith("model.pooler.") for name in state)


def test_the_command_converts_and_keeps_the_padding_and_the_generator(theirs, models, tmp_path):
    words = ("import", tmp_path / "checkpoint_2.pt", "--encoder", models / "encoder", "--generator", "out/gector")
    done = run("editscorer", *words, "-o", tmp_path / "ours")
    assert done.code == 0, done.stderr
    scorer = checkpoint.load(str(tmp_path / "ours"))
    assert scorer.model.config.padding_attended
    assert scorer.reader.padding_attended
    assert scorer.setup.generator == "out/gector"
    assert "attended to, as the authors' code does" in (tmp_path / "ours/README.md").read_text()
    assert "is not empty; choose another --output" in run("editscorer", *words, "-o", tmp_path / "ours").stderr


def test_another_encoder_is_refused(theirs, tmp_path):
    wrong_encoder = tiny.encoder(tmp_path / "other", hidden=64)
    with pytest.raises(InputError, match=r"its encoder is not .*other"):
        read_official(tmp_path / "checkpoint_2.pt", str(wrong_encoder), Setup())


WRONG = [
    ({"cross_attention_layer.x": torch.zeros(1)}, "cross_attention_layer.x is not part", "another architecture"),
    ({"model.x": torch.zeros(1)}, "holds no mlp.weight, mlp.bias, projection.weight", "an encoder alone"),
    ({"epoch": 3}, "other things than tensors by name", "a training state"),
]


@pytest.mark.parametrize(("content", "message", "why"), WRONG, ids=[row[2] for row in WRONG])
def test_other_files_are_told_from_checkpoints(models, tmp_path, content, message, why):
    torch.save(content, tmp_path / "x.pt")
    with pytest.raises(InputError, match=message):
        read_official(tmp_path / "x.pt", str(models / "encoder"), Setup())


@pytest.mark.parametrize("size", [0, 40, 5000])
def test_a_truncated_checkpoint_is_told(theirs, models, tmp_path, size):
    (tmp_path / "c.pt").write_bytes((tmp_path / "checkpoint_2.pt").read_bytes()[:size])
    with pytest.raises(InputError, match=r"c\.pt: is not a complete torch checkpoint .*copy it again"):
        read_official(tmp_path / "c.pt", str(models / "encoder"), Setup())


def test_a_head_that_reads_the_span_in_another_way_is_refused(theirs, models, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"position_mode": "mean"}))
    with pytest.raises(InputError, match="position_mode is 'mean'; only 'first'"):
        read_official(tmp_path / "checkpoint_2.pt", str(models / "encoder"), Setup())
