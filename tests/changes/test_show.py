"""`gec-fair show`: every kind of rewriting can be looked at."""

from __future__ import annotations

import csv
import gzip
import json
import re

import pytest

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.run import rewrite_corpus
from gec_fair.changes.corpus_run import read_run
from gec_fair.perturber.rewriting.options import PerturbCorpusOptions
from gec_fair.perturber.run import perturb_corpus
from tests.cli.invoke import run

TEXT = (
    "My sister lost her keys .\nThe shop was shut .\nHe said that his aunt sings .\nShe's  an   actress , he said .\n"
)
PAIRS = "he like it\tShe likes it\nwe go\twe go\nHe go home\tHe goes home\na\tb\tc\n"


def show_plain(*words):
    done = run("show", *words, "--plain")
    assert done.code == 0, done.stderr
    return done.stdout


def without_ends(text):
    return re.sub(r"[\r\n]", "", text)


TEXTS = [
    (TEXT.encode(), "plain lines"),
    (TEXT.replace("\n", "\r\n").encode(), "line ends of Windows"),
    (TEXT.rstrip("\n").encode(), "no end of the last line"),
    (b"\xef\xbb\xbf" + TEXT.encode(), "a byte order mark"),
    (TEXT.encode() + b"\n\n She cried \xff .\nHe left .\n \n", "empty lines, and one that is not UTF-8"),
    ("\u00a0She\u2028sang\u00a0her song.\tHe did not.\n".encode(), "separators that end no line"),
]


@pytest.mark.parametrize(("content", "why"), TEXTS, ids=[row[1] for row in TEXTS])
@pytest.mark.parametrize("kind", ["rewrite", "perturb", "chunks"])
def test_a_rewritten_text_is_shown_beside_all_that_was_there(kind, content, why, tmp_path):
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_bytes(content)
    second.write_bytes(TEXT.encode())
    if kind == "rewrite":
        rewrite_corpus([first, second], tmp_path / "out", Options("fm"))
    else:
        tokens = 7 if kind == "chunks" else 0
        perturb_corpus([first, second], tmp_path / "out", PerturbCorpusOptions(axes=("gender",), tokens=tokens))
    assert (tmp_path / "out/rewritten.txt").read_bytes() not in (b"", content + TEXT.encode())
    was = [old for change in read_run(tmp_path / "out").read() for side in change.sides for old, _ in side.pieces]
    before = content.removeprefix(b"\xef\xbb\xbf").decode(errors="replace") + TEXT
    assert without_ends("".join(was)) == without_ends(before)


@pytest.mark.parametrize("tokens", [0, 7], ids=["lines", "chunks"])
def test_compressed_texts_without_a_last_line_end_are_told_apart(tokens, tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.txt.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + TEXT.rstrip("\n").encode()))
    inputs = [tmp_path / "a.txt.gz", tmp_path / "b.txt.gz"]
    for _ in range(2):  # the second time it is finished
        done = perturb_corpus(inputs, tmp_path / "out", PerturbCorpusOptions(axes=("gender",), tokens=tokens))
    assert done.before == "complete"
    changes = list(read_run(tmp_path / "out").read())
    for name in ("a.txt.gz", "b.txt.gz"):
        mine = [old for change in changes if change.file == name for side in change.sides for old, _ in side.pieces]
        assert without_ends("".join(mine)) == without_ends(TEXT)


def test_a_run_with_a_limit_knows_where_its_inputs_end(tmp_path):
    for name in "abc":
        (tmp_path / name).with_suffix(".txt").write_text("She sang\nnobody came")
    options = PerturbCorpusOptions(axes=("gender",), limit=3)
    perturb_corpus([tmp_path / f"{name}.txt" for name in "abc"], tmp_path / "out", options)
    assert "a.txt:1" in (printed := show_plain(tmp_path / "out"))
    assert "b.txt:1" in printed


def test_pairs_show_both_sides_with_file_and_line(tmp_path):
    (tmp_path / "c.tsv").write_text(PAIRS)
    assert run("augment", "fm", tmp_path / "c.tsv", "-o", tmp_path / "out").code == 0
    text = show_plain(tmp_path / "out")
    sides = "  source  [-He-]{+She+} go home\n  target  [-He-]{+She+} goes home\n"
    assert re.search(r"c.tsv:3  augmented  gender  sure 0\.\d{3}\n" + re.escape(sides), text)
    assert "c.tsv:4  malformed  columns" in text
    assert "| unchanged |" in text
    assert "| He | She |" in text


