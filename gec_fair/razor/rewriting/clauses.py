"""The same clause built otherwise.

fronted      … was released in 2011 . → In 2011 , … was released .
passive      Tim Burton directed Batman . → Batman was directed by Tim Burton .
active       Batman was directed by Tim Burton . → Tim Burton directed Batman .
existential  A man is sleeping . → There is a man sleeping .
plain        There is a man sleeping . → A man is sleeping .
year         in 2011 → in the year 2011
released     was released in 2011 → came out in 2011
dated        a 2009 film → a film from 2009
named        a song by Adele → an Adele song
starring     The film stars Ann Lee . → Ann Lee stars in the film .
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gec_fair.english.articles import article
from gec_fair.english.labels import NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.razor.rewriting.items import (
    Items,
    exchanged,
    has_pronoun,
    inflected,
    is_end,
    is_full_phrase,
    is_plural,
    is_quantified,
    lemma_of,
    may_be_in_title,
    root_of,
    words,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BEFORE_A_TIME = word_list("before_a_time")
_PRESENT = word_list("present_be_forms")
_MONTHS = word_list("months")
_ARTICLES = word_list("indefinite_articles")
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_DECADE = re.compile(r"1\d{2}0s|20\d0s")
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_SUBJECT = 8
"""Words of a subject that can come behind *there is* or *by*."""
_NO_PASSIVE = frozenset(
    {"aux", "aux:pass", "iobj", "ccomp", "xcomp", "conj", "expl", "advmod", "compound:prt", "parataxis", "advcl"}
)


def fronted(doc: Doc) -> Iterator[Items]:
    """A time at the end of a sentence that begins with its subject. What is denied or said of the time alone stays, as
    do *first released in 1999* and *born in the 20th century*."""
    root = root_of(doc)
    if any(word.lower_ in words()["denying"] for word in doc):
        return
    for word in root.children:
        time = list(word.subtree)
        start, end = time[0].i, time[-1].i
        if (
            word.dep_ == "obl"
            and time[0].lower_ in _BEFORE_A_TIME
            and _is_time(word)
            and not _goes_with_time(root, word)
            and is_full_phrase(time)
            and is_end(doc, end)
            and start > root.i
            and _subject(root, doc)
            and doc[start - 1].text != ","
            and doc[start - 1].tag_ != "VBG"
        ):
            yield [*time, ",", *_with_title(list(doc[:start]), root), *doc[end + 1 :]]


def passive(doc: Doc) -> Iterator[Items]:
    """Of a verb that is often passive, where nothing but a time follows its object."""
    root = root_of(doc)
    subject = _subject(root, doc)
    objects = [child for child in root.children if child.dep_ == "obj"]
    if (
        subject is None
        or len(objects) != 1
        or root.tag_ not in ("VBD", "VBZ", "VBP")
        or lemma_of(root, "verb") not in words()["passive"]
        or any(child.dep_ in _NO_PASSIVE for child in root.children)
    ):
        return
    patient = list(objects[0].subtree)
    participle = inflected(lemma_of(root, "verb"), "VBN")
    if (
        participle is None
        or patient[0].i != root.i + 1
        or subject[-1].i != root.i - 1
        or not _can_move(subject)
        or not _can_move(patient)
        or _is_new(patient)
        or objects[0].tag_ == "NNPS"
        or (root.tag_ != "VBD" and (_is_new(subject) or inflected(lemma_of(root, "verb"), root.tag_) != root.lower_))
        or not _is_end_or_time(doc, patient[-1].i, root)
    ):
        return
    be = {"VBD": ("was", "were")}.get(root.tag_, ("is", "are"))[is_plural(objects[0])]
    yield [*patient, be, participle, "by", *subject, *doc[patient[-1].i + 1 :]]


def active(doc: Doc) -> Iterator[Items]:
    """Where nothing but a time follows the agent."""
    root = root_of(doc)
    subject = _subject(root, doc, passive=True)
    agents = [child for child in root.children if child.dep_ == "obl:agent"]
    helpers = [child for child in root.children if child.dep_ in ("aux", "aux:pass")]
    if subject is None or len(agents) != 1 or len(helpers) != 1 or root.tag_ != "VBN":
        return
    be, by = helpers[0], [child for child in agents[0].children if child.dep_ == "case"]
    agent = [word for word in agents[0].subtree if word not in by]
    if (
        len(by) != 1
        or by[0].lower_ != "by"
        or by[0].i != root.i + 1
        or be.i != root.i - 1
        or subject[-1].i != be.i - 1
        or not is_full_phrase([by[0], *agent])
        or not _can_move(subject)
        or not _can_move(agent)
        or _is_new(agent)
        or lemma_of(root, "verb") not in words()["passive"]
        or (be.lower_ in _PRESENT and lemma_of(root, "verb") in words()["state"])
        or (be.lower_ in _PRESENT and agents[0].tag_ == "NNPS")
        or any(child.dep_ in ("advmod", "conj", "xcomp", "ccomp", "obj", "advcl") for child in root.children)
        or agents[0].tag_ not in NOUNS
        or not _is_end_or_time(doc, agent[-1].i, root)
    ):
        return
    tag = {"was": "VBD", "were": "VBD"}.get(be.lower_)
    if tag is None and be.lower_ in _PRESENT:
        tag = "VBP" if is_plural(agents[0]) else "VBZ"
    form = inflected(lemma_of(root, "verb"), tag) if tag else None
    if form:
        yield [*agent, form, *_with_title(subject, root), *doc[agent[-1].i + 1 :]]


def year(doc: Doc) -> Iterator[Items]:
    """*In 2011* at the end as *in the year 2011*."""
    for word in doc[1:]:
        before = doc[word.i - 1]
        if (
            _YEAR.fullmatch(word.text)
            and before.lower_ == "in"
            and before.head.i == word.i
            and _ends_phrase(doc, word.i)
        ):
            yield exchanged(doc, {word.i: f"the year {word.text}"})


def _ends_phrase(doc: Doc, end: int) -> bool:
    return is_end(doc, end) or doc[end + 1].lower_ in ("by", "at", "for", "on")


def released(doc: Doc) -> Iterator[Items]:
    """*Was released* with a date, of a work: *came out*."""
    root = root_of(doc)
    subject = _subject(root, doc, passive=True)
    following = doc[root.i + 1 : root.i + 3]
    if (
        root.lower_ == "released"
        and subject is not None
        and root.i - subject[-1].i == 2
        and doc[root.i - 1].lower_ in ("was", "were")
        and len(following) == 2
        and following[0].lower_ in ("in", "on")
        and any(_is_time(word) for word in following[1].subtree)
        and not any(child.dep_ == "obl:agent" for child in root.children)
        and _head_of(subject).lower_ in words()["work"]
    ):
        yield exchanged(doc, {root.i - 1: None, root.i: "came out"})


def existential(doc: Doc) -> Iterator[Items]:
    """An unknown person or animal that is doing something or is somewhere: *a man*, not *the man*."""
    root = root_of(doc)
    subject = _subject(root, doc)
    helpers = [child for child in root.children if child.dep_ in ("aux", "cop")]
    if subject is None or len(helpers) != 1 or not (root.tag_ == "VBG" or _is_place(root)):
        return
    be = helpers[0]
    if (
        be.lower_ == ("are" if _is_several(subject) else "is")
        and subject[-1].i == be.i - 1
        and min(word.i for word in root.subtree if word.i > be.i) == be.i + 1
        and (root.tag_ != "VBG" or be.i == root.i - 1)
        and _is_unknown_being(subject)
        and not any(_has_subject(child) or child.dep_ in ("parataxis", "ccomp", "xcomp") for child in root.children)
        and not any(word.text in ("?", ";", ":", '"') or word.lower_ in words()["later"] for word in doc)
    ):
        yield ["there", be, *subject, *doc[be.i + 1 :]]


def plain(doc: Doc) -> Iterator[Items]:
    """The same backwards."""
    root = root_of(doc)
    beings = [child for child in root.children if child.dep_ == "nsubj"]
    if doc[0].lower_ != "there" or root.i != 1 or len(beings) != 1:
        return
    doing = [child for child in beings[0].children if child.dep_ == "acl" and child.tag_ == "VBG"]
    if len(doing) != 1:
        return
    verb = doing[0]
    subject = list(doc[2 : verb.i])
    if (
        subject
        and subject[-1].i == beings[0].i
        and doc[1].lower_ in (("are", "were") if _is_several(subject) else ("is", "was"))
        and beings[0].tag_ in ("NN", "NNS")
        and _is_unknown_being(subject)
        and lemma_of(verb, "verb") not in words()["stative"]
        and is_end(doc, max(word.i for word in verb.subtree))
    ):
        yield [*subject, doc[1], *doc[verb.i :]]


def starring(doc: Doc) -> Iterator[Items]:
    """A film stars an actor, who stars in it."""
    root = root_of(doc)
    subject = _subject(root, doc)
    actors = [child for child in root.children if child.dep_ == "obj"]
    if (
        subject is None
        or root.lower_ not in ("stars", "starred")
        or len(actors) != 1
        or subject[-1].i != root.i - 1
        or any(child.dep_ in _NO_PASSIVE | {"obl"} for child in root.children)
    ):
        return
    actor = list(actors[0].subtree)
    if actor[0].i == root.i + 1 and all(map(_is_name, (actor, subject))) and is_end(doc, actor[-1].i):
        form = "starred" if root.lower_ == "starred" else "star" if is_plural(actors[0]) else "stars"
        yield [*actor, form, "in", *subject, *doc[actor[-1].i + 1 :]]


def dated(doc: Doc) -> Iterator[Items]:
    """*A 2009 film*, *a film from 2009*."""
    for year in doc[1:-1]:
        work = year.head
        phrase = list(doc[year.i - 1 : work.i + 1])
        if (
            _YEAR.fullmatch(year.text)
            and year.dep_ in ("nummod", "compound", "amod", "nmod")
            and work.lower_ in words()["work"]
            and work.tag_ == "NN"
            and year.i < work.i
            and phrase[0].lower_ in _ARTICLES
            and doc[year.i - 2].lower_ != "from"
            and not any(word.is_punct or word.tag_ == "CC" for word in phrase)
            and (is_end(doc, work.i) or doc[work.i + 1].lower_ in words()["behind a work"])
        ):
            new = {year.i - 1: article(phrase[2].text), year.i: None, work.i: f"{work.text} from {year.text}"}
            yield exchanged(doc, new)


def named(doc: Doc) -> Iterator[Items]:
    """*A song by Adele*, *an Adele song*."""
    for by in doc[2:-1]:
        work, maker = doc[by.i - 1], by.head
        name = list(maker.subtree)
        if (
            by.lower_ == "by"
            and by.dep_ == "case"
            and maker.head.i == work.i
            and work.tag_ == "NN"
            and work.lower_ in words()["work"]
            and doc[work.i - 1].lower_ in _ARTICLES
            and not name[1].text.endswith(".")
            and is_end(doc, name[-1].i)
            and name[0].i == by.i
            and 2 <= len(name) <= 5
            and all(word.tag_ in PROPER_NOUNS and word.text[:1].isupper() for word in name[1:])
        ):
            yield [*doc[: work.i - 1], article(name[1].text), *name[1:], work, *doc[name[-1].i + 1 :]]


def _goes_with_time(root: Token, time: Token) -> bool:
    """Whether the verb needs its time: *first released in 1999, born in the 20th century*."""
    is_first = any(child.lower_ in ("first", "last") for child in root.children)
    return is_first or (root.lower_ == "born" and time.lower_ == "century")


def _is_place(root: Token) -> bool:
    """*In the park*, *outside*."""
    return root.lower_ in words()["out"] or any(
        child.dep_ == "case" and child.lower_ in words()["in"] for child in root.children
    )


def _is_several(subject: Sequence[Token]) -> bool:
    head = _head_of(subject)
    return head.tag_ == "NNS" or head.lower_ == "people"


def _head_of(phrase: Sequence[Token]) -> Token:
    return next(word for word in phrase if word.head not in phrase or word.head.i == word.i)


def _is_name(phrase: Sequence[Token]) -> bool:
    """Capitals alone, with small words between them."""
    small = words()["lower"] | {"of", "and", "in", "&"}
    return phrase[-1].tag_ in PROPER_NOUNS and all(
        word.text[:1].isupper() or word.lower_ in small or word.is_punct for word in phrase
    )


def _is_unknown_being(phrase: Sequence[Token]) -> bool:
    """*A man*, *two dogs with a ball*: who is named for the first time, in few words without a clause."""
    first, head = phrase[0], _head_of(phrase)
    return (
        len(phrase) <= _SUBJECT
        and (first.lower_ in words()["unknown"] or (first.tag_ == "CD" and first.i + 1 < head.i + 1))
        and head.lower_ in words()["being"]
        and not has_pronoun(phrase)
        and not any(word.dep_ in ("acl", "acl:relcl", "conj", "appos") or word.is_punct for word in phrase)
    )


def _has_subject(word: Token) -> bool:
    return word.dep_ == "conj" and any(child.dep_.startswith(("nsubj", "aux", "cop")) for child in word.children)


def _subject(root: Token, doc: Doc, *, passive: bool = False) -> list[Token] | None:
    """The subject's words, where they are what the text begins with."""
    wanted = "nsubj:pass" if passive else "nsubj"
    matches = [
        child for child in root.children if child.dep_ == wanted or (wanted == "nsubj" and child.dep_ == "nsubj:pass")
    ]
    if len(matches) != 1:
        return None
    subject = list(matches[0].subtree)
    return subject if subject[0].i == 0 and is_full_phrase(subject) and subject[-1].i < root.i else None


