"""Which verbs agree with a given subject, over a dependency parse with UD or ClearNLP labels.

    UD        he/nsubj → doctor, is/cop → doctor          ClearNLP   he/nsubj → is, doctor/attr → is
    both      does/aux he/nsubj → know                    both       who/nsubj → knows/relcl → she

The verb that agrees is the first auxiliary or copula of the clause, or its head when there is none; conjuncts that
share the subject agree too, and so does the verb of a relative clause whose *who* stands for the pronoun. What words
alone decide (*he is*, *so does he*) is decided by them, for a parser may fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_fair.english import inflect
from gec_fair.english.clauses import (
    ANY_SUBJECT,
    AUXILIARIES,
    OF_A_NOUN,
    SURELY,
    clause_verbs,
    finite_verb,
    has_subject,
    is_aside_clause,
    is_bare_plural,
    is_known_verb,
    is_of_another,
    is_subject,
    is_verb,
    join_hyphen,
    likely_verb,
)
from gec_fair.english.labels import FINITE_VERBS, NOUNS, OBJECTS, PLURAL_NOUNS, PREDICATES, RELATIVE_CLAUSES, SUBJECTS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import texts

if TYPE_CHECKING:
    from spacy.tokens import Token

ADVERBS = word_list("adverbs_before_a_verb")
_OF_A_VERB = OBJECTS | {"compound:prt"}
_OPENERS = word_list("clause_openers") | {'"', ""}
_OR = word_list("alternatives")
_NOT = frozenset(["not", "n't"])
_WHO = word_list("relative_pronouns")
_IMPERSONAL = frozenset({"it", "this", "that", "there"})
_PLURAL_PRONOUNS = frozenset({"they", "we", "you"})
_RELATIVE = RELATIVE_CLAUSES | {"advcl:relcl"}
_OF_A_CLAUSE = _RELATIVE - {"acl:relcl"}
_COORDINATING = frozenset({"conj", "parataxis"})
_PERHAPS = 0.15  # chosen by hand
"""The tagger's probability from which on a word with *-s* may be a verb."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Tokens between two verbs or subjects of a sentence: they are behind the verb `last` and perhaps behind a `rival`
    subject, and the verb or subject `end` follows, None where the sentence is over."""

    last: Token | None
    rival: Token | None
    tokens: Sequence[Token]
    end: Token | None


def agreeing(subject: Token, *, nominative: bool = True) -> list[Token]:
    """Finite verbs whose form depends on `subject`, in text order, past tenses and modals included.

    *went* is among them although it shows no agreement: the source of a GEC pair may have *goes* in its place.
    For a pronoun that is not a subject, or no nominative (*his is the red one*), only relative clauses are looked at
    (*him who knows*).
    """
    verbs = [verb for clause in _relative_clauses(subject) for verb in clause_verbs(clause)]
    if not verbs and _is_relative_antecedent(subject) and is_subject(subject.nbor()):
        verbs += _of_who(subject)
    if nominative and _cleft(subject):
        verbs += _of_who(subject)
    elif nominative:
        verbs += clause_verbs(join_hyphen(subject.head), subject) if subject.dep_ in SUBJECTS else ()
        verbs += _of_a_row(subject.head) if subject.dep_ in SUBJECTS else ()
        if _is_relative_antecedent(subject):
            verbs += _behind_the_relative_clause(subject)
        words = texts(subject.doc)
        verbs += (subject.doc[i] for i in coordinated_places(words, subject.i) if inflect.is_closed_singular(words[i]))
    if nominative and not verbs:
        verbs += _find_inverted(subject)
    if nominative:
        verbs += _of_a_far_relative_clause(subject)
        verbs += _surely_continuing(subject, {verb.i for verb in verbs}) if verbs else ()
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
    """The word that may be a verb of a nominative subject and would still agree with *he* when the places in `changed`
    are rewritten; None if there is none.

    The verb of *neither he nor Mary* agrees with the nearer of both.
    """
    if _is_alternative(subject):
        verb = finite_verb(subject.head if subject.dep_ in SUBJECTS else subject.head.head)
        if verb is None or not inflect.is_singular(verb.text):
            return None
        is_nearer = (subject.dep_ == "conj") == (verb.i > subject.i)
        return verb if is_nearer != (verb.i in changed) else None
    verbs = {verb.i for verb in agreeing(subject)}
    return next((token for token in _continuing(subject, verbs) if token.i not in changed), None)


def _is_alternative(subject: Token) -> bool:
    """Whether *or* or *nor* joins the subject to another: the verb agrees with the nearer one."""
    conjunct = subject if subject.dep_ == "conj" else next((c for c in subject.children if c.dep_ == "conj"), None)
    if conjunct is None:
        return False
    joining = [*conjunct.children, *conjunct.head.children]  # ClearNLP has *nor* below the first
    return any(child.lower_ in _OR and child.i < conjunct.i for child in joining)


def _continuing(subject: Token, verbs: Collection[int]) -> Iterator[Token]:
    """Words with *-s* that may be further verbs of a subject, coordinated with one of its `verbs`, while no other
    subject stands between, and those behind commas in such a row (*she smiles, waves, leaves*). A subject without verbs
    may have any, and that of *he who waits wins* has one more."""
    may_have_any = not verbs or (_is_relative_antecedent(subject) and not _cleft(subject))
    for stretch in _stretches(subject, verbs, surely=False):
        row: list[Token] = []
        for token in stretch.tokens:
            if not _may_continue(token, stretch, subject):
                continue
            is_joined = stretch.rival is not None or _is_behind_coordinator(token) or _is_coordinated(token, verbs)
            if may_have_any or is_joined:
                yield from [*row, token]
                row = []
            elif token.nbor(-1).text == ",":
                row.append(token)
        yield from _end_row(row, verbs, stretch.end)


def _surely_continuing(subject: Token, verbs: Collection[int]) -> list[Token]:
    """Those of them that surely are verbs, behind *and* or *then*."""
    return [
        token
        for stretch in _stretches(subject, verbs, surely=True)
        for token in filter(_is_behind_coordinator, stretch.tokens)
        if _may_continue(token, stretch, subject) and (stretch.rival is not None or likely_verb(token) >= SURELY)
    ]


def _stretches(subject: Token, verbs: Collection[int], *, surely: bool) -> Iterator[_Stretch]:
    """What stands behind a subject, cut at each of its verbs and at each other subject."""
    last = subject if all(verb < subject.i for verb in verbs) else None
    rival: Token | None = None
    tokens: list[Token] = []
    for token in subject.doc[subject.i + 1 : subject.sent.end]:
        is_rival = token.dep_ in ANY_SUBJECT and (surely or not _is_open(token))
        if not is_rival and token.i not in verbs:
            tokens.append(token)
            continue
        yield _Stretch(last, rival, tokens, token)
        tokens = []
        if token.i in verbs:
            last = token
        else:
            is_complement = token.head.dep_ == "ccomp" and token.head.head == subject.head
            is_passed = last is not None and (_is_of_other_number(token) or (is_complement and not surely))
            last, rival = (last, token) if is_passed else (None, None)
    yield _Stretch(last, rival, tokens, None)


def _end_row(row: Sequence[Token], verbs: Collection[int], end: Token | None) -> Sequence[Token]:
    """A row without *and*, if the verb that ends it has one, or the parser attaches one of it to the subject's."""
    if end is not None and end.i in verbs:
        return row if _is_behind_coordinator(end) else ()
    is_row = any(
        token.head.i in verbs
        and likely_verb(token) > 0.5  # rather a verb than not
        and token.dep_ not in _RELATIVE
        and token.head.dep_ != "parataxis"  # *a cold, she says, prevents it*
        and not inflect.is_closed_singular(token.text)  # *she knows, is all I can say*
        for token in row
    )
    return row if is_row else ()


