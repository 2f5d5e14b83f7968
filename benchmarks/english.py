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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "training" / "english"))

from convert import (  # noqa: E402
    DEV,
    PRONOUNS,
    TEST,
    TRAIN,
    Document,
    Sentence,
    data_folder,
    read_documents,
    test_documents,
    to_doc,
)

from gec_fair.english import pipeline  # noqa: E402
from gec_fair.english.agreement import agreeing  # noqa: E402
from gec_fair.english.paradigms import Form  # noqa: E402
from gec_fair.english.pronouns import form_of  # noqa: E402

RESULT = ROOT / "benchmarks" / "results" / "english.json"
SUBJECTS = ("nsubj", "nsubj:pass", "nsubjpass")
HELPERS = ("aux", "aux:pass", "auxpass", "cop")
REPEATS = 5

Words = Sequence[str]
Parsed = list[Sentence]  # predicted sentences, same record as the gold ones


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


# --- what a document looks like to the pipeline --------------------------------------------------------------------


def flat(document: Document) -> Sentence:
    """A document as one record; heads are indices into the document, a sentence's root is its own head."""
    return _record(to_doc(VOCAB(), document))


def VOCAB():  # noqa: N802
    from spacy.vocab import Vocab

    return Vocab(strings=[])


def _record(doc) -> Sentence:
    return Sentence(
        words=tuple(t.text for t in doc),
        spaces=tuple(bool(t.whitespace_) for t in doc),
        lemmas=tuple(t.lemma_ for t in doc),
        pos=tuple(t.pos_ for t in doc),
        tags=tuple(t.tag_ for t in doc),
        morphs=tuple(str(t.morph) for t in doc),
        heads=tuple(t.head.i for t in doc),
        deps=tuple(t.dep_ for t in doc),
    )


def parse_words(nlp, golds: Sequence[Sentence]) -> list[Sentence]:
    return [_record(doc) for doc in parse_docs(nlp, golds)]


def parse_docs(nlp, golds: Sequence[Sentence]) -> Iterator:
    return pipeline.parse(nlp, (g.words for g in golds), (g.spaces for g in golds), batch_size=32)


# --- gold tokens ---------------------------------------------------------------------------------------------------


def accuracy(golds: Sequence[Sentence], predictions: Sequence[Sentence]) -> dict[str, float]:
    """Percent of tokens; columns that the treebank leaves unknown are not counted."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for gold, guess in zip(golds, predictions, strict=True):
        for i in range(len(gold)):
            _count(gold, guess, i, right, total)
    return {name: round(100 * right[name] / total[name], 2) for name in total}


def _count(gold: Sentence, guess: Sentence, i: int, right: Counter[str], total: Counter[str]) -> None:
    head = gold.heads[i] == guess.heads[i]
    checks = {
        "tag": gold.tags[i] == guess.tags[i],
        "uas": head,
        "las": head and _label(gold.deps[i]) == _label(guess.deps[i]),
        "las universal": head and _label(gold.deps[i]).split(":")[0] == _label(guess.deps[i]).split(":")[0],
    }
    if gold.deps[i] != "punct":
        checks |= {"uas no punct": head, "las no punct": checks["las"]}
    if gold.lemmas[i]:
        checks["upos"] = gold.pos[i] == guess.pos[i]
        checks["lemma"] = gold.lemmas[i] == guess.lemmas[i]
        checks["lemma no case"] = gold.lemmas[i].lower() == guess.lemmas[i].lower()
    for name, good in checks.items():
        total[name] += 1
        right[name] += good


def _label(dep: str) -> str:
    return "root" if dep == "ROOT" else dep


# --- raw text ------------------------------------------------------------------------------------------------------


def raw_scores(nlp, documents: Sequence[Document]) -> dict[str, float]:
    """F1 on raw text: a token is found if it covers the same characters; its tag, lemma, head must be right too."""
    golds = [to_doc(nlp.vocab, document) for document in documents]
    right: Counter[str] = Counter()
    sizes = [0, 0, 0, 0]
    for gold, guess in zip(golds, nlp.pipe([gold.text for gold in golds], batch_size=32), strict=True):
        one, two = _by_characters(gold), _by_characters(guess)
        sizes[0] += len(one)
        sizes[1] += len(two)
        for span in one.keys() & two.keys():
            a, b = one[span], two[span]
            head = a["head"] == b["head"]
            right["tokens"] += 1
            right["uas"] += head
            right["las"] += head and a["dep"] == b["dep"]
            for name in ("tag", "upos", "lemma"):
                right[name] += a[name] == b[name]
        first, second = _sentence_spans(gold), _sentence_spans(guess)
        sizes[2] += len(first)
        sizes[3] += len(second)
        right["sentences"] += len(first & second)
    scores = {name: round(200 * n / (sizes[0] + sizes[1]), 2) for name, n in right.items() if name != "sentences"}
    return scores | {"sentences": round(200 * right["sentences"] / (sizes[2] + sizes[3]), 2)}


def _spans(doc) -> list[tuple[int, int]]:
    """Character spans in the text without its spaces; white-space tokens are empty."""
    spans, at = [], 0
    for token in doc:
        size = len("".join(token.text.split()))
        spans.append((at, at + size))
        at += size
    return spans


def _by_characters(doc) -> dict[tuple[int, int], dict]:
    spans = _spans(doc)
    return {
        spans[t.i]: {
            "tag": t.tag_,
            "upos": t.pos_,
            "lemma": t.lemma_,
            "dep": _label(t.dep_),
            "head": spans[t.head.i] if t.head.i != t.i else None,
        }
        for t in doc
        if not t.is_space
    }


def _sentence_spans(doc) -> set[tuple[int, int]]:
    spans = _spans(doc)
    return {(spans[s.start][0], spans[s.end - 1][1]) for s in doc.sents}


# --- her, his ------------------------------------------------------------------------------------------------------


def possessive(label: str) -> bool:
    return label in ("nmod:poss", "poss")


def her_errors(golds: Sequence[Sentence], docs: Iterable) -> dict[str, int]:
    """How often `her` (possessive or object) and `his` (before a noun or alone) are decided wrongly by the rule that
    the augmenter uses (`pronouns.form_of`), and by label or tag alone."""
    counts: Counter[str] = Counter()
    for gold, doc in zip(golds, docs, strict=True):
        for i, word in enumerate(gold.words):
            lower = word.lower()
            if lower not in ("her", "his"):
                continue
            truth = gold.tags[i] == "PRP$" if lower == "her" else possessive(gold.deps[i])
            counts[lower] += 1
            counts[f"{lower} possessive"] += truth
            counts[f"{lower} wrong"] += truth != (form_of(doc[i]) is Form.DETERMINER)
            counts[f"{lower} wrong by label"] += truth != possessive(doc[i].dep_)
            counts[f"{lower} wrong by tag"] += truth != (doc[i].tag_ == "PRP$")
    return dict(counts)


# --- agreement -----------------------------------------------------------------------------------------------------


def reinflected(sentence: Sentence) -> set[int]:
    """Tokens that must change when he/she becomes they: present -s forms and *was*, which agree with a he/she subject.

    The agreeing token of a clause is its first auxiliary or copula, else its head; a conjunct without a subject of its
    own shares the first one's; a relative clause on he/she (*she who knows*) agrees through its relative pronoun.
    """
    children: dict[int, list[int]] = {}
    for i, head in enumerate(sentence.heads):
        if head != i:
            children.setdefault(head, []).append(i)
    found: set[int] = set()
    for i, word in enumerate(sentence.words):
        if word.lower() not in ("he", "she"):
            continue
        if sentence.deps[i] in SUBJECTS:
            found |= set(_agreeing(sentence, children, sentence.heads[i]))
        for clause in children.get(i, ()):
            if sentence.deps[clause] in ("acl:relcl", "relcl") and _relative_subject(sentence, children, clause):
                found |= set(_agreeing(sentence, children, clause))
    return {i for i in found if _shows_agreement(sentence.words[i], sentence.tags[i])}


def _shows_agreement(word: str, tag: str) -> bool:
    """A learner's *every step he take*, tagged VBZ, has nothing to change."""
    return (tag == "VBZ" and word.lower().endswith("s")) or word.lower() == "was"


