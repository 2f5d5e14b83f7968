"""`gec-fair safety audit`, as a user calls it."""

import json
import re
from statistics import pvariance

import pytest

import gec_fair as gf
from gec_fair.errors import InputError, UsageError
from gec_fair.safety.data import groups, scores
from gec_fair.safety.data.groups import Slice, read_shipped
from tests.cli.invoke import run
from tests.safety.tables import COLUMNS, RELIGIONS, rows, write


def audit(*words):
    return run("safety", "audit", *words)


def test_numbers_are_printed_and_told_as_json_and_written(tmp_path):
    path = write(tmp_path / "scores.csv", [*rows(30), *rows(20, harm="violence", swing=0.02)])
    output = audit(path, "--resamples", 50, "-o", tmp_path / "out").stdout
    assert "normalised ACV" in output
    assert "| violence" in output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"report.html", "tables", "figures"}
    report = json.loads(audit(path, "--resamples", 50, "--json").stdout)
    hate, violence, both = report["tables"]["harms"]
    assert report["acv"] == both["ACV"] == pytest.approx((30 * hate["ACV"] + 20 * violence["ACV"]) / 50)
    assert 0 < report["acv"] < report["acv_normalised"] < 1
    assert {(one["harm"], one["subgroup"], one["truth"]) for one in report["tables"]["slices"]} >= {
        ("hate", "Islam", "safe"),
        ("hate", "Islam", "unsafe"),
        ("violence", "Judaism", "safe"),
    }


NO_GAP = " Too few texts to say which subgroup scores higher: no two of a category have texts of 10 sets."
NO_FLIPS = "Swapping an identity never flips the verdict in"
FINDINGS = [
    (
        [("s1", "Judaism", 0, 0.9), ("s1", "Islam", 0, 0.44)],
        "Too few texts to say how often swapping an identity flips the verdict (1 counterfactual set); too few safe "
        f"texts to say how many are called harmful (2).{NO_GAP}",
        "two texts",
    ),
    (
        [("", "Judaism", 0, 0.9), ("", "Islam", 0, 0.44)],
        "Flips of the verdict cannot be counted, because no texts are counterfactuals of each other; too few safe "
        f"texts to say how many are called harmful (2).{NO_GAP}",
        "no sets",
    ),
    (
        [(f"s{n}", name, 0, 0.2) for n in range(10) for name in ("Judaism", "Islam")],
        f"{NO_FLIPS} 10 counterfactual sets; 0 of 20 safe texts are called harmful (score 0.5 or more). ACV 0.000. "
        "Subgroups with enough texts score alike.",
        "all alike",
    ),
    (
        [(f"s{n}", name, n % 2, 0.9) for n in range(30) for name in ("Judaism", "Islam")],
        f"{NO_FLIPS} 30 counterfactual sets; 30 of 30 safe texts are called harmful (score 0.5 or more). ACV 0.000. "
        "Subgroups with enough texts score alike.",
        "all flagged",
    ),
    (
        [(f"s{n}", name, 1, 0.3 if name == "Islam" and n < 5 else 0.9) for n in range(20) for name in RELIGIONS[1:]],
        "Swapping an identity flips the verdict in 25 % [10, 45] of 20 counterfactual sets; too few safe texts to say "
        "how many are called harmful (0). ACV 0.022 [0.009, 0.041]. Largest gap: unsafe texts that name Judaism score "
        "0.15 [0.06, 0.27] higher than those that name Islam (20 and 20 texts).",
        "unsafe texts alone",
    ),
]


@pytest.mark.parametrize(("lines", "expected", "why"), FINDINGS, ids=[why for *_, why in FINDINGS])
def test_the_first_sentence_is_the_flip_rate_and_what_few_texts_show_is_not_said(tmp_path, lines, expected, why):
    table = [
        {"set_id": name, "category": "Religion", "subgroup": whom, "harm": "hate", "label": label, "score": score}
        for name, whom, label, score in lines
    ]
    audited = gf.safety.audit(table)
    assert audited.finding == expected
    assert str(audited).startswith(expected)
    assert repr(audited) == str(audited)
    audited.write(tmp_path / "out")
    assert expected.removesuffix(".") in (tmp_path / "out/report.html").read_text(encoding="utf-8")


def test_the_command_prints_the_finding_first(tmp_path):
    path = write(tmp_path / "scores.csv", [*rows(30)])
    output = audit(path, "--resamples", 50).stdout
    assert output.startswith("Swapping an identity flips the verdict in 3 % [0, 7] of 30 counterfactual sets; ")


