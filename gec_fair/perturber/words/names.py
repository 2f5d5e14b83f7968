"""First names that somebody in their text is called by: *Allen laughed*; not *East Allen Street*, *Johnson & Johnson*,
nor the *Clinton* that *Hillary Clinton* is called by afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from gec_fair.english.coref.lexical import FEMININE, MASCULINE, NO_PERSON, TITLES
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.lexicons.names import Names
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Gender

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ENDS_A_PLACE = NO_PERSON | word_list("endings_of_a_place_name")
_GENDERS = {FEMININE: Gender.FEMININE, MASCULINE: Gender.MASCULINE}
_BEGINS_A_PLACE = word_list("beginnings_of_a_place_name")


class Bearers:
    """Of one text."""

    def __init__(self, doc: Doc, names: Names) -> None:
        self.names = names
        longer = list(_names(doc))
        last_names = {run[-1].text for run in longer if names.is_name(run[0].text, proper=True)}
        self.family = last_names - {run[0].text for run in longer}

    def __contains__(self, token: Token) -> bool:
        """Whether a name may be somebody's first name here, by what stands around it."""
        following = [
            following_token.lower_
            for following_token in takewhile(
                lambda following_token: following_token.tag_ in PROPER_NOUNS, token.doc[token.i + 1 :]
            )
        ]
        before = token.nbor(-1).lower_ if token.i else ""
        after = token.nbor().lower_ if token.i + 1 < len(token.doc) else ""
        if before in _BEGINS_A_PLACE or "&" in (before, after) or not _ENDS_A_PLACE.isdisjoint(following):
            return False
        inside = token.i > 0 and token.nbor(-1).tag_ in PROPER_NOUNS and before not in TITLES
        if inside and not following and self.names.is_surname(token.text):  # Lee Harris, whoever Lee is
            return False
        title = TITLES.get(before)
        if not following and title is not None and self.names.gender(token.text) not in (None, _GENDERS[title]):
            return False
        return bool(following) or token.text not in self.family


def proper_runs(doc: Doc) -> Iterator[list[Token]]:
    """Proper nouns beside each other."""
    for proper, run in groupby(doc, key=lambda token: token.tag_ in PROPER_NOUNS):
        if proper:
            yield list(run)


def _names(doc: Doc) -> Iterator[list[Token]]:
    """Those of two words and more, without their titles."""
    for run in proper_runs(doc):
        name = [token for token in run if token.lower_ not in TITLES]
        if len(name) > 1:
            yield name
