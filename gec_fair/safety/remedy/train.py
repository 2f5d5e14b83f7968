"""`gec-fair safety train`: the two passes with several seeds, judged on held-out counterfactual sets.

OUT/seeds/SEED.json        what was found with a seed; a run that was stopped continues behind it
OUT/baseline, remediated   the ensembles of the first seed: skops, JSON
OUT/scores-….csv           their scores of the test texts, for `gec-fair safety audit`
OUT/search.json            of the hyperparameters, where they were searched
OUT/report.html  tables/  figures/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path

from gec_fair.config.settings import as_dict
from gec_fair.progress import Progress
from gec_fair.runs.atomic import write_json
from gec_fair.runs.digests import file_digest
from gec_fair.runs.identity import Identity
from gec_fair.runs.record import Record, read_record
from gec_fair.safety.auditing.judge import Judge
from gec_fair.safety.data.split import NAMES as SPLITS
from gec_fair.safety.ensemble import export
from gec_fair.safety.remedy import search
from gec_fair.safety.remedy.one_seed import SAVED, OneSeed, Say, save, score_file
from gec_fair.safety.remedy.options import SafetyTraining
from gec_fair.safety.remedy.results import SeedResult, read_seed, write_seed
from gec_fair.safety.remedy.reweighting import ALONE, Reweighting
from gec_fair.safety.remedy.splits import read
from gec_fair.safety.remedy.two_passes import TwoPasses
from gec_fair.stats.seeds import list_seeds
from gec_fair.version import __version__

SEARCHED = "search.json"
_CACHE = (*(f"{model}/{export.MANIFEST}" for model in SAVED), *map(score_file, SAVED))
"""What the first seed writes beside its results."""


def run(
    options: SafetyTraining, out: Path, *, say: Say = print, progress: Progress = lambda done, total: None
) -> list[SeedResult]:
    """The result of every seed, in order. ResumeError where the folder is another run's."""
    data = read(options)
    seeds = list_seeds(options.seeds)
    passes = TwoPasses(data, options, seeds[0])
    record = Record(out, _identity(options))
    record.begin()
    on_validation = Judge(data.validation, options.threshold)
    strengths = {harm: options.reweighting_of.get(harm, options.reweighting) for harm in options.harms}
    chosen = _choose(strengths, passes, on_validation, out, say)
    first = OneSeed(
        passes,
        Judge(data.test, options.threshold, options.resamples),
        on_validation,
        chosen,
        # where balance alone was chosen, the settings' values are swept: without a λ no β does anything
        {harm: strengths[harm].candidates()[0] if strength == ALONE else strength for harm, strength in chosen.items()},
    )
    cached = [out / name for name in _CACHE]
    results = []
    for n, seed in enumerate(seeds):
        progress(n, len(seeds))
        path = out / "seeds" / f"{seed}.json"
        if not path.exists() or (not n and not all(file.exists() for file in cached)):
            by_harm, models = replace(first, passes=replace(passes, seed=seed)).run(say)
            result = SeedResult(seed, data.missing(), by_harm)
            for warning in _balance_warnings(result) if options.balance and not n else ():
                say(warning)
            if not n:
                save(models, options.ensemble, data.test, out)
            write_seed(path, result)
        results.append(read_seed(path))
    progress(len(seeds), len(seeds))
    record.finish({"seeds": seeds})
    return results


def _balance_warnings(result: SeedResult) -> Iterator[str]:
    """Where the step that does the real work had nothing to work with."""
    for harm, of_harm in result.harms.items():
        balance = of_harm.balance
        if balance.balanced == balance.originals:
            yield (
                f"{harm}: no training text has a counterfactual (slices, set_id, copy_of), so balance changes "
                "nothing; make them with gec-fair safety mentions and counterfactuals"
            )
        elif balance.without_a_copy:
            most = max(balance.without_a_copy, key=balance.without_a_copy.__getitem__)
            yield (
                f"{harm}: {balance.without_a_copy[most]:,} training texts lack copies for {most}, fewer those for "
                "others; see the table balance"
            )


def _identity(options: SafetyTraining) -> Identity:
    """With the digests of the tables, by their role."""
    inputs = {split: [file_digest(Path(name)) for name in getattr(options, split)] for split in SPLITS}
    inputs |= {"groups": [file_digest(Path(options.groups))]} if options.groups else {}
    ignored = (*SPLITS, "seeds", "groups", "texts")
    plain = {name: value for name, value in as_dict(options).items() if name not in ignored}
    versions = {"gec-fair": __version__, "scikit-learn": version("scikit-learn")}
    return Identity("safety train", plain, inputs, versions, {"first seed": list_seeds(options.seeds)[0]})


def _choose(
    strengths: Mapping[str, Reweighting], passes: TwoPasses, judge: Judge, out: Path, say: Say
) -> dict[str, Reweighting]:
    """By harm the file's values, or those that do best on validation texts; these are kept in search.json."""
    path, options = out / SEARCHED, passes.options.search
    record = read_record(path)
    chosen = {}
    for harm, reweighting in strengths.items():
        candidates = reweighting.candidates()
        if not passes.options.rounds or (len(candidates) == 1 and not options.trials):
            chosen[harm] = candidates[0]
            continue
        if harm not in record:
            say(f"{harm}: {options.trials or len(candidates) + 1} trials …")
            choice = search.find(passes, harm, candidates, judge)
            if choice.floor < -options.loss:
                say(
                    f"{harm}: balance alone loses {-choice.trials[0].auprc:.1f} % of AU-PRC on validation texts, over "
                    f"the bound of {options.loss:g} %; the bound is as much below it"
                )
            record[harm] = asdict(choice)
            write_json(path, record)
        chosen[harm] = Reweighting(**record[harm]["best"]["options"])
    return chosen
