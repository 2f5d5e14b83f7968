"""Perturb the people in texts: gender, race and age."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from operator import length_hint
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

from typing_extensions import Unpack

from gec_fair.data.columns import Texts, check_arguments, is_lazy, one_or_more, read_texts
from gec_fair.edits import Edit, Rewriting
from gec_fair.edits.explain import mark
from gec_fair.progress import counted
from gec_fair.report.results import Items, Style

if TYPE_CHECKING:
    from gec_fair.corpus.run import Engine, Finished, Progress
    from gec_fair.perturber.rewriting.perturb import Perturber
    from gec_fair.perturber.rewriting.perturb import PerturbOptions as Checked

_BATCH = 256


class PerturbOptions(TypedDict, total=False):
    """The options of `gec-fair perturb`, as keywords. docs/how-to/perturber.md explains each."""

    axes: Sequence[str]
    """What may be perturbed: gender, race, age, or axes of your own tables; () is the default, for all."""
    lexicon: str
    """A folder with your own tables, laid over ours: more terms, attributes and axes; "" is the default, for none."""
    targets: Sequence[str]
    """The attributes that may be drawn, such as ("non-binary",); () is the default, for all. "unstated-race" and
    "unstated-age" take a race or age away, and are drawn only if they are named."""
    sampling: Literal["uniform", "axes"]
    """uniform over (word, target) pairs (the default, Algorithm 1), or an axis first (footnote 2)."""
    tries: int
    """How many pairs are drawn until one changes the text; 0, the default, for all."""
    perturber: str
    """rules (the default), or neural: and a seq2seq model."""
    beams: int
    """Of a neural perturber's search; 1, the default, is greedy."""
    insert: bool
    """Whether an attribute is inserted before a noun for people where nothing else can be changed; False by default."""
    refuse_strays: bool
    """Keep a text as it is where a neural perturber changed other words too."""
    min_sure: float
    """Draw another pair where a smaller share of such rewritings is clean; 0, the default, takes all."""
    seed: int
    """Decides what is drawn, together with a text's number; 0 is the default."""
    tokenised: bool
    """Whether words stand between spaces."""
    english: str
    """The spaCy pipeline: ours (the default), or the name or folder of another."""
    coref: str
    """The coreference resolver; embedded is the default."""


@dataclass(frozen=True, slots=True)
class Perturbation:
    """What became of one text.

    `text` is the perturbed text, or the text as given. `word` is the word that was drawn, as it stood, "" where nothing
    could be changed; it is of `axis`, and went from the attribute `old` to `new`. `reason` says why a drawn rewriting
    was not used. `sure`: the probability that the rewriting is clean; None for a neural perturber. `edits` are over the
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
        change = f"{self.word}: {self.old} → {self.new}" if self.word else ""
        return {"axis": self.axis, "change": show(change), "text": marked}

    def _repr_html_(self) -> str:
        return Perturbations([self])._repr_html_()


class Perturbations(Items[Perturbation]):
    """A list of results, one for each text, in order. It is shown as a table with the edits marked."""


@overload
def perturb(texts: Iterator[str], **options: Unpack[PerturbOptions]) -> Iterator[Perturbation]: ...
@overload
def perturb(texts: Texts, **options: Unpack[PerturbOptions]) -> Perturbations: ...
@check_arguments
def perturb(texts: Texts, **options: Unpack[PerturbOptions]) -> Perturbations | Iterator[Perturbation]:
    """Perturb texts: draw one word that says a person's gender, race or age, and rewrite that person's words.

    Args:
        texts: A list, an iterator, or a pandas or Arrow column.
        **options: What may be perturbed, and how; see `PerturbOptions`.

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

    results = _perturb(read_texts(texts), load_perturber(_check(options)))
    return results if is_lazy(texts) else Perturbations(counted(results, "perturb", total=length_hint(texts) or None))


@check_arguments
def perturb_corpus(
    inputs: str | Path | Sequence[str | Path],
    output: str | Path,
    *,
    tokens: int = 0,
    workers: int = 1,
    engine: Engine = "local",
    limit: int | None = None,
    strict: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
    **options: Unpack[PerturbOptions],
) -> Finished:
    """Perturb plain-text files into the folder `output`, as `gec-fair perturb` does; a killed run resumes with the
    same call.

    Args:
        inputs: One or more text files, one text a line, also compressed.
        output: The folder of rewritten.txt, ledger.jsonl and manifest.json.
        tokens: Words a chunk, across lines; 0 for a line each.
        workers: Processes. The bytes are the same for any number.
        engine: "local", or "ray" for Ray Data.
        limit: Stop after this many lines or chunks.
        strict: Raise MalformedLine at the first line that is not UTF-8.
        overwrite: Throw away what lies in the folder.
        progress: Called with the number of texts done, and of all where it is known.
        **options: What may be perturbed, and how; see `PerturbOptions`.

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

    return run.perturb_corpus(
        one_or_more(inputs, "inputs"),
        output,
        _check(options),
        tokens=tokens,
        workers=workers,
        engine=engine,
        limit=limit,
        strict=strict,
        overwrite=overwrite,
        progress=progress,
    )


def _check(options: PerturbOptions) -> Checked:
    """UsageError for an unknown option, axis or target."""
    from gec_fair.config.suggest import refuse_unknown
    from gec_fair.perturber.rewriting.perturb import PerturbOptions as Checked

    refuse_unknown(options, tuple(PerturbOptions.__annotations__))
    values: dict[str, Any] = dict(options)
    for name in {"axes", "targets"} & set(values):
        values[name] = tuple(one_or_more(values[name], name))
    return Checked(**values)


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
