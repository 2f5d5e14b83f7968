"""What a pronoun could refer to: the names, common-noun phrases and indefinite pronouns of a text, and its pronouns.

    [My best friend]₁ introduced [Mrs. Ada Lovelace]₂ to [[her]₃ brother]₄ .

Each comes with what a linguist would note beside it: kind, role, gender, how likely it is a person.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gec_fair.english.labels import COMMON_NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.paradigms import Form, Gender
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.links import lexical as words
from gec_fair.people.links.lexical import Lexical
from gec_fair.people.links.parse import Parse

NAME, NOUN, INDEFINITE, PRONOUN = "name", "noun", "indefinite", "pronoun"
_BEFORE_A_FAMILY = frozenset(["the", "these", "those", "all"])
_DEFINITE = word_list("definite_determiners")
_NEW = word_list("indefinite_determiners")
_DETERMINERS_TOO = frozenset(["one", "each", "another", "other"])
# What may stand inside a noun phrase, before its head.
INSIDE = frozenset(
    {"det", "det:predet", "amod", "compound", "nummod", "nmod:poss", "poss", "advmod", "case", "punct", "flat", "nmod"}
)
# Tags under which names hide, and the labels that give them away.
MISTAKABLE = frozenset({"NN", "NNS", "JJ", "RB", "VBG", "VBN", "VBZ", "VB", "FW", "UH", "MD", "CD", "IN"})
NOMINAL = frozenset(
    {"nsubj", "nsubj:pass", "obj", "iobj", "obl", "nmod", "nmod:poss", "obl:agent", "flat", "appos", "conj"}
)
# Labels by which one nominal hands its role to another, *Ann and [Bob]*, *my friend [Bob]*.
SHARING = frozenset({"conj", "appos", "flat", "flat:name", "compound", "list", "flat:foreign"})
ROLES = {
    "nsubj": "subject",
    "nsubj:outer": "subject",
    "csubj": "subject",
    "nsubj:pass": "passive",
    "obj": "object",
    "iobj": "object",
    "obl": "oblique",
    "obl:unmarked": "oblique",
    "obl:tmod": "oblique",
    "obl:npmod": "oblique",
    "obl:agent": "agent",
    "nmod": "modifier",
    "nmod:poss": "possessor",
    "root": "predicate",
    "xcomp": "predicate",
    "ccomp": "predicate",
    "vocative": "vocative",
}


@dataclass(frozen=True, slots=True)
class Nominal:
    """One candidate or pronoun. `role` is the grammatical role of the phrase, conjuncts and appositions sharing that
    of the first; `governor` the word that the role holds to. `gender` is what the words settle (*Mr*, *queen*),
    `likely` what a first name suggests (*Ross* may be a surname); None where they do not tell."""

    start: int
    end: int
    head: int
    kind: str
    role: str
    governor: int
    gender: Gender | None
    person: float
    likely: Gender | None = None
    plural: bool = False
    form: Form | None = None
    possessor: int = -1
    definite: bool = False
    indefinite: bool = False
    is_coordinated: bool = False  # coordinated with another nominal
    shared: bool = False  # apposed to, or part of, another nominal
    name: tuple[str, ...] = ()  # lower-cased words of a name, titles left out
    title: str = ""


def nominals(parse: Parse, lexical: Lexical) -> list[Nominal]:
    """All nominals in text order (by head). Plural and clearly inanimate common nouns are left out."""
    mend_names(parse, lexical)
    mentions: list[Nominal] = []
    token = 0
    while token < len(parse.words):
        tag, low = parse.tag[token], parse.lower[token]
        if low in words.PRONOUNS and tag not in PROPER_NOUNS:
            mentions.append(_pronoun(parse, token))
        elif tag in PROPER_NOUNS:
            end = _name_end(parse, token)
            mentions.extend(_name(parse, lexical, token, end))
            token = end
            continue
        elif low in words.INDEFINITE:
            mentions.extend(_indefinite(parse, token))
        elif tag == "NN":
            mentions.extend(_noun(parse, lexical, token))
        token += 1
    return mentions


def mend_names(parse: Parse, lexical: Lexical) -> None:
    """Tag capitalised nouns, adjectives, … that fill a nominal's place as names, in place.

    A tagger trained on few names takes *Rees*, *Evans*, *Dolly* for plurals or adverbs; the parser knows better.
    """
    seen = {word for word, tag in zip(parse.words, parse.tag, strict=True) if tag == "NNP" and word[0].isupper()}
    for token, word in enumerate(parse.words):
        tag, low = parse.tag[token], parse.lower[token]
        if tag not in MISTAKABLE or not word[0].isupper() or not word.isalpha() or len(word) < 3:
            continue
        if low in words.INDEFINITE or low.endswith("thing"):
            continue
        starts = token == 0 or parse.sent[token - 1] != parse.sent[token]
        nominal = parse.dep[token] in NOMINAL and not any(
            parse.dep[child] in ("det", "amod", "nmod:poss", "nummod") for child in parse.children[token]
        )
        a_name = low in lexical.names and not starts
        known = word in seen or not starts or (tag in COMMON_NOUNS and parse.lemma[token] not in lexical.person)
        if a_name or (nominal and known):
            parse.tag[token] = "NNP"


def role(parse: Parse, head: int) -> tuple[str, int, bool, bool]:
    """(role, governor, joined, shared) of the phrase with this head."""
    is_joined = any(parse.dep[child] == "conj" for child in parse.children[head])
    shared = False
    for _ in range(6):
        label, above = parse.dep[head], parse.head[head]
        if label not in SHARING or above == head or parse.tag[above][:2] not in ("NN", "PR"):
            break
        is_joined = is_joined or label == "conj"
        shared = shared or label != "conj"
        head = above
    return ROLES.get(parse.dep[head], "other"), parse.head[head], is_joined, shared


def _phrase(
    parse: Parse, span: tuple[int, int, int], kind: str, gender: Gender | None, person: float, **notes: Any
) -> Nominal:
    """The nominal of a span (start, end, syntactic head), with the role of its phrase and its possessor."""
    start, end, head = span
    role_name, governor, is_joined, shared = role(parse, head)
    owner = next((child for child in parse.children[head] if parse.dep[child] == "nmod:poss"), -1)
    features = {"possessor": owner, "is_coordinated": is_joined, "shared": shared, **notes}
    return Nominal(start, end, head, kind, role_name, governor, gender, person, **features)


def _pronoun(parse: Parse, token: int) -> Nominal:
    gender, form = words.PRONOUNS[parse.lower[token]]
    pronoun = _phrase(parse, (token, token + 1, token), PRONOUN, gender, 1.0, form=form, possessor=-1, shared=False)
    if parse.lower[token] not in words.AMBIGUOUS:
        return pronoun
    # The parse decides; the tag where the parse has nothing to say.
    if parse.dep[token] == "nmod:poss" or (parse.tag[token] == "PRP$" and pronoun.role == "other"):
        return replace(pronoun, form=Form.DETERMINER, role="possessor", governor=parse.head[token])
    return replace(pronoun, form=Form.ACCUSATIVE if parse.lower[token] == "her" else Form.INDEPENDENT)


def _name_end(parse: Parse, start: int) -> int:
    """End of the run of proper nouns that hang together: *[Finch Hatton]*, *[Ludwig van Beethoven]*."""
    end = start + 1
    while end < len(parse.words):
        step = 2 if parse.lower[end] in words.PARTICLES and end + 1 < len(parse.words) else 1
        last = end + step - 1
        if parse.tag[last] not in PROPER_NOUNS or not _hangs(parse, start, end, last):
            if parse.lower[end] == "-" and end + 1 < len(parse.words) and parse.tag[end + 1] in PROPER_NOUNS:
                end += 2
                continue
            break
        end = last + 1
    return end


def _hangs(parse: Parse, start: int, end: int, token: int) -> bool:
    """Whether `token` belongs to the name that runs from `start` to `end`."""
    above = parse.head[token]
    if start <= above < end and parse.dep[token] not in ("appos", "conj", "nsubj", "obj", "list"):
        return True
    return any(
        (parse.head[part] == token and parse.dep[part] not in ("nsubj", "nmod:poss", "obj", "obl", "nsubj:pass"))
        or (parse.head[part] == above and parse.dep[part] == parse.dep[token] == "compound")
        for part in range(start, end)
    )


def _name(parse: Parse, lexical: Lexical, start: int, end: int) -> list[Nominal]:
    inside = range(start, end)
    head = next(
        (token for token in inside if not start <= parse.head[token] < end or parse.head[token] == token), start
    )
    above = parse.head[head]
    if parse.tag[end - 1] == "NNPS" and start > 0 and parse.lower[start - 1] in _BEFORE_A_FAMILY:
        return []  # the Smiths, the Philippines
    first, title = start, ""
    while first < end - 1 and _is_title(parse, lexical, first):
        title = parse.lower[first]
        first += 1
    is_behind_title = start > 0 and parse.lower[start - 1] in words.TITLES
    if not title and is_behind_title and parse.sent[start - 1] == parse.sent[start]:
        title = parse.lower[start - 1]  # *his aunt Polly*: the title is its own phrase
    name = tuple(parse.lower[token] for token in range(first, end) if parse.lower[token] not in ("-", "."))
    gender = (
        words.TITLES.get(title) or lexical.nouns.get(title) or (words.TITLES.get(name[0]) if len(name) == 1 else None)
    )
    likely = gender or lexical.names.get(name[0])
    if name[0] in lexical.gendered:
        gender = likely
    person = _name_personhood(parse, lexical, start, max(head, first), name, title)
    notes = {"likely": likely, "definite": True, "name": name, "title": title}
    nominal = _phrase(parse, (start, end, head), NAME, gender, person, **notes)
    if parse.dep[head] == "compound" and above >= end and parse.tag[above] in COMMON_NOUNS:
        nominal = replace(nominal, role="compound", governor=above, is_coordinated=False, shared=False)
    return [replace(nominal, head=max(head, first))]


def _is_title(parse: Parse, lexical: Lexical, token: int) -> bool:
    """*Mrs.*, *Crown* before *Princess*, and a common noun that the tagger took into the name: *cousin Bruce*."""
    low, after = parse.lower[token], parse.lower[token + 1]
    if low in words.TITLES or after in words.TITLES:
        return True
    return low in lexical.person and (
        parse.words[token].islower() or (lexical.person[low] > 0.9 and after in lexical.names)  # 0.9: chosen by hand
    )


def _name_personhood(parse: Parse, lexical: Lexical, start: int, head: int, name: tuple[str, ...], title: str) -> float:
    if title:
        return 1.0  # these numbers were chosen by hand; the trees are trained with them
    if any(word in words.NO_PERSON for word in name):
        return 0.05
    if name[0] in lexical.names:
        return 0.95
    if start > 0 and parse.lower[start - 1] == "the":
        return 0.2
    if any(parse.dep[child] == "case" and parse.lower[child] in words.PLACING for child in parse.children[head]):
        return 0.2
    return 0.6


def _noun(parse: Parse, lexical: Lexical, token: int) -> list[Nominal]:
    if parse.dep[token] in ("compound", "amod", "case", "fixed", "flat"):
        return []
    lemma = parse.lemma[token]
    gender = words.noun_gender(lexical, lemma) or words.noun_gender(lexical, parse.lower[token])
    person = 1.0 if gender else words.personhood(lexical, lemma)
    animal = lexical.animal.get(lemma, 0.0)
    who = any(
        parse.lower[child] == "who" and parse.dep[child].startswith("nsubj")
        for clause in parse.children[token]
        if parse.dep[clause] == "acl:relcl"
        for child in parse.children[clause]
    )
    if person < 0.1 and animal < 0.4 and not who:  # by hand: *monkey* and *eagle* stay, not *sloth*
        return []
    start = _start(parse, token)
    opening = parse.lower[start]
    notes = {"definite": opening in _DEFINITE, "indefinite": opening in _NEW}
    return [_phrase(parse, (start, token + 1, token), NOUN, gender, max(person, 0.8 * who), **notes)]


def _indefinite(parse: Parse, token: int) -> list[Nominal]:
    low = parse.lower[token]
    if low in _DETERMINERS_TOO and parse.dep[token] in ("det", "nummod", "amod", "advmod"):
        return []
    person = 0.5 if low in _DETERMINERS_TOO else 1.0
    return [_phrase(parse, (token, token + 1, token), INDEFINITE, None, person, indefinite=True, possessor=-1)]


def _start(parse: Parse, head: int) -> int:
    """Left edge of the phrase: its determiners, adjectives and possessors, in one stretch."""
    start = head
    while start > 0:
        token = start - 1
        if parse.dep[start] == "nmod:poss" and parse.dep[token] != "det:predet":
            break  # *eleven [my friend]*: nothing stands before a possessive
        path = token
        while path != head and parse.dep[path] in INSIDE and parse.head[path] != path and parse.head[path] <= head:
            path = parse.head[path]
        if path != head:
            break
        start = token
    while start < head and parse.dep[start] in ("case", "punct", "cc", "advmod"):
        start += 1
    return start
