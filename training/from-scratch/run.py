"""The paper's effect, from nothing but public text and W&I: a base tagger, then systems 1-4 over several seeds.

    make experiment-small      two cores, under a quarter of an hour
    make from-scratch          two cores, an evening; what is finished is not run again
    make experiment-pretrained the same from a pretrained encoder (GEC_FAIR_WEIGHTS): a GPU, or a day on two cores

Training, augmentation and evaluation are commands of gec-fair, printed as they run; what is finished is not run again.
GEC_FAIR_DATA is a folder with novels, W&I and BEA-dev; docs/how-to/from-scratch.md names its files. What is lacking is
reported at the beginning. `--prepare` and `--outputs` have the training done by a machine with a GPU and without these
data, spaCy and ERRANT.

    novels ── sentences ── noise ──┐
    W&I ── nine tenths ────────────┴─ base tagger ─┬─ system 1  original pairs
         │                            on the       ├─ system 2  + singular they
         │                            encoder      ├─ system 3  + the other gender
         └─ a tenth: wi-held-st, wi-held-mf        └─ system 4  + both
    fairy tales, Wikipedia ── noise: unseen-st, at full size
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.errors import GecFairError, MissingResource, UsageError

if TYPE_CHECKING:
    from gec_fair.gec.experiment.options import Experiment

FOLDER = Path(__file__).parent
HELD, DEV = 10, 20  # one sentence in ten is held out for evaluation, one in twenty of the others for choices
SETS = {"they-probe": "", "they-probe-mf": "", "bea-195-first95": "bea-195", "bea-556-first273": "bea-556"}
"""What is judged on, and the public set that stands in where a part of it is not here."""
FIRST = 2192  # sentences of BEA-dev
BEA_DEV = f"bea-dev.first{FIRST}.m2"
CLAIM, OUTCOME = "made-from.json", "told.json"  # what a folder was made from; what came of it the first time
LEAST = 5.0  # F0.5 of the base tagger under which the experiment has failed
ENCODER, WEIGHTS, SMALL = "encoder", "model.safetensors", "small.safetensors"
NEEDED = (CLAIM, "mix", "base.tsv", "wi-dev.tsv", "wi-dev.m2", BEA_DEV, "vocab", "sets", "evalsets", ENCODER)
"""What training and judging read in a prepared folder; in this order xz finds pairs of the mixes in base.tsv again."""


@dataclass(frozen=True)
class Size:
    """How much of everything; steps are chosen for two cores."""

    novels: int  # sentences that base training sees with errors
    copies: int  # times that each corrected W&I sentence is given other errors
    mixed: int  # synthetic pairs among the original pairs of the mixes
    augmented: int  # augmented pairs of each kind in the mixes
    from_all: bool  # augment everything that the base saw, or the original pairs of the mixes alone
    judge_all: bool  # every set and the whole development set, or the singular-they sets
    unseen: int  # sentences of texts that no training saw, given errors for the set unseen-st
    seeds: int
    surest: bool = False  # the mixes take the surest augmented pairs, or a random sample
    base: tuple[str, ...] = ()
    tuned: tuple[str, ...] = ()


SIZES = {
    "small": Size(
        60_000,
        1,
        20_000,
        10_000,
        from_all=False,
        judge_all=False,
        unseen=0,
        seeds=2,
        base=("training.steps=1200",),
        tuned=("settings.training.steps=150",),
    ),
    "full": Size(
        400_000,
        3,
        60_000,
        40_000,
        from_all=False,
        judge_all=True,
        unseen=20_000,
        seeds=10,
        surest=True,
    ),
}


@dataclass(frozen=True)
class Inputs:
    """Files of GEC_FAIR_DATA, and names of evaluation sets."""

    learners: list[Path]
    novels: Path
    dev: Path
    more_learners: list[Path]
    sets: list[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", choices=SIZES)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--encoder", default=str(FOLDER / "encoder"), help="Its folder; else the committed one.")
    for part, model in (("base", "the base tagger"), ("tuned", "systems 1-4")):
        parser.add_argument(f"--{part}", action="append", default=[], metavar="KEY=VALUE", help=f"a setting of {model}")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--prepare", type=Path, metavar="FILE.tar.xz", help="train nothing; pack what training needs")
    parser.add_argument(
        "--outputs", type=Path, metavar="FILE.tar.xz", help="a prepared folder: train, score nothing; pack the outputs"
    )
    arguments = parser.parse_args()
    start, is_new = time.monotonic(), not arguments.output.exists()
    is_prepared = (arguments.output / ENCODER / SMALL).exists()
    size = claimed(arguments.output) if is_prepared else SIZES[arguments.size]
    size = replace(size, base=(*size.base, *arguments.base), tuned=(*size.tuned, *arguments.tuned))
    try:
        if arguments.outputs and not is_prepared:
            raise UsageError(f"{arguments.output} is not prepared: unpack there what --prepare packed")
        read = None if is_prepared else inputs(size, data())
        start_from = str(arguments.output / ENCODER) if is_prepared else arguments.encoder
        place = (arguments.output, start_from, arguments.workers)
        if arguments.prepare:
            prepare_elsewhere(size, read, *place, arguments.prepare)
            return
        if arguments.outputs:
            predict(size, *place, arguments.outputs)
            return
        f05 = run(size, read, *place)
    except GecFairError as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)
    minutes = (time.monotonic() - start) / 60
    # how long a part of it took says nothing
    outcome = {"size": arguments.size, "f0.5": f05, "minutes": round(minutes, 1) if is_new else None}
    make(arguments.output / OUTCOME, lambda: [json.dumps(outcome)])
    print(f"{minutes:.1f} minutes; base tagger F0.5 {f05:.2f} on bea-dev.first2192")
    if f05 < LEAST:
        sys.exit(f"the base tagger's F0.5 is under {LEAST}: something is broken")


def data() -> Path:
    if not (folder := os.environ.get("GEC_FAIR_DATA")):
        raise UsageError("set GEC_FAIR_DATA, the folder of the data; docs/how-to/from-scratch.md says what is in it")
    return Path(folder)


def inputs(size: Size, data: Path) -> Inputs:
    """All that is read, looked at before anything is made. Raises MissingResource if one is missing."""
    os.environ["GEC_FAIR_EVALSETS"] = os.pathsep.join(
        [str(data / "bea/evalsets"), os.environ.get("GEC_FAIR_EVALSETS", "")]
    )
    from gec_fair.evaluate.evalsets.catalogue import present

    present_sets = set(present())
    wanted = [name for name in SETS if size.judge_all or not ("mf" in name or "556" in name)]
    sets = {
        name: next((candidate for candidate in (name, SETS[name]) if candidate in present_sets), "") for name in wanted
    }
    pairs = (sorted((data / "gec/wi_train").glob(f"[ABC].train{end}")) for end in (".tsv", ".gold.bea19.m2"))
    texts = [f"{part}.{kind}.txt.xz" for kind in ("fairytales", "wikipedia") for part in ("train", "dev")]
    cut, official = (data / "bea" / name for name in (f"bea-dev.first{FIRST}.m2", "ABCN.dev.gold.bea19.m2"))
    inputs = Inputs(
        learners=next(filter(None, pairs), []),
        novels=data / "babylm/gutenberg100.txt.xz",
        dev=official if official.exists() and not cut.exists() else cut,
        more_learners=[data / "babylm/mixed7m" / name for name in texts] if size.unseen else [],
        sets=list(sets.values()),
    )
    missing = [str(path) for path in (inputs.novels, inputs.dev, *inputs.more_learners) if not path.is_file()]
    missing += [f"the set {SETS[name]} (gec-fair evalset fetch {SETS[name]})" for name in wanted if not sets[name]]
    if not inputs.learners:
        missing.append(f"{data}/gec/wi_train/A.train.tsv or A.train.gold.bea19.m2, and B, C")
    if missing:
        raise MissingResource("\n  ".join(["not here, see docs/how-to/from-scratch.md:", *missing]))
    return inputs


def claim(out: Path, size: Size, inputs: Inputs, encoder: str) -> None:
    """The folder is for one experiment: what is in it was made from these."""
    from gec_fair.runs.digests import file_digest

    files = [
        *inputs.learners,
        inputs.novels,
        inputs.dev,
        Path(encoder) / WEIGHTS,
        *inputs.more_learners,
        *(FOLDER / name for name in ("base.yaml", "systems.yaml", "noise.toml")),
    ]
    made_from = {"size": asdict(size), "files": [file_digest(path) for path in files]}
    text = json.dumps(made_from, indent=1)
    make(out / CLAIM, lambda: [text])
    if "\n".join(lines(out / CLAIM)) != text:
        raise UsageError(f"{out} was made at another size or from other files ({out / CLAIM}); choose another -o")


def claimed(out: Path) -> Size:
    return Size(**json.loads((out / CLAIM).read_text(encoding="utf-8"))["size"])


def run(size: Size, inputs: Inputs | None, out: Path, encoder: str, workers: int) -> float:
    """Every step in order; answers the base tagger's F0.5. Without inputs the folder is a prepared one."""
    if inputs:
        prepare(size, inputs, out, encoder, workers)
    base = train_base(size, out, encoder, workers)
    step(base / "decoding.yaml", "gector", "predict", base, "--tune", out / "wi-dev.m2", "--save", "--workers", workers)
    f05 = score(base, out / BEA_DEV, out, workers)
    settings = [FOLDER / "systems.yaml", "-o", out / "systems", *sets(changes(size, out)), "--workers", workers]
    command("experiment", "run", *settings)
    command("experiment", "table", *settings)
    return f05


