"""From any table of texts to rows that can be audited, in one step: score the texts, find whom they name, and write
their counterfactuals, each only where the table does not have it.

    score        the table's column, or a classifier's answer for each text
    harm, label  the table's columns, or the name of the harm and the column with the truth
    subgroups    `category` and `subgroup`, or `slices`, or whom the text names (`counterfactuals.mentions`)
    set_id       the table's column, or the sets that `counterfactuals` makes; without sets there is no ACV
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from rapidfuzz.distance import OSA

from gec_fair.config.suggest import closest
from gec_fair.data.columns import rows_with_texts
from gec_fair.errors import InputError, UsageError
from gec_fair.progress import Progress
from gec_fair.safety.counterfactuals.identities import Identities
from gec_fair.safety.data.cells import cell, name_row, truth
from gec_fair.safety.data.examples import read_slices
from gec_fair.safety.data.groups import Groups, Slice
from gec_fair.safety.data.scores import COLUMNS, find_sets
from gec_fair.safety.data.texts import Text, expand
from gec_fair.safety.options import SafetyAuditOptions
from gec_fair.safety.sources.protocol import Source

Row: TypeAlias = tuple[str, Mapping[str, Any]]
"""Where a row is, to be said behind the table's name, and its cells."""
_SCORE, _LABEL, _HARM = "score", "label", "harm"
_WHOM = ("id", "set_id", "copy_of", "category", "subgroup")
_DENIAL = re.compile(r"(no|non|not)[\W_]*")


def is_complete(cells: Mapping[str, Any], options: SafetyAuditOptions) -> bool:
    """Whether a row has every column of a table of scores, and the options ask for no other."""
    asks = (options.score, options.harm, options.label, options.source, options.counterfactuals, options.text)
    return not any(asks) and all(column in cells for column in COLUMNS)


