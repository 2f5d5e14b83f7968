"""How fast `gec-fair corpus report` reads, by part, one core: megabytes of text a second, and TextDescriptives' own
readability over the same chunks. The text's lines are wrapped.

python benchmarks/corpus_report.py ../shared/data/babylm/gutenberg100.txt.xz -o benchmarks/results/corpus-report.json
"""

from __future__ import annotations

import argparse
import json
import lzma
import resource
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from report import record

from gec_fair.corpus_report.chunks import chunks
from gec_fair.corpus_report.measure import AnalysisOptions, analyse

BYTES = 30_000_000
SHORT = 100_000  # what is read first, so that the libraries' own start is counted by itself
CHUNKS = 20  # of the comparison


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path, help="xz")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        with lzma.open(arguments.text) as file:
            path.write_bytes(file.read(BYTES).rpartition(b"\n")[0] + b"\n")
        size = path.stat().st_size / 1e6
        short = Path(folder) / "short.txt"
        short.write_bytes(path.read_bytes()[:SHORT].rpartition(b"\n")[0] + b"\n")
        start_time = process_time()
        analyse("short", [short], AnalysisOptions(wrapped=True))
        start = round(process_time() - start_time, 2)
        rows: list[dict[str, Any]] = []
        ways = {
            "default": AnalysisOptions(wrapped=True),
            "nobody judges": AnalysisOptions(wrapped=True, sentences=1, topical=1),
            "all sentences are judged": AnalysisOptions(wrapped=True, sentences=0),
        }
        for name, options in ways.items():
            start_time = process_time()
            analysis = analyse("text", [path], options)
            seconds = process_time() - start_time
            rows.append(
                {
                    "what": name,
                    "seconds": round(seconds, 2),
                    "megabytes_per_second": round(size / seconds, 3),
                    "sentences": analysis.sentences,
                    "words": analysis.words,
                }
            )
        figures = {
            "megabytes": round(size, 2),
            "start_seconds": start,
            "rows": rows,
            "peer": peer(path),
            "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
    print(json.dumps(figures, indent=1))
    record(arguments.output, "corpus-report", figures, ("spacy", "pyphen", "textdescriptives", "scikit-learn"))


def peer(path: Path) -> dict[str, float]:
    """TextDescriptives' counts and readability alone against ours, on the same chunks."""
    import spacy
    import textdescriptives  # noqa: F401

    from gec_fair.corpus_report import coherence
    from gec_fair.corpus_report.profile import Profiler
    from gec_fair.english.lexicons import topics
    from gec_fair.english.lexicons.emotions import load_emotions

    blocks = [chunk.sentences for _, chunk in zip(range(CHUNKS), chunks([path], wrapped=True), strict=False)]
    nlp = spacy.blank("en")
    for part in ("sentencizer", "textdescriptives/descriptive_stats", "textdescriptives/readability"):
        nlp.add_pipe(part)
    start = process_time()
    for sentences in blocks:
        nlp(" ".join(sentences))
    theirs = process_time() - start
    profiler = Profiler(topics.read_shipped(), load_emotions(), coherence.overlap)
    start = process_time()
    for sentences in blocks:
        profiler(sentences)
    ours = process_time() - start
    return {"chunks": len(blocks), "theirs": round(theirs, 3), "ours": round(ours, 3), "ratio": round(theirs / ours, 2)}


if __name__ == "__main__":
    main()
