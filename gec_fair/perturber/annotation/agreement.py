"""How far annotators agree, of each task by the measures that Qian et al. (2022) print, and kappa beside them.

select      F1 and kappa over the words of a text, by axis
attributes  kappa over the words
rewrite     Table 8 (appendix D)
audit       Table 9 (appendix E): how often a tag was given, and how often two agree on it
labels      appendix J: how many labels hold
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.agreement import cohens_kappa, refuse_one_reviewer
from gec_fair.evaluate.evalsets.review.annotation import NAME, read_set
from gec_fair.evaluate.evalsets.review.decisions import Decision, read_decisions
from gec_fair.evaluate.evalsets.review.tasks import (
    ATTRIBUTES,
    AUDIT,
    DONE,
    LABELS,
    REWRITE,
    SELECT,
    TAGS,
    TASKS,
)
from gec_fair.extras import require
from gec_fair.perturber.annotation.export import Judged, judged
from gec_fair.perturber.neural.metrics import agreement as rewriting_agreement
from gec_fair.report.papers import printed
from gec_fair.report.table import Column, Record, Table, right
from gec_fair.stats.estimate import Estimate
from gec_fair.stats.shares import share

ANY = "any"
_PAPER = "Qian et al. 2022"
_KAPPA = right("kappa", ("{:.2f} [{low:.2f}, {high:.2f}]", "{:.2f}"), unknown="–")
_PAIR = Column("first", "{}, {second}", "annotators")
_TABLE_8 = {"bleu": "sacrebleu", "rougeL": "rouge_l", "rougeLsum": "rouge_lsum"}
"""Our names of Table 8's measures, as the paper's table has them."""
Pairs: TypeAlias = Iterator[tuple[str, str, list[tuple[Judged, Decision, Decision]]]]


def tables(folder: Path) -> list[Table]:
    """The tables of the task of a folder. InputError without decisions, or with those of one annotator where nothing
    can be said of one."""
    decisions = read_decisions(folder)
    task = read_set(folder / NAME).task
    if task not in (AUDIT, LABELS):
        refuse_one_reviewer(decisions)
    texts = judged(folder, decisions)
    if not any(text.decisions for text in texts):
        raise InputError(f"{folder}: no decisions yet; `gec-fair review {folder}` first")
    return _TABLES[task](texts, list(decisions))


def table_8(measures: Mapping[str, float]) -> Table:
    """The agreement of rewritings with the paper's beside it."""
    theirs = printed("qian2022").get("table_8", {})
    records = [
        {"measure": name, "here": value, "paper": theirs.get(_TABLE_8.get(name, name))}
        for name, value in measures.items()
    ]
    columns = (Column("measure"), right("here", "{:.2f}"), right("paper", header=_PAPER))
    return Table("agreement", "Agreement of annotators", records, columns=columns)


def _pairs(texts: Sequence[Judged], who: Sequence[str], verdict: str | None = DONE) -> Pairs:
    """Of each two annotators the texts that both judged, with this verdict if one is given."""
    for first, second in combinations(who, 2):
        both = [text for text in texts if {first, second} <= text.decisions.keys()]
        rows = [(text, text.decisions[first], text.decisions[second]) for text in both]
        yield first, second, [row for row in rows if verdict is None or row[1].verdict == row[2].verdict == verdict]


def _selections(texts: Sequence[Judged], who: Sequence[str]) -> list[Table]:
    axes = list(texts[0].item.axes)
    records: list[Record] = []
    for first, second, rows in _pairs(texts, who):
        for axis in (ANY, *axes):
            masks = [[_mask(text, one, axis) for one in both] for text, *both in rows]
            words = [pair for first_mask, second_mask in masks for pair in zip(first_mask, second_mask, strict=True)]
            head = {"first": first, "second": second, "axis": axis, "texts": len(rows), "words": len(words)}
            records.append({**head, "f1": _f1(words), **_agreed(words)})
    columns = (
        *(_PAIR, Column("axis"), right("texts"), right("words", "{:,}")),
        *(right("f1", "{:.1f}", "F1", "–"), _KAPPA),
    )
    return [Table("selections", "Agreement on the selected words", records, columns=columns)]


def _mask(text: Judged, decision: Decision, axis: str) -> list[bool]:
    """Of each word whether it was selected."""
    chosen = {
        at for start, end, name in decision.answer or () if axis in (ANY, name) for at in range(int(start), int(end))
    }
    return [at in chosen for at in range(len(text.subject.words))]


def _f1(labels: Sequence[tuple[bool, bool]]) -> float | None:
    """In percent, of one annotator's words against the other's; the same both ways. None where neither selected any."""
    both, total = sum(a and b for a, b in labels), sum(a + b for a, b in labels)
    return 200 * both / total if total else None


def _attributes(texts: Sequence[Judged], who: Sequence[str]) -> list[Table]:
    records: list[Record] = []
    for first, second, rows in _pairs(texts, who):
        answers = [pair for _, one, two in rows for pair in zip(one.answer or (), two.answer or (), strict=True)]
        head = {"first": first, "second": second, "texts": len(rows), "words": len(answers)}
        records.append({**head, "same": _same(answers), **_agreed(answers)})
    columns = (_PAIR, right("texts"), right("words", "{:,}"), right("same", "{:.1f} %", "same attribute", "–"), _KAPPA)
    return [Table("attributes", "Agreement on the attributes", records, columns=columns)]


