"""Compare systems on every evaluation set: `gf.compare`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gec_fair.api.loading import AnySystem, load_system
from gec_fair.api.outputs import SIDES, answer, check_sides, read_outputs, refuse_prose
from gec_fair.config.options import part
from gec_fair.data.columns import wrong_argument
from gec_fair.data.keywords import keywords
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.evaluate.options import CompareOptions, ScoreOptions
from gec_fair.evaluate.scoring.errant import Annotator, make_annotator
from gec_fair.report.results import Result
from gec_fair.report.table import Table

if TYPE_CHECKING:
    from gec_fair.evaluate.gap.compare import Output
    from gec_fair.evaluate.scoring.hypotheses import Hypotheses
    from gec_fair.evaluate.scoring.texts import Reference

    Outputs: TypeAlias = Callable[[str, Sequence[Reference]], list[list[Hypotheses]]]
    """The name of a set and its references to what a system made of them: of each seed the outputs of both sides."""


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Result):
    """Every gap of several systems, and the differences of gaps between any two. `report` has everything, as JSON."""

    report: Mapping[str, Any] = field(repr=False)

    @property
    def notes(self) -> list[str]:
        """What a reader of the tables must know: systems without a gap, sets for development, prose."""
        return list(self.report["notes"])

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair compare --json` prints."""
        return dict(self.report)

    def tables(self) -> Sequence[Table]:
        """The paper's tables, as far as the systems and sets fill them."""
        from gec_fair.evaluate.report.tables import tables

        return tables(self.report)

    def write(self, folder: str | Path) -> list[Path]:
        """Write report.html, results.json and every table as Markdown, CSV, JSON and LaTeX. Returns them, without
        results.json."""
        from gec_fair.evaluate.gap import results
        from gec_fair.evaluate.report import page

        page.check()
        results.write(self.report, Path(folder))
        return page.write(dict(self.report), Path(folder))


@keywords(CompareOptions)
def compare(systems: Mapping[str, Any] | str | Path, options: CompareOptions) -> Comparison:
    """Compare systems: every gap on every set, with intervals, and the differences between any two of them.

    Args:
        systems: By name a system: its name for `load_system`, a function from texts to corrected texts, or outputs by
            set: {"they-probe": (original, augmented)}, where a list of outputs is the seeds. Or a folder with
            SYSTEM/SEED/SET/{orig,aug}.txt.

    Returns:
        The comparison: tables, the report as a dict, and `write(folder)` for the page.

    Raises:
        InputError: Where outputs and set have different numbers of sentences (UsageError for texts in memory).
        MissingResource: For a set that is not here, or without the extra `[evaluate]`.

    Examples:
        >>> import gec_fair as gf
        >>> systems = {"copy": "identity", "lower": lambda texts: [text.lower() for text in texts]}
        >>> comparison = gf.compare(systems, ["they-probe"], resamples=100)
        >>> [row["system"] for row in comparison.report["rows"]]
        ['copy', 'lower']

    Source: Lund, Omelianchuk and Samokhin (2023), Tables 1 to 8.
    """
    from tempfile import TemporaryDirectory

    sets = [str(name) for name in options.evalsets]
    annotator = make_annotator(options)
    if isinstance(systems, str | Path):
        refuse_prose(options.prose)
        return _compare_runs(Path(systems), sets, None, options, annotator)
    if not isinstance(systems, Mapping) or not all(isinstance(name, str) for name in systems):
        raise wrong_argument("systems", systems, "a name for each, as in {'copy': 'identity', 'mine': my_function}")
    with TemporaryDirectory() as temporary:
        runs = Path(options.output or temporary) / "runs"
        return _compare_runs(runs, sets, _write_runs(systems, sets, runs, options), options, annotator)


def _compare_runs(
    runs: Path,
    sets: Sequence[str],
    written: Mapping[Output, bool] | None,
    options: CompareOptions,
    annotator: Annotator,
) -> Comparison:
    """Compare the runs of a folder; `written`: those that count, and whether they were prose; None for all."""
    from gec_fair.evaluate.gap import compare as comparing
    from gec_fair.evaluate.gap import results
    from gec_fair.evaluate.scoring.hypotheses import HypothesisOptions

    about = comparing.read_run_record(runs) if written is None else comparing.RunsFile()
    full_outputs = comparing.full_outputs(runs) if written is None else {}
    gold = Path(options.full) if options.full else Path(about.full) if about.full and full_outputs else None
    if gold is not None and not full_outputs:
        raise InputError(f"{runs}: no SYSTEM/SEED/full.txt in it; leave full out")
    outputs = comparing.discover(runs, sets or about.sets) if written is None else comparing.in_order(written)
    measured = comparing.compare(
        outputs,
        part(options, ScoreOptions),
        annotator,
        full=(gold, full_outputs) if gold is not None else None,
        resamples=options.resamples,
        seed=options.seed,
        reading=HypothesisOptions(options.tokenise),
        prose=[(output.system, output.set) for output, is_prose in (written or {}).items() if is_prose],
    )
    return Comparison(results.as_json(measured, outputs, runs.name, trained_on=about.trained_on))