def prepare(size: Size, inputs: Inputs, out: Path, encoder: str, workers: int) -> None:
    """Everything that needs no trained model."""
    out.mkdir(parents=True, exist_ok=True)
    claim(out, size, inputs, encoder)
    copy_sets(inputs.sets, out / "evalsets")
    prepare_base(size, inputs, out, workers)
    synthetic = [line for n, line in enumerate(lines(out / "novels.tsv")) if n < size.mixed]
    make(out / "orig.tsv", lambda: (*lines(out / "wi-train.tsv"), *synthetic))
    pairs = out / ("base.tsv" if size.from_all else "orig.tsv")
    for method in ("st", "fm"):
        step(out / method / "manifest.json", "augment", method, pairs, "-o", out / method, "--workers", workers)
    step(
        out / "mix/manifest.json",
        "mix",
        out / "orig.tsv",
        "--st",
        out / "st",
        "--mf",
        out / "fm",
        "--per-kind",
        size.augmented,
        *(["--surest"] if size.surest else []),
        "-o",
        out / "mix",
    )
    m2(out / "wi-held.tsv", out / "wi-held.m2", workers)
    built = [("st", "wi-held-st", "wi-held.m2"), ("fm", "wi-held-mf", "wi-held.m2")]
    if size.unseen:
        unseen(inputs.more_learners, size.unseen, out, workers)
        built.append(("st", "unseen-st", "unseen.m2"))
    for transform, name, edits in built:
        step(
            out / "sets" / name / "manifest.json",
            "evalset",
            "build",
            "--transform",
            transform,
            "--from",
            out / edits,
            "-o",
            out / "sets" / name,
        )


