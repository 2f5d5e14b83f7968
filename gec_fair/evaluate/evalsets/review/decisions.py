"""A reviewer's decisions: one file a reviewer, written anew and renamed with each decision, so that none is lost."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from gec_fair.data.text_files import split_lines
from gec_fair.edits import words_of
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.evalsets.review.items import Item, check_answer, choices, read_items
from gec_fair.evaluate.evalsets.review.tasks import DONE, REWRITE
from gec_fair.runs.atomic import write_json
from gec_fair.runs.json_files import parse_json

VERDICTS = ("accept", "reject", "drop")
_FOLDER = "review"
_NAME = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Decision:
    """`id` is the item's key. `texts`: only those that the reviewer changed.
    `drop`: the error is the gender itself; of a bias case: unsure. `answer`: what was selected or chosen in an
    annotation, None where the verdict says all."""

    id: str
    verdict: str
    texts: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    at: str = ""
    answer: list[Any] | None = None

    def as_row(self) -> dict[str, Any]:
        """As it is saved."""
        row = asdict(self)
        return row if self.answer is not None else {name: row[name] for name in row if name != "answer"}


class Session:
    """One reviewer over the items of a folder. Opening it again resumes where it stopped."""

    def __init__(self, folder: Path, reviewer: str) -> None:
        if not _NAME.fullmatch(reviewer):
            raise UsageError(f"--reviewer {reviewer!r}: letters, digits, dots, hyphens and underscores")
        self.folder, self.reviewer = folder, reviewer
        self.items = read_items(folder)
        self._keys = {item.key for item in self.items}
        self._lock = threading.Lock()
        self._all = read_decisions(folder).get(reviewer, {})

    @property
    def decisions(self) -> dict[str, Decision]:
        """The decisions on the present items; decisions on other proposals stay in the file."""
        return {key: decision for key, decision in self._all.items() if key in self._keys}

    @property
    def path(self) -> Path:
        """The reviewer's file of decisions."""
        return decisions_file(self.folder, self.reviewer)

    def texts(self, item: Item) -> dict[str, str]:
        """The item's texts as the reviewer has them."""
        mine = self._all.get(item.key)
        return {**item.texts, **(mine.texts if mine is not None else {})}

    def answer(self, item: Item) -> list[Any]:
        """The reviewer's answer; of a new item nothing, for each word that wants an attribute."""
        mine = self._all.get(item.key)
        return [""] * len(choices(item)) if mine is None or mine.answer is None else mine.answer

    def decide(
        self, number: int, verdict: str, texts: Mapping[str, str], note: str = "", answer: object = None
    ) -> Decision:
        """Record and save. ValueError for what is not a verdict, no text of the item, an empty text, a rewriting that
        changes nothing, or another answer than the task's."""
        item = self.items[number]
        if verdict not in item.task.verdicts:
            raise ValueError(f"a verdict is {', '.join(item.task.verdicts)}, not {verdict!r}")
        changed = {}
        for name, text in texts.items():
            words = " ".join(split_lines(text)).strip() if item.kind == REWRITE else " ".join(words_of(text))
            if name not in item.texts or not words:
                raise ValueError(f"{name}: no text of this item, or empty")
            if words != item.texts[name]:
                changed[name] = words
        if verdict == DONE and item.kind == REWRITE and not changed:
            raise ValueError("the rewriting is the original; change it, or skip the text")
        checked = check_answer(item, answer) if verdict == DONE else None
        when = datetime.now(timezone.utc).isoformat(timespec="seconds")
        decision = Decision(item.key, verdict, changed, note.strip(), when, checked)
        self._save(item.key, decision)
        return decision

    def withdraw(self, number: int) -> None:
        """Take a decision back."""
        self._save(self.items[number].key, None)

    def _save(self, key: str, decision: Decision | None) -> None:
        """One change on top of what the file holds by now: the page may be open twice."""
        with self._lock:
            every = read_decisions(self.folder).get(self.reviewer, {})
            every.pop(key, None)
            if decision is not None:
                every[key] = decision
            payload = {"reviewer": self.reviewer, "decisions": [decision.as_row() for decision in every.values()]}
            write_json(self.path, payload)
            self._all = every


def check_decision(item: Item, decision: Decision) -> None:
    """ValueError for a decision that the page cannot have saved for an item."""
    if decision.verdict not in item.task.verdicts or decision.texts.keys() - item.texts.keys():
        raise ValueError(f"{decision.verdict!r} with {decision.texts!r}")
    if decision.verdict == DONE:
        check_answer(item, decision.answer)


def decisions_file(folder: Path, reviewer: str) -> Path:
    """Where a reviewer's decisions are saved."""
    return folder / _FOLDER / f"{reviewer}.json"


def read_decisions(folder: Path) -> dict[str, dict[str, Decision]]:
    """Reviewer → item → decision, of all who have reviewed a folder."""
    if not folder.is_dir():
        raise InputError(
            f"{folder}: no such folder; `gec-fair evalset build`, `gec-fair compare` or `gec-fair perturber annotate` "
            "makes one"
        )
    by_reviewer: dict[str, dict[str, Decision]] = {}
    for path in sorted((folder / _FOLDER).glob("*.json")):
        try:
            payload = parse_json(path.read_text(encoding="utf-8"))
            if payload["reviewer"] != path.stem:
                raise ValueError(f"the name in it is {payload['reviewer']!r}; make file and name the same")
            by_reviewer[path.stem] = {row["id"]: Decision(**row) for row in payload["decisions"]}
        except (ValueError, KeyError, TypeError) as fault:
            raise InputError(f"{path}: no decisions of a reviewer ({fault}); restore the file or remove it") from fault
    return by_reviewer
