"""The recorded fixtures against today's transformers: the faithful reading, and what each likely mistake would cost.

    python tests/gec/legacy/check_fixtures.py       # torch 2.13, transformers 5.23; a few seconds, no network

A row is a way to read the checkpoint and its largest absolute difference from what the old library computed. The rows
marked `=` must stay under 1e-5 (else the exit status is 1). The rows marked `x` are wrong on purpose: a large number
there says that the fixture would catch the mistake. The code is the short and obvious version of an importer.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from transformers import BartConfig, BartForConditionalGeneration, RobertaConfig, RobertaModel

FOLDER = Path(__file__).parent
TOLERANCE = 1e-5
State = dict[str, torch.Tensor]
failures: list[str] = []


def report(mark: str, name: str, difference: float) -> None:
    print(f"  {mark} {difference:9.2e}  {name}")
    if mark == "=" and not difference <= TOLERANCE:
        failures.append(name)


def largest_difference(ours: torch.Tensor, theirs: Any, mask: torch.Tensor | None = None) -> float:
    difference = (ours - torch.tensor(theirs)).abs()
    return float(difference[mask].max() if mask is not None else difference.max())


# --- GECToR ----------------------------------------------------------------------------------------------------------

ENCODER, HEADS = "text_field_embedder.token_embedder_bert.bert_model.", ("labels", "detect")


def gector_states(
    state: State, recorded: dict[str, Any], *, ids: torch.Tensor, attend: torch.Tensor, **changed: Any
) -> torch.Tensor:
    """(batch, pieces, hidden). position_ids is a buffer and the pooler has no part in tagging: both are dropped."""
    names = RobertaConfig().to_dict().keys() & recorded["config"].keys()
    config = RobertaConfig(**{**{name: recorded["config"][name] for name in names}, **changed})
    model = RobertaModel(config, add_pooling_layer=False).eval()
    own_state = {key.removeprefix(ENCODER): value for key, value in state.items() if key.startswith(ENCODER)}
    model.load_state_dict(
        {k: v for k, v in own_state.items() if "pooler" not in k and "position_ids" not in k}, strict=True
    )
    return model(input_ids=ids, attention_mask=attend).last_hidden_state


def head(state: State, name: str, states: torch.Tensor) -> torch.Tensor:
    key = f"tag_{name}_projection_layer._module."
    return states @ state[key + "weight"].T + state[key + "bias"]


def sentence_mean(logits: torch.Tensor, gold: torch.Tensor, mask: torch.Tensor, smoothing: float) -> torch.Tensor:
    losses = cross_entropy(logits.transpose(1, 2), gold, reduction="none", label_smoothing=smoothing)
    return ((losses * mask).sum(1) / mask.sum(1)).mean()


def check_gector() -> None:
    recorded = json.loads((FOLDER / "allennlp_tiny.json").read_text("utf-8"))
    state: State = torch.load(FOLDER / "allennlp_tiny.th", weights_only=True)
    ids, offsets, mask = (torch.tensor(recorded[key]) for key in ("ids", "offsets", "mask"))
    labels, d_tags = torch.tensor(recorded["labels"]), torch.tensor(recorded["d_tags"])
    attend, rows = (ids != 0).long(), torch.arange(len(ids)).unsqueeze(1)
    faithful = gector_states(state, recorded, ids=ids, attend=attend)
    logits = {name: head(state, name, faithful[rows, offsets]) for name in HEADS}

    print("GECToR (AllenNLP)")
    for name in HEADS:
        report("=", f"logits of {name}, all positions", largest_difference(logits[name], recorded[f"logits_{name}"]))
    incorrect = recorded["d_tags_vocabulary"].index("INCORRECT")
    worst = (logits["detect"].softmax(-1)[..., incorrect] * mask).amax(1)
    report("=", "largest error probability of a sentence", largest_difference(worst, recorded["max_error_probability"]))
    for row in recorded["losses"]:
        eps = row["label_smoothing"]
        ours = sentence_mean(logits["labels"], labels, mask, eps) + sentence_mean(logits["detect"], d_tags, mask, 0)
        report("=", f"loss, label smoothing {eps}", largest_difference(ours, row["loss"]))

    def wrong(name: str, states: torch.Tensor, at: torch.Tensor = offsets) -> None:
        report("x", name, largest_difference(head(state, "labels", states[rows, at]), recorded["logits_labels"], mask))

    def read(**changed: Any) -> torch.Tensor:
        return gector_states(state, recorded, **{"ids": ids, "attend": attend, **changed})

    padded = read(ids=ids.masked_fill(attend == 0, 1))  # RoBERTa's own padding: the same under the mask
    report(
        "=",
        "ids padded with 1",
        largest_difference(head(state, "labels", padded[rows, offsets]), recorded["logits_labels"]),
    )
    wrong("no attention mask", read(attend=torch.ones_like(attend)))
    wrong("layer_norm_eps 1e-12, the class's default", read(layer_norm_eps=1e-12))
    wrong("GELU by tanh", read(hidden_act="gelu_new"))
    table = ENCODER + "embeddings.position_embeddings.weight"
    wrong(
        "positions from 0", gector_states({**state, table: state[table].roll(2, 0)}, recorded, ids=ids, attend=attend)
    )
    last = torch.cat([offsets[:, 1:] - 1, attend.sum(1, keepdim=True) - 1], 1)
    last = last.where(offsets.roll(-1, 1) > offsets, attend.sum(1, keepdim=True) - 1)
    wrong("last piece of a word", faithful, last)
    row = recorded["losses"][0]
    flat = cross_entropy(logits["labels"][mask], labels[mask]) + cross_entropy(logits["detect"][mask], d_tags[mask])
    report("x", "loss as a mean over tokens", largest_difference(flat, row["loss"]))
    row = recorded["losses"][1]
    both = sentence_mean(logits["labels"], labels, mask, 0.1) + sentence_mean(logits["detect"], d_tags, mask, 0.1)
    report("x", "loss, smoothing on both heads", largest_difference(both, row["loss"]))


# --- BART ------------------------------------------------------------------------------------------------------------


def fairseq_checkpoint(path: Path) -> dict[str, Any]:
    """`cfg` is a plain dict except for `cfg["model"]`, an argparse.Namespace: the one class beyond tensors."""
    with torch.serialization.safe_globals([argparse.Namespace]):
        return torch.load(path, weights_only=True, map_location="cpu")


def is_copy(key: str) -> bool:
    return key.rpartition(".")[2].startswith(("in_proj_", "out_proj_", "fc1_", "fc2_"))


def bart(checkpoint: dict[str, Any], **changed: Any) -> BartForConditionalGeneration:
    args, state = checkpoint["cfg"]["model"], checkpoint["model"]
    config = BartConfig(
        vocab_size=len(state["decoder.embed_tokens.weight"]),
        max_position_embeddings=len(state["decoder.embed_positions.weight"]) - 2,
        d_model=args.encoder_embed_dim,
        **{f"{s}_layers": getattr(args, f"{s}_layers") for s in ("encoder", "decoder")},
        **{f"{s}_attention_heads": getattr(args, f"{s}_attention_heads") for s in ("encoder", "decoder")},
        **{f"{s}_ffn_dim": getattr(args, f"{s}_ffn_embed_dim") for s in ("encoder", "decoder")},
        **{"activation_function": args.activation_fn, "scale_embedding": not args.no_scale_embedding, **changed},
    )
    model = BartForConditionalGeneration(config).eval()
    gone = ("encoder.version", "decoder.version", "decoder.output_projection.weight")
    model_state = {f"model.{key}": value for key, value in state.items() if key not in gone and not is_copy(key)}
    shared = state["decoder.embed_tokens.weight"]
    model_state |= {"model.shared.weight": shared, "lm_head.weight": shared}
    model_state["final_logits_bias"] = torch.zeros(1, len(shared))
    model.load_state_dict(model_state, strict=True)
    return model


def from_the_copies(state: State) -> State:
    """The encoder's layers as fairseq 0.12's stale copies have them: the weights before fine-tuning."""
    out = dict(state)
    for key, value in state.items():
        layer, _, name = key.rpartition(".")
        kind = name.rpartition("_")[2]
        if name.startswith("in_proj_"):
            for part, chunk in zip("qkv", value.chunk(3), strict=True):
                out[f"{layer}.self_attn.{part}_proj.{kind}"] = chunk
        elif name.startswith("out_proj_"):
            out[f"{layer}.self_attn.out_proj.{kind}"] = value
        elif is_copy(key):
            out[f"{layer}.{name[:3]}.{kind}"] = value
    return out


def logits_of(model: BartForConditionalGeneration, src: torch.Tensor, prev: torch.Tensor) -> torch.Tensor:
    return model(input_ids=src, attention_mask=(src != 1).long(), decoder_input_ids=prev).logits


def check_convention(checkpoint: dict[str, Any], batch: dict[str, Any]) -> None:
    model, state = bart(checkpoint), checkpoint["model"]
    src, left, prev, gold = (
        torch.tensor(batch[key]) for key in ("src_tokens", "src_tokens_left_padded", "prev_output_tokens", "target")
    )
    real = gold != 1  # what stands at padding is of no meaning in either library

    print(f"BART (fairseq), prepend_bos {batch['prepend_bos']}")
    logits = logits_of(model, src, prev)
    report("=", "logits, source padded on the right", largest_difference(logits, batch["logits"], real))
    size = logits.shape[-1]
    for row in batch["losses"]:
        ours = [
            cross_entropy(logits[real], gold[real], label_smoothing=row["label_smoothing"] * factor)
            for factor in (size / (size - 1), 1.0)
        ]
        theirs, name = row["sum"] / batch["ntokens"], f"loss a token, fairseq's smoothing {row['label_smoothing']} as"
        report("=", f"{name} e V / (V - 1)", largest_difference(ours[0], theirs))
        if row["label_smoothing"]:
            report("x", f"{name} e", largest_difference(ours[1], theirs))

    shifted = {key: value.roll(2, 0) for key, value in state.items() if "embed_positions" in key}
    for name, wrong, source in (
        ("source padded on the left, as fairseq collates", model, left),
        ("GELU by tanh", bart(checkpoint, activation_function="gelu_new"), src),
        ("embeddings scaled by sqrt(d_model)", bart(checkpoint, scale_embedding=True), src),
        ("positions from 0", bart({**checkpoint, "model": {**state, **shifted}}), src),
        ("encoder layers from the `_weight` copies", bart({**checkpoint, "model": from_the_copies(state)}), src),
    ):
        report("x", name, largest_difference(logits_of(wrong, source, prev), batch["logits"], real))


def check_bart() -> None:
    recorded = json.loads((FOLDER / "fairseq_tiny.json").read_text("utf-8"))
    checkpoint = fairseq_checkpoint(FOLDER / "fairseq_tiny.pt")
    for convention in ("prepend_bos_false", "prepend_bos_true"):
        check_convention(checkpoint, recorded[convention])


def main() -> None:
    torch.set_num_threads(1)
    with torch.no_grad():
        check_gector()
        check_bart()
    if failures:
        sys.exit(f"more than {TOLERANCE:g} apart: " + "; ".join(failures))


if __name__ == "__main__":
    main()
