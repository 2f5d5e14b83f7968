"""Rewrite texts in memory: `gf.rewrite`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from operator import length_hint
from typing import TYPE_CHECKING, Any, Concatenate, Protocol, overload

from gec_fair.augmentation.options import Options, RewriteOptions
from gec_fair.config.options import part
from gec_fair.data.columns import Texts, is_lazy, read_texts
from gec_fair.data.keywords import Fields, keywords
from gec_fair.progress import show_progress

if TYPE_CHECKING:
    from gec_fair.augmentation.rewriter import Rewriter


class _Rewrite(Protocol[Fields]):
    @overload
    def __call__(self, texts: str, *args: Fields.args, **kwargs: Fields.kwargs) -> str: ...
    @overload
    def __call__(self, texts: Iterator[str], *args: Fields.args, **kwargs: Fields.kwargs) -> Iterator[str]: ...
    @overload
    def __call__(self, texts: Texts, *args: Fields.args, **kwargs: Fields.kwargs) -> list[str]: ...


def _declare_types(function: Callable[Concatenate[Texts, Fields], Any]) -> _Rewrite[Fields]:
    return function  # type: ignore[return-value]


@_declare_types
@keywords(RewriteOptions)
def rewrite(texts: Texts, options: RewriteOptions) -> Any:
    """Rewrite plain text. A text that cannot be rewritten safely comes back as it is.

    A warning on stderr says how many texts of a list or an iterator look like another language than English.

    Args:
        texts: A list, an iterator, a pandas or Arrow column, or one string.

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
    rewriter = make_rewriter(options)
    if isinstance(texts, str):
        return next(rewrite_with_warning(rewriter, [texts]))
    results = rewrite_with_warning(rewriter, read_texts(texts))
    return results if is_lazy(texts) else list(show_progress(results, "rewrite", total=length_hint(texts) or None))


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


def make_rewriter(options: RewriteOptions) -> Rewriter:
    """`rewrite` as a value: its models are loaded once."""
    from gec_fair.augmentation.rewriter import Rewriter

    return Rewriter(part(options, Options), tokenised=options.tokenised)