def prepare_base(size: Size, inputs: Inputs, out: Path, workers: int) -> None:
    """What the base tagger learns from and is tuned on."""
    development(inputs.dev, out)
    split(inputs.learners, out)
    step(out / "novels.txt", "sentences", inputs.novels, "--limit", size.novels, "-o", out / "novels.txt")
    make(out / "wi-right.txt", lambda: (line.split("\t")[1] for line in lines(out / "wi-train.tsv")))
    step(out / "novels.tsv", "noise", out / "novels.txt", "-o", out / "novels.tsv")
    step(out / "wi-noisy.tsv", "noise", out / "wi-right.txt", "--copies", size.copies, "-o", out / "wi-noisy.tsv")
    # W&I twice: its errors are the real ones
    parts = [out / name for name in ("wi-train.tsv", "wi-train.tsv", "wi-noisy.tsv", "novels.tsv")]
    make(out / "base.tsv", lambda: (line for part in parts for line in lines(part)))
    step(
        out / "vocab/labels.txt",
        "gector",
        "vocab",
        out / "base.tsv",
        "--size",
        4000,
        "--add-pronouns",
        "-o",
        out / "vocab",
    )
    m2(out / "wi-dev.tsv", out / "wi-dev.m2", workers)


def copy_sets(names: Iterable[str], folder: Path) -> None:
    """The files of evaluation sets, where GEC_FAIR_EVALSETS finds them."""
    from gec_fair.evaluate.evalsets.catalogue import find

    for evalset in map(find, names):
        (folder / evalset.name).mkdir(parents=True, exist_ok=True)
        sides = (evalset.orig, evalset.aug)
        paths = [path for side in sides for path in (side.source, side.target, side.m2)]
        for path in filter(None, (*paths, evalset.items)):
            if not (folder / evalset.name / path.name).exists():
                shutil.copy(path, folder / evalset.name)


