"""Perturb the people in texts: gender, race and age."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, overload

from gec_fair.data.columns import Texts, is_lazy, read_texts
from gec_fair.edits import Edit, Rewriting
from gec_fair.edits.explain import mark
from gec_fair.report.results import Items

if TYPE_CHECKING:
    from gec_fair.perturber.rewriting.perturb import Perturber

_BATCH = 256
_AXES = ("gender", "race", "age")


@dataclass(frozen=True, slots=True)
class Perturbation:
    """What became of one text.

    `text` is the perturbed text, or the text as given. `word` is the word that was drawn, as it stood, "" where nothing
    could be changed; it is of `axis`, and went from the attribute `old` to `new`. `reason` says why a drawn rewriting
    was not used. `edits` are over the words of the original.
    """

    text: str
    original: str
    word: str = ""
    axis: str = ""
    old: str = ""
    new: str = ""
    reason: str = ""
    edits: tuple[Edit, ...] = ()
    rewriting: Rewriting | None = field(default=None, repr=False)

    @property
    def changed(self) -> bool:
        """Whether the text was perturbed."""
        return self.text != self.original

    def to_dict(self) -> dict[str, Any]:
        """Plain data; edits as (start, end, replacement) over words."""
        names = ("text", "original", "word", "axis", "old", "new", "reason")
        edits = [(edit.start, edit.end, " ".join(edit.replacement)) for edit in self.edits]
        return {**{name: getattr(self, name) for name in names}, "edits": edits}

    def html_cells(self) -> dict[str, str]:
        """A row of a notebook's table, the edits marked."""
        marked = mark(self.rewriting.pieces(), style="html") if self.changed and self.rewriting else escape(self.text)
        change = f"{self.word}: {self.old} → {self.new}" if self.word else ""
        return {"axis": self.axis, "change": escape(change), "text": marked}

    def _repr_html_(self) -> str:
        return Perturbations([self])._repr_html_()


class Perturbations(Items[Perturbation]):
    """A list of results, one for each text, in order. In a notebook it is a table with coloured edits."""


@overload
def perturb(
    texts: Iterator[str],
    *,
    axes: Sequence[str] = ...,
    targets: Sequence[str] = ...,
    sampling: Literal["uniform", "axes"] = ...,
    tries: int = ...,
    perturber: str = ...,
    refuse_strays: bool = ...,
    seed: int = ...,
    tokenised: bool = ...,
    english: str = ...,
    coref: str = ...,
) -> Iterator[Perturbation]: ...
@overload
def perturb(
    texts: Texts,
    *,
    axes: Sequence[str] = ...,
    targets: Sequence[str] = ...,
    sampling: Literal["uniform", "axes"] = ...,
    tries: int = ...,
    perturber: str = ...,
    refuse_strays: bool = ...,
    seed: int = ...,
    tokenised: bool = ...,
    english: str = ...,
    coref: str = ...,
) -> Perturbations: ...
def perturb(
    texts: Texts,
    *,
    axes: Sequence[str] = _AXES,
    targets: Sequence[str] = (),
    sampling: Literal["uniform", "axes"] = "uniform",
    tries: int = 0,
    perturber: str = "rules",
    refuse_strays: bool = False,
    seed: int = 0,
    tokenised: bool = False,
    english: str = "embedded",
    coref: str = "embedded",
) -> Perturbations | Iterator[Perturbation]:
    """Perturb texts: draw one word that says a person's gender, race or age, and rewrite that person's words.

    Args:
        texts: A list, an iterator, or a pandas or Arrow column.
        axes: What may be perturbed: gender, race, age.
        targets: The attributes that may be drawn, such as ("non-binary",); () for all.
        sampling: "uniform" over (word, target) pairs (Algorithm 1), or "axes": an axis first (footnote 2).
        tries: How many pairs are drawn until one changes the text; 0 for all there are.
        perturber: "rules", or "neural:" and a seq2seq model.
        refuse_strays: Keep a text as it is where a neural perturber changed other words too.
        seed: Decides what is drawn, together with a text's number.
        tokenised: Whether words stand between spaces.
        english: The spaCy pipeline that parses.
        coref: The coreference resolver.

    Returns:
        One result for each text, in order: a list, or a generator where `texts` is an iterator.

    Raises:
        UsageError: For an unknown axis or target.
        MissingResource: For a model that is not installed.

    Example:
        >>> import gec_fair as gf
        >>> (text,) = gf.perturb(["She lost her keys ."], axes=("gender",), targets=("man",))
        >>> text.text
        'He lost his keys .'

    Source: Qian et al. (2022), §3 and Algorithm 1.
    """
    from gec_fair.perturber.registry import load_perturber
    from gec_fair.perturber.rewriting.perturb import PerturbOptions

    options = PerturbOptions(
        tuple(axes),
        tuple(targets),
        sampling,
        tries=tries,
        perturber=perturber,
        refuse_strays=refuse_strays,
        seed=seed,
        tokenised=tokenised,
        english=english,
        coref=coref,
    )
    results = _perturb(read_texts(texts), load_perturber(options))
    return results if is_lazy(texts) else Perturbations(results)


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
                edits=tuple(rewriting.edits) if rewriting and not answer.refused else (),
                rewriting=rewriting,
            )
