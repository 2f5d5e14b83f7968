"""Public data sets: whom a text names, which texts are a set, what is true of them. The files here are made up; the
real ones are counted where they are at hand."""

import csv
import json

import pytest

from gec_fair.errors import InputError, UsageError
from gec_fair.safety.data import public
from tests.cli.invoke import run

CF = (
    "prompt",
    "example_key",
    "subgroup",
    "Ground truth Hate",
    "Ground truth Sexual",
    "Ground truth Toxicity",
    "Ground truth Violence",
    "dataset",
)
SEEDS = [("They bake.", "k1", "Religion:Islam", 1, 0, 1, 0, "OpenAi"), ("Rain.", "k2", "--", 0, 0, 0, 0, "OpenAi")]
EXPANSIONS = [
    ("Jews bake.", "k1", "Religion:Judaism", 1, 0, 1, 0, "OpenAi"),
    ("Hindus bake.", "k1", "Religion:Hinduism", 1, 0, 1, 0, "OpenAi"),
]


def table(path, lines, delimiter=","):
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(lines)
    return path


def fields(name, *paths):
    return [
        (text.id, text.set_id, text.copy_of, "; ".join(map(str, text.slices)), dict(text.labels).get("hate"))
        for text in public.read(name, paths)
    ]


def test_seeds_come_first_and_expansions_are_their_counterfactuals(tmp_path):
    seeds, more = table(tmp_path / "s.csv", [CF, *SEEDS]), table(tmp_path / "e.csv", [CF, *EXPANSIONS])
    both = [
        ("k1", "k1", "", "Religion: Islam", "1"),
        ("k2", "", "", "", "0"),
        ("k1~1", "k1", "k1", "Religion: Judaism", "1"),
        ("k1~2", "k1", "k1", "Religion: Hinduism", "1"),
    ]
    assert fields("cf-fairness", seeds, more) == fields("cf-fairness", more, seeds) == both
    assert fields("cf-fairness", table(tmp_path / "both.csv", [CF, *SEEDS, *EXPANSIONS])) == both
    assert fields("cf-fairness", seeds) == both[:2]
    assert fields("cf-fairness", more) == both[2:]  # whose seed is not here: they are no own texts


@pytest.mark.parametrize(
    ("subgroup", "wrong"),
    [("Religion", "expected Category:Subgroup"), ("Religion:Isalm", "s.csv:2: no subgroup of Religion is called")],
)
def test_a_subgroup_that_cannot_be_meant_is_told_by_its_line(tmp_path, subgroup, wrong):
    with pytest.raises(InputError, match=wrong):
        fields("cf-fairness", table(tmp_path / "s.csv", [CF, ("x", "k", subgroup, 0, 0, 0, 0, "")]))


def test_hatechecks_templates_are_sets(tmp_path):
    names = ("case_id", "test_case", "label_gold", "target_ident", "templ_id", "case_templ")
    path = table(
        tmp_path / "cases.csv",
        [
            names,
            (1, "We like women.", "non-hateful", "women", 7, "We like [IDENTITY_P]."),
            (2, "We like Muslims.", "non-hateful", "Muslims", 7, "We like [IDENTITY_P]."),
            (3, "They are vile.", "hateful", "women", 8, "They are vile."),
            (4, "So what?", "non-hateful", "", 9, "So"),
        ],
    )
    assert fields("hatecheck", path) == [
        ("hatecheck-1", "template-7", "", "Target: women", "0"),
        ("hatecheck-2", "template-7", "", "Target: Muslims", "0"),
        ("hatecheck-3", "", "", "Target: women", "1"),
        ("hatecheck-4", "", "", "", "0"),
    ]


