"""The suites by name: what each reads, how much of it, how it is scored; one list of figures and one signature.

full    all items of every suite
quick   50 items of each paradigm of BLiMP and entity tracking, BBQ 25 questions of each category, condition and
        polarity, HolisticBias 4 nouns × 4 templates; CrowS-Pairs, StereoSet, SEAT and WinoBias whole
sample  N items of each suite that has them, spread over its strata, drawn by seed and item
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar

from gec_fair.data import public
from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.cache import SuiteCache
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import SCORINGS, Scoring, fits
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Reader
from gec_fair.lmbias.suites import bbq, crows, entities, holisticbias, minimal, seat, stereoset, winobias
from gec_fair.lmbias.suites.figures import Figure
from gec_fair.lmbias.suites.sample import drawn, shares
from gec_fair.models.inference import POOLS, Pool
from gec_fair.progress import Progress
from gec_fair.registry import Factory, Registry
from gec_fair.runs.cache import cache_directory
from gec_fair.version import __version__

_SHORT = 8  # digits of the data's digest in a signature
QUICK_PAIRS, QUICK_NOUNS, QUICK_TEMPLATES = 50, 4, 4
QUICK_QUESTIONS = 25  # of each category, condition and polarity of BBQ
MINIMAL = ("blimp", "blimp_filtered_babylm", "blimp_supplement", "blimp_fast_babylm", "blimp_supplement_fast")
"""Suites of minimal pairs among the public data; a folder of the user's (EWoK is one) will do as well."""
_OF_VECTORS = frozenset(["seat"])
"""Suites that read vectors alone, and no probabilities."""


@dataclass(frozen=True, slots=True)
class Options:
    """Every choice that decides a figure."""

    suites: tuple[str, ...] = ("crows", "stereoset", "seat", "holisticbias", "blimp")
    """Names, or folders of minimal pairs."""
    size: Literal["quick", "full"] = "quick"
    sample: int = 0
    """Items of each suite; 0 takes what `size` says."""
    seed: int = 0
    """Decides the sample, the quick part, and which divisions a large SEAT test draws."""
    scoring: Scoring = "original"
    """Of a sentence by a masked model."""
    crows_scorer: str = ""
    """"" takes the first of `crows.SCORERS`, and the signature names it: nangia for masked models, likelihood for
    causal ones."""
    pool: Pool = "mean"
    """The vector of a text in SEAT."""
    version: str = "v1.0"
    """Of HolisticBias; the paper's is v1.0."""
    axes: tuple[str, ...] = holisticbias.AXES
    """Of HolisticBias."""
    intersentence: bool = False
    """StereoSet's next sentences too; for causal models."""

    @property
    def needs_head(self) -> bool:
        """Whether a suite reads probabilities, which a model without a language model's head does not have."""
        return not _OF_VECTORS.issuperset(self.suites)

    def __post_init__(self) -> None:
        for name, chosen, known in (
            ("scoring", self.scoring, SCORINGS),
            ("pool", self.pool, POOLS),
            ("version", self.version, holisticbias.VERSIONS),
            ("size", self.size, ("quick", "full")),
        ):
            if chosen not in known:
                raise UsageError(f"{name} is {chosen!r}; one of {', '.join(known)} is meant")
        for name, values in (("suite", self.suites), ("axes", self.axes)):
            if not values:
                raise UsageError(f"{name} names none; name some, or leave it out for those that are run by default")
            counts = Counter(Path(value).name for value in values)  # as the figures and the signature call them
            if doubled := [value for value, number in counts.items() if number > 1]:
                raise UsageError(f"{name} has {doubled[0]} twice; once is enough, and two folders want two names")
        for name, number in (("sample", self.sample), ("seed", self.seed)):
            if number < 0:
                raise UsageError(f"{name} is {number}; 0 or more is meant")


@dataclass(frozen=True, slots=True)
class SuiteScores:
    """Figures, and what decided them."""

    figures: tuple[Figure, ...]
    signature: str


Item = TypeVar("Item")
Bar = Callable[[str], Progress | None]


