"""Which verbs agree with a given subject, over a dependency parse with UD or ClearNLP labels.

    UD        he/nsubj → doctor, is/cop → doctor          ClearNLP   he/nsubj → is, doctor/attr → is
    both      does/aux he/nsubj → know                    both       who/nsubj → knows/relcl → she

The verb that agrees is the first auxiliary or copula of the clause, or its head when there is none; conjuncts that
share the subject agree too, and so does the verb of a relative clause whose *who* stands for the pronoun. What words
alone decide (*he is*, *so does he*) is decided by them, for a parser may fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from gec_fair.english import inflect
from gec_fair.english.labels import FINITE_VERBS, NOUNS, OBJECTS, PLURAL_NOUNS, RELATIVE_CLAUSES, SUBJECTS
from gec_fair.english.lexicons.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

ANY_SUBJECT = SUBJECTS | {"csubj", "csubj:pass", "csubj:outer", "csubjpass", "expl"}
_AUXILIARY = frozenset({"aux", "aux:pass", "auxpass", "cop"})
ADVERBS = word_list("adverbs_before_a_verb")
_OF_A_NOUN = frozenset({"det", "amod", "nmod:poss", "poss", "nummod", "compound", "case"})
_OF_A_VERB = OBJECTS | {"compound:prt"}
_CORRELATIVES = word_list("correlatives")
_OPENERS = word_list("clause_openers") | {'"', ""}
_OR = word_list("alternatives")
_SO = word_list("words_before_an_inversion")
_NOT = word_list("not_and_contraction")
_WHO = word_list("relative_pronouns")
_IMPERSONAL = frozenset({"it", "this", "that", "there"})
_COORDINATING = frozenset({"conj", "parataxis"})


def is_copula(token: Token) -> bool:
    """*be* before what somebody is; parsers also take *he was eighteen* for a passive."""
    return token.dep_ == "cop" or (token.dep_ in _AUXILIARY and token.lemma_ == "be" and not _is_verb(token.head))


def _is_verb(token: Token) -> bool:
    return token.tag_.startswith("VB")


def agreeing(subject: Token, *, nominative: bool = True) -> list[Token]:
    """Finite verbs whose form depends on `subject`, in text order, past tenses and modals included.

    *went* is among them although it shows no agreement: the source of a GEC pair may have *goes* in its place.
    For a pronoun that is not a subject, or no nominative (*his is the red one*), only relative clauses are looked at
    (*him who knows*).
    """
    verbs = [verb for clause in _relative_clauses(subject) for verb in _clause_verbs(clause)]
    if not verbs and _is_relative_antecedent(subject) and is_subject(subject.nbor()):
        verbs += _of_who(subject)
    if nominative and _cleft(subject):
        verbs += _of_who(subject)
    elif nominative:
        verbs += _clause_verbs(_hyphenated(subject.head), subject) if subject.dep_ in SUBJECTS else ()
        if _is_relative_antecedent(subject):
            verbs += _behind_the_relative_clause(subject)
        words = [token.text for token in subject.doc]
        verbs += (subject.doc[i] for i in coordinated_places(words, subject.i) if inflect.is_closed_singular(words[i]))
    if nominative and not verbs:
        verbs += _inverted(subject)
    if nominative:
        verbs += _of_a_far_relative_clause(subject)
    return sorted(set(verbs), key=lambda t: t.i)


def coordinated_places(words: Sequence[str], at: int) -> list[int]:
    """Where a verb of the subject at `at` would stand, by the words alone: after it, adverbs skipped, or before it in
    a question or inversion (*so does he*). A form of *be, have, do* in such a place agrees whatever the parse says."""
    places: list[int] = []
    after = at + 1
    while after < len(words) and words[after].lower() in ADVERBS:
        after += 1
    if after < len(words):
        places.append(after)
    before = at - 1
    if before > 0 and words[before].lower() in _NOT:
        before -= 1
    if before >= 0 and (words[before - 1].lower() if before else "") in _OPENERS:
        places.append(before)
    return places


def before_adverbs(words: Sequence[str], at: int) -> int:
    """The place of the first word before `at` that is not an adverb; -1 if there is none."""
    return next((i for i in range(at - 1, -1, -1) if words[i].lower() not in ADVERBS), -1)


def left_behind(subject: Token, changed: Collection[int]) -> Token | None:
    """The verb of a nominative subject that would still agree with *he* when the places in `changed` are rewritten.

    It may be coordinated with one that changes. The verb of *neither he nor Mary* agrees with the nearer of both. Where
    the parse gives the subject no verb, any verb without another subject may be its own. None if there is none.
    """
    if _is_alternative(subject):
        verb = _finite(subject.head if subject.dep_ in SUBJECTS else subject.head.head)
        if verb is None or not inflect.is_singular(verb.text):
            return None
        is_nearer = (subject.dep_ == "conj") == (verb.i > subject.i)
        return verb if is_nearer != (verb.i in changed) else None
    later = [token for token in subject.sent if token.i > subject.i and token.i not in changed and token.dep_ != "case"]
    if not agreeing(subject):
        return next((token for token in later if _may_be_its_verb(token, subject)), None)
    if _is_relative_antecedent(subject) and subject.head == subject.nbor().head and not _cleft(subject):
        return next((token for token in later if _is_bare_verb(token)), None)  # the main verb of *she who waits wins*
    return next((token for token in later if _is_coordinated(token, subject) or _continues(token, changed)), None)


def _is_alternative(subject: Token) -> bool:
    """Whether *or* or *nor* joins the subject to another: the verb agrees with the nearer one."""
    conjunct = subject if subject.dep_ == "conj" else next((c for c in subject.children if c.dep_ == "conj"), None)
    return conjunct is not None and any(child.lower_ in _OR for child in conjunct.children)


def _may_be_its_verb(token: Token, subject: Token) -> bool:
    """Whether a word that looks like a verb with *-s* may be the subject's: it has no other subject."""
    is_next = coordinated_places([word.text for word in subject.doc], subject.i)[:1] == [token.i]
    if token.tag_ != "VBZ":
        return (is_next or token == subject.head) and _is_bare_plural(token)
    clause = token.head if token.dep_ in _AUXILIARY else token
    return not any(child.dep_ in ANY_SUBJECT and child != subject for child in clause.children)


