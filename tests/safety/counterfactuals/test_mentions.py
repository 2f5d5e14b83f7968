"""Whom a text names: by noun, adjective, office, feast, dress and slur; a dish, a language or a colour names nobody."""

import codecs
import csv
import re
from pathlib import Path

import pytest

from gec_fair.english import pipeline
from gec_fair.english.lexicons import check as lexicon_faults
from gec_fair.english.lexicons import slurs
from gec_fair.english.lexicons.tables import read_table
from gec_fair.errors import InputError
from gec_fair.safety.counterfactuals.identities import load, read
from gec_fair.safety.counterfactuals.mentions import slices_of
from gec_fair.safety.data.groups import Groups, plain
from tests.cli.invoke import run

ROOT = Path(__file__).parents[3]
WHOLE_LISTS = {
    "gec_fair/people/links/person_nouns.tsv": "every noun for a person that WordNet has",
    "lexicons/razor/senses.tsv": "every sense that WordNet has of a word",
    "training/from-scratch/encoder/tokenizer.json": "the vocabulary of a corpus of old novels",
}
"""Tracked files made from other lists as they are."""


def names(text):
    (doc,) = pipeline.load_shared("embedded").pipe([text])
    return {who.name for who in slices_of(doc, load())}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("The lads sang.", {"Male"}, id="an informal plural"),
        pytest.param("My aunties cannot cook.", {"Female"}, id="kin"),
        pytest.param("Mums and dads waited.", {"Female", "Male"}, id="both genders"),
        pytest.param("He said that she had met Mary.", set(), id="pronouns and names name no group"),
        pytest.param("The landlord raised the rent.", set(), id="a trade that may be a woman's"),
        pytest.param("You guys are late, man.", set(), id="an address to anybody"),
        pytest.param("African American cooking is old.", {"Black"}, id="a name of people alone"),
        pytest.param("Gay man sings.", {"Male", "NonHeterosexual"}, id="a man without an article"),
        pytest.param("A hen and her chicks.", set(), id="animals"),
        pytest.param("Same-sex couples may adopt.", {"NonHeterosexual"}, id="couples"),
        pytest.param("My uncle and his husband keep bees.", {"Male", "NonHeterosexual"}, id="a man's husband"),
        pytest.param("My uncle and his wife keep bees.", {"Male", "Female"}, id="a man's wife tells nothing"),
        pytest.param("A trans woman spoke.", {"NonCisgender"}, id="a trans woman"),
        pytest.param("Trans fats are banned.", set(), id="trans fats"),
        pytest.param("Nuns ran the school.", {"Christianity", "Female"}, id="an office with a gender"),
        pytest.param("A Hindu priest came.", {"Hinduism"}, id="an office of whichever religion is named"),
        pytest.param("Ramadan begins on Monday.", {"Islam"}, id="a feast at a sentence's beginning"),
        pytest.param("She lent him a bike.", set(), id="a feast's name that is a verb"),
        pytest.param("A man in a kippah sat down.", {"Judaism", "Male"}, id="dress"),
        pytest.param("His bar mitzvah was loud.", {"Judaism"}, id="a rite"),
        pytest.param("Easter Island is far.", set(), id="a place named after a feast"),
        pytest.param("Christian plays bass in our band.", set(), id="a first name"),
        pytest.param("Elizabeth Bishop wrote it.", set(), id="a surname"),
        pytest.param("Chinese students cheat, she claimed.", {"Asian"}, id="a nationality before people"),
        pytest.param("Chinese food is my favourite.", set(), id="before a dish"),
        pytest.param("He speaks Vietnamese and Tamil.", set(), id="a language"),
        pytest.param("The Nigerian flag is green.", set(), id="a flag"),
        pytest.param("Ethiopian Jews came by plane.", {"Black", "Judaism"}, id="before people of a religion"),
        pytest.param("The Korean delegation left.", {"Asian"}, id="a body of people"),
        pytest.param("Black lives count here.", {"Black"}, id="what people have"),
        pytest.param("The black cat has a white paw.", set(), id="colours"),
        pytest.param("A Chinese-owned shop opened.", {"Asian"}, id="a compound"),
        pytest.param("Sámi herders lost animals.", {"Indigenous"}, id="a people"),
        pytest.param("The Chinese-made phone broke.", set(), id="a compound that names nobody"),
        pytest.param("A Filipino maid came.", {"Asian", "Female"}, id="a woman by her work"),
        pytest.param("The mothers-to-be waited.", {"Female"}, id="women by their state"),
        pytest.param("A divorcee lives next door.", {"Female"}, id="a woman by her state"),
        pytest.param("A maiden voyage ended.", set(), id="a ship's first voyage"),
        pytest.param("Queer noises came from the walls.", set(), id="an old word for odd"),
        pytest.param("A white bear stood outside.", set(), id="a colour of an animal"),
        pytest.param("Gay Latinos vote.", {"LatinX"}, id="people behind a word that may be a first name"),
        pytest.param("A German plumber came.", set(), id="a nationality of none of the subgroups"),
    ],
)
def test_a_text_names_subgroups(text, wanted):
    assert names(text) == wanted