@dataclass(frozen=True, slots=True)
class Preparing:
    """Makes tables of scores: COLUMNS, `id` and `text`, a row for each text and subgroup. `name` is the table's. The
    `source` of the options is loaded."""

    name: str
    options: SafetyAuditOptions
    groups: Groups
    identities: Callable[[], Identities]
    progress: Progress = lambda done, total: None

    def prepare(self, rows: Sequence[Row]) -> tuple[list[Row], str]:
        """A table that can be audited; and what was scored and rewritten, and how many texts name no group. UsageError
        for an option that the table contradicts, InputError with the row for a damaged cell."""
        rows = self._with_text(rows)
        self._refuse_misspelt(rows[0][1])
        rows, dropped = self._with_strings(rows)
        left_out = f"{dropped:,} rows without a text were left out." if dropped else ""
        source: Source | None = self.options.source
        if source is None:
            if self.options.counterfactuals:
                raise UsageError("--counterfactuals are new texts without scores; name a classifier with --source")
            return self._with_scores(rows), left_out
        scored, summary = self._score(rows, source)
        return scored, "\n".join(filter(None, (summary, left_out)))

    def _with_text(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows with their column as `text`. InputError where there is none, and for a name of several harms."""
        names_harms = self.options.harm and _HARM not in (self.options.harm, self.options.label)
        harms = dict.fromkeys(filter(None, (cell(row.get(_HARM)) for _, row in rows))) if names_harms else {}
        if len(harms) > 1:
            raise InputError(f"{self.name}: has the harms {', '.join(harms)}; leave --harm out, or give a table of one")
        column = self.options.text
        if column in ("", "text"):
            return rows
        if column not in rows[0][1]:
            raise InputError(f"{self.name}: no column {column!r}; there are {', '.join(rows[0][1])}")
        return [(place, {**cells, "text": cells.get(column, "")}) for place, cells in rows]

    def _refuse_misspelt(self, cells: Mapping[str, Any]) -> None:
        """InputError for a column that is one slip away from one that the audit uses: *catgory* would be overlooked."""
        options = self.options
        named = {options.score, options.harm, options.label, *COLUMNS}
        for column in ("set_id", "category", "subgroup", *(() if options.harm else (_HARM,))):
            slips = [name for name in cells if name not in named and OSA.distance(name, column, score_cutoff=1) <= 1]
            if column not in cells and slips:
                raise InputError(f"{self.name}: no column {column!r}; did you mean {slips[0]}?; rename it")

    def _with_strings(self, rows: Sequence[Row]) -> tuple[Sequence[Row], int]:
        """The rows with a text, where texts are read, and how many others were left out. UsageError for a text that is
        empty or not a string, with the row."""
        cells, name = rows[0][1], self.name
        if self.options.source is None and ("category" in cells or "slices" in cells):
            return rows, 0
        placed_rows = [(f"{name}{place}", row) for place, row in rows]
        checked = rows_with_texts(placed_rows, ["text"], missing=self.options.missing)
        if not checked.rows:
            raise InputError(f"{name}: no row has a text; give texts")
        return [(place.removeprefix(name), row) for place, row in checked.rows], checked.dropped

    def _score(self, rows: Sequence[Row], source: Source) -> tuple[list[Row], str]:
        """What the source says of a table of texts and of their counterfactuals, and a summary."""
        cells, options = rows[0][1], self.options
        if "text" not in cells:
            raise InputError(
                f"{self.name}: no column 'text' to score; name it with --text (in Python text=). There are "
                f"{', '.join(cells)}"
            )
        if _SCORE in cells and not options.score:
            raise UsageError(f"{self.name}: has a column 'score' already; leave out --source, or remove the column")
        attribute = _choose_attribute(source, options)
        harm = options.harm or attribute
        texts = originals = self._read_texts(rows, harm)
        if options.counterfactuals:
            from gec_fair.safety.counterfactuals.by_rule import Swapping

            texts = list(expand(texts, Swapping(self.identities()), self.progress).texts)
        scores = _score_texts(texts, source, source.attributes.index(attribute), self.progress)
        scored: list[Row] = [
            (f", text {text.id}", row | {_SCORE: score})
            for text, score in zip(texts, scores, strict=True)
            for row in _rows_of(text, harm)
        ]
        return scored, _summarise(originals, texts, options.counterfactuals)

    def _with_scores(self, rows: Sequence[Row]) -> list[Row]:
        """Complete a table of scores: whom its texts name, and the usual names of its columns."""
        cells, options = rows[0][1], self.options
        score = options.score or _SCORE
        if score not in cells:
            raise InputError(
                f"{self.name}: no column {score!r}{closest(score, list(cells))}; name the column with --score, or a "
                f"classifier that scores the texts with --source. There are {', '.join(cells)}"
            )
        harms = [self._harm_of(row, place, score) for place, row in rows]
        if "category" in cells and "subgroup" in cells:
            values = [self._read_cells(place, row, _WHOM) for place, row in rows]
            set_ids = find_sets((cells["id"], cells["set_id"], cells["copy_of"]) for cells in values)
            labels = [self._label_of(row, place, options.harm) for place, row in rows]
            return [
                (
                    place,
                    {column: row.get(column, "") for column in ("id", "set_id", "category", "subgroup")}
                    | ({} if cells["set_id"] else {"set_id": set_id})
                    | {_HARM: harm, _LABEL: label, _SCORE: row[score]},
                )
                for (place, row), cells, set_id, harm, label in zip(rows, values, set_ids, harms, labels, strict=True)
            ]
        if "slices" not in cells and "text" not in cells:
            raise InputError(
                f"{self.name}: does not say whom its texts name; add category and subgroup, or the texts in a column "
                "'text'"
            )
        texts = self._read_texts(rows, options.harm)
        return [
            (place, scored | {_SCORE: row[score]})
            for (place, row), text, harm in zip(rows, texts, harms, strict=True)
            for scored in _rows_of(text, harm)
        ]

    def _read_cells(self, place: str, row: Mapping[str, Any], columns: Sequence[str]) -> dict[str, str]:
        with name_row(f"{self.name}{place}"):
            return {column: cell(row.get(column)) for column in columns}

    def _harm_of(self, row: Mapping[str, Any], place: str, score: str) -> str:
        if self.options.harm or _HARM not in row:
            return self.options.harm or score
        return self._read_cells(place, row, (_HARM,))[_HARM]

    def _label_of(self, row: Mapping[str, Any], place: str, harm: str) -> str:
        """The truth: the column of that name, `label`, or the column that is called like the harm."""
        chosen = self.options.label
        for column in filter(None, (chosen,) if chosen else (_LABEL, harm)):
            if column in row:
                return self._read_cells(place, row, (column,))[column]
        wanted = chosen or _LABEL
        raise InputError(
            f"{self.name}{place}: no column {wanted!r}{closest(wanted, list(row))}; --label (in Python label=) names "
            f"the column with 0 (safe) or 1 (unsafe). There are {', '.join(row)}"
        )

    def _read_texts(self, rows: Sequence[Row], harm: str) -> list[Text]:
        """One for each row, with whom it names and its label."""
        texts: list[Text] = []
        known: set[str] = set()
        for number, (place, row) in enumerate(rows, 1):
            label = self._label_of(row, place, harm)
            values = self._read_cells(place, row, (*_WHOM, "slices", "text"))
            with name_row(f"{self.name}{place}"):
                text_id = values["id"] or str(number)
                if text_id in known:
                    raise InputError(f"id {text_id!r} is there twice; give each text its own id")
                known.add(text_id)
                if truth(label) is None:
                    raise InputError(f"label is {label!r}; expected 0 (safe) or 1 (unsafe)")
                pair = f"{values['category']}: {values['subgroup']}" if values["category"] else values["slices"]
                slices = tuple(read_slices(pair, self.groups))
            sets, labels = (values["set_id"], values["copy_of"]), {_LABEL: label}
            texts.append(Text(text_id, values["text"], slices, *sets, labels, place=f"{self.name}{place}"))
        set_ids = find_sets((text.id, text.set_id, text.copy_of) for text in texts)
        texts = [replace(text, set_id=set_id) for text, set_id in zip(texts, set_ids, strict=True)]
        if any(text.slices for text in texts):
            return texts
        from gec_fair.safety.counterfactuals.mentions import find_named

        return find_named(texts, self.identities(), self.progress)


def _summarise(originals: Sequence[Text], texts: Sequence[Text], was_rewritten: bool) -> str:
    """How many texts were scored, and how many of them name no group, so that the audit says nothing about them."""
    unnamed = sum(not text.slices for text in originals)
    summary = f"{len(originals):,} texts were scored"
    if was_rewritten:
        rewritten = len({text.copy_of for text in texts if text.copy_of} & {text.id for text in originals})
        summary += f", and {len(texts) - len(originals):,} counterfactuals of {rewritten:,} of them"
    if unnamed:
        summary += (
            f".\n{unnamed:,} of {len(originals):,} texts name no group that the term tables know. They are in no set "
            "and no sliced average; add the columns category and subgroup if you know whom they name"
        )
    return summary + "."


def _rows_of(text: Text, harm: str) -> list[dict[str, Any]]:
    """A row for each subgroup that the text names, one without a subgroup where it names nobody."""
    row = {"id": text.id, "text": text.text, "set_id": text.set_id, _HARM: harm, _LABEL: text.labels[_LABEL]}
    return [row | subgroup.cells() for subgroup in text.slices or [Slice("", "")]]


def _choose_attribute(source: Source, options: SafetyAuditOptions) -> str:
    """The attribute of the source that is the score. UsageError where several could be meant."""
    attributes = source.attributes
    wanted = options.score or options.harm
    if wanted in attributes:
        return wanted
    harm, *rest = sorted(attributes, key=len)
    is_denied = len(rest) == 1 and _DENIAL.fullmatch(rest[0].casefold().removesuffix(harm.casefold())) is not None
    if not options.score and (not rest or is_denied):
        return harm  # the only one, or such as toxic beside non-toxic
    problem = f"{options.score!r} is not among" if options.score else "--score says which is the score of"
    raise UsageError(f"{problem} the classifier's attributes: {', '.join(attributes)}")


def _score_texts(texts: Sequence[Text], source: Source, column: int, progress: Progress) -> list[float]:
    """The scores of the texts. InputError for one outside [0, 1]."""
    from gec_fair.safety.sources.registry import score

    _, values = score([text.text for text in texts], [("source", source)], progress)
    scores: list[float] = values[:, column].tolist()
    for text, value in zip(texts, scores, strict=True):
        if not 0 <= value <= 1:
            raise InputError(
                f"{text.place or f'text {text.id}'}: the classifier's score is {value}; expected a number from 0 to 1. "
                "Shorten or leave out the text, or name another classifier"
            )
    return scores
