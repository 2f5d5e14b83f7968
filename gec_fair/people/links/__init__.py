"""Which mentions of a text are one person: coreference behind one small interface.

    >>> resolver = load()                       # ours; or load("fastcoref"), load("maverick"), load("neuralcoref")
    >>> resolver.clusters([nlp("When my aunt calls , I like to hear her .")])
    [[(Mention(start=1, end=3, head=2), Mention(start=9, end=10, head=9))]]

Importing this imports no backend; `load` does.
"""

from gec_fair.people.links.registry import load, version
from gec_fair.people.links.resolver import Cluster, Coref, Mention

__all__ = ["Cluster", "Coref", "Mention", "load", "version"]
