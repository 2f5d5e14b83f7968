"""How well the reader of persons tells first names from surnames, places, works and groups, by kind of text.

    GEC_FAIR_DATA=../shared/data python benchmarks/persons.py -o benchmarks/results/persons.json

Over the documents that `training/persons/train.py` keeps for this: a fifth of GUM, LitBank, GAP and EWT, cut into
pieces of one to eight sentences. A row counts the capitalised words that are in the table of first names. *Rules* are
the table and the tags alone; *reader* is what `augment fm` does.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

from report import record

from gec_fair.english import pipeline
from gec_fair.english.first_names import first_names, is_first_name
from gec_fair.english.lexicons import lexicon
from gec_fair.english.persons import Kind
from gec_fair.english.thing_names import thing_names

sys.path.insert(0, str(Path(__file__).parents[1] / "training" / "persons"))

from data import Text, data_folder, fold, read_texts
from train import pieces


def measure(texts: list[Text]) -> list[dict[str, object]]:
    nlp, known, rng = pipeline.load(), lexicon.load(), Random(7)
    rows = []
    for source in dict.fromkeys(text.source for text in texts):
        parts = [piece for text in texts if text.source == source for piece in pieces(text, rng)]
        docs = pipeline.tag(nlp, [t.words for t in parts], [t.spaces for t in parts])
        counts = {"rules": [0, 0, 0], "reader": [0, 0, 0]}  # right, chosen, first names
        number = 0
        for text, doc in zip(parts, docs, strict=True):
            by_reader = {token.i for token in first_names(doc, known, skip=thing_names(doc, known))}
            for at, kind in text.kinds.items():
                word = text.words[at]
                if at in text.unsure or not word[:1].isupper() or not known.names.is_name(word, proper=True):
                    continue
                number += 1
                answers = {"rules": is_first_name(doc[at], text.words, known), "reader": at in by_reader}
                for name, answer in answers.items():
                    counts[name][0] += answer and kind is Kind.FIRST_NAME
                    counts[name][1] += answer
                    counts[name][2] += kind is Kind.FIRST_NAME
        row: dict[str, object] = {"texts": source, "words": number, "first names": counts["rules"][2]}
        for name, (right, chosen, wanted) in counts.items():
            row[f"{name} precision"] = round(100 * right / max(chosen, 1), 1)
            row[f"{name} recall"] = round(100 * right / max(wanted, 1), 1)
        rows.append(row)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    rows = measure([text for text in read_texts(data_folder(), pipeline.load()) if fold(text.name) == 0])
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    if arguments.output:
        record(arguments.output, "persons", {"rows": rows})


if __name__ == "__main__":
    main()