@pytest.mark.parametrize("form", ["m2", "jsonl"])
def test_other_formats_of_pairs_are_shown_too(form, tmp_path):
    if form == "m2":
        text = "S He go home\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n"
    else:
        text = json.dumps({"source": "He go home", "target": "He goes home"}) + "\n"
    (tmp_path / f"c.{form}").write_text(text)
    run("augment", "fm", tmp_path / f"c.{form}", "-o", tmp_path / "out")
    assert "source  [-He-]{+She+} go home\n  target  [-He-]{+She+} goes home" in show_plain(tmp_path / "out")


def claims():
    rows = [("SUPPORTS", f"the film was made in {city}") for city in ("Rome", "Oslo", "Bern", "Kyoto", "Lima", "Riga")]
    rows += [("REFUTES", f"the actor was not able to sing in “{city}”") for city in ("Rome", "Oslo", "Bern", "Lima")]
    return [{"id": f"d{n}", "label": label, "claim": claim} for n, (label, claim) in enumerate(rows)]


def as_table(path, delimiter):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "label", "claim"], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(claims())


def as_jsonl(path, **options):
    path.write_text("".join(json.dumps(row, **options) + "\n" for row in claims()))


FORMS = [
    ("data.jsonl", lambda path: as_jsonl(path), "JSON lines, escaped"),
    ("data.jsonl", lambda path: as_jsonl(path, ensure_ascii=False, separators=(",", ":")), "compact JSON lines"),
    ("data.csv", lambda path: as_table(path, ","), "CSV"),
    ("data.tsv", lambda path: as_table(path, "\t"), "TSV"),
]


@pytest.mark.parametrize(("name", "write", "why"), FORMS, ids=[row[2] for row in FORMS])
def test_rewritten_documents_show_their_edits_over_all_passes(name, write, why, tmp_path):
    write(tmp_path / name)
    words = ("--rewriter", "rules", "--verifier", "none", "--top", 4, "--turns", 3, "--tries", 2)
    assert run("razor", "run", tmp_path / name, "-o", tmp_path / "out", *words).code == 0
    text = show_plain(tmp_path / "out", "--outcome", "augmented", "--sample", 99)
    assert "augmented  REFUTES" in text
    assert "the actor was [-not able-]{+unable+} to sing in “" in text
    assert f"{name}:" in text


def test_a_table_of_counterfactuals_shows_each_text_and_its_copies(tmp_path):
    (tmp_path / "texts.csv").write_text("id,text,slices,hate\na,Muslims pray in a mosque .,Religion: Islam,0\n")
    assert run("safety", "counterfactuals", tmp_path / "texts.csv", "-o", tmp_path / "all.csv").code == 0
    text = show_plain(tmp_path / "all.csv", "--sample", 99)
    assert "all.csv:" in text
    assert "augmented  Islam → Judaism  Religion" in text
    assert "[-Muslims-]{+Jews+} pray in a [-mosque-]{+synagogue+} ." in text


def test_the_twins_of_an_evaluation_set_are_shown_by_name_or_folder(tmp_path):
    assert "they-probe_orig.src.txt:" in show_plain("they-probe")
    (tmp_path / "x_orig.m2").write_text("S He go\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n")
    (tmp_path / "x_st_aug.m2").write_text("S They goes\nA 1 2|||R:VERB:SVA|||go|||REQUIRED|||-NONE-|||0\n\n")
    for side in ("orig", "st_aug"):
        (tmp_path / f"x_{side}.src.txt").write_text("…\n")
    text = show_plain(tmp_path)
    assert "  source  [-He-]{+They+} [-go-]{+goes+}\n  target  [-He-]{+They+} [-goes-]{+go+}\n" in text


def test_filters_choose_what_is_sampled(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT * 30)
    perturb_corpus([tmp_path / "a.txt"], tmp_path / "out", PerturbCorpusOptions(axes=("gender",)))
    by_word = show_plain(tmp_path / "out", "--word", "sister", "--sample", 999)
    assert by_word.count("a.txt:") == by_word.count("[-sister-]{+") == 30
    assert "unchanged\n" in show_plain(tmp_path / "out", "--outcome", "unchanged")
    assert show_plain(tmp_path / "out", "--axis", "race").startswith("\nTexts")
    counts = json.loads(run("show", tmp_path / "out", "--json").stdout)
    assert sum(row["texts"] for row in counts["outcomes"]) == 120
    assert sum(row["times"] for row in counts["replacements"] if row["old"] == "sister") == 30


