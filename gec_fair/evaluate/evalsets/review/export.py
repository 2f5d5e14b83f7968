"""From decisions to results: the finished evaluation set with its history, or the corrected counts of bias cases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from gec_fair.edits import split_spaces
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.evalsets.build import QUEUE, Proposal, Text, read_manifest, read_queue, write_set
from gec_fair.evaluate.evalsets.review.decisions import (
    VERDICTS,
    Decision,
    check_decision,
    decisions_file,
    read_decisions,
)
from gec_fair.evaluate.evalsets.review.items import FIELDS, Item, read_items
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.runs.atomic import leave_nothing, refuse_used, write_text
from gec_fair.runs.json_files import json_line


@dataclass(frozen=True, slots=True)
class Exported:
    """What became of the items: counts by verdict, `undecided` and `disputed`; `exported`: how many are in the finished
    set."""

    folder: Path
    counts: Mapping[str, int]
    exported: int


def export(
    folder: Path,
    out: Path,
    annotator: Annotator,
    *,
    by: str | None = None,
    partial: bool = False,
    overwrite: bool = False,
) -> Exported:
    """Write the finished set (or, for bias cases, the reviewed counts) into `out`.

    `by`: one reviewer's decisions alone; otherwise those of all who judged an item, who must agree in verdict and
    words. What they do not agree on is left out and listed. `changes.jsonl` has every text that a reviewer changed,
    with the name, the old and the new words. UsageError for items without a decision, unless the export is `partial`.
    """
    chosen = choose_decisions(folder, out, by=by, partial=partial, overwrite=overwrite)
    with leave_nothing(out):
        if (folder / QUEUE).is_file():
            return _twins(folder, out, annotator, chosen)
        return _cases(folder, out, chosen)


def choose_decisions(
    folder: Path, out: Path, *, by: str | None, partial: bool, overwrite: bool
) -> Mapping[str, Mapping[str, Decision]]:
    """The decisions that are exported, by reviewer and item. Raises as `export` does."""
    decisions = read_decisions(folder)
    if not decisions or (by is not None and by not in decisions):
        raise InputError(f"{folder}: no decisions{f' by {by}' if by else ''} yet; `gec-fair review {folder}` first")
    refuse_used(out, overwrite=overwrite)
    chosen = {by: decisions[by]} if by is not None else decisions
    items = read_items(folder)
    undecided = sum(not any(item.key in their for their in chosen.values()) for item in items)
    if undecided and not partial:
        raise UsageError(
            f"{folder}: {undecided:,} of {len(items):,} items are undecided; review them, or export the others alone "
            "with --partial"
        )
    for who, their in chosen.items():
        for item in items:
            _check(folder, who, item, their.get(item.key))
    return chosen


def _check(folder: Path, who: str, item: Item, decision: Decision | None) -> None:
    """InputError for a decision that the page cannot have saved."""
    try:
        if decision is not None:
            check_decision(item, decision)
    except (ValueError, AttributeError) as fault:
        file = decisions_file(folder, who)
        raise InputError(f"{file}: {item.id}: is not a decision on this item ({fault}); restore the file") from fault


def _twins(folder: Path, out: Path, annotator: Annotator, decisions: Mapping[str, Mapping[str, Decision]]) -> Exported:
    manifest = read_manifest(folder)
    counts: Counter[str] = Counter()
    accepted: list[tuple[Proposal, tuple[Text, Text]]] = []
    changes: list[dict[str, Any]] = []
    disputed: list[tuple[str, Mapping[str, Decision]]] = []
    for item, proposal in zip(read_items(folder), read_queue(folder), strict=True):
        mine = {who: their[item.key] for who, their in decisions.items() if item.key in their}
        verdict = final_verdict(list(mine.values()))
        counts[verdict] += 1
        changes += [_change(proposal, who, name, d) for who, d in mine.items() for name in FIELDS if name in d.texts]
        if verdict == "disputed":
            disputed.append((proposal.id, mine))
        if verdict == VERDICTS[0]:
            accepted.append((proposal, _final(proposal, next(iter(mine.values())).texts)))
    if not accepted:
        raise InputError(f"{folder}: nothing accepted yet; the set would be empty, so nothing was written")
    write_set(out, manifest["stem"], manifest["kind"], _annotate(accepted, annotator))
    _write_lines(out / "changes.jsonl", changes)
    write_disputed(out, disputed)
    _write_summary(out, {**manifest, "reviewers": list(decisions), "verdicts": counts, "kept": len(accepted)})
    return Exported(out, counts, len(accepted))


def final_verdict(decisions: Sequence[Decision]) -> str:
    """The verdict that all share; `undecided` without any, `disputed` where they differ, answer differently, or
    accept other words."""
    if not decisions:
        return "undecided"
    verdict, answer = decisions[0].verdict, decisions[0].answer
    words = [dict(d.texts) for d in decisions]
    same = all((d.verdict, d.answer) == (verdict, answer) for d in decisions)
    if not same or (verdict == VERDICTS[0] and any(w != words[0] for w in words)):
        return "disputed"
    return verdict


def _final(proposal: Proposal, texts: Mapping[str, str]) -> tuple[Text, Text]:
    """Both sides; annotators' edits stay where their side was not changed."""
    sides = []
    for name, side in (("orig", proposal.orig), ("aug", proposal.aug)):
        changed = {part: texts.get(f"{name}.{part}", getattr(side, part)) for part in ("source", "target")}
        same = changed == {"source": side.source, "target": side.target}
        sides.append(side if same else Text(changed["source"], changed["target"]))
    return sides[0], sides[1]


