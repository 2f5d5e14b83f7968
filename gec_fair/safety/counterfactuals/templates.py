"""Templates with `<social_group>`, filled for every subgroup (§4): the form agrees with the words around it.

a <social_group> man            adjective    a Black man, an Asian man
a <social_group> told me        person       an Asian person told me
<social_group> are here         people       Muslims are here
<social_group:faith> is old     any slot of `lexicons/identities.tsv`, where it is reported
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gec_fair.english.articles import article
from gec_fair.english.labels import NOUN_MODIFIERS
from gec_fair.english.letters import capitalise, like
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.possessives import possessive
from gec_fair.errors import InputError
from gec_fair.safety.counterfactuals.identities import Identities, find_determiner, load
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.texts import Text, copy_id, refuse_endless

if TYPE_CHECKING:
    from spacy.tokens import Doc

_MARK = re.compile(r"<social_group(?::(?P<slot>[a-z]+))?>(?P<plural>s\b)?", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
_STAND_IN = "Martian"
"""What parsers take for an adjective or a noun as the words around it want."""
_ARTICLES = word_list("indefinite_articles")
_PLURAL_VERBS = word_list("plural_verbs_after_a_group")
_BEFORE_ADJECTIVES = word_list("before_an_identity_adjective")
_GENITIVES = frozenset(["'s", "’s"])
_ONE = word_list("determiners_of_one_template_noun")


def has_mark(text: str) -> bool:
    """Whether a text has the place of a social group."""
    return _MARK.search(text) is not None


def fill_all(
    templates: Sequence[Text], categories: Sequence[str], identities: Identities | None = None
) -> tuple[list[Text], int]:
    """Each template for every subgroup of some categories: they are one set; of each category the first is the text,
    the others are its counterfactuals. Also how often a subgroup had no word for a template. Raises as `fill` does, and
    InputError for a text that is too long to be parsed."""
    refuse_endless(templates)
    texts: list[Text] = []
    used_ids: set[str] = set()
    dropped = 0
    for category in categories:
        marked, names = ([getattr(template, name) for template in templates] for name in ("text", "id"))
        filled_texts = fill(marked, category, names=names, identities=identities)
        for template, slots in zip(templates, filled_texts, strict=True):
            first = ""
            for whom, text in slots.items():
                if text is None:
                    dropped += 1
                    continue
                name = copy_id(f"{template.id}~", whom, used_ids)
                texts.append(Text(name, text, (whom,), template.id, first, template.labels))
                first = first or name
    if not texts:
        raise InputError("no subgroup has a word that a template wants; tell how they are said with --terms")
    return texts, dropped


def slots(doc: Doc, starts: Sequence[int]) -> list[str]:
    """What the template wants at the stand-ins that begin at these characters."""
    at = {place: token for token in doc for place in range(token.idx, token.idx + len(token.text))}
    slots = []
    for start in starts:
        token = at[start]
        before = doc[token.i - 1] if token.i else None
        said_of = before is not None and before.lemma_ in _BEFORE_ADJECTIVES
        if said_of or (token.dep_ in NOUN_MODIFIERS and token.head.i > token.i):
            slots.append("adjective")
        elif find_determiner(doc, token.i) in _ONE and not _many(doc, token.i):
            slots.append("person")
        else:
            slots.append("people")
    return slots


def _many(doc: Doc, at: int) -> bool:
    """*the … are*: a verb that wants a plural."""
    after = doc[at + 1] if at + 1 < len(doc) else None
    return after is not None and find_determiner(doc, at) not in _ARTICLES and after.lower_ in _PLURAL_VERBS


def fill(
    texts: Sequence[str], category: str, *, names: Sequence[str] = (), identities: Identities | None = None
) -> Iterator[dict[Slice, str | None]]:
    """Each template for every subgroup of a category; None where that has no word of a slot. InputError for a template
    without a mark, or with an unknown slot; `names` tells which."""
    from gec_fair.english import pipeline

    known = identities or load()
    names = names or [str(n) for n in range(1, len(texts) + 1)]
    every = {slot for _, slot in known.first}
    parsed: list[str] = []
    for text in texts:
        marks = list(_MARK.finditer(text))
        if not marks:
            raise InputError(f"template {names[len(parsed)]} has no <social_group>; write it where the group is named")
        if wrong := [mark["slot"] for mark in marks if mark["slot"] and mark["slot"] not in every]:
            raise InputError(
                f"template {names[len(parsed)]} has <social_group:{wrong[0]}>: no such form; there are "
                f"{', '.join(sorted(every))}"
            )
        parsed.append(_MARK.sub(_STAND_IN, text))
    nlp = pipeline.load_shared("embedded")
    subgroups = [Slice(category, name) for name in known.groups.subgroups[category]]
    for text, doc in zip(texts, pipeline.parse_texts(nlp, parsed), strict=True):
        yield {who: _for(text, doc, who, known) for who in subgroups}


def _for(text: str, doc: Doc, who: Slice, known: Identities) -> str | None:
    marks = list(_MARK.finditer(text))
    wanted = slots(doc, [len(_MARK.sub(_STAND_IN, text[: mark.start()])) for mark in marks])
    filled, at = "", 0
    for mark, slot in zip(marks, wanted, strict=True):
        form = mark["slot"] or ("people" if mark["plural"] else slot)
        words = known.first.get((who, form))
        if words is None:
            return None
        filled += text[at : mark.start()]
        written = " ".join(words)
        opens = not filled.strip() or filled.rstrip()[-1:] in ".!?"
        if before := _ARTICLE.search(filled):
            filled = filled[: before.start()] + like(before[1], article(written)) + before[2]
        filled += capitalise(written) if opens else written
        at = mark.end()
        if text[at : at + 2].lower() in _GENITIVES:  # the Jews' houses
            filled, at = filled + possessive(written, is_plural=form == "people", sign=text[at]), at + 2
    return filled + text[at:]