def _is_of_other_number(rival: Token) -> bool:
    """Whether a verb with *-s* cannot be of a rival subject: *he knows that they are late and waits*."""
    verb = finite_verb(rival.head)
    is_plural = rival.tag_ in PLURAL_NOUNS or rival.lower_ in _PLURAL_PRONOUNS
    return is_plural and verb is not None and not inflect.is_singular(verb.text)


def _is_shared(token: Token, rival: Token, subject: Token) -> bool:
    """Whether a verb beside a rival may be the subject's: *he heard that the train was late and was angry*."""
    clause = token.head if token.dep_ in AUXILIARIES else token
    verb = finite_verb(rival.head)
    is_alike = verb is not None and inflect.is_closed_singular(verb.text) >= inflect.is_closed_singular(token.text)
    is_verb = token.tag_ in FINITE_VERBS and inflect.is_singular(token.text) and not is_of_another(token)
    is_beside = clause.dep_ == "conj" and clause.head in (rival.head, subject.head)
    return is_verb and is_beside and not has_subject(clause) and (is_alike or _is_of_other_number(rival))


def _is_open(rival: Token) -> bool:
    """Whether a verb behind the clause of a rival subject may belong to the clause above: *he asks who is calling and
    hangs up, she thinks it is late and wants to go*; not *the man who smokes*."""
    if rival.lower_ in _WHO and is_verb(rival.nbor(-1)):
        return True
    return rival.lower_ in _IMPERSONAL and rival.head.dep_ == "ccomp"