def _is_coordinated(token: Token, subject: Token) -> bool:
    """Whether a word with *-s* is coordinated with a verb of the subject: *she is a nurse and fights for peace*."""
    head = token.head
    if token.tag_ != "VBZ":
        if token.dep_ != "conj" or not _is_bare_plural(token):
            return False
        return (head.tag_ == "NN" and subject in head.children) or _may_follow_an_object(token, subject)
    clause = head if token.dep_ in _AUXILIARY else token
    is_behind_and = _is_behind_coordinator(token)
    if (
        not _is_bare_verb(token)
        or _is_aside(clause)
        or _is_of_another(token)
        or (clause.dep_ not in _COORDINATING and not is_behind_and)
    ):
        return False
    if clause.dep_ == "conj" and clause.head.tag_ in NOUNS and not inflect.is_closed_singular(token.text):
        return subject in clause.head.children  # *a coat and trousers*
    while True:
        owners = [child for child in clause.children if child.dep_ in ANY_SUBJECT]
        if owners or clause.head == clause:
            is_open = all(owner.lower_ in _IMPERSONAL for owner in owners) and clause.dep_ == "ccomp"
            is_of_both = is_open and subject in clause.head.children  # *she thinks it is late and wants to go*
            return subject in owners or (is_behind_and and (not owners or is_of_both))
        clause = clause.head


def _may_follow_an_object(token: Token, subject: Token) -> bool:
    """*she opens the door and smiles*: the parser takes the second verb for another object. Behind a bare plural it is
    one (*cats and dogs*), and behind two nouns both may be verbs of the first (*the dog barks and bites*)."""
    noun = token.head
    before = {child.dep_ for child in noun.lefts}
    is_one_thing = (noun.tag_ not in PLURAL_NOUNS or "det" in before) and "compound" not in before
    is_verb = inflect.verb_lemma(token.text) != token.lower_
    return is_verb and is_one_thing and noun.head.tag_ == "VBZ" and subject in noun.head.children


def _continues(token: Token, changed: Collection[int]) -> bool:
    """Whether a word with *-s* behind *and* or *then* follows a verb that changes, and no subject stands between."""
    if not _is_behind_coordinator(token) or _has_subject(token) or _is_of_another(token):
        return False
    if not _is_bare_verb(token):
        return _is_bare_plural(token) and _has_place_of_a_verb(token)
    for before in reversed(token.doc[token.sent.start : token.i]):
        if before.i in changed and before.tag_ != "PRP":
            return True
        if before.tag_ in FINITE_VERBS or before.dep_ in ANY_SUBJECT:
            return False
    return False


