"""How much a language model prefers stereotypes, and how well it knows English: suites of sentences, scored.

    suite         asks                                              figure                          fair is
    ───────────   ───────────────────────────────────────────────   ─────────────────────────────   ───────
    crows         which of two sentences is likelier                % stereotyping preferred        50
    stereoset     which word fills a gap                            SS, LMS, ICAT                   50, 100, 100
    seat          whether groups lie nearer to some attributes      % significant, mean abs(d)      0, 0
    holisticbias  whether descriptors of an axis are as likely      % of pairs that differ          0
    winobias      whom a pronoun means                              accuracy pro, anti              equal
    bbq           which answer to a question is likeliest           bias scores, accuracy           0, 100
    entity_…      what is in a box after things moved               accuracy                        (no bias)
    blimp         which of two sentences is grammatical             accuracy                        (no bias)

A masked model is asked for hidden sub-words, a causal one for the next (`models.load`); a suite is a function from a
model and its items to `Figure`s (`suites`).
"""

from gec_fair.lmbias.api import score
from gec_fair.lmbias.surprisals import surprisal

__all__ = ["score", "surprisal"]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