def _may_continue(token: Token, stretch: _Stretch, subject: Token) -> bool:
    """Whether a word with *-s* may be a verb behind the stretch's last and has no other subject, but where it may be
    one beside the rival. What the tagger is not sure of is a noun, unless the verb before is present, too."""
    last, rival = stretch.last, stretch.rival
    if last is None or rival is not None:
        return rival is not None and _is_behind_coordinator(token) and _is_shared(token, rival, subject)
    if token.dep_ == "case" or token.text.istitle() or not inflect.is_singular(token.text) or is_of_another(token):
        return False
    clause = token.head if token.dep_ in AUXILIARIES else token
    if is_aside_clause(clause) or any(child.dep_ in ANY_SUBJECT and child != subject for child in clause.children):
        return False
    likely = likely_verb(token)
    if likely >= SURELY or last.tag_ != "VBZ" or not is_known_verb(token):
        return likely >= SURELY
    return likely >= _PERHAPS or (is_bare_plural(token) and _has_place_of_a_verb(token, subject))


def _is_coordinated(token: Token, verbs: Collection[int]) -> bool:
    """Whether the parser coordinates a word with one of the verbs."""
    clause = token.head if token.dep_ in AUXILIARIES else token
    is_beside = clause.head.i in verbs or any(child.i in verbs for child in clause.head.children)
    return clause.dep_ in _COORDINATING and is_beside


def _has_place_of_a_verb(plural: Token, subject: Token) -> bool:
    """*she opens the door and smiles, hopes to win and dreams of gold, drives trucks and fixes cars*: what the parser
    takes for another object. Behind a bare plural it is one (*cats and dogs*), and behind two nouns both may be verbs
    of the first (*the dog barks and bites*)."""
    after = plural.nbor() if plural.i + 1 < len(plural.doc) else plural
    if (after.dep_ == "conj" and after.head == plural.head) or any(c.dep_ in _OF_A_VERB for c in plural.children):
        return True
    noun = plural.head
    if plural.dep_ in OBJECTS and noun.i == plural.i - 2:
        return True
    before = {child.dep_ for child in noun.lefts}
    is_one_thing = (noun.tag_ not in PLURAL_NOUNS or "det" in before) and "compound" not in before
    return is_one_thing and noun.head.tag_ == "VBZ" and noun.head in (subject.head, subject.head.head)


def _is_behind_coordinator(token: Token) -> bool:
    """*and never goes*"""
    before = before_adverbs(texts(token.doc), token.i)
    return before > token.sent.start and (token.doc[before].tag_ == "CC" or token.doc[before].lower_ == "then")


