"""The resolver's version says when its clusters change."""

from __future__ import annotations

import hashlib
from pathlib import Path

from gec_fair.english import pipeline
from gec_fair.people import links
from gec_fair.people.links import registry

SAMPLES = Path(__file__).parents[3] / "samples"
REVISION, CLUSTERS = 2, "7a940c1daeabf692"


def test_the_revision_is_raised_when_clusters_change():
    lines = (SAMPLES / "learner-pairs.tsv").read_text(encoding="utf-8").splitlines()
    texts = [line.split("\t")[1].split() for line in lines]
    docs = list(pipeline.parse(pipeline.load_shared(), texts))
    clusters = [
        [[(m.start, m.end) for m in cluster] for cluster in resolved] for resolved in links.load().clusters(docs)
    ]
    digest = hashlib.sha256(repr(clusters).encode()).hexdigest()[:16]
    assert (registry.REVISION, digest) == (REVISION, CLUSTERS), (
        "clusters changed: raise REVISION, and both figures here"
    )
