"""Training mixes: what is in them, seeded order, and what is refused."""

import gzip
import json

import pytest
import zstandard

from gec_fair.augmentation.mix import mix
from gec_fair.augmentation.options import MixRunOptions
from gec_fair.errors import InputError, ResumeError


@pytest.fixture
def inputs(tmp_path):
    (tmp_path / "orig.tsv").write_text("".join(f"o{n}\tO{n}\n" for n in range(40)))
    for kind, size in (("st", 10), ("mf", 30)):
        run = tmp_path / kind
        run.mkdir()
        (run / "pairs.tsv").write_text("".join(f"{kind}{n}\t{kind.upper()}{n}\n" for n in range(size)))
        (run / "manifest.json").write_text(json.dumps({"job": {"st": "st", "mf": "fm"}[kind]}))
    return tmp_path


def make_mix(inputs, out="mix", **options):
    settings = {"per_kind": 8, "seed": 0, **options}
    return mix(inputs / "orig.tsv", inputs / out, of_runs(inputs, **settings))


def of_runs(inputs, **settings):
    return MixRunOptions(st=inputs / "st", mf=inputs / "mf", **settings)


def kinds(inputs, system, out="mix"):
    lines = (inputs / out / system / "train.tsv").read_text().splitlines()
    return {kind: sum(line.startswith(kind) for line in lines) for kind in ("o", "st", "mf")}, lines


def test_the_four_systems_are_the_papers(inputs):
    make_mix(inputs)
    assert [kinds(inputs, f"system{n}")[0] for n in (1, 2, 3, 4)] == [
        {"o": 40, "st": 0, "mf": 0},
        {"o": 40, "st": 8, "mf": 0},
        {"o": 40, "st": 0, "mf": 8},
        {"o": 40, "st": 8, "mf": 8},
    ]


def test_systems_share_their_augmented_pairs(inputs):
    make_mix(inputs)
    st2 = {line for line in kinds(inputs, "system2")[1] if line.startswith("st")}
    st4 = {line for line in kinds(inputs, "system4")[1] if line.startswith("st")}
    assert st2 == st4


def test_lines_are_shuffled_by_the_seed_alone(inputs):
    for out, seed in (("a", 0), ("b", 0), ("c", 1)):
        make_mix(inputs, out, seed=seed)
    a, b, c = (kinds(inputs, "system4", out)[1] for out in "abc")
    assert a == b
    assert a != c
    assert sorted(a) != a


def test_fewer_pairs_than_asked_for_are_all_taken_with_a_warning(inputs):
    done = make_mix(inputs, per_kind=20)
    assert [w[:13] for w in done.warnings] == ["st: 10 pairs,"]
    assert kinds(inputs, "system4")[0] == {"o": 40, "st": 10, "mf": 20}


def test_the_same_mix_is_not_made_twice_and_another_is_refused(inputs):
    make_mix(inputs)
    before = (inputs / "mix/system1/train.tsv").stat().st_mtime_ns
    make_mix(inputs)
    assert (inputs / "mix/system1/train.tsv").stat().st_mtime_ns == before
    with pytest.raises(ResumeError, match="--overwrite"):
        make_mix(inputs, seed=1)


def test_the_manifest_says_what_went_in(inputs):
    make_mix(inputs)
    stored = json.loads((inputs / "mix/manifest.json").read_text())
    assert stored["inputs"]["orig"]["lines"] == 40
    assert stored["systems"]["system3"] == {"orig": 40, "mf": 8}


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda d: (d / "orig.tsv").unlink(), "no such file"),
        (lambda d: (d / "orig.tsv").write_text(""), "empty"),
        (lambda d: (d / "orig.tsv").write_text("a b\nc\n"), r"orig.tsv:1: expected 2 columns, found 1"),
        (lambda d: (d / "st/manifest.json").unlink(), "not the folder of a finished run"),
        (
            lambda d: (d / "st").rename(d / "x") and (d / "mf").rename(d / "st") and (d / "x").rename(d / "mf"),
            "exchanged",
        ),
    ],
)
def test_what_is_no_input(inputs, spoil, complaint):
    spoil(inputs)
    with pytest.raises(InputError, match=complaint):
        make_mix(inputs)


def test_byte_order_mark_and_carriage_returns_stay_out(inputs):
    (inputs / "orig.tsv").write_bytes(b"\xef\xbb\xbfa\tb\r\nc\td\r\n")
    make_mix(inputs)
    assert sorted(kinds(inputs, "system1")[1]) == ["a\tb", "c\td"]


def test_a_last_line_without_a_line_end_counts(inputs):
    (inputs / "orig.tsv").write_text("a\tb\nc\td")
    make_mix(inputs)
    assert sorted(kinds(inputs, "system1")[1]) == ["a\tb", "c\td"]


