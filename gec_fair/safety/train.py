"""`gec-fair safety train`: the two passes with several seeds, judged on held-out counterfactual sets.

OUT/seeds/SEED.json        what was found with a seed; a run that was stopped goes on behind it
OUT/baseline, remediated   the ensembles of the first seed: skops, ONNX, JSON
OUT/scores-….csv           their scores of the test texts, for `gec-fair safety audit`
OUT/search.json            of the hyperparameters, where they were searched
OUT/report.html  tables/  figures/
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair import __version__
from gec_fair.corpus.atomic import write_bytes, write_text
from gec_fair.corpus.settings import as_dict
from gec_fair.errors import InputError, ResumeError, UsageError
from gec_fair.pretrain.runs import differences, file_digest
from gec_fair.progress import Progress
from gec_fair.safety import attributes, card, examples, export, groups, largest_changes, search
from gec_fair.safety.ensemble import Ensemble, fit
from gec_fair.safety.examples import Examples
from gec_fair.safety.judging import Judged, changed, judge, told
from gec_fair.safety.options import SafetyTraining
from gec_fair.safety.remedy import Passes, baseline, remedy
from gec_fair.safety.reweighting import Reweighting

SPLITS = ("train", "validation", "test")
IDENTITY, SEARCHED = "run.json", "search.json"
_KEPT = (f"baseline/{export.TOLD}", f"remediated/{export.TOLD}", "scores-baseline.csv", "scores-remediated.csv")
MODELS = ("baseline", "balanced", "remediated")
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    train: Examples
    validation: Examples
    test: Examples


def read(options: SafetyTraining) -> Data:
    """InputError where a table cannot be meant, or a text or its counterfactual is in two of them."""
    known = groups.read(Path(options.groups)) if options.groups else groups.shipped()
    found: dict[str, Examples] = {}
    for split in SPLITS:
        paths = [Path(name) for name in getattr(options, split)]
        if not paths:
            raise UsageError(f"{split} names no table; write it with gec-fair safety scores")
        if missing := [path for path in paths if not path.is_file()]:
            raise InputError(f"{missing[0]}: no such file; check {split}")
        sources = found["train"].sources if found else options.sources
        found[split] = examples.read(paths, known, options.harms, sources)
    examples.refuse_leaks(found)
    for split, some in found.items():
        for harm in options.harms:
            _check_labels(split, harm, some)
    return Data(**found)


def _check_labels(split: str, harm: str, some: Examples) -> None:
    """InputError where a split cannot teach, choose or judge a harm."""
    there = set(some.labels[harm][~some.copies].tolist()) - {examples.UNKNOWN}
    if there != {0, 1}:
        what = "no text whose label is known" if not there else f"no {'safe' if 1 in there else 'unsafe'} text"
        raise InputError(f"{split} has {what} for {harm}, counterfactuals aside; add some, or leave the harm out")


def run(
    options: SafetyTraining, out: Path, *, say: Say = print, progress: Progress = lambda done, of: None
) -> list[dict[str, Any]]:  # fmt: skip
    """What every seed found, in order. ResumeError where the folder is another run's."""
    data = read(options)
    identity = _identity(options)
    _claim(out, identity)
    chosen = _searched(options, data, out, say)
    seeds = options.every_seed
    results = []
    for n, seed in enumerate(seeds):
        progress(n, len(seeds))
        path = out / "seeds" / f"{seed}.json"
        if not path.exists() or (not n and not all((out / name).exists() for name in _KEPT)):
            found = one_seed(options, chosen, data, seed, out if not n else None, say)
            write_text(path, json.dumps(found, ensure_ascii=False, indent=1) + "\n")
        results.append(json.loads(path.read_text(encoding="utf-8")))
    progress(len(seeds), len(seeds))
    return results


def _identity(options: SafetyTraining) -> dict[str, Any]:
    inputs = {split: [file_digest(Path(name)) for name in getattr(options, split)] for split in SPLITS}
    if options.groups:
        inputs["groups"] = [file_digest(Path(options.groups))]
    others = (*SPLITS, "seeds", "groups")
    return {"options": {key: value for key, value in as_dict(options).items() if key not in others},
            "first seed": options.every_seed[0], "inputs": inputs, "gec_fair": __version__}  # fmt: skip


def _claim(out: Path, identity: Mapping[str, Any]) -> None:
    path = out / IDENTITY
    if path.exists():
        try:
            other = differences(json.loads(path.read_text(encoding="utf-8")), identity)
        except (ValueError, AttributeError) as fault:
            raise ResumeError(f"{path}: is no record of ours ({fault}); choose another --output") from fault
        if other:
            raise ResumeError(f"{out} holds a run with other {', '.join(other)}; choose another --output")
        return
    write_text(path, json.dumps(identity, ensure_ascii=False, indent=1) + "\n")