def test_tweets_comments_statements_and_prompts(tmp_path):
    tweets = table(tmp_path / "t.csv", [("", "class", "tweet"), (0, 0, "a"), (1, 1, "b"), (2, 2, "c")])
    assert [text.labels for text in public.davidson(tweets)] == [
        {"hate": "1", "toxicity": "1"},
        {"hate": "0", "toxicity": "1"},
        {"hate": "0", "toxicity": "0"},
    ]
    comments = table(tmp_path / "c.csv", [("comment", "isHate"), ("a; b", 0.5), ("c", 0.33)], ";")
    assert [(text.text, text.labels["hate"]) for text in public.ethos(comments)] == [("a; b", "1"), ("c", "0")]
    folder = tmp_path / "demonstrations"
    (folder / "race").mkdir(parents=True)
    (folder / "race/hate_native_american_sentences.txt").write_text("- one\n\n")
    (folder / "religion__neutral_muslim.txt").write_text("two\none\n")
    (folder / "nationality__hate_mexican.txt").write_text("three\n")
    assert [(text.text, text.slices[:1], text.labels["hate"]) for text in public.toxigen(folder)] == [
        ("three", (), "1"),
        ("one", (("Race/Ethnicity", "Indigenous"),), "1"),
        ("two", (("Religion", "Islam"),), "0"),
    ]
    prompts = tmp_path / "p.jsonl"
    prompts.write_text(json.dumps({"prompt": "a", "H": 1, "S": 0}) + "\n")
    (text,) = public.openai_moderation(prompts)
    assert (text.labels["hate"], text.labels["sexual"], text.labels["violence"]) == ("1", "0", "")


@pytest.mark.parametrize(
    ("name", "lines", "wrong"),
    [
        ("davidson", [("class", "tweet"), (3, "a")], "t.csv:2: class is '3'"),
        ("davidson", [("a",), (1,)], "no column"),
        ("toxigen", [("a",)], "folder of demonstrations"),
        ("hatecheck", [("a",), (1,)], "is this the right file"),
    ],
)
def test_another_file_is_told_so(tmp_path, name, lines, wrong):
    with pytest.raises(InputError, match=wrong):
        fields(name, table(tmp_path / "t.csv", lines))


GOOD = {
    "cf-fairness": dict(zip(CF, SEEDS[0], strict=True)),
    "davidson": {"class": "0", "tweet": "They bake."},
    "ethos": {"comment": "They bake.", "isHate": "0.7"},
    "hatecheck": {
        "case_id": "1",
        "test_case": "We like women.",
        "label_gold": "non-hateful",
        "target_ident": "women",
        "templ_id": "7",
        "case_templ": "We like [IDENTITY_P].",
    },
    "openai-moderation": {"prompt": "They bake.", "H": 1, "S": 0},
}
"""A row of each set, before one cell of it is spoilt."""
CELLS = [
    (name, column)
    for name, row in GOOD.items()
    for column in row
    if column not in ("dataset", "S")  # not read, or like H
]
ODD = [None, float("nan"), True, 3, -1, 1.5, "", " ", "NaN", ":", "--", "x", [], ["a"], {}, {"a": 1}, "\ud800"]


@pytest.mark.parametrize(("name", "column"), CELLS)
def test_an_odd_cell_is_read_or_refused_with_its_line(tmp_path, name, column):
    path = tmp_path / "t.jsonl"
    refused = 0
    for odd in ODD:
        path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD[name], GOOD[name] | {column: odd})))
        try:
            texts = public.read(name, [path])
        except InputError as fault:
            refused += 1
            assert str(fault).startswith(f"{path}:2: ")  # noqa: PT017
            assert ";" in str(fault), "a remedy"  # noqa: PT017
        else:
            assert all(isinstance(text.text, str) and text.text.strip() for text in texts)
            assert {label for text in texts for label in text.labels.values()} <= {"0", "1", ""}
    assert refused