def train_base(size: Size, out: Path, encoder: str, workers: int) -> Path:
    """The folder of the base tagger."""
    grow(Path(encoder))
    step(
        out / "base/manifest.json",
        "gector",
        "train",
        FOLDER / "base.yaml",
        "--start",
        encoder,
        "--train",
        out / "base.tsv",
        "--dev",
        out / "wi-dev.tsv",
        "--set",
        f"labels={out / 'vocab/labels.txt'}",
        *sets(size.base),
        "-o",
        out / "base",
        "--workers",
        workers,
    )
    return out / "base/best"


def changes(size: Size, out: Path) -> tuple[str, ...]:
    """What systems.yaml lacks; its sets are found in the folder from here on."""
    os.environ["GEC_FAIR_EVALSETS"] = str(out / "evalsets")
    base = out / "base/best"
    evalsets = [name for both in SETS.items() for name in both if name and (out / "evalsets" / name).is_dir()]
    built = ["wi-held-st", *["wi-held-mf"] * size.judge_all, *["unseen-st"] * bool(size.unseen)]
    judged = [*evalsets, *(str(out / "sets" / name) for name in built)]
    full = f"full='{out / BEA_DEV if size.judge_all else ''}'"  # quoted: nothing would be YAML's null
    return (
        f"mix={out / 'mix'}",
        f"seeds={size.seeds}",
        f"settings.start={base}",
        f"baseline={base}",
        full,
        f"settings.dev={out / 'wi-dev.tsv'}",
        f"sets=[{', '.join(judged)}]",
        *size.tuned,
    )


def experiment(size: Size, out: Path) -> tuple[Experiment, Any]:
    from gec_fair.config.settings import changes_of
    from gec_fair.gec.experiment.options import read_experiment

    return read_experiment(FOLDER / "systems.yaml", changes=changes_of(changes(size, out), example=""))


def prepare_elsewhere(size: Size, inputs: Inputs | None, out: Path, encoder: str, workers: int, file: Path) -> None:
    """Prepare the folder and pack it for another machine; what is to be compared in the end is noted here."""
    from gec_fair.gec.experiment.running import tell_what_is_there
    from gec_fair.trainer import loop

    if inputs:
        prepare(size, inputs, out, encoder, workers)
        tell_what_is_there(experiment(size, out)[0], out / "systems")
        loop.replace(out / ENCODER, partial(shrink, Path(encoder)))
    paths = [path for name in NEEDED for path in ((out / name).rglob("*") if (out / name).is_dir() else [out / name])]
    pack(file, out, [path for path in paths if path.is_file() and path != out / ENCODER / WEIGHTS])


def shrink(encoder: Path, folder: Path) -> None:
    """An encoder in few bytes that come back as they were: a tensor with at most 256 different values, as one of int8
    weights that were made float again, becomes these and a byte a place."""
    import torch
    from safetensors.torch import load_file, save_file

    small = {}
    for name, tensor in load_file(encoder / WEIGHTS).items():
        values, places = torch.unique(tensor, return_inverse=True)
        is_few = len(values) <= 256 < tensor.numel()
        small |= {f"{name}|values": values, f"{name}|places": places.byte()} if is_few else {name: tensor}
    save_file(small, folder / SMALL)
    for path in encoder.iterdir():
        if path.suffix in (".json", ".txt"):
            shutil.copy(path, folder)


