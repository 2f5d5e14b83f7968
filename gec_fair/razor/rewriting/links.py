"""Small words that join a clause to what it belongs to, or a verb to its subject, written out or left out.

relative     a man who is sleeping → a man sleeping; a film directed by Lee → a film that was directed by Lee
pronoun      a town which has a mill → a town that has a mill
that         I think that it rains → I think it rains, and the other way
clothes      a man wearing a coat → a man in a coat
long         don't → do not; it's → it is
short        it is → it's
can          is able to win → can win; is incapable of winning → cannot win
must         have to go → must go; is going to rain → will rain
coordinated  a singer and an actor → a singer as well as an actor
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gec_fair.english.labels import COMMON_NOUNS, NOUNS
from gec_fair.razor.rewriting.items import Items, exchanged, inflected, is_behind_noun, is_quantified, lemma_of, words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_LONG: Mapping[str, str] = {"'re": "are", "'m": "am", "'ve": "have", "'ll": "will"}
_SHORT: Mapping[str, str] = {"is": "'s", "are": "'re", "am": "'m"}
_SHORT_BEHIND: Mapping[str, tuple[str, ...]] = {
    "is": ("he", "she", "it", "there"),
    "are": ("we", "you", "they"),
    "am": ("i",),
}
_STEMS: Mapping[str, str] = {"ca": "can", "wo": "will", "sha": "shall"}
_OF_ONE = frozenset({"a", "an", "this", "one"})
_BE: Mapping[str, int] = {"is": 0, "are": 1, "was": 0, "were": 1}


def relative(doc: Doc) -> Iterator[Items]:
    """Without *who is*; and with *that was* before what was made by somebody."""
    for verb in doc:
        if verb.dep_ == "acl:relcl" and verb.tag_ in ("VBG", "VBN") and verb.i > 2:
            pronoun, be = doc[verb.i - 2], doc[verb.i - 1]
            if (
                pronoun.lower_ in words()["relative"]
                and pronoun.head.i == verb.i
                and be.lower_ in _BE
                and be.head.i == verb.i
                and doc[verb.i - 3].i == verb.head.i
                and (verb.tag_ == "VBG" or (_has_case_after(verb, doc) and not _is_caused(verb)))
                and _following(doc, verb) != "to"
            ):
                yield exchanged(doc, {pronoun.i: None, be.i: None})
        elif verb.dep_ == "acl" and verb.head.i == verb.i - 1 and _is_described(verb, doc):
            link = "that" if verb.head.lower_ in words()["not a person"] else "who"
            yield exchanged(doc, {verb.i: f"{link} {'are' if _is_several(verb.head) else 'is'} {verb.text}"})
        elif verb.dep_ == "acl" and verb.lower_ == "born" and verb.head.i == verb.i - 1 and verb.head.tag_ == "NN":
            yield exchanged(doc, {verb.i: "who was born"})
        elif verb.dep_ == "acl" and verb.head.i == verb.i - 1 and (form := _of_a_thing(verb, doc)):
            yield exchanged(doc, {verb.i: form})


def pronoun(doc: Doc) -> Iterator[Items]:
    """*Which* as *that* where no comma stands before it; *that* as *which* behind a thing."""
    for word in doc:
        if word.i < 2 or word.tag_ != "WDT" or word.dep_ not in ("nsubj", "nsubj:pass", "obj"):
            continue
        noun = doc[word.i - 1]
        relative = word.head
        if relative.dep_ != "acl:relcl" or relative.head.i != noun.i or noun.tag_ not in COMMON_NOUNS:
            continue
        if word.lower_ == "which" and word.dep_ != "obj":
            yield exchanged(doc, {word.i: "that"})


def that(doc: Doc) -> Iterator[Items]:
    """Behind a verb of saying or thinking, before a clause with its subject first."""
    if any(word.text in '?"“”:;' for word in doc):
        return
    for clause in doc:
        verb = clause.head
        if clause.dep_ != "ccomp" or lemma_of(verb, "verb") not in words()["say"] or verb.i > clause.i:
            continue
        first = doc[verb.i + 1]
        begins = min(word.i for word in clause.subtree)
        subjects = [child for child in clause.children if child.dep_.startswith("nsubj")]
        if first.i != begins or len(subjects) != 1 or not verb.tag_.startswith("VB") or verb.tag_ in ("VBN", "VBG"):
            continue
        start = min(word.i for word in subjects[0].subtree)
        if first.lower_ == "that" and first.dep_ == "mark" and start == first.i + 1 and _begins_clause(doc[start]):
            yield exchanged(doc, {first.i: None})
        elif start == first.i and _begins_clause(first) and verb.i and not first.text.startswith(("'", "’")):
            yield exchanged(doc, {verb.i: f"{verb.text} that"})


def clothes(doc: Doc) -> Iterator[Items]:
    """Of somebody who is described, not of what is said of them."""
    for verb in doc:
        objects = [child for child in verb.children if child.dep_ == "obj"]
        if (
            verb.lower_ == "wearing"
            and verb.dep_ == "acl"
            and verb.head.i == verb.i - 1
            and verb.head.lower_ in words()["being"]
            and len(objects) == 1
            and objects[0].lower_ in words()["clothes"]
            and not any(child.dep_ in ("advmod", "conj", "obl", "advcl") for child in verb.children)
            and not any(child.dep_ == "conj" for child in objects[0].children)
        ):
            yield exchanged(doc, {verb.i: "in"})


def long(doc: Doc) -> Iterator[Items]:
    """A short form written out, all of them in a text; not in questions, where *not* would have to move."""
    if any(word.text == "?" for word in doc):
        return
    new: dict[int, str | None] = {}
    for word in doc:
        text = word.lower_.replace("’", "'")
        before = doc[word.i - 1] if word.i else None
        if (
            before is None
            or before.whitespace_
            or (word.i + 1 < len(doc) and not word.whitespace_ and doc[word.i + 1].text.isalnum())
        ):
            continue
        if text == "n't" and before.i == 0 and word.i + 1 < len(doc) and doc[word.i + 1].tag_ in ("PRP", "DT", "EX"):
            return  # Aren't they cute!
        if (
            text == "n't"
            and word.i > 1
            and doc[word.i - 2].text == ","
            and word.i + 1 < len(doc)
            and doc[word.i + 1].tag_ == "PRP"
        ):
            return  # they are here, aren't they
        if text == "n't" and before.lower_ not in ("ai", "let"):
            if before.lower_ in ("ca", "can"):
                new |= {before.i: "cannot", word.i: None}
            else:
                new |= {before.i: f"{_STEMS.get(before.lower_, before.lower_)} not", word.i: None}
        elif text in _LONG and before.tag_ == "PRP":
            new |= {before.i: f"{before.text} {_LONG[text]}", word.i: None}
        elif (
            text == "'s"
            and before.lower_ in words()["with is"]
            and not _may_be_title(before, doc)
            and (form := _is_or_has(word, doc))
        ):
            new |= {before.i: f"{before.text} {form}", word.i: None}
    if new:
        yield exchanged(doc, {at: _kept_capital(doc[at], form) for at, form in new.items()})


def short(doc: Doc) -> Iterator[Items]:
    """A pronoun with *is*, *are* or *am* behind it, as it is said; not at an end, where the verb bears the stress."""
    if any(word.text == "?" for word in doc):
        return
    for be in doc[1:-1]:
        subject, following = doc[be.i - 1], doc[be.i + 1]
        form = _SHORT.get(be.text)
        if (
            form
            and be.whitespace_
            and subject.lower_ in _SHORT_BEHIND[be.text]
            and subject.dep_ in ("nsubj", "nsubj:pass", "expl")
            and subject.head.i == (be.i if be.dep_ not in ("aux", "cop", "aux:pass") else be.head.i)
            and following.tag_ in ("DT", "JJ", "VBG", "RB", "IN", "NN", "NNS", "PRP$", "CD", "VBN")
            and following.lower_ not in ("that", "this", "what")
        ):
            yield exchanged(doc, {subject.i: f"{subject.text}{form}", be.i: None})


def can(doc: Doc) -> Iterator[Items]:
    """*Is able to*, *is unable to*, *is incapable of*: three words and a verb."""
    for word in doc[1:-2]:
        be, link, verb = doc[word.i - 1], doc[word.i + 1], doc[word.i + 2]
        if word.lower_ == "incapable" and link.lower_ == "of" and verb.lower_.endswith("ing") and verb.tag_ == "VBG":
            base = "be" if verb.lower_ == "being" else inflected(lemma_of(verb, "verb"), "VB")
            if base:
                yield exchanged(doc, {word.i: "unable", link.i: "to", verb.i: base})
        form = {("able", "to"): "can", ("unable", "to"): "cannot", ("incapable", "of"): "cannot"}.get(
            (word.lower_, link.lower_)
        )
        if form is None or be.lower_ not in ("is", "are") or verb.tag_ not in ("VB", "VBG") or be.i == 0:
            continue
        lemma = inflected(lemma_of(verb, "verb"), "VB") if verb.lower_ not in ("be", "being") else "be"
        if lemma and doc[be.i - 1].tag_ not in ("WDT",):
            yield exchanged(doc, {be.i: form, word.i: None, link.i: None, verb.i: lemma})


def must(doc: Doc) -> Iterator[Items]:
    """In the present, without a negation."""
    for word in doc[1:-2]:
        to, verb = doc[word.i + 1], doc[word.i + 2]
        before = doc[word.i - 1]
        if to.lower_ != "to" or verb.tag_ != "VB" or not verb.text.islower():
            continue
        has_to_do_with = verb.lower_ == "do" and any(later.lower_ == "with" for later in doc[verb.i + 1 : verb.i + 3])
        if has_to_do_with or is_behind_noun(word) or is_quantified([*doc[: word.i]]):
            continue  # nobody has to know, the money they have to spend
        if (
            word.lower_ in ("has", "have")
            and not any(earlier.tag_ in ("WP", "WDT") for earlier in doc[: word.i])
            and word.tag_ in ("VBZ", "VBP")
            and before.tag_ in ("PRP", "NN", "NNS", "NNP")
        ):
            yield exchanged(doc, {word.i: "must", to.i: None})
        elif (
            word.lower_ == "going"
            and before.lower_ in ("is", "are")
            and before.i
            and doc[before.i - 1].tag_ in NOUNS | {"PRP"}
        ):
            yield exchanged(doc, {before.i: "will", word.i: None, to.i: None})


def coordinated(doc: Doc) -> Iterator[Items]:
    """Two nouns that are not the subject, with a determiner before both."""
    for word in doc[1:-1]:
        noun = word.head
        if word.lower_ != "and" or noun.dep_ != "conj" or noun.tag_ not in COMMON_NOUNS or not noun.head.dep_:
            continue
        first = noun.head
        if (
            first.dep_ in ("obj", "obl", "nmod")
            and first.tag_ in COMMON_NOUNS
            and len([child for child in first.children if child.dep_ == "conj"]) == 1
            and doc[word.i + 1].lower_ in words()["determiner"]
            and doc[word.i + 1].head.i == noun.i
            and any(child.lower_ in words()["determiner"] for child in first.children)
            and not any(child.lower_ in ("between", "both", "either") for child in first.children)
            and first.i < word.i
            and not doc[word.i - 1].is_punct
        ):
            yield exchanged(doc, {word.i: "as well as"})


def _is_described(verb: Token, doc: Doc) -> bool:
    """Somebody, by what they are doing now: in a caption, or beside a verb of the present."""
    root = next(iter(doc.sents)).root
    tense = [child.tag_ for child in root.children if child.dep_ in ("aux", "cop")] or [root.tag_]
    return (
        verb.tag_ == "VBG"
        and lemma_of(verb, "verb") != verb.lower_
        and verb.head.lower_ in words()["being"]
        and verb.head.dep_ in ("nsubj", "ROOT", "obl", "nmod", "obj")
        and (
            verb.head.tag_ != "NN" or any(child.dep_ in ("det", "nummod", "nmod:poss") for child in verb.head.children)
        )
        and lemma_of(verb, "verb") not in words()["stative"]
        and verb.lower_ not in ("being", "having")
        and (tense[0] in ("VBZ", "VBP") or root.i == verb.head.i)
        and not any(child.dep_ == "acl:relcl" for child in verb.head.children)
    )


def _of_a_thing(verb: Token, doc: Doc) -> str:
    """*That was made* before *by her* or *in 2011*, *that stars* for *starring*; "" for another verb, or a person."""
    noun, several = verb.head, _is_several(verb.head)
    if noun.tag_ not in COMMON_NOUNS or noun.lower_ in words()["being"]:
        return ""
    if verb.lower_ in ("starring", "featuring"):
        present = inflected(lemma_of(verb, "verb"), "VBP" if several else "VBZ")
        return f"that {present}" if verb.i + 1 < len(doc) else ""
    follows = _following(doc, verb)
    if verb.tag_ == "VBN" and lemma_of(verb, "verb") in words()["made"] and follows in ("by", "in", "on", "at"):
        return f"that {'were' if several else 'was'} {verb.text}"
    if verb.lower_ in ("based", "located") and follows in ("in", "on", "at", "near"):
        return f"that {'are' if several else 'is'} {verb.text}"
    return ""


def _is_several(noun: Token) -> bool:
    """*Boys*, *a few boys*; not *a miniseries*."""
    if noun.lower_ == "people":
        return True
    around = {child.lower_ for child in noun.children}
    return noun.tag_ == "NNS" and (not around & _OF_ONE or "few" in around)


def _is_or_has(word: Token, doc: Doc) -> str:
    """*Has* before *been* and *got*; nothing before another participle, which may be either's, nor at the end."""
    following = doc[word.i + 1] if word.i + 1 < len(doc) else None
    if following is None or following.is_punct or word.tag_ == "POS" or not _has_predicate(word, doc):
        return ""
    if following.lower_ in ("been", "got", "had"):
        return "has"
    return "" if following.tag_ in ("VBN", "VBD") or following.lower_ == "all" else "is"


