"""Whom texts name, by the term tables, where a data set does not tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gec_fair.progress import Progress
from gec_fair.safety.counterfactuals.identities import Identities
from gec_fair.safety.data.texts import Text


def named(texts: Sequence[Text], identities: Identities, progress: Progress = lambda done, total: None) -> list[Text]:
    """Texts that tell nobody, with every subgroup that a word of theirs names; ambiguous words (*black*, *straight*)
    where the parse says that they are of people. Others stay as they are."""
    from gec_fair.english import pipeline

    unknown = [text for text in texts if not text.slices]
    named_texts = {}
    docs = pipeline.shared("embedded").pipe([text.text for text in unknown])
    for n, (text, doc) in enumerate(zip(unknown, docs, strict=True), 1):
        who = {mention.said.slice for mention in identities.mentions(doc) if mention.said.names and not mention.shared}
        named_texts[text.id] = replace(text, slices=tuple(sorted(who)))
        progress(n, len(unknown))
    return [named_texts.get(text.id, text) for text in texts]