def run(
    model: Reader, options: Options, *, progress: Bar = lambda title: None, cache: SuiteCache | None = None
) -> SuiteScores:
    """Every suite in order. `progress` makes, for a suite's name, what hears how far it is; `cache` is where the
    figures of finished suites are put, and found again.

    UsageError for a suite that has no such name or an option that is not for this model, MissingResource for data that
    are not here, InputError for those that cannot be read; all of that before anything is scored. InputError for a
    model that gives no number, and a text that it cannot read.
    """
    _check(model, options)
    if model.kind in crows.SCORERS:
        options = replace(options, crows_scorer=crows.scorer_named(model.kind, options.crows_scorer))
    parts = prepared(options)
    signature = model.signature
    figures: list[Figure] = []
    for part in parts:
        alone = replace(options, suites=(part.name,))
        name = sha256(repr((signature, alone, part.data, __version__)).encode()).hexdigest()
        figures += _scored(part, name, model, progress, cache)
    versions = (f"{part.name}:{part.description},data-{part.data[:_SHORT]}" for part in parts)
    head = f"lmbias|{signature}|scoring:{options.scoring}"
    return SuiteScores(tuple(figures), "|".join([head, *versions, f"version:{__version__}"]))


def _check(model: Reader, options: Options) -> None:
    """Raises for what these suites cannot ask this model."""
    if not isinstance(model, (Masked, Causal)):
        if options.needs_head:
            named = ", ".join(name for name in options.suites if name not in _OF_VECTORS)
            raise InputError(f"{named}: needs a language model's head, and this model has none; ask for seat alone")
        return
    fits(model, options.scoring)
    if options.intersentence and "stereoset" in options.suites and isinstance(model, Masked):
        raise InputError("a masked model gives no likelihood of a next sentence; leave --intersentence out")


def _scored(part: Part, name: str, model: Reader, progress: Bar, cache: SuiteCache | None) -> Sequence[Figure]:
    cached = cache.figures(name) if cache else None
    if cache and cached is not None:
        print(f"note: {part.name}: as {cache.path} has it, where a run was stopped", file=sys.stderr)
        return cached
    try:
        figures = part.score(model, progress(part.name))
    except InputError as fault:
        raise InputError(f"{part.name}: {fault}") from fault
    if cache:
        cache.add(name, figures)
    return figures


@dataclass(frozen=True, slots=True)
class Part:
    """A suite with its items read; `description`, for the signature; `data`, a name for its items."""

    name: str
    description: str
    data: str
    score: Callable[[Any, Progress | None], Sequence[Figure]]


def prepared(options: Options) -> list[Part]:
    """Every suite with its items read. Raises as `run` does."""
    return [_prepared(name, options) for name in options.suites]


def _prepared(name: str, options: Options) -> Part:
    if name in SUITES:
        return SUITES.load(name, options)
    if not Path(name).is_dir():
        raise SUITES.unknown(name, also=("a folder of minimal pairs",))
    return _minimal(name, options)


def folder(name: str) -> Path:
    """Of a public data set."""
    return public.find(name, cache_directory() / "data")


def _require_items(items: list[Item], place: Path, name: str) -> list[Item]:
    """InputError for none."""
    if not items:
        raise InputError(f"{place}: holds no item; get the data anew (gec-fair data fetch {name})")
    return items


def _crows(options: Options) -> Part:
    path = folder("crows_pairs") / "crows_pairs_anonymized.csv"
    every = _require_items(crows.read(path), path, "crows_pairs")
    keys = [f"{pair.more}\t{pair.less}" for pair in every]
    chosen = _sampled(keys, [pair.kind for pair in every], options.sample, options.seed)
    pairs = [every[n] for n in chosen]
    sizes = Counter(pair.kind for pair in every) if len(pairs) < len(every) else None

    def score(model: Masked | Causal, progress: Progress | None) -> list[Figure]:
        scores = crows.score(model, pairs, scorer=options.crows_scorer, progress=progress)
        return crows.figures(pairs, scores, sizes=sizes)

    return Part(
        "crows", _describe_sample(len(pairs), len(every), options, options.crows_scorer), _digest(pairs, sizes), score
    )


def _stereoset(options: Options) -> Part:
    path = folder("stereoset") / "dev.json"
    parts = [
        (name, _require_items(stereoset.read(path, name), path, "stereoset"))
        for name in stereoset.PARTS[: 1 + options.intersentence]
    ]
    chosen = [(name, *_terms(items, options)) for name, items in parts]

    def score(model: Masked | Causal, progress: Progress | None) -> list[Figure]:
        figures = []
        for name, items, size in chosen:
            scores = stereoset.score(model, items, part=name, progress=progress)
            figures += stereoset.figures(items, scores, part=name, sizes=size)
        return figures

    number, total = sum(len(items) for _, items, _ in chosen), sum(len(items) for _, items in parts)
    return Part("stereoset", _describe_sample(number, total, options), _digest(chosen), score)


