"""From any table of texts to rows that can be audited, in one step: score the texts, find whom they name, and write
their counterfactuals, each only where the table does not have it.

    score        the table's column, or a classifier's answer for each text
    harm, label  the table's columns, or the name of the harm and the column with the truth
    subgroups    `category` and `subgroup`, or `slices`, or whom the text names (`counterfactuals.mentions`)
    set_id       the table's column, or the sets that `counterfactuals` makes; without sets there is no ACV
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from rapidfuzz.distance import OSA

from gec_fair.config.suggest import closest
from gec_fair.data.columns import Missing, rows_with_texts
from gec_fair.errors import InputError, UsageError
from gec_fair.progress import Progress
from gec_fair.safety.counterfactuals.identities import Identities
from gec_fair.safety.data.examples import told_slices
from gec_fair.safety.data.groups import Groups
from gec_fair.safety.data.scores import COLUMNS, cell, number, placed
from gec_fair.safety.data.texts import FIELDS, Text, expand
from gec_fair.safety.sources.protocol import Source

Row: TypeAlias = tuple[str, Mapping[str, Any]]
"""Where a row is, to be said behind the table's name, and its cells."""
_SCORE, _LABEL, _HARM = "score", "label", "harm"


@dataclass(frozen=True, slots=True)
class Preparation:
    """What a table does not say itself. "" stands for the usual name.

    `score` is a column of the table, or an attribute of the source. `harm` is the name of what is scored. `label` is
    the column with 0 (safe) or 1 (unsafe), `text` the one with the texts. With a `source` the texts are scored, with
    `counterfactuals` they are first rewritten for the other subgroups.
    """

    score: str = ""
    harm: str = ""
    label: str = ""
    source: Source | None = None
    counterfactuals: bool = False
    text: str = ""
    missing: Missing = "refuse"
    """Whether rows without a text are left out, where texts are read."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said, so that the table must have all columns."""
        return not (self.score or self.harm or self.label or self.source or self.counterfactuals or self.text)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A table that can be audited, and what was done for it."""

    rows: Sequence[Row]
    summary: str = ""
    """What was scored and rewritten, and how many texts name no group; empty if the table had all columns."""


def is_complete(cells: Mapping[str, Any]) -> bool:
    """Whether a row has every column of a table of scores."""
    return all(column in cells for column in COLUMNS)


def prepare(
    rows: Sequence[Row],
    name: str,
    preparation: Preparation,
    groups: Groups,
    identities: Callable[[], Identities],
    progress: Progress = lambda done, total: None,
) -> Prepared:
    """The rows as a table of scores: COLUMNS, `id` and `text`, a row for each text and subgroup. `name` is the table's.

    UsageError for an option that the table contradicts, InputError with the row for a damaged cell.
    """
    rows = _with_text(rows, name, preparation.text)
    cells = rows[0][1] if rows else {}
    if not rows or (preparation.is_empty and is_complete(cells)):
        return Prepared(list(rows))
    _refuse_misspelt(cells, name, preparation)
    rows, dropped = _with_strings(rows, name, preparation)
    if preparation.source is None:
        if preparation.counterfactuals:
            raise UsageError("--counterfactuals are new texts without scores; name a classifier with --source")
        return Prepared(_audited(rows, name, preparation, groups, identities, progress), _say_dropped(dropped))
    if "text" not in cells:
        raise InputError(
            f"{name}: no column 'text' to score; name it with --text (in Python text=). There are {', '.join(cells)}"
        )
    if _SCORE in cells and not preparation.score:
        raise UsageError(f"{name}: has a column 'score' already; leave out --source, or remove the column")
    source = preparation.source
    attribute = _choose_attribute(source, preparation)
    harm = preparation.harm or attribute
    preparation = replace(preparation, harm=harm)
    texts = originals = _read_texts(rows, name, preparation, groups, identities, progress)
    if preparation.counterfactuals:
        from gec_fair.safety.counterfactuals.by_rule import Swapping

        texts = list(expand(texts, Swapping(identities()), progress).texts)
    scores = _score(texts, source, source.attributes.index(attribute), progress)
    scored = [
        (f", text {text.id}", row | {_SCORE: score})
        for text, score in zip(texts, scores, strict=True)
        for row in _rows_of(text, harm)
    ]
    summary = _summarise(originals, texts, preparation.counterfactuals)
    return Prepared(scored, "\n".join(filter(None, (summary, _say_dropped(dropped)))))


def _with_text(rows: Sequence[Row], name: str, column: str) -> Sequence[Row]:
    """The rows with their column as `text`. InputError where there is none."""
    if not column or column == "text" or not rows:
        return rows
    if column not in rows[0][1]:
        raise InputError(f"{name}: no column {column!r}; there are {', '.join(rows[0][1])}")
    return [(place, {**cells, "text": cells.get(column, "")}) for place, cells in rows]


def _with_strings(rows: Sequence[Row], name: str, preparation: Preparation) -> tuple[Sequence[Row], int]:
    """The rows with a text, where texts are read, and how many others were left out. UsageError for a text that is
    empty or not a string, with the row."""
    cells = rows[0][1]
    if preparation.source is None and ("category" in cells or "slices" in cells):
        return rows, 0
    checked = rows_with_texts([(f"{name}{place}", row) for place, row in rows], ["text"], missing=preparation.missing)
    if not checked.rows:
        raise InputError(f"{name}: no row has a text; give texts")
    return [(place.removeprefix(name), row) for place, row in checked.rows], checked.dropped


def _say_dropped(dropped: int) -> str:
    return f"{dropped:,} rows without a text were left out." if dropped else ""


def _refuse_misspelt(cells: Mapping[str, Any], name: str, preparation: Preparation) -> None:
    """InputError for a column that is one slip away from one that the audit uses: *catgory* would be overlooked."""
    named = {preparation.score, preparation.harm, preparation.label, *COLUMNS}
    for column in ("set_id", "category", "subgroup", *(() if preparation.harm else (_HARM,))):
        slips = [one for one in cells if one not in named and OSA.distance(one, column, score_cutoff=1) <= 1]
        if column not in cells and slips:
            raise InputError(f"{name}: no column {column!r}; did you mean {slips[0]}?; rename it")


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


def _audited(
    rows: Sequence[Row],
    name: str,
    preparation: Preparation,
    groups: Groups,
    identities: Callable[[], Identities],
    progress: Progress,
) -> list[Row]:
    """Of a table that has scores."""
    cells = rows[0][1]
    score = preparation.score or _SCORE
    if score not in cells:
        raise InputError(
            f"{name}: no column {score!r}{closest(score, list(cells))}; name the column with --score, or a classifier "
            f"that scores the texts with --source. There are {', '.join(cells)}"
        )
    has_groups = "category" in cells and "subgroup" in cells
    if has_groups or ("slices" not in cells and "text" not in cells):
        if not has_groups:
            raise InputError(
                f"{name}: does not say whom its texts name; add category and subgroup, or the texts in a column 'text'"
            )
        return [(place, _named(row, f"{name}{place}", preparation, score)) for place, row in rows]
    texts = _read_texts(rows, name, preparation, groups, identities, progress)
    return [
        (place, scored | {_SCORE: row[score]})
        for (place, row), text in zip(rows, texts, strict=True)
        for scored in _rows_of(text, _harm_of(row, f"{name}{place}", preparation, score))
    ]


def _named(row: Mapping[str, Any], where: str, preparation: Preparation, score: str) -> dict[str, Any]:
    """A row that has its subgroups, with the usual names."""
    harm = _harm_of(row, where, preparation, score)
    return {
        "id": row.get("id", ""),
        "set_id": row.get("set_id", ""),
        "category": row["category"],
        "subgroup": row["subgroup"],
        _HARM: harm,
        _LABEL: _label_of(row, where, preparation),
        _SCORE: row[score],
    }


def _harm_of(row: Mapping[str, Any], where: str, preparation: Preparation, score: str) -> str:
    if preparation.harm or _HARM not in row:
        return preparation.harm or score
    with placed(where):
        return cell(row[_HARM])


def _label_of(row: Mapping[str, Any], where: str, preparation: Preparation) -> str:
    """The truth: the column of that name, `label`, or the column that is called like the harm."""
    choices = (preparation.label,) if preparation.label else (_LABEL, preparation.harm)
    for column in filter(None, choices):
        if column in row:
            with placed(where):
                return cell(row[column])
    wanted = preparation.label or _LABEL
    raise InputError(
        f"{where}: no column {wanted!r}{closest(wanted, list(row))}; --label (in Python label=) names "
        f"the column with 0 (safe) or 1 (unsafe). There are {', '.join(row)}"
    )


def _read_texts(
    rows: Sequence[Row],
    name: str,
    preparation: Preparation,
    groups: Groups,
    identities: Callable[[], Identities],
    progress: Progress,
) -> list[Text]:
    """One for each row, with whom it names and its label."""
    texts: list[Text] = []
    known: set[str] = set()
    for number_, (place, row) in enumerate(rows, 1):
        where = f"{name}{place}"
        label = _label_of(row, where, preparation)
        with placed(where):
            values = {column: cell(row.get(column)) for column in (*FIELDS, "category", "subgroup")}
            text_id = values["id"] or str(number_)
            if text_id in known:
                raise InputError(f"id {text_id!r} is there twice; give each text its own id")
            known.add(text_id)
            if {"true": 1.0, "false": 0.0}.get(label.casefold(), number(label)) not in (0, 1):
                raise InputError(f"label is {label!r}; 0 (safe) or 1 (unsafe) is meant")
            pair = f"{values['category']}: {values['subgroup']}" if values["category"] else values["slices"]
            slices = tuple(told_slices(pair, groups))
        labels = {_LABEL: label}
        texts.append(Text(text_id, values["text"], slices, values["set_id"], values["copy_of"], labels, place=where))
    if any(text.slices for text in texts):
        return texts
    from gec_fair.safety.counterfactuals.mentions import named

    return named(texts, identities(), progress)


def _rows_of(text: Text, harm: str) -> list[dict[str, Any]]:
    """A row for each subgroup that the text names, one without a subgroup where it names nobody."""
    row = {"id": text.id, "text": text.text, "set_id": text.set_id, _HARM: harm, _LABEL: text.labels[_LABEL]}
    pairs = [(slice_.category, slice_.subgroup) for slice_ in text.slices] or [("", "")]
    return [{**row, "category": category, "subgroup": subgroup} for category, subgroup in pairs]


def _choose_attribute(source: Source, preparation: Preparation) -> str:
    """The attribute of the source that is the score. UsageError where several could be meant."""
    attributes = source.attributes
    wanted = preparation.score or preparation.harm
    if wanted in attributes:
        return wanted
    if preparation.score or len(attributes) > 1:
        problem = f"{preparation.score!r} is not among" if preparation.score else "--score says which is the score of"
        raise UsageError(f"{problem} the classifier's attributes: {', '.join(attributes)}")
    return attributes[0]


def _score(texts: Sequence[Text], source: Source, column: int, progress: Progress) -> list[float]:
    """The scores of the texts. InputError for one outside [0, 1]."""
    from gec_fair.safety.sources.registry import score

    _, values = score([text.text for text in texts], [("source", source)], progress)
    scores: list[float] = values[:, column].tolist()
    for text, value in zip(texts, scores, strict=True):
        if not 0 <= value <= 1:
            raise InputError(f"text {text.id}: the classifier's score is {value}; a number from 0 to 1 is wanted")
    return scores