def grow(folder: Path) -> None:
    """The weights of a shrunken encoder."""
    if (folder / WEIGHTS).exists() or not (folder / SMALL).exists():
        return
    from safetensors.torch import load_file, save_file

    small = load_file(folder / SMALL)
    for name in [name for name in small if name.endswith("|values")]:
        values, places = small.pop(name), small.pop(name.replace("|values", "|places"))
        small[name.removesuffix("|values")] = values[places.int()]
    save_file(small, folder / "unfinished", metadata={"format": "pt"})
    os.replace(folder / "unfinished", folder / WEIGHTS)


def predict(size: Size, out: Path, encoder: str, workers: int, file: Path) -> None:
    """Train the base tagger and all cells in one process, and pack what they write; a cut run packs what is finished.
    `gec-fair compare` scores it, where spaCy and ERRANT are."""
    from gec_fair.gec.experiment import outputs
    from gec_fair.gec.experiment.cells import cells
    from gec_fair.gec.experiment.status import read_request, read_status
    from gec_fair.gec.gector.train import train
    from gec_fair.gec.systems.registry import load
    from gec_fair.trainer.records import CHECKPOINTS

    base = train_base(size, out, encoder, workers)
    if not (base / "decoding.yaml").exists():
        tune_by_words(base, out / "wi-dev.tsv")
    request = read_request(*experiment(size, out))
    finished = [out / "base"]
    try:
        for cell in cells(request.experiment, out / "systems"):
            start = time.monotonic()
            if cell.pairs:
                train(replace(request.settings, train=cell.pairs), cell.folder, seed=cell.seed, workers=workers)
            system = cache(partial(load, f"gector:{cell.folder / 'best' if cell.pairs else base}"))
            model = read_status(cell, request).model
            for part in request.parts:
                outputs.predict(cell.folder, part, model, system)
            shutil.rmtree(cell.folder / CHECKPOINTS, ignore_errors=True)
            finished.append(cell.folder)
            print(f"{cell.name}  {time.monotonic() - start:.0f} s", flush=True)
    finally:
        files = [path for folder in finished for path in folder.rglob("*") if path.is_file()]
        small = [path for path in files if path.name == "decoding.yaml" or path.parent.name != "best"]
        pack(file, out, [path for path in small if path.relative_to(out).parts[1] != CHECKPOINTS], preset=3)


def tune_by_words(base: Path, dev: Path) -> None:
    """Choose the base tagger's thresholds by the words that differ, not by ERRANT's edits."""
    from gec_fair.edits.diff import diff
    from gec_fair.evaluate.scoring.texts import Reference
    from gec_fair.gec.gector.checkpoint import load
    from gec_fair.gec.gector.options import Decoding
    from gec_fair.gec.gector.predict import Predictor
    from gec_fair.gec.gector.tune import save, tune

    texts = [tuple(tuple(side.split()) for side in line.split("\t")) for line in lines(dev)]
    gold = Reference(dev, tuple(source for source, _ in texts), tuple((diff(*pair),) for pair in texts), ())
    predictor = Predictor(load(str(base)), remember=True)
    tuned = tune(predictor, gold, Decoding(), lambda pairs: [diff(*pair) for pair in pairs])
    save(tuned.best.decoding, base, origin="chosen by the words that differ (training/from-scratch/run.py --outputs)")


def pack(file: Path, out: Path, paths: Iterable[Path], preset: int = 9) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(file, "w:xz", preset=preset) as archive:
        for path in paths:
            archive.add(path, path.relative_to(out))
    print(f"{file}  {file.stat().st_size:,} bytes")


def split(files: Iterable[Path], out: Path) -> None:
    """W&I by the hash of the source: the same sentence, wherever it stands, goes one way."""
    names = ("wi-held.tsv", "wi-dev.tsv", "wi-train.tsv")
    if all((out / name).exists() for name in names):
        return
    parts: dict[str, list[str]] = {name: [] for name in names}
    for path in files:
        for line in pairs(path):
            number = int.from_bytes(sha256(line.split("\t")[0].encode()).digest()[:8], "big")
            held, chosen = number % HELD == 0, number // HELD % DEV == 0
            parts["wi-held.tsv" if held else "wi-dev.tsv" if chosen else "wi-train.tsv"].append(line)
    for name, part in parts.items():
        make(out / name, lambda texts=part: texts)  # type: ignore[misc]


