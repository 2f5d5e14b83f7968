"""Examples by id, with their texts only where somebody asks for them: the texts are harmful by nature."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from gec_fair.safety.auditing.extremes import Swing
from gec_fair.safety.data.texts import read_by_id
from gec_fair.safety.report.figures import Results, harms

Example: TypeAlias = tuple[str, Sequence[str]]
"""A label, which names the example without quoting it, and the ids of its texts."""


def of_training(results: Results) -> list[Example]:
    """What a remedy changed most, of the first seed (Tables 4 and 5)."""
    return [
        (
            f"{harm}, {example['kind']}: {' / '.join(example['ids'])}, "
            f"{scores(example['before'])} → {scores(example['after'])}",
            example["ids"],
        )
        for harm in harms(results)
        for example in results[0].harms[harm].largest
    ]


def of_audit(swings: Iterable[Swing]) -> list[Example]:
    """The sets that swing most."""
    return [
        (
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


def with_texts(examples: Sequence[Example], tables: Sequence[Path]) -> list[tuple[str, list[str]]]:
    """The labels of the examples whose texts the tables have, with these texts. Raises as `read_by_id` does."""
    texts = read_by_id(tables, {name for _, ids in examples for name in ids})
    labelled = [(label, [texts[name] for name in ids if name in texts]) for label, ids in examples]
    return [(label, example_texts) for label, example_texts in labelled if example_texts]
