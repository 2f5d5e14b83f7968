"""The encoder as it is committed: weights in half precision, 2 bytes each.

gec-fair pretrain mlm training/from-scratch/encoder.yaml -o out/encoder
python training/from-scratch/halve.py out/encoder/best training/from-scratch/encoder
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

MOST = 16_000_000  # bytes of weights that a repository can carry


def main(source: Path, target: Path) -> None:
    model = AutoModelForMaskedLM.from_pretrained(source, dtype=torch.float32)
    model.half().save_pretrained(target)
    AutoTokenizer.from_pretrained(source).save_pretrained(target)
    manifest = json.loads((source.parent / "manifest.json").read_text(encoding="utf-8"))
    (target / "made.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    size = (target / "model.safetensors").stat().st_size
    parameters = sum(p.numel() for p in model.parameters())
    print(f"{target}  {parameters:,} parameters, {size:,} bytes, validation loss {manifest['result']['loss']}")
    if size > MOST:
        sys.exit(f"{size:,} bytes are more than {MOST:,}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