def _cleft(subject: Token) -> bool:
    """*it is he who knows*: the verb agrees with *it*, whatever the parser calls the pronoun. *It is as if he knew* is
    none."""
    before, children = before_adverbs(texts(subject.doc), subject.i), subject.head.children
    is_be = before >= 0 and inflect.verb_lemma(subject.doc[before].text) == "be"
    return is_be and any(child.lower_ == "it" and child.i < before and child.dep_ in ANY_SUBJECT for child in children)


def _of_a_row(clause: Token) -> Iterator[Token]:
    """*he gets up, reads the paper and leaves*: under ClearNLP the last verb may be the head of those before it."""
    last = clause.head
    is_aside = inflect.is_closed_singular(last.text)  # *he left, is my guess*
    if clause.dep_ == "ccomp" and clause.i < last.i and not is_aside and not has_subject(last):
        yield from clause_verbs(last)


def _of_a_far_relative_clause(subject: Token) -> Iterator[Token]:
    """*he laughs last who reads it first*"""
    for clause in subject.head.children if subject.dep_ in SUBJECTS else ():
        who = next((child for child in clause.children if child.dep_ in SUBJECTS and child.lower_ in _WHO), None)
        if who is not None and clause.dep_ in _OF_A_CLAUSE and who.nbor(-1).tag_ not in NOUNS | {","}:
            yield from clause_verbs(clause)


def _find_inverted(subject: Token) -> Iterator[Token]:
    """*so tired was she, "No," said he*: a verb right before a subject that has no other; not *it was he*, nor *the
    winner is she*."""
    before = subject.doc[max(0, subject.i - 2) : subject.i]
    is_said = len(before) > 1 and before[0].is_punct and before[-1].tag_ in FINITE_VERBS
    clause = subject.head if subject.dep_ in PREDICATES else subject
    is_closed = len(before) > 0 and inflect.is_closed_singular(before[-1].text) and before[0].tag_ != "PRP"
    if is_said or (is_closed and (not has_subject(clause) or _is_question(before[-1]))):
        yield before[-1]


def _is_question(verb: Token) -> bool:
    """*where the dickens is she*: a word with *wh-* before the verb, and no other verb between."""
    before = reversed(verb.doc[verb.sent.start : verb.i])
    first = next((word for word in before if word.tag_[0] == "W" or word.tag_ in FINITE_VERBS), None)
    return first is not None and first.tag_[0] == "W"


def _of_who(subject: Token) -> Iterator[Token]:
    """*it is she who decides, let him who knows speak*: the verb behind *who*, wherever the pronoun hangs."""
    who = subject.nbor() if subject.i + 1 < len(subject.doc) else None
    if who is not None and who.lower_ in _WHO and who.head.i > who.i:
        helpers = [child for child in who.head.children if child.dep_ in AUXILIARIES and child.i > who.i]
        yield from (verb for verb in [*helpers, who.head][:1] if verb.tag_ in FINITE_VERBS)


def _is_relative_antecedent(subject: Token) -> bool:
    return subject.i + 1 < len(subject.doc) and subject.nbor().lower_ == "who"


def _behind_the_relative_clause(subject: Token) -> Iterator[Token]:
    """*he who waits wins*: a second verb with *-s*, without a subject, in a place where the parser wants a noun."""
    who = subject.nbor()
    for token in subject.sent:
        is_verb = token.tag_ == "VBZ" or (token.tag_ == "NNS" and inflect.is_singular(token.text))
        is_bare = not any(child.dep_ in OF_A_NOUN - {"amod"} for child in token.lefts)
        if token.i > who.head.i > who.i and is_verb and token.dep_ in OBJECTS and is_bare:
            yield token
            return


def _relative_clauses(pronoun: Token) -> Iterator[Token]:
    clauses = [child for child in pronoun.children if child.dep_ in RELATIVE_CLAUSES]
    yield from (clause for clause in clauses if any(c.dep_ in SUBJECTS and c.lower_ in _WHO for c in clause.children))