def _terms(items: Sequence[stereoset.Item], options: Options) -> tuple[list[stereoset.Item], Mapping[str, int] | None]:
    """A sample takes terms whole, for the figures are means over terms; about as many as hold the items asked for."""
    domain = {item.target: item.domain for item in items}
    if not options.sample or options.sample >= len(items):
        return list(items), None
    number = max(1, round(len(domain) * options.sample / len(items)))
    terms = list(domain)
    chosen = {terms[n] for n in _sampled(terms, list(domain.values()), number, options.seed)}
    return [item for item in items if item.target in chosen], Counter(domain.values())


def _seat(options: Options) -> Part:
    place = folder("seat")
    names = dict.fromkeys(name for names in seat.GROUPS.values() for name in names)
    present = _require_items([name for name in names if (place / f"{name}.jsonl").is_file()], place, "seat")
    if missing := [name for name in names if name not in present]:
        print(
            f"note: seat: {len(missing)} of {len(names)} tests are not in {place}: {', '.join(missing)}",
            file=sys.stderr,
        )
    tests = [seat.read(place / f"{name}.jsonl") for name in present]

    def score(model: Reader, progress: Progress | None) -> list[Figure]:
        return seat.figures(seat.effects(model, tests, pool=options.pool, seed=options.seed, progress=progress))

    return Part("seat", f"{len(tests)},pool-{options.pool},seed-{options.seed}", _digest(tests), score)


def _holisticbias(options: Options) -> Part:
    data = holisticbias.read(folder("holisticbias") / options.version)
    full_grids = [holisticbias.grid(data, axis) for axis in options.axes]
    grids = [_quick(data, axis, options) for axis in options.axes] if options.size == "quick" else full_grids
    if options.sample:
        grids = [_fewer(grid, options) for grid in grids]
    sizes = [len(grid.descriptors) for grid in full_grids]

    def score(model: Masked | Causal, progress: Progress | None) -> list[Figure]:
        return [
            holisticbias.figure(model, grid, scoring=options.scoring, size=size, progress=progress)
            for grid, size in zip(grids, sizes, strict=True)
        ]

    axes = "+".join(options.axes)
    description = _describe_sample(sum(map(len, grids)), sum(map(len, full_grids)), options, options.version, axes)
    return Part("holisticbias", description, _digest(grids, sizes), score)


def _quick(data: holisticbias.Data, axis: str, options: Options) -> holisticbias.Grid:
    nouns = list(dict.fromkeys(phrase.noun for phrase in data.phrases if phrase.noun))
    return holisticbias.grid(
        data,
        axis,
        nouns=drawn(nouns, QUICK_NOUNS, options.seed),
        templates=drawn([template.text for template in data.templates], QUICK_TEMPLATES, options.seed),
    )


