"""Every bar of the English pipeline in one table: quality on treebanks, `her`, agreement, size, load time, speed.

    python benchmarks/english.py [--data DIR] [--model NAME|PATH] [--no-speed]

Quality is counted on gold tokens (whole documents, sentence borders found by the parser, punctuation counts) and on raw
text (the pipeline's own tokens, matched by their characters as the CoNLL 2018 scorer does). Speed is a ratio to spaCy's
efficiency preset with the same components, trained for a moment on the same treebank, on the same documents, in turn.
Writes benchmarks/results/english.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from _english_pronouns import agreement, her_errors
from _english_trees import accuracy, flat, parse_docs, parse_words, raw_scores
from convert import DEV, PRONOUNS, TEST, TRAIN, Document, data_folder, read_documents, test_documents, to_doc

from gec_fair.english import pipeline

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "english.json"
REPEATS = 5

Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure, what it must reach, and from which side; `least` None: reported only."""

    name: str
    value: float
    least: float | None = None
    most: float | None = None
    unit: str = "%"

    @property
    def verdict(self) -> str:
        if self.least is None and self.most is None:
            return ""
        good = (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)
        return "reached" if good else "MISSED"

    @property
    def bound(self) -> str:
        return f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}" if self.most is not None else ""


def folder_bytes(path: Path) -> int:
    return sum(p.stat().st_size for p in path.rglob("*") if p.is_file())


def load_seconds(name: str) -> float:
    """Median time of `load` in fresh processes, `import spacy` not counted."""
    code = (
        "import sys, time, spacy; from gec_fair.english import pipeline; t = time.perf_counter();"
        "pipeline.load(sys.argv[1]); print(time.perf_counter() - t)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, check=True, cwd=ROOT)
        for _ in range(REPEATS)
    ]
    return statistics.median(float(run.stdout) for run in runs)


def efficiency_preset(documents: Sequence[Document], *, steps: int = 150):
    """spaCy's efficiency preset with our components, trained for `steps` small batches: its parser must find roughly
    the same structures, for a parser's time depends on what it finds."""
    from spacy.cli.init_config import init_config
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.util import load_model_from_config

    parts = ["tagger", "morphologizer", "parser", "trainable_lemmatizer"]
    nlp = load_model_from_config(init_config(lang="en", pipeline=parts, optimize="efficiency"), auto_fill=True)
    golds = [to_doc(nlp.vocab, d[i : i + 5]) for d in documents for i in range(0, len(d), 5)]
    examples = [Example(Doc(nlp.vocab, words=[t.text for t in g]), g) for g in golds]
    optimizer = nlp.initialize(lambda: examples)
    for step in range(steps):
        nlp.update(examples[step * 8 % len(examples) :][:8], sgd=optimizer)
    return nlp


def words_per_second(run: Callable[[], Iterable[object]], words: int) -> float:
    begin = time.perf_counter()
    for _ in run():
        pass
    return words / (time.perf_counter() - begin)