def one_seed(
    options: SafetyTraining, chosen: Mapping[str, Reweighting], data: Data, seed: int, keep: Path | None, say: Say
) -> dict[str, Any]:  # fmt: skip
    """Both passes, judged. `keep`: where the ensembles and their scores are written."""
    first = baseline(data.train, options.harms, options.ensemble, seed)
    passes = _remedied(options, chosen, data, first, seed)
    models = dict(zip(MODELS, (first, passes.balanced, passes.remediated), strict=True))
    scores = {name: model.scores(data.test.features) for name, model in models.items()}
    found: dict[str, Any] = {"seed": seed, "harms": {}, "balance": _balance(passes, data.train)}
    for harm in options.harms:
        judged = {name: judge(data.test, harm, scores[name][harm], threshold=options.threshold,
                              resamples=options.resamples) for name in MODELS}  # fmt: skip
        found["harms"][harm] = {
            "models": {name: told(each) for name, each in judged.items()},
            "changes": {name: changed(judged["baseline"], judged[name]) for name in MODELS[1:]},
            "reweighting": asdict(chosen[harm]),
            "shares": [{truth: {str(each): p for each, p in some.items()}
                        for truth, some in gained[harm].shares.items()} for gained in passes.gained],
            "left_out": {truth: [str(each) for each in some] for truth, some
                         in (passes.gained[-1][harm].left_out.items() if passes.gained else ())},
            "sources": attributes.source_figures(data.test, harm, data.train),
            "contributions": {name: _contributions(models[name], data.validation, harm, seed)
                              for name in ("baseline", "remediated")},
            "largest": [asdict(each) for each in largest_changes.largest(judged["baseline"].drawn.scored,
                                                              judged["remediated"].drawn.scored.scores)],
            "sweeps": _sweeps(options, chosen, data, first, harm, seed),
        }  # fmt: skip
        found["harms"][harm]["warning"] = _warning(data.validation, harm, models, options, seed)
        if found["harms"][harm]["warning"]:
            say(found["harms"][harm]["warning"])
    if keep is not None:
        texts = {split: len(getattr(data, split)) for split in SPLITS}
        signature = "|".join([f"seed:{seed}", *(f"{split}:{each['sha256'][:12]}" for split in SPLITS
                              for each in _identity(options)["inputs"][split]), f"gec_fair:{__version__}"])  # fmt: skip
        for name in ("baseline", "remediated"):
            figures = {harm: found["harms"][harm]["models"][name] for harm in options.harms}
            remedied = {harm: asdict(chosen[harm]) for harm in options.harms} if name == "remediated" else None
            export.save(models[name], keep / name)
            write_text(keep / name / card.NAME,
                       card.card(models[name], name, texts, figures, remedied, signature))  # fmt: skip
            write_bytes(keep / f"scores-{name}.csv", _rows(data.test, scores[name], options.harms))
    return found


def _remedied(
    options: SafetyTraining, chosen: Mapping[str, Reweighting], data: Data, first: Ensemble, seed: int
) -> Passes:  # fmt: skip
    return remedy(data.train, data.validation, first, chosen, options.ensemble, balanced=options.balance,
                  rounds=options.rounds, draws=options.draws, number=options.number, seed=seed)  # fmt: skip


def _balance(passes: Passes, train: Examples) -> dict[str, Any]:
    return {"originals": int((~train.copies).sum()), "balanced": float(passes.balance.weights.sum()),
            "without_a_copy": {str(each): number for each, number in passes.balance.lacking.items()},
            "several": passes.balance.several}  # fmt: skip


def _contributions(model: Ensemble, validation: Examples, harm: str, seed: int) -> list[dict[str, Any]]:
    rows = validation.labels[harm] >= 0
    ready = model.inputs.ready(validation.features[rows])
    return attributes.contributions(model.models[harm], ready, validation.labels[harm][rows], model.inputs.names, seed)


def _warning(
    validation: Examples, harm: str, models: Mapping[str, Ensemble], options: SafetyTraining, seed: int
) -> str:  # fmt: skip
    """Where reweighting made validation ACV worse than the model before it."""
    if not options.rounds:
        return ""
    balanced, remediated = (judge(validation, harm, models[name].scores(validation.features)[harm],
                                  threshold=options.threshold, resamples=1).acv(normalised=True)
                            for name in MODELS[1:])  # fmt: skip
    if balanced is None or remediated is None or remediated <= balanced:
        return ""
    before = "balance alone" if options.balance else "the baseline"
    return (f"{harm}, seed {seed}: reweighting makes the normalised ACV of the validation texts worse than {before} "
            f"({balanced:.4f} → {remediated:.4f}); try a smaller β or λ, or rounds: 0")  # fmt: skip