def test_no_interval_of_a_table_is_without_width(tmp_path):
    path = write(tmp_path / "scores.csv", [*rows(2), *rows(1, harm="violence")])
    output = audit(path, "--resamples", 50).stdout
    assert "[" not in output.replace("[…]", "")


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_every_form_of_table_gives_the_same(tmp_path, ending):
    import pandas

    lines = [*rows(6)]
    frame = pandas.DataFrame(lines, columns=COLUMNS)
    path = tmp_path / f"scores{ending}"
    {
        ".csv": lambda: frame.to_csv(path, index=False),
        ".tsv": lambda: frame.to_csv(path, index=False, sep="\t"),
        ".jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        ".parquet": lambda: frame.to_parquet(path),
    }[ending]()
    (rows_read,) = scores.read(path, read_shipped())
    assert rows_read.scores.tolist() == [row[5] for row in lines]
    assert list(rows_read.slices) == [Slice("Religion", name) for name in ("Christianity", "Islam", "Judaism")]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("a", "Religion", "Islam", "hate", 0, 1.2), r":3: score is '1.2'; expected a number from 0 to 1"),
        (("a", "Religion", "Islam", "hate", 0, "nan"), r":3: score is 'nan'"),
        (("a", "Religion", "Islam", "hate", 0, ""), r":3: score is ''"),
        (("a", "Religion", "Islam", "hate", 2, 0.2), r":3: label is '2'; expected 0 \(safe\) or 1"),
        (("a", "Religion", "Islam", "", 0, 0.2), r":3: harm is empty"),
        (("a", "Religon", "Islam", "hate", 0, 0.2), r"'Religon'; did you mean Religion\?"),
        (("a", "Religion", "Isalm", "hate", 0, 0.2), r":3: no subgroup of Religion is called 'Isalm'; did you mean"),
        (("a", "Religion", "", "hate", 0, 0.2), r":3: has a category without a subgroup"),
    ],
)
def test_a_row_that_cannot_be_meant_is_told_by_its_line(tmp_path, row, message):
    with pytest.raises(InputError, match=message):
        scores.read(write(tmp_path / "scores.csv", [("a", "Religion", "Judaism", "hate", 0, 0.1), row]), read_shipped())


def test_texts_told_twice_otherwise_are_refused(tmp_path):
    columns = ("id", *COLUMNS)
    first = ("t", "a", "Religion", "Islam", "hate", 0, 0.1)
    with pytest.raises(InputError, match="given before with another set_id, label or score"):
        scores.read(write(tmp_path / "a.csv", [first, (*first[:6], 0.2)], columns), read_shipped())
    with pytest.raises(InputError, match="in Religion: Islam already"):
        scores.read(write(tmp_path / "b.csv", [first, first], columns), read_shipped())


def test_the_papers_and_the_published_names_are_all_known():
    known = read_shipped()
    assert known.slice("GenderId", "NonCisgender") == ("Gender Identity", "NonCisgender")
    assert known.slice("SexualOrien.", "Heterosexual") == ("Sexual Orientation", "Heterosexual")
    assert known.slice("RaceEthnicity", "LatinX") == ("Race/Ethnicity", "LatinX")
    assert known.slice("race", "latino") == ("Race/Ethnicity", "LatinX")
    assert sum(map(len, known.subgroups.values())) == 18


def test_own_groups_take_the_place_of_the_papers(tmp_path):
    path = tmp_path / "groups.csv"
    path.write_text("category,subgroup,also\ntarget,women,woman|girls\ntarget,immigrants,\n")
    known = groups.read(path)
    assert known.slice("Target", "Girls") == ("target", "women")
    with pytest.raises(UsageError, match="there are target; name your own"):
        known.slice("Religion", "Islam")
    path.write_text("category,subgroup\nReligion,Islam\nReligion,islam\n")
    assert groups.read(path).subgroups == {"Religion": ("Islam",)}
    twice = tmp_path / "twice.csv"
    twice.write_text("category,subgroup,also\nage,young,teens|old\nage,old,\n")
    with pytest.raises(InputError, match=r"twice\.csv:3: 'old' is a name of young and of old; leave it out of one"):
        groups.read(twice)
    path.write_text("category,subgroup\ntarget,women\ntarget,immigrants\n")
    output = audit(
        write(
            tmp_path / "s.csv",
            [("a", "target", "women", "hate", 0, 0.1), ("a", "target", "immigrants", "hate", 0, 0.3)],
        ),
        "--groups",
        path,
        "--json",
    )
    assert json.loads(output.stdout)["acv"] == pytest.approx(0.01)


