"""Perturbers beside each other on rows whose rewriting a person wrote (Qian et al. 2022, Table 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gec_fair.english.lexicons.nouns import read_nouns
from gec_fair.english.lexicons.paradigms import Form, paradigm
from gec_fair.english.lexicons.tables import shipped_directory
from gec_fair.errors import InputError, MissingResource
from gec_fair.people.terms.axes import GENDER
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.perturber.neural import panda
from gec_fair.perturber.neural.metrics import against
from gec_fair.perturber.neural.panda import Rewrite
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.rewriting.segments import fields_of, prompt_text, rewrite
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.registry import Factory, Registry
from gec_fair.report.papers import read_printed, read_rows
from gec_fair.report.table import Column, Part, Table, right

_NAMES = {"bleu": "sacrebleu", "rougeL": "rouge_l", "rougeLsum": "rouge_lsum"}
"""Our names of Table 8's measures, as the paper's table has them."""
_LONGEST = 5
"""Tokens of *52-year-old*."""
PAPER = "Qian et al. 2022"
Rows = Sequence[Rewrite]
_COLUMNS = (
    Column("system"),
    right("bleu", "{:.1f}", "BLEU"),
    right("levenshtein", "{:.2f}", "Levenshtein"),
    right("rouge1", "{:.1f}", "ROUGE-1"),
    right("rouge2", "{:.1f}", "ROUGE-2"),
    right("rougeL", "{:.1f}", "ROUGE-L"),
    right("unchanged", "{:.1f}", "unchanged, %"),
)
_MEASURES = ("bleu", "levenshtein", "rouge1", "rouge2", "rougeL", "unchanged")
_PRINTED = ("bleu", "levenshtein", "rouge2")
"""Those that the paper's table has too."""


def compare(path: Path, systems: Sequence[str], *, limit: int | None = None) -> dict[str, Any]:
    """System → measures against the annotators' texts, and `unchanged`, the share of texts that it left alone. Rows
    whose selected word does not occur are left out, and counted."""
    every = panda.read(path)[:limit]
    rows = [row for row in every if row.usable]
    if not rows:
        raise InputError(f"{path}: no row's selected word occurs in its text; give PANDA's train or valid file")
    references = [row.rewritten for row in rows]
    results: dict[str, Any] = {}
    for name in systems:
        texts = SYSTEMS.load(name)(rows)
        same = sum(text == row.original for text, row in zip(texts, rows, strict=True))
        results[name] = {
            **against(texts, references),
            "unchanged": 100 * same / len(rows),
            "rows": len(rows),
            "left_out": len(every) - len(rows),
        }
    return results


def parts(results: Mapping[str, Mapping[str, float]]) -> list[Part]:
    """For people, the paper's figures for its own test set, below ours."""
    records = [{"system": name, **{key: row[key] for key in _MEASURES}} for name, row in results.items()]
    for row in read_rows("qian2022", "table_2"):
        paper = {key: row[key] if key in _PRINTED else None for key in _MEASURES}
        records.append({"system": f"{row['system']}, {PAPER}", **paper})
    lines: list[Part] = [Table("perturbers", "Perturbers against annotators", records, columns=_COLUMNS)]
    if left_out := max((int(row.get("left_out", 0)) for row in results.values()), default=0):
        lines += ["", f"{left_out:,} rows were left out: their selected word does not occur in their text"]
    return lines


def _copy(rows: Rows) -> list[str]:
    return [row.original for row in rows]


def _rules(rows: Rows) -> list[str]:
    """The first such word of the text, with the attribute that was asked for."""
    perturbing = Perturbing(PerturbOptions(insert=True, min_sure=0))
    hypotheses = _copy(rows)
    for text in perturbing.read([row.fields for row in rows]):
        row = rows[text.at]
        word = next((word for word in (*text.words, *text.insertable) if _is_selected(word, text, row)), None)
        changes = perturbing.plan(text, Choice(word, row.target)) if word is not None else None
        if changes and (rewriting := rewrite(text.tokens, changes, row.fields)):
            hypotheses[text.at] = prompt_text(fields_of(rewriting, row.fields))
    return hypotheses


def _is_selected(word: PerturbableWord, text: ParsedText, row: Rewrite) -> bool:
    """*young* of *young man*, and the whole, are the same choice."""
    selected, words = row.word.lower(), [token.lower_ for token in text.doc[word.start : word.start + _LONGEST]]
    size = word.end - word.start
    is_whole = selected in (word.text(text.doc).lower(), " ".join(words[:size]))
    is_glued = word.kind == "age" and selected == "".join(words)
    return word.axis == row.axis and (is_whole or is_glued or {*(selected.split() or [""])} <= {*words[:size]})


def _neural(name: str, rows: Rows) -> list[str]:
    from gec_fair.perturber.neural.seq2seq import Neural, PromptRequest

    requests = [PromptRequest(row.fields, row.word, row.target) for row in rows]
    return [prompt_text(answer.fields) for answer in Neural(name)(requests)]


def _augly(rows: Rows) -> list[str]:
    """AugLy's swap of gendered words; it knows no other axis and no target."""
    if find_spec("augly") is None:
        raise MissingResource("AugLy is not installed; pip install augly==1.0.0")
    from augly.text import swap_gendered_words

    hypotheses = [swap_gendered_words(row.original, aug_word_p=1.0) for row in rows]
    return [
        answer if isinstance(answer, str) else answer[0] for answer in hypotheses
    ]  # a list of one, by nlpaug's version


def _nlpaug(rows: Rows) -> list[str]:
    """nlpaug's swap of reserved words, with our nouns and pronouns, as it has no tables. It knows no other
    axis and no target."""
    if find_spec("nlpaug") is None:
        raise MissingResource("nlpaug is not installed; pip install nlpaug==1.1.11")
    from nlpaug.augmenter.word import ReservedAug

    she, he = paradigm("feminine"), paradigm("masculine")
    terms = [
        (" ".join(term.words), " ".join(term.replacement)) for term in read_nouns(shipped_directory() / "nouns.tsv")
    ]
    both_ways = [pair for pair in terms if pair[::-1] in terms and all(map(str.isalpha, pair))]
    pronouns = [(she.form(form), he.form(form)) for form in sorted(Form, key=lambda form: form is Form.DETERMINER)]
    # of a word in several groups it takes the last: the commonest row, and *her* for *his*
    groups = [list(pair) for pair in (*reversed(both_ways), *pronouns)]
    swapping = ReservedAug(groups, case_sensitive=False, aug_p=1.0, aug_max=None)
    return [swapping.augment(row.original)[0] if row.axis == GENDER else row.original for row in rows]


SYSTEMS: Registry[Callable[[Rows], list[str]]] = Registry(
    "perturber",
    {
        "copy": Factory(lambda: _copy),
        "rules": Factory(lambda: _rules),
        "augly": Factory(lambda: _augly),
        "nlpaug": Factory(lambda: _nlpaug),
        "neural": Factory(
            lambda model: partial(_neural, model), argument="MODEL", extra="train", needs=("torch", "transformers")
        ),
    },
)


def agreement_table(measures: Mapping[str, float]) -> Table:
    """Table 8, with the paper's figures."""
    theirs = read_printed("qian2022").get("table_8", {})
    records = [
        {"measure": name, "here": value, "paper": theirs.get(_NAMES.get(name, name))}
        for name, value in measures.items()
    ]
    columns = (Column("measure"), right("here", "{:.2f}"), right("paper", header="Qian et al. 2022"))
    return Table("agreement", "Agreement of annotators", records, columns=columns)
