"""Put a trained pipeline into the package: pruned, proven the same, with its licence and sources beside it.

GEC_FAIR_DATA=../shared/data python training/english/install.py TRAINED [--facts run.json] [--quick]
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from convert import DEV, TEST, TRAIN, data_folder, read_documents
from prune import prune, same_output

FOLDER = Path(__file__).parent
INSTALLED = FOLDER.parents[1] / "gec_fair" / "english" / "model"
LICENCE = "CC BY-SA 4.0"
COMMAND = "GEC_FAIR_DATA=../shared/data python training/english/train.py"
# (name, address, authors, licence): what the weights were trained on
SOURCES = (
    (
        "UD English EWT",
        "https://github.com/UniversalDependencies/UD_English-EWT",
        "Universal Dependencies contributors; texts: English Web Treebank (LDC2012T13)",
        "CC BY-SA 4.0",
    ),
    (
        "UD English GUM (academic, bio, conversation, court, interview, news, speech, textbook, vlog, voyage)",
        "https://github.com/UniversalDependencies/UD_English-GUM",
        "Amir Zeldes and the GUM contributors",
        "annotations CC BY 4.0; texts CC BY, CC BY-SA or public domain",
    ),
    (
        "UD English ESLSpok",
        "https://github.com/UniversalDependencies/UD_English-ESLSpok",
        "Kristopher Kyle and colleagues",
        "CC BY-SA 4.0",
    ),
    (
        "UD English Pronouns (every second template)",
        "https://github.com/UniversalDependencies/UD_English-Pronouns",
        "Robert Munro",
        "CC BY-SA 4.0",
    ),
)
PRETRAINING_SOURCES = (
    (
        "LitBank (51 novels of Project Gutenberg)",
        "https://github.com/dbamman/litbank",
        "David Bamman and colleagues",
        "texts public domain; LitBank CC BY 4.0",
    ),
    (
        "FairytaleQA (stories of Project Gutenberg)",
        "https://github.com/uci-soe/FairytaleQAData",
        "Ying Xu and colleagues",
        "Apache-2.0",
    ),
    (
        "UD English CHILDES",
        "https://github.com/UniversalDependencies/UD_English-CHILDES",
        "Universal Dependencies contributors",
        "CC BY-SA 4.0",
    ),
    (
        "Schema-Guided Dialogue",
        "https://github.com/google-research-datasets/dstc8-schema-guided-dialogue",
        "Google LLC",
        "CC BY-SA 4.0",
    ),
    (
        "WikiSplit",
        "https://github.com/google-research-datasets/wiki-split",
        "Google LLC; texts: Wikipedia authors",
        "CC BY-SA 4.0",
    ),
    (
        "BOLD (its Wikipedia prompts)",
        "https://github.com/i-gallegos/Fair-LLM-Benchmark",
        "Amazon and Wikipedia authors; collected by Isabel Gallegos and colleagues",
        "CC BY-SA 4.0",
    ),
)


def replace_folder(write: Callable[[Path], None], target: Path) -> None:
    """Write a folder beside its place and rename it there: nobody ever sees half of it."""
    fresh, old = target.with_name(target.name + ".new"), target.with_name(target.name + ".old")
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    write(fresh)
    if target.exists():
        os.replace(target, old)
    os.replace(fresh, target)
    shutil.rmtree(old, ignore_errors=True)


def sources(facts: dict) -> tuple[tuple[str, str, str, str], ...]:
    return SOURCES + (PRETRAINING_SOURCES if facts.get("pretraining") else ())


def describe(model: Path, facts: dict) -> None:
    """Fill `meta.json` and write ATTRIBUTION.md."""
    path = model / "meta.json"
    meta = json.loads(path.read_text(encoding="utf-8"))
    meta |= {
        "name": "gec_fair",
        "version": "0.1.0",
        "description": "English Penn tags, UPOS, features, UD parse and lemmas; also for learners' and tokenised text.",
        "author": "gec-fair developers",
        "license": LICENCE,
        "sources": [{"name": n, "url": u, "author": a, "license": c} for n, u, a, c in sources(facts)],
        "performance": facts.get("dev", {}),
        "training": {"command": COMMAND, **{k: v for k, v in facts.items() if k != "dev"}},
    }
    path.write_text(json.dumps(meta, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (model / "ATTRIBUTION.md").write_text(attribution(facts), encoding="utf-8")


def attribution(facts: dict) -> str:
    rows = [f"- [{name}]({url}), {author}: {licence}" for name, url, author, licence in sources(facts)]
    return "\n".join(
        (
            "# Licence and sources of this model",
            "",
            f"The files in this folder are licensed under {LICENCE} <https://creativecommons.org/licenses/by-sa/4.0/>;",
            "the licence of the code around it does not extend to them. They are weights and tables trained, with",
            "noise added to the texts, on",
            "",
            *rows,
            "",
            f"Made with `{COMMAND}`; how well it does: docs/concepts/english-pipeline.md.",
            "",
        )
    )


def comparison_texts(folder: Path, *, lines: int = 12_000) -> list[list[str]]:
    """Texts on which pruning must change nothing: all treebanks, and raw text split at spaces."""
    files = (*TRAIN, *DEV.values(), *TEST.values())
    texts = [list(s.words) for name in files for d in read_documents(folder / "ud" / name) for s in d]
    for source in ("wikipedia", "gutenberg", "dialogue"):
        with lzma.open(folder / "babylm" / "mixed7m" / f"dev.{source}.txt.xz", "rt", encoding="utf-8") as file:
            texts += [words[:200] for _, line in zip(range(lines // 3), file, strict=False) if (words := line.split())]
    return texts


def install(trained: Path, facts: dict, *, target: Path = INSTALLED, quick: bool = False) -> int:
    """Returns the number of tokens on which the pruned model was compared with the trained one."""
    pruned = trained.with_name(trained.name + ".pruned")
    prune(trained, pruned)
    texts = comparison_texts(data_folder())
    compared = same_output(trained, pruned, texts[:: 40 if quick else 1])
    describe(pruned, facts)
    replace_folder(lambda fresh: shutil.copytree(pruned, fresh), target)
    return compared


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path)
    parser.add_argument("--facts", type=Path, help="JSON of what train.py says about the run")
    parser.add_argument("--quick", action="store_true", help="compare on a fortieth of the texts")
    arguments = parser.parse_args()
    known = json.loads(arguments.facts.read_text(encoding="utf-8")) if arguments.facts else {}
    print(install(arguments.trained, known, quick=arguments.quick), "tokens compared")
