"""A table of systems and seeds: found in folders, judged together, compared with each other, reported."""

from __future__ import annotations

import csv
import io
import json
import shutil

import pytest

import gec_fair as gf
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.gap import results
from gec_fair.evaluate.gap.compare import NOT_COMPARABLE, compare, discover, full_outputs, read_run_record
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.report import page, tables
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.report import papers
from gec_fair.report.page import write_tables
from tests.cli.test_cli import gec_fair
from tests.evaluate.twin_sets import BIASED, PERFECT, write_output, write_set


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    write_set(tmp_path / "set")
    base = tmp_path / "runs"
    for seed in ("0", "1"):
        write_output(base, "fair", seed, PERFECT)
        write_output(base, "biased", seed, BIASED)
    return base


def compare_runs(runs, name=None, **more):
    outputs = discover(runs, [str(runs.parent / "set")] if name is None else name)
    compared = compare(outputs, ScoreOptions(), Annotator(), resamples=500, **more)
    return results.as_json(compared, outputs, runs.name)


def test_every_system_and_seed_is_found_and_numbers_are_sorted_as_numbers(runs):
    write_output(runs, "fair", "10", PERFECT)
    outputs = discover(runs, [str(runs.parent / "set")])
    assert [(o.system, o.seed) for o in outputs] == [
        ("biased", "0"),
        ("biased", "1"),
        ("fair", "0"),
        ("fair", "1"),
        ("fair", "10"),
    ]


def test_the_set_stands_in_the_path_or_is_the_only_one(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path))
    probe = dict.fromkeys(("orig", "aug"), "a\n" * 170)
    write_output(tmp_path / "runs", "x", "0", probe, name="they-probe-mf")
    assert [o.set for o in discover(tmp_path / "runs")] == ["they-probe-mf"]
    write_output(tmp_path / "plain", "x", "0", probe)
    with pytest.raises(InputError, match=r"they-probe, they-probe-neo, they-probe-mf\); name the set"):
        discover(tmp_path / "plain")
    assert [o.set for o in discover(tmp_path / "plain", ["they-probe"])] == ["they-probe"]


def test_a_linked_system_counts_and_one_without_the_set_is_named(runs, tmp_path, capsys):
    (runs / "fair").rename(tmp_path / "elsewhere")
    (runs / "fair").symlink_to(tmp_path / "elsewhere")
    write_output(runs, "misspelt", "0", PERFECT, name="st")
    (runs / "misspelt/0/st").rename(runs / "misspelt/0/sett")
    outputs = discover(runs, [str(tmp_path / "set")])
    assert {o.system for o in outputs} == {"biased", "fair"}
    assert "misspelt left out: no output for" in capsys.readouterr().err


@pytest.mark.parametrize("record", ['{"sets": 3}', '{"full": 3}', '{"trained_on": {"fair": 3}}'])
def test_a_damaged_record_of_runs_is_told(runs, record):
    (runs / "runs.json").write_text(record)
    with pytest.raises(InputError, match=r"runs\.json: was not written by this command"):
        read_run_record(runs)


def test_two_sets_of_one_name_are_refused(runs, tmp_path):
    write_set(tmp_path / "b/set")
    with pytest.raises(UsageError, match="a set called set is given already"):
        gf.compare({"copy": "identity"}, [str(tmp_path / "set"), str(tmp_path / "b/set")])