def _write_runs(
    systems: Mapping[str, Any], sets: Sequence[str], runs: Path, options: CompareOptions
) -> dict[Output, bool]:
    """The outputs of each system, tokenised, as files in the layout that comparisons read, and whether they were prose.
    UsageError for a system that has outputs of none of the sets."""
    from gec_fair.evaluate.evalsets import catalogue
    from gec_fair.evaluate.gap.compare import Output, name_places
    from gec_fair.gec.systems.registry import folder_name, visible_name

    if not systems:
        raise UsageError("systems names none; give {name: system}")
    folders = {folder_name(name): name for name in systems}
    if len(folders) < len(systems):
        raise UsageError(
            f"{', '.join(map(visible_name, systems))}: two of them would be called alike ({', '.join(folders)}); "
            "give each its own name, as in --system NAME=SYSTEM"
        )
    written: dict[Output, bool] = {}
    for folder, name in folders.items():
        system = systems[name]
        places = sets or (isinstance(system, Mapping) and system) or catalogue.present()
        if not places:
            raise MissingResource("no evaluation set is here; `gec-fair evalset list` names them, `fetch` gets them")
        by_set = _name_sets(system, sets) if isinstance(system, Mapping) else None
        outputs_of = _runner(name, system, options) if by_set is None else _reader(name, by_set, options)
        before = len(written)
        for place in name_places([str(place) for place in places]).values():
            evalset = catalogue.find(place)
            references = catalogue.read_twins(evalset)
            for number, outputs in enumerate(outputs_of(evalset.name, references)):
                sides = _write_outputs(runs / folder / str(number) / evalset.name, outputs, references)
                output = Output(place, evalset.name, folder, str(number), *sides)
                written[output] = any(side.is_prose for side in outputs)
        if len(written) == before:
            raise UsageError(
                f"{visible_name(name)}: has outputs of none of {', '.join(map(str, places))}; name its sets"
            )
    return written


def _name_sets(outputs: Mapping[str, Any], sets: Sequence[str]) -> dict[str, Any]:
    """Outputs by the names of their sets, which may be given by their folders. UsageError for an unknown set."""
    from gec_fair.evaluate.evalsets import catalogue

    known = {*catalogue.read_known(), *(catalogue.find(place).name for place in sets)}
    return {place if place in known else catalogue.find(place).name: output for place, output in outputs.items()}


def _runner(name: str, system: AnySystem, options: CompareOptions) -> Outputs:
    """Runs a system on both sides of a set."""
    from gec_fair.gec.systems.registry import visible_name

    loaded = load_system(system, prose=options.prose)

    def run(place: str, references: Sequence[Reference]) -> list[list[Hypotheses]]:
        outputs = []
        for side, reference in zip(SIDES, references, strict=True):
            with options.progress(f"{visible_name(name)} {place} {side}") as update:
                outputs.append(answer(loaded, reference.sources, options.tokenise, options.no_cache, update))
        return [outputs]

    return run


def _reader(name: str, by_set: Mapping[str, Any], options: CompareOptions) -> Outputs:
    """Reads outputs that stand in place of a system; of each seed those of both sides, none for a set without some."""
    from gec_fair.evaluate.scoring.hypotheses import HypothesisOptions, read_hypotheses

    def read(place: str, references: Sequence[Reference]) -> list[list[Hypotheses]]:
        if place not in by_set:
            return []
        reading, titles = HypothesisOptions(options.tokenise), [f"{name}, {place}, {side}" for side in SIDES]
        return [
            [
                read_hypotheses(output, reference, reading, name=title)
                for output, reference, title in zip(sides, references, titles, strict=True)
            ]
            for sides in read_outputs(by_set[place]) or [check_sides(by_set[place])]
        ]

    return read


def _write_outputs(folder: Path, outputs: Sequence[Hypotheses], references: Sequence[Reference]) -> list[Path]:
    from gec_fair.runs.atomic import write_text

    paths = [folder / f"{side}.txt" for side in SIDES]
    for path, output, reference in zip(paths, outputs, references, strict=True):
        write_text(path, "".join(f"{' '.join(text)}\n" for text in output.words(reference.sources)))
    return paths
