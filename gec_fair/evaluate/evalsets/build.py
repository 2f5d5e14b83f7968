"""The review queue of an evaluation set: every proposed twin, and every pair that was discarded, with the reason.

    X.m2 ─ augment ─┬─ augmented ─▶ STEM_orig.*, STEM_KIND_aug.*
                    └─ discarded ─┐
                       augmented ─┴─▶ queue.jsonl ─ review ─▶ the finished set

What a reviewer decides is kept beside the queue (`decisions`), never in it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.planning.swap import Plan, plan_edits
from gec_fair.augmentation.run import as_row as told_options
from gec_fair.augmentation.run import versions
from gec_fair.corpus.formats.readers import read
from gec_fair.corpus.outcome import Augmented, Discarded, Left, Malformed, Outcome, name_of
from gec_fair.corpus.records import Pair
from gec_fair.data.compression import plain_path
from gec_fair.edits import Edits, apply, edit_words, edits, m2, split_spaces
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.evaluate.evalsets.catalogue import ENDINGS, KINDS
from gec_fair.evaluate.scoring.texts import digest
from gec_fair.progress import Progress
from gec_fair.runs.atomic import leave_nothing, refuse_used, write_text
from gec_fair.runs.identity import Identity
from gec_fair.runs.json_files import read_object, read_object_lines
from gec_fair.runs.record import MANIFEST, Record

QUEUE = "queue.jsonl"
TRANSFORMS = {"st": "st", "fm": "mf", "neo": "neo"}  # method of augmentation → kind of the set
_BATCH = 128
Annotation = list[tuple[str, list[tuple[int, int, str, str]]]]
"""Annotator, and (start, end, replacement, type) of every edit."""


@dataclass(frozen=True, slots=True)
class Text:
    """One side as it is proposed: a source, its first annotator's target, and the annotators' edits."""

    source: str
    target: str
    annotators: Annotation = field(default_factory=list)

    def edits(self) -> list[tuple[str, Edits]]:
        """The annotators with their edits over the tokens of the source."""
        size = len(split_spaces(self.source))
        return [(who, edits([m2.edit_of(*row) for row in their], size)) for who, their in self.annotators]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One pair of the queue. `status`: augmented or discarded; `clusters`: half-open token spans in the original
    target, a list a person; `aug` of a discarded pair is a first draft: the plan on each side by itself."""

    id: str
    status: str
    reason: str
    detail: str
    orig: Text
    aug: Text
    clusters: list[list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Built:
    """How many sentences came out how, and the reasons of what was discarded."""

    folder: Path
    stem: str
    kind: str
    outcomes: Mapping[str, int]
    reasons: Mapping[str, int]


def build(
    reference: Path,
    out: Path,
    options: Options,
    *,
    stem: str | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Built:
    """Make an evaluation set and its review queue from an M2 file.

    Same input and options give the same bytes. InputError for what is no M2, UsageError for a folder in use and for a
    stem that would lead out of it.
    """
    if stem is not None and not _is_file_name(stem):
        raise UsageError(f"--name {stem!r}: is not the beginning of a file's name; leave out what leads to a folder")
    name = plain_path(reference).stem if stem is None else stem
    if any(f"_{kind}_aug" in name for kind in KINDS):
        raise UsageError(f"{name}: reads as a side of another set; call this one otherwise with --name")
    refuse_used(out, overwrite=overwrite, remedy="take another folder, or --overwrite (decisions of reviewers stay)")
    pairs = list(_pairs(reference))
    if not pairs:
        raise InputError(f"{reference}: no sentence in it; an M2 file has lines 'S …' and 'A …'")
    augmenter = Augmenter(options)
    proposals: list[Proposal] = []
    outcomes: Counter[str] = Counter(augmented=0, discarded=0, left=0, unchanged=0)
    rest = iter(pairs)
    while batch := list(islice(rest, _BATCH)):
        results = augmenter(batch)
        outcomes.update(map(name_of, results))
        proposals += _proposals(batch, results, augmenter)
        if progress is not None:
            progress(outcomes.total(), len(pairs))
    if not proposals:
        raise InputError(f"{reference}: nothing in it is to be rewritten ({options.method}); nothing was written")
    kind = TRANSFORMS[options.method]
    reasons = dict(Counter(p.reason for p in proposals if p.reason).most_common())
    inputs = {"from": {"name": reference.name, "sha256": digest(reference)}}
    identity = Identity("evalset build", told_options(options), inputs, versions(options))
    result = {"stem": name, "kind": kind, "outcomes": outcomes, "reasons": reasons}
    with leave_nothing(out):
        _remove_older(out)
        write_set(out, name, kind, [(p.orig, p.aug) for p in proposals if p.status == "augmented"])
        write_text(out / QUEUE, "".join(json.dumps(asdict(p), ensure_ascii=False) + "\n" for p in proposals))
        Record(out, identity, overwrite=True).finish(result)
    return Built(out, name, kind, outcomes, reasons)


def read_queue(folder: Path) -> list[Proposal]:
    """The proposals of a folder. InputError without queue, or what is not a proposal."""
    path = folder / QUEUE
    try:
        rows = list(read_object_lines(path, "build the set again"))
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); `gec-fair evalset build` makes one") from fault
    proposals = []
    for number, row in enumerate(rows, start=1):
        try:
            orig, aug = (Text(**row.pop(side)) for side in ("orig", "aug"))
            proposals.append(Proposal(orig=orig, aug=aug, **row))
        except (ValueError, TypeError, KeyError) as fault:
            raise InputError(f"{path}:{number}: is not a proposal ({fault}); build the set again") from fault
    return proposals


def read_manifest(folder: Path) -> dict[str, Any]:
    """What `build` wrote beside the queue. InputError if there is none, and if its names would lead out of a folder."""
    path = folder / MANIFEST
    manifest = read_object(path, "`gec-fair evalset build` makes it")
    if not _is_file_name(manifest.get("stem")) or manifest.get("kind") not in TRANSFORMS.values():
        raise InputError(f"{path}: the stem or the kind of the set is not one that is written; build the set again")
    return manifest


def _is_file_name(stem: object) -> bool:
    """Whether a name stays in its folder, on every system."""
    return isinstance(stem, str) and bool(stem) and stem.isprintable() and not set(stem) & set("/\\:")


def _remove_older(folder: Path) -> None:
    """The set of an earlier build: one set a folder."""
    if (folder / MANIFEST).is_file():
        older = read_manifest(folder)
        for label in ("orig", f"{older['kind']}_aug"):
            for ending in ENDINGS:
                (folder / f"{older['stem']}_{label}{ending}").unlink(missing_ok=True)
        (folder / MANIFEST).unlink()


def write_set(folder: Path, stem: str, kind: str, twins: Sequence[tuple[Text, Text]]) -> None:
    """The six files of a set."""
    for number, label in enumerate(("orig", f"{kind}_aug")):
        side = [twin[number] for twin in twins]
        name = f"{stem}_{label}"
        write_text(folder / f"{name}.src.txt", "".join(text.source + "\n" for text in side))
        write_text(folder / f"{name}.tgt.txt", "".join(text.target + "\n" for text in side))
        write_text(folder / f"{name}.m2", "".join(m2.render(split_spaces(text.source), text.edits()) for text in side))


def _pairs(reference: Path) -> Iterator[Pair]:
    for record in read(reference, format="m2"):
        if isinstance(record.value, Malformed):
            assert record.complaint is not None
            raise InputError(str(record.complaint))
        yield record.value


def _proposals(pairs: Sequence[Pair], outcomes: Sequence[Outcome], augmenter: Augmenter) -> list[Proposal]:
    chosen = [
        (pair, outcome)
        for pair, outcome in zip(pairs, outcomes, strict=True)
        if isinstance(outcome, Augmented | Discarded)
    ]
    clusters = _clusters([_words(pair) for pair, _ in chosen], augmenter)
    rows = []
    for (pair, outcome), spans in zip(chosen, clusters, strict=True):
        if isinstance(outcome, Augmented):
            rows.append(Proposal(pair.id, "augmented", "", "", _text(pair), _text(outcome.pair), spans))
        elif isinstance(outcome, Discarded):
            draft = _draft(pair, augmenter)
            rows.append(Proposal(pair.id, "discarded", outcome.reason, outcome.detail, _text(pair), draft, spans))
    return rows


def _clusters(texts: Sequence[Sequence[str]], augmenter: Augmenter) -> list[list[list[tuple[int, int]]]]:
    """People of each text, for the eye; none where no coreference model is to be had."""
    from gec_fair.english import pipeline
    from gec_fair.people import links

    try:
        resolver = links.load(augmenter.options.coref)
    except MissingResource:
        return [[] for _ in texts]
    docs = list(pipeline.parse(augmenter.planner.nlp, texts))
    return [[[(m.start, m.end) for m in cluster] for cluster in clusters] for clusters in resolver.clusters(docs)]


def _words(pair: Pair) -> tuple[str, ...]:
    return edit_words(pair.corrections[0][1], split_spaces(pair.source).words)


def _text(pair: Pair) -> Text:
    source = " ".join(split_spaces(pair.source).words)
    annotators: Annotation = [
        (who, [(e.start, e.end, m2.replacement_of(e), e.kind) for e in their]) for who, their in pair.corrections
    ]
    return Text(source, " ".join(edit_words(pair.corrections[0][1], split_spaces(source).words)), annotators)


def _draft(pair: Pair, augmenter: Augmenter) -> Text:
    """A discarded pair, each side rewritten by itself as far as a plan goes: something to start from."""
    texts = [split_spaces(pair.source).words, _words(pair)]
    plans = augmenter.planner.plans(texts, [pair.id] * 2)
    source, target = (_apply(words, plan) for words, plan in zip(texts, plans, strict=True))
    return Text(source, target)


def _apply(words: tuple[str, ...], plan: Plan) -> str:
    if isinstance(plan, Left | Discarded):
        return " ".join(words)
    return apply(plan_edits(plan, words), split_spaces(" ".join(words))).text
