"""Perturb the people in texts: gender, race and age."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.data.columns import Texts, one_or_more, read_texts
from gec_fair.data.keywords import keywords, many
from gec_fair.edits import Edit, Rewriting
from gec_fair.edits.explain import mark
from gec_fair.perturber.rewriting.options import PerturbCorpusOptions, PerturbOptions
from gec_fair.report.results import Items, Style

if TYPE_CHECKING:
    from gec_fair.corpus.run import Finished
    from gec_fair.perturber.rewriting.perturb import Perturber

_BATCH = 256


@dataclass(frozen=True, slots=True)
class Perturbation:
    """What became of one text.

    `text` is the perturbed text, or the text as given. `word` is the word that was drawn, as it stood, "" where nothing
    could be changed; it is of `axis`, and went from the attribute `old` to `new`. `reason` says why a drawn rewriting
    was not used. `sure`: the probability that the rewriting is clean; None for a neural perturber, an axis of
    your own tables, an attribute that was inserted or taken away, and where nothing was drawn. `edits` are over the
    words of the original.
    """

    text: str
    original: str
    word: str = ""
    axis: str = ""
    old: str = ""
    new: str = ""
    reason: str = ""
    sure: float | None = None
    edits: tuple[Edit, ...] = ()
    rewriting: Rewriting | None = field(default=None, repr=False)

    @property
    def changed(self) -> bool:
        """Whether the text was perturbed."""
        return self.text != self.original

    def to_dict(self) -> dict[str, Any]:
        """Plain data; edits as (start, end, replacement) over words."""
        names = ("text", "original", "word", "axis", "old", "new", "reason", "sure")
        edits = [(edit.start, edit.end, " ".join(edit.replacement)) for edit in self.edits]
        return {**{name: getattr(self, name) for name in names}, "edits": edits}

    def cells(self, style: Style = "line") -> dict[str, str]:
        """A row of a table, the edits marked."""
        show = escape if style == "html" else str
        marked = mark(self.rewriting.pieces(), style=style) if self.changed and self.rewriting else show(self.text)
        change = f"{self.word}: {self.old} → {self.new}" if self.word and self.changed else ""
        return {"axis": self.axis, "change": show(change), "text": marked}

    def _repr_html_(self) -> str:
        return Perturbations([self])._repr_html_()


class Perturbations(Items[Perturbation]):
    """A list of results, one for each text, in order. It is shown as a table with the edits marked."""


@many(PerturbOptions, Perturbations)
def perturb(texts: Texts, options: PerturbOptions) -> Iterator[Perturbation]:
    """Perturb texts: draw one word that says a person's gender, race or age, and rewrite that person's words.

    Args:
        texts: A list, an iterator, or a pandas or Arrow column.

    Returns:
        One result for each text, in order: a list, or a generator where `texts` is an iterator.

    Raises:
        UsageError: For an unknown option, axis or target.
        MissingResource: For a model that is not installed.

    Examples:
        >>> import gec_fair as gf
        >>> (text,) = gf.perturb(["She lost her keys ."], axes=("gender",), targets=("man",))
        >>> text.text
        'He lost his keys .'

    Source: Qian et al. (2022), §3 and Algorithm 1.
    """
    from gec_fair.perturber.registry import load_perturber

    return _perturb(read_texts(texts), load_perturber(options))


@keywords(PerturbCorpusOptions)
def perturb_corpus(
    inputs: str | Path | Sequence[str | Path], output: str | Path, options: PerturbCorpusOptions
) -> Finished:
    """Perturb plain-text files into the folder `output`, as `gec-fair perturb` does; a killed run resumes with the
    same call.

    Args:
        inputs: One or more text files, one text a line, also compressed.
        output: The folder of rewritten.txt, ledger.jsonl and manifest.json.

    Returns:
        The folder and its manifest, with the counts.

    Raises:
        InputError, UsageError, ResumeError, MissingResource: The message says what to do.

    Examples:
        >>> import gec_fair as gf
        >>> finished = gf.perturb_corpus(["texts.txt"], "out/perturbed", axes=("gender",))
        >>> finished.manifest.counts["augmented"]
        1

    Source: Qian et al. (2022), §3 and Algorithm 1.
    """
    from gec_fair.perturber import run

    return run.perturb_corpus(one_or_more(inputs, "inputs"), output, options)


def _perturb(texts: Iterator[str], perturber: Perturber) -> Iterator[Perturbation]:
    numbered = enumerate(texts, 1)
    while batch := list(islice(numbered, _BATCH)):
        answers = perturber([(text,) for _, text in batch], [f"texts:{number}" for number, _ in batch])
        for (_, text), answer in zip(batch, answers, strict=True):
            drawn, rewriting = answer.drawn, answer.rewriting
            yield Perturbation(
                answer.fields[0],
                text,
                *((drawn.word, drawn.axis, drawn.source, drawn.target) if drawn else ("", "", "", "")),
                reason=answer.refused or "",
                sure=answer.sure.probability if answer.sure else None,
                edits=tuple(rewriting.edits) if rewriting and not answer.refused else (),
                rewriting=rewriting,
            )