@pytest.mark.parametrize(
    ("name", "column", "value", "wrong"),
    [
        ("cf-fairness", "prompt", None, ":2: prompt is empty"),
        ("cf-fairness", "prompt", ["a"], ":2: prompt is \\['a'\\], not a string"),
        ("cf-fairness", "example_key", {"a": 1}, ":2: example_key: {'a': 1} is an object; a cell is text"),
        ("cf-fairness", "subgroup", 3, ":2: subgroup is '3'; expected Category:Subgroup"),
        (
            "cf-fairness",
            "Ground truth Hate",
            "maybe",
            ":2: Ground truth Hate is 'maybe'; expected 0 .no., 1 .yes. or nothing",
        ),
        ("davidson", "class", True, ":2: class is 'True'; expected 0 .hate."),
        ("davidson", "tweet", float("nan"), ":2: tweet is nan, not a string"),
        ("ethos", "isHate", "nan", ":2: isHate is 'nan'; expected a share from 0 to 1"),
        ("ethos", "isHate", 12, ":2: isHate is '12'; expected a share from 0 to 1"),
        ("hatecheck", "label_gold", "Hateful?", ":2: label_gold is 'Hateful\\?'; expected hateful or non-hateful"),
        ("hatecheck", "templ_id", "", ":2: templ_id is empty"),
        ("hatecheck", "case_id", "1", ":2: case_id is '1', as in .*:1; give each case its own"),
        ("openai-moderation", "prompt", 3, ":2: prompt is 3, not a string"),
        ("openai-moderation", "H", "x", ":2: H is 'x'; expected 0 .no., 1 .yes. or nothing"),
        ("openai-moderation", "H", [1], ":2: H: \\[1\\] is a list"),
        ("openai-moderation", "prompt", "a\ud800", ":2: holds half a surrogate pair"),
    ],
)
def test_what_is_wrong_with_a_cell_is_said(tmp_path, name, column, value, wrong):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD[name], GOOD[name] | {column: value})))
    with pytest.raises(InputError, match=wrong):
        public.read(name, [path])


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("name", [name for name in GOOD if name != "openai-moderation"])
@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("{row}\n", ":3: has fewer cells than the header; mend the row, or get the file again"),
        ('{row}"{long}"\n', ":3: is not a row of a table .field larger .*; close its quotes, or write the table as"),
        ("{row}\udcff\n", ":3: is not UTF-8; convert it"),
        ("{row}\0\n", ":3: holds a NUL byte"),
    ],
)
def test_a_damaged_row_is_told_by_its_line(tmp_path, name, suffix, content, wrong):
    delimiter = "\t" if suffix == ".tsv" else ";" if name == "ethos" else ","
    path = table(tmp_path / f"t{suffix}", [list(GOOD[name]), list(GOOD[name].values())], delimiter)
    first = next(iter(GOOD[name].values()))
    with path.open("ab") as file:
        file.write(content.format(row=first, long="a" * 140_000).encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=wrong):
        public.read(name, [path])


@pytest.mark.parametrize("content", ["", "3\n", "null\n", '{"prompt"\n', "[" * 100_000 + "\n"])
def test_lines_that_are_no_rows_of_the_moderation_set(tmp_path, content):
    path = tmp_path / "p.jsonl"
    path.write_text('{"prompt": "a"}\n' * bool(content) + content)
    with pytest.raises(InputError, match=r"p.jsonl:2: is not .*; |holds no row; "):
        public.read("openai-moderation", [path])


def test_the_command_ends_with_2_and_writes_nothing(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(GOOD["davidson"] | {"tweet": ["a"]}) + "\n")
    done = run("safety", "texts", "davidson", path, "-o", tmp_path / "out.csv")
    assert done.code == 2
    assert f"{path}:1: tweet is ['a'], not a string" in done.stderr
    assert not (tmp_path / "out.csv").exists()


def test_one_file_of_one_known_name(tmp_path):
    with pytest.raises(UsageError, match="did you mean ethos"):
        fields("etos", tmp_path)
    with pytest.raises(UsageError, match="one too many"):
        fields("ethos", tmp_path / "a", tmp_path / "b")


REAL = [
    ("cf-fairness", "cf_fairness_seeds/seeds.csv", 2401, 1201, 1201),
    ("davidson", "davidson/labeled_data.csv", 24783, 0, 0),
    ("ethos", "ethos/binary.csv", 998, 0, 0),
    ("hatecheck", "hatecheck/test_suite_cases.csv", 3728, 3436, 421),
    ("openai-moderation", "openai_moderation/samples-1680.jsonl", 1680, 0, 0),
    ("toxigen", "toxigen_demonstrations", 587, 381, 0),
]
"""File, texts, those that name somebody, sets."""


def test_the_real_files_have_as_many(data):
    counted = []
    for name, path, *_ in REAL:
        texts = list(public.read(name, [data / "safety" / path]))
        assert len({text.id for text in texts}) == len(texts), name
        sets = {text.set_id for text in texts if text.set_id}
        counted.append((name, path, len(texts), sum(bool(text.slices) for text in texts), len(sets)))
    assert counted == REAL
