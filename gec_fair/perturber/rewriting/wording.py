"""Signs that the new words would not fit the words around them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from gec_fair.edits import Edit, edited_places
from gec_fair.english.labels import NOUNS, PROPER_NOUNS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_JOINING = frozenset(["and", "or", "/", "&"])
_SHORT_FORM = 3
"""Letters of a short form. Chosen by hand: *Ben* for *Benjamin*, not *Al* for *Alan*."""
_SHORTEST_PART = 4
"""Letters of a name that is looked for within other words. Chosen by hand: *Emma* in *Emmas*, not *Ann* in *Annual*."""


def repeats_a_word(doc: Doc, changed: Sequence[Edit]) -> bool:
    """Whether *and* or *or* would join a new word to the same word: *women and girls → women and women*."""
    new = {i: edit.replacement[-1].lower() for edit in changed if edit.replacement for i in range(edit.start, edit.end)}
    neighbours = {place for i in new for place in (i - 1, i + 1) if 0 < place < len(doc) - 1}
    joining = [place for place in neighbours if doc[place].lower_ in _JOINING]
    return any(
        new.get(place - 1, doc[place - 1].lower_) == new.get(place + 1, doc[place + 1].lower_) for place in joining
    )


def is_in_another_word(doc: Doc, changed: Sequence[Edit]) -> bool:
    """Whether a word with a capital that changes is also part of an address or of a compound, which stays:
    *AboutSantos.com, iNick*."""
    edited = edited_places(changed)
    names = [
        doc[i]
        for i in edited
        if (doc[i].tag_ in PROPER_NOUNS or doc[i].text.istitle()) and len(doc[i]) >= _SHORTEST_PART
    ]
    tokens = doc if names else ()
    left = (token for token in tokens if len(token) > _SHORTEST_PART and token.i not in edited)
    return any(
        name.text in token.text or (not token.is_alpha and name.lower_ in token.lower_)
        for token in left
        if not (token.is_lower and token.is_alpha) and not token.is_title
        for name in names
    )


def leaves_a_short_form(doc: Doc, changed: Sequence[Edit], first_names: Collection[str]) -> bool:
    """Whether a name stays that is short for one that changes, or the same: *William, called Will; By Deb Price / The
    News Deb Price*; not *Eric Smith met Erica Jones*."""
    edited = edited_places(changed)
    names = [doc[i] for i in edited if doc[i].lower_ in first_names]
    left = (
        token
        for token in (doc if names else ())
        if token.text[0].isupper() and token.i not in edited and token.lower_ in first_names and token.tag_ in NOUNS
    )
    return any(
        _may_be_short_for(*sorted((name.lower_, token.lower_), key=len)) and _surname(token) in ("", _surname(name))
        for token in left
        for name in names
    )


def _may_be_short_for(short: str, name: str) -> bool:
    return len(short) >= _SHORT_FORM and name.startswith(short)


def _surname(name: Token) -> str:
    """The proper noun behind a first name, or nothing."""
    after = name.nbor() if name.i + 1 < len(name.doc) else None
    return after.lower_ if after is not None and after.tag_ in PROPER_NOUNS else ""