def _sweeps(
    options: SafetyTraining, chosen: Mapping[str, Reweighting], data: Data, first: Ensemble, harm: str, seed: int
) -> list[dict[str, Any]]:  # fmt: skip
    def judged(model: Ensemble) -> Judged:
        return judge(data.test, harm, model.scores(data.test.features)[harm], threshold=options.threshold, resamples=1)

    before, found = judged(first), []
    for name, values in asdict(options.sweeps).items():
        for value in values:
            asked = {harm: replace(chosen[harm], **{name: value})}
            after = judged(_remedied(options, asked, data, first, seed).remediated)
            found.append({"parameter": name, "value": value, **told(after), "changes": changed(before, after)})
    return found


def _searched(options: SafetyTraining, data: Data, out: Path, say: Say) -> dict[str, Reweighting]:
    """By harm the file's values, or those that do best on validation texts; these are kept in search.json."""
    path = out / SEARCHED
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    chosen = {}
    for harm in options.harms:
        candidates = options.remedy(harm).candidates()
        if not options.rounds or (len(candidates) == 1 and not options.search.trials):
            chosen[harm] = candidates[0]
            continue
        if harm not in kept:
            say(f"{harm}: {options.search.trials or len(candidates)} trials …")
            found = _found(options, data, harm, candidates)
            if found.best.auprc < -options.search.loss:
                say(f"{harm}: every trial loses more than {options.search.loss:g} % of AU-PRC on validation texts; the "
                    f"one that loses least was taken ({found.best.auprc:.1f} %)")  # fmt: skip
            kept[harm] = asdict(found)
            write_text(path, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")
        chosen[harm] = Reweighting(**kept[harm]["best"]["options"])
    return chosen


def _found(options: SafetyTraining, data: Data, harm: str, candidates: list[Reweighting]) -> search.Found:
    seed = options.every_seed[0]
    attempt = _attempt(options, data, harm, seed)
    if options.search.trials:
        return search.search(attempt, options.search, seed=seed)
    return search.among(candidates, attempt, options.search)


def _attempt(
    options: SafetyTraining, data: Data, harm: str, seed: int
) -> Callable[[Reweighting], tuple[float, float]]:  # fmt: skip
    """Percent of the baseline's ACV and AU-PRC on validation."""
    plain = np.where(data.train.copies, 0.0, 1.0)
    first = fit(data.train, {harm: plain}, options.ensemble, seed=seed)
    normalised = options.search.objective == "acv_normalised"

    def judged(model: Ensemble) -> Judged:
        return judge(data.validation, harm, model.scores(data.validation.features)[harm],
                     threshold=options.threshold, resamples=1)  # fmt: skip

    before = judged(first)

    def attempt(asked: Reweighting) -> tuple[float, float]:
        after = judged(_remedied(options, {harm: asked}, data, first, seed).remediated)
        old, new = before.acv(normalised=normalised), after.acv(normalised=normalised)
        if old == 0:
            raise InputError(f"{harm}: the baseline scores all counterfactuals of the validation texts alike; nothing "
                             "is to be remedied there")  # fmt: skip
        if old is None or new is None:
            raise InputError(f"{harm}: the validation texts have no counterfactual sets of two, so no ACV; add their "
                             "counterfactuals")  # fmt: skip
        return 100 * (new / old - 1), 100 * (after.original / before.original - 1)

    return attempt


def _rows(test: Examples, scores: Mapping[str, Any], harms: tuple[str, ...]) -> list[bytes]:
    """As `gec-fair safety audit` reads them."""
    whom: dict[int, list[groups.Slice]] = {}
    for each, members in test.slices.items():
        for n in members.tolist():
            whom.setdefault(n, []).append(each)
    lines = ["id,set_id,category,subgroup,harm,label,score"]
    for harm in harms:
        for n, name in enumerate(test.ids):
            if test.labels[harm][n] >= 0:
                for category, subgroup in whom.get(n, [groups.Slice("", "")]):
                    cells = (name, test.sets[n], category, subgroup, harm, test.labels[harm][n], scores[harm][n])
                    lines.append(",".join(_quoted(str(value)) for value in cells))
    return [("\n".join(lines) + "\n").encode()]


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in ',"\n') else cell