def _relative_subject(sentence: Sentence, children: dict[int, list[int]], clause: int) -> bool:
    return any(
        sentence.deps[c] in SUBJECTS and sentence.words[c].lower() in ("who", "that", "which")
        for c in children.get(clause, ())
    )


def _agreeing(sentence: Sentence, children: dict[int, list[int]], predicate: int) -> Iterator[int]:
    """A clause that is itself a predicate (*our position is that he has to go*) hangs on its inner verb in UD, and so
    does the outer copula: where there is an outer subject, only what follows the inner one can agree with it."""
    below = children.get(predicate, [])
    outer = any(sentence.deps[c] == "nsubj:outer" for c in below)
    inner = max((c for c in below if sentence.deps[c] in SUBJECTS), default=-1) if outer else -1
    yield next((c for c in below if c > inner and sentence.deps[c] in HELPERS), predicate)
    for c in below:
        own = any(sentence.deps[g].startswith(("nsubj", "csubj", "expl")) for g in children.get(c, ()))
        if sentence.deps[c] == "conj" and not own:
            yield from _agreeing(sentence, children, c)


def agreement(golds: Sequence[Sentence], docs: Iterable) -> Counter[str]:
    """What the augmenter's own code (`agreement.agreeing`) finds in predicted parses, against the gold trees; and, as
    `found by labels`, what `reinflected` finds in predicted parses."""
    counts: Counter[str] = Counter()
    for gold, doc in zip(golds, docs, strict=True):
        truth, by_labels = reinflected(gold), reinflected(_record(doc))
        subjects = [t for t in doc if form_of(t) is Form.NOMINATIVE]
        found = {v.i for t in subjects for v in agreeing(t) if _shows_agreement(v.text, v.tag_)}
        counts.update(gold=len(truth), found=len(found), right=len(truth & found))
        counts.update({"found by labels": len(by_labels), "right by labels": len(truth & by_labels)})
    return counts


# --- size, load, speed ---------------------------------------------------------------------------------------------


def folder_bytes(path: Path) -> int:
    return sum(p.stat().st_size for p in path.rglob("*") if p.is_file())


def load_seconds(name: str) -> float:
    """Median time of `load` in fresh processes, `import spacy` not counted."""
    code = (
        "import sys, time, spacy; from gec_fair.english import pipeline; t = time.perf_counter();"
        "pipeline.load(sys.argv[1]); print(time.perf_counter() - t)"
    )
    runs = [subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, check=True, cwd=ROOT)
            for _ in range(REPEATS)]  # fmt: skip
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


# --- the table -----------------------------------------------------------------------------------------------------


def all_files() -> dict[str, list[str]]:
    return {"train": list(TRAIN), "dev": list(DEV.values()), "test": list(TEST.values()), "pronouns": [PRONOUNS]}


def measure_pronouns(nlp, folder: Path) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {"all": Counter(), "unseen (dev and test)": Counter()}
    for part, files in all_files().items():
        golds = [flat(d) for name in files for d in read_documents(folder / name)]
        found = her_errors(golds, parse_docs(nlp, golds))
        counts["all"].update(found)
        if part in ("dev", "test"):
            counts["unseen (dev and test)"].update(found)
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
    names = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []  # fmt: skip  # noqa: E501
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