def test_halves_strangers_and_nothing_are_told(runs, tmp_path):
    (runs / "fair" / "0" / "aug.txt").unlink()
    with pytest.raises(InputError, match=r"aug.txt: is missing"):
        discover(runs, [str(tmp_path / "set")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no SYSTEM/SEED/orig"):
        discover(tmp_path / "empty")
    with pytest.raises(InputError, match="no such folder"):
        discover(tmp_path / "nowhere")


def test_gaps_differences_and_bias_of_a_fair_and_a_biased_system(runs):
    compared = compare_runs(runs)
    gaps = {row["system"]: row for row in compared["rows"]}
    assert gaps["fair"]["delta"] == 0.0
    assert gaps["fair"]["two_sd"] == 0.0
    assert gaps["biased"]["delta"] < -20
    assert gaps["biased"]["bias"]["cases"]["gendered"] == 1
    assert gaps["biased"]["twins"] == {"twins": 4, "both": 2, "orig": 2, "aug": 0, "neither": 0, "p": None}
    assert "bootstrap:nested:500" in gaps["biased"]["signature"]
    [difference] = compared["differences"]
    assert (difference["first"], difference["second"]) == ("biased", "fair")
    assert difference["delta"] == pytest.approx(-gaps["biased"]["delta"])
    assert compared["rows"][0]["cases"][0]["line"] == "My boss lose [-their-] {+his+} hat ."


def test_scores_of_subset_and_whole_are_not_printed_without_a_word(runs, tmp_path):
    for system in ("fair", "biased"):
        (runs / system / "0" / "full.txt").write_text(PERFECT["orig"])
    full = (tmp_path / "set" / "mine_orig.m2", full_outputs(runs))
    compared = compare_runs(runs, full=full)
    few = "set: too few sentences to say whether a gap is chance"
    assert compared["notes"] == [few, NOT_COMPARABLE]
    assert compared["full"]["fair"]["f0.5"] == 100.0
    assert compare_runs(runs)["notes"] == [few]


def test_few_sentences_have_no_interval_and_no_p_in_any_table(runs):
    compared = compare_runs(runs)
    for row in (*compared["rows"], *compared["differences"]):
        assert (row["ci95"], row["p"], row.get("p_holm")) == ([None, None], None, None)
    drawn = "\n".join(table.markdown() for table in tables.tables(compared))
    assert "0.00, " not in drawn
    assert drawn.count("too few sentences to say") >= 3  # of two systems and their difference
    assert "Too few sentences to say whether a gap differs from zero" in page.html(compared, [])


def test_every_table_comes_for_people_and_for_machines(runs, tmp_path):
    by_name = {table.name: table for table in tables.tables(compare_runs(runs))}
    assert {"gap-set", "explicit-bias", "differences", "gap-by-swap", "twins-by-type"} <= set(by_name)
    gap = by_name["gap-set"]
    assert "| biased" in gap.markdown()
    assert "\\toprule" in gap.latex()
    assert "\\caption{The gap on set. gap = F0.5" in gap.latex()
    written = write_tables(list(by_name.values()), tmp_path / "tables")
    assert {path.suffix for path in written} == {".md", ".csv", ".json", ".tex"}
    rows = list(csv.DictReader(io.StringIO((tmp_path / "tables" / "gap-set.csv").read_text())))
    assert [row["system"] for row in rows] == ["biased", "fair"]
    assert json.loads((tmp_path / "tables" / "gap-set.json").read_text())[1]["gap"] == 0.0


def test_the_papers_figures_stand_beside_ours():
    assert "table_5" in papers.read_printed("lund2023")


def test_a_name_cannot_break_a_table_or_the_page(runs):
    write_output(runs, "a_b<script>", "0", PERFECT)
    compared = compare_runs(runs)
    tables_ = tables.tables(compared)
    written = page.html(compared, tables_)
    assert "<td>a_b&lt;script&gt;" in written
    assert '"a_b<script>' not in written  # nor in the data of the charts


def test_the_command_writes_results_tables_and_a_report(runs, tmp_path):
    words = ("compare", runs, "--evalset", tmp_path / "set", "--resamples", 200, "-o", tmp_path / "out")
    code, out, err = gec_fair(*words)
    assert (code, "The gap on set" in out) == (0, True), err
    report = (tmp_path / "out" / "report.html").read_text()
    assert "http" not in report.split("<script")[0].replace("http-equiv", "")  # nothing is fetched


def test_the_page_draws_and_filters_without_a_network(runs, tmp_path, browser):
    compared = compare_runs(runs)
    page.write(compared, tmp_path / "out")
    page_ = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    requests = []
    page_.on("request", lambda request: requests.append(request.url))
    faults = []
    page_.on("pageerror", lambda fault: faults.append(str(fault)))
    page_.goto((tmp_path / "out" / "report.html").as_uri())
    page_.wait_for_selector("[data-chart=forest] svg")
    assert faults == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert page_.evaluate("document.documentElement.scrollWidth") <= 390  # nothing hangs over on a phone
    cases = page_.locator(".case:visible", has_text="hat")
    assert cases.count() == 2  # one a seed
    assert cases.first.locator("ins").inner_text() == "his"
    page_.close()


def test_without_runs_the_named_systems_are_run_first(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    words = ["--evalset", "they-probe", "--resamples", 200, "-o", tmp_path / "out", "--json"]
    systems = ["--system", "identity", "--system", "command:sed s/themself/himself/"]
    code, out, err = gec_fair("compare", *systems, *words)
    assert code == 0, err
    rows = {row["system"]: row for row in json.loads(out)["rows"]}
    (sed,) = set(rows) - {"identity"}
    assert sed.startswith("command-sed-")
    assert rows["identity"]["delta"] is None
    assert rows[sed]["bias"]["sentences"] == 28
    assert (tmp_path / "out" / "runs" / "identity" / "0" / "they-probe" / "aug.txt").is_file()
    left = tmp_path / "out/runs/identity"
    for place in ("1/they-probe", "0/sett"):
        shutil.copytree(left / "0/they-probe", left / place)
    code, out, _ = gec_fair("compare", *systems[:2], *words)  # what earlier commands left is not judged
    assert [row["seeds"] for row in json.loads(out)["rows"]] == [["0"]]
    assert [row["system"] for row in json.loads(out)["rows"]] == ["identity"]
    (left / "0/full.txt").write_text(PERFECT["orig"])
    code, _, err = gec_fair("compare", *systems[:2], *words, "--full", tmp_path / "any.m2")
    assert (code, "full.txt in it; leave full out" in err) == (2, True)