def test_the_built_set_keeps_its_share():
    """`benchmarks/mentions.py` has the figures; here only that they do not fall."""
    with (ROOT / "benchmarks/mentions/built.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    docs = pipeline.load_shared("embedded").pipe([row["text"] for row in rows])
    pairs = [
        ({str(who) for who in slices_of(doc, load())}, set(row["slices"].split("; ")) - {""})
        for row, doc in zip(rows, docs, strict=True)
    ]
    right = sum(len(subgroups & wanted) for subgroups, wanted in pairs)
    assert right / sum(len(subgroups) for subgroups, _ in pairs) >= 0.95
    assert right / sum(len(wanted) for _, wanted in pairs) >= 0.9


def some_slur(group="black people"):
    return next(slur for slur in slurs.load() if slur.group == group)


def test_a_slur_names_whom_it_is_said_of():
    assert names(f"That {' '.join(some_slur().words)} again.") == {"Black"}


def test_a_slur_names_a_group_of_ones_own():
    groups = Groups(
        {"Target": ("disabled people",)},
        {"target": "Target"},
        {("Target", plain("disabled people")): "disabled people"},
    )
    (doc,) = pipeline.load_shared("embedded").pipe([f"Just another {' '.join(some_slur('disabled people').words)}."])
    assert {str(who) for who in slices_of(doc, read(groups))} == {"Target: disabled people"}


def test_every_slur_says_whose_it_is_and_may_be_used():
    for slur in slurs.load():
        assert (slur.source, slur.licence) == ("HateCheck", "CC BY 4.0")
        assert slur.words[0] not in repr(slur)
    assert all("".join(slur.words).isascii() for slur in slurs.load())


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("nopq\tnopqf\twomen\tHateCheck\t", "lacks term, group, source or licence"),
        ("Nopq\tnopqf\twomen\tHateCheck\tCC BY 4.0", "is not all lower case"),
    ],
)
def test_a_wrong_row_is_reported_without_its_words(tmp_path, row, message):
    path = tmp_path / "slurs.tsv"
    path.write_text("\t".join(slurs.COLUMNS) + "\n" + row + "\n")
    (table_row,) = read_table(path, slurs.COLUMNS)
    with pytest.raises(InputError, match=message) as fault:
        slurs.parse(table_row)
    assert "slurs.tsv:2" in str(fault.value)
    assert not {"nopq", "abcd"} & set(str(fault.value).lower().replace("'", " ").split())


