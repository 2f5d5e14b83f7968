"""Gendered nouns: which words match, as what, and what `gec-fair lexicon check` finds in broken tables."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from gec_fair.cli.data.lexicon import lexicon as command
from gec_fair.english.lexicons.lexicon import load
from gec_fair.english.lexicons.lexicon_check import check
from gec_fair.english.lexicons.nouns import Nouns, Reading
from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.english.lexicons.tables import read_table, shipped_directory
from gec_fair.errors import InputError, UsageError


@pytest.fixture(scope="module")
def nouns() -> Nouns:
    return load().nouns


def swapped(nouns: Nouns, text: str) -> str:
    """The text with every match replaced, whatever its reading."""
    words, out, i = text.split(), [], 0
    while i < len(words):
        match = nouns.swap_noun(words, i)
        out += match.term.replacement if match else [words[i]]
        i = match.end if match else i + 1
    return " ".join(out)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("my mother 's car", "my father 's car", id="the possessive is its own token"),
        pytest.param("two mothers-in-law", "two fathers-in-law", id="the plural of a hyphenated term is inside"),
        pytest.param("a mother - in - law", "a father - in - law", id="GEC tokenisers detach hyphens"),
        pytest.param("a MOTHER - IN - LAW", "a father - in - law", id="case is ignored and left to the caller"),
        pytest.param("a step - mother", "a step - father", id="a detached prefix"),
        pytest.param("stepmother and step mother", "stepfather and step father", id="solid and spaced spellings"),
        pytest.param("ex - wife", "ex - husband", id="an unlisted detached prefix is simply kept"),
        pytest.param("my great-great-great-aunt", "my great-great-great-uncle", id="an unlisted hyphenated prefix"),
        pytest.param("a father-daughter dance", "a mother-son dance", id="every part of a hyphenated word"),
        pytest.param("boy-friend", "girl-friend", id="a learners' hyphen inside a listed word"),
        pytest.param("maid of honour", "best man", id="the longest term wins"),
        pytest.param("the best man i know", "the best woman i know", id="best man is not always at a wedding"),
        pytest.param("mum mom", "dad dad", id="two words lead to one"),
        pytest.param("dad", "mom", id="and one leads back"),
        pytest.param("the poetess and the poet", "the poet and the poet", id="poet is said of everybody: one way"),
        pytest.param("ma'am", "sir", id="an apostrophe inside a word"),
        pytest.param("ma 'am", "sir", id="and detached"),
        pytest.param("my fiancé and his fiancee", "my fiancée and his fiance", id="each spelling keeps its accents"),
        pytest.param("female males", "male females", id="adjective or noun"),
        pytest.param("mens and womens", "womens and mens", id="plurals that learners write"),
        pytest.param("mankind", "mankind", id="mankind is everybody"),
    ],
)
def test_terms_swap(nouns: Nouns, text: str, expected: str) -> None:
    assert swapped(nouns, text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("camerawomen", "cameramen", id="listed"),
        pytest.param("trashmen", "trashwomen", id="by rule, plural"),
        pytest.param("helmswoman", "helmsman", id="by rule, feminine"),
        pytest.param("Frenchman", "frenchwoman", id="capitalised"),
        pytest.param("human", None, id="human is not a compound"),
        pytest.param("women", "men", id="the word itself is a row, not a compound"),
        pytest.param("German", None, id="a people"),
        pytest.param("ottoman", None, id="a seat"),
        pytest.param("herman", None, id="a first name, which learners write in lower case"),
        pytest.param("specimen", None, id="a Latin stem"),
        pytest.param("freshmen", None, id="used of everybody"),
        pytest.param("iman", None, id="one letter is not a stem"),
        pytest.param("man-made", None, id="the last part decides"),
        pytest.param("-", None, id="a lone hyphen"),
        pytest.param("", None, id="an empty token, as double spaces give"),
    ],
)
def test_compounds_swap_by_rule_with_exceptions(nouns: Nouns, word: str, expected: str | None) -> None:
    match = nouns.swap_noun([word], 0)
    assert (match and " ".join(match.term.replacement)) == expected
    assert match is None or nouns.may_start(word.lower())


def test_an_unlisted_compound_counts_as_a_common_noun_only(nouns: Nouns) -> None:
    match = nouns.swap_noun(["Newman"], 0)
    assert match is not None
    assert match.term.readings == {Reading.COMMON}  # so Mr Newman, a proper noun, is left alone


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("my mother tongue", id="the gendered word comes first"),
        pytest.param("Mother - tongue", id="detached hyphen, capital"),
        pytest.param("a bachelor 's degree", id="a degree"),
        pytest.param("a king - size bed", id="a size"),
        pytest.param("at Burger King", id="the gendered word comes last"),
        pytest.param("a host family", id="a host may be a family"),
        pytest.param("hello , guys !", id="an address to any group"),
        pytest.param("oh my god", id="an exclamation"),
        pytest.param("no man 's land", id="generic"),
    ],
)
def test_fixed_expressions_stay(nouns: Nouns, text: str) -> None:
    assert swapped(nouns, text) == text


def test_a_fixed_expression_ends_where_it_ends(nouns: Nouns) -> None:
    assert swapped(nouns, "my mother speaks my mother tongue") == "my father speaks my mother tongue"


@pytest.mark.parametrize(
    ("words", "before_name", "expected", "readings"),
    [
        pytest.param("Lady Jane", True, "lord", {Reading.TITLE}, id="a title before a name"),
        pytest.param("Lady Jane", False, "gentleman", {Reading.NOUN}, id="the caller saw no name"),
        pytest.param("Dear Sir", True, "dame", {Reading.TITLE}, id="Sir Ian"),
        pytest.param("Dear Sir", False, "madam", {Reading.ANY}, id="Dear Sir"),
        pytest.param("Miss Smith", False, "mr", {Reading.TITLE}, id="only a title: the caller must see the name"),
        pytest.param("the Lord", False, "lady", {Reading.COMMON}, id="the Lord is a proper noun and stays"),
        pytest.param("the father", False, "mother", {Reading.NOUN}, id="to father is a verb and stays"),
    ],
)
def test_a_match_says_in_which_reading_it_counts(
    nouns: Nouns, words: str, before_name: bool, expected: str, readings: set[Reading]
) -> None:
    tokens = words.split()
    at = 0 if tokens[0] in ("Lady", "Miss") else 1
    match = nouns.swap_noun(tokens, at, before_name=before_name)
    assert match is not None
    assert (match.term.replacement, match.term.readings) == ((expected,), readings)


def test_a_match_carries_span_gender_class_and_number(nouns: Nouns) -> None:
    match = nouns.swap_noun(["two", "step", "-", "sisters", "came"], 1)
    assert match is not None
    assert (match.start, match.end, len(match.term.words)) == (1, 4, 3)
    assert (match.term.gender, match.term.kind, match.term.plural) == (Gender.FEMININE, "kinship", True)


def test_what_can_start_a_match_is_a_set() -> None:
    lexicon = load()
    assert {"mother", "her", "maid", "mrs"} <= lexicon.gendered_tokens
    assert "table" not in lexicon.gendered_tokens
    assert not lexicon.nouns.may_start("table")


def test_names_ask_for_fixed_expressions_too(nouns: Nouns) -> None:
    assert nouns.is_fixed(["in", "San", "Francisco"], 2)
    assert not nouns.is_fixed(["with", "Francisco"], 1)


# Tables of one's own -------------------------------------------------------------------------------------------------

HEADER = "# What: x\n# Source: x\n# Licence: x\n# Columns: x\n"
NOUNS = HEADER + "feminine\tmasculine\tfeminine_plural\tmasculine_plural\tclass\tdirection\treading\n"
NAMES = HEADER + "name\tgender\tshare\tother_share\treading\tcounterpart\n"
EXCEPTIONS = HEADER + "term\tkind\twhy\n"


def write(directory: Path, **tables: str) -> Path:
    for name, text in tables.items():
        (directory / f"{name}.tsv").write_text(text, encoding="utf-8")
    return directory


def test_a_users_rows_come_before_the_shipped(tmp_path: Path) -> None:
    write(
        tmp_path,
        nouns=NOUNS + "mum\tdad\tmums\tdads\tkinship\tboth\tnoun\n",
        exceptions=EXCEPTIONS + "repairman\tfixed\tused of everybody here\n",
        names=NAMES + "Zorro\tmasculine\t\t\tany\tZorra\nZorra\tfeminine\t\t\tany\tZorro\n",
    )
    mine = load(tmp_path)
    assert swapped(mine.nouns, "dad mom") == "mum dad"
    assert mine.names.counterpart("Zorro") == "Zorra"
    assert mine.names.counterpart("Mary") == load().names.counterpart("Mary")
    assert swapped(mine.nouns, "linesman repairman") == "lineswoman repairman"
    assert swapped(load().nouns, "dad") == "mom", "the shipped lexicon is not touched"
    assert check(tmp_path).faults == ()


def test_a_table_may_lack_trailing_columns_and_order_them_otherwise(tmp_path: Path) -> None:
    write(tmp_path, names=HEADER + "name\treading\tgender\nZorro\tany\tmasculine\n")
    assert load(tmp_path).names.gender("zorro") is Gender.MASCULINE
    assert load(tmp_path).names.counterpart("Zorro") is None


def test_a_carriage_return_alone_ends_no_row(tmp_path: Path) -> None:
    (tmp_path / "nouns.tsv").write_bytes(b"masculine\tfeminine\r\nwarder\twar\rdress\r\n")
    (row,) = read_table(tmp_path / "nouns.tsv", ("masculine", "feminine"))
    assert (row.line, row.cells) == (2, ("warder", "war\rdress"))


def test_a_directory_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds none of pronouns\.tsv"):
        load(tmp_path)
    with pytest.raises(UsageError, match="no such directory"):
        load(tmp_path / "absent")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("mother\tfather\n", r"nouns\.tsv:1: expected the column names feminine", id="no column names"),
        pytest.param("feminine\tfeminine\n", r"nouns\.tsv:1: expected .*; give each once", id="a name twice"),
        pytest.param(
            NOUNS + "a\tb\t-\t-\tkin\tup\tany\n", r"nouns\.tsv:6: direction is both, f2m, m2f", id="direction"
        ),
        pytest.param(NOUNS + "a\tb\t-\t-\tkin\tboth\tverb\n", r"nouns\.tsv:6: reading is", id="reading"),
        pytest.param(
            NOUNS + "a\tb\tas\t-\tkin\tboth\tany\n", r"nouns\.tsv:6: a word stands without", id="half a plural"
        ),
        pytest.param(NOUNS + "a\tb\t-\t-\tkin\tboth\tany\tx\n", r"nouns\.tsv:6: .*found 8.*surplus tabs", id="columns"),
    ],
)
def test_a_row_that_cannot_be_read_is_told_with_file_line_and_remedy(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, nouns=text)
    with pytest.raises(InputError, match=message):
        load(tmp_path)


# gec-fair lexicon check ----------------------------------------------------------------------------------------------


def test_the_shipped_tables_are_sound() -> None:
    report = check()
    assert report.faults == ()
    assert report.counts["noun pairs with a plural"] >= 350


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        pytest.param(
            {"nouns": NOUNS + "mum\tdad\tmums\tdads\tkin\tboth\tnoun\nmom\tdad\tmoms\tdads\tkin\tboth\tnoun\n"},
            "nouns.tsv:7: 'dad' is swapped by line 6 already",
            id="`both` rows are a bijection",
        ),
        pytest.param(
            {"nouns": NOUNS + "Mum\tdad\t-\t-\tkin\tboth\tnoun\n"}, "nouns.tsv:6: 'Mum' →", id="lower case only"
        ),
        pytest.param(
            {"nouns": NOUNS + "mum\tdad\t\t\tkin\tboth\tnoun\n"},
            "nouns.tsv:6: a word or plural is empty",
            id="a forgotten plural; - says there is none",
        ),
        pytest.param(
            {"nouns": NOUNS + "mum\tmum\t-\t-\tkin\tf2m\tnoun\n"}, "nouns.tsv:6: 'mum' swaps to itself", id="no change"
        ),
        pytest.param(
            {"nouns": NOUNS + "mum\tdad\t-\t-\tkin\tf2m\tnoun\ndad\tpop\t-\t-\tkin\tf2m\tnoun\n"},
            "nouns.tsv:7: 'dad' is masculine in line 6; it cannot be both",
            id="a word of both genders",
        ),
        pytest.param(
            {"nouns": NOUNS.replace("# Licence: x\n", "")}, "nouns.tsv:1: the header lacks Licence:", id="header"
        ),
        pytest.param(
            {"exceptions": EXCEPTIONS + "table\tman\tno\n"},
            "exceptions.tsv:6: 'table' does not end in -man or -men",
            id="the rule never meets it",
        ),
        pytest.param(
            {"exceptions": EXCEPTIONS + "fireman\tman\tno\n"},
            "exceptions.tsv:6: 'fireman' is swapped by nouns.tsv and excepted here",
            id="row and exception contradict each other",
        ),
        pytest.param(
            {"exceptions": EXCEPTIONS + "ruman\tman\tno\nruman\tman\tno\n"},
            "exceptions.tsv:7: 'ruman' stands also in line 6",
            id="a doubled exception",
        ),
        pytest.param(
            {"exceptions": EXCEPTIONS + "red table\tfixed\tno\n"},
            "exceptions.tsv:6: nothing in 'red table' would be swapped",
            id="an idle fixed expression",
        ),
        pytest.param(
            {"exceptions": EXCEPTIONS + "ruman\tperson\tno\n"},
            "exceptions.tsv:6: an exception needs",
            id="no such kind",
        ),
        pytest.param(
            {"names": NAMES + "Zorro\tmasculine\t\t\tany\tMary\nZorra\tfeminine\t\t\tany\tZorro\n"},
            "names.tsv:6: 'Zorro' swaps to 'Mary', which swaps to",
            id="mapping twice must lead back",
        ),
        pytest.param(
            {"names": NAMES + "Zorro\tmasculine\t\t\tany\tZorra\n"},
            "names.tsv:6: the counterpart 'Zorra' of 'Zorro' has no row",
            id="a counterpart that is absent",
        ),
        pytest.param(
            {"names": NAMES + "Zorro\tmasculine\t\t\tany\tZorri\nZorri\tmasculine\t\t\tany\tZorro\n"},
            "names.tsv:6: 'Zorro' and its counterpart 'Zorri' are both masculine",
            id="a counterpart of the same gender",
        ),
        pytest.param(
            {"names": NAMES + "Zorro\tmasculine\t\t\tany\t\n"},
            "names.tsv:1: the sides differ in size",
            id="one side only",
        ),
        pytest.param(
            {"names": NAMES + "zorro\tmasculine\t\t\tany\t\n"},
            "names.tsv:6: 'zorro' is not written with a capital",
            id="the case of names",
        ),
        pytest.param(
            {"names": NAMES + "Zorro\tmasculine\t\t\tany\t\nZorro\tfeminine\t\t\tany\t\n"},
            "names.tsv:7: 'Zorro' stands also in line 6",
            id="a name on both sides",
        ),
        pytest.param(
            {"names": NAMES + "Prince\tmasculine\t\t\tany\t\n"},
            "names.tsv:6: 'Prince' is a word of nouns.tsv as well",
            id="overlap with the nouns",
        ),
        pytest.param(
            {"names": NAMES + "Hers\tfeminine\t\t\tany\t\n"},
            "names.tsv:6: 'Hers' is a pronoun",
            id="overlap with the pronouns",
        ),
    ],
)
def test_check_finds_the_fault(tmp_path: Path, tables: dict[str, str], message: str) -> None:
    faults = check(write(tmp_path, **tables)).faults
    assert any(fault.startswith(message) for fault in faults), faults


def test_check_finds_faults_in_a_copy_of_the_shipped_tables(tmp_path: Path) -> None:
    shutil.copytree(shipped_directory(), tmp_path / "copy")
    assert check(tmp_path / "copy").faults == ()
    table = tmp_path / "copy" / "names.tsv"
    table.write_text(table.read_text(encoding="utf-8").replace("\tMichael\t", "\tMitchell\t", 1), encoding="utf-8")
    assert any("'Mary' swaps to 'Mitchell'" in fault for fault in check(tmp_path / "copy").faults)


def test_the_command_prints_counts_and_ends_with_0() -> None:
    result = CliRunner().invoke(command, ["check"])
    assert result.exit_code == 0
    assert "noun pairs" in result.output
    assert json.loads(CliRunner().invoke(command, ["check", "--json"]).output)["faults"] == []


def test_the_command_ends_with_2_and_says_where(tmp_path: Path) -> None:
    write(tmp_path, nouns=NOUNS + "mum\tmum\t-\t-\tkin\tboth\tnoun\n")
    result = CliRunner().invoke(command, ["check", str(tmp_path)])
    assert result.exit_code == 2
    assert "nouns.tsv:6: 'mum' swaps to itself" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param("her", "→ him  [pronoun] feminine accusative", id="her in both readings"),
        pytest.param("chairwoman", "→ chairman  [noun]", id="a noun"),
        pytest.param("bachelor 's degree", "stays  [fixed]", id="a fixed expression"),
        pytest.param("German", "stays  [exception] exceptions.tsv: people, language", id="an exception says why"),
        pytest.param("Grace", "reading: proper", id="a name that is a word"),
        pytest.param("xyzzy", "stays  [unknown]", id="nothing known"),
    ],
)
def test_lookup_says_what_would_happen(words: str, message: str) -> None:
    assert message in CliRunner().invoke(command, ["lookup", words]).output


def test_the_examples_in_help_run() -> None:
    assert CliRunner().invoke(command, ["lookup", "chairwoman", "German", "Grace"]).exit_code == 0
    report = json.loads(CliRunner().invoke(command, ["lookup", "mother - in - law", "--json"]).output)
    assert [finding["swapped"] for finding in report] == ["father - in - law"]


def test_one_table_is_checked_by_its_file(tmp_path):
    from gec_fair.english.lexicons.lexicon_check import check
    from gec_fair.errors import UsageError

    shipped = Path(__file__).parents[2] / "lexicons"
    (tmp_path / "names.tsv").write_bytes((shipped / "names.tsv").read_bytes())
    report = check(tmp_path / "names.tsv")
    assert report.faults == ()
    assert report.counts["names feminine"] > 1000
    (tmp_path / "nouns.tsv").write_text("x\ty\n")
    assert any("nouns.tsv:1: expected the column names" in fault for fault in check(tmp_path / "nouns.tsv").faults)
    (tmp_path / "other.tsv").write_text("x\ty\n")
    with pytest.raises(UsageError, match=r"other\.tsv: tables are called pronouns\.tsv"):
        check(tmp_path / "other.tsv")
