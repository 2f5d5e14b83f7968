"""Paradigms: five forms and an agreement; he/she words are read back by form."""

import pytest

from gec_fair.english.lexicons.paradigms import (
    Form,
    Gender,
    all_paradigms,
    forms_of,
    named_or_user_paradigm,
    paradigm,
    pronoun_tokens,
    user_paradigm,
)
from gec_fair.errors import InputError, UsageError

F, M = Gender.FEMININE, Gender.MASCULINE


@pytest.mark.parametrize(
    ("name", "forms", "plural"),
    [
        pytest.param("feminine", "she her her hers herself", False, id="she knows"),
        pytest.param("masculine", "he him his his himself", False, id="his is determiner and independent"),
        pytest.param("they", "they them their theirs themself", True, id="one person, plural verb: they know"),
        pytest.param("xe", "xe xem xyr xyrs xemself", False, id="xe knows"),
        pytest.param("ze", "ze zir zir zirs zirself", False, id="ze with zir"),
        pytest.param("ze-hir", "ze hir hir hirs hirself", False, id="the same nominative, other forms"),
        pytest.param("ey", "ey em eir eirs emself", False, id="they without th"),
        pytest.param("fae", "fae faer faer faers faerself", False, id="fae"),
    ],
)
def test_a_paradigm_has_five_forms_and_an_agreement(name: str, forms: str, plural: bool) -> None:
    loaded = paradigm(name)
    assert [loaded.form(form) for form in Form] == forms.split()
    assert loaded.plural_agreement is plural


@pytest.mark.parametrize(
    ("word", "readings"),
    [
        pytest.param("she", {(F, Form.NOMINATIVE)}, id="one reading"),
        pytest.param("her", {(F, Form.ACCUSATIVE), (F, Form.DETERMINER)}, id="I saw her / her book"),
        pytest.param("his", {(M, Form.DETERMINER), (M, Form.INDEPENDENT)}, id="his book / it is his"),
        pytest.param("hisself", {(M, Form.REFLEXIVE)}, id="learners write hisself"),
        pytest.param("they", set(), id="they has no gender"),
        pytest.param("His", set(), id="the caller lower-cases"),
        pytest.param("it", set(), id="it is not a person"),
    ],
)
def test_he_and_she_words_are_read_by_form(word: str, readings: set[tuple[Gender, Form]]) -> None:
    assert forms_of(word) == readings
    assert (word in pronoun_tokens()) is bool(readings)


def test_every_paradigm_has_five_lower_case_words() -> None:
    for name, entry in all_paradigms().items():
        assert all(entry.form(form) == entry.form(form).lower() != "" for form in Form), name


def test_a_user_paradigm_is_five_words_with_slashes() -> None:
    assert user_paradigm("xe/xem/xyr/xyrs/xemself") == named_or_user_paradigm("Xe/xem/xyr/xyrs/xemself:singular")
    assert user_paradigm("xe/xem/xyr/xyrs/xemself:plural").plural_agreement
    assert named_or_user_paradigm("thon") is paradigm("thon")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("xe/xem", "five words", id="too few forms"),
        pytest.param("xe//xyr/xyrs/xemself", "five words", id="an empty form"),
        pytest.param("xe/xem/xyr/xyrs/xemself:dual", "singular or plural", id="no such agreement"),
        pytest.param("zee", "known: feminine, masculine, they", id="an unknown name lists the known ones"),
    ],
)
def test_what_is_no_paradigm_is_refused_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        named_or_user_paradigm(text)


def test_another_reflexive_leaves_the_rest() -> None:
    they = paradigm("they").with_reflexive("themselves")
    assert (they.reflexive, they.nominative, they.plural_agreement) == ("themselves", "they", True)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        pytest.param("xe\txem\txyr\txyrs", "five lower-case forms", id="a form is missing"),
        pytest.param("xe\tXe\txem\txyr\txyrs\txemself\tsingular", "lower-case", id="a capital"),
        pytest.param("xe\txe\txem\txyr\txyrs\txemself\tdual", "agreement is", id="no such agreement"),
        pytest.param("xe\txe\txem\txyr\txyrs\txemself\tplural\tmine", "form=word", id="variants need a form"),
        pytest.param("xe\t1\t2\t3\t4\t5\tplural\t\tmore", "9|surplus", id="too many columns"),
    ],
)
def test_a_broken_row_is_reported_with_file_and_line(tmp_path, row: str, message: str) -> None:
    from gec_fair.english.lexicons.paradigms import COLUMNS, read_paradigms

    (tmp_path / "pronouns.tsv").write_text("\t".join(COLUMNS) + "\n" + row + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"pronouns\.tsv:2: .*({message})"):
        read_paradigms(tmp_path / "pronouns.tsv")
