"""Tables of scores that tests make."""

import csv

import numpy as np

COLUMNS = ("set_id", "category", "subgroup", "harm", "label", "score")
RELIGIONS = ("Christianity", "Islam", "Judaism")


def rows(sets=40, *, harm="hate", swing=0.1, seed=0, subgroups=RELIGIONS, category="Religion"):
    """Sets in which each further subgroup is scored higher, by up to `swing`."""
    chance = np.random.default_rng(seed)
    for n in range(sets):
        label = int(chance.random() < 0.4)
        base = 0.4 * chance.random() + 0.15 * label
        for m, subgroup in enumerate(subgroups):
            yield (f"s{n}", category, subgroup, harm, label, round(base + swing * m / 2 * chance.random(), 6))


def write(path, lines, columns=COLUMNS):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *lines])
    return path