def speeds(nlp, peer, texts: list[Words]) -> dict[str, float]:
    """Median words/s over `REPEATS` turns; all three see every text in every turn."""
    words = sum(map(len, texts))
    runs: dict[str, Callable[[], Iterable[object]]] = {
        "ours": lambda: pipeline.parse(nlp, texts),
        "ours, tags alone": lambda: pipeline.tag(nlp, texts),
        "efficiency preset": lambda: peer.pipe(pipeline.docs(peer, texts)),
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(REPEATS):
        for name, run in runs.items():
            times[name].append(words_per_second(run, words))
    return {name: round(statistics.median(values)) for name, values in times.items()}


def all_files() -> dict[str, list[str]]:
    return {"train": list(TRAIN), "dev": list(DEV.values()), "test": list(TEST.values()), "pronouns": [PRONOUNS]}


def measure_pronouns(nlp, folder: Path) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {"all": Counter(), "unseen (dev and test)": Counter()}
    for part, files in all_files().items():
        golds = [flat(d) for name in files for d in read_documents(folder / name)]
        errors = her_errors(golds, parse_docs(nlp, golds))
        counts["all"].update(errors)
        if part in ("dev", "test"):
            counts["unseen (dev and test)"].update(errors)
    return {name: dict(c) for name, c in counts.items()}


def quality(nlp, folder: Path) -> dict:
    tests = test_documents(folder)
    golds = {name: [flat(d) for d in documents] for name, documents in tests.items()}
    guesses = {name: parse_words(nlp, sentences) for name, sentences in golds.items()}
    single = [flat([s]) for d in tests["EWT"] for s in d]
    return {
        "gold tokens": {name: accuracy(golds[name], guesses[name]) for name in tests},
        "gold tokens, one sentence at a time": {"EWT": accuracy(single, parse_words(nlp, single))},
        "raw text": {name: raw_scores(nlp, tests[name]) for name in ("EWT", "GUM")},
        "agreement": dict(sum((agreement(golds[name], parse_docs(nlp, golds[name])) for name in tests), Counter())),
        "pronouns": measure_pronouns(nlp, folder),
    }


def bars(figures: dict) -> list[Bar]:
    ewt, her, agree = figures["gold tokens"]["EWT"], figures["pronouns"]["all"], figures["agreement"]
    table = [
        Bar("tag (EWT test, gold tokens)", ewt["tag"], 94),
        Bar("UAS", ewt["uas"], 86),
        Bar("LAS", ewt["las"], 82.5),
        Bar("lemma", ewt["lemma"], 96),
        Bar("lemma, ignoring case", ewt["lemma no case"], 98.3),
        Bar("her wrong, by the rule used", 100 * her["her wrong"] / her["her"], most=3),
        Bar("agreement precision", 100 * agree["right"] / agree["found"], 99.5),
        Bar("agreement recall", 100 * agree["right"] / agree["gold"], 97.5),
    ]
    if "size" in figures:
        table.append(Bar("size on disk", figures["size"] / 1e6, most=9, unit="MB"))
    if "speed" in figures:
        speed = figures["speed"]
        table.append(Bar("load time", figures["load"], most=0.5, unit="s"))
        table.append(Bar("words/s ÷ efficiency preset", speed["ours"] / speed["efficiency preset"], 0.9, unit="×"))
    return table


def show(figures: dict) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("bar", "figure", "must be", "", title=figures["model"])
    for bar in bars(figures):
        table.add_row(bar.name, f"{bar.value:.2f} {bar.unit}", bar.bound, bar.verdict)
    Console(width=100).print(table)
    print(json.dumps({k: v for k, v in figures.items() if k not in ("model", "machine", "versions")}, indent=1))


def machine() -> dict[str, object]:
    import numpy
    import spacy
    import thinc

    versions = {m.__name__: m.__version__ for m in (spacy, thinc, numpy)} | {"python": platform.python_version()}
    return {
        "machine": {"cpu": _cpu(), "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1)},
        "versions": versions,
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    names = (
        [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
        if info.exists()
        else []
    )
    return names[0] if names else platform.processor()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=data_folder(), help="the folder that holds ud/")
    parser.add_argument("--model", default=pipeline.EMBEDDED, help="embedded, a package's name, or a path")
    parser.add_argument("--no-speed", action="store_true", help="quality alone")
    parser.add_argument("--output", type=Path, default=RESULT)
    arguments = parser.parse_args()
    folder = arguments.data / "ud"
    nlp = pipeline.load(arguments.model)
    figures: dict = {"model": pipeline.version(nlp), "command": "python benchmarks/english.py", **machine()}
    if not arguments.no_speed:
        peer = efficiency_preset(read_documents(folder / DEV["EWT"]))
        texts = [s.words for name in TEST.values() for d in read_documents(folder / name) for s in d]
        figures |= {"load": load_seconds(arguments.model), "speed": speeds(nlp, peer, texts)}
    figures |= quality(nlp, folder)
    if nlp.path is not None:
        figures["size"] = folder_bytes(Path(nlp.path))
    figures["bars"] = [{"name": b.name, "value": round(b.value, 3), "verdict": b.verdict} for b in bars(figures)]
    show(figures)
    arguments.output.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