def _has_predicate(word: Token, doc: Doc) -> bool:
    """Whether what follows can be said of *it* or *who*: not *it's tail* and *it's long tail*, for *its*, nor *it's
    tells*, for *it*. *There* is followed by one thing."""
    following, before = doc[word.i + 1], doc[word.i - 1].lower_
    clause = word.head if word.dep_ in ("cop", "aux", "aux:pass") else word
    noun = next((later for later in doc[word.i + 1 :] if later.tag_ in NOUNS or later.tag_ == "DT"), None)
    if following.tag_ in ("VBZ", "VBP", "VB", "MD") or clause.i < word.i:
        return False
    if before == "it" and word.i > 1 and doc[word.i - 2].lower_ in words()["before its"]:
        return False
    if before == "there":
        return noun is None or noun.tag_ != "NNS"
    if before not in ("it", "who") or following.tag_ not in (*COMMON_NOUNS, "JJ", "JJR", "JJS", "VBG", "RB"):
        return True
    is_said = clause.dep_ in ("ROOT", "ccomp", "advcl", "conj", "parataxis", "acl:relcl") and clause.i != word.i
    return is_said and clause.tag_ not in COMMON_NOUNS


def _may_be_title(word: Token, doc: Doc) -> bool:
    """*That's* of *That's So Like Us*."""
    following = doc[word.i + 2] if word.i + 2 < len(doc) else None
    if following is None or not (word.text[:1].isupper() and following.text[:1].isupper()):
        return False
    return word.i > 0 or following.tag_ not in NOUNS


def _is_caused(verb: Token) -> bool:
    """*Had a house that was built*, which is not *had a house built*."""
    return verb.head.dep_ == "obj" and lemma_of(verb.head.head, "verb") in words()["causing"]


def _kept_capital(word: Token, form: str | None) -> str | None:
    return form.capitalize() if form and word.text[:1].isupper() and word.lower_ != "i" else form


def _following(doc: Doc, word: Token) -> str:
    return str(doc[word.i + 1].lower_) if word.i + 1 < len(doc) else ""


def _has_case_after(verb: Token, doc: Doc) -> bool:
    """Whether a preposition follows: *that was made by her*, not *that was made*."""
    return verb.i + 1 < len(doc) and doc[verb.i + 1].tag_ == "IN"


def _begins_clause(word: Token) -> bool:
    return word.tag_ in ("PRP", "DT", "NNP", "EX", "PRP$") and word.lower_ not in ("that", "these", "those", "this")