def pairs(path: Path) -> Iterator[str]:
    """The lines of a file of pairs, or those that an M2's first annotator makes."""
    if path.suffix != ".m2":
        yield from lines(path)
        return
    from gec_fair.evaluate.scoring.texts import read_reference, read_texts

    for source, target in zip(read_reference(path).sources, read_texts(path), strict=True):
        yield "\t".join(" ".join(side) for side in (source, target))


def development(path: Path, out: Path) -> Path:
    """The first half of BEA-dev: the other half is for reporting."""
    half = out / BEA_DEV
    make(half, lambda: (f"{block}\n" for block in path.read_text(encoding="utf-8").split("\n\n")[:FIRST]))
    return half


def unseen(texts: Iterable[Path], number: int, out: Path, workers: int) -> None:
    """Sentences that neither encoder nor tagger saw, given errors: so many that a gap of half a point is seen."""
    step(out / "other.txt", "sentences", *texts, "-o", out / "other.txt")

    def chosen() -> Iterable[str]:
        seen = {letters(line) for line in lines(out / "novels.txt")}
        first = {letters(line): line for line in reversed(list(lines(out / "other.txt")))}
        new = [line for key, line in first.items() if key not in seen]
        return sorted(new, key=lambda line: sha256(line.encode()).digest())[:number]

    make(out / "unseen.txt", chosen)
    step(out / "unseen.tsv", "noise", out / "unseen.txt", "-o", out / "unseen.tsv")
    m2(out / "unseen.tsv", out / "unseen.m2", workers)


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def m2(pairs: Path, path: Path, workers: int) -> None:
    """ERRANT's edits of pairs, as an M2 file."""
    if path.exists():
        return
    from gec_fair.edits import m2 as format
    from gec_fair.edits import split_spaces
    from gec_fair.evaluate.options import Annotating
    from gec_fair.evaluate.scoring.errant import make_annotator

    texts = [tuple(tuple(side.split()) for side in line.split("\t")) for line in lines(pairs)]
    edits = make_annotator(Annotating(workers=workers))(texts)  # type: ignore[arg-type]
    blocks = [
        format.render(split_spaces(" ".join(source)), [("0", edits)])
        for (source, _), edits in zip(texts, edits, strict=True)
        if source
    ]
    make(path, lambda: (block.rstrip("\n") + "\n" for block in blocks))


def score(model: Path, dev: Path, out: Path, workers: int) -> float:
    """F0.5 of a model on an M2."""
    path = out / "base-dev.txt"
    step(path, "gector", "predict", model, dev, "-o", path)
    words = ["score", "--hyp", path, "--ref", dev, "--workers", workers, "--json"]
    output = subprocess.run(gec_fair(*words), check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(json.loads(output)[0]["f0.5"])


def lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


def make(path: Path, content: Callable[[], Iterable[str]]) -> None:
    """A file of lines, whole or not there."""
    from gec_fair.runs.atomic import write_bytes

    if not path.exists():
        write_bytes(path, (f"{line}\n".encode() for line in content()))


def sets(changes: Iterable[str]) -> list[str]:
    return [word for change in changes for word in ("--set", change)]


def step(path: Path, *words: object) -> None:
    """Run a command, unless the file that it makes exists."""
    if not path.exists():
        command(*words)


def command(*words: object) -> None:
    print("gec-fair", shlex.join(map(str, words)), flush=True)
    start = time.monotonic()
    code = subprocess.run(gec_fair(*words), check=False).returncode
    if code:
        sys.exit(code)
    print(f"    {time.monotonic() - start:.0f} s", flush=True)


def gec_fair(*words: object) -> list[str]:
    return [sys.executable, "-m", "gec_fair.cli", *map(str, words)]


if __name__ == "__main__":
    main()
