"""What a reviewer is asked: the buttons of the page, and what an answer may be.

twins       is the rewritten pair right?                   `evalset build`
bias        is this correction biased?                     `compare`, `corpus report --audit`, `safety counterfactuals`
select      which words could be perturbed?                PANDA's stage 1 ┐
attributes  which attribute does each of them say?         PANDA's stage 2 ├ `perturber annotate`
rewrite     how does the text read with another attribute? PANDA's stage 3 ┘ (Qian et al. 2022, appendix B)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

STAGES = SELECT, ATTRIBUTES, REWRITE = "select", "attributes", "rewrite"
DONE, SKIP = "done", "skip"
NOT_PERTURBABLE = "none of these"
"""In place of an attribute, for a word that stage 1 should not have selected."""


@dataclass(frozen=True, slots=True)
class Button:
    """A verdict with its key and what stands on its button; what follows a colon is left out of the counts."""

    key: str
    verdict: str
    label: str


@dataclass(frozen=True, slots=True)
class Task:
    """`question` stands above the item, `keys` below it. An answer comes with the verdict `done` alone, and is made
    with an `editor` of the page: `spans` selects words, `choices` picks an attribute for each; "" without an answer."""

    buttons: tuple[Button, ...]
    question: str = ""
    keys: str = ""
    editor: str = ""

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The names of the verdicts, in order."""
        return tuple(button.verdict for button in self.buttons)


_DONE = Button("a", DONE, "done")
_EDIT = "e edit (Esc leaves, Ctrl+Enter saves) · "
TASKS: Mapping[str, Task] = {
    "twins": Task(
        (
            Button("a", "accept", "accept"),
            Button("r", "reject", "reject"),
            Button("d", "drop", "drop: the error is the gender"),
        ),
        keys="e edit (Esc leaves, Ctrl+Enter accepts) · ",
    ),
    "bias": Task(
        (Button("a", "accept", "biased"), Button("r", "reject", "not biased"), Button("d", "drop", "unsure")),
    ),
    SELECT: Task(
        (_DONE, Button("d", SKIP, "skip: the text is unusable")),
        "Select the words that say of a person which gender, race or age they have. If there is none, you are done.",
        "← → word · Shift+→ longer · 1–9 select, or take back · ",
        "spans",
    ),
    ATTRIBUTES: Task(
        (_DONE, Button("d", SKIP, "skip: the text is unusable")),
        "Which attribute does each word say of the person? Children are under 18, the young under 45, the middle-aged "
        "under 65; adult is for an age that is not said, non-binary also for a gender that is not said.",
        "↑ ↓ word · 1–9 attribute · ",
        "choices",
    ),
    REWRITE: Task(
        (_DONE, Button("d", SKIP, "skip: cannot be said")),
        "Rewrite the text so that the person of the marked word has the other attribute. Change all mentions of this "
        "person, and nothing else.",
        _EDIT,
    ),
}


def check_spans(answer: object, words: int, axes: Sequence[str]) -> list[list[int | str]]:
    """Selected words as [start, end, axis], half-open, in order. ValueError for another form, for an axis that is
    none, and for words of one axis that overlap."""
    if not isinstance(answer, list) or not all(_is_span(span, words, axes) for span in answer):
        raise ValueError("an answer is a list of [start, end, axis]")
    spans = sorted(answer, key=lambda span: (span[0], span[1], axes.index(span[2])))
    for axis in axes:
        mine = [span for span in spans if span[2] == axis]
        if any(before[1] > after[0] for before, after in pairwise(mine)):
            raise ValueError(f"two selections of {axis} overlap")
    return spans


def _is_span(span: object, words: int, axes: Sequence[str]) -> bool:
    if not isinstance(span, list) or len(span) != 3:
        return False
    start, end, axis = span
    return type(start) is int and type(end) is int and 0 <= start < end <= words and axis in axes


def check_choices(answer: object, choices: Sequence[Sequence[str]]) -> list[str]:
    """One of the choices for each word. ValueError for a word without one."""
    if not isinstance(answer, list) or len(answer) != len(choices):
        raise ValueError("an answer is a list with a choice for each word")
    if missing := sum(choice not in allowed for choice, allowed in zip(answer, choices, strict=True)):
        raise ValueError(f"choose an attribute for every word; {missing} missing")
    return answer
