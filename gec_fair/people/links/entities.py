"""Nominals that words and syntax alone show to be one referent: *Ada Lovelace … Lovelace … the countess*.

Names meet names that they are part of; *my friend Bob*, *Bob, my friend*, *Bob is my friend* and *a friend called Bob*
are one referent; definite phrases meet the last phrase with the same noun. Pronouns are the ranker's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from gec_fair.english.labels import PAST_FORMS, SINGULAR_NOUNS
from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.people.links import lexical as words
from gec_fair.people.links.mentions import INDEFINITE, NAME, NOUN, PRONOUN, Nominal
from gec_fair.people.links.parse import Parse

_NEGATIONS = frozenset(["not", "n't", "never"])
APPOSED = frozenset({"appos", "flat", "compound"})


@dataclass(slots=True)
class Entity:
    """One referent: its nominals in text order, the gender that they settle and the one that they make likely (None:
    unknown), how likely it is a person, and its longest name."""

    mentions: list[Nominal]
    gender: Gender | None = None
    likely: Gender | None = None
    person: float = 0.0
    full: tuple[str, ...] = ()
    relative: bool = False  # see `relatives`

    @property
    def named(self) -> bool:
        """Whether the entity has a name."""
        return bool(self.full)


def entities(parse: Parse, nominals: list[Nominal]) -> list[Entity]:
    """The referents of a text in order of first mention; each nominal but the pronouns is in exactly one."""
    owner: dict[int, Entity] = {}
    entities: list[Entity] = []
    for nominal in nominals:
        if nominal.kind == PRONOUN:
            continue
        entity = _by_syntax(parse, nominal, owner)
        if entity is None and nominal.kind == NAME:
            entity = _by_name(nominal, entities)
        elif entity is None and nominal.kind == NOUN and (nominal.definite or nominal.possessor >= 0):
            entity = _by_noun(parse, nominal, entities)
        if entity is None:
            entity = Entity([])
            entities.append(entity)
        _add(entity, nominal)
        for token in range(nominal.start, nominal.end) if nominal.kind == NAME else (nominal.head,):
            owner[token] = entity
    return entities


def relatives(entities: list[Entity]) -> list[Entity]:
    """*John Hendrix … Hendrix … she*: a surname alone may be another's of the family. So where only the first name
    settles a gender, its bare surnames are a possible referent of the other one besides."""
    others = []
    for entity in entities:
        bare = [m for m in entity.mentions if m.kind == NAME and not m.gender and m.name == entity.full[-1:]]
        if bare and entity.gender and len(entity.full) > 1:
            others.append(Entity(bare, entity.gender.opposite, None, entity.person, bare[0].name, relative=True))
    return others


def _add(entity: Entity, nominal: Nominal) -> None:
    entity.mentions.append(nominal)
    entity.gender = entity.gender or nominal.gender
    if entity.likely is None or len(nominal.name) > len(entity.full):  # a full name knows better than a surname
        entity.likely = nominal.likely or entity.likely
    # What is known to be a person once is one; what looks like a place in one mention may be a person's name.
    entity.person = max(entity.person, nominal.person)
    if nominal.kind == NAME and len(nominal.name) > len(entity.full):
        entity.full = nominal.name


def _agrees(entity: Entity, nominal: Nominal) -> bool:
    """No clash of what words settle, or of what full names make likely (*Mary McDonagh* is no *Mr. McDonagh*)."""
    old = entity.gender or (entity.likely if len(entity.full) > 1 else None)
    new = nominal.gender or (nominal.likely if len(nominal.name) > 1 else None)
    return old is None or new is None or old == new


def _by_syntax(parse: Parse, nominal: Nominal, owner: dict[int, Entity]) -> Entity | None:
    """The entity of a nominal that this one is in apposition to, is predicated of, or names."""
    for linked in _link(parse, nominal):
        entity = owner.get(linked)
        if entity is not None and _agrees(entity, nominal) and entity.mentions[-1].plural == nominal.plural:
            kinds = {entity.mentions[-1].kind, nominal.kind}
            if INDEFINITE not in kinds and (NOUN in kinds or parse.dep[nominal.head].startswith("flat")):
                return entity
    return None


def _link(parse: Parse, nominal: Nominal) -> list[int]:
    """Words of nominals that this one is equated with: by apposition, copula, *named*, or standing right before."""
    head = nominal.head
    linked = _before(parse, nominal) + _find_apposed(parse, head)
    below = {parse.dep[child] for child in parse.children[head]}
    if "cop" in below and "case" not in below:
        linked += _subjects(parse, head)
    label, above = parse.dep[head], parse.head[head]
    if label in ("xcomp", "obj") and parse.lemma[above] in words.NAMING:
        if parse.dep[above].startswith("acl"):  # *a girl [called Kate]*
            linked.append(parse.head[above])
        linked += [
            child for child in parse.children[above] if parse.dep[child] in ("nsubj:pass", "obj") and child != head
        ]
    return linked


def _before(parse: Parse, nominal: Nominal) -> list[int]:
    """*my friend Bob*, *a girl called Kate*: the words show it even where the parse does not."""
    at = nominal.start - 1
    if nominal.kind != NAME or at < 1 or parse.sent[at] != parse.sent[nominal.head]:
        return []
    if parse.lemma[at] in words.NAMING and parse.tag[at] in PAST_FORMS:
        return [at - 1]
    if parse.tag[at] == "NN" and not any(
        parse.dep[clause] == "acl:relcl" and parse.head[clause] == at for clause in parse.above(nominal.head)[1:]
    ):
        return [at]  # but not *the man Ann met*
    return []


def _find_apposed(parse: Parse, head: int) -> list[int]:
    label, above = parse.dep[head], parse.head[head]
    heads = [above] if above != head else []
    siblings = [child for child in parse.children[above] if parse.dep[child] == "conj"]
    pair = (  # the parser likes to call *Mel, his girlfriend* a list; but one of two without *and* is none
        label == "conj" and siblings == [head] and not any(parse.dep[child] == "cc" for child in parse.children[head])
    )
    if not pair and (label not in APPOSED or any(parse.dep[child] == "conj" for child in parse.children[head])):
        heads = []
    return heads + [
        child
        for child in parse.children[head]
        if child < head and parse.dep[child] in APPOSED and parse.tag[child] in SINGULAR_NOUNS
    ]


def _subjects(parse: Parse, head: int) -> list[int]:
    """Subjects of a nominal predicate; of *whose name is Jose*, the word before *whose*."""
    if any(parse.lower[child] in _NEGATIONS for child in parse.children[head]):
        return []
    subjects = [child for child in parse.children[head] if parse.dep[child].startswith("nsubj")]
    whose = [
        child - 1
        for subject in subjects
        if parse.lemma[subject] == "name"
        for child in parse.children[subject]
        if parse.lower[child] == "whose" and child > 0
    ]
    return subjects + whose


def _by_name(nominal: Nominal, entities: list[Entity]) -> Entity | None:
    """The last entity of this name, or else the last whose name contains this one or is contained in it."""
    new = nominal.name
    fitting = [
        entity
        for entity in entities
        if entity.full and (new == entity.full or _inside(new, entity.full) or _inside(entity.full, new))
        if _agrees(entity, nominal)
    ]
    return max(fitting, key=lambda entity: (entity.full == new, entity.mentions[-1].head), default=None)


def _inside(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """*Smith*, *Ada* in *Ada Smith*: as its first or last words; particles may be dropped."""
    return len(short) < len(long) and (
        long[-len(short) :] == short or long[: len(short)] == short or (len(short) == 1 and short[0] in long)
    )


def _by_noun(parse: Parse, nominal: Nominal, entities: list[Entity]) -> Entity | None:
    """The last entity with this noun: *a queen … the queen*, *my mom … my mom*."""

    def owner(noun: Nominal) -> str:
        return parse.lower[noun.possessor] if noun.possessor >= 0 else ""

    lemma, whose = parse.lemma[nominal.head], owner(nominal)
    last = {
        mention.head: entity
        for entity in entities
        for mention in entity.mentions
        if mention.kind == NOUN and parse.lemma[mention.head] == lemma
        if owner(mention) == whose or (nominal.definite and not whose)
    }
    return last[max(last)] if last else None