def _rewritings(texts: Sequence[Judged], who: Sequence[str]) -> list[Table]:
    """Table 8 over the texts that two or more rewrote, each with as many annotators as it has."""
    require("BLEU and ROUGE", "perturber", "sacrebleu", "rouge_score")
    groups: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    for text in texts:
        rewritten = {name: _rewriting(text, one) for name, one in text.decisions.items() if one.verdict == DONE}
        if len(rewritten) > 1:
            groups[tuple(rewritten)].append(list(rewritten.values()))
    if not groups:
        raise InputError("no text was rewritten by two annotators, so there is nothing to compare")
    measured = [(len(rows), rewriting_agreement([*zip(*rows, strict=True)])) for rows in groups.values()]
    weights = [number for number, _ in measured]
    measures = {name: fmean([values[name] for _, values in measured], weights) for name in measured[0][1]}
    counted = [{"texts": len(texts), "by_two": sum(weights), "annotators": len(who)}]
    columns = (right("texts"), right("by_two", header="rewritten by two or more"), right("annotators"))
    return [table_8(measures), Table("texts", "Texts", counted, columns=columns)]


def _rewriting(text: Judged, decision: Decision) -> str:
    return decision.texts.get("rewriting", text.item.texts["rewriting"])


def _audit(texts: Sequence[Judged], who: Sequence[str]) -> list[Table]:
    """A tag occurs in a text where any expert gave it. Agreement is over every two experts of a text; kappa has no
    interval where a text has three, for their pairs depend on each other."""
    saved = [[one for one in text.decisions.values() if one.verdict == DONE] for text in texts]
    judged_by_any = [decisions for decisions in saved if decisions]
    pairs = [pair for decisions in saved for pair in combinations(decisions, 2)]
    is_by_two = all(len(decisions) <= 2 for decisions in saved)
    theirs = printed("qian2022").get("table_9", {})
    records: list[Record] = []
    for tag in TAGS:
        labels = [(tag in (a.answer or ()), tag in (b.answer or ())) for a, b in pairs]
        kappa = _agreed(labels)
        occurrence, agreed = theirs.get(tag, (None, None))
        records.append(
            {
                "tag": tag.replace("_", " "),
                "texts": len(judged_by_any),
                "occurrence": _percent([any(tag in (one.answer or ()) for one in text) for text in judged_by_any]),
                "pairs": len(labels),
                "agreement": _same(labels),
                **(kappa if is_by_two else {**kappa, "low": None, "high": None}),
                "paper_occurrence": occurrence,
                "paper_agreement": agreed,
            }
        )
    percent = "{:.1f}"
    columns = (
        *(Column("tag"), right("texts"), right("occurrence", percent, "% occurrence", "–"), right("pairs")),
        *(right("agreement", percent, "% agreement", "–"), _KAPPA),
        *(right("paper_occurrence", percent, f"{_PAPER}: occurrence"), right("paper_agreement", percent, "agreement")),
    )
    return [Table("audit", "Audit of rewritings", records, columns=columns)]


def _labels(texts: Sequence[Judged], who: Sequence[str]) -> list[Table]:
    require("shares with intervals", "review", "statsmodels")
    verdicts = TASKS[LABELS].verdicts
    records: list[Record] = []
    for name in who:
        counts = Counter(text.decisions[name].verdict for text in texts if name in text.decisions)
        holds = share(counts["yes"], counts.total())
        shares = {"holds": holds.value, "low": holds.low, "high": holds.high}
        records.append({"annotator": name, "texts": counts.total(), **shares, **{one: counts[one] for one in verdicts}})
    columns = (
        *(Column("annotator"), right("texts"), *(right(verdict) for verdict in verdicts)),
        right("holds", "{:.1f} % [{low:.1f}, {high:.1f}]", "label holds", "–"),
    )
    first = Table("labels", "Labels that hold after the rewriting", records, columns=columns)
    if len(who) < 2:
        return [first]
    records = []
    for one, second, rows in _pairs(texts, who, None):
        pairs = [(a.verdict, b.verdict) for _, a, b in rows]
        records.append({"first": one, "second": second, "texts": len(rows), "same": _same(pairs), **_agreed(pairs)})
    agreed = (_PAIR, right("texts"), right("same", "{:.1f} %", "same verdict", "–"), _KAPPA)
    return [first, Table("agreement", "Agreement on the labels", records, columns=agreed)]


def _same(pairs: Sequence[tuple[Any, Any]]) -> float | None:
    return _percent([a == b for a, b in pairs])


def _percent(hits: Sequence[bool]) -> float | None:
    return 100 * fmean(hits) if hits else None


def _agreed(pairs: Sequence[tuple[Any, Any]]) -> dict[str, float | None]:
    """Cohen's kappa with the ends of its interval."""
    values = sorted({value for pair in pairs for value in pair})
    counts = Counter(pairs)
    table = tuple(tuple(counts[a, b] for b in values) for a in values)
    kappa: Estimate = cohens_kappa(table, len(pairs))
    return {"kappa": kappa.value, "low": kappa.low, "high": kappa.high}


_TABLES: Mapping[str, Callable[[Sequence[Judged], Sequence[str]], list[Table]]] = {
    SELECT: _selections,
    ATTRIBUTES: _attributes,
    REWRITE: _rewritings,
    AUDIT: _audit,
    LABELS: _labels,
}
