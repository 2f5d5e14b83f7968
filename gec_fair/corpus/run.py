"""Run a step over a corpus into a directory: pairs, ledger, manifest; the same bytes however it is run.

    read blocks ─▶ engine (here, processes, Ray) ─▶ rendered blocks, in order ─▶ draft ─▶ publish

The parent reads raw lines and appends finished bytes; workers do all between (`corpus.step.work`). Memory is flat:
only a few blocks for each worker are in flight.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from gec_fair.config.corpora import Reading, Running
from gec_fair.corpus import ledger, pool
from gec_fair.corpus import partial_run as drafts
from gec_fair.corpus.formats.inputs import InputFile, Source, measure, resolve
from gec_fair.corpus.formats.malformed import complaint
from gec_fair.corpus.formats.readers import Block, blocks
from gec_fair.corpus.manifest import Manifest, conclude, identify
from gec_fair.corpus.partial_run import Draft
from gec_fair.corpus.step import StepFactory
from gec_fair.corpus.writers import KNOWN, Rendered, output_names
from gec_fair.errors import GecFairError, InputError, MissingResource, UsageError
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Table, right
from gec_fair.runs.identity import Identity

_Blocks: TypeAlias = Callable[[], Iterator[Block]]
_Results: TypeAlias = Generator[Rendered, None, None]
_Working: TypeAlias = Callable[[_Blocks, int], _Results]


@dataclass(frozen=True, slots=True, repr=False)
class Finished(Result):
    """`before` says what was found in the directory: nothing, the beginning of this run, or all of it."""

    directory: Path
    manifest: Manifest
    before: Literal["nothing", "unfinished", "complete"]

    def to_dict(self) -> dict[str, Any]:
        """The manifest, as it stands in the folder."""
        return self.manifest.as_json()

    def tables(self) -> Sequence[Table]:
        """How many lines had each outcome."""
        counts = self.manifest.counts
        records = [{"outcome": name, "lines": number} for name, number in counts.items() if name != "lines"]
        columns = (Column("outcome"), right("lines", "{:,}"))
        return [Table("outcomes", f"Lines by outcome, in {self.directory}", records, columns=columns)]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a run is to do, checked: `files_of` says to which source each of the files belongs."""

    sources: tuple[Source, ...]
    files: tuple[InputFile, ...]
    files_of: tuple[int, ...]
    reading: Reading
    identity: Identity


def run(
    inputs: Sequence[str | Path],
    out_dir: str | Path,
    step_factory: StepFactory,
    options: object,
    *,
    job: str,
    versions: Mapping[str, str] | None = None,
    reading: Reading = Reading(),
    running: Running = Running(),
    checkpoint_every: float = 5.0,
) -> Finished:
    """Take every line of the inputs through the step; see docs/reference/runs.md for what lies in `out_dir` afterwards.

    `step_factory` is picklable and builds the step once in each worker. `options` (a dataclass or mapping), `job`,
    `versions` and `reading` are all that decides the bytes; they are written to the manifest, and a directory that
    holds a run with others is refused (ResumeError). `checkpoint_every` is in seconds; 0 makes every block safe.

    With several workers a script needs its `if __name__ == "__main__":`, as always with processes that may be spawned.
    """
    out = Path(out_dir)
    plan = _plan(inputs, out, options, job, versions or {}, reading)
    done = drafts.find_finished(out, plan.identity, overwrite=running.overwrite)
    if done is not None:
        _refuse_malformed(out, done, running.strict)
        return Finished(out, done, "complete")
    working = partial(_engine(running), step_factory)
    with drafts.hold_lock(out):
        names = output_names(s.format for s in plan.sources)
        with _writing(out):
            draft = drafts.begin(out, plan.identity, names, len(plan.sources), overwrite=running.overwrite)
        if not isinstance(draft, Draft):
            _refuse_malformed(out, draft, running.strict)
            return Finished(out, draft, "unfinished")
        before: Literal["nothing", "unfinished"] = "unfinished" if draft.tally.lines else "nothing"
        return Finished(out, _fill(draft, plan, working, running, checkpoint_every), before)


