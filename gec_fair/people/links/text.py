"""One text as the ranker sees it: its pronouns, its referents, and for every pronoun those it may refer to."""

from __future__ import annotations

from dataclasses import dataclass

from gec_fair.people.links.entities import Entity, entities, relatives
from gec_fair.people.links.lexical import Lexical
from gec_fair.people.links.mentions import NAME, PRONOUN, Nominal, nominals
from gec_fair.people.links.parse import Parse

MOST_CANDIDATES = 24  # chosen by hand; the trees are trained with it
LEAST_PERSON = 0.1  # of a noun's readings in WordNet; chosen by hand: *monkey* 0.10, not *cat* 0.08
SUBJECTS = frozenset({"subject", "passive"})


@dataclass(frozen=True, slots=True)
class Text:
    """`candidates`: per pronoun the places of its possible referents in `entities`, in order of first mention.
    `subjects`: heads of all subjects, pronouns included."""

    parse: Parse
    pronouns: list[Nominal]
    entities: list[Entity]
    candidates: list[list[int]]
    subjects: list[int]


def read(parse: Parse, lexical: Lexical) -> Text:
    """Linear in words for texts of bounded length; a pronoun has at most MOST_CANDIDATES candidates."""
    mentions = nominals(parse, lexical)
    pronouns = [nominal for nominal in mentions if nominal.kind == PRONOUN]
    if not pronouns:
        return Text(parse, [], [], [], [])
    people = [entity for entity in entities(parse, mentions) if entity.person >= LEAST_PERSON]
    people += relatives(people)
    candidates = [_candidates(people, pronoun) for pronoun in pronouns]
    return Text(parse, pronouns, people, candidates, [m.head for m in mentions if m.role in SUBJECTS])


def _candidates(people: list[Entity], pronoun: Nominal) -> list[int]:
    """Referents of no other gender that the pronoun does not own, the nearest if there are many."""
    fit = [
        place
        for place, entity in enumerate(people)
        if entity.gender in (None, pronoun.gender) and not _owns(pronoun, entity.mentions)
    ]
    if len(fit) > MOST_CANDIDATES:
        near = {place: min(_cost(mention, pronoun) for mention in people[place].mentions) for place in fit}
        fit = sorted(sorted(fit, key=near.__getitem__)[:MOST_CANDIDATES])
    return fit


def _owns(pronoun: Nominal, mentions: list[Nominal]) -> bool:
    """*his mother* is not *he*; but *his brother, Tobin* may be two people whom the parse made one."""
    owned = [mention.possessor == pronoun.head for mention in mentions]
    return any(owned) and (owned[0] or not any(mention.kind == NAME for mention in mentions))


def _cost(mention: Nominal, pronoun: Nominal) -> int:
    """Distance in words; what follows is three times as far as what precedes."""
    return pronoun.head - mention.head if mention.head < pronoun.head else 3 * (mention.head - pronoun.head)
