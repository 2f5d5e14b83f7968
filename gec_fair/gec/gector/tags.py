"""What the tags of a sentence say: edits over its words (Omelianchuk et al. 2020, §3).

    $KEEP  $DELETE  $APPEND_x  $REPLACE_x                    $MERGE_SPACE  $MERGE_HYPHEN  (with the word that follows)
    $TRANSFORM_CASE_{LOWER,UPPER,CAPITAL,CAPITAL_1}          $TRANSFORM_AGREEMENT_{SINGULAR,PLURAL}
    $TRANSFORM_SPLIT_HYPHEN                                  $TRANSFORM_VERB_f_g, f and g of VB VBZ VBG VBD VBN

A sentence of n words has n + 1 tags: the first belongs to `$START`, which stands before the first word and can only be
appended to. A tag that cannot be done (no such verb form, a merge with nothing, a deleted `$START`) changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gec_fair.edits.algebra import edit_words
from gec_fair.edits.edit import Edit, Edits
from gec_fair.gec.gector.verbs import FORMS, VerbForms

START = "$START"
KEEP, DELETE = "$KEEP", "$DELETE"
APPEND, REPLACE = "$APPEND_", "$REPLACE_"
VERB = "$TRANSFORM_VERB_"
SPLIT_HYPHEN = "$TRANSFORM_SPLIT_HYPHEN"
MERGES: Mapping[str, str] = {"$MERGE_SPACE": "", "$MERGE_HYPHEN": "-"}
CASES: Mapping[str, Callable[[str], str]] = {
    "$TRANSFORM_CASE_LOWER": str.lower,
    "$TRANSFORM_CASE_CAPITAL": str.capitalize,
    "$TRANSFORM_CASE_UPPER": str.upper,
    "$TRANSFORM_CASE_CAPITAL_1": lambda word: word[:1] + word[1:].capitalize(),
}
SINGULAR, PLURAL = "$TRANSFORM_AGREEMENT_SINGULAR", "$TRANSFORM_AGREEMENT_PLURAL"
TRANSFORMS = (
    *CASES,
    PLURAL,
    SINGULAR,
    SPLIT_HYPHEN,
    *(f"{VERB}{form}_{target}" for form in FORMS for target in FORMS if form != target),
    *MERGES,
)
"""Every tag that carries no word."""


def transform(word: str, tag: str, verbs: VerbForms) -> tuple[str, ...] | None:
    """The words that a transformation makes of one; None where it makes nothing of it."""
    if tag in CASES:
        return (CASES[tag](word),)
    if tag == PLURAL:
        return (word + "s",)
    if tag == SINGULAR:
        return (word[:-1],) if len(word) > 1 else None
    if tag == SPLIT_HYPHEN:
        parts = tuple(part for part in word.split("-") if part)
        return parts or None
    if tag.startswith(VERB):
        form = verbs.become(word, tag.removeprefix(VERB))
        return None if form is None else (form,)
    return None


def transformation(word: str, target: str, verbs: VerbForms) -> str | None:
    """The tag that turns a word into the target, or None: tries case, verb form and number, as in the original."""
    if word.lower() == target.lower():
        tag = next((tag for tag, change in CASES.items() if change(word) == target), None)
        if tag is not None:
            return tag
    change = verbs.between(word, target)
    if change is not None:
        return VERB + change
    if target == word + "s":
        return PLURAL
    return SINGULAR if word == target + "s" else None


def edits_of(words: Sequence[str], tags: Sequence[str], verbs: VerbForms) -> Edits:
    """The edits that n + 1 tags make to n words. A merge joins what its two words have become. Raises ValueError for
    another number of tags."""
    if len(tags) != len(words) + 1:
        raise ValueError(f"{len(words)} words want {len(words) + 1} tags, not {len(tags)}")
    new: list[list[str]] = [[tags[0].removeprefix(APPEND)] if tags[0].startswith(APPEND) else []]
    new += [_apply_tag(word, tag, verbs) for word, tag in zip(words, tags[1:], strict=True)]
    last = list(range(len(new)))  # the last word whose text each slot's text runs on to
    for place in range(len(words) - 1, 0, -1):  # from the right, so that three words can become one
        glue = MERGES.get(tags[place])
        if glue is not None and new[place] and new[place + 1]:
            new[place] = [*new[place][:-1], new[place][-1] + glue + new[place + 1][0], *new[place + 1][1:]]
            new[place + 1] = []
            last[place] = last[place + 1]
    return Edits(tuple(_collect_edits(words, new, last)), len(words))


def apply_tags(words: Sequence[str], tags: Sequence[str], verbs: VerbForms) -> tuple[str, ...]:
    """The words after one round of tags."""
    return edit_words(edits_of(words, tags, verbs), words)


def _apply_tag(word: str, tag: str, verbs: VerbForms) -> list[str]:
    if tag == KEEP or tag in MERGES:
        return [word]
    if tag == DELETE:
        return []
    if tag.startswith(APPEND):
        return [word, tag.removeprefix(APPEND)]
    if tag.startswith(REPLACE):
        return [tag.removeprefix(REPLACE)]
    return list(transform(word, tag, verbs) or (word,))


def _collect_edits(words: Sequence[str], new: Sequence[Sequence[str]], last: Sequence[int]) -> list[Edit]:
    edits = [Edit(0, 0, tuple(new[0]))] if new[0] else []
    place = 1
    while place < len(new):
        end = last[place]
        if end > place:
            edits.append(Edit(place - 1, end, tuple(new[place])))
        elif len(new[place]) > 1 and new[place][0] == words[place - 1]:
            edits.append(Edit(place, place, tuple(new[place][1:])))
        elif list(new[place]) != [words[place - 1]]:
            edits.append(Edit(place - 1, place, tuple(new[place])))
        place = end + 1
    return edits