def _plan(
    inputs: Sequence[str | Path],
    out: Path,
    options: object,
    job: str,
    versions: Mapping[str, str],
    reading: Reading,
) -> _Plan:
    sources = resolve(inputs, reading.format)
    for path in (p for s in sources for p in s.paths):
        if path.resolve().parent == out.resolve() and path.name in KNOWN:
            raise UsageError(f"{path} is an input and would be overwritten; choose another --output")
    files = tuple(f for s in sources for f in measure(s))
    files_of = tuple(n for n, s in enumerate(sources) for _ in s.paths)
    return _Plan(sources, files, files_of, reading, identify(job, files, options, reading, versions))


def _fill(draft: Draft, plan: _Plan, working: _Working, running: Running, checkpoint_every: float) -> Manifest:
    """Do the remaining shards, then publish. Finished shards are on disk whatever happens."""
    stream = partial(blocks, plan.sources, plan.reading, chunk=running.chunk, begin=draft.tally.begin())
    try:
        if running.strict and draft.tally.malformed:
            raise next(ledger.complaints(draft.partial))
        with closing(working(stream, running.workers)) as results, _meter(running, plan) as tick:
            for rendered in results:
                if running.strict and rendered.fault:
                    line, fault = rendered.fault
                    raise complaint(plan.sources[rendered.source].name, line, fault)
                with _writing(draft.directory):
                    draft.add(rendered, every=checkpoint_every)
                tick(draft.tally.lines)
        if draft.tally.lines == draft.tally.malformed:
            raise _unusable(plan, draft)
        final = conclude(plan.identity, draft.tally, plan.files_of, tuple(draft.sizes))
        with _writing(draft.directory):
            draft.publish(final)
        return final
    except BaseException:
        with suppress(OSError, ValueError):  # the disk is full, or publishing has begun
            draft.save()
        raise
    finally:
        draft.close()


def _unusable(plan: _Plan, draft: Draft) -> InputError:
    """What to say of inputs without a single usable line. The run leaves nothing behind."""
    draft.save()
    first = next(ledger.complaints(draft.partial), None)
    lines = draft.tally.lines
    draft.discard()
    names = ", ".join(source.name for source in plan.sources)
    if first is None:
        return InputError(f"{names}: is empty; give a file with at least one line")
    return InputError(f"{names}: none of {lines:,} lines can be used; the first: {first}")


def _engine(running: Running) -> Callable[[StepFactory, _Blocks, int], _Results]:
    if running.engine == "local":
        return pool.local
    try:
        from gec_fair.corpus.ray_engine import on_ray
    except ImportError as fault:
        raise MissingResource("--engine ray needs Ray Data; pip install 'gec-fair[ray]'") from fault
    return on_ray


def _refuse_malformed(directory: Path, done: Manifest, strict: bool) -> None:
    if strict and done.counts["malformed"]:
        raise next(ledger.complaints(directory))


@contextmanager
def _writing(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise GecFairError(
            f"{directory}: cannot be written ({fault.strerror}); mend that and run the same command again: it continues"
        ) from fault


@contextmanager
def _meter(running: Running, plan: _Plan) -> Iterator[Callable[[int], None]]:
    """Tells the caller's hook, or a bar on the terminal, or nobody."""
    total = _count_expected(plan)
    if running.progress is not None or not sys.stderr.isatty():
        hook = running.progress
        yield lambda done: hook(done, total) if hook else None
        return
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # no thread beside this one, so that the pool may fork
    with tqdm(total=total, unit=" lines", unit_scale=True, desc=plan.identity.job) as bar:
        yield lambda done: bar.update(done - bar.n) and None


def _count_expected(plan: _Plan) -> int | None:
    """How many lines there will be, where the files tell; a bar needs no more."""
    first = [plan.files[plan.files_of.index(n)].breaks for n in range(len(plan.sources))]
    if any(b is None for b in first):
        return plan.reading.limit
    total = sum(b or 0 for b in first)
    return total if plan.reading.limit is None else min(total, plan.reading.limit)