def _can_move(phrase: Sequence[Token]) -> bool:
    """A name, or a noun with its determiner, in few words; a clause or a mark in it would leave the rest behind."""
    head = _head_of(phrase)
    return (
        is_full_phrase(phrase)
        and len(phrase) <= _SUBJECT
        and head.tag_ in NOUNS
        and (head.tag_ != "NN" or any(child.dep_ in ("det", "nummod", "nmod:poss") for child in head.children))
        and not has_pronoun(phrase)
        and not is_quantified(phrase)
        and not (head.tag_ in PROPER_NOUNS and head.text.islower())
        and not any(word.dep_ in ("acl", "acl:relcl", "appos", "advmod") or word.text in ",;:()" for word in phrase)
        and all(map(_is_inside, (word for word in phrase if word.dep_ == "nmod")))
    )


def _is_inside(word: Token) -> bool:
    """Whether it belongs to the phrase for sure: *of the play*, and not *with a rope*, which may belong to the verb."""
    case = next((child.lower_ for child in word.children if child.dep_ == "case"), "of")
    return case in ("of", "'s") or (case in ("in", "for") and word.head.tag_ in NOUNS and word.tag_ in PROPER_NOUNS)


def _with_title(phrase: Sequence[Token], verb: Token) -> Items:
    """*The* of a title, which keeps its capital, where the verb says that it is a work."""
    is_title = may_be_in_title(phrase[0]) and lemma_of(verb, "verb") in words()["authored"]
    return [phrase[0].text, *phrase[1:]] if is_title else [*phrase]


