"""Nominals that words and syntax alone show to be one referent: *Ada Lovelace … Lovelace … the countess*.

Names meet names that they are part of; *my friend Bob*, *Bob, my friend*, *Bob is my friend* and *a friend called Bob*
are one referent; definite phrases meet the last phrase with the same noun. Pronouns are the ranker's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from gec_fair.english.coref import lexical as words
from gec_fair.english.coref.mentions import INDEFINITE, NAME, NOUN, PRONOUN, Nominal
from gec_fair.english.coref.parse import Parse


@dataclass(slots=True)
class Entity:
    """One referent: its nominals in text order, the gender that they show (None: unknown), the words of its names."""

    mentions: list[Nominal]
    gender: str | None
    person: float
    names: set[str]
    full: tuple[str, ...]  # the longest name

    @property
    def named(self) -> bool:
        return bool(self.full)


def entities(parse: Parse, nominals: list[Nominal]) -> list[Entity]:
    """The referents of a text in order of first mention; each nominal but the pronouns is in exactly one."""
    owner: dict[int, Entity] = {}
    found: list[Entity] = []
    for nominal in nominals:
        if nominal.kind == PRONOUN:
            continue
        entity = _by_syntax(parse, nominal, owner) or _by_words(parse, nominal, found)
        if entity is None:
            entity = Entity([], None, 0.0, set(), ())
            found.append(entity)
        _add(entity, nominal)
        owner[nominal.head] = entity
    return found


def _add(entity: Entity, nominal: Nominal) -> None:
    entity.mentions.append(nominal)
    entity.gender = entity.gender or nominal.gender
    # What is known to be a person once is one; what looks like a place in one mention may be a person's name.
    entity.person = max(entity.person, nominal.person)
    if nominal.kind == NAME:
        entity.names.update(nominal.name)
        if len(nominal.name) > len(entity.full):
            entity.full = nominal.name


def _agrees(entity: Entity, nominal: Nominal) -> bool:
    return entity.gender is None or nominal.gender is None or entity.gender == nominal.gender


def _by_syntax(parse: Parse, nominal: Nominal, owner: dict[int, Entity]) -> Entity | None:
    """The entity of a nominal that this one is in apposition to, is predicated of, or names."""
    for other in _linked(parse, nominal.head):
        entity = owner.get(other)
        if entity is not None and _agrees(entity, nominal) and entity.mentions[-1].plural == nominal.plural:
            kinds = {entity.mentions[-1].kind, nominal.kind}
            if INDEFINITE not in kinds and (NOUN in kinds or parse.dep[nominal.head].startswith("flat")):
                return entity
    return None


def _linked(parse: Parse, head: int) -> list[int]:
    """Heads that syntax equates with this one: apposition, copula, *named*, *whose name is*."""
    label, above = parse.dep[head], parse.head[head]
    linked = []
    listed = any(parse.dep[child] == "conj" for child in parse.children[head])
    if label in ("appos", "flat", "compound") and above != head and not listed:
        linked.append(above)
    linked += [
        child for child in parse.children[head]
        if child < head and parse.dep[child] in ("appos", "compound", "flat") and parse.tag[child] in ("NN", "NNP")
    ]  # fmt: skip
    if any(parse.dep[child] == "cop" and parse.lower[child] != "become" for child in parse.children[head]):
        negated = any(parse.lower[child] in ("not", "n't", "never") for child in parse.children[head])
        for child in parse.children[head]:
            if parse.dep[child].startswith("nsubj") and not negated:
                linked.append(child)
                if parse.lemma[child] == "name":  # *a brother whose name is Jose*
                    clause = parse.clause[child]
                    if parse.dep[clause] == "acl:relcl":
                        linked.append(parse.head[clause])
    if label in ("xcomp", "obj", "oprd") and parse.lemma[above] in words.NAMING:
        if parse.dep[above].startswith("acl"):
            linked.append(parse.head[above])
        linked += [child for child in parse.children[above] if parse.dep[child] in ("nsubj:pass", "obj") and child != head]
    return linked


def _by_words(parse: Parse, nominal: Nominal, found: list[Entity]) -> Entity | None:
    if nominal.kind == NAME:
        return _by_name(nominal, found)
    if nominal.kind == NOUN and (nominal.definite or nominal.possessor >= 0):
        return _by_noun(parse, nominal, found)
    return None


def _by_name(nominal: Nominal, found: list[Entity]) -> Entity | None:
    """The last entity whose name contains this one or is contained in it."""
    best, best_at = None, -1
    new = nominal.name
    for entity in found:
        if not entity.full or not _agrees(entity, nominal):
            continue
        old = entity.full
        same = new == old or _inside(new, old) or _inside(old, new) or _abbreviates(new, old) or _abbreviates(old, new)
        if same:
            at = entity.mentions[-1].head + (10_000_000 if new == old else 0)
            if at > best_at:
                best, best_at = entity, at
    return best


def _inside(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """*Smith*, *Ada* in *Ada Smith*: as its first or last words; particles may be dropped."""
    return len(short) < len(long) and (
        long[-len(short) :] == short or long[: len(short)] == short or (len(short) == 1 and short[0] in long)
    )


def _abbreviates(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """*J. Smith*, *Ada B. Smith* for *Ada Smith*: same last word, and first words that do not clash."""
    if len(short) < 2 or len(long) < 2 or short[-1] != long[-1]:
        return False
    one, two = short[0].rstrip("."), long[0].rstrip(".")
    return one == two or (len(one) == 1 and two.startswith(one))


def _by_noun(parse: Parse, nominal: Nominal, found: list[Entity]) -> Entity | None:
    """The last entity with this noun: *a queen … the queen*, *my mom … my mom*."""
    lemma = parse.lemma[nominal.head]
    whose = parse.lower[nominal.possessor] if nominal.possessor >= 0 else ""
    best, best_at = None, -1
    for entity in found:
        for mention in entity.mentions:
            if parse.lemma[mention.head] != lemma or mention.kind != NOUN or mention.head <= best_at:
                continue
            owner = parse.lower[mention.possessor] if mention.possessor >= 0 else ""
            if owner == whose or (nominal.definite and not whose):
                best, best_at = entity, mention.head
    return best