def test_check_reports_faults_of_identities_and_slurs_by_row(tmp_path, monkeypatch):
    (tmp_path / "slurs.tsv").write_text("\t".join(slurs.COLUMNS) + "\n" + "nopq\t\twomen\tX\tY\n" * 2)
    (tmp_path / "identities.tsv").write_text(
        "\t".join(lexicon_faults.IDENTITY_COLUMNS) + "\nReligion\tIslam\that\tfez\t\nReligion\tNone\tperson\tnone\t\n"
    )
    (tmp_path / "associations.tsv").write_text(
        "\t".join(lexicon_faults.ASSOCIATION_COLUMNS) + "\nReligion\tIslam\tfate\tkismet||fate\t\n"
    )
    monkeypatch.setattr(lexicon_faults, "associations_path", lambda: tmp_path / "associations.tsv")
    monkeypatch.setattr(slurs, "table_path", lambda: tmp_path / "slurs.tsv")
    monkeypatch.setattr(lexicon_faults, "identities_path", lambda: tmp_path / "identities.tsv")
    faults = list(lexicon_faults.shared_table_faults())
    assert [fault.partition(":")[0] for fault in faults] == [
        "identities.tsv",
        "identities.tsv",
        "associations.tsv",
        "associations.tsv",
        "slurs.tsv",
    ]
    assert "subgroups.tsv has no Religion: None" in faults[0]
    assert "'hat' is not a slot" in faults[1]
    assert "'fate' is not a kind" in faults[2]
    assert "a term is empty" in faults[3]
    assert "the slur stands also in line 2" in faults[4]
    assert "abcd" not in " ".join(faults)


def test_lookup_shows_slurs_with_decode_alone():
    slur = some_slur("disabled people")
    word = " ".join(slur.words)
    encoded = codecs.encode(word, "rot13")
    hidden = run("lexicon", "lookup", encoded)
    assert word not in hidden.stdout + hidden.stderr
    decoded = run("lexicon", "lookup", "--decode", encoded)
    assert f"{word}  stays  [slur] slurs.tsv:{slur.line}, disabled people" in decoded.stdout


FOLDERS = ("benchmarks", "docs", "evalsets", "gec_fair", "lexicons", "samples", "tests", "training")


def test_no_file_of_the_project_has_a_slur_in_plain_letters():
    words = "|".join(re.escape(" ".join(slur.words)) for slur in slurs.load())
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)".encode(), re.IGNORECASE)
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    paths += ROOT.glob("*.md")
    assert len(paths) > 1000
    hits = {
        path.relative_to(ROOT).as_posix()
        for path in paths
        if "__pycache__" not in path.parts and b"\0" not in (content := path.read_bytes()) and pattern.search(content)
    }
    assert hits <= set(WHOLE_LISTS)


def test_safety_commands_print_no_slur(tmp_path):
    words = [" ".join(slur.words) for slur in slurs.load()]
    lines = [f"{n},They are {word}s and {word}.,{n % 2}" for n, word in enumerate(words)]
    table = tmp_path / "texts.csv"
    table.write_text("id,text,hate\n" + "\n".join(lines) + "\n")
    outputs = []
    for command in (
        ("mentions", table, "-o", tmp_path / "named.csv"),
        ("counterfactuals", tmp_path / "named.csv", "-o", tmp_path / "out.csv"),
        (
            "audit",
            tmp_path / "out.csv",
            "--source",
            "vader",
            "--score",
            "neg",
            "--harm",
            "hate",
            "-o",
            tmp_path / "audit",
        ),
    ):
        done = run("safety", *command)
        assert done.code == 0, done.stderr
        outputs += [done.stdout, done.stderr]
    reports = [
        path for path in (tmp_path / "audit").rglob("*") if path.suffix in (".html", ".json", ".md", ".tex", ".svg")
    ]
    assert reports
    outputs += [path.read_text() for path in reports]
    said = " ".join(outputs).lower()
    assert not [word for word in words if f" {word} " in said or f" {word}s" in said]
    written = (tmp_path / "out.csv").read_text().splitlines()
    assert len(written) == 1 + len(words)
