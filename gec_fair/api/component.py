"""A component of a spaCy pipeline: `nlp.add_pipe("gec_fair_rewriter")` rewrites each document's text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from spacy.tokens import Doc

from gec_fair.api.rewriting import make_rewriter
from gec_fair.augmentation.options import Method, RewriteOptions
from gec_fair.config.suggest import refuse_unknown

if TYPE_CHECKING:
    from gec_fair.augmentation.rewriter import Rewriter

NAME = "gec_fair_rewriter"


class RewriterComponent:
    """Sets `doc._.rewritten`, the text of the document with its people rewritten.

    With `names: draw` a document draws by its place in `nlp.pipe`, or in its process's part of it.

    The document itself stays as it is. It is parsed once more, by the pipeline that gec_fair was made for.
    """

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter
        if not Doc.has_extension("rewritten"):
            Doc.set_extension("rewritten", default=None)

    def __call__(self, doc: Doc) -> Doc:
        """The document, with its new text; with `names: draw` that of a first text."""
        (doc._.rewritten,) = self._rewriter([doc.text])
        return doc

    def pipe(self, stream: Iterable[Doc], batch_size: int = 256) -> Iterator[Doc]:
        """The documents of `nlp.pipe`, `batch_size` at a time, which is faster than one by one."""
        documents, first = iter(stream), 1
        while batch := list(islice(documents, batch_size)):
            for doc, text in zip(batch, self._rewriter((doc.text for doc in batch), first=first), strict=True):
                doc._.rewritten = text
                yield doc
            first += len(batch)


@Language.factory(NAME, default_config={"method": "st", "options": {}})
def make_component(nlp: Language, name: str, method: Method, options: dict[str, Any]) -> RewriterComponent:
    """The component of a pipeline. UsageError for an unknown option.

    Args:
        nlp: The pipeline, which is not used.
        name: The component's name in it.
        method: "fm", "st" or "neo"; see `gec_fair.rewrite`.
        options: The options of the method; see `RewriteOptions`.
    """
    refuse_unknown(options, tuple(name for name in RewriteOptions.__dataclass_fields__ if name != "method"))
    return RewriterComponent(make_rewriter(RewriteOptions(method, **options)))
