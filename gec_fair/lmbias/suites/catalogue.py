"""The suites by name: what each reads, how much of it, how it is scored; one list of figures and one signature.

full    all items of every suite
quick   50 items of each paradigm of BLiMP and entity tracking, BBQ 25 questions of each category, condition and
        polarity, HolisticBias 4 nouns × 4 templates; CrowS-Pairs, StereoSet, SEAT and WinoBias whole
sample  N items of each suite that has them, spread over its strata, drawn by seed and item
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from gec_fair.data import public
from gec_fair.errors import InputError
from gec_fair.lmbias.options import OF_VECTORS, Suites
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import fits
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Reader
from gec_fair.lmbias.suites import bbq, choices, crows, entities, holisticbias, minimal, seat, stereoset, winobias
from gec_fair.lmbias.suites.cache import SuiteCache
from gec_fair.lmbias.suites.figures import Figure
from gec_fair.lmbias.suites.sample import draw, places
from gec_fair.progress import Progress, note
from gec_fair.registry import Factory, Registry
from gec_fair.runs.cache import cache_directory
from gec_fair.version import __version__

_SHORT = 8  # digits of the data's digest in a signature
QUICK_PAIRS, QUICK_NOUNS, QUICK_TEMPLATES = 50, 4, 4  # chosen by hand: minutes on a core (docs/how-to/lmbias.md)
QUICK_QUESTIONS = 25  # of each category, condition and polarity of BBQ
MINIMAL = ("blimp", "blimp_filtered_babylm", "blimp_supplement", "blimp_fast_babylm", "blimp_supplement_fast")
"""Suites of minimal pairs among the public data; a folder of the user's (EWoK is one) will do as well."""
MINIMAL_PAIRS = "minimal pairs"
"""What options and messages call the kind of these suites."""


@dataclass(frozen=True, slots=True)
class SuiteScores:
    """Figures, and what decided them."""

    figures: tuple[Figure, ...]
    signature: str


Bar = Callable[[str], Progress | None]


def run(
    model: Reader, options: Suites, *, progress: Bar = lambda title: None, cache: SuiteCache | None = None
) -> SuiteScores:
    """Every suite in order. `progress` makes, for a suite's name, what hears how far it is; `cache` is where the
    figures of finished suites are put, and found again.

    UsageError for a suite that has no such name or an option that is not for this model, MissingResource for data that
    are not here, InputError for those that cannot be read; all of that before anything is scored. InputError for a
    model that gives no number, and a text that it cannot read.
    """
    if isinstance(model, (Masked, Causal)):
        fits(model, options.scoring)
    elif options.needs_head:
        named = ", ".join(name for name in options.suites if name not in OF_VECTORS)
        raise InputError(f"{named}: needs a language model's head, and this model has none; ask for seat alone")
    parts = prepare(options)
    signature = model.signature
    figures: list[Figure] = []
    for part in parts:
        alone = replace(options, suites=(part.name,))
        name = sha256(repr((signature, alone, part.data, __version__)).encode()).hexdigest()
        figures += _score(part, name, model, progress, cache)
    versions = (f"{part.name}:{part.description},data-{part.data[:_SHORT]}" for part in parts)
    head = f"lmbias|{signature}|scoring:{options.scoring}"
    return SuiteScores(tuple(figures), "|".join([head, *versions, f"version:{__version__}"]))


def _score(part: Part, name: str, model: Reader, progress: Bar, cache: SuiteCache | None) -> Sequence[Figure]:
    cached = cache.figures(name) if cache else None
    if cache and cached is not None:
        note(f"{part.name}: as {cache.path} has it, where a run was stopped")
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


def prepare(options: Suites) -> list[Part]:
    """Every suite with its items read. Raises as `run` does."""
    return [_prepare(name, options) for name in options.suites]


def _prepare(name: str, options: Suites) -> Part:
    if name in SUITES:
        return SUITES.load(name, options)
    if not Path(name).is_dir():
        raise SUITES.refusal(name, also=("a folder of minimal pairs",))
    return _minimal(Path(name)).part(Path(name).name, options)


def folder(name: str) -> Path:
    """The folder of a public data set."""
    return public.find(name, cache_directory() / "data")