def _is_new(phrase: Sequence[Token]) -> bool:
    """*A film*, *two songs*, *dancers*: awkward before *by Ann Lee*, and in the place of somebody who is known."""
    head = _head_of(phrase)
    is_bare = head.tag_ == "NNS" and not any(child.dep_ in ("det", "nmod:poss") for child in head.children)
    return phrase[0].lower_ in words()["unknown"] or phrase[0].tag_ == "CD" or is_bare


def _is_end_or_time(doc: Doc, end: int, root: Token) -> bool:
    """Whether only marks follow, or one time that belongs to the verb."""
    return is_end(doc, end) or any(
        child.i > end
        and _is_time(child)
        and (time := list(child.subtree))[0].i == end + 1
        and time[0].lower_ in _BEFORE_A_TIME
        and is_end(doc, time[-1].i)
        for child in root.children
        if child.dep_ == "obl"
    )


def _is_time(word: Token) -> bool:
    """A year, a decade, a month, a day of one or a century."""
    if _YEAR.fullmatch(word.text) or _DECADE.fullmatch(word.text) or _is_month(word):
        return True
    if word.lower_ == "century":
        return any(_DAY.fullmatch(child.text) for child in word.children)
    return bool(_DAY.fullmatch(word.text)) and any(_is_month(part) for part in word.subtree)


def _is_month(word: Token) -> bool:
    return word.lower_ in _MONTHS and word.text[0].isupper()