def _has_place_of_a_verb(noun: Token) -> bool:
    """*asks who is calling and hangs up, hopes to win and dreams of gold, drives trucks and fixes cars*"""
    after = noun.nbor() if noun.i + 1 < len(noun.doc) else noun
    is_before_another = after.dep_ == "conj" and after.head == noun.head
    is_behind_its_verb = noun.dep_ == "obj" and noun.head.i == noun.i - 2
    return is_behind_its_verb or is_before_another or any(child.dep_ in _OF_A_VERB for child in noun.children)


def _is_behind_coordinator(token: Token) -> bool:
    """*and never goes*"""
    before = before_adverbs([word.text for word in token.doc], token.i)
    return before > token.sent.start and (token.doc[before].tag_ == "CC" or token.doc[before].lower_ == "then")


def _cleft(subject: Token) -> bool:
    """*it is he who knows*: the verb agrees with *it*, whatever the parser calls the pronoun. *It is as if he knew* is
    none."""
    before = before_adverbs([token.text for token in subject.doc], subject.i)
    return (
        before >= 0
        and inflect.verb_lemma(subject.doc[before].text) == "be"
        and any(
            child.lower_ == "it" and child.i < before and child.dep_ in ANY_SUBJECT for child in subject.head.children
        )
    )


def is_subject(token: Token) -> bool:
    """Whether the token is the subject of a clause (active, passive or outer)."""
    return token.dep_ in SUBJECTS


def _of_a_far_relative_clause(subject: Token) -> Iterator[Token]:
    """*he laughs last who reads it first*"""
    for clause in subject.head.children if subject.dep_ in SUBJECTS else ():
        who = next((child for child in clause.children if child.dep_ in SUBJECTS and child.lower_ in _WHO), None)
        if who is not None and clause.dep_ == "advcl:relcl" and who.nbor(-1).tag_ not in NOUNS | {","}:
            yield from _clause_verbs(clause)


def _inverted(subject: Token) -> Iterator[Token]:
    """*so tired was she, what sort of man is he*: a verb right before a subject that has no other; not *it was he*, nor
    *the winner is she*."""
    before = subject.doc[max(0, subject.i - 2) : subject.i]
    if (
        len(before)
        and not _has_subject(subject)
        and inflect.is_closed_singular(before[-1].text)
        and before[0].tag_ != "PRP"
    ):
        yield before[-1]


def _of_who(subject: Token) -> Iterator[Token]:
    """*it is she who decides, let him who knows speak*: the verb behind *who*, wherever the pronoun hangs."""
    who = subject.nbor() if subject.i + 1 < len(subject.doc) else None
    if who is not None and who.lower_ in _WHO and who.head.i > who.i:
        helpers = [child for child in who.head.children if child.dep_ in _AUXILIARY and child.i > who.i]
        yield from (verb for verb in [*helpers, who.head][:1] if verb.tag_ in FINITE_VERBS)


def _is_relative_antecedent(subject: Token) -> bool:
    return subject.i + 1 < len(subject.doc) and subject.nbor().lower_ == "who"


def _behind_the_relative_clause(subject: Token) -> Iterator[Token]:
    """*he who waits wins*: a second verb with *-s*, without a subject, in a place where the parser wants a noun."""
    who = subject.nbor()
    for token in subject.sent:
        is_verb = token.tag_ == "VBZ" or (token.tag_ == "NNS" and inflect.is_singular(token.text))
        is_bare = not any(child.dep_ in _OF_A_NOUN - {"amod"} for child in token.lefts)
        if token.i > who.head.i > who.i and is_verb and token.dep_ == "obj" and is_bare:
            yield token
            return


def _hyphenated(head: Token) -> Token:
    """*he re - reads*: the verb behind the prefix that a tokeniser cut off."""
    after = head.doc[head.i + 1 : head.i + 3]
    is_prefix = len(after) == 2 and after[0].text == "-" and not _is_verb(head) and after[1].tag_ == "VBZ"
    return after[1] if is_prefix else head


def _clause_verbs(head: Token, subject: Token | None = None) -> Iterator[Token]:
    verb = _finite(head, subject)
    if verb is not None:
        yield verb
    for child in head.children:
        if _shares_subject(child, head):
            yield from _clause_verbs(child)
        elif _finite(child) is None:
            for stray in _strays(child):
                yield from _clause_verbs(stray)


def _strays(word: Token) -> Iterator[Token]:
    """*she likes to play and likes to sing*: nothing with *-s* is coordinated with an infinitive, or with a noun as in
    *takes the bike and rides along*, whatever the parser says; it belongs to the clause above. Beside a plural noun it
    may be one itself (*courses and stays abroad*)."""
    if word.tag_ == "NNS":
        return
    for child in word.children:
        verb = _finite(child)
        if verb is None:
            yield from _strays(child)
        elif child.dep_ == "conj" and child.i > word.i and _is_bare_verb(verb) and not _has_subject(child):
            yield child