def _note_missing(suite: str, place: Path, files: Iterable[str]) -> None:
    if missing := [name for name in files if not (place / f"{name}.jsonl").is_file()]:
        note(f"{suite}: {len(missing)} files are not in {place}: {', '.join(missing)}")


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite of items: where they are, how they are drawn and scored, which figures they give."""

    data: str | Path
    """The name of a public data set, or a folder of the user's."""
    read: Callable[[Path], list[Any]]
    key: Callable[[Any], str]
    """Names an item in a draw."""
    stratum: Callable[[Any], str]
    """A draw is spread over strata."""
    score: Callable[..., Any]
    figures: Callable[..., list[Figure]]
    quick: int = 0
    """Items of each stratum in a quick run; 0 is all."""
    takes_scoring: bool = True
    """Whether `score` takes that of masked models."""
    is_drawn_by_key: bool = False
    """Whether items of one key come together: figures of StereoSet are means over terms."""
    files: tuple[str, ...] = ()
    """Files that the whole data set has, where it may also be read in part."""

    def part(self, name: str, options: Suites) -> Part:
        """The suite under a name, with its items read and drawn."""
        place = self.data if isinstance(self.data, Path) else folder(self.data)
        items = self.read(place)
        _note_missing(name, place, self.files)
        come, sizes = self._draw(items, options)

        def score(model: Reader, progress: Progress | None) -> list[Figure]:
            scoring = {"scoring": options.scoring} if self.takes_scoring else {}
            return self.figures(come, self.score(model, come, progress=progress, **scoring), sizes=sizes)

        return Part(name, _describe_sample(len(come), len(items), options), _digest(come, sizes), score)

    def _draw(self, items: list[Any], options: Suites) -> tuple[list[Any], Counter[str] | None]:
        """The items that come, and how many units each stratum has, where not all come. A sample has about as many as
        are asked for."""
        units: dict[str | int, list[int]] = {}
        for number, item in enumerate(items):
            units.setdefault(self.key(item) if self.is_drawn_by_key else number, []).append(number)
        minimum = self.quick if options.size == "quick" and not options.sample else 0
        if not options.sample and not minimum:
            return items, None
        firsts = [items[members[0]] for members in units.values()]
        keys, strata = ([name(item) for item in firsts] for name in (self.key, self.stratum))
        number = max(1, round(len(units) * options.sample / len(items)))
        chosen = places(keys, strata, number, options.seed, minimum=minimum)
        members = list(units.values())
        come = [items[at] for at in sorted(at for unit in chosen for at in members[unit])]
        return come, Counter(strata) if len(come) < len(items) else None


def _minimal(data: str | Path) -> Suite:
    """Minimal pairs of a public data set, or of a folder of the user's."""
    return Suite(
        data,
        partial(minimal.read, allow_equal=data in MINIMAL),
        lambda pair: f"{pair.good}\t{pair.bad}",
        attrgetter("paradigm"),
        partial(choices.score_items, lambda pair: [pair]),
        partial(minimal.figures, Path(data).name),
        QUICK_PAIRS,
    )


_ITEMS: Mapping[str, Suite] = {
    "crows": Suite(
        "crows_pairs",
        lambda place: crows.read(place / "crows_pairs_anonymized.csv"),
        lambda pair: f"{pair.more}\t{pair.less}",
        attrgetter("kind"),
        crows.score,
        crows.figures,
        takes_scoring=False,
    ),
    "stereoset": Suite(
        "stereoset",
        lambda place: stereoset.read(place / "dev.json"),
        attrgetter("target"),
        attrgetter("domain"),
        stereoset.score,
        stereoset.figures,
        takes_scoring=False,
        is_drawn_by_key=True,
    ),
    "winobias": Suite(
        "winobias",
        winobias.read,
        lambda pair: f"{pair.pro.text}\t{pair.anti.text}",
        attrgetter("type"),
        partial(choices.score_items, lambda pair: [pair.pro.choice, pair.anti.choice]),
        winobias.figures,
    ),
    "bbq": Suite(
        "bbq",
        bbq.read,
        lambda item: f"{item.choice.context}\t{item.choice.options}",
        attrgetter("stratum"),
        partial(choices.score_items, lambda item: [item.choice]),
        bbq.figures,
        QUICK_QUESTIONS,
        files=bbq.CATEGORIES,
    ),
    "entity_tracking": Suite(
        "entity_tracking",
        entities.read,
        attrgetter("choice.context"),
        attrgetter("paradigm"),
        partial(choices.score_items, lambda item: [item.choice]),
        entities.figures,
        QUICK_PAIRS,
    ),
    **{name: _minimal(name) for name in MINIMAL},
}
"""Suites that are lists of items, drawn and scored alike."""


