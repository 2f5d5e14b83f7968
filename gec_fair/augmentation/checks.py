"""The last look at a rewritten pair: is there an error that the rewriting has made?

A plan is as good as the parse behind it, and a correction may have moved a verb away from its subject. What can be
seen without a parse is looked at here, on both sides; a pair that fails is discarded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planning.swap import AgreementChange, PronounChange, Swap
from gec_fair.corpus.outcome import Left
from gec_fair.edits import Edits, edited_places
from gec_fair.english import inflect
from gec_fair.english.agreement import coordinated_places
from gec_fair.english.contractions import FUSED, may_be_an_acronym
from gec_fair.english.lexicons.nouns import Nouns, Reading
from gec_fair.english.lexicons.paradigms import Form, Gender, all_paradigms, forms_of
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.possessives import is_mark

_PIECES = re.compile(r"[A-Za-z]+")
_LETTERS = r"[^\W\d_²³¹\u2070-\u2089]+"
_HYPHENATED = re.compile(rf"{_LETTERS}(?:-{_LETTERS})*")
_ADDRESS = re.compile(r"^[@#]|\w@\w|[^\W_]_+[^\W_]|://|^www\.")
_QUOTES = "\"'“‘`"
_CERTAIN = frozenset([Reading.ANY, Reading.NOUN, Reading.COMMON])
_CLITICS = word_list("clitics_without_apostrophe")


def disagreement(words: Sequence[str], changed: Edits, *, mirrored: bool) -> str:
    """A rewritten subject and the verb beside it that still agrees with *he* (*they is*); "" if there is none.

    `words` are the old ones and `changed` what was done to them. With `mirrored` a verb that was edited may disagree.
    """
    edited = {e.start: e.replacement for e in changed if e.end - e.start == 1}
    for at, new in edited.items():
        if not _is_subject(words[at]) or len(new) != 1 or forms_of(new[0].lower()) or "they" not in new[0].lower():
            continue
        for verb in coordinated_places(words, at):
            if inflect.is_closed_singular(edited.get(verb, (words[verb],))[0]) and not (mirrored and verb in edited):
                return f"{new[0]} … {words[verb]}"
    return ""


def subjects_met(swaps: Sequence[Swap], correction: Edits, carried: Edits) -> bool:
    """Whether every agreeing verb that changed has its subject on the source, or no subject there at all.

    *My dog is nice* corrected to *He is nice* has *My dog* in the pronoun's place: *are* would be an error.
    """
    verbs = [s for s in swaps if isinstance(s.change, AgreementChange) and not s.silent and s.subject is not None]
    shift = 0
    for edit in correction:
        start, end = edit.start + shift, edit.start + shift + len(edit.replacement)
        shift += edit.growth
        mine = [v for v in verbs if start <= (v.subject or 0) < end]
        if not mine or edit.start == edit.end:
            continue
        changed = [c for c in carried if edit.start <= c.start < edit.end]
        verb_changed = any(not start <= v.start < end for v in mine) or bool(changed)
        if verb_changed and not any("they" in " ".join(c.replacement).lower() for c in changed):
            return False
    return True


def find_glued(
    swaps: Sequence[Swap], planned: Sequence[str], words: Sequence[str], changed: Edits, options: Options, nouns: Nouns
) -> str:
    """A token such as *He's* or *She,Anna* that keeps a word that the method swaps; "" if there is none.

    `swaps` are over the words `planned`. With fm everybody's pronouns and nouns count (*son,"*), otherwise pronouns of
    the genders that were rewritten. *Her's*, which would become *him's* or *them's*, is such a token too.
    """
    if options.method == "fm":
        direction = options.gender
        genders = {direction} if direction is not None else set(Gender)
    else:
        pronouns = [planned[swap.start].lower() for swap in swaps if isinstance(swap.change, PronounChange)]
        genders = {gender for pronoun in pronouns for gender, _ in forms_of(pronoun)}
    for edit in changed:
        mark = words[edit.end] if edit.end < len(words) else ""
        if len(mark) > 1 and is_mark(mark) and edit.replacement and edit.replacement[-1].lower() in _owned_by_none():
            return words[edit.end - 1] + mark
    glued_nouns = nouns if options.method == "fm" else None
    edited = edited_places(changed) if swaps else range(len(words))
    text = " ".join(words)
    rest = (
        word
        for at, word in enumerate(words)
        if at not in edited and (not word.isalpha() or may_be_an_acronym(word, text))
    )
    inside = ((word, _genders_inside(word, glued_nouns)) for word in rest)
    return next((word for word, glued in inside if len(glued) == 1 and glued <= genders), "")  # *he/she* is both


@cache
def _owned_by_none() -> frozenset[str]:
    """Forms that no mark of a possessive follows: *him's, them's*, which *her's* would become."""
    forms = all_paradigms().values()
    return frozenset(form.accusative for form in forms) - {form.determiner for form in forms}


def leave_glued(words: Sequence[str], options: Options, nouns: Nouns) -> Left | None:
    """What to say of a text whose only words of the method are written onto others with signs: *(s)he*, *-he*,
    *actor(ess)*. *He-man* is one word, and another."""
    glued_nouns = nouns if options.method == "fm" else None
    text = " ".join(words)
    for word in words:
        if len(word) < 3 or (word.isalpha() and not word.isupper()) or word.isdigit():
            continue
        if _HYPHENATED.fullmatch(word) and not may_be_an_acronym(word, text):
            continue
        if genders := _genders_inside(word, glued_nouns):
            return Left("pair" if len(genders) > 1 else "doubt", word)
    return None


def _genders_inside(word: str, nouns: Nouns | None) -> set[Gender]:
    """The genders of what is glued into a token; none in addresses."""
    if _ADDRESS.search(word):
        return set()
    pieces = [*_PIECES.findall(word), word[: FUSED.get(word.lower(), 0)]]
    genders = {g for piece in pieces for g, _ in forms_of(piece.lower())}
    if nouns is not None and not word.lstrip(_QUOTES).istitle():  # "Mum , he said: what is quoted may stay
        terms = (nouns.terms.get((piece.lower(),)) for piece in _HYPHENATED.findall(word))
        genders |= {term.gender for term in terms if term is not None and term.readings & _CERTAIN}
    return genders


def is_written_onto(word: str, meant: str) -> bool:
    """Whether a lower-cased word is one of several that signs hold together: *mum."max, brother.he*."""
    return not word.isalpha() and word != meant and meant in _PIECES.findall(word)


def is_glued(word: str, meant: str) -> bool:
    """Whether a lower-cased word is another with a clitic or a verb written onto it: *hes, he's, heis*."""
    return word != meant and word.startswith(meant) and word[len(meant) :].strip("'’.,") in _CLITICS


def _is_subject(word: str) -> bool:
    return any(form is Form.NOMINATIVE for _, form in forms_of(word.lower()))