def _is_bare_verb(word: Token) -> bool:
    """Whether a word is tagged as a verb with *-s* and does not look like a name (*Tom and Higgins*)."""
    return word.tag_ == "VBZ" and not word.text.istitle()


def _finite(head: Token, subject: Token | None = None) -> Token | None:
    """The agreeing word of a clause: its first auxiliary or copula, or its head; None for a clause without one.

    In *the point is that he was late* UD hangs the outer copula on *late* as well: it is not the inner subject's.
    """
    helpers = [child for child in head.children if child.dep_ in _AUXILIARY and not _has_subject(child)]
    if subject is not None and _has_subject_before(head, subject):  # *it was when he was late*: both of two clauses
        later = [child for child in helpers if child.i > subject.i]
        helpers = later or [child for child in helpers if child.i == subject.i - 1]
    outer = next((child for child in head.children if child.dep_ == "nsubj:outer"), None)
    if outer is not None and subject is not None and outer != subject:
        copula = next((n for n, child in enumerate(helpers) if child.dep_ == "cop" and child.i > outer.i), -1)
        helpers = helpers[copula + 1 :]
    word = helpers[0] if helpers else head
    return word if word.tag_ in FINITE_VERBS or _mistagged(word) else None


def _is_bare_plural(word: Token) -> bool:
    """Whether a word tagged as a plural noun has no determiner or adjective, and may be a verb with *-s*."""
    return (
        word.tag_ == "NNS"
        and inflect.is_singular(word.text)
        and not any(
            child.i < word.i and child.dep_ in _OF_A_NOUN and child.lower_ not in _CORRELATIVES
            for child in word.children
        )
    )


def _mistagged(word: Token) -> bool:
    """*she sings and dances, she either calls or texts*: a bare plural noun with a subject, or beside such a verb, is a
    verb, whatever the tagger says; so is an object behind a comma or *and* (*she wins , smiles and waves*)."""
    if not _is_bare_plural(word):
        return False
    if any(child.dep_ in SUBJECTS and child.tag_ == "PRP" and child.i < word.i for child in word.children):
        return True
    head = word.head
    if word.dep_ == "conj":
        return head != word and (head.tag_ == "VBZ" or _mistagged(head))
    is_joined = word.i > 0 and (word.nbor(-1).text == "," or word.nbor(-1).tag_ == "CC") and head.i < word.i - 1
    return word.dep_ == "obj" and is_joined and head.tag_ == "VBZ"


def _shares_subject(conjunct: Token, head: Token) -> bool:
    """Whether a conjunct is a finite clause without its own subject. Behind a comma parsers call it parataxis, too."""
    verb = _finite(conjunct)
    if conjunct.i < head.i or verb is None or _is_of_another(verb) or (verb.tag_ == "VBZ" and verb.text.istitle()):
        return False
    if conjunct.dep_ == "obj":
        return _mistagged(conjunct)
    if conjunct.dep_ != "conj" and (conjunct.dep_ != "parataxis" or verb.tag_ != "VBZ" or _is_aside(conjunct)):
        return False
    return not _has_subject(conjunct)


def _has_subject_before(predicate: Token, subject: Token) -> bool:
    return any(child.dep_ in ANY_SUBJECT and child.i < subject.i for child in predicate.children)


def _is_aside(clause: Token) -> bool:
    """*he forgot, is what I mean*"""
    return clause.dep_ == "parataxis" and any(child.dep_ == "cop" for child in clause.children)


def _is_of_another(verb: Token) -> bool:
    """*he smokes, and so does his wife*: the subject stands behind the verb, whatever the parser calls it. *He is kind,
    and so is loved* has none."""
    if not 0 < verb.i < len(verb.doc) - 1 or verb.nbor(-1).lower_ not in _SO:
        return False
    return verb.nbor().tag_ in NOUNS | {"DT", "PRP", "PRP$"}


def _has_subject(predicate: Token) -> bool:
    return any(child.dep_ in ANY_SUBJECT for child in predicate.children)


def _relative_clauses(pronoun: Token) -> Iterator[Token]:
    for clause in pronoun.children:
        if clause.dep_ in RELATIVE_CLAUSES and any(
            child.dep_ in SUBJECTS and child.lower_ in _WHO for child in clause.children
        ):
            yield clause