def test_texts_stand_behind_a_click_and_are_printed_only_where_they_are_asked_for(tmp_path):
    lines = [(f"t{n}", *row) for n, row in enumerate([*rows(6)])]
    path = write(tmp_path / "scores.csv", lines, ("id", *COLUMNS))
    texts = write(tmp_path / "texts.csv", [(row[0], f"<b>hushed {row[0]}</b>") for row in lines], ("id", "text"))
    output = audit(path, "--texts", texts, "-o", tmp_path / "out")
    assert "The sets that swing most" in output.stdout
    assert "hushed" not in output.stdout + output.stderr
    page = (tmp_path / "out/report.html").read_text()
    folded = re.findall(r"<details>.*?</details>", page, re.DOTALL)
    assert page.count("hushed") == sum(details.count("hushed") for details in folded) == 2 * len(folded) > 0
    assert "<b>hushed" not in page
    assert all("hushed" not in path.read_text() for path in (tmp_path / "out/tables").iterdir())
    swings = json.loads(audit(path, "--json").stdout)["tables"]["swings"]
    (swing,) = [swing for swing in swings if swing["set"] == "s0"]
    of_set = {row[0]: row[6] for row in lines if row[1] == "s0"}
    assert swing["variance"] == pytest.approx(pvariance(of_set.values()))
    lowest, highest = (swing[end].partition(" (")[0] for end in ("lowest", "highest"))
    assert [of_set[name] for name in (lowest, highest)] == [min(of_set.values()), max(of_set.values())]
    output = audit(path, "--texts", texts, "--show-text")
    assert f"    <b>hushed {lowest}</b>" in output.stdout
    done = audit(path, "--show-text")
    assert (done.code, "--show-text wants the texts" in done.stderr) == (2, True)
    second_table = write(tmp_path / "other.csv", [("x", "…")], ("id", "text"))
    done = audit(path, "--texts", second_table, "--show-text")
    assert (done.code, "has no text of the examples" in done.stderr) == (0, True)
    done = audit(path, "--texts", texts, "--show-text", "--json")
    assert (done.code, "leave --json out" in done.stderr) == (2, True)
    done = audit(path, "--texts", texts)
    assert (done.code, "--texts is for --output or --show-text" in done.stderr) == (2, True)


def test_bad_input_is_exit_2_with_what_to_do(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("set_id,category,subgroup,harms,label,score\na,Religion,Islam,hate,0,0.1\n")
    done = audit(path)
    assert (done.code, done.stdout) == (2, "")
    assert "no column 'harm'; did you mean harms?" in done.stderr
    assert "Traceback" not in done.stderr
    assert audit(tmp_path / "none.csv").code == 2
    path.write_text("set_id,category,subgroup,harm,label,score\n")
    assert "holds no row" in audit(path).stderr
    rows = [f"a,Religion,Islam,{harm},0,0.1\n" for harm in ("hate", "threat")]
    path.write_text("".join(["set_id,category,subgroup,harm,label,score\n", *rows]))
    assert "has the harms hate, threat; leave --harm out" in audit(path, "--harm", "hate").stderr
    path.write_text("set_id;category;subgroup;harm;label;score\na;Religion;Islam;hate;0;0.1\n")
    assert "separated by semicolons" in audit(path).stderr
    (tmp_path / "scores.txt").write_text("")
    assert "a table ends with .csv, .tsv, .jsonl, .parquet" in audit(tmp_path / "scores.txt").stderr
    (tmp_path / "scores.parquet").write_text("x")
    done = audit(tmp_path / "scores.parquet")
    assert (done.code, "--format" in done.stderr, "no Parquet file" in done.stderr) == (2, False, True)


def test_a_remedy_is_told_against_its_baseline(tmp_path):
    before = write(tmp_path / "before.csv", rows(40, swing=0.4))
    after = write(tmp_path / "after.csv", rows(40, swing=0.2))
    report = json.loads(audit(after, "--against", before, "--resamples", 50, "--json").stdout)
    change = report["tables"]["changes"][0]
    assert (change["category"], change["truth"]) == ("all", "all")
    assert change["ΔACV, %"] == pytest.approx(-75, abs=0.01)