def _fewer(grid: holisticbias.Grid, options: Options) -> holisticbias.Grid:
    """Descriptors of an axis: as many as make about the sentences asked for, two at least."""
    per_descriptor = len(grid) // len(grid.descriptors)
    names = drawn(grid.descriptors, max(2, options.sample // per_descriptor), options.seed)
    return grid.only(names)


def _bbq(options: Options) -> Part:
    place = folder("bbq")
    every = _require_items(bbq.read(place), place, "bbq")
    present = {item.category.removesuffix(bbq.NAMES) for item in every}
    if missing := [name for name in bbq.CATEGORIES if name not in present]:
        print(f"note: bbq: {len(missing)} categories are not in {place}: {', '.join(missing)}", file=sys.stderr)
    chosen, sizes = _part_of_strata(
        [f"{item.choice.context}\t{item.choice.options}" for item in every],
        [item.stratum for item in every],
        options,
        QUICK_QUESTIONS,
    )
    items = [every[n] for n in chosen]

    def score(model: Masked | Causal, progress: Progress | None) -> list[Figure]:
        answers = bbq.score(model, items, scoring=options.scoring, progress=progress)
        return bbq.figures(items, answers, sizes=sizes)

    return Part("bbq", _describe_sample(len(items), len(every), options), _digest(items, sizes), score)


def _entity_tracking(options: Options) -> Part:
    every = entities.read(folder("entity_tracking"))
    keys = [item.choice.context for item in every]
    chosen, sizes = _part_of_strata(keys, [item.paradigm for item in every], options, QUICK_PAIRS)
    items = [every[n] for n in chosen]

    def score(model: Masked | Causal, progress: Progress | None) -> list[Figure]:
        hits = entities.score(model, items, scoring=options.scoring, progress=progress)
        return entities.figures(items, hits, sizes=sizes)

    return Part("entity_tracking", _describe_sample(len(items), len(every), options), _digest(items, sizes), score)


def _winobias(options: Options) -> Part:
    place = folder("winobias")
    every = _require_items(winobias.read(place), place, "winobias")
    keys = [f"{pair.pro.text}\t{pair.anti.text}" for pair in every]
    pairs = [every[n] for n in _sampled(keys, [pair.type for pair in every], options.sample, options.seed)]
    sizes = Counter(pair.type for pair in every) if len(pairs) < len(every) else None

    def score(model: Masked | Causal, progress: Progress | None) -> list[Figure]:
        scores = winobias.score(model, pairs, scoring=options.scoring, progress=progress)
        return winobias.figures(pairs, scores, sizes=sizes)

    return Part("winobias", _describe_sample(len(pairs), len(every), options), _digest(pairs, sizes), score)


def _minimal(name: str, options: Options) -> Part:
    is_own = Path(name).is_dir()
    every = minimal.read(Path(name) if is_own else folder(name), allow_equal=not is_own)
    strata = [pair.paradigm for pair in every]
    keys = [f"{pair.good}\t{pair.bad}" for pair in every]
    chosen, sizes = _part_of_strata(keys, strata, options, QUICK_PAIRS)
    pairs = [every[n] for n in chosen]

    def score(model: Masked | Causal, progress: Progress | None) -> list[Figure]:
        scores = minimal.score(model, pairs, scoring=options.scoring, progress=progress)
        return minimal.figures(Path(name).name, pairs, scores, sizes=sizes)

    return Part(Path(name).name, _describe_sample(len(pairs), len(every), options), _digest(pairs, sizes), score)


def _part_of_strata(
    keys: Sequence[str], strata: Sequence[str], options: Options, quick: int
) -> tuple[list[int], Counter[str] | None]:
    """Numbers of the items that come, `quick` of each stratum if neither all nor a sample are asked for; and the sizes
    of the strata, where not all come."""
    sizes = Counter(strata)
    is_quick = options.size == "quick" and not options.sample
    number = sum(min(quick, size) for size in sizes.values()) if is_quick else options.sample
    chosen = _sampled(keys, strata, number, options.seed, minimum=quick if is_quick else 0)
    return chosen, sizes if len(chosen) < len(keys) else None


def _sampled(keys: Sequence[str], strata: Sequence[str], number: int, seed: int, *, minimum: int = 0) -> list[int]:
    """Numbers of the items that come, in order: all where `number` is 0, `each` of a stratum where that is given, else
    shares of `number` in proportion."""
    if not number:
        return list(range(len(keys)))
    by_stratum: dict[str, list[int]] = {}
    for n, name in enumerate(strata):
        by_stratum.setdefault(name, []).append(n)
    sizes: dict[Hashable, int] = {name: len(numbers) for name, numbers in by_stratum.items()}
    share = dict.fromkeys(sizes, minimum) if minimum else shares(sizes, number)
    chosen: set[int] = set()
    for name, numbers in by_stratum.items():
        named = {f"{keys[n]}\t{n}": n for n in numbers}
        chosen.update(named[key] for key in drawn(list(named), share[name], seed))
    return sorted(chosen)


def _digest(*items: object) -> str:
    """A name for all that a suite reads: values alone, so that nothing is abbreviated."""
    return sha256(repr(items).encode()).hexdigest()


def _describe_sample(number: int, total: int, options: Options, *more: str) -> str:
    part = f"{number}" if number == total else f"{number}-of-{total},seed-{options.seed}"
    return ",".join([part, *filter(None, more)])


SUITES: Registry[Part] = Registry(
    "suite",
    {
        "crows": Factory(_crows),
        "stereoset": Factory(_stereoset),
        "seat": Factory(_seat),
        "holisticbias": Factory(_holisticbias),
        "winobias": Factory(_winobias),
        "bbq": Factory(_bbq),
        "entity_tracking": Factory(_entity_tracking),
        **{name: Factory(partial(_minimal, name)) for name in MINIMAL},
    },
    group="suites",
)
"""Each factory takes the options and returns the suite with its items read."""