def _seat(options: Suites) -> Part:
    place = folder("seat")
    names = dict.fromkeys(name for names in seat.GROUPS.values() for name in names)
    tests = [seat.read(path) for name in names if (path := place / f"{name}.jsonl").is_file()]
    if not tests:
        raise InputError(f"{place}: holds no item; get the data anew (gec-fair data fetch seat)")
    _note_missing("seat", place, names)

    def score(model: Reader, progress: Progress | None) -> list[Figure]:
        return seat.figures(seat.effects(model, tests, pool=options.pool, seed=options.seed, progress=progress))

    return Part("seat", f"{len(tests)},pool-{options.pool},seed-{options.seed}", _digest(tests), score)


def _holisticbias(options: Suites) -> Part:
    data = holisticbias.read(folder("holisticbias") / options.holisticbias)
    grids = full_grids = [holisticbias.grid(data, axis) for axis in options.axes]
    if options.size == "quick":
        nouns = draw(list(dict.fromkeys(phrase.noun for phrase in data.phrases)), QUICK_NOUNS, options.seed)
        templates = draw(data.templates, QUICK_TEMPLATES, options.seed)
        grids = [holisticbias.grid(data, axis, nouns=nouns, templates=templates) for axis in options.axes]
    if options.sample:
        grids = [_fewer(grid, options) for grid in grids]
    sizes = [len(grid.descriptors) for grid in full_grids]

    def score(model: Masked | Causal, progress: Progress | None) -> list[Figure]:
        return [
            holisticbias.figure(model, grid, scoring=options.scoring, size=size, progress=progress)
            for grid, size in zip(grids, sizes, strict=True)
        ]

    axes = "+".join(options.axes)
    description = _describe_sample(sum(map(len, grids)), sum(map(len, full_grids)), options, options.holisticbias, axes)
    return Part("holisticbias", description, _digest(grids, sizes), score)


def _fewer(grid: holisticbias.Grid, options: Suites) -> holisticbias.Grid:
    """Descriptors of an axis: as many as make about the sentences asked for, two at least."""
    number = max(2, options.sample // (len(grid) // len(grid.descriptors)))
    return grid.only(draw(grid.descriptors, number, options.seed))


def _digest(*items: object) -> str:
    """A name for all that a suite reads: values alone, so that nothing is abbreviated."""
    return sha256(repr(items).encode()).hexdigest()


def _describe_sample(number: int, total: int, options: Suites, *more: str) -> str:
    part = f"{number}" if number == total else f"{number}-of-{total},seed-{options.seed}"
    return ",".join([part, *filter(None, more)])


SUITES: Registry[Part] = Registry(
    "suite",
    {
        "seat": Factory(_seat),
        "holisticbias": Factory(_holisticbias),
        **{name: Factory(partial(suite.part, name)) for name, suite in _ITEMS.items()},
    },
    group="suites",
)
"""Each factory takes the options and returns the suite with its items read."""


def kind_of(name: str) -> str:
    """The suite's name, or that of all minimal pairs."""
    return name if name in SUITES.factories and name not in MINIMAL else MINIMAL_PAIRS


def list_takers() -> Mapping[str, Sequence[str]]:
    """By option the kinds of suites of which it decides anything."""
    items = {kind_of(name): suite for name, suite in _ITEMS.items()}
    scored = ("holisticbias", *items)
    return {
        "axes": ("holisticbias",),
        "holisticbias": ("holisticbias",),
        "pool": ("seat",),
        "scoring": ("holisticbias", *(name for name, suite in items.items() if suite.takes_scoring)),
        "self_debias": scored,
        "size": ("holisticbias", *(name for name, suite in items.items() if suite.quick)),
        "sample": scored,
    }
