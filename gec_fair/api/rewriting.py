"""Rewrite texts in memory: `gf.rewrite`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from operator import length_hint
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

from typing_extensions import Unpack

from gec_fair.data.columns import Texts, check_arguments, is_lazy, read_texts
from gec_fair.progress import counted

if TYPE_CHECKING:
    from gec_fair.augmentation.rewriter import Rewriter

Method = Literal["fm", "st", "neo"]


class RewriteOptions(TypedDict, total=False):
    """The options of `gec-fair rewrite` and `gec-fair augment`, as keywords. docs/how-to/augment.md explains each."""

    direction: Literal["both", "m2f", "f2m"]
    """fm: swap both ways (the default), masculine to feminine, or feminine to masculine."""
    names: Literal["fixed", "draw", "keep"]
    """fm: first names by the lexicon's bijection (the default), drawn anew for each text, or kept."""
    gate: Literal["coref", "none"]
    """st, neo: only where the text shows one person (the default), or every he and she."""
    coref: str
    """st, neo: the coreference resolver: embedded (the default), fastcoref, maverick or neuralcoref."""
    reflexive: Literal["themself", "themselves"]
    """st: the reflexive of singular they; themself is the default."""
    paradigm: str
    """neo: xe, ze, ey, fae, … or five forms: xe/xem/xyr/xyrs/xemself."""
    animals: bool
    """Also rewrite he and she that stand for an animal, a ship or a country."""
    min_sure: float
    """Discard what is clean with a lower probability than this, from 0 (the default) to 1."""
    english: str
    """The spaCy pipeline: ours (the default), or the name or folder of another."""
    lexicon: str
    """A folder with tables of your own, laid over ours."""
    seed: int
    """Of names="draw"; 0 is the default."""


@overload
def rewrite(texts: str, method: Method, *, tokenised: bool = ..., **options: Unpack[RewriteOptions]) -> str: ...
@overload
def rewrite(
    texts: Iterator[str], method: Method, *, tokenised: bool = ..., **options: Unpack[RewriteOptions]
) -> Iterator[str]: ...
@overload
def rewrite(texts: Texts, method: Method, *, tokenised: bool = ..., **options: Unpack[RewriteOptions]) -> list[str]: ...
@check_arguments
def rewrite(
    texts: Texts, method: Method, *, tokenised: bool = False, **options: Unpack[RewriteOptions]
) -> str | list[str] | Iterator[str]:
    """Rewrite plain text. A text that cannot be rewritten safely comes back as it is.

    A warning on stderr says how many texts of a list or an iterator look like another language than English.

    Args:
        texts: A list, an iterator, a pandas or Arrow column, or one string.
        method: "fm" swaps feminine and masculine words, "st" rewrites to singular they, "neo" to a neopronoun.
        tokenised: Whether words stand between spaces. Otherwise the English pipeline's tokenizer finds them.
        **options: The options of the method; see `RewriteOptions`.

    Returns:
        One text for each text: a list, a generator where `texts` is an iterator, or one string.

    Raises:
        UsageError: For an unknown option, and for values that are not strings.
        MissingResource: For a pipeline or resolver that is not installed.

    Examples:
        >>> import gec_fair as gf
        >>> gf.rewrite(["She lost her keys."], "fm")
        ['He lost his keys.']

    Source: Lund, Omelianchuk and Samokhin (2023), §3.

    """
    rewriter = make_rewriter(method, options, tokenised=tokenised)
    if isinstance(texts, str):
        return next(rewrite_with_warning(rewriter, [texts]))
    results = rewrite_with_warning(rewriter, read_texts(texts))
    return results if is_lazy(texts) else list(counted(results, f"rewrite {method}", total=length_hint(texts) or None))


def rewrite_with_warning(rewriter: Rewriter, texts: Iterable[str]) -> Iterator[str]:
    """One text for each text. Behind the last, a warning on stderr if some look like another language."""
    from gec_fair.corpus.manifest import language_warning
    from gec_fair.corpus.outcome import Augmented, Left, Unchanged

    outcomes: Counter[str] = Counter()
    for text, outcome in rewriter.outcomes(texts):
        outcomes[outcome.reason if isinstance(outcome, Left) else type(outcome).__name__] += 1
        yield outcome.pair.source if isinstance(outcome, Augmented) else text
    if warning := language_warning(outcomes["language"], outcomes.total() - outcomes[Unchanged.__name__]):
        print(f"warning: {warning}", file=sys.stderr)


def make_rewriter(method: Method, options: RewriteOptions, *, tokenised: bool = False) -> Rewriter:
    """`rewrite` as a value: its models are loaded once. UsageError for an unknown option."""
    from gec_fair.augmentation.rewriter import Rewriter

    return Rewriter(check_options(method, options), tokenised=tokenised)


def check_options(method: str, options: Any) -> Any:
    """UsageError for an option that the method does not have."""
    from gec_fair.augmentation.options import Options
    from gec_fair.config.suggest import refuse_unknown

    refuse_unknown(options, tuple(Options.__dataclass_fields__)[1:])
    return Options(method, **options)
