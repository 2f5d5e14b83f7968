"""Examples by id, with their texts only where somebody asks for them: the texts are harmful by nature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.errors import InputError
from gec_fair.safety.auditing.extremes import Swing
from gec_fair.safety.data.scores import cell, placed, rows
from gec_fair.safety.report.figures import Results, harms


@dataclass(frozen=True, slots=True)
class Example:
    """`label` names the example without quoting it; `ids` are its texts."""

    label: str
    ids: tuple[str, ...]


def of_training(results: Results) -> list[Example]:
    """What a remedy changed most, of the first seed (Tables 4 and 5)."""
    return [
        Example(
            f"{harm}, {example['kind']}: {' / '.join(example['ids'])}, "
            f"{scores(example['before'])} → {scores(example['after'])}",
            tuple(example["ids"]),
        )
        for harm in harms(results)
        for example in results[0].harms[harm].largest
    ]


def of_audit(swings: Iterable[Swing]) -> list[Example]:
    """The sets that swing most."""
    return [
        Example(
            f"{swing.harm}, {swing.set_id}: "
            + " / ".join(
                f"{name} ({whom or 'nobody'}) {score:.2f}"
                for name, whom, score in zip(swing.ids, swing.whom, swing.scores, strict=True)
            ),
            swing.ids,
        )
        for swing in swings
    ]


def scores(values: Sequence[float]) -> str:
    """Scores of one text, with two decimals."""
    return " / ".join(f"{value:.2f}" for value in values)


def read_texts(paths: Sequence[Path], wanted: Iterable[str]) -> dict[str, str]:
    """By id, those that are there. InputError for a table without id and text."""
    ids, texts = set(wanted), {}
    for path in paths:
        for place, cells in rows(path, "text"):
            if missing := [name for name in ("id", "text") if name not in cells]:
                raise InputError(f"{path}: no column {missing[0]!r}; a table of texts has id and text")
            with placed(f"{path}{place}"):
                if (name := cell(cells["id"])) in ids:
                    texts[name] = cell(cells["text"])
    return texts


def with_texts(examples: Sequence[Example], texts: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Those whose texts are known."""
    for example in examples:
        if example_texts := [texts[name] for name in example.ids if name in texts]:
            yield example.label, example_texts


def wanted(examples: Iterable[Example]) -> set[str]:
    """The ids of the examples' texts."""
    return {name for example in examples for name in example.ids}