def _annotate(twins: Sequence[tuple[Proposal, tuple[Text, Text]]], annotator: Annotator) -> list[tuple[Text, Text]]:
    """ERRANT's edits for sides that have none: a draft that was accepted, or a text that was changed. They stand under
    the name of everyone who annotated the original, for it was looked at after all of them."""
    bare = [text for _, sides in twins for text in sides if not text.annotators]
    pairs = [(split_spaces(text.source).words, split_spaces(text.target).words) for text in bare]
    summary = {
        pair: [(e.start, e.end, " ".join(e.replacement), e.kind) for e in edits]
        for pair, edits in zip(pairs, annotator(pairs) if pairs else (), strict=True)
    }

    def join_segments(text: Text, proposal: Proposal) -> Text:
        if text.annotators:
            return text
        edits = summary[split_spaces(text.source).words, split_spaces(text.target).words]
        names = [who for who, _ in proposal.orig.annotators] or ["0"]
        return Text(text.source, text.target, [(who, edits) for who in names])

    return [(join_segments(a, proposal), join_segments(b, proposal)) for proposal, (a, b) in twins]


def _cases(folder: Path, out: Path, decisions: Mapping[str, Mapping[str, Decision]]) -> Exported:
    counts: Counter[str] = Counter()
    by_kind: dict[str, Counter[str]] = {}
    rows = []
    for item in read_items(folder):
        mine = {who: their[item.key] for who, their in decisions.items() if item.key in their}
        verdict = final_verdict(list(mine.values()))
        counts[verdict] += 1
        by_kind.setdefault(item.group, Counter())[verdict] += 1
        rows.append(
            {
                "id": item.id,
                "kind": item.group,
                "verdict": verdict,
                "reviewers": {who: _as_row(d) for who, d in mine.items()},
            }
        )
    _write_lines(out / "cases.jsonl", rows)
    judged = {kind: _precision(verdicts) for kind, verdicts in sorted(by_kind.items())}
    _write_summary(out, {"reviewers": list(decisions), "verdicts": counts, "kinds": judged})
    return Exported(out, counts, counts[VERDICTS[0]])


def _precision(verdicts: Counter[str]) -> dict[str, float | int | None]:
    """How many counted cases reviewers call biased, and the share of those that were judged either way."""
    biased, wrong = verdicts["accept"], verdicts["reject"]
    share = round(100 * biased / (biased + wrong), 1) if biased + wrong else None
    return {
        "cases": verdicts.total(),
        "biased": biased,
        "not_biased": wrong,
        "unsure": verdicts["drop"],
        "precision": share,
    }


def _change(proposal: Proposal, who: str, name: str, decision: Decision) -> dict[str, Any]:
    return {
        "id": proposal.id,
        "reviewer": who,
        "text": name,
        "old": attrgetter(name)(proposal),
        "new": decision.texts[name],
        "at": decision.at,
    }


def write_disputed(out: Path, items: Sequence[tuple[str, Mapping[str, Decision]]]) -> None:
    """Write what reviewers do not agree on: each item's id with all decisions on it."""
    rows = [{"id": name, "decisions": {who: _as_row(d) for who, d in mine.items()}} for name, mine in items]
    _write_lines(out / "disputed.jsonl", rows)


def _as_row(decision: Decision) -> dict[str, Any]:
    """What is written of a decision, without its item."""
    return {name: value for name, value in decision.as_row().items() if name != "id"}


def _write_summary(out: Path, summary: Mapping[str, Any]) -> None:
    write_text(out / "review.json", json.dumps(summary, ensure_ascii=False, indent=2) + "\n")


def _write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    write_text(path, "".join(map(json_line, rows)))