def test_malformed_lines_are_left_out_with_a_warning_or_refused(inputs):
    (inputs / "orig.tsv").write_text("a\tb\nc\nd\te\n\nf\tg\th\n")
    done = make_mix(inputs)
    assert sorted(kinds(inputs, "system1")[1]) == ["a\tb", "d\te"]
    assert "orig: 3 malformed lines are left out, the first is" in done.warnings[0]
    assert "orig.tsv:2: expected 2 columns, found 1" in done.warnings[0]
    with pytest.raises(InputError, match=r"orig\.tsv:2"):
        mix(inputs / "orig.tsv", inputs / "other", of_runs(inputs, strict=True))


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compressed_originals_give_the_same_mix(inputs, suffix):
    make_mix(inputs)
    plain = (inputs / "mix/system4/train.tsv").read_bytes()
    content = (inputs / "orig.tsv").read_bytes()
    packed = gzip.compress(content) if suffix == ".gz" else zstandard.ZstdCompressor().compress(content)
    (inputs / f"orig.tsv{suffix}").write_bytes(packed)
    mix(inputs / f"orig.tsv{suffix}", inputs / "other", of_runs(inputs, per_kind=8))
    assert (inputs / "other/system4/train.tsv").read_bytes() == plain
    (inputs / f"orig.tsv{suffix}").write_bytes(packed[:-8])
    with pytest.raises(InputError, match="breaks off"):
        mix(inputs / f"orig.tsv{suffix}", inputs / "third", of_runs(inputs, per_kind=8))


KINDS = ["pronoun"] * 15 + ["noun"] * 10 + ["name"] * 5


def note_sure(run, kinds, sure):
    entry = {"file": "c.tsv", "outcome": "augmented", "reason": None, "edits": []}
    rows = [{**entry, "line": 2 * n + 1, "sure": sure(n), "kind": kind} for n, kind in enumerate(kinds)]
    rows[1:1] = [{"file": "c.tsv", "line": 2, "outcome": "left", "reason": "gate", "detail": "He"}]
    (run / "ledger.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def sure_inputs(inputs):
    """The later a pair, the less sure it is, and names are the least sure of all."""
    note_sure(inputs / "st", ["pronoun"] * 10, lambda n: 1 - n / 10)
    note_sure(inputs / "mf", KINDS, lambda n: 1 - n / 30)
    return inputs


SHARES = [
    (6, [0, 1, 2, 15, 16, 25], "each kind has its share"),
    (12, [*range(6), *range(15, 19), 25, 26], "of twice as many, twice the share"),
    (3, [0, 15, 25], "the surest of each kind comes first"),
    (30, [*range(30)], "all that there are"),
]


@pytest.mark.parametrize(("number", "expected", "why"), SHARES, ids=[row[2] for row in SHARES])
def test_the_surest_pairs_of_each_kind_are_taken(sure_inputs, number, expected, why):
    make_mix(sure_inputs, per_kind=number, surest=True)
    lines = [line for line in kinds(sure_inputs, "system3")[1] if line.startswith("mf")]
    assert sorted(int(line.split("\t")[0][2:]) for line in lines) == expected


def test_the_seed_chooses_among_pairs_that_are_as_sure(sure_inputs):
    note_sure(sure_inputs / "mf", KINDS, lambda n: 0.9)
    for out, seed in (("a", 0), ("b", 0), ("c", 1)):
        make_mix(sure_inputs, out, seed=seed, surest=True)
    a, b, c = (sorted(kinds(sure_inputs, "system3", out)[1]) for out in "abc")
    assert a == b != c


def test_the_ledgers_decide_the_surest_mix_and_no_other(sure_inputs):
    make_mix(sure_inputs, "plain")
    make_mix(sure_inputs, "surest", surest=True)
    note_sure(sure_inputs / "mf", KINDS, lambda n: n / 30)
    make_mix(sure_inputs, "plain")
    with pytest.raises(ResumeError, match="mf ledger"):
        make_mix(sure_inputs, "surest", surest=True)
    with pytest.raises(ResumeError, match="surest"):
        make_mix(sure_inputs, "plain", surest=True)


UNSURE = [
    (lambda path: path.unlink(), "ledger.jsonl: cannot be read", "no ledger"),
    (lambda path: path.write_text(path.read_text().replace('"sure"', '"x"')), "augment again with --overwrite", "old"),
    (lambda path: path.write_text(path.read_text().replace('"kind"', '"x"')), "augment again with --overwrite", "kind"),
    (lambda path: path.write_text(path.read_text().replace(": 0.", ": 7.")), ":3: is not an entry of a ledger", "7"),
    (lambda path: note_sure(path.parent, KINDS[:-1], lambda n: 0.5), "has 29 pairs, but pairs.tsv has 30", "cut"),
]


@pytest.mark.parametrize(("spoil", "complaint", "why"), UNSURE, ids=[row[2] for row in UNSURE])
def test_a_run_that_does_not_say_how_sure_it_is_has_no_surest_pairs(sure_inputs, spoil, complaint, why):
    spoil(sure_inputs / "mf/ledger.jsonl")
    with pytest.raises(InputError, match=complaint):
        make_mix(sure_inputs, surest=True)
    make_mix(sure_inputs)
