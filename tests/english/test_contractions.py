"""Words in the standard form, and back to how the text writes them."""

import pytest

from gec_fair.edits import Edit, Edits, edit_words
from gec_fair.english import pipeline
from gec_fair.english.contractions import cut, read
from gec_fair.english.letters import dress, plain, plain_with_places

READ = [
    ("He doesn't know", "He does n't know", "one word"),
    ("He doesn ’ t know", "He does n't know", "three words"),
    ("He`s here", "He 's here", "a grave accent"),
    ("he ` s here", "he 's here", "a grave accent, apart"),
    ("said ` s here", "said ` s here", "a quotation"),
    ("the actress ’ s dress", "the actress 's dress", "a possessive of three tokens"),
    ("the letter ' s '", "the letter ' s '", "a quoted letter"),
    ("xe ´ s here", "xe 's here", "a neopronoun"),
    ("he&#39;s here", "he 's here", "a number of HTML"),
    ("José’s car", "José 's car", "a letter with an accent"),
    ("a step-mother's car", "a step-mother 's car", "a hyphen"),
    ("James' car", "James ' car", "an apostrophe behind an s"),
    ("the 'actress' sang", "the ' actress ' sang", "quotation marks"),
    ("the 'old actress' sang", "the ' old actress ' sang", "around two words"),
    ("goin' to", "goin' to", "another apostrophe"),
    ("Hes late and shes not", "He s late and she s not", "no apostrophe"),
    ("HES LATE AND HE DOESNT KNOW", "HE S LATE AND HE DOES NT KNOW", "the same in capitals"),
    ("The HES data doesnt help", "The HES data does nt help", "capitals among small letters may be an acronym"),
    ("he\N{NO-BREAK SPACE}doesn't", "he does n't", "a no-break space"),
    ("\N{NO-BREAK SPACE}He \N{NO-BREAK SPACE}", "He \N{NO-BREAK SPACE}", "white space that separates nothing"),
]


@pytest.mark.parametrize(("text", "expected"), [row[:2] for row in READ], ids=[row[2] for row in READ])
def test_a_text_is_read_in_one_form(text, expected):
    assert " ".join(read(text.split(" ")).words) == expected


@pytest.mark.parametrize("text", [row[0] for row in READ])
def test_words_that_are_written_anew_as_they_were_give_the_same_text(text):
    words = text.split(" ")
    form = read(words)
    for place, word in enumerate(form.words):
        edits = form.restore(Edits((Edit(place, place + 1, (word,)),), len(form.words)))
        assert edit_words(edits, words) == tuple(words)


@pytest.mark.parametrize("text", [row[0] for row in READ])
def test_the_cut_words_are_the_text(text):
    assert "".join(cut(text.split())) == "".join(text.split())


SIGNS = [
    ("he´s", "he's", "they're", "they´re", "an acute accent"),
    ("he&apos;s", "he's", "they're", "they&apos;re", "a name of HTML"),
    ("Ｈｅ＇ｓ", "He's", "They're", "Ｔｈｅｙ＇ｒｅ", "full width"),
    ("h\N{SOFT HYPHEN}e", "he", "they", "they", "a sign inside a word goes"),
    (
        "\N{ZERO WIDTH SPACE}he\N{ZERO WIDTH SPACE}",
        "he",
        "they",
        "\N{ZERO WIDTH SPACE}they\N{ZERO WIDTH SPACE}",
        "around",
    ),
    ("Rene\u0301e", "Renée", "André", "Andre\u0301", "a separate accent"),
    ("𝐇𝐞", "He", "They", "They", "mathematical letters"),
    ("Ⓗⓔ", "He", "They", "They", "letters in circles"),
    ("h\N{CYRILLIC SMALL LETTER IE}", "he", "they", "they", "a letter of another script"),
    ("НЕ", "НЕ", "x", "x", "a word of another script"),
    ("he&amp;#39;s", "he's", "they're", "they&amp;#39;re", "HTML twice"),
    ("AT&amp;T", "AT&T", "x", "x", "another entity"),
    ("‘s", "'s", "'re", "‘re", "a clitic"),
    ("‘d’", "‘d’", "‘e’", "‘e’", "a quoted letter"),
    ("👩\N{ZERO WIDTH JOINER}🚀", "👩\N{ZERO WIDTH JOINER}🚀", "x", "x", "emoji"),
    ("&unknown;", "&unknown;", "x", "x", "no entity"),
]


@pytest.mark.parametrize(("written", "read_as", "new", "expected"), [r[:4] for r in SIGNS], ids=[r[4] for r in SIGNS])
def test_signs_are_read_as_plain_letters_and_given_to_new_words(written, read_as, new, expected):
    assert plain(written) == read_as
    assert dress(written, new) == expected
    letters, places = plain_with_places(written)
    assert (letters, len(places), places[-1]) == (read_as, len(read_as) + 1, len(written))


def test_a_text_is_cut_into_its_own_letters():
    text = "\N{ZERO WIDTH SPACE}He`s my fiance\u0301e&apos;s h\N{SOFT HYPHEN}ero &quot;x&quot;."
    assert pipeline.tokenize(pipeline.load_shared(), text) == [
        *("He", "`s", "my", "fiance\u0301e", "&apos;s", "h\N{SOFT HYPHEN}ero", "&quot;", "x", "&quot;", "."),
    ]