@pytest.fixture
def sure_run(tmp_path):
    """Four rewritten pairs, and one that was left."""
    (tmp_path / "c.tsv").write_text("he sat\tHe sat\n" * 4)
    assert run("augment", "fm", tmp_path / "c.tsv", "-o", tmp_path / "out").code == 0
    ledger = tmp_path / "out/ledger.jsonl"
    entries = [json.loads(line) for line in ledger.read_text().splitlines()]
    for entry, sure in zip(entries, (0.9, 0.25, 1.0, 0.25), strict=True):
        entry["sure"] = sure
    entries += [{"file": "c.tsv", "line": 5, "outcome": "discarded", "reason": "unsure_who"}]
    ledger.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return tmp_path / "out"


def test_the_least_sure_rewritings_come_first(sure_run):
    lines = re.findall(r"^c.tsv:(\d)  augmented  gender  sure (\S+)$", show_plain(sure_run, "--sort", "sure"), re.M)
    assert lines == [("2", "0.250"), ("4", "0.250"), ("1", "0.900"), ("3", "1.000")]
    done = run("show", sure_run, "--sort", "sure", "--sample", 2)
    assert done.stdout.endswith("2 of 4 changes\n")
    numbers = re.findall(r"c.tsv:(\d) · augmented · gender · sure (\S+)<", (sure_run / "show.html").read_text())
    assert numbers == [("2", "0.250"), ("4", "0.250")]


def test_only_a_run_that_says_how_sure_it_is_is_sorted(sure_run, tmp_path):
    ledger = sure_run / "ledger.jsonl"
    ledger.write_text(ledger.read_text().replace('"sure"', '"x"'))
    for name in (sure_run, "they-probe"):
        done = run("show", name, "--sort", "sure", "--plain")
        assert (done.code, "does not say how sure it is; give a run of augment or perturb" in done.stderr) == (2, True)


SPOILT = [
    ('"sure": 0.25', '"sure": "high"', "no number"),
    ('"sure": 0.25', '"sure": 2.5', "no probability"),
    ('"edits"', '"x"', "no edits"),
    ('"start": 0', '"start": {}', "an edit without a start"),
    ('"old": "He"', '"old": true', "an edit of no words"),
]


@pytest.mark.parametrize(("old", "new", "why"), SPOILT, ids=[row[2] for row in SPOILT])
def test_an_entry_that_no_run_writes_is_refused_with_its_line(old, new, why, sure_run):
    ledger = sure_run / "ledger.jsonl"
    lines = ledger.read_text().splitlines(keepends=True)
    ledger.write_text("".join([lines[0], lines[1].replace(old, new), *lines[2:]]))
    done = run("show", sure_run, "--plain")
    assert (done.code, "ledger.jsonl:2: is not an entry of a ledger" in done.stderr) == (2, True)


MISTAKES = [
    ((), "absent", "is not a folder, an evaluation set or a table of counterfactuals", "nothing there"),
    (("a.txt",), "a.txt", "is not a folder, an evaluation set or a table of counterfactuals", "a text"),
    (("folder/b.txt",), "folder", "holds no rewriting", "another folder"),
    (("folder/.partial/checkpoint.json",), "folder", "is not finished; the same command resumes it", "a stopped run"),
]


@pytest.mark.parametrize(("files", "name", "message", "why"), MISTAKES, ids=[row[3] for row in MISTAKES])
def test_what_cannot_be_shown_is_refused_with_a_remedy(files, name, message, why, tmp_path):
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("{}")
    done = run("show", tmp_path / name)
    assert done.code == 2
    assert message in done.stderr


def test_the_page_filters_in_a_browser_without_a_network(tmp_path, browser):
    (tmp_path / "a.txt").write_text(TEXT * 3)
    perturb_corpus([tmp_path / "a.txt"], tmp_path / "out", PerturbCorpusOptions(axes=("gender",)))
    done = run("show", tmp_path / "out")
    assert done.stdout.startswith(f"{tmp_path / 'out/show.html'}  ")
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    requests, faults = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto((tmp_path / "out/show.html").as_uri())
    everything = page.locator(".case:visible").count()
    page.locator("input[data-key=word]").fill("Sister")
    sisters = page.locator(".case:visible")
    assert 0 < sisters.count() < everything
    assert "sister" in sisters.first.locator("del").all_inner_texts()
    assert page.locator("[data-count]").inner_text() == f"{sisters.count()} of {everything}"
    assert sisters.first.locator("small").first.inner_text().startswith("a.txt:1 · augmented · woman → man · gender")
    page.locator("input[data-key=word]").fill("")
    page.locator("select[data-key=reason]").select_option("man → woman")
    assert {"woman → man" in text for text in page.locator(".case:visible").all_inner_texts()} == {False}
    gone, come = (page.locator(f".case:visible {tag}").first.bounding_box() for tag in ("del", "ins"))
    assert gone["y"] == come["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390  # nothing hangs over on a phone
    assert (faults, [url for url in requests if not url.startswith("file:")]) == ([], [])
    page.close()
